#![doc = include_str!("../SOURCE.md")]

mod images;
mod search;

use queens::{About, Citation, Document, Lists, Order, Tree, Variant};

/// The variant.
pub static VARIANT: Variant = Variant::searching::<search::Search>(
    About {
        id: env!("CARGO_PKG_NAME"),
        summary: "bit sets, each fundamental placement found once and weighed by its symmetries",
        complexity: "O(1) a node and O(N) a placement that may be an image of itself; O(N) memory",
        source: include_str!("../SOURCE.md"),
        follows: &[Citation { document: Document::D000, place: "the closing remark" }],
        recursive: true,
        tree: Tree::Own,
        largest_order: Order::MAX,
    },
    Some(Lists::Fundamental),
);
