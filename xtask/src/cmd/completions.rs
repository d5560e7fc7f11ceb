//! `completions`: a shell's completions.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::output::Done;

/// Writes them for the command `xtask`.
pub fn run(shell: Shell, out: &mut dyn Write) -> Done {
    let mut script = Vec::new();
    let mut command = Cli::command().bin_name("xtask");
    clap_complete::generate(shell, &mut command, "xtask", &mut script);
    Ok(out.write_all(&script)?)
}
