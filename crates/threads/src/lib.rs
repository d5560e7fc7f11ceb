#![doc = include_str!("../SOURCE.md")]

mod search;

use queens::parts::{Parts, count_part};
use queens::{About, Citation, Counts, Document, Order, Tree, Variant};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// The variant.
pub static VARIANT: Variant = Variant::searching::<search::Search>(
    About {
        id: env!("CARGO_PKG_NAME"),
        summary: "the search of bitmask, shared out among the cores by its first rows",
        complexity: "O(1) a node; O(N) memory a thread and O(1) a part",
        source: include_str!("../SOURCE.md"),
        follows: &[
            Citation { document: Document::D000, place: "the ways of making it efficient" },
            Citation { document: Document::D003, place: "the opening remark" },
        ],
        recursive: true,
        tree: Tree::RowByRow,
        largest_order: Order::MAX,
    },
    None,
)
.dividing(divide, count)
.always_sharing();

fn divide(order: Order) -> Box<dyn Parts> {
    search::divide(order)
}

/// Counts on all threads of the pool that it is called in, or of the global one.
fn count(order: Order) -> Counts {
    let parts = divide(order);
    // (4)
    let total = (0..parts.len())
        .into_par_iter()
        .map_init(|| parts.counter(), |counter, part| count_part(&mut **counter, part))
        .sum();
    Counts { total, fundamental: None }
}
