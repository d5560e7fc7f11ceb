//! Lists of placements from any variant that lists: all of them, or the fundamental ones.

use std::ops::ControlFlow;

use queens::{Lists, Order, PlacementSink, Variant, square};

/// Which placements a list has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Every placement.
    All,
    /// One placement for each set of images: the lexicographically least.
    Fundamental,
}

/// Hands the placements of `order` to `sink` one by one, as `variant` finds them.
///
/// A variant that visits every placement gives both lists in ascending order. One that visits the
/// fundamental ones gives those in ascending order, and all of them as each fundamental one
/// followed by its images. Both say the same placements. The weight is the number of distinct
/// images for a fundamental placement and 1 for any other.
///
/// # Errors
/// Where the variant does not list placements or does not accept `order`, in words.
pub fn list(
    variant: &Variant,
    order: Order,
    which: Which,
    sink: &mut PlacementSink<'_>,
) -> Result<(), String> {
    let Some(lists) = variant.lists() else {
        return Err(format!("{} counts placements but does not list them", variant.id()));
    };
    let listed = match (lists, which) {
        (Lists::All, Which::All) | (Lists::Fundamental, Which::Fundamental) => {
            variant.list(order, &mut |columns, weight| sink(columns, weight))
        }
        (Lists::All, Which::Fundamental) => variant.list(order, &mut |columns, _| {
            let images = square::images(columns);
            if images[0] == columns {
                sink(columns, images.len() as u32)
            } else {
                ControlFlow::Continue(())
            }
        }),
        (Lists::Fundamental, Which::All) => variant.list(order, &mut |columns, _| {
            square::images(columns).iter().try_for_each(|image| sink(image, 1))
        }),
    };
    listed.map_err(|refusal| refusal.to_string())
}
