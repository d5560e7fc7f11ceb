//! Signals that ask a measurement to end: Ctrl-C, SIGTERM, a terminal that goes away.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

static PENDING: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// From now on a signal is remembered, and a second one ends the program at once.
pub fn install() -> std::io::Result<()> {
    if PENDING.get().is_some() {
        return Ok(());
    }
    let pending = Arc::clone(PENDING.get_or_init(Arc::default));
    let again = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    let signals = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
    #[cfg(not(unix))]
    let signals = [SIGINT, SIGTERM];
    for signal in signals {
        flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&again))?;
        flag::register(signal, Arc::clone(&again))?;
        flag::register_usize(signal, Arc::clone(&pending), signal as usize)?;
    }
    Ok(())
}

/// The signal that came, if one did.
pub fn pending() -> Option<i32> {
    let signal = PENDING.get()?.load(Ordering::Relaxed);
    i32::try_from(signal).ok().filter(|&signal| signal != 0)
}
