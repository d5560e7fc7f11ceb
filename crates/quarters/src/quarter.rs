//! The quarters: every way of putting any number of queens on one of them.

/// Rows or columns of a quarter as a set, bit `i` for the i-th.
pub type Lines = u32;

/// Diagonals of the whole board as a set: those with a constant sum of row and column first, then those
/// with a constant difference.
pub type Diagonals = u64;

/// A part of the board: so many rows and columns from a first one on.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    /// The order of the whole board.
    pub size: usize,
    /// Its first row and column.
    pub first: (usize, usize),
    /// How many rows and columns it has.
    pub lines: (usize, usize),
}

/// A placement of queens on a quarter of which no two attack each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The columns that have a queen.
    pub columns: Lines,
    /// The diagonals that have one.
    pub diagonals: Diagonals,
}

/// Every placement on a quarter, found by its rows.
pub struct Quarter {
    /// By their rows, and then by their columns.
    placements: Vec<Placed>,
    /// Where the placements begin that have a set of rows; at the end, their number.
    starts: Vec<u32>,
}

impl Quarter {
    /// Every placement of any number of queens on `area`.
    pub fn new(area: Area) -> Self {
        let mut found = Vec::new();
        let empty = Placed { columns: 0, diagonals: 0 };
        fill(area, 0, 0, empty, &mut found);
        found.sort_unstable_by_key(|(rows, placed)| (*rows, placed.columns));
        let sets = 1 << area.lines.0;
        let starts = (0..=sets)
            .map(|rows| found.partition_point(|(other, _)| *other < rows) as u32)
            .collect();
        Self { placements: found.into_iter().map(|(_, placed)| placed).collect(), starts }
    }

    /// The placements with queens in `rows` and in no other row, by their columns.
    pub fn with_rows(&self, rows: Lines) -> &[Placed] {
        let rows = rows as usize;
        &self.placements[self.starts[rows] as usize..self.starts[rows + 1] as usize]
    }

    /// Every placement.
    pub fn placements(&self) -> &[Placed] {
        &self.placements
    }
}

/// Leaves each row from `row` on empty or puts a queen into it, in every way.
fn fill(area: Area, row: usize, rows: Lines, placed: Placed, found: &mut Vec<(Lines, Placed)>) {
    if row == area.lines.0 {
        found.push((rows, placed));
        return;
    }
    fill(area, row + 1, rows, placed, found);
    for column in 0..area.lines.1 {
        let diagonals = diagonals(area.size, area.first.0 + row, area.first.1 + column);
        if placed.columns >> column & 1 == 0 && placed.diagonals & diagonals == 0 {
            let columns = placed.columns | 1 << column;
            let placed = Placed { columns, diagonals: placed.diagonals | diagonals };
            fill(area, row + 1, rows | 1 << row, placed, found);
        }
    }
}

/// The two diagonals of a square. Those of one square, in the corners, are among them: 4 × 16 − 2 bits are
/// enough.
const fn diagonals(size: usize, row: usize, column: usize) -> Diagonals {
    1 << (row + column) | 1 << (2 * size - 1 + size - 1 + row - column)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On 1 to 3 lines counted by hand; on a quarter of order 16 as the public counters have it.
    #[test]
    fn as_many_as_there_are_sets_of_queens_that_do_not_attack_each_other() {
        let placements = |lines: usize| {
            let area = Area { size: 2 * lines, first: (0, lines), lines: (lines, lines) };
            Quarter::new(area).placements().len()
        };
        assert_eq!([1, 2, 3].map(placements), [2, 5, 18]);
        assert_eq!(placements(8), 118_969);
    }

    #[test]
    fn placements_are_found_by_their_rows() {
        let quarter = Quarter::new(Area { size: 6, first: (3, 0), lines: (3, 3) });
        assert_eq!(quarter.with_rows(0), [Placed { columns: 0, diagonals: 0 }]);
        let columns: Vec<_> = quarter.with_rows(0b101).iter().map(|p| p.columns).collect();
        assert_eq!(columns, [0b011, 0b011, 0b110, 0b110]);
        assert!(quarter.with_rows(0b111).is_empty());
    }
}
