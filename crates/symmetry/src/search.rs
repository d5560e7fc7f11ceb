//! The search: bit sets over the boards whose first queen can begin a least image.

use queens::bits::Bits;
use queens::{Observer, Order};

use crate::images;

/// Visits every fundamental placement of `order`, as the least of its images, in ascending
/// lexicographic order.
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
            fundamental(size, board, observer);
        } else if let Some(board) = u64::first(size) {
            fundamental(size, board, observer);
        } else if let Some(board) = u128::first(size) {
            fundamental(size, board, observer);
        } else {
            unreachable!("an order is at most 128")
        }
    }
}

/// What stays the same while the rows below the first are filled.
struct Board<B> {
    all: B,
    /// The columns that each row may use, for a least image.
    allowed: [B; Order::MAX.get()],
}

/// The three sets of attacked columns, as they meet a row.
#[derive(Clone, Copy)]
struct Attacked<B> {
    columns: B,
    left: B,
    right: B,
}

impl<B: Bits> Attacked<B> {
    const NOTHING: Self = Self { columns: B::EMPTY, left: B::EMPTY, right: B::EMPTY };

    #[inline(always)]
    fn any(self) -> B {
        self.columns | self.left | self.right
    }

    /// What meets the next row once `queen` stands in this one.
    #[inline(always)]
    fn below(self, queen: B) -> Self {
        Self {
            columns: self.columns | queen,
            left: (self.left | queen) >> 1,
            right: (self.right | queen) << 1,
        }
    }
}

fn fundamental<B: Bits, O: Observer>(size: usize, all: B, observer: &mut O) {
    let mut columns = [0; Order::MAX.get()];
    corner(size, all, observer);
    // (4)
    for first in 1..size / 2 {
        if observer.is_done() {
            return;
        }
        let board = beside_corner_board(size, all, first);
        columns[0] = first as u8;
        observer.queen_placed(0, first);
        let attacked = Attacked::NOTHING.below(B::column(first));
        beside_corner(&board, size, first, 1, attacked, &mut columns, observer);
    }
}

/// Fills the boards whose first queen stands in the corner.
fn corner<B: Bits, O: Observer>(size: usize, all: B, observer: &mut O) {
    observer.queen_placed(0, 0);
    let attacked = Attacked::NOTHING.below(B::column(0));
    let mut board = Board { all, allowed: [all; Order::MAX.get()] };
    // (2)
    for second in 2..size {
        if observer.is_done() {
            return;
        }
        board.allowed[second] = all & !B::column(1);
        observer.queen_placed(1, second);
        below_corner(&board, 2, attacked.below(B::column(second)), observer);
    }
}

/// Fills `row` and the rows below it, the first queen in the corner. No image but one has its
/// first queen there, and step 2 has settled which of the two comes first.
fn below_corner<B: Bits, O: Observer>(
    board: &Board<B>,
    row: usize,
    attacked: Attacked<B>,
    observer: &mut O,
) {
    // (3)
    if attacked.columns == board.all {
        observer.placement_complete(8);
        return;
    }
    let mut free = board.allowed[row] & !attacked.any();
    while !free.is_empty() {
        if observer.is_done() {
            return;
        }
        let queen = free.lowest();
        free = free & !queen;
        observer.queen_placed(row, queen.lowest_column());
        below_corner(board, row + 1, attacked.below(queen), observer);
    }
}

/// The columns that each row may use when the first queen stands `first` squares from the corner:
/// no queen of the board's edge may stand nearer to a corner.
fn beside_corner_board<B: Bits>(size: usize, all: B, first: usize) -> Board<B> {
    let mut allowed = [all; Order::MAX.get()];
    // (5)
    let sides = B::column(0) | B::column(size - 1);
    for row in (1..first).chain(size - first..size - 1) {
        allowed[row] = all & !sides;
    }
    for column in (0..first).chain(size - first..size) {
        allowed[size - 1] = allowed[size - 1] & !B::column(column);
    }
    Board { all, allowed }
}

/// Fills `row` and the rows below it, the first queen `first` squares from the corner.
fn beside_corner<B: Bits, O: Observer>(
    board: &Board<B>,
    size: usize,
    first: usize,
    row: usize,
    attacked: Attacked<B>,
    columns: &mut [u8; Order::MAX.get()],
    observer: &mut O,
) {
    // (7)
    if row == size {
        if let Some(weight) = weight(&columns[..size], first) {
            observer.placement_complete(weight);
        }
        return;
    }
    let mut free = board.allowed[row] & !attacked.any();
    // (6)
    if row == size - 1 - first {
        let sides = B::column(0) | B::column(size - 1);
        let open = sides & !attacked.columns;
        if open == sides {
            return;
        }
        if !open.is_empty() {
            free = free & open;
        }
    }
    while !free.is_empty() {
        if observer.is_done() {
            return;
        }
        let queen = free.lowest();
        free = free & !queen;
        columns[row] = queen.lowest_column() as u8;
        observer.queen_placed(row, queen.lowest_column());
        beside_corner(board, size, first, row + 1, attacked.below(queen), columns, observer);
    }
}

/// The number of distinct images, where this placement is the least of them.
#[inline(always)]
fn weight(columns: &[u8], first: usize) -> Option<u32> {
    let last = columns.len() - 1;
    let side = |row: usize| columns[row] == 0 || usize::from(columns[row]) == last;
    let bottom = usize::from(columns[last]);
    // Where no other queen of the edge is as near to a corner as the first one, every other image
    // has a first queen further in.
    let tied = side(first) || side(last - first) || bottom == first || bottom == last - first;
    if tied { images::weight(columns) } else { Some(8) }
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
