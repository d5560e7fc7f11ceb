//! How costs grow with the order, and at which order one variant overtakes another.

use std::collections::BTreeMap;

use crate::data::{Data, RoundOfSession, rounds_of_case};
use crate::paired::pairs;
use crate::stats::fit::{Fit, Model, TOLD_APART, fit};
use crate::stats::{self, Comparison};

/// A call that takes at least this long, in nanoseconds, is of an order that the branch predictor no
/// longer knows by heart: only from there on do times tell how larger orders behave. In the reference
/// run the growth from one order to the next is uneven below, and rises steadily above.
pub const LEARNT_BY_HEART_NS: f64 = 3e5;

/// A model describes costs where it is nowhere off by more than this factor.
pub const DESCRIBES_WITHIN: f64 = 1.5;

/// How a variant's cost grows.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The variant's id.
    pub variant: String,
    /// The costs at the fitted orders.
    pub costs: Vec<(usize, f64)>,
    /// The models, the best first: by their criteria where these are defined, by their residuals
    /// otherwise.
    pub fits: Vec<Fit>,
    /// The factor a queen: that of the exponential model, with its interval from the rounds. The
    /// interval is missing where the cost has no rounds.
    pub factor: Comparison,
    /// The factor from the last order but one to the last.
    pub last: Comparison,
}

impl Growth {
    /// The models that describe the costs as well as the best one does, the best first. More than
    /// one of them: they cannot be told apart.
    #[must_use]
    pub fn best(&self) -> Vec<&Fit> {
        let first = self.fits.first().and_then(|fit| fit.criterion);
        self.fits
            .iter()
            .filter(|fit| match (first, fit.criterion) {
                (Some(best), Some(criterion)) => criterion - best < TOLD_APART,
                // Without a criterion nothing tells them apart.
                _ => true,
            })
            .collect()
    }

    /// The largest factor by which the best model is off, where that is so much that it describes
    /// nothing.
    #[must_use]
    pub fn off_by(&self) -> Option<f64> {
        let off = self.fits.first()?.largest_residual();
        (off > DESCRIBES_WITHIN).then_some(off)
    }

    /// Which models describe the costs, or that none does, in words.
    #[must_use]
    pub fn verdict(&self) -> String {
        if let Some(off) = self.off_by() {
            let kinds = if self.parities_differ() {
                "; odd and even orders differ: fit either by --orders"
            } else {
                ""
            };
            return format!("none, the best is off by a factor of {off:.2}{kinds}");
        }
        let best = self.best();
        let names: Vec<&str> = best.iter().map(|fit| fit.model.name()).collect();
        match names[..] {
            [only] => only.to_owned(),
            _ => format!("cannot be told apart: {}", names.join(", ")),
        }
    }

    /// Whether odd and even orders grow on curves of their own: each order of one kind lies higher above
    /// the best model than any of the other.
    #[must_use]
    pub fn parities_differ(&self) -> bool {
        let Some(fit) = self.fits.first() else { return false };
        let ends = |remainder: usize| {
            let of_parity = self.costs.iter().zip(&fit.residuals);
            let of_parity = of_parity.filter(|((order, _), _)| order % 2 == remainder);
            of_parity.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (_, &residual)| {
                (low.min(residual), high.max(residual))
            })
        };
        let (even, odd) = (ends(0), ends(1));
        even.0 > odd.1 || odd.0 > even.1
    }
}

/// Orders as a person writes them: `8-12`, or `8,10,12`.
#[must_use]
pub fn range(orders: &[usize]) -> String {
    match orders {
        [first, .., last] if last - first + 1 == orders.len() => format!("{first}-{last}"),
        _ => orders.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
    }
}

/// The growth of the time of each variant that has three orders or more among `orders`.
#[must_use]
pub fn of_times(data: &Data, orders: impl Fn(usize, f64) -> bool) -> Vec<Growth> {
    let variants = data.variants();
    let comparisons = 2 * variants.len();
    let timed = data.timed_orders();
    variants
        .into_iter()
        .filter_map(|id| {
            let costs: Vec<(usize, f64)> = timed
                .iter()
                .filter_map(|&order| Some((order, data.time(id, order)?.value)))
                .filter(|&(order, ns)| orders(order, ns))
                .collect();
            let rounds: Vec<Rounds> =
                costs.iter().map(|&(order, _)| medians(data, id, order)).collect();
            let slopes = in_each_round(&rounds, |logs| {
                let costs: Vec<(usize, f64)> =
                    costs.iter().zip(logs).map(|(&(n, _), ln)| (n, ln.exp())).collect();
                fit(Model::Exponential, &costs).map(|fit| fit.b)
            });
            let last = rounds.len().checked_sub(2).map_or_else(Vec::new, |from| {
                in_each_round(&rounds[from..], |logs| Some(logs[1] - logs[0]))
            });
            growth(id, costs, &slopes, &last, comparisons)
        })
        .collect()
}

/// The growth of the instruction count, which is exact and has no interval.
#[must_use]
pub fn of_instructions(data: &Data, orders: impl Fn(usize) -> bool) -> Vec<Growth> {
    let counted = data.counted_orders();
    data.variants()
        .into_iter()
        .filter_map(|id| {
            let costs = counted
                .iter()
                .filter(|&&order| orders(order))
                .filter_map(|&order| Some((order, data.instructions(id, order)? as f64)))
                .collect();
            growth(id, costs, &[], &[], 1)
        })
        .collect()
}

fn growth(
    id: &str,
    costs: Vec<(usize, f64)>,
    slopes: &[f64],
    last: &[f64],
    comparisons: usize,
) -> Option<Growth> {
    let mut fits: Vec<Fit> =
        Model::ALL.into_iter().filter_map(|model| fit(model, &costs)).collect();
    let key = |fit: &Fit| fit.criterion.unwrap_or_else(|| fit.largest_residual());
    fits.sort_by(|a, b| key(a).total_cmp(&key(b)));
    let exponential = fits.iter().find(|fit| fit.model == Model::Exponential)?;
    let exact = |factor: f64| Comparison { factor, interval: None, rounds: 0 };
    let factor =
        stats::compare_ratios(slopes, comparisons).unwrap_or_else(|| exact(exponential.b.exp()));
    let [.., (_, before), (_, at)] = costs[..] else { return None };
    let last = stats::compare_ratios(last, comparisons).unwrap_or_else(|| exact(at / before));
    Some(Growth { variant: id.to_owned(), costs, fits, factor, last })
}

/// By what factor a call of `order` takes longer than one of the order before it, in a table of so many
/// comparisons; nothing where either was not timed. The interval comes from the rounds that both have.
#[must_use]
pub fn step(data: &Data, id: &str, order: usize, comparisons: usize) -> Option<Comparison> {
    let before = order.checked_sub(1)?;
    let (from, to) = (data.time(id, before)?, data.time(id, order)?);
    // A median that a person has edited is not that of the samples.
    let is_of_samples = |at: usize, time: f64| {
        let rounds = rounds_of_case(&data.samples, id, at);
        let own = stats::median_of_rounds(rounds.values().map(Vec::as_slice));
        own.is_some_and(|own| own.to_bits() == time.to_bits())
    };
    let rounds = if is_of_samples(before, from.value) && is_of_samples(order, to.value) {
        vec![medians(data, id, before), medians(data, id, order)]
    } else {
        Vec::new()
    };
    let ratios = in_each_round(&rounds, |logs| Some(logs[1] - logs[0]));
    let exact = Comparison { factor: to.value / from.value, interval: None, rounds: 0 };
    Some(stats::compare_ratios(&ratios, comparisons).unwrap_or(exact))
}

/// The logarithm of a case's median in each round.
type Rounds = BTreeMap<RoundOfSession, f64>;

fn medians(data: &Data, id: &str, order: usize) -> Rounds {
    rounds_of_case(&data.samples, id, order)
        .into_iter()
        .filter_map(|(round, samples)| Some((round, stats::median(&samples)?.ln())))
        .collect()
}

/// What `of` makes of each round that all cases have.
fn in_each_round(cases: &[Rounds], of: impl Fn(&[f64]) -> Option<f64>) -> Vec<f64> {
    let Some((first, others)) = cases.split_first() else { return Vec::new() };
    first
        .iter()
        .filter_map(|(round, value)| {
            let mut values = vec![*value];
            for other in others {
                values.push(*other.get(round)?);
            }
            of(&values)
        })
        .collect()
}

/// An order at which one variant overtakes another.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossover {
    /// The variant that is faster below it.
    pub below: String,
    /// The variant that is faster above it.
    pub above: String,
    /// The order, which lies between two.
    pub order: f64,
    /// Its interval, where the rounds are enough for one.
    pub interval: Option<(f64, f64)>,
}

/// The orders at which the curves of two variants cross, each with its interval from the rounds, which
/// hold together. Between two orders the logarithm of their ratio is taken for a straight line. A
/// crossing of which the data do not separate the two variants on either side is none.
#[must_use]
pub fn crossovers(data: &Data) -> Vec<Crossover> {
    let variants = data.variants();
    let timed = data.timed_orders();
    let floor = data.noise_floor();
    let both = |a: &str, b: &str| {
        timed.iter().filter(|&&n| data.time(a, n).is_some() && data.time(b, n).is_some()).count()
    };
    // Every pair at every order is looked at, so all of them count.
    let comparisons: usize =
        pairs(variants.len()).into_iter().map(|(a, b)| both(variants[a], variants[b])).sum();
    let mut found = Vec::new();
    for (place, &a) in variants.iter().enumerate() {
        for &b in &variants[place + 1..] {
            // The last order at which the data separate the two.
            let mut earlier: Option<(usize, f64)> = None;
            for &order in &timed {
                let Some(speedup) = data.compare(a, b, order, comparisons) else { continue };
                if !speedup.is_separated(floor) {
                    continue;
                }
                if let Some((before, factor)) = earlier
                    && (factor > 1.0) != (speedup.factor > 1.0)
                {
                    let (below, above) = if speedup.factor > 1.0 { (a, b) } else { (b, a) };
                    found.push((below, above, before, order));
                }
                earlier = Some((order, speedup.factor));
            }
        }
    }
    // Which pairs cross is known only from the same data, so all of them count.
    let miss = (1.0 - stats::CONFIDENCE) / pairs(variants.len()).len().max(1) as f64;
    found
        .into_iter()
        .filter_map(|(below, above, before, order)| {
            let cases = [(below, before), (above, before), (below, order), (above, order)];
            let cases = cases.map(|(id, order)| medians(data, id, order));
            let (first, last) = (before as f64, order as f64);
            let crossings = in_each_round(&cases, |logs| {
                // Of `above` over `below`: positive before the crossing, negative after it.
                let (at_first, at_last) = (logs[1] - logs[0], logs[3] - logs[2]);
                // A round without a crossing between the two has it at or beyond one of them.
                Some(match (at_first > 0.0, at_last < 0.0) {
                    (true, true) => first + (last - first) * at_first / (at_first - at_last),
                    (true, false) => last,
                    (false, _) => first,
                })
            });
            let interval = stats::sign::interval(&crossings, miss);
            let order = stats::median(&crossings)?;
            Some(Crossover { below: below.to_owned(), above: above.to_owned(), order, interval })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Measurement, Sample, Status};

    type Variant = (&'static str, fn(f64) -> f64);

    /// Times of variants that grow as said, with noise that alternates from round to round.
    fn data(variants: &[Variant]) -> Data {
        let mut data = Data::default();
        for (id, time) in variants {
            for order in 6..=13 {
                for round in 1..=14 {
                    let noise = 1.0 + 0.002 * ((round * 5 + order) % 7) as f64;
                    data.samples.push(Sample {
                        variant: (*id).to_owned(),
                        order,
                        round,
                        session: 1,
                        position: 1,
                        sample: 1,
                        iterations: 1,
                        elapsed_ns: time(order as f64) * noise,
                    });
                }
                let counts = queens::Counts { total: 0, fundamental: None };
                let typed = queens::Order::new(order).unwrap();
                let row: Measurement =
                    crate::data::summarise(&data.samples, id, typed, counts, 1).unwrap();
                assert_eq!(row.status, Status::Measured);
                data.measurements.push(row);
            }
        }
        data
    }

    #[test]
    fn the_model_that_made_the_times_is_found() {
        let data = data(&[
            ("a", |n| 100.0 * 5.5_f64.powf(n)),
            ("b", |n| 0.45_f64.powf(n) * statrs::function::gamma::gamma(n + 1.0)),
        ]);
        let found = of_times(&data, |_, _| true);
        let [a, b] = &found[..] else { panic!("{found:?}") };
        assert_eq!(a.best()[0].model, Model::Exponential);
        assert_eq!(a.best().len(), 1, "{:?}", a.fits);
        let (low, high) = a.factor.interval.unwrap();
        assert!(low <= 5.5 && 5.5 <= high && high / low < 1.01, "{low} to {high}");
        assert_eq!(b.best().iter().map(|fit| fit.model).collect::<Vec<_>>(), [Model::Factorial]);
        assert!((b.last.factor / (0.45 * 13.0) - 1.0).abs() < 0.01);
        assert!(b.fits[0].largest_residual() < 1.01);
    }

    /// Joining quarters is dearer at odd orders: no one curve goes through both kinds.
    #[test]
    fn a_variant_whose_odd_and_even_orders_differ_is_described_by_no_model() {
        let data = data(&[
            ("even", |n| 5_f64.powf(n)),
            ("uneven", |n| 5_f64.powf(n) * if n % 2.0 > 0.5 { 20.0 } else { 1.0 }),
            ("bent", |n| 5_f64.powf(n) * if n > 9.5 { 20.0 } else { 1.0 }),
        ]);
        let found = of_times(&data, |_, _| true);
        let [even, uneven, bent] = &found[..] else { panic!("{found:?}") };
        assert_eq!(even.off_by(), None);
        assert!(uneven.off_by().unwrap() > 3.0 && uneven.parities_differ());
        assert!(bent.off_by().unwrap() > 1.5 && !bent.parities_differ());
    }

    #[test]
    fn few_orders_do_not_tell_models_apart() {
        let data = data(&[("a", |n| 100.0 * 5.5_f64.powf(n))]);
        let found = of_times(&data, |order, _| order > 9);
        assert_eq!(found[0].costs.len(), 4);
        assert_eq!(found[0].best().len(), 3);
        assert!(of_times(&data, |order, _| order > 11).is_empty());
    }

    #[test]
    fn a_crossing_is_found_with_its_interval() {
        // Equal where 5^n = 100 · 3^n, at n = ln 100 / ln (5/3) = 9.015.
        let data = data(&[("steep", |n| 5_f64.powf(n)), ("flat", |n| 100.0 * 3_f64.powf(n))]);
        let found = crossovers(&data);
        let [crossing] = &found[..] else { panic!("{found:?}") };
        assert_eq!((crossing.below.as_str(), crossing.above.as_str()), ("steep", "flat"));
        assert!((crossing.order - 9.015).abs() < 0.02, "{crossing:?}");
        let (low, high) = crossing.interval.unwrap();
        assert!(low <= crossing.order && crossing.order <= high && high - low < 0.2);
        let never = super::tests::data(&[("a", |n| 5_f64.powf(n)), ("b", |n| 2.0 * 5_f64.powf(n))]);
        assert_eq!(crossovers(&never), []);
    }
}
