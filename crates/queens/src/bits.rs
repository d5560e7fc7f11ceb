//! Sets of columns, one bit a column: the words that the bit-set variants search with.

use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

/// An unsigned word of [`Bits::WIDTH`] bits, taken as a set of columns: bit `i` is column `i`.
///
/// Unsigned on purpose: shifting a signed word to the right would smear its highest bit over the
/// set as soon as the board is as wide as the word.
pub trait Bits:
    Copy
    + Eq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// How many columns the word can hold.
    const WIDTH: usize;

    /// The set without a column.
    const EMPTY: Self;

    /// The set of the first `n` columns, or nothing where the word is narrower than that.
    ///
    /// Right at every `n` from 0 to exactly [`Bits::WIDTH`], where `(1 << n) - 1` is not.
    #[must_use]
    fn first(n: usize) -> Option<Self>;

    /// The columns of `set` that the word can hold.
    #[must_use]
    fn truncated(set: u128) -> Self;

    /// The set of the one column `i`, which must be below [`Bits::WIDTH`].
    #[must_use]
    fn column(i: usize) -> Self;

    /// The lowest column of the set alone; empty where the set is empty.
    #[must_use]
    fn lowest(self) -> Self;

    /// The number of the lowest column; [`Bits::WIDTH`] where the set is empty.
    #[must_use]
    fn lowest_column(self) -> usize;

    /// How many columns the set has.
    #[must_use]
    fn len(self) -> usize;

    /// Whether the set has no column.
    #[must_use]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }
}

macro_rules! bits {
    ($($word:ty),*) => {$(
        impl Bits for $word {
            const WIDTH: usize = <$word>::BITS as usize;
            const EMPTY: Self = 0;

            fn first(n: usize) -> Option<Self> {
                // A full word shifted down by what is too much. For no column at all that would be
                // its whole width, by which no word can be shifted.
                match n {
                    0 => Some(0),
                    _ if n <= Self::WIDTH => Some(Self::MAX >> (Self::WIDTH - n)),
                    _ => None,
                }
            }

            fn truncated(set: u128) -> Self {
                set as Self
            }

            #[inline(always)]
            fn column(i: usize) -> Self {
                debug_assert!(i < Self::WIDTH);
                1 << i
            }

            #[inline(always)]
            fn lowest(self) -> Self {
                self & self.wrapping_neg()
            }

            #[inline(always)]
            fn lowest_column(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline(always)]
            fn len(self) -> usize {
                self.count_ones() as usize
            }
        }
    )*};
}

bits!(u32, u64, u128);

#[cfg(test)]
mod tests {
    use super::*;

    /// OVF-02 of the public reports: the mask at exactly the word's width, and one beyond.
    #[test]
    fn first_columns_at_every_width() {
        for (n, mask) in [(0, 0), (1, 1), (8, 0xFF), (16, 0xFFFF), (31, 0x7FFF_FFFF)] {
            assert_eq!(u32::first(n), Some(mask));
            assert_eq!(u64::first(n), Some(u64::from(mask)));
            assert_eq!(u128::first(n), Some(u128::from(mask)));
        }
        assert_eq!(u32::first(32), Some(u32::MAX));
        assert_eq!(u32::first(33), None);
        assert_eq!(u64::first(32), Some(0xFFFF_FFFF));
        assert_eq!(u64::first(63), Some(u64::MAX >> 1));
        assert_eq!(u64::first(64), Some(u64::MAX));
        assert_eq!(u64::first(65), None);
        assert_eq!(u128::first(127), Some(u128::MAX >> 1));
        assert_eq!(u128::first(128), Some(u128::MAX));
        assert_eq!(u128::first(129), None);
    }

    #[test]
    fn the_lowest_column_comes_first() {
        let set = 0b1010_0000_u32;
        assert_eq!((set.lowest(), set.lowest_column(), set.len()), (0b10_0000, 5, 2));
        assert_eq!((0_u32.lowest(), 0_u32.lowest_column(), 0_u32.is_empty()), (0, 32, true));
        assert_eq!(u32::column(31).lowest(), 1 << 31);
    }
}
