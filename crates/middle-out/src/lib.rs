#![doc = include_str!("../SOURCE.md")]

mod search;

use queens::{About, Citation, Document, Tree, Variant, centre};

/// The variant.
pub static VARIANT: Variant = Variant::searching::<search::Search>(
    About {
        id: env!("CARGO_PKG_NAME"),
        summary: "bit sets from the centre row outwards, symmetry settled by weights and masks",
        complexity: "O(1) a node; O(N) memory and O(1) a group of prefixes",
        source: include_str!("../SOURCE.md"),
        follows: &[Citation { document: Document::D000, place: "the closing remark" }],
        recursive: true,
        tree: Tree::Own,
        largest_order: centre::LARGEST,
    },
    None,
);
