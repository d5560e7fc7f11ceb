//! A run while it is measured: what has been found so far, on disk after every round.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use lab::data::{self, Data};
use lab::format;
use lab::plan::{Case, Instrument, Pilot, Plan};
use lab::protocol::{Answer, RoundCase, RoundTask, Task};
use lab::records::{self, Instructions, Measurement, Record, Sample, Status, TreeRow};
use lab::registry::Entry;
use lab::run::{Run, SCHEMA};
use lab::stats;
use queens::{Counts, Order, known};

use super::Settled;
use super::folder::Folder;
use crate::cli::Bench;
use crate::cmd::again;
use crate::instruments::Instruments;
use crate::output::{Failure, failed};
use crate::progress::Progress;
use crate::{machine, workspace};

/// Cases that cannot be measured, and variants of which none can, each with its reason.
#[derive(Debug, Default)]
pub struct Failures {
    variants: BTreeMap<String, (usize, String)>,
    cases: BTreeMap<(String, usize), String>,
    instructions: BTreeMap<(String, usize), String>,
}

impl Failures {
    /// A variant is wrong at an order: none of its cases is measured. The first reason stays.
    pub fn of_variant(&mut self, variant: &str, order: usize, reason: String) {
        self.variants.entry(variant.to_owned()).or_insert((order, reason));
    }

    /// Whether a variant is wrong.
    pub fn has_variant(&self, variant: &str) -> bool {
        self.variants.contains_key(variant)
    }

    /// A case could not be timed. The first reason stays.
    pub fn of_case(&mut self, variant: &str, order: usize, reason: String) {
        self.cases.entry((variant.to_owned(), order)).or_insert(reason);
    }

    /// Whether nothing has failed.
    pub fn is_empty(&self) -> bool {
        self.variants.is_empty() && self.cases.is_empty() && self.instructions.is_empty()
    }

    /// What has failed, a line each.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = String> {
        let cases = |what: &'static str, cases: &BTreeMap<(String, usize), String>| {
            cases
                .iter()
                .map(|((id, order), reason)| format!("{id} at order {order}, {what}: {reason}"))
                .collect::<Vec<_>>()
        };
        let variants = self.variants.iter();
        let mut lines: Vec<String> = variants
            .map(|(id, (order, reason))| format!("{id} at order {order}: {reason}"))
            .collect();
        lines.extend(cases("time", &self.cases));
        lines.extend(cases("instructions", &self.instructions));
        lines.into_iter()
    }
}

/// A run while it is measured.
pub struct Session<'a> {
    folder: &'a Folder,
    entries: &'a [Entry],
    settled: &'a Settled,
    instruments: &'a Instruments,
    data: Data,
    /// Cases whose counts the pilot has compared.
    verified: BTreeSet<(String, usize)>,
    /// What each case has counted while it was timed.
    counts: BTreeMap<(String, usize), Counts>,
    run: Run,
    failures: Failures,
    started: Instant,
}

impl<'a> Session<'a> {
    /// A run of `plan`, before anything is measured.
    pub fn new(
        folder: &'a Folder,
        arguments: &Bench,
        settled: &'a Settled,
        plan: Plan,
        pilot: &Pilot,
        failures: Failures,
        instruments: &'a Instruments,
    ) -> Self {
        let root = &workspace::root();
        let mut notes = Vec::new();
        if let (Err(reason), None) = (&settled.valgrind, &arguments.instruments) {
            notes.push(format!("instructions are not counted: {reason}"));
        }
        let mut not_for_publication = Vec::new();
        if arguments.quick {
            not_for_publication.push("a quick run has few rounds and short samples".to_owned());
        }
        if instruments.opt_level != "3" {
            let level = &instruments.opt_level;
            not_for_publication.push(format!("the instruments were built with opt-level {level}"));
        }
        let run = Run {
            schema: SCHEMA,
            id: folder.id.clone(),
            started: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            command: command_line(std::env::args_os().skip(1)),
            complete: false,
            not_for_publication,
            baseline: settled.baseline.clone(),
            machine: machine::machine(),
            toolchain: machine::toolchain(
                root,
                &instruments.opt_level,
                settled.valgrind.clone().ok(),
            ),
            source: workspace::source(root),
            plan,
            rounds_finished: 0,
            measuring_s: 0.0,
            rows: BTreeMap::new(),
            notes,
        };
        Self {
            folder,
            entries: &settled.entries,
            settled,
            instruments,
            data: Data::default(),
            verified: pilot
                .iter()
                .flat_map(|(variant, orders)| orders.keys().map(|&n| (variant.clone(), n)))
                .collect(),
            counts: BTreeMap::new(),
            run,
            failures,
            started: Instant::now(),
        }
    }

    /// The data as charts and report use them; whole after [`Session::finish`].
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// The variant that speedups are taken against.
    pub fn baseline(&self) -> &str {
        &self.run.baseline
    }

    /// Where the results lie.
    pub fn folder(&self) -> &Path {
        &self.folder.path
    }

    /// What has failed, a line each.
    pub fn failure_lines(&self) -> impl ExactSizeIterator<Item = String> {
        self.failures.lines()
    }

    /// Measures everything that the plan has.
    pub fn measure(&mut self) -> Result<(), Failure> {
        self.started = Instant::now();
        let progress = Progress::new(self.run.plan.expected_s);
        self.measure_rounds(&progress)?;
        self.count_instructions(&progress)
    }

    /// Whether work of so many seconds, with what must follow it, still fits into the promised time.
    fn fits(&self, seconds: f64) -> bool {
        self.started.elapsed().as_secs_f64() + seconds <= self.run.plan.budget_s * 1.08
    }

    fn measure_rounds(&mut self, progress: &Progress) -> Result<(), Failure> {
        let rounds = if self.run.plan.cases.is_empty() { 0 } else { self.run.plan.rounds };
        let reserved: f64 =
            self.run.plan.instruction_cases.iter().map(|case| case.expected_s).sum();
        let mut longest = 0.0_f64;
        for round in 0..rounds {
            // The promised time is kept: a machine that has become slower measures fewer rounds.
            if round > 0 && !self.fits(longest + reserved) {
                self.run.notes.push(format!(
                    "the machine was slower than the pilot found: {round} of {rounds} rounds fitted \
                     into the budget"
                ));
                break;
            }
            let start = Instant::now();
            self.measure_round(round, progress)?;
            longest = longest.max(start.elapsed().as_secs_f64());
            self.run.rounds_finished = round + 1;
            progress.line(&format!(
                "round {} of {rounds} finished after {}",
                round + 1,
                format::time(self.started.elapsed().as_secs_f64() * 1e9)
            ));
            self.summarise_all();
            self.write()?;
        }
        for case in self.run.plan.cases.clone() {
            progress.line(&self.result_line(&case));
        }
        Ok(())
    }

    /// Measures one round. A case that ends the instrument fails, and the rest is measured by
    /// starting it again.
    fn measure_round(&mut self, round: u32, progress: &Progress) -> Result<(), Failure> {
        let order = self.run.plan.order_of_round(round);
        let positions: BTreeMap<(String, usize), usize> = (1..)
            .zip(&order)
            .map(|(position, &place)| (key(&self.run.plan.cases[place]), position))
            .collect();
        let mut waiting: Vec<Case> =
            order.iter().map(|&place| self.run.plan.cases[place].clone()).collect();
        for start in 1.. {
            waiting.retain(|case| !self.failures.cases.contains_key(&key(case)));
            let Some(first) = waiting.first() else { break };
            progress.under_way(&format!("round {}: {}", round + 1, name(first)));
            let ended = self.measure_waiting(round, start, &positions, &mut waiting, progress)?;
            if let Some(case) = waiting.first() {
                let reason = ended.err().unwrap_or_else(|| "it was not measured".to_owned());
                progress.line(&format!("{}: failed: {reason}", name(case)));
                let (variant, order) = key(case);
                self.failures.of_case(&variant, order, reason);
            }
        }
        Ok(())
    }

    /// Measures the waiting cases, and takes each that is answered off the list. Every few seconds
    /// the samples go to disk; their summaries wait for the end of the round, so that nothing is
    /// computed beside what is being measured.
    fn measure_waiting(
        &mut self,
        round: u32,
        start: usize,
        positions: &BTreeMap<(String, usize), usize>,
        waiting: &mut Vec<Case>,
        progress: &Progress,
    ) -> Result<Result<(), String>, Failure> {
        let home = self.folder.path.join(format!("raw/criterion/round-{}-{start}", round + 1));
        let cases = waiting
            .iter()
            .map(|case| {
                let key = key(case);
                round_case(case, self.verified.contains(&key) || self.counts.contains_key(&key))
            })
            .collect();
        let task = Task::Round(RoundTask { cases, home });
        let mut written = Ok(());
        let mut last_write = Instant::now();
        let ended = self.instruments.time(&task, &mut |answer| {
            let answered = self.take(answer, round, positions);
            if let Some(place) = waiting.iter().position(|case| Some(key(case)) == answered) {
                progress.advance(waiting.remove(place).seconds_a_round());
            }
            if let Some(next) = waiting.first() {
                progress.under_way(&format!("round {}: {}", round + 1, name(next)));
            }
            if written.is_ok() && last_write.elapsed() > Duration::from_secs(5) {
                written = self.write();
                last_write = Instant::now();
            }
        });
        written.map(|()| ended)
    }

    /// Takes an answer in; says of which case it is.
    fn take(
        &mut self,
        answer: Answer,
        round: u32,
        positions: &BTreeMap<(String, usize), usize>,
    ) -> Option<(String, usize)> {
        match answer {
            Answer::Samples { variant, order, total, fundamental, samples } => {
                let key = (variant, order);
                let position = *positions.get(&key)?;
                let counts = Counts {
                    total: total.parse().ok()?,
                    fundamental: fundamental.and_then(|count| count.parse().ok()),
                };
                self.counts.insert(key.clone(), counts);
                for (sample, (iterations, elapsed_ns)) in (1..).zip(samples) {
                    self.data.samples.push(Sample {
                        variant: key.0.clone(),
                        order,
                        round: round as usize + 1,
                        position,
                        sample,
                        iterations,
                        elapsed_ns,
                    });
                }
                Some(key)
            }
            Answer::Failed { variant, order, reason } => {
                self.failures.of_case(&variant, order, reason);
                Some((variant, order))
            }
            Answer::Call { .. } => None,
        }
    }

    fn result_line(&self, case: &Case) -> String {
        if let Some(reason) = self.failures.cases.get(&key(case)) {
            return format!("{}: failed: {reason}", name(case));
        }
        let rounds = data::rounds_of_case(&self.data.samples, &case.variant, case.order);
        let time = stats::median_of_rounds(rounds.values().map(Vec::as_slice));
        let time = time.map_or_else(|| "no samples".to_owned(), format::time);
        format!("{}: {time}", name(case))
    }

    fn summarise(&self, variant: &str, order: usize) -> Option<Measurement> {
        let counts = *self.counts.get(&(variant.to_owned(), order))?;
        let samples = &self.data.samples;
        data::summarise(samples, variant, Order::new(order)?, counts, self.run.plan.seed)
    }

    fn count_instructions(&mut self, progress: &Progress) -> Result<(), Failure> {
        let root = workspace::root();
        for case in self.run.plan.instruction_cases.clone() {
            let name = format!("{} at order {}", case.variant, case.order);
            if !self.fits(case.expected_s) {
                let reason = "the budget was spent before it".to_owned();
                self.take_count(case.variant, case.order, None, Status::LeftOut, reason);
                continue;
            }
            progress.under_way(&format!("instructions: {name}"));
            let home = self.folder.path.join("raw/callgrind").join(&case.variant);
            let home = home.join(format!("order-{}", case.order));
            lab::files::make_folder(&home).map_err(failed)?;
            let (variant, order) = (case.variant.clone(), case.order);
            match self.instruments.instructions(&case, &root, &home) {
                Ok(count) => {
                    let grouped = format::grouped(count.into());
                    progress.line(&format!("{name}: {grouped} instructions"));
                    self.take_count(variant, order, Some(count), Status::Measured, String::new());
                }
                Err(reason) => {
                    progress.line(&format!("{name}: instructions: failed: {reason}"));
                    self.failures.instructions.insert((variant.clone(), order), reason.clone());
                    self.take_count(variant, order, None, Status::Failed, reason);
                }
            }
            progress.advance(case.expected_s);
            self.write()?;
        }
        Ok(())
    }

    fn take_count(
        &mut self,
        variant: String,
        order: usize,
        instructions: Option<u64>,
        status: Status,
        reason: String,
    ) {
        let row = Instructions { variant, order, instructions, status, reason };
        self.data.instructions.push(row);
    }

    /// Ends the run: search trees, the last rows, charts and report.
    pub fn finish(&mut self) -> Result<(), Failure> {
        self.record_trees();
        for (place, reason) in data::implausible(&self.data.measurements) {
            let row = &self.data.measurements[place];
            self.failures.of_case(&row.variant, row.order, reason);
        }
        self.summarise_all();
        self.run.complete = true;
        self.write()?;
        // What charts and report use is what anyone can read again from the files.
        self.data = Data::read(&self.folder.path).map_err(failed)?;
        again::write(&self.data, &self.run.baseline, &self.folder.path)
    }

    /// Records the search trees at the largest order that every variant was timed at.
    fn record_trees(&mut self) {
        let order = self.run.plan.largest_common_order();
        let counted = self.run.plan.instruction_cases.iter().map(|case| case.order).max();
        let Some(order) = order.or(counted).and_then(Order::new) else { return };
        for entry in self.entries {
            let id = entry.variant.id();
            if self.failures.has_variant(id) {
                continue;
            }
            let Ok(Some(profile)) = entry.variant.profile(order) else { continue };
            let tests_squares = profile.squares_tested().is_some();
            self.data.search_tree.extend((1..).zip(profile.rows()).map(|(row, found)| TreeRow {
                variant: id.to_owned(),
                order: order.get(),
                row,
                nodes: found.nodes,
                squares_tested: tests_squares.then_some(found.squares_tested),
            }));
        }
    }

    /// Makes the rows of the time measurement from the samples so far.
    pub fn summarise_all(&mut self) {
        self.data.measurements = self.measurement_rows();
    }

    /// Writes what there is so far: each file aside and renamed, the run's own account last.
    pub fn write(&mut self) -> Result<(), Failure> {
        self.run.measuring_s = self.started.elapsed().as_secs_f64();
        let instructions = self.instruction_rows();
        let folder = &self.folder.path;
        records::write(folder, &self.data.measurements).map_err(failed)?;
        records::write(folder, &self.data.samples).map_err(failed)?;
        records::write(folder, &instructions).map_err(failed)?;
        records::write(folder, &self.data.search_tree).map_err(failed)?;
        self.run.rows = BTreeMap::from([
            (Measurement::FILE.to_owned(), self.data.measurements.len()),
            (Sample::FILE.to_owned(), self.data.samples.len()),
            (Instructions::FILE.to_owned(), instructions.len()),
            (TreeRow::FILE.to_owned(), self.data.search_tree.len()),
        ]);
        self.run.write(folder).map_err(failed)
    }

    /// A row for every case: measured, failed or left out.
    fn measurement_rows(&self) -> Vec<Measurement> {
        let plan = &self.run.plan;
        let mut rows: Vec<Measurement> = Vec::new();
        for case in &plan.cases {
            let (variant, order) = key(case);
            rows.push(match self.failures.cases.get(&key(case)) {
                Some(reason) => unmeasured(&variant, order, Status::Failed, reason),
                None => self.summarise(&variant, order).unwrap_or_else(|| {
                    unmeasured(&variant, order, Status::Failed, "the run was interrupted before it")
                }),
            });
        }
        for case in plan.left_out.iter().filter(|case| case.instrument == Instrument::Time) {
            rows.push(unmeasured(&case.variant, case.order, Status::LeftOut, &case.reason));
        }
        for (variant, (order, reason)) in &self.failures.variants {
            rows.push(unmeasured(variant, *order, Status::Failed, reason));
        }
        rows.sort_by_key(|row| row.order);
        rows
    }

    fn instruction_rows(&self) -> Vec<Instructions> {
        let mut rows = self.data.instructions.clone();
        let empty = |variant: &str, order, status, reason: &str| Instructions {
            variant: variant.to_owned(),
            order,
            instructions: None,
            status,
            reason: reason.to_owned(),
        };
        for case in &self.run.plan.instruction_cases {
            let counted = |row: &Instructions| {
                (row.variant.as_str(), row.order) == (case.variant.as_str(), case.order)
            };
            if !self.data.instructions.iter().any(counted) {
                let reason = "the run was interrupted before it";
                rows.push(empty(&case.variant, case.order, Status::Failed, reason));
            }
        }
        let left_out = self.run.plan.left_out.iter();
        for case in left_out.filter(|case| case.instrument == Instrument::Instructions) {
            rows.push(empty(&case.variant, case.order, Status::LeftOut, &case.reason));
        }
        if let Err(reason) = &self.settled.valgrind
            && self.settled.instructions_wanted
        {
            for case in &self.run.plan.cases {
                rows.push(empty(&case.variant, case.order, Status::LeftOut, reason));
            }
        }
        rows.sort_by_key(|row| row.order);
        rows
    }
}

fn key(case: &Case) -> (String, usize) {
    (case.variant.clone(), case.order)
}

fn name(case: &Case) -> String {
    format!("{} at order {}", case.variant, case.order)
}

/// A case for the instrument, with what it must count. Every order that can be measured is one that
/// the tables have.
fn round_case(case: &Case, verified: bool) -> RoundCase {
    let known = |table: fn(Order) -> Option<u64>| {
        Order::new(case.order).and_then(table).unwrap_or_default().to_string()
    };
    RoundCase {
        case: case.clone(),
        total: known(known::total),
        fundamental: known(known::fundamental),
        verified,
    }
}

/// The command as a person would type it again.
fn command_line(arguments: impl Iterator<Item = std::ffi::OsString>) -> String {
    let quoted = arguments.map(|argument| {
        let text = argument.to_string_lossy();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=+:".contains(c);
        if !text.is_empty() && text.chars().all(plain) {
            text.into_owned()
        } else {
            format!("'{}'", text.replace('\'', "'\\''"))
        }
    });
    std::iter::once("cargo xtask".to_owned()).chain(quoted).collect::<Vec<_>>().join(" ")
}

fn unmeasured(variant: &str, order: usize, status: Status, reason: &str) -> Measurement {
    Measurement {
        variant: variant.to_owned(),
        order,
        total: None,
        fundamental: None,
        median_ns: None,
        low_ns: None,
        high_ns: None,
        rounds: 0,
        samples: 0,
        iterations: 0,
        status,
        reason: reason.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_typed_again() {
        let arguments = ["bench", "--budget", "1h 30m", "--out", "it's"].map(Into::into);
        let line = "cargo xtask bench --budget '1h 30m' --out 'it'\\''s'";
        assert_eq!(command_line(arguments.into_iter()), line);
    }
}
