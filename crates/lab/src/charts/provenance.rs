//! Where a drawn chart comes from, as its file says it.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What a chart's file says of itself. With the run at hand the chart can be drawn again from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The run.
    pub run: String,
    /// When it started, RFC 3339.
    pub started: String,
    /// The commit that was measured, with a plus sign where the tree differed from it.
    pub commit: String,
    /// The machine, in one line.
    pub machine: String,
    /// The command that measured.
    pub command: String,
    /// The name of the chart.
    pub chart: String,
    /// The theme.
    pub theme: String,
    /// The size that was asked for, in pixels; nothing for the theme's own.
    pub size: Option<(u32, u32)>,
    /// The scale of the values.
    pub scale: String,
    /// The variant that speedups are taken against.
    pub baseline: String,
    /// The order that was asked for; nothing for the chart's own choice.
    pub order: Option<usize>,
    /// The CSV files that it is drawn from.
    pub files: Vec<String>,
    /// The SHA-256 of their rows one after the other, each file as the laboratory writes it.
    pub data_sha256: String,
}

/// The SHA-256 of the files' contents one after the other, in hexadecimal digits.
#[must_use]
pub fn hash<'a>(contents: impl IntoIterator<Item = &'a [u8]>) -> String {
    use std::fmt::Write;
    let mut digest = Sha256::new();
    for content in contents {
        digest.update(content);
    }
    digest.finalize().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The element of an SVG that holds it, by its `id`.
pub const ELEMENT: &str = "provenance";

/// The keyword of the text in a PNG that holds it.
pub const KEYWORD: &str = "queens-lab";

impl Provenance {
    /// As JSON.
    #[must_use]
    pub fn json(&self) -> String {
        // A struct of strings and numbers can always be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// What the bytes of an SVG or of a PNG say.
    ///
    /// # Errors
    /// Where they are neither, or say nothing; without the file's name.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let json = if bytes.starts_with(b"\x89PNG") { of_png(bytes)? } else { of_svg(bytes)? };
        serde_json::from_str(&json)
            .map_err(|error| format!("what it says of where it comes from cannot be read: {error}"))
    }
}

fn of_png(bytes: &[u8]) -> Result<String, String> {
    let broken = |error: &dyn std::fmt::Display| format!("it is no whole PNG: {error}");
    let decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    let reader = decoder.read_info().map_err(|error| broken(&error))?;
    let text = &reader.info().utf8_text;
    let own = text.iter().find(|text| text.keyword == KEYWORD).ok_or_else(unsaid)?;
    own.get_text().map_err(|error| broken(&error))
}

fn of_svg(bytes: &[u8]) -> Result<String, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is neither SVG nor PNG".to_owned())?;
    let document = roxmltree::Document::parse(text)
        .map_err(|error| format!("it is neither PNG nor a whole SVG: {error}"))?;
    let own = document.descendants().find(|node| node.attribute("id") == Some(ELEMENT));
    own.and_then(|node| node.text()).map(str::to_owned).ok_or_else(unsaid)
}

fn unsaid() -> String {
    "it does not say where it comes from: it was not drawn by this laboratory".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hash of one file is what `sha256sum` says of it, and of two what it says of them put together.
    #[test]
    fn the_hash_is_the_one_that_everyone_has() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hash([b"abc".as_slice()]), abc);
        assert_eq!(hash([b"a".as_slice(), b"bc"]), abc);
    }

    #[test]
    fn other_files_are_refused_by_what_they_are() {
        for (bytes, words) in [
            (&b"<svg xmlns='http://www.w3.org/2000/svg'/>"[..], "was not drawn by this laboratory"),
            (b"variant,order\n", "neither PNG nor a whole SVG"),
            (b"\xff\xfe", "neither SVG nor PNG"),
            (b"\x89PNG\r\n\x1a\ncut", "no whole PNG"),
        ] {
            let message = Provenance::read(bytes).unwrap_err();
            assert!(message.contains(words), "{message}");
        }
    }
}
