//! The weight of a complete placement: how it compares with its images, without storing them.

use std::cmp::Ordering;

use queens::Order;

/// The columns of a placement by row, and its rows by column: what every image is read from.
struct Placement<'a> {
    columns: &'a [u8],
    rows: &'a [u8],
}

/// The number of distinct images of a placement, or nothing where one of them comes before it in
/// lexicographic order: then that one stands for the eight.
///
/// The search never comes here with a placement whose first queen stands in the right half, so the
/// reflection that exchanges left and right, which moves her there, needs no look.
pub fn weight(columns: &[u8]) -> Option<u32> {
    let size = columns.len();
    let mut rows = [0; Order::MAX.get()];
    for (row, &column) in (0..).zip(columns) {
        rows[usize::from(column)] = row;
    }
    let placement = Placement { columns, rows: &rows[..size] };
    let mut alike = 1;
    for image in IMAGES {
        match placement.compare(image) {
            Ordering::Less => {}
            Ordering::Equal => alike += 1,
            Ordering::Greater => return None,
        }
    }
    Some(8 / alike)
}

/// An image: read by row or by column, from the first line or from the last, and each entry
/// counted from the near edge or from the far one.
#[derive(Clone, Copy)]
struct Image {
    by_column: bool,
    from_last: bool,
    from_far_edge: bool,
}

/// The images other than the placement itself and its reflection left to right.
const IMAGES: [Image; 6] = [
    Image { by_column: false, from_last: true, from_far_edge: false },
    Image { by_column: false, from_last: true, from_far_edge: true },
    Image { by_column: true, from_last: false, from_far_edge: false },
    Image { by_column: true, from_last: false, from_far_edge: true },
    Image { by_column: true, from_last: true, from_far_edge: false },
    Image { by_column: true, from_last: true, from_far_edge: true },
];

impl Placement<'_> {
    /// The placement against one of its images, in lexicographic order.
    fn compare(&self, image: Image) -> Ordering {
        let lines = if image.by_column { self.rows } else { self.columns };
        let last = lines.len() - 1;
        for (line, &own) in self.columns.iter().enumerate() {
            let entry = usize::from(lines[if image.from_last { last - line } else { line }]);
            let entry = if image.from_far_edge { last - entry } else { entry };
            let order = usize::from(own).cmp(&entry);
            if order.is_ne() {
                return order;
            }
        }
        Ordering::Equal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weighs_by_the_number_of_distinct_images() {
        assert_eq!(weight(&[1, 3, 0, 2]), Some(2));
        assert_eq!(weight(&[1, 3, 5, 0, 2, 4]), Some(4));
        assert_eq!(weight(&[1, 3, 5, 7, 2, 0, 6, 4]), Some(8));
    }

    #[test]
    fn refuses_a_placement_with_an_earlier_image() {
        assert_eq!(weight(&[2, 5, 1, 4, 0, 3]), None);
        assert_eq!(weight(&[3, 1, 6, 2, 5, 7, 0, 4]), None);
    }
}
