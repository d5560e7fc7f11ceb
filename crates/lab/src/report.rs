//! The report of a run as Markdown.

use std::fmt::Write;

use crate::charts::Chart;
use crate::data::Data;
use crate::story::{self, Block};
use crate::table::markdown_text;

/// The report's name in its run's folder.
pub const FILE: &str = "report.md";

/// The report. `charts` are those that were drawn, as files in the folder `charts` beside it.
#[must_use]
pub fn markdown(data: &Data, baseline: &str, charts: &[Chart]) -> String {
    let mut text = format!("# {}\n\n", story::TITLE);
    for section in story::sections(data, baseline, charts) {
        let _ = writeln!(text, "## {}\n", markdown_text(&section.title));
        for block in &section.blocks {
            write_block(&mut text, block, data, baseline);
        }
    }
    text
}

fn write_block(text: &mut String, block: &Block, data: &Data, baseline: &str) {
    let _ = match block {
        Block::Words(words) => writeln!(text, "{}\n", markdown_text(words)),
        Block::Warning(words) => writeln!(text, "> **{}**\n", markdown_text(words)),
        Block::Figure(chart) => {
            writeln!(text, "![{}](charts/{}.svg)\n", chart.title(), chart.name())
        }
        Block::Table(kind) => {
            let table = kind.table(data, baseline);
            writeln!(text, "{}", table.map_or_else(String::new, |table| table.markdown()))
        }
        Block::List(what, lines) => {
            let lines: Vec<String> =
                lines.iter().map(|line| format!("- {}\n", markdown_text(line))).collect();
            writeln!(text, "{what}:\n\n{}", lines.concat())
        }
        Block::Facts(facts) => {
            let lines: Vec<String> = facts
                .iter()
                .map(|(name, fact)| format!("- *{name}*: {}\n", markdown_text(fact)))
                .collect();
            writeln!(text, "{}", lines.concat())
        }
    };
}
