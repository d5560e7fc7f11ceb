//! Variants whose extra work is known exactly, to see whether a difference of known size is found.
//!
//! Each counts the same order by `bitmask` over and over: one a hundred times, the others one, two
//! and five times more. So the extra work is 1, 2 and 5 % of the same instructions, and a test
//! counts them.

use queens::{About, Counts, Order, Tree, Variant};

/// The calls of the variant without extra work.
pub const CALLS: u32 = 100;

/// The variants: without extra work, and with one, two and five calls more.
pub static VARIANTS: [Variant; 4] = [
    variant("planted-0", count::<CALLS>),
    variant("planted-1", count::<{ CALLS + 1 }>),
    variant("planted-2", count::<{ CALLS + 2 }>),
    variant("planted-5", count::<{ CALLS + 5 }>),
];

const fn variant(id: &'static str, count: queens::CountFn) -> Variant {
    let about = About {
        id,
        summary: "bitmask, called many times",
        complexity: "O(1)",
        source: "",
        follows: &[],
        recursive: true,
        tree: Tree::Own,
        largest_order: Order::MAX,
    };
    Variant::new(about, count)
}

/// Counts the order so many times.
///
/// # Panics
/// Where two calls count differently.
fn count<const TIMES: u32>(order: Order) -> Counts {
    let bitmask = lab::registry::find(&lab::registry::REGISTRY, "bitmask")
        .and_then(|entry| entry.variant.counter(order).ok())
        .expect("bitmask accepts every order");
    let mut sum = 0;
    for _ in 0..TIMES {
        sum += lab::call(bitmask, order).total;
    }
    assert_eq!(sum % u128::from(TIMES), 0, "every call counts the same");
    Counts { total: sum / u128::from(TIMES), fundamental: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_count_what_there_is() {
        let order = Order::new(6).unwrap();
        for variant in &VARIANTS {
            assert_eq!(variant.count(order).unwrap().total, 4);
        }
    }
}
