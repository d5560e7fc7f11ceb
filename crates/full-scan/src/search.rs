//! The search: one array with a sentinel for empty rows, every row compared at each test.

use queens::{Observer, Order};

/// The column of a row without a queen: so far from every column that no row is as far away.
const EMPTY: usize = usize::MAX / 2;

/// Compares (row, column) with every row of the board, the empty ones included.
fn is_valid(row: usize, column: usize, columns: &[usize]) -> bool {
    for (other, &taken) in columns.iter().enumerate() {
        if taken == column || other.abs_diff(row) == taken.abs_diff(column) {
            return false;
        }
    }
    true
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
        let mut columns = vec![EMPTY; size];
        let (mut row, mut column) = (0, 0);
        while row < size && !observer.is_done() {
            // (2)
            while column < size {
                observer.square_tested(row);
                if is_valid(row, column, &columns) {
                    columns[row] = column;
                    observer.queen_placed(row, column);
                    column = 0;
                    break;
                }
                column += 1;
            }
            // (3)
            if columns[row] == EMPTY {
                if row == 0 {
                    break;
                }
                row -= 1;
                column = columns[row] + 1;
                columns[row] = EMPTY;
                continue;
            }
            // (4)
            if row == size - 1 {
                observer.placement_complete(1);
                column = columns[row] + 1;
                columns[row] = EMPTY;
                continue;
            }
            // (5)
            row += 1;
        }
    }
}
