#![doc = include_str!("../SOURCE.md")]

mod search;

use queens::{About, Citation, Document, Lists, Order, Tree, Variant};

/// The variant.
pub static VARIANT: Variant = Variant::searching::<search::Search>(
    About {
        id: env!("CARGO_PKG_NAME"),
        summary: "an N×N matrix of squares, attacks found by walking column and diagonals",
        complexity: "O(N²) a node, in N tests of O(N); O(N²) memory",
        source: include_str!("../SOURCE.md"),
        follows: &[
            Citation { document: Document::D000, place: "the pseudo-code" },
            Citation { document: Document::D002, place: "the pseudo-code" },
            Citation { document: Document::D003, place: "the general idea" },
        ],
        recursive: false,
        tree: Tree::RowByRow,
        largest_order: Order::MAX,
    },
    Some(Lists::All),
);
