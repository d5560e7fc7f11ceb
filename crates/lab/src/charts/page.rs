//! What every chart has around its plot: a heading, a warning where it needs one, and captions
//! with the machine, the date and the run.

use super::font;
use super::scene::{Anchor, FAINT_INK, INK, Scene, WARNING};

/// The width of every chart in pixels.
pub const WIDTH: f64 = 960.0;
/// The height of a chart of curves in pixels.
pub const HEIGHT: f64 = 600.0;
/// The room at the picture's edges in pixels.
pub const MARGIN: f64 = 16.0;
/// The size of ordinary text in pixels.
pub const TEXT: f64 = 15.0;

const HEADING: f64 = 20.0;
const CAPTION: f64 = 12.0;
const CAPTION_LINE: f64 = 17.0;

/// Heading and captions.
#[derive(Clone, Debug)]
pub struct Page<'a> {
    /// The heading.
    pub heading: &'a str,
    /// A warning below the heading; empty where none is needed.
    pub warning: &'a str,
    /// Captions below the plot.
    pub captions: &'a [String],
}

impl Page<'_> {
    fn caption_lines(&self) -> Vec<String> {
        let room = WIDTH - 2.0 * MARGIN;
        self.captions.iter().flat_map(|caption| font::wrapped(caption, CAPTION, room)).collect()
    }

    fn warning_lines(&self) -> Vec<String> {
        font::wrapped(self.warning, TEXT, WIDTH - 2.0 * MARGIN)
    }

    /// The picture with all but the plot.
    #[must_use]
    pub fn scene(&self, height: f64) -> Scene {
        let mut scene = Scene::new((WIDTH, height), self.heading);
        let mut y = 24.0;
        scene.text((MARGIN, y), self.heading, HEADING, INK, Anchor::Start);
        for line in self.warning_lines() {
            y += 24.0;
            scene.text((MARGIN, y), &line, TEXT, WARNING, Anchor::Start);
        }
        let lines = self.caption_lines();
        let mut y = height - 14.0 - (lines.len().saturating_sub(1)) as f64 * CAPTION_LINE;
        for line in lines {
            scene.text((MARGIN, y), &line, CAPTION, FAINT_INK, Anchor::Start);
            y += CAPTION_LINE;
        }
        scene
    }

    /// The rows of pixels that are left for the plot, from the top, with room for the titles of
    /// its axes taken off.
    #[must_use]
    pub fn plot_rows(&self, height: f64) -> (f64, f64) {
        let top = 24.0 + 24.0 * self.warning_lines().len() as f64 + 52.0;
        let bottom = height - 14.0 - self.caption_lines().len() as f64 * CAPTION_LINE - 58.0;
        (top, bottom)
    }
}
