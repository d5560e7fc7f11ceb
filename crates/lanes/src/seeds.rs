//! The seeds of the search: partial placements from the centre, made one by one, and the parts that a
//! count of them is cut into.

use queens::bits::Bits;
use queens::centre::{self, Group};
use queens::parts::estimate_nodes;
use queens::{Observer, Order};

/// A partial placement: the columns that have a queen, and what diagonals attack at the two fronts.
#[derive(Clone, Copy, Debug)]
pub struct Seed {
    columns: u32,
    above: Front,
    below: Front,
}

/// The columns that diagonals attack in the row next to the filled ones. `left` moves to lower columns
/// from one row to the next one outwards, `right` to higher ones.
#[derive(Clone, Copy, Debug)]
struct Front {
    left: u32,
    right: u32,
}

impl Front {
    const fn moved(self, queen: u32) -> Self {
        Self { left: (self.left | queen) >> 1, right: (self.right | queen) << 1 }
    }

    fn facing(self, queen: u32, distance: u32) -> Self {
        // A distance of the whole width is that of a board of 32 columns that is full.
        Self {
            left: self.left | queen.checked_shr(distance).unwrap_or(0),
            right: self.right | queen.checked_shl(distance).unwrap_or(0),
        }
    }
}

impl Seed {
    const EMPTY: Self =
        Self { columns: 0, above: Front { left: 0, right: 0 }, below: Front { left: 0, right: 0 } };

    /// The fields in the order of the stacks.
    pub const fn words(&self) -> [u32; crate::stacks::FIELDS] {
        [self.columns, self.above.left, self.above.right, self.below.left, self.below.right]
    }

    /// The seed once `queen` stands in the row that is filled when `left` are empty.
    fn with(self, queen: u32, size: usize, left: usize) -> Self {
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

/// Seeds that share their allowed columns and their weight.
#[derive(Clone, Debug)]
pub struct Seeds {
    /// The order's number of rows.
    pub size: usize,
    /// How many rows are empty.
    pub left: usize,
    /// The columns that each row may use, by row from the top.
    pub allowed: Vec<u32>,
    /// How many placements each one found stands for.
    pub weight: u32,
    /// The partial placements.
    pub list: Vec<Seed>,
}

/// Visits an order row by row, without lanes: one that is too small for them.
pub fn search_plainly(order: Order, observer: &mut impl Observer) {
    let size = order.get();
    if size < 2 {
        (0..size).for_each(|row| observer.queen_placed(row, 0));
        observer.placement_complete(1);
    } else if size >= 4 {
        for group in all(order) {
            for _ in &group.list {
                (0..size - group.left).for_each(|row| observer.queen_placed(row, 0));
            }
            group.search_plainly(observer);
        }
    }
}

/// Every group of an order from 4 to 32 as seeds.
pub fn all(order: Order) -> Vec<Seeds> {
    centre::groups(order).iter().map(|group| Seeds::new(order.get(), group)).collect()
}

/// Orders below this have parts of a few seeds; estimates would take longer than they save.
const FIRST_ESTIMATED: usize = 16;

/// The seeds of a part where nothing is estimated.
const FEW: usize = 8;

/// No part of an estimated count has much more than this share of its work, so that many threads are
/// busy to the end and a resumed count has lost little.
const MOST_OF_ALL: f64 = 1.0 / 4000.0;

/// No part is cut smaller than this many nodes of a search without look-ahead: half a millisecond with
/// AVX-512, beside which beginning a part is nothing.
const LEAST: f64 = 2e6;

/// A part of more nodes than this, ten seconds' work with AVX-512, is cut further, as long as the parts can be kept in
/// memory: a few hundred thousand of them.
const MOST: f64 = 4e10;
const MOST_PARTS: f64 = 2e5;

/// Random descents for the estimate of a group's or a part's work.
const PROBES: usize = 24;

/// Rows that are left empty however large a part would be.
const FEWEST_LEFT: usize = 9;

/// The parts of the count of an order from 6 to 32, each with seeds of one group and of about the same
/// work.
pub fn parts(order: Order) -> Vec<Seeds> {
    let groups = all(order);
    let mut parts = Vec::new();
    if order.get() < FIRST_ESTIMATED {
        for group in &groups {
            parts.extend(group.cut(FEW));
        }
        return parts;
    }
    let works: Vec<f64> = groups.iter().map(Seeds::work).collect();
    let all: f64 = works.iter().sum();
    let most = (all * MOST_OF_ALL).clamp(LEAST, MOST).max(all / MOST_PARTS);
    for (mut group, work) in groups.into_iter().zip(works) {
        while work / group.list.len() as f64 > most && group.left > FEWEST_LEFT {
            group = group.longer();
        }
        let seeds = group.list.len() as f64 * most / work;
        // A group without any node that could be found has one part.
        parts.extend(group.cut(if seeds.is_finite() { seeds as usize } else { usize::MAX }));
    }
    parts
}

impl Seeds {
    /// The seeds of a group whose prefixes are of one length.
    pub fn new(size: usize, group: &Group) -> Self {
        let seed = |prefix: &Vec<usize>| {
            let queens = prefix.iter().enumerate();
            queens.fold(Seed::EMPTY, |seed, (place, &column)| {
                seed.with(1 << column, size, size - place)
            })
        };
        Self {
            size,
            left: size - group.prefixes[0].len(),
            allowed: group.allowed.iter().map(|&allowed| u32::truncated(allowed)).collect(),
            weight: group.weight,
            list: group.prefixes.iter().map(seed).collect(),
        }
    }

    /// Gives every seed with a further queen to `found`.
    pub fn each_child(&self, seed: &Seed, left: usize, mut found: impl FnMut(Seed)) {
        let front = if centre::fills_upwards(left) { seed.above } else { seed.below };
        let row = centre::row(self.size, left);
        let mut free = self.allowed[row] & !(seed.columns | front.left | front.right);
        while free != 0 {
            let queen = free.lowest();
            free &= !queen;
            found(seed.with(queen, self.size, left));
        }
    }

    /// The seeds with one row more filled.
    fn longer(&self) -> Self {
        let mut seeds = Vec::new();
        for seed in &self.list {
            self.each_child(seed, self.left, |child| seeds.push(child));
        }
        Self { list: seeds, left: self.left - 1, allowed: self.allowed.clone(), ..*self }
    }

    /// The same seeds, so many a part.
    fn cut(&self, seeds: usize) -> impl Iterator<Item = Self> {
        self.list.chunks(seeds.max(1)).map(|some| Self {
            list: some.to_vec(),
            allowed: self.allowed.clone(),
            ..*self
        })
    }

    /// About how many nodes a search without look-ahead would have below the seeds.
    pub fn work(&self) -> f64 {
        let children = |node: &(Seed, usize), below: &mut Vec<(Seed, usize)>| {
            let &(seed, left) = node;
            if left > 0 {
                self.each_child(&seed, left, |child| below.push((child, left - 1)));
            }
        };
        // As many descents whatever the number of seeds, from seeds all over the list.
        let of_probe = |probe: usize| {
            let seed = self.list[probe * self.list.len() / PROBES];
            estimate_nodes(&(seed, self.left), 1, probe as u64, children)
        };
        let mean = (0..PROBES).map(of_probe).sum::<f64>() / PROBES as f64;
        mean * self.list.len() as f64
    }

    /// Fills all rows one by one, without lanes: for boards on which too few are left for them.
    pub fn search_plainly(&self, observer: &mut impl Observer) {
        for seed in &self.list {
            self.fill(seed, self.left, observer);
        }
    }

    fn fill(&self, seed: &Seed, left: usize, observer: &mut impl Observer) {
        if left == 0 {
            observer.placement_complete(self.weight);
            return;
        }
        self.each_child(seed, left, |child| {
            observer.queen_placed(self.size - left, 0);
            self.fill(&child, left - 1, observer);
        });
    }
}
