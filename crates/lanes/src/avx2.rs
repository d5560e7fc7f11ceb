//! The body for processors with AVX2: 256 bits, and tables that say where lanes go.

use std::arch::x86_64 as x86;
use std::arch::x86_64::{__m128i, __m256i};
use std::marker::PhantomData;

use crate::body::{Body, dispatch};
use crate::passes::{self, Chunk};

/// The body with AVX2, with 16 lanes of 16 bits or 8 lanes of 32 bits. There is a value of it only where
/// the processor has AVX2, BMI1, BMI2 and POPCNT.
#[derive(Clone, Copy, Debug)]
pub struct Avx2<W>(PhantomData<W>);

impl<W> Avx2<W> {
    /// The body, where the processor has what it needs.
    pub fn detected() -> Option<Self> {
        let has_it = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        has_it.then_some(Self(PhantomData))
    }
}

/// For each set of eight lanes, the lanes of the set one after another.
const SQUEEZED: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut lanes = 0;
    while lanes < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 8 {
            if lanes >> lane & 1 == 1 {
                table[lanes][at] = lane;
                at += 1;
            }
            lane += 1;
        }
        lanes += 1;
    }
    table
};

/// For each set of eight lanes, how many lanes of the set come before a lane.
const SPREAD: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut lanes = 0;
    while lanes < 256 {
        let (mut lane, mut before) = (0, 0);
        while lane < 8 {
            table[lanes][lane] = before;
            before += (lanes >> lane & 1) as u8;
            lane += 1;
        }
        lanes += 1;
    }
    table
};

/// A table for permutations of eight words of 32 bits.
const fn of_words(table: &[[u8; 8]; 256]) -> [[u32; 8]; 256] {
    let mut words = [[0; 8]; 256];
    let mut at = 0;
    while at < 256 * 8 {
        words[at / 8][at % 8] = table[at / 8][at % 8] as u32;
        at += 1;
    }
    words
}

/// A table for permutations of the bytes of eight words of 16 bits.
const fn of_bytes(table: &[[u8; 8]; 256]) -> [[u8; 16]; 256] {
    let mut bytes = [[0; 16]; 256];
    let mut at = 0;
    while at < 256 * 16 {
        bytes[at / 16][at % 16] = 2 * table[at / 16][at % 16 / 2] + (at % 2) as u8;
        at += 1;
    }
    bytes
}

static SQUEEZED_WORDS: [[u32; 8]; 256] = of_words(&SQUEEZED);
static SPREAD_WORDS: [[u32; 8]; 256] = of_words(&SPREAD);
static SQUEEZED_BYTES: [[u8; 16]; 256] = of_bytes(&SQUEEZED);
static SPREAD_BYTES: [[u8; 16]; 256] = of_bytes(&SPREAD);

/// The set of each lane alone.
static BITS_OF_WORDS: [u32; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
static BITS_OF_HALVES: [u16; 16] = {
    let mut bits = [0; 16];
    let mut lane = 0;
    while lane < 16 {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

/// Where the words of 32 bits go that are loaded into some lanes.
#[derive(Clone, Copy)]
pub struct SpreadWords {
    lanes: __m256i,
    from: __m256i,
}

/// Where the words of 16 bits go that are loaded into some lanes: each half of the vector takes words of
/// its own, the upper half those that the lower one leaves.
#[derive(Clone, Copy)]
pub struct SpreadHalves {
    lanes: __m256i,
    lower: __m128i,
    upper: __m128i,
    in_lower: usize,
}

/// Where the lanes of 16 bits go that are stored without gaps, half by half.
#[derive(Clone, Copy)]
pub struct SqueezeHalves {
    lower: __m128i,
    upper: __m128i,
    in_lower: usize,
}

/// Loads eight words.
#[inline(always)]
fn load_words(words: &[u16]) -> __m128i {
    let words = &words[..8];
    // SAFETY: the slice has 16 bytes, and the load needs no alignment. It needs SSE2, which is part of every
    // processor of this kind.
    unsafe { x86::_mm_loadu_si128(words.as_ptr().cast()) }
}

/// Loads a row of a table.
#[inline(always)]
fn load_bytes(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: as in `load_words`.
    unsafe { x86::_mm_loadu_si128(bytes.as_ptr().cast()) }
}

macro_rules! avx2 {
    ($word:ty, $signed:ty, $squeeze:ty, $spread:ty, $set1:ident, $sub:ident, $add:ident,
     $srl1:ident, $sll:ident, $srl:ident, $min:ident, $equal:ident, { $($own:item)* }) => {
        impl Body for Avx2<$word> {
            type Word = $word;
            type Vector = __m256i;
            type Live = __m256i;
            type Squeeze = $squeeze;
            type Spread = $spread;

            const LANES: usize = 256 / <$word>::BITS as usize;

            #[inline(always)]
            fn splat(self, word: $word) -> __m256i {
                // SAFETY: a value of this type exists only where the processor has AVX2, which is all
                // that this instruction and those below need.
                unsafe { x86::$set1(word.cast_signed()) }
            }

            #[inline(always)]
            fn load(self, from: &[$word]) -> __m256i {
                let from = &from[..Self::LANES];
                // SAFETY: as in `splat`; the slice has the vector's 32 bytes, and the load needs no
                // alignment.
                unsafe { x86::_mm256_loadu_si256(from.as_ptr().cast()) }
            }

            #[inline(always)]
            fn or(self, a: __m256i, b: __m256i) -> __m256i {
                // SAFETY: as in `splat`.
                unsafe { x86::_mm256_or_si256(a, b) }
            }

            #[inline(always)]
            fn and(self, a: __m256i, b: __m256i) -> __m256i {
                // SAFETY: as in `splat`.
                unsafe { x86::_mm256_and_si256(a, b) }
            }

            #[inline(always)]
            fn xor(self, a: __m256i, b: __m256i) -> __m256i {
                // SAFETY: as in `splat`.
                unsafe { x86::_mm256_xor_si256(a, b) }
            }

            #[inline(always)]
            fn and_not(self, a: __m256i, b: __m256i) -> __m256i {
                // SAFETY: as in `splat`.
                unsafe { x86::_mm256_andnot_si256(b, a) }
            }

            #[inline(always)]
            fn lowest(self, a: __m256i) -> __m256i {
                // SAFETY: as in `splat`.
                unsafe { x86::_mm256_and_si256(a, x86::$sub(x86::_mm256_setzero_si256(), a)) }
            }

            // More ports add than shift, so a shift up by one is an addition.
            #[inline(always)]
            fn raise(self, a: __m256i) -> __m256i {
                // SAFETY: as in `splat`.
                unsafe { x86::$add(a, a) }
            }

            #[inline(always)]
            fn lower(self, a: __m256i) -> __m256i {
                // SAFETY: as in `splat`.
                unsafe { x86::$srl1::<1>(a) }
            }

            #[inline(always)]
            fn raise_by(self, a: __m256i, by: u32) -> __m256i {
                // SAFETY: as in `splat`. A count of a lane's width or more gives 0.
                unsafe { x86::$sll(a, x86::_mm_cvtsi32_si128(by.cast_signed())) }
            }

            #[inline(always)]
            fn lower_by(self, a: __m256i, by: u32) -> __m256i {
                // SAFETY: as in `splat`. A count of a lane's width or more gives 0.
                unsafe { x86::$srl(a, x86::_mm_cvtsi32_si128(by.cast_signed())) }
            }

            #[inline(always)]
            fn live(self, a: __m256i) -> __m256i {
                a
            }

            // The least of all sets, taken as numbers, is empty as soon as one of them is.
            #[inline(always)]
            fn and_live(self, live: __m256i, a: __m256i) -> __m256i {
                // SAFETY: as in `splat`.
                unsafe { x86::$min(live, a) }
            }

            #[inline(always)]
            fn and_equal(self, live: __m256i, a: __m256i, b: __m256i) -> __m256i {
                // SAFETY: as in `splat`.
                unsafe { x86::_mm256_and_si256(live, x86::$equal(a, b)) }
            }

            $($own)*

            fn chunk(self, chunk: Chunk<'_, Self>) {
                #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
                fn run<const SHAPE: usize>(chunk: Chunk<'_, Avx2<$word>>) {
                    passes::run::<_, SHAPE>(chunk);
                }
                // SAFETY: a value of this type exists only where the processor has these features.
                unsafe { dispatch!(chunk, run) }
            }
        }
    };
}

avx2!(
    u32,
    i32,
    __m256i,
    SpreadWords,
    _mm256_set1_epi32,
    _mm256_sub_epi32,
    _mm256_add_epi32,
    _mm256_srli_epi32,
    _mm256_sll_epi32,
    _mm256_srl_epi32,
    _mm256_min_epu32,
    _mm256_cmpeq_epi32,
    {
        #[inline(always)]
        fn lanes(self, live: __m256i) -> u32 {
            // SAFETY: as in `splat`.
            let empty = unsafe {
                let empty = x86::_mm256_cmpeq_epi32(live, x86::_mm256_setzero_si256());
                x86::_mm256_movemask_ps(x86::_mm256_castsi256_ps(empty))
            };
            !empty.cast_unsigned() & 0xFF
        }

        #[inline(always)]
        fn squeeze(self, lanes: u32) -> __m256i {
            self.load(&SQUEEZED_WORDS[lanes as usize])
        }

        #[inline(always)]
        fn store_squeezed(self, from: __m256i, vector: __m256i, to: &mut [u32]) {
            let to = &mut to[..Self::LANES];
            // SAFETY: as in `splat`; the slice has the vector's 32 bytes, and the store needs no alignment.
            unsafe {
                let squeezed = x86::_mm256_permutevar8x32_epi32(vector, from);
                x86::_mm256_storeu_si256(to.as_mut_ptr().cast(), squeezed);
            }
        }

        #[inline(always)]
        fn spread(self, lanes: u32) -> SpreadWords {
            let bits = self.load(&BITS_OF_WORDS);
            // SAFETY: as in `splat`.
            let lanes_set = unsafe {
                x86::_mm256_cmpeq_epi32(x86::_mm256_and_si256(self.splat(lanes), bits), bits)
            };
            SpreadWords { lanes: lanes_set, from: self.load(&SPREAD_WORDS[lanes as usize]) }
        }

        #[inline(always)]
        fn load_spread(self, spread: SpreadWords, vector: __m256i, from: &[u32]) -> __m256i {
            // SAFETY: as in `splat`.
            let words = unsafe { x86::_mm256_permutevar8x32_epi32(self.load(from), spread.from) };
            self.replaced(spread, vector, words)
        }

        #[inline(always)]
        fn replaced(self, spread: SpreadWords, old: __m256i, new: __m256i) -> __m256i {
            // SAFETY: as in `splat`.
            unsafe { x86::_mm256_blendv_epi8(old, new, spread.lanes) }
        }
    }
);

avx2!(
    u16,
    i16,
    SqueezeHalves,
    SpreadHalves,
    _mm256_set1_epi16,
    _mm256_sub_epi16,
    _mm256_add_epi16,
    _mm256_srli_epi16,
    _mm256_sll_epi16,
    _mm256_srl_epi16,
    _mm256_min_epu16,
    _mm256_cmpeq_epi16,
    {
        #[inline(always)]
        fn lanes(self, live: __m256i) -> u32 {
            // SAFETY: as in `splat`.
            let empty = unsafe {
                let zero = x86::_mm256_setzero_si256();
                let empty = x86::_mm256_packs_epi16(x86::_mm256_cmpeq_epi16(live, zero), zero);
                x86::_mm256_movemask_epi8(empty).cast_unsigned()
            };
            // Each half was packed into its own lower bytes.
            !(empty | empty >> 8) & 0xFFFF
        }

        #[inline(always)]
        fn squeeze(self, lanes: u32) -> SqueezeHalves {
            let (lower, upper) = (lanes & 0xFF, lanes >> 8 & 0xFF);
            SqueezeHalves {
                lower: load_bytes(&SQUEEZED_BYTES[lower as usize]),
                upper: load_bytes(&SQUEEZED_BYTES[upper as usize]),
                in_lower: lower.count_ones() as usize,
            }
        }

        #[inline(always)]
        fn store_squeezed(self, squeeze: SqueezeHalves, vector: __m256i, to: &mut [u16]) {
            let to = &mut to[..Self::LANES];
            // SAFETY: as in `splat`; at most 8 words are in the lower half, so both stores of 8 words end
            // within the 16 of the slice, and they need no alignment.
            unsafe {
                let lower =
                    x86::_mm_shuffle_epi8(x86::_mm256_castsi256_si128(vector), squeeze.lower);
                let upper = x86::_mm256_extracti128_si256::<1>(vector);
                let upper = x86::_mm_shuffle_epi8(upper, squeeze.upper);
                x86::_mm_storeu_si128(to.as_mut_ptr().cast(), lower);
                x86::_mm_storeu_si128(to[squeeze.in_lower..][..8].as_mut_ptr().cast(), upper);
            }
        }

        #[inline(always)]
        fn spread(self, lanes: u32) -> SpreadHalves {
            let bits = self.load(&BITS_OF_HALVES);
            // SAFETY: as in `splat`.
            let lanes_set = unsafe {
                x86::_mm256_cmpeq_epi16(x86::_mm256_and_si256(self.splat(lanes as u16), bits), bits)
            };
            let (lower, upper) = (lanes & 0xFF, lanes >> 8 & 0xFF);
            SpreadHalves {
                lanes: lanes_set,
                lower: load_bytes(&SPREAD_BYTES[lower as usize]),
                upper: load_bytes(&SPREAD_BYTES[upper as usize]),
                in_lower: lower.count_ones() as usize,
            }
        }

        #[inline(always)]
        fn load_spread(self, spread: SpreadHalves, vector: __m256i, from: &[u16]) -> __m256i {
            let from = &from[..Self::LANES];
            // SAFETY: as in `splat`.
            let words = unsafe {
                let lower = x86::_mm_shuffle_epi8(load_words(from), spread.lower);
                let upper = load_words(&from[spread.in_lower..]);
                x86::_mm256_set_m128i(x86::_mm_shuffle_epi8(upper, spread.upper), lower)
            };
            self.replaced(spread, vector, words)
        }

        #[inline(always)]
        fn replaced(self, spread: SpreadHalves, old: __m256i, new: __m256i) -> __m256i {
            // SAFETY: as in `splat`.
            unsafe { x86::_mm256_blendv_epi8(old, new, spread.lanes) }
        }
    }
);
