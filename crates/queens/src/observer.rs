//! What a search tells whoever watches it, and the watchers that count and list placements.
//!
//! A variant writes its search once, generic over an [`Observer`]. Counting, listing and profiling
//! are three observers of the same code. What an observer does not override is an empty function
//! that vanishes when the search is compiled for it: the counting observer costs no instruction,
//! which a test shows by Callgrind against a search written without one.

use std::ops::ControlFlow;

use crate::Order;

/// Hears of each step of a search. Rows and columns are counted from 0.
///
/// A variant that does not fill rows from the top, and lists no placement, gives each row the place
/// that it has in the variant's own order: row 0 is the one that was filled first. It may give every queen
/// column 0, because nobody is told where she stands.
pub trait Observer {
    /// One square of `row` was tested for attacks. A variant that rules out a row's attacked
    /// squares all at once, with sets, tests no single square and never says this.
    #[inline(always)]
    fn square_tested(&mut self, row: usize) {
        let _ = row;
    }

    /// A queen was placed on an unattacked square: one node of the search tree. It replaces an
    /// earlier queen in the same row.
    #[inline(always)]
    fn queen_placed(&mut self, row: usize, column: usize) {
        let _ = (row, column);
    }

    /// Every row has its queen. `weight` is the number of placements that this one stands for:
    /// 1, or for a fundamental placement the number of its distinct images.
    fn placement_complete(&mut self, weight: u32);

    /// Whether the search may end early. Asked often enough that no further row is filled.
    #[inline(always)]
    fn is_done(&self) -> bool {
        false
    }
}

/// Counts placements.
///
/// The sum has 128 bits. Placements of order N are permutations, N! at most, and 34! fits; beyond
/// order 34 a wrap would take more than 10³⁸ steps. So it never wraps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TotalCount {
    /// The placements so far.
    pub total: u128,
}

impl Observer for TotalCount {
    #[inline(always)]
    fn placement_complete(&mut self, weight: u32) {
        self.total += u128::from(weight);
    }
}

/// Counts fundamental placements, and by their weights the placements that they stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FundamentalCount {
    /// The fundamental placements so far.
    pub fundamental: u128,
    /// The placements that they stand for.
    pub total: u128,
}

impl Observer for FundamentalCount {
    #[inline(always)]
    fn placement_complete(&mut self, weight: u32) {
        self.fundamental += 1;
        self.total += u128::from(weight);
    }
}

/// Receives one placement, as the column of the queen in each row, with its weight, and says
/// whether to go on.
pub type PlacementSink<'a> = dyn FnMut(&[u8], u32) -> ControlFlow<()> + 'a;

/// Hands each complete placement to a [`PlacementSink`], until that wants no more.
pub struct Lister<'a> {
    columns: [u8; Order::MAX.get()],
    rows: usize,
    sink: &'a mut PlacementSink<'a>,
    done: bool,
}

impl<'a> Lister<'a> {
    /// A lister for placements of `order`.
    #[must_use]
    pub fn new(order: Order, sink: &'a mut PlacementSink<'a>) -> Self {
        Self { columns: [0; Order::MAX.get()], rows: order.get(), sink, done: false }
    }
}

impl Observer for Lister<'_> {
    fn queen_placed(&mut self, row: usize, column: usize) {
        // A column is below an order, and an order fits a byte.
        self.columns[row] = column as u8;
    }

    fn placement_complete(&mut self, weight: u32) {
        // A search that asks `is_done` only at its next square may complete one more placement.
        if !self.done {
            self.done = (self.sink)(&self.columns[..self.rows], weight).is_break();
        }
    }

    fn is_done(&self) -> bool {
        self.done
    }
}
