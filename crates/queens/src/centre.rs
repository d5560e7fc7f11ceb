//! Searching from the centre of the board outwards, with all of its symmetry settled beforehand.
//!
//! Rows are filled from the centre on, one above and one below in turn: with `left` rows still empty
//! the next one is [`row`]. So the filled rows always lie together, and the two empty stretches have a
//! *front* each, the row that is next to the filled ones.
//!
//! *Factor 4.* The first rows, two of an even order and three of an odd one, are the *prefix*. The
//! reflection left to right, H, takes column c to N − 1 − c; the reflection top to bottom, V, exchanges
//! the last two queens of a prefix. Both take prefixes to prefixes, and the placements that a prefix
//! has to those of its image. So only the lexicographically least of {p, H(p), V(p), H(V(p))} is searched, with
//! the number of distinct ones among them as its weight.
//!
//! *Factor 2.* Let the distance of a line from the centre be |2x − (N − 1)|. Let f be the distances of
//! the columns of the queens in the centre row or rows, in ascending order, and g those of the rows of
//! the queens in the centre column or columns. H and V leave both as they are; transposition exchanges
//! them. So of the placements with f ≠ g those with g > f are searched, with twice the weight, and
//! those with g = f with their own. f is known from the prefix, and what it demands of g becomes a set
//! of *allowed* columns for each row, in several cases that exclude each other: no placement has to be
//! looked at in the end.
//!
//! Where a case forces a queen onto a square, the squares that she attacks are not allowed either.

use std::collections::BTreeMap;

use crate::Order;

/// Prefixes that are searched alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// How many placements each one found stands for: 1, 2, 4 or 8.
    pub weight: u32,
    /// The columns that each row may use, bit `i` for column `i`. Nothing is demanded of the rows of
    /// the prefix any more: they have 0.
    pub allowed: Vec<u128>,
    /// The columns of the queens of each prefix, in the order in which its rows are filled.
    pub prefixes: Vec<Vec<usize>>,
}

/// The row that is filled next when `left` rows of a board of `size` rows are empty, 1 to `size`.
#[must_use]
pub const fn row(size: usize, left: usize) -> usize {
    if fills_upwards(left) { left / 2 - 1 } else { size - (left - left / 2) }
}

/// Whether the row that is filled next, when `left` rows are empty, is above the filled ones.
#[must_use]
pub const fn fills_upwards(left: usize) -> bool {
    left.is_multiple_of(2)
}

/// The rows of a prefix: the one or two centre rows, and for odd orders one on either side.
#[must_use]
pub const fn prefix_rows(size: usize) -> usize {
    2 + size % 2
}

/// The largest order that [`groups`] takes.
pub const LARGEST: Order = match Order::new(64) {
    Some(order) => order,
    None => Order::MAX,
};

/// Every group of prefixes of `order`, from 4 to [`LARGEST`]. The total is the sum over the groups of
/// the weight times the placements that begin with one of the prefixes and use allowed columns only.
///
/// The groups and their prefixes come in the same order each time.
///
/// # Panics
/// At orders below 4, which have no such prefix, and above [`LARGEST`].
#[must_use]
pub fn groups(order: Order) -> Vec<Group> {
    let size = order.get();
    assert!((4..=LARGEST.get()).contains(&size), "order {order} has no prefixes from the centre");
    let mut groups: BTreeMap<(Vec<u128>, u32), Vec<Vec<usize>>> = BTreeMap::new();
    for (prefix, distinct_images) in least_prefixes(size) {
        for Case { weight, mut allowed } in cases(size, &prefix) {
            let mut rows = (0..prefix.len()).map(|place| row(size, size - place));
            if rows.clone().zip(&prefix).all(|(row, column)| allowed[row] >> column & 1 == 1) {
                rows.by_ref().for_each(|row| allowed[row] = 0);
                groups.entry((allowed, weight * distinct_images)).or_default().push(prefix.clone());
            }
        }
    }
    let group = |((allowed, weight), prefixes)| Group { weight, allowed, prefixes };
    groups.into_iter().map(group).collect()
}

/// The prefixes that no image under H, V and HV comes before, each with the number of its distinct
/// images.
fn least_prefixes(size: usize) -> Vec<(Vec<usize>, u32)> {
    let mut least = Vec::new();
    for prefix in prefixes(size) {
        let mirrored = |prefix: &[usize]| prefix.iter().map(|c| size - 1 - c).collect::<Vec<_>>();
        let mut flipped = prefix.clone();
        flipped.swap(prefix.len() - 1, prefix.len() - 2);
        let mut images = vec![prefix.clone(), mirrored(&prefix), mirrored(&flipped), flipped];
        images.sort_unstable();
        images.dedup();
        if images[0] == prefix {
            least.push((prefix, images.len() as u32));
        }
    }
    least
}

/// Every prefix in which no two queens attack each other.
fn prefixes(size: usize) -> Vec<Vec<usize>> {
    let mut prefixes = vec![Vec::new()];
    for place in 0..prefix_rows(size) {
        let distance = |earlier: usize| row(size, size - earlier).abs_diff(row(size, size - place));
        let mut longer = Vec::new();
        for prefix in prefixes {
            for column in 0..size {
                let attacked = prefix.iter().enumerate().any(|(earlier, &other): (_, &usize)| {
                    other == column || other.abs_diff(column) == distance(earlier)
                });
                if !attacked {
                    longer.push([&prefix[..], &[column]].concat());
                }
            }
        }
        prefixes = longer;
    }
    prefixes
}

/// What a prefix's f demands of g, as columns that each row may use.
#[derive(Clone)]
struct Case {
    /// 2 where transposition carries these placements to others, 1 where it does not.
    weight: u32,
    allowed: Vec<u128>,
}

impl Case {
    fn unrestricted(size: usize) -> Self {
        Self { weight: 2, allowed: vec![u128::MAX >> (128 - size); size] }
    }

    /// The distance of a line from the centre.
    const fn distance(&self, line: usize) -> usize {
        (2 * line).abs_diff(self.allowed.len() - 1)
    }

    /// The rows at a distance from the centre: one or two.
    fn rows_at(&self, distance: usize) -> Vec<usize> {
        (0..self.allowed.len()).filter(|&row| self.distance(row) == distance).collect()
    }

    /// The queen of `column` stands further from the centre than `distance`.
    fn further(mut self, column: usize, distance: usize) -> Self {
        for row in 0..self.allowed.len() {
            if self.distance(row) <= distance {
                self.allowed[row] &= !(1 << column);
            }
        }
        self
    }

    /// The queen of `column` stands in `row`.
    fn forced(mut self, column: usize, row: usize) -> Self {
        for (other, allowed) in self.allowed.iter_mut().enumerate() {
            let square = 1_u128 << column;
            let apart = other.abs_diff(row);
            // Shifted by less than 64 within 128 bits: no square of the board is lost.
            let attacked = square | square << apart | square >> apart;
            *allowed &= if apart == 0 { square } else { !attacked };
        }
        self
    }

    fn weighing(self, weight: u32) -> Self {
        Self { weight, ..self }
    }
}

/// The cases of a prefix; together they have every placement with g > f at weight 2 and every one
/// with g = f at weight 1.
fn cases(size: usize, prefix: &[usize]) -> Vec<Case> {
    let any = Case::unrestricted(size);
    let centre = size / 2;
    if size % 2 == 1 {
        let f = any.distance(prefix[0]);
        let equal =
            any.rows_at(f).into_iter().map(|row| any.clone().forced(centre, row).weighing(1));
        return equal.chain([any.clone().further(centre, f)]).collect();
    }
    let f = [any.distance(prefix[0]), any.distance(prefix[1])];
    let (near, far) = (f[0].min(f[1]), f[0].max(f[1]));
    // Both queens of the centre columns are further out than the nearer of f.
    let mut cases = vec![any.clone().further(centre - 1, near).further(centre, near)];
    for (column, other) in [(centre - 1, centre), (centre, centre - 1)] {
        for row in any.rows_at(near) {
            let tied = any.clone().forced(column, row);
            cases.push(tied.clone().further(other, far));
            // Where f is twice the same, the two centre columns are alike and one of them is enough.
            if near < far || column < other {
                let rows = any.rows_at(far).into_iter().filter(|&second| second != row);
                cases.extend(rows.map(|row| tied.clone().forced(other, row).weighing(1)));
            }
        }
    }
    cases
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known;

    #[test]
    fn rows_come_from_the_centre_outwards() {
        let rows = |size| (1..=size).rev().map(|left| row(size, left)).collect::<Vec<_>>();
        assert_eq!(rows(8), [3, 4, 2, 5, 1, 6, 0, 7]);
        assert_eq!(rows(7), [3, 2, 4, 1, 5, 0, 6]);
    }

    /// By the plainest search over permutations that can be: the weights add up to the total.
    #[test]
    fn the_weights_of_the_groups_add_up_to_the_known_totals() {
        fn fill(size: usize, columns: &mut Vec<usize>, allowed: &[u128]) -> u64 {
            let place = columns.len();
            if place == size {
                return 1;
            }
            let row_of = |place: usize| row(size, size - place);
            let mut found = 0;
            for column in (0..size).filter(|column| allowed[row_of(place)] >> column & 1 == 1) {
                let free = |(earlier, &other): (usize, &usize)| {
                    let apart = row_of(earlier).abs_diff(row_of(place));
                    other != column && other.abs_diff(column) != apart
                };
                if columns.iter().enumerate().all(free) {
                    columns.push(column);
                    found += fill(size, columns, allowed);
                    columns.pop();
                }
            }
            found
        }
        for size in 4..=10 {
            let order = Order::new(size).unwrap();
            let mut total = 0;
            for group in groups(order) {
                for prefix in &group.prefixes {
                    let found = fill(size, &mut prefix.clone(), &group.allowed);
                    total += u64::from(group.weight) * found;
                }
            }
            assert_eq!(Some(total), known::total(order), "order {size}");
        }
    }

    #[test]
    fn groups_differ_and_weigh_a_power_of_two() {
        for size in [4, 5, 12, 13, 63, 64] {
            let groups = groups(Order::new(size).unwrap());
            for (earlier, group) in groups.iter().enumerate() {
                assert!([1, 2, 4, 8].contains(&group.weight) && !group.prefixes.is_empty());
                let (weight, allowed) = (group.weight, &group.allowed);
                assert!(
                    earlier == 0
                        || (allowed, weight)
                            > (&groups[earlier - 1].allowed, groups[earlier - 1].weight)
                );
            }
        }
    }
}
