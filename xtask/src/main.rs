//! The command line of the laboratory: `cargo xtask`.
//!
//! It starts the measuring instruments and reads what they leave; it times nothing itself but how
//! long a person waited for `count`.

mod cli;
mod cmd;
mod instruments;
mod machine;
mod output;
mod progress;
mod workspace;

use std::process::ExitCode;

use output::Failure;

fn main() -> ExitCode {
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
    }
}
