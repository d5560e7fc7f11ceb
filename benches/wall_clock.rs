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
use benches::criterion_files;
use criterion::{Bencher, Criterion, SamplingMode};
use lab::protocol::{Answer, PilotTask, RoundCase, RoundTask, Task};
use lab::registry::{self, REGISTRY};
use queens::Counts;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, flag, path] = &arguments[..]
        && flag == "--task"
    {
        return match run_task(Path::new(path)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(reason) => {
                eprintln!("wall_clock: {reason}");
                ExitCode::FAILURE
            }
        };
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
                let counts = time(bencher, subject);
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

/// Times calls as Criterion asks for them, and gives back what the last one counted.
fn time(bencher: &mut Bencher<'_>, subject: Subject) -> Option<Counts> {
    let mut last = None;
    bencher.iter_custom(|calls| {
        let start = Instant::now();
        for _ in 0..calls {
            last = Some(lab::call(subject.count, subject.order));
        }
        start.elapsed()
    });
    last
}

fn run_task(path: &Path) -> Result<(), String> {
    let text = lab::files::read(path)?;
    let task = serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
    match task {
        Task::Pilot(task) => pilot(&task),
        Task::Round(task) => round(&task),
    }
    Ok(())
}

fn subject_of(variant: &str, order: usize) -> Result<Subject, String> {
    let entry = registry::find(&REGISTRY, variant).ok_or(format!("no variant {variant}"))?;
    cases::subject(entry.variant, order)
        .ok_or_else(|| format!("{variant} does not accept order {order}"))
}

/// Climbs from order 0, each call expected to take as much longer as the last one did. Short calls
/// are made a few times, and the shortest of them counts.
fn pilot(task: &PilotTask) {
    for variant in &task.variants {
        let mut called: BTreeMap<usize, f64> = BTreeMap::new();
        for n in 0..=task.largest_order {
            let Ok(subject) = subject_of(variant, n) else { break };
            let last = n.checked_sub(1).and_then(|before| called.get(&before)).copied();
            let before = n.checked_sub(2).and_then(|before| called.get(&before)).copied();
            let growth = last.zip(before).map_or(1.0, |(last, before)| last / before);
            if last.is_some_and(|last| last > task.limit_ns || last * growth > 3.0 * task.limit_ns)
            {
                break;
            }
            let (ns, counts) = shortest_call(subject);
            called.insert(n, ns);
            say(&Answer::Call {
                variant: variant.clone(),
                order: n,
                ns,
                total: counts.total.to_string(),
                fundamental: counts.fundamental.map(|count| count.to_string()),
            });
        }
    }
}

/// The shortest of a few calls; of one where a call takes milliseconds.
fn shortest_call(subject: Subject) -> (f64, Counts) {
    let mut shortest = f64::INFINITY;
    let mut spent = Duration::ZERO;
    loop {
        let start = Instant::now();
        let counts = lab::call(subject.count, subject.order);
        let elapsed = start.elapsed();
        shortest = shortest.min(elapsed.as_secs_f64() * 1e9);
        spent += elapsed.max(Duration::from_micros(100));
        if spent >= Duration::from_millis(2) {
            return (shortest.max(1.0), counts);
        }
    }
}

/// Measures a round's cases, each by a Criterion of its own, so that one that fails takes no other
/// with it.
fn round(task: &RoundTask) {
    for case in &task.cases {
        let (variant, n) = (case.case.variant.clone(), case.case.order);
        say(&match measure(case, &task.home) {
            Ok((counts, samples)) => {
                let total = counts.total.to_string();
                let fundamental = counts.fundamental.map(|count| count.to_string());
                Answer::Samples { variant, order: n, total, fundamental, samples }
            }
            Err(reason) => Answer::Failed { variant, order: n, reason },
        });
    }
}

/// The calls of each sample, and the time of all of them in nanoseconds.
type Samples = Vec<(u64, f64)>;

fn measure(wanted: &RoundCase, home: &Path) -> Result<(Counts, Samples), String> {
    let case = &wanted.case;
    let subject = subject_of(&case.variant, case.order)?;
    if !wanted.verified {
        compare(wanted, lab::call(subject.count, subject.order))?;
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
        counts = time(bencher, subject).or(counts);
    });
    group.finish();
    let counts = counts.ok_or("Criterion did not call it")?;
    compare(wanted, counts)?;
    let samples = criterion_files::samples(home, &format!("{}/{}", case.variant, case.order))?;
    Ok((counts, samples))
}

/// Compares what a case counted with what it must count.
fn compare(wanted: &RoundCase, counts: Counts) -> Result<(), String> {
    let total = counts.total.to_string();
    if total != wanted.total {
        return Err(format!("total: expected {}, got {total}", wanted.total));
    }
    match counts.fundamental.map(|count| count.to_string()) {
        Some(count) if count != wanted.fundamental => {
            Err(format!("fundamental count: expected {}, got {count}", wanted.fundamental))
        }
        _ => Ok(()),
    }
}

fn say(answer: &Answer) {
    println!("{}", answer.line());
}
