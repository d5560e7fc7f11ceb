//! The stacks of partial placements, one for each number of empty rows, and the lanes that are filled
//! from them: all bookkeeping of who stands where.

use crate::body::{Body, Word};
use crate::seeds::Seed;

/// The fields of a partial placement, each in an array of its own: the columns that have a queen, and
/// for the front above and the one below the diagonals that move to lower and to higher columns.
pub const FIELDS: usize = 5;

/// Parents in a full chunk. Half as many cost some percent, because each chunk ends with lanes that run
/// dry; twice as many gain nothing and no longer fit into the second level of the cache.
pub const CHUNK: usize = 1024;

/// The most lanes that a body may have.
pub const MOST_LANES: usize = 32;

/// The partial placements that a stack can hold. It has fewer than [`CHUNK`] when a chunk of as many
/// parents begins, each of which has at most 32 children; behind them there is room for the
/// sentinels, and for a vector that is stored past the end.
const CAPACITY: usize = CHUNK * (1 + 32) + 2 * MOST_LANES;

/// The fields of one stack.
pub type Fields<W> = [[W; CAPACITY]; FIELDS];

/// A stack for each number of empty rows.
pub struct Stacks<W: Word> {
    /// The fields by the number of empty rows, all in one piece. Large, but only what is used is ever
    /// touched: a vector of zeros is memory that the operating system gives out by the page.
    words: Vec<W>,
    lengths: Vec<usize>,
}

impl<W: Word> Stacks<W> {
    /// Empty stacks for boards of `size` rows. They take over the memory of the thread's last ones: what
    /// stands in it is behind the end of every stack, and an allocator that has the memory back would
    /// fill all of it with zeros once more, which takes longer than all else at small orders.
    pub fn new(size: usize) -> Self {
        let needed = (size + 1) * FIELDS * CAPACITY;
        let kept = W::kept().take();
        let words = if kept.len() < needed { vec![W::default(); needed] } else { kept };
        Self { words, lengths: vec![0; size + 1] }
    }

    fn fields(words: &mut [W]) -> &mut [Fields<W>] {
        words.as_chunks_mut().0.as_chunks_mut().0
    }

    /// How many partial placements have `left` rows empty.
    pub fn len(&self, left: usize) -> usize {
        self.lengths[left]
    }

    /// Adds a partial placement with `left` rows empty.
    ///
    /// # Panics
    /// Where the stack is full.
    pub fn push(&mut self, left: usize, seed: &Seed) {
        let at = self.lengths[left];
        assert!(at < CHUNK, "more than a chunk of seeds");
        for (field, word) in Self::fields(&mut self.words)[left].iter_mut().zip(seed.words()) {
            field[at] = W::truncated(word);
        }
        self.lengths[left] = at + 1;
    }

    /// Takes up to a chunk of partial placements with `left` rows empty, and gives them as the parents
    /// together with the stack that their children go to.
    pub fn pop(&mut self, left: usize) -> (Parents<'_, W>, Children<'_, W>) {
        let end = self.lengths[left];
        let start = end.saturating_sub(CHUNK);
        self.lengths[left] = start;
        let (lower, upper) = Self::fields(&mut self.words).split_at_mut(left);
        let parents = &mut upper[0];
        // Behind the last parent a board without a free column: lanes that get it are exhausted, and
        // take no further parent however often they are offered one.
        parents[0][end..end + 2 * MOST_LANES].fill(W::truncated(u32::MAX));
        let at = self.lengths[left - 1];
        let children =
            Children { fields: &mut lower[left - 1], length: &mut self.lengths[left - 1], at };
        (Parents { fields: parents, at: start, end }, children)
    }
}

impl<W: Word> Drop for Stacks<W> {
    fn drop(&mut self) {
        let words = std::mem::take(&mut self.words);
        // A thread that comes to its end may have given up what it kept.
        let _ = W::kept().try_with(|kept| kept.set(words));
    }
}

/// The parents of a chunk, in the order in which lanes take them.
pub struct Parents<'a, W> {
    fields: &'a Fields<W>,
    at: usize,
    end: usize,
}

impl<W: Word> Parents<'_, W> {
    /// Whether every parent has been taken.
    #[inline(always)]
    pub fn are_taken(&self) -> bool {
        self.at >= self.end
    }

    /// Gives the next parents to the lanes of `exhausted`, one each.
    #[inline(always)]
    pub fn give<B: Body<Word = W>>(
        &mut self,
        body: B,
        exhausted: u32,
        spread: B::Spread,
        fields: &mut [B::Vector; FIELDS],
    ) {
        for (vector, from) in fields.iter_mut().zip(self.fields) {
            *vector = body.load_spread(spread, *vector, &from[self.at..]);
        }
        self.at += exhausted.count_ones() as usize;
    }
}

/// The stack that the children of a chunk go to.
pub struct Children<'a, W> {
    fields: &'a mut Fields<W>,
    length: &'a mut usize,
    at: usize,
}

impl<W: Word> Children<'_, W> {
    /// Adds the children in the lanes of `alive`.
    #[inline(always)]
    pub fn add<B: Body<Word = W>>(&mut self, body: B, alive: u32, children: &[B::Vector; FIELDS]) {
        let squeeze = body.squeeze(alive);
        for (to, &vector) in self.fields.iter_mut().zip(children) {
            body.store_squeezed(squeeze, vector, &mut to[self.at..]);
        }
        self.at += alive.count_ones() as usize;
    }

    /// Ends the chunk: how many children were added.
    #[inline(always)]
    pub fn finish(self) -> u64 {
        let added = self.at - *self.length;
        *self.length = self.at;
        added as u64
    }
}
