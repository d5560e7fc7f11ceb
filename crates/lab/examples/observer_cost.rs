//! The searches of `bitmask` and `prefix-check` written without an observer, beside the real ones:
//! the two sides of the proof that the counting observer costs nothing.
//!
//! `observer_cost VARIANT real|twin N [THREADS]` counts once and prints the total. The test of the same
//! name runs it under Callgrind and compares the instructions inside the call. `threads` has no twin; it
//! is here for the instructions of its parts, which are counted on any thread.

use std::process::ExitCode;

use queens::bits::Bits;
use queens::{CountFn, Counts, Order};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, variant, side, order, threads @ ..] = &arguments[..] else { return ExitCode::FAILURE };
    if let Some(threads) = threads.first() {
        let Ok(threads) = threads.parse() else { return ExitCode::FAILURE };
        if rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().is_err() {
            return ExitCode::FAILURE;
        }
    }
    let (Ok(order), Some((count, without))) = (order.parse(), sides(variant)) else {
        return ExitCode::FAILURE;
    };
    let total = match side.as_str() {
        "real" => lab::call(count, order).total,
        "twin" => lab::call(without, order).total,
        _ => return ExitCode::FAILURE,
    };
    println!("{total}");
    ExitCode::SUCCESS
}

fn sides(variant: &str) -> Option<(CountFn, CountFn)> {
    match variant {
        "bitmask" => Some((bitmask::VARIANT.counter(Order::MAX).ok()?, bitmask_without)),
        "prefix-check" => {
            Some((prefix_check::VARIANT.counter(Order::MAX).ok()?, prefix_check_without))
        }
        "threads" => threads::VARIANT.counter(Order::MAX).ok().map(|count| (count, count)),
        _ => None,
    }
}

fn bitmask_without(order: Order) -> Counts {
    let mut total = 0;
    let size = order.get();
    if let Some(board) = u32::first(size) {
        place_queens(board, u32::EMPTY, u32::EMPTY, u32::EMPTY, &mut total);
    } else if let Some(board) = u64::first(size) {
        place_queens(board, u64::EMPTY, u64::EMPTY, u64::EMPTY, &mut total);
    } else if let Some(board) = u128::first(size) {
        place_queens(board, u128::EMPTY, u128::EMPTY, u128::EMPTY, &mut total);
    } else {
        unreachable!("an order is at most 128")
    }
    Counts { total, fundamental: None }
}

fn place_queens<B: Bits>(board: B, columns: B, left: B, right: B, total: &mut u128) {
    if columns == board {
        *total += 1;
        return;
    }
    let mut free = board & !(columns | left | right);
    while !free.is_empty() {
        let queen = free.lowest();
        free = free & !queen;
        place_queens(board, columns | queen, (left | queen) >> 1, (right | queen) << 1, total);
    }
}

fn prefix_check_without(order: Order) -> Counts {
    let mut total = 0;
    let mut columns = vec![0; order.get()];
    place_rows(0, &mut columns, &mut total);
    Counts { total, fundamental: None }
}

fn is_safe(row: usize, column: usize, columns: &[usize]) -> bool {
    for (above, &taken) in columns[..row].iter().enumerate() {
        if taken == column || row - above == taken.abs_diff(column) {
            return false;
        }
    }
    true
}

fn place_rows(row: usize, columns: &mut [usize], total: &mut u128) {
    if row == columns.len() {
        *total += 1;
        return;
    }
    for column in 0..columns.len() {
        if is_safe(row, column, columns) {
            columns[row] = column;
            place_rows(row + 1, columns, total);
        }
    }
}
