//! The wall-clock instrument: Criterion, over every variant.
//!
//! `cargo bench --bench wall_clock` measures the registry at a few orders, with Criterion's own
//! arguments. `cargo xtask bench` starts the same program with `--task FILE`, which says which
//! cases to measure, in which order and for how long.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use benches::cases::{self, Subject};
use benches::instrument::{self, check, say, subject};
use benches::{criterion_files, environment};
use criterion::{Bencher, Criterion, SamplingMode};
use lab::frontier::OVERSHOOT;
use lab::protocol::{Answer, CriterionTask, PilotTask, RoundCase, RoundTask, Task};
use lab::registry::REGISTRY;
use queens::Counts;

fn main() -> ExitCode {
    if let Some(path) = instrument::task_file() {
        return instrument::run(&path, |task| match task {
            Task::Pilot(task) => {
                pilot(&task);
                Ok(())
            }
            Task::Round(task) => {
                round(&task);
                Ok(())
            }
            Task::Criterion(task) => criterion_alone(&task),
            Task::Paired(_) => Err("lanes are compared by the instrument paired".to_owned()),
        });
    }
    measure_registry(&mut Criterion::default().configure_from_args());
    ExitCode::SUCCESS
}

/// What `cargo bench` measures: every variant at orders that each of them counts in milliseconds.
fn measure_registry(criterion: &mut Criterion) {
    for entry in &REGISTRY {
        let mut group = criterion.benchmark_group(entry.variant.id());
        group.sampling_mode(SamplingMode::Flat);
        for order in cases::WALL_CLOCK_ORDERS {
            let Some(subject) = cases::subject(entry.variant, order) else { continue };
            let expected = queens::known::total(subject.order).map(u128::from);
            group.bench_function(order.to_string(), |bencher| {
                let counts = time(bencher, subject).0;
                assert!(
                    counts.is_none_or(|counts| Some(counts.total) == expected),
                    "{} counts {counts:?} at order {order}",
                    entry.variant.id()
                );
            });
        }
        group.finish();
    }
}

/// Times calls as Criterion asks for them, and gives back what the last one counted and the time
/// of all of them.
fn time(bencher: &mut Bencher<'_>, subject: Subject) -> (Option<Counts>, Duration) {
    let mut last = None;
    let mut inside = Duration::ZERO;
    bencher.iter_custom(|calls| {
        let start = Instant::now();
        for _ in 0..calls {
            last = Some(lab::call(subject.count, subject.order));
        }
        let elapsed = start.elapsed();
        inside += elapsed;
        elapsed
    });
    (last, inside)
}

/// Climbs from order 0, each call expected to take as much longer as the last one did. Short calls
/// are made a few times, and the shortest of them counts.
fn pilot(task: &PilotTask) {
    for variant in &task.variants {
        let mut called: BTreeMap<usize, f64> = BTreeMap::new();
        for n in 0..=task.largest_order {
            let Ok(subject) = subject(variant, n) else { break };
            let last = n.checked_sub(1).and_then(|before| called.get(&before)).copied();
            let before = n.checked_sub(2).and_then(|before| called.get(&before)).copied();
            let growth = last.zip(before).map_or(1.0, |(last, before)| last / before);
            let too_long =
                |last: f64| last >= task.limit_ns || last * growth > OVERSHOOT * task.limit_ns;
            if last.is_some_and(too_long) {
                break;
            }
            let (ns, inside, counts) = shortest_call(subject);
            let counts = counts.completed(subject.order);
            called.insert(n, ns);
            say(&Answer::Call {
                variant: variant.clone(),
                order: n,
                ns,
                inside_ns: inside.as_secs_f64() * 1e9,
                total: counts.total.to_string(),
                fundamental: counts.fundamental.map(|count| count.to_string()),
            });
        }
    }
}

/// The shortest of a few calls, and the time of all of them; one call where it takes milliseconds.
fn shortest_call(subject: Subject) -> (f64, Duration, Counts) {
    let mut shortest = f64::INFINITY;
    let (mut inside, mut spent) = (Duration::ZERO, Duration::ZERO);
    loop {
        let start = Instant::now();
        let counts = lab::call(subject.count, subject.order);
        let elapsed = start.elapsed();
        shortest = shortest.min(elapsed.as_secs_f64() * 1e9);
        inside += elapsed;
        spent += elapsed.max(Duration::from_micros(100));
        if spent >= Duration::from_millis(2) {
            return (shortest.max(1.0), inside, counts);
        }
    }
}

/// Measures a round's cases, each by a Criterion of its own, so that one that fails takes no other
/// with it. What the machine did meanwhile is read before and after.
fn round(task: &RoundTask) {
    let before = Box::new(environment::read());
    for case in &task.cases {
        let (variant, n) = (case.case.variant.clone(), case.case.order);
        say(&match measure(case, &task.home) {
            Ok(Measured { counts, samples, inside }) => Answer::Samples {
                variant,
                order: n,
                total: counts.total.to_string(),
                fundamental: counts.fundamental.map(|count| count.to_string()),
                samples,
                inside_ns: inside.as_secs_f64() * 1e9,
            },
            Err(reason) => Answer::Failed { variant, order: n, reason },
        });
        if task.acknowledged {
            instrument::wait_until_noted();
        }
    }
    say(&Answer::Environment { before, after: Box::new(environment::read()) });
}

/// What a case gave.
struct Measured {
    counts: Counts,
    /// The calls of each sample, and the time of all of them in nanoseconds.
    samples: Vec<(u64, f64)>,
    /// The time of all calls.
    inside: Duration,
}

fn measure(wanted: &RoundCase, home: &Path) -> Result<Measured, String> {
    let case = &wanted.case;
    let subject = subject(&case.subject, case.order)?;
    let mut inside = Duration::ZERO;
    let mut call = || {
        let start = Instant::now();
        let counts = lab::call(subject.count, subject.order);
        let elapsed = start.elapsed();
        inside += elapsed;
        (counts, elapsed)
    };
    if !wanted.verified {
        let counts = call().0.completed(subject.order);
        check(counts, &wanted.total, &wanted.fundamental)?;
    }
    if case.samples == 1 {
        let (counts, elapsed) = call();
        let counts = counts.completed(subject.order);
        check(counts, &wanted.total, &wanted.fundamental)?;
        return Ok(Measured { counts, samples: vec![(1, elapsed.as_secs_f64() * 1e9)], inside });
    }
    let mut criterion = Criterion::default()
        .output_directory(home)
        .without_plots()
        .with_output_color(false)
        .sample_size(case.samples as usize)
        // The laboratory has statistics of its own; Criterion warns below 1001.
        .nresamples(1001)
        .warm_up_time(Duration::from_millis(case.warm_up_ms))
        .measurement_time(Duration::from_millis(case.measurement_ms));
    let mut counts = None;
    let mut group = criterion.benchmark_group(&case.variant);
    group.sampling_mode(SamplingMode::Flat);
    group.bench_function(case.order.to_string(), |bencher| {
        let (last, took) = time(bencher, subject);
        counts = last.or(counts);
        inside += took;
    });
    group.finish();
    let counts = counts.ok_or("Criterion did not call it")?.completed(subject.order);
    check(counts, &wanted.total, &wanted.fundamental)?;
    let samples = criterion_files::samples(home, &format!("{}/{}", case.variant, case.order))?;
    Ok(Measured { counts, samples, inside })
}

/// Measures as Criterion does by itself, with its own defaults for all but the time; what it says of
/// a difference goes to standard output in its own words.
fn criterion_alone(task: &CriterionTask) -> Result<(), String> {
    const BASELINE: &str = "before";
    let subject = subject(&task.variant, task.order)?;
    let criterion = Criterion::default()
        .output_directory(&task.home)
        .without_plots()
        .with_output_color(false)
        .warm_up_time(Duration::from_millis(task.warm_up_ms))
        .measurement_time(Duration::from_millis(task.measurement_ms));
    let mut criterion = if task.compared {
        criterion.retain_baseline(BASELINE.to_owned(), true)
    } else {
        criterion.save_baseline(BASELINE.to_owned())
    };
    // One name for both halves: Criterion compares what has the same name.
    criterion.bench_function("compared", |bencher| {
        time(bencher, subject);
    });
    Ok(())
}
