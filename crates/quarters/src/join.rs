//! The join: quarters to halves, and halves to boards.

use queens::{Order, Profile, RowProfile};

use crate::disjoint;
use crate::quarter::{Area, Diagonals, Lines, Placed, Quarter};

/// The largest order: a word of 64 bits has room for its 62 diagonals.
pub const LARGEST: Order = match Order::new(16) {
    Some(order) => order,
    None => Order::MAX,
};

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The total.
    pub total: u128,
    /// Partial placements by their queens, from 1 on.
    nodes: Vec<u64>,
    /// Placements that were found, without their weights.
    placements: u64,
}

impl Found {
    /// As a search tree whose row k has the partial placements with k + 1 queens.
    pub fn profile(self) -> Profile {
        let rows = self.nodes.into_iter().map(|nodes| RowProfile { nodes, squares_tested: 0 });
        Profile::from_rows(rows.collect(), self.placements)
    }

    fn add(&mut self, queens: usize, partial: u64) {
        if let Some(before) = queens.checked_sub(1) {
            self.nodes[before] += partial;
        }
    }
}

/// Finds every placement of an order up to 16.
pub fn search(order: Order) -> Found {
    let size = order.get();
    let mut found = Found { total: 0, nodes: vec![0; size], placements: 0 };
    let board = Board::new(size);
    for quarter in [&board.north_west, &board.north_east, &board.south_west, &board.south_east] {
        for placed in quarter.placements() {
            found.add(placed.columns.count_ones() as usize, 1);
        }
    }
    let (mut west, mut east) = (Vec::new(), Vec::new());
    // (3)
    for north in 0..1_u32 << board.north {
        for south in 0..1_u32 << board.south {
            if north.count_ones() + south.count_ones() != board.west as u32 {
                continue;
            }
            let Some(weight) = board.weight((north, south)) else { continue };
            // (4)
            join(&board.north_west, &board.south_west, (north, south), board.west, &mut west);
            let others = board.other_rows((north, south));
            join(&board.north_east, &board.south_east, others, size - board.west, &mut east);
            found.add(board.west, west.len() as u64);
            found.add(size - board.west, east.len() as u64);
            // (5)
            let placements = disjoint::pairs(&west, &east);
            found.add(size, placements);
            found.placements += placements;
            found.total += u128::from(placements) * u128::from(weight);
        }
    }
    found
}

/// A board cut in four: its lines in the north and in the west, and the placements of its quarters.
struct Board {
    size: usize,
    north: usize,
    south: usize,
    west: usize,
    north_west: Quarter,
    north_east: Quarter,
    south_west: Quarter,
    south_east: Quarter,
}

impl Board {
    fn new(size: usize) -> Self {
        // (1)
        let (near, far) = (size / 2, size - size / 2);
        // (2)
        let quarter = |first, lines| Quarter::new(Area { size, first, lines });
        Self {
            size,
            north: near,
            south: far,
            west: near,
            north_west: quarter((0, 0), (near, near)),
            north_east: quarter((0, near), (near, far)),
            south_west: quarter((near, 0), (far, near)),
            south_east: quarter((near, near), (far, far)),
        }
    }

    /// The rows that the other half fills.
    const fn other_rows(&self, (north, south): (Lines, Lines)) -> (Lines, Lines) {
        (!north & ((1 << self.north) - 1), !south & ((1 << self.south) - 1))
    }

    /// How many choices of rows for the west are images of this one under the reflections that take
    /// quarters to quarters; nothing where one of them comes before it.
    fn weight(&self, rows: (Lines, Lines)) -> Option<u32> {
        if self.size % 2 == 1 {
            return Some(1);
        }
        let upside_down = |(north, south): (Lines, Lines)| {
            let turned = |lines: Lines| lines.reverse_bits() >> (Lines::BITS - self.north as u32);
            if self.north == 0 { (north, south) } else { (turned(south), turned(north)) }
        };
        let other = self.other_rows(rows);
        let mut images = [rows, other, upside_down(rows), upside_down(other)];
        images.sort_unstable();
        let distinct = 1 + images.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32;
        (images[0] == rows).then_some(distinct)
    }
}

/// The diagonals of each half that has the given rows in its northern and its southern quarter, and every
/// one of its columns.
fn join(
    northern: &Quarter,
    southern: &Quarter,
    (north, south): (Lines, Lines),
    columns: usize,
    halves: &mut Vec<Diagonals>,
) {
    halves.clear();
    let southern = southern.with_rows(south);
    let every = (1 << columns) - 1;
    let of_columns = |columns: Lines| -> &[Placed] {
        let start = southern.partition_point(|placed| placed.columns < columns);
        let end = southern.partition_point(|placed| placed.columns <= columns);
        &southern[start..end]
    };
    for same in northern.with_rows(north).chunk_by(|a, b| a.columns == b.columns) {
        let others = of_columns(every & !same[0].columns);
        for upper in same {
            let fitting = others.iter().filter(|lower| upper.diagonals & lower.diagonals == 0);
            halves.extend(fitting.map(|lower| upper.diagonals | lower.diagonals));
        }
    }
}
