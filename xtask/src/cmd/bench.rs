//! `bench`: verify, plan, measure, write, tell.

mod folder;
mod session;
mod telling;

use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use lab::plan::{self, Pilot, Plan, Request};
use lab::protocol::{Answer, PilotTask, Task};
use lab::registry::{self, Entry};
use lab::verify::{self, Check};
use queens::{Order, known};

use crate::cli::{Bench, Instrument};
use crate::instruments::{self, Instruments};
use crate::output::{Done, Failure, failed};
use crate::workspace;
use session::{Failures, Session};

/// Seconds of measuring in a default run, so that it ends within six minutes.
const BUDGET: f64 = 330.0;
/// Seconds of measuring in a quick run, so that it ends within one.
const QUICK_BUDGET: f64 = 45.0;
/// Rounds of a default run and of a quick one.
const ROUNDS: u32 = 8;
const QUICK_ROUNDS: u32 = 3;
/// Orders at which everything is verified before anything is built on it.
const VERIFIED: usize = 8;

/// What a run has been asked for, settled.
struct Settled {
    entries: Vec<Entry>,
    baseline: String,
    time: bool,
    instructions: bool,
    /// Whether instructions are to be counted if they can be.
    instructions_wanted: bool,
    /// Valgrind's version, or why it cannot be used.
    valgrind: Result<String, String>,
    budget: f64,
    rounds: u32,
    seed: u64,
}

/// Does all of it.
pub fn run(arguments: &Bench, registry: &[Entry], out: &mut dyn Write) -> Done {
    let settled = settle(arguments, registry)?;
    let root = workspace::root();
    // The folder is made before anything is built: a place that cannot be written is found now.
    let folder = if arguments.dry_run { None } else { Some(folder::prepare(arguments, &root)?) };
    let instruments = instruments::build(&root)?;
    let mut failures = Failures::default();
    let sound = verify_all(&settled.entries, &mut failures);
    let pilot = if sound.is_empty() {
        Pilot::default()
    } else {
        pilot(&instruments, &sound, arguments, &settled, &mut failures)?
    };
    let plan = plan::make(&request(arguments, &settled, &sound), &pilot);
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
    let mut session =
        Session::new(&folder, arguments, &settled, plan, &pilot, failures, &instruments);
    session.summarise_all();
    session.write()?;
    session.measure()?;
    session.finish()?;
    telling::results(&session, out)
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
    let instructions = asked(Instrument::Instructions);
    let valgrind = if instructions == Some(false) {
        Err("they were not asked for".to_owned())
    } else {
        instruments::valgrind()
    };
    if let (Some(true), Err(reason)) = (instructions, &valgrind) {
        return Err(failed(format!("instructions cannot be counted: {reason}")));
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let (budget, rounds) =
        if arguments.quick { (QUICK_BUDGET, QUICK_ROUNDS) } else { (BUDGET, ROUNDS) };
    Ok(Settled {
        entries,
        baseline,
        time: asked(Instrument::Time).unwrap_or(true),
        instructions_wanted: instructions.unwrap_or(true),
        instructions: instructions.unwrap_or(true) && valgrind.is_ok(),
        valgrind,
        budget: arguments.budget.unwrap_or(budget),
        rounds,
        // Few digits are easier to type again.
        seed: arguments.seed.unwrap_or_else(|| u64::from(now.subsec_nanos())),
    })
}

/// Verifies every variant at small orders; one that is wrong is not measured at any order.
fn verify_all(entries: &[Entry], failures: &mut Failures) -> Vec<&'static str> {
    let mut sound = Vec::new();
    for entry in entries {
        let id = entry.variant.id();
        let wrong = (0..=VERIFIED)
            .filter_map(Order::new)
            .flat_map(|order| verify::verify(entry.variant, order, order))
            .find(Check::failed);
        match wrong {
            Some(check) => failures.of_variant(id, check.order.get(), check.difference()),
            None => sound.push(id),
        }
    }
    sound
}

/// Finds what a call of each case takes, and compares each count on the way.
fn pilot(
    instruments: &Instruments,
    sound: &[&str],
    arguments: &Bench,
    settled: &Settled,
    failures: &mut Failures,
) -> Result<Pilot, Failure> {
    let largest = arguments.orders.as_ref().map_or(Order::MAX, lab::orders::Orders::largest);
    let task = Task::Pilot(PilotTask {
        variants: sound.iter().map(|id| (*id).to_owned()).collect(),
        // A case whose calls of all rounds take more than three fiftieths of the budget will hardly
        // be admitted beside the others.
        // Nobody waits for a pilot: above a second a call is predicted.
        limit_ns: (settled.budget * 1e9
            / 50.0
            / f64::from(plan::SAMPLES + 1)
            / f64::from(settled.rounds)
            * 3.0)
            .min(1e9),
        largest_order: largest.get(),
    });
    let mut pilot = Pilot::new();
    instruments
        .time(&task, &mut |answer| {
            let Answer::Call { variant, order, ns, total, fundamental } = answer else { return };
            match wrong_count(order, &total, fundamental.as_deref()) {
                Some(reason) => failures.of_variant(&variant, order, reason),
                None => {
                    pilot.entry(variant).or_default().insert(order, ns);
                }
            }
        })
        .map_err(|reason| failed(format!("the pilot did not come to its end: {reason}")))?;
    pilot.retain(|variant, _| !failures.has_variant(variant));
    Ok(pilot)
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
    Request {
        variants: sound
            .iter()
            .filter_map(|id| registry::find(&settled.entries, id))
            .map(|entry| entry.variant)
            .collect(),
        orders: arguments.orders.clone(),
        budget: settled.budget,
        rounds: settled.rounds,
        time: settled.time,
        instructions: settled.instructions,
        seed: settled.seed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CLI-05 of the public reports: a variant that is wrong is not measured, and the run fails.
    #[test]
    fn a_wrong_variant_is_not_sound() {
        use queens::{About, Counts, Tree, Variant};
        static WRONG: Variant = Variant::new(
            About {
                id: "wrong",
                summary: "counts nothing",
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
