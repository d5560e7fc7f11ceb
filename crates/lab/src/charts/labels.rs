//! Where the labels of curves stand that end before the others: near their ends, and on nothing else.

use super::scene::{Place, Rectangle};

/// What a label must not stand on, and its leader must not cross.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    /// Straight pieces of curves and of leaders.
    pub lines: Vec<(Place, Place)>,
    /// Points, and other labels.
    pub boxes: Vec<Rectangle>,
}

/// How far from the end of a curve its label may stand, in pixels, the nearest first.
const DISTANCES: [f64; 11] = [9.0, 14.0, 20.0, 28.0, 38.0, 50.0, 66.0, 86.0, 110.0, 135.0, 160.0];
/// Directions that are tried, as parts of a whole turn.
const DIRECTIONS: u32 = 24;
/// A label this near needs no leader.
const TOUCHING: f64 = 9.0;
/// What is this near to the end of a curve belongs to it, in pixels.
const CLOSE: f64 = 8.0;
/// Room around a label in pixels.
const ROOM: f64 = 1.5;

/// A label that has a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Label {
    /// Where it stands.
    pub area: Rectangle,
    /// The line to it from the end of its curve, where they are apart.
    pub leader: Option<(Place, Place)>,
}

/// The place for a label of a width and a height whose curves end at `ends`: within `frame`, as near to one
/// of them as can be, to the right rather than to the left and above rather than below. Where no other is
/// left, one whose leader crosses curves. Nothing where all are taken.
pub fn place(ends: &[Place], size: (f64, f64), frame: Rectangle, taken: &Taken) -> Option<Label> {
    let half = (size.0 / 2.0 + ROOM, size.1 / 2.0 + ROOM);
    let mut places: Vec<(f64, Label)> = Vec::new();
    for &end in ends {
        for direction in 0..DIRECTIONS {
            let angle = f64::from(direction) / f64::from(DIRECTIONS) * std::f64::consts::TAU;
            let (x, y) = (angle.cos(), -angle.sin());
            for distance in DISTANCES {
                // The side or corner that faces the end of the curve is at the distance.
                let centre = (end.0 + x * (distance + half.0), end.1 + y * (distance + half.1));
                let area =
                    [centre.0 - half.0, centre.1 - half.1, centre.0 + half.0, centre.1 + half.1];
                let leader = (distance > TOUCHING).then(|| (end, nearest(&area, end)));
                let worse = distance + 8.0 * (1.0 - x) + if y > 0.0 { 10.0 * y } else { 0.0 };
                places.push((worse, Label { area, leader }));
            }
        }
    }
    places.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let mut labels = places.into_iter().map(|(_, label)| label);
    let allowed = |label: &Label| is_free(label, ends, &frame, taken);
    let clear = |label: &Label| allowed(label) && crosses_nothing(label, ends, taken);
    labels.clone().find(clear).or_else(|| labels.find(allowed))
}

/// Whether a place is near to one of the ends, where a leader cannot keep clear of what it leads to.
fn is_end(ends: &[Place], place: Place) -> bool {
    ends.iter().any(|end| (place.0 - end.0).hypot(place.1 - end.1) <= CLOSE)
}

/// Whether no curve lies between a label and the ends that it is of.
fn crosses_nothing(label: &Label, ends: &[Place], taken: &Taken) -> bool {
    label.leader.is_none_or(|leader| {
        let apart = |line: &&(Place, Place)| !is_end(ends, line.0) && !is_end(ends, line.1);
        !taken.lines.iter().filter(apart).any(|&line| cross(leader, line))
    })
}

/// Whether a label stands on nothing, and its leader does not go through another label or a point.
fn is_free(label: &Label, ends: &[Place], frame: &Rectangle, taken: &Taken) -> bool {
    let Label { area, leader } = label;
    let inside =
        area[0] >= frame[0] && area[1] >= frame[1] && area[2] <= frame[2] && area[3] <= frame[3];
    let is_around_end =
        |other: &Rectangle| ends.iter().any(|&end| is_end(ends, nearest(other, end)));
    inside
        && taken.boxes.iter().all(|other| {
            let is_clear = leader.is_none_or(|line| is_around_end(other) || !touches(other, line));
            is_clear && !overlap(area, other)
        })
        && taken.lines.iter().all(|&line| !touches(area, line))
}

/// Whether two rectangles have an area in common.
pub fn overlap(a: &Rectangle, b: &Rectangle) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

/// The point of a rectangle that is nearest to a place outside of it.
fn nearest(area: &Rectangle, place: Place) -> Place {
    (place.0.clamp(area[0], area[2]), place.1.clamp(area[1], area[3]))
}

/// Whether a line meets a rectangle: whether there is a part of it that is on the inner side of all four
/// sides. (Y.-D. Liang and B. A. Barsky, "A New Concept and Method for Line Clipping", 1984.)
fn touches(area: &Rectangle, ((x0, y0), (x1, y1)): (Place, Place)) -> bool {
    let (dx, dy) = (x1 - x0, y1 - y0);
    let sides = [(-dx, x0 - area[0]), (dx, area[2] - x0), (-dy, y0 - area[1]), (dy, area[3] - y0)];
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for (outwards, room) in sides {
        if outwards > 0.0 {
            to = to.min(room / outwards);
        } else if outwards < 0.0 {
            from = from.max(room / outwards);
        } else if room < 0.0 {
            return false;
        }
    }
    from <= to
}

/// Whether two lines cross each other.
pub fn cross(a: (Place, Place), b: (Place, Place)) -> bool {
    let side = |line: (Place, Place), at: Place| {
        let ((x0, y0), (x1, y1)) = line;
        (x1 - x0) * (at.1 - y0) - (y1 - y0) * (at.0 - x0)
    };
    side(a, b.0) * side(a, b.1) < 0.0 && side(b, a.0) * side(b, a.1) < 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FRAME: Rectangle = [0.0, 0.0, 400.0, 300.0];
    const SIZE: (f64, f64) = (80.0, 20.0);

    #[test]
    fn where_nothing_is_in_the_way_the_label_stands_to_the_right() {
        let label = place(&[(100.0, 100.0)], SIZE, FRAME, &Taken::default()).unwrap();
        assert_eq!(label.leader, None);
        assert!(label.area[0] > 100.0 && label.area[0] < 112.0, "{label:?}");
        assert!((f64::midpoint(label.area[1], label.area[3]) - 100.0).abs() < 1e-9, "{label:?}");
    }

    #[test]
    fn at_the_right_edge_it_stands_on_the_other_side() {
        let label = place(&[(395.0, 100.0)], SIZE, FRAME, &Taken::default()).unwrap();
        assert!(label.area[2] <= 400.0, "{label:?}");
    }

    #[test]
    fn where_all_is_taken_there_is_no_place() {
        let taken = Taken { boxes: vec![FRAME], ..Taken::default() };
        assert_eq!(place(&[(100.0, 100.0)], SIZE, FRAME, &taken), None);
    }

    /// A leader crosses a curve only where no place is left on this side of it.
    #[test]
    fn a_leader_goes_around_a_curve_where_it_can() {
        let end = (200.0, 100.0);
        let curve = ((0.0, 112.0), (400.0, 112.0));
        let mut taken = Taken { lines: vec![curve], boxes: Vec::new() };
        let crosses = |label: Label| label.leader.is_some_and(|leader| cross(leader, curve));
        assert!(!crosses(place(&[end], SIZE, FRAME, &taken).unwrap()));
        taken.boxes.push([0.0, 0.0, 400.0, 90.0]);
        assert!(crosses(place(&[end], SIZE, FRAME, &taken).unwrap()));
    }

    #[test]
    fn lines_cross_or_do_not() {
        let (a, b) = (((0.0, 0.0), (10.0, 10.0)), ((0.0, 10.0), (10.0, 0.0)));
        assert!(cross(a, b));
        assert!(!cross(a, ((0.0, 1.0), (10.0, 11.0))));
        assert!(touches(&[4.0, 4.0, 6.0, 6.0], a));
        assert!(touches(&[-1.0, -1.0, 20.0, 20.0], a));
        assert!(!touches(&[6.0, 0.0, 8.0, 4.0], a));
    }

    proptest! {
        /// Whatever is in the way, a label that gets a place stands on none of it.
        #[test]
        fn a_label_stands_on_nothing(
            end in (0.0..400.0, 0.0..300.0),
            lines in prop::collection::vec(((0.0..400.0, 0.0..300.0), (0.0..400.0, 0.0..300.0)), 0..6),
            corners in prop::collection::vec((0.0..380.0, 0.0..280.0), 0..6),
        ) {
            let boxes = corners.into_iter().map(|(x, y)| [x, y, x + 20.0, y + 20.0]).collect();
            let taken = Taken { lines, boxes };
            if let Some(Label { area, .. }) = place(&[end], SIZE, FRAME, &taken) {
                prop_assert!(taken.boxes.iter().all(|other| !overlap(&area, other)));
                prop_assert!(taken.lines.iter().all(|&line| !touches(&area, line)));
            }
        }
    }
}
