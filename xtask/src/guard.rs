//! The guard: a process between this program and one that it starts, so that nothing is left running
//! whatever becomes of this program.
//!
//! It has a pipe from this program as its standard input, which it passes on. When the pipe is closed,
//! because this program wants it or because it is gone, the guard ends the program that it started
//! and all that belong to it, such as a compiler or valgrind.

use std::ffi::{OsStr, OsString};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

/// The argument with which this program becomes a guard.
const FLAG: &str = "--guard";

/// Signals are told by exit statuses above this, as shells do.
const SIGNAL_BASE: i32 = 128;

/// A command that runs `program` under a guard. Its standard input must be a pipe, which is kept
/// open for as long as the program may run.
pub fn command(program: &OsStr) -> std::io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(FLAG).arg(program).stdin(Stdio::piped());
    // What a terminal sends to the programs in its foreground is for this one alone.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    Ok(command)
}

/// The program and its arguments, where this one has been started as a guard.
pub fn wanted() -> Option<Vec<OsString>> {
    let mut arguments = std::env::args_os().skip(1);
    (arguments.next()? == FLAG).then(|| arguments.collect())
}

/// Runs the program, and ends it when standard input comes to its end.
pub fn run(program: &[OsString]) -> ExitCode {
    // So that it is not among the programs that a person ends by this one's name.
    #[cfg(target_os = "linux")]
    let _ = std::fs::write("/proc/self/comm", "lab-guard");
    let Some((program, arguments)) = program.split_first() else { return ExitCode::from(2) };
    let mut command = Command::new(program);
    // It has the same pipe as its input, and may look for its end itself.
    command.args(arguments);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            eprintln!("cannot start {}: {error}", program.display());
            return ExitCode::from(127);
        }
    };
    let group = child.id();
    std::thread::spawn(move || {
        wait_for_end_of_input();
        // The program then ends, and this one with it, not before.
        end_group(group);
    });
    let status = child.wait();
    // What it started and left behind.
    end_group(group);
    status.map_or(ExitCode::FAILURE, |status| ExitCode::from(code(status) as u8))
}

/// Waits until nobody holds the other end of standard input any more. What comes on it is for the
/// program, and is left there.
#[cfg(unix)]
fn wait_for_end_of_input() {
    use rustix::event::{PollFd, PollFlags, poll};
    let input = std::io::stdin();
    loop {
        // Nothing is asked for but what is always told: that the other end is closed.
        let mut inputs = [PollFd::new(&input, PollFlags::empty())];
        match poll(&mut inputs, None) {
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
            Ok(_) if !inputs[0].revents().is_empty() => return,
            Ok(_) => {}
        }
    }
}

#[cfg(not(unix))]
fn wait_for_end_of_input() {
    use std::io::Read;
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}

#[cfg(unix)]
fn end_group(group: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(group).ok().and_then(Pid::from_raw) {
        // An empty group cannot be found, which is what is wanted.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Without process groups the program is left to see the end of the pipe itself.
#[cfg(not(unix))]
fn end_group(_: u32) {
    std::process::exit(SIGNAL_BASE + 9);
}

#[cfg(unix)]
fn code(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status.code().unwrap_or_else(|| SIGNAL_BASE + status.signal().unwrap_or(0))
}

#[cfg(not(unix))]
fn code(status: ExitStatus) -> i32 {
    status.code().unwrap_or(1)
}

/// How the guarded program ended, in words; nothing where it went well.
pub fn fault(status: ExitStatus) -> Option<String> {
    match status.code() {
        Some(0) => None,
        Some(code) if code > SIGNAL_BASE => {
            let name = match code - SIGNAL_BASE {
                4 => " (SIGILL, an instruction that this processor does not know)",
                6 => " (SIGABRT)",
                9 => " (SIGKILL)",
                11 => " (SIGSEGV)",
                _ => "",
            };
            Some(format!("signal {}{name}", code - SIGNAL_BASE))
        }
        Some(code) => Some(format!("exit status {code}")),
        None => Some("its guard was ended".to_owned()),
    }
}
