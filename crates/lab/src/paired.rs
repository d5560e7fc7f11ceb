//! A comparison of lanes that were called in turn: which pairs are compared, and what they show.

use crate::stats::{self, Comparison};

/// The rounds of a comparison: in each the time of one call in each lane, in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rounds(pub Vec<Vec<f64>>);

impl Rounds {
    /// By what factor the lane `subject` is faster than the lane `baseline`, in a table of so many
    /// comparisons. Nothing without rounds.
    #[must_use]
    pub fn compare(
        &self,
        baseline: usize,
        subject: usize,
        comparisons: usize,
    ) -> Option<Comparison> {
        let ratios: Vec<f64> =
            self.0.iter().map(|call_ns| call_ns[baseline].ln() - call_ns[subject].ln()).collect();
        stats::compare_stopped(&ratios, comparisons)
    }

    /// The median time of one call in a lane, in nanoseconds.
    #[must_use]
    pub fn median(&self, lane: usize) -> Option<f64> {
        stats::median(&self.0.iter().map(|call_ns| call_ns[lane]).collect::<Vec<_>>())
    }

    /// The lanes below `count`, fastest first.
    #[must_use]
    pub fn ranking(&self, count: usize) -> Vec<usize> {
        let mut lanes: Vec<usize> = (0..count).collect();
        lanes.sort_by(|&a, &b| {
            let time = |lane| self.median(lane).unwrap_or(f64::INFINITY);
            time(a).total_cmp(&time(b))
        });
        lanes
    }

    /// Whether the interval of each pair is narrow enough: half its width, as the logarithm of a
    /// factor, is `precision` or less.
    #[must_use]
    pub fn are_narrow(&self, pairs: &[(usize, usize)], precision: f64) -> bool {
        pairs.iter().all(|&(baseline, subject)| {
            self.compare(baseline, subject, pairs.len())
                .and_then(|found| found.interval)
                .is_some_and(|(low, high)| (high / low).ln() / 2.0 <= precision)
        })
    }
}

/// The pairs of a comparison of `count` lanes: two with each other; more of them each with each,
/// since which two are the fastest is known only in the end.
#[must_use]
pub fn pairs(count: usize) -> Vec<(usize, usize)> {
    (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(count: usize) -> Rounds {
        // The second lane takes half as long, with noise that alternates; the third a third.
        Rounds(
            (0..count)
                .map(|round| {
                    let noise = [0.99, 1.0, 1.01][round % 3];
                    vec![100.0 + round as f64, (50.0 + round as f64 / 2.0) * noise, 33.0]
                })
                .collect(),
        )
    }

    #[test]
    fn lanes_are_compared_within_rounds() {
        let found = rounds(30).compare(0, 1, 1).unwrap();
        assert!((found.factor - 2.0).abs() < 1e-9 && found.is_separated(Some(1.5)));
        assert_eq!(found.rounds, 30);
        assert_eq!(rounds(30).ranking(3), [2, 1, 0]);
        assert_eq!(rounds(30).ranking(2), [1, 0]);
        assert_eq!(rounds(0).compare(0, 1, 1), None);
    }

    #[test]
    fn a_comparison_ends_when_all_of_its_pairs_are_narrow() {
        assert!(!rounds(4).are_narrow(&[(0, 1)], 0.02), "too few rounds for an interval");
        assert!(rounds(30).are_narrow(&[(0, 1)], 0.02));
        assert!(!rounds(30).are_narrow(&[(0, 1), (0, 2)], 0.02), "the third lane does not drift");
        assert_eq!(pairs(2), [(0, 1)]);
        assert_eq!(pairs(4).len(), 6);
    }
}
