//! A scene as PNG, drawn by plotters with the carried font.

use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::font;
use super::provenance::{KEYWORD, Provenance};
use super::scene::{Anchor, Scene, Shape};
use super::theme::{Colour, Theme, drawn};
use crate::registry::{Marker, Outline};

/// Dots of the picture for each pixel of 1/96 inch: it is still sharp at 200 % or in print.
pub const DENSITY: f64 = 2.0;

/// The scene as PNG.
///
/// # Errors
/// Where the drawing library refuses the chart, in its words.
pub fn write(scene: &Scene, theme: Theme, provenance: &Provenance) -> Result<Vec<u8>, String> {
    let pen = Pen { scale: DENSITY * theme.zoom(), theme };
    let dots = |units: f64| ((units * theme.zoom()).round() * DENSITY) as u32;
    let (width, height) = (dots(scene.size.0), dots(scene.size.1));
    let mut dots = vec![0; 3 * width as usize * height as usize];
    {
        font::register();
        let area = BitMapBackend::with_buffer(&mut dots, (width, height)).into_drawing_area();
        let failed = |error: &dyn std::fmt::Display| format!("cannot draw: {error}");
        area.fill(&pen.colour(Colour::Paper)).map_err(|error| failed(&error))?;
        for shape in &scene.shapes {
            pen.draw(&area, shape).map_err(|error| failed(&error))?;
        }
        area.present().map_err(|error| failed(&error))?;
    }
    encoded(&dots, (width, height), scene, provenance)
        .map_err(|error| format!("cannot write the picture: {error}"))
}

/// The dots as a file, with where they come from.
fn encoded(
    dots: &[u8],
    (width, height): (u32, u32),
    scene: &Scene,
    provenance: &Provenance,
) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    // Dots a metre: 96 pixels an inch of 25.4 mm, times the density.
    let density = (DENSITY * 96.0 / 0.0254).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: density,
        yppu: density,
        unit: png::Unit::Meter,
    }));
    encoder.add_itxt_chunk("Title".to_owned(), scene.title.clone())?;
    encoder.add_itxt_chunk("Description".to_owned(), scene.description.clone())?;
    encoder.add_itxt_chunk(KEYWORD.to_owned(), provenance.json())?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(dots)?;
    writer.finish()?;
    Ok(bytes)
}

/// What draws shapes, in a theme's colours, at so many dots a unit of the layout.
struct Pen {
    scale: f64,
    theme: Theme,
}

type Drawn<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// The library puts letters a little above the middle of their line: how far they must be moved down, as a
/// share of their size.
const DROP: f64 = 0.16;

impl Pen {
    fn colour(&self, colour: Colour) -> RGBColor {
        drawn(self.theme.paint(colour))
    }

    fn pixel(&self, at: (f64, f64)) -> (i32, i32) {
        ((at.0 * self.scale).round() as i32, (at.1 * self.scale).round() as i32)
    }

    fn draw<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>, shape: &Shape) -> Drawn<DB> {
        match shape {
            Shape::Line { points, colour, width, dash } => {
                let width = ((width * self.scale).round() as u32).max(1);
                let style = self.colour(*colour).stroke_width(width);
                let pixels: Vec<_> = points.iter().map(|at| self.pixel(*at)).collect();
                match dash {
                    None => area.draw(&PathElement::new(pixels, style)),
                    Some((dash, gap)) => {
                        let scaled = |length: u32| (f64::from(length) * self.scale) as u32;
                        let (dash, gap) = (scaled(*dash), scaled(*gap));
                        area.draw(&DashedPathElement::new(pixels, dash, gap, style))
                    }
                }
            }
            Shape::Strokes { lines, colour, width } => {
                let width = ((width * self.scale).round() as u32).max(1);
                let style = self.colour(*colour).stroke_width(width);
                lines.iter().try_for_each(|ends| {
                    let pixels: Vec<_> = ends.iter().map(|at| self.pixel(*at)).collect();
                    area.draw(&PathElement::new(pixels, style))
                })
            }
            Shape::Bar { from, to, colour } => area.draw(&Rectangle::new(
                [self.pixel(*from), self.pixel(*to)],
                self.colour(*colour).filled(),
            )),
            Shape::Dot { at, radius, colour } => {
                let radius = ((radius * self.scale).round() as i32).max(1);
                area.draw(&Circle::new(self.pixel(*at), radius, self.colour(*colour).filled()))
            }
            Shape::Point { at, marker, colour } => self.mark(area, *at, *marker, *colour),
            Shape::Text { at, text, size, colour, anchor } => {
                let horizontal = match anchor {
                    Anchor::Start => HPos::Left,
                    Anchor::Middle => HPos::Center,
                    Anchor::End => HPos::Right,
                };
                let colour = self.colour(*colour);
                let style = (font::FAMILY, font::height(*size) * self.scale)
                    .into_text_style(area)
                    .color(&colour)
                    .pos(Pos::new(horizontal, VPos::Center));
                area.draw_text(text, &style, self.pixel((at.0, at.1 + DROP * size)))
            }
        }
    }

    fn mark<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        (x, y): (f64, f64),
        marker: Marker,
        colour: Colour,
    ) -> Drawn<DB> {
        let filled = self.colour(colour).filled();
        let stroke = self.colour(colour).stroke_width((2.0 * self.scale).round() as u32);
        let pixels = |points: &[(f64, f64)]| -> Vec<_> {
            points.iter().map(|(dx, dy)| self.pixel((x + dx, y + dy))).collect()
        };
        match marker.outline() {
            Outline::Circle { radius, filled: is_filled } => {
                let style = if is_filled { filled } else { stroke };
                let radius = (radius * self.scale).round() as i32;
                area.draw(&Circle::new(self.pixel((x, y)), radius, style))
            }
            Outline::Polygon(corners) => area.draw(&Polygon::new(pixels(&corners), filled)),
            Outline::Strokes(strokes) => strokes
                .iter()
                .try_for_each(|ends| area.draw(&PathElement::new(pixels(ends), stroke))),
        }
    }
}
