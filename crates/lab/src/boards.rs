//! Placements as text: in the forms that the documents print, and for other programs.
//!
//! Rows and columns are counted from 1 here, as the documents' readers and most people do.

use std::fmt::Write;

/// A form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A board of `.` and `#` with blanks between, and the columns below it: the first complete
    /// program of `000`, the second of `002`. Both count columns from 0.
    Hash,
    /// A board of ○ and ●: the second complete program of `000`.
    Circles,
    /// A board of `x` and `Q` with blanks between: the recursive program of `000`.
    Letters,
    /// Pairs of row and column: the second complete and the recursive program of `000`; and `002`,
    /// which counts from 0.
    Pairs,
    /// A list of strings of `.` and `Q`: the exercise in `004`.
    Strings,
    /// A line of JSON.
    Json,
    /// A row of CSV.
    Csv,
}

/// A placement in a list.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'a> {
    /// Its place in the list, from 1.
    pub number: u64,
    /// The column of the queen in each row, from 0.
    pub columns: &'a [u8],
    /// The number of distinct images, where the list is of fundamental placements.
    pub images: Option<u32>,
}

impl Form {
    /// The lines before the first placement.
    #[must_use]
    pub const fn header(self) -> &'static str {
        match self {
            Self::Csv => "placement,images,columns\n",
            _ => "",
        }
    }

    /// A placement, ended by a newline.
    #[must_use]
    pub fn write(self, listed: Listed<'_>) -> String {
        let Listed { number, columns, images } = listed;
        let from_one: Vec<String> =
            columns.iter().map(|&column| (u16::from(column) + 1).to_string()).collect();
        match self {
            Self::Hash => {
                let columns_line = from_one.join(" ");
                format!("{}{columns_line}\n\n", board(listed, ". ", "# "))
            }
            Self::Circles => format!("{}\n", board(listed, "○", "●")),
            Self::Letters => format!("{}\n", board(listed, "x ", "Q ")),
            Self::Pairs => {
                let pairs: Vec<_> = (1..)
                    .zip(&from_one)
                    .map(|(row, column): (u16, _)| format!("({row},{column})"))
                    .collect();
                format!("{number}: {}{}\n", pairs.join(" "), images_note(images))
            }
            Self::Strings => {
                let row = |&column: &u8| {
                    let cell = |c| if c == usize::from(column) { 'Q' } else { '.' };
                    format!("\"{}\"", (0..columns.len()).map(cell).collect::<String>())
                };
                format!("[{}]\n", columns.iter().map(row).collect::<Vec<_>>().join(","))
            }
            Self::Json => {
                let images =
                    images.map_or_else(String::new, |images| format!(",\"images\":{images}"));
                format!("{{\"placement\":{number}{images},\"columns\":[{}]}}\n", from_one.join(","))
            }
            Self::Csv => {
                let images = images.map_or_else(String::new, |images| images.to_string());
                format!("{number},{images},{}\n", from_one.join(" "))
            }
        }
    }
}

fn images_note(images: Option<u32>) -> String {
    match images {
        None => String::new(),
        Some(1) => " (1 image)".to_owned(),
        Some(images) => format!(" ({images} images)"),
    }
}

/// A heading and the squares, a line a row.
fn board(listed: Listed<'_>, empty: &str, queen: &str) -> String {
    let Listed { number, columns, images } = listed;
    let mut text = format!("placement {number}{}\n", images_note(images));
    if columns.is_empty() {
        text.push_str("(the empty board)\n");
    }
    for &column in columns {
        let line: String = (0..columns.len())
            .map(|square| if square == usize::from(column) { queen } else { empty })
            .collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Listed<'_> = Listed { number: 1, columns: &[1, 3, 0, 2], images: None };

    #[test]
    fn the_documents_forms() {
        let hash = "placement 1\n. # . .\n. . . #\n# . . .\n. . # .\n2 4 1 3\n\n";
        assert_eq!(Form::Hash.write(FIRST), hash);
        assert_eq!(Form::Circles.write(FIRST), "placement 1\n○●○○\n○○○●\n●○○○\n○○●○\n\n");
        let letters = "placement 1\nx Q x x\nx x x Q\nQ x x x\nx x Q x\n\n";
        assert_eq!(Form::Letters.write(FIRST), letters);
        assert_eq!(Form::Pairs.write(FIRST), "1: (1,2) (2,4) (3,1) (4,3)\n");
    }

    /// COR-11 of the public reports: strings, and not lists of characters one level deeper.
    #[test]
    fn the_programs_forms() {
        assert_eq!(Form::Strings.write(FIRST), "[\".Q..\",\"...Q\",\"Q...\",\"..Q.\"]\n");
        let json: serde_json::Value = serde_json::from_str(&Form::Json.write(FIRST)).unwrap();
        assert_eq!(json, serde_json::json!({"placement": 1, "columns": [2, 4, 1, 3]}));
        let fundamental = Listed { images: Some(2), ..FIRST };
        let json: serde_json::Value = serde_json::from_str(&Form::Json.write(fundamental)).unwrap();
        assert_eq!(json["images"], 2);
        assert_eq!(Form::Csv.write(fundamental), "1,2,2 4 1 3\n");
    }

    #[test]
    fn the_empty_board_in_every_form() {
        let empty = Listed { number: 1, columns: &[], images: None };
        assert_eq!(Form::Circles.write(empty), "placement 1\n(the empty board)\n\n");
        assert_eq!(Form::Strings.write(empty), "[]\n");
        assert_eq!(Form::Json.write(empty), "{\"placement\":1,\"columns\":[]}\n");
        assert_eq!(Form::Csv.write(empty), "1,,\n");
    }
}
