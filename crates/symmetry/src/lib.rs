#![doc = include_str!("../SOURCE.md")]

mod images;
mod search;

use queens::{About, Citation, Counts, Document, FundamentalCount, Lister, Lists, Order};
use queens::{PlacementSink, Profile, Tree, Variant};

/// The variant.
pub static VARIANT: Variant = Variant::new(
    About {
        id: env!("CARGO_PKG_NAME"),
        summary: "bit sets, each fundamental placement found once and weighed by its symmetries",
        follows: &[Citation { document: Document::D000, place: "the closing remark" }],
        recursive: true,
        tree: Tree::Own,
        largest_order: Order::MAX,
    },
    count,
)
.listing(Lists::Fundamental, list)
.profiling(profile);

fn count(order: Order) -> Counts {
    let mut observer = FundamentalCount::default();
    search::search(order, &mut observer);
    Counts { total: observer.total, fundamental: Some(observer.fundamental) }
}

fn list<'a>(order: Order, sink: &'a mut PlacementSink<'a>) {
    search::search(order, &mut Lister::new(order, sink));
}

fn profile(order: Order) -> Profile {
    let mut profile = Profile::new(order);
    search::search(order, &mut profile);
    profile
}
