//! The exact interval of a shift between two lists of values by the rank-sum test, for two runs that
//! have no rounds in common.
//!
//! (H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is
//! stochastically larger than the other", Annals of Mathematical Statistics 18, 1947; the interval
//! is that of M. Hollander and D. A. Wolfe, "Nonparametric Statistical Methods", section 4.3, and
//! of R's `wilcox.test(…, conf.int = TRUE, exact = TRUE)`.)

use statrs::distribution::{ContinuousCDF, Normal};

use super::median;

/// By how much the values of `after` lie above those of `before`: the median of all differences,
/// with the interval that misses the true shift with probability `miss` or less, where the values
/// are enough for one. Nothing where a list is empty.
#[must_use]
pub fn shift(before: &[f64], after: &[f64], miss: f64) -> Option<(f64, Option<(f64, f64)>)> {
    let mut differences: Vec<f64> =
        after.iter().flat_map(|a| before.iter().map(move |b| a - b)).collect();
    differences.sort_unstable_by(f64::total_cmp);
    let value = median(&differences)?;
    let interval = depth(before.len(), after.len(), miss)
        .map(|depth| (differences[depth - 1], differences[differences.len() - depth]));
    Some((value, interval))
}

/// The place, from 1, of the interval's lower end among the sorted differences: the largest whose
/// interval misses the shift with probability `miss` or less.
fn depth(before: usize, after: usize, miss: f64) -> Option<usize> {
    if before * after > LARGEST_EXACT {
        return approximate_depth(before, after, miss);
    }
    let distribution = distribution(before, after);
    let mut below = 0.0;
    let mut depth = None;
    for (statistic, probability) in distribution.into_iter().enumerate() {
        below += probability;
        if 2.0 * below > miss || 2 * (statistic + 1) > before * after {
            break;
        }
        depth = Some(statistic + 1);
    }
    depth
}

/// Up to this product of the two numbers the distribution is computed exactly; beyond, it is as good as
/// normal, and computing it would take long.
const LARGEST_EXACT: usize = 1000;

/// The same by the normal distribution that the statistic's comes near, one place further out.
fn approximate_depth(before: usize, after: usize, miss: f64) -> Option<usize> {
    let (b, a) = (before as f64, after as f64);
    let spread = (a * b * (a + b + 1.0) / 12.0).sqrt();
    let normal = Normal::new(a * b / 2.0, spread).ok()?;
    let place = normal.inverse_cdf(miss / 2.0).floor() - 1.0;
    (place >= 1.0).then_some(place as usize)
}

/// The probability of each value of Mann and Whitney's statistic, from 0 to the product of the two
/// numbers, where the lists do not differ. By their recurrence: the largest of all values is in
/// the one list or in the other.
fn distribution(before: usize, after: usize) -> Vec<f64> {
    let length = before * after + 1;
    // `table[b]` has the distribution for `b` values before and as many after as rounds were made.
    let certain = {
        let mut only = vec![0.0; length];
        only[0] = 1.0;
        only
    };
    let mut table = vec![certain; before + 1];
    for a in 1..=after {
        for b in 1..=before {
            let share = a as f64 / (a + b) as f64;
            let mut next = vec![0.0; length];
            for (statistic, probability) in next.iter_mut().enumerate() {
                // The largest is after: it lies above all `b` before.
                let above = statistic.checked_sub(b).map_or(0.0, |rest| table[b][rest]);
                // The largest is before: it lies above none after.
                *probability = share * above + (1.0 - share) * table[b - 1][statistic];
            }
            table[b] = next;
        }
    }
    table.swap_remove(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The critical values of the two-sided test at 5 % that textbooks print (H. B. Mann and D. R.
    /// Whitney 1947, extended by D. Auble 1953): the test rejects up to this statistic, so the
    /// interval begins at the next place.
    #[test]
    fn critical_values_as_published() {
        for (before, after, critical) in [
            (3, 5, Some(0)),
            (4, 4, Some(0)),
            (5, 5, Some(2)),
            (6, 8, Some(8)),
            (8, 8, Some(13)),
            (10, 10, Some(23)),
            (12, 15, Some(49)),
            (14, 14, Some(55)),
            (20, 20, Some(127)),
            (3, 3, None),
        ] {
            let place = critical.map(|critical| critical + 1);
            assert_eq!(depth(before, after, 0.05), place, "{before} and {after}");
            assert_eq!(depth(after, before, 0.05), place, "{after} and {before}");
        }
    }

    /// What R's `wilcox.test(c(1.1,2.2,3.3,4.4,5.5), c(11,12,13,14,15.5), conf.int=TRUE)` documents:
    /// the differences' third and third last are the interval's ends.
    #[test]
    fn a_shift_with_its_interval() {
        let before = [1.1, 2.2, 3.3, 4.4, 5.5];
        let after = [11.0, 12.0, 13.0, 14.0, 15.5];
        let (value, interval) = shift(&before, &after, 0.05).unwrap();
        let mut differences: Vec<f64> =
            after.iter().flat_map(|a| before.iter().map(move |b| a - b)).collect();
        differences.sort_unstable_by(f64::total_cmp);
        assert!((value - differences[12]).abs() < 1e-12);
        assert_eq!(interval, Some((differences[2], differences[22])));
        assert_eq!(shift(&before[..3], &after[..3], 0.05).unwrap().1, None);
        assert_eq!(shift(&[], &after, 0.05), None);
    }

    #[test]
    fn the_approximation_is_near_and_never_inside() {
        for (before, after) in [(20, 20), (14, 28), (31, 31)] {
            for miss in [0.05, 0.001] {
                let exact = depth(before, after, miss).unwrap();
                let near = approximate_depth(before, after, miss).unwrap();
                assert!(near <= exact && exact - near <= 8, "{before}, {after}: {near}, {exact}");
            }
        }
        assert!(depth(1000, 1000, 0.05).unwrap() > 470_000);
    }

    #[test]
    fn probabilities_add_up() {
        for (before, after) in [(1, 1), (3, 7), (14, 14), (28, 28)] {
            let all: f64 = distribution(before, after).iter().sum();
            assert!((all - 1.0).abs() < 1e-9);
        }
        assert_eq!(distribution(1, 1), [0.5, 0.5]);
    }
}
