#![doc = include_str!("../SOURCE.md")]

mod disjoint;
mod join;
mod quarter;

use queens::{About, Counts, Order, Profile, Tree, Variant};

/// The variant.
pub static VARIANT: Variant = Variant::new(
    About {
        id: env!("CARGO_PKG_NAME"),
        summary: "placements of the four quarters of the board, joined to halves and to boards",
        complexity: "O(1) a pair of halves with complementary rows; memory for the placements of the quarters",
        source: include_str!("../SOURCE.md"),
        follows: &[],
        recursive: true,
        tree: Tree::Own,
        largest_order: join::LARGEST,
    },
    count,
)
.profiling(profile);

fn count(order: Order) -> Counts {
    Counts { total: join::search(order).total, fundamental: None }
}

fn profile(order: Order) -> Profile {
    join::search(order).profile()
}
