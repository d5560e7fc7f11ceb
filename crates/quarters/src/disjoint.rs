//! Counting the pairs of two lists of sets that have nothing in common, 512 at a time.

use crate::quarter::Diagonals;

/// A bit for each of 512 sets.
type Members = [u64; 8];

const MEMBERS: usize = 512;

/// Bits of a set that are looked up at once.
const BITS: usize = 5;

/// Groups of as many bits in a set.
const GROUPS: usize = (Diagonals::BITS as usize).div_ceil(BITS);

/// For each group of bits and each value of it, which of up to 512 sets have none of those bits.
struct Tables(Vec<[Members; 1 << BITS]>);

/// How many pairs of a set of `some` and a set of `others` have no element in common.
pub fn pairs(some: &[Diagonals], others: &[Diagonals]) -> u64 {
    others
        .chunks(MEMBERS)
        .map(|others| {
            let tables = Tables::new(others);
            some.iter().map(|&set| u64::from(tables.disjoint(set))).sum::<u64>()
        })
        .sum()
}

impl Tables {
    fn new(sets: &[Diagonals]) -> Self {
        let mut all = [0; 8];
        let mut without = [[0; 8]; GROUPS * BITS];
        for (member, set) in sets.iter().enumerate() {
            let (word, bit) = (member / 64, 1 << (member % 64));
            all[word] |= bit;
            for (element, without) in without.iter_mut().enumerate() {
                let absent = element >= Diagonals::BITS as usize || set >> element & 1 == 0;
                without[word] |= if absent { bit } else { 0 };
            }
        }
        let of_group = |group: usize| {
            let mut table = [all; 1 << BITS];
            for value in 1..1 << BITS {
                let fewer = table[value & (value - 1)];
                let lowest = without[group * BITS + value.trailing_zeros() as usize];
                table[value] = both(&fewer, &lowest);
            }
            table
        };
        Self((0..GROUPS).map(of_group).collect())
    }

    /// How many of the sets have nothing in common with `set`.
    #[inline]
    fn disjoint(&self, set: Diagonals) -> u32 {
        let value = |group: usize| (set >> (group * BITS)) as usize & ((1 << BITS) - 1);
        let mut members = self.0[0][value(0)];
        for (group, table) in self.0.iter().enumerate().skip(1) {
            members = both(&members, &table[value(group)]);
        }
        members.iter().map(|word| word.count_ones()).sum()
    }
}

#[inline]
fn both(a: &Members, b: &Members) -> Members {
    std::array::from_fn(|word| a[word] & b[word])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the plain comparison of each pair, for lists that fill no table, one, and one and more.
    #[test]
    fn counts_what_plain_comparison_counts() {
        let mut number = 1_u64;
        let mut next = || {
            // Sparse, so that some pairs are disjoint.
            let mut word = || {
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
                number ^ number >> 29
            };
            word() & word() & word()
        };
        let sets: Vec<u64> = (0..1100).map(|_| next()).chain([0, u64::MAX]).collect();
        for (some, others) in
            [(3, 0), (0, 3), (1, 1), (40, 511), (40, 512), (40, 513), (1102, 1102)]
        {
            let (some, others) = (&sets[..some], &sets[sets.len() - others..]);
            let plain = |set: &u64| others.iter().filter(|other| set & **other == 0).count() as u64;
            assert_eq!(pairs(some, others), some.iter().map(plain).sum::<u64>());
        }
        assert!(pairs(&sets, &sets) > 1000);
    }
}
