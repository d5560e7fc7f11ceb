//! `splice`: fills the regions of a Markdown file from a run, or says which of them are stale.

use std::io::Write;
use std::path::Path;

use lab::charts::{self, Chart, Subject};
use lab::data::Data;
use lab::files;
use lab::numbers::{self, Number};
use lab::splice::{self, Filling};
use lab::tables::Kind;

use super::{again, chart};
use crate::cli;
use crate::output::{Done, failed};

/// Fills the regions, or looks whether they are as they would be filled.
pub fn run(arguments: &cli::Splice, out: &mut dyn Write) -> Done {
    let run = again::run_or_newest(arguments.run.as_deref())?;
    let (data, baseline) = again::read(&run, arguments.baseline.as_deref())?;
    let source = Source {
        data: &data,
        baseline: &baseline,
        run: &run,
        numbers: numbers::all(&data, &baseline),
    };
    // Every file is read and filled before the first is written.
    let mut files = Vec::new();
    for path in &arguments.files {
        let text = files::read(path).map_err(failed)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let filled = splice::splice(&text, |filling, name| source.fill(filling, name, folder));
        let (text, stale) =
            filled.map_err(|reason| failed(format!("{}: {reason}", path.display())))?;
        files.push((path, text, stale));
    }
    let stale: usize = files.iter().map(|(_, _, stale)| stale.len()).sum();
    for (path, text, regions) in files {
        for region in &regions {
            let (word, name) = (region.filling.word(), &region.name);
            let what = if arguments.check { "STALE" } else { "filled" };
            writeln!(out, "{}:{}: {what}: {word} {name}", path.display(), region.line)?;
        }
        if !arguments.check && !regions.is_empty() {
            files::write(path, text.as_bytes()).map_err(failed)?;
        }
    }
    if arguments.check && stale > 0 {
        let words = if stale == 1 { "region is" } else { "regions are" };
        return Err(failed(format!(
            "{stale} {words} not what {} says; 'splice' without --check fills them",
            run.display()
        )));
    }
    Ok(())
}

/// What regions are filled from.
struct Source<'a> {
    data: &'a Data,
    baseline: &'a str,
    run: &'a Path,
    numbers: Vec<Number>,
}

impl Source<'_> {
    fn fill(&self, filling: Filling, name: &str, folder: &Path) -> Result<String, String> {
        match filling {
            Filling::Number => {
                let found = self.numbers.iter().find(|number| number.name == name);
                found.map(|number| lab::table::markdown_text(&number.value)).ok_or_else(|| {
                    format!("'{name}' is not a number of the run: 'table numbers' lists them")
                })
            }
            Filling::Table => {
                let table = name.parse::<Kind>()?.table(self.data, self.baseline);
                let table =
                    table.ok_or_else(|| format!("the run has no value for the table '{name}'"))?;
                Ok(table.markdown())
            }
            Filling::Chart => self.chart(name, folder),
        }
    }

    /// A picture that is the run's own chart, with what is to be seen in it, and where it comes from.
    fn chart(&self, name: &str, folder: &Path) -> Result<String, String> {
        let chart = Chart::find(name).ok_or_else(|| {
            let names = Chart::ALL.map(Chart::name).join(", ");
            format!("'{}' is not a chart: the charts are {names}", name.escape_debug())
        })?;
        let drawing = charts::lay_out(chart, &Subject::new(self.data, self.baseline))?;
        let drawing =
            drawing.ok_or_else(|| format!("the run has no value for the chart '{name}'"))?;
        let picture = self.run.join(chart::FOLDER).join(format!("{name}.svg"));
        let drawn = std::fs::read(&picture).ok();
        let verdict = drawn.and_then(|bytes| {
            charts::check(&bytes, &charts::Provenance::read(&bytes).ok()?, self.data).ok()
        });
        if verdict != Some(charts::Verdict::Same) {
            let picture = picture.display();
            return Err(format!(
                "{picture} is not there, or not what the data say: 'plot' draws it"
            ));
        }
        let full = |path: &Path| {
            let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
            std::fs::canonicalize(path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let (run, folder) = (full(self.run)?, full(folder)?);
        let link = pathdiff::diff_paths(&run, &folder).unwrap_or(run);
        let link = link.join(chart::FOLDER).join(format!("{name}.svg"));
        // Blanks and brackets would end the link.
        let link = link.to_string_lossy().replace('\\', "/");
        let link = if link.contains([' ', '(', ')']) { format!("<{link}>") } else { link };
        let provenance = drawing.provenance();
        let date = lab::format::date(&provenance.started);
        Ok(format!(
            "![{}]({link})\n\n*{} {}, {date}.*",
            lab::table::markdown_text(chart.title()),
            lab::table::markdown_text(&format!("{}.", chart.title())),
            lab::table::markdown_text(&provenance.machine),
        ))
    }
}
