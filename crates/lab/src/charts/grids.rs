//! Charts with a row a variant over the orders: a heat map of times, and how far each variant gets.

use super::font;
use super::page::{LINE_HEIGHT, Page, TEXT, widest};
use super::rows::{self, Frame, Key, Wanted};
use super::scene::{Anchor, Scene, Shape};
use super::theme::{Colour, HEAT_STEPS};

/// A heat map.
#[derive(Clone, Debug)]
pub struct HeatMap {
    /// Heading and captions.
    pub page: Page,
    /// What the cells show.
    pub title: String,
    /// The variants.
    pub keys: Vec<Key>,
    /// The orders.
    pub columns: Vec<usize>,
    /// The values, a row a variant; a gap where there is none.
    pub cells: Vec<Vec<Option<f64>>>,
    /// A value in words.
    pub words: fn(f64) -> String,
}

const CELL_TEXT: f64 = 12.0;

impl HeatMap {
    /// Lays the chart out; nothing without a value.
    #[must_use]
    pub fn scene(&self) -> Option<Scene> {
        let logs = || {
            let values = self.cells.iter().flatten().flatten();
            values.filter(|value| value.is_finite() && **value > 0.0).map(|value| value.ln())
        };
        let (low, high) = (logs().reduce(f64::min)?, logs().reduce(f64::max)?);
        let step_of = |value: f64| {
            let share = if high > low { (value.ln() - low) / (high - low) } else { 0.0 };
            (share * f64::from(HEAT_STEPS - 1)).round() as u8
        };
        let texts = self.cells.iter().flatten().flatten().map(|value| (self.words)(*value));
        let cell = texts.map(|text| font::width(&text, CELL_TEXT)).fold(0.0, f64::max) + 8.0;
        let columns = self.columns.len().max(1) as f64;
        let wanted = Wanted {
            title: &self.title,
            pitch: (22.0, 36.0),
            above: 6.0,
            below: 2.0 * LINE_HEIGHT + 12.0,
            beside: columns * cell,
        };
        let (mut scene, frame) = rows::lay(&self.page, &self.keys, &wanted);
        let width = ((frame.right - frame.left) / columns).min(140.0);
        let mut told = Vec::new();
        for (row, (key, cells)) in self.keys.iter().zip(&self.cells).enumerate() {
            let middle = frame.middle(row);
            scene.own(std::slice::from_ref(&key.label));
            for (column, value) in cells.iter().enumerate() {
                let Some(value) = value.filter(|value| value.is_finite() && *value > 0.0) else {
                    continue;
                };
                let left = frame.left + column as f64 * width;
                let from = (left + 1.0, middle - frame.pitch / 2.0 + 1.0);
                let to = (left + width - 1.0, middle + frame.pitch / 2.0 - 1.0);
                let step = step_of(value);
                scene.shapes.push(Shape::Bar { from, to, colour: Colour::Heat(step) });
                let at = (left + width / 2.0, middle);
                let text = (self.words)(value);
                scene.text(at, &text, CELL_TEXT, Colour::OnHeat(step), Anchor::Middle);
                told.push(format!("{} at order {}: {text}", key.label, self.columns[column]));
            }
        }
        scene.own(&[]);
        draw_orders(&mut scene, &frame, &self.columns, &|column| {
            frame.left + (column as f64 + 0.5) * width
        });
        scene.description = format!("{}. {}.", self.title, told.join("; "));
        Some(scene)
    }
}

/// The orders below the rows. Where they stand close, some give way.
fn draw_orders(scene: &mut Scene, frame: &Frame, orders: &[usize], x_of: &dyn Fn(usize) -> f64) {
    let mut free_from = f64::NEG_INFINITY;
    for (column, order) in orders.iter().enumerate() {
        let (x, text) = (x_of(column), order.to_string());
        let half = font::width(&text, TEXT) / 2.0;
        if x - half >= free_from {
            let at = (x, frame.bottom + 14.0);
            scene.text(at, &text, TEXT, Colour::Faint, Anchor::Middle);
            free_from = x + half + 6.0;
        }
    }
    let ends = (x_of(0), x_of(orders.len().saturating_sub(1)));
    let at = (f64::midpoint(ends.0, ends.1), frame.bottom + 14.0 + LINE_HEIGHT);
    scene.text(at, "order", TEXT, Colour::Ink, Anchor::Middle);
}

/// How far a variant gets within two times.
#[derive(Clone, Debug)]
pub struct Climber {
    /// The variant.
    pub key: Key,
    /// The order within a second and the one within a minute, each with whether it was measured.
    pub reach: [Option<(usize, bool)>; 2],
    /// Both in words.
    pub words: [String; 2],
}

/// What a chart of the frontier shows.
#[derive(Clone, Debug)]
pub struct Climb {
    /// Heading and captions.
    pub page: Page,
    /// The variants.
    pub rows: Vec<Climber>,
}

/// What stands above the columns of words.
const HEADS: [&str; 2] = ["1 s", "1 min"];

impl Climb {
    /// Lays the chart out; nothing where nobody climbed.
    #[must_use]
    pub fn scene(&self) -> Option<Scene> {
        let reached =
            || self.rows.iter().flat_map(|row| row.reach).flatten().map(|(order, _)| order);
        let (first, last) = (reached().min()?, reached().max()?);
        let orders: Vec<usize> = (first..=last).collect();
        let title = "largest order that one call counts within a second (the variant's marker) and \
                     within a minute (ring; a dashed line where it is predicted)";
        let columns: [f64; 2] = std::array::from_fn(|column| {
            let words = self.rows.iter().map(|row| row.words[column].as_str());
            widest(words.chain([HEADS[column]])) + 18.0
        });
        let notes = columns[0] + columns[1];
        let wanted = Wanted {
            title,
            pitch: (24.0, 36.0),
            above: LINE_HEIGHT + 8.0,
            below: 2.0 * LINE_HEIGHT + 12.0,
            beside: notes.max(150.0) + 180.0,
        };
        let keys: Vec<Key> = self.rows.iter().map(|row| row.key.clone()).collect();
        let (mut scene, frame) = rows::lay(&self.page, &keys, &wanted);
        let right = frame.right - notes;
        let step = (right - frame.left - 28.0) / (orders.len().max(2) - 1) as f64;
        let x_of = |column: usize| frame.left + 14.0 + column as f64 * step;
        for column in 0..orders.len() {
            let x = x_of(column);
            scene.line((x, frame.top), (x, frame.bottom), Colour::Grid, 1.0);
        }
        let head = frame.top - 4.0 - LINE_HEIGHT / 2.0;
        for (edge, text) in [(right + columns[0], HEADS[0]), (frame.right, HEADS[1])] {
            scene.text((edge, head), text, TEXT, Colour::Faint, Anchor::End);
        }
        for (row, climber) in self.rows.iter().enumerate() {
            let middle = frame.middle(row);
            scene.own(std::slice::from_ref(&climber.key.label));
            draw_climber(&mut scene, climber, middle, &|order| x_of(order - first));
            for (edge, words) in [right + columns[0], frame.right].into_iter().zip(&climber.words) {
                scene.text((edge, middle), words, TEXT, Colour::Ink, Anchor::End);
            }
        }
        scene.own(&[]);
        draw_orders(&mut scene, &frame, &orders, &x_of);
        let rows = self.rows.iter().map(|row| {
            let [second, minute] = &row.words;
            format!("{}: {second} within a second, {minute} within a minute", row.key.label)
        });
        scene.description = format!("{title}. {}.", rows.collect::<Vec<_>>().join("; "));
        Some(scene)
    }
}

fn draw_climber(scene: &mut Scene, climber: &Climber, middle: f64, x_of: &dyn Fn(usize) -> f64) {
    let colour = Colour::Variant(climber.key.style.colour);
    let [second, minute] = climber.reach;
    if let Some((to, measured)) = minute {
        let from = second.map_or(to, |(order, _)| order);
        let points = vec![(x_of(from), middle), (x_of(to), middle)];
        let dash = (!measured).then_some((4, 3));
        scene.shapes.push(Shape::Line { points, colour, width: 1.5, dash });
        let marker = crate::registry::Marker::Ring;
        scene.shapes.push(Shape::Point { at: (x_of(to), middle), marker, colour });
    }
    if let Some((order, _)) = second {
        let marker = climber.key.style.marker;
        scene.shapes.push(Shape::Point { at: (x_of(order), middle), marker, colour });
    }
}
