//! `compare`: variants that are called in turn in one process, until it is clear which is faster and
//! by how much.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use lab::format;
use lab::paired::{self, Rounds};
use lab::plan::{INSTRUMENTATION_SLOWDOWN, LARGEST_INSTRUCTION_ORDER};
use lab::protocol::PairedTask;
use lab::stats::{self, Comparison};
use lab::tables::{self, MISSING, NOT_SEPARATED, Table};
use queens::Order;

use super::paired::{SLICE_MS, expected, known_counts, new_seed, run as run_paired, verify};
use crate::cli::Compare;
use crate::instruments::{self, Instruments};
use crate::output::{Done, Failure, write_table};
use crate::process::Fault;
use crate::{interrupt, lock, running, workspace};

/// Counting the instructions of one call may take so long, in seconds.
const COUNTING: f64 = 60.0;

/// Compares and tells.
pub fn run(arguments: &Compare, out: &mut dyn Write) -> Done {
    let variants = &arguments.variants;
    let order = arguments.order;
    interrupt::install()?;
    let _lock = lock::take(&format!("compare {}", variants.join(" ")), arguments.wait)?;
    let root = workspace::root();
    let instruments = instruments::build(&root)?.sharing(arguments.threads);
    verify(variants)?;
    let calls = expected(&instruments, variants, order, arguments.budget)?;
    let (total, fundamental) = known_counts(order);
    let seed = arguments.seed.unwrap_or_else(new_seed);
    // The first variant once more, which the instrument does not know to be the same.
    let mut lanes = variants.clone();
    lanes.push(variants[0].clone());
    let found = run_paired(
        &instruments,
        PairedTask {
            lanes,
            order: order.get(),
            total,
            fundamental,
            slice_ms: SLICE_MS,
            budget_s: arguments.budget,
            pairs: paired::pairs(variants.len()),
            precision: arguments.precision.ln(),
            seed,
            alone: 0,
            alone_s: 0.0,
        },
    )?;
    let rounds = found.rounds;
    let control = rounds.compare(0, variants.len(), 1);
    let floor = stats::noise_floor(control.map(|control| control.factor));
    let valgrind = instruments::valgrind();
    let ids = variants.iter().map(String::as_str);
    for sentence in running::sentences(ids, arguments.threads, valgrind.is_ok()) {
        writeln!(out, "{sentence}")?;
    }
    if let [a, b] = &variants[..] {
        writeln!(out, "{}", sentence((a, b), order, &rounds, floor))?;
    } else {
        write_ranking(variants, order, &rounds, floor, out)?;
    }
    writeln!(out, "{}", verdict_of_precision(variants.len(), &rounds, arguments))?;
    let counts = count(&instruments, valgrind, variants, order, &calls)?;
    write_counts(&counts, out)?;
    Ok(writeln!(out, "seed: {seed}")?)
}

/// The comparison of two in a sentence, the faster one first.
fn sentence(
    (first, second): (&str, &str),
    order: Order,
    rounds: &Rounds,
    floor: Option<f64>,
) -> String {
    let Some(found) = rounds.compare(0, 1, 1) else { return "there was no round".to_owned() };
    // Where the second is the slower one, it is seen from the other side.
    let (faster, slower, found) =
        if found.factor >= 1.0 { (second, first, found) } else { (first, second, found.inverse()) };
    let floor_words = floor.map_or_else(|| "unknown".to_owned(), format::percent);
    let decimals = decimals(&found);
    let interval = found.interval.map_or_else(
        || "no interval".to_owned(),
        |(low, high)| format!("95 % interval {low:.decimals$} to {high:.decimals$}"),
    );
    let details = format!("({interval}, {} rounds, noise floor {floor_words})", found.rounds);
    if found.is_separated(floor) {
        format!(
            "{faster} is {:.decimals$} times as fast as {slower} at order {order} {details}",
            found.factor
        )
    } else {
        format!(
            "{first} and {second} are {NOT_SEPARATED} at order {order}: the factor is {:.decimals$} \
             {details}",
            found.factor
        )
    }
}

/// The decimals that the interval justifies: two digits of its width.
fn decimals(found: &Comparison) -> usize {
    let width = found.interval.map_or(found.factor / 100.0, |(low, high)| high - low);
    if width > 0.0 { (1.0 - width.log10().floor()).clamp(0.0, 5.0) as usize } else { 3 }
}

/// Whether the intervals became as narrow as was asked, or the budget was spent before.
fn verdict_of_precision(variants: usize, rounds: &Rounds, arguments: &Compare) -> String {
    let precision = format::percent(arguments.precision);
    if rounds.are_narrow(&paired::pairs(variants), arguments.precision.ln()) {
        format!("precision: every interval is within ±{precision}")
    } else {
        format!(
            "precision: the budget of {} was spent before every interval was within ±{precision}",
            format::time(arguments.budget * 1e9)
        )
    }
}

/// Everyone against the best and against the runner-up.
fn write_ranking(
    variants: &[String],
    order: Order,
    rounds: &Rounds,
    floor: Option<f64>,
    out: &mut dyn Write,
) -> Done {
    let ranking = rounds.ranking(variants.len());
    let (best, runner_up) = (ranking[0], ranking[1]);
    let comparisons = paired::pairs(variants.len()).len();
    let cell = |against: usize, lane: usize| {
        rounds
            .compare(lane, against, comparisons)
            .map_or_else(|| MISSING.to_owned(), |found| tables::comparison(&found, floor))
    };
    let rows = ranking
        .iter()
        .enumerate()
        .map(|(place, &lane)| {
            vec![
                variants[lane].clone(),
                rounds.median(lane).map_or_else(|| MISSING.to_owned(), format::time),
                if place == 0 { "1×".to_owned() } else { cell(best, lane) },
                match place {
                    0 => MISSING.to_owned(),
                    1 => "1×".to_owned(),
                    _ => cell(runner_up, lane),
                },
            ]
        })
        .collect();
    let header = vec![
        "variant".to_owned(),
        "median time".to_owned(),
        format!("speedup of {} over it", variants[best]),
        format!("speedup of {} over it", variants[runner_up]),
    ];
    write_table(out, &Table { header, rows })?;
    Ok(writeln!(
        out,
        "Order {order}, {} rounds, noise floor {}. The 95 % intervals hold for all {comparisons} \
         pairs together.",
        rounds.0.len(),
        floor.map_or_else(|| "unknown".to_owned(), format::percent),
    )?)
}

/// The instructions of one call, each at the largest order that can be counted, or why not.
type Counts = Result<(usize, BTreeMap<String, u64>), String>;

/// Counts the instructions of every variant at one order: the one asked for, or the largest below it
/// for which counting takes no more than a minute.
fn count(
    instruments: &Instruments,
    valgrind: Result<String, String>,
    variants: &[String],
    order: Order,
    calls: &[f64],
) -> Result<Counts, Failure> {
    if let Err(reason) = valgrind {
        return Ok(Err(reason));
    }
    let slowest = calls.iter().copied().fold(0.0, f64::max);
    let mut counted = order.get();
    let mut seconds = slowest * INSTRUMENTATION_SLOWDOWN / 1e9;
    while counted > LARGEST_INSTRUCTION_ORDER || (seconds > COUNTING && counted > 4) {
        counted -= 1;
        seconds /= 5.0;
    }
    let mut found = BTreeMap::new();
    for id in variants {
        let home = tempfile::tempdir()?;
        let limit = Duration::from_secs_f64(COUNTING * 10.0);
        let root = workspace::root();
        match instruments.count((id, counted), &root, home.path(), limit, false) {
            Ok(events) => drop(found.insert(id.clone(), events.instructions)),
            Err(Fault::Interrupted) => {
                return Err(Failure::Interrupted("the instructions are not counted".to_owned()));
            }
            Err(fault) => return Ok(Err(fault.verdict().1)),
        }
    }
    Ok(Ok((counted, found)))
}

fn write_counts(counts: &Counts, out: &mut dyn Write) -> Done {
    let (order, counts) = match counts {
        Ok(found) => found,
        Err(reason) => return Ok(writeln!(out, "instructions: not counted: {reason}")?),
    };
    let mut sorted: Vec<(&String, u64)> = counts.iter().map(|(id, &count)| (id, count)).collect();
    sorted.sort_by_key(|(_, count)| *count);
    let least = sorted.first().map_or(1, |(_, count)| *count).max(1) as f64;
    let parts: Vec<String> = sorted
        .into_iter()
        .map(|(id, count)| {
            let ratio = count as f64 / least;
            let times = if ratio > 1.0 { format!(" ({ratio:.4} times)") } else { String::new() };
            format!("{id} {}{times}", format::grouped(count.into()))
        })
        .collect();
    Ok(writeln!(out, "instructions at order {order}, exact: {}", parts.join(", "))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(factor: f64, noise: f64) -> Rounds {
        Rounds(
            (0..24)
                .map(|round| {
                    let noise = 1.0 + noise * f64::from((round * 5) % 7);
                    vec![100.0 * factor * noise, 100.0, 100.4 * factor]
                })
                .collect(),
        )
    }

    #[test]
    fn two_are_compared_in_a_sentence_whichever_is_faster() {
        let order = Order::new(12).unwrap();
        let words = sentence(("a", "b"), order, &rounds(3.4, 0.001), Some(1.006));
        assert!(words.starts_with("b is 3.41"), "{words}");
        assert!(words.contains("times as fast as a at order 12 (95 % interval 3.4"), "{words}");
        assert!(words.ends_with("24 rounds, noise floor 0.60 %)"), "{words}");
        let words = sentence(("a", "b"), order, &rounds(0.5, 0.001), Some(1.006));
        assert!(words.starts_with("a is 1.99") && words.contains("as fast as b"), "{words}");
    }

    /// MEA-07 of the public reports: no verdict below the noise.
    #[test]
    fn a_difference_below_the_noise_is_not_claimed() {
        let order = Order::new(12).unwrap();
        let words = sentence(("a", "b"), order, &rounds(1.004, 0.0), Some(1.006));
        assert!(words.starts_with("a and b are not separated at order 12"), "{words}");
        let words = sentence(("a", "b"), order, &rounds(1.004, 0.0), Some(1.001));
        assert!(words.starts_with("b is 1.004") && words.contains("times as fast"), "{words}");
    }
}
