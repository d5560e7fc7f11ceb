//! The folder of a run: made before anything is measured, and taken away again if nothing is.

use std::fs;
use std::path::{Path, PathBuf};

use lab::files;

use crate::cli::Bench;
use crate::output::{Failure, failed};
use crate::workspace;

/// A folder for one run's results.
pub struct Folder {
    /// Where it is, from the root.
    pub path: PathBuf,
    /// The run's name.
    pub id: String,
    made: bool,
}

impl Folder {
    /// Refuses a folder that something was written into since it was made.
    pub fn refuse_used(&self) -> Result<(), Failure> {
        refuse_used(&self.path)
    }
}

fn refuse_used(path: &Path) -> Result<(), Failure> {
    let mut entries = fs::read_dir(path)
        .map_err(|error| failed(format!("cannot read {}: {error}", path.display())))?;
    if entries.next().is_some() {
        return Err(failed(format!(
            "{} is not empty; --out takes a new or an empty folder, so that runs are not mixed",
            path.display()
        )));
    }
    Ok(())
}

impl Drop for Folder {
    /// Takes away an empty folder that was made for nothing; one with results stays.
    fn drop(&mut self) {
        if self.made {
            // It is not removed unless it is empty, and nothing is lost if it stays.
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// Makes the folder that was asked for, or a new one in the workspace's reports, and makes sure
/// that it can be written. One that has anything in it is refused: runs are not mixed.
pub fn prepare(arguments: &Bench, root: &Path) -> Result<Folder, Failure> {
    prepare_named(arguments.out.as_deref(), if arguments.quick { "quick" } else { "" }, root)
}

/// The same for a run of a kind that its name tells.
pub fn prepare_named(out: Option<&Path>, kind: &str, root: &Path) -> Result<Folder, Failure> {
    let id = new_id(kind, root);
    let path = match out {
        Some(path) => std::path::absolute(path)
            .map_err(|error| failed(format!("cannot use {}: {error}", path.display())))?,
        None => root.join("reports").join(&id),
    };
    let id = if out.is_some() {
        path.file_name().map_or(id, |name| name.to_string_lossy().into_owned())
    } else {
        id
    };
    if path.exists() && !path.is_dir() {
        return Err(failed(format!("{} is a file; --out takes a folder", path.display())));
    }
    let made = !path.exists();
    files::make_folder(&path).map_err(failed)?;
    // Without the `..` that a person may have come by: it is printed to be copied.
    let path = fs::canonicalize(&path).unwrap_or(path);
    refuse_used(&path)?;
    let probe = path.join("probe");
    files::write(&probe, b"").map_err(failed)?;
    fs::remove_file(&probe)
        .map_err(|error| failed(format!("cannot write in {}: {error}", path.display())))?;
    Ok(Folder { path, id, made })
}

/// A name that tells when and of which state of the source: `20260131-235959-1a2b3c4d-quick`.
fn new_id(kind: &str, root: &Path) -> String {
    let now = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S").to_string();
    let commit = workspace::says("git", &["rev-parse", "--short=8", "HEAD"], root);
    let commit = commit.map_or_else(String::new, |commit| format!("-{commit}"));
    let kind = if kind.is_empty() { String::new() } else { format!("-{kind}") };
    format!("{now}{commit}{kind}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(out: &Path) -> Bench {
        Bench {
            variants: None,
            orders: None,
            budget: None,
            quick: false,
            instruments: None,
            baseline: None,
            rounds: None,
            threads: None,
            case_limit: None,
            seed: None,
            resume: None,
            against: None,
            threshold: None,
            wait: false,
            out: Some(out.to_path_buf()),
            dry_run: false,
        }
    }

    fn refusal(out: &Path) -> String {
        match prepare(&arguments(out), Path::new(".")) {
            Err(Failure::Failed(message)) => message,
            Err(other) => panic!("{other:?}"),
            Ok(folder) => panic!("accepted {}", folder.path.display()),
        }
    }

    #[test]
    fn a_new_folder_is_made_and_taken_away_if_it_stays_empty() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("ein ümlaut").join("run");
        let folder = prepare(&arguments(&path), Path::new(".")).unwrap();
        assert_eq!((folder.id.as_str(), path.is_dir()), ("run", true));
        drop(folder);
        assert!(!path.exists());
        let folder = prepare(&arguments(&path), Path::new(".")).unwrap();
        assert_eq!(folder.refuse_used(), Ok(()));
        fs::write(folder.path.join("run.json"), "{}").unwrap();
        assert!(folder.refuse_used().is_err(), "another run has been there");
        drop(folder);
        assert!(path.join("run.json").exists());
    }

    /// CSV-06 and ENV-09 of the public reports: nothing is mixed or overwritten, and a place that
    /// cannot be written is found before anything is measured.
    #[test]
    fn what_cannot_hold_a_run_is_refused_by_name() {
        let parent = tempfile::tempdir().unwrap();
        let file = parent.path().join("file");
        fs::write(&file, "kept").unwrap();
        assert!(refusal(&file).contains("is a file"));
        assert!(refusal(parent.path()).contains("is not empty"));
        assert!(refusal(&file.join("below")).contains("file/below"));
        assert_eq!(fs::read_to_string(&file).unwrap(), "kept");
        if cfg!(target_os = "linux") {
            assert!(refusal(Path::new("/proc/x")).contains("/proc/x"));
            assert!(refusal(Path::new("/dev/full")).contains("/dev/full"));
        }
    }
}
