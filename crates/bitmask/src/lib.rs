#![doc = include_str!("../SOURCE.md")]

mod search;

use queens::{About, Citation, Counts, Document, Lister, Lists, Order, PlacementSink, Profile};
use queens::{TotalCount, Tree, Variant};

/// The variant.
pub static VARIANT: Variant = Variant::new(
    About {
        id: env!("CARGO_PKG_NAME"),
        summary: "three bit sets of attacked columns, lowest free column first, recursive",
        follows: &[
            Citation { document: Document::D000, place: "the last program" },
            Citation { document: Document::D003, place: "the second program" },
            Citation { document: Document::D004, place: "method two" },
        ],
        recursive: true,
        tree: Tree::RowByRow,
        largest_order: Order::MAX,
    },
    count,
)
.listing(Lists::All, list)
.profiling(profile);

fn count(order: Order) -> Counts {
    let mut observer = TotalCount::default();
    search::search(order, &mut observer);
    Counts { total: observer.total, fundamental: None }
}

fn list<'a>(order: Order, sink: &'a mut PlacementSink<'a>) {
    search::search(order, &mut Lister::new(order, sink));
}

fn profile(order: Order) -> Profile {
    let mut profile = Profile::new(order);
    search::search(order, &mut profile);
    profile
}
