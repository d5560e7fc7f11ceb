//! How far a run is: a line that moves on a terminal, plain lines in a log.

use std::io::IsTerminal;
use std::time::Duration;

use crate::output::say;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How far a run is, in seconds of expected work.
pub struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    /// For work that is expected to take `seconds`. Moves only where standard error is a terminal
    /// that can move.
    pub fn new(seconds: f64) -> Self {
        let moves = std::io::stderr().is_terminal()
            && std::env::var_os("TERM").is_some_and(|term| term != "dumb");
        let bar = moves.then(|| {
            let milliseconds = (seconds * 1e3) as u64;
            let bar =
                ProgressBar::with_draw_target(Some(milliseconds), ProgressDrawTarget::stderr());
            let style =
                ProgressStyle::with_template("{wide_bar} {percent:>3} %  {eta:>4} left  {msg}");
            if let Ok(style) = style {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        Self { bar }
    }

    /// Says what is under way; seen on a terminal only.
    pub fn under_way(&self, what: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(what.to_owned());
        }
    }

    /// Some of the work is done.
    pub fn advance(&self, seconds: f64) {
        if let Some(bar) = &self.bar {
            bar.inc((seconds * 1e3) as u64);
        }
    }

    /// A line that stays, on a terminal as in a log.
    pub fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => say(text),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
