//! `bench --resume`: goes on with a run that was interrupted, and measures only what is missing or
//! whose code, toolchain or machine has changed.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use lab::data::Data;
use lab::frontier;
use lab::journal::{self, Entry};
use lab::plan::Instrument;
use lab::records::{Measurement, Status};
use lab::registry;
use lab::run::Run;
use queens::Counts;

use super::failures::{Failures, Key};
use super::session::{SLOWER, Session, Start};
use super::{climb, measure, new_session, verify_all};
use crate::cli::Bench;
use crate::cmd::again;
use crate::output::{Done, Failure, failed};
use crate::{code, instruments, interrupt, lock, machine, running, workspace};

/// Goes on with the run in `folder`.
pub fn run(
    arguments: &Bench,
    folder: &Path,
    registry: &[registry::Entry],
    earlier: Option<&Data>,
    out: &mut dyn Write,
) -> Done {
    interrupt::install()?;
    // Before the run is read: the one that is waited for may be the one that writes it.
    let _lock = lock::take(&format!("bench --resume {}", folder.display()), arguments.wait)?;
    let (mut run, mut found) = read(folder)?;
    let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    let entries = entries(&run, registry)?;
    let valgrind = if run.plan.instruction_cases.is_empty() {
        Err("they are not in the plan".to_owned())
    } else {
        instruments::valgrind()
    };
    let root = workspace::root();
    let instruments = instruments::build(&root)?.sharing(run.threads);
    let started = Instant::now();
    let mut failures = still_wrong(&run, &found.measurements);
    let sound = verify_all(&entries, &mut failures);

    let now = Run {
        machine: machine::machine(),
        toolchain: machine::toolchain(&root, &instruments.opt_level, valgrind.ok()),
        code: code::of_variants(&root, run.code.keys().map(String::as_str))?,
        shared_code: code::shared(&root)?,
        source: workspace::source(&root),
        running: running::sentences(
            entries.iter().map(|entry| entry.variant.id()),
            run.threads,
            !run.plan.instruction_cases.is_empty(),
        ),
        ..run.clone()
    };
    let changed = changed(&run, &now);
    tell_changed(&changed, out)?;
    forget(&mut found, &run, &changed);
    let again: Vec<&str> = sound.into_iter().filter(|id| changed.contains_key(*id)).collect();
    let climb = climb(&instruments, &again, &mut failures)?;
    found.data.frontier.extend(frontier::rows(&climb.pilot));
    let missing = missing(&run, &found.data);
    writeln!(out, "Missing: {missing} measurements.")?;
    if missing == 0 && run.complete {
        return end_complete(&folder, &run, &failures, arguments, earlier, out);
    }
    out.flush()?;
    note(&mut run, &now, &changed);
    run.sessions.push(new_session(climb.inside_s));
    let session = Session::new(Start {
        folder: &folder,
        instruments: &instruments,
        run,
        failures,
        data: found.data,
        verified: found.counts.keys().cloned().chain(climb.verified).collect(),
        counts: found.counts,
        started,
    })?;
    measure(session, earlier, arguments, out)
}

/// What is left to do for a complete run: its report, where it was ended before that, and its verdict.
fn end_complete(
    folder: &Path,
    run: &Run,
    failures: &Failures,
    arguments: &Bench,
    earlier: Option<&Data>,
    out: &mut dyn Write,
) -> Done {
    let data = Data::read(folder).map_err(failed)?;
    journal::remove(folder).map_err(failed)?;
    if !folder.join(again::REPORT).exists() {
        again::write(&data, &run.baseline, folder)?;
    }
    writeln!(out, "The run is complete; nothing is to be done.")?;
    let is_failure = |status| matches!(status, Status::Failed | Status::TimedOut);
    let measurements = data.measurements.iter().map(|row| (&row.variant, row.order, row.status));
    let counts = data.instructions.iter().map(|row| (&row.variant, row.order, row.status));
    let in_rows = measurements.chain(counts).find(|(_, _, status)| is_failure(*status));
    if let Some((variant, order, status)) = in_rows {
        return Err(failed(format!("{variant} at order {order}: {status}; its row says why")));
    }
    if let Some(line) = failures.lines().next() {
        return Err(failed(line));
    }
    earlier
        .map_or(Ok(()), |earlier| crate::cmd::diff::gate(earlier, &data, arguments.threshold, out))
}

/// Says which variants are measured again, and why.
fn tell_changed(changed: &BTreeMap<String, String>, out: &mut dyn Write) -> Done {
    for reason in changed.values().collect::<BTreeSet<_>>() {
        let ids: Vec<&str> =
            changed.iter().filter(|(_, r)| *r == reason).map(|(id, _)| id.as_str()).collect();
        writeln!(out, "Measured again: {}, because {reason}.", ids.join(", "))?;
    }
    Ok(())
}

/// What a run's folder has of its measurements.
struct Found {
    data: Data,
    counts: BTreeMap<Key, Counts>,
    measurements: Vec<Measurement>,
}

/// Reads the run and what it measured: from its journal, or from its CSV files where it is complete.
fn read(folder: &Path) -> Result<(Run, Found), Failure> {
    if !folder.is_dir() {
        return Err(failed(format!("{} is not the folder of a run", folder.display())));
    }
    let run = Run::read(folder)
        .map_err(failed)?
        .ok_or_else(|| failed(format!("{} has no {}", folder.display(), lab::run::FILE)))?;
    let mut data = Data::read(folder).map_err(failed)?;
    if let Some(mismatch) = data.mismatch().filter(|_| run.complete) {
        return Err(failed(format!("{}: {mismatch}; it was edited", folder.display())));
    }
    let mut counts = BTreeMap::new();
    for row in &data.measurements {
        if let Some(total) = row.total {
            let found = Counts { total, fundamental: row.fundamental };
            counts.insert((row.variant.clone(), row.order), found);
        }
    }
    if let Some(control) = &run.plan.control {
        let of_control: Vec<(Key, Counts)> = counts
            .iter()
            .filter(|((id, _), _)| id == control)
            .map(|((_, order), found)| ((lab::plan::CONTROL.to_owned(), *order), *found))
            .collect();
        counts.extend(of_control);
    }
    for entry in journal::read(folder).map_err(failed)?.unwrap_or_default() {
        if let Entry::Case { total, fundamental, samples, .. } = entry
            && let (Some(first), Ok(total)) = (samples.first(), total.parse())
        {
            let fundamental = fundamental.and_then(|count| count.parse().ok());
            let found = Counts { total, fundamental };
            counts.insert((first.variant.clone(), first.order), found);
        }
    }
    data.instructions.retain(|row| row.status == Status::Measured);
    let measurements = std::mem::take(&mut data.measurements);
    data.run = None;
    Ok((run, Found { data, counts, measurements }))
}

/// The variants of the run, in the registry's order.
fn entries(run: &Run, registry: &[registry::Entry]) -> Result<Vec<registry::Entry>, Failure> {
    let ids: Vec<&str> = run.code.keys().map(String::as_str).collect();
    registry::select(registry, &ids.join(","))
        .map_err(|reason| failed(format!("the run cannot go on: {reason}")))
}

/// Variants that were wrong before any case was planned have a row, and no case in the plan.
fn still_wrong(run: &Run, rows: &[Measurement]) -> Failures {
    let mut failures = Failures::default();
    for row in rows.iter().filter(|row| row.status != Status::Measured) {
        let cases = run.plan.cases.iter().map(|case| case.variant.as_str());
        let left_out = run.plan.left_out.iter().filter(|case| case.instrument == Instrument::Time);
        let mut planned = cases.chain(left_out.map(|case| case.variant.as_str()));
        if planned.all(|variant| variant != row.variant) {
            failures.of_variant(&row.variant, row.order, row.status, row.reason.clone());
        }
    }
    failures
}

/// The variants whose measurements no longer hold, each with the reason.
fn changed(before: &Run, now: &Run) -> BTreeMap<String, String> {
    let of_all = before
        .machine
        .difference(&now.machine)
        .map(|difference| format!("the machine is another one ({difference})"))
        .or_else(|| {
            let difference = before.toolchain.difference(&now.toolchain)?;
            Some(format!("the toolchain is another one ({difference})"))
        })
        .or_else(|| {
            (before.shared_code != now.shared_code)
                .then(|| "the code that all variants share has changed".to_owned())
        });
    now.code
        .iter()
        .filter_map(|(id, code)| {
            let own =
                (before.code.get(id) != Some(code)).then(|| "its code has changed".to_owned());
            Some((id.clone(), of_all.clone().or(own)?))
        })
        .collect()
}

/// Takes out what no longer holds.
fn forget(found: &mut Found, run: &Run, changed: &BTreeMap<String, String>) {
    let control = run.plan.control.as_ref().filter(|control| changed.contains_key(*control));
    let gone =
        |id: &str| changed.contains_key(id) || (control.is_some() && id == lab::plan::CONTROL);
    let data = &mut found.data;
    data.samples.retain(|sample| !gone(&sample.variant));
    data.instructions.retain(|row| !gone(&row.variant));
    data.frontier.retain(|row| !gone(&row.variant));
    // What the machine did while nothing was measured that still holds.
    let rounds: BTreeSet<(usize, usize)> =
        data.samples.iter().map(|sample| (sample.round, sample.session)).collect();
    data.environment.retain(|row| rounds.contains(&(row.round, row.session)));
    found.counts.retain(|(id, _), _| !gone(id));
}

/// How many measurements the plan has that are not there.
fn missing(run: &Run, data: &Data) -> usize {
    let there: BTreeSet<(&str, usize, usize)> = data
        .samples
        .iter()
        .map(|sample| (sample.variant.as_str(), sample.order, sample.round))
        .collect();
    let planned = run.plan.cases.len() * run.plan.rounds as usize;
    let counted = run.plan.instruction_cases.iter().filter(|case| {
        data.instructions.iter().any(|row| (&row.variant, row.order) == (&case.variant, case.order))
    });
    planned - there.len() + run.plan.instruction_cases.len() - counted.count()
}

/// Brings the run's account up to now.
fn note(run: &mut Run, now: &Run, changed: &BTreeMap<String, String>) {
    run.complete = false;
    // The rounds that did not fit are measured now.
    run.notes.retain(|note| !note.starts_with(SLOWER));
    let session = run.sessions.len() + 1;
    for (id, reason) in changed {
        run.notes.push(format!("{id} was measured again in session {session}, because {reason}"));
    }
    run.notes.push(format!(
        "the run was resumed: times that were taken in session {session} are compared with each other \
         only"
    ));
    if run.source.commit != now.source.commit {
        run.notes.push(format!(
            "session {session} is of commit {}",
            now.source.commit.as_deref().unwrap_or("unknown")
        ));
    }
    (run.machine, run.toolchain) = (now.machine.clone(), now.toolchain.clone());
    (run.code, run.shared_code) = (now.code.clone(), now.shared_code.clone());
    run.source = now.source.clone();
    run.running.clone_from(&now.running);
    let dirty = "the source has changes that are not committed";
    if now.source.dirty == Some(true) && !run.not_for_publication.iter().any(|r| r == dirty) {
        run.not_for_publication.push(dirty.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::run::Machine;

    fn account() -> Run {
        let text = serde_json::json!({
            "schema": lab::run::SCHEMA, "id": "a", "started": "", "command": "", "complete": false,
            "not_for_publication": [], "baseline": "a", "machine": Machine::default(),
            "toolchain": lab::run::Toolchain::default(), "source": lab::run::Source::default(),
            "plan": {
                "cases": [], "rounds": 6, "seed": 1, "control": "b", "instruction_cases": [],
                "left_out": [], "budget_s": 10.0, "expected_s": 9.0
            },
            "rounds_finished": 0, "sessions": [], "code": {"a": "1", "b": "2"},
            "shared_code": "3", "rows": {}, "not_counted": null, "notes": []
        });
        serde_json::from_value(text).unwrap()
    }

    /// A variant with a case in the plan was right when it was made, whatever a later session found.
    #[test]
    fn only_a_variant_that_was_never_planned_stays_wrong() {
        let mut run = account();
        run.plan.left_out.push(lab::plan::LeftOut {
            variant: "a".to_owned(),
            order: 12,
            instrument: Instrument::Time,
            reason: "too long".to_owned(),
        });
        let row = |variant: &str| {
            let text = format!(
                "variant,order,total,fundamental,median_ns,low_ns,high_ns,rounds,samples,iterations,\
                 reason,status\n{variant},5,,,,,,0,0,0,wrong,failed\n"
            );
            lab::records::parse::<Measurement>(&text).unwrap().remove(0)
        };
        let failures = still_wrong(&run, &[row("a"), row("b")]);
        assert!(failures.has_variant("b") && !failures.has_variant("a"));
    }

    #[test]
    fn what_changed_is_measured_again_and_nothing_else() {
        let before = account();
        assert_eq!(changed(&before, &before), BTreeMap::new());
        let mut now = before.clone();
        now.code.insert("b".to_owned(), "4".to_owned());
        let found = changed(&before, &now);
        assert_eq!(
            found.into_iter().collect::<Vec<_>>(),
            [("b".to_owned(), "its code has changed".to_owned())]
        );
        let mut now = before.clone();
        now.shared_code.push('4');
        assert_eq!(changed(&before, &now).len(), 2);
        let mut now = before.clone();
        now.machine.cores = Some(64);
        assert!(changed(&before, &now)["a"].contains("the machine is another one (cores"));
        let mut now = before.clone();
        now.toolchain.rustc = Some("rustc 2".to_owned());
        assert!(changed(&before, &now)["b"].contains("the toolchain is another one"));
    }
}
