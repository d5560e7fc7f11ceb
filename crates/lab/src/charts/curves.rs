//! A chart of curves over whole numbers: one a variant, labelled at its end.

use super::axis::{Axis, Quantity, Scale};
use super::font;
use super::labels::{self, Label, Taken};
use super::page::{self, LINE_HEIGHT, MARGIN, Page, TEXT, widest};
use super::scene::{Anchor, Scene, Shape};
use super::theme::Colour;
use crate::registry::Style;

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Its place along the horizontal axis.
    pub x: usize,
    /// Its value.
    pub y: f64,
    /// The interval around it.
    pub interval: Option<(f64, f64)>,
}

/// A curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The variants that it is of; several where they coincide.
    pub labels: Vec<String>,
    /// How it is drawn.
    pub style: Style,
    /// Its points, ascending. A value between two points that has none is a gap.
    pub points: Vec<Point>,
}

/// What a chart of curves shows.
#[derive(Clone, Debug)]
pub struct Curves {
    /// Heading and captions.
    pub page: Page,
    /// What lies along the horizontal axis.
    pub x_title: &'static str,
    /// What one value of the horizontal axis is called before its number.
    pub x_word: &'static str,
    /// What lies along the vertical axis; its unit and its scale are added.
    pub y_title: String,
    /// How its values are labelled.
    pub quantity: Quantity,
    /// How its values are spread.
    pub scale: Scale,
    /// The values of the horizontal axis, ascending: these are labelled and no others.
    pub xs: Vec<usize>,
    /// The curves.
    pub lines: Vec<Curve>,
    /// Values to mark by a line across the plot, besides a speedup of 1.
    pub marks: Vec<f64>,
}

/// The least width and height of the plot itself.
const LEAST_PLOT: (f64, f64) = (240.0, 170.0);
/// The room between the plot and the labels at its right.
const TO_LABELS: f64 = 44.0;

/// Where the plot stands in the picture, and the axes over it.
struct Frame {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    first: f64,
    last: f64,
    y_axis: Axis,
}

impl Frame {
    fn at(&self, x: usize, y: f64) -> (f64, f64) {
        let share = (x as f64 - self.first) / (self.last - self.first);
        let inset = 14.0;
        let x = self.left + inset + share * (self.right - self.left - 2.0 * inset);
        (x, self.height_of(y))
    }

    fn height_of(&self, y: f64) -> f64 {
        self.bottom - self.y_axis.place(y) * (self.bottom - self.top)
    }
}

impl Curves {
    /// Lays the chart out; nothing where no curve has a point to show.
    #[must_use]
    pub fn scene(&self) -> Option<Scene> {
        let (frame, mut scene) = self.frame()?;
        self.draw_grid(&mut scene, &frame);
        for curve in &self.lines {
            scene.own(&curve.labels);
            draw_curve(&mut scene, &frame, curve);
            self.tell(&mut scene, &frame, curve);
        }
        self.draw_labels(&mut scene, &frame);
        Some(scene)
    }

    fn frame(&self) -> Option<(Frame, Scene)> {
        let points = || self.lines.iter().flat_map(|curve| &curve.points);
        let ends = points().flat_map(|point| {
            let (low, high) = point.interval.unwrap_or((point.y, point.y));
            [point.y, low, high]
        });
        let names = || self.lines.iter().flat_map(|line| &line.labels).map(String::as_str);
        let y_axis = Axis::over(ends.chain(self.marks.iter().copied()), self.quantity, self.scale)?;
        // Height and width change the ticks, and the widest tick the room for the title: the most that
        // either may take is left to them.
        let tick_room = |axis: &Axis, height: f64| {
            let ticks = axis.ticks(LINE_HEIGHT / height);
            widest(ticks.iter().map(|tick| tick.label.as_str()))
        };
        let left = MARGIN + tick_room(&y_axis, LEAST_PLOT.1).max(tick_room(&y_axis, 600.0)) + 10.0;
        let beside = left + TO_LABELS + widest(names()) + MARGIN;
        let width = self.page.size.0.max(beside + LEAST_PLOT.0);
        let page = self.page.set(width);
        let early = |curve: &&Curve| curve.points.last().is_some_and(|end| self.is_early(end));
        let early = self.lines.iter().filter(early).flat_map(|curve| &curve.labels).count();
        // Room above the curves for the labels of those that end early; two stand side by side.
        let with_room = |height: f64| {
            let room = early.div_ceil(2) as f64 * LINE_HEIGHT / height;
            y_axis.with_room_above(room.min(MOST_HEADROOM))
        };
        let title = self.title(&with_room(self.page.size.1));
        let lines = font::wrapped(&title, TEXT, width - 2.0 * MARGIN);
        let top = page.top() + lines.len() as f64 * LINE_HEIGHT + LINE_HEIGHT;
        let below = page.bottom() + 54.0;
        // As many labels as there are may have to stand one below the other beside the plot.
        let labels = (names().count() as f64 - 2.0) * LINE_HEIGHT;
        let height = self.page.size.1.max(top + below + labels.max(LEAST_PLOT.1));
        let mut scene = page.scene(height);
        page::lines(&mut scene, (MARGIN, page.top()), &lines, Anchor::Start);
        scene.description = self.description(&title);
        let (first, last) = (*self.xs.first()? as f64, *self.xs.last()? as f64);
        // A single value stands in the middle of an axis that reaches as far on both sides.
        let (first, last) = if first < last { (first, last) } else { (first - 1.0, last + 1.0) };
        let right = width - (beside - left);
        let bottom = height - below;
        let y_axis = with_room(height);
        Some((Frame { left, top, right, bottom, first, last, y_axis }, scene))
    }

    /// The title of the vertical axis, with its unit and its scale, and with intervals where there are some: a run
    /// of few rounds has none.
    fn title(&self, axis: &Axis) -> String {
        let some = self.lines.iter().flat_map(|line| &line.points).any(|p| p.interval.is_some());
        let intervals = if some { ", with 95 % intervals" } else { "" };
        let (scale, remark) = match (self.scale, self.quantity) {
            (Scale::Log, Quantity::Deviation) => (", linear within 1 % and logarithmic beyond", ""),
            (Scale::Log, _) => (", logarithmic", ""),
            (Scale::Linear, Quantity::Speedup) => {
                ("", "; below the line 1/2× is as far as 2× above it")
            }
            (Scale::Linear, _) => ("", ""),
        };
        let units = axis.units(std::iter::empty());
        format!("{}{units}{scale}{intervals}{remark}", self.y_title)
    }

    fn draw_grid(&self, scene: &mut Scene, frame: &Frame) {
        let Frame { left, top, right, bottom, .. } = *frame;
        for tick in frame.y_axis.ticks(LINE_HEIGHT / (bottom - top)) {
            let y = frame.height_of(tick.value);
            scene.line((left, y), (right, y), Colour::Grid, 1.0);
            scene.text((left - 8.0, y), &tick.label, TEXT, Colour::Faint, Anchor::End);
        }
        let one = (self.quantity == Quantity::Speedup).then_some(1.0);
        for mark in self.marks.iter().copied().chain(one) {
            let y = frame.height_of(mark);
            if (top..=bottom).contains(&y) {
                scene.line((left, y), (right, y), Colour::Faint, 1.5);
            }
        }
        scene.line((left, bottom), (right, bottom), Colour::Ink, 1.0);
        let mut free_from = f64::NEG_INFINITY;
        for &x in &self.xs {
            let at = frame.at(x, 1.0).0;
            scene.line((at, bottom), (at, bottom + 5.0), Colour::Ink, 1.0);
            // Where orders stand close, some labels give way; the first is always there.
            let half = font::width(&x.to_string(), TEXT) / 2.0;
            if at - half >= free_from {
                let place = (at, bottom + 16.0);
                scene.text(place, &x.to_string(), TEXT, Colour::Faint, Anchor::Middle);
                free_from = at + half + 4.0;
            }
        }
        let middle = f64::midpoint(MARGIN, scene.size.0 - MARGIN);
        let title = (middle, bottom + 38.0);
        scene.text(title, self.x_title, TEXT, Colour::Ink, Anchor::Middle);
    }

    /// The values of a curve, for who points at them.
    fn tell(&self, scene: &mut Scene, frame: &Frame, curve: &Curve) {
        for point in &curve.points {
            let interval = point.interval.map_or_else(String::new, |(low, high)| {
                format!(" ({} – {})", self.quantity.words(low), self.quantity.words(high))
            });
            let text = format!(
                "{}, {} {}: {}{interval}",
                curve.labels.join(", "),
                self.x_word,
                point.x,
                self.quantity.words(point.y)
            );
            scene.note(frame.at(point.x, point.y), 8.0, &curve.labels, text);
        }
    }

    /// What there is to see: the ends of every curve.
    fn description(&self, title: &str) -> String {
        let curves = self.lines.iter().filter_map(|curve| {
            let (first, last) = (curve.points.first()?, curve.points.last()?);
            let at = |point: &Point| {
                format!("{} at {} {}", self.quantity.words(point.y), self.x_word, point.x)
            };
            let names = curve.labels.join(", ");
            Some(if first.x == last.x {
                format!("{names}: {}", at(first))
            } else {
                format!("{names}: from {} to {}", at(first), at(last))
            })
        });
        format!("{title}. {}.", curves.collect::<Vec<_>>().join("; "))
    }

    /// Curves that end where the plot does have their labels to the right of it. Those that end earlier
    /// have them near their ends, where nothing else is, together where they end close together. What
    /// finds no such place is in the column at the right, too.
    fn draw_labels(&self, scene: &mut Scene, frame: &Frame) {
        let mut taken = self.taken(frame);
        let (mut at_the_right, mut inside) = (Vec::new(), Vec::new());
        for curve in &self.lines {
            let Some(point) = curve.points.last() else { continue };
            let end = End { curve, x: point.x, at: frame.at(point.x, point.y) };
            if self.is_early(point) { &mut inside } else { &mut at_the_right }.push(end);
        }
        // From the right: labels would rather stand to the right of their ends, where there is less room.
        inside.sort_by(|a, b| b.x.cmp(&a.x).then(a.at.1.total_cmp(&b.at.1)));
        let plot = [frame.left + 4.0, frame.top - 6.0, frame.right, frame.bottom - 4.0];
        let mut left: Vec<&[End<'_>]> =
            inside.chunk_by(|a, b| a.x == b.x && b.at.1 - a.at.1 <= TOGETHER).rev().collect();
        while let Some(together) = left.pop() {
            let ends: Vec<_> = together.iter().map(|end| end.at).collect();
            let names = || together.iter().flat_map(|end| &end.curve.labels).map(String::as_str);
            let size = (KEY + widest(names()), names().count() as f64 * LINE_HEIGHT);
            if let Some(label) = labels::place(&ends, size, plot, &taken) {
                draw_together(scene, together, &label);
                taken.lines.extend(label.leader);
                taken.boxes.push(label.area);
            } else if let [only] = together {
                at_the_right.push(*only);
            } else {
                // Fewer find a place sooner.
                let (upper, lower) = together.split_at(together.len() / 2);
                left.extend([lower, upper]);
            }
        }
        draw_column(scene, frame, at_the_right);
    }

    /// Whether a curve that ends at a point ends before the plot does.
    fn is_early(&self, end: &Point) -> bool {
        self.xs.last() != Some(&end.x)
    }

    /// What is drawn of the curves, as labels have to keep clear of it.
    fn taken(&self, frame: &Frame) -> Taken {
        const AROUND: f64 = 6.0;
        let mut taken = Taken::default();
        for curve in &self.lines {
            let at = |point: &Point| frame.at(point.x, point.y);
            for run in curve.points.chunk_by(|a, b| a.x + 1 == b.x) {
                taken.lines.extend(run.windows(2).map(|pair| (at(&pair[0]), at(&pair[1]))));
            }
            for point in &curve.points {
                let (x, y) = at(point);
                taken.boxes.push([x - AROUND, y - AROUND, x + AROUND, y + AROUND]);
                if let Some((low, high)) = point.interval {
                    let (low, high) = (frame.height_of(low), frame.height_of(high));
                    taken.boxes.push([x - AROUND, high, x + AROUND, low]);
                }
            }
        }
        taken
    }
}

/// The largest part of the vertical axis that is left to labels above the curves.
const MOST_HEADROOM: f64 = 0.25;

/// A marker beside a label, with the room around it, in pixels.
const KEY: f64 = 18.0;

/// Curves that end at the same place along the axis, and no further apart than this, have their labels
/// together.
const TOGETHER: f64 = 36.0;

/// Where a curve ends.
#[derive(Clone, Copy)]
struct End<'a> {
    curve: &'a Curve,
    x: usize,
    at: (f64, f64),
}

/// The line from a curve to its label.
const fn leader(colour: Colour, points: Vec<(f64, f64)>) -> Shape {
    Shape::Line { points, colour, width: 0.75, dash: Some((2, 3)) }
}

/// A curve's marker at `at` and its names to the right of it.
fn draw_label(scene: &mut Scene, curve: &Curve, at: (f64, f64)) {
    let Style { marker, colour, .. } = curve.style;
    scene.shapes.push(Shape::Point { at, marker, colour: Colour::Variant(colour) });
    let height = curve.labels.len() as f64 * LINE_HEIGHT;
    let mut y = at.1 - height / 2.0 + LINE_HEIGHT / 2.0;
    for label in &curve.labels {
        scene.text((at.0 + 12.0, y), label, TEXT, Colour::Ink, Anchor::Start);
        y += LINE_HEIGHT;
    }
}

/// The labels of curves that end close together, one below the other in their place.
fn draw_together(scene: &mut Scene, together: &[End<'_>], label: &Label) {
    if let Some((from, to)) = label.leader {
        let (colour, owners) = match together {
            [only] => (Colour::Variant(only.curve.style.colour), only.curve.labels.as_slice()),
            _ => (Colour::Faint, &[][..]),
        };
        scene.own(owners);
        scene.shapes.push(leader(colour, vec![from, to]));
    }
    let [left, mut top, right, _] = label.area;
    for End { curve, .. } in together {
        let height = curve.labels.len() as f64 * LINE_HEIGHT;
        scene.own(&curve.labels);
        // No line of the grid goes through a name.
        let (from, to) = ((left, top), (right, top + height));
        scene.shapes.push(Shape::Bar { from, to, colour: Colour::Paper });
        draw_label(scene, curve, (left + 6.0, top + height / 2.0));
        top += height;
    }
}

/// Labels in one column to the right of the plot, each as near to its curve's end as the others allow,
/// with a thin line to it.
fn draw_column(scene: &mut Scene, frame: &Frame, mut ends: Vec<End<'_>>) {
    ends.sort_by(|a, b| a.at.1.total_cmp(&b.at.1).then(b.at.0.total_cmp(&a.at.0)));
    let heights: Vec<f64> =
        ends.iter().map(|end| end.curve.labels.len() as f64 * LINE_HEIGHT).collect();
    let wanted: Vec<f64> = ends.iter().map(|end| end.at.1).collect();
    let places = spread(&wanted, &heights, frame.top - LINE_HEIGHT, frame.bottom + LINE_HEIGHT);
    let column = frame.right + 26.0;
    for (End { curve, at, .. }, middle) in ends.into_iter().zip(places) {
        let points = vec![(at.0 + 7.0, at.1), (frame.right + 6.0, middle), (column - 10.0, middle)];
        scene.own(&curve.labels);
        scene.shapes.push(leader(Colour::Variant(curve.style.colour), points));
        draw_label(scene, curve, (column, middle));
    }
}

fn draw_curve(scene: &mut Scene, frame: &Frame, curve: &Curve) {
    let Style { colour, marker, dash } = curve.style;
    let colour = Colour::Variant(colour);
    for run in curve.points.chunk_by(|a, b| a.x + 1 == b.x) {
        let points: Vec<_> = run.iter().map(|point| frame.at(point.x, point.y)).collect();
        if points.len() > 1 {
            scene.shapes.push(Shape::Line { points, colour, width: 2.0, dash });
        }
    }
    for point in &curve.points {
        let (x, _) = frame.at(point.x, point.y);
        if let Some((low, high)) = point.interval {
            let (low, high) = (frame.height_of(low), frame.height_of(high));
            let end = |y| [(x - 5.0, y), (x + 5.0, y)];
            let lines = vec![[(x, low), (x, high)], end(low), end(high)];
            scene.shapes.push(Shape::Strokes { lines, colour, width: 1.5 });
        }
        scene.shapes.push(Shape::Point { at: frame.at(point.x, point.y), marker, colour });
    }
}

/// Middles for boxes of the given heights, ascending and without overlap, each as near to what it
/// wants as the others allow: boxes that would overlap are joined and moved as one.
fn spread(wanted: &[f64], heights: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    // A block: the boxes that it has, and the top that it wants at the mean of theirs.
    struct Block {
        count: usize,
        height: f64,
        tops: f64,
    }
    let mut blocks: Vec<Block> = Vec::new();
    let place =
        |block: &Block| (block.tops / block.count as f64).min(bottom - block.height).max(top);
    for (&middle, &height) in wanted.iter().zip(heights) {
        let mut block = Block { count: 1, height, tops: middle - height / 2.0 };
        while let Some(above) = blocks.pop() {
            if place(&above) + above.height <= place(&block) {
                blocks.push(above);
                break;
            }
            block = Block {
                count: above.count + block.count,
                height: above.height + block.height,
                // Each box of the lower block wants its top moved up by the height above it.
                tops: above.tops + block.tops - block.count as f64 * above.height,
            };
        }
        blocks.push(block);
    }
    let mut heights = heights.iter();
    blocks
        .iter()
        .flat_map(|block| {
            let mut y = place(block);
            heights
                .by_ref()
                .take(block.count)
                .map(|height| {
                    y += height;
                    y - height / 2.0
                })
                .collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn boxes_apart_stay_where_they_want_to_be() {
        assert_eq!(spread(&[10.0, 50.0], &[10.0, 10.0], 0.0, 100.0), [10.0, 50.0]);
        assert_eq!(spread(&[50.0, 50.0], &[10.0, 10.0], 0.0, 100.0), [45.0, 55.0]);
        assert_eq!(spread(&[98.0, 99.0], &[10.0, 10.0], 0.0, 100.0), [85.0, 95.0]);
    }

    proptest! {
        #[test]
        fn boxes_never_overlap_nor_leave_the_frame(
            mut wanted in prop::collection::vec(0.0..400.0_f64, 1..20),
        ) {
            wanted.sort_unstable_by(f64::total_cmp);
            let heights = vec![20.0; wanted.len()];
            let places = spread(&wanted, &heights, 0.0, 400.0);
            for pair in places.windows(2) {
                prop_assert!(pair[1] - pair[0] >= 20.0 - 1e-6, "{places:?}");
            }
            prop_assert!(places[0] >= 10.0 - 1e-6);
            prop_assert!(places[places.len() - 1] <= 390.0 + 1e-6);
        }
    }
}
