#![doc = include_str!("../SOURCE.md")]

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512;
mod body;
mod passes;
mod portable;
mod search;
mod seeds;
mod stacks;

use queens::parts::count_part;
use queens::{About, Citation, Counts, Document, Order, Tree, Variant};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// The variant.
pub static VARIANT: Variant = Variant::new(
    About {
        id: env!("CARGO_PKG_NAME"),
        summary: "batches of vector lanes without branches, from the centre row outwards",
        complexity: "O(1) a step of all lanes; O(N) memory and O(1) a group of prefixes",
        source: include_str!("../SOURCE.md"),
        follows: &[Citation { document: Document::D000, place: "the closing remark" }],
        recursive: true,
        tree: Tree::Own,
        largest_order: search::LARGEST,
    },
    count,
)
.profiling(search::profile)
.dividing(search::divide, shared)
.choosing(body);

fn count(order: Order) -> Counts {
    Counts { total: search::count(order), fundamental: None }
}

/// Counts on all threads of the pool that it is called in, or of the global one.
fn shared(order: Order) -> Counts {
    let parts = search::divide(order);
    let total = (0..parts.len())
        .into_par_iter()
        .map_init(|| parts.counter(), |counter, part| count_part(&mut **counter, part))
        .sum();
    Counts { total, fundamental: None }
}

fn body() -> &'static str {
    search::Kind::best().name()
}
