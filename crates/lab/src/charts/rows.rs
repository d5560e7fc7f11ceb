//! What charts share that have a row a variant: names at the left, and the room beside them.

use super::font;
use super::page::{self, LINE_HEIGHT, MARGIN, Page, TEXT, widest};
use super::scene::{Anchor, Scene, Shape};
use super::theme::Colour;
use crate::registry::Style;

/// A variant, as its row names it.
#[derive(Clone, Debug)]
pub struct Key {
    /// The variant.
    pub label: String,
    /// How it is drawn.
    pub style: Style,
}

/// What the rows of a chart need.
pub struct Wanted<'a> {
    /// What stands above the rows.
    pub title: &'a str,
    /// The least and the most height of a row.
    pub pitch: (f64, f64),
    /// Room between the title and the rows.
    pub above: f64,
    /// Room between the rows and the captions.
    pub below: f64,
    /// The least width beside the names.
    pub beside: f64,
}

/// Where the rows stand.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The left end of what stands beside the names.
    pub left: f64,
    /// Its right end.
    pub right: f64,
    /// The upper end of the first row.
    pub top: f64,
    /// The lower end of the last row.
    pub bottom: f64,
    /// The height of a row.
    pub pitch: f64,
}

impl Frame {
    /// The middle of a row, counted from 0.
    #[must_use]
    pub fn middle(&self, row: usize) -> f64 {
        self.top + (row as f64 + 0.5) * self.pitch
    }
}

/// The room of a marker beside a name.
const KEY: f64 = 26.0;

/// Lays the rows out and names them.
pub fn lay(page: &Page, keys: &[Key], wanted: &Wanted<'_>) -> (Scene, Frame) {
    let names = widest(keys.iter().map(|key| key.label.as_str()));
    let left = MARGIN + names + KEY;
    let width = page.size.0.max(left + wanted.beside + MARGIN);
    let set = page.set(width);
    let title = font::wrapped(wanted.title, TEXT, width - 2.0 * MARGIN);
    let top = set.top() + title.len() as f64 * LINE_HEIGHT + wanted.above;
    let below = set.bottom() + wanted.below;
    let rows = keys.len() as f64;
    let pitch = ((page.size.1 - top - below) / rows).clamp(wanted.pitch.0, wanted.pitch.1);
    let needed = top + below + rows * pitch;
    let height = if page.keeps_height { needed.max(page.size.1) } else { needed };
    let mut scene = set.scene(height);
    page::lines(&mut scene, (MARGIN, set.top()), &title, Anchor::Start);
    let bottom = top + rows * pitch;
    let frame = Frame { left, right: width - MARGIN, top, bottom, pitch };
    for (row, key) in keys.iter().enumerate() {
        let middle = frame.middle(row);
        scene.own(std::slice::from_ref(&key.label));
        scene.text((left - KEY, middle), &key.label, TEXT, Colour::Ink, Anchor::End);
        let colour = Colour::Variant(key.style.colour);
        let at = (left - KEY / 2.0 - 1.0, middle);
        scene.shapes.push(Shape::Point { at, marker: key.style.marker, colour });
    }
    scene.own(&[]);
    (scene, frame)
}
