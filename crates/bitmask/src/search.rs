//! The search: three bit sets of attacked columns, handed from row to row.

use queens::bits::Bits;
use queens::{Observer, Order};

/// Visits every placement of `order`, in ascending lexicographic order.
pub struct Search;

impl queens::Search for Search {
    fn search<O: Observer>(order: Order, observer: &mut O) {
        let size = order.get();
        // (1)
        if let Some(board) = u32::first(size) {
            place(board, u32::EMPTY, u32::EMPTY, u32::EMPTY, observer);
        } else if let Some(board) = u64::first(size) {
            place(board, u64::EMPTY, u64::EMPTY, u64::EMPTY, observer);
        } else if let Some(board) = u128::first(size) {
            place(board, u128::EMPTY, u128::EMPTY, u128::EMPTY, observer);
        } else {
            unreachable!("an order is at most 128")
        }
    }
}

/// Fills the next row and those below it in every way. `columns` has the columns with a queen;
/// `left` and `right` have the columns that a queen above attacks along the diagonal to the lower
/// left and to the lower right.
fn place<B: Bits, O: Observer>(board: B, columns: B, left: B, right: B, observer: &mut O) {
    // (2)
    if columns == board {
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
        observer.queen_placed(columns.len(), queen.lowest_column());
        // (5)
        place(board, columns | queen, (left | queen) >> 1, (right | queen) << 1, observer);
    }
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
