//! Programs that this one starts and watches: under a guard, with a time limit, ended by a signal.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use lab::protocol::MARK;

use crate::{guard, interrupt};

/// How often a waiting look is taken at the clock and for signals. Seldom enough to disturb nothing.
const LOOK: Duration = Duration::from_millis(100);

/// Why a program did not come to a good end.
#[derive(Debug, PartialEq, Eq)]
pub enum Fault {
    /// It failed; how, and what it said on standard error.
    Failed {
        /// How it ended.
        how: String,
        /// What it said.
        words: String,
    },
    /// It took longer than it may, and was ended.
    TimedOut(Duration),
    /// A signal asked this program to end, and the other one was ended.
    Interrupted,
}

/// What standard error of a program is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// A person sees them.
    Shown,
    /// They are kept for the case that it fails.
    Kept,
}

/// Runs a command made by [`guard::command`] and hands on each line of its standard output. After
/// each line it may take as long as the answer says before the next one; `first` is for the first.
/// A byte on its standard input tells that an instrument's answer was handed on.
pub fn run(
    mut command: Command,
    words: Words,
    first: Option<Duration>,
    line: &mut dyn FnMut(&str) -> Option<Duration>,
) -> Result<(), Fault> {
    let failed = |error: std::io::Error| Fault::Failed {
        how: "it cannot be started".to_owned(),
        words: error.to_string(),
    };
    let kept = tempfile::NamedTempFile::new().map_err(failed)?;
    command.stdout(Stdio::piped());
    if words == Words::Kept {
        command.stderr(kept.reopen().map_err(failed)?);
    }
    let mut child = command.spawn().map_err(failed)?;
    let lines = read_lines(child.stdout.take());
    let mut watch = Watch::new(child.stdin.take(), first);
    loop {
        match lines.recv_timeout(LOOK) {
            Ok(text) => {
                watch.allow(line(&text));
                watch.acknowledge(&text);
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        watch.look();
    }
    let status = child.wait().map_err(failed)?;
    if let Some(fault) = watch.fault {
        return Err(fault);
    }
    // A signal that came with the last line counts as well.
    if interrupt::pending().is_some() {
        return Err(Fault::Interrupted);
    }
    guard::fault(status).map_or(Ok(()), |how| {
        let words = fs::read(kept.path()).unwrap_or_default();
        Err(Fault::Failed { how, words: String::from_utf8_lossy(&words).into_owned() })
    })
}

/// The lines of a program's output, as they come; no more when it has ended.
fn read_lines(output: Option<ChildStdout>) -> Receiver<String> {
    let (sender, lines) = mpsc::channel();
    if let Some(output) = output {
        std::thread::spawn(move || {
            for bytes in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                if sender.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() {
                    break;
                }
            }
        });
    }
    lines
}

/// What is watched of a program that runs.
struct Watch {
    /// Closing it ends the program.
    leash: Option<ChildStdin>,
    /// How long it may take to the next line.
    allowed: Option<Duration>,
    /// When the last line came.
    since: Instant,
    last_look: Instant,
    /// Why it was ended.
    fault: Option<Fault>,
}

impl Watch {
    fn new(leash: Option<ChildStdin>, allowed: Option<Duration>) -> Self {
        let now = Instant::now();
        Self { leash, allowed, since: now, last_look: now, fault: None }
    }

    /// A line came, and the next one may take so long.
    fn allow(&mut self, allowed: Option<Duration>) {
        (self.allowed, self.since) = (allowed, Instant::now());
    }

    /// Tells an instrument that its answer was handed on.
    fn acknowledge(&mut self, text: &str) {
        if let Some(leash) = self.leash.as_mut().filter(|_| text.starts_with(MARK)) {
            // It may have ended meanwhile, which its exit status tells.
            let _ = leash.write_all(b".");
        }
    }

    /// Ends the program where a signal came or its time is up.
    fn look(&mut self) {
        // While this program was stopped, by Ctrl-Z or with the whole machine, its clock went on, and is set back.
        let gap = self.last_look.elapsed();
        if gap > 10 * LOOK {
            self.since += gap;
        }
        self.last_look = Instant::now();
        if self.leash.is_none() {
            return;
        }
        if interrupt::pending().is_some() {
            self.fault = Some(Fault::Interrupted);
        } else if let Some(limit) = self.allowed.filter(|limit| self.since.elapsed() > *limit) {
            self.fault = Some(Fault::TimedOut(limit));
        }
        if self.fault.is_some() {
            self.leash = None;
        }
    }
}
