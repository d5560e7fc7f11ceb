//! `diff`: what changed between two runs, and the gate of `bench --against`.

use std::io::Write;
use std::path::Path;

use lab::data::Data;
use lab::diff::{self, CountChange, TimeChange};
use lab::format;
use lab::registry::{self, REGISTRY};
use lab::run::Machine;
use lab::tables::{self, Table};

use crate::cli::Diff;
use crate::output::{Done, Failure, failed, write_table};

/// How much slower a case may become, if nobody says otherwise.
const THRESHOLD: f64 = 1.05;

/// Tells what changed.
pub fn run(arguments: &Diff, out: &mut dyn Write) -> Done {
    let (before, after) = (read(&arguments.before)?, read(&arguments.after)?);
    refuse_other_threads(&before, after.run.as_ref().and_then(|run| run.threads))?;
    let difference = machine(&before).difference(machine(&after));
    let changes = diff::times(&before, &after);
    match (&difference, arguments.across_machines) {
        (Some(difference), false) => return Err(other_machine(difference)),
        (Some(difference), true) => {
            writeln!(
                out,
                "Two machines ({difference}): times do not carry over and are not compared.\n"
            )?;
        }
        (None, _) => write_times(&changes, diff::noise_floor(&before, &after), out)?,
    }
    write_toolchains(&before, &after, difference.is_some(), out)?;
    write_counts(&before, &after, out)
}

/// Reads a run that can be compared: complete, and of its plan.
pub fn read(folder: &Path) -> Result<Data, Failure> {
    let data = Data::read(folder).map_err(failed)?;
    let place = folder.display();
    match &data.run {
        None => Err(failed(format!("{place} has no {}: its machine is unknown", lab::run::FILE))),
        Some(run) if !run.complete => Err(failed(format!(
            "the run in {place} was interrupted; 'cargo xtask bench --resume {place}' ends it"
        ))),
        Some(_) => match data.mismatch() {
            Some(mismatch) => Err(failed(format!("{place}: {mismatch}; it was edited"))),
            None => Ok(data),
        },
    }
}

fn machine(data: &Data) -> &Machine {
    // `read` lets no run without its account pass.
    static NONE: std::sync::LazyLock<Machine> = std::sync::LazyLock::new(Machine::default);
    data.run.as_ref().map_or(&NONE, |run| &run.machine)
}

fn other_machine(difference: &str) -> Failure {
    failed(format!(
        "the runs are of two machines ({difference}), so their times cannot be compared; \
         'diff --across-machines' compares what carries over"
    ))
}

/// Refuses a run whose calls were shared out among other threads.
pub fn refuse_other_threads(earlier: &Data, threads: Option<usize>) -> Done {
    let words = |threads: Option<usize>| {
        threads.map_or_else(|| "no --threads".to_owned(), |threads| format!("--threads {threads}"))
    };
    let before = earlier.run.as_ref().and_then(|run| run.threads);
    if before == threads {
        return Ok(());
    }
    Err(failed(format!(
        "the runs share their calls out differently, with {} and with {}, so they cannot be compared",
        words(before),
        words(threads)
    )))
}

/// Refuses a run of another machine before anything is measured.
pub fn refuse_other_machine(earlier: &Data, now: &Machine) -> Done {
    machine(earlier).difference(now).map_or(Ok(()), |difference| Err(other_machine(&difference)))
}

fn write_times(changes: &[TimeChange], floor: Option<f64>, out: &mut dyn Write) -> Done {
    if changes.is_empty() {
        return Ok(writeln!(out, "The runs have no time of one case in common.\n")?);
    }
    let rows = changes
        .iter()
        .map(|change| {
            vec![
                change.variant.clone(),
                change.order.to_string(),
                format::time(change.before_ns),
                format::time(change.after_ns),
                tables::comparison_as(&change.speedup, change.is_separated(floor)),
            ]
        })
        .collect();
    let header = ["variant", "order", "before", "after", "speedup from before to after"];
    write_table(out, &Table { header: header.map(str::to_owned).into(), rows })?;
    let separated = |change: &&TimeChange| change.is_separated(floor);
    let faster = changes.iter().filter(separated).filter(|c| c.speedup.factor > 1.0).count();
    let slower = changes.iter().filter(separated).filter(|c| c.speedup.factor < 1.0).count();
    writeln!(
        out,
        "\n{faster} faster, {slower} slower, {} not separated. The 95 % intervals hold for all {} \
         comparisons together; the noise floor of the two runs is {}.",
        changes.len() - faster - slower,
        changes.len(),
        floor.map_or_else(|| "unknown".to_owned(), format::percent),
    )?;
    if let Some(shared) = diff::shared_change(changes) {
        writeln!(
            out,
            "All cases together: {} (median). What the other variants share, up to {}, is put down to the \
             machine: a variant counts as changed only where it is beside that, too.\n",
            format::factor_within(shared, Some(0.0005)),
            format::percent(diff::LARGEST_MACHINE_CHANGE)
        )?;
    }
    Ok(())
}

fn write_toolchains(before: &Data, after: &Data, two: bool, out: &mut dyn Write) -> Done {
    let (Some(a), Some(b)) = (&before.run, &after.run) else { return Ok(()) };
    if let Some(difference) = a.toolchain.difference(&b.toolchain) {
        writeln!(out, "The toolchains differ ({difference}).")?;
    }
    let commit = |run: &lab::run::Run| {
        let commit = run.source.commit.clone().unwrap_or_else(|| "an unknown commit".to_owned());
        let dirty = if run.source.dirty == Some(true) { " with changes" } else { "" };
        format!("{commit}{dirty}")
    };
    writeln!(out, "Before: {}, {}. After: {}, {}.", a.id, commit(a), b.id, commit(b))?;
    for (name, data) in [("before", before), ("after", after)] {
        let reasons = data.not_for_publication();
        if !two && !reasons.is_empty() {
            writeln!(out, "The run {name} is not fit to publish: {}.", reasons.join("; "))?;
        }
    }
    Ok(writeln!(out)?)
}

fn write_counts(before: &Data, after: &Data, out: &mut dyn Write) -> Done {
    let changes = diff::counts(before, after);
    if changes.is_empty() {
        return Ok(writeln!(out, "The runs have no instruction count in common.")?);
    }
    let changed: Vec<&CountChange> = changes.iter().filter(|change| has_changed(change)).collect();
    writeln!(
        out,
        "Instructions: {} of {} counts are equal, to the digit where one thread counts.",
        changes.len() - changed.len(),
        changes.len()
    )?;
    if changed.is_empty() {
        return Ok(());
    }
    let rows = changed
        .into_iter()
        .map(|change| {
            vec![
                change.variant.clone(),
                change.order.to_string(),
                format::grouped(change.before.into()),
                format::grouped(change.after.into()),
                format!("{:.6}", change.after as f64 / change.before as f64),
            ]
        })
        .collect();
    let header = ["variant", "order", "before", "after", "after divided by before"];
    write_table(out, &Table { header: header.map(str::to_owned).into(), rows })
}

/// Whether a count has changed: at all, or by more than a hundredth where calls are shared out, because how
/// often the caller looks whether its threads have ended is different each time.
fn has_changed(change: &CountChange) -> bool {
    let shared = registry::find(&REGISTRY, &change.variant)
        .is_some_and(|entry| entry.variant.always_shares());
    let most = if shared { change.before / 100 } else { 0 };
    change.before.abs_diff(change.after) > most
}

/// Fails where a case of `after` is slower than `before` by more than the threshold, which is never
/// below the noise floor of the two.
pub fn gate(before: &Data, after: &Data, threshold: Option<f64>, out: &mut dyn Write) -> Done {
    writeln!(out)?;
    let changes = diff::times(before, after);
    let floor = diff::noise_floor(before, after);
    write_times(&changes, floor, out)?;
    write_counts(before, after, out)?;
    let undecided = changes.iter().filter(|change| change.speedup.interval.is_none()).count();
    if undecided == changes.len() && diff::counts(before, after).is_empty() {
        return Err(failed(
            "the gate has nothing to go by: the two runs have no case in common that has rounds enough \
             for an interval, and no instruction count",
        ));
    }
    let gone = diff::gone(before, after);
    if !gone.is_empty() {
        writeln!(
            out,
            "Measured before and not now, so the gate cannot see it: {}.",
            gone.join(", ")
        )?;
    }
    if undecided > 0 {
        writeln!(
            out,
            "{undecided} of {} times have too few rounds for an interval: the gate cannot see them.",
            changes.len()
        )?;
    }
    let asked = threshold.unwrap_or(THRESHOLD);
    let allowed = floor.map_or(asked, |floor| floor.max(asked));
    let raised =
        if allowed > asked { ", the noise floor, which is above what was asked for" } else { "" };
    let slower = slower(&changes, &diff::counts(before, after), allowed);
    if slower.is_empty() {
        writeln!(out, "No case is slower by more than {}{raised}.", format::percent(allowed))?;
        return Ok(());
    }
    Err(Failure::Slower(format!(
        "slower by more than {}{raised}: {}",
        format::percent(allowed),
        slower.join(", ")
    )))
}

/// The cases that have become slower than allowed, or whose instructions have become more, in words.
fn slower(changes: &[TimeChange], counts: &[CountChange], allowed: f64) -> Vec<String> {
    let times = changes.iter().filter_map(|change| {
        let time = change.speedup.inverse();
        (time.factor > allowed && change.is_separated(Some(allowed))).then(|| {
            format!(
                "{} at order {} takes {} the time",
                change.variant,
                change.order,
                format::factor(time.factor)
            )
        })
    });
    let counts = counts.iter().filter_map(|change| {
        let ratio = change.after as f64 / change.before as f64;
        (ratio > allowed).then(|| {
            format!(
                "{} at order {} has {} the instructions",
                change.variant,
                change.order,
                format::factor(ratio)
            )
        })
    });
    times.chain(counts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::records::{Control, Instructions, Status};

    fn counted(count: u64, noise: f64) -> Data {
        Data {
            instructions: vec![Instructions {
                variant: "bitmask".to_owned(),
                order: 8,
                instructions: Some(count),
                status: Status::Measured,
                reason: String::new(),
            }],
            control: vec![Control {
                variant: "bitmask".to_owned(),
                order: 8,
                factor: noise,
                low: None,
                high: None,
                rounds: 14,
            }],
            ..Data::default()
        }
    }

    #[test]
    fn the_gate_fails_above_its_threshold_and_never_below_the_noise() {
        let before = counted(1000, 1.001);
        let gate = |count, noise, threshold| {
            gate(&before, &counted(count, noise), Some(threshold), &mut std::io::sink())
        };
        assert_eq!(gate(1010, 1.0, 1.02), Ok(()));
        let Err(Failure::Slower(message)) = gate(1030, 1.0, 1.02) else { panic!("let pass") };
        assert!(message.contains("bitmask at order 8 has 1.03× the instructions"), "{message}");
        assert_eq!(gate(1030, 0.96, 1.02), Ok(()), "a noise floor of 4.2 %");
        // Nothing to compare is no pass.
        let nothing = super::gate(&before, &Data::default(), None, &mut std::io::sink());
        let Err(Failure::Failed(message)) = nothing else { panic!("let pass") };
        assert!(message.contains("nothing to go by"), "{message}");
    }

    #[test]
    fn another_machine_is_refused_by_what_differs() {
        let now = Machine { cores: Some(64), ..Machine::default() };
        let Err(Failure::Failed(message)) = refuse_other_machine(&Data::default(), &now) else {
            panic!("let pass");
        };
        assert!(message.contains("cores: 'unknown' and '64'"), "{message}");
        assert_eq!(refuse_other_machine(&Data::default(), &Machine::default()), Ok(()));
    }
}
