//! The eight symmetries of the square, applied to placements.

/// The distinct images of a placement under the rotations and reflections of the board, in
/// ascending lexicographic order; the placement itself is among them.
///
/// There are 8, 4 or 2 of them, and 1 at orders 0 and 1.
#[must_use]
pub fn images(placement: &[u8]) -> Vec<Vec<u8>> {
    let mut images = Vec::with_capacity(8);
    let mut turned = placement.to_vec();
    for _ in 0..4 {
        images.push(mirrored(&turned));
        let quarter = quarter_turned(&turned);
        images.push(std::mem::replace(&mut turned, quarter));
    }
    images.sort_unstable();
    images.dedup();
    images
}

/// Whether turning the board by a half turn leaves the placement as it is.
#[must_use]
pub fn is_half_turn_symmetric(placement: &[u8]) -> bool {
    quarter_turned(&quarter_turned(placement)) == placement
}

/// Whether turning the board by a quarter turn leaves the placement as it is.
#[must_use]
pub fn is_quarter_turn_symmetric(placement: &[u8]) -> bool {
    quarter_turned(placement) == placement
}

/// Left and right exchanged.
fn mirrored(placement: &[u8]) -> Vec<u8> {
    let last = last_column(placement);
    placement.iter().map(|&column| last - column).collect()
}

/// The square at (row, column) moves to (column, N − 1 − row).
fn quarter_turned(placement: &[u8]) -> Vec<u8> {
    let mut turned = vec![0; placement.len()];
    for (new_column, &column) in (0..=last_column(placement)).rev().zip(placement) {
        turned[usize::from(column)] = new_column;
    }
    turned
}

/// The highest column of the board; of no account on the empty one, which has no queen.
fn last_column(placement: &[u8]) -> u8 {
    // An order fits a byte.
    placement.len().saturating_sub(1) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_small_boards() {
        assert_eq!(images(&[]), [Vec::<u8>::new()]);
        assert_eq!(images(&[0]), [vec![0]]);
        assert_eq!(images(&[1, 3, 0, 2]), [vec![1, 3, 0, 2], vec![2, 0, 3, 1]]);
        assert_eq!(images(&[0, 2, 4, 1, 3]).len(), 8);
    }

    #[test]
    fn four_quarter_turns_lead_back() {
        let placement = [0, 4, 7, 5, 2, 6, 1, 3];
        let mut turned = placement.to_vec();
        for _ in 0..4 {
            turned = quarter_turned(&turned);
        }
        assert_eq!(turned, placement);
        assert_eq!(quarter_turned(&[0, 2, 4, 1, 3]), [4, 1, 3, 0, 2]);
        assert!(is_quarter_turn_symmetric(&[1, 3, 0, 2]));
        assert!(is_half_turn_symmetric(&[1, 3, 0, 2]) && !is_half_turn_symmetric(&placement));
    }
}
