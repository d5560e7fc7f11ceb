//! How long it takes to draw everything of a large run: all charts as SVG and PNG, all tables, and the report,
//! for 20 variants and 15 orders. `cargo bench --bench drawing`.

use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use lab::charts::{self, Chart};
use lab::data::Data;
use lab::environment::{self, Reading};
use lab::records::{Control, Frontier, Instructions, Measurement, Sample, Status, TreeRow};
use lab::tables::{Form, Kind};
use lab::{html, numbers};

const VARIANTS: usize = 20;
const ORDERS: usize = 15;
const ROUNDS: usize = 14;
const SAMPLES: usize = 10;

/// The data of a run in which every variant was measured at every order, over twelve decades.
fn data() -> Data {
    let mut data = Data::default();
    for variant in 0..VARIANTS {
        for order in 4..4 + ORDERS {
            add_case(&mut data, &format!("variant-{variant}"), order, 0.8_f64.powf(variant as f64));
        }
    }
    for order in 4..4 + ORDERS {
        let factor = 1.0 + (order as f64 - 11.0) / 1000.0;
        let (variant, low, high) = ("variant-0".to_owned(), Some(0.99), Some(1.02));
        data.control.push(Control { variant, order, factor, low, high, rounds: ROUNDS });
    }
    for round in 1..=ROUNDS {
        let after = Reading { monotonic_ms: 2e4, ..Reading::default() };
        data.environment.push(environment::row(round, 1, &Reading::default(), &after));
    }
    data
}

fn add_case(data: &mut Data, variant: &str, order: usize, factor: f64) {
    let ns = 50.0 * factor * 6_f64.powf(order as f64 - 4.0);
    let mut medians = Vec::new();
    for round in 1..=ROUNDS {
        // Some per cent of noise that differs from round to round and from sample to sample.
        let of =
            |sample: usize| 1.0 + ((round * 37 + sample * 101 + order * 11) % 97) as f64 / 2000.0;
        medians.push(f64::midpoint(ns * of(4), ns * of(5)));
        data.samples.extend((0..SAMPLES).map(|sample| Sample {
            variant: variant.to_owned(),
            order,
            round,
            session: 1,
            position: 1,
            sample: sample + 1,
            iterations: 1,
            elapsed_ns: ns * of(sample),
        }));
    }
    let rounds = lab::data::rounds_of_case(&data.samples, variant, order);
    let median = lab::stats::median_of_rounds(rounds.values().map(Vec::as_slice)).unwrap_or(ns);
    data.measurements.push(Measurement {
        variant: variant.to_owned(),
        order,
        total: Some(92),
        fundamental: Some(12),
        median_ns: Some(median),
        low_ns: Some(median * 0.98),
        high_ns: Some(median * 1.02),
        rounds: ROUNDS,
        samples: ROUNDS * SAMPLES,
        iterations: (ROUNDS * SAMPLES) as u64,
        fit_to_publish: Some(true),
        status: Status::Measured,
        reason: String::new(),
    });
    data.instructions.push(Instructions {
        variant: variant.to_owned(),
        order,
        instructions: Some((ns * 3.0) as u64),
        status: Status::Measured,
        reason: String::new(),
    });
    data.search_tree.extend((1..=order).map(|row| TreeRow {
        variant: variant.to_owned(),
        order,
        row,
        nodes: (ns as u64 * row as u64).max(1),
        squares_tested: None,
    }));
    data.frontier.push(Frontier {
        variant: variant.to_owned(),
        order,
        call_ns: ns,
        measured: true,
        reason: String::new(),
    });
}

fn drawing(criterion: &mut Criterion) {
    let data = data();
    let mut group = criterion.benchmark_group("20 variants × 15 orders");
    group.sample_size(10).measurement_time(Duration::from_secs(20));
    let folder = tempfile::tempdir().expect("a folder for the charts");
    group.bench_function("charts as SVG and PNG", |bencher| {
        bencher.iter(|| charts::write_all(&data, "variant-0", folder.path()).expect("charts"));
    });
    group.bench_function("tables and numbers", |bencher| {
        bencher.iter(|| {
            let tables = Kind::ALL.map(|kind| kind.table(&data, "variant-0"));
            let text: usize = tables
                .iter()
                .flatten()
                .flat_map(|table| Form::ALL.map(|form| table.write(form).len()))
                .sum();
            (text, numbers::all(&data, "variant-0"))
        });
    });
    group.bench_function("report as a page", |bencher| {
        bencher.iter(|| html::page(&data, "variant-0", &Chart::ALL, None).expect("a page"));
    });
    group.finish();
}

criterion_group!(benches, drawing);
criterion_main!(benches);
