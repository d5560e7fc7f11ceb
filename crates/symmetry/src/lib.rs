#![doc = include_str!("../SOURCE.md")]

mod images;
mod search;

use queens::{About, Citation, Document, Lists, Order, Tree, Variant};

/// The variant.
pub static VARIANT: Variant = Variant::searching::<search::Search>(
    About {
        id: env!("CARGO_PKG_NAME"),
        summary: "bit sets, each fundamental placement found once and weighed by its symmetries",
        follows: &[Citation { document: Document::D000, place: "the closing remark" }],
        recursive: true,
        tree: Tree::Own,
        largest_order: Order::MAX,
    },
    Some(Lists::Fundamental),
);
