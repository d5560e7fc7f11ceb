//! A count in parts: shared out among threads, with progress, and with a checkpoint where it is long.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use lab::checkpoint::Checkpoint;
use lab::files;
use lab::format;
use lab::sharing::{self, Counted, Next};
use queens::parts::Parts;
use queens::{Counts, Order, Variant};

use super::Found;
use crate::cli::Count;
use crate::cmd::bench::command_line;
use crate::output::{Failure, failed, say};
use crate::progress::Progress;
use crate::{code, format_seconds, interrupt, running, workspace};

/// A count that takes longer than this has a checkpoint, which is written this often.
const CHECKPOINT: Duration = Duration::from_secs(5);

/// How long a thread waits for a result before it looks for a signal.
const LOOK: Duration = Duration::from_millis(100);

/// How often a log hears of progress.
const WORD: Duration = Duration::from_secs(30);

/// Counts every part that no checkpoint has.
pub fn count(arguments: &Count, variant: &Variant, parts: &dyn Parts) -> Result<Found, Failure> {
    let path = path(arguments, variant);
    let works: Vec<f64> = (0..parts.len()).map(|part| parts.work(part)).collect();
    let mut checkpoint = begin(arguments, variant, &works, &path)?;
    interrupt::install()?;
    let threads = arguments.threads.unwrap_or_else(running::cores);
    let todo: Vec<usize> = sharing::fair_order(parts.len())
        .into_iter()
        .filter(|part| !checkpoint.has(*part))
        .collect();
    say_what_to_expect(
        variant,
        arguments.order,
        todo.iter().map(|&part| works[part]).sum(),
        threads,
    );
    let resumed = checkpoint.counted();
    let mut watch = Watch::new(&works, &todo, &path, resumed > 0);
    let stop = AtomicBool::new(false);
    let mut fault = None;
    sharing::count(parts, &todo, threads, &stop, &wait, &mut |counted| {
        if interrupt::pending().is_some() {
            watch.stopping(&stop);
        }
        let taken = counted.map_or(Ok(()), |counted| {
            watch.counted(counted.part);
            checkpoint.add(counted.part, counted.placements)
        });
        watch.keep(&checkpoint);
        if let Err(reason) = taken {
            stop.store(true, Ordering::Relaxed);
            fault.get_or_insert(reason);
        }
    });
    if let Some(reason) = fault {
        return Err(failed(reason));
    }
    let seconds = watch.started.elapsed().as_secs_f64();
    let Ok(total) = checkpoint.total() else {
        let kept = checkpoint.write(&path);
        return Err(Failure::Interrupted(interrupted(arguments, &checkpoint, &path, kept.err())));
    };
    let kept = watch.has_checkpoint;
    drop(watch);
    let mut how = format!("{} on {}", some(parts.len(), "part"), some(threads, "thread"));
    if resumed > 0 {
        let _ = write!(how, ", {resumed} of them before it was resumed, which the time leaves out");
    }
    if kept {
        // The total is there, whatever becomes of the file.
        let _ = match checkpoint.write(&path) {
            Ok(()) => write!(how, "; what each part has is in {}", path.display()),
            Err(reason) => write!(how, "; what each part has was not kept: {reason}"),
        };
    }
    Ok(Found { counts: Counts { total, fundamental: None }, seconds, how: Some(how) })
}

/// Says about how long so much work will take, where that is seconds or more: from the work and the time of
/// a smaller order, counted first.
fn say_what_to_expect(variant: &Variant, order: Order, work: f64, threads: usize) {
    const LONG_ENOUGH: f64 = 0.1;
    for smaller in (10..order.get()).filter_map(Order::new) {
        let (Ok(count), Ok(Some(parts))) = (variant.counter(smaller), variant.parts(smaller))
        else {
            return;
        };
        let start = Instant::now();
        let _ = lab::call(count, smaller);
        // What shares its calls out unasked has used every core for it.
        let busy = if variant.always_shares() { running::cores() } else { 1 };
        let seconds = start.elapsed().as_secs_f64() * busy as f64;
        if seconds >= LONG_ENOUGH {
            let known_work: f64 = (0..parts.len()).map(|part| parts.work(part)).sum();
            let expected = seconds * work / known_work / threads.min(running::cores()) as f64;
            if expected > 2.0 {
                let (id, time) = (variant.id(), format::wait(expected * 1e9));
                say(&format!("{id} takes about {time} for order {order}; Ctrl-C ends it"));
            }
            return;
        }
    }
}

fn some(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Where the checkpoint is.
fn path(arguments: &Count, variant: &Variant) -> PathBuf {
    arguments.checkpoint.clone().unwrap_or_else(|| {
        let name = format!("count-{}-{}.json", variant.id(), arguments.order);
        workspace::root().join("reports").join(name)
    })
}

/// The checkpoint that the count goes on with, or a new one.
fn begin(
    arguments: &Count,
    variant: &Variant,
    works: &[f64],
    path: &Path,
) -> Result<Checkpoint, Failure> {
    let cut = code::of_numbers(works);
    let new = Checkpoint::new(arguments.order.get(), variant.id(), &cut, works.len());
    let there = path.display();
    let other = "name another file by --checkpoint, or remove it";
    if arguments.checkpoint.is_some() {
        files::try_folder_of(path).map_err(failed)?;
    }
    let kind = std::fs::metadata(path).ok();
    if kind.as_ref().is_some_and(|kind| !kind.is_file()) {
        return Err(failed(format!("{there} is not a file that a checkpoint could be: {other}")));
    }
    if !arguments.resume {
        if kind.is_none() {
            return Ok(new);
        }
        let found =
            Checkpoint::read(path).map_err(|reason| failed(format!("{reason}; {other}")))?;
        return match found.total() {
            Ok(_) => Ok(new),
            Err(_) => Err(failed(format!(
                "{there} has a count that was interrupted: go on with it by --resume, {other}"
            ))),
        };
    }
    let found = Checkpoint::read(path)
        .map_err(|reason| failed(format!("{reason}; --resume wants one that 'count' has kept")))?;
    let same = [
        ("order", found.order == new.order),
        ("variant", found.variant == new.variant),
        ("number of parts", found.parts == new.parts),
        ("way of cutting into parts", found.cut == new.cut),
    ];
    match same.iter().find(|(_, same)| !same) {
        Some((what, _)) => Err(failed(format!(
            "{there} cannot be resumed: the {what} is another one there; {other}"
        ))),
        None => Ok(found),
    }
}

fn interrupted(
    arguments: &Count,
    checkpoint: &Checkpoint,
    path: &Path,
    fault: Option<String>,
) -> String {
    let (counted, parts) = (checkpoint.counted(), checkpoint.parts);
    if let Some(reason) = fault {
        return format!("{counted} of {parts} parts were counted, and are lost: {reason}");
    }
    let mut words = vec!["count".to_owned(), arguments.order.to_string()];
    words.extend(["--variant".to_owned(), checkpoint.variant.clone()]);
    if let Some(threads) = arguments.threads {
        words.extend(["--threads".to_owned(), threads.to_string()]);
    }
    if arguments.checkpoint.is_some() {
        words.extend(["--checkpoint".to_owned(), path.display().to_string()]);
    }
    words.push("--resume".to_owned());
    let again = command_line(words.into_iter().map(Into::into));
    format!(
        "{counted} of {parts} parts are counted and kept in {}; {again} goes on",
        path.display()
    )
}

/// Waits for a result, and not for long.
fn wait(received: &Receiver<Counted>) -> Next {
    match received.recv_timeout(LOOK) {
        Ok(counted) => Next::Counted(counted),
        Err(RecvTimeoutError::Timeout) => Next::Nothing,
        Err(RecvTimeoutError::Disconnected) => Next::Ended,
    }
}

/// How far a count is, and when that was last told and kept.
struct Watch<'a> {
    works: &'a [f64],
    path: &'a Path,
    started: Instant,
    told: Instant,
    kept: Instant,
    /// Whether the count is so long that it has a checkpoint.
    has_checkpoint: bool,
    has_failed: bool,
    is_stopping: bool,
    /// The work of all parts that were not counted before.
    work: f64,
    done: f64,
    progress: Option<Progress>,
}

impl<'a> Watch<'a> {
    fn new(works: &'a [f64], todo: &[usize], path: &'a Path, has_checkpoint: bool) -> Self {
        let work = todo.iter().map(|&part| works[part]).sum();
        let now = Instant::now();
        Self {
            works,
            path,
            started: now,
            told: now,
            kept: now,
            has_checkpoint,
            has_failed: false,
            is_stopping: false,
            work,
            done: 0.0,
            progress: None,
        }
    }

    /// A part is finished.
    fn counted(&mut self, part: usize) {
        let work = self.works[part];
        self.done += work;
        if let Some(progress) = &self.progress {
            progress.advance(work / self.work * BAR);
        }
        // Before that nobody waits.
        if self.progress.is_none() && self.started.elapsed() > Duration::from_secs(1) {
            let progress = Progress::new(BAR);
            progress.advance(self.done / self.work * BAR);
            self.progress = Some(progress);
            self.tell();
        } else if self.told.elapsed() >= WORD {
            self.tell();
        }
    }

    /// Says how far it is and how long it will take from here.
    fn tell(&mut self) {
        self.told = Instant::now();
        let Some(progress) = &self.progress else { return };
        let elapsed = self.started.elapsed();
        let left = elapsed.as_secs_f64() * (self.work / self.done - 1.0);
        progress.line(&format!(
            "{:.1} % of the work is done after {}, about {} are left",
            100.0 * self.done / self.work,
            format_seconds(elapsed),
            format::wait(left * 1e9)
        ));
    }

    /// A signal came: what is under way is finished.
    fn stopping(&mut self, stop: &AtomicBool) {
        stop.store(true, Ordering::Relaxed);
        if !self.is_stopping {
            self.is_stopping = true;
            say("finishing the parts under way; a second signal ends at once");
        }
    }

    /// Writes the checkpoint where it is time for it. Where it cannot be written the count goes on all the
    /// same, and says so once.
    fn keep(&mut self, checkpoint: &Checkpoint) {
        if self.kept.elapsed() < CHECKPOINT {
            return;
        }
        self.kept = Instant::now();
        match checkpoint.write(self.path) {
            Ok(()) => self.has_checkpoint = true,
            Err(reason) if !self.has_failed => {
                self.has_failed = true;
                say(&format!("the checkpoint is not kept up: {reason}"));
            }
            Err(_) => {}
        }
    }
}

/// The length of the bar, in its own seconds: the work's share of them is what counts.
const BAR: f64 = 1000.0;
