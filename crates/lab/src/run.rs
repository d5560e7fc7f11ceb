//! A run's own account: what was measured where, with what, and whether it came to its end.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::files;
use crate::plan::Plan;

/// The version of the files' layout; a file of another one is refused.
pub const SCHEMA: u32 = 2;

/// The name of a run's own file.
pub const FILE: &str = "run.json";

/// A run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The version of the layout.
    pub schema: u32,
    /// The run's name, that of its folder.
    pub id: String,
    /// When it started, RFC 3339.
    pub started: String,
    /// The command that made it.
    pub command: String,
    /// Whether it came to its end.
    pub complete: bool,
    /// Why its numbers are not for publication; empty where they may be.
    pub not_for_publication: Vec<String>,
    /// The variant that speedups are taken against.
    pub baseline: String,
    /// The machine.
    pub machine: Machine,
    /// What the variants were built with.
    pub toolchain: Toolchain,
    /// The source that was measured.
    pub source: Source,
    /// The plan.
    pub plan: Plan,
    /// Rounds that were finished.
    pub rounds_finished: u32,
    /// The sessions that it was measured in: one, and one more for each time that it was resumed.
    pub sessions: Vec<Session>,
    /// The fingerprint of each measured variant's code, by its id.
    pub code: BTreeMap<String, String>,
    /// How many lines each measured variant's own source has, by its id: those that are neither blank nor
    /// comment nor test.
    #[serde(default)]
    pub code_lines: BTreeMap<String, usize>,
    /// The fingerprint of the code that all variants share, with the profile that it is built with.
    pub shared_code: String,
    /// How many rows each CSV file has, by its name.
    pub rows: BTreeMap<String, usize>,
    /// Why instructions are not counted, where they were wanted.
    pub not_counted: Option<String>,
    /// How many threads calls were shared out among, where that was asked for.
    #[serde(default)]
    pub threads: Option<usize>,
    /// What of how the variants ran does not follow from which they are: threads and bodies.
    #[serde(default)]
    pub running: Vec<String>,
    /// What a reader of the numbers must know besides.
    pub notes: Vec<String>,
}

/// A session of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// When it started, RFC 3339.
    pub started: String,
    /// The command that made it.
    pub command: String,
    /// The seconds that measuring took.
    pub measuring_s: f64,
    /// The seconds from when everything is built until all results are on disk: charts and report are drawn after
    /// that, and say it.
    pub wall_s: f64,
    /// The seconds inside the measured functions while they were timed or called for it: pilot,
    /// verification, warming up, samples. Counting instructions is not among them.
    pub inside_s: f64,
}

/// A machine; what cannot be read on it is left open.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name.
    pub cpu: Option<String>,
    /// Logical processors that the run may use.
    pub cores: Option<usize>,
    /// The sizes of the caches, as the system names them.
    pub caches: Vec<String>,
    /// The processor's features that matter to the variants.
    pub features: Vec<String>,
    /// Memory in bytes.
    pub memory_bytes: Option<u64>,
    /// The operating system and its kernel.
    pub system: Option<String>,
    /// The frequency governor.
    pub governor: Option<String>,
    /// The load of the last minute when the run started.
    pub load: Option<f64>,
    /// Whether the system says that it runs on a virtual machine.
    pub virtualised: bool,
}

/// What the variants were built with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toolchain {
    /// The compiler's version.
    pub rustc: Option<String>,
    /// The target triple.
    pub target: Option<String>,
    /// Flags from the environment and from the workspace's configuration.
    pub rustflags: Option<String>,
    /// The build profile and what in it bears on speed.
    pub profile: String,
    /// The version of Criterion.
    pub criterion: String,
    /// The version of the instruction counter.
    pub iai_callgrind: String,
    /// The version of valgrind.
    pub valgrind: Option<String>,
}

/// The source that was measured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The commit.
    pub commit: Option<String>,
    /// Whether the tree differed from it.
    pub dirty: Option<bool>,
}

impl Machine {
    /// The machine in one line.
    #[must_use]
    pub fn line(&self) -> String {
        let cpu = self.cpu.as_deref().unwrap_or("unknown processor");
        let cores = self.cores.map_or_else(String::new, |cores| format!(", {cores} cores"));
        let kind = if self.virtualised { ", virtual machine" } else { "" };
        format!("{cpu}{cores}{kind}")
    }

    /// What differs between two machines, in words; nothing where they are the same as far as can
    /// be told. The load is no part of a machine.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<String> {
        let said = |value: &Option<String>| value.clone().unwrap_or_else(|| "unknown".to_owned());
        let count = |value: Option<u64>| value.map_or_else(|| "unknown".into(), |v| v.to_string());
        let facts = |machine: &Self| {
            [
                ("processor", said(&machine.cpu)),
                ("cores", count(machine.cores.map(|cores| cores as u64))),
                ("caches", machine.caches.join(", ")),
                ("features", machine.features.join(" ")),
                ("memory", count(machine.memory_bytes)),
                ("system", said(&machine.system)),
                ("governor", said(&machine.governor)),
            ]
        };
        facts(self)
            .into_iter()
            .zip(facts(other))
            .find(|(a, b)| a != b)
            .map(|((name, a), (_, b))| format!("{name}: '{a}' and '{b}'"))
    }
}

impl Toolchain {
    /// What differs between two toolchains in what bears on times; nothing where they are the same.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<String> {
        let said = |value: &Option<String>| value.clone().unwrap_or_else(|| "none".to_owned());
        let facts = |toolchain: &Self| {
            [
                ("compiler", said(&toolchain.rustc)),
                ("target", said(&toolchain.target)),
                ("flags", said(&toolchain.rustflags)),
                ("profile", toolchain.profile.clone()),
                ("criterion", toolchain.criterion.clone()),
                ("iai-callgrind", toolchain.iai_callgrind.clone()),
            ]
        };
        facts(self)
            .into_iter()
            .zip(facts(other))
            .find(|(a, b)| a != b)
            .map(|((name, a), (_, b))| format!("{name}: '{a}' and '{b}'"))
    }
}

impl Run {
    /// Writes it into its folder.
    ///
    /// # Errors
    /// Where the file cannot be written; names it.
    pub fn write(&self, folder: &Path) -> Result<(), String> {
        let mut text = serde_json::to_string_pretty(self)
            .map_err(|error| format!("cannot write {FILE}: {error}"))?;
        text.push('\n');
        files::write(&folder.join(FILE), text.as_bytes())
    }

    /// Reads it from its folder; nothing where there is none.
    ///
    /// # Errors
    /// Where it cannot be read, is cut off or is of another version; names the file.
    pub fn read(folder: &Path) -> Result<Option<Self>, String> {
        let path = folder.join(FILE);
        if !path.exists() {
            return Ok(None);
        }
        let failed = |error: serde_json::Error| format!("{}: {error}", path.display());
        let value: serde_json::Value =
            serde_json::from_str(&files::read(&path)?).map_err(failed)?;
        if value.get("schema").and_then(serde_json::Value::as_u64) != Some(u64::from(SCHEMA)) {
            return Err(format!("{}: its schema is not {SCHEMA}", path.display()));
        }
        serde_json::from_value(value).map(Some).map_err(failed)
    }

    /// The seconds that measuring took, in all sessions.
    #[must_use]
    pub fn measuring_s(&self) -> f64 {
        self.sessions.iter().map(|session| session.measuring_s).sum()
    }

    /// The machine in one line, for captions.
    #[must_use]
    pub fn machine_line(&self) -> String {
        self.machine.line()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_and_toolchains_differ_by_what_bears_on_times() {
        let machine = Machine { cpu: Some("a".to_owned()), cores: Some(2), ..Machine::default() };
        let loaded = Machine { load: Some(3.0), ..machine.clone() };
        assert_eq!(machine.difference(&loaded), None);
        let other = Machine { cores: Some(4), ..machine.clone() };
        assert_eq!(machine.difference(&other).unwrap(), "cores: '2' and '4'");
        let toolchain = Toolchain { rustc: Some("1".to_owned()), ..Toolchain::default() };
        let other = Toolchain { valgrind: Some("3".to_owned()), ..toolchain.clone() };
        assert_eq!(toolchain.difference(&other), None);
        let other = Toolchain { rustflags: Some("-O".to_owned()), ..toolchain.clone() };
        assert_eq!(toolchain.difference(&other).unwrap(), "flags: 'none' and '-O'");
    }
}
