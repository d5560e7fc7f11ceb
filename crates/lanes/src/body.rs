//! What a body is: a set of vector operations of one kind of processor.
//!
//! The passes are written once, over [`Body`]. A value of a body is a proof that the processor has what
//! the body needs: it is made by a test of the processor and by nothing else, so its methods are safe.

use std::cell::Cell;
use std::fmt::Debug;
use std::thread::LocalKey;

use crate::passes::Chunk;

/// A set of columns in one lane.
pub trait Word: Copy + Debug + Default + PartialEq + Send + Sync + 'static {
    /// The columns that a lane can hold.
    const COLUMNS: usize;

    /// The lowest columns of a set.
    fn truncated(set: u32) -> Self;

    /// The memory of this thread's last stacks, which the next ones take over.
    fn kept() -> &'static LocalKey<Cell<Vec<Self>>>;
}

impl Word for u16 {
    const COLUMNS: usize = 16;

    fn truncated(set: u32) -> Self {
        set as Self
    }

    fn kept() -> &'static LocalKey<Cell<Vec<Self>>> {
        thread_local!(static KEPT: Cell<Vec<u16>> = const { Cell::new(Vec::new()) });
        &KEPT
    }
}

impl Word for u32 {
    const COLUMNS: usize = 32;

    fn truncated(set: u32) -> Self {
        set
    }

    fn kept() -> &'static LocalKey<Cell<Vec<Self>>> {
        thread_local!(static KEPT: Cell<Vec<u32>> = const { Cell::new(Vec::new()) });
        &KEPT
    }
}

/// The vector operations of one kind of processor, with lanes of one width. Every operation works on
/// each lane alone. A set of lanes is a `u32`, bit `i` for lane `i`.
pub trait Body: Copy {
    /// What a lane holds.
    type Word: Word;
    /// A word for each lane.
    type Vector: Copy;
    /// Which lanes are alive, in the form in which that is found out cheapest.
    type Live: Copy;
    /// Where lanes go when they are stored without gaps.
    type Squeeze: Copy;
    /// Where words go when they are loaded into some lanes.
    type Spread: Copy;

    /// How many lanes there are: at most [`crate::stacks::MOST_LANES`].
    const LANES: usize;

    /// The same word in each lane.
    fn splat(self, word: Self::Word) -> Self::Vector;
    /// The words that `from` begins with, one a lane.
    fn load(self, from: &[Self::Word]) -> Self::Vector;

    /// Columns of either set.
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Columns of both sets.
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Columns of one set alone.
    fn xor(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Columns of `a` that `b` has not.
    fn and_not(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The lowest column alone.
    fn lowest(self, a: Self::Vector) -> Self::Vector;
    /// Every column moved by one to the next higher one.
    fn raise(self, a: Self::Vector) -> Self::Vector;
    /// Every column moved by one to the next lower one.
    fn lower(self, a: Self::Vector) -> Self::Vector;
    /// Every column moved up by `by`, which may be more than a lane has.
    fn raise_by(self, a: Self::Vector, by: u32) -> Self::Vector;
    /// Every column moved down by `by`, which may be more than a lane has.
    fn lower_by(self, a: Self::Vector, by: u32) -> Self::Vector;

    /// Alive are the lanes whose set is not empty.
    fn live(self, a: Self::Vector) -> Self::Live;
    /// Of those the lanes whose set is not empty either.
    fn and_live(self, live: Self::Live, a: Self::Vector) -> Self::Live;
    /// Of those the lanes whose two sets are the same.
    fn and_equal(self, live: Self::Live, a: Self::Vector, b: Self::Vector) -> Self::Live;
    /// The lanes that are alive.
    fn lanes(self, live: Self::Live) -> u32;

    /// How the lanes of a set are stored one after another.
    fn squeeze(self, lanes: u32) -> Self::Squeeze;
    /// Writes the lanes of the set to the beginning of `to`; what is behind them, up to [`Body::LANES`]
    /// words in all, is overwritten with anything.
    fn store_squeezed(self, squeeze: Self::Squeeze, vector: Self::Vector, to: &mut [Self::Word]);

    /// How words that follow each other are loaded into the lanes of a set.
    fn spread(self, lanes: u32) -> Self::Spread;
    /// The lanes of the set get the first words of `from`, the others keep theirs. `from` has at least
    /// [`Body::LANES`] words.
    fn load_spread(
        self,
        spread: Self::Spread,
        vector: Self::Vector,
        from: &[Self::Word],
    ) -> Self::Vector;
    /// The lanes of the set have `new`, the others keep theirs.
    fn replaced(self, spread: Self::Spread, old: Self::Vector, new: Self::Vector) -> Self::Vector;

    /// Runs the passes of a chunk, compiled for this kind of processor.
    fn chunk(self, chunk: Chunk<'_, Self>);
}

/// Which function compiled for a body runs a chunk: by how many rows are empty in its children, in as many
/// copies as [`crate::passes::shape`] tells apart.
macro_rules! dispatch {
    ($chunk:ident, $run:ident) => {
        match crate::passes::shape($chunk.left) {
            2 => $run::<2>($chunk),
            3 => $run::<3>($chunk),
            4 => $run::<4>($chunk),
            5 => $run::<5>($chunk),
            6 => $run::<6>($chunk),
            7 => $run::<7>($chunk),
            8 => $run::<8>($chunk),
            9 => $run::<9>($chunk),
            10 => $run::<10>($chunk),
            11 => $run::<11>($chunk),
            shape => unreachable!("no pass leaves {shape} rows"),
        }
    };
}
pub(crate) use dispatch;
