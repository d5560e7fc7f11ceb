//! The placements that a turn of the board leaves as they are, and by Burnside's lemma the number of
//! fundamental placements.
//!
//! The eight symmetries of the square act on the placements of an order. Two placements belong to one
//! fundamental placement where a symmetry carries one into the other, so by Burnside's lemma the
//! fundamental count is the mean over the symmetries of the placements that each leaves as they are.
//! From order 2 on no reflection leaves any: two queens would share a line. The identity leaves all,
//! the half turn [`half_turn`], the two quarter turns [`quarter_turn`] each.
//!
//! Such placements consist of whole orbits: a queen brings her images under the turn. So few queens
//! have to be placed, and the search takes a small part of the time of one that visits all placements.

use crate::Order;

/// How many placements of `order` a half turn leaves as they are (OEIS A032522).
#[must_use]
pub fn half_turn(order: Order) -> u64 {
    let last = order.get().saturating_sub(1);
    fill(&mut Lines::new(order), 0, &|row, column| [(row, column), (last - row, last - column)])
}

/// How many placements of `order` a quarter turn leaves as they are (OEIS A033148).
#[must_use]
pub fn quarter_turn(order: Order) -> u64 {
    // Queens come in fours, but for one in the centre.
    if order.get() % 4 > 1 {
        return 0;
    }
    let last = order.get().saturating_sub(1);
    fill(&mut Lines::new(order), 0, &|row, column| {
        [(row, column), (column, last - row), (last - row, last - column), (last - column, row)]
    })
}

/// How many fundamental placements `order` has (OEIS A002562) when it has `total` placements; nothing
/// where no number of fundamental placements goes with that total.
#[must_use]
pub fn fundamental(order: Order, total: u128) -> Option<u128> {
    // The placements of orders 0 and 1 are their own only images, under reflections too.
    if order.get() < 2 {
        return Some(total);
    }
    let left_alone = u128::from(half_turn(order)) + 2 * u128::from(quarter_turn(order));
    let sum = total + left_alone;
    sum.is_multiple_of(8).then_some(sum / 8)
}

/// The lines of the board that have a queen.
struct Lines {
    size: usize,
    rows: [bool; Order::MAX.get()],
    columns: [bool; Order::MAX.get()],
    /// By column + row.
    rising: [bool; 2 * Order::MAX.get()],
    /// By column − row + N.
    falling: [bool; 2 * Order::MAX.get()],
}

impl Lines {
    const fn new(order: Order) -> Self {
        Self {
            size: order.get(),
            rows: [false; Order::MAX.get()],
            columns: [false; Order::MAX.get()],
            rising: [false; 2 * Order::MAX.get()],
            falling: [false; 2 * Order::MAX.get()],
        }
    }

    fn is_attacked(&self, (row, column): (usize, usize)) -> bool {
        self.rows[row]
            || self.columns[column]
            || self.rising[column + row]
            || self.falling[column + self.size - row]
    }

    fn set(&mut self, (row, column): (usize, usize), has_queen: bool) {
        self.rows[row] = has_queen;
        self.columns[column] = has_queen;
        self.rising[column + row] = has_queen;
        self.falling[column + self.size - row] = has_queen;
    }
}

/// Fills the rows from `first` on that have no queen yet with orbits of queens, in every way. `orbit`
/// has the images of a square under the turn; a square that is its own image stands there repeatedly.
fn fill<const IMAGES: usize>(
    lines: &mut Lines,
    first: usize,
    orbit: &impl Fn(usize, usize) -> [(usize, usize); IMAGES],
) -> u64 {
    let Some(row) = (first..lines.size).find(|&row| !lines.rows[row]) else { return 1 };
    let mut placements = 0;
    for column in 0..lines.size {
        let squares = orbit(row, column);
        let mut placed = 0;
        while placed < IMAGES {
            let again = squares[..placed].contains(&squares[placed]);
            if !again && lines.is_attacked(squares[placed]) {
                break;
            }
            lines.set(squares[placed], true);
            placed += 1;
        }
        if placed == IMAGES {
            placements += fill(lines, row + 1, orbit);
        }
        for &square in &squares[..placed] {
            lines.set(square, false);
        }
    }
    placements
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known;

    #[test]
    fn the_counts_are_those_of_the_known_tables() {
        for n in 0..=18 {
            let order = Order::new(n).unwrap();
            assert_eq!(Some(half_turn(order)), known::half_turn_symmetric(order), "order {n}");
        }
        for n in 0..=21 {
            let order = Order::new(n).unwrap();
            assert_eq!(
                Some(quarter_turn(order)),
                known::quarter_turn_symmetric(order),
                "order {n}"
            );
        }
    }

    /// COR-06 of the public reports.
    #[test]
    fn burnsides_lemma_gives_the_known_fundamental_counts() {
        for n in 0..=16 {
            let order = Order::new(n).unwrap();
            let total = u128::from(known::total(order).unwrap());
            let expected = known::fundamental(order).map(u128::from);
            assert_eq!(fundamental(order, total), expected, "order {n}");
        }
    }

    #[test]
    fn a_total_that_no_fundamental_count_goes_with_is_refused() {
        let order = Order::new(8).unwrap();
        assert_eq!((fundamental(order, 92), fundamental(order, 93)), (Some(12), None));
    }
}
