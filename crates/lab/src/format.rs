//! Numbers as people read them. Files keep the exact ones.

use crate::stats::Estimate;

/// A time given in nanoseconds, with three significant digits and a unit that suits it.
#[must_use]
pub fn time(ns: f64) -> String {
    let (size, unit) = unit_of(ns);
    format!("{} {unit}", significant(ns / size))
}

/// The unit that suits a time given in nanoseconds, with its size.
fn unit_of(ns: f64) -> (f64, &'static str) {
    const UNITS: [(f64, &str); 7] = [
        (1.0, "ns"),
        (1e3, "µs"),
        (1e6, "ms"),
        (1e9, "s"),
        (6e10, "min"),
        (3.6e12, "h"),
        (8.64e13, "d"),
    ];
    // A value that rounds up to 1000 is written in the next unit; minutes, hours and days begin
    // at two of them, so that 90 s is not 1.50 min.
    match ns {
        _ if ns < 999.5 => UNITS[0],
        _ if ns < 999.5e3 => UNITS[1],
        _ if ns < 999.5e6 => UNITS[2],
        _ if ns < 120e9 => UNITS[3],
        _ if ns < 2.0 * 3.6e12 => UNITS[4],
        _ if ns < 2.0 * 8.64e13 => UNITS[5],
        _ => UNITS[6],
    }
}

/// A time to wait given in nanoseconds: in words beyond what anyone would wait for.
#[must_use]
pub fn wait(ns: f64) -> String {
    const YEAR: f64 = 365.25 * 8.64e13;
    match ns / YEAR {
        years if years > 1e4 => "more than ten thousand years".to_owned(),
        years if years > 2.0 => format!("{} years", significant(years)),
        _ => time(ns),
    }
}

/// A number with three significant digits, those before the point in groups of three.
#[must_use]
pub fn significant(value: f64) -> String {
    let rounded = format!("{value:.2e}").parse().unwrap_or(value);
    let digits = if rounded == 0.0 { 0 } else { f64::log10(f64::abs(rounded)).floor() as i32 };
    let decimals = (2 - digits).clamp(0, 12) as usize;
    if digits > 2 { grouped(rounded as u128) } else { format!("{value:.decimals$}") }
}

/// A factor: `3.46×`.
#[must_use]
pub fn factor(value: f64) -> String {
    format!("{}×", significant(value))
}

/// The place of the last digit that half the width of an interval justifies, as a power of ten: two digits
/// of it where they are below 35, one of it above (Particle Data Group, "Review of Particle Physics",
/// introduction, on rounding).
fn last_place(half_width: f64) -> i32 {
    let place = half_width.log10().floor();
    let leading = half_width / 10_f64.powf(place);
    place as i32 - i32::from(leading < 3.55)
}

/// The place of the last digit of a value: as its interval justifies, and the second digit where it has no
/// interval, so that nothing is claimed.
fn place_of(value: f64, half_width: Option<f64>) -> i32 {
    // As large as the value, however wide the interval: no value but zero is written as zero.
    let first =
        if value == 0.0 { 0 } else { value.abs().log10().floor().clamp(-12.0, 30.0) as i32 };
    match half_width {
        Some(half) if half > 0.0 && half.is_finite() => last_place(half).clamp(-12, first),
        Some(_) => first - 5,
        None => first - 1,
    }
}

/// A positive value to a place; where that is before the point, zeros fill the rest.
fn to_place(value: f64, place: i32) -> String {
    if place >= 0 {
        let step = 10_f64.powi(place);
        grouped(((value / step).round() * step) as u128)
    } else {
        let text = format!("{value:.*}", (-place).min(12) as usize);
        let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
        let whole = whole.parse().map_or_else(|_| whole.to_owned(), grouped);
        format!("{whole}.{decimals}")
    }
}

/// A time given in nanoseconds with the digits that half the width of its interval, in nanoseconds too,
/// justifies; with two of them where it has none.
#[must_use]
pub fn time_within(ns: f64, half_width: Option<f64>) -> String {
    let (size, unit) = unit_of(ns);
    let place = place_of(ns / size, half_width.map(|half| half / size));
    format!("{} {unit}", to_place(ns / size, place))
}

/// A factor with the digits that half the width of its interval justifies; with two of them where it has
/// none.
#[must_use]
pub fn factor_within(value: f64, half_width: Option<f64>) -> String {
    format!("{}×", to_place(value, place_of(value, half_width)))
}

/// Half the width of an interval.
#[must_use]
pub fn half_width(interval: Option<(f64, f64)>) -> Option<f64> {
    interval.map(|(low, high)| (high - low) / 2.0)
}

/// An estimate's value with the digits that its interval justifies.
#[must_use]
pub fn estimate(of: Estimate, write: fn(f64, Option<f64>) -> String) -> String {
    write(of.value, half_width(of.interval))
}

/// The ends of an interval with the digits that it justifies; nothing where there is none.
#[must_use]
pub fn interval(
    of: Option<(f64, f64)>,
    write: fn(f64, Option<f64>) -> String,
) -> Option<[String; 2]> {
    of.map(|(low, high)| [low, high].map(|end| write(end, half_width(of))))
}

/// A time far below a nanosecond, or above, given in nanoseconds, with three significant digits.
#[must_use]
pub fn short_time(ns: f64) -> String {
    let (size, unit) = short_unit_of(ns);
    format!("{} {unit}", significant(ns / size))
}

/// The unit that suits a time given in nanoseconds, however short.
fn short_unit_of(ns: f64) -> (f64, &'static str) {
    if ns < 0.9995 { (1e-3, "ps") } else { unit_of(ns) }
}

/// The units that times given in nanoseconds are written in, for an axis title: `µs to s`, or `ms` where it is
/// one.
#[must_use]
pub fn units(times: impl Iterator<Item = f64>) -> String {
    let times: Vec<f64> = times.filter(|ns| ns.is_finite()).collect();
    let unit = |ns: f64| short_unit_of(ns).1;
    let ends = times.iter().copied().reduce(f64::min).zip(times.iter().copied().reduce(f64::max));
    match ends.map(|(least, most)| (unit(least), unit(most))) {
        Some((least, most)) if least == most => least.to_owned(),
        Some((least, most)) => format!("{least} to {most}"),
        None => String::new(),
    }
}

/// How far a factor is from 1, in per cent with two significant digits: `0.61 %`. A factor and its
/// inverse are equally far.
#[must_use]
pub fn percent(factor: f64) -> String {
    let percent = 100.0 * (factor.ln().abs().exp() - 1.0);
    let digits = if percent > 0.0 { percent.log10().floor() as i32 } else { 0 };
    format!("{percent:.*} %", (1 - digits).clamp(0, 3) as usize)
}

/// How far a factor is from 1, with its direction: `+1.20 %`, `−0.61 %`, `0 %`.
#[must_use]
pub fn deviation(factor: f64) -> String {
    let per_cent = 100.0 * (factor - 1.0);
    let text = format!("{:.2}", per_cent.abs());
    match text.parse() {
        Ok(0.0) => "0 %".to_owned(),
        _ if per_cent < 0.0 => format!("−{text} %"),
        _ => format!("+{text} %"),
    }
}

/// The day of a moment as files have it: `2026-01-31` of `2026-01-31T12:00:00Z`.
#[must_use]
pub fn date(moment: &str) -> &str {
    moment.get(..10).unwrap_or(moment)
}

/// A whole number with its digits in groups of three.
#[must_use]
pub fn grouped(value: u128) -> String {
    let digits = value.to_string();
    let mut grouped = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A power of ten as an axis is labelled with it: `10⁻³`.
#[must_use]
pub fn power_of_ten(exponent: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let sign = if exponent < 0 { "⁻" } else { "" };
    let digits = exponent.unsigned_abs().to_string();
    let digits: String = digits.bytes().map(|digit| DIGITS[usize::from(digit - b'0')]).collect();
    format!("10{sign}{digits}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_title_names_its_units() {
        assert_eq!(units([2.1e3, 5e6, 1.2e9].into_iter()), "µs to s");
        assert_eq!(units([0.05, 0.12].into_iter()), "ps");
        assert_eq!(units([999.6, 1e6, f64::NAN].into_iter()), "µs to ms");
    }

    #[test]
    fn times_in_the_unit_that_suits() {
        for (ns, text) in [
            (0.5, "0.500 ns"),
            (12.34, "12.3 ns"),
            (999.4, "999 ns"),
            (999.6, "1.00 µs"),
            (1_234_567.0, "1.23 ms"),
            (99.95e6, "100 ms"),
            (90e9, "90.0 s"),
            (600e9, "10.0 min"),
            (3.6e13, "10.0 h"),
            (8.64e15, "100 d"),
        ] {
            assert_eq!(time(ns), text);
        }
    }

    #[test]
    fn waits_beyond_patience_in_words() {
        assert_eq!(wait(90e9), "90.0 s");
        assert_eq!(wait(1e17), "3.17 years");
        assert_eq!(wait(1e80), "more than ten thousand years");
    }

    /// MEA-08 of the public reports: a large or a small factor keeps its digits.
    #[test]
    fn factors_keep_their_digits() {
        assert_eq!(factor(1.77e6 / 3.44), "515,000×");
        assert_eq!(factor(97.0 / 17.0), "5.71×");
        assert_eq!(factor(1.0), "1.00×");
        assert_eq!(factor(0.001_234), "0.00123×");
        assert_eq!(factor(9.999), "10.0×");
        assert_eq!(significant(0.0), "0.00");
    }

    #[test]
    fn differences_in_per_cent() {
        assert_eq!(percent(1.0061), "0.61 %");
        assert_eq!(percent(1.0 / 1.0061), "0.61 %");
        assert_eq!(percent(1.0), "0.0 %");
        assert_eq!(percent(1.123), "12 %");
        assert_eq!(percent(1.000_04), "0.004 %");
    }

    #[test]
    fn differences_with_their_direction() {
        assert_eq!(deviation(1.012), "+1.20 %");
        assert_eq!(deviation(0.9939), "−0.61 %");
        assert_eq!(deviation(1.000_001), "0 %");
        assert_eq!(deviation(0.999_999), "0 %");
    }

    #[test]
    fn digits_that_the_interval_justifies() {
        assert_eq!(factor_within(1.004_2, Some(0.0015)), "1.0042×");
        assert_eq!(factor_within(1.004_2, Some(0.15)), "1.00×");
        assert_eq!(factor_within(124.6, Some(4.0)), "125×");
        assert_eq!(factor_within(12_345.0, Some(4.0)), "12,345×");
        assert_eq!(factor_within(12_345.0, Some(400.0)), "12,300×");
        assert_eq!(factor_within(12_345.0, Some(0.04)), "12,345.00×");
        assert_eq!(factor_within(12_345.0, None), "12,000×");
        assert_eq!(factor_within(2.349, None), "2.3×");
        assert_eq!(time_within(5.968e6, Some(0.1e6)), "5.97 ms");
        assert_eq!(time_within(273.4e3, Some(3.0e3)), "273.4 µs");
        assert_eq!(time_within(273.4e3, Some(4.0e3)), "273 µs");
        assert_eq!(time_within(1.023e9, Some(0.02e9)), "1.023 s");
        assert_eq!(time_within(999.2e6, Some(40.0e6)), "1,000 ms");
        assert_eq!(time_within(1.023e9, None), "1.0 s");
        assert_eq!(short_time(0.249), "249 ps");
        // However wide the interval, a value that is not zero does not look like it.
        assert_eq!(time_within(400e3, Some(4.3e6)), "400 µs");
        assert_eq!(factor_within(0.4, Some(4.0)), "0.4×");
        assert_eq!(factor_within(0.0, Some(0.1)), "0.00×");
        assert_eq!(factor_within(1.0, Some(f64::INFINITY)), "1.00000×");
    }

    /// The rule has two digits up to 35, then one; 95 and more become 100, of which two digits are kept.
    #[test]
    fn the_last_place_follows_the_rule() {
        for (half_width, place) in [
            (0.1, -2),
            (0.354, -2),
            (0.36, -1),
            (0.94, -1),
            (0.96, -1),
            (1.0, -1),
            (35.0, 0),
            (40.0, 1),
        ] {
            assert_eq!(last_place(half_width), place, "{half_width}");
        }
    }

    #[test]
    fn digits_in_groups() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(234_907_967_154_122_528), "234,907,967,154,122,528");
        assert_eq!(power_of_ten(-12), "10⁻¹²");
        assert_eq!(power_of_ten(9), "10⁹");
    }
}
