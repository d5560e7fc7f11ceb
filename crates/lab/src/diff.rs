//! What changed between two runs.
//!
//! The two have no rounds in common, so their rounds' medians are compared as two lists, by the
//! rank-sum test. Its interval knows how much the rounds of either run differ among themselves, and not
//! what all rounds of a run have in common, such as a machine that was slower that day. That falls on
//! all variants alike: so a change of a variant is claimed only where it is also one beside what the
//! other variants changed.

use std::collections::BTreeMap;

use crate::data::{Data, rounds_of_case};
use crate::stats::{self, Comparison, rank_sum};

/// How the time of a case changed.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeChange {
    /// The variant's id.
    pub variant: String,
    /// The order.
    pub order: usize,
    /// The median time of one call before, in nanoseconds.
    pub before_ns: f64,
    /// The median time of one call after, in nanoseconds.
    pub after_ns: f64,
    /// The speedup from before to after: above 1 where it has become faster.
    pub speedup: Comparison,
    /// The median speedup of the cases of the other variants, of those that are no further from 1 than
    /// [`LARGEST_MACHINE_CHANGE`]: it is taken for the machine's. 1 where there are none.
    pub of_machine: f64,
}

/// A change that other variants share is put down to the machine up to this factor: processors that
/// choose their frequency themselves differ by less from one run to the next. A larger one is of what
/// all variants share, such as the compiler.
pub const LARGEST_MACHINE_CHANGE: f64 = 1.10;

impl TimeChange {
    /// Whether the data say that the variant itself has changed: its time has, and beside that of the
    /// other variants as well, in the same direction.
    #[must_use]
    pub fn is_separated(&self, noise_floor: Option<f64>) -> bool {
        let beside = Comparison {
            factor: self.speedup.factor / self.of_machine,
            interval: self
                .speedup
                .interval
                .map(|(low, high)| (low / self.of_machine, high / self.of_machine)),
            ..self.speedup
        };
        self.speedup.is_separated(noise_floor)
            && beside.is_separated(noise_floor)
            && (self.speedup.factor > 1.0) == (beside.factor > 1.0)
    }
}

/// How the instruction count of a case changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountChange {
    /// The variant's id.
    pub variant: String,
    /// The order.
    pub order: usize,
    /// Instructions of one call before.
    pub before: u64,
    /// Instructions of one call after.
    pub after: u64,
}

/// The times that both runs have, by order and then as the runs list the variants. The intervals hold
/// for all of them together.
#[must_use]
pub fn times(before: &Data, after: &Data) -> Vec<TimeChange> {
    let cases: Vec<(&str, usize)> = after
        .measurements
        .iter()
        .map(|row| (row.variant.as_str(), row.order))
        .filter(|(id, order)| before.time(id, *order).is_some() && after.time(id, *order).is_some())
        .collect();
    let miss = (1.0 - stats::CONFIDENCE) / cases.len().max(1) as f64;
    let mut changes: Vec<TimeChange> = cases
        .into_iter()
        .filter_map(|(id, order)| {
            let logs = |data: &Data| -> Vec<f64> {
                rounds_of_case(&data.samples, id, order)
                    .values()
                    .filter_map(|samples| Some(stats::median(samples)?.ln()))
                    .collect()
            };
            let (logs_before, logs_after) = (logs(before), logs(after));
            // The shift is that of the time: the speedup is its inverse.
            let shift = rank_sum::shift(&logs_before, &logs_after, miss);
            let (before_ns, after_ns) =
                (before.time(id, order)?.value, after.time(id, order)?.value);
            let (factor, interval) =
                shift.map_or((before_ns / after_ns, None), |(ln, interval)| {
                    ((-ln).exp(), interval.map(|(low, high)| ((-high).exp(), (-low).exp())))
                });
            let rounds = logs_before.len().min(logs_after.len());
            Some(TimeChange {
                variant: id.to_owned(),
                order,
                before_ns,
                after_ns,
                speedup: Comparison { factor, interval, rounds },
                of_machine: 1.0,
            })
        })
        .collect();
    let of_machine: Vec<f64> = changes.iter().map(|change| of_others(&changes, change)).collect();
    for (change, of_machine) in changes.iter_mut().zip(of_machine) {
        change.of_machine = of_machine;
    }
    changes
}

/// The median speedup of the cases of other variants, as far as it may be the machine's.
fn of_others(changes: &[TimeChange], own: &TimeChange) -> f64 {
    let logs: Vec<f64> = changes
        .iter()
        .filter(|change| change.variant != own.variant)
        .map(|change| change.speedup.factor.ln())
        .filter(|ln| ln.abs() <= LARGEST_MACHINE_CHANGE.ln())
        .collect();
    stats::median(&logs).map_or(1.0, f64::exp)
}

/// The instruction counts that both runs have, by order and then as the runs list the variants.
#[must_use]
pub fn counts(before: &Data, after: &Data) -> Vec<CountChange> {
    let cases: BTreeMap<(usize, &str), u64> = after
        .instructions
        .iter()
        .filter_map(|row| {
            let count = after.instructions(&row.variant, row.order)?;
            Some(((row.order, row.variant.as_str()), count))
        })
        .collect();
    cases
        .into_iter()
        .filter_map(|((order, variant), after)| {
            let before = before.instructions(variant, order)?;
            Some(CountChange { variant: variant.to_owned(), order, before, after })
        })
        .collect()
}

/// The cases that have a time before and none after, in words.
#[must_use]
pub fn gone(before: &Data, after: &Data) -> Vec<String> {
    before
        .measurements
        .iter()
        .filter(|row| before.time(&row.variant, row.order).is_some())
        .filter(|row| after.time(&row.variant, row.order).is_none())
        .map(|row| format!("{} at order {}", row.variant, row.order))
        .collect()
}

/// The noise floor of two runs: the larger of theirs.
#[must_use]
pub fn noise_floor(before: &Data, after: &Data) -> Option<f64> {
    stats::noise_floor(before.noise_floor().into_iter().chain(after.noise_floor()))
}

/// The median speedup of all cases: what changed for all of them alike, such as the machine. Nothing
/// without a case.
#[must_use]
pub fn shared_change(changes: &[TimeChange]) -> Option<f64> {
    let logs: Vec<f64> = changes.iter().map(|change| change.speedup.factor.ln()).collect();
    stats::median(&logs).map(f64::exp)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Instructions, Measurement, Sample, Status};

    fn data(times: &[(&str, f64)], instructions: u64) -> Data {
        let mut data = Data::default();
        for &(variant, ns) in times {
            let noise = |round: usize| 1.0 + 0.001 * (round * 7 % 14) as f64;
            for round in 1..=14 {
                data.samples.push(Sample {
                    variant: variant.to_owned(),
                    order: 8,
                    round,
                    session: 1,
                    position: 1,
                    sample: 1,
                    iterations: 1,
                    elapsed_ns: ns * noise(round),
                });
            }
            let counts = queens::Counts { total: 92, fundamental: None };
            let order = queens::Order::new(8).unwrap();
            data.measurements
                .push(crate::data::summarise(&data.samples, variant, order, counts, 1).unwrap());
            data.instructions.push(Instructions {
                variant: variant.to_owned(),
                order: 8,
                instructions: Some(instructions),
                status: Status::Measured,
                reason: String::new(),
            });
        }
        data
    }

    #[test]
    fn what_became_faster_has_a_speedup_above_1() {
        let (before, after) =
            (data(&[("a", 200.0), ("b", 50.0)], 7), data(&[("a", 100.0), ("b", 50.0)], 8));
        let changes = times(&before, &after);
        let [a, b] = &changes[..] else { panic!("{changes:?}") };
        assert!((a.speedup.factor - 2.0).abs() < 1e-6 && a.is_separated(Some(1.01)));
        assert!((b.speedup.factor - 1.0).abs() < 1e-6 && !b.is_separated(None));
        assert!((a.before_ns / a.after_ns - 2.0).abs() < 1e-6);
        assert!((shared_change(&changes).unwrap() - 2.0_f64.sqrt()).abs() < 1e-6);
        assert_eq!(shared_change(&[]), None);
    }

    /// MEA-07 of the public reports: a machine that is slower changes all variants alike, and none of them
    /// is said to have changed. A variant that changed besides is.
    #[test]
    fn what_all_variants_share_is_the_machines() {
        let before = data(&[("a", 200.0), ("b", 50.0), ("c", 30.0)], 7);
        let slower = data(&[("a", 210.0), ("b", 52.5), ("c", 31.5)], 7);
        for change in times(&before, &slower) {
            assert!(change.speedup.is_separated(Some(1.01)) && !change.is_separated(Some(1.01)));
        }
        let changed = data(&[("a", 210.0), ("b", 52.5), ("c", 60.0)], 7);
        let found: Vec<bool> =
            times(&before, &changed).iter().map(|c| c.is_separated(Some(1.01))).collect();
        assert_eq!(found, [false, false, true]);
        // Twice the time for all is no machine.
        let doubled = data(&[("a", 400.0), ("b", 100.0), ("c", 60.0)], 7);
        assert!(times(&before, &doubled).iter().all(|change| change.is_separated(Some(1.01))));
        // A variant alone has nothing beside it.
        let (alone, then) = (data(&[("a", 200.0)], 7), data(&[("a", 210.0)], 7));
        assert!(times(&alone, &then)[0].is_separated(Some(1.01)));
    }

    /// MEA-07 of the public reports: nothing has changed, nothing is said to have.
    #[test]
    fn the_same_run_twice_has_no_change() {
        let run = data(&[("a", 200.0), ("b", 50.0)], 7);
        assert!(times(&run, &run).iter().all(|change| !change.is_separated(None)));
        assert!(counts(&run, &run).iter().all(|change| change.before == change.after));
    }

    #[test]
    fn counts_are_compared_to_the_digit_and_cases_of_one_run_only_are_passed_over() {
        let (before, after) =
            (data(&[("a", 200.0)], 94_588), data(&[("a", 1.0), ("b", 1.0)], 94_589));
        let changes = counts(&before, &after);
        assert_eq!(changes.len(), 1);
        assert_eq!((changes[0].before, changes[0].after), (94_588, 94_589));
        assert_eq!(times(&before, &after).len(), 1);
        let missing = Measurement { median_ns: None, ..before.measurements[0].clone() };
        let before = Data { measurements: vec![missing], ..before };
        assert_eq!(times(&before, &after), []);
        assert_eq!(gone(&after, &before), ["a at order 8", "b at order 8"]);
        assert!(gone(&before, &after).is_empty());
    }
}
