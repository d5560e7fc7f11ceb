//! What every chart has around its plot: a heading, a warning where it needs one, and captions
//! with the machine, the date and the run.

use super::font;
use super::scene::{Anchor, Scene};
use super::theme::Colour;

/// The room at the picture's edges, in units of the layout, as everything here.
pub const MARGIN: f64 = 16.0;
/// The size of ordinary text.
pub const TEXT: f64 = 15.0;
/// From one line of ordinary text to the next.
pub const LINE_HEIGHT: f64 = TEXT * 1.35;

const HEADING: f64 = 20.0;
const HEADING_LINE: f64 = 26.0;
const CAPTION: f64 = 12.0;
const CAPTION_LINE: f64 = 17.0;
const ABOVE: f64 = 11.0;
const BELOW: f64 = 6.0;

/// Heading, captions and size.
#[derive(Clone, Debug)]
pub struct Page {
    /// The width and the height that a chart is meant to have. One that cannot do with it has more.
    pub size: (f64, f64),
    /// Whether the height is to be kept where the chart needs less.
    pub keeps_height: bool,
    /// The heading.
    pub heading: String,
    /// A warning below the heading; empty where none is needed.
    pub warning: String,
    /// Captions below the plot.
    pub captions: Vec<String>,
}

/// A page of a width, with its lines broken for it.
pub struct Set<'a> {
    page: &'a Page,
    width: f64,
    heading: Vec<String>,
    warning: Vec<String>,
    captions: Vec<String>,
}

impl Page {
    /// The page at a width.
    #[must_use]
    pub fn set(&self, width: f64) -> Set<'_> {
        let room = width - 2.0 * MARGIN;
        let captions = self.captions.iter();
        Set {
            page: self,
            width,
            heading: font::wrapped(&self.heading, HEADING, room),
            warning: font::wrapped(&self.warning, TEXT, room),
            captions: captions.flat_map(|line| font::wrapped(line, CAPTION, room)).collect(),
        }
    }
}

impl Set<'_> {
    /// The room that heading and warning take from the top.
    #[must_use]
    pub fn top(&self) -> f64 {
        ABOVE
            + self.heading.len() as f64 * HEADING_LINE
            + self.warning.len() as f64 * LINE_HEIGHT
            + 4.0
    }

    /// The room that captions take from the bottom.
    #[must_use]
    pub fn bottom(&self) -> f64 {
        BELOW + self.captions.len() as f64 * CAPTION_LINE + 4.0
    }

    /// The picture with all but the plot.
    #[must_use]
    pub fn scene(&self, height: f64) -> Scene {
        let mut scene = Scene::new((self.width, height), &self.page.heading);
        let mut y = ABOVE;
        for line in &self.heading {
            let middle = y + HEADING_LINE / 2.0;
            scene.text((MARGIN, middle), line, HEADING, Colour::Ink, Anchor::Start);
            y += HEADING_LINE;
        }
        for line in &self.warning {
            let middle = y + LINE_HEIGHT / 2.0;
            scene.text((MARGIN, middle), line, TEXT, Colour::Warning, Anchor::Start);
            y += LINE_HEIGHT;
        }
        let mut y = height - BELOW - self.captions.len() as f64 * CAPTION_LINE;
        for line in &self.captions {
            let middle = y + CAPTION_LINE / 2.0;
            scene.text((MARGIN, middle), line, CAPTION, Colour::Faint, Anchor::Start);
            y += CAPTION_LINE;
        }
        scene
    }
}

/// Writes lines of ordinary text one below the other from `top` on.
pub fn lines(scene: &mut Scene, at: (f64, f64), lines: &[String], anchor: Anchor) {
    let (x, mut y) = at;
    for line in lines {
        scene.text((x, y + LINE_HEIGHT / 2.0), line, TEXT, Colour::Ink, anchor);
        y += LINE_HEIGHT;
    }
}

/// The width of the widest of some lines of ordinary text.
pub fn widest<'a>(texts: impl Iterator<Item = &'a str>) -> f64 {
    texts.map(|text| font::width(text, TEXT)).fold(0.0, f64::max)
}
