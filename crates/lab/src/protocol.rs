//! What the command line tells the wall-clock instrument, and the lines that it answers with.

use serde::{Deserialize, Serialize};

/// What each line of an answer begins with; Criterion writes its own lines beside them.
pub const MARK: &str = "@lab ";

/// Calls a variant from a small order on until a call took longer than a limit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PilotTask {
    /// The ids of the variants.
    pub variants: Vec<String>,
    /// No order is tried after one whose call took longer than this, in nanoseconds, or whose call
    /// is expected to take longer than [`crate::frontier::OVERSHOOT`] times this.
    pub limit_ns: f64,
    /// No order above this one is tried.
    pub largest_order: usize,
}

/// Measures cases, in their order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RoundTask {
    /// The cases.
    pub cases: Vec<RoundCase>,
    /// Where Criterion keeps its files of this round.
    pub home: std::path::PathBuf,
    /// Whether each answer is taken note of on the instrument's standard input, by a byte that it waits
    /// for before the next case.
    pub acknowledged: bool,
}

/// A case of a round.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RoundCase {
    /// The case.
    pub case: crate::plan::Case,
    /// The total that it must count; text, because JSON's numbers are not wide enough everywhere.
    pub total: String,
    /// The fundamental placements that it must count, if it counts them.
    pub fundamental: String,
    /// Whether its count has been compared already; if not, it is called once before it is timed.
    pub verified: bool,
}

/// Compares variants with each other in one process, call by call in turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PairedTask {
    /// The ids of the variants, in lanes; one that stands there twice is compared with itself.
    pub lanes: Vec<String>,
    /// The order.
    pub order: usize,
    /// The total that each must count; empty where none is known.
    pub total: String,
    /// The fundamental placements that each must count, if it counts them.
    pub fundamental: String,
    /// The time for the calls of one lane in a round, in milliseconds; one call at the least.
    pub slice_ms: f64,
    /// The seconds after which no round is begun.
    pub budget_s: f64,
    /// The comparisons that must become narrow enough, as pairs of lanes, the first the baseline.
    pub pairs: Vec<(usize, usize)>,
    /// Half the width of an interval that is narrow enough, as the logarithm of a factor.
    pub precision: f64,
    /// Draws the order of the lanes.
    pub seed: u64,
    /// The lanes, from the first on, that are called alone after the rounds.
    pub alone: usize,
    /// The seconds that each of them is called alone for.
    pub alone_s: f64,
}

/// Measures one half of a comparison as Criterion does it by itself: what is kept as its baseline,
/// or what is compared with that.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CriterionTask {
    /// The id of the variant.
    pub variant: String,
    /// The order.
    pub order: usize,
    /// Warming up, in milliseconds.
    pub warm_up_ms: u64,
    /// Measuring, in milliseconds.
    pub measurement_ms: u64,
    /// Whether it is compared with the baseline; kept as the baseline if not.
    pub compared: bool,
    /// Where Criterion keeps its files.
    pub home: std::path::PathBuf,
}

/// What the instrument is told, in a file whose path is its only argument after the flag.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Assignment {
    /// How many threads each call is shared out among by the variants that can; nothing where each
    /// variant does as it does by itself, with as many threads as the machine has.
    pub threads: Option<usize>,
    /// What is to be done.
    pub task: Task,
}

/// What is to be done.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Task {
    /// Find out what a call takes.
    Pilot(PilotTask),
    /// Measure a round.
    Round(RoundTask),
    /// Compare variants in one process.
    Paired(PairedTask),
    /// Measure as Criterion does by itself.
    Criterion(CriterionTask),
}

/// A line of the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// The first line: how the instrument was built.
    Ready {
        /// Whether it was built with debug assertions, as for debugging.
        debug: bool,
    },
    /// The machine before and after a round.
    Environment {
        /// Before it.
        before: Box<crate::environment::Reading>,
        /// After it.
        after: Box<crate::environment::Reading>,
    },
    /// A call of the pilot.
    Call {
        /// The variant.
        variant: String,
        /// The order.
        order: usize,
        /// The shortest of its calls, in nanoseconds.
        ns: f64,
        /// The time of all of its calls, in nanoseconds.
        inside_ns: f64,
        /// What it counted.
        total: String,
        /// The fundamental placements, where the variant counts them.
        fundamental: Option<String>,
    },
    /// A case of a round was measured.
    Samples {
        /// The variant.
        variant: String,
        /// The order.
        order: usize,
        /// What it counted.
        total: String,
        /// The fundamental placements, where the variant counts them.
        fundamental: Option<String>,
        /// The calls of each sample, and the time of all of them in nanoseconds.
        samples: Vec<(u64, f64)>,
        /// The time inside the measured function, warming up and all, in nanoseconds.
        inside_ns: f64,
    },
    /// A round of a comparison: the time of one call in each lane, in nanoseconds.
    Paired {
        /// In the order of the lanes.
        call_ns: Vec<f64>,
    },
    /// A lane was called alone.
    Alone {
        /// The lane.
        lane: usize,
        /// The time of one call in each stretch, in nanoseconds.
        call_ns: Vec<f64>,
    },
    /// A case of a round could not be measured.
    Failed {
        /// The variant.
        variant: String,
        /// The order.
        order: usize,
        /// Why.
        reason: String,
    },
}

impl Answer {
    /// The line, without its end.
    #[must_use]
    pub fn line(&self) -> String {
        // An answer is plain data, which JSON can always hold.
        format!("{MARK}{}", serde_json::to_string(self).unwrap_or_default())
    }

    /// Reads a line of the instrument's output; nothing where it is Criterion's.
    #[must_use]
    pub fn read(line: &str) -> Option<Self> {
        serde_json::from_str(line.strip_prefix(MARK)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_was_said_and_no_other_is() {
        let answer = Answer::Call {
            variant: "bitmask".to_owned(),
            order: 27,
            ns: 1.25,
            inside_ns: 5.5,
            total: "234907967154122528".to_owned(),
            fundamental: None,
        };
        assert_eq!(Answer::read(&answer.line()), Some(answer));
        assert_eq!(Answer::read("bitmask/8   time:   [8.1 µs 8.2 µs 8.3 µs]"), None);
    }
}
