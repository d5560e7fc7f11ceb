#![doc = include_str!("../SOURCE.md")]

mod search;

use queens::{About, Citation, Document, Lists, Order, Tree, Variant};

/// The variant.
pub static VARIANT: Variant = Variant::searching::<search::Search>(
    About {
        id: env!("CARGO_PKG_NAME"),
        summary: "one array with a sentinel for empty rows, every row compared at each test",
        complexity: "O(N²) a node, in N tests of O(N); O(N) memory",
        source: include_str!("../SOURCE.md"),
        follows: &[
            Citation { document: Document::D000, place: "the first complete program" },
            Citation { document: Document::D002, place: "the second program" },
        ],
        recursive: false,
        tree: Tree::RowByRow,
        largest_order: Order::MAX,
    },
    Some(Lists::All),
);
