//! Axes: where a value lies and which values are labelled.

use crate::format;

/// What the values of an axis are, which decides how they are labelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Nanoseconds.
    Time,
    /// A count of things.
    Count,
    /// A factor, 1 for equal, that is at home above 1.
    Factor,
    /// A factor that may be on either side of 1: how many times as fast, or as slow.
    Speedup,
    /// A factor close to 1, as its difference from 1 in per cent. Its logarithmic scale is the symmetric one:
    /// linear up to [`NEAR`] on both sides of 1, and logarithmic beyond, so that an outlier does not press
    /// together what lies around 1.
    Deviation,
}

impl Quantity {
    /// A value in words: counts whole, others with three digits.
    #[must_use]
    pub fn words(self, value: f64) -> String {
        match self {
            Self::Time => format::time(value),
            Self::Count => format::grouped(value.round() as u128),
            Self::Factor | Self::Speedup => format::factor(value),
            Self::Deviation => format::deviation(value),
        }
    }
}

/// How far the symmetric logarithmic scale of deviations is linear: one per cent.
pub const NEAR: f64 = 0.01;

/// How values are spread over an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// By their logarithm: equal factors are equally far from each other.
    Log,
    /// By their differences.
    Linear,
}

impl Scale {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Log, Self::Linear];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::Linear => "linear",
        }
    }
}

/// An axis over finite values; over positive ones, where it is logarithmic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    low: f64,
    high: f64,
    scale: Scale,
    quantity: Quantity,
}

/// A labelled value.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Where.
    pub value: f64,
    /// What is written there.
    pub label: String,
}

impl Axis {
    /// An axis that holds all values, with a little room at its ends, and more where they lie close
    /// together. Values that it cannot have are passed over; nothing is left where all are. A linear axis of
    /// times and counts begins at zero. On either scale a speedup and its inverse are equally far from 1.
    #[must_use]
    pub fn over(
        values: impl Iterator<Item = f64>,
        quantity: Quantity,
        scale: Scale,
    ) -> Option<Self> {
        let (low, high) = values
            .filter(|value| value.is_finite() && *value > 0.0)
            .map(|value| placed(value, quantity, scale))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), place| {
                (low.min(place), high.max(place))
            });
        if low > high {
            return None;
        }
        let axis = |low, high| Some(Self { low, high, scale, quantity });
        match (scale, quantity) {
            (Scale::Linear, Quantity::Time | Quantity::Count) => axis(0.0, high * 1.04),
            (Scale::Linear, _) => {
                let room = ((high - low) * 0.06).max((0.2 - (high - low)) / 2.0);
                axis(low - room, high + room)
            }
            (Scale::Log, Quantity::Deviation) => {
                // One per cent to both sides at least.
                let least = placed(1.0 + NEAR, quantity, scale);
                let (low, high) = (low.min(-least), high.max(least));
                let room = (high - low) * 0.04;
                axis(low - room, high + room)
            }
            (Scale::Log, Quantity::Speedup) if low.abs().max(high.abs()) <= 2_f64.log10() => {
                let end = 2_f64.log10() * 1.04;
                axis(-end, end)
            }
            (Scale::Log, _) => {
                let span = high - low;
                let room = (span * 0.04).max((0.75 - span) / 2.0);
                let (low, high) = two_decades(low - room, high + room);
                axis(low, high)
            }
        }
    }

    /// The axis with a share of it, below 1, left free above its values.
    #[must_use]
    pub fn with_room_above(self, share: f64) -> Self {
        Self { high: self.high + (self.high - self.low) * share / (1.0 - share), ..self }
    }

    /// Where a value lies, from 0 at the lower end to 1 at the upper one.
    #[must_use]
    pub fn place(&self, value: f64) -> f64 {
        (placed(value, self.quantity, self.scale) - self.low) / (self.high - self.low)
    }

    /// The labelled values, none of them closer to another than `closest` (a share of the axis). On a
    /// logarithmic axis these are decades, or every second, third … of them; of deviations the decades of a per
    /// cent. Only where speedups are all within a factor of two, twice and half are labelled.
    #[must_use]
    pub fn ticks(&self, closest: f64) -> Vec<Tick> {
        let mut ticks = match (self.scale, self.quantity) {
            (Scale::Log, Quantity::Deviation) => self.deviations(closest),
            (Scale::Log, _) => self.decades(closest),
            (Scale::Linear, _) => self.steps(closest),
        };
        ticks.retain(|value| (0.0..=1.0).contains(&self.place(*value)));
        let label = |value| label(value, self.quantity);
        ticks.into_iter().map(|value| Tick { value, label: label(value) }).collect()
    }

    /// The units of its labels, and of times that are written beside it, for its title: ` (µs to s)`. Nothing
    /// where it is no axis of times.
    #[must_use]
    pub fn units(&self, beside: impl Iterator<Item = f64>) -> String {
        if self.quantity != Quantity::Time {
            return String::new();
        }
        let labelled = self.ticks(0.0).into_iter().map(|tick| tick.value);
        format!(" ({})", format::units(labelled.filter(|ns| *ns > 0.0).chain(beside)))
    }

    fn decades(&self, closest: f64) -> Vec<f64> {
        let span = self.high - self.low;
        if self.quantity == Quantity::Speedup && span < 1.0 {
            return vec![0.5, 1.0, 2.0];
        }
        let step = ((closest * span).ceil() as i32).max(1);
        (self.low.floor() as i32..=self.high.ceil() as i32)
            .filter(|exponent| exponent.rem_euclid(step) == 0)
            .map(|exponent| 10_f64.powi(exponent))
            .collect()
    }

    /// 1, and on both sides of it 1 %, 10 % and so on.
    fn deviations(&self, closest: f64) -> Vec<f64> {
        let mut ticks = vec![1.0];
        for side in [1.0, -1.0] {
            let mut last = 1.0;
            for value in (-2..4).map(|power| 1.0 + side * 10_f64.powi(power)) {
                if value > 0.0 && (self.place(value) - self.place(last)).abs() >= closest {
                    ticks.push(value);
                    last = value;
                }
            }
        }
        ticks.sort_unstable_by(f64::total_cmp);
        ticks
    }

    /// Multiples of 1, 2 or 5 times a power of ten. Of speedups below 1 their inverses are such multiples.
    fn steps(&self, closest: f64) -> Vec<f64> {
        let room = (closest * 1.5).max(0.1) * (self.high - self.low);
        let power = 10_f64.powf(room.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|digit| digit * power)
            .find(|step| *step >= room)
            .unwrap_or(room);
        let multiples = |from: f64, to: f64| {
            let (first, last) = ((from / step).ceil() as i64, (to / step).floor() as i64);
            (first..=last).map(move |times| times as f64 * step)
        };
        if self.quantity == Quantity::Speedup {
            // A place is the distance from 1.
            let above = multiples(1.0 + step / 2.0, 1.0 + self.high);
            let below = multiples(1.0 + step / 2.0, 1.0 - self.low).map(f64::recip);
            let mut ticks: Vec<f64> = below.chain([1.0]).chain(above).collect();
            ticks.sort_unstable_by(f64::total_cmp);
            ticks
        } else {
            multiples(self.low, self.high).collect()
        }
    }
}

/// The ends of a logarithmic axis, the nearer one moved out until two decades lie on it: from one alone no
/// other value can be read.
fn two_decades(mut low: f64, mut high: f64) -> (f64, f64) {
    while high.floor() - low.ceil() < 1.0 {
        let (below, above) = ((low - 1e-9).floor(), (high + 1e-9).ceil());
        if low - below <= above - high + 1e-9 {
            low = below;
        } else {
            high = above;
        }
    }
    (low, high)
}

/// Where a value lies before the axis has ends.
fn placed(value: f64, quantity: Quantity, scale: Scale) -> f64 {
    match (scale, quantity) {
        (Scale::Log, Quantity::Deviation) => (value.ln() / NEAR).asinh(),
        (Scale::Log, _) => value.log10(),
        // Twice as fast is as far above 1 as twice as slow is below it.
        (Scale::Linear, Quantity::Speedup) if value < 1.0 => 1.0 - value.recip(),
        (Scale::Linear, Quantity::Speedup) => value - 1.0,
        (Scale::Linear, _) => value,
    }
}

/// A labelled value, which has few digits.
fn label(value: f64, quantity: Quantity) -> String {
    match quantity {
        Quantity::Time => time_label(value),
        Quantity::Count if value >= 1e4 => {
            let exponent = value.log10().floor() as i32;
            let digits = plain(value / 10_f64.powi(exponent));
            if digits == "1" {
                format::power_of_ten(exponent)
            } else {
                format!("{digits}·{}", format::power_of_ten(exponent))
            }
        }
        Quantity::Count => plain(value),
        Quantity::Speedup if value < 0.999 => {
            format!("1/{}", label(value.recip(), Quantity::Factor))
        }
        Quantity::Factor | Quantity::Speedup if value >= 1e6 => format!("{value:.0e}×"),
        Quantity::Factor | Quantity::Speedup => format!("{}×", plain(value)),
        Quantity::Deviation => {
            let per_cent = 100.0 * (value - 1.0);
            let sign = if per_cent > 0.001 {
                "+"
            } else if per_cent < -0.001 {
                "−"
            } else {
                ""
            };
            format!("{sign}{} %", plain(per_cent.abs()))
        }
    }
}

fn time_label(ns: f64) -> String {
    if ns == 0.0 {
        return "0".to_owned();
    }
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns")];
    let (size, unit) =
        units.into_iter().find(|(size, _)| ns >= size * 0.999).unwrap_or((1e-3, "ps"));
    format!("{} {unit}", plain(ns / size))
}

/// A value of few digits, without those that were lost on the way to it.
fn plain(value: f64) -> String {
    if value >= 1000.0 {
        return format::grouped(value.round() as u128);
    }
    if value != 0.0 && value < 1e-4 {
        return format!("{value:.0e}");
    }
    let text = format!("{value:.5}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_axis_always_has_a_label(low in 1e-3..1e15_f64, ratio in 1.0..1e12_f64) {
            let axis = Axis::over([low, low * ratio].into_iter(), Quantity::Count, Scale::Log).unwrap();
            prop_assert!(!axis.ticks(0.06).is_empty());
            prop_assert!(axis.place(low) >= 0.0 && axis.place(low * ratio) <= 1.0);
        }
    }

    fn labels(values: &[f64], quantity: Quantity) -> Vec<String> {
        let axis = Axis::over(values.iter().copied(), quantity, Scale::Log).unwrap();
        axis.ticks(0.05).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn decades_are_labelled() {
        assert_eq!(labels(&[3e2, 2e6], Quantity::Time), ["1 µs", "10 µs", "100 µs", "1 ms"]);
        assert_eq!(labels(&[1.0, 2e5], Quantity::Count), ["1", "10", "100", "1,000", "10⁴", "10⁵"]);
        assert_eq!(labels(&[0.05, 40.0], Quantity::Factor), ["0.1×", "1×", "10×"]);
    }

    /// From one decade alone no other value can be read, and between two no other is labelled.
    #[test]
    fn a_short_axis_reaches_to_the_next_decade() {
        assert_eq!(labels(&[0.9, 12.0], Quantity::Factor), ["1×", "10×"]);
        assert_eq!(labels(&[3e6, 4e7], Quantity::Time), ["10 ms", "100 ms"]);
        assert_eq!(labels(&[2e6, 2.1e6], Quantity::Time), ["1 ms", "10 ms"]);
        assert_eq!(labels(&[0.061, 0.124], Quantity::Time), ["10 ps", "100 ps"]);
        assert_eq!(labels(&[1e7], Quantity::Count), ["10⁶", "10⁷"]);
    }

    #[test]
    fn an_axis_of_times_names_its_units() {
        let axis = |quantity, scale| Axis::over([2e3, 400e6].into_iter(), quantity, scale).unwrap();
        let units = |quantity, scale| axis(quantity, scale).units(std::iter::empty());
        assert_eq!(units(Quantity::Time, Scale::Log), " (µs to ms)");
        assert_eq!(units(Quantity::Time, Scale::Linear), " (ms)");
        assert_eq!(units(Quantity::Count, Scale::Log), "");
        let room = axis(Quantity::Time, Scale::Log).with_room_above(0.2);
        assert_eq!(room.units([50.0].into_iter()), " (ns to s)");
    }

    /// PLT-04 and PLT-03 of the public reports: one value, equal values, and values that a
    /// logarithm does not take.
    #[test]
    fn odd_values_still_give_an_axis_and_none_gives_none() {
        for values in [&[5.0][..], &[5.0, 5.0], &[5.0, 0.0, -1.0, f64::NAN, f64::INFINITY]] {
            let axis = Axis::over(values.iter().copied(), Quantity::Count, Scale::Log).unwrap();
            assert!((0.1..0.9).contains(&axis.place(5.0)));
            assert_eq!(axis.ticks(0.05).len(), 2);
        }
        assert_eq!(Axis::over([0.0, f64::NAN].into_iter(), Quantity::Count, Scale::Log), None);
    }

    #[test]
    fn twelve_decades_and_more_keep_their_labels_apart() {
        let axis = Axis::over([1.0, 1e30].into_iter(), Quantity::Count, Scale::Log).unwrap();
        let ticks = axis.ticks(0.06);
        assert!((5..=17).contains(&ticks.len()), "{ticks:?}");
        for pair in ticks.windows(2) {
            assert!(axis.place(pair[1].value) - axis.place(pair[0].value) >= 0.06);
        }
    }

    /// Twice as fast and twice as slow are equally far from the middle, on either scale.
    #[test]
    fn a_speedup_and_its_inverse_are_equally_far_from_one() {
        for scale in Scale::ALL {
            let axis = Axis::over([0.2, 7.0].into_iter(), Quantity::Speedup, scale).unwrap();
            for factor in [1.5, 2.0, 5.0] {
                let above = axis.place(factor) - axis.place(1.0);
                let below = axis.place(1.0) - axis.place(1.0 / factor);
                assert!((above - below).abs() < 1e-9, "{factor} on {scale:?}");
            }
        }
        let labels = |low, high, scale| -> Vec<String> {
            let axis = Axis::over([low, high].into_iter(), Quantity::Speedup, scale).unwrap();
            axis.ticks(0.05).into_iter().map(|tick| tick.label).collect()
        };
        assert_eq!(labels(0.8, 1.9, Scale::Log), ["1/2×", "1×", "2×"]);
        assert_eq!(labels(0.8, 2.1, Scale::Log), ["1×", "10×"]);
        assert_eq!(labels(0.05, 2000.0, Scale::Log), ["1/10×", "1×", "10×", "100×", "1,000×"]);
        assert_eq!(
            labels(0.4, 3.0, Scale::Linear),
            ["1/2.5×", "1/2×", "1/1.5×", "1×", "1.5×", "2×", "2.5×", "3×"]
        );
    }

    /// PLT-09 of the public reports: large numbers on a linear axis.
    #[test]
    fn a_linear_axis_begins_at_zero_and_has_round_labels() {
        let labels = |high, quantity| -> Vec<String> {
            let axis = Axis::over([1.0, high].into_iter(), quantity, Scale::Linear).unwrap();
            assert!(axis.place(0.0).abs() < 1e-9);
            axis.ticks(0.1).into_iter().map(|tick| tick.label).collect()
        };
        assert_eq!(
            labels(4_968_057_848.0, Quantity::Count),
            ["0", "10⁹", "2·10⁹", "3·10⁹", "4·10⁹", "5·10⁹"]
        );
        assert_eq!(
            labels(1.02e9, Quantity::Time),
            ["0", "200 ms", "400 ms", "600 ms", "800 ms", "1 s"]
        );
    }

    /// An outlier leaves most of the axis to the values around 1, and its decades are labelled.
    #[test]
    fn deviations_are_linear_within_a_per_cent_and_logarithmic_beyond() {
        let axis = |low, high| {
            Axis::over([low, high].into_iter(), Quantity::Deviation, Scale::Log).unwrap()
        };
        let labels = |axis: Axis| -> Vec<String> {
            axis.ticks(0.05).into_iter().map(|tick| tick.label).collect()
        };
        assert_eq!(labels(axis(0.98, 1.5)), ["−1 %", "0 %", "+1 %", "+10 %"]);
        assert_eq!(labels(axis(0.999, 1.001)), ["−1 %", "0 %", "+1 %"]);
        let wide = axis(0.98, 1.5);
        assert!(wide.place(1.01) - wide.place(0.99) > 0.25);
        let step = |from: f64, to: f64| wide.place(to) - wide.place(from);
        assert!((step(1.0, 1.005) / step(1.0, 1.001) - 5.0).abs() < 0.25);
        let decade = |from: f64| step((from * NEAR).exp(), (10.0 * from * NEAR).exp());
        assert!((decade(10.0) / decade(100.0) - 1.0).abs() < 0.01);
    }
}
