//! The paired instrument: lanes that are called in turn in one process, so that whatever happens to
//! the machine happens to all of them.
//!
//! `cargo xtask compare`, `explain` and `calibrate` start it with `--task FILE`. `cargo bench
//! --bench paired` alone compares `bitmask` and `symmetry` at order 8, for a second.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use benches::cases::Subject;
use benches::instrument::{self, check, say, subject};
use lab::paired::Rounds;
use lab::protocol::{Answer, PairedTask, Task};
use lab::rounds;
use lab::stats::is_look;

/// Stretches that the time of a lane that is called alone is cut into.
const STRETCHES: u32 = 20;

fn main() -> ExitCode {
    if let Some(path) = instrument::task_file() {
        return instrument::run(&path, |task| match task {
            Task::Paired(task) => run(&task, &mut |answer| say(answer)).map(drop),
            _ => Err("only lanes are compared by this instrument".to_owned()),
        });
    }
    // `cargo test --benches` starts it too, and only wants to see it start.
    if !std::env::args().any(|argument| argument == "--bench") {
        return ExitCode::SUCCESS;
    }
    let task = PairedTask {
        lanes: vec!["bitmask".to_owned(), "symmetry".to_owned()],
        order: 8,
        total: "92".to_owned(),
        fundamental: "12".to_owned(),
        slice_ms: 2.0,
        budget_s: 1.0,
        pairs: vec![(0, 1)],
        precision: 0.001,
        seed: 1,
        alone: 0,
        alone_s: 0.0,
    };
    match run(&task, &mut |_| ()) {
        Ok(found) => {
            let [bitmask, symmetry] = [0, 1].map(|lane| found.median(lane).unwrap_or_default());
            println!("order 8: bitmask {bitmask:.0} ns, symmetry {symmetry:.0} ns a call");
            if let Some(found) = found.compare(0, 1, 1) {
                let (low, high) = found.interval.unwrap_or((f64::NAN, f64::NAN));
                println!(
                    "symmetry is {:.3} times as fast (95 % interval {low:.3} to {high:.3}, {} rounds)",
                    found.factor, found.rounds
                );
            }
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

/// A lane: what is called, and how often in a round.
struct Lane {
    subject: Subject,
    calls: u64,
    /// Whether a call that is not timed goes before those that are, so that the lane before has no
    /// part in the first of them. Where a call is long it would cost more than it is worth.
    settles: bool,
}

impl Lane {
    /// The time of one call, in nanoseconds.
    fn measure(&self) -> f64 {
        if self.settles {
            let _ = lab::call(self.subject.count, self.subject.order);
        }
        let start = Instant::now();
        for _ in 0..self.calls {
            let _ = lab::call(self.subject.count, self.subject.order);
        }
        start.elapsed().as_secs_f64() * 1e9 / self.calls as f64
    }
}

fn run(task: &PairedTask, say: &mut dyn FnMut(&Answer)) -> Result<Rounds, String> {
    let lanes: Vec<Lane> =
        task.lanes.iter().map(|variant| lane(variant, task)).collect::<Result<_, _>>()?;
    let started = Instant::now();
    let budget = Duration::from_secs_f64(task.budget_s);
    let mut found = Rounds::default();
    for round in 0.. {
        let mut call_ns = vec![0.0; lanes.len()];
        for lane in rounds::order(lanes.len(), round, 0, task.seed) {
            call_ns[lane] = lanes[lane].measure();
        }
        say(&Answer::Paired { call_ns: call_ns.clone() });
        found.0.push(call_ns);
        // Looking after every round would stop at the first lucky one.
        let narrow = is_look(found.0.len()) && found.are_narrow(&task.pairs, task.precision);
        let a_round = started.elapsed() / (round + 1);
        if narrow || started.elapsed() + a_round > budget {
            break;
        }
    }
    for (place, lane) in lanes.iter().enumerate().take(task.alone) {
        say(&Answer::Alone { lane: place, call_ns: alone(lane, task.alone_s) });
    }
    Ok(found)
}

/// A lane, its count compared and its calls a round found by calling it.
fn lane(variant: &str, task: &PairedTask) -> Result<Lane, String> {
    let subject = subject(variant, task.order)?;
    let slice = task.slice_ms * 1e6;
    let mut shortest = f64::INFINITY;
    let started = Instant::now();
    // Long enough for a processor to leave its sleep.
    while shortest.is_infinite() || started.elapsed() < Duration::from_millis(50) {
        let start = Instant::now();
        let counts = lab::call(subject.count, subject.order);
        shortest = shortest.min(start.elapsed().as_secs_f64() * 1e9).max(1.0);
        check(counts, &task.total, &task.fundamental)
            .map_err(|reason| format!("{variant} at order {}: {reason}", task.order))?;
    }
    let calls = (slice / shortest).round().max(1.0) as u64;
    Ok(Lane { subject, calls, settles: shortest * 20.0 < slice })
}

/// The time of one call in each stretch of a lane that is called alone, in nanoseconds.
fn alone(lane: &Lane, seconds: f64) -> Vec<f64> {
    let started = Instant::now();
    let stretch = Duration::from_secs_f64(seconds) / STRETCHES;
    let mut found = Vec::new();
    while found.len() < 3 || started.elapsed().as_secs_f64() < seconds {
        let start = Instant::now();
        let mut calls = 0;
        while calls == 0 || start.elapsed() < stretch {
            // The clock is read once for many short calls.
            for _ in 0..lane.calls {
                let _ = lab::call(lane.subject.count, lane.subject.order);
            }
            calls += lane.calls;
        }
        found.push(start.elapsed().as_secs_f64() * 1e9 / calls as f64);
    }
    found
}
