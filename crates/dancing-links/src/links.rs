//! The links: items, squares, and how an item is covered and uncovered.

/// The position of a node in the tables; 0 is the root of the list of items.
pub type Node = u32;

/// Items in a ring of which covered ones are left out, and below each item the ring of the squares that
/// still have it.
pub struct Links {
    /// Neighbours of an item among the items that must be covered; of a secondary item, itself.
    left: Vec<Node>,
    right: Vec<Node>,
    /// Neighbours in the ring of an item.
    up: Vec<Node>,
    down: Vec<Node>,
    /// The item of a node.
    item: Vec<Node>,
    /// The squares in the ring of an item.
    squares: Vec<u32>,
}

/// The nodes of a square: one for each of its four lines, one after another in the tables.
pub const LINES: u32 = 4;

impl Links {
    /// `primary` items that must be covered, then `secondary` ones that may be, from 1 on.
    pub fn new(primary: u32, secondary: u32) -> Self {
        let items = primary + secondary;
        let ring = |node: Node, step: Node| {
            if node <= primary { (node + step) % (primary + 1) } else { node }
        };
        let own: Vec<Node> = (0..=items).collect();
        Self {
            left: own.iter().map(|&node| ring(node, primary)).collect(),
            right: own.iter().map(|&node| ring(node, 1)).collect(),
            up: own.clone(),
            down: own.clone(),
            item: own,
            squares: vec![0; items as usize + 1],
        }
    }

    /// Adds a square with its four lines.
    pub fn add_square(&mut self, lines: [Node; LINES as usize]) {
        for item in lines {
            let node = self.item.len() as Node;
            let last = self.up[item as usize];
            self.up.push(last);
            self.down.push(item);
            self.item.push(item);
            self.down[last as usize] = node;
            self.up[item as usize] = node;
            self.squares[item as usize] += 1;
        }
    }

    /// The item with the fewest squares of those that must be covered, the first of several; nothing
    /// where all are covered.
    pub fn smallest(&self) -> Option<Node> {
        let mut smallest = None;
        let mut fewest = u32::MAX;
        let mut item = self.right[0];
        while item != 0 {
            let squares = self.squares[item as usize];
            if squares < fewest {
                (smallest, fewest) = (Some(item), squares);
                if squares == 0 {
                    break;
                }
            }
            item = self.right[item as usize];
        }
        smallest
    }

    /// The node below in the ring of an item, which ends at the item itself.
    #[inline(always)]
    pub fn below(&self, node: Node) -> Node {
        self.down[node as usize]
    }

    /// Covers the lines of the square of `node` but for the one that `node` stands in.
    pub fn cover_others(&mut self, node: Node, first_square: Node) {
        for other in others(node, first_square) {
            self.cover(self.item[other as usize], first_square);
        }
    }

    /// Undoes [`Links::cover_others`].
    pub fn uncover_others(&mut self, node: Node, first_square: Node) {
        for other in others(node, first_square).rev() {
            self.uncover(self.item[other as usize], first_square);
        }
    }

    /// Takes an item out of the ring of items, and its squares out of their other rings.
    pub fn cover(&mut self, item: Node, first_square: Node) {
        let (left, right) = (self.left[item as usize], self.right[item as usize]);
        self.right[left as usize] = right;
        self.left[right as usize] = left;
        let mut node = self.down[item as usize];
        while node != item {
            for other in others(node, first_square) {
                let (up, down) = (self.up[other as usize], self.down[other as usize]);
                self.down[up as usize] = down;
                self.up[down as usize] = up;
                self.squares[self.item[other as usize] as usize] -= 1;
            }
            node = self.down[node as usize];
        }
    }

    /// Undoes [`Links::cover`], step by step in the opposite order: what was taken out still knows
    /// where it stood.
    pub fn uncover(&mut self, item: Node, first_square: Node) {
        let mut node = self.up[item as usize];
        while node != item {
            for other in others(node, first_square).rev() {
                let (up, down) = (self.up[other as usize], self.down[other as usize]);
                self.squares[self.item[other as usize] as usize] += 1;
                self.down[up as usize] = other;
                self.up[down as usize] = other;
            }
            node = self.up[node as usize];
        }
        let (left, right) = (self.left[item as usize], self.right[item as usize]);
        self.right[left as usize] = item;
        self.left[right as usize] = item;
    }
}

/// The other nodes of a node's square, from the next one round to the one before.
#[inline(always)]
fn others(node: Node, first_square: Node) -> impl DoubleEndedIterator<Item = Node> {
    let place = (node - first_square) % LINES;
    let square = node - place;
    (1..LINES).map(move |step| square + (place + step) % LINES)
}
