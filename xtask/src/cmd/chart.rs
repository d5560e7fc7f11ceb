//! `chart` and `plot`: the charts of a run, in any theme, size and form; and whether a drawn one is still what the
//! data say.

use std::io::Write;
use std::path::{Path, PathBuf};

use lab::charts::{self, Chart, Drawing, Provenance, Subject, Verdict};
use lab::data::Data;
use lab::files;
use queens::Order;

use super::again;
use crate::cli::{self, Again, ChartFormat};
use crate::output::{Done, Failure, absolute, failed};
use crate::pdf;

/// The folder of a run's charts.
pub const FOLDER: &str = "charts";

/// Draws all charts of a run again.
pub fn plot(arguments: &Again, out: &mut dyn Write) -> Done {
    let (data, baseline) = again::read(&arguments.run, arguments.baseline.as_deref())?;
    let folder = arguments.run.join(FOLDER);
    for chart in draw_all(&data, &baseline, &arguments.run)? {
        for format in charts::Format::ALL {
            let path = folder.join(format!("{}.{}", chart.name(), format.ending()));
            writeln!(out, "{}", absolute(&path))?;
        }
    }
    Ok(writeln!(out, "{}", absolute(&folder.join(charts::INDEX)))?)
}

/// Draws all charts of a run into its folder.
pub fn draw_all(data: &Data, baseline: &str, run: &Path) -> Result<Vec<Chart>, Failure> {
    let drawn = charts::write_all(data, baseline, &run.join(FOLDER)).map_err(failed)?;
    if drawn.is_empty() {
        return Err(failed(format!("nothing to plot: {} has no result", run.display())));
    }
    Ok(drawn)
}

/// Draws the charts that are asked for, or looks at drawn ones.
pub fn run(arguments: &cli::Chart, out: &mut dyn Write) -> Done {
    if !arguments.check.is_empty() {
        return check(arguments, out);
    }
    let run = again::run_or_newest(arguments.run.as_deref())?;
    let (data, baseline) = again::read(&run, arguments.baseline.as_deref())?;
    let named: Vec<Chart> = arguments.names.iter().filter_map(|name| Chart::find(name)).collect();
    let named = once_each(&named);
    let wanted = if named.is_empty() { Chart::ALL.to_vec() } else { named.clone() };
    refuse_what_has_no_effect(arguments, &wanted)?;
    let subject = Subject {
        data: &data,
        baseline: &baseline,
        order: arguments.order.map(Order::get),
        scale: arguments.scale.map(cli::ScaleName::scale),
        theme: arguments.theme.theme(),
        size: arguments.size,
        for_every_baseline: false,
    };
    let folder = arguments.out.clone().unwrap_or_else(|| run.join(FOLDER));
    // All that can be refused is refused before anything is written.
    let mut drawings = Vec::new();
    for chart in wanted {
        match charts::lay_out(chart, &subject).map_err(failed)? {
            Some(drawing) => drawings.push((chart, drawing)),
            None if named.contains(&chart) => {
                let at =
                    subject.order.map_or_else(String::new, |order| format!(" at order {order}"));
                return Err(failed(format!(
                    "nothing to plot: {} has no value for the chart '{}'{at}",
                    run.display(),
                    chart.name()
                )));
            }
            None => {}
        }
    }
    if drawings.is_empty() {
        return Err(failed(format!("nothing to plot: {} has no result", run.display())));
    }
    files::make_folder(&folder).map_err(failed)?;
    for path in write(arguments, &drawings, &folder)? {
        writeln!(out, "{}", absolute(&path))?;
    }
    Ok(())
}

/// What is named several times, once, where it is named first.
fn once_each<T: Copy + PartialEq>(named: &[T]) -> Vec<T> {
    let mut found = Vec::new();
    for one in named {
        if !found.contains(one) {
            found.push(*one);
        }
    }
    found
}

/// An option that changes none of the charts that are asked for is a mistake.
fn refuse_what_has_no_effect(arguments: &cli::Chart, wanted: &[Chart]) -> Done {
    let names = |has: fn(Chart) -> bool| {
        let names: Vec<&str> =
            Chart::ALL.into_iter().filter(|chart| has(*chart)).map(Chart::name).collect();
        names.join(", ")
    };
    if arguments.order.is_some() && !wanted.iter().any(|chart| chart.is_of_one_order()) {
        return Err(Failure::Usage(format!(
            "--order is for charts of one order: {}",
            names(Chart::is_of_one_order)
        )));
    }
    if arguments.scale.is_some() && !wanted.iter().any(|chart| chart.has_scales()) {
        return Err(Failure::Usage(format!("--scale is for: {}", names(Chart::has_scales))));
    }
    Ok(())
}

/// Writes each chart in each form, on all cores; says which files there are then.
fn write(
    arguments: &cli::Chart,
    drawings: &[(Chart, Drawing)],
    folder: &Path,
) -> Result<Vec<PathBuf>, Failure> {
    use rayon::prelude::*;
    let formats = once_each(&arguments.format);
    let wanted: Vec<(&Chart, &Drawing, ChartFormat)> = drawings
        .iter()
        .flat_map(|(chart, drawing)| formats.iter().map(move |format| (chart, drawing, *format)))
        .collect();
    wanted
        .par_iter()
        .map(|(chart, drawing, format)| {
            let path = folder.join(name(**chart, arguments, *format));
            let bytes = match format {
                ChartFormat::Svg => drawing.file(charts::Format::Svg),
                ChartFormat::Png => drawing.file(charts::Format::Png),
                ChartFormat::Pdf => drawing.file(charts::Format::Svg).and_then(|svg| {
                    pdf::from_svg(&String::from_utf8_lossy(&svg), drawing.provenance())
                }),
            };
            files::write(&path, &bytes?)?;
            Ok(path)
        })
        .collect::<Result<_, String>>()
        .map_err(failed)
}

/// A file's name: that of the chart, and what it is drawn otherwise than a run's own charts are.
fn name(chart: Chart, arguments: &cli::Chart, format: ChartFormat) -> String {
    let mut name = chart.name().to_owned();
    let mut add = |word: String| {
        name.push('-');
        name.push_str(&word);
    };
    let theme = arguments.theme.theme();
    if theme != charts::Theme::Article {
        add(theme.name().to_owned());
    }
    if let Some((width, height)) = arguments.size {
        add(format!("{width}x{height}"));
    }
    if let Some(order) = arguments.order.filter(|_| chart.is_of_one_order()) {
        add(format!("order-{order}"));
    }
    if let Some(scale) = arguments.scale.filter(|_| chart.has_scales()) {
        add(scale.scale().name().to_owned());
    }
    if let Some(baseline) = &arguments.baseline
        && matches!(chart, Chart::Speedup | Chart::Ranking)
    {
        add(format!("over-{}", lab::numbers::word(baseline)));
    }
    format!("{name}.{}", format.ending())
}

/// Says of each file whether it is still what its run's data say.
fn check(arguments: &cli::Chart, out: &mut dyn Write) -> Done {
    let (mut stale, mut unchecked) = (0, 0);
    for file in &arguments.check {
        let said = match verdict(file, arguments.run.as_deref()) {
            Ok((Verdict::Same, run)) => format!("still what the data of {run} say"),
            Ok((Verdict::OtherData, run)) => {
                stale += 1;
                format!("STALE: the data of {run} are others than those that it shows")
            }
            Ok((Verdict::OtherDrawing, run)) => {
                stale += 1;
                format!(
                    "STALE: the data of {run} are the same, but the drawing is another one: the file or the \
                     run's {} was edited, or it was drawn by another state of the laboratory",
                    lab::run::FILE
                )
            }
            Err(message) => {
                unchecked += 1;
                format!("NOT CHECKED: {message}")
            }
        };
        writeln!(out, "{}: {said}", file.display())?;
    }
    let found = [(stale, "stale"), (unchecked, "not checked")];
    let found: Vec<String> = found
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if found.is_empty() {
        return Ok(());
    }
    Err(failed(format!("of {} charts: {}", arguments.check.len(), found.join(", "))))
}

/// What drawing a file again says, and the run that it is of: the one that is named, or the one in whose
/// folder the file lies.
fn verdict(file: &Path, run: Option<&Path>) -> Result<(Verdict, String), String> {
    let bytes = std::fs::read(file).map_err(|error| format!("cannot be read: {error}"))?;
    let provenance = Provenance::read(&bytes)?;
    let folder = run.map(Path::to_path_buf).or_else(|| {
        let full = std::fs::canonicalize(file).ok()?;
        let above = full.ancestors().skip(1).find(|folder| folder.join(lab::run::FILE).exists());
        above.map(Path::to_path_buf).or_else(|| again::run_named(&provenance.run))
    });
    let folder = folder.ok_or_else(|| {
        format!("it is of the run {}, which is not here: --run says where it is", provenance.run)
    })?;
    let data = Data::read(&folder)?;
    Ok((charts::check(&bytes, &provenance, &data)?, provenance.run))
}
