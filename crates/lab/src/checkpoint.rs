//! The checkpoint of a long count: which of its parts are counted, and what each of them has.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::files;

/// The version of the file's layout; a file of another one is refused.
const SCHEMA: u32 = 1;

/// A count that is under way or finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    schema: u32,
    /// The order that is counted.
    pub order: usize,
    /// The id of the variant that counts it.
    pub variant: String,
    /// The fingerprint of how the count is cut into parts.
    pub cut: String,
    /// How many parts the count has.
    pub parts: usize,
    /// The placements of each part that is counted, in words, because JSON's numbers are not wide enough
    /// everywhere.
    counts: BTreeMap<usize, String>,
}

impl Checkpoint {
    /// A count of which nothing is counted yet.
    #[must_use]
    pub fn new(order: usize, variant: &str, cut: &str, parts: usize) -> Self {
        Self {
            schema: SCHEMA,
            order,
            variant: variant.to_owned(),
            cut: cut.to_owned(),
            parts,
            counts: BTreeMap::new(),
        }
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// Where the file cannot be read, or is not a checkpoint as it was written: the message names the
    /// file and what is wrong with it.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = files::read(path)?;
        let wrong = |reason: String| format!("{} is not a checkpoint: {reason}", path.display());
        let read: Self = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        if read.schema != SCHEMA {
            return Err(wrong(format!("it has layout {}, and {SCHEMA} is read", read.schema)));
        }
        for (part, placements) in &read.counts {
            if *part >= read.parts {
                return Err(wrong(format!("it has part {part} of {} from 0 on", read.parts)));
            }
            if placements.parse::<u128>().is_err() {
                return Err(wrong(format!("part {part} has '{placements}' placements")));
            }
        }
        Ok(read)
    }

    /// Writes it aside and renames it, so that whatever happens meanwhile the file is whole.
    ///
    /// # Errors
    /// Where it cannot be written; the message names the path.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let mut text = serde_json::to_string_pretty(self).map_err(|error| error.to_string())?;
        text.push('\n');
        files::write(path, text.as_bytes())
    }

    /// Notes that a part was counted.
    ///
    /// # Errors
    /// Where the part was counted before with another result.
    pub fn add(&mut self, part: usize, placements: u128) -> Result<(), String> {
        let text = placements.to_string();
        match self.counts.insert(part, text.clone()) {
            Some(before) if before != text => Err(format!(
                "part {part} was counted twice, with {before} placements and with {text}"
            )),
            _ => Ok(()),
        }
    }

    /// Whether a part is counted.
    #[must_use]
    pub fn has(&self, part: usize) -> bool {
        self.counts.contains_key(&part)
    }

    /// How many parts are counted.
    #[must_use]
    pub fn counted(&self) -> usize {
        self.counts.len()
    }

    /// The total of the count.
    ///
    /// # Errors
    /// Where parts are missing; the message names the first of them.
    pub fn total(&self) -> Result<u128, String> {
        let mut missing = (0..self.parts).filter(|part| !self.has(*part));
        if let Some(first) = missing.next() {
            let further = missing.count();
            return Err(format!("part {first} and {further} others of {} are missing", self.parts));
        }
        // `read` and `add` let nothing in that is no number.
        Ok(self.counts.values().filter_map(|count| count.parse::<u128>().ok()).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        let mut checkpoint = Checkpoint::new(8, "threads", "0123", 3);
        checkpoint.add(0, 40).unwrap();
        checkpoint.add(2, u128::MAX >> 1).unwrap();
        checkpoint
    }

    #[test]
    fn is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("count.json");
        checkpoint().write(&path).unwrap();
        assert_eq!(Checkpoint::read(&path), Ok(checkpoint()));
        assert_eq!((checkpoint().counted(), checkpoint().has(1)), (2, false));
    }

    /// DIS-01 and DIS-02 of the public reports: nothing is added up while a part is missing, and a part
    /// that comes twice counts once, or is refused where it differs.
    #[test]
    fn no_total_of_less_than_all_and_no_part_twice() {
        let mut checkpoint = Checkpoint::new(8, "threads", "0123", 2);
        checkpoint.add(1, 52).unwrap();
        assert_eq!(checkpoint.total().unwrap_err(), "part 0 and 0 others of 2 are missing");
        checkpoint.add(0, 40).unwrap();
        checkpoint.add(0, 40).unwrap();
        assert_eq!(checkpoint.total(), Ok(92));
        assert!(checkpoint.add(0, 41).unwrap_err().contains("twice"));
    }

    /// DIS-03 and DIS-04 of the public reports: what is damaged is refused by name.
    #[test]
    fn a_damaged_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("count.json");
        checkpoint().write(&path).unwrap();
        let good = std::fs::read_to_string(&path).unwrap();
        for (damaged, word) in [
            (good[..good.len() / 2].to_owned(), "EOF"),
            (good.replace("\"2\":", "\"3\":"), "part 3 of 3"),
            (good.replace("\"40\"", "\"4x\""), "'4x'"),
            (good.replace("\"schema\": 1", "\"schema\": 9"), "layout 9"),
        ] {
            std::fs::write(&path, damaged).unwrap();
            let message = Checkpoint::read(&path).unwrap_err();
            assert!(message.contains(word) && message.contains("count.json"), "{message}");
        }
    }
}
