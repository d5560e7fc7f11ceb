//! Fingerprints of the code that is measured, to know what has changed since a run, and whether
//! what was built is of the source that is there.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use crate::output::{Failure, failed};

/// The fingerprint of each variant's own code, by its id.
pub fn of_variants<'a>(
    root: &Path,
    variants: impl Iterator<Item = &'a str>,
) -> Result<BTreeMap<String, String>, Failure> {
    variants
        .map(|id| {
            let folder = root.join("crates").join(id);
            Ok((
                id.to_owned(),
                fingerprint(root, &[folder.join("Cargo.toml"), folder.join("src")])?,
            ))
        })
        .collect()
}

/// How many lines of source each variant has that are neither blank nor comment nor test.
pub fn lines<'a>(
    root: &Path,
    variants: impl Iterator<Item = &'a str>,
) -> Result<BTreeMap<String, usize>, Failure> {
    variants
        .map(|id| {
            let mut lines = 0;
            for file in files_of(&root.join("crates").join(id).join("src"))? {
                lines += lines_of_code(&String::from_utf8_lossy(&read(&file)?));
            }
            Ok((id.to_owned(), lines))
        })
        .collect()
}

/// The lines of a source text that are neither blank nor comment nor of the tests at its end.
fn lines_of_code(text: &str) -> usize {
    let own = text.split_once("\n#[cfg(test)]\nmod tests {").map_or(text, |(own, _)| own);
    let code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    own.lines().filter(code).count()
}

/// The fingerprint of what all variants share: the vocabulary, the call, the instruments, and the
/// build profiles.
pub fn shared(root: &Path) -> Result<String, Failure> {
    let benches = root.join("benches");
    let mut parts = vec![
        root.join("crates/queens/src"),
        root.join("crates/lab/src/call.rs"),
        benches.join("src"),
    ];
    parts.extend(files_of(&benches)?.into_iter().filter(|file| {
        file.parent() == Some(&benches) && file.extension().is_some_and(|ending| ending == "rs")
    }));
    // Flags for the compiler may stand there.
    parts.extend(Some(root.join(".cargo/config.toml")).filter(|path| path.exists()));
    let mut digest = Sha256::new();
    digest.update(fingerprint(root, &parts)?);
    let manifest = read(&root.join("Cargo.toml"))?;
    let manifest = String::from_utf8_lossy(&manifest).into_owned();
    digest.update(manifest.find("[profile").map_or("", |start| &manifest[start..]));
    Ok(hex(&digest.finalize()))
}

/// The fingerprint of numbers, to the last bit.
pub fn of_numbers(numbers: &[f64]) -> String {
    let mut digest = Sha256::new();
    for number in numbers {
        digest.update(number.to_bits().to_le_bytes());
    }
    hex(&digest.finalize())
}

/// The fingerprint of files, and of folders with all that is below them: names and contents.
fn fingerprint(root: &Path, paths: &[PathBuf]) -> Result<String, Failure> {
    let mut digest = Sha256::new();
    for path in paths {
        for file in files_of(path)? {
            let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().into_owned();
            let content = read(&file)?;
            digest.update(format!("{name}\0{}\0", content.len()));
            digest.update(content);
        }
    }
    Ok(hex(&digest.finalize()))
}

/// The first 16 digits: enough to tell two states of a source apart.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().take(8).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| failed(format!("cannot read {}: {error}", path.display())))
}

/// The file itself, or all files below a folder, in the order of their names.
fn files_of(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if path.is_file() {
        return Ok(vec![path.to_path_buf()]);
    }
    let unreadable =
        |error: std::io::Error| failed(format!("cannot read {}: {error}", path.display()));
    let mut entries: Vec<PathBuf> = fs::read_dir(path)
        .map_err(unreadable)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(unreadable)?;
    entries.sort();
    let mut files = Vec::new();
    for entry in entries {
        files.extend(files_of(&entry)?);
    }
    Ok(files)
}

/// Refuses a program that is older than a file of its source, as one from a cache may be: what it
/// measures is not what is there.
pub fn refuse_stale(program: &Path, root: &Path) -> Result<(), Failure> {
    let built = modified(program)?;
    let mut folders = Vec::new();
    let crates = root.join("crates");
    let entries = fs::read_dir(&crates)
        .map_err(|error| failed(format!("cannot read {}: {error}", crates.display())))?;
    folders.extend(entries.flatten().map(|entry| entry.path().join("src")));
    let sources = files_of(&root.join("benches"))?;
    folders.extend(sources.into_iter().filter(|file| file.extension().is_some_and(|e| e == "rs")));
    for folder in folders {
        for file in files_of(&folder)? {
            if modified(&file)? > built {
                return Err(failed(format!(
                    "{} is older than its source {}, so it would measure something else; build it \
                     again after 'cargo clean --package benches'",
                    program.display(),
                    file.display()
                )));
            }
        }
    }
    Ok(())
}

fn modified(path: &Path) -> Result<SystemTime, Failure> {
    fs::metadata(path)
        .and_then(|metadata| metadata.modified())
        .map_err(|error| failed(format!("cannot read {}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_comments_and_tests_are_no_lines_of_code() {
        let text = "//! A file.\n\nuse a;\n\n/// A function.\nfn f() {\n    // (1)\n    g(); // why\n}\n\n\
                    #[cfg(test)]\nmod tests {\n    fn t() {}\n}\n";
        assert_eq!(lines_of_code(text), 4);
    }
    use std::time::Duration;

    fn workspace() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in [
            ("Cargo.toml", "[workspace]\n[profile.release]\nlto = \"off\"\n"),
            ("benches/wall_clock.rs", "fn main() {}"),
            ("benches/Cargo.toml", "[package]"),
            ("benches/src/lib.rs", ""),
            ("crates/queens/src/lib.rs", ""),
            ("crates/lab/src/call.rs", ""),
            ("crates/lab/src/report.rs", ""),
            ("crates/a/Cargo.toml", "[package]"),
            ("crates/a/src/lib.rs", "one"),
            ("crates/b/Cargo.toml", "[package]"),
            ("crates/b/src/lib.rs", "one"),
        ] {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn a_change_of_one_variant_is_of_that_one_and_of_shared_code_of_all() {
        let root = workspace();
        let path = root.path();
        let all = || of_variants(path, ["a", "b"].into_iter()).unwrap();
        let (before, shared_before) = (all(), shared(path).unwrap());
        fs::write(path.join("crates/a/src/lib.rs"), "two").unwrap();
        assert_ne!(all()["a"], before["a"]);
        assert_eq!(all()["b"], before["b"]);
        assert_eq!(shared(path).unwrap(), shared_before);
        fs::write(path.join("crates/lab/src/report.rs"), "words").unwrap();
        assert_eq!(shared(path).unwrap(), shared_before);
        fs::write(
            path.join("Cargo.toml"),
            "[workspace] # more\n[profile.release]\nlto = \"off\"\n",
        )
        .unwrap();
        assert_eq!(shared(path).unwrap(), shared_before);
        fs::write(path.join("Cargo.toml"), "[profile.release]\nlto = \"fat\"\n").unwrap();
        assert_ne!(shared(path).unwrap(), shared_before);
        assert!(of_variants(path, ["c"].into_iter()).is_err());
    }

    #[test]
    fn a_program_older_than_its_source_is_refused_by_name() {
        let root = workspace();
        let program = root.path().join("wall_clock-1");
        fs::write(&program, "").unwrap();
        let file = fs::File::options().write(true).open(&program).unwrap();
        let in_a_minute = SystemTime::now() + Duration::from_mins(1);
        file.set_modified(in_a_minute).unwrap();
        assert_eq!(refuse_stale(&program, root.path()), Ok(()));
        file.set_modified(SystemTime::now() - Duration::from_mins(1)).unwrap();
        let Err(Failure::Failed(message)) = refuse_stale(&program, root.path()) else {
            panic!("a stale program was let pass");
        };
        assert!(message.contains("wall_clock-1 is older than its source"), "{message}");
    }
}
