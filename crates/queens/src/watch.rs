//! An observer for tests: whether the first nodes of a search are placements without attacks.

use crate::{Observer, Order, Search};

/// Looks at the first nodes of a search that fills rows from the top.
#[derive(Clone, Debug)]
pub struct Watch {
    size: usize,
    columns: Vec<usize>,
    nodes: usize,
    limit: usize,
}

impl Watch {
    /// For a search of `order`, which may end after `limit` nodes.
    #[must_use]
    pub const fn new(order: Order, limit: usize) -> Self {
        Self { size: order.get(), columns: Vec::new(), nodes: 0, limit }
    }

    /// The nodes so far.
    #[must_use]
    pub const fn nodes(&self) -> usize {
        self.nodes
    }
}

impl Observer for Watch {
    /// # Panics
    /// Where the queen stands beside the board, in another row than the next or an earlier one, or
    /// attacks a queen above.
    fn queen_placed(&mut self, row: usize, column: usize) {
        assert!(column < self.size, "column {column} of order {}", self.size);
        self.columns.truncate(row);
        assert_eq!(self.columns.len(), row, "rows are filled one after another");
        for (above, &other) in self.columns.iter().enumerate() {
            let apart = row - above;
            assert!(other != column && other.abs_diff(column) != apart, "order {}", self.size);
        }
        self.columns.push(column);
        self.nodes += 1;
    }

    /// # Panics
    /// Where a row has no queen.
    fn placement_complete(&mut self, _weight: u32) {
        assert_eq!(self.columns.len(), self.size);
    }

    fn is_done(&self) -> bool {
        self.nodes >= self.limit
    }
}

/// Looks at the first 100,000 nodes of a search with bit sets at and around the widths of its words, where
/// a bit is lost or made up most easily.
///
/// # Panics
/// Where a queen is placed that attacks another one, or the search ends before.
pub fn assert_sound_at_word_widths<S: Search>() {
    const NODES: usize = 100_000;
    for order in [31, 32, 33, 63, 64, 65, 127, 128].into_iter().filter_map(Order::new) {
        let mut watch = Watch::new(order, NODES);
        S::search(order, &mut watch);
        assert_eq!(watch.nodes(), NODES, "order {order}");
    }
}
