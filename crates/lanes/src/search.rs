//! The search: which chunk is run when, and on which body.

use queens::parts::{PartCounter, Parts};
use queens::{Order, Profile, RowProfile, TotalCount};

#[cfg(target_arch = "x86_64")]
use crate::avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use crate::avx512::Avx512;
use crate::body::{Body, Word};
use crate::passes::{Chunk, Found};
use crate::portable::Portable;
use crate::seeds::{self, Seeds};
use crate::stacks::{CHUNK, MOST_LANES, Stacks};

/// The largest order: a row fills a lane.
pub const LARGEST: Order = match Order::new(32) {
    Some(order) => order,
    None => Order::MAX,
};

/// The smallest order whose board has rows enough beside the prefix for the passes; below it rows are
/// filled one by one.
const SMALLEST: usize = 6;

/// A kind of processor that there is a body for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// With AVX-512.
    Avx512,
    /// With AVX2.
    Avx2,
    /// Any.
    Portable,
}

impl Kind {
    /// Every kind, the fastest first.
    pub const ALL: [Self; 3] = [Self::Avx512, Self::Avx2, Self::Portable];

    /// The fastest body that runs here.
    pub fn best() -> Self {
        let runs = |kind: &Self| kind.searcher(SMALLEST).is_some();
        Self::ALL.into_iter().find(runs).unwrap_or(Self::Portable)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "AVX-512",
            Self::Avx2 => "AVX2",
            Self::Portable => "portable",
        }
    }

    /// A searcher on the body with the narrowest lanes that hold a row; nothing where the processor is
    /// of another kind.
    pub fn searcher(self, size: usize) -> Option<Box<dyn Search>> {
        // (2)
        if size <= u16::COLUMNS {
            self.searcher_with::<u16>(size)
        } else {
            self.wide_searcher(size)
        }
    }

    /// The same with lanes of 32 bits, whatever the order.
    pub fn wide_searcher(self, size: usize) -> Option<Box<dyn Search>> {
        self.searcher_with::<u32>(size)
    }

    #[cfg(target_arch = "x86_64")]
    fn searcher_with<W: Word>(self, size: usize) -> Option<Box<dyn Search>>
    where
        Avx512<W>: Body<Word = W>,
        Avx2<W>: Body<Word = W>,
        Portable<W>: Body<Word = W>,
    {
        match self {
            Self::Avx512 => Avx512::<W>::detected().map(|body| boxed(body, size)),
            Self::Avx2 => Avx2::<W>::detected().map(|body| boxed(body, size)),
            Self::Portable => Some(boxed(Portable::<W>::new(), size)),
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn searcher_with<W: Word>(self, size: usize) -> Option<Box<dyn Search>>
    where
        Portable<W>: Body<Word = W>,
    {
        (self == Self::Portable).then(|| boxed(Portable::<W>::new(), size))
    }
}

fn boxed<B: Body + 'static>(body: B, size: usize) -> Box<dyn Search> {
    Box::new(Searcher::new(body, size))
}

/// A search over groups of seeds.
pub trait Search {
    /// Searches from seeds of the searcher's size; gives the number of placements.
    fn search(&mut self, seeds: &Seeds) -> u128;

    /// What was found so far.
    fn found(&self) -> &Found;
}

/// A body with the stacks that it works on.
struct Searcher<B: Body> {
    body: B,
    size: usize,
    stacks: Stacks<B::Word>,
    /// For each row, the columns that it may use, in every lane.
    allowed: Vec<B::Word>,
    found: Found,
}

impl<B: Body> Searcher<B> {
    fn new(body: B, size: usize) -> Self {
        assert!(size <= B::Word::COLUMNS && B::LANES <= MOST_LANES);
        Self {
            body,
            size,
            stacks: Stacks::new(size),
            allowed: vec![B::Word::default(); size * B::LANES],
            found: Found { nodes: vec![0; size + 1], placements: 0 },
        }
    }

    /// Runs full chunks wherever `left` rows or fewer are empty, until there are none. Going deeper
    /// comes first: so no stack ever has more than the children of one chunk besides what is less than a
    /// chunk.
    fn deepen(&mut self, left: usize) {
        // (4)
        while self.stacks.len(left) >= CHUNK {
            self.chunk(left);
        }
    }

    /// Runs a chunk of parents that have `left` rows empty, and the full chunks of their children.
    fn chunk(&mut self, left: usize) {
        let (parents, children) = self.stacks.pop(left);
        self.body.chunk(Chunk {
            body: self.body,
            size: self.size,
            left: left - 1,
            allowed: &self.allowed,
            parents,
            children,
            found: &mut self.found,
        });
        if left > LAST {
            self.deepen(left - 1);
        }
    }
}

/// The number of empty rows of the last parents: their children are completed at once.
const LAST: usize = 3;

impl<B: Body> Search for Searcher<B> {
    fn search(&mut self, seeds: &Seeds) -> u128 {
        debug_assert_eq!(seeds.size, self.size);
        let before = self.found.placements;
        // (3)
        for (row, &allowed) in seeds.allowed.iter().enumerate() {
            self.allowed[row * B::LANES..][..B::LANES].fill(B::Word::truncated(allowed));
        }
        for seed in &seeds.list {
            self.stacks.push(seeds.left, seed);
            self.deepen(seeds.left);
        }
        // (10)
        for left in (LAST..=seeds.left).rev() {
            while self.stacks.len(left) > 0 {
                self.chunk(left);
            }
        }
        self.found.placements - before
    }

    fn found(&self) -> &Found {
        &self.found
    }
}

/// The total of an order, by one thread.
pub fn count(order: Order) -> u128 {
    if order.get() < SMALLEST {
        let mut observer = TotalCount::default();
        seeds::search_plainly(order, &mut observer);
        return observer.total;
    }
    search(order, &mut *best(order))
}

/// The search tree of an order.
pub fn profile(order: Order) -> Profile {
    if order.get() < SMALLEST {
        let mut profile = Profile::new(order);
        seeds::search_plainly(order, &mut profile);
        return profile;
    }
    let mut searcher = best(order);
    search(order, &mut *searcher);
    tree(order, searcher.found())
}

/// A searcher on the fastest body that runs here.
fn best(order: Order) -> Box<dyn Search> {
    let searchers = Kind::ALL.into_iter().filter_map(|kind| kind.searcher(order.get()));
    searchers.into_iter().next().expect("the portable body runs anywhere")
}

/// Searches every group of an order; gives its total.
pub fn search(order: Order, searcher: &mut dyn Search) -> u128 {
    // (1)
    let groups = seeds::all(order);
    groups.iter().map(|group| searcher.search(group) * u128::from(group.weight)).sum()
}

/// What was found of an order as a search tree, its rows in the order in which they are filled.
pub fn tree(order: Order, found: &Found) -> Profile {
    let size = order.get();
    let groups = seeds::all(order);
    let prefixes = groups.iter().map(|group| group.list.len() as u64).sum();
    let nodes = (0..size).map(|row| match size - 1 - row {
        // The last two rows are filled at once.
        0 | 1 => found.placements as u64,
        left if left >= groups[0].left => prefixes,
        left => found.nodes[left],
    });
    let rows = nodes.map(|nodes| RowProfile { nodes, squares_tested: 0 }).collect();
    Profile::from_rows(rows, found.placements as u64)
}

/// The parts of a count.
pub fn divide(order: Order) -> Box<dyn Parts> {
    if order.get() < SMALLEST {
        Box::new(Whole(order))
    } else {
        Box::new(Cut { order, parts: seeds::parts(order) })
    }
}

/// An order that is too small to be cut.
struct Whole(Order);

impl Parts for Whole {
    fn len(&self) -> usize {
        1
    }

    fn counter(&self) -> Box<dyn PartCounter + '_> {
        Box::new(|_part: usize| count(self.0))
    }

    fn work(&self, _part: usize) -> f64 {
        1.0
    }
}

/// An order cut into groups of a few seeds.
struct Cut {
    order: Order,
    parts: Vec<Seeds>,
}

impl Parts for Cut {
    fn len(&self) -> usize {
        self.parts.len()
    }

    fn counter(&self) -> Box<dyn PartCounter + '_> {
        let mut searcher = best(self.order);
        Box::new(move |part: usize| {
            let seeds = &self.parts[part];
            searcher.search(seeds) * u128::from(seeds.weight)
        })
    }

    fn work(&self, part: usize) -> f64 {
        self.parts[part].work()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::Seed;
    use queens::centre::{self, Group};
    use queens::known;

    fn order(n: usize) -> Order {
        Order::new(n).unwrap()
    }

    /// The bodies that run here, with lanes of both widths where the order's rows fit.
    fn searchers(size: usize) -> Vec<(String, Box<dyn Search>)> {
        let mut searchers = Vec::new();
        for kind in Kind::ALL {
            let widths = [(16, kind.searcher(size)), (32, kind.wide_searcher(size))];
            for (width, searcher) in widths {
                if let Some(searcher) = searcher.filter(|_| size <= 16 || width == 32) {
                    searchers.push((format!("{} with {width} bits", kind.name()), searcher));
                }
            }
        }
        assert!(searchers.len() >= if size <= 16 { 2 } else { 1 });
        searchers
    }

    /// OVF-03, OVF-05 and PAR-04 of the public reports: every body counts the same and walks the same
    /// tree, at lanes' widths and around them.
    #[test]
    fn all_bodies_agree_with_the_known_counts_and_with_each_other() {
        for n in SMALLEST..=if cfg!(miri) { 7 } else { 14 } {
            let mut trees = Vec::new();
            for (name, mut searcher) in searchers(n) {
                let total = search(order(n), &mut *searcher);
                let known = known::total(order(n)).map(u128::from);
                assert_eq!(Some(total), known, "{name} at order {n}");
                trees.push((name, searcher.found().clone()));
            }
            for (name, found) in &trees {
                assert_eq!(*found, trees[0].1, "{name} at order {n}");
            }
        }
    }

    /// OVF-03 of the public reports: lanes that are exactly as wide as the board, and the next order.
    #[test]
    #[cfg_attr(miri, ignore = "it would take hours")]
    fn orders_at_the_width_of_a_lane() {
        for n in [15, 16] {
            let known = known::total(order(n)).map(u128::from);
            for (name, mut searcher) in searchers(n) {
                assert_eq!(Some(search(order(n), &mut *searcher)), known, "{name} at order {n}");
            }
        }
        let known = known::total(order(17)).map(u128::from);
        assert_eq!(Some(count(order(17))), known, "{:?}", Kind::best());
    }

    /// PAR-04 of the public reports: lists that fill no vector, or one and a lane more.
    #[test]
    fn lists_of_any_length() {
        let size = if cfg!(miri) { 7 } else { 11 };
        let group = seeds::all(order(size)).into_iter().max_by_key(|g| g.list.len()).unwrap();
        let cycle = || group.list.iter().cycle().copied();
        for items in [0, 1, 3, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65] {
            if cfg!(miri) && items > 17 {
                break;
            }
            let some = Seeds { list: cycle().take(items).collect(), ..group.clone() };
            let mut plain = Profile::new(order(size));
            some.search_plainly(&mut plain);
            for (name, mut searcher) in searchers(size) {
                assert_eq!(
                    searcher.search(&some),
                    u128::from(plain.placements()),
                    "{name}, {items} items"
                );
            }
        }
    }

    /// OVF-05 of the public reports: every lane finds a placement in each step, far more often than a
    /// lane's width could count.
    #[test]
    #[cfg_attr(miri, ignore = "it would take hours")]
    fn more_placements_than_a_lane_can_count() {
        const TIMES: usize = 70_000;
        let group = seeds::all(order(6)).into_iter().find(|group| {
            let mut total = TotalCount::default();
            group.search_plainly(&mut total);
            total.total > 0
        });
        let group = group.unwrap();
        let one_by_one = |seed: &Seed| {
            let mut profile = Profile::new(order(6));
            Seeds { list: vec![*seed], ..group.clone() }.search_plainly(&mut profile);
            (*seed, profile.placements())
        };
        let found = group.list.iter().map(one_by_one).find(|(_, placements)| *placements > 0);
        let (seed, placements) = found.unwrap();
        let many = Seeds { list: vec![seed; TIMES], ..group };
        for (name, mut searcher) in searchers(6) {
            assert_eq!(searcher.search(&many), u128::from(placements) * TIMES as u128, "{name}");
        }
    }

    /// Stacks take over what the thread's last ones left: whatever stands in it, and from a larger order to
    /// a smaller one.
    #[test]
    #[cfg_attr(miri, ignore = "it would take hours")]
    fn what_the_kept_memory_holds_does_not_matter() {
        for garbage in [u16::MAX, 0x5555, 1, 0] {
            u16::kept().set(vec![garbage; 4_000_000]);
            for n in [12, 7, 11, 6] {
                let known = known::total(order(n)).map(u128::from);
                for kind in Kind::ALL {
                    let Some(mut searcher) = kind.searcher(n) else { continue };
                    let total = search(order(n), &mut *searcher);
                    assert_eq!(Some(total), known, "{garbage:x}, {} at order {n}", kind.name());
                }
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "it would take hours")]
    fn parts_add_up_to_the_total() {
        for n in 0..=13 {
            let parts = divide(order(n));
            let mut counter = parts.counter();
            let total: u128 = (0..parts.len()).map(|part| counter.count(part)).sum();
            assert_eq!(Some(total), known::total(order(n)).map(u128::from), "order {n}");
        }
    }

    /// Boards with more diagonals than a lane has bits, and rows that fill a lane: a front needs only the
    /// diagonals of its row. From a known placement, of which all but the last rows are given.
    #[test]
    #[cfg_attr(miri, ignore = "it would take hours")]
    fn the_end_of_a_placement_of_a_larger_order() {
        for n in [17, 19, 22, 27, 28, 31, 32] {
            let columns = placement(n);
            for left in [4, 6, 9, 10, 11, 12] {
                let given = (0..n - left).map(|place| columns[centre::row(n, n - place)]);
                let group = Group {
                    weight: 1,
                    allowed: vec![u128::MAX >> (128 - n); n],
                    prefixes: vec![given.collect()],
                };
                let seeds = Seeds::new(n, &group);
                let mut plain = Profile::new(order(n));
                seeds.search_plainly(&mut plain);
                assert!(plain.placements() > 0, "order {n}");
                for (name, mut searcher) in searchers(n) {
                    let found = searcher.search(&seeds);
                    assert_eq!(found, plain.placements().into(), "{name}, {left} of {n} rows left");
                }
            }
        }
    }

    /// A placement of any order from 4 on: the even columns, then the odd ones, counted from 1. Where the
    /// remainder by 6 is 2 the odd ones begin with 3, 1 and end with 5 (E. Pauls, 1874).
    fn placement(n: usize) -> Vec<usize> {
        let odd: Vec<usize> = (1..=n).step_by(2).collect();
        let odd = if n % 6 == 2 { [&[3, 1], &odd[3..], &[5]].concat() } else { odd };
        let mut columns: Vec<usize> =
            (2..=n).step_by(2).chain(odd).map(|column| column - 1).collect();
        if n % 6 == 3 {
            // The remainder 3 has the even columns from 4 on and then 2, the odd ones from 5 on and 1, 3.
            let even: Vec<usize> = (4..=n).step_by(2).chain([2]).collect();
            let odd: Vec<usize> = (5..=n).step_by(2).chain([1, 3]).collect();
            columns = [even, odd].concat().into_iter().map(|column| column - 1).collect();
        }
        columns
    }
}
