//! Panels side by side, each with a value of every variant: what a time is made of.

use super::axis::{Axis, Quantity, Scale};
use super::font;
use super::page::{LINE_HEIGHT, Page, TEXT, widest};
use super::rows::{self, Frame, Key, Wanted};
use super::scene::{Anchor, Scene, Shape};
use super::theme::Colour;

/// A panel.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What it shows; the unit of times is added.
    pub title: &'static str,
    /// What its values are.
    pub quantity: Quantity,
    /// A value of each row; a gap where there is none.
    pub values: Vec<Option<f64>>,
    /// A value in words.
    pub words: fn(f64) -> String,
}

/// What a chart of panels shows.
#[derive(Clone, Debug)]
pub struct Panels {
    /// Heading and captions.
    pub page: Page,
    /// What the panels show together.
    pub title: String,
    /// The variants.
    pub keys: Vec<Key>,
    /// The panels, from the left.
    pub columns: Vec<Panel>,
}

const BETWEEN: f64 = 26.0;
const LEAST_WIDTH: f64 = 80.0;

impl Panels {
    /// Lays the chart out; nothing without a value in each panel.
    #[must_use]
    pub fn scene(&self) -> Option<Scene> {
        let axes: Vec<Axis> = self
            .columns
            .iter()
            .map(|panel| {
                let values = panel.values.iter().flatten().copied();
                Axis::over(values, panel.quantity, Scale::Log)
            })
            .collect::<Option<_>>()?;
        // The values stand in a column of their own, right of the points.
        let words: Vec<f64> = self
            .columns
            .iter()
            .map(|panel| {
                let words: Vec<String> =
                    panel.values.iter().flatten().map(|value| (panel.words)(*value)).collect();
                widest(words.iter().map(String::as_str)) + 10.0
            })
            .collect();
        let count = self.columns.len() as f64;
        let fixed = words.iter().sum::<f64>() + (count - 1.0) * BETWEEN;
        let titles = 2.0 * LINE_HEIGHT;
        let wanted = Wanted {
            title: &self.title,
            pitch: (22.0, 36.0),
            above: titles + 14.0,
            below: 30.0,
            beside: fixed + count * LEAST_WIDTH,
        };
        let (mut scene, frame) = rows::lay(&self.page, &self.keys, &wanted);
        let width = (frame.right - frame.left - fixed) / count;
        let mut left = frame.left;
        for ((panel, axis), words) in self.columns.iter().zip(&axes).zip(&words) {
            let place = Frame { left, right: left + width, ..frame };
            self.draw_panel(&mut scene, panel, axis, &place, *words);
            left += width + words + BETWEEN;
        }
        scene.description = self.description();
        Some(scene)
    }

    fn draw_panel(&self, scene: &mut Scene, panel: &Panel, axis: &Axis, place: &Frame, words: f64) {
        let Frame { left, right, top, bottom, .. } = *place;
        let units = axis.units(panel.values.iter().flatten().copied());
        let title = font::wrapped(&format!("{}{units}", panel.title), TEXT, right - left + words);
        let mut y = top - 10.0 - title.len() as f64 * LINE_HEIGHT;
        for line in &title {
            let at = (left, y + LINE_HEIGHT / 2.0);
            scene.text(at, line, TEXT, Colour::Ink, Anchor::Start);
            y += LINE_HEIGHT;
        }
        let at = |value: f64| left + axis.place(value) * (right - left);
        let mut free_from = left - 20.0;
        for tick in axis.ticks(30.0 / (right - left)) {
            let x = at(tick.value);
            scene.line((x, top), (x, bottom), Colour::Grid, 1.0);
            let half = font::width(&tick.label, TEXT) / 2.0;
            // A label stays within its panel: the next one's may begin where this one ends.
            let middle = x.clamp(left - 20.0 + half, right + words - half);
            if middle - half >= free_from {
                let at = (middle, bottom + 14.0);
                scene.text(at, &tick.label, TEXT, Colour::Faint, Anchor::Middle);
                free_from = middle + half + 8.0;
            }
        }
        scene.line((left, top), (left, bottom), Colour::Faint, 1.0);
        for (row, (key, value)) in self.keys.iter().zip(&panel.values).enumerate() {
            let Some(value) = *value else { continue };
            let middle = place.middle(row);
            scene.own(std::slice::from_ref(&key.label));
            let colour = Colour::Variant(key.style.colour);
            let dot = (at(value), middle);
            scene.shapes.push(Shape::Point { at: dot, marker: key.style.marker, colour });
            let text = (panel.words)(value);
            let end = (right + words - 2.0, middle);
            scene.text(end, &text, TEXT, Colour::Ink, Anchor::End);
            let told = format!("{}, {}: {text}", key.label, panel.title);
            scene.note(dot, 9.0, std::slice::from_ref(&key.label), told);
        }
        scene.own(&[]);
    }

    fn description(&self) -> String {
        let rows = self.keys.iter().enumerate().map(|(row, key)| {
            let values: Vec<String> = self
                .columns
                .iter()
                .filter_map(|panel| {
                    let value = panel.values[row]?;
                    Some(format!("{} {}", panel.title, (panel.words)(value)))
                })
                .collect();
            format!("{}: {}", key.label, values.join(", "))
        });
        format!("{}. {}.", self.title, rows.collect::<Vec<_>>().join("; "))
    }
}
