//! A band a variant with many values in it: every sample of a case, or its rounds one after the other.

use super::axis::{Axis, Quantity, Scale};
use super::bars::{draw_interval, draw_ticks};
use super::font;
use super::page::{LINE_HEIGHT, Page, TEXT};
use super::rows::{self, Frame, Key, Wanted};
use super::scene::{Anchor, Place, Scene, Shape};
use super::theme::Colour;
use crate::format;
use crate::stats;

/// The samples of a variant, each divided by the variant's median.
#[derive(Clone, Debug)]
pub struct Cloud {
    /// The variant.
    pub key: Key,
    /// The samples.
    pub values: Vec<f64>,
    /// The interval of the median.
    pub interval: Option<(f64, f64)>,
}

/// What a chart of samples shows.
#[derive(Clone, Debug)]
pub struct Clouds {
    /// Heading and captions.
    pub page: Page,
    /// The variants.
    pub rows: Vec<Cloud>,
}

/// The radius of a sample, where there is room for it, and the least that is still seen.
const RADII: [f64; 6] = [2.6, 2.1, 1.7, 1.3, 1.0, 0.8];

impl Clouds {
    /// Lays the chart out; nothing without a sample.
    #[must_use]
    pub fn scene(&self) -> Option<Scene> {
        let values = self.rows.iter().flat_map(|row| {
            let ends = row.interval.into_iter().flat_map(|(low, high)| [low, high]);
            row.values.iter().copied().chain(ends)
        });
        let axis = Axis::over(values, Quantity::Deviation, Scale::Log)?;
        let keys: Vec<Key> = self.rows.iter().map(|row| row.key.clone()).collect();
        let wanted = Wanted {
            title: "time of one call in each sample, in per cent from the variant's median, linear within \
                    1 % and logarithmic beyond; below the samples the interval of the median",
            pitch: (34.0, 90.0),
            above: 6.0,
            below: 30.0,
            beside: 300.0,
        };
        let (mut scene, frame) = rows::lay(&self.page, &keys, &wanted);
        let width = frame.right - frame.left;
        let at = |value: f64| frame.left + axis.place(value) * width;
        draw_ticks(&mut scene, &frame, &axis, frame.right);
        // Room is left for the interval below, and between two bands.
        let room = frame.pitch / 2.0 - 6.0;
        let places = |cloud: &Cloud| cloud.values.iter().map(|value| at(*value)).collect();
        let clouds: Vec<Vec<f64>> = self.rows.iter().map(places).collect();
        let radius = radius_for(&clouds, room);
        for (row, cloud) in self.rows.iter().enumerate() {
            let middle = frame.middle(row);
            scene.own(std::slice::from_ref(&cloud.key.label));
            let colour = Colour::Variant(cloud.key.style.colour);
            for (x, y) in swarm(&clouds[row], radius, room) {
                let at = (x, middle - 3.0 + y);
                scene.shapes.push(Shape::Dot { at, radius, colour });
            }
            let interval = cloud.interval.map(|(low, high)| (at(low), at(high)));
            draw_interval(&mut scene, interval, middle + frame.pitch / 2.0 - 6.0);
            let text = told(cloud);
            scene.note((at(1.0), middle), room, std::slice::from_ref(&cloud.key.label), text);
        }
        scene.own(&[]);
        let rows = self.rows.iter().map(told).collect::<Vec<_>>().join("; ");
        scene.description = format!("Every sample as a dot. {rows}.");
        Some(scene)
    }
}

fn told(cloud: &Cloud) -> String {
    let mut sorted = cloud.values.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let ends = sorted.first().zip(sorted.last()).map_or_else(String::new, |(low, high)| {
        format!(" from {} to {}", format::deviation(*low), format::deviation(*high))
    });
    format!("{}: {} samples{ends}", cloud.key.label, sorted.len())
}

/// The largest radius for which no dot of any band needs to hide another, or the least one.
fn radius_for(clouds: &[Vec<f64>], room: f64) -> f64 {
    let [.., least] = RADII;
    let fits = |radius: &f64| clouds.iter().all(|xs| placed(xs, *radius, room).is_some());
    RADII.into_iter().find(fits).unwrap_or(least)
}

/// Places around zero for values at these places, so that no dot hides another and all are within `room`. Where
/// that cannot be, no two dots have the same middle: their heights are multiples of the golden ratio, which
/// never come again and spread evenly however many there are.
fn swarm(xs: &[f64], radius: f64, room: f64) -> Vec<(f64, f64)> {
    placed(xs, radius, room).unwrap_or_else(|| {
        const GOLDEN: f64 = 0.618_033_988_749_895;
        let height = |place: usize| (2.0 * (place as f64 * GOLDEN).fract() - 1.0) * (room - radius);
        let mut order: Vec<usize> = (0..xs.len()).collect();
        order.sort_by(|a, b| xs[*a].total_cmp(&xs[*b]));
        let mut dots = vec![(0.0, 0.0); xs.len()];
        for (place, index) in order.into_iter().enumerate() {
            dots[index] = (xs[index], height(place));
        }
        dots
    })
}

/// The places for a radius; nothing where some dot would leave the room.
fn placed(xs: &[f64], radius: f64, room: f64) -> Option<Vec<(f64, f64)>> {
    let mut order: Vec<usize> = (0..xs.len()).collect();
    order.sort_by(|a, b| xs[*a].total_cmp(&xs[*b]));
    let mut dots = vec![(0.0, 0.0); xs.len()];
    let mut last: Vec<(f64, f64)> = Vec::new();
    for index in order {
        let x = xs[index];
        last.retain(|(other, _)| x - other < 2.0 * radius);
        // On the line, or touching one of those before it, as near to the line as can be.
        let touching = last.iter().flat_map(|(other, y)| {
            let reach = (4.0 * radius * radius - (x - other).powi(2)).max(0.0).sqrt() + 1e-6;
            [y - reach, y + reach]
        });
        let clear = |y: &f64| {
            last.iter().all(|(other, at)| (x - other).hypot(y - at) >= 2.0 * radius - 1e-9)
        };
        let y = std::iter::once(0.0)
            .chain(touching)
            .filter(clear)
            .min_by(|a, b| a.abs().total_cmp(&b.abs()))?;
        if y.abs() + radius > room {
            return None;
        }
        dots[index] = (x, y);
        last.push((x, y));
    }
    Some(dots)
}

/// A round by its number, and its median divided by that of all rounds.
type Round = (usize, f64);

/// The rounds of a variant, each with its median divided by that of all rounds.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The variant.
    pub key: Key,
    /// The rounds.
    pub rounds: Vec<Round>,
}

/// What a chart of the rounds shows.
#[derive(Clone, Debug)]
pub struct Traces {
    /// Heading and captions.
    pub page: Page,
    /// How many rounds the run has.
    pub rounds: usize,
    /// The rounds that were disturbed.
    pub disturbed: Vec<usize>,
    /// The variants.
    pub rows: Vec<Trace>,
}

impl Traces {
    /// Lays the chart out; nothing without a round.
    #[must_use]
    pub fn scene(&self) -> Option<Scene> {
        // As far down as up, so that the middle of a band is 1.
        let values = self.rows.iter().flat_map(|row| row.rounds.iter().map(|(_, value)| *value));
        let values = values.flat_map(|value| [value, value.recip()]);
        let axis = Axis::over(values, Quantity::Deviation, Scale::Log)?;
        let keys: Vec<Key> = self.rows.iter().map(|row| row.key.clone()).collect();
        let shaded = if self.disturbed.is_empty() { "" } else { "; disturbed rounds are shaded" };
        let ticks = axis.ticks(0.1);
        let above = ticks.iter().filter(|tick| tick.value > 1.0);
        let lines: Vec<String> = above.map(|tick| tick.label.replace('+', "±")).collect();
        let lines = lines.join(" and ");
        let title = format!(
            "median of the round, in per cent from the variant's median of all rounds, linear within \
             1 % and logarithmic beyond; lines in a band at {lines}{shaded}"
        );
        let wanted = Wanted {
            title: &title,
            pitch: (28.0, 60.0),
            above: 8.0,
            below: 2.0 * LINE_HEIGHT + 12.0,
            beside: 240.0,
        };
        let (mut scene, frame) = rows::lay(&self.page, &keys, &wanted);
        let step = (frame.right - frame.left) / self.rounds.max(1) as f64;
        let x_of = |round: usize| frame.left + (round as f64 - 0.5) * step;
        for &round in &self.disturbed {
            let x = x_of(round);
            let (from, to) = ((x - step / 2.0, frame.top), (x + step / 2.0, frame.bottom));
            scene.shapes.push(Shape::Bar { from, to, colour: Colour::Grid });
        }
        self.draw_rounds(&mut scene, &frame, &x_of);
        let height = frame.pitch - 8.0;
        for (row, trace) in self.rows.iter().enumerate() {
            let middle = frame.middle(row);
            scene.own(&[]);
            let y = |value: f64| middle - (axis.place(value) - 0.5) * height;
            for tick in &ticks {
                let y = y(tick.value);
                scene.line((frame.left, y), (frame.right, y), Colour::Grid, 0.5);
            }
            scene.line((frame.left, middle), (frame.right, middle), Colour::Faint, 0.5);
            scene.own(std::slice::from_ref(&trace.key.label));
            draw_trace(&mut scene, trace, &|&(round, value)| (x_of(round), y(value)));
        }
        scene.own(&[]);
        let rows = self.rows.iter().filter_map(|trace| {
            let values = trace.rounds.iter().map(|(_, value)| *value);
            let (low, high) = (values.clone().reduce(f64::min)?, values.reduce(f64::max)?);
            let (low, high) = (format::deviation(low), format::deviation(high));
            Some(format!("{}: from {low} to {high}", trace.key.label))
        });
        scene.description = format!("{title}. {}.", rows.collect::<Vec<_>>().join("; "));
        Some(scene)
    }

    /// The numbers of the rounds below the bands.
    fn draw_rounds(&self, scene: &mut Scene, frame: &Frame, x_of: &dyn Fn(usize) -> f64) {
        scene.line((frame.left, frame.bottom), (frame.right, frame.bottom), Colour::Ink, 1.0);
        let mut free_from = f64::NEG_INFINITY;
        for round in 1..=self.rounds {
            let (x, text) = (x_of(round), round.to_string());
            let half = font::width(&text, TEXT) / 2.0;
            if x - half >= free_from {
                let at = (x, frame.bottom + 14.0);
                scene.text(at, &text, TEXT, Colour::Faint, Anchor::Middle);
                free_from = x + half + 6.0;
            }
        }
        let middle = f64::midpoint(frame.left, frame.right);
        let at = (middle, frame.bottom + 14.0 + LINE_HEIGHT);
        scene.text(at, "round", TEXT, Colour::Ink, Anchor::Middle);
    }
}

fn draw_trace(scene: &mut Scene, trace: &Trace, at: &dyn Fn(&Round) -> Place) {
    let colour = Colour::Variant(trace.key.style.colour);
    for run in trace.rounds.chunk_by(|a, b| a.0 + 1 == b.0).filter(|run| run.len() > 1) {
        let points = run.iter().map(at).collect();
        scene.shapes.push(Shape::Line { points, colour, width: 1.5, dash: None });
    }
    for round in &trace.rounds {
        scene.shapes.push(Shape::Dot { at: at(round), radius: 2.2, colour });
        let text =
            format!("{}, round {}: {}", trace.key.label, round.0, format::deviation(round.1));
        scene.note(at(round), 7.0, std::slice::from_ref(&trace.key.label), text);
    }
}

/// The medians of rounds, each divided by the median of all of them.
#[must_use]
pub fn traced(rounds: impl Iterator<Item = (usize, Vec<f64>)>) -> Vec<Round> {
    let medians: Vec<(usize, f64)> =
        rounds.filter_map(|(round, values)| Some((round, stats::median(&values)?))).collect();
    let all: Vec<f64> = medians.iter().map(|(_, median)| *median).collect();
    let Some(middle) = stats::median(&all).filter(|middle| *middle > 0.0) else {
        return Vec::new();
    };
    let usable = medians.into_iter().filter(|(_, median)| *median > 0.0 && median.is_finite());
    usable.map(|(round, median)| (round, median / middle)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Every sample is seen: as many dots as samples, none on another, all within the band.
        #[test]
        fn no_dot_hides_another(xs in prop::collection::vec(0.0..300.0_f64, 1..150)) {
            let radius = radius_for(std::slice::from_ref(&xs), 30.0);
            let dots = swarm(&xs, radius, 30.0);
            prop_assert_eq!(dots.len(), xs.len());
            for (i, a) in dots.iter().enumerate() {
                prop_assert!((a.0 - xs[i]).abs() < 1e-9 && a.1.abs() + radius <= 30.0);
                for b in &dots[..i] {
                    prop_assert!((a.0 - b.0).hypot(a.1 - b.1) >= 2.0 * radius - 1e-6);
                }
            }
        }

        /// More than there is room for, be they equal, are still all drawn, in the band, each at a height of
        /// its own.
        #[test]
        fn a_crowd_stays_in_its_band(mut xs in prop::collection::vec(0.0..4.0_f64, 400..600)) {
            xs[..50].fill(1.0);
            let radius = radius_for(std::slice::from_ref(&xs), 12.0);
            let dots = swarm(&xs, radius, 12.0);
            prop_assert_eq!(dots.len(), xs.len());
            prop_assert!(dots.iter().all(|dot| dot.1.abs() + radius <= 12.0 + 1e-9));
            let mut heights: Vec<f64> = dots.iter().map(|dot| dot.1).collect();
            heights.sort_unstable_by(f64::total_cmp);
            prop_assert!(heights.windows(2).all(|pair| pair[1] - pair[0] > 1e-3));
        }
    }
}
