//! `report`: a run's report and charts again, from its CSV files; and which run is meant.

use std::io::Write;
use std::path::{Path, PathBuf};

use lab::data::Data;
use lab::run::Run;
use lab::{files, html, report};

use super::{chart, table};
use crate::cli::Again;
use crate::output::{Done, Failure, absolute, failed, say};
use crate::workspace;

/// The name of a run's report.
pub const REPORT: &str = report::FILE;

/// Draws the charts and writes the report again.
pub fn report(arguments: &Again, out: &mut dyn Write) -> Done {
    let (data, baseline) = read(&arguments.run, arguments.baseline.as_deref())?;
    write(&data, &baseline, &arguments.run)?;
    for name in [html::FILE, REPORT] {
        writeln!(out, "{}", absolute(&arguments.run.join(name)))?;
    }
    Ok(())
}

/// Draws the charts and writes the tables and the report.
pub fn write(data: &Data, baseline: &str, folder: &Path) -> Result<(), Failure> {
    let drawn = chart::draw_all(data, baseline, folder)?;
    let text = report::markdown(data, baseline, &drawn);
    let page =
        html::page(data, baseline, &drawn, crates_from(folder).as_deref()).map_err(failed)?;
    files::write(&folder.join(html::FILE), page.as_bytes()).map_err(failed)?;
    table::write_all(data, baseline, folder)?;
    files::write(&folder.join(REPORT), text.as_bytes()).map_err(failed)
}

/// The folder of the variants' source, as a link from a page in `folder` reaches it.
fn crates_from(folder: &Path) -> Option<String> {
    let crates = std::fs::canonicalize(workspace::root().join("crates")).ok()?;
    let folder = std::fs::canonicalize(folder).ok()?;
    let path = pathdiff::diff_paths(crates, folder)?;
    Some(path.to_string_lossy().replace('\\', "/").replace('%', "%25").replace(' ', "%20"))
}

/// The data of a run, and the baseline that was asked for, or the run's, or the first variant.
pub fn read(run: &Path, baseline: Option<&str>) -> Result<(Data, String), Failure> {
    let data = Data::read(run).map_err(failed)?;
    for note in &data.notes {
        say(&format!("note: {note}"));
    }
    let variants = data.variants();
    let own = data.run.as_ref().map(|run| run.baseline.clone());
    let own = own.filter(|own| variants.contains(&own.as_str()));
    let baseline = match baseline {
        Some(asked) if !variants.contains(&asked) => {
            return Err(Failure::Usage(format!(
                "'{}' is not a variant of this run: it has {}",
                asked.escape_debug(),
                variants.join(", ")
            )));
        }
        Some(asked) => asked.to_owned(),
        None => own.or_else(|| variants.first().map(|id| (*id).to_owned())).unwrap_or_default(),
    };
    Ok((data, baseline))
}

/// The runs in the workspace's reports, each with its own account. What cannot be read is passed over.
fn runs() -> Vec<(PathBuf, Run)> {
    let folders = std::fs::read_dir(workspace::root().join("reports")).into_iter().flatten();
    folders
        .filter_map(|entry| {
            let folder = entry.ok()?.path();
            let run = Run::read(&folder).ok()??;
            Some((folder, run))
        })
        .collect()
}

/// The run that is named, or the newest one in the workspace's reports that came to its end.
pub fn run_or_newest(named: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(named) = named {
        return Ok(named.to_path_buf());
    }
    let complete = runs().into_iter().filter(|(_, run)| run.complete);
    let started = |run: &Run| run.started.parse::<jiff::Timestamp>().ok();
    let (folder, _) = complete.max_by_key(|(_, run)| started(run)).ok_or_else(|| {
        failed(
            "there is no run in the workspace's reports: make one by 'bench', or name one by --run",
        )
    })?;
    say(&format!("the newest run: {}", absolute(&folder)));
    Ok(folder)
}

/// The run of that name in the workspace's reports.
pub fn run_named(id: &str) -> Option<PathBuf> {
    runs().into_iter().find(|(_, run)| run.id == id).map(|(folder, _)| folder)
}
