//! Charts as parts of a page, whose style has their colours.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::scene::{Scene, Shape};
use super::svg::{self, Use, variable};
use super::theme::{Colour, Theme, hexadecimal};
use super::{Chart, Subject, gallery};
use crate::data::Data;

/// A chart as a part of a page.
#[derive(Clone, Debug, Default)]
pub struct Embedded {
    /// The picture.
    pub svg: String,
    /// Its colours.
    pub colours: BTreeSet<Colour>,
    /// The variants that share a shape, each set once.
    pub shared: BTreeSet<Vec<String>>,
}

/// A chart as a part of a page; nothing where the data have no value for it. `prefix` tells its identifiers from
/// those of other charts on the page.
#[must_use]
pub fn embed(chart: Chart, subject: &Subject<'_>, prefix: &str) -> Option<Embedded> {
    let scene = gallery::scene(chart, subject)?;
    let purpose = Use::Page { prefix, baseline: subject.baseline };
    let owners = scene.owners.iter().map(|(_, owner)| &owner.variants);
    let shared = owners.filter(|variants| variants.len() > 1).cloned().collect();
    Some(Embedded { svg: svg::write(&scene, purpose), colours: colours(&scene), shared })
}

fn colours(scene: &Scene) -> BTreeSet<Colour> {
    let of = |shape: &Shape| match shape {
        Shape::Line { colour, .. }
        | Shape::Strokes { colour, .. }
        | Shape::Bar { colour, .. }
        | Shape::Point { colour, .. }
        | Shape::Dot { colour, .. }
        | Shape::Text { colour, .. } => *colour,
    };
    scene.shapes.iter().map(of).collect()
}

/// The marker of each variant of the data, by the variant, as a small picture without words.
#[must_use]
pub fn markers(data: &Data) -> Vec<(String, String)> {
    gallery::styles(data)
        .into_iter()
        .map(|(id, style)| {
            let mut scene = Scene::new((16.0, 16.0), &id);
            let colour = Colour::Variant(style.colour);
            scene.shapes.push(Shape::Point { at: (8.0, 8.0), marker: style.marker, colour });
            (id, svg::icon(&scene))
        })
        .collect()
}

/// The colours of the data's variants.
#[must_use]
pub fn colours_of(data: &Data) -> Vec<Colour> {
    gallery::styles(data).into_values().map(|style| Colour::Variant(style.colour)).collect()
}

/// Colours as variables of a style, in a theme.
#[must_use]
pub fn variables(theme: Theme, colours: &BTreeSet<Colour>) -> String {
    let always = [Colour::Paper, Colour::Ink, Colour::Faint, Colour::Grid, Colour::Warning];
    let all: BTreeSet<Colour> = colours.iter().copied().chain(always).collect();
    all.into_iter().fold(String::new(), |mut text, colour| {
        let _ = write!(text, "{}:{};", variable(colour), hexadecimal(theme.paint(colour)));
        text
    })
}
