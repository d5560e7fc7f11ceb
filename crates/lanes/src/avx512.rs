//! The body for processors with AVX-512: 512 bits, and lanes that are compressed and expanded by one
//! instruction.

use std::arch::x86_64 as x86;
use std::arch::x86_64::__m512i;
use std::marker::PhantomData;

use crate::body::{Body, dispatch};
use crate::passes::{self, Chunk};

/// The body with AVX-512, with 32 lanes of 16 bits or 16 lanes of 32 bits. There is a value of it only
/// where the processor has the features F, BW and VBMI2 of AVX-512, BMI1, BMI2 and POPCNT.
#[derive(Clone, Copy, Debug)]
pub struct Avx512<W>(PhantomData<W>);

impl<W> Avx512<W> {
    /// The body, where the processor has what it needs.
    pub fn detected() -> Option<Self> {
        let has_it = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        has_it.then_some(Self(PhantomData))
    }
}

/// The numbers of the lanes.
static LANES_OF_16: [u16; 32] = {
    let mut lanes = [0; 32];
    let mut lane = 0;
    while lane < 32 {
        lanes[lane] = lane as u16;
        lane += 1;
    }
    lanes
};
static LANES_OF_32: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Where words go that are loaded into some lanes.
#[derive(Clone, Copy)]
pub struct Spread<M> {
    lanes: M,
    from: __m512i,
}

macro_rules! avx512 {
    ($word:ty, $signed:ty, $mask:ty, $lanes:ident, $set1:ident, $sub:ident, $add:ident, $srl1:ident,
     $sll:ident, $srl:ident, $test:ident, $mask_test:ident, $mask_equal:ident, $compress:ident,
     $expand:ident, $permute:ident, $mask_permute:ident, $blend:ident) => {
        impl Body for Avx512<$word> {
            type Word = $word;
            type Vector = __m512i;
            type Live = $mask;
            type Squeeze = __m512i;
            type Spread = Spread<$mask>;

            const LANES: usize = 512 / <$word>::BITS as usize;

            #[inline(always)]
            fn splat(self, word: $word) -> __m512i {
                // SAFETY: a value of this type exists only where the processor has AVX-512 F, BW and
                // VBMI2, which is all that this instruction and those below need.
                unsafe { x86::$set1(word.cast_signed()) }
            }

            #[inline(always)]
            fn load(self, from: &[$word]) -> __m512i {
                let from = &from[..Self::LANES];
                // SAFETY: as in `splat`; the slice has the vector's 64 bytes, and the load needs no
                // alignment.
                unsafe { x86::_mm512_loadu_si512(from.as_ptr().cast()) }
            }

            #[inline(always)]
            fn or(self, a: __m512i, b: __m512i) -> __m512i {
                // SAFETY: as in `splat`.
                unsafe { x86::_mm512_or_si512(a, b) }
            }

            #[inline(always)]
            fn and(self, a: __m512i, b: __m512i) -> __m512i {
                // SAFETY: as in `splat`.
                unsafe { x86::_mm512_and_si512(a, b) }
            }

            #[inline(always)]
            fn xor(self, a: __m512i, b: __m512i) -> __m512i {
                // SAFETY: as in `splat`.
                unsafe { x86::_mm512_xor_si512(a, b) }
            }

            #[inline(always)]
            fn and_not(self, a: __m512i, b: __m512i) -> __m512i {
                // SAFETY: as in `splat`.
                unsafe { x86::_mm512_andnot_si512(b, a) }
            }

            #[inline(always)]
            fn lowest(self, a: __m512i) -> __m512i {
                // SAFETY: as in `splat`.
                unsafe { x86::_mm512_and_si512(a, x86::$sub(x86::_mm512_setzero_si512(), a)) }
            }

            // More ports add than shift, so a shift up by one is an addition.
            #[inline(always)]
            fn raise(self, a: __m512i) -> __m512i {
                // SAFETY: as in `splat`.
                unsafe { x86::$add(a, a) }
            }

            #[inline(always)]
            fn lower(self, a: __m512i) -> __m512i {
                // SAFETY: as in `splat`.
                unsafe { x86::$srl1::<1>(a) }
            }

            #[inline(always)]
            fn raise_by(self, a: __m512i, by: u32) -> __m512i {
                // SAFETY: as in `splat`. A count of a lane's width or more gives 0.
                unsafe { x86::$sll(a, x86::_mm_cvtsi32_si128(by.cast_signed())) }
            }

            #[inline(always)]
            fn lower_by(self, a: __m512i, by: u32) -> __m512i {
                // SAFETY: as in `splat`. A count of a lane's width or more gives 0.
                unsafe { x86::$srl(a, x86::_mm_cvtsi32_si128(by.cast_signed())) }
            }

            #[inline(always)]
            fn live(self, a: __m512i) -> $mask {
                // SAFETY: as in `splat`.
                unsafe { x86::$test(a, a) }
            }

            #[inline(always)]
            fn and_live(self, live: $mask, a: __m512i) -> $mask {
                // SAFETY: as in `splat`.
                unsafe { x86::$mask_test(live, a, a) }
            }

            #[inline(always)]
            fn and_equal(self, live: $mask, a: __m512i, b: __m512i) -> $mask {
                // SAFETY: as in `splat`.
                unsafe { x86::$mask_equal(live, a, b) }
            }

            #[inline(always)]
            fn lanes(self, live: $mask) -> u32 {
                u32::from(live)
            }

            #[inline(always)]
            fn squeeze(self, lanes: u32) -> __m512i {
                // SAFETY: as in `splat`.
                unsafe { x86::$compress(lanes as $mask, self.load(&$lanes)) }
            }

            #[inline(always)]
            fn store_squeezed(self, from: __m512i, vector: __m512i, to: &mut [$word]) {
                let to = &mut to[..Self::LANES];
                // SAFETY: as in `splat`; the slice has the vector's 64 bytes, and the store needs no
                // alignment.
                unsafe {
                    let squeezed = x86::$permute(from, vector);
                    x86::_mm512_storeu_si512(to.as_mut_ptr().cast(), squeezed);
                }
            }

            #[inline(always)]
            fn spread(self, lanes: u32) -> Spread<$mask> {
                let lanes = lanes as $mask;
                // SAFETY: as in `splat`.
                Spread { lanes, from: unsafe { x86::$expand(lanes, self.load(&$lanes)) } }
            }

            #[inline(always)]
            fn load_spread(
                self,
                spread: Spread<$mask>,
                vector: __m512i,
                from: &[$word],
            ) -> __m512i {
                let words = self.load(from);
                // SAFETY: as in `splat`.
                unsafe { x86::$mask_permute(vector, spread.lanes, spread.from, words) }
            }

            #[inline(always)]
            fn replaced(self, spread: Spread<$mask>, old: __m512i, new: __m512i) -> __m512i {
                // SAFETY: as in `splat`.
                unsafe { x86::$blend(old, spread.lanes, new) }
            }

            fn chunk(self, chunk: Chunk<'_, Self>) {
                #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi1,bmi2,popcnt")]
                fn run<const SHAPE: usize>(chunk: Chunk<'_, Avx512<$word>>) {
                    passes::run::<_, SHAPE>(chunk);
                }
                // SAFETY: a value of this type exists only where all of these were detected.
                unsafe { dispatch!(chunk, run) }
            }
        }
    };
}

avx512!(
    u16,
    i16,
    u32,
    LANES_OF_16,
    _mm512_set1_epi16,
    _mm512_sub_epi16,
    _mm512_add_epi16,
    _mm512_srli_epi16,
    _mm512_sll_epi16,
    _mm512_srl_epi16,
    _mm512_test_epi16_mask,
    _mm512_mask_test_epi16_mask,
    _mm512_mask_cmpeq_epi16_mask,
    _mm512_maskz_compress_epi16,
    _mm512_maskz_expand_epi16,
    _mm512_permutexvar_epi16,
    _mm512_mask_permutexvar_epi16,
    _mm512_mask_mov_epi16
);
avx512!(
    u32,
    i32,
    u16,
    LANES_OF_32,
    _mm512_set1_epi32,
    _mm512_sub_epi32,
    _mm512_add_epi32,
    _mm512_srli_epi32,
    _mm512_sll_epi32,
    _mm512_srl_epi32,
    _mm512_test_epi32_mask,
    _mm512_mask_test_epi32_mask,
    _mm512_mask_cmpeq_epi32_mask,
    _mm512_maskz_compress_epi32,
    _mm512_maskz_expand_epi32,
    _mm512_permutexvar_epi32,
    _mm512_mask_permutexvar_epi32,
    _mm512_mask_mov_epi32
);
