//! The cases that the instruments measure when nobody says which.

use lab::plan::LARGEST_INSTRUCTION_ORDER;
use lab::registry::REGISTRY;
use queens::{CountFn, Order, Variant};

/// What is measured at one order of one variant.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// The variant.
    pub variant: &'static Variant,
    /// Its counting function.
    pub count: CountFn,
    /// The order, which the variant accepts.
    pub order: Order,
}

/// The variant at the order, unless that is above its limit.
#[must_use]
pub fn subject(variant: &'static Variant, order: usize) -> Option<Subject> {
    let order = Order::new(order)?;
    let count = variant.counter(order).ok()?;
    Some(Subject { variant, count, order })
}

/// The same, but with its call shared out among threads where the variant can do that.
#[must_use]
pub fn shared_subject(variant: &'static Variant, order: usize) -> Option<Subject> {
    let subject = subject(variant, order)?;
    let shared = variant.shared_counter(subject.order).ok()?;
    Some(Subject { count: shared.unwrap_or(subject.count), ..subject })
}

/// Every variant at `order`, its call shared out among threads where it can be, in the registry's order.
///
/// # Panics
/// As [`at_order`].
pub fn shared_at_order(order: usize) -> impl Iterator<Item = Subject> {
    at_order(order).map(move |subject| shared_subject(subject.variant, order).unwrap_or(subject))
}

/// Every variant at `order`, in the registry's order: its position is the last number of the
/// instruction counter's ids. Lazy, because the counter passes over all before the wanted one.
///
/// # Panics
/// Where a variant does not accept the order, which none of the counter's orders is.
pub fn at_order(order: usize) -> impl Iterator<Item = Subject> {
    assert!(order <= LARGEST_INSTRUCTION_ORDER);
    REGISTRY.iter().map(move |entry| {
        subject(entry.variant, order).expect("every variant accepts the orders that are counted")
    })
}

/// The orders that `cargo bench` alone measures the time of.
pub const WALL_CLOCK_ORDERS: std::ops::RangeInclusive<usize> = 4..=10;
