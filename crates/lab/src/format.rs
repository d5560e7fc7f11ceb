//! Numbers as people read them. Files keep the exact ones.

/// A time given in nanoseconds, with three significant digits and a unit that suits it.
#[must_use]
pub fn time(ns: f64) -> String {
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
    let (size, unit) = match ns {
        _ if ns < 999.5 => UNITS[0],
        _ if ns < 999.5e3 => UNITS[1],
        _ if ns < 999.5e6 => UNITS[2],
        _ if ns < 120e9 => UNITS[3],
        _ if ns < 2.0 * 3.6e12 => UNITS[4],
        _ if ns < 2.0 * 8.64e13 => UNITS[5],
        _ => UNITS[6],
    };
    format!("{} {unit}", significant(ns / size))
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

/// A factor with at least three significant digits, and with as many more as an interval of this width
/// justifies: one digit of the width.
#[must_use]
pub fn factor_within(value: f64, width: f64) -> String {
    let justified = if width > 0.0 { (-width.log10().floor()).clamp(0.0, 6.0) as usize } else { 0 };
    let text = significant(value);
    let shown = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    if justified > shown { format!("{value:.justified$}×") } else { format!("{text}×") }
}

/// How far a factor is from 1, in per cent with two significant digits: `0.61 %`. A factor and its
/// inverse are equally far.
#[must_use]
pub fn percent(factor: f64) -> String {
    let percent = 100.0 * (factor.ln().abs().exp() - 1.0);
    let digits = if percent > 0.0 { percent.log10().floor() as i32 } else { 0 };
    format!("{percent:.*} %", (1 - digits).clamp(0, 3) as usize)
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
    fn digits_that_the_interval_justifies() {
        assert_eq!(factor_within(1.004_2, 0.003), "1.004×");
        assert_eq!(factor_within(1.004_2, 0.3), "1.00×");
        assert_eq!(factor_within(124.6, 8.0), "125×");
        assert_eq!(factor_within(12_345.0, 8.0), "12,300×");
        assert_eq!(factor_within(1.0, 0.0), "1.00×");
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
