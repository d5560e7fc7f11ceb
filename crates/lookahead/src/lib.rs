#![doc = include_str!("../SOURCE.md")]

mod search;

use queens::{About, Lists, Order, Tree, Variant};

/// The variant.
pub static VARIANT: Variant = Variant::searching::<search::Search>(
    About {
        id: env!("CARGO_PKG_NAME"),
        summary: "bit sets, no queen placed that leaves a coming row without a square",
        complexity: "O(1) a node and O(1) a column that is tried; O(N) memory",
        source: include_str!("../SOURCE.md"),
        follows: &[],
        recursive: true,
        tree: Tree::Own,
        largest_order: Order::MAX,
    },
    Some(Lists::All),
);
