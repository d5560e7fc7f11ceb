//! What goes to standard output, and how a command ends early.

use std::io::{self, Write};
use std::path::Path;

use comfy_table::{CellAlignment, ContentArrangement, Table as Drawn, presets};
use lab::table::Table;

/// Why a command ended early.
#[derive(Debug, PartialEq, Eq)]
pub enum Failure {
    /// What was asked for cannot be meant; exit status 2.
    Usage(String),
    /// What was asked for could not be done, or was found wrong; exit status 1.
    Failed(String),
    /// A case is slower than a gate allows; exit status 3.
    Slower(String),
    /// A signal asked the command to end; exit status 128 and the signal's number. What is kept.
    Interrupted(String),
    /// Nobody reads the output any more: a quiet end, as after `| head`.
    OutputClosed,
}

/// What a command gives back.
pub type Done = Result<(), Failure>;

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::OutputClosed
        } else {
            Self::Failed(format!("cannot write to standard output: {error}"))
        }
    }
}

/// Says something on standard error; where nobody listens, that is no failure.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Standard output for a command whose verdict counts even when nobody reads it to the end: what is
/// written after it was closed is dropped.
pub struct Verdict<'a> {
    out: &'a mut dyn Write,
    closed: bool,
}

impl<'a> Verdict<'a> {
    /// Around an output.
    pub fn new(out: &'a mut dyn Write) -> Self {
        Self { out, closed: false }
    }

    fn unless_closed<T>(
        &mut self,
        dropped: T,
        write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.closed {
            return Ok(dropped);
        }
        match write(self.out) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(dropped)
            }
            result => result,
        }
    }
}

impl Write for Verdict<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), |out| out.flush())
    }
}

/// A failure in words that are already whole.
pub fn failed(message: impl Into<String>) -> Failure {
    Failure::Failed(message.into())
}

/// The path of a file that is there, from the root, as a person can click or copy it.
pub fn absolute(path: &Path) -> String {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()).display().to_string()
}

/// A table for a terminal or a log. It is Markdown as well, so that it can be pasted.
pub fn write_table(out: &mut dyn Write, table: &Table) -> Done {
    let mut drawn = Drawn::new();
    drawn
        .load_style(presets::ASCII_MARKDOWN)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(&table.header);
    for row in &table.rows {
        drawn.add_row(row);
    }
    for (index, column) in drawn.column_iter_mut().enumerate() {
        if table.is_of_numbers(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    Ok(writeln!(out, "{drawn}")?)
}
