//! The search: the board as a matrix of squares, tried square by square.

use queens::{Observer, Order};

/// The board: one cell a square, true where a queen stands.
struct Board {
    size: usize,
    squares: Vec<bool>,
}

impl Board {
    fn empty(size: usize) -> Self {
        Self { size, squares: vec![false; size * size] }
    }

    fn has_queen(&self, row: usize, column: usize) -> bool {
        self.squares[row * self.size + column]
    }

    fn put(&mut self, row: usize, column: usize) {
        self.squares[row * self.size + column] = true;
    }

    fn clear(&mut self, row: usize, column: usize) {
        self.squares[row * self.size + column] = false;
    }

    /// Walks from (row, column) up the column and up both diagonals to the edge of the board.
    fn is_attacked(&self, row: usize, column: usize) -> bool {
        for up in 1..=row {
            if self.has_queen(row - up, column) {
                return true;
            }
        }
        for up in 1..=row.min(column) {
            if self.has_queen(row - up, column - up) {
                return true;
            }
        }
        for up in 1..=row.min(self.size - 1 - column) {
            if self.has_queen(row - up, column + up) {
                return true;
            }
        }
        false
    }

    /// Finds the queen of a row by walking along it, and takes her off the board.
    fn take_queen(&mut self, row: usize) -> usize {
        let mut column = 0;
        while !self.has_queen(row, column) {
            column += 1;
        }
        self.clear(row, column);
        column
    }
}

/// Visits every placement of `order`, in ascending lexicographic order.
pub struct Search;

impl queens::Search for Search {
    fn search<O: Observer>(order: Order, observer: &mut O) {
        let size = order.get();
        if size == 0 {
            observer.placement_complete(1);
            return;
        }
        // (1)
        let mut board = Board::empty(size);
        let (mut row, mut column) = (0, 0);
        while !observer.is_done() {
            // (5)
            if column == size {
                if row == 0 {
                    return;
                }
                row -= 1;
                column = board.take_queen(row) + 1;
                continue;
            }
            observer.square_tested(row);
            if board.is_attacked(row, column) {
                // (4)
                column += 1;
            } else if row + 1 < size {
                // (2)
                board.put(row, column);
                observer.queen_placed(row, column);
                (row, column) = (row + 1, 0);
            } else {
                // (3)
                board.put(row, column);
                observer.queen_placed(row, column);
                observer.placement_complete(1);
                board.clear(row, column);
                column += 1;
            }
        }
    }
}
