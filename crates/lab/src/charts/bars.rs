//! Ranked bars: each variant's time at one order, with the factor by which it is faster.

use super::axis::{Axis, Quantity, Scale};
use super::font;
use super::page::{Page, TEXT, widest};
use super::rows::{self, Frame, Key, Wanted};
use super::scene::{Anchor, Scene, Shape};
use super::theme::Colour;
use crate::format;

/// A bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// The variant.
    pub key: Key,
    /// Its length.
    pub value: f64,
    /// The interval around its end.
    pub interval: Option<(f64, f64)>,
    /// What is written behind it, first its length.
    pub notes: [String; 2],
    /// What is written in place of the second note where another baseline is chosen, by the baseline.
    pub others: Vec<(String, String)>,
}

/// What a chart of bars shows.
#[derive(Clone, Debug)]
pub struct Bars {
    /// Heading and captions.
    pub page: Page,
    /// What the bars' length is; its unit and its scale are added.
    pub title: &'static str,
    /// What stands behind the bars.
    pub behind: String,
    /// The bars, from the top.
    pub rows: Vec<Bar>,
    /// Whether lengths are to be logarithmic, whatever the values.
    pub scale: Option<Scale>,
}

const BAR: f64 = 22.0;

impl Bars {
    /// Lays the chart out; nothing without a bar. Unless a scale is asked for, lengths are proportional to the
    /// values where the longest is at most 300 times the shortest. Beyond that the short ones would vanish: the
    /// axis is logarithmic, says so, and points stand in place of bars, whose length would mean nothing.
    #[must_use]
    pub fn scene(&self) -> Option<Scene> {
        let most = self.rows.iter().map(|bar| bar.value).reduce(f64::max)?;
        let least = self.rows.iter().map(|bar| bar.value).reduce(f64::min)?;
        let own = if most <= 300.0 * least { Scale::Linear } else { Scale::Log };
        let scale = self.scale.unwrap_or(own);
        let columns: [f64; 2] = std::array::from_fn(|column| {
            let others =
                self.rows.iter().flat_map(|bar| &bar.others).map(|(_, note)| note.as_str());
            let others = others.filter(|_| column == 1);
            let own = self.rows.iter().map(|bar| bar.notes[column].as_str());
            widest(own.chain(others)) + 16.0
        });
        let ends = self.rows.iter().flat_map(|bar| {
            let (low, high) = bar.interval.unwrap_or((bar.value, bar.value));
            [low, bar.value, high]
        });
        let axis = Axis::over(ends, Quantity::Time, scale)?;
        let times = self.rows.iter().map(|bar| bar.value);
        let of_axis = match scale {
            // Without labels, so that the values alone have units.
            Scale::Linear => format!(" ({})", format::units(times)),
            Scale::Log => format!("{}, logarithmic", axis.units(times)),
        };
        let title = format!("{}{of_axis}; behind it {}", self.title, self.behind);
        let keys: Vec<Key> = self.rows.iter().map(|bar| bar.key.clone()).collect();
        let notes = columns[0] + columns[1] + 8.0;
        let wanted = Wanted {
            title: &title,
            pitch: (24.0, 36.0),
            above: 6.0,
            below: if scale == Scale::Log { 30.0 } else { 12.0 },
            beside: notes + 160.0,
        };
        let (mut scene, frame) = rows::lay(&self.page, &keys, &wanted);
        let right = frame.right - notes;
        let at = |value: f64| frame.left + axis.place(value) * (right - frame.left);
        if scale == Scale::Log {
            draw_ticks(&mut scene, &frame, &axis, right);
        }
        for (row, bar) in self.rows.iter().enumerate() {
            let middle = frame.middle(row);
            scene.own(std::slice::from_ref(&bar.key.label));
            draw_bar(&mut scene, bar, middle, frame.left, &at, scale);
            let edges = [right + 8.0 + columns[0], frame.right];
            let write = |scene: &mut Scene, column: usize, note: &str| {
                scene.text((edges[column], middle), note, TEXT, Colour::Ink, Anchor::End);
            };
            write(&mut scene, 0, &bar.notes[0]);
            if bar.others.is_empty() {
                write(&mut scene, 1, &bar.notes[1]);
            }
            for (baseline, note) in &bar.others {
                scene.own_for(std::slice::from_ref(&bar.key.label), baseline);
                write(&mut scene, 1, note);
            }
        }
        scene.own(&[]);
        scene.line((frame.left, frame.top), (frame.left, frame.bottom), Colour::Ink, 1.0);
        let rows = self
            .rows
            .iter()
            .map(|bar| format!("{}: {}{}", bar.key.label, bar.notes[0], behind(&bar.notes[1])));
        scene.description = format!("{title}. {}.", rows.collect::<Vec<_>>().join("; "));
        Some(scene)
    }
}

fn behind(note: &str) -> String {
    if note.is_empty() { String::new() } else { format!(", {}", note.trim()) }
}

/// The labelled values below the rows, with a line upwards from each. A label at the right end stands within the
/// picture, or not at all where the one before it is too near.
pub fn draw_ticks(scene: &mut Scene, frame: &Frame, axis: &Axis, right: f64) {
    let width = right - frame.left;
    let mut free_from = f64::NEG_INFINITY;
    for tick in axis.ticks(60.0 / width) {
        let x = frame.left + axis.place(tick.value) * width;
        scene.line((x, frame.top), (x, frame.bottom), Colour::Grid, 1.0);
        let half = font::width(&tick.label, TEXT) / 2.0;
        let middle = x.min(frame.right - half);
        if middle - half >= free_from {
            let below = (middle, frame.bottom + 14.0);
            scene.text(below, &tick.label, TEXT, Colour::Faint, Anchor::Middle);
            free_from = middle + half + 8.0;
        }
    }
}

fn draw_bar(
    scene: &mut Scene,
    bar: &Bar,
    middle: f64,
    left: f64,
    at: &dyn Fn(f64) -> f64,
    scale: Scale,
) {
    let colour = Colour::Variant(bar.key.style.colour);
    let end = at(bar.value);
    let interval = bar.interval.map(|(low, high)| (at(low), at(high)));
    match scale {
        Scale::Linear => {
            let from = (left, middle - BAR / 2.0);
            let to = (end.max(left + 1.0), middle + BAR / 2.0);
            scene.shapes.push(Shape::Bar { from, to, colour });
            draw_interval(scene, interval, middle);
        }
        Scale::Log => {
            draw_interval(scene, interval, middle);
            let marker = bar.key.style.marker;
            scene.shapes.push(Shape::Point { at: (end, middle), marker, colour });
        }
    }
}

/// An interval along a row.
pub fn draw_interval(scene: &mut Scene, interval: Option<(f64, f64)>, middle: f64) {
    let Some((low, high)) = interval else { return };
    let end = |x| [(x, middle - 5.0), (x, middle + 5.0)];
    let lines = vec![[(low, middle), (high, middle)], end(low), end(high)];
    scene.shapes.push(Shape::Strokes { lines, colour: Colour::Faint, width: 1.5 });
}
