//! The data of a run as charts and report use them: read from its CSV files, and from its own
//! account where that is there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use queens::Order;

use crate::records::{self, Instructions, Measurement, Record, Sample, Status, TreeRow};
use crate::run::Run;
use crate::stats::{self, Estimate};

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
            notes: Vec::new(),
        };
        if data.measurements.is_empty() && data.instructions.is_empty() {
            return Err(format!(
                "nothing to show: {} has no row in {} or {}",
                folder.display(),
                Measurement::FILE,
                Instructions::FILE
            ));
        }
        data.summarise_interrupted();
        data.search_tree.sort_by_key(|row| row.row);
        data.refuse_doubled_rows()?;
        data.note_missing_rows();
        data.note_values_left_out();
        Ok(data)
    }

    /// A run that was interrupted has samples that nobody has summarised yet.
    fn summarise_interrupted(&mut self) {
        let Some(run) = self.run.as_ref().filter(|run| !run.complete) else { return };
        for row in &mut self.measurements {
            let rounds = rounds_of_case(&self.samples, &row.variant, row.order);
            let rounds: Vec<Vec<f64>> = rounds.into_values().collect();
            if let (Status::Failed, Some(found)) =
                (row.status, stats::estimate(&rounds, run.plan.seed))
            {
                row.median_ns = Some(found.value);
                row.low_ns = found.interval.map(|interval| interval.0);
                row.high_ns = found.interval.map(|interval| interval.1);
                row.rounds = rounds.len();
                row.status = Status::Measured;
                row.reason.clear();
            }
        }
    }

    /// Two rows of one case cannot both be shown, as after two runs were put into one file.
    fn refuse_doubled_rows(&self) -> Result<(), String> {
        let mut seen = BTreeSet::new();
        let times = self.measurements.iter().map(|r| (Measurement::FILE, &r.variant, r.order, 0));
        let counts = self.instructions.iter().map(|r| (Instructions::FILE, &r.variant, r.order, 0));
        let trees = self.search_tree.iter().map(|r| (TreeRow::FILE, &r.variant, r.order, r.row));
        for row in times.chain(counts).chain(trees) {
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
        }
        for (file, rows) in [
            (Measurement::FILE, self.measurements.len()),
            (Sample::FILE, self.samples.len()),
            (Instructions::FILE, self.instructions.len()),
            (TreeRow::FILE, self.search_tree.len()),
        ] {
            let expected = run.rows.get(file).copied().unwrap_or(0);
            if rows != expected {
                self.notes.push(format!(
                    "{file} has {rows} rows where the run left {expected}: it was cut off or edited"
                ));
            }
        }
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
        } else {
            reasons.push("the machine and the manner of measuring are unknown".to_owned());
        }
        reasons
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

    /// By what factor `variant` is faster than `baseline` at `order`.
    ///
    /// From the samples, within rounds; where they are missing, or a person has edited one of the
    /// two medians so that they no longer give it, the quotient of the medians, without interval.
    #[must_use]
    pub fn speedup(&self, baseline: &str, variant: &str, order: usize) -> Option<Estimate> {
        let (of_baseline, of_variant) = (self.time(baseline, order)?, self.time(variant, order)?);
        if baseline == variant {
            return Some(Estimate { value: 1.0, interval: Some((1.0, 1.0)) });
        }
        let seed = self.run.as_ref().map_or(0, |run| run.plan.seed);
        let rounds_of = |id, time: Estimate| {
            let samples = rounds_of_case(&self.samples, id, order);
            let own = stats::median_of_rounds(samples.values().map(Vec::as_slice))?;
            (own.to_bits() == time.value.to_bits()).then_some(samples)
        };
        let paired = rounds_of(baseline, of_baseline).zip(rounds_of(variant, of_variant)).and_then(
            |(baseline, variant)| {
                // Only rounds that have both can be compared.
                let (baseline, variant): (Vec<_>, Vec<_>) = baseline
                    .into_iter()
                    .filter_map(|(round, samples)| Some((samples, variant.get(&round)?.clone())))
                    .unzip();
                stats::speedup(&baseline, &variant, seed)
            },
        );
        let quotient = Estimate { value: of_baseline.value / of_variant.value, interval: None };
        Some(paired.unwrap_or(quotient))
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

/// The times of one call in each round, in nanoseconds, from the samples of a case.
#[must_use]
pub fn rounds_of_case(
    samples: &[Sample],
    variant: &str,
    order: usize,
) -> BTreeMap<usize, Vec<f64>> {
    let mut of_round: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for sample in samples.iter().filter(|s| s.variant == variant && s.order == order) {
        let call = sample.elapsed_ns / sample.iterations as f64;
        of_round.entry(sample.round).or_default().push(call);
    }
    of_round
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
        status: Status::Measured,
        reason: String::new(),
    })
}

/// Times that no search can have, each with the place of its row and the reason: under a
/// nanosecond for a call, or no longer at an order than at one four or more below it. The call
/// was then folded into a constant, or hoisted out of the loop that timed it.
#[must_use]
pub fn implausible(measurements: &[Measurement]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (place, row) in measurements.iter().enumerate() {
        let Some(median) = row.median() else { continue };
        let flat = measurements.iter().find(|other| {
            other.variant == row.variant
                && other.order >= 4
                && other.order + 4 <= row.order
                && other.median().is_some_and(|earlier| median <= earlier)
        });
        if median < 1.0 {
            found.push((place, format!("a call of {median} ns cannot have been made")));
        } else if let Some(other) = flat {
            let reason = format!("its time is no longer than at order {}", other.order);
            found.push((place, reason));
        }
    }
    found
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
            status: Status::Measured,
            reason: String::new(),
        }
    }

    fn sample(variant: &str, round: usize, elapsed_ns: f64) -> Sample {
        let variant = variant.to_owned();
        Sample { variant, order: 8, round, position: 1, sample: 1, iterations: 10, elapsed_ns }
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
        let places: Vec<_> = implausible(&rows).into_iter().map(|(place, _)| place).collect();
        assert_eq!(places, [1, 2]);
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
        let speedup = data().speedup("a", "b", 8).unwrap();
        assert!((speedup.value - 4.0).abs() < 1e-9);
        assert!(speedup.interval.is_some());
    }

    #[test]
    fn an_edited_median_is_believed_and_its_speedup_has_no_interval() {
        let mut data = data();
        data.measurements[1].median_ns = Some(20.0);
        let edited = Some(Estimate { value: 20.0, interval: None });
        assert_eq!(data.speedup("a", "b", 8), edited);
    }

    #[test]
    fn a_round_that_nobody_ran_does_no_harm() {
        let mut data = data();
        data.samples[3].round = usize::MAX;
        assert!(data.speedup("a", "b", 8).unwrap().value > 1.0);
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
            assert_eq!(data.speedup("a", "b", 8), None);
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
                "cases": [], "rounds": 6, "seed": 1, "instruction_cases": [], "left_out": [],
                "budget_s": 10.0, "expected_s": 9.0
            },
            "rounds_finished": 6, "measuring_s": 9.0,
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
    }

    /// CLI-10 of the public reports: what was measured before the end of the first round is shown.
    #[test]
    fn samples_of_an_interrupted_round_are_shown() {
        let mut waiting = row("a", 8, 1.0);
        waiting.status = Status::Failed;
        waiting.median_ns = None;
        let folder = folder(false, 1, &[waiting]);
        records::write(folder.path(), &[sample("a", 1, 1000.0)]).unwrap();
        let data = Data::read(folder.path()).unwrap();
        assert_eq!(data.time("a", 8), Some(Estimate { value: 100.0, interval: None }));
    }

    #[test]
    fn a_cut_account_is_named() {
        let folder = folder(true, 1, &[row("a", 8, 200.0)]);
        let path = folder.path().join(crate::run::FILE);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() * 6 / 10]).unwrap();
        assert!(Data::read(folder.path()).unwrap_err().contains("run.json"));
        std::fs::write(&path, text.replace("\"schema\":1", "\"schema\":2")).unwrap();
        assert!(Data::read(folder.path()).unwrap_err().contains("schema is not 1"));
    }
}
