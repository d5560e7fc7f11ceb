//! Where a chart is to be shown: its size, the size of its letters, and its colours there.

use plotters::style::colors::colormaps::{ColorMap, ViridisRGB};
use plotters::style::{Color, RGBColor};

/// Red, green and blue, 0 to 255.
pub type Rgb = (u8, u8, u8);

/// A place where charts are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Theme {
    /// A page of text, on white.
    Article,
    /// A projected slide: 16 to 9, large letters.
    Slides,
    /// A page with a dark background.
    Dark,
    /// Grey print, as wide as a page of text: variants differ by marker and dash alone.
    Print,
}

/// What a colour is for; each theme has its own for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// The background.
    Paper,
    /// Text and axes.
    Ink,
    /// Captions, tick labels and leaders.
    Faint,
    /// Lines of the grid, and areas behind the data.
    Grid,
    /// A warning.
    Warning,
    /// A variant, by its colour in the registry.
    Variant(Rgb),
    /// A step of the scale from the least to the most, below [`HEAT_STEPS`].
    Heat(u8),
    /// Text on that step.
    OnHeat(u8),
}

/// The steps of the scale of colours.
pub const HEAT_STEPS: u8 = 24;

/// The contrast that a variant's colour has with the background at least, as the Web Content
/// Accessibility Guidelines 2.2 (1.4.11) ask it of graphics.
pub const LEAST_CONTRAST: f64 = 3.0;
/// The same on a dark background, where the dark colours of the registry would all end up close to the least.
const LEAST_CONTRAST_IN_THE_DARK: f64 = 4.5;

impl Theme {
    /// Every theme.
    pub const ALL: [Self; 4] = [Self::Article, Self::Slides, Self::Dark, Self::Print];

    /// Its name on the command line and in the names of files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Article => "article",
            Self::Slides => "slides",
            Self::Dark => "dark",
            Self::Print => "print",
        }
    }

    /// The theme of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.name() == name)
    }

    /// The width and the height that a chart has unless another size is asked for, in pixels of 1/96 inch.
    /// Print is 170 mm wide, the width of the text on a page of A4.
    #[must_use]
    pub const fn size(self) -> (f64, f64) {
        match self {
            Self::Article | Self::Dark => (960.0, 600.0),
            Self::Slides => (1280.0, 720.0),
            Self::Print => (643.0, 440.0),
        }
    }

    /// Pixels for one unit of the layout, in which ordinary text has a size of 15.
    #[must_use]
    pub const fn zoom(self) -> f64 {
        match self {
            Self::Article | Self::Dark => 1.0,
            Self::Slides => 1.5,
            Self::Print => 0.75,
        }
    }

    /// What a colour is here.
    #[must_use]
    pub fn paint(self, colour: Colour) -> Rgb {
        let dark = self == Self::Dark;
        match colour {
            Colour::Paper if dark => (24, 26, 31),
            Colour::Paper => (255, 255, 255),
            Colour::Ink if dark => (232, 232, 234),
            Colour::Ink => (34, 34, 34),
            Colour::Faint if dark => (176, 178, 184),
            Colour::Faint => (90, 90, 90),
            Colour::Grid if dark => (58, 61, 69),
            Colour::Grid => (222, 222, 222),
            Colour::Warning if dark => (255, 138, 128),
            Colour::Warning if self == Self::Print => (0, 0, 0),
            Colour::Warning => (178, 24, 43),
            Colour::Variant(rgb) if dark => {
                legible(rgb, self.paint(Colour::Paper), LEAST_CONTRAST_IN_THE_DARK)
            }
            Colour::Variant(rgb) if self == Self::Print => {
                legible(grey(rgb), self.paint(Colour::Paper), LEAST_CONTRAST)
            }
            Colour::Variant(rgb) => legible(rgb, self.paint(Colour::Paper), LEAST_CONTRAST),
            Colour::Heat(step) => self.heat(step),
            Colour::OnHeat(step) => {
                let ground = self.heat(step);
                [(0, 0, 0), (255, 255, 255)]
                    .into_iter()
                    .max_by(|a, b| contrast(*a, ground).total_cmp(&contrast(*b, ground)))
                    .unwrap_or((0, 0, 0))
            }
        }
    }

    /// From light to dark for print; elsewhere the scale "viridis", which readers with each kind of colour
    /// blindness can read, and which loses nothing in grey.
    fn heat(self, step: u8) -> Rgb {
        let share = f64::from(step.min(HEAT_STEPS - 1)) / f64::from(HEAT_STEPS - 1);
        if self == Self::Print {
            let level = (248.0 - 180.0 * share).round() as u8;
            return (level, level, level);
        }
        // From bright for the least to deep for the most.
        ViridisRGB.get_color(1.0 - share).rgb()
    }
}

/// The share of the brightest white that a colour has, linear in light (WCAG 2.2, relative luminance).
#[must_use]
pub fn luminance((red, green, blue): Rgb) -> f64 {
    let linear = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/// The contrast of two colours, from 1 to 21 (WCAG 2.2, contrast ratio).
#[must_use]
pub fn contrast(a: Rgb, b: Rgb) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// The grey that is as bright as a colour.
fn grey(rgb: Rgb) -> Rgb {
    let linear = luminance(rgb);
    let level =
        if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
    let level = (level * 255.0).round() as u8;
    (level, level, level)
}

/// A colour moved towards black on a light background, and towards white on a dark one, until it has a
/// contrast with it.
fn legible(rgb: Rgb, paper: Rgb, least: f64) -> Rgb {
    const STEPS: u8 = 50;
    let goal = if luminance(paper) > 0.5 { 0.0 } else { 255.0 };
    (0..=STEPS)
        .map(|step| {
            let share = f64::from(step) / f64::from(STEPS);
            let mix = |value: u8| (f64::from(value) * (1.0 - share) + goal * share).round() as u8;
            (mix(rgb.0), mix(rgb.1), mix(rgb.2))
        })
        .find(|mixed| contrast(*mixed, paper) >= least)
        .unwrap_or(rgb)
}

/// A colour as the drawing library has it.
#[must_use]
pub const fn drawn((red, green, blue): Rgb) -> RGBColor {
    RGBColor(red, green, blue)
}

/// A colour in hexadecimal digits: `#0072b2`.
#[must_use]
pub fn hexadecimal((red, green, blue): Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use palette::color_difference::Ciede2000;
    use palette::{FromColor, Lab, LinSrgb, Srgb};

    use super::*;
    use crate::registry::{REGISTRY, foreign_style};

    /// Severe forms of the three kinds of colour blindness, on linear red, green and blue (G. M. Machado, M. M.
    /// Oliveira and L. A. F. Fernandes, "A Physiologically-based Model for Simulation of Color Vision
    /// Deficiency", IEEE TVCG 15, 2009, severity 1.0).
    const SIMULATED: [(&str, [[f64; 3]; 3]); 3] = [
        (
            "protanopia",
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
        ),
        (
            "deuteranopia",
            [
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ],
        ),
        (
            "tritanopia",
            [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ],
        ),
    ];

    fn seen(rgb: Rgb, matrix: &[[f64; 3]; 3]) -> Lab {
        let linear: LinSrgb<f64> =
            Srgb::<u8>::new(rgb.0, rgb.1, rgb.2).into_format::<f64>().into_linear();
        let channels = [linear.red, linear.green, linear.blue];
        let [red, green, blue] = matrix.map(|row| {
            row.iter().zip(channels).map(|(a, b)| a * b).sum::<f64>().clamp(0.0, 1.0) as f32
        });
        Lab::from_color(LinSrgb::new(red, green, blue))
    }

    const AS_IT_IS: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    /// Two variants whose colours one cannot tell apart at a glance, with any kind of eyes, differ in their
    /// markers. Grey print has no colours: see the next test.
    #[test]
    fn variants_are_told_apart_with_any_eyes() {
        // A difference of 10 is seen at a glance; 2.3 is just noticeable.
        const AT_A_GLANCE: f32 = 10.0;
        let kinds = std::iter::once(("all colours", AS_IT_IS)).chain(SIMULATED);
        for theme in Theme::ALL.into_iter().filter(|theme| *theme != Theme::Print) {
            for (kind, matrix) in kinds.clone() {
                let mut by_colour = 0;
                for (i, a) in REGISTRY.iter().enumerate() {
                    for b in &REGISTRY[..i] {
                        let [in_a, in_b] = [a, b].map(|entry| {
                            seen(theme.paint(Colour::Variant(entry.style.colour)), &matrix)
                        });
                        let by_shape = a.style.marker != b.style.marker;
                        if in_a.difference(in_b) >= AT_A_GLANCE {
                            by_colour += 1;
                        } else {
                            let (a, b) = (a.variant.id(), b.variant.id());
                            assert!(by_shape, "{a} and {b} in {theme:?} with {kind}");
                        }
                    }
                }
                // Most pairs need no look at the marker.
                let pairs = REGISTRY.len() * (REGISTRY.len() - 1) / 2;
                assert!(10 * by_colour >= 7 * pairs, "{by_colour} in {theme:?} with {kind}");
            }
        }
    }

    /// In grey print, where no colour is left, marker and dash tell every variant from every other.
    #[test]
    fn variants_are_told_apart_without_colour() {
        for (i, a) in REGISTRY.iter().enumerate() {
            for b in &REGISTRY[..i] {
                let same = (a.style.marker, a.style.dash) == (b.style.marker, b.style.dash);
                assert!(!same, "{} and {}", a.variant.id(), b.variant.id());
            }
        }
        for entry in &REGISTRY {
            let (red, green, blue) = Theme::Print.paint(Colour::Variant(entry.style.colour));
            assert!(red == green && green == blue, "{}", entry.variant.id());
        }
    }

    #[test]
    fn everything_is_seen_on_its_background() {
        for theme in Theme::ALL {
            let paper = theme.paint(Colour::Paper);
            for colour in [Colour::Ink, Colour::Faint, Colour::Warning] {
                assert!(contrast(theme.paint(colour), paper) >= 4.5, "{colour:?} in {theme:?}");
            }
            let styles = REGISTRY.iter().map(|e| e.style).chain((0..8).map(foreign_style));
            for style in styles {
                let found = contrast(theme.paint(Colour::Variant(style.colour)), paper);
                assert!(found >= LEAST_CONTRAST, "{:?} in {theme:?}: {found}", style.colour);
            }
            for step in 0..HEAT_STEPS {
                let on =
                    contrast(theme.paint(Colour::OnHeat(step)), theme.paint(Colour::Heat(step)));
                assert!(on >= 4.5, "step {step} in {theme:?}: {on}");
            }
        }
        assert!((contrast((0, 0, 0), (255, 255, 255)) - 21.0).abs() < 1e-9);
    }

    /// Each step of the scale is darker than the one before, so it loses nothing in grey.
    #[test]
    fn the_scale_goes_from_bright_to_dark() {
        for theme in Theme::ALL {
            let bright: Vec<f64> =
                (0..HEAT_STEPS).map(|step| luminance(theme.paint(Colour::Heat(step)))).collect();
            assert!(bright.windows(2).all(|pair| pair[0] > pair[1]), "{theme:?}: {bright:?}");
        }
    }
}
