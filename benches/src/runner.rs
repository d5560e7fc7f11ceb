//! The instruction counter's runner, as a program of this package, so that `cargo bench` needs no
//! separately installed one and the two versions cannot differ.

use std::process::ExitCode;

fn main() -> ExitCode {
    match gungraun_runner::runner::run::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("instructions: {error:#}");
            ExitCode::FAILURE
        }
    }
}
