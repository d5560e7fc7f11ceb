//! The exact interval of a median by the sign test: whatever the distribution, as long as rounds do
//! not depend on each other.
//!
//! Each value lies below the true median with probability one half, so the number that does is
//! binomial, and the chance that the true median lies outside the values at two places of the
//! sorted list is known exactly. Nothing is assumed of the values: heavy tails, bursts and skew
//! widen the interval and do not make it wrong. (W. J. Dixon and A. M. Mood, "The statistical sign
//! test", Journal of the American Statistical Association 41, 1946; interval as in W. J. Conover,
//! "Practical Nonparametric Statistics", section 3.2.)

use statrs::distribution::{Binomial, DiscreteCDF};

/// The interval of the median of `values`, which misses it with probability `miss` or less; nothing
/// where the values are too few for that, or `miss` is none.
#[must_use]
pub fn interval(values: &[f64], miss: f64) -> Option<(f64, f64)> {
    let depth = depth(values.len(), miss)?;
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    Some((sorted[depth - 1], sorted[sorted.len() - depth]))
}

/// The place, from 1, of the interval's lower end in the sorted list of `count` values: the largest
/// whose interval misses the median with probability `miss` or less.
fn depth(count: usize, miss: f64) -> Option<usize> {
    let below = Binomial::new(0.5, count as u64).ok()?;
    (1..=count / 2).take_while(|depth| 2.0 * below.cdf(*depth as u64 - 1) <= miss).last()
}

/// The fewest values with which there is an interval that misses with probability `miss` or less.
#[must_use]
pub fn fewest(miss: f64) -> usize {
    // Every value halves the chance that all lie on one side of the median.
    const MOST: usize = 1100;
    (1..MOST).find(|&count| depth(count, miss).is_some()).unwrap_or(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The ranks of the 95 % interval of a median in the table that textbooks print, such as table
    /// A.17 of W. W. Daniel, "Applied Nonparametric Statistics": the lower rank for each number of
    /// values. R's `qbinom(0.025, n, 0.5)` gives the same numbers.
    #[test]
    fn ranks_as_published() {
        for (count, rank) in [
            (5, None),
            (6, Some(1)),
            (8, Some(1)),
            (9, Some(2)),
            (11, Some(2)),
            (12, Some(3)),
            (14, Some(3)),
            (15, Some(4)),
            (20, Some(6)),
            (25, Some(8)),
            (30, Some(10)),
            (40, Some(14)),
            (50, Some(18)),
            (100, Some(40)),
        ] {
            assert_eq!(depth(count, 0.05), rank, "{count}");
        }
        assert_eq!(fewest(0.05), 6);
        assert_eq!(fewest(0.05 / 10.0), 9);
    }

    #[test]
    fn ends_are_values() {
        let values = [5.0, 1.0, 9.0, 3.0, 7.0, 2.0, 8.0, 4.0, 6.0];
        assert_eq!(interval(&values, 0.05), Some((2.0, 8.0)));
        assert_eq!(interval(&values, 0.005), Some((1.0, 9.0)));
        assert_eq!(interval(&values, 0.003), None);
        assert_eq!(interval(&[], 0.05), None);
    }

    proptest! {
        #![proptest_config(crate::stats::tests::fixed())]

        /// More comparisons, a wider interval or none.
        #[test]
        fn a_surer_interval_is_no_narrower(
            values in prop::collection::vec(-1e3..1e3_f64, 6..60), comparisons in 1..50_u32,
        ) {
            let one = interval(&values, 0.05).unwrap();
            if let Some(many) = interval(&values, 0.05 / f64::from(comparisons)) {
                prop_assert!(many.0 <= one.0 && one.1 <= many.1);
            }
        }
    }
}
