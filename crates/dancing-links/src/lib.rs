#![doc = include_str!("../SOURCE.md")]

mod links;
mod search;

use queens::{About, Order, Tree, Variant};

/// The variant.
pub static VARIANT: Variant = Variant::searching::<search::Search>(
    About {
        id: env!("CARGO_PKG_NAME"),
        summary: "generalised exact cover with dancing links, the smallest set of squares first",
        complexity: "O(N) a node; O(N²) memory",
        source: include_str!("../SOURCE.md"),
        follows: &[],
        recursive: true,
        tree: Tree::Own,
        largest_order: Order::MAX,
    },
    None,
);
