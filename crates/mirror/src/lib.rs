#![doc = include_str!("../SOURCE.md")]

mod search;

use queens::{About, Citation, Document, Order, Tree, Variant};

/// The variant.
pub static VARIANT: Variant = Variant::searching::<search::Search>(
    About {
        id: env!("CARGO_PKG_NAME"),
        summary: "bit sets over the left half of the first row, each placement counted twice",
        complexity: "O(1) a node; O(N) memory",
        source: include_str!("../SOURCE.md"),
        follows: &[Citation { document: Document::D000, place: "the closing remark" }],
        recursive: true,
        tree: Tree::Own,
        largest_order: Order::MAX,
    },
    None,
);
