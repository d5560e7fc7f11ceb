//! The order of variants in the rounds: Latin squares, freshly drawn.
//!
//! As many rounds as there are variants make a square, in which each variant takes each place once, and in
//! which each variant goes before each other one as often as after it. A drift of the machine that goes on
//! through the rounds, or an after-effect of the variant that went before, then falls on all alike.
//!
//! For an even number the square is one of Williams': from 0 in turn up and down, and the same moved on
//! round by round. The reverse of each of its rows is another of them, and each variant follows each other
//! one immediately once. (E. J. Williams, "Experimental Designs Balanced for the Estimation of Residual
//! Effects of Treatments", 1949.) For an odd number it is a cyclic square, and every second one is the
//! mirror image of the one before it. (R. A. Fisher, "The Arrangement of Field Experiments", 1926, is the
//! source of such designs.)

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// The order of `count` things in `round` (from 0): the same for the same seed. Things that are
/// arranged with other things in the same rounds take another `stream`.
#[must_use]
pub fn order(count: usize, round: u32, stream: u32, seed: u64) -> Vec<usize> {
    if count == 0 {
        return Vec::new();
    }
    let square = round / count as u32;
    let row = round as usize % count;
    let is_even = count.is_multiple_of(2);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    // A cyclic square and its mirror image are drawn together.
    let drawing = if is_even { square } else { square / 2 };
    random.set_stream(u64::from(stream) << 32 | u64::from(drawing));
    let (mut things, mut starts): (Vec<usize>, Vec<usize>) =
        ((0..count).collect(), (0..count).collect());
    things.shuffle(&mut random);
    starts.shuffle(&mut random);
    if is_even {
        let up_and_down = (0..count).map(|place| match place % 2 {
            0 => count - place / 2,
            _ => place.div_ceil(2),
        });
        return up_and_down.map(|step| things[(step + starts[row]) % count]).collect();
    }
    things.rotate_left(starts[row]);
    if square % 2 == 1 {
        things.reverse();
    }
    things
}

/// The fewest rounds that are at least `least` and a whole number of squares, where `mirrored` of such that
/// have their mirror images.
#[must_use]
pub fn whole_squares(count: usize, least: u32, mirrored: bool) -> u32 {
    let is_odd = !count.is_multiple_of(2);
    let size = (count.max(1) as u32) * if mirrored && is_odd { 2 } else { 1 };
    least.div_ceil(size).max(1) * size
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each variant takes each place equally often, and goes before each other one as often as
    /// after it.
    #[test]
    fn places_and_precedence_are_balanced() {
        for count in 1..=15 {
            let rounds = whole_squares(count, 12, true);
            let mut places = vec![vec![0; count]; count];
            let mut before = vec![vec![0; count]; count];
            for round in 0..rounds {
                let order = order(count, round, 8, 42);
                for (place, &thing) in order.iter().enumerate() {
                    places[thing][place] += 1;
                    for &later in &order[place + 1..] {
                        before[thing][later] += 1;
                    }
                }
            }
            let each = rounds as usize / count;
            assert!(places.iter().flatten().all(|&times| times == each), "{count}: {places:?}");
            for (a, of_a) in before.iter().enumerate() {
                for (b, &times) in of_a.iter().enumerate() {
                    assert_eq!(times, before[b][a], "{count}: {a} and {b}");
                }
            }
        }
    }

    #[test]
    fn squares_are_drawn_anew_and_the_same_for_the_same_seed() {
        let square = |first: u32, stream, seed| -> Vec<Vec<usize>> {
            (first..first + 6).map(|round| order(6, round, stream, seed)).collect()
        };
        assert_eq!(square(0, 8, 1), square(0, 8, 1));
        assert_ne!(square(0, 8, 1), square(0, 8, 2));
        assert_ne!(square(0, 8, 1), square(0, 9, 1));
        assert_ne!(square(0, 8, 1), square(12, 8, 1));
        assert_eq!(order(0, 3, 1, 1), Vec::<usize>::new());
    }

    #[test]
    fn rounds_are_whole_squares() {
        assert_eq!(whole_squares(7, 12, true), 14);
        assert_eq!(whole_squares(7, 7, false), 7);
        assert_eq!(whole_squares(3, 7, false), 9);
        assert_eq!(whole_squares(2, 12, true), 12);
        assert_eq!(whole_squares(14, 12, true), 14);
        assert_eq!(whole_squares(20, 12, true), 20);
        assert_eq!(whole_squares(21, 12, true), 42);
    }
}
