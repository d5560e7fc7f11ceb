//! Times of a machine with moods, made up so that the truth is known: how often the intervals
//! contain it.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal, StudentT};

use super::{Comparison, compare_ratios, compare_stopped, estimate, is_look};
use crate::rounds;

/// What disturbs the made-up times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    /// Normal noise only, 1 % a measurement.
    Quiet,
    /// The machine becomes slower with every measurement, by 30 % over three hundred of them, and its
    /// speed wanders besides.
    Drift,
    /// One measurement in ten takes up to twice as long.
    Bursts,
    /// Noise with the tails of Student's distribution with two degrees of freedom, which has no
    /// variance.
    HeavyTails,
    /// All of them.
    All,
}

impl Disturbance {
    /// Each of them.
    pub const ALL: [Self; 5] =
        [Self::Quiet, Self::Drift, Self::Bursts, Self::HeavyTails, Self::All];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quiet => "normal noise",
            Self::Drift => "drift",
            Self::Bursts => "bursts",
            Self::HeavyTails => "heavy tails",
            Self::All => "drift, bursts and heavy tails",
        }
    }

    fn has(self, other: Self) -> bool {
        self == other || self == Self::All
    }
}

/// A machine whose times are made up.
pub struct Machine {
    disturbance: Disturbance,
    random: ChaCha8Rng,
    /// The logarithm of how much slower than at first it is.
    drift: f64,
}

impl Machine {
    /// A machine with this disturbance, the same for the same seed.
    #[must_use]
    pub fn new(disturbance: Disturbance, seed: u64) -> Self {
        Self { disturbance, random: ChaCha8Rng::seed_from_u64(seed), drift: 0.0 }
    }

    fn normal(&mut self, spread: f64) -> f64 {
        // The spreads of this module are finite and not negative, which is all that is asked.
        Normal::new(0.0, spread).map_or(0.0, |normal| normal.sample(&mut self.random))
    }

    /// What the machine makes of a call that takes `time` where nothing disturbs it.
    pub fn measure(&mut self, time: f64) -> f64 {
        let mut ln = time.ln() + self.normal(0.01);
        if self.disturbance.has(Disturbance::Drift) {
            self.drift += 0.001 + self.normal(0.003);
            ln += self.drift;
        }
        if self.disturbance.has(Disturbance::Bursts) && self.random.random_bool(0.1) {
            ln += self.random.random_range(0.0..2.0_f64.ln());
        }
        if self.disturbance.has(Disturbance::HeavyTails) {
            let tail = StudentT::new(2.0).map_or(0.0, |tail| tail.sample(&mut self.random));
            ln += 0.01 * tail;
        }
        ln.exp()
    }
}

/// How often, of how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// How often.
    pub times: u64,
    /// Of how many.
    pub of: u64,
}

impl Share {
    /// The share.
    #[must_use]
    pub fn value(self) -> f64 {
        self.times as f64 / self.of as f64
    }

    /// Its exact 95 % interval (C. J. Clopper and E. S. Pearson, Biometrika 26, 1934).
    #[must_use]
    pub fn interval(self) -> (f64, f64) {
        use statrs::distribution::{Beta, ContinuousCDF};
        let (times, rest) = (self.times as f64, (self.of - self.times) as f64);
        let quantile = |a, b, at| Beta::new(a, b).map_or(f64::NAN, |beta| beta.inverse_cdf(at));
        let low = if self.times == 0 { 0.0 } else { quantile(times, rest + 1.0, 0.025) };
        let high = if self.times == self.of { 1.0 } else { quantile(times + 1.0, rest, 0.975) };
        (low, high)
    }
}

/// How many of `runs` intervals contain the truth: those of the factor between two variants, the
/// second twice as fast, from `rounds` rounds with one measurement of each.
#[must_use]
pub fn coverage_of_factor(disturbance: Disturbance, rounds: usize, runs: u64, seed: u64) -> Share {
    share(disturbance, runs, seed, |machine, seed| {
        let ratios: Vec<f64> = (0..rounds).map(|round| ratio(machine, 2.0, round, seed)).collect();
        compare_ratios(&ratios, 1).is_some_and(|found| contains(&found, 2.0))
    })
}

/// On how many of `runs` machines, each with a seed of its own, something holds.
fn share(
    disturbance: Disturbance,
    runs: u64,
    seed: u64,
    holds: impl Fn(&mut Machine, u64) -> bool,
) -> Share {
    let holds =
        |run: &u64| holds(&mut Machine::new(disturbance, seed.wrapping_add(*run)), seed ^ run);
    Share { times: (0..runs).filter(holds).count() as u64, of: runs }
}

/// The same for comparisons that go on until `stop` says that they are good enough, as `compare`
/// does: after each look that [`is_look`] names.
#[must_use]
pub fn coverage_with_stop(
    disturbance: Disturbance,
    truth: f64,
    most: usize,
    stop: impl Fn(&Comparison) -> bool,
    runs: u64,
    seed: u64,
) -> Share {
    share(disturbance, runs, seed, |machine, seed| {
        let mut ratios = Vec::new();
        loop {
            ratios.push(ratio(machine, truth, ratios.len(), seed));
            if !is_look(ratios.len()) && ratios.len() < most {
                continue;
            }
            let Some(found) = compare_stopped(&ratios, 1) else { continue };
            if stop(&found) || ratios.len() >= most {
                return contains(&found, truth);
            }
        }
    })
}

/// The logarithm of the ratio in a round: two lanes and the control, in the order that a comparison has
/// them.
fn ratio(machine: &mut Machine, truth: f64, round: usize, seed: u64) -> f64 {
    let mut found = [0.0; 3];
    for lane in rounds::order(found.len(), round as u32, 0, seed) {
        found[lane] = machine.measure([truth, 1.0, truth][lane]).ln();
    }
    found[0] - found[1]
}

fn contains(found: &Comparison, truth: f64) -> bool {
    found.interval.is_some_and(|(low, high)| low <= truth && truth <= high)
}

/// How many of `runs` intervals of a time contain the truth: `rounds` rounds with `samples` each,
/// drawn again as a run does it, in moods of the machine that last for a round. Only disturbances that
/// leave a true time have one: normal noise and heavy tails.
#[must_use]
pub fn coverage_of_time(
    disturbance: Disturbance,
    rounds: usize,
    samples: usize,
    runs: u64,
    seed: u64,
) -> Share {
    share(disturbance, runs, seed, |machine, seed| {
        let rounds: Vec<Vec<f64>> = (0..rounds)
            .map(|_| {
                let mood = machine.normal(0.03).exp();
                (0..samples).map(|_| machine.measure(100.0 * mood)).collect()
            })
            .collect();
        let found = estimate(&rounds, seed).and_then(|estimate| estimate.interval);
        found.is_some_and(|(low, high)| low <= 100.0 && 100.0 <= high)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The intervals promise 95 %, and the sign test keeps it whatever disturbs the times.
    #[test]
    fn factors_are_covered_under_every_disturbance() {
        for disturbance in Disturbance::ALL {
            for rounds in [6, 14, 28] {
                let share = coverage_of_factor(disturbance, rounds, 2000, 3).value();
                assert!(share >= 0.94, "{disturbance:?}, {rounds} rounds: {share}");
            }
        }
    }

    /// Stopping as soon as the interval is narrow enough costs something, which is made up for.
    #[test]
    fn factors_are_covered_when_the_rounds_end_by_precision() {
        for disturbance in Disturbance::ALL {
            for truth in [1.0, 1.02] {
                let narrow = |found: &Comparison| {
                    found.interval.is_some_and(|(low, high)| (high / low).ln() < 0.02)
                };
                let share = coverage_with_stop(disturbance, truth, 300, narrow, 1000, 5).value();
                assert!(share >= 0.95, "{disturbance:?}: {share}");
            }
        }
    }

    #[test]
    fn times_are_covered() {
        for disturbance in [Disturbance::Quiet, Disturbance::HeavyTails] {
            for (rounds, samples) in [(6, 5), (14, 5)] {
                let share = coverage_of_time(disturbance, rounds, samples, 300, 11).value();
                assert!(share >= 0.94, "{disturbance:?}, {rounds} × {samples}: {share}");
            }
        }
    }

    /// A drift within a round does not cancel by itself: with one order of the lanes in all rounds the
    /// ratio is wrong, and the balanced orders make it right.
    #[test]
    fn a_drift_within_rounds_needs_balanced_orders() {
        let mut machine = Machine::new(Disturbance::Drift, 1);
        let fixed: Vec<f64> = (0..600)
            .map(|_| {
                let first = machine.measure(1.0).ln();
                machine.measure(1.0);
                first - machine.measure(1.0).ln()
            })
            .collect();
        let fixed = compare_ratios(&fixed, 1).unwrap();
        assert!(!contains(&fixed, 1.0), "{fixed:?}");
        let mut machine = Machine::new(Disturbance::Drift, 1);
        let balanced: Vec<f64> = (0..600).map(|round| ratio(&mut machine, 1.0, round, 1)).collect();
        let balanced = compare_ratios(&balanced, 1).unwrap();
        assert!(contains(&balanced, 1.0), "{balanced:?}");
    }

    #[test]
    fn the_machines_disturb_as_they_say() {
        let mut machine = Machine::new(Disturbance::Drift, 1);
        let first = machine.measure(100.0);
        for _ in 0..300 {
            machine.measure(100.0);
        }
        assert!(machine.measure(100.0) / first > 1.1);
        let mut machine = Machine::new(Disturbance::Bursts, 1);
        let late = (0..1000).filter(|_| machine.measure(100.0) > 110.0).count();
        assert!((50..150).contains(&late), "{late}");
    }

    /// Values of R's `binom.test(x, n)$conf.int`, which textbooks print.
    #[test]
    fn shares_have_the_published_interval() {
        let near = |(low, high): (f64, f64), (a, b): (f64, f64)| {
            (low - a).abs() < 5e-5 && (high - b).abs() < 5e-5
        };
        assert!(near(Share { times: 0, of: 10 }.interval(), (0.0, 0.3085)));
        assert!(near(Share { times: 5, of: 10 }.interval(), (0.1871, 0.8129)));
        assert!(near(Share { times: 10, of: 10 }.interval(), (0.6915, 1.0)));
    }
}
