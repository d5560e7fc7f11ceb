//! A chart as a list of shapes in units of the layout, laid out before anything is drawn.

use super::font;
use super::theme::Colour;
use crate::registry::Marker;

/// A place: to the right and down from the upper left corner, in units of the layout.
pub type Place = (f64, f64);

/// Left, top, right, bottom.
pub type Rectangle = [f64; 4];

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

/// A shape; positions in units of the layout from the upper left corner. Text stands with its middle at
/// `y`.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A polyline.
    Line { points: Vec<(f64, f64)>, colour: Colour, width: f64, dash: Option<(u32, u32)> },
    /// Straight lines that belong together.
    Strokes { lines: Vec<[Place; 2]>, colour: Colour, width: f64 },
    /// A filled rectangle.
    Bar { from: (f64, f64), to: (f64, f64), colour: Colour },
    /// A point of a curve.
    Point { at: (f64, f64), marker: Marker, colour: Colour },
    /// A filled circle.
    Dot { at: (f64, f64), radius: f64, colour: Colour },
    /// One line of text.
    Text { at: (f64, f64), text: String, size: f64, colour: Colour, anchor: Anchor },
}

/// A value that a reader can ask for, by pointing at its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Where it is.
    pub at: (f64, f64),
    /// How far around it a pointer is meant for it.
    pub radius: f64,
    /// The variants that it is of.
    pub variants: Vec<String>,
    /// What it says.
    pub text: String,
}

/// What shapes belong to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Owner {
    /// The variants that they are of; none for those of the chart.
    pub variants: Vec<String>,
    /// The baseline for which alone they are meant, on a page that lets its reader choose one.
    pub baseline: Option<String>,
}

/// A laid-out chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Width and height in units of the layout.
    pub size: (f64, f64),
    /// What it shows, for readers who do not see it.
    pub title: String,
    /// What is to be seen in it, for the same readers.
    pub description: String,
    /// Its shapes, later ones above earlier ones.
    pub shapes: Vec<Shape>,
    /// From which shape on they belong to which variants, and are of which baseline alone; those before the
    /// first, and those of an empty list, belong to the chart.
    pub owners: Vec<(usize, Owner)>,
    /// Its values.
    pub notes: Vec<Note>,
}

/// The box around a text: left, top, right, bottom.
#[must_use]
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
        Self {
            size,
            title: title.to_owned(),
            description: String::new(),
            shapes: Vec::new(),
            owners: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// What is added from now on belongs to these variants; to the chart where there are none.
    pub fn own(&mut self, variants: &[String]) {
        let owner = Owner { variants: variants.to_vec(), baseline: None };
        self.owners.push((self.shapes.len(), owner));
    }

    /// The same, and what is added is meant for a baseline alone.
    pub fn own_for(&mut self, variants: &[String], baseline: &str) {
        let owner = Owner { variants: variants.to_vec(), baseline: Some(baseline.to_owned()) };
        self.owners.push((self.shapes.len(), owner));
    }

    /// The shapes in runs of one owner.
    pub fn groups(&self) -> impl Iterator<Item = (Owner, &[Shape])> {
        let first = self.owners.first().map_or(self.shapes.len(), |(from, _)| *from);
        let owned = self.owners.iter().enumerate().map(|(place, (from, owner))| {
            let to = self.owners.get(place + 1).map_or(self.shapes.len(), |(next, _)| *next);
            (owner.clone(), &self.shapes[*from..to])
        });
        std::iter::once((Owner::default(), &self.shapes[..first]))
            .chain(owned)
            .filter(|(_, shapes)| !shapes.is_empty())
    }

    /// Adds a text.
    pub fn text(&mut self, at: (f64, f64), text: &str, size: f64, colour: Colour, anchor: Anchor) {
        self.shapes.push(Shape::Text { at, text: text.to_owned(), size, colour, anchor });
    }

    /// Adds a straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: Colour, width: f64) {
        self.shapes.push(Shape::Line { points: vec![from, to], colour, width, dash: None });
    }

    /// Adds a value that is told to who points at it.
    pub fn note(&mut self, at: (f64, f64), radius: f64, variants: &[String], text: String) {
        self.notes.push(Note { at, radius, variants: variants.to_vec(), text });
    }
}
