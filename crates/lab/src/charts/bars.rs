//! Ranked bars: each variant's time at one order, with the factor by which it is faster.

use super::axis::{LogAxis, Quantity};
use super::font;
use super::page::{self, Page, TEXT};
use super::scene::{Anchor, FAINT_INK, GRID, INK, Scene, Shape};
use crate::registry::Style;

/// A bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// The variant.
    pub label: String,
    /// How it is drawn.
    pub style: Style,
    /// Its length.
    pub value: f64,
    /// The interval around its end.
    pub interval: Option<(f64, f64)>,
    /// What is written behind it, in columns.
    pub notes: [String; 2],
}

/// What a chart of bars shows.
#[derive(Clone, Debug)]
pub struct Bars<'a> {
    /// Heading and captions.
    pub page: Page<'a>,
    /// What the bars' length is.
    pub x_title: &'a str,
    /// The bars, from the top.
    pub rows: Vec<Bar>,
}

const BAR: f64 = 22.0;
const PITCH: f64 = 36.0;

impl Bars<'_> {
    /// Lays the chart out; nothing without a bar. Lengths are proportional to the values where the
    /// longest is at most 300 times the shortest. Beyond that the short ones would vanish: the axis
    /// is logarithmic, says so, and points stand in place of bars, whose length would mean nothing.
    #[must_use]
    pub fn scene(&self) -> Option<Scene> {
        let most = self.rows.iter().map(|bar| bar.value).reduce(f64::max)?;
        let least = self.rows.iter().map(|bar| bar.value).reduce(f64::min)?;
        let proportional = most <= 300.0 * least;
        let (top, bottom) = self.page.plot_rows(0.0);
        let rows_height = self.rows.len() as f64 * PITCH;
        let height = top - bottom + rows_height;
        let mut scene = self.page.scene(height);
        let widest = |texts: &mut dyn Iterator<Item = &String>| {
            texts.map(|text| font::width(text, TEXT)).fold(0.0, f64::max)
        };
        let left = page::MARGIN + widest(&mut self.rows.iter().map(|bar| &bar.label)) + 32.0;
        let columns: [f64; 2] =
            std::array::from_fn(|i| widest(&mut self.rows.iter().map(|bar| &bar.notes[i])) + 16.0);
        let right = page::WIDTH - page::MARGIN - columns[0] - columns[1] - 8.0;
        let ends =
            self.rows.iter().flat_map(|bar| [bar.value, bar.interval.map_or(bar.value, |i| i.1)]);
        let longest = ends.clone().fold(0.0, f64::max);
        let axis = LogAxis::over(ends, Quantity::Time)?;
        let at = |value: f64| {
            let share = if proportional { value / longest } else { axis.place(value) };
            left + share * (right - left)
        };
        if !proportional {
            for tick in axis.ticks(90.0 / (right - left)) {
                let x = at(tick.value);
                scene.line((x, top), (x, top + rows_height), GRID, 1.0);
                scene.text(
                    (x, top + rows_height + 14.0),
                    &tick.label,
                    TEXT,
                    FAINT_INK,
                    Anchor::Middle,
                );
            }
        }
        let title = if proportional {
            self.x_title.to_owned()
        } else {
            format!("{}, logarithmic", self.x_title)
        };
        scene.text((left, top - 16.0), &title, TEXT, INK, Anchor::Start);
        for (row, bar) in self.rows.iter().enumerate() {
            let middle = top + (row as f64 + 0.5) * PITCH;
            draw_bar(&mut scene, bar, middle, (left, at(bar.value)), &at, proportional);
            let mut edge = right + 8.0;
            for (note, column) in bar.notes.iter().zip(columns) {
                edge += column;
                scene.text((edge, middle), note, TEXT, INK, Anchor::End);
            }
        }
        scene.line((left, top), (left, top + rows_height), INK, 1.0);
        Some(scene)
    }
}

fn draw_bar(
    scene: &mut Scene,
    bar: &Bar,
    middle: f64,
    (left, end): (f64, f64),
    at: &dyn Fn(f64) -> f64,
    proportional: bool,
) {
    let Style { colour, marker, .. } = bar.style;
    scene.text((left - 26.0, middle), &bar.label, TEXT, INK, Anchor::End);
    scene.shapes.push(Shape::Point { at: (left - 14.0, middle), marker, colour });
    let from = (left, middle - BAR / 2.0);
    let to = (end.max(left + 1.0), middle + BAR / 2.0);
    let interval = bar.interval.map(|(low, high)| (at(low), at(high)));
    if proportional {
        scene.shapes.push(Shape::Bar { from, to, colour });
        draw_interval(scene, interval, middle);
    } else {
        draw_interval(scene, interval, middle);
        scene.shapes.push(Shape::Point { at: (end, middle), marker, colour });
    }
}

fn draw_interval(scene: &mut Scene, interval: Option<(f64, f64)>, middle: f64) {
    let Some((low, high)) = interval else { return };
    scene.line((low, middle), (high, middle), FAINT_INK, 1.5);
    for x in [low, high] {
        scene.line((x, middle - 5.0), (x, middle + 5.0), FAINT_INK, 1.5);
    }
}
