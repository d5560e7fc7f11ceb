//! Statistics of times that come in rounds.
//!
//! Samples of one stretch of time resemble each other more than samples from different stretches:
//! the machine has moods that last for seconds. So a case is measured in several rounds spread
//! over the run, and an interval comes from the rounds first and the samples within them second.
//! Two variants are compared within rounds, where both met the same machine.
//!
//! The interval of a time is a percentile interval of the bootstrap (B. Efron, "Bootstrap methods:
//! another look at the jackknife", Annals of Statistics 7, 1979), rounds drawn before samples.

pub mod fit;
pub mod rank_sum;
pub mod sign;
pub mod simulate;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How often an interval's data are drawn again.
pub const RESAMPLES: usize = 2000;

/// How sure an interval is meant to be: this share of intervals made in this way, on rounds that do
/// not depend on each other, contains the true value. A simulation among the tests comes near it.
pub const CONFIDENCE: f64 = 0.95;

/// The rounds after which a comparison whose rounds end by its interval's width is looked at first.
pub const FIRST_LOOK: usize = 12;

/// Whether such a comparison is looked at after so many rounds. Looking after every round would stop
/// at the first lucky one; with each look a quarter later than the last there are few.
#[must_use]
pub fn is_look(rounds: usize) -> bool {
    let mut look = FIRST_LOOK;
    while look < rounds {
        look += look / 4;
    }
    look == rounds
}

/// How sure the interval of a comparison is made whose rounds end by its width.
const STOPPED_CONFIDENCE: f64 = 0.97;

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

/// How two variants compare.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// By what factor the second is faster: above 1 where it is.
    pub factor: f64,
    /// The factor's interval, where the rounds are enough for one.
    pub interval: Option<(f64, f64)>,
    /// The rounds that it comes from.
    pub rounds: usize,
}

impl Comparison {
    /// Whether the data separate the two: the interval does not contain 1, and the factor is
    /// further from 1 than `noise_floor`, the factor found between a variant and itself.
    #[must_use]
    pub fn is_separated(&self, noise_floor: Option<f64>) -> bool {
        let beyond_noise = self.factor.ln().abs() > noise_floor.unwrap_or(1.0).ln().abs();
        beyond_noise && self.interval.is_some_and(|(low, high)| low > 1.0 || high < 1.0)
    }

    /// The same comparison seen from the other side.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let interval = self.interval.map(|(low, high)| (high.recip(), low.recip()));
        Self { factor: self.factor.recip(), interval, ..*self }
    }
}

/// By what factor `subject` is faster than `baseline`: the median over rounds of the baseline's
/// time divided by the subject's. The two lists have the same rounds in the same places; rounds
/// that lack either are passed over, and nothing is left where all do.
///
/// The interval is that of an exact sign test on the logarithms of the rounds' ratios, widened so
/// that all of `comparisons` intervals of one table together contain their true values with
/// [`CONFIDENCE`] (Bonferroni).
#[must_use]
pub fn compare(
    baseline: &[Vec<f64>],
    subject: &[Vec<f64>],
    comparisons: usize,
) -> Option<Comparison> {
    let ratios: Vec<f64> = baseline
        .iter()
        .zip(subject)
        .filter_map(|(baseline, subject)| Some(median(baseline)?.ln() - median(subject)?.ln()))
        .collect();
    compare_ratios(&ratios, comparisons)
}

/// The same from the logarithms of the rounds' ratios.
#[must_use]
pub fn compare_ratios(log_ratios: &[f64], comparisons: usize) -> Option<Comparison> {
    compare_with(CONFIDENCE, log_ratios, comparisons)
}

/// The same where the rounds went on until the interval was narrow enough. An interval that is narrow
/// by luck ends them sooner, so each is made surer than [`CONFIDENCE`] by as much as that costs:
/// simulated, with the looks that `compare` takes, under every disturbance.
#[must_use]
pub fn compare_stopped(log_ratios: &[f64], comparisons: usize) -> Option<Comparison> {
    compare_with(STOPPED_CONFIDENCE, log_ratios, comparisons)
}

fn compare_with(confidence: f64, log_ratios: &[f64], comparisons: usize) -> Option<Comparison> {
    let miss = (1.0 - confidence) / comparisons.max(1) as f64;
    let interval = sign::interval(log_ratios, miss).map(|(low, high)| (low.exp(), high.exp()));
    Some(Comparison { factor: median(log_ratios)?.exp(), interval, rounds: log_ratios.len() })
}

/// The noise floor that a run's comparisons of a variant with itself show: the largest factor found
/// between the two, at least 1. Nothing where there was none.
#[must_use]
pub fn noise_floor(of_itself: impl IntoIterator<Item = f64>) -> Option<f64> {
    of_itself.into_iter().map(|factor| factor.ln().abs().exp()).reduce(f64::max)
}

/// How sure the interval of a time is made: percentiles of a median drawn again come out too narrow
/// where rounds are few (simulated, with six to fourteen rounds), and this makes up for it.
const RESAMPLED_CONFIDENCE: f64 = 0.97;

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
    let tail = (1.0 - RESAMPLED_CONFIDENCE) / 2.0;
    Some((quantile_of_sorted(&values, tail)?, quantile_of_sorted(&values, 1.0 - tail)?))
}

fn redraw(samples: &[f64], random: &mut ChaCha8Rng) -> Vec<f64> {
    samples.iter().map(|_| samples[random.random_range(0..samples.len())]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    /// The same cases every time: a statistic that fails once in twenty is no news.
    pub(super) fn fixed() -> ProptestConfig {
        ProptestConfig { rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() }
    }

    #[test]
    fn looks_are_few_and_far_between() {
        let looks: Vec<usize> = (1..=100).filter(|&rounds| is_look(rounds)).collect();
        assert_eq!(looks, [12, 15, 18, 22, 27, 33, 41, 51, 63, 78, 97]);
    }

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
        let speedup = compare(&baseline, &subject, 1).unwrap();
        let (low, high) = speedup.interval.unwrap();
        assert!((speedup.factor - 2.5).abs() < 1e-12 && speedup.is_separated(Some(1.02)));
        assert!(!speedup.is_separated(Some(2.6)));
        assert!((low - 2.5).abs() < 1e-12 && (high - 2.5).abs() < 1e-12);
    }

    #[test]
    fn rounds_that_lack_one_variant_are_passed_over() {
        let speedup = compare(&[vec![], vec![8.0], vec![9.0]], &[vec![1.0], vec![2.0], vec![]], 1);
        let speedup = speedup.unwrap();
        assert!((speedup.factor - 4.0).abs() < 1e-12 && speedup.interval.is_none());
        assert!(!speedup.is_separated(None));
        assert_eq!(compare(&[vec![1.0]], &[vec![]], 1), None);
    }

    proptest! {
        #![proptest_config(fixed())]

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
            pairs in prop::collection::vec((1.0..1e9_f64, 1.0..1e9_f64), 2..20),
        ) {
            let a: Vec<_> = pairs.iter().map(|pair| vec![pair.0]).collect();
            let b: Vec<_> = pairs.iter().map(|pair| vec![pair.1]).collect();
            let (there, back) = (compare(&a, &b, 3).unwrap(), compare(&b, &a, 3).unwrap());
            prop_assert!((there.factor * back.factor - 1.0).abs() < 1e-9);
            prop_assert_eq!(there.interval.is_some(), back.interval.is_some());
            if let (Some(a), Some(b)) = (there.interval, back.inverse().interval) {
                prop_assert!((a.0 / b.0 - 1.0).abs() < 1e-9 && (a.1 / b.1 - 1.0).abs() < 1e-9);
            }
        }
    }
}
