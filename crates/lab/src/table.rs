//! A table of text, and the forms in which documents take it.

use std::fmt::Write;

/// A table of text, ready to be written in any form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The columns' names. The first column holds names.
    pub header: Vec<String>,
    /// The rows, as long as the header.
    pub rows: Vec<Vec<String>>,
}

/// What stands in a table where nothing was measured.
pub const MISSING: &str = "n/a";

/// A form of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Markdown, as GitHub has it.
    Markdown,
    /// LaTeX with the package booktabs.
    Latex,
    /// Typst.
    Typst,
    /// HTML.
    Html,
    /// CSV, as RFC 4180 has it.
    Csv,
}

impl Form {
    /// Every form.
    pub const ALL: [Self; 5] = [Self::Markdown, Self::Latex, Self::Typst, Self::Html, Self::Csv];

    /// The ending of its files.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Latex => "tex",
            Self::Typst => "typ",
            Self::Html => "html",
            Self::Csv => "csv",
        }
    }
}

impl Table {
    /// The table in a form, with a line end at its end.
    #[must_use]
    pub fn write(&self, form: Form) -> String {
        match form {
            Form::Markdown => self.markdown(),
            Form::Latex => self.latex(),
            Form::Typst => self.typst(),
            Form::Html => self.html(),
            Form::Csv => self.csv(),
        }
    }

    /// Whether all cells of a column are numbers, some with their units or their intervals: such a column is set
    /// to the right.
    #[must_use]
    pub fn is_of_numbers(&self, column: usize) -> bool {
        column > 0
            && self.rows.iter().all(|row| {
                let cell = &row[column];
                let digit = cell.starts_with(|c: char| c.is_ascii_digit() || "+−-".contains(c));
                cell.is_empty() || cell == MISSING || (digit && !cell.contains(": "))
            })
    }

    /// The table in Markdown. What Markdown or HTML would take for their own is escaped.
    #[must_use]
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| markdown_text(cell)).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule: Vec<&str> = (0..self.header.len())
            .map(|column| if self.is_of_numbers(column) { "---:" } else { "---" })
            .collect();
        let mut text = line(&self.header);
        let _ = writeln!(text, "| {} |", rule.join(" | "));
        for row in &self.rows {
            text.push_str(&line(row));
        }
        text
    }

    fn latex(&self) -> String {
        let columns: String = (0..self.header.len())
            .map(|column| if self.is_of_numbers(column) { 'r' } else { 'l' })
            .collect();
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| latex_text(cell)).collect();
            format!("  {} \\\\\n", cells.join(" & "))
        };
        let mut text = format!(
            "% Needs \\usepackage{{booktabs}}.\n\\begin{{tabular}}{{{columns}}}\n  \\toprule\n"
        );
        text.push_str(&line(&self.header));
        text.push_str("  \\midrule\n");
        for row in &self.rows {
            text.push_str(&line(row));
        }
        text.push_str("  \\bottomrule\n\\end{tabular}\n");
        text
    }

    fn typst(&self) -> String {
        let sides: Vec<&str> = (0..self.header.len())
            .map(|column| if self.is_of_numbers(column) { "right" } else { "left" })
            .collect();
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| typst_text(cell)).collect();
            cells.join(", ")
        };
        let mut text = format!(
            "#table(\n  columns: {},\n  align: ({},),\n  table.header({}),\n",
            self.header.len(),
            sides.join(", "),
            line(&self.header)
        );
        for row in &self.rows {
            let _ = writeln!(text, "  {},", line(row));
        }
        text.push_str(")\n");
        text
    }

    fn html(&self) -> String {
        let class = |column| if self.is_of_numbers(column) { " class=\"number\"" } else { "" };
        let mut text = String::from("<table>\n<thead><tr>");
        for (column, name) in self.header.iter().enumerate() {
            let _ = write!(text, "<th scope=\"col\"{}>{}</th>", class(column), html_text(name));
        }
        text.push_str("</tr></thead>\n<tbody>\n");
        for row in &self.rows {
            text.push_str("<tr>");
            for (column, cell) in row.iter().enumerate() {
                let cell = html_text(cell);
                let _ = if column == 0 {
                    write!(text, "<th scope=\"row\">{cell}</th>")
                } else {
                    write!(text, "<td{}>{cell}</td>", class(column))
                };
            }
            text.push_str("</tr>\n");
        }
        text.push_str("</tbody>\n</table>\n");
        text
    }

    fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in std::iter::once(&self.header).chain(&self.rows) {
            // Rows as long as the header, in memory: nothing can go wrong.
            let written = writer.write_record(row);
            debug_assert!(written.is_ok());
        }
        String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
    }
}

/// A text as Markdown shows it literally.
#[must_use]
pub fn markdown_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '|' | '*' | '_' | '`' | '\\' | '[' | ']' | '~' => {
                escaped.push('\\');
                escaped.push(character);
            }
            '\n' | '\r' => escaped.push(' '),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// A text as HTML shows it literally.
#[must_use]
pub fn html_text(text: &str) -> String {
    quick_xml::escape::escape(text).into_owned()
}

/// A text as LaTeX sets it literally. A number and its unit are kept in one line.
#[must_use]
pub fn latex_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (place, character) in text.char_indices() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(character);
            }
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '|' => escaped.push_str("\\textbar{}"),
            '"' => escaped.push_str("\\symbol{34}"),
            // After the end of a row it would begin an option.
            '[' | ']' => {
                escaped.push('{');
                escaped.push(character);
                escaped.push('}');
            }
            '×' => escaped.push_str("$\\times$"),
            '−' => escaped.push_str("$-$"),
            '·' => escaped.push_str("$\\cdot$"),
            'µ' => escaped.push_str("\\textmu{}"),
            '–' => escaped.push_str("--"),
            '\n' | '\r' => escaped.push(' '),
            ' ' if is_between_number_and_unit(text, place) => escaped.push('~'),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// A text as a string of Typst.
#[must_use]
pub fn typst_text(text: &str) -> String {
    let mut quoted = String::from("\"");
    for (place, character) in text.char_indices() {
        match character {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(character);
            }
            '\n' | '\r' => quoted.push(' '),
            ' ' if is_between_number_and_unit(text, place) => quoted.push('\u{a0}'),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// Whether a blank stands after a digit and before a unit.
fn is_between_number_and_unit(text: &str, place: usize) -> bool {
    const UNITS: [&str; 9] = ["ps", "ns", "µs", "ms", "s", "min", "h", "d", "%"];
    let before = text[..place].ends_with(|c: char| c.is_ascii_digit());
    let after = text[place + 1..].split([' ', ')', ',', ';', '.']).next().unwrap_or_default();
    before && UNITS.contains(&after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).into();
        Table {
            header: row(["variant", "time", "it's & 50% |"]),
            rows: vec![
                row(["A&B <fast> 50% \"q\" | c_d", "5.97 ms (5.91 ms – 6.11 ms)", "2×"]),
                row(["{x}\\", MISSING, "a, b"]),
            ],
        }
    }

    /// PLT-08 of the public reports: a name that any form would take for its own.
    #[test]
    fn names_do_not_break_a_table() {
        let table = table();
        let text = table.write(Form::Markdown);
        assert!(text.contains(r#"| A&amp;B &lt;fast&gt; 50% "q" \| c\_d | 5.97 ms"#), "{text}");
        assert_eq!(text.lines().nth(1), Some("| --- | ---: | --- |"));
        assert_eq!(text.lines().count(), 4);
        let text = table.write(Form::Latex);
        let row = r"  A\&B \textless{}fast\textgreater{} 50\% \symbol{34}q\symbol{34} \textbar{} c\_d & 5.97~ms (5.91~ms -- 6.11~ms) & 2$\times$ \\";
        assert_eq!(text.lines().nth(5), Some(row), "{text}");
        assert!(text.contains(r"  \{x\}\textbackslash{} & n/a & a, b \\"), "{text}");
        assert!(text.contains("\\begin{tabular}{lrl}\n  \\toprule\n"), "{text}");
        let text = table.write(Form::Typst);
        assert!(text.contains("  \"A&B <fast> 50% \\\"q\\\" | c_d\", \"5.97\u{a0}ms"), "{text}");
        assert!(text.contains("align: (left, right, left,),"), "{text}");
        assert!(text.contains("\"{x}\\\\\", \"n/a\", \"a, b\","), "{text}");
    }

    #[test]
    fn the_page_and_the_file_can_be_read_again() {
        let table = table();
        let html = table.write(Form::Html);
        let document = roxmltree::Document::parse(&html).unwrap();
        let cells: Vec<&str> = document
            .descendants()
            .filter(|node| node.has_tag_name("th") || node.has_tag_name("td"))
            .filter_map(|node| node.text())
            .collect();
        let all: Vec<&str> =
            table.header.iter().chain(table.rows.iter().flatten()).map(String::as_str).collect();
        assert_eq!(cells, all);
        let csv = table.write(Form::Csv);
        let read: Vec<Vec<String>> = csv::Reader::from_reader(csv.as_bytes())
            .records()
            .map(|record| record.unwrap().iter().map(str::to_owned).collect())
            .collect();
        assert_eq!(read, table.rows);
    }
}
