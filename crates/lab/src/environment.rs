//! The state of the machine while it measures: what was read before and after a round, and whether
//! the round's times are fit to publish.

use serde::{Deserialize, Serialize};

use crate::format;
use crate::records::Environment;

/// What can be read of the machine at one moment; what it does not say is left open. Counters have
/// counted since some moment of their own, so only their differences mean anything.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// The frequency governors of all processors, each named once.
    pub governor: Option<String>,
    /// Whether the processor may run faster than its nominal frequency.
    pub boost: Option<bool>,
    /// The load of the last minute.
    pub load: Option<f64>,
    /// How often a processor was throttled, counted.
    pub throttled: Option<u64>,
    /// Pages swapped in and out, counted.
    pub swapped_pages: Option<u64>,
    /// How often this process was moved to another processor, counted.
    pub migrations: Option<u64>,
    /// How often this process had to make way for another, counted.
    pub preempted: Option<u64>,
    /// The time that a hypervisor took from all processors, in milliseconds, counted.
    pub steal_ms: Option<f64>,
    /// The time that all processors worked, in milliseconds, counted.
    pub busy_ms: Option<f64>,
    /// The time that this process worked, in milliseconds, counted.
    pub own_ms: Option<f64>,
    /// The clock that only goes forward, in milliseconds, counted.
    pub monotonic_ms: f64,
    /// The clock of the day, in milliseconds, counted.
    pub clock_ms: f64,
    /// What a fixed chain of steps takes now, in nanoseconds: the processor's speed.
    pub probe_ns: f64,
}

/// More of a processor than this that others took during a round disturbs it.
const MOST_OTHERS: f64 = 0.25;
/// More of the round than this that a hypervisor took disturbs it.
const MOST_STEAL: f64 = 0.01;
/// More migrations a second than this disturb a round. Each costs some tens of microseconds, until the
/// caches are warm again: so many are a thousandth of the time. A few are usual, where the instrument
/// waits between two cases for the word that the first one is kept.
const MOST_MIGRATIONS: f64 = 10.0;
/// Clocks that differ by more parts in a million than this: the clock is slewed by at most 500.
const MOST_CLOCK_DRIFT: f64 = 600.0;
/// A processor whose speed at the ends of a round differs from the run's usual by more than this. A few
/// per cent are usual where processors choose their frequency themselves; they fall on all variants
/// alike, and the intervals of times show them.
const MOST_SPEED_CHANGE: f64 = 0.10;
/// A result with more disturbed rounds than this share of its own is not fit to publish.
pub const MOST_DISTURBED: f64 = 0.2;

/// The row of a round from the readings at its ends.
#[must_use]
pub fn row(round: usize, session: usize, before: &Reading, after: &Reading) -> Environment {
    let seconds = (after.monotonic_ms - before.monotonic_ms) / 1e3;
    let counted = |of: fn(&Reading) -> Option<u64>| Some(of(after)?.saturating_sub(of(before)?));
    let passed = |of: fn(&Reading) -> Option<f64>| Some((of(after)? - of(before)?).max(0.0));
    let busy = passed(|reading| reading.busy_ms);
    let own = passed(|reading| reading.own_ms);
    let drift = (after.clock_ms - before.clock_ms) / (seconds * 1e3) - 1.0;
    Environment {
        round,
        session,
        seconds,
        governor: after.governor.clone(),
        boost: after.boost,
        load_before: before.load,
        load_after: after.load,
        throttled: counted(|reading| reading.throttled),
        swapped_pages: counted(|reading| reading.swapped_pages),
        migrations: counted(|reading| reading.migrations),
        preempted: counted(|reading| reading.preempted),
        steal_ms: passed(|reading| reading.steal_ms),
        others_ms: busy.zip(own).map(|(busy, own)| (busy - own).max(0.0)),
        clock_drift_ppm: (seconds > 0.0).then_some(drift * 1e6),
        probe_before_ns: before.probe_ns,
        probe_after_ns: after.probe_ns,
    }
}

/// What disturbed a round, in words; nothing where it is fit to publish. `usual_probe_ns` is the
/// median of the run's probes.
#[must_use]
pub fn disturbances(row: &Environment, usual_probe_ns: f64) -> Vec<String> {
    let mut found = Vec::new();
    let milliseconds = row.seconds * 1e3;
    if let Some(governor) = row.governor.as_deref().filter(|governor| *governor != "performance") {
        found.push(format!("the frequency governor is {governor}, not performance"));
    }
    if row.throttled.is_some_and(|times| times > 0) {
        found.push("the processor was throttled".to_owned());
    }
    if row.swapped_pages.is_some_and(|pages| pages > 0) {
        found.push("the machine swapped memory".to_owned());
    }
    let share = |took: Option<f64>, most: f64| {
        took.filter(|_| milliseconds > 0.0).map(|took| took / milliseconds).filter(|s| *s > most)
    };
    if let Some(share) = share(row.steal_ms, MOST_STEAL) {
        let percent = format::significant(100.0 * share);
        found.push(format!("the hypervisor took {percent} % of a processor's time"));
    }
    if let Some(share) = share(row.others_ms, MOST_OTHERS) {
        let percent = format::significant(100.0 * share);
        found.push(format!("other programs took {percent} % of a processor's time"));
    }
    let moved = row.migrations.unwrap_or(0) as f64;
    if moved > MOST_MIGRATIONS * row.seconds {
        found.push(format!("the process was moved between processors {moved} times"));
    }
    if let Some(drift) = row.clock_drift_ppm.filter(|drift| drift.abs() > MOST_CLOCK_DRIFT) {
        found.push(format!("the clocks differ by {drift:.0} parts in a million"));
    }
    let slowest = row.probe_before_ns.max(row.probe_after_ns) / usual_probe_ns;
    let fastest = row.probe_before_ns.min(row.probe_after_ns) / usual_probe_ns;
    if slowest > 1.0 + MOST_SPEED_CHANGE || fastest < 1.0 - MOST_SPEED_CHANGE {
        let far = if slowest - 1.0 > 1.0 - fastest { slowest } else { fastest };
        let percent = 100.0 * (far - 1.0).abs();
        let way = if far > 1.0 { "longer" } else { "shorter" };
        found.push(format!(
            "a fixed piece of work took {} % {way} than in the run's other rounds",
            format::significant(percent)
        ));
    }
    found
}

/// The rounds that were disturbed, each with what disturbed it. A round that was measured in parts
/// is disturbed when one of them was.
#[must_use]
pub fn disturbed_rounds(rows: &[Environment]) -> Vec<(usize, String)> {
    let probes: Vec<f64> =
        rows.iter().flat_map(|row| [row.probe_before_ns, row.probe_after_ns]).collect();
    let usual = crate::stats::median(&probes).unwrap_or(f64::NAN);
    let mut found: Vec<(usize, String)> = Vec::new();
    for row in rows {
        let words = disturbances(row, usual);
        if !words.is_empty() && found.iter().all(|(round, _)| *round != row.round) {
            found.push((row.round, words.join(", ")));
        }
    }
    found
}

/// Why results from these rounds, each with its session, are not fit to publish; nothing where they
/// are. Some rounds may be disturbed: the median and its interval take no harm from them. A round
/// that was interrupted, so that nobody knows what the machine did, counts as disturbed. Where
/// nothing was recorded of any round, nothing is said.
#[must_use]
pub fn verdict(
    rows: &[Environment],
    rounds: impl IntoIterator<Item = (usize, usize)>,
) -> Option<String> {
    let rounds: Vec<(usize, usize)> = rounds.into_iter().collect();
    let count = rounds.len();
    let disturbed = disturbed(rows, rounds);
    let first = disturbed.first().filter(|_| !rows.is_empty())?;
    (disturbed.len() as f64 > MOST_DISTURBED * count as f64)
        .then(|| format!("{} of {count} rounds were disturbed: {first}", disturbed.len()))
}

/// What disturbed each of these rounds that was disturbed, or that nobody read to its end.
#[must_use]
pub fn disturbed(
    rows: &[Environment],
    rounds: impl IntoIterator<Item = (usize, usize)>,
) -> Vec<String> {
    let found = disturbed_rounds(rows);
    rounds
        .into_iter()
        .filter_map(|(round, session)| {
            if rows.iter().all(|row| (row.round, row.session) != (round, session)) {
                return Some("it was interrupted".to_owned());
            }
            found.iter().find(|(number, _)| *number == round).map(|(_, words)| words.clone())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(at_ms: f64) -> Reading {
        Reading {
            governor: Some("performance".to_owned()),
            boost: Some(true),
            load: Some(0.9),
            throttled: Some(7),
            swapped_pages: Some(100),
            migrations: Some(3),
            preempted: Some(50),
            steal_ms: Some(at_ms / 1e3),
            busy_ms: Some(1.05 * at_ms),
            own_ms: Some(at_ms),
            monotonic_ms: at_ms,
            clock_ms: 1e12 + at_ms,
            probe_ns: 1e6,
        }
    }

    fn words(change: impl Fn(&mut Reading)) -> Vec<String> {
        let mut after = reading(20_000.0);
        change(&mut after);
        disturbances(&row(1, 1, &reading(0.0), &after), 1e6)
    }

    #[test]
    fn a_quiet_round_is_fit() {
        assert_eq!(words(|_| ()), Vec::<String>::new());
        let unreadable = Reading { monotonic_ms: 1.0, clock_ms: 1.0, ..Reading::default() };
        let row = row(
            1,
            1,
            &Reading { probe_ns: 1.0, ..Reading::default() },
            &Reading { probe_ns: 1.0, ..unreadable },
        );
        assert_eq!(disturbances(&row, 1.0), Vec::<String>::new());
    }

    #[test]
    fn each_disturbance_is_named() {
        type Change = fn(&mut Reading);
        let changes: [(Change, &str); 8] = [
            (|r| r.governor = Some("powersave".to_owned()), "governor is powersave"),
            (|r| r.throttled = Some(8), "throttled"),
            (|r| r.swapped_pages = Some(101), "swapped"),
            (|r| r.steal_ms = Some(500.0), "hypervisor took 2.50 %"),
            (|r| r.busy_ms = Some(30_000.0), "other programs took 50.0 %"),
            (|r| r.migrations = Some(403), "moved between processors 400 times"),
            (|r| r.clock_ms += 100.0, "differ by 5000 parts"),
            (|r| r.probe_ns = 1.2e6, "20.0 % longer"),
        ];
        for (change, word) in changes {
            let found = words(change);
            assert!(found.len() == 1 && found[0].contains(word), "{found:?} {word}");
        }
        assert!(words(|r| r.probe_ns = 0.8e6)[0].contains("20.0 % shorter"));
    }

    #[test]
    fn a_few_disturbed_rounds_leave_results_fit() {
        let quiet = row(1, 1, &reading(0.0), &reading(20_000.0));
        let rows = |disturbed: usize| -> Vec<Environment> {
            (1..=10)
                .map(|round| Environment {
                    round,
                    throttled: Some(u64::from(round <= disturbed)),
                    ..quiet.clone()
                })
                .collect()
        };
        let rounds: Vec<(usize, usize)> = (1..=10).map(|round| (round, 1)).collect();
        assert_eq!(verdict(&rows(2), rounds.clone()), None);
        let words = "3 of 10 rounds were disturbed: the processor was throttled";
        assert_eq!(verdict(&rows(3), rounds.clone()).as_deref(), Some(words));
        assert_eq!(verdict(&rows(3), rounds[3..].to_vec()), None);
        assert_eq!(verdict(&[], rounds.clone()), None);
        let words = "3 of 10 rounds were disturbed: it was interrupted";
        assert_eq!(verdict(&rows(0)[3..], rounds).as_deref(), Some(words));
    }
}
