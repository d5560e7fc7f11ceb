//! What the laboratory's own measuring is worth: comparisons whose truth is known, by the laboratory
//! and by Criterion, and what they claimed.

use std::borrow::Cow;

use serde::Serialize;

use crate::format;
use crate::records::{Cells, Record, Row, word};
use crate::stats::simulate::{self, Disturbance, Share};
use crate::stats::{self, Comparison};
use crate::table::{MISSING, Table};

/// A comparison whose truth is known: a row of `calibration.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Who compared: `laboratory` or `criterion`.
    pub tool: String,
    /// The variant that was compared with itself, or with the same and extra work planted.
    pub variant: String,
    /// The order.
    pub order: usize,
    /// The extra work, in per cent; 0 where a variant was compared with itself.
    pub planted_percent: f64,
    /// The factor that was found between the time with extra work and that without; empty where
    /// the tool does not say one.
    pub factor: Option<f64>,
    /// What was claimed: 1 that the second is slower, -1 that it is faster, 0 nothing.
    pub claim: i8,
    /// How long the comparison took, in seconds.
    pub seconds: f64,
}

/// The laboratory's own comparisons.
pub const LABORATORY: &str = "laboratory";
/// Criterion's comparisons.
pub const CRITERION: &str = "criterion";

#[derive(Serialize)]
struct Wire<'a> {
    tool: Cow<'a, str>,
    variant: Cow<'a, str>,
    order: usize,
    planted_percent: f64,
    factor: Option<f64>,
    claimed: &'static str,
    direction: i8,
    seconds: f64,
}

impl Record for Trial {
    const FILE: &'static str = "calibration.csv";
    const COLUMNS: &'static [&'static str] = &[
        "tool",
        "variant",
        "order",
        "planted_percent",
        "factor",
        "claimed",
        "direction",
        "seconds",
    ];

    fn wire(&self) -> impl Serialize {
        Wire {
            tool: self.tool.as_str().into(),
            variant: self.variant.as_str().into(),
            order: self.order,
            planted_percent: self.planted_percent,
            factor: self.factor,
            claimed: word(self.claim != 0),
            direction: self.claim,
            seconds: self.seconds,
        }
    }
}

impl Row for Trial {
    fn read(cells: &Cells<'_>) -> Result<Self, String> {
        Ok(Self {
            tool: cells.name("tool")?,
            variant: cells.name("variant")?,
            order: cells.order()?,
            planted_percent: cells.required("planted_percent", "a number")?,
            factor: cells.optional("factor", "a number")?,
            claim: cells.required("direction", "-1, 0 or 1")?,
            seconds: cells.required("seconds", "a number")?,
        })
    }
}

/// What the trials of one kind came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Claims: of a difference where there is none, or of the planted one in the right direction.
    pub claimed: Share,
    /// The median time of a comparison, in seconds; of those that found the planted difference, where
    /// there is one. Nothing where none did.
    pub median_s: Option<f64>,
    /// The median of the factors that were found, where the tool says them.
    pub median_factor: Option<f64>,
}

/// What the trials of `tool` with so much extra work came to; nothing where there are none.
#[must_use]
pub fn outcome(trials: &[Trial], tool: &str, planted_percent: f64) -> Option<Outcome> {
    let of_kind: Vec<&Trial> = trials
        .iter()
        .filter(|trial| trial.tool == tool)
        .filter(|trial| (trial.planted_percent - planted_percent).abs() < 1e-9)
        .collect();
    let right = |trial: &&&Trial| trial.claim > 0 || (trial.claim < 0 && planted_percent == 0.0);
    if of_kind.is_empty() {
        return None;
    }
    let ended = of_kind.iter().filter(|trial| planted_percent == 0.0 || right(trial));
    let seconds: Vec<f64> = ended.map(|trial| trial.seconds).collect();
    let factors: Vec<f64> = of_kind.iter().filter_map(|trial| trial.factor).collect();
    Some(Outcome {
        claimed: Share {
            times: of_kind.iter().filter(right).count() as u64,
            of: of_kind.len() as u64,
        },
        median_s: stats::median(&seconds),
        median_factor: stats::median(&factors),
    })
}

/// The table of what was claimed, the laboratory and Criterion side by side.
#[must_use]
pub fn table(trials: &[Trial]) -> Table {
    let mut planted: Vec<f64> = trials.iter().map(|trial| trial.planted_percent).collect();
    planted.sort_by(f64::total_cmp);
    planted.dedup();
    let mut rows = Vec::new();
    for percent in planted {
        for tool in [LABORATORY, CRITERION] {
            let Some(found) = outcome(trials, tool, percent) else { continue };
            let (low, high) = found.claimed.interval();
            let what = if percent == 0.0 { "none".to_owned() } else { format!("{percent} %") };
            rows.push(vec![
                what,
                tool.to_owned(),
                found.claimed.of.to_string(),
                found.claimed.times.to_string(),
                format!("{:.1} %", 100.0 * found.claimed.value()),
                format!("{:.1} % – {:.1} %", 100.0 * low, 100.0 * high),
                found
                    .median_factor
                    .map_or_else(|| MISSING.to_owned(), |factor| format!("{factor:.4}")),
                found.median_s.map_or_else(|| MISSING.to_owned(), |s| format::time(s * 1e9)),
            ]);
        }
    }
    let header = [
        "planted difference",
        "compared by",
        "comparisons",
        "claimed",
        "share",
        "95 % interval of the share",
        "median factor found",
        "median time to find it, or of a comparison",
    ];
    Table { header: header.map(str::to_owned).into(), rows }
}

/// How often a simulated interval contains the truth.
#[must_use]
pub fn coverage_table() -> Table {
    const RUNS: u64 = 4000;
    const SEED: u64 = 20;
    let mut rows = Vec::new();
    let mut push = |what: &str, disturbance: &str, share: Share| {
        let (low, high) = share.interval();
        rows.push(vec![
            what.to_owned(),
            disturbance.to_owned(),
            format!("{:.1} %", 100.0 * share.value()),
            format!("{:.1} % – {:.1} %", 100.0 * low, 100.0 * high),
        ]);
    };
    for disturbance in Disturbance::ALL {
        let share = simulate::coverage_of_factor(disturbance, 14, RUNS, SEED);
        push("factor, 14 rounds", disturbance.name(), share);
    }
    for disturbance in Disturbance::ALL {
        let narrow =
            |found: &Comparison| found.interval.is_some_and(|(a, b)| (b / a).ln() / 2.0 <= 0.01);
        let share = simulate::coverage_with_stop(disturbance, 1.0, 300, narrow, RUNS, SEED);
        push("factor, rounds until ±1 %", disturbance.name(), share);
    }
    for disturbance in [Disturbance::Quiet, Disturbance::HeavyTails] {
        let share = simulate::coverage_of_time(disturbance, 14, 10, RUNS / 8, SEED);
        push("time, 14 rounds of 10 samples", disturbance.name(), share);
    }
    let header = ["interval", "disturbance", "contains the truth", "95 % interval of the share"];
    Table { header: header.map(str::to_owned).into(), rows }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records;

    fn trial(tool: &str, planted_percent: f64, claim: i8) -> Trial {
        Trial {
            tool: tool.to_owned(),
            variant: "bitmask".to_owned(),
            order: 8,
            planted_percent,
            factor: (tool == LABORATORY).then_some(1.0 + planted_percent / 100.0),
            claim,
            seconds: 2.0,
        }
    }

    #[test]
    fn false_alarms_count_in_either_direction_and_finds_in_the_right_one() {
        let trials = [
            trial(LABORATORY, 0.0, 0),
            trial(LABORATORY, 0.0, -1),
            trial(LABORATORY, 0.0, 1),
            trial(LABORATORY, 0.0, 0),
            trial(LABORATORY, 2.0, 1),
            trial(LABORATORY, 2.0, -1),
            trial(CRITERION, 2.0, 0),
        ];
        let share = |tool, percent| outcome(&trials, tool, percent).unwrap().claimed;
        assert_eq!(share(LABORATORY, 0.0), Share { times: 2, of: 4 });
        assert_eq!(share(LABORATORY, 2.0), Share { times: 1, of: 2 });
        assert_eq!(share(CRITERION, 2.0), Share { times: 0, of: 1 });
        assert_eq!(outcome(&trials, CRITERION, 0.0), None);
        assert_eq!(outcome(&trials, CRITERION, 2.0).unwrap().median_s, None);
        assert_eq!(outcome(&trials, LABORATORY, 2.0).unwrap().median_s, Some(2.0));
        let table = table(&trials);
        assert_eq!(table.rows.len(), 3);
        assert_eq!(table.rows[0][..5], ["none", "laboratory", "4", "2", "50.0 %"]);
        assert_eq!(table.rows[2][6], MISSING);
    }

    #[test]
    fn trials_are_read_as_they_were_written() {
        let trials = vec![trial(LABORATORY, 0.0, -1), trial(CRITERION, 1.0, 0)];
        let text = String::from_utf8(records::to_csv(&trials).unwrap()).unwrap();
        assert_eq!(records::parse::<Trial>(&text).unwrap(), trials);
    }
}
