//! What `compare`, `explain` and `calibrate` have in common: variants that are called in turn.

use std::collections::BTreeSet;
use std::time::Duration;

use lab::format;
use lab::paired::Rounds;
use lab::plan::predictions;
use lab::protocol::{Answer, PairedTask, PilotTask, Task};
use lab::registry::{self, Entry, REGISTRY};
use lab::stats::FIRST_LOOK;
use lab::verify;
use queens::{Order, known};

use crate::instruments::Instruments;
use crate::output::{Failure, failed};
use crate::process::Fault;

/// The time for the calls of one lane in a round, in milliseconds: short enough that the machine
/// stays the same through a round, long enough for the clock.
pub const SLICE_MS: f64 = 4.0;

/// A pilot's call is this long at the most, in nanoseconds.
const PILOT_NS: f64 = 1e8;

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// The rounds.
    pub rounds: Rounds,
    /// For each lane that was called alone, the time of one call in each stretch, in nanoseconds.
    pub alone: Vec<Vec<f64>>,
}

/// Verifies variants at small orders, before anything is timed.
pub fn verify(variants: &[String]) -> Result<(), Failure> {
    let ids: BTreeSet<&String> = variants.iter().collect();
    let entries = ids.into_iter().filter_map(|id| registry::find(&REGISTRY, id));
    verify_entries(entries)
}

fn verify_entries<'a>(entries: impl Iterator<Item = &'a Entry>) -> Result<(), Failure> {
    for entry in entries {
        if let Some(check) = verify::first_fault(entry.variant) {
            return Err(failed(check.to_string()));
        }
    }
    Ok(())
}

/// What one call of each variant takes at the order, in nanoseconds, by calls at smaller ones.
/// Refused where a variant does not accept the order, and where the fewest rounds of all of them, and
/// of the first once more as the control, would not fit into the budget.
pub fn expected(
    instruments: &Instruments,
    variants: &[String],
    order: Order,
    budget: f64,
) -> Result<Vec<f64>, Failure> {
    let mut all = Vec::new();
    for id in variants {
        let entry = registry::find(&REGISTRY, id);
        let entry = entry.ok_or_else(|| failed(format!("there is no variant {id}")))?;
        entry.variant.check(order).map_err(|refusal| failed(refusal.to_string()))?;
        let mut measured = std::collections::BTreeMap::new();
        let task = Task::Pilot(PilotTask {
            variants: vec![id.clone()],
            limit_ns: PILOT_NS,
            largest_order: order.get(),
        });
        let limit = Duration::from_secs(10);
        instruments
            .time(task, limit, &mut |answer| {
                if let Answer::Call { order, ns, .. } = answer {
                    measured.insert(order, ns);
                }
                Some(limit)
            })
            .map_err(|fault| failure(&format!("the pilot of {id}"), fault))?;
        let predicted = predictions(&measured, order.get());
        all.push(predicted.get(&order.get()).copied().unwrap_or(f64::INFINITY));
    }
    let round: f64 = all.iter().chain(all.first()).map(|ns| ns.max(SLICE_MS * 1e6)).sum();
    let needs = FIRST_LOOK as f64 * round;
    if needs > budget * 1e9 {
        let slowest = (0..all.len()).max_by(|&a, &b| all[a].total_cmp(&all[b])).unwrap_or(0);
        return Err(failed(format!(
            "one call of {} at order {order} would take about {}, and {FIRST_LOOK} rounds of all \
             variants {}, for which there are {} of the budget; a larger --budget or a smaller \
             --order is needed",
            variants[slowest],
            format::wait(all[slowest]),
            format::wait(needs),
            format::time(budget * 1e9)
        )));
    }
    Ok(all)
}

/// What a task for the paired instrument must count at an order; empty where nothing is known.
pub fn known_counts(order: Order) -> (String, String) {
    let text = |count: Option<u64>| count.map_or_else(String::new, |count| count.to_string());
    (text(known::total(order)), text(known::fundamental(order)))
}

/// Does a task.
pub fn run(instruments: &Instruments, task: PairedTask) -> Result<Found, Failure> {
    let mut found = Found::default();
    instruments
        .paired(task, &mut |answer| match answer {
            Answer::Paired { call_ns } => found.rounds.0.push(call_ns),
            Answer::Alone { call_ns, .. } => found.alone.push(call_ns),
            _ => {}
        })
        .map_err(|fault| failure("the comparison", fault))?;
    Ok(found)
}

/// A fault of a measurement that is all a command is for.
pub fn failure(what: &str, fault: Fault) -> Failure {
    match fault {
        Fault::Interrupted => Failure::Interrupted("nothing is kept of a comparison".to_owned()),
        fault => failed(format!("{what} did not come to its end: {}", fault.verdict().1)),
    }
}

/// A seed that is new each time; few digits are easier to type again.
pub fn new_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    u64::from(now.unwrap_or_default().subsec_nanos())
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens::{About, Counts, Tree, Variant};

    /// COR-08 of the public reports: a variant that checks only neighbouring rows is right at order 4
    /// and is found at order 5, by what it counted and what it must count.
    #[test]
    fn a_wrong_variant_is_not_compared() {
        static NEIGHBOURS: Variant = Variant::new(
            About {
                id: "neighbours",
                summary: "checks neighbouring rows only",
                complexity: "O(1)",
                source: "",
                follows: &[],
                recursive: false,
                tree: Tree::Own,
                largest_order: Order::MAX,
            },
            |order| {
                let planted = [1, 1, 0, 0, 2, 14, 90, 646, 5242];
                Counts { total: planted[order.get()], fundamental: None }
            },
        );
        let planted = Entry { variant: &NEIGHBOURS, style: REGISTRY[0].style };
        let message = verify_entries([&REGISTRY[0], &planted].into_iter()).unwrap_err();
        let words = "neighbours at order 5: total: expected 10, got 14";
        assert_eq!(message, Failure::Failed(words.to_owned()));
        assert_eq!(verify(&["bitmask".to_owned(), "bitmask".to_owned()]), Ok(()));
    }

    #[test]
    fn counts_that_are_known_are_compared() {
        let counts = |order| known_counts(Order::new(order).unwrap());
        assert_eq!(counts(8), ("92".to_owned(), "12".to_owned()));
        assert_eq!(counts(28), (String::new(), String::new()));
    }
}
