//! The passes: one queen placed in every lane at once, without a branch.

use queens::centre;

use crate::body::{Body, Word};
use crate::stacks::{Children, FIELDS, Parents};

/// Up to so many empty rows, all of them are looked at before a child is kept; above it, only the next
/// one. Fewer rows let more dead children through, more are looked at in vain.
pub const FULL: usize = 9;

/// What a chunk needs besides its lanes.
pub struct Chunk<'a, B: Body> {
    /// The body that it is run on.
    pub body: B,
    /// The order's number of rows.
    pub size: usize,
    /// How many rows are empty in a child.
    pub left: usize,
    /// The columns that each row may use, by row from the top.
    pub allowed: &'a [B::Word],
    /// The parents.
    pub parents: Parents<'a, B::Word>,
    /// Where the children go.
    pub children: Children<'a, B::Word>,
    /// What was found.
    pub found: &'a mut Found,
}

/// What chunks found, weights not regarded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Children that were kept, by how many rows they left empty.
    pub nodes: Vec<u64>,
    /// Placements. A chunk adds at most two for each of its some thousand children, so its own sum is far
    /// from what 64 bits hold, and 128 bits hold more than any search can find.
    pub placements: u128,
}

/// Which copy of the passes a chunk needs whose children have `left` rows empty: a number with the same
/// meaning as `left` where every row is looked at, and otherwise one of the same parity, which says
/// from which side the row is filled.
pub const fn shape(left: usize) -> usize {
    if left <= FULL { left } else { FULL + 1 + (left - FULL - 1) % 2 }
}

/// A parent in each lane, and its free columns in the row that is filled.
struct Lanes<B: Body> {
    fields: [B::Vector; FIELDS],
    free: B::Vector,
}

/// The children that a pass forms, before they are looked at.
struct Born<B: Body> {
    queen: B::Vector,
    columns: B::Vector,
    above: Front<B::Vector>,
    below: Front<B::Vector>,
}

/// The columns that diagonals attack in the row next to the filled ones.
#[derive(Clone, Copy)]
struct Front<V> {
    left: V,
    right: V,
}

/// What stays the same for all passes of a chunk.
struct Board<'a, B: Body> {
    body: B,
    size: usize,
    /// The columns that each row may use, by row from the top.
    allowed: &'a [B::Word],
    /// The columns that the row may use that is filled after this one.
    allowed_next: B::Vector,
    /// Every column.
    all: B::Vector,
    /// The first and the last column.
    corners: B::Vector,
    /// How many rows the other front is away.
    distance: u32,
}

/// Runs a chunk to its end. Two sets of lanes take their parents in turn, so that one can be worked on
/// while the other waits for its own results.
#[inline(always)]
pub fn run<B: Body, const SHAPE: usize>(chunk: Chunk<'_, B>) {
    let Chunk { body, size, left, allowed, mut parents, mut children, found } = chunk;
    let board = Board {
        body,
        size,
        allowed,
        allowed_next: allowed_in(body, allowed, centre::row(size, left)),
        all: body.splat(B::Word::truncated(u32::MAX >> (32 - size))),
        corners: body.splat(B::Word::truncated(1 | 1 << (size - 1))),
        distance: (size - left) as u32,
    };
    let allowed_now = allowed_in(body, allowed, centre::row(size, left + 1));
    let (mut first, mut second) = (Lanes::empty(body), Lanes::empty(body));
    let (mut kept, mut placements) = (0, 0);
    // (5)
    while !parents.are_taken() {
        first.refill::<SHAPE>(body, &mut parents, allowed_now);
        second.refill::<SHAPE>(body, &mut parents, allowed_now);
        board.pass::<SHAPE>(&mut first, &mut children, &mut kept, &mut placements);
        board.pass::<SHAPE>(&mut second, &mut children, &mut kept, &mut placements);
    }
    // (9)
    while !first.are_exhausted(body) || !second.are_exhausted(body) {
        board.pass::<SHAPE>(&mut first, &mut children, &mut kept, &mut placements);
        board.pass::<SHAPE>(&mut second, &mut children, &mut kept, &mut placements);
    }
    found.nodes[left] += kept + children.finish();
    found.placements += u128::from(placements);
}

/// Whether the row that is filled is above the filled ones.
const fn upwards(shape: usize) -> bool {
    centre::fills_upwards(shape + 1)
}

impl<B: Body> Lanes<B> {
    /// Lanes that are exhausted.
    #[inline(always)]
    fn empty(body: B) -> Self {
        let nothing = body.splat(B::Word::default());
        Self { fields: [nothing; FIELDS], free: nothing }
    }

    /// Whether no lane has a free column left.
    #[inline(always)]
    fn are_exhausted(&self, body: B) -> bool {
        body.lanes(body.live(self.free)) == 0
    }

    /// Gives the lanes that have no free column left the next parents.
    #[inline(always)]
    fn refill<const SHAPE: usize>(
        &mut self,
        body: B,
        parents: &mut Parents<'_, B::Word>,
        allowed: B::Vector,
    ) {
        let every = u32::MAX >> (32 - B::LANES);
        let exhausted = !body.lanes(body.live(self.free)) & every;
        let spread = body.spread(exhausted);
        parents.give(body, exhausted, spread, &mut self.fields);
        let [columns, above_left, above_right, below_left, below_right] = self.fields;
        let (left, right) =
            if upwards(SHAPE) { (above_left, above_right) } else { (below_left, below_right) };
        let taken = body.or(columns, body.or(left, right));
        self.free = body.replaced(spread, self.free, body.and_not(allowed, taken));
    }
}

impl<B: Body> Born<B> {
    #[inline(always)]
    fn fields(&self) -> [B::Vector; FIELDS] {
        [self.columns, self.above.left, self.above.right, self.below.left, self.below.right]
    }
}

impl<V: Copy> Front<V> {
    /// The front one row further out, once `queen` stands in this one.
    #[inline(always)]
    fn moved<B: Body<Vector = V>>(self, body: B, queen: V) -> Self {
        let left = body.lower(body.or(self.left, queen));
        Self { left, right: body.raise(body.or(self.right, queen)) }
    }

    /// The same diagonals one row further out.
    #[inline(always)]
    fn outwards<B: Body<Vector = V>>(self, body: B) -> Self {
        Self { left: body.lower(self.left), right: body.raise(self.right) }
    }

    /// The front with a queen on the far side of the filled rows, `distance` rows away.
    #[inline(always)]
    fn facing<B: Body<Vector = V>>(self, body: B, queen: V, distance: u32) -> Self {
        let left = body.or(self.left, body.lower_by(queen, distance));
        Self { left, right: body.or(self.right, body.raise_by(queen, distance)) }
    }
}

impl<B: Body> Board<'_, B> {
    /// Puts a queen into every lane, and keeps the children that may be completed; where they leave two
    /// rows empty, counts them and the placements that they have.
    #[inline(always)]
    fn pass<const SHAPE: usize>(
        &self,
        lanes: &mut Lanes<B>,
        children: &mut Children<'_, B::Word>,
        kept: &mut u64,
        placements: &mut u64,
    ) {
        let born = self.place::<SHAPE>(lanes);
        if SHAPE == 2 {
            let (alive, completed) = self.complete(&born);
            *kept += u64::from(alive.count_ones());
            *placements += u64::from(completed);
        } else {
            children.add(self.body, self.alive::<SHAPE>(&born), &born.fields());
        }
    }

    /// Puts a queen on the lowest free column of each lane.
    #[inline(always)]
    fn place<const SHAPE: usize>(&self, lanes: &mut Lanes<B>) -> Born<B> {
        // (6)
        let (body, distance) = (self.body, self.distance);
        let queen = body.lowest(lanes.free);
        lanes.free = body.xor(lanes.free, queen);
        let [columns, above_left, above_right, below_left, below_right] = lanes.fields;
        let columns = body.or(columns, queen);
        let above = Front { left: above_left, right: above_right };
        let below = Front { left: below_left, right: below_right };
        let (above, below) = if upwards(SHAPE) {
            (above.moved(body, queen), below.facing(body, queen, distance))
        } else {
            (above.facing(body, queen, distance), below.moved(body, queen))
        };
        Born { queen, columns, above, below }
    }

    /// The columns of a child that are free in the row of a front.
    #[inline(always)]
    fn free(&self, born: &Born<B>, front: Front<B::Vector>, allowed: B::Vector) -> B::Vector {
        let taken = self.body.or(born.columns, self.body.or(front.left, front.right));
        self.body.and_not(allowed, taken)
    }

    /// The lanes whose child may still be completed, as far as that is looked at.
    #[inline(always)]
    fn alive<const SHAPE: usize>(&self, born: &Born<B>) -> u32 {
        let body = self.body;
        // A lane without a queen was exhausted.
        let mut live = body.live(born.queen);
        // (7)
        if SHAPE > FULL {
            let front = if upwards(SHAPE) { born.below } else { born.above };
            return body.lanes(body.and_live(live, self.free(born, front, self.allowed_next)));
        }
        let (rows_above, rows_below) = (SHAPE / 2, SHAPE - SHAPE / 2);
        let (mut above, mut below) = (born.above, born.below);
        let mut covered = born.columns;
        for step in 0..rows_below {
            if step < rows_above {
                let allowed = allowed_in(body, self.allowed, rows_above - 1 - step);
                let free = self.free(born, above, allowed);
                live = body.and_live(live, free);
                covered = body.or(covered, free);
                above = above.outwards(body);
            }
            let allowed = allowed_in(body, self.allowed, self.size - rows_below + step);
            let free = self.free(born, below, allowed);
            live = body.and_live(live, free);
            covered = body.or(covered, free);
            below = below.outwards(body);
        }
        body.lanes(body.and_equal(live, covered, self.all))
    }

    /// The lanes whose child may be completed, and how many placements they have, when the first and the
    /// last row alone are empty.
    #[inline(always)]
    fn complete(&self, born: &Born<B>) -> (u32, u32) {
        // (8)
        let body = self.body;
        let first = self.free(born, born.above, allowed_in(body, self.allowed, 0));
        let last = self.free(born, born.below, allowed_in(body, self.allowed, self.size - 1));
        let open = body.xor(born.columns, self.all);
        let low = body.lowest(open);
        let high = body.xor(open, low);
        let live = body.live(born.queen);
        let one_way = self.both(live, body.and(first, low), body.and(last, high));
        let other_way = self.both(live, body.and(first, high), body.and(last, low));
        // Queens in opposite corners attack each other.
        let opposite = body.lanes(body.and_equal(live, open, self.corners));
        let placements = (one_way & !opposite).count_ones() + (other_way & !opposite).count_ones();
        let live_rows = body.and_live(body.and_live(live, first), last);
        let alive = body.lanes(body.and_equal(live_rows, body.or(first, last), open));
        (alive, placements)
    }

    /// The lanes in which neither set is empty.
    #[inline(always)]
    fn both(&self, live: B::Live, a: B::Vector, b: B::Vector) -> u32 {
        let body = self.body;
        body.lanes(body.and_live(body.and_live(live, a), b))
    }
}

/// The columns that a row may use.
#[inline(always)]
fn allowed_in<B: Body>(body: B, allowed: &[B::Word], row: usize) -> B::Vector {
    body.load(&allowed[row * B::LANES..])
}
