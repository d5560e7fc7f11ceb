//! The known tables: what each count must be, exactly, up to order 27.
//!
//! From the On-Line Encyclopedia of Integer Sequences: A000170 (placements), A002562 (fundamental
//! placements), A032522 (placements that a half turn leaves as they are) and A033148 (that a
//! quarter turn does). A test checks that the four satisfy Burnside's identity at every order, so
//! a digit mistyped in one of them is found.

use crate::Order;

/// The largest order whose total is known.
pub const LARGEST: usize = 27;

/// A000170, orders 0 to 27.
const TOTAL: [u64; LARGEST + 1] = [
    1,
    1,
    0,
    0,
    2,
    10,
    4,
    40,
    92,
    352,
    724,
    2_680,
    14_200,
    73_712,
    365_596,
    2_279_184,
    14_772_512,
    95_815_104,
    666_090_624,
    4_968_057_848,
    39_029_188_884,
    314_666_222_712,
    2_691_008_701_644,
    24_233_937_684_440,
    227_514_171_973_736,
    2_207_893_435_808_352,
    22_317_699_616_364_044,
    234_907_967_154_122_528,
];

/// A002562, orders 1 to 27; the empty board's one placement stands for itself.
const FUNDAMENTAL: [u64; LARGEST + 1] = [
    1,
    1,
    0,
    0,
    1,
    2,
    1,
    6,
    12,
    46,
    92,
    341,
    1_787,
    9_233,
    45_752,
    285_053,
    1_846_955,
    11_977_939,
    83_263_591,
    621_012_754,
    4_878_666_808,
    39_333_324_973,
    336_376_244_042,
    3_029_242_658_210,
    28_439_272_956_934,
    275_986_683_743_434,
    2_789_712_466_510_289,
    29_363_495_934_315_694,
];

/// A032522, orders 1 to 27, and the empty board.
const HALF_TURN_SYMMETRIC: [u64; LARGEST + 1] = [
    1,
    1,
    0,
    0,
    2,
    2,
    4,
    8,
    4,
    16,
    12,
    48,
    80,
    136,
    420,
    1_240,
    3_000,
    8_152,
    18_104,
    44_184,
    144_620,
    375_664,
    1_250_692,
    3_581_240,
    11_675_080,
    34_132_592,
    115_718_268,
    320_403_024,
];

/// A033148, orders 1 to 27, and the empty board. Only orders 4k and 4k + 1 have any.
const QUARTER_TURN_SYMMETRIC: [u64; LARGEST + 1] = [
    1, 1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 8, 8, 0, 0, 64, 128, 0, 0, 480, 704, 0, 0, 3_328, 3_264, 0,
    0,
];

/// Nodes of the search tree of a variant that fills the board row by row without look-ahead,
/// orders 0 to 12: partial placements in which no two queens attack each other, the empty board
/// not counted. Orders 4, 8, 10 and 12 are published; the others were found by two searches that
/// share no code, one of them over permutations.
const ROW_BY_ROW_NODES: [u64; 13] =
    [0, 1, 2, 5, 16, 53, 152, 551, 2_056, 8_393, 35_538, 166_925, 856_188];

fn at(table: &[u64], order: Order) -> Option<u64> {
    table.get(order.get()).copied()
}

/// How many placements `order` has (A000170), where that is known.
#[must_use]
pub fn total(order: Order) -> Option<u64> {
    at(&TOTAL, order)
}

/// How many fundamental placements `order` has (A002562), where that is known.
#[must_use]
pub fn fundamental(order: Order) -> Option<u64> {
    at(&FUNDAMENTAL, order)
}

/// How many placements of `order` a half turn leaves as they are (A032522), where that is known.
#[must_use]
pub fn half_turn_symmetric(order: Order) -> Option<u64> {
    at(&HALF_TURN_SYMMETRIC, order)
}

/// How many placements of `order` a quarter turn leaves as they are (A033148), where that is known.
#[must_use]
pub fn quarter_turn_symmetric(order: Order) -> Option<u64> {
    at(&QUARTER_TURN_SYMMETRIC, order)
}

/// How many nodes the search tree of a row-by-row variant has at `order`, where that is known.
#[must_use]
pub fn row_by_row_nodes(order: Order) -> Option<u64> {
    at(&ROW_BY_ROW_NODES, order)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// COR-06 of the public reports: (total + half-turn + 2 × quarter-turn) / 8 for orders from 2.
    #[test]
    fn the_four_tables_satisfy_burnsides_identity() {
        for n in 2..=LARGEST {
            let order = Order::new(n).unwrap();
            let sum = total(order).unwrap()
                + half_turn_symmetric(order).unwrap()
                + 2 * quarter_turn_symmetric(order).unwrap();
            assert_eq!(sum % 8, 0, "order {n}");
            assert_eq!(fundamental(order), Some(sum / 8), "order {n}");
        }
    }

    #[test]
    fn only_orders_4k_and_4k_plus_1_have_quarter_turn_symmetric_placements() {
        for n in 2..=LARGEST {
            let found = quarter_turn_symmetric(Order::new(n).unwrap()).unwrap() > 0;
            assert!(!found || n % 4 < 2, "order {n}");
            // 8 and 9 are the last such orders without one.
            assert!(found || n % 4 >= 2 || n == 8 || n == 9, "order {n}");
        }
    }

    #[test]
    fn nothing_is_known_beyond_the_tables() {
        let beyond = Order::new(LARGEST + 1).unwrap();
        assert_eq!((total(beyond), fundamental(beyond)), (None, None));
    }
}
