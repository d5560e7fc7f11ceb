//! The body for processors of which nothing is known: lanes are the words of an array, and the compiler
//! makes of it what vectors the target has.

use std::array::from_fn;
use std::marker::PhantomData;

use crate::body::{Body, dispatch};
use crate::passes::{self, Chunk};

/// The portable body, with 8 lanes of either width.
#[derive(Clone, Copy, Debug)]
pub struct Portable<W>(PhantomData<W>);

impl<W> Portable<W> {
    /// It runs anywhere.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

const LANES: usize = 8;

macro_rules! portable {
    ($word:ty) => {
        impl Body for Portable<$word> {
            type Word = $word;
            type Vector = [$word; LANES];
            type Live = [$word; LANES];
            type Squeeze = u32;
            type Spread = u32;

            const LANES: usize = LANES;

            #[inline(always)]
            fn splat(self, word: $word) -> Self::Vector {
                [word; LANES]
            }

            #[inline(always)]
            fn load(self, from: &[$word]) -> Self::Vector {
                from_fn(|lane| from[..LANES][lane])
            }

            #[inline(always)]
            fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
                from_fn(|lane| a[lane] | b[lane])
            }

            #[inline(always)]
            fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
                from_fn(|lane| a[lane] & b[lane])
            }

            #[inline(always)]
            fn xor(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
                from_fn(|lane| a[lane] ^ b[lane])
            }

            #[inline(always)]
            fn and_not(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
                from_fn(|lane| a[lane] & !b[lane])
            }

            #[inline(always)]
            fn lowest(self, a: Self::Vector) -> Self::Vector {
                from_fn(|lane| a[lane] & a[lane].wrapping_neg())
            }

            #[inline(always)]
            fn raise(self, a: Self::Vector) -> Self::Vector {
                from_fn(|lane| a[lane] << 1)
            }

            #[inline(always)]
            fn lower(self, a: Self::Vector) -> Self::Vector {
                from_fn(|lane| a[lane] >> 1)
            }

            #[inline(always)]
            fn raise_by(self, a: Self::Vector, by: u32) -> Self::Vector {
                from_fn(|lane| a[lane].unbounded_shl(by))
            }

            #[inline(always)]
            fn lower_by(self, a: Self::Vector, by: u32) -> Self::Vector {
                from_fn(|lane| a[lane].unbounded_shr(by))
            }

            #[inline(always)]
            fn live(self, a: Self::Vector) -> Self::Live {
                a
            }

            // The least of all sets, taken as numbers, is empty as soon as one of them is.
            #[inline(always)]
            fn and_live(self, live: Self::Live, a: Self::Vector) -> Self::Live {
                from_fn(|lane| live[lane].min(a[lane]))
            }

            #[inline(always)]
            fn and_equal(self, live: Self::Live, a: Self::Vector, b: Self::Vector) -> Self::Live {
                from_fn(|lane| if a[lane] == b[lane] { live[lane] } else { 0 })
            }

            #[inline(always)]
            fn lanes(self, live: Self::Live) -> u32 {
                let mut lanes = 0;
                for lane in 0..LANES {
                    lanes |= u32::from(live[lane] != 0) << lane;
                }
                lanes
            }

            #[inline(always)]
            fn squeeze(self, lanes: u32) -> u32 {
                lanes
            }

            #[inline(always)]
            fn store_squeezed(self, lanes: u32, vector: Self::Vector, to: &mut [$word]) {
                let to = &mut to[..LANES];
                let mut at = 0;
                for lane in 0..LANES {
                    // Written whether it stays or not; the next one that stays overwrites it.
                    to[at] = vector[lane];
                    at += (lanes >> lane & 1) as usize;
                }
            }

            #[inline(always)]
            fn spread(self, lanes: u32) -> u32 {
                lanes
            }

            #[inline(always)]
            fn load_spread(self, lanes: u32, vector: Self::Vector, from: &[$word]) -> Self::Vector {
                let from = &from[..LANES];
                let mut at = 0;
                from_fn(|lane| {
                    let wanted = lanes >> lane & 1;
                    let word = if wanted == 1 { from[at] } else { vector[lane] };
                    at += wanted as usize;
                    word
                })
            }

            #[inline(always)]
            fn replaced(self, lanes: u32, old: Self::Vector, new: Self::Vector) -> Self::Vector {
                from_fn(|lane| if lanes >> lane & 1 == 1 { new[lane] } else { old[lane] })
            }

            fn chunk(self, chunk: Chunk<'_, Self>) {
                fn run<const SHAPE: usize>(chunk: Chunk<'_, Portable<$word>>) {
                    passes::run::<_, SHAPE>(chunk);
                }
                dispatch!(chunk, run);
            }
        }
    };
}

portable!(u16);
portable!(u32);
