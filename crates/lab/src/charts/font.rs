//! The font that the workspace carries, and the room that text takes in it.

use std::sync::{LazyLock, Once};

use ab_glyph::{Font, FontRef, ScaleFont};

/// The family as it is named in SVG: the carried font where it is installed, else one of nearly
/// the same metrics, else whatever the reader has.
pub const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

/// The carried font: the letters of `DejaVu Sans` that charts use.
pub static BYTES: &[u8] = include_bytes!("../../fonts/DejaVuSans-subset.ttf");

static FONT: LazyLock<Option<FontRef<'static>>> =
    LazyLock::new(|| FontRef::try_from_slice(BYTES).ok());

/// Makes the carried font known to the drawing library. No font of the system is ever looked for.
pub fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // The file is part of the program and a test reads it: it cannot be refused here.
        let _ = plotters::style::register_font(FAMILY, plotters::style::FontStyle::Normal, BYTES);
    });
}

/// The carried font's ascent and descent together, as a multiple of its size. The bitmap backend
/// takes this height for the size of text.
#[must_use]
pub fn height(size: f64) -> f64 {
    let of_size = |font: &FontRef<'_>| font.height_unscaled() / font.units_per_em().unwrap_or(1.0);
    size * f64::from(FONT.as_ref().map_or(1.0, of_size))
}

/// The width of one line of text in pixels, at a font size in pixels.
#[must_use]
pub fn width(text: &str, size: f64) -> f64 {
    let Some(font) = &*FONT else { return 0.0 };
    let font = font.as_scaled(height(size) as f32);
    let mut previous = None;
    let mut width = 0.0;
    for character in text.chars() {
        let glyph = font.glyph_id(character);
        if let Some(previous) = previous.replace(glyph) {
            width += font.kern(previous, glyph);
        }
        width += font.h_advance(glyph);
    }
    // A browser may take another font of the same family: a little room is left for it.
    f64::from(width) * 1.03
}

/// Whether the carried font has every letter of a text.
#[must_use]
pub fn has_all(text: &str) -> bool {
    FONT.as_ref().is_some_and(|font| text.chars().all(|character| font.glyph_id(character).0 != 0))
}

/// The lines into which text is broken so that none is wider than `room`, at blanks.
#[must_use]
pub fn wrapped(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_carried_font_can_be_read_and_has_every_character_of_the_labels() {
        let font = FONT.as_ref().unwrap();
        for character in "0123456789,.×µ⁰¹²³⁴⁵⁶⁷⁸⁹⁻–—−·½äöüßéÅ%&<>\"'|N".chars()
        {
            assert_ne!(font.glyph_id(character).0, 0, "{character}");
        }
    }

    #[test]
    fn wider_text_takes_more_room() {
        assert!(width("bitmask", 15.0) > width("bit", 15.0));
        assert!((width("bitmask", 30.0) - 2.0 * width("bitmask", 15.0)).abs() < 0.1);
    }

    #[test]
    fn text_is_broken_at_blanks_within_the_room() {
        let lines = wrapped("one two three four five six seven", 12.0, 90.0);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line, 12.0) <= 90.0));
        assert_eq!(lines.join(" "), "one two three four five six seven");
    }
}
