//! The search: bit sets at two fronts that move from the centre of the board outwards.

use queens::bits::Bits;
use queens::centre::{self, Group};
use queens::{Observer, Order};

/// Visits placements of `order` whose weights add up to its total. Row 0 is the first that is filled,
/// a row in the centre of the board.
pub struct Search;

impl queens::Search for Search {
    fn search<O: Observer>(order: Order, observer: &mut O) {
        let size = order.get();
        // (1)
        if size < 4 {
            if size < 2 {
                (0..size).for_each(|row| observer.queen_placed(row, 0));
                observer.placement_complete(1);
            }
            return;
        }
        // (2)
        for group in centre::groups(order) {
            // A bit more than a row has: the last queen is as far from the other front as the board is
            // wide, and no word can be shifted by its whole width.
            if let Some(all) = u32::first(size).filter(|_| size < u32::WIDTH) {
                from_prefixes(size, all, &group, observer);
            } else if let Some(all) = u64::first(size).filter(|_| size < u64::WIDTH) {
                from_prefixes(size, all, &group, observer);
            } else if let Some(all) = u128::first(size) {
                from_prefixes(size, all, &group, observer);
            } else {
                unreachable!("an order is at most 64 here")
            }
        }
    }
}

/// What stays the same while the rows beside a group's prefixes are filled.
struct Board<B> {
    size: usize,
    all: B,
    /// The columns that each row may use, by the number of rows that are empty when it is filled.
    allowed: [B; centre::LARGEST.get() + 1],
    weight: u32,
}

/// The columns that are attacked at the two fronts.
#[derive(Clone, Copy)]
struct Fronts<B> {
    /// The columns that have a queen.
    columns: B,
    above: Front<B>,
    below: Front<B>,
}

/// The columns that diagonals attack in the row next to the filled ones. `left` moves to lower columns
/// from one row to the next one outwards, `right` to higher ones.
#[derive(Clone, Copy)]
struct Front<B> {
    left: B,
    right: B,
}

impl<B: Bits> Front<B> {
    /// The front one row further out, once `queen` stands in this one.
    #[inline(always)]
    fn moved(self, queen: B) -> Self {
        Self { left: (self.left | queen) >> 1, right: (self.right | queen) << 1 }
    }

    /// The front with a queen on the far side of the filled rows, `distance` rows away.
    #[inline(always)]
    fn facing(self, queen: B, distance: u32) -> Self {
        Self { left: self.left | queen >> distance, right: self.right | queen << distance }
    }
}

impl<B: Bits> Fronts<B> {
    /// The columns that are attacked in the row that is filled next.
    #[inline(always)]
    fn attacked(self, left: usize) -> B {
        let front = if centre::fills_upwards(left) { self.above } else { self.below };
        self.columns | front.left | front.right
    }

    /// The fronts once `queen` stands in the row that is filled next.
    #[inline(always)]
    fn with(self, queen: B, size: usize, left: usize) -> Self {
        // (5)
        let columns = self.columns | queen;
        let distance = (size - left + 1) as u32;
        if centre::fills_upwards(left) {
            let (above, below) = (self.above.moved(queen), self.below.facing(queen, distance));
            Self { columns, above, below }
        } else {
            let (above, below) = (self.above.facing(queen, distance), self.below.moved(queen));
            Self { columns, above, below }
        }
    }
}

fn from_prefixes<B: Bits, O: Observer>(size: usize, all: B, group: &Group, observer: &mut O) {
    // (3)
    let mut allowed = [B::EMPTY; centre::LARGEST.get() + 1];
    for (left, allowed) in allowed.iter_mut().enumerate().take(size + 1).skip(1) {
        *allowed = B::truncated(group.allowed[centre::row(size, left)]);
    }
    let board = Board { size, all, allowed, weight: group.weight };
    let nothing = Front { left: B::EMPTY, right: B::EMPTY };
    for prefix in &group.prefixes {
        let mut fronts = Fronts { columns: B::EMPTY, above: nothing, below: nothing };
        for (place, &column) in prefix.iter().enumerate() {
            observer.queen_placed(place, column);
            fronts = fronts.with(B::column(column), size, size - place);
        }
        fill(&board, size - prefix.len(), fronts, observer);
    }
}

/// Fills the next row and those further out, `left` in all, in every way.
fn fill<B: Bits, O: Observer>(board: &Board<B>, left: usize, fronts: Fronts<B>, observer: &mut O) {
    // (6)
    if fronts.columns == board.all {
        observer.placement_complete(board.weight);
        return;
    }
    // (4)
    let mut free = board.allowed[left] & !fronts.attacked(left);
    while !free.is_empty() {
        let queen = free.lowest();
        free = free & !queen;
        observer.queen_placed(board.size - left, queen.lowest_column());
        fill(board, left - 1, fronts.with(queen, board.size, left), observer);
    }
}
