//! The search: that of `bitmask` below each way of filling the first rows.

use queens::bits::Bits;
use queens::parts::{PartCounter, Parts, estimate_nodes};
use queens::{Observer, Order, TotalCount};

/// Visits every placement of `order` by one thread.
pub struct Search;

impl queens::Search for Search {
    fn search<O: Observer>(order: Order, observer: &mut O) {
        let size = order.get();
        // (1)
        if let Some(board) = u32::first(size) {
            Prefixes::new(size, board, observer).search(observer);
        } else if let Some(board) = u64::first(size) {
            Prefixes::new(size, board, observer).search(observer);
        } else if let Some(board) = u128::first(size) {
            Prefixes::new(size, board, observer).search(observer);
        } else {
            unreachable!("an order is at most 128")
        }
    }
}

/// The parts of a count.
pub fn divide(order: Order) -> Box<dyn Parts> {
    let size = order.get();
    let nobody = &mut TotalCount::default();
    if let Some(board) = u32::first(size) {
        Box::new(Prefixes::new(size, board, nobody))
    } else if let Some(board) = u64::first(size) {
        Box::new(Prefixes::new(size, board, nobody))
    } else if let Some(board) = u128::first(size) {
        Box::new(Prefixes::new(size, board, nobody))
    } else {
        unreachable!("an order is at most 128")
    }
}

/// Descents for the estimate of a part's work.
const PROBES: u32 = 50;

/// How many rows are filled before the search is shared out. Three rows make hundreds of parts from
/// order 10 on, each of them a thousand times longer than handing it out takes from order 14 on. From
/// order 18 on a fourth row keeps parts short enough for a checkpoint to lose little.
const fn prefix_rows(size: usize) -> usize {
    if size < 18 { 3 } else { 4 }
}

/// The ways of filling the first rows.
struct Prefixes<B> {
    board: B,
    attacked: Vec<Attacked<B>>,
}

/// The three sets of attacked columns, as they meet a row.
#[derive(Clone, Copy)]
struct Attacked<B> {
    columns: B,
    left: B,
    right: B,
}

impl<B: Bits> Attacked<B> {
    const NOTHING: Self = Self { columns: B::EMPTY, left: B::EMPTY, right: B::EMPTY };

    /// What meets the next row once `queen` stands in this one.
    #[inline(always)]
    fn below(self, queen: B) -> Self {
        Self {
            columns: self.columns | queen,
            left: (self.left | queen) >> 1,
            right: (self.right | queen) << 1,
        }
    }

    /// The columns of `board` that no queen attacks.
    #[inline(always)]
    fn free(self, board: B) -> B {
        board & !(self.columns | self.left | self.right)
    }
}

impl<B: Bits> Prefixes<B> {
    fn new<O: Observer>(size: usize, board: B, observer: &mut O) -> Self {
        // (2)
        let mut attacked = vec![Attacked::NOTHING];
        for row in 0..prefix_rows(size).min(size) {
            let mut longer = Vec::new();
            for prefix in attacked {
                each_queen(prefix.free(board), |queen| {
                    observer.queen_placed(row, queen.lowest_column());
                    longer.push(prefix.below(queen));
                });
            }
            attacked = longer;
        }
        Self { board, attacked }
    }

    fn search<O: Observer>(&self, observer: &mut O) {
        for &prefix in &self.attacked {
            place(self.board, prefix, observer);
        }
    }
}

impl<B: Bits + Send + Sync> Parts for Prefixes<B> {
    fn len(&self) -> usize {
        self.attacked.len()
    }

    fn counter(&self) -> Box<dyn PartCounter + '_> {
        Box::new(|part: usize| {
            // (3)
            let mut observer = TotalCount::default();
            place(self.board, self.attacked[part], &mut observer);
            observer.total
        })
    }

    fn work(&self, part: usize) -> f64 {
        let below = |node: &Attacked<B>, below: &mut Vec<Attacked<B>>| {
            each_queen(node.free(self.board), |queen| below.push(node.below(queen)));
        };
        estimate_nodes(&self.attacked[part], PROBES, part as u64, below)
    }
}

fn each_queen<B: Bits>(mut free: B, mut place: impl FnMut(B)) {
    while !free.is_empty() {
        let queen = free.lowest();
        free = free & !queen;
        place(queen);
    }
}

/// Fills the next row and those below it in every way.
fn place<B: Bits, O: Observer>(board: B, attacked: Attacked<B>, observer: &mut O) {
    if attacked.columns == board {
        observer.placement_complete(1);
        return;
    }
    let mut free = attacked.free(board);
    while !free.is_empty() {
        let queen = free.lowest();
        free = free & !queen;
        observer.queen_placed(attacked.columns.len(), queen.lowest_column());
        place(board, attacked.below(queen), observer);
    }
}
