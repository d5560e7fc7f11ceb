//! A scene as SVG: text stays text, what is of a variant is a group, and the file says where it comes from.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};

use super::font;
use super::provenance::{self, Provenance};
use super::scene::{Anchor, Note, Owner, Rectangle, Scene, Shape, text_box};
use super::theme::{Colour, Theme, hexadecimal};
use crate::registry::Marker;

/// What an SVG is made for.
#[derive(Clone, Copy, Debug)]
pub enum Use<'a> {
    /// A file of its own.
    File {
        /// Its colours and its size.
        theme: Theme,
        /// Where it comes from.
        provenance: &'a Provenance,
    },
    /// A part of a page, which gives its colours as variables and shows a value at the pointer.
    Page {
        /// What tells its identifiers from those of other charts on the page.
        prefix: &'a str,
        /// The baseline that is chosen until a reader chooses another.
        baseline: &'a str,
    },
}

type Written = io::Result<()>;
type Out = Writer<Vec<u8>>;

/// The variable of a page's style that has a colour.
#[must_use]
pub fn variable(colour: Colour) -> String {
    match colour {
        Colour::Paper => "--paper".to_owned(),
        Colour::Ink => "--ink".to_owned(),
        Colour::Faint => "--faint".to_owned(),
        Colour::Grid => "--grid".to_owned(),
        Colour::Warning => "--warning".to_owned(),
        Colour::Variant(rgb) => format!("--variant-{}", &hexadecimal(rgb)[1..]),
        Colour::Heat(step) => format!("--heat-{step}"),
        Colour::OnHeat(step) => format!("--on-heat-{step}"),
    }
}

impl Use<'_> {
    fn paint(&self, colour: Colour) -> String {
        match self {
            Self::File { theme, .. } => hexadecimal(theme.paint(colour)),
            Self::Page { .. } => format!("var({})", variable(colour)),
        }
    }

    fn zoom(&self) -> f64 {
        match self {
            Self::File { theme, .. } => theme.zoom(),
            Self::Page { .. } => 1.0,
        }
    }
}

/// The scene as SVG.
#[must_use]
pub fn write(scene: &Scene, purpose: Use<'_>) -> String {
    let mut out = Writer::new(Vec::new());
    // Nothing but memory is written to, and everything that is written is text.
    let written = picture(&mut out, scene, purpose);
    debug_assert!(written.is_ok());
    String::from_utf8(out.into_inner()).unwrap_or_default()
}

/// A small picture that says nothing beside the words that it stands by.
#[must_use]
pub fn icon(scene: &Scene) -> String {
    let mut out = Writer::new(Vec::new());
    let purpose = Use::Page { prefix: "", baseline: "" };
    let written = scene.shapes.iter().try_for_each(|shape| draw(&mut out, shape, purpose));
    debug_assert!(written.is_ok());
    let shapes = String::from_utf8(out.into_inner()).unwrap_or_default();
    let (width, height) = scene.size;
    format!(
        "<svg class=\"icon\" viewBox=\"0 0 {} {}\" aria-hidden=\"true\">{shapes}</svg>",
        number(width),
        number(height)
    )
}

fn picture(out: &mut Out, scene: &Scene, purpose: Use<'_>) -> Written {
    let (width, height) = scene.size;
    let mut root = BytesStart::new("svg");
    root.push_attribute(("viewBox", format!("0 0 {} {}", number(width), number(height)).as_str()));
    root.push_attribute(("role", "img"));
    let (title, description, prefix) = match purpose {
        Use::File { .. } => {
            let pixels = |units: f64| number((units * purpose.zoom()).round());
            root.push_attribute(("xmlns", "http://www.w3.org/2000/svg"));
            root.push_attribute(("width", pixels(width).as_str()));
            root.push_attribute(("height", pixels(height).as_str()));
            ("title".to_owned(), "description".to_owned(), "")
        }
        Use::Page { prefix, .. } => {
            (format!("{prefix}-title"), format!("{prefix}-description"), prefix)
        }
    };
    root.push_attribute(("aria-labelledby", title.as_str()));
    root.push_attribute(("aria-describedby", description.as_str()));
    root.push_attribute(("font-family", font::FAMILY));
    out.write_event(Event::Start(root))?;
    words(out, "title", &title, &scene.title)?;
    words(out, "desc", &description, &scene.description)?;
    if let Use::File { provenance, .. } = purpose {
        words(out, "metadata", provenance::ELEMENT, &provenance.json())?;
    }
    if prefix.is_empty() {
        let paper = purpose.paint(Colour::Paper);
        rectangle(out, (0.0, 0.0), scene.size, &paper)?;
    }
    for (owner, shapes) in scene.groups() {
        if owner == Owner::default() {
            shapes.iter().try_for_each(|shape| draw(out, shape, purpose))?;
        } else {
            let mut group = BytesStart::new("g");
            if !owner.variants.is_empty() {
                group.push_attribute(("data-variants", owner.variants.join(" ").as_str()));
            }
            if let (Some(baseline), Use::Page { baseline: chosen, .. }) = (&owner.baseline, purpose)
            {
                let class = if baseline == chosen { "view default" } else { "view" };
                group.push_attribute(("class", class));
                group.push_attribute(("data-baseline", baseline.as_str()));
            }
            out.write_event(Event::Start(group))?;
            shapes.iter().try_for_each(|shape| draw(out, shape, purpose))?;
            out.write_event(Event::End(BytesEnd::new("g")))?;
        }
    }
    // Above everything else, so that no curve takes the pointer from a value.
    for note in &scene.notes {
        told(out, note, scene.size, purpose)?;
    }
    out.write_event(Event::End(BytesEnd::new("svg")))
}

fn words(out: &mut Out, element: &str, id: &str, text: &str) -> Written {
    out.create_element(element)
        .with_attribute(("id", id))
        .write_text_content(BytesText::new(text))?;
    Ok(())
}

/// A length without digits that nobody sees.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn rectangle(out: &mut Out, from: (f64, f64), to: (f64, f64), fill: &str) -> Written {
    out.create_element("rect")
        .with_attributes([
            ("x", number(from.0.min(to.0)).as_str()),
            ("y", number(from.1.min(to.1)).as_str()),
            ("width", number((to.0 - from.0).abs()).as_str()),
            ("height", number((to.1 - from.1).abs()).as_str()),
            ("fill", fill),
        ])
        .write_empty()?;
    Ok(())
}

fn path_of(points: &[(f64, f64)]) -> String {
    let points: Vec<String> =
        points.iter().map(|(x, y)| format!("{} {}", number(*x), number(*y))).collect();
    format!("M{}", points.join("L"))
}

fn draw(out: &mut Out, shape: &Shape, purpose: Use<'_>) -> Written {
    match shape {
        Shape::Line { points, colour, width, dash } => {
            let dashes = dash.map(|(dash, gap)| format!("{dash} {gap}"));
            let (path, width, stroke) =
                (path_of(points), width.to_string(), purpose.paint(*colour));
            let mut element = out.create_element("path").with_attributes([
                ("d", path.as_str()),
                ("fill", "none"),
                ("stroke", stroke.as_str()),
                ("stroke-width", width.as_str()),
            ]);
            if let Some(dashes) = &dashes {
                element = element.with_attribute(("stroke-dasharray", dashes.as_str()));
            }
            element.write_empty()?;
            Ok(())
        }
        Shape::Strokes { lines, colour, width } => {
            let (path, width) =
                (lines.iter().map(|ends| path_of(ends)).collect::<String>(), width.to_string());
            let stroke = purpose.paint(*colour);
            out.create_element("path")
                .with_attributes([
                    ("d", path.as_str()),
                    ("stroke", stroke.as_str()),
                    ("stroke-width", width.as_str()),
                ])
                .write_empty()?;
            Ok(())
        }
        Shape::Bar { from, to, colour } => rectangle(out, *from, *to, &purpose.paint(*colour)),
        Shape::Dot { at, radius, colour } => circle(out, *at, *radius, &purpose.paint(*colour)),
        Shape::Point { at, marker, colour } => mark(out, *at, *marker, &purpose.paint(*colour)),
        Shape::Text { at, text, size, colour, anchor } => {
            line_of_text(out, *at, text, *size, &purpose.paint(*colour), *anchor)
        }
    }
}

fn circle(out: &mut Out, at: (f64, f64), radius: f64, fill: &str) -> Written {
    out.create_element("circle")
        .with_attributes([
            ("cx", number(at.0).as_str()),
            ("cy", number(at.1).as_str()),
            ("r", number(radius).as_str()),
            ("fill", fill),
        ])
        .write_empty()?;
    Ok(())
}

/// From the middle of the small letters and digits down to the line that they stand on, as a share of the
/// size.
const MIDDLE_TO_BASE: f64 = 0.36;

fn line_of_text(
    out: &mut Out,
    at: (f64, f64),
    text: &str,
    size: f64,
    fill: &str,
    anchor: Anchor,
) -> Written {
    let (x, y, size) = (number(at.0), number(at.1 + MIDDLE_TO_BASE * size), number(size));
    let mut element = out.create_element("text").with_attributes([
        ("x", x.as_str()),
        ("y", y.as_str()),
        ("font-size", size.as_str()),
        ("fill", fill),
    ]);
    match anchor {
        Anchor::Start => {}
        Anchor::Middle => element = element.with_attribute(("text-anchor", "middle")),
        Anchor::End => element = element.with_attribute(("text-anchor", "end")),
    }
    element.write_text_content(BytesText::new(text))?;
    Ok(())
}

fn mark(out: &mut Out, (x, y): (f64, f64), marker: Marker, colour: &str) -> Written {
    let outline = marker.outline();
    let at = |(dx, dy): &(f64, f64)| (x + dx, y + dy);
    let path = |points: &[(f64, f64)]| path_of(&points.iter().map(at).collect::<Vec<_>>());
    let (d, closed) = match &outline {
        crate::registry::Outline::Circle { radius, filled: true } => {
            return circle(out, (x, y), *radius, colour);
        }
        crate::registry::Outline::Circle { radius, filled: false } => {
            out.create_element("circle")
                .with_attributes([
                    ("cx", number(x).as_str()),
                    ("cy", number(y).as_str()),
                    ("r", number(*radius).as_str()),
                    ("fill", "none"),
                    ("stroke", colour),
                    ("stroke-width", "2"),
                ])
                .write_empty()?;
            return Ok(());
        }
        crate::registry::Outline::Polygon(corners) => (format!("{}Z", path(corners)), true),
        crate::registry::Outline::Strokes(strokes) => {
            (strokes.iter().map(|ends| path(ends)).collect(), false)
        }
    };
    let element = out.create_element("path").with_attribute(("d", d.as_str()));
    if closed {
        element.with_attribute(("fill", colour)).write_empty()?;
    } else {
        element
            .with_attributes([("fill", "none"), ("stroke", colour), ("stroke-width", "2")])
            .write_empty()?;
    }
    Ok(())
}

/// A value at its place: the picture's own hint in a file, and on a page a line of text that the page's style
/// shows.
fn told(out: &mut Out, note: &Note, size: (f64, f64), purpose: Use<'_>) -> Written {
    const TEXT: f64 = 14.0;
    let Note { at, radius, variants, text } = note;
    let mut group = BytesStart::new("g");
    group.push_attribute(("class", "note"));
    if !variants.is_empty() {
        group.push_attribute(("data-variants", variants.join(" ").as_str()));
    }
    out.write_event(Event::Start(group))?;
    if matches!(purpose, Use::File { .. }) {
        out.create_element("title").write_text_content(BytesText::new(text))?;
    }
    out.create_element("circle")
        .with_attributes([
            ("cx", number(at.0).as_str()),
            ("cy", number(at.1).as_str()),
            ("r", number(*radius).as_str()),
            ("fill", "none"),
            ("pointer-events", "all"),
        ])
        .write_empty()?;
    if matches!(purpose, Use::Page { .. }) {
        // Above the place where there is room, and within the picture. The page's style shows it.
        let half = font::width(text, TEXT) / 2.0 + 4.0;
        let x = at.0.min(size.0 - half).max(half);
        let above = at.1 - 20.0;
        let y = if above > 12.0 { above } else { at.1 + 24.0 };
        out.create_element("text")
            .with_attributes([
                ("class", "hint"),
                ("x", number(x).as_str()),
                ("y", number(y + MIDDLE_TO_BASE * TEXT).as_str()),
                ("font-size", number(TEXT).as_str()),
            ])
            .write_text_content(BytesText::new(text))?;
    }
    out.write_event(Event::End(BytesEnd::new("g")))
}

/// The texts that an SVG shows, each with its box in units of the `viewBox`.
pub type TextBoxes = Vec<(String, Rectangle)>;

/// The width and height of an SVG's `viewBox`, and its texts as any reader of the file finds them.
///
/// # Errors
/// Where it is no SVG of this laboratory's.
pub fn text_boxes(svg: &str) -> Result<((f64, f64), TextBoxes), String> {
    let document = roxmltree::Document::parse(svg).map_err(|error| error.to_string())?;
    let value = |node: roxmltree::Node<'_, '_>, name: &str| {
        node.attribute(name)
            .and_then(|text| text.parse::<f64>().ok())
            .ok_or_else(|| format!("no number {name}"))
    };
    let view: Vec<f64> = document
        .root_element()
        .attribute("viewBox")
        .unwrap_or_default()
        .split(' ')
        .filter_map(|text| text.parse().ok())
        .collect();
    let [_, _, width, height] = view[..] else { return Err("no viewBox".to_owned()) };
    let mut found = Vec::new();
    for node in document.descendants().filter(|node| node.has_tag_name("text")) {
        let hint = node.ancestors().any(|above| above.attribute("class") == Some("hint"));
        if hint {
            continue;
        }
        let size = value(node, "font-size")?;
        let at = (value(node, "x")?, value(node, "y")? - MIDDLE_TO_BASE * size);
        let anchor = match node.attribute("text-anchor") {
            Some("end") => Anchor::End,
            Some("middle") => Anchor::Middle,
            _ => Anchor::Start,
        };
        let text = node.text().unwrap_or_default();
        found.push((text.to_owned(), text_box(at, text, size, anchor)));
    }
    Ok(((width, height), found))
}
