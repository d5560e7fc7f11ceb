//! Statistics of measured times: medians, and intervals that respect how the samples were taken.
//!
//! Samples taken in one stretch share the machine's state of that moment; the interval that they
//! alone give is too narrow on a shared machine. So a case is measured in several rounds spread
//! over the run, and an interval comes from resampling the rounds first and the samples of each
//! drawn round second. Two variants are compared within rounds, where both met the same machine.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How often an interval's data are drawn again.
pub const RESAMPLES: usize = 2000;

/// How sure an interval is meant to be: this share of intervals made in this way, on rounds that do
/// not depend on each other, contains the true value. A simulation among the tests comes near it.
pub const CONFIDENCE: f64 = 0.95;

/// The fewest rounds that an interval is made from. Between the least and the most of five values
/// their true median lies in 94 % of cases, of three in 75 %: no way of drawing them again can be
/// surer than that.
pub const FEWEST_ROUNDS: usize = 6;

/// A value with its interval, in the unit of the data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The interval's ends, where there were at least [`FEWEST_ROUNDS`].
    pub interval: Option<(f64, f64)>,
}

/// The median: the middle value, or halfway between the middle two. Nothing without data.
#[must_use]
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    quantile_of_sorted(&sorted, 0.5)
}

/// The value below which the share `at` of the sorted data lies, between neighbours by their
/// distance (type 7 of Hyndman and Fan, 1996). Nothing without data.
fn quantile_of_sorted(sorted: &[f64], at: f64) -> Option<f64> {
    let position = at * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (position.floor() as usize, position.ceil() as usize);
    Some(sorted[below] + (position - position.floor()) * (sorted[above] - sorted[below]))
}

/// The median of the rounds' medians. Rounds without samples are passed over; nothing where all are.
#[must_use]
pub fn median_of_rounds<'a>(rounds: impl IntoIterator<Item = &'a [f64]>) -> Option<f64> {
    let medians: Vec<f64> = rounds.into_iter().filter_map(median).collect();
    median(&medians)
}

/// The median of the rounds' medians, with its interval. Rounds without samples are passed over;
/// nothing where all are.
#[must_use]
pub fn estimate(rounds: &[Vec<f64>], seed: u64) -> Option<Estimate> {
    let value = median_of_rounds(rounds.iter().map(Vec::as_slice))?;
    let rounds: Vec<&[f64]> =
        rounds.iter().map(Vec::as_slice).filter(|samples| !samples.is_empty()).collect();
    let interval = resampled(rounds.len(), seed, |drawn, random| {
        let redrawn: Vec<Vec<f64>> =
            drawn.iter().map(|&round| redraw(rounds[round], random)).collect();
        median_of_rounds(redrawn.iter().map(Vec::as_slice))
    });
    Some(Estimate { value, interval })
}

/// By what factor `subject` is faster than `baseline`: the median over rounds of the baseline's
/// time divided by the subject's, with its interval. The two lists have the same rounds in the
/// same places; rounds that lack either are passed over, and nothing is left where all do.
#[must_use]
pub fn speedup(baseline: &[Vec<f64>], subject: &[Vec<f64>], seed: u64) -> Option<Estimate> {
    let rounds: Vec<(&[f64], &[f64])> = baseline
        .iter()
        .zip(subject)
        .filter(|(baseline, subject)| !baseline.is_empty() && !subject.is_empty())
        .map(|(baseline, subject)| (baseline.as_slice(), subject.as_slice()))
        .collect();
    let log_ratio = |baseline: &[f64], subject: &[f64]| {
        Some(f64::ln(median(baseline)?) - f64::ln(median(subject)?))
    };
    let ratios: Vec<f64> =
        rounds.iter().filter_map(|(baseline, subject)| log_ratio(baseline, subject)).collect();
    let value = median(&ratios)?.exp();
    let interval = resampled(rounds.len(), seed, |drawn, random| {
        let ratios: Vec<f64> = drawn
            .iter()
            .filter_map(|&round| {
                let (baseline, subject) = rounds[round];
                log_ratio(&redraw(baseline, random), &redraw(subject, random))
            })
            .collect();
        median(&ratios)
    });
    Some(Estimate { value, interval: interval.map(|(low, high)| (low.exp(), high.exp())) })
}

/// The percentile interval of a statistic of rounds drawn with replacement; nothing where there are
/// fewer than [`FEWEST_ROUNDS`].
fn resampled(
    rounds: usize,
    seed: u64,
    mut statistic: impl FnMut(&[usize], &mut ChaCha8Rng) -> Option<f64>,
) -> Option<(f64, f64)> {
    if rounds < FEWEST_ROUNDS {
        return None;
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut values = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        let drawn: Vec<usize> = (0..rounds).map(|_| random.random_range(0..rounds)).collect();
        values.extend(statistic(&drawn, &mut random));
    }
    values.sort_unstable_by(f64::total_cmp);
    let tail = (1.0 - CONFIDENCE) / 2.0;
    Some((quantile_of_sorted(&values, tail)?, quantile_of_sorted(&values, 1.0 - tail)?))
}

fn redraw(samples: &[f64], random: &mut ChaCha8Rng) -> Vec<f64> {
    samples.iter().map(|_| samples[random.random_range(0..samples.len())]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn medians() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[4.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }

    /// The values that R's `quantile(x, p, type = 7)` gives for x = 1, 2, 4, 8, 16.
    #[test]
    fn quantiles_as_published() {
        let sorted = [1.0, 2.0, 4.0, 8.0, 16.0];
        for (at, value) in [(0.0, 1.0), (0.1, 1.4), (0.25, 2.0), (0.9, 12.8), (1.0, 16.0)] {
            assert!((quantile_of_sorted(&sorted, at).unwrap() - value).abs() < 1e-12);
        }
    }

    #[test]
    fn no_interval_from_few_rounds() {
        let mut rounds = vec![vec![1.0, 2.0, 3.0]; FEWEST_ROUNDS - 1];
        rounds.push(Vec::new());
        assert_eq!(estimate(&rounds, 7), Some(Estimate { value: 2.0, interval: None }));
        rounds.push(vec![2.0]);
        assert!(estimate(&rounds, 7).unwrap().interval.is_some());
    }

    /// Rounds that differ by a few per cent, as on a shared machine, each with samples that differ
    /// less: how many intervals contain the true median of 100.
    #[test]
    fn intervals_contain_the_truth_about_as_often_as_they_say() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        // The sum of twelve even numbers is near enough to normal.
        let mut normal = move || (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
        let runs = 200;
        let contained = (0..runs)
            .filter(|&run| {
                let rounds: Vec<Vec<f64>> = (0..8)
                    .map(|_| {
                        let round = 100.0 * (1.0 + 0.03 * normal());
                        (0..5).map(|_| round * (1.0 + 0.01 * normal())).collect()
                    })
                    .collect();
                let (low, high) = estimate(&rounds, run).unwrap().interval.unwrap();
                (low..=high).contains(&100.0)
            })
            .count();
        let share = contained as f64 / runs as f64;
        assert!((0.90..=0.99).contains(&share), "{share}");
    }

    #[test]
    fn one_odd_round_widens_the_interval_and_does_not_move_the_value() {
        let steady = vec![vec![10.0, 10.1, 9.9]; 6];
        let mut disturbed = steady.clone();
        disturbed[3] = vec![20.0, 20.2, 19.8];
        let (a, b) = (estimate(&steady, 7).unwrap(), estimate(&disturbed, 7).unwrap());
        assert_eq!((a.value, b.value), (10.0, 10.0));
        assert!(b.interval.unwrap().1 > a.interval.unwrap().1);
    }

    /// A drift that both variants share cancels within rounds.
    #[test]
    fn a_shared_drift_cancels() {
        let baseline: Vec<Vec<f64>> = (1..7).map(|i| vec![100.0 * f64::from(i); 5]).collect();
        let subject: Vec<Vec<f64>> = (1..7).map(|i| vec![40.0 * f64::from(i); 5]).collect();
        let speedup = speedup(&baseline, &subject, 7).unwrap();
        let (low, high) = speedup.interval.unwrap();
        assert!((speedup.value - 2.5).abs() < 1e-12);
        assert!((low - 2.5).abs() < 1e-12 && (high - 2.5).abs() < 1e-12);
    }

    #[test]
    fn rounds_that_lack_one_variant_are_passed_over() {
        let speedup = speedup(&[vec![], vec![8.0], vec![9.0]], &[vec![1.0], vec![2.0], vec![]], 7);
        let speedup = speedup.unwrap();
        assert!((speedup.value - 4.0).abs() < 1e-12 && speedup.interval.is_none());
        assert_eq!(super::speedup(&[vec![1.0]], &[vec![]], 7), None);
    }

    proptest! {
        #[test]
        fn the_interval_is_of_the_data_and_the_same_for_the_same_seed(
            rounds in prop::collection::vec(prop::collection::vec(1.0..1e9_f64, 1..8), 6..9),
            seed in any::<u64>(),
        ) {
            let first = estimate(&rounds, seed).unwrap();
            let (low, high) = first.interval.unwrap();
            let all = rounds.concat();
            let least = all.iter().copied().fold(f64::INFINITY, f64::min);
            let most = all.iter().copied().fold(0.0, f64::max);
            prop_assert!(least <= low && low <= high && high <= most);
            prop_assert!(least <= first.value && first.value <= most);
            prop_assert_eq!(estimate(&rounds, seed), Some(first));
        }

        #[test]
        fn exchanging_the_two_turns_the_factor_upside_down(
            pairs in prop::collection::vec((1.0..1e9_f64, 1.0..1e9_f64), 2..8),
            seed in any::<u64>(),
        ) {
            let a: Vec<_> = pairs.iter().map(|pair| vec![pair.0]).collect();
            let b: Vec<_> = pairs.iter().map(|pair| vec![pair.1]).collect();
            let product = speedup(&a, &b, seed).unwrap().value * speedup(&b, &a, seed).unwrap().value;
            prop_assert!((product - 1.0).abs() < 1e-9);
        }
    }
}
