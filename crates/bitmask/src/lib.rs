#![doc = include_str!("../SOURCE.md")]

mod search;

use queens::{About, Citation, Document, Lists, Order, Tree, Variant};

/// The variant.
pub static VARIANT: Variant = Variant::searching::<search::Search>(
    About {
        id: env!("CARGO_PKG_NAME"),
        summary: "three bit sets of attacked columns, lowest free column first, recursive",
        complexity: "O(1) a node; O(N) memory",
        source: include_str!("../SOURCE.md"),
        follows: &[
            Citation { document: Document::D000, place: "the last program" },
            Citation { document: Document::D003, place: "the second program" },
            Citation { document: Document::D004, place: "method two" },
        ],
        recursive: true,
        tree: Tree::RowByRow,
        largest_order: Order::MAX,
    },
    Some(Lists::All),
);
