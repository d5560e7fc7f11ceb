//! Regions of a Markdown text that are filled from a run.
//!
//! A region stands between two comments, `<!-- table ranking -->` and `<!-- /table -->`, or the same with
//! `chart` or `number`. Comments in code are text like any other, so that a document can speak of them.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser};

/// What fills a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filling {
    /// A table, by its name.
    Table,
    /// A chart, by its name.
    Chart,
    /// A number, by its name.
    Number,
}

impl Filling {
    const ALL: [Self; 3] = [Self::Table, Self::Chart, Self::Number];

    /// The word that its comments begin with.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Chart => "chart",
            Self::Number => "number",
        }
    }
}

/// A region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// What fills it.
    pub filling: Filling,
    /// The name of what fills it.
    pub name: String,
    /// The line of its first comment, counted from 1.
    pub line: usize,
    /// Where its content stands in the text.
    pub content: Range<usize>,
}

/// The regions of a text.
///
/// # Errors
/// Where a region has no end, ends without a beginning, or begins within another; names the line.
pub fn regions(text: &str) -> Result<Vec<Region>, String> {
    let mut regions = Vec::new();
    let mut open: Option<(Filling, String, usize, usize)> = None;
    for comment in comments(text) {
        let line = 1 + text[..comment.start].matches('\n').count();
        let words: Vec<&str> =
            text[comment.start + 4..comment.end - 3].split_whitespace().collect();
        let Some((first, rest)) = words.split_first() else { continue };
        let begins = Filling::ALL.into_iter().find(|filling| filling.word() == *first);
        let ends = first.strip_prefix('/');
        let ends = Filling::ALL.into_iter().find(|filling| Some(filling.word()) == ends);
        match (begins, ends, open.take()) {
            (Some(filling), _, None) => {
                let [name] = rest else {
                    return Err(format!("line {line}: a region is <!-- {first} NAME -->"));
                };
                open = Some((filling, (*name).to_owned(), line, comment.end));
            }
            (Some(_), _, Some((_, name, from, _))) => {
                return Err(format!(
                    "line {line}: a region begins where '{name}' of line {from} has not ended"
                ));
            }
            (_, Some(end), Some((filling, name, from, start))) if end == filling => {
                regions.push(Region { filling, name, line: from, content: start..comment.start });
            }
            (_, Some(_), _) => {
                return Err(format!("line {line}: a region ends here that does not begin"));
            }
            (None, None, still) => open = still,
        }
    }
    match open {
        None => Ok(regions),
        Some((filling, name, line, _)) => Err(format!(
            "line {line}: the region '{name}' has no end: <!-- /{} -->",
            filling.word()
        )),
    }
}

/// Where the comments of a Markdown text stand, those in code left out.
fn comments(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        if !matches!(event, Event::Html(_) | Event::InlineHtml(_)) {
            continue;
        }
        let mut from = range.start;
        while let Some(start) = text[from..range.end].find("<!--").map(|start| from + start) {
            // A comment of several lines is one event a line.
            let Some(end) = text[start..].find("-->").map(|end| start + end + 3) else { break };
            if found.last().is_none_or(|last| last.end <= start) {
                found.push(start..end);
            }
            from = end.min(range.end);
        }
    }
    found
}

/// The text with every region filled, and the regions whose content was another one.
///
/// # Errors
/// Where a region is not as it must be, or `fill` has nothing for it; names the line.
pub fn splice(
    text: &str,
    mut fill: impl FnMut(Filling, &str) -> Result<String, String>,
) -> Result<(String, Vec<Region>), String> {
    let mut filled = String::with_capacity(text.len());
    let (mut done, mut stale) = (0, Vec::new());
    for region in regions(text)? {
        let content = fill(region.filling, &region.name)
            .map_err(|reason| format!("line {}: {reason}", region.line))?;
        // Numbers stand within a line, the others between blank lines.
        let content = match region.filling {
            Filling::Number => content,
            _ => format!("\n\n{}\n\n", content.trim()),
        };
        filled.push_str(&text[done..region.content.start]);
        filled.push_str(&content);
        done = region.content.end;
        if content != text[region.content.clone()] {
            stale.push(region);
        }
    }
    filled.push_str(&text[done..]);
    Ok((filled, stale))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# A\n\n<!-- table ranking -->\nold\n<!-- /table -->\n\nIt takes \
                        <!-- number a-time -->1 s<!-- /number --> or `<!-- number b -->`.\n\n\
                        ```\n<!-- table times -->\n```\n\n<!-- chart time --><!-- /chart -->\n<!-- other -->\n";

    fn filled(filling: Filling, name: &str) -> Result<String, String> {
        match (filling, name) {
            (Filling::Table, "ranking") => Ok("| a |\n".to_owned()),
            (Filling::Number, "a-time") => Ok("2 s".to_owned()),
            (Filling::Chart, "time") => Ok("![t](t.svg)".to_owned()),
            _ => Err(format!("'{name}' is nothing")),
        }
    }

    #[test]
    fn regions_are_filled_and_code_is_left_alone() {
        let (text, stale) = splice(TEXT, filled).unwrap();
        assert_eq!(stale.iter().map(|region| region.line).collect::<Vec<_>>(), [3, 7, 13]);
        assert!(text.contains("<!-- table ranking -->\n\n| a |\n\n<!-- /table -->"), "{text}");
        assert!(text.contains("<!-- number a-time -->2 s<!-- /number --> or `<!-- number b -->`"));
        assert!(
            text.contains("<!-- chart time -->\n\n![t](t.svg)\n\n<!-- /chart -->\n<!-- other -->")
        );
        // Once filled, nothing is stale, and nothing changes.
        assert_eq!(splice(&text, filled).unwrap(), (text.clone(), Vec::new()));
    }

    #[test]
    fn broken_regions_are_refused_by_their_line() {
        for (text, words) in [
            (
                "\n<!-- table ranking -->\n",
                "line 2: the region 'ranking' has no end: <!-- /table -->",
            ),
            ("<!-- /table -->\n", "line 1: a region ends here"),
            ("<!-- table -->\n<!-- /table -->\n", "line 1: a region is <!-- table NAME -->"),
            ("<!-- number a-time -->\n\n<!-- /table -->\n", "line 3: a region ends here"),
            ("<!-- number a-time --> <!-- number b --> <!-- /number -->\n", "'a-time' of line 1"),
            ("a\n\n<!-- number z --><!-- /number -->\n", "line 3: 'z' is nothing"),
        ] {
            let message = splice(text, filled).unwrap_err();
            assert!(message.contains(words), "{message}");
        }
    }
}
