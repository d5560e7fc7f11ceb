//! `plot` and `report`: a run's charts and report again, from its CSV files.

use std::io::Write;
use std::path::Path;

use lab::charts::{self, Chart};
use lab::data::Data;
use lab::{files, report};

use crate::cli::Again;
use crate::output::{Done, Failure, failed, say};

/// The name of a run's report.
pub const REPORT: &str = "report.md";

/// Draws the charts again.
pub fn plot(arguments: &Again, out: &mut dyn Write) -> Done {
    let (data, baseline) = read(arguments)?;
    let drawn = draw(&data, &baseline, &arguments.run)?;
    for chart in drawn {
        for ending in ["svg", "png"] {
            let path = arguments.run.join("charts").join(format!("{}.{ending}", chart.name()));
            writeln!(out, "{}", absolute(&path))?;
        }
    }
    Ok(())
}

/// Draws the charts and writes the report again.
pub fn report(arguments: &Again, out: &mut dyn Write) -> Done {
    let (data, baseline) = read(arguments)?;
    write(&data, &baseline, &arguments.run)?;
    Ok(writeln!(out, "{}", absolute(&arguments.run.join(REPORT)))?)
}

/// Draws the charts and writes the report.
pub fn write(data: &Data, baseline: &str, folder: &Path) -> Result<(), Failure> {
    let drawn = draw(data, baseline, folder)?;
    let text = report::markdown(data, baseline, &drawn);
    files::write(&folder.join(REPORT), text.as_bytes()).map_err(failed)
}

fn draw(data: &Data, baseline: &str, folder: &Path) -> Result<Vec<Chart>, Failure> {
    let drawn = charts::write_all(data, baseline, &folder.join("charts")).map_err(failed)?;
    if drawn.is_empty() {
        return Err(failed(format!("nothing to plot: {} has no result", folder.display())));
    }
    Ok(drawn)
}

/// The data, and the baseline that was asked for, or the run's, or the first variant.
fn read(arguments: &Again) -> Result<(Data, String), Failure> {
    let data = Data::read(&arguments.run).map_err(failed)?;
    for note in &data.notes {
        say(&format!("note: {note}"));
    }
    let variants = data.variants();
    let own = data.run.as_ref().map(|run| run.baseline.clone());
    let own = own.filter(|own| variants.contains(&own.as_str()));
    let baseline = match &arguments.baseline {
        Some(asked) if !variants.contains(&asked.as_str()) => {
            return Err(Failure::Usage(format!(
                "'{}' is not a variant of this run: it has {}",
                asked.escape_debug(),
                variants.join(", ")
            )));
        }
        Some(asked) => asked.clone(),
        None => own.or_else(|| variants.first().map(|id| (*id).to_owned())).unwrap_or_default(),
    };
    Ok((data, baseline))
}

/// The path of a file that is there, from the root, as a person can click or copy it.
fn absolute(path: &Path) -> String {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()).display().to_string()
}
