//! The search: Knuth's algorithm X with links that dance.

use queens::{Observer, Order};

use crate::links::{Links, Node};

/// Visits every placement of `order`, in no particular order.
pub struct Search;

impl queens::Search for Search {
    fn search<O: Observer>(order: Order, observer: &mut O) {
        let size = order.get() as u32;
        if size == 0 {
            observer.placement_complete(1);
            return;
        }
        // (1)
        let diagonals = 2 * size - 1;
        let mut links = Links::new(2 * size, 2 * diagonals);
        let first_square = 1 + 2 * size + 2 * diagonals;
        // (2)
        for row in 0..size {
            for column in 0..size {
                let rising = 1 + 2 * size + row + column;
                let falling = 1 + 2 * size + diagonals + row + size - 1 - column;
                links.add_square([1 + row, 1 + size + column, rising, falling]);
            }
        }
        cover(0, &mut links, first_square, observer);
    }
}

/// Covers what is not covered yet, in every way; `queens` are on the board.
fn cover<O: Observer>(queens: usize, links: &mut Links, first_square: Node, observer: &mut O) {
    // (3)
    let Some(item) = links.smallest() else {
        observer.placement_complete(1);
        return;
    };
    // (4)
    links.cover(item, first_square);
    let mut node = links.below(item);
    while node != item {
        // (5)
        links.cover_others(node, first_square);
        observer.queen_placed(queens, 0);
        cover(queens + 1, links, first_square, observer);
        // (6)
        links.uncover_others(node, first_square);
        node = links.below(node);
    }
    links.uncover(item, first_square);
}
