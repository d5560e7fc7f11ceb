//! Programs that this one starts and watches: under a guard, with a time limit, ended by a signal.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
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
    // Closing it ends the program.
    let mut leash = child.stdin.take();
    let (sender, lines) = mpsc::channel();
    if let Some(output) = child.stdout.take() {
        std::thread::spawn(move || {
            for bytes in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                if sender.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() {
                    break;
                }
            }
        });
    }
    let mut fault = None;
    let mut allowed = first;
    let mut since = Instant::now();
    let mut last_look = since;
    loop {
        match lines.recv_timeout(LOOK) {
            Ok(text) => {
                allowed = line(&text);
                since = Instant::now();
                if let Some(leash) = leash.as_mut().filter(|_| text.starts_with(MARK)) {
                    // It may have ended meanwhile, which its exit status tells.
                    let _ = leash.write_all(b".");
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        // While this program was stopped, by Ctrl-Z or with the whole machine, so was nobody's clock.
        let gap = last_look.elapsed();
        if gap > 10 * LOOK {
            since += gap;
        }
        last_look = Instant::now();
        if leash.is_some() {
            if interrupt::pending().is_some() {
                fault = Some(Fault::Interrupted);
            } else if let Some(limit) = allowed.filter(|limit| since.elapsed() > *limit) {
                fault = Some(Fault::TimedOut(limit));
            }
            if fault.is_some() {
                drop(leash.take());
            }
        }
    }
    let status = child.wait().map_err(failed)?;
    drop(leash);
    if let Some(fault) = fault {
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
