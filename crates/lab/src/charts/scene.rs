//! A chart as a list of shapes in pixels, laid out before anything is drawn, and its drawing as
//! SVG and PNG by plotters.

use std::path::Path;

use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::font;
use crate::files;
use crate::registry::Marker;

/// Red, green and blue.
pub type Colour = (u8, u8, u8);

/// Text and axes.
pub const INK: Colour = (34, 34, 34);
/// Captions and tick labels.
pub const FAINT_INK: Colour = (90, 90, 90);
/// Lines of the grid.
pub const GRID: Colour = (222, 222, 222);
/// A warning in a caption.
pub const WARNING: Colour = (178, 24, 43);

/// Which point of a text its position names, along the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// A shape; positions in pixels from the upper left corner. Text stands with its middle at `y`.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A polyline.
    Line { points: Vec<(f64, f64)>, colour: Colour, width: f64, dash: Option<(u32, u32)> },
    /// A filled rectangle.
    Bar { from: (f64, f64), to: (f64, f64), colour: Colour },
    /// A point of a curve.
    Point { at: (f64, f64), marker: Marker, colour: Colour },
    /// One line of text.
    Text { at: (f64, f64), text: String, size: f64, colour: Colour, anchor: Anchor },
}

/// A laid-out chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Width and height in pixels.
    pub size: (f64, f64),
    /// What it shows, for readers who do not see it.
    pub title: String,
    /// Its shapes, later ones above earlier ones.
    pub shapes: Vec<Shape>,
}

/// The box around a text: left, top, right, bottom.
#[cfg(test)]
pub fn text_box(at: (f64, f64), text: &str, size: f64, anchor: Anchor) -> [f64; 4] {
    let width = font::width(text, size);
    let left = match anchor {
        Anchor::Start => at.0,
        Anchor::Middle => at.0 - width / 2.0,
        Anchor::End => at.0 - width,
    };
    [left, at.1 - size / 2.0, left + width, at.1 + size / 2.0]
}

impl Scene {
    /// An empty one.
    #[must_use]
    pub fn new(size: (f64, f64), title: &str) -> Self {
        Self { size, title: title.to_owned(), shapes: Vec::new() }
    }

    /// Adds a text.
    pub fn text(&mut self, at: (f64, f64), text: &str, size: f64, colour: Colour, anchor: Anchor) {
        self.shapes.push(Shape::Text { at, text: text.to_owned(), size, colour, anchor });
    }

    /// Adds a straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: Colour, width: f64) {
        self.shapes.push(Shape::Line { points: vec![from, to], colour, width, dash: None });
    }

    /// The boxes of all texts with what they say: left, top, right, bottom.
    #[cfg(test)]
    pub fn text_boxes(&self) -> Vec<(&str, [f64; 4])> {
        self.shapes
            .iter()
            .filter_map(|shape| match shape {
                Shape::Text { at, text, size, anchor, .. } => {
                    Some((text.as_str(), text_box(*at, text, *size, *anchor)))
                }
                _ => None,
            })
            .collect()
    }

    /// The chart as SVG.
    ///
    /// # Errors
    /// Where the drawing library refuses it, in its words.
    pub fn svg(&self) -> Result<String, String> {
        let mut text = String::new();
        {
            let size = (self.size.0 as u32, self.size.1 as u32);
            let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
            // The library divides by this number to come to the size that it writes.
            self.draw(&area, &Scaling { pixels: 1.0, font_size: |size| size * 1.24, drop: 0.0 })?;
        }
        // What a screen reader says in place of the picture.
        let title = escaped(&self.title);
        let start = text.find('>').map_or(0, |end| end + 1);
        text.insert_str(start, &format!("\n<title>{title}</title>"));
        Ok(text.replacen("<svg ", "<svg role=\"img\" ", 1))
    }

    /// Writes it as `NAME.svg` and, with twice as many pixels each way, as `NAME.png`.
    ///
    /// # Errors
    /// Where a file cannot be written, naming it, or the drawing library refuses the chart.
    pub fn write(&self, folder: &Path, name: &str) -> Result<(), String> {
        files::write(&folder.join(format!("{name}.svg")), self.svg()?.as_bytes())?;
        // Drawn into a folder of its own first: the library writes the file where it is told to.
        let aside = tempfile::tempdir_in(folder)
            .map_err(|error| format!("cannot write in {}: {error}", folder.display()))?;
        let picture = aside.path().join("chart.png");
        self.draw_png(&picture)?;
        let bytes = std::fs::read(&picture)
            .map_err(|error| format!("cannot read {}: {error}", picture.display()))?;
        files::write(&folder.join(format!("{name}.png")), &bytes)
    }

    fn draw_png(&self, path: &Path) -> Result<(), String> {
        const SCALE: f64 = 2.0;
        let size = ((self.size.0 * SCALE) as u32, (self.size.1 * SCALE) as u32);
        let area = BitMapBackend::new(path, size).into_drawing_area();
        // It puts letters a little above the middle of their line, too.
        self.draw(&area, &Scaling { pixels: SCALE, font_size: font::height, drop: 0.16 })
    }

    fn draw<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        scaling: &Scaling,
    ) -> Result<(), String> {
        font::register();
        let failed = |error: DrawingAreaErrorKind<DB::ErrorType>| format!("cannot draw: {error}");
        area.fill(&WHITE).map_err(failed)?;
        for shape in &self.shapes {
            draw_shape(area, shape, scaling).map_err(failed)?;
        }
        area.present().map_err(failed)
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// What the two backends differ in.
struct Scaling {
    /// Pixels of the picture for one of the scene.
    pixels: f64,
    /// The size that the backend wants for a font size.
    font_size: fn(f64) -> f64,
    /// How far text must be moved down to stand in the middle, as a share of its size.
    drop: f64,
}

type Drawn<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

fn draw_shape<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    shape: &Shape,
    scaling: &Scaling,
) -> Drawn<DB> {
    let scale = scaling.pixels;
    let pixel = |at: (f64, f64)| ((at.0 * scale).round() as i32, (at.1 * scale).round() as i32);
    match shape {
        Shape::Line { points, colour, width, dash } => {
            let style = colour_of(*colour).stroke_width(((width * scale).round() as u32).max(1));
            let pixels: Vec<_> = points.iter().copied().map(pixel).collect();
            match dash {
                None => area.draw(&PathElement::new(pixels, style)),
                Some((dash, gap)) => {
                    let scaled = |length: u32| (f64::from(length) * scale) as u32;
                    let (dash, gap) = (scaled(*dash), scaled(*gap));
                    area.draw(&DashedPathElement::new(pixels, dash, gap, style))
                }
            }
        }
        Shape::Bar { from, to, colour } => {
            area.draw(&Rectangle::new([pixel(*from), pixel(*to)], colour_of(*colour).filled()))
        }
        Shape::Point { at, marker, colour } => {
            draw_point(area, pixel(*at), *marker, *colour, scale)
        }
        Shape::Text { at, text, size, colour, anchor } => {
            let horizontal = match anchor {
                Anchor::Start => HPos::Left,
                Anchor::Middle => HPos::Center,
                Anchor::End => HPos::Right,
            };
            let colour = colour_of(*colour);
            let style = (font::FAMILY, (scaling.font_size)(*size) * scale)
                .into_text_style(area)
                .color(&colour)
                .pos(Pos::new(horizontal, VPos::Center));
            area.draw_text(text, &style, pixel((at.0, at.1 + scaling.drop * size)))
        }
    }
}

fn colour_of((red, green, blue): Colour) -> RGBColor {
    RGBColor(red, green, blue)
}

fn draw_point<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    (x, y): (i32, i32),
    marker: Marker,
    colour: Colour,
    scale: f64,
) -> Drawn<DB> {
    let filled = colour_of(colour).filled();
    let stroke = colour_of(colour).stroke_width((2.0 * scale) as u32);
    let r = (4.5 * scale) as i32;
    let polygon = |corners: &[(i32, i32)]| {
        let corners: Vec<_> = corners.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
        area.draw(&Polygon::new(corners, filled))
    };
    let strokes = |ends: &[[(i32, i32); 2]]| {
        ends.iter().try_for_each(|ends| {
            let ends: Vec<_> = ends.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
            area.draw(&PathElement::new(ends, stroke))
        })
    };
    match marker {
        Marker::Circle => area.draw(&Circle::new((x, y), r, filled)),
        Marker::Ring => area.draw(&Circle::new((x, y), r, stroke)),
        Marker::Square => polygon(&[(-r, -r), (r, -r), (r, r), (-r, r)]),
        Marker::Triangle => polygon(&[(0, -r - 1), (r + 1, r), (-r - 1, r)]),
        Marker::TriangleDown => polygon(&[(0, r + 1), (r + 1, -r), (-r - 1, -r)]),
        Marker::Diamond => polygon(&[(0, -r - 2), (r + 1, 0), (0, r + 2), (-r - 1, 0)]),
        Marker::Cross => strokes(&[[(-r, -r), (r, r)], [(-r, r), (r, -r)]]),
        Marker::Plus => strokes(&[[(-r - 1, 0), (r + 1, 0)], [(0, -r - 1), (0, r + 1)]]),
    }
}
