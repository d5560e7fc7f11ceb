//! One measurement at a time on a machine.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::output::{Failure, failed, say};

/// The lock, held until it is dropped or this program is gone, however it goes.
pub struct Lock {
    file: File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = self.file.set_len(0);
    }
}

/// How often a waiting look is taken whether the other measurement has ended.
const LOOK: Duration = Duration::from_millis(500);

/// Takes the machine's lock for `what`, which others are told. Where another measurement has it:
/// waits for it if asked to, and refuses by its name if not.
pub fn take(what: &str, wait: bool) -> Result<Lock, Failure> {
    take_in(&folder(), what, wait)
}

/// One folder for all who measure on this machine, whatever their environment says.
fn folder() -> PathBuf {
    let shared = Path::new("/tmp");
    if cfg!(unix) && shared.is_dir() { shared.to_path_buf() } else { std::env::temp_dir() }
}

fn take_in(folder: &Path, what: &str, wait: bool) -> Result<Lock, Failure> {
    let path = folder.join("queens-lab.lock");
    let broken =
        |error: std::io::Error| failed(format!("cannot use the lock {}: {error}", path.display()));
    // Another user's file can be locked too, though not written.
    let writable = File::options().read(true).write(true).create(true).truncate(false).open(&path);
    let mut file = writable.or_else(|_| File::open(&path)).map_err(broken)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::Error(error)) => return Err(broken(error)),
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            let _ = file.read_to_string(&mut holder);
            let holder =
                if holder.trim().is_empty() { "one without a name" } else { holder.trim() };
            if !wait {
                return Err(failed(format!(
                    "another measurement is under way on this machine: {holder}; let it come to its \
                     end, or wait for it with --wait"
                )));
            }
            say(&format!("Waiting for another measurement: {holder} …"));
            while file.try_lock().is_err() {
                if crate::interrupt::pending().is_some() {
                    return Err(Failure::Interrupted("nothing was measured".to_owned()));
                }
                std::thread::sleep(LOOK);
            }
        }
    }
    // A name that cannot be written is missing from a message, and no more.
    let _ = file.set_len(0);
    let _ = file.rewind();
    let _ = write!(file, "{what} (process {})", std::process::id());
    Ok(Lock { file })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_measurement_is_refused_by_the_firsts_name_or_waits() {
        let folder = tempfile::tempdir().unwrap();
        let first = take_in(folder.path(), "bench into a/b", false).ok().unwrap();
        let Err(Failure::Failed(message)) = take_in(folder.path(), "compare", false) else {
            panic!("two at once");
        };
        assert!(message.contains("bench into a/b (process "), "{message}");
        assert!(message.contains("--wait") && !message.contains('\n'), "{message}");
        let waiting = {
            let path = folder.path().to_path_buf();
            std::thread::spawn(move || take_in(&path, "compare", true).is_ok())
        };
        std::thread::sleep(std::time::Duration::from_millis(100));
        assert!(!waiting.is_finished());
        drop(first);
        assert!(waiting.join().unwrap());
        assert!(take_in(folder.path(), "again", false).is_ok());
    }
}
