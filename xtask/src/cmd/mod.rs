//! One file a command.

mod again;
mod bench;
mod calibrate;
mod chart;
mod compare;
mod completions;
mod count;
mod diff;
mod explain;
mod growth;
mod list;
mod paired;
mod solve;
mod splice;
mod table;
mod verify;

use std::io::Write;

use lab::registry::REGISTRY;

use crate::cli::Command;
use crate::output::{Done, Verdict};

/// Does what the command line says.
pub fn run(command: &Command) -> Done {
    let mut out = std::io::stdout().lock();
    match command {
        Command::Bench(arguments) => bench::run(arguments, &REGISTRY, &mut Verdict::new(&mut out)),
        Command::Verify(arguments) => {
            verify::run(arguments, &REGISTRY, &mut Verdict::new(&mut out))
        }
        Command::Count(arguments) => count::run(arguments, &REGISTRY, &mut Verdict::new(&mut out)),
        Command::Compare(arguments) => compare::run(arguments, &mut out),
        Command::Explain(arguments) => explain::run(arguments, &mut out),
        Command::Diff(arguments) => diff::run(arguments, &mut out),
        Command::Growth(arguments) => growth::run(arguments, &mut out),
        Command::Calibrate(arguments) => calibrate::run(arguments, &mut out),
        Command::List => list::run(&REGISTRY, &mut out),
        Command::Solve(arguments) => solve::run(arguments, &REGISTRY, &mut out),
        Command::Chart(arguments) => chart::run(arguments, &mut Verdict::new(&mut out)),
        Command::Table(arguments) => table::run(arguments, &mut out),
        Command::Splice(arguments) => splice::run(arguments, &mut Verdict::new(&mut out)),
        Command::Plot(arguments) => chart::plot(arguments, &mut out),
        Command::Report(arguments) => again::report(arguments, &mut out),
        Command::Completions { shell } => completions::run(*shell, &mut out),
    }?;
    Ok(out.flush()?)
}
