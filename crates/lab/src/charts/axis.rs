//! Axes: where a value lies and which values are labelled.

use crate::format;

/// What the values of an axis are, which decides how they are labelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Nanoseconds.
    Time,
    /// A count of things.
    Count,
    /// A factor, 1 for equal.
    Factor,
}

/// A logarithmic axis over positive, finite values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogAxis {
    low: f64,
    high: f64,
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

impl LogAxis {
    /// An axis that holds all values, with a little room at its ends, and more where they lie close
    /// together. Values that a logarithm does not take are passed over; nothing is
    /// left where all are.
    #[must_use]
    pub fn over(values: impl Iterator<Item = f64>, quantity: Quantity) -> Option<Self> {
        let logs = values.filter(|value| value.is_finite() && *value > 0.0).map(f64::log10);
        let (low, high) = logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), log| {
            (low.min(log), high.max(log))
        });
        if low > high {
            return None;
        }
        // Three quarters of a decade at least, so that a decade, its double or its fivefold lies on
        // it whatever the values.
        let span = high - low;
        let room = (span * 0.04).max((0.75 - span) / 2.0);
        Some(Self { low: low - room, high: high + room, quantity })
    }

    /// The axis with a share of it, below 1, left free above its values.
    #[must_use]
    pub fn with_room_above(self, share: f64) -> Self {
        Self { high: self.high + (self.high - self.low) * share / (1.0 - share), ..self }
    }

    /// Where a value lies, from 0 at the lower end to 1 at the upper one.
    #[must_use]
    pub fn place(&self, value: f64) -> f64 {
        (value.log10() - self.low) / (self.high - self.low)
    }

    /// The labelled values: decades, or every second, third … of them where they would stand
    /// closer than `closest` (a share of the axis), and where there are few of them their doubles
    /// and fivefolds too.
    #[must_use]
    pub fn ticks(&self, closest: f64) -> Vec<Tick> {
        let room = closest * (self.high - self.low);
        let step = (room.ceil() as i32).max(1);
        let mut ticks: Vec<f64> = (self.low.floor() as i32..=self.high.ceil() as i32)
            .filter(|exponent| exponent.rem_euclid(step) == 0)
            .map(|exponent| 10_f64.powi(exponent))
            .collect();
        if step == 1 && self.high - self.low < 2.5 && room < 0.28 {
            let more: Vec<f64> =
                ticks.iter().flat_map(|decade| [2.0 * decade, 5.0 * decade]).collect();
            ticks.extend(more);
            ticks.sort_unstable_by(f64::total_cmp);
        }
        ticks.retain(|value| (0.0..=1.0).contains(&self.place(*value)));
        ticks.into_iter().map(|value| Tick { value, label: label(value, self.quantity) }).collect()
    }
}

/// A labelled value of one digit and zeros.
fn label(value: f64, quantity: Quantity) -> String {
    match quantity {
        Quantity::Time => time_label(value),
        Quantity::Count if value >= 1e4 => {
            let exponent = value.log10().floor() as i32;
            let digit = (value / 10_f64.powi(exponent)).round();
            if digit > 1.0 {
                format!("{digit}·{}", format::power_of_ten(exponent))
            } else {
                format::power_of_ten(exponent)
            }
        }
        Quantity::Count => plain(value),
        Quantity::Factor if value >= 1e6 => format!("{value:.0e}×"),
        Quantity::Factor => format!("{}×", plain(value)),
    }
}

fn time_label(ns: f64) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")];
    let (size, unit) =
        units.into_iter().find(|(size, _)| ns >= size * 0.999).unwrap_or((1.0, "ns"));
    format!("{} {unit}", plain(ns / size))
}

/// A value of one digit and zeros, without an exponent.
fn plain(value: f64) -> String {
    if value >= 0.9 {
        format::grouped(value.round() as u128)
    } else {
        match (-value.log10()).ceil() as usize {
            decimals @ 0..=4 => format!("{value:.decimals$}"),
            _ => format!("{value:.0e}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_axis_always_has_a_label(low in 1e-3..1e15_f64, ratio in 1.0..1e12_f64) {
            let axis = LogAxis::over([low, low * ratio].into_iter(), Quantity::Count).unwrap();
            prop_assert!(!axis.ticks(0.06).is_empty());
            prop_assert!(axis.place(low) >= 0.0 && axis.place(low * ratio) <= 1.0);
        }
    }

    fn labels(values: &[f64], quantity: Quantity) -> Vec<String> {
        let axis = LogAxis::over(values.iter().copied(), quantity).unwrap();
        axis.ticks(0.05).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn decades_are_labelled() {
        assert_eq!(labels(&[3e2, 2e6], Quantity::Time), ["1 µs", "10 µs", "100 µs", "1 ms"]);
        assert_eq!(labels(&[1.0, 2e5], Quantity::Count), ["1", "10", "100", "1,000", "10⁴", "10⁵"]);
        assert_eq!(labels(&[0.05, 40.0], Quantity::Factor), ["0.1×", "1×", "10×"]);
    }

    #[test]
    fn a_short_axis_has_doubles_and_fivefolds() {
        assert_eq!(labels(&[0.9, 12.0], Quantity::Factor), ["1×", "2×", "5×", "10×"]);
        assert_eq!(labels(&[3e6, 4e7], Quantity::Time), ["5 ms", "10 ms", "20 ms"]);
    }

    /// PLT-04 and PLT-03 of the public reports: one value, equal values, and values that a
    /// logarithm does not take.
    #[test]
    fn odd_values_still_give_an_axis_and_none_gives_none() {
        for values in [&[5.0][..], &[5.0, 5.0], &[5.0, 0.0, -1.0, f64::NAN, f64::INFINITY]] {
            let axis = LogAxis::over(values.iter().copied(), Quantity::Count).unwrap();
            assert!((axis.place(5.0) - 0.5).abs() < 1e-9);
            assert!(!axis.ticks(0.05).is_empty());
        }
        assert_eq!(LogAxis::over([0.0, f64::NAN].into_iter(), Quantity::Count), None);
    }

    #[test]
    fn twelve_decades_and_more_keep_their_labels_apart() {
        let axis = LogAxis::over([1.0, 1e30].into_iter(), Quantity::Count).unwrap();
        let ticks = axis.ticks(0.06);
        assert!((5..=17).contains(&ticks.len()), "{ticks:?}");
        for pair in ticks.windows(2) {
            assert!(axis.place(pair[1].value) - axis.place(pair[0].value) >= 0.06);
        }
    }
}
