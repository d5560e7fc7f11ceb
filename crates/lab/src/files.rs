//! Files written aside and renamed: a reader sees the old file or the new one, never half of one.

use std::fs;
use std::io::Write;
use std::path::Path;

/// Writes `path` through a temporary file in the same folder, which then takes its name. The
/// content is made in full before the disk is touched.
///
/// # Errors
/// Where the folder or the file cannot be written; the message names the path.
pub fn write(path: &Path, content: &[u8]) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".").suffix(".part");
    // The temporary file is private by default; the result is an ordinary file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder.unwrap_or(Path::new("."))).map_err(failed)?;
    file.write_all(content).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Finds out whether a file could be written beside `path`, and leaves nothing.
///
/// # Errors
/// Where it could not; the message names the path.
pub fn try_folder_of(path: &Path) -> Result<(), String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    tempfile::tempfile_in(folder.unwrap_or(Path::new(".")))
        .map(drop)
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Makes a folder and those above it.
///
/// # Errors
/// Where that cannot be done; the message names the path.
pub fn make_folder(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|error| format!("cannot make {}: {error}", path.display()))
}

/// Reads a whole text file.
///
/// # Errors
/// Where it cannot be read or is not UTF-8; the message names the path.
pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_a_file_whole_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(read(&path).unwrap(), "two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    /// CSV-11 of the public reports: a write that fails leaves the earlier file as it was.
    #[test]
    fn a_failed_write_names_the_path_and_keeps_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing").join("a.csv");
        let message = write(&path, b"one").unwrap_err();
        assert!(message.contains("missing/a.csv"), "{message}");
        let folder_in_the_way = folder.path().join("folder");
        fs::create_dir(&folder_in_the_way).unwrap();
        fs::write(folder_in_the_way.join("inside"), "kept").unwrap();
        assert!(write(&folder_in_the_way, b"one").is_err());
        assert_eq!(read(&folder_in_the_way.join("inside")).unwrap(), "kept");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
