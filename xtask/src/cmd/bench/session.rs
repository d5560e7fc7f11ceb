//! A run while it is measured: what has been found so far, each finding on disk at once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use lab::data::{self, Data};
use lab::environment;
use lab::format;
use lab::journal::{self, Entry, Journal};
use lab::plan::{CONTROL, Case, Instrument};
use lab::protocol::{Answer, RoundCase, RoundTask, Task};
use lab::records::{self, Instructions, Measurement, Record, Sample, Status, TreeRow};
use lab::run::{self, Run};
use lab::stats;
use queens::{Counts, Order, known};

use super::failures::{Failures, Key};
use crate::cmd::again;
use crate::instruments::Instruments;
use crate::output::{Failure, failed};
use crate::process::Fault;
use crate::progress::Progress;
use crate::workspace;

/// How the note begins that some rounds did not fit into the budget.
pub const SLOWER: &str = "the machine was slower than the pilot found";

/// A run while it is measured.
pub struct Session<'a> {
    folder: &'a Path,
    instruments: &'a Instruments,
    data: Data,
    /// Cases whose counts have been compared, by the pilot or by an earlier measurement.
    verified: BTreeSet<Key>,
    /// What each case has counted while it was timed.
    counts: BTreeMap<Key, Counts>,
    run: Run,
    failures: Failures,
    journal: Journal,
    /// When the session began, with its pilot.
    started: Instant,
    /// When measuring began.
    measuring: Instant,
}

/// What a session begins with.
pub struct Start<'a> {
    /// Where the results go.
    pub folder: &'a Path,
    /// What measures.
    pub instruments: &'a Instruments,
    /// The run's own account, with the session that begins as its last one.
    pub run: Run,
    /// What is wrong already.
    pub failures: Failures,
    /// What earlier sessions measured, and the climb.
    pub data: Data,
    /// What each case has counted in earlier sessions.
    pub counts: BTreeMap<Key, Counts>,
    /// Cases whose counts have been compared.
    pub verified: BTreeSet<Key>,
    /// When the session began.
    pub started: Instant,
}

impl<'a> Session<'a> {
    /// A session, before anything is measured in it.
    pub fn new(start: Start<'a>) -> Result<Self, Failure> {
        let Start { folder, instruments, run, failures, data, counts, verified, .. } = start;
        let journal = Journal::create(folder, &entries(&data, &counts)).map_err(failed)?;
        let mut session = Self {
            folder,
            instruments,
            data,
            verified,
            counts,
            run,
            failures,
            journal,
            started: start.started,
            measuring: Instant::now(),
        };
        session.write()?;
        Ok(session)
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
        self.folder
    }

    /// What has failed, a line each.
    pub fn failure_lines(&self) -> impl ExactSizeIterator<Item = String> {
        self.failures.lines()
    }

    /// Measures what the plan has and no earlier session has measured.
    pub fn measure(&mut self) -> Result<(), Failure> {
        let progress = Progress::new(self.run.plan.expected_s);
        self.measuring = Instant::now();
        let measured =
            self.measure_rounds(&progress).and_then(|()| self.count_instructions(&progress));
        if let Err(Failure::Interrupted(_)) = measured {
            drop(progress);
            // What is in the journal is in the other files, too, for whoever looks at them now.
            self.write()?;
            let place = self.folder.display();
            return Err(Failure::Interrupted(format!(
                "what was measured is in {place}; 'cargo xtask bench --resume {place}' goes on"
            )));
        }
        measured
    }

    fn this(&mut self) -> &mut run::Session {
        // `Start` brings the session that begins as the last one.
        let last = self.run.sessions.len() - 1;
        &mut self.run.sessions[last]
    }

    /// Whether work of so many seconds, with what must follow it, still fits into the promised time.
    fn fits(&self, seconds: f64) -> bool {
        self.measuring.elapsed().as_secs_f64() + seconds <= self.run.plan.budget_s * 1.08
    }

    /// The cases that a round lacks, in its order, with their places in it.
    fn missing(&self, round: u32) -> Vec<(usize, Case)> {
        let number = round as usize + 1;
        let there: BTreeSet<(&str, usize)> = self
            .data
            .samples
            .iter()
            .filter(|sample| sample.round == number)
            .map(|sample| (sample.variant.as_str(), sample.order))
            .collect();
        let cases = &self.run.plan.cases;
        (1..)
            .zip(self.run.plan.order_of_round(round))
            .map(|(position, place)| (position, cases[place].clone()))
            .filter(|(_, case)| !there.contains(&(case.variant.as_str(), case.order)))
            .filter(|(_, case)| self.failures.case(&key(case), &case.subject).is_none())
            .collect()
    }

    fn measure_rounds(&mut self, progress: &Progress) -> Result<(), Failure> {
        let rounds = if self.run.plan.cases.is_empty() { 0 } else { self.run.plan.rounds };
        let reserved: f64 =
            self.run.plan.instruction_cases.iter().map(|case| case.expected_s).sum();
        let mut longest = 0.0_f64;
        for round in 0..rounds {
            if self.missing(round).is_empty() {
                self.run.rounds_finished = self.run.rounds_finished.max(round + 1);
                continue;
            }
            // The promised time is kept: a machine that has become slower measures fewer rounds.
            if round > 0 && !self.fits(longest + reserved) {
                self.run
                    .notes
                    .push(format!("{SLOWER}: {round} of {rounds} rounds fitted into the budget"));
                break;
            }
            let start = Instant::now();
            self.measure_round(round, progress)?;
            longest = longest.max(start.elapsed().as_secs_f64());
            self.run.rounds_finished = round + 1;
            self.journal.add(&Entry::RoundFinished(round + 1)).map_err(failed)?;
            progress.line(&format!(
                "round {} of {rounds} finished after {}",
                round + 1,
                crate::format_seconds(self.measuring.elapsed())
            ));
            self.write()?;
        }
        for case in self.run.plan.cases.iter().filter(|case| case.variant != CONTROL) {
            progress.line(&self.result_line(case));
        }
        Ok(())
    }

    /// Measures what a round lacks. A case that ends the instrument, or that is ended at its limit,
    /// fails, and the rest is measured by starting it again.
    fn measure_round(&mut self, round: u32, progress: &Progress) -> Result<(), Failure> {
        for start in 1.. {
            let waiting = self.missing(round);
            let Some((_, first)) = waiting.first() else { break };
            progress.under_way(&format!("round {}: {}", round + 1, name(first)));
            let (ended, done) = self.measure_waiting(round, start, &waiting, progress)?;
            if let Err(Fault::Interrupted) = ended {
                return Err(Failure::Interrupted(String::new()));
            }
            // The case that was under way is to blame, and no other.
            if let Some((_, case)) = waiting.into_iter().nth(done) {
                let (status, reason) = ended.err().map_or_else(
                    || (Status::Failed, "it was not measured".to_owned()),
                    Fault::verdict,
                );
                progress.line(&format!("{}: {status}: {reason}", name(&case)));
                self.fail(key(&case), status, reason)?;
            }
        }
        Ok(())
    }

    fn fail(&mut self, key: Key, status: Status, reason: String) -> Result<(), Failure> {
        let entry = Entry::Failed {
            variant: key.0.clone(),
            order: key.1,
            instrument: Instrument::Time,
            status,
            reason: reason.clone(),
        };
        self.failures.of_case(key, status, reason);
        self.journal.add(&entry).map_err(failed)
    }

    /// Measures the waiting cases, and says how it ended and how many were answered. Each answer is in the journal before the next one
    /// begins. Nothing else is done meanwhile, so that nothing is computed beside what is being
    /// measured.
    fn measure_waiting(
        &mut self,
        round: u32,
        start: usize,
        waiting: &[(usize, Case)],
        progress: &Progress,
    ) -> Result<(Result<(), Fault>, usize), Failure> {
        let session = self.run.sessions.len();
        let home = self.folder.join(format!("raw/criterion/round-{}-{session}-{start}", round + 1));
        let cases: Vec<RoundCase> = waiting
            .iter()
            .map(|(_, case)| {
                let known = (case.subject.clone(), case.order);
                round_case(case, self.verified.contains(&known) || self.counts.contains_key(&known))
            })
            .collect();
        let limits: Vec<Duration> =
            waiting.iter().map(|(_, case)| Duration::from_secs_f64(case.limit_s)).collect();
        let task = Task::Round(RoundTask { cases, home, acknowledged: cfg!(unix) });
        let mut written = Ok(());
        let mut done = 0;
        let instruments = self.instruments;
        let ended = instruments.time(task, limits[0], &mut |answer| {
            let answered = self.take(answer, round, waiting);
            match answered {
                Ok(true) => {
                    progress.advance(waiting[done].1.seconds_a_round());
                    done += 1;
                }
                Ok(false) => {}
                Err(fault) => written = Err(fault),
            }
            if let Some((_, next)) = waiting.get(done) {
                progress.under_way(&format!("round {}: {}", round + 1, name(next)));
            }
            if written.is_err() {
                // What cannot be kept is not worth measuring.
                return Some(Duration::ZERO);
            }
            limits.get(done).copied().or(Some(Duration::from_mins(1)))
        });
        written.map(|()| (ended, done))
    }

    /// Takes an answer in; says whether it ends a case.
    fn take(
        &mut self,
        answer: Answer,
        round: u32,
        waiting: &[(usize, Case)],
    ) -> Result<bool, Failure> {
        match answer {
            Answer::Samples { variant, order, total, fundamental, samples, inside_ns } => {
                let key = (variant, order);
                let found = waiting.iter().find(|(_, case)| self::key(case) == key);
                let Some((position, case)) = found else {
                    return Err(failed(format!(
                        "the instrument measured {} at order {order}, which is not in the plan",
                        key.0
                    )));
                };
                if samples.len() != case.samples as usize {
                    return Err(failed(format!(
                        "the instrument took {} samples of {} where the plan has {}",
                        samples.len(),
                        name(case),
                        case.samples
                    )));
                }
                let number = |text: &str| {
                    text.parse::<u128>()
                        .map_err(|_| failed(format!("the instrument counted '{text}'")))
                };
                let counts = Counts {
                    total: number(&total)?,
                    fundamental: fundamental.as_deref().map(number).transpose()?,
                };
                let session = self.run.sessions.len();
                let samples: Vec<Sample> = (1..)
                    .zip(samples)
                    .map(|(sample, (iterations, elapsed_ns))| Sample {
                        variant: key.0.clone(),
                        order,
                        round: round as usize + 1,
                        session,
                        position: *position,
                        sample,
                        iterations,
                        elapsed_ns,
                    })
                    .collect();
                self.counts.insert(key, counts);
                self.data.samples.extend(samples.iter().cloned());
                self.this().inside_s += inside_ns / 1e9;
                let entry = Entry::Case { total, fundamental, inside_ns, samples };
                self.journal.add(&entry).map_err(failed)?;
                Ok(true)
            }
            Answer::Failed { variant, order, reason } => {
                self.fail((variant, order), Status::Failed, reason)?;
                Ok(true)
            }
            Answer::Environment { before, after } => {
                let session = self.run.sessions.len();
                let row = environment::row(round as usize + 1, session, &before, &after);
                self.data.environment.push(row.clone());
                self.journal.add(&Entry::Environment(row)).map_err(failed)?;
                Ok(false)
            }
            _ => Ok(false),
        }
    }

    fn result_line(&self, case: &Case) -> String {
        if let Some((status, reason)) = self.failures.case(&key(case), &case.subject) {
            return format!("{}: {status}: {reason}", name(case));
        }
        let rounds = data::rounds_of_case(&self.data.samples, &case.variant, case.order);
        let time = stats::median_of_rounds(rounds.values().map(Vec::as_slice));
        let time = time.map_or_else(|| "no samples".to_owned(), format::time);
        format!("{}: {time}", name(case))
    }

    fn count_instructions(&mut self, progress: &Progress) -> Result<(), Failure> {
        let root = workspace::root();
        for case in self.run.plan.instruction_cases.clone() {
            let is_there = |row: &Instructions| {
                (row.variant.as_str(), row.order) == (case.variant.as_str(), case.order)
            };
            if self.data.instructions.iter().any(is_there)
                || self.failures.has_variant(&case.variant)
            {
                continue;
            }
            let name = format!("{} at order {}", case.variant, case.order);
            let mut row = Instructions {
                variant: case.variant.clone(),
                order: case.order,
                instructions: None,
                status: Status::LeftOut,
                reason: "the budget was spent before it".to_owned(),
            };
            if !self.fits(case.expected_s) {
                self.data.instructions.push(row);
                continue;
            }
            progress.under_way(&format!("instructions: {name}"));
            let home = self.folder.join("raw/callgrind").join(&case.variant);
            let home = home.join(format!("order-{}", case.order));
            lab::files::make_folder(&home).map_err(failed)?;
            let limit = Duration::from_secs_f64(case.limit_s);
            let subject = (case.variant.as_str(), case.order);
            match self.instruments.count(subject, &root, &home, limit, false) {
                Ok(events) => {
                    let grouped = format::grouped(events.instructions.into());
                    progress.line(&format!("{name}: {grouped} instructions"));
                    row.instructions = Some(events.instructions);
                    (row.status, row.reason) = (Status::Measured, String::new());
                    self.journal.add(&Entry::Instructions(row.clone())).map_err(failed)?;
                }
                Err(Fault::Interrupted) => return Err(Failure::Interrupted(String::new())),
                Err(fault) => {
                    (row.status, row.reason) = fault.verdict();
                    progress.line(&format!("{name}: instructions: {}: {}", row.status, row.reason));
                    self.failures.of_instructions(
                        (case.variant.clone(), case.order),
                        row.status,
                        row.reason.clone(),
                    );
                }
            }
            self.data.instructions.push(row);
            progress.advance(case.expected_s);
        }
        Ok(())
    }

    /// Ends the run: search trees, the last rows, charts and report.
    pub fn finish(&mut self) -> Result<(), Failure> {
        self.record_trees()?;
        self.refuse_implausible();
        self.run.complete = true;
        self.write()?;
        if let Some(mismatch) = Data::read(self.folder).map_err(failed)?.mismatch() {
            self.run.complete = false;
            self.write()?;
            return Err(failed(format!("the results are not those of the plan: {mismatch}")));
        }
        journal::remove(self.folder).map_err(failed)?;
        self.write_report()?;
        // What charts and report use is what anyone can read again from the files.
        self.data = Data::read(self.folder).map_err(failed)?;
        Ok(())
    }

    /// Draws the charts and writes the report, from the files.
    fn write_report(&mut self) -> Result<(), Failure> {
        let data = Data::read(self.folder).map_err(failed)?;
        again::write(&data, &self.run.baseline, self.folder)
    }

    /// Times and counts that no search can have are no results.
    fn refuse_implausible(&mut self) {
        let measurements = self.measurement_rows();
        for (place, reason) in data::implausible(&measurements, &self.data.frontier) {
            let row = &measurements[place];
            self.failures.of_case((row.variant.clone(), row.order), Status::Failed, reason);
        }
        for (place, reason) in data::implausible_counts(&self.data.instructions) {
            let row = &mut self.data.instructions[place];
            (row.status, row.instructions) = (Status::Failed, None);
            row.reason.clone_from(&reason);
            let key = (row.variant.clone(), row.order);
            self.failures.of_instructions(key, Status::Failed, reason);
        }
    }

    /// Records the search trees at the orders of the plan, up to the largest that every variant was timed at:
    /// what a time is made of is told at an order at which instructions were counted, too.
    fn record_trees(&mut self) -> Result<(), Failure> {
        self.data.search_tree.clear();
        let plan = &self.run.plan;
        let counted = plan.instruction_cases.iter().map(|case| case.order);
        let largest = plan.largest_common_order().or(counted.clone().max());
        let Some(largest) = largest else { return Ok(()) };
        let orders = plan.cases.iter().map(|case| case.order).chain(counted);
        let orders: BTreeSet<usize> = orders.filter(|order| *order <= largest).collect();
        let mut rows = Vec::new();
        for id in self.run.code.keys().filter(|id| !self.failures.has_variant(id)) {
            let Some(entry) = lab::registry::find(&lab::registry::REGISTRY, id) else { continue };
            for order in orders.iter().copied().filter_map(Order::new) {
                let Ok(Some(profile)) = entry.variant.profile(order) else { continue };
                let tests_squares = profile.squares_tested().is_some();
                rows.extend((1..).zip(profile.rows()).map(|(row, found)| TreeRow {
                    variant: id.clone(),
                    order: order.get(),
                    row,
                    nodes: found.nodes,
                    squares_tested: tests_squares.then_some(found.squares_tested),
                }));
                if crate::interrupt::pending().is_some() {
                    return Err(Failure::Interrupted(
                        "everything is measured; --resume ends it".into(),
                    ));
                }
            }
        }
        self.data.search_tree = rows;
        Ok(())
    }

    /// Writes what there is so far: each file aside and renamed, the run's own account last.
    pub fn write(&mut self) -> Result<(), Failure> {
        let measuring_s = self.measuring.elapsed().as_secs_f64();
        let wall_s = self.started.elapsed().as_secs_f64();
        let this = self.this();
        (this.measuring_s, this.wall_s) = (measuring_s, wall_s);
        self.data.measurements = self.measurement_rows();
        self.data.control = data::controls(&self.data.samples, Some(&self.run.plan));
        let instructions = self.instruction_rows();
        let data = &self.data;
        let folder = self.folder;
        records::write(folder, &data.measurements)
            .and_then(|()| records::write(folder, &data.samples))
            .and_then(|()| records::write(folder, &instructions))
            .and_then(|()| records::write(folder, &data.search_tree))
            .and_then(|()| records::write(folder, &data.control))
            .and_then(|()| records::write(folder, &data.frontier))
            .and_then(|()| records::write(folder, &data.environment))
            .map_err(failed)?;
        self.run.rows = [
            (Measurement::FILE, data.measurements.len()),
            (Sample::FILE, data.samples.len()),
            (Instructions::FILE, instructions.len()),
            (TreeRow::FILE, data.search_tree.len()),
            (records::Control::FILE, data.control.len()),
            (records::Frontier::FILE, data.frontier.len()),
            (records::Environment::FILE, data.environment.len()),
        ]
        .map(|(file, rows)| (file.to_owned(), rows))
        .into();
        self.run.write(folder).map_err(failed)
    }

    /// A row for every case: measured, failed or left out.
    fn measurement_rows(&self) -> Vec<Measurement> {
        let plan = &self.run.plan;
        let mut rows: Vec<Measurement> = Vec::new();
        for case in plan.cases.iter().filter(|case| case.variant != CONTROL) {
            rows.push(match self.failures.case(&key(case), &case.subject) {
                Some((status, reason)) => unmeasured(&case.variant, case.order, status, &reason),
                None => self.summarise(case).unwrap_or_else(|| {
                    let reason = "the run was interrupted before it";
                    unmeasured(&case.variant, case.order, Status::Failed, reason)
                }),
            });
        }
        for case in plan.left_out.iter().filter(|case| case.instrument == Instrument::Time) {
            rows.push(unmeasured(&case.variant, case.order, Status::LeftOut, &case.reason));
        }
        for (variant, order, status, reason) in self.failures.variants() {
            // A variant that was right when the plan was made has its rows already.
            if plan.cases.iter().all(|case| case.variant != variant) {
                rows.push(unmeasured(variant, order, status, reason));
            }
        }
        rows.sort_by_key(|row| row.order);
        rows
    }

    fn summarise(&self, case: &Case) -> Option<Measurement> {
        let counts = *self.counts.get(&key(case))?;
        let (samples, seed) = (&self.data.samples, self.run.plan.seed);
        let order = Order::new(case.order)?;
        let mut row = data::summarise(samples, &case.variant, order, counts, seed)?;
        let mut unfit = self.run.not_for_publication.clone();
        let rounds = data::rounds_of_case(samples, &case.variant, case.order);
        unfit.extend(data::too_few_rounds(rounds.len()));
        unfit.extend(environment::verdict(&self.data.environment, rounds.into_keys()));
        row.fit_to_publish = Some(unfit.is_empty());
        row.reason = unfit.join("; ");
        Some(row)
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
                let wrong = self.failures.variants().find(|(id, ..)| *id == case.variant);
                let reason = wrong.map_or("the run was interrupted before it", |(.., why)| why);
                rows.push(empty(&case.variant, case.order, Status::Failed, reason));
            }
        }
        let left_out = self.run.plan.left_out.iter();
        for case in left_out.filter(|case| case.instrument == Instrument::Instructions) {
            rows.push(empty(&case.variant, case.order, Status::LeftOut, &case.reason));
        }
        if let Some(reason) = &self.run.not_counted {
            for case in self.run.plan.cases.iter().filter(|case| case.variant != CONTROL) {
                rows.push(empty(&case.variant, case.order, Status::LeftOut, reason));
            }
        }
        rows.sort_by_key(|row| row.order);
        rows
    }
}

/// What earlier sessions measured, as entries of the journal.
fn entries(data: &Data, counts: &BTreeMap<Key, Counts>) -> Vec<Entry> {
    let cases = data.samples.chunk_by(|a, b| {
        (&a.variant, a.order, a.round, a.session) == (&b.variant, b.order, b.round, b.session)
    });
    let mut entries: Vec<Entry> = cases
        .filter_map(|samples| {
            let first = samples.first()?;
            let counts = counts.get(&(first.variant.clone(), first.order))?;
            Some(Entry::Case {
                total: counts.total.to_string(),
                fundamental: counts.fundamental.map(|count| count.to_string()),
                // Their session has it.
                inside_ns: 0.0,
                samples: samples.to_vec(),
            })
        })
        .collect();
    entries.extend(data.environment.iter().cloned().map(Entry::Environment));
    let counted = data.instructions.iter().filter(|row| row.status == Status::Measured);
    entries.extend(counted.cloned().map(Entry::Instructions));
    entries
}

fn key(case: &Case) -> Key {
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
        fit_to_publish: None,
        status,
        reason: reason.to_owned(),
    }
}
