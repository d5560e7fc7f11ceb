//! `calibrate`: the laboratory measured by comparisons whose truth is known, beside Criterion's own.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lab::calibration::{self, CRITERION, LABORATORY, Trial};
use lab::data::Data;
use lab::diff;
use lab::files;
use lab::format;
use lab::paired::Rounds;
use lab::protocol::{CriterionTask, PairedTask};
use lab::records::{self, Record};
use lab::run::Run;
use lab::stats;
use lab::table::Table;
use serde::{Deserialize, Serialize};

use super::bench::folder;
use super::paired::{SLICE_MS, failure, known_counts, new_seed, run as run_paired, verify};
use crate::cli::Calibrate;
use crate::instruments::{self, Instruments};
use crate::output::{Done, Failure, failed, write_table};
use crate::process::{self, Fault, Words};
use crate::progress::Progress;
use crate::{guard, interrupt, lock, machine, workspace};

/// What is compared with itself, in turn: short and long calls of each way of searching.
const CASES: [(&str, usize); 5] =
    [("bitmask", 8), ("symmetry", 10), ("prefix-check", 8), ("bitmask", 11), ("non-recursive", 10)];

/// The extra work that is planted, in per cent; the variants' names have it.
const PLANTED: [u32; 3] = [1, 2, 5];

/// The order at which extra work is planted.
const PLANTED_ORDER: usize = 6;

/// The file that has the tables.
const REPORT: &str = "calibration.md";

/// Half the width of an interval that ends a comparison of a variant with itself.
const PRECISION: f64 = 1.005;

/// Measures everything and writes the tables.
pub fn run(arguments: &Calibrate, out: &mut dyn Write) -> Done {
    let root = workspace::root();
    if let Some(folder) = &arguments.again {
        return again(folder, arguments, &root, out);
    }
    let folder = folder::prepare_named(arguments.out.as_deref(), "calibration", &root)?;
    interrupt::install()?;
    // The runs take the lock themselves.
    let overhead = if arguments.without_run {
        None
    } else {
        Some(whole_run(&folder.path.join("run"), &[], arguments.wait)?)
    };
    for number in 1..=arguments.runs {
        let how = ["--quick", "--instruments", "time", "--budget", "30s"];
        whole_run(&run_folder(&folder.path, number), &how, arguments.wait)?;
    }
    let _lock = lock::take("calibrate", arguments.wait)?;
    let instruments = instruments::build(&root)?;
    verify(&CASES.map(|(id, _)| id.to_owned()))?;
    let planted = planted_instructions(&instruments, &root)?;
    let about = About::now(&root, arguments.each);
    about.write(&folder.path)?;
    let trials = all_trials(arguments, &instruments, &folder.path, out)?;
    tell(&folder.path, &about, &trials, &planted, overhead.as_ref(), out)
}

/// Writes the tables of an earlier calibration again, from what it left.
fn again(folder: &Path, arguments: &Calibrate, root: &Path, out: &mut dyn Write) -> Done {
    let trials: Vec<Trial> = records::read(folder).map_err(failed)?;
    if trials.is_empty() {
        return Err(failed(format!("{} has no {}", folder.display(), Trial::FILE)));
    }
    let about = About::read(folder)?;
    interrupt::install()?;
    let _lock = lock::take("calibrate --again", arguments.wait)?;
    let instruments = instruments::build(root)?;
    let planted = planted_instructions(&instruments, root)?;
    let run = Run::read(&folder.join("run")).map_err(failed)?;
    tell(folder, &about, &trials, &planted, run.as_ref(), out)
}

/// Writes the tables and shows the first of them.
fn tell(
    folder: &Path,
    about: &About,
    trials: &[Trial],
    planted: &PlantedInstructions,
    run: Option<&Run>,
    out: &mut dyn Write,
) -> Done {
    let text = report(about, trials, planted, &runs_against_each_other(folder)?, run);
    files::write(&folder.join(REPORT), text.as_bytes()).map_err(failed)?;
    write_table(out, &calibration::table(trials))?;
    Ok(writeln!(out, "\ntables   {}", folder.join(REPORT).display())?)
}

/// When, of what and where the comparisons were made.
#[derive(Serialize, Deserialize)]
struct About {
    date: String,
    commit: String,
    machine: String,
    /// The seconds that a comparison had at the most.
    each_s: f64,
}

/// The file that says when, of what and where.
const ABOUT: &str = "calibration.json";

impl About {
    fn now(root: &Path, each_s: f64) -> Self {
        let machine = machine::machine();
        let source = workspace::source(root);
        let dirty =
            if source.dirty == Some(true) { ", with changes that are not committed" } else { "" };
        Self {
            date: jiff::Timestamp::now().strftime("%Y-%m-%d").to_string(),
            commit: source.commit.unwrap_or_else(|| "unknown".to_owned()) + dirty,
            machine: machine.line(),
            each_s,
        }
    }

    fn write(&self, folder: &Path) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(self).map_err(|error| failed(error.to_string()))?;
        files::write(&folder.join(ABOUT), (text + "\n").as_bytes()).map_err(failed)
    }

    fn read(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(ABOUT);
        let text = files::read(&path).map_err(failed)?;
        serde_json::from_str(&text).map_err(|error| failed(format!("{}: {error}", path.display())))
    }
}

/// Makes a run, and gives its account back.
fn whole_run(folder: &Path, how: &[&str], wait: bool) -> Result<Run, Failure> {
    let this = std::env::current_exe()?;
    let mut command = guard::command(this.as_os_str())?;
    command.args(["bench", "--out"]).arg(folder).args(how);
    command.args(wait.then_some("--wait"));
    process::run(command, Words::Shown, None, &mut |_| None).map_err(|fault| match fault {
        Fault::Interrupted => Failure::Interrupted("nothing was calibrated".to_owned()),
        _ => failed("a run failed; its words above say why"),
    })?;
    Run::read(folder).map_err(failed)?.ok_or_else(|| failed("a run left no account"))
}

/// What `diff` says of two runs of the same programs: how many times it compared, and how many of them
/// it called faster or slower.
struct Unchanged {
    compared: usize,
    claimed: usize,
    /// The median change of all cases.
    shared: f64,
}

/// Where the short run of this number, from 1, is.
fn run_folder(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("runs/{number}"))
}

/// Compares each of the short runs that are there with the one before it.
fn runs_against_each_other(folder: &Path) -> Result<Vec<Unchanged>, Failure> {
    let runs: Vec<Data> = (1..)
        .map(|number| run_folder(folder, number))
        .take_while(|place| place.exists())
        .map(|place| Data::read(&place).map_err(failed))
        .collect::<Result<_, _>>()?;
    let compare = |before: &Data, after: &Data| {
        let changes = diff::times(before, after);
        let floor = diff::noise_floor(before, after);
        Unchanged {
            compared: changes.len(),
            claimed: changes.iter().filter(|change| change.is_separated(floor)).count(),
            shared: diff::shared_change(&changes).unwrap_or(1.0),
        }
    };
    Ok(runs.windows(2).map(|pair| compare(&pair[0], &pair[1])).collect())
}

/// The instructions of one call without extra work and with each planted, in their order, exactly;
/// or why they are not counted.
type PlantedInstructions = Result<Vec<u64>, String>;

fn planted_instructions(
    instruments: &Instruments,
    root: &Path,
) -> Result<PlantedInstructions, Failure> {
    if let Err(reason) = instruments::valgrind() {
        return Ok(Err(reason));
    }
    let mut counts = Vec::new();
    for position in 0..=PLANTED.len() {
        let home = tempfile::tempdir()?;
        let id = format!("*::planted_count::order_{PLANTED_ORDER}_{position}");
        let limit = Duration::from_mins(2);
        match instruments.count_id(&id, root, home.path(), limit, false) {
            Ok(events) => counts.push(events.instructions),
            Err(fault @ Fault::Interrupted) => return Err(failure("calibrating", fault)),
            Err(fault) => return Ok(Err(fault.verdict().1)),
        }
    }
    Ok(Ok(counts))
}

/// One comparison to make: of a case with itself, or with the same and extra work.
struct Pair {
    baseline: String,
    subject: String,
    order: usize,
    percent: f64,
}

/// The comparisons, those with planted differences spread among those without.
fn pairs(comparisons: u32, planted: u32) -> Vec<Pair> {
    let itself = CASES.iter().cycle().take(comparisons as usize).map(|&(id, order)| Pair {
        baseline: id.to_owned(),
        subject: id.to_owned(),
        order,
        percent: 0.0,
    });
    let mut all: Vec<Pair> = itself.collect();
    for time in 0..planted {
        for (place, percent) in PLANTED.into_iter().enumerate() {
            let share = f64::from(time * PLANTED.len() as u32 + place as u32)
                / f64::from(planted * PLANTED.len() as u32);
            let at = (share * all.len() as f64) as usize;
            all.insert(
                at,
                Pair {
                    baseline: "planted-0".to_owned(),
                    subject: format!("planted-{percent}"),
                    order: PLANTED_ORDER,
                    percent: f64::from(percent),
                },
            );
        }
    }
    all
}

/// Makes every comparison by both, who take turns at going first. What is finished is on disk.
fn all_trials(
    arguments: &Calibrate,
    instruments: &Instruments,
    folder: &Path,
    out: &mut dyn Write,
) -> Result<Vec<Trial>, Failure> {
    let planted = arguments.planted.unwrap_or((arguments.comparisons / 10).max(1));
    let pairs = pairs(arguments.comparisons, planted);
    let seconds = 2.5 * arguments.each * pairs.len() as f64;
    writeln!(
        out,
        "{} comparisons by the laboratory and by Criterion each, about {}.",
        pairs.len(),
        format::time(seconds * 1e9)
    )?;
    out.flush()?;
    let progress = Progress::new(seconds);
    let mut trials = Vec::new();
    for (number, pair) in pairs.iter().enumerate() {
        progress.under_way(&format!("{} against {}", pair.baseline, pair.subject));
        let ours = || by_laboratory(pair, instruments, arguments.each);
        let home = folder.join("raw/criterion").join(number.to_string());
        let theirs = || by_criterion(pair, instruments, arguments.each, &home);
        if number % 2 == 0 {
            trials.extend([ours()?, theirs()?]);
        } else {
            trials.extend([theirs()?, ours()?]);
        }
        progress.advance(2.5 * arguments.each);
        records::write(folder, &trials).map_err(failed)?;
        if number % 20 == 19 {
            progress.line(&format!("{} of {} comparisons", number + 1, pairs.len()));
        }
    }
    Ok(trials)
}

fn trial(tool: &str, pair: &Pair, claim: i8, factor: Option<f64>, started: Instant) -> Trial {
    Trial {
        tool: tool.to_owned(),
        variant: pair.baseline.clone(),
        order: pair.order,
        planted_percent: pair.percent,
        factor,
        claim,
        seconds: started.elapsed().as_secs_f64(),
    }
}

/// As `compare` does it: with the control, and until the interval is narrow enough for what is looked
/// for.
fn by_laboratory(pair: &Pair, instruments: &Instruments, each: f64) -> Result<Trial, Failure> {
    let order = queens::Order::new(pair.order).unwrap_or(queens::Order::MAX);
    let (total, fundamental) = known_counts(order);
    // Half of what is looked for, so that an interval around it does not reach 1.
    let precision = if pair.percent > 0.0 { 1.0 + pair.percent / 200.0 } else { PRECISION };
    let started = Instant::now();
    let found = run_paired(
        instruments,
        PairedTask {
            lanes: vec![pair.baseline.clone(), pair.subject.clone(), pair.baseline.clone()],
            order: pair.order,
            total,
            fundamental,
            slice_ms: SLICE_MS,
            budget_s: each,
            pairs: vec![(0, 1)],
            precision: precision.ln(),
            seed: new_seed(),
            alone: 0,
            alone_s: 0.0,
        },
    )?;
    let (factor, claim) = claim(&found.rounds);
    Ok(trial(LABORATORY, pair, claim, factor, started))
}

/// The factor of the subject's time, and what is claimed of it.
fn claim(rounds: &Rounds) -> (Option<f64>, i8) {
    let floor = stats::noise_floor(rounds.compare(0, 2, 1).map(|control| control.factor));
    let Some(found) = rounds.compare(0, 1, 1) else { return (None, 0) };
    let slower = found.inverse().factor;
    let claim = match found.is_separated(floor) {
        false => 0,
        true if slower > 1.0 => 1,
        true => -1,
    };
    (Some(slower), claim)
}

/// As `cargo bench -- --save-baseline` and then `--baseline` do it, each in a process of its own, with
/// Criterion's own defaults for all but the time.
fn by_criterion(
    pair: &Pair,
    instruments: &Instruments,
    each: f64,
    home: &Path,
) -> Result<Trial, Failure> {
    let started = Instant::now();
    let mut said = String::new();
    for (variant, compared) in [(&pair.baseline, false), (&pair.subject, true)] {
        said.clear();
        let task = CriterionTask {
            variant: variant.clone(),
            order: pair.order,
            // Criterion's defaults are three seconds and five; these are the same parts of less.
            warm_up_ms: (each * 1e3 / 2.0 * 3.0 / 8.0) as u64,
            measurement_ms: (each * 1e3 / 2.0 * 5.0 / 8.0) as u64,
            compared,
            home: home.to_path_buf(),
        };
        instruments
            .criterion(task, &mut |line| {
                said.push_str(line);
                said.push('\n');
            })
            .map_err(|fault| failure("Criterion's comparison", fault))?;
    }
    let claim = criterions_claim(&said).ok_or_else(|| {
        failed(format!(
            "Criterion did not say how {} compares with {}",
            pair.baseline, pair.subject
        ))
    })?;
    let _ = std::fs::remove_dir_all(home);
    Ok(trial(CRITERION, pair, claim, None, started))
}

/// What Criterion claims, in the words of its version 0.8.
fn criterions_claim(said: &str) -> Option<i8> {
    [
        ("Performance has regressed.", 1),
        ("Performance has improved.", -1),
        ("Change within noise threshold.", 0),
        ("No change in performance detected.", 0),
    ]
    .into_iter()
    .find_map(|(words, claim)| said.contains(words).then_some(claim))
}

fn report(
    about: &About,
    trials: &[Trial],
    planted: &PlantedInstructions,
    runs: &[Unchanged],
    run: Option<&Run>,
) -> String {
    let mut text = format!(
        "Measured on {} at commit {} on {}, by `cargo xtask calibrate`. Each comparison had at most {} by \
         the laboratory, and as much for the two halves of Criterion's; starting programs and \
         Criterion's own evaluation come on top.\n\n{}\n",
        about.date,
        about.commit,
        about.machine,
        format::time(about.each_s * 1e9),
        calibration::table(trials).markdown()
    );
    match planted {
        Ok(counts) => {
            text.push_str("The planted work, in instructions of one call:\n\n");
            text.push_str(&planted_table(counts).markdown());
        }
        Err(reason) => {
            let _ = writeln!(text, "The planted work was not counted: {reason}.");
        }
    }
    if !runs.is_empty() {
        text.push_str("\nShort runs of the same programs one after the other, by `diff`:\n\n");
        text.push_str(&runs_table(runs).markdown());
    }
    text.push_str("\nIntervals on simulated times, where the truth is known:\n\n");
    text.push_str(&calibration::coverage_table().markdown());
    if let Some(session) = run.and_then(|run| run.sessions.first()) {
        let _ = writeln!(
            text,
            "\nOf a default run's {}, {:.1} % were spent inside the measured functions, counting \
             instructions not among them.",
            format::time(session.wall_s * 1e9),
            100.0 * session.inside_s / session.wall_s
        );
    }
    text
}

fn runs_table(runs: &[Unchanged]) -> Table {
    let rows = runs
        .iter()
        .enumerate()
        .map(|(place, found)| {
            vec![
                format!("{} and {}", place + 1, place + 2),
                found.compared.to_string(),
                found.claimed.to_string(),
                format!("{:.4}", found.shared),
            ]
        })
        .collect();
    let header = ["runs", "times compared", "claimed to have changed", "all cases together"];
    Table { header: header.map(str::to_owned).into(), rows }
}

fn planted_table(counts: &[u64]) -> Table {
    let first = counts.first().copied().unwrap_or(1) as f64;
    let rows = counts
        .iter()
        .enumerate()
        .map(|(place, &count)| {
            let planted = place.checked_sub(1).and_then(|place| PLANTED.get(place));
            vec![
                planted.map_or_else(|| "none".to_owned(), |percent| format!("{percent} %")),
                format::grouped(count.into()),
                format!("{:.4} %", 100.0 * (count as f64 / first - 1.0)),
            ]
        })
        .collect();
    let header = ["planted difference", "instructions", "more than without"];
    Table { header: header.map(str::to_owned).into(), rows }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planted_differences_are_spread_among_the_others() {
        let all = pairs(20, 2);
        assert_eq!(all.len(), 26);
        let planted = |pair: &&Pair| pair.percent > 0.0;
        assert_eq!(all.iter().filter(planted).count(), 6);
        assert!(all[..13].iter().filter(planted).count() >= 2);
        assert!(all[13..].iter().filter(planted).count() >= 2);
        let five = all.iter().find(|pair| pair.percent > 4.0).unwrap();
        assert_eq!((five.baseline.as_str(), five.subject.as_str()), ("planted-0", "planted-5"));
    }

    #[test]
    fn criterions_words_are_understood() {
        let words = |verdict: &str| format!("compared  time: [1 ns 2 ns 3 ns]\n  {verdict}\n");
        assert_eq!(criterions_claim(&words("Performance has regressed.")), Some(1));
        assert_eq!(criterions_claim(&words("Performance has improved.")), Some(-1));
        assert_eq!(criterions_claim(&words("Change within noise threshold.")), Some(0));
        assert_eq!(criterions_claim(&words("No change in performance detected.")), Some(0));
        assert_eq!(criterions_claim("compared  time: [1 ns 2 ns 3 ns]"), None);
    }

    #[test]
    fn a_claim_has_the_direction_of_the_time() {
        let rounds = |factor: f64| {
            Rounds(
                (0..20)
                    .map(|i| {
                        vec![
                            100.0 + f64::from(i),
                            factor * (100.0 + f64::from(i)),
                            100.0 + f64::from(i),
                        ]
                    })
                    .collect(),
            )
        };
        assert_eq!(claim(&rounds(1.05)).1, 1);
        assert_eq!(claim(&rounds(0.95)).1, -1);
        assert_eq!(claim(&rounds(1.0)).1, 0);
        assert!((claim(&rounds(1.05)).0.unwrap() - 1.05).abs() < 1e-9);
    }
}
