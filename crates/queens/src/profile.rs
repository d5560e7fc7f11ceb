//! The shape of a search tree: how many queens were placed and squares tested in each row, in the
//! order in which the rows are filled.

use crate::{Observer, Order};

/// What a search did in one row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowProfile {
    /// Queens placed in this row: nodes of the search tree.
    pub nodes: u64,
    /// Squares of this row that were tested one by one; 0 throughout for a variant that tests
    /// whole rows with sets.
    pub squares_tested: u64,
}

/// A search tree, row by row in the order in which rows are filled. Itself the observer that records it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    rows: Vec<RowProfile>,
    placements: u64,
}

impl Profile {
    /// An empty profile for a search of `order`.
    #[must_use]
    pub fn new(order: Order) -> Self {
        Self { rows: vec![RowProfile::default(); order.get()], placements: 0 }
    }

    /// A profile of a search that notes its rows itself.
    #[must_use]
    pub const fn from_rows(rows: Vec<RowProfile>, placements: u64) -> Self {
        Self { rows, placements }
    }

    /// What was done in each row, from row 0.
    #[must_use]
    pub fn rows(&self) -> &[RowProfile] {
        &self.rows
    }

    /// Queens placed in all: the size of the search tree without its root, the empty board.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.rows.iter().map(|row| row.nodes).sum()
    }

    /// Squares tested one by one in all, or nothing where none was: such a variant tests whole
    /// rows with sets.
    #[must_use]
    pub fn squares_tested(&self) -> Option<u64> {
        let tested = self.rows.iter().map(|row| row.squares_tested).sum();
        (tested > 0).then_some(tested)
    }

    /// Complete placements that the search reached, each counted once whatever its weight.
    #[must_use]
    pub fn placements(&self) -> u64 {
        self.placements
    }
}

impl Observer for Profile {
    fn square_tested(&mut self, row: usize) {
        self.rows[row].squares_tested += 1;
    }

    fn queen_placed(&mut self, row: usize, _column: usize) {
        self.rows[row].nodes += 1;
    }

    fn placement_complete(&mut self, _weight: u32) {
        self.placements += 1;
    }
}
