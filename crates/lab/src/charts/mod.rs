//! The charts of a run: laid out here, drawn as SVG and PNG.

mod axis;
mod bands;
mod bars;
mod bitmap;
mod curves;
mod embed;
pub mod font;
mod gallery;
mod grids;
mod index;
mod labels;
mod page;
mod panels;
mod provenance;
mod rows;
mod scene;
pub mod svg;
pub mod theme;

use std::path::Path;

use rayon::prelude::*;

pub use axis::Scale;
pub use embed::{Embedded, colours_of, embed, markers, variables};
pub use gallery::explained_order;
pub use index::FILE as INDEX;
pub use provenance::{Provenance, hash};
pub use scene::Scene;
pub use theme::Theme;

use crate::data::Data;
use crate::files;
use crate::records::{
    self, Control, Environment, Frontier, Instructions, Measurement, Record, Sample, TreeRow,
};

/// A chart, by what it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Chart {
    /// Time against order.
    Time,
    /// Bars at the largest common order, with factors.
    Ranking,
    /// Speedup over the baseline against order.
    Speedup,
    /// Nodes, instructions a node and time an instruction.
    Explained,
    /// Nodes of the search tree by row.
    SearchTree,
    /// Instructions against order.
    Instructions,
    /// The factor by which a time grows with each queen.
    Growth,
    /// The largest order within a second and within a minute.
    Frontier,
    /// Every sample at one order.
    Samples,
    /// The rounds one after the other.
    Drift,
    /// What is found between a variant and itself.
    Noise,
    /// Variants by orders.
    HeatMap,
}

impl Chart {
    /// Every chart, in the order in which a report tells its story.
    pub const ALL: [Self; 12] = [
        Self::Time,
        Self::Ranking,
        Self::Speedup,
        Self::Explained,
        Self::SearchTree,
        Self::Instructions,
        Self::Growth,
        Self::Frontier,
        Self::Samples,
        Self::Drift,
        Self::Noise,
        Self::HeatMap,
    ];

    /// The name of its files, without ending.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Ranking => "ranking",
            Self::Speedup => "speedup",
            Self::Explained => "explained",
            Self::SearchTree => "search-tree",
            Self::Instructions => "instructions",
            Self::Growth => "growth",
            Self::Frontier => "frontier",
            Self::Samples => "samples",
            Self::Drift => "drift",
            Self::Noise => "noise",
            Self::HeatMap => "heat-map",
        }
    }

    /// The chart of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|chart| chart.name() == name)
    }

    /// What it shows, in a few words.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Time => "Time of one call against order",
            Self::Ranking => "Ranking at the largest common order",
            Self::Speedup => "Speedup against order",
            Self::Explained => "Time explained: nodes, instructions a node, time an instruction",
            Self::SearchTree => "Nodes of the search tree by row",
            Self::Instructions => "Instructions of one call against order",
            Self::Growth => "Growth factor a queen",
            Self::Frontier => "Largest order within a second and within a minute",
            Self::Samples => "Every sample",
            Self::Drift => "Drift over the rounds",
            Self::Noise => "Noise floor: a variant against itself",
            Self::HeatMap => "Times of all variants at all orders",
        }
    }

    /// Whether it shows one order, which can be chosen.
    #[must_use]
    pub const fn is_of_one_order(self) -> bool {
        matches!(
            self,
            Self::Ranking | Self::Explained | Self::SearchTree | Self::Samples | Self::Drift
        )
    }

    /// Whether the scale of its values can be chosen.
    #[must_use]
    pub const fn has_scales(self) -> bool {
        matches!(
            self,
            Self::Time | Self::Ranking | Self::Speedup | Self::SearchTree | Self::Instructions
        )
    }
}

/// The CSV files that charts are drawn from, in the order in which they are hashed: all of a run's. What a chart
/// shows comes from some of them, and what its captions say of the run from the others.
pub const FILES: [&str; 7] = [
    Measurement::FILE,
    Sample::FILE,
    Instructions::FILE,
    TreeRow::FILE,
    Control::FILE,
    Frontier::FILE,
    Environment::FILE,
];

/// What a chart is to show, and how.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The run.
    pub data: &'a Data,
    /// The variant that speedups are taken against.
    pub baseline: &'a str,
    /// The order, for a chart of one order; nothing for the chart's own choice.
    pub order: Option<usize>,
    /// How values are spread; nothing for the chart's own choice.
    pub scale: Option<Scale>,
    /// Where it is to be shown.
    pub theme: Theme,
    /// Width and height in pixels of 1/96 inch; nothing for the theme's own.
    pub size: Option<(u32, u32)>,
    /// Whether factors are to be written for every baseline, for a page that shows those of one.
    pub for_every_baseline: bool,
}

impl<'a> Subject<'a> {
    /// A run as an article shows it.
    #[must_use]
    pub const fn new(data: &'a Data, baseline: &'a str) -> Self {
        let theme = Theme::Article;
        let (order, scale, size) = (None, None, None);
        Self { data, baseline, order, scale, theme, size, for_every_baseline: false }
    }
}

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Scalable vector graphics.
    Svg,
    /// A bitmap.
    Png,
}

impl Format {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Svg, Self::Png];

    /// The ending of its files.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }
}

/// A chart that is laid out, with where it comes from.
#[derive(Clone, Debug)]
pub struct Drawing {
    theme: Theme,
    scene: Scene,
    provenance: Provenance,
}

/// Lays a chart out; nothing where the data have no value for it.
///
/// # Errors
/// Where it cannot be drawn within the size that is asked for; the message says which is enough.
pub fn lay_out(chart: Chart, subject: &Subject<'_>) -> Result<Option<Drawing>, String> {
    let theme = subject.theme;
    let Some(scene) = gallery::scene(chart, subject) else { return Ok(None) };
    let pixels = |units: f64| (units * theme.zoom() - 1e-6).ceil() as u32;
    if let Some((width, height)) = subject.size {
        let (least_width, least_height) = (pixels(scene.size.0), pixels(scene.size.1));
        if least_width > width || least_height > height {
            return Err(format!(
                "the chart '{}' of these data does not fit into {width}x{height} pixels: it takes \
                 {least_width}x{least_height}",
                chart.name()
            ));
        }
    }
    Ok(Some(Drawing { theme, scene, provenance: provenance_of(chart, subject)? }))
}

impl Drawing {
    /// The scene.
    #[must_use]
    pub const fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Where it comes from.
    #[must_use]
    pub const fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// The chart as a file.
    ///
    /// # Errors
    /// Where the drawing library refuses it, in its words.
    pub fn file(&self, format: Format) -> Result<Vec<u8>, String> {
        match format {
            Format::Svg => {
                let (theme, provenance) = (self.theme, &self.provenance);
                let purpose = svg::Use::File { theme, provenance };
                Ok(svg::write(&self.scene, purpose).into_bytes())
            }
            Format::Png => bitmap::write(&self.scene, self.theme, &self.provenance),
        }
    }
}

fn provenance_of(chart: Chart, subject: &Subject<'_>) -> Result<Provenance, String> {
    let Subject { data, baseline, order, scale, theme, size, .. } = *subject;
    let run = data.run.as_ref();
    let unknown = || "unknown".to_owned();
    let commit = run.and_then(|run| {
        let plus = if run.source.dirty == Some(true) { "+" } else { "" };
        Some(format!("{}{plus}", run.source.commit.as_ref()?))
    });
    let mut contents = Vec::new();
    for file in FILES {
        contents.push(rows_of(data, file)?);
    }
    Ok(Provenance {
        run: run.map_or_else(unknown, |run| run.id.clone()),
        started: run.map_or_else(unknown, |run| run.started.clone()),
        commit: commit.unwrap_or_else(unknown),
        machine: run.map_or_else(unknown, crate::run::Run::machine_line),
        command: run.map_or_else(unknown, |run| run.command.clone()),
        chart: chart.name().to_owned(),
        theme: theme.name().to_owned(),
        size,
        scale: scale.map_or("own", Scale::name).to_owned(),
        baseline: baseline.to_owned(),
        order,
        files: FILES.map(str::to_owned).into(),
        data_sha256: provenance::hash(contents.iter().map(Vec::as_slice)),
    })
}

/// The rows of a file as the laboratory writes them.
fn rows_of(data: &Data, file: &str) -> Result<Vec<u8>, String> {
    match file {
        Measurement::FILE => records::to_csv(&data.measurements),
        Sample::FILE => records::to_csv(&data.samples),
        Control::FILE => records::to_csv(&data.control),
        Instructions::FILE => records::to_csv(&data.instructions),
        TreeRow::FILE => records::to_csv(&data.search_tree),
        Frontier::FILE => records::to_csv(&data.frontier),
        _ => records::to_csv(&data.environment),
    }
}

/// What drawing a chart again says of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is what the data say, to the last byte.
    Same,
    /// It is of other data.
    OtherData,
    /// It is of the same data, and is drawn otherwise: it or the run's own account was edited, or it was drawn by
    /// another state of the laboratory.
    OtherDrawing,
}

/// Draws a chart again from what its file says of itself.
///
/// # Errors
/// Where the data are of another run, or can no longer be drawn.
pub fn check(bytes: &[u8], provenance: &Provenance, data: &Data) -> Result<Verdict, String> {
    let run = data.run.as_ref().map_or("unknown", |run| run.id.as_str());
    if provenance.run != run {
        return Err(format!("it is of the run {}, and the data are of {run}", provenance.run));
    }
    let unknown =
        |what: &str, name: &str| format!("it is of the {what} '{name}', which is not known");
    let chart =
        Chart::find(&provenance.chart).ok_or_else(|| unknown("chart", &provenance.chart))?;
    let theme =
        Theme::find(&provenance.theme).ok_or_else(|| unknown("theme", &provenance.theme))?;
    let subject = Subject {
        data,
        baseline: &provenance.baseline,
        order: provenance.order,
        scale: Scale::ALL.into_iter().find(|scale| scale.name() == provenance.scale),
        theme,
        size: provenance.size,
        for_every_baseline: false,
    };
    let Some(drawing) = lay_out(chart, &subject)? else { return Ok(Verdict::OtherData) };
    if drawing.provenance.data_sha256 != provenance.data_sha256 {
        return Ok(Verdict::OtherData);
    }
    let format = if bytes.starts_with(b"\x89PNG") { Format::Png } else { Format::Svg };
    let same = drawing.file(format)? == bytes;
    Ok(if same { Verdict::Same } else { Verdict::OtherDrawing })
}

/// Draws every chart that the data have values for into a folder, as SVG and PNG, on all cores, with a page
/// that shows them all; and takes away those of an earlier drawing that they have none for. Says which
/// were drawn.
///
/// # Errors
/// Where a file cannot be written, naming it.
pub fn write_all(data: &Data, baseline: &str, folder: &Path) -> Result<Vec<Chart>, String> {
    files::make_folder(folder)?;
    let subject = Subject::new(data, baseline);
    let drawn: Vec<Option<Drawing>> = Chart::ALL
        .par_iter()
        .map(|chart| {
            let drawing = lay_out(*chart, &subject)?;
            Format::ALL.par_iter().try_for_each(|format| {
                let path = folder.join(format!("{}.{}", chart.name(), format.ending()));
                match &drawing {
                    Some(drawing) => files::write(&path, &drawing.file(*format)?),
                    None if path.exists() => std::fs::remove_file(&path)
                        .map_err(|error| format!("cannot remove {}: {error}", path.display())),
                    None => Ok(()),
                }
            })?;
            Ok(drawing)
        })
        .collect::<Result<_, String>>()?;
    let drawn: Vec<(Chart, Drawing)> = Chart::ALL
        .into_iter()
        .zip(drawn)
        .filter_map(|(chart, drawing)| Some((chart, drawing?)))
        .collect();
    index::write(data, &drawn, folder)?;
    Ok(drawn.into_iter().map(|(chart, _)| chart).collect())
}

#[cfg(test)]
mod tests;
