//! A count cut into parts that can be counted one by one: in any order, on any thread, on any day.

/// The parts of a count. Every placement belongs to exactly one of them, so whatever counts each part
/// once and adds up has the total. How a count is cut depends on the order and on nothing else: part
/// 17 is the same on every machine and for any number of threads.
pub trait Parts: Send + Sync {
    /// How many parts there are. There may be none: then the total is 0.
    fn len(&self) -> usize;

    /// Whether there is no part.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What counts parts one after another. Whoever counts many makes one for each thread, so that what
    /// counting needs besides the part is not made anew for each.
    fn counter(&self) -> Box<dyn PartCounter + '_>;

    /// About how much work `part` is, in a unit of the variant's own: 0 or more. For estimates of the
    /// time that is left, never for results.
    ///
    /// # Panics
    /// Where there is no such part.
    fn work(&self, part: usize) -> f64;
}

/// Counts parts, one after another.
pub trait PartCounter {
    /// How many placements `part` stands for, its symmetric images included.
    ///
    /// # Panics
    /// Where there is no such part.
    fn count(&mut self, part: usize) -> u128;
}

impl<F: FnMut(usize) -> u128> PartCounter for F {
    fn count(&mut self, part: usize) -> u128 {
        self(part)
    }
}

/// Counts a part. Whatever counts parts on several threads does it through this function, which is
/// never inlined: the instruction counter counts what is inside of it on any thread.
#[inline(never)]
pub fn count_part(counter: &mut dyn PartCounter, part: usize) -> u128 {
    counter.count(part)
}

/// About how many nodes the tree below `root` has, the root not counted: the mean of `probes` random
/// descents, each of which takes the product of the numbers of children on its way as the width of the
/// tree there. That mean has the tree's size as its expectation (Knuth, "Estimating the efficiency of
/// backtrack programs", Mathematics of Computation 29, 1975). `seed` makes it the same each time.
pub fn estimate_nodes<N: Clone>(
    root: &N,
    probes: u32,
    seed: u64,
    children: impl Fn(&N, &mut Vec<N>),
) -> f64 {
    let mut random = seed;
    let mut below = Vec::new();
    let mut nodes = 0.0;
    for _ in 0..probes {
        let mut node = root.clone();
        let mut width = 1.0;
        loop {
            below.clear();
            children(&node, &mut below);
            if below.is_empty() {
                break;
            }
            width *= below.len() as f64;
            nodes += width;
            node = below.swap_remove(next(&mut random) as usize % below.len());
        }
    }
    nodes / f64::from(probes)
}

/// The next number of Vigna's `SplitMix64`; its upper half, where it is best.
fn next(state: &mut u64) -> u32 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((mixed ^ (mixed >> 31)) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree of unequal branches, whose size is found by walking it.
    #[test]
    fn the_estimate_is_near_the_size_of_the_tree() {
        fn size(n: u32) -> u32 {
            let below = [1, 1, 3].iter().filter_map(|&less| n.checked_sub(less));
            below.map(|child| 1 + size(child)).sum()
        }
        let children = |n: &u32, below: &mut Vec<u32>| {
            below.extend([1, 1, 3].iter().filter_map(|&less| n.checked_sub(less)));
        };
        let (size, found) = (f64::from(size(12)), estimate_nodes(&12, 4000, 1, children));
        assert!((found / size - 1.0).abs() < 0.05, "{found} of {size}");
        let again = || estimate_nodes(&10, 3, 7, children).to_bits();
        assert_eq!(again(), again());
        assert_eq!(estimate_nodes(&0, 3, 7, children).to_bits(), 0);
    }
}
