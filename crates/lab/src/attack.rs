//! The attack test that shares no code with any variant: it judges what they list.

use std::fmt;

/// Why a list of columns is not a placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A queen stands beside the board.
    OffBoard {
        /// Her row, from 0.
        row: usize,
        /// Her column, from 0.
        column: u8,
    },
    /// Two queens attack each other.
    Attack {
        /// The upper queen's row and column, from 0.
        upper: (usize, u8),
        /// The lower queen's row and column, from 0.
        lower: (usize, u8),
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OffBoard { row, column } => {
                write!(f, "the queen at row {}, column {} is off the board", row + 1, column + 1)
            }
            Self::Attack { upper, lower } => write!(
                f,
                "the queens at row {}, column {} and row {}, column {} attack each other",
                upper.0 + 1,
                upper.1 + 1,
                lower.0 + 1,
                lower.1 + 1
            ),
        }
    }
}

/// Looks at every pair of queens; `columns` has the column of the queen in each row, from 0.
///
/// Two queens of different rows attack each other if their column is the same, or the sum or the
/// difference of row and column is.
///
/// # Errors
/// With the first fault in row order.
pub fn check(columns: &[u8]) -> Result<(), Fault> {
    for (row, &column) in columns.iter().enumerate() {
        if usize::from(column) >= columns.len() {
            return Err(Fault::OffBoard { row, column });
        }
        for (above, &other) in columns[..row].iter().enumerate() {
            let same_column = other == column;
            let same_sum = above + usize::from(other) == row + usize::from(column);
            let same_difference = above + usize::from(column) == row + usize::from(other);
            if same_column || same_sum || same_difference {
                return Err(Fault::Attack { upper: (above, other), lower: (row, column) });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// COR-07 of the public reports: both long diagonals, each refused with the pair that attacks.
    #[test]
    fn refuses_the_long_diagonals() {
        for size in [4, 8] {
            let diagonal: Vec<u8> = (0..size).collect();
            let anti: Vec<u8> = (0..size).rev().collect();
            let pair = Fault::Attack { upper: (0, 0), lower: (1, 1) };
            assert_eq!(check(&diagonal), Err(pair));
            let pair = Fault::Attack { upper: (0, size - 1), lower: (1, size - 2) };
            assert_eq!(check(&anti), Err(pair));
        }
        assert_eq!(
            check(&[0, 1, 2, 3]).unwrap_err().to_string(),
            "the queens at row 1, column 1 and row 2, column 2 attack each other"
        );
    }

    #[test]
    fn refuses_a_shared_column_and_a_queen_off_the_board() {
        assert_eq!(check(&[1, 3, 1, 2]), Err(Fault::Attack { upper: (0, 1), lower: (2, 1) }));
        assert_eq!(check(&[1, 3, 0, 4]), Err(Fault::OffBoard { row: 3, column: 4 }));
    }

    #[test]
    fn accepts_placements() {
        for columns in [&[][..], &[0], &[1, 3, 0, 2], &[2, 0, 3, 1], &[0, 4, 7, 5, 2, 6, 1, 3]] {
            assert_eq!(check(columns), Ok(()));
        }
    }
}
