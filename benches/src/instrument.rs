//! What the instruments that are given a task have in common.

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};

use lab::protocol::{Answer, Assignment, Task};
use lab::registry::{self, REGISTRY};

use crate::cases::{self, Subject};
use crate::planted;

/// The file of the task, where the command line names one.
#[must_use]
pub fn task_file() -> Option<std::path::PathBuf> {
    let arguments: Vec<std::ffi::OsString> = std::env::args_os().collect();
    match &arguments[..] {
        [_, flag, path] if flag == "--task" => Some(path.into()),
        _ => None,
    }
}

/// Reads the task and does it; says on standard error what went wrong.
#[must_use]
pub fn run(path: &Path, perform: fn(Task) -> Result<(), String>) -> ExitCode {
    end_with_parent();
    say(&Answer::Ready { debug: cfg!(debug_assertions) });
    let done = lab::files::read(path).and_then(|text| {
        let assignment: Assignment =
            serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        start_threads(assignment.threads)?;
        perform(assignment.task)
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

/// Whether variants that can share a call out among threads do so, where they would not by themselves.
static SHARED: OnceLock<bool> = OnceLock::new();

/// Starts the threads that calls are shared out among: so many, or one for each core. Whatever the
/// environment says of it is of no account.
fn start_threads(threads: Option<usize>) -> Result<(), String> {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let _ = SHARED.set(threads.is_some());
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or_else(cores))
        .build_global()
        .map_err(|error| format!("cannot start threads: {error}"))
}

/// Answers that were taken note of by the one that gave this program its task.
static NOTED: (Mutex<usize>, Condvar) = (Mutex::new(0), Condvar::new());

/// Answers that were said.
static SAID: AtomicUsize = AtomicUsize::new(0);

/// Reads standard input: a byte for each answer that was taken note of. Its end means that the one that
/// gave this program its task is gone, and ends this program, so that nothing is left running whatever
/// ended the other one.
fn end_with_parent() {
    std::thread::spawn(|| {
        let mut bytes = [0; 64];
        loop {
            match std::io::stdin().read(&mut bytes) {
                Ok(count) if count > 0 => {
                    *NOTED.0.lock().unwrap_or_else(PoisonError::into_inner) += count;
                    NOTED.1.notify_all();
                }
                _ => std::process::exit(1),
            }
        }
    });
}

/// Says an answer.
pub fn say(answer: &Answer) {
    SAID.fetch_add(1, Ordering::Relaxed);
    println!("{}", answer.line());
}

/// Waits until every answer so far was taken note of. What happens to the other program after that loses
/// none of them.
pub fn wait_until_noted() {
    let said = SAID.load(Ordering::Relaxed);
    let mut noted = NOTED.0.lock().unwrap_or_else(PoisonError::into_inner);
    while *noted < said {
        noted = NOTED.1.wait(noted).unwrap_or_else(PoisonError::into_inner);
    }
}

/// A variant of the registry, or one that has extra work planted, at an order.
///
/// # Errors
/// Where there is no such variant, or it does not accept the order.
pub fn subject(variant: &str, order: usize) -> Result<Subject, String> {
    let entry = registry::find(&REGISTRY, variant).map(|entry| entry.variant);
    let planted = planted::VARIANTS.iter().find(|planted| planted.id() == variant);
    let found = entry.or(planted).ok_or_else(|| format!("no variant {variant}"))?;
    let shared = SHARED.get().copied().unwrap_or(false);
    let subject = if shared { cases::shared_subject } else { cases::subject };
    subject(found, order).ok_or_else(|| format!("{variant} does not accept order {order}"))
}

/// Compares what a call counted with what it must count. An empty expectation is not compared.
///
/// # Errors
/// Where they differ; says what was expected and what was found.
pub fn check(counts: queens::Counts, total: &str, fundamental: &str) -> Result<(), String> {
    let differs = |what: &str, expected: &str, found: &str| {
        (!expected.is_empty() && found != expected)
            .then(|| format!("{what}: expected {expected}, got {found}"))
    };
    let found = counts.fundamental.map(|count| count.to_string());
    let wrong = differs("total", total, &counts.total.to_string()).or_else(|| {
        differs("fundamental count", fundamental, found.as_deref().unwrap_or(fundamental))
    });
    wrong.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens::Counts;

    #[test]
    fn counts_are_compared_with_what_they_must_be() {
        let counts = Counts { total: 92, fundamental: Some(12) };
        assert_eq!(check(counts, "92", "12"), Ok(()));
        assert_eq!(check(counts, "", ""), Ok(()));
        assert_eq!(check(Counts { fundamental: None, ..counts }, "92", "12"), Ok(()));
        assert_eq!(check(counts, "96", "12").unwrap_err(), "total: expected 96, got 92");
        let words = "fundamental count: expected 23, got 12";
        assert_eq!(check(counts, "92", "23").unwrap_err(), words);
    }
}
