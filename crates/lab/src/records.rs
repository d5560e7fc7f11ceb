//! The results as CSV: one row one fact, the unit in the column's name, every digit kept.
//!
//! Written with commas, points and RFC 4180 quoting whatever the locale. Read by the names of the
//! columns, in any order, with a byte-order mark, CRLF ends, blank lines and further columns let
//! pass; everything else that is not as it was written is refused by file, line and column, so
//! that a file from a spreadsheet is never read as other numbers than it shows.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::files;

/// Whether a case has a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// It was measured.
    Measured,
    /// The plan left it out.
    LeftOut,
    /// It was to be measured and could not be, or its count was wrong.
    Failed,
    /// It took longer than its hard limit and was ended.
    TimedOut,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Measured => "measured",
            Self::LeftOut => "left out",
            Self::Failed => "failed",
            Self::TimedOut => "timeout",
        })
    }
}

impl FromStr for Status {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::Measured, Self::LeftOut, Self::Failed, Self::TimedOut]
            .into_iter()
            .find(|status| status.to_string() == text)
            .ok_or(())
    }
}

/// A case of the time measurement: a row of `measurements.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// The variant's id.
    pub variant: String,
    /// The order.
    pub order: usize,
    /// The placements counted.
    pub total: Option<u128>,
    /// The fundamental placements counted, where the variant counts them.
    pub fundamental: Option<u128>,
    /// The median time of one call, in nanoseconds.
    pub median_ns: Option<f64>,
    /// The interval's lower end, in nanoseconds.
    pub low_ns: Option<f64>,
    /// The interval's upper end, in nanoseconds.
    pub high_ns: Option<f64>,
    /// The rounds that it was measured in.
    pub rounds: usize,
    /// The samples of all rounds.
    pub samples: usize,
    /// The calls of all samples.
    pub iterations: u64,
    /// Whether the result is fit to publish; nothing where there is none.
    pub fit_to_publish: Option<bool>,
    /// Whether there is a result.
    pub status: Status,
    /// Why there is none, or why it is not fit to publish; empty where it is.
    pub reason: String,
}

/// A sample: a row of `samples.csv`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// The variant's id.
    pub variant: String,
    /// The order.
    pub order: usize,
    /// The round, from 1.
    pub round: usize,
    /// The session of the run in which it was measured, from 1: a resumed run has several.
    pub session: usize,
    /// The case's place in the round, from 1.
    pub position: usize,
    /// The sample's place in the case, from 1.
    pub sample: usize,
    /// The calls that were timed together.
    pub iterations: u64,
    /// The time of all of them, in nanoseconds.
    pub elapsed_ns: f64,
}

/// A case of the instruction count: a row of `instructions.csv`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instructions {
    /// The variant's id.
    pub variant: String,
    /// The order.
    pub order: usize,
    /// Instructions of one call.
    pub instructions: Option<u64>,
    /// Whether there is a result.
    pub status: Status,
    /// Why there is none; empty where there is one.
    pub reason: String,
}

/// A row of a search tree: a row of `search_tree.csv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeRow {
    /// The variant's id.
    pub variant: String,
    /// The order.
    pub order: usize,
    /// The row, from 1, in the order in which the variant fills them.
    pub row: usize,
    /// Queens placed in it.
    pub nodes: u64,
    /// Squares of it tested one by one; nothing where the variant tests whole rows with sets.
    pub squares_tested: Option<u64>,
}

/// What the control, a variant measured a second time under another name, showed at an order: a
/// row of `control.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// The variant's id.
    pub variant: String,
    /// The order.
    pub order: usize,
    /// By what factor the second measuring was faster than the first; 1 without noise.
    pub factor: f64,
    /// The lower end of the factor's interval.
    pub low: Option<f64>,
    /// The upper end of the factor's interval.
    pub high: Option<f64>,
    /// The rounds that it comes from.
    pub rounds: usize,
}

/// How far a variant climbed: a row of `frontier.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct Frontier {
    /// The variant's id.
    pub variant: String,
    /// The order.
    pub order: usize,
    /// The time of one call, in nanoseconds.
    pub call_ns: f64,
    /// Whether it was measured; predicted from the growth so far if not.
    pub measured: bool,
    /// Why it was not measured; empty where it was.
    pub reason: String,
}

/// The machine during a round, or a part of one: a row of `environment.csv`. What the machine does
/// not say is left open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Environment {
    /// The round, from 1.
    pub round: usize,
    /// The session of the run, from 1.
    pub session: usize,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// The frequency governor.
    pub governor: Option<String>,
    /// Whether the processor may run faster than its nominal frequency.
    pub boost: Option<bool>,
    /// The load of the last minute before it.
    pub load_before: Option<f64>,
    /// The load of the last minute after it.
    pub load_after: Option<f64>,
    /// How often a processor was throttled.
    pub throttled: Option<u64>,
    /// Pages swapped in and out.
    pub swapped_pages: Option<u64>,
    /// How often the instrument was moved to another processor.
    pub migrations: Option<u64>,
    /// How often the instrument had to make way for another process.
    pub preempted: Option<u64>,
    /// The time that a hypervisor took from all processors, in milliseconds.
    pub steal_ms: Option<f64>,
    /// The time that all processors worked for others, in milliseconds.
    pub others_ms: Option<f64>,
    /// By how much the clock of the day went faster than the one that only goes forward, in parts in
    /// a million.
    pub clock_drift_ppm: Option<f64>,
    /// What a fixed piece of work took before it, in nanoseconds.
    pub probe_before_ns: f64,
    /// What a fixed piece of work took after it, in nanoseconds.
    pub probe_after_ns: f64,
}

/// A row of a person's table of counts, which is only read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownCount {
    /// The order.
    pub order: queens::Order,
    /// The total that the table says.
    pub total: Option<u128>,
    /// The fundamental count that the table says.
    pub fundamental: Option<u128>,
}

/// A kind of row that can be read.
pub trait Row: Sized {
    /// Reads a row.
    ///
    /// # Errors
    /// Where a column is missing or a cell is not what it must be; names both.
    fn read(cells: &Cells<'_>) -> Result<Self, String>;
}

/// A kind of row that is written too, into a file of its own.
pub trait Record: Row {
    /// The file's name.
    const FILE: &'static str;

    /// The row as its columns, in their order.
    fn wire(&self) -> impl Serialize;

    /// The columns' names, for a file without a row.
    const COLUMNS: &'static [&'static str];
}

/// Declares a wire struct, whose fields are the columns, and their names.
macro_rules! wire {
    ($wire:ident, $columns:ident { $($field:ident: $type:ty),* $(,)? }) => {
        #[derive(Serialize)]
        struct $wire<'a> { $($field: $type),* }
        const $columns: &[&str] = &[$(stringify!($field)),*];
    };
}

wire!(MeasurementWire, MEASUREMENT_COLUMNS {
    variant: Cow<'a, str>, order: usize, total: Option<u128>, fundamental: Option<u128>,
    median_ns: Option<f64>, low_ns: Option<f64>, high_ns: Option<f64>,
    rounds: usize, samples: usize, iterations: u64, fit_to_publish: Option<&'static str>,
    reason: Cow<'a, str>, status: String,
});
wire!(SampleWire, SAMPLE_COLUMNS {
    variant: Cow<'a, str>, order: usize, round: usize, session: usize, position: usize, sample: usize,
    iterations: u64, elapsed_ns: f64,
});
wire!(InstructionsWire, INSTRUCTIONS_COLUMNS {
    variant: Cow<'a, str>, order: usize, instructions: Option<u64>, reason: Cow<'a, str>, status: String,
});
wire!(ControlWire, CONTROL_COLUMNS {
    variant: Cow<'a, str>, order: usize, factor: f64, low: Option<f64>, high: Option<f64>,
    rounds: usize,
});
wire!(FrontierWire, FRONTIER_COLUMNS {
    variant: Cow<'a, str>, order: usize, call_ns: f64, measured: &'static str,
    reason: Cow<'a, str>,
});
wire!(EnvironmentWire, ENVIRONMENT_COLUMNS {
    round: usize, session: usize, seconds: f64, governor: Cow<'a, str>,
    boost: Option<&'static str>, load_before: Option<f64>, load_after: Option<f64>,
    throttled: Option<u64>, swapped_pages: Option<u64>, migrations: Option<u64>,
    preempted: Option<u64>, steal_ms: Option<f64>, others_ms: Option<f64>,
    clock_drift_ppm: Option<f64>, probe_before_ns: f64, probe_after_ns: f64,
});
wire!(TreeRowWire, TREE_COLUMNS {
    variant: Cow<'a, str>, order: usize, row: usize, squares_tested: Option<u64>, nodes: u64,
});

impl Record for Measurement {
    const FILE: &'static str = "measurements.csv";
    const COLUMNS: &'static [&'static str] = MEASUREMENT_COLUMNS;

    fn wire(&self) -> impl Serialize {
        MeasurementWire {
            variant: guarded(&self.variant),
            order: self.order,
            total: self.total,
            fundamental: self.fundamental,
            median_ns: self.median_ns,
            low_ns: self.low_ns,
            high_ns: self.high_ns,
            rounds: self.rounds,
            samples: self.samples,
            iterations: self.iterations,
            fit_to_publish: self.fit_to_publish.map(word),
            reason: guarded(&self.reason),
            status: self.status.to_string(),
        }
    }
}

impl Row for Measurement {
    fn read(cells: &Cells<'_>) -> Result<Self, String> {
        let measurement = Self {
            variant: cells.name("variant")?,
            order: cells.order()?,
            total: cells.optional("total", "a whole number")?,
            fundamental: cells.optional("fundamental", "a whole number")?,
            median_ns: cells.time("median")?,
            low_ns: cells.time("low")?,
            high_ns: cells.time("high")?,
            rounds: cells.required("rounds", "a whole number")?,
            samples: cells.required("samples", "a whole number")?,
            iterations: cells.required("iterations", "a whole number")?,
            fit_to_publish: if cells.columns.contains_key("fit_to_publish") {
                cells.yes_or_no("fit_to_publish")?
            } else {
                None
            },
            reason: cells.text("reason")?,
            status: cells.status()?,
        };
        Ok(measurement)
    }
}

impl Record for Sample {
    const FILE: &'static str = "samples.csv";
    const COLUMNS: &'static [&'static str] = SAMPLE_COLUMNS;

    fn wire(&self) -> impl Serialize {
        SampleWire {
            variant: guarded(&self.variant),
            order: self.order,
            round: self.round,
            session: self.session,
            position: self.position,
            sample: self.sample,
            iterations: self.iterations,
            elapsed_ns: self.elapsed_ns,
        }
    }
}

impl Row for Sample {
    fn read(cells: &Cells<'_>) -> Result<Self, String> {
        Ok(Self {
            variant: cells.name("variant")?,
            order: cells.order()?,
            round: cells.count_from_one("round")?,
            session: cells.count_from_one("session")?,
            position: cells.count_from_one("position")?,
            sample: cells.count_from_one("sample")?,
            iterations: cells.count_from_one("iterations")? as u64,
            elapsed_ns: cells
                .time("elapsed")?
                .filter(|ns| ns.is_finite() && *ns > 0.0)
                .ok_or("column elapsed_ns: a sample's time is a finite number above 0")?,
        })
    }
}

impl Record for Instructions {
    const FILE: &'static str = "instructions.csv";
    const COLUMNS: &'static [&'static str] = INSTRUCTIONS_COLUMNS;

    fn wire(&self) -> impl Serialize {
        InstructionsWire {
            variant: guarded(&self.variant),
            order: self.order,
            instructions: self.instructions,
            reason: guarded(&self.reason),
            status: self.status.to_string(),
        }
    }
}

impl Row for Instructions {
    fn read(cells: &Cells<'_>) -> Result<Self, String> {
        Ok(Self {
            variant: cells.name("variant")?,
            order: cells.order()?,
            instructions: cells.optional("instructions", "a whole number")?,
            reason: cells.text("reason")?,
            status: cells.status()?,
        })
    }
}

impl Record for TreeRow {
    const FILE: &'static str = "search_tree.csv";
    const COLUMNS: &'static [&'static str] = TREE_COLUMNS;

    fn wire(&self) -> impl Serialize {
        TreeRowWire {
            variant: guarded(&self.variant),
            order: self.order,
            row: self.row,
            squares_tested: self.squares_tested,
            nodes: self.nodes,
        }
    }
}

impl Row for TreeRow {
    fn read(cells: &Cells<'_>) -> Result<Self, String> {
        Ok(Self {
            variant: cells.name("variant")?,
            order: cells.order()?,
            row: cells.row_of_board()?,
            squares_tested: cells.optional("squares_tested", "a whole number")?,
            nodes: cells.required("nodes", "a whole number")?,
        })
    }
}

impl Record for Control {
    const FILE: &'static str = "control.csv";
    const COLUMNS: &'static [&'static str] = CONTROL_COLUMNS;

    fn wire(&self) -> impl Serialize {
        ControlWire {
            variant: guarded(&self.variant),
            order: self.order,
            factor: self.factor,
            low: self.low,
            high: self.high,
            rounds: self.rounds,
        }
    }
}

impl Row for Control {
    fn read(cells: &Cells<'_>) -> Result<Self, String> {
        Ok(Self {
            variant: cells.name("variant")?,
            order: cells.order()?,
            factor: cells
                .required("factor", "a number")
                .ok()
                .filter(|factor: &f64| factor.is_finite() && *factor > 0.0)
                .ok_or("column factor: a factor is a finite number above 0")?,
            low: cells.optional("low", "a number")?,
            high: cells.optional("high", "a number")?,
            rounds: cells.required("rounds", "a whole number")?,
        })
    }
}

impl Record for Frontier {
    const FILE: &'static str = "frontier.csv";
    const COLUMNS: &'static [&'static str] = FRONTIER_COLUMNS;

    fn wire(&self) -> impl Serialize {
        FrontierWire {
            variant: guarded(&self.variant),
            order: self.order,
            call_ns: self.call_ns,
            measured: word(self.measured),
            reason: guarded(&self.reason),
        }
    }
}

impl Row for Frontier {
    fn read(cells: &Cells<'_>) -> Result<Self, String> {
        Ok(Self {
            variant: cells.name("variant")?,
            order: cells.order()?,
            call_ns: cells
                .time("call")?
                .filter(|ns| ns.is_finite() && *ns > 0.0)
                .ok_or("column call_ns: a call's time is a finite number above 0")?,
            measured: cells.yes_or_no("measured")?.ok_or("column measured: '' is not yes or no")?,
            reason: cells.text("reason")?,
        })
    }
}

impl Record for Environment {
    const FILE: &'static str = "environment.csv";
    const COLUMNS: &'static [&'static str] = ENVIRONMENT_COLUMNS;

    fn wire(&self) -> impl Serialize {
        EnvironmentWire {
            round: self.round,
            session: self.session,
            seconds: self.seconds,
            governor: guarded(self.governor.as_deref().unwrap_or_default()),
            boost: self.boost.map(word),
            load_before: self.load_before,
            load_after: self.load_after,
            throttled: self.throttled,
            swapped_pages: self.swapped_pages,
            migrations: self.migrations,
            preempted: self.preempted,
            steal_ms: self.steal_ms,
            others_ms: self.others_ms,
            clock_drift_ppm: self.clock_drift_ppm,
            probe_before_ns: self.probe_before_ns,
            probe_after_ns: self.probe_after_ns,
        }
    }
}

impl Row for Environment {
    fn read(cells: &Cells<'_>) -> Result<Self, String> {
        let (number, whole) = ("a number", "a whole number");
        Ok(Self {
            round: cells.count_from_one("round")?,
            session: cells.count_from_one("session")?,
            seconds: cells.required("seconds", number)?,
            governor: Some(cells.text("governor")?).filter(|governor| !governor.is_empty()),
            boost: cells.yes_or_no("boost")?,
            load_before: cells.optional("load_before", number)?,
            load_after: cells.optional("load_after", number)?,
            throttled: cells.optional("throttled", whole)?,
            swapped_pages: cells.optional("swapped_pages", whole)?,
            migrations: cells.optional("migrations", whole)?,
            preempted: cells.optional("preempted", whole)?,
            steal_ms: cells.optional("steal_ms", number)?,
            others_ms: cells.optional("others_ms", number)?,
            clock_drift_ppm: cells.optional("clock_drift_ppm", number)?,
            probe_before_ns: cells.required("probe_before_ns", number)?,
            probe_after_ns: cells.required("probe_after_ns", number)?,
        })
    }
}

impl Row for KnownCount {
    fn read(cells: &Cells<'_>) -> Result<Self, String> {
        let optional = |column| {
            if cells.columns.contains_key(column) {
                cells.optional(column, "a whole number")
            } else {
                Ok(None)
            }
        };
        Ok(Self {
            order: cells.order_type()?,
            total: optional("total")?,
            fundamental: optional("fundamental")?,
        })
    }
}

/// Yes or no, as it stands in a cell.
pub(crate) fn word(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

/// Text that a spreadsheet would take for a formula is written with an apostrophe before it, as
/// they do themselves for text, and read back without. So is text that begins like that already.
fn guarded(text: &str) -> Cow<'_, str> {
    if is_formula(text) { format!("'{text}").into() } else { text.into() }
}

fn unguarded(text: &str) -> &str {
    text.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(text)
}

fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r'])
}

/// The rows as CSV text: one header, then a line a row, each ended.
///
/// # Errors
/// Never for the rows of this module, whose fields CSV can hold.
pub fn to_csv<R: Record>(rows: &[R]) -> Result<Vec<u8>, String> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    let failed = |error: &dyn fmt::Display| format!("cannot write {}: {error}", R::FILE);
    writer.write_record(R::COLUMNS).map_err(|error| failed(&error))?;
    for row in rows {
        writer.serialize(row.wire()).map_err(|error| failed(&error))?;
    }
    writer.into_inner().map_err(|error| failed(&error))
}

/// Writes the rows into their file in `folder`, aside and renamed.
///
/// # Errors
/// Where the file cannot be written; names it.
pub fn write<R: Record>(folder: &Path, rows: &[R]) -> Result<(), String> {
    files::write(&folder.join(R::FILE), &to_csv(rows)?)
}

/// Reads the rows' file in `folder`; no rows where there is none.
///
/// # Errors
/// Where the file cannot be read or a row is not as it must be; names file, line and column.
pub fn read<R: Record>(folder: &Path) -> Result<Vec<R>, String> {
    let path = folder.join(R::FILE);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = files::read(&path)?;
    let named = |reason| format!("{}: {reason}", path.display());
    // Where a status ends each row, a cut is seen in it. A number is a number when it is cut, too.
    if R::COLUMNS.last() != Some(&"status") && !text.ends_with('\n') {
        let line = text.lines().count();
        return Err(named(format!("line {line}: the line has no end; the file is cut off")));
    }
    parse(&text).map_err(named)
}

/// Reads rows from CSV text.
///
/// # Errors
/// Where a row is not as it must be; names line and column.
pub fn parse<R: Row>(text: &str) -> Result<Vec<R>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new().has_headers(true).from_reader(text.as_bytes());
    let headers = reader.headers().map_err(|error| error.to_string())?.clone();
    if headers.len() == 1 && headers[0].contains([';', '\t']) {
        return Err(format!(
            "line 1, column 1: '{}' has its fields separated by something else than commas; \
             save the file as CSV with commas between fields and points in numbers",
            headers[0].escape_debug()
        ));
    }
    let mut columns = HashMap::new();
    for (index, name) in headers.iter().enumerate() {
        if columns.insert(name.trim(), index).is_some() {
            return Err(format!("line 1: two columns are named '{}'", name.escape_debug()));
        }
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| csv_fault(&error, &headers))?;
        let line = record.position().map_or(0, csv::Position::line);
        let cells = Cells { columns: &columns, record: &record };
        rows.push(R::read(&cells).map_err(|reason| format!("line {line}, {reason}"))?);
    }
    Ok(rows)
}

fn csv_fault(error: &csv::Error, headers: &csv::StringRecord) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, len, .. } => format!(
            "line {}: {len} fields where the header has {}; the row is cut off or has a comma too \
             many",
            pos.as_ref().map_or(0, csv::Position::line),
            headers.len()
        ),
        _ => error.to_string(),
    }
}

/// The cells of one row, by the names of their columns.
pub struct Cells<'a> {
    columns: &'a HashMap<&'a str, usize>,
    record: &'a csv::StringRecord,
}

impl Cells<'_> {
    fn refuse(column: &str, cell: &str, accepted: &str) -> String {
        format!("column {column}: '{}' is not {accepted}", cell.escape_debug())
    }

    fn cell(&self, column: &str) -> Result<&str, String> {
        let index =
            self.columns.get(column).ok_or_else(|| format!("there is no column {column}"))?;
        Ok(&self.record[*index])
    }

    fn text(&self, column: &str) -> Result<String, String> {
        self.cell(column).map(|cell| unguarded(cell).to_owned())
    }

    pub(crate) fn name(&self, column: &str) -> Result<String, String> {
        let name = self.text(column)?;
        if name.is_empty() { Err(Self::refuse(column, "", "a name")) } else { Ok(name) }
    }

    pub(crate) fn optional<T: FromStr>(
        &self,
        column: &str,
        accepted: &str,
    ) -> Result<Option<T>, String> {
        let cell = self.cell(column)?.trim();
        if cell.is_empty() {
            return Ok(None);
        }
        // Rust reads a leading plus as well; nothing here writes one.
        let plain = cell.parse().ok().filter(|_| !cell.starts_with('+'));
        plain.map(Some).ok_or_else(|| Self::refuse(column, cell, accepted))
    }

    pub(crate) fn required<T: FromStr>(&self, column: &str, accepted: &str) -> Result<T, String> {
        self.optional(column, accepted)?.ok_or_else(|| Self::refuse(column, "", accepted))
    }

    fn order_type(&self) -> Result<queens::Order, String> {
        let cell = self.cell("order")?.trim();
        cell.parse().map_err(|error| format!("column order: {error}"))
    }

    pub(crate) fn order(&self) -> Result<usize, String> {
        self.order_type().map(queens::Order::get)
    }

    fn count_from_one(&self, column: &str) -> Result<usize, String> {
        let accepted = "a whole number above 0";
        let number = self.required(column, accepted)?;
        if number > 0 { Ok(number) } else { Err(Self::refuse(column, "0", accepted)) }
    }

    fn row_of_board(&self) -> Result<usize, String> {
        let (row, order) = (self.count_from_one("row")?, self.order()?);
        if row <= order {
            Ok(row)
        } else {
            Err(format!("column row: a board of order {order} has no row {row}"))
        }
    }

    fn yes_or_no(&self, column: &str) -> Result<Option<bool>, String> {
        match self.cell(column)?.trim() {
            "" => Ok(None),
            "yes" => Ok(Some(true)),
            "no" => Ok(Some(false)),
            other => Err(Self::refuse(column, other, "'yes' or 'no'")),
        }
    }

    fn status(&self) -> Result<Status, String> {
        let accepted = "'measured', 'left out', 'failed' or 'timeout'";
        self.required("status", accepted)
    }

    /// A time in nanoseconds, from the column `base_UNIT` whatever the unit, and from cells with a
    /// unit of their own. Values that no time can have are let through as missing only where they
    /// are empty: zero, negative and infinite ones stay, and are left out where they are drawn.
    fn time(&self, base: &str) -> Result<Option<f64>, String> {
        let mut found: Vec<(&str, &str)> = self
            .columns
            .keys()
            .filter_map(|name| Some((*name, name.strip_prefix(base)?.strip_prefix('_')?)))
            .collect();
        found.sort_unstable();
        // A further column may begin with the same word: `median_note`.
        if found.len() > 1 {
            found.retain(|(_, unit)| unit_ns(unit).is_some());
        }
        let (column, unit) = match found[..] {
            [] => return Err(format!("there is no column {base}_ns")),
            [only] => only,
            [(first, _), (second, _), ..] => {
                return Err(format!("columns {first} and {second} are the same time twice"));
            }
        };
        let cell = self.cell(column)?.trim();
        if cell.is_empty() {
            return Ok(None);
        }
        let unit_of = |unit: &str| {
            unit_ns(unit).ok_or_else(|| {
                format!("column {column}: '{}' is not a unit of time; {UNITS}", unit.escape_debug())
            })
        };
        let column_unit = unit_of(unit)?;
        let end = cell.trim_end_matches(|c: char| c.is_alphabetic()).len();
        let own_unit = &cell[end..];
        let is_number_word = ["nan", "inf", "infinity"]
            .contains(&cell.trim_start_matches('-').to_lowercase().as_str());
        let (number, unit) = if own_unit.is_empty() || is_number_word {
            (cell, column_unit)
        } else {
            (cell[..end].trim_end(), unit_of(own_unit)?)
        };
        let number: f64 = number
            .parse()
            .map_err(|_| Self::refuse(column, cell, "a number with a point for its decimals"))?;
        Ok(Some(number * unit))
    }
}

const UNITS: &str = "units are ns, us, µs, ms, s and min";

/// A unit of time in nanoseconds. Both characters that look like µ are read.
fn unit_ns(unit: &str) -> Option<f64> {
    Some(match unit {
        "ns" => 1.0,
        "us" | "µs" | "μs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        "min" => 6e10,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measurement(variant: &str, order: usize, median_ns: Option<f64>) -> Measurement {
        Measurement {
            variant: variant.to_owned(),
            order,
            total: Some(234_907_967_154_122_528),
            fundamental: None,
            median_ns,
            low_ns: median_ns.map(|ns| ns * 0.9),
            high_ns: median_ns.map(|ns| ns * 1.1),
            rounds: 6,
            samples: 60,
            iterations: 6000,
            fit_to_publish: median_ns.map(|ns| ns > 2.0),
            status: if median_ns.is_some() { Status::Measured } else { Status::Failed },
            reason: String::new(),
        }
    }

    fn text(rows: &[Measurement]) -> String {
        String::from_utf8(to_csv(rows).unwrap()).unwrap()
    }

    /// CSV-01 and CSV-04 of the public reports: quoting, formulas, and every digit.
    #[test]
    fn reads_back_what_it_writes() {
        let mut rows: Vec<_> = [
            r#"2D array, naive "v1""#,
            "two\nlines",
            "=1+1",
            "'=1+1",
            "-x",
            "'quoted'",
            "A&B <fast> 50% | \"q\"",
        ]
        .iter()
        .map(|variant| measurement(variant, 27, Some(1_234.567_891)))
        .collect();
        rows.push(measurement("plain", 4, None));
        rows[1].reason = "=cmd".to_owned();
        let text = text(&rows);
        assert_eq!(parse::<Measurement>(&text).unwrap(), rows);
        assert!(text.contains("234907967154122528") && text.contains("1234.567891"));
        assert!(
            text.contains("\"2D array, naive \"\"v1\"\"\"")
                && !text.contains(",=")
                && !text.contains("\n=")
        );
        for record in csv::Reader::from_reader(text.as_bytes()).records() {
            assert_eq!(record.unwrap().len(), Measurement::COLUMNS.len());
        }
    }

    #[test]
    fn every_kind_of_row_is_read_as_it_was_written() {
        fn back<R: Record + PartialEq + fmt::Debug>(row: R) {
            let text = String::from_utf8(to_csv(&[row]).unwrap()).unwrap();
            let rows = parse::<R>(&text).unwrap();
            assert_eq!(String::from_utf8(to_csv(&rows).unwrap()).unwrap(), text);
            assert_eq!(text.lines().count(), 2);
        }
        let variant = || "=a,b".to_owned();
        let (low, high) = (Some(0.99), None);
        back(Control { variant: variant(), order: 8, factor: 1.004, low, high, rounds: 14 });
        let reason = "too long".to_owned();
        back(Frontier { variant: variant(), order: 8, call_ns: 1.5, measured: false, reason });
        back(Environment {
            round: 1,
            session: 2,
            seconds: 20.5,
            governor: None,
            boost: Some(true),
            load_before: Some(0.25),
            load_after: None,
            throttled: Some(0),
            swapped_pages: None,
            migrations: Some(3),
            preempted: Some(4),
            steal_ms: Some(0.0),
            others_ms: None,
            clock_drift_ppm: Some(-1.25),
            probe_before_ns: 1e6,
            probe_after_ns: 1.01e6,
        });
        let text = "variant,order,factor,low,high,rounds\na,8,-1,,,3\n";
        assert!(parse::<Control>(text).unwrap_err().contains("a finite number above 0"));
    }

    #[test]
    fn a_file_without_rows_has_its_header() {
        assert_eq!(text(&[]).lines().count(), 1);
        assert_eq!(parse::<Measurement>(&text(&[])).unwrap(), []);
    }

    /// CSV-03 of the public reports.
    #[test]
    fn a_byte_order_mark_crlf_and_blank_lines_change_nothing() {
        let rows = [measurement("a", 4, Some(1.5)), measurement("b", 5, None)];
        let changed = format!("\u{feff}{}\r\n\r\n", text(&rows).replace('\n', "\r\n"));
        assert_eq!(parse::<Measurement>(&changed).unwrap(), rows);
    }

    #[test]
    fn columns_in_any_order_and_further_ones() {
        let rows = "note,nodes,row,squares_tested,order,variant\nx,16,2,,4,a\n";
        let row =
            TreeRow { variant: "a".into(), order: 4, row: 2, nodes: 16, squares_tested: None };
        assert_eq!(parse::<TreeRow>(rows).unwrap(), [row]);
    }

    /// CSV-02 of the public reports: refused by line and column, never read as another number.
    #[test]
    fn a_spreadsheets_semicolons_and_decimal_commas_are_refused() {
        let text = text(&[measurement("a", 4, Some(1.5))]);
        let message = parse::<Measurement>(&text.replace(',', ";").replace('.', ",")).unwrap_err();
        assert!(message.starts_with("line 1, column 1:"), "{message}");
        let message = parse::<Measurement>(&text.replace("1.5", "\"1,5\"")).unwrap_err();
        assert!(message.contains("line 2, column median_ns: '1,5'"), "{message}");
    }

    /// CSV-11 of the public reports: a file cut anywhere inside a row is refused by its line.
    #[test]
    fn a_cut_row_is_refused_wherever_it_is_cut() {
        let whole = text(&[measurement("a", 4, Some(1.5)), measurement("b", 5, Some(2.5))]);
        let start = whole.trim_end().rfind('\n').unwrap() + 1;
        for end in start + 1..whole.len() - 1 {
            let message = parse::<Measurement>(&whole[..end]).unwrap_err();
            assert!(message.contains("line 3"), "{:?}: {message}", &whole[start..end]);
        }
    }

    #[test]
    fn a_cut_number_is_refused_by_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let sample = Sample {
            variant: "a".to_owned(),
            order: 8,
            round: 1,
            session: 1,
            position: 1,
            sample: 1,
            iterations: 10,
            elapsed_ns: 12345.0,
        };
        write(folder.path(), &[sample.clone(), sample]).unwrap();
        let path = folder.path().join(Sample::FILE);
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 4]).unwrap();
        let message = read::<Sample>(folder.path()).unwrap_err();
        assert!(message.contains("samples.csv: line 3: the line has no end"), "{message}");
    }

    #[test]
    fn a_row_beyond_the_board_is_refused() {
        let rows = "variant,order,row,squares_tested,nodes\na,4,5,,2\n";
        let message = parse::<TreeRow>(rows).unwrap_err();
        assert_eq!(message, "line 2, column row: a board of order 4 has no row 5");
    }

    /// CSV-09 of the public reports: one unit in the header, any spelling of it, no unknown one.
    #[test]
    fn times_in_any_unit_and_none_unknown() {
        let rows = text(&[measurement("a", 4, Some(1.0))]).replace(",1.0,", ",CELL,");
        let median = |cell: &str| {
            parse::<Measurement>(&rows.replace("CELL", cell)).map(|rows| rows[0].median_ns)
        };
        for (cell, ns) in [
            ("2.5", 2.5),
            ("3 ns", 3.0),
            ("1.5us", 1500.0),
            ("1.5 µs", 1500.0),
            ("1.5 μs", 1500.0),
            ("2 ms", 2e6),
            ("97 s", 97e9),
            ("1 min", 6e10),
            ("1e3", 1e3),
            ("1e3 ms", 1e9),
        ] {
            assert_eq!(median(cell), Ok(Some(ns)), "{cell}");
        }
        for cell in ["3 parsecs", "3 h", "ms", "1.2.3", "0x10"] {
            let message = median(cell).unwrap_err();
            assert!(message.contains("line 2, column median_ns"), "{message}");
        }
        let in_seconds = rows.replace("median_ns", "median_s").replace("CELL", "0.25");
        assert_eq!(parse::<Measurement>(&in_seconds).unwrap()[0].median_ns, Some(0.25e9));
        let noted = rows.replace('\n', ",mine\n").replacen("mine", "median_note", 1);
        assert!(parse::<Measurement>(&noted.replace("CELL", "1")).is_ok());
        let unknown = rows.replace("median_ns", "median_fortnights").replace("CELL", "1");
        assert!(parse::<Measurement>(&unknown).unwrap_err().contains("'fortnights'"));
    }

    /// CSV-07 of the public reports: an empty cell is missing and not 0.
    #[test]
    fn an_empty_cell_is_missing() {
        let rows = text(&[measurement("a", 4, Some(1.5))]).replace(",1.5,", ",,");
        assert_eq!(parse::<Measurement>(&rows).unwrap()[0].median_ns, None);
    }

    #[test]
    fn a_sample_takes_time() {
        let rows = "variant,order,round,session,position,sample,iterations,elapsed_ns\n\
                    a,8,1,1,1,1,10,CELL\n";
        assert!(parse::<Sample>(&rows.replace("CELL", "12.5")).is_ok());
        for cell in ["0", "-1", "NaN", "inf", ""] {
            let message = parse::<Sample>(&rows.replace("CELL", cell)).unwrap_err();
            assert!(message.contains("line 2, column elapsed_ns"), "{message}");
        }
    }

    #[test]
    fn a_missing_or_doubled_column_is_named() {
        let rows = text(&[measurement("a", 4, Some(1.5))]);
        let message = parse::<Measurement>(&rows.replace("rounds", "turns")).unwrap_err();
        assert!(message.contains("no column rounds"), "{message}");
        let message = parse::<Measurement>(&rows.replace("rounds", "samples")).unwrap_err();
        assert!(message.contains("two columns are named 'samples'"), "{message}");
    }
}
