//! `bench`: verify, plan, measure, write, tell.

mod failures;
pub mod folder;
mod resume;
mod session;
mod telling;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use lab::data::Data;
use lab::frontier;
use lab::plan::{self, Pilot, Plan, Request};
use lab::protocol::{Answer, PilotTask, Task};
use lab::records::Status;
use lab::registry::{self, Entry};
use lab::run::{self, Run, SCHEMA};
use lab::verify;
use queens::{Order, known};

use crate::cli::{Bench, Instrument};
use crate::instruments::{self, Instruments};
use crate::output::{Done, Failure, failed};
use crate::process::Fault;
use crate::{code, interrupt, lock, machine, running, workspace};
use failures::Failures;
use session::{Session, Start};

/// Seconds of measuring in a default run, so that it ends within six minutes.
const BUDGET: f64 = 330.0;
/// Seconds of measuring in a quick run, so that it ends within one.
const QUICK_BUDGET: f64 = 45.0;
/// The fewest rounds of a default run and of a quick one.
const ROUNDS: u32 = 12;
const QUICK_ROUNDS: u32 = 10;
/// The least that a case is given in a round of a quick run, in seconds: many rounds say more than long
/// ones, though Criterion's own work takes up more of them.
const QUICK_LEAST_SECONDS: f64 = 0.02;
/// The part of a quick run's budget that its cases' least needs may fill.
const QUICK_ADMISSION_SHARE: f64 = 0.9;
/// The longest that a call of the pilot may take: many times more than it is expected to.
const PILOT_LIMIT: Duration = Duration::from_secs(30);

/// What a run has been asked for, settled.
struct Settled {
    entries: Vec<Entry>,
    baseline: String,
    time: bool,
    /// Whether instructions were asked for by name, or left out by name.
    instructions: Option<bool>,
    /// Valgrind's version, or why it is not used.
    valgrind: Result<String, String>,
    budget: f64,
    seed: u64,
}

impl Settled {
    /// Tries valgrind, unless instructions were left out by name.
    fn try_valgrind(&mut self) -> Result<(), Failure> {
        if self.instructions != Some(false) {
            self.valgrind = instruments::valgrind();
        }
        match (self.instructions, &self.valgrind) {
            (Some(true), Err(reason)) => {
                Err(failed(format!("instructions cannot be counted: {reason}")))
            }
            _ => Ok(()),
        }
    }

    /// Why instructions are not counted, where they were wanted.
    fn not_counted(&self) -> Option<String> {
        self.valgrind.clone().err().filter(|_| self.instructions != Some(false))
    }
}

/// Does all of it.
pub fn run(arguments: &Bench, registry: &[Entry], out: &mut dyn Write) -> Done {
    let earlier = arguments.against.as_deref().map(super::diff::read).transpose()?;
    if let Some(earlier) = &earlier {
        super::diff::refuse_other_machine(earlier, &machine::machine())?;
        if arguments.resume.is_none() {
            super::diff::refuse_other_threads(earlier, arguments.threads)?;
        }
    }
    if let Some(folder) = &arguments.resume {
        return resume::run(arguments, folder, registry, earlier.as_ref(), out);
    }
    let mut settled = settle(arguments, registry)?;
    let root = workspace::root();
    // The folder is made before anything is built: a place that cannot be written is found now.
    let folder = if arguments.dry_run { None } else { Some(folder::prepare(arguments, &root)?) };
    let place = folder.as_ref().map_or_else(|| "a plan".into(), |f| f.path.display().to_string());
    interrupt::install()?;
    let _lock = lock::take(&format!("bench into {place}"), arguments.wait)?;
    if let Some(folder) = &folder {
        // The one that was waited for may have written into it.
        folder.refuse_used()?;
    }
    settled.try_valgrind()?;
    let instruments = instruments::build(&root)?.sharing(arguments.threads);
    let started = Instant::now();
    let mut failures = Failures::default();
    let sound = verify_all(&settled.entries, &mut failures);
    let climb = climb(&instruments, &sound, &mut failures)?;
    let plan = plan::make(&request(arguments, &settled, &sound), &climb.pilot);
    telling::plan(&plan, &settled.entries, out)?;
    for failure in failures.lines() {
        writeln!(out, "WRONG: {failure}")?;
    }
    if let Err(reason) = &settled.valgrind
        && arguments.instruments.is_none()
    {
        writeln!(out, "Instructions are not counted: {reason}.")?;
    }
    let Some(folder) = folder else {
        return if failures.is_empty() { Ok(()) } else { Err(failed("a variant is wrong")) };
    };
    if plan.cases.is_empty() && plan.instruction_cases.is_empty() {
        return Err(failed(nothing_fits(&failures, &plan)));
    }
    out.flush()?;
    let mut run = account(arguments, &settled, plan, folder.id.clone(), &instruments, &root)?;
    run.sessions.push(new_session(climb.inside_s));
    let session = Session::new(Start {
        folder: &folder.path,
        instruments: &instruments,
        run,
        failures,
        data: Data { frontier: frontier::rows(&climb.pilot), ..Data::default() },
        counts: BTreeMap::new(),
        verified: climb.verified,
        started,
    })?;
    measure(session, earlier.as_ref(), arguments, out)
}

/// Measures, ends the run and tells of it.
fn measure(
    mut session: Session<'_>,
    earlier: Option<&Data>,
    arguments: &Bench,
    out: &mut dyn Write,
) -> Done {
    session.measure()?;
    session.finish()?;
    let told = telling::results(&session, out);
    match earlier {
        Some(earlier) => {
            told?;
            super::diff::gate(earlier, session.data(), arguments.threshold, out)
        }
        None => told,
    }
}

/// A session that begins now.
fn new_session(inside_s: f64) -> run::Session {
    run::Session {
        started: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        command: command_line(std::env::args_os().skip(1)),
        measuring_s: 0.0,
        wall_s: 0.0,
        inside_s,
    }
}

/// A run's own account, before its first session.
fn account(
    arguments: &Bench,
    settled: &Settled,
    plan: Plan,
    id: String,
    instruments: &Instruments,
    root: &Path,
) -> Result<Run, Failure> {
    let mut notes = Vec::new();
    if let (Err(reason), None) = (&settled.valgrind, &arguments.instruments) {
        notes.push(format!("instructions are not counted: {reason}"));
    }
    let source = workspace::source(root);
    let mut not_for_publication = Vec::new();
    if arguments.quick {
        not_for_publication.push("a quick run has few rounds and short samples".to_owned());
    }
    if source.dirty == Some(true) {
        not_for_publication.push("the source has changes that are not committed".to_owned());
    }
    let variants = settled.entries.iter().map(|entry| entry.variant.id());
    let session = new_session(0.0);
    Ok(Run {
        schema: SCHEMA,
        id,
        started: session.started,
        command: session.command,
        complete: false,
        not_for_publication,
        // Unasked, the first that is measured.
        baseline: match (&arguments.baseline, plan.cases.first()) {
            (None, Some(case)) => case.variant.clone(),
            _ => settled.baseline.clone(),
        },
        machine: machine::machine(),
        toolchain: machine::toolchain(root, &instruments.opt_level, settled.valgrind.clone().ok()),
        source,
        plan,
        rounds_finished: 0,
        sessions: Vec::new(),
        code_lines: code::lines(root, variants.clone())?,
        code: code::of_variants(root, variants)?,
        shared_code: code::shared(root)?,
        rows: BTreeMap::new(),
        not_counted: settled.not_counted(),
        threads: arguments.threads,
        running: running::sentences(
            settled.entries.iter().map(|entry| entry.variant.id()),
            arguments.threads,
            settled.valgrind.is_ok(),
        ),
        notes,
    })
}

fn nothing_fits(failures: &Failures, plan: &Plan) -> String {
    match (failures.lines().next(), plan.left_out.first()) {
        (Some(failure), _) => format!("nothing can be measured: {failure}"),
        (None, Some(case)) => format!(
            "nothing can be measured: {} at order {}: {}",
            case.variant, case.order, case.reason
        ),
        (None, None) => {
            "no variant accepts one of these orders; 'list' names their limits".to_owned()
        }
    }
}

fn settle(arguments: &Bench, registry: &[Entry]) -> Result<Settled, Failure> {
    let entries = match &arguments.variants {
        Some(ids) => registry::select(registry, &ids.join(",")).map_err(Failure::Usage)?,
        None => registry.to_vec(),
    };
    let first = entries.first().map_or("", |entry| entry.variant.id());
    let baseline = arguments.baseline.clone().unwrap_or_else(|| first.to_owned());
    if registry::find(&entries, &baseline).is_none() {
        return Err(Failure::Usage(format!(
            "the baseline '{baseline}' is not measured: measured are {}",
            registry::names(&entries)
        )));
    }
    let asked = |instrument| arguments.instruments.as_ref().map(|list| list.contains(&instrument));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(Settled {
        entries,
        baseline,
        time: asked(Instrument::Time).unwrap_or(true),
        instructions: asked(Instrument::Instructions),
        valgrind: Err("they were not asked for".to_owned()),
        budget: arguments.budget.unwrap_or(if arguments.quick { QUICK_BUDGET } else { BUDGET }),
        // Few digits are easier to type again.
        seed: arguments.seed.unwrap_or_else(|| u64::from(now.subsec_nanos())),
    })
}

/// Verifies every variant at small orders; one that is wrong is not measured at any order.
fn verify_all(entries: &[Entry], failures: &mut Failures) -> Vec<&'static str> {
    let mut sound = Vec::new();
    for entry in entries {
        let id = entry.variant.id();
        match verify::first_fault(entry.variant) {
            Some(check) => {
                let order = check.order.get();
                failures.of_variant(id, order, Status::Failed, check.difference());
            }
            None => sound.push(id),
        }
    }
    sound
}

/// What the pilot found.
#[derive(Default)]
struct Climb {
    /// What a call of each case takes.
    pilot: Pilot,
    /// The cases that it called, whose counts it has compared.
    verified: BTreeSet<failures::Key>,
    /// The seconds inside the calls.
    inside_s: f64,
}

/// Finds what a call of each case takes, climbing until a call reaches a second, and compares each
/// count on the way. A variant that is wrong, or does not come to an end, is out; the others go on.
fn climb(
    instruments: &Instruments,
    sound: &[&str],
    failures: &mut Failures,
) -> Result<Climb, Failure> {
    let mut climb = Climb::default();
    for id in sound {
        let task = Task::Pilot(PilotTask {
            variants: vec![(*id).to_owned()],
            limit_ns: frontier::SECOND_NS,
            largest_order: Order::MAX.get(),
        });
        let mut next = 0;
        let ended = instruments.time(task, PILOT_LIMIT, &mut |answer| {
            if let Answer::Call { variant, order, ns, inside_ns, total, fundamental } = answer {
                next = order + 1;
                climb.inside_s += inside_ns / 1e9;
                if let Some(reason) = wrong_count(order, &total, fundamental.as_deref()) {
                    failures.of_variant(&variant, order, Status::Failed, reason);
                } else {
                    climb.pilot.entry(variant.clone()).or_default().insert(order, ns);
                    climb.verified.insert((variant, order));
                }
            }
            Some(PILOT_LIMIT)
        });
        match ended {
            Ok(()) => {}
            Err(Fault::Interrupted) => {
                return Err(Failure::Interrupted("nothing was measured".to_owned()));
            }
            Err(fault) => {
                let (status, reason) = fault.verdict();
                failures.of_variant(id, next, status, reason);
            }
        }
    }
    climb.pilot.retain(|variant, _| !failures.has_variant(variant));
    Ok(climb)
}

/// What is wrong with counts, which are compared with the known tables.
fn wrong_count(order: usize, total: &str, fundamental: Option<&str>) -> Option<String> {
    let order = Order::new(order)?;
    let wrong = |what: &str, known: Option<u64>, found: &str| {
        let known = known?.to_string();
        (known != found).then(|| format!("{what}: expected {known}, got {found}"))
    };
    wrong("total", known::total(order), total)
        .or_else(|| wrong("fundamental count", known::fundamental(order), fundamental?))
}

fn request(arguments: &Bench, settled: &Settled, sound: &[&'static str]) -> Request {
    let (least_seconds, admission_share) = if arguments.quick {
        (QUICK_LEAST_SECONDS, QUICK_ADMISSION_SHARE)
    } else {
        (plan::LEAST_SECONDS, plan::ADMISSION_SHARE)
    };
    Request {
        variants: sound
            .iter()
            .filter_map(|id| registry::find(&settled.entries, id))
            .map(|entry| entry.variant)
            .collect(),
        orders: arguments.orders.clone(),
        budget: settled.budget,
        rounds: arguments.rounds,
        least_rounds: if arguments.quick { QUICK_ROUNDS } else { ROUNDS },
        mirrored: !arguments.quick,
        least_seconds,
        admission_share,
        case_limit: arguments.case_limit,
        time: settled.time,
        instructions: settled.valgrind.is_ok(),
        seed: settled.seed,
    }
}

/// The command as a person would type it again.
pub fn command_line(arguments: impl Iterator<Item = std::ffi::OsString>) -> String {
    let quoted = arguments.map(|argument| {
        let text = argument.to_string_lossy();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=+:%".contains(c);
        if !text.is_empty() && text.chars().all(plain) {
            text.into_owned()
        } else {
            format!("'{}'", text.replace('\'', "'\\''"))
        }
    });
    std::iter::once("cargo xtask".to_owned()).chain(quoted).collect::<Vec<_>>().join(" ")
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

    /// CLI-05 of the public reports: a variant that is wrong is not measured, and the run fails.
    #[test]
    fn a_wrong_variant_is_not_sound() {
        use queens::{About, Counts, Tree, Variant};
        static WRONG: Variant = Variant::new(
            About {
                id: "wrong",
                summary: "counts nothing",
                complexity: "O(1)",
                source: "",
                follows: &[],
                recursive: false,
                tree: Tree::Own,
                largest_order: Order::MAX,
            },
            |_| Counts { total: 0, fundamental: None },
        );
        let registry = &lab::registry::REGISTRY;
        let planted = Entry { variant: &WRONG, style: registry[0].style };
        let mut failures = Failures::default();
        assert_eq!(verify_all(&[registry[0], planted], &mut failures), [registry[0].variant.id()]);
        let lines: Vec<String> = failures.lines().collect();
        assert_eq!(lines, ["wrong at order 0: total: expected 1, got 0"]);
    }

    /// CLI-05 of the public reports: a wrong count is found before anything is timed.
    #[test]
    fn wrong_counts_are_found_and_unknown_ones_are_not_wrong() {
        assert_eq!(wrong_count(8, "92", Some("12")), None);
        assert_eq!(wrong_count(8, "92", None), None);
        let reason = wrong_count(8, "96", None).unwrap();
        assert_eq!(reason, "total: expected 92, got 96");
        let reason = wrong_count(8, "92", Some("23")).unwrap();
        assert_eq!(reason, "fundamental count: expected 12, got 23");
        assert_eq!(wrong_count(100, "7", None), None);
    }
}
