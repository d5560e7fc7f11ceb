//! The tables of a run, with the digits that its intervals justify.

use std::str::FromStr;

use crate::charts;
use crate::data::Data;
use crate::environment;
use crate::format;
use crate::frontier;
use crate::growth::{self, Growth};
use crate::paired;
use crate::registry::{self, REGISTRY};
use crate::stats::{Comparison, Estimate};
pub use crate::table::{Form, MISSING, Table};

/// A table, by what it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The variants: idea, documents, complexity, size.
    Variants,
    /// The ranking at the largest common order.
    Ranking,
    /// The largest order within a second and within a minute.
    Frontier,
    /// Nodes, instructions a node and time an instruction.
    Explained,
    /// Nodes by row.
    SearchTree,
    /// How times grow.
    Growth,
    /// A variant against itself.
    Noise,
    /// The machine during each round.
    Environment,
    /// Times by order.
    Times,
    /// Speedups by order.
    Speedups,
    /// Instructions by order.
    Instructions,
}

impl Kind {
    /// Every table, in the order in which a report tells its story.
    pub const ALL: [Self; 11] = [
        Self::Variants,
        Self::Ranking,
        Self::Frontier,
        Self::Explained,
        Self::SearchTree,
        Self::Growth,
        Self::Noise,
        Self::Environment,
        Self::Times,
        Self::Speedups,
        Self::Instructions,
    ];

    /// The name of its files, without ending.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Variants => "variants",
            Self::Ranking => "ranking",
            Self::Frontier => "frontier",
            Self::Explained => "explained",
            Self::SearchTree => "search-tree",
            Self::Growth => "growth",
            Self::Noise => "noise",
            Self::Environment => "environment",
            Self::Times => "times",
            Self::Speedups => "speedups",
            Self::Instructions => "instructions",
        }
    }

    /// What it shows, in a few words.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Variants => "The variants",
            Self::Ranking => "Ranking at the largest common order",
            Self::Frontier => "How far within a second and a minute",
            Self::Explained => "What a time is made of",
            Self::SearchTree => "Nodes of the search tree by row",
            Self::Growth => "Growth factors",
            Self::Noise => "A variant against itself",
            Self::Environment => "The machine during each round",
            Self::Times => "Median times by order, with 95 % intervals",
            Self::Speedups => "Speedups by order, with 95 % intervals",
            Self::Instructions => "Instructions by order",
        }
    }

    /// The table of these data; nothing where they have no value for it.
    #[must_use]
    pub fn table(self, data: &Data, baseline: &str) -> Option<Table> {
        let table = match self {
            Self::Variants => Some(variants(data)),
            Self::Ranking => ranking(data, baseline).map(|(_, table)| table),
            Self::Frontier => frontier(data),
            Self::Explained => explained(data),
            Self::SearchTree => search_tree(data),
            Self::Growth => {
                // Of the orders whose calls the branch predictor does not know by heart.
                let found = growth::of_times(data, |_, ns| ns >= growth::LEARNT_BY_HEART_NS);
                Some(growth_factors(&found, with_interval))
            }
            Self::Noise => Some(noise(data)),
            Self::Environment => Some(environment(data)),
            Self::Times => Some(times(data)),
            Self::Speedups => Some(speedups(data, baseline)),
            Self::Instructions => Some(instructions(data)),
        };
        table.filter(|table| !table.rows.is_empty())
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("'{}' is not a table: the tables are {names}", name.escape_debug())
        })
    }
}

fn header<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).into()
}

fn or_missing(cell: Option<String>) -> String {
    cell.unwrap_or_else(|| MISSING.to_owned())
}

/// What each variant is.
fn variants(data: &Data) -> Table {
    let lines = data.run.as_ref().map(|run| &run.code_lines);
    let rows = data
        .variants()
        .into_iter()
        .map(|id| {
            let Some(entry) = registry::find(&REGISTRY, id) else {
                let foreign = "not a variant of this laboratory".to_owned();
                let missing = || MISSING.to_owned();
                return vec![id.to_owned(), foreign, missing(), missing(), missing()];
            };
            let about = &entry.variant.about;
            let documents: Vec<_> =
                about.follows.iter().map(|citation| citation.document.number()).collect();
            let documents =
                if documents.is_empty() { "none".to_owned() } else { documents.join(", ") };
            let size = lines.and_then(|lines| lines.get(id)).map(ToString::to_string);
            vec![
                id.to_owned(),
                about.summary.to_owned(),
                documents,
                about.complexity.to_owned(),
                or_missing(size),
            ]
        })
        .collect();
    let names = ["variant", "idea", "documents", "complexity", "lines of code"];
    Table { header: header(names), rows }
}

/// What stands in a table for a variant's speedup over itself, which is not measured.
pub const ITSELF: &str = "1×";

/// What stands in a table where the data cannot tell two variants apart.
pub const NOT_SEPARATED: &str = "not separated";

/// The ranking at the largest order that every variant was timed at, fastest first. Each variant is
/// compared with the baseline and with the next one of the table; the intervals hold for all pairs of
/// the table's variants together.
#[must_use]
pub fn ranking(data: &Data, baseline: &str) -> Option<(usize, Table)> {
    let order = data.largest_common_order()?;
    // Counting takes longer than timing, and may end at a smaller order.
    let counted_at = data.counted_orders().into_iter().rfind(|&at| at <= order);
    let header = [
        "variant".to_owned(),
        "median time".to_owned(),
        "95 % interval of the time".to_owned(),
        format!("speedup over {baseline}"),
        "95 % interval of the speedup".to_owned(),
        "speedup over the next".to_owned(),
        counted_at
            .filter(|&at| at != order)
            .map_or_else(|| "instructions".to_owned(), |at| format!("instructions at order {at}")),
        "nodes".to_owned(),
        "total".to_owned(),
        "fundamental".to_owned(),
    ];
    let count = |count: Option<u128>| count.map_or_else(|| MISSING.to_owned(), format::grouped);
    let ranked = data.ranking(order);
    // Which variant is the next one is known only from the same data, so all pairs count.
    let comparisons = paired::pairs(ranked.len()).len();
    let floor = data.noise_floor();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (place, &(id, time)) in ranked.iter().enumerate() {
        let speedup = data.compare(baseline, id, order, comparisons);
        let others = speedup.filter(|_| id != baseline);
        let next = ranked.get(place + 1);
        let next = next.and_then(|(next, _)| data.compare(next, id, order, comparisons));
        let row = data.measurement(id, order);
        rows.push(vec![
            id.to_owned(),
            format::estimate(time, format::time_within),
            or_missing(
                format::interval(time.interval, format::time_within)
                    .map(|[low, high]| format!("{low} – {high}")),
            ),
            match speedup {
                Some(_) if id == baseline => ITSELF.to_owned(),
                Some(speedup) => factor_of(&speedup),
                None => MISSING.to_owned(),
            },
            others.map_or_else(|| MISSING.to_owned(), |s| interval_of(&s, s.is_separated(floor))),
            next.map_or_else(|| MISSING.to_owned(), |next| comparison(&next, floor)),
            count(counted_at.and_then(|at| data.instructions(id, at)).map(u128::from)),
            count(data.nodes(id, order)),
            count(row.and_then(|row| row.total)),
            count(row.and_then(|row| row.fundamental)),
        ]);
    }
    // A variant without any time is named last, not dropped.
    for id in data.variants() {
        if data.time(id, order).is_none() {
            let mut row = vec![id.to_owned()];
            row.resize(header.len(), MISSING.to_owned());
            rows.push(row);
        }
    }
    Some((order, Table { header: header.into(), rows }))
}

/// A comparison as a cell: the factor with its interval, and whether the data separate the two.
#[must_use]
pub fn comparison(found: &Comparison, noise_floor: Option<f64>) -> String {
    comparison_as(found, found.is_separated(noise_floor))
}

/// The same where something else says whether the two are separated.
#[must_use]
pub fn comparison_as(found: &Comparison, separated: bool) -> String {
    let factor = factor_of(found);
    match found.interval {
        Some(_) => format!("{factor} ({})", interval_of(found, separated)),
        None => format!("{factor}, {NOT_SEPARATED}"),
    }
}

/// A comparison's interval as a cell, and whether the data separate the two.
fn interval_of(found: &Comparison, separated: bool) -> String {
    let Some([low, high]) = format::interval(found.interval, format::factor_within) else {
        return NOT_SEPARATED.to_owned();
    };
    if separated {
        format!("{low} – {high}")
    } else {
        format!("{low} – {high}, {NOT_SEPARATED}")
    }
}

/// A comparison's factor, with the digits that its interval justifies.
#[must_use]
pub fn factor_of(found: &Comparison) -> String {
    format::factor_within(found.factor, format::half_width(found.interval))
}

/// A row for each order and a column for each variant.
fn by_order(data: &Data, orders: &[usize], cell: impl Fn(&str, usize) -> Option<String>) -> Table {
    let variants = data.variants();
    let mut header = vec!["order".to_owned()];
    header.extend(variants.iter().map(|id| (*id).to_owned()));
    let row = |&order: &usize| {
        let cells = variants.iter().map(|id| cell(id, order).unwrap_or_else(|| MISSING.to_owned()));
        std::iter::once(order.to_string()).chain(cells).collect()
    };
    Table { header, rows: orders.iter().map(row).collect() }
}

fn times(data: &Data) -> Table {
    by_order(data, &data.timed_orders(), |id, order| Some(time(data.time(id, order)?)))
}

/// A time as a cell, with its interval.
#[must_use]
pub fn time(found: Estimate) -> String {
    let interval = format::interval(found.interval, format::time_within)
        .map_or_else(String::new, |[low, high]| format!(" ({low} – {high})"));
    format!("{}{interval}", format::estimate(found, format::time_within))
}

fn speedups(data: &Data, baseline: &str) -> Table {
    let (comparisons, floor) = (data.comparisons(baseline), data.noise_floor());
    by_order(data, &data.timed_orders(), |id, order| {
        let speedup = data.compare(baseline, id, order, comparisons)?;
        Some(if id == baseline { ITSELF.to_owned() } else { comparison(&speedup, floor) })
    })
}

fn instructions(data: &Data) -> Table {
    by_order(data, &data.counted_orders(), |id, order| {
        Some(format::grouped(u128::from(data.instructions(id, order)?)))
    })
}

fn search_tree(data: &Data) -> Option<Table> {
    let order = data.tree_order()?;
    let rows: Vec<usize> = (1..=order).collect();
    let mut table = by_order(data, &rows, |id, row| {
        let mut own = data.search_tree.iter().filter(|found| found.variant == id);
        let nodes = own.find(|found| found.order == order && found.row == row)?.nodes;
        Some(format::grouped(u128::from(nodes)))
    });
    "row".clone_into(&mut table.header[0]);
    Some(table)
}

fn explained(data: &Data) -> Option<Table> {
    let order = charts::explained_order(data)?;
    let rows = data
        .ranking(order)
        .into_iter()
        .filter_map(|(id, found)| {
            let [nodes, a_node, an_instruction] = data.factors(id, order)?;
            let total = data.measurement(id, order)?.total.filter(|total| *total > 0);
            Some(vec![
                id.to_owned(),
                format::grouped(nodes as u128),
                or_missing(total.map(|total| format::significant(nodes / total as f64))),
                format::significant(a_node),
                format::short_time(an_instruction),
                format::estimate(found, format::time_within),
            ])
        })
        .collect();
    let time = format!("median time at order {order}");
    let names = [
        "variant",
        "nodes",
        "nodes a placement",
        "instructions a node",
        "time an instruction",
        time.as_str(),
    ];
    Some(Table { header: header(names), rows })
}

/// The factors a queen, as `write` writes one.
#[must_use]
pub fn growth_factors(found: &[Growth], write: fn(&Comparison) -> String) -> Table {
    let rows = found
        .iter()
        .map(|growth| {
            let orders: Vec<usize> = growth.costs.iter().map(|(order, _)| *order).collect();
            vec![
                growth.variant.clone(),
                growth::range(&orders),
                write(&growth.factor),
                write(&growth.last),
                growth.verdict(),
            ]
        })
        .collect();
    let names = [
        "variant",
        "orders",
        "growth factor a queen",
        "growth factor of the last queen",
        "model that describes it best",
    ];
    Table { header: header(names), rows }
}

/// A factor as a cell, with its interval where it has one.
#[must_use]
pub fn with_interval(found: &Comparison) -> String {
    let interval = format::interval(found.interval, format::factor_within)
        .map_or_else(String::new, |[low, high]| format!(" ({low} – {high})"));
    format!("{}{interval}", factor_of(found))
}

/// How far each variant got, and what it comes from.
fn frontier(data: &Data) -> Option<Table> {
    let mut table = frontier::table(data)?;
    table.header.push("last call of the climb".to_owned());
    table.header.push("next order, and why it was not called".to_owned());
    for row in &mut table.rows {
        let id = row[0].clone();
        let climbed = || data.frontier.iter().filter(|found| found.variant == id);
        let last = climbed().rfind(|row| row.measured);
        row.push(or_missing(
            last.map(|last| format!("{} at order {}", format::time(last.call_ns), last.order)),
        ));
        let next = climbed().find(|row| !row.measured);
        row.push(or_missing(next.map(|next| format!("{}: {}", next.order, next.reason))));
    }
    Some(table)
}

fn noise(data: &Data) -> Table {
    let rows = data
        .control
        .iter()
        .map(|row| {
            let ends = row.low.zip(row.high);
            let within =
                ends.map(|(low, high)| if low <= 1.0 && 1.0 <= high { "yes" } else { "no" });
            vec![
                row.order.to_string(),
                row.variant.clone(),
                format::factor_within(row.factor, format::half_width(ends)),
                or_missing(
                    format::interval(ends, format::factor_within)
                        .map(|[low, high]| format!("{low} – {high}")),
                ),
                or_missing(within.map(str::to_owned)),
            ]
        })
        .collect();
    let names = ["order", "variant", "factor", "95 % interval", "contains 1"];
    Table { header: header(names), rows }
}

/// What the machine did while each round was measured.
fn environment(data: &Data) -> Table {
    let open = |value: Option<String>| value.unwrap_or_else(|| NOT_READABLE.to_owned());
    let disturbed = environment::disturbed_rounds(&data.environment);
    let rows = data
        .environment
        .iter()
        .map(|row| {
            let words = disturbed.iter().find(|(round, _)| *round == row.round);
            let probes = [row.probe_before_ns, row.probe_after_ns].map(format::time);
            vec![
                row.round.to_string(),
                format::time(row.seconds * 1e9),
                open(row.load_before.zip(row.load_after).map(|(b, a)| format!("{b:.2} – {a:.2}"))),
                open(row.others_ms.map(|ms| format::time(ms * 1e6))),
                open(row.steal_ms.map(|ms| format::time(ms * 1e6))),
                open(row.migrations.map(|times| times.to_string())),
                open(row.throttled.map(|times| times.to_string())),
                open(row.swapped_pages.map(|pages| pages.to_string())),
                // Rounded, so that a drift of nothing has no sign.
                open(
                    row.clock_drift_ppm
                        .map(|drift| format!("{:.1}", (drift * 10.0).round() / 10.0 + 0.0)),
                ),
                format!("{} – {}", probes[0], probes[1]),
                words.map_or_else(|| "undisturbed".to_owned(), |(_, words)| words.clone()),
            ]
        })
        .collect();
    let names = [
        "round",
        "took",
        "load before and after",
        "time of other programs",
        "time of the hypervisor",
        "migrations",
        "throttled",
        "pages swapped",
        "clock drift in ppm",
        "fixed work before and after",
        "verdict",
    ];
    Table { header: header(names), rows }
}

/// What stands where a machine does not say something.
pub const NOT_READABLE: &str = "not readable";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Environment;

    /// A clock that drifts by a hair in the other direction does not drift by minus nothing.
    #[test]
    fn a_drift_of_nothing_has_no_sign() {
        let before = environment::Reading::default();
        let after = environment::Reading { monotonic_ms: 1e3, ..environment::Reading::default() };
        let row = environment::row(1, 1, &before, &after);
        for (drift, text) in [(-0.01, "0.0"), (0.01, "0.0"), (-0.06, "-0.1")] {
            let row = Environment { clock_drift_ppm: Some(drift), ..row.clone() };
            let data = Data { environment: vec![row], ..Data::default() };
            assert_eq!(environment(&data).rows[0][8], text);
        }
    }

    #[test]
    fn tables_are_found_by_their_names() {
        for kind in Kind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
        assert!("tims".parse::<Kind>().unwrap_err().contains("variants, ranking"));
    }
}
