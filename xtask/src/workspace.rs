//! Where the workspace lies and which state of the source it has.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lab::run::Source;

/// The workspace's folder: Cargo says where this package is when it starts the program, and said
/// so when it built it.
pub fn root() -> PathBuf {
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR"));
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let package = package.filter(|path| path.ends_with("xtask"));
    let package = package.as_deref().unwrap_or(built_in);
    package.parent().unwrap_or(package).to_path_buf()
}

/// What a program says on standard output, without its end; nothing where it does not run or
/// fails.
pub fn says(program: &str, arguments: &[&str], folder: &Path) -> Option<String> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

/// The commit, and whether the tree differs from it.
pub fn source(root: &Path) -> Source {
    Source {
        commit: says("git", &["rev-parse", "HEAD"], root),
        // What runs leave behind is no part of what is measured.
        dirty: says("git", &["status", "--porcelain", "--", ".", ":!reports"], root)
            .map(|changes| !changes.is_empty()),
    }
}

/// The version of a package that the lock file has.
pub fn locked_version(root: &Path, package: &str) -> String {
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).unwrap_or_default();
    let after = lock.split_once(&format!("name = \"{package}\"\nversion = \""));
    after
        .and_then(|(_, rest)| rest.split_once('"'))
        .map_or_else(|| "unknown".to_owned(), |(version, _)| version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_workspace_and_its_locked_versions() {
        assert!(root().join("Cargo.lock").exists());
        assert_eq!(locked_version(&root(), "criterion"), "0.8.2");
        assert_eq!(locked_version(&root(), "no-such-package"), "unknown");
    }
}
