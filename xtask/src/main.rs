//! The command line of the laboratory: `cargo xtask`.
//!
//! It starts the measuring instruments and reads what they leave; it times nothing itself but how
//! long a person waits: for `count`, and in `calibrate` for a comparison.

mod cli;
mod cmd;
mod code;
mod guard;
mod instruments;
mod interrupt;
mod lock;
mod machine;
mod output;
mod pdf;
mod process;
mod progress;
mod running;
mod workspace;

use std::process::ExitCode;

use output::Failure;

/// A duration as people read it.
fn format_seconds(duration: std::time::Duration) -> String {
    lab::format::time(duration.as_secs_f64() * 1e9)
}

fn main() -> ExitCode {
    if let Some(program) = guard::wanted() {
        return guard::run(&program);
    }
    if std::env::args_os().nth(1).is_some_and(|first| first == instruments::BODIES) {
        print!("{}", instruments::bodies());
        return ExitCode::SUCCESS;
    }
    let result = cli::parse().and_then(|command| cmd::run(&command));
    match result {
        // A closed output: whoever read it has read enough.
        Ok(()) | Err(Failure::OutputClosed) => ExitCode::SUCCESS,
        Err(Failure::Usage(message)) => {
            output::say(&format!("error: {message}"));
            ExitCode::from(2)
        }
        Err(Failure::Failed(message)) => {
            output::say(&format!("error: {message}"));
            ExitCode::FAILURE
        }
        Err(Failure::Slower(message)) => {
            output::say(&format!("error: {message}"));
            ExitCode::from(3)
        }
        Err(Failure::Interrupted(message)) => {
            output::say(&format!("interrupted: {message}"));
            ExitCode::from(128 + interrupt::pending().map_or(2, |signal| signal as u8))
        }
    }
}
