//! The instruction-count instrument: iai-callgrind, over every variant.
//!
//! `cargo bench --bench instructions` counts the instructions of one call of every variant at
//! orders 0 to 12. `cargo xtask bench` starts the same program for one case after another. An id
//! is the order and the variant's position in the registry, from 0: `order_8_4`. A filter is a
//! pattern over the whole name: `'*::order_8_*'`.

// What the macros make of this file has no documentation.
#![allow(missing_docs)]

use benches::cases::{Subject, at_order, shared_at_order, subject};
use benches::planted;
use gungraun::Callgrind;
use gungraun::prelude::*;
use iai_callgrind as gungraun;
use queens::Counts;

// One call of a function that is never inlined, and its result given back: Callgrind counts from
// the call of this function to its return, and would stop counting if a closure stood in it.
#[library_benchmark]
#[benches::order_0(iter = at_order(0))]
#[benches::order_1(iter = at_order(1))]
#[benches::order_2(iter = at_order(2))]
#[benches::order_3(iter = at_order(3))]
#[benches::order_4(iter = at_order(4))]
#[benches::order_5(iter = at_order(5))]
#[benches::order_6(iter = at_order(6))]
#[benches::order_7(iter = at_order(7))]
#[benches::order_8(iter = at_order(8))]
#[benches::order_9(iter = at_order(9))]
#[benches::order_10(iter = at_order(10))]
#[benches::order_11(iter = at_order(11))]
#[benches::order_12(iter = at_order(12))]
fn count(subject: Subject) -> Counts {
    lab::call(subject.count, subject.order)
}

// The same with each call shared out among threads where the variant can do that. What the parts of a
// call take is counted on whatever thread.
#[library_benchmark]
#[benches::order_0(iter = shared_at_order(0))]
#[benches::order_1(iter = shared_at_order(1))]
#[benches::order_2(iter = shared_at_order(2))]
#[benches::order_3(iter = shared_at_order(3))]
#[benches::order_4(iter = shared_at_order(4))]
#[benches::order_5(iter = shared_at_order(5))]
#[benches::order_6(iter = shared_at_order(6))]
#[benches::order_7(iter = shared_at_order(7))]
#[benches::order_8(iter = shared_at_order(8))]
#[benches::order_9(iter = shared_at_order(9))]
#[benches::order_10(iter = shared_at_order(10))]
#[benches::order_11(iter = shared_at_order(11))]
#[benches::order_12(iter = shared_at_order(12))]
fn shared_count(subject: Subject) -> Counts {
    lab::call(subject.count, subject.order)
}

// Variants with extra work planted, to compare what is found of it with what it is.
#[library_benchmark]
#[benches::order_6(iter = planted::VARIANTS.iter().filter_map(|variant| subject(variant, 6)))]
fn planted_count(subject: Subject) -> Counts {
    lab::call(subject.count, subject.order)
}

library_benchmark_group!(name = variants, benchmarks = [count, shared_count]);
library_benchmark_group!(name = planted_variants, benchmarks = [planted_count]);

main!(
    config = LibraryBenchmarkConfig::default().tool(Callgrind::with_args([
        "--cache-sim=no",
        // Besides what is inside of the call: its parts, which are counted on other threads.
        "--toggle-collect=queens::parts::count_part",
    ])),
    library_benchmark_groups = [variants, planted_variants]
);
