//! The search: one array, only the rows above compared.

use queens::{Observer, Order};

/// Compares (row, column) with the rows above it.
fn is_safe(row: usize, column: usize, columns: &[usize]) -> bool {
    for (above, &taken) in columns[..row].iter().enumerate() {
        if taken == column || row - above == taken.abs_diff(column) {
            return false;
        }
    }
    true
}

/// Visits every placement of `order`, in ascending lexicographic order.
pub struct Search;

impl queens::Search for Search {
    fn search<O: Observer>(order: Order, observer: &mut O) {
        let mut columns = vec![0; order.get()];
        place(0, &mut columns, observer);
    }
}

/// Fills `row` and the rows below it in every way.
fn place<O: Observer>(row: usize, columns: &mut [usize], observer: &mut O) {
    // (1)
    if row == columns.len() {
        observer.placement_complete(1);
        return;
    }
    // (2)
    for column in 0..columns.len() {
        if observer.is_done() {
            return;
        }
        observer.square_tested(row);
        // (3)
        if is_safe(row, column, columns) {
            columns[row] = column;
            observer.queen_placed(row, column);
            // (4)
            place(row + 1, columns, observer);
        }
    }
}
