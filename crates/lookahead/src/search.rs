//! The search: three bit sets of attacked columns, tried on the coming rows before a queen is placed.

use queens::bits::Bits;
use queens::{Observer, Order};

/// Visits every placement of `order`, in ascending lexicographic order.
pub struct Search;

impl queens::Search for Search {
    fn search<O: Observer>(order: Order, observer: &mut O) {
        let size = order.get();
        // (1)
        if let Some(board) = u32::first(size) {
            place(board, size, u32::EMPTY, u32::EMPTY, u32::EMPTY, observer);
        } else if let Some(board) = u64::first(size) {
            place(board, size, u64::EMPTY, u64::EMPTY, u64::EMPTY, observer);
        } else if let Some(board) = u128::first(size) {
            place(board, size, u128::EMPTY, u128::EMPTY, u128::EMPTY, observer);
        } else {
            unreachable!("an order is at most 128")
        }
    }
}

/// Fills the next row and those below it, `rows` in all, in every way. `columns` has the columns with a
/// queen; `left` and `right` have the columns that a queen above attacks along the diagonal to the
/// lower left and to the lower right.
fn place<B: Bits, O: Observer>(
    board: B,
    rows: usize,
    columns: B,
    left: B,
    right: B,
    observer: &mut O,
) {
    // (2)
    if rows == 0 {
        observer.placement_complete(1);
        return;
    }
    // (3)
    let mut free = board & !(columns | left | right);
    while !free.is_empty() {
        if observer.is_done() {
            return;
        }
        // (4)
        let queen = free.lowest();
        free = free & !queen;
        let (columns, left, right) = (columns | queen, (left | queen) >> 1, (right | queen) << 1);
        // (5)
        if some_row_is_full(board, rows - 1, columns, left, right) {
            continue;
        }
        // (6)
        observer.queen_placed(columns.len() - 1, queen.lowest_column());
        place(board, rows - 1, columns, left, right, observer);
    }
}

/// How many coming rows are looked at.
const LOOK: usize = 3;

/// Whether one of the next few of `rows` rows has no square that no queen attacks.
#[inline(always)]
fn some_row_is_full<B: Bits>(board: B, rows: usize, columns: B, mut left: B, mut right: B) -> bool {
    for _ in 0..rows.min(LOOK) {
        if (board & !(columns | left | right)).is_empty() {
            return true;
        }
        left = left >> 1;
        right = right << 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BND-04 and OVF-03 of the public reports: no bit is lost or made up at the words' widths.
    #[test]
    fn partial_placements_at_and_around_the_words_widths() {
        queens::watch::assert_sound_at_word_widths::<Search>();
    }
}
