#![doc = include_str!("../SOURCE.md")]

mod search;

use queens::{About, Citation, Document, Lists, Order, Tree, Variant};

/// The variant.
pub static VARIANT: Variant = Variant::searching::<search::Search>(
    About {
        id: env!("CARGO_PKG_NAME"),
        summary: "one array, only the rows above compared, recursive",
        complexity: "O(N²) a node, in N tests of O(N); O(N) memory",
        source: include_str!("../SOURCE.md"),
        follows: &[
            Citation { document: Document::D000, place: "the recursive program" },
            Citation { document: Document::D002, place: "the recursive program" },
            Citation { document: Document::D003, place: "the first program" },
            Citation { document: Document::D004, place: "isSafe" },
        ],
        recursive: true,
        tree: Tree::RowByRow,
        largest_order: Order::MAX,
    },
    Some(Lists::All),
);
