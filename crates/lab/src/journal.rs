//! The journal of a run: every finished measurement as a line of its own, on disk as soon as it is
//! there. What ends the run at any moment leaves at worst half a last line, which is passed over.
//!
//! It is there while a run is not complete. A complete run has its CSV files instead.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::files;
use crate::plan::Instrument;
use crate::records::{Environment, Instructions, Sample, Status};

/// The journal's name in the run's folder.
pub const FILE: &str = "journal.jsonl";

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Entry {
    /// A case was measured in a round.
    Case {
        /// What it counted; text, because JSON's numbers are not wide enough everywhere.
        total: String,
        /// The fundamental placements, where the variant counts them.
        fundamental: Option<String>,
        /// The time inside the measured function, warming up and all, in nanoseconds.
        inside_ns: f64,
        /// Its samples.
        samples: Vec<Sample>,
    },
    /// A case could not be measured.
    Failed {
        /// The name that it was to be measured under.
        variant: String,
        /// The order.
        order: usize,
        /// With what.
        instrument: Instrument,
        /// Failed, or ended at its hard limit.
        status: Status,
        /// Why.
        reason: String,
    },
    /// The machine during a round, or a part of one.
    Environment(Environment),
    /// Instructions were counted.
    Instructions(Instructions),
    /// A round came to its end.
    RoundFinished(u32),
}

/// The journal, open for more.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens the journal of a run's folder, with these entries and no others in it.
    ///
    /// # Errors
    /// Where it cannot be written; names it.
    pub fn create(folder: &Path, entries: &[Entry]) -> Result<Self, String> {
        let path = folder.join(FILE);
        let mut text = String::new();
        for entry in entries {
            text.push_str(&line(entry, &path)?);
        }
        files::write(&path, text.as_bytes())?;
        let failed = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
        let file = OpenOptions::new().append(true).open(&path).map_err(failed)?;
        Ok(Self { path, file })
    }

    /// Adds an entry, in one write.
    ///
    /// # Errors
    /// Where it cannot be written; names the file.
    pub fn add(&mut self, entry: &Entry) -> Result<(), String> {
        let line = line(entry, &self.path)?;
        self.file
            .write_all(line.as_bytes())
            .map_err(|error| format!("cannot write {}: {error}", self.path.display()))
    }
}

fn line(entry: &Entry, path: &Path) -> Result<String, String> {
    let text = serde_json::to_string(entry);
    text.map(|text| text + "\n")
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Reads the journal of a run's folder; nothing where there is none. A last line without its end
/// was under way when the run ended, and is passed over.
///
/// # Errors
/// Where it cannot be read or a line is not of a journal; names file and line.
pub fn read(folder: &Path) -> Result<Option<Vec<Entry>>, String> {
    let path = folder.join(FILE);
    if !path.exists() {
        return Ok(None);
    }
    // A cut may fall inside a character.
    let bytes =
        std::fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let entries = bytes[..whole].split(|&byte| byte == b'\n').enumerate();
    entries
        .filter(|(_, line)| !line.is_empty())
        .map(|(number, line)| {
            serde_json::from_slice(line)
                .map_err(|error| format!("{}: line {}: {error}", path.display(), number + 1))
        })
        .collect::<Result<_, _>>()
        .map(Some)
}

/// Takes the journal of a complete run away.
///
/// # Errors
/// Where it cannot be removed; names it.
pub fn remove(folder: &Path) -> Result<(), String> {
    let path = folder.join(FILE);
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("cannot remove {}: {error}", path.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(order: usize) -> Entry {
        Entry::Case {
            total: "234907967154122528".to_owned(),
            fundamental: None,
            inside_ns: 2.5e6,
            samples: vec![Sample {
                variant: "ümlaut".to_owned(),
                order,
                round: 1,
                session: 1,
                position: 3,
                sample: 1,
                iterations: 10,
                elapsed_ns: 0.1 + order as f64,
            }],
        }
    }

    /// CSV-11 and CLI-10 of the public reports: cut anywhere, at most the line under way is lost.
    #[test]
    fn a_journal_that_was_cut_anywhere_has_every_whole_line() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path()), Ok(None));
        let mut journal = Journal::create(folder.path(), &[entry(1)]).unwrap();
        journal.add(&entry(2)).unwrap();
        journal.add(&Entry::RoundFinished(1)).unwrap();
        let all = [entry(1), entry(2), Entry::RoundFinished(1)];
        assert_eq!(read(folder.path()).unwrap().unwrap(), all);
        let path = folder.path().join(FILE);
        let whole = std::fs::read(&path).unwrap();
        remove(folder.path()).unwrap();
        remove(folder.path()).unwrap();
        assert_eq!(read(folder.path()), Ok(None));
        for end in 0..whole.len() {
            std::fs::write(&path, &whole[..end]).unwrap();
            let lines = whole[..end].split(|&byte| byte == b'\n').count() - 1;
            assert_eq!(read(folder.path()).unwrap().unwrap(), all[..lines]);
        }
    }

    #[test]
    fn a_damaged_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE), "{\"RoundFinished\":1}\nnonsense\n").unwrap();
        assert!(read(folder.path()).unwrap_err().contains("journal.jsonl: line 2"));
    }
}
