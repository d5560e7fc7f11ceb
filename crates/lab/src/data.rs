//! The data of a run as charts and report use them: read from its CSV files, and from its own
//! account where that is there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use queens::Order;

use crate::environment;
use crate::format;
use crate::journal::{self, Entry};
use crate::plan::{CONTROL, Case, Instrument, Plan};
use crate::records::{
    self, Control, Environment, Frontier, Instructions, Measurement, Record, Sample, Status,
    TreeRow,
};
use crate::registry::{self, REGISTRY};
use crate::run::Run;
use crate::stats::{self, Comparison, Estimate};

/// The data of a run.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// Its own account.
    pub run: Option<Run>,
    /// The times, a row a case.
    pub measurements: Vec<Measurement>,
    /// The samples that they come from.
    pub samples: Vec<Sample>,
    /// The instruction counts.
    pub instructions: Vec<Instructions>,
    /// The search trees.
    pub search_tree: Vec<TreeRow>,
    /// What the control showed.
    pub control: Vec<Control>,
    /// How far each variant climbed.
    pub frontier: Vec<Frontier>,
    /// The machine during each round.
    pub environment: Vec<Environment>,
    /// What a reader of the numbers must know, found while reading them.
    pub notes: Vec<String>,
}

impl Data {
    /// Reads a run's folder. A file that is not there has no rows.
    ///
    /// # Errors
    /// Where a file cannot be read or a row is not as it must be, naming file, line and column; and
    /// where the folder has no measurement at all.
    pub fn read(folder: &Path) -> Result<Self, String> {
        if !folder.is_dir() {
            return Err(format!("{} is not the folder of a run", folder.display()));
        }
        let mut data = Self {
            run: Run::read(folder)?,
            measurements: records::read(folder)?,
            samples: records::read(folder)?,
            instructions: records::read(folder)?,
            search_tree: records::read(folder)?,
            control: records::read(folder)?,
            frontier: records::read(folder)?,
            environment: records::read(folder)?,
            notes: Vec::new(),
        };
        if data.run.as_ref().is_some_and(|run| !run.complete)
            && let Some(entries) = journal::read(folder)?
        {
            data.take_journal(entries);
        }
        if data.measurements.is_empty() && data.instructions.is_empty() {
            return Err(format!(
                "nothing to show: {} has no row in {} or {}",
                folder.display(),
                Measurement::FILE,
                Instructions::FILE
            ));
        }
        data.refuse_doubled_rows()?;
        data.note_missing_rows();
        data.note_values_left_out();
        Ok(data)
    }

    /// A run that was interrupted has its measurements in its journal.
    fn take_journal(&mut self, entries: Vec<Entry>) {
        self.samples.clear();
        self.environment.clear();
        let mut failed = Vec::new();
        let mut counts: BTreeMap<(String, usize), (Option<u128>, Option<u128>)> = BTreeMap::new();
        for entry in entries {
            match entry {
                Entry::Case { samples, total, fundamental, .. } => {
                    if let Some(first) = samples.first() {
                        let key = (first.variant.clone(), first.order);
                        let fundamental = fundamental.and_then(|count| count.parse().ok());
                        counts.insert(key, (total.parse().ok(), fundamental));
                    }
                    self.samples.extend(samples);
                }
                Entry::Environment(row) => self.environment.push(row),
                Entry::Instructions(row) => {
                    let found = self.instructions.iter_mut().find(|found| {
                        (found.variant.as_str(), found.order) == (row.variant.as_str(), row.order)
                    });
                    match found {
                        Some(found) => *found = row,
                        None => self.instructions.push(row),
                    }
                }
                Entry::Failed { variant, order, instrument, status, reason } => {
                    failed.push((variant, order, instrument, status, reason));
                }
                Entry::RoundFinished(_) => {}
            }
        }
        let seed = self.run.as_ref().map_or(0, |run| run.plan.seed);
        for row in &mut self.measurements {
            let failure = failed.iter().find(|(variant, order, instrument, ..)| {
                (variant, *order, *instrument) == (&row.variant, row.order, Instrument::Time)
            });
            if let Some((.., status, reason)) = failure {
                (row.status, row.median_ns) = (*status, None);
                row.reason.clone_from(reason);
            } else {
                summarise_interrupted(row, &self.samples, seed);
                if let Some(&counts) = counts.get(&(row.variant.clone(), row.order)) {
                    (row.total, row.fundamental) = counts;
                }
            }
        }
        self.control = controls(&self.samples, self.run.as_ref().map(|run| &run.plan));
    }

    /// Two rows of one case cannot both be shown, as after two runs were put into one file.
    fn refuse_doubled_rows(&self) -> Result<(), String> {
        let mut seen = BTreeSet::new();
        let times = self.measurements.iter().map(|r| (Measurement::FILE, &r.variant, r.order, 0));
        let counts = self.instructions.iter().map(|r| (Instructions::FILE, &r.variant, r.order, 0));
        let trees = self.search_tree.iter().map(|r| (TreeRow::FILE, &r.variant, r.order, r.row));
        let controls = self.control.iter().map(|r| (Control::FILE, &r.variant, r.order, 0));
        let frontier = self.frontier.iter().map(|r| (Frontier::FILE, &r.variant, r.order, 0));
        for row in times.chain(counts).chain(trees).chain(controls).chain(frontier) {
            if !seen.insert(row) {
                let (file, variant, order, _) = row;
                return Err(format!("{file}: two rows are of {variant} at order {order}"));
            }
        }
        Ok(())
    }

    /// A file cut off at the end of a row looks whole; only the run's own account knows better.
    fn note_missing_rows(&mut self) {
        let Some(run) = &self.run else {
            self.notes.push(format!(
                "there is no {}: machine and completeness are unknown",
                crate::run::FILE
            ));
            return;
        };
        self.notes.extend(run.notes.iter().cloned());
        if !run.complete {
            self.notes.push("the run was interrupted: it is incomplete".to_owned());
            return;
        }
        let missing = self.missing_rows();
        self.notes.extend(missing);
    }

    /// The files that do not have as many rows as the run left, in words.
    fn missing_rows(&self) -> Vec<String> {
        let Some(run) = self.run.as_ref().filter(|run| run.complete) else { return Vec::new() };
        [
            (Measurement::FILE, self.measurements.len()),
            (Sample::FILE, self.samples.len()),
            (Instructions::FILE, self.instructions.len()),
            (TreeRow::FILE, self.search_tree.len()),
            (Control::FILE, self.control.len()),
            (Frontier::FILE, self.frontier.len()),
            (Environment::FILE, self.environment.len()),
        ]
        .into_iter()
        .filter_map(|(file, rows)| {
            let expected = run.rows.get(file).copied().unwrap_or(0);
            (rows != expected).then(|| {
                format!(
                    "{file} has {rows} rows where the run left {expected}: it was cut off or edited"
                )
            })
        })
        .collect()
    }

    fn note_values_left_out(&mut self) {
        for row in &self.measurements {
            if row.median_ns.is_some() && row.median().is_none() {
                self.notes.push(format!(
                    "{} at order {}: a median of {} ns is no time and is left out",
                    row.variant,
                    row.order,
                    row.median_ns.unwrap_or_default()
                ));
            }
        }
        for row in self.instructions.iter().filter(|row| row.instructions == Some(0)) {
            self.notes.push(format!(
                "{} at order {}: a count of 0 instructions is none and is left out",
                row.variant, row.order
            ));
        }
    }

    /// Why the numbers are not for publication; empty where they may be.
    #[must_use]
    pub fn not_for_publication(&self) -> Vec<String> {
        let mut reasons = Vec::new();
        if let Some(run) = &self.run {
            reasons.clone_from(&run.not_for_publication);
            if !run.complete {
                reasons.push("the run was interrupted".to_owned());
            }
            if !self.samples.is_empty() {
                let rounds: BTreeSet<usize> = self.rounds().into_iter().map(|(r, _)| r).collect();
                reasons.extend(too_few_rounds(rounds.len()));
            }
            reasons.extend(environment::verdict(&self.environment, self.rounds()));
            if run.complete {
                reasons.extend(self.mismatch());
            }
        } else {
            reasons.push("the machine and the manner of measuring are unknown".to_owned());
        }
        reasons
    }

    /// The rounds that any sample is of, each with its session.
    #[must_use]
    pub fn rounds(&self) -> BTreeSet<RoundOfSession> {
        self.samples.iter().map(|sample| (sample.round, sample.session)).collect()
    }

    /// How sure the numbers are, in one line for captions: whether they are fit to publish, what the
    /// machine was like, and the noise floor.
    #[must_use]
    pub fn verdict_line(&self) -> String {
        let rounds = self.rounds();
        let disturbed = environment::disturbed(&self.environment, rounds.iter().copied()).len();
        let rounds = rounds.len();
        let floor = self.noise_floor().map_or_else(
            || "noise floor unknown".to_owned(),
            |floor| format!("noise floor {}", format::percent(floor)),
        );
        let environment = if self.environment.is_empty() {
            String::new()
        } else {
            format!("{} of {rounds} rounds undisturbed, ", rounds.saturating_sub(disturbed))
        };
        let fit = if self.not_for_publication().is_empty() { "Fit to publish: " } else { "" };
        format!("{fit}{environment}{floor}")
    }

    /// The factor that this run found between a variant and itself, at least 1: no smaller difference
    /// is claimed. Nothing where it measured no control.
    #[must_use]
    pub fn noise_floor(&self) -> Option<f64> {
        stats::noise_floor(self.control.iter().map(|row| row.factor))
    }

    /// Where the results are not those of the run's plan and account, the first difference in words: a
    /// case with samples that the plan does not have, or with others than it says, a file with more or
    /// fewer rows than the run left, or a case without its row. Values that were edited in place are
    /// not seen.
    #[must_use]
    pub fn mismatch(&self) -> Option<String> {
        let plan = &self.run.as_ref()?.plan;
        let planned: BTreeMap<(&str, usize), &Case> =
            plan.cases.iter().map(|case| ((case.variant.as_str(), case.order), case)).collect();
        let mut of_round: BTreeMap<(&str, usize, usize), usize> = BTreeMap::new();
        for sample in &self.samples {
            let key = (sample.variant.as_str(), sample.order);
            if !planned.contains_key(&key) || sample.round > plan.rounds as usize {
                return Some(format!(
                    "{} has {} at order {} in round {}, which is not in the plan",
                    Sample::FILE,
                    key.0,
                    key.1,
                    sample.round
                ));
            }
            *of_round.entry((key.0, key.1, sample.round)).or_default() += 1;
        }
        for ((variant, order, round), found) in of_round {
            let wanted = planned[&(variant, order)].samples as usize;
            if found != wanted {
                return Some(format!(
                    "{} has {found} samples of {variant} at order {order} in round {round} where \
                     the plan has {wanted}",
                    Sample::FILE
                ));
            }
        }
        let unplanned = self.measurements.iter().find(|row| {
            row.status == Status::Measured
                && !planned.contains_key(&(row.variant.as_str(), row.order))
        });
        if let Some(row) = unplanned {
            let (variant, order) = (&row.variant, row.order);
            return Some(format!(
                "{} has {variant} at order {order}, which is not in the plan",
                Measurement::FILE
            ));
        }
        if let Some(words) = self.missing_rows().into_iter().next() {
            return Some(words);
        }
        let missing = plan
            .cases
            .iter()
            .filter(|case| case.variant != CONTROL)
            .find(|case| self.measurement(&case.variant, case.order).is_none())?;
        Some(format!(
            "{} lacks {} at order {}, which the plan has",
            Measurement::FILE,
            missing.variant,
            missing.order
        ))
    }

    /// The variants, in the registry's order, and after them those that are not of the registry in
    /// the order of the file.
    #[must_use]
    pub fn variants(&self) -> Vec<&str> {
        let mut variants: Vec<&str> = Vec::new();
        let named = self
            .measurements
            .iter()
            .map(|row| row.variant.as_str())
            .chain(self.instructions.iter().map(|row| row.variant.as_str()));
        for variant in named {
            if !variants.contains(&variant) {
                variants.push(variant);
            }
        }
        let place = |id: &str| {
            let found = crate::registry::REGISTRY.iter().position(|e| e.variant.id() == id);
            found.unwrap_or(usize::MAX)
        };
        variants.sort_by_key(|id| place(id));
        variants
    }

    /// The row of a case.
    #[must_use]
    pub fn measurement(&self, variant: &str, order: usize) -> Option<&Measurement> {
        self.measurements.iter().find(|row| row.variant == variant && row.order == order)
    }

    /// The median time of a case in nanoseconds, with its interval, where it has one.
    #[must_use]
    pub fn time(&self, variant: &str, order: usize) -> Option<Estimate> {
        let row = self.measurement(variant, order)?;
        Some(Estimate { value: row.median()?, interval: row.interval() })
    }

    /// The instructions of a case, where they were counted.
    #[must_use]
    pub fn instructions(&self, variant: &str, order: usize) -> Option<u64> {
        self.instructions
            .iter()
            .find(|row| row.variant == variant && row.order == order)
            .filter(|row| row.status == Status::Measured)
            .and_then(|row| row.instructions)
            .filter(|&count| count > 0)
    }

    /// The orders that have a time of any variant, ascending.
    #[must_use]
    pub fn timed_orders(&self) -> Vec<usize> {
        sorted(self.measurements.iter().filter(|row| row.median().is_some()).map(|row| row.order))
    }

    /// The orders that have an instruction count of any variant, ascending.
    #[must_use]
    pub fn counted_orders(&self) -> Vec<usize> {
        let counted = |row: &&Instructions| self.instructions(&row.variant, row.order).is_some();
        sorted(self.instructions.iter().filter(counted).map(|row| row.order))
    }

    /// The largest order at which every variant that has any time has one.
    #[must_use]
    pub fn largest_common_order(&self) -> Option<usize> {
        let orders = self.timed_orders();
        let timed: Vec<&str> = self
            .variants()
            .into_iter()
            .filter(|id| orders.iter().any(|&order| self.time(id, order).is_some()))
            .collect();
        orders
            .into_iter()
            .rev()
            .find(|&order| timed.iter().all(|id| self.time(id, order).is_some()))
    }

    /// The variants timed at `order`, fastest first.
    #[must_use]
    pub fn ranking(&self, order: usize) -> Vec<(&str, Estimate)> {
        let mut ranking: Vec<_> = self
            .variants()
            .into_iter()
            .filter_map(|id| Some((id, self.time(id, order)?)))
            .collect();
        ranking.sort_by(|a, b| a.1.value.total_cmp(&b.1.value));
        ranking
    }

    /// By what factor `variant` is faster than `baseline` at `order`, in a table of so many
    /// comparisons.
    ///
    /// From the samples, within rounds; where they are missing, or a person has edited one of the
    /// two medians so that they no longer give it, the quotient of the medians, without interval.
    #[must_use]
    pub fn compare(
        &self,
        baseline: &str,
        variant: &str,
        order: usize,
        comparisons: usize,
    ) -> Option<Comparison> {
        let (of_baseline, of_variant) = (self.time(baseline, order)?, self.time(variant, order)?);
        let rounds_of = |id, time: Estimate| {
            let samples = rounds_of_case(&self.samples, id, order);
            let own = stats::median_of_rounds(samples.values().map(Vec::as_slice))?;
            (own.to_bits() == time.value.to_bits()).then_some(samples)
        };
        let paired = rounds_of(baseline, of_baseline)
            .zip(rounds_of(variant, of_variant))
            .and_then(|(baseline, variant)| compare_rounds(&baseline, &variant, comparisons));
        let factor = of_baseline.value / of_variant.value;
        Some(paired.unwrap_or(Comparison { factor, interval: None, rounds: 0 }))
    }

    /// How many comparisons with the baseline a table of all orders has.
    #[must_use]
    pub fn comparisons(&self, baseline: &str) -> usize {
        let both = |row: &&Measurement| {
            row.variant != baseline
                && row.median().is_some()
                && self.time(baseline, row.order).is_some()
        };
        self.measurements.iter().filter(both).count()
    }

    /// The order whose search trees the run recorded, the largest if there are several.
    #[must_use]
    pub fn tree_order(&self) -> Option<usize> {
        self.search_tree.iter().map(|row| row.order).max()
    }

    /// The nodes of a whole search tree.
    #[must_use]
    pub fn nodes(&self, variant: &str, order: usize) -> Option<u128> {
        let rows =
            self.search_tree.iter().filter(|row| row.variant == variant && row.order == order);
        rows.map(|row| u128::from(row.nodes)).reduce(|a, b| a + b)
    }
}

impl Data {
    /// What the time of a case is made of: nodes, instructions a node and nanoseconds an instruction, where all
    /// of them are known.
    #[must_use]
    pub fn factors(&self, variant: &str, order: usize) -> Option<[f64; 3]> {
        let nodes = self.nodes(variant, order).filter(|&nodes| nodes > 0)? as f64;
        let instructions = self.instructions(variant, order)? as f64;
        let time = self.time(variant, order)?.value;
        Some([nodes, instructions / nodes, time / instructions])
    }
}

impl Measurement {
    /// The median in nanoseconds, where it was measured and is a time: finite and above 0.
    #[must_use]
    pub fn median(&self) -> Option<f64> {
        self.median_ns.filter(|ns| self.status == Status::Measured && ns.is_finite() && *ns > 0.0)
    }

    /// The interval in nanoseconds, where both ends are times and in order.
    #[must_use]
    pub fn interval(&self) -> Option<(f64, f64)> {
        let (low, high) = self.low_ns.zip(self.high_ns)?;
        (low > 0.0 && low <= high && high.is_finite()).then_some((low, high))
    }
}

/// The row of a case of a run that was interrupted, from the samples that there are: those since it was
/// last written have not been summarised.
fn summarise_interrupted(row: &mut Measurement, samples: &[Sample], seed: u64) {
    let rounds = rounds_of_case(samples, &row.variant, row.order);
    let rounds: Vec<Vec<f64>> = rounds.into_values().collect();
    let Some(found) = stats::estimate(&rounds, seed) else { return };
    row.median_ns = Some(found.value);
    row.low_ns = found.interval.map(|interval| interval.0);
    row.high_ns = found.interval.map(|interval| interval.1);
    row.rounds = rounds.len();
    let own = samples.iter().filter(|s| s.variant == row.variant && s.order == row.order);
    row.samples = own.clone().count();
    row.iterations = own.map(|sample| sample.iterations).sum();
    row.status = Status::Measured;
    row.fit_to_publish = Some(false);
    "the run was interrupted".clone_into(&mut row.reason);
}

/// Why results of so few rounds are not fit to publish; nothing where they are enough.
#[must_use]
pub fn too_few_rounds(rounds: usize) -> Option<String> {
    (rounds < stats::FEWEST_ROUNDS).then(|| {
        format!("{rounds} rounds are too few for an interval, which takes {}", stats::FEWEST_ROUNDS)
    })
}

/// A round, by its number and by the session that measured it: cases that were measured in one
/// round but in two sessions did not meet the same machine.
pub type RoundOfSession = (usize, usize);

/// The times of one call in each round, in nanoseconds, from the samples of a case.
#[must_use]
pub fn rounds_of_case(
    samples: &[Sample],
    variant: &str,
    order: usize,
) -> BTreeMap<RoundOfSession, Vec<f64>> {
    let mut of_round: BTreeMap<RoundOfSession, Vec<f64>> = BTreeMap::new();
    for sample in samples.iter().filter(|s| s.variant == variant && s.order == order) {
        let call = sample.elapsed_ns / sample.iterations as f64;
        of_round.entry((sample.round, sample.session)).or_default().push(call);
    }
    of_round
}

/// Compares two cases within the rounds that both have; nothing where they have none in common.
fn compare_rounds(
    baseline: &BTreeMap<RoundOfSession, Vec<f64>>,
    variant: &BTreeMap<RoundOfSession, Vec<f64>>,
    comparisons: usize,
) -> Option<Comparison> {
    let (baseline, variant): (Vec<_>, Vec<_>) = baseline
        .iter()
        .filter_map(|(round, samples)| Some((samples.clone(), variant.get(round)?.clone())))
        .unzip();
    stats::compare(&baseline, &variant, comparisons)
}

/// What the control shows at each order: by what factor its second name is faster than its first.
/// Each interval stands for itself, so that one can see whether it contains 1.
#[must_use]
pub fn controls(samples: &[Sample], plan: Option<&Plan>) -> Vec<Control> {
    let Some((plan, variant)) = plan.and_then(|plan| Some((plan, plan.control.as_ref()?))) else {
        return Vec::new();
    };
    let cases = plan.cases.iter().filter(|case| case.variant == CONTROL);
    cases
        .filter_map(|case| {
            let first = rounds_of_case(samples, variant, case.order);
            let second = rounds_of_case(samples, CONTROL, case.order);
            let found = compare_rounds(&first, &second, 1)?;
            Some(Control {
                variant: variant.clone(),
                order: case.order,
                factor: found.factor,
                low: found.interval.map(|interval| interval.0),
                high: found.interval.map(|interval| interval.1),
                rounds: found.rounds,
            })
        })
        .collect()
}

/// The row of a case that was measured, from its samples.
#[must_use]
pub fn summarise(
    samples: &[Sample],
    variant: &str,
    order: Order,
    counts: queens::Counts,
    seed: u64,
) -> Option<Measurement> {
    let own: Vec<&Sample> =
        samples.iter().filter(|s| s.variant == variant && s.order == order.get()).collect();
    let of_round: Vec<Vec<f64>> =
        rounds_of_case(samples, variant, order.get()).into_values().collect();
    let estimate = stats::estimate(&of_round, seed)?;
    Some(Measurement {
        variant: variant.to_owned(),
        order: order.get(),
        total: Some(counts.total),
        fundamental: counts.fundamental,
        median_ns: Some(estimate.value),
        low_ns: estimate.interval.map(|interval| interval.0),
        high_ns: estimate.interval.map(|interval| interval.1),
        rounds: of_round.len(),
        samples: own.len(),
        iterations: own.iter().map(|sample| sample.iterations).sum(),
        fit_to_publish: None,
        status: Status::Measured,
        reason: String::new(),
    })
}

/// The shortest time, in nanoseconds, that a call of a search can have: at any order, and from
/// order 4 on, where there is something to search. Calling a function through a pointer alone
/// takes one or two.
const SHORTEST_NS: [f64; 2] = [1.0, 5.0];

/// Whether a variant wakes threads for each call, which takes longer than the search of a small order and
/// differs from call to call.
fn wakes_threads(variant: &str) -> bool {
    registry::find(&REGISTRY, variant).is_some_and(|entry| entry.variant.always_shares())
}

/// Times that no search can have, each with the place of its row and the reason: too short for a
/// call, or no longer at an order than at one four or more below it, of the run or of the climb
/// before it. The call was then folded into a constant, or hoisted out of the loop that timed it.
#[must_use]
pub fn implausible(measurements: &[Measurement], climb: &[Frontier]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (place, row) in measurements.iter().enumerate() {
        let Some(median) = row.median() else { continue };
        let shortest = SHORTEST_NS[usize::from(row.order >= 4)];
        let earlier = measurements
            .iter()
            .filter(|other| other.variant == row.variant)
            .map(|other| (other.order, other.median()));
        let climbed = climb
            .iter()
            .filter(|other| other.variant == row.variant && other.measured)
            .map(|other| (other.order, Some(other.call_ns)));
        if median < shortest {
            found.push((
                place,
                format!(
                    "a call of {} is shorter than any search: it was folded or hoisted",
                    format::time(median)
                ),
            ));
        } else if let Some(order) = not_grown(row.order, median, earlier.chain(climbed))
            && !wakes_threads(&row.variant)
        {
            let reason =
                format!("its time is no longer than at order {order}: it was folded or hoisted");
            found.push((place, reason));
        }
    }
    found
}

/// Instruction counts that do not depend on the order, in the same way.
#[must_use]
pub fn implausible_counts(instructions: &[Instructions]) -> Vec<(usize, String)> {
    let counted = |row: &Instructions| row.instructions.map(|count| count as f64);
    let mut found = Vec::new();
    for (place, row) in instructions.iter().enumerate() {
        let Some(count) = counted(row) else { continue };
        let earlier = instructions.iter().filter(|other| other.variant == row.variant);
        if let Some(order) = not_grown(row.order, count, earlier.map(|r| (r.order, counted(r)))) {
            found.push((
                place,
                format!("it has no more instructions than order {order}: it was folded or hoisted"),
            ));
        }
    }
    found
}

/// The order, four or more below this one and at least 4, whose cost is no less.
fn not_grown(
    order: usize,
    cost: f64,
    others: impl Iterator<Item = (usize, Option<f64>)>,
) -> Option<usize> {
    others
        .filter(|(other, _)| *other >= 4 && other + 4 <= order)
        .find(|(_, earlier)| earlier.is_some_and(|earlier| cost <= earlier))
        .map(|(other, _)| other)
}

fn sorted(orders: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut orders: Vec<usize> = orders.collect();
    orders.sort_unstable();
    orders.dedup();
    orders
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(variant: &str, order: usize, median_ns: f64) -> Measurement {
        Measurement {
            variant: variant.to_owned(),
            order,
            total: None,
            fundamental: None,
            median_ns: Some(median_ns),
            low_ns: None,
            high_ns: None,
            rounds: 1,
            samples: 10,
            iterations: 10,
            fit_to_publish: None,
            status: Status::Measured,
            reason: String::new(),
        }
    }

    fn sample(variant: &str, round: usize, elapsed_ns: f64) -> Sample {
        let variant = variant.to_owned();
        Sample {
            variant,
            order: 8,
            round,
            session: 1,
            position: 1,
            sample: 1,
            iterations: 10,
            elapsed_ns,
        }
    }

    /// MEA-01 of the public reports: folded calls, and times that do not grow with the order.
    #[test]
    fn times_that_no_search_can_have_are_found() {
        let rows = [
            row("a", 4, 100.0),
            row("a", 8, 90.0),
            row("b", 4, 0.3),
            row("b", 8, 1000.0),
            row("c", 0, 50.0),
            row("c", 4, 40.0),
            row("c", 5, 39.0),
        ];
        let found = implausible(&rows, &[]);
        let places: Vec<_> = found.iter().map(|(place, _)| *place).collect();
        assert_eq!(places, [1, 2]);
        assert!(found.iter().all(|(_, reason)| reason.ends_with("it was folded or hoisted")));
        // A run of one order is compared with its climb.
        let climbed = |order, call_ns| Frontier {
            variant: "a".to_owned(),
            order,
            call_ns,
            measured: true,
            reason: String::new(),
        };
        let alone = [row("a", 9, 120.0)];
        assert_eq!(implausible(&alone, &[climbed(4, 100.0)]), []);
        assert_eq!(implausible(&alone, &[climbed(4, 100.0), climbed(5, 120.0)]).len(), 1);
    }

    #[test]
    fn counts_that_do_not_depend_on_the_order_are_found() {
        let count = |variant: &str, order, instructions| Instructions {
            variant: variant.to_owned(),
            order,
            instructions,
            status: Status::Measured,
            reason: String::new(),
        };
        let rows = [
            count("a", 4, Some(40)),
            count("a", 8, Some(40)),
            count("b", 4, Some(900)),
            count("b", 8, Some(90_000)),
            count("b", 12, None),
            count("c", 0, Some(60)),
            count("c", 4, Some(50)),
        ];
        let found = implausible_counts(&rows);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, 1);
        assert!(found[0].1.contains("no more instructions than order 4"), "{found:?}");
    }

    fn data() -> Data {
        let mut samples = Vec::new();
        for round in 1..=7 {
            samples.push(sample("a", round, 1000.0 * round as f64));
            samples.push(sample("b", round, 250.0 * round as f64));
        }
        let measurements = vec![row("a", 8, 400.0), row("b", 8, 100.0)];
        Data { measurements, samples, ..Data::default() }
    }

    #[test]
    fn speedups_are_taken_within_rounds_and_have_an_interval() {
        let speedup = data().compare("a", "b", 8, 1).unwrap();
        assert!((speedup.factor - 4.0).abs() < 1e-9);
        assert!(speedup.is_separated(None) && speedup.rounds == 7);
        // Seven rounds cannot be sure of ten factors at once.
        assert_eq!(data().compare("a", "b", 8, 10).unwrap().interval, None);
    }

    #[test]
    fn an_edited_median_is_believed_and_its_speedup_has_no_interval() {
        let mut data = data();
        data.measurements[1].median_ns = Some(20.0);
        let edited = data.compare("a", "b", 8, 1).unwrap();
        assert!((edited.factor - 20.0).abs() < 1e-9 && edited.interval.is_none());
    }

    #[test]
    fn a_round_that_nobody_ran_does_no_harm() {
        let mut data = data();
        data.samples[3].round = usize::MAX;
        assert!(data.compare("a", "b", 8, 1).unwrap().factor > 1.0);
    }

    /// Times of one round that were taken in two sessions are not a pair.
    #[test]
    fn sessions_are_not_mixed() {
        let mut data = data();
        for sample in &mut data.samples {
            sample.session = 1 + usize::from(sample.variant == "b" && sample.round > 4);
        }
        assert_eq!(data.compare("a", "b", 8, 1).unwrap().rounds, 4);
    }

    #[test]
    fn a_result_that_is_not_in_the_plan_is_named() {
        let folder = folder(true, 2, &[row("a", 8, 200.0), row("b", 8, 50.0)]);
        let data = Data::read(folder.path()).unwrap();
        let words = "measurements.csv has a at order 8, which is not in the plan";
        assert_eq!(data.mismatch().as_deref(), Some(words));
        assert!(data.not_for_publication().contains(&words.to_owned()));
    }

    #[test]
    fn the_control_shows_the_noise_floor() {
        let mut samples = Vec::new();
        for round in 1..=8 {
            samples.push(sample("b", round, 1000.0 * round as f64));
            samples.push(sample(CONTROL, round, 990.0 * round as f64));
        }
        let case = |variant: &str| Case {
            variant: variant.to_owned(),
            subject: "b".to_owned(),
            order: 8,
            call_ns: 100.0,
            samples: 1,
            warm_up_ms: 1,
            measurement_ms: 1,
            limit_s: 10.0,
        };
        let plan = Plan {
            cases: vec![case("b"), case(CONTROL)],
            rounds: 8,
            seed: 1,
            control: Some("b".to_owned()),
            instruction_cases: Vec::new(),
            left_out: Vec::new(),
            budget_s: 1.0,
            expected_s: 1.0,
        };
        let control = controls(&samples, Some(&plan));
        assert_eq!(control.len(), 1);
        let data = Data { control, ..Data::default() };
        assert!((data.noise_floor().unwrap() - 1.0 / 0.99).abs() < 1e-9);
        assert!(data.verdict_line().ends_with("noise floor 1.0 %"), "{}", data.verdict_line());
        assert_eq!(Data::default().noise_floor(), None);
    }

    #[test]
    fn doubled_rows_are_refused_by_name() {
        let folder = folder(true, 2, &[row("a", 8, 200.0), row("a", 8, 50.0)]);
        let message = Data::read(folder.path()).unwrap_err();
        assert_eq!(message, "measurements.csv: two rows are of a at order 8");
    }

    /// CSV-07 of the public reports: no speedup and no rank from a time that is missing.
    #[test]
    fn a_missing_time_has_no_speedup_and_no_rank() {
        for missing in [None, Some(0.0), Some(-1.0), Some(f64::NAN), Some(f64::INFINITY)] {
            let mut data = data();
            data.measurements[1].median_ns = missing;
            assert_eq!(data.compare("a", "b", 8, 1), None);
            assert_eq!(data.ranking(8).len(), 1);
        }
    }

    /// A run's folder: its own account, and `measurements.csv` with these rows.
    fn folder(complete: bool, expected: usize, rows: &[Measurement]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        records::write(folder.path(), rows).unwrap();
        let run = serde_json::json!({
            "schema": crate::run::SCHEMA, "id": "a", "started": "2026-01-31T00:00:00Z",
            "command": "cargo xtask bench", "complete": complete, "not_for_publication": [],
            "baseline": "a", "machine": {
                "cpu": null, "cores": 2, "caches": [], "features": [], "memory_bytes": null,
                "system": null, "governor": null, "load": null, "virtualised": true
            },
            "toolchain": {
                "rustc": null, "target": null, "rustflags": null, "profile": "bench",
                "criterion": "0", "iai_callgrind": "0", "valgrind": null
            },
            "source": { "commit": null, "dirty": null },
            "plan": {
                "cases": [], "rounds": 6, "seed": 1, "control": null, "instruction_cases": [],
                "left_out": [], "budget_s": 10.0, "expected_s": 9.0
            },
            "rounds_finished": 6, "sessions": [], "code": {}, "shared_code": "",
            "not_counted": null,
            "rows": { Measurement::FILE: expected }, "notes": ["a note"]
        });
        std::fs::write(folder.path().join(crate::run::FILE), run.to_string()).unwrap();
        folder
    }

    /// CSV-11 of the public reports: a file cut off at the end of a row looks whole, and a run that
    /// was interrupted is readable and says so.
    #[test]
    fn missing_rows_and_interrupted_runs_are_noticed() {
        let rows = [row("a", 8, 200.0), row("b", 8, 50.0)];
        let whole = Data::read(folder(true, 2, &rows).path()).unwrap();
        assert_eq!(whole.notes, ["a note"]);
        let cut = Data::read(folder(true, 2, &rows[..1]).path()).unwrap();
        let words = "measurements.csv has 1 rows where the run left 2: it was cut off or edited";
        assert_eq!(cut.notes[1], words);
        let interrupted = Data::read(folder(false, 2, &rows).path()).unwrap();
        assert_eq!(interrupted.not_for_publication(), ["the run was interrupted"]);
        assert_eq!(interrupted.notes[1], "the run was interrupted: it is incomplete");
    }

    /// CLI-10 of the public reports: what was measured before the end of the first round is shown.
    #[test]
    fn samples_of_an_interrupted_round_are_shown() {
        let mut waiting = row("a", 8, 1.0);
        waiting.status = Status::Failed;
        waiting.median_ns = None;
        // Summarised after an earlier round; the samples say more than that.
        let mut stale = row("b", 8, 77.0);
        stale.fit_to_publish = Some(true);
        let folder = folder(false, 2, &[waiting, stale]);
        let entry = Entry::Case {
            total: "92".to_owned(),
            fundamental: None,
            inside_ns: 1.0,
            samples: vec![sample("a", 1, 1000.0)],
        };
        let failed = Entry::Failed {
            variant: "b".to_owned(),
            order: 8,
            instrument: Instrument::Time,
            status: Status::TimedOut,
            reason: "too long".to_owned(),
        };
        let samples = vec![sample("b", 1, 10.0)];
        let earlier =
            Entry::Case { total: "92".into(), fundamental: None, inside_ns: 1.0, samples };
        let entries = [entry, earlier, failed];
        let mut journal = journal::Journal::create(folder.path(), &entries).unwrap();
        let count = Instructions {
            variant: "a".to_owned(),
            order: 8,
            instructions: Some(77),
            status: Status::Measured,
            reason: String::new(),
        };
        journal.add(&Entry::Instructions(count)).unwrap();
        let data = Data::read(folder.path()).unwrap();
        assert_eq!(data.instructions("a", 8), Some(77));
        assert_eq!(data.time("a", 8), Some(Estimate { value: 100.0, interval: None }));
        let shown = data.measurement("a", 8).unwrap();
        assert_eq!((shown.fit_to_publish, shown.total), (Some(false), Some(92)));
        assert_eq!((shown.samples, shown.iterations), (1, 10));
        assert_eq!(data.time("b", 8), None, "a case that failed has no time, whatever came before");
        assert_eq!(data.measurement("b", 8).unwrap().status, Status::TimedOut);
    }

    #[test]
    fn a_cut_account_is_named() {
        let folder = folder(true, 1, &[row("a", 8, 200.0)]);
        let path = folder.path().join(crate::run::FILE);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() * 6 / 10]).unwrap();
        assert!(Data::read(folder.path()).unwrap_err().contains("run.json"));
        std::fs::write(&path, text.replace("\"schema\":2", "\"schema\":1")).unwrap();
        assert!(Data::read(folder.path()).unwrap_err().contains("schema is not 2"));
    }
}
