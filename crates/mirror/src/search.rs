//! The search: bit sets over half of the board, for both halves.

use queens::bits::Bits;
use queens::{Observer, Order};

/// Visits one of each two placements of `order` that are each other's reflection left to right.
pub struct Search;

impl queens::Search for Search {
    fn search<O: Observer>(order: Order, observer: &mut O) {
        let size = order.get();
        // (1)
        if size < 2 {
            if size == 1 {
                observer.queen_placed(0, 0);
            }
            observer.placement_complete(1);
        } else if let Some(board) = u32::first(size) {
            half(size, board, observer);
        } else if let Some(board) = u64::first(size) {
            half(size, board, observer);
        } else if let Some(board) = u128::first(size) {
            half(size, board, observer);
        } else {
            unreachable!("an order is at most 128")
        }
    }
}

fn half<B: Bits, O: Observer>(size: usize, board: B, observer: &mut O) {
    // (2)
    for column in 0..size / 2 {
        observer.queen_placed(0, column);
        let queen = B::column(column);
        place(board, queen, queen >> 1, queen << 1, observer);
    }
    // (3)
    if size % 2 == 1 {
        observer.queen_placed(0, size / 2);
        let centre = B::column(size / 2);
        for column in 0..size / 2 - 1 {
            observer.queen_placed(1, column);
            let queen = B::column(column);
            let (left, right) = ((centre >> 1 | queen) >> 1, (centre << 1 | queen) << 1);
            place(board, centre | queen, left, right, observer);
        }
    }
}

/// Fills the next row and those below it in every way. `columns` has the columns with a queen;
/// `left` and `right` have the columns that a queen above attacks along the diagonal to the lower
/// left and to the lower right.
fn place<B: Bits, O: Observer>(board: B, columns: B, left: B, right: B, observer: &mut O) {
    // (5)
    if columns == board {
        observer.placement_complete(2);
        return;
    }
    // (4)
    let mut free = board & !(columns | left | right);
    while !free.is_empty() {
        let queen = free.lowest();
        free = free & !queen;
        observer.queen_placed(columns.len(), queen.lowest_column());
        place(board, columns | queen, (left | queen) >> 1, (right | queen) << 1, observer);
    }
}
