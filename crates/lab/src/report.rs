//! The report of a run as Markdown, from its data alone.

use std::fmt::Write;

use crate::charts::Chart;
use crate::data::Data;
use crate::environment;
use crate::format;
use crate::frontier;
use crate::paired;
use crate::plan;
use crate::records::Status;
use crate::registry::{self, REGISTRY};
use crate::run::Run;
use crate::stats::{self, Comparison, Estimate};

/// A table of text, ready to be written in any form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The columns' names. The first column holds names, the others numbers.
    pub header: Vec<String>,
    /// The rows, as long as the header.
    pub rows: Vec<Vec<String>>,
}

/// What stands in a table where nothing was measured.
pub const MISSING: &str = "n/a";

impl Table {
    /// The table in Markdown. What Markdown or HTML would take for their own is escaped.
    #[must_use]
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = (0..self.header.len()).map(|i| if i == 0 { "---" } else { "---:" });
        let mut text = line(&self.header);
        let _ = writeln!(text, "| {} |", rule.collect::<Vec<_>>().join(" | "));
        for row in &self.rows {
            text.push_str(&line(row));
        }
        text
    }
}

fn escaped(cell: &str) -> String {
    let mut text = String::with_capacity(cell.len());
    for character in cell.chars() {
        match character {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '|' | '*' | '_' | '`' | '\\' | '[' | ']' | '~' => {
                text.push('\\');
                text.push(character);
            }
            '\n' | '\r' => text.push(' '),
            _ => text.push(character),
        }
    }
    text
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
            interval(time.interval),
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

/// Why the data of a table cannot separate its variants, where they have too few rounds for it.
fn too_few_rounds(data: &Data, comparisons: usize) -> Option<String> {
    let run = data.run.as_ref()?;
    let fewest = stats::sign::fewest((1.0 - stats::CONFIDENCE) / comparisons.max(1) as f64);
    let rounds = run.rounds_finished as usize;
    (rounds < fewest && comparisons > 0).then(|| {
        format!(
            "{rounds} rounds are too few for an interval of {comparisons} comparisons together, \
             which takes {fewest}."
        )
    })
}

fn interval(interval: Option<(f64, f64)>) -> String {
    format::interval(interval, format::time_within)
        .map_or_else(|| MISSING.to_owned(), |[low, high]| format!("{low} – {high}"))
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

/// The report. `charts` are those that were drawn, as files in the folder `charts` beside it.
#[must_use]
pub fn markdown(data: &Data, baseline: &str, charts: &[Chart]) -> String {
    let mut text =
        String::from("# Counting the placements of N queens: a comparison of variants\n\n");
    let reasons = data.not_for_publication();
    let line = escaped(&data.verdict_line());
    if reasons.is_empty() {
        let _ = writeln!(text, "> {line}.\n");
    } else {
        let reasons = escaped(&reasons.join("; "));
        let _ = writeln!(text, "> **Not for publication:** {reasons}. The run: {line}.\n");
    }
    write_compared(&mut text, data);
    if let Some((order, table)) = ranking(data, baseline) {
        let baseline = escaped(baseline);
        let comparisons = paired::pairs(data.ranking(order).len()).len();
        let _ = writeln!(
            text,
            "## Ranking at order {order}\n\nThe largest order at which every variant was timed. A \
             speedup of 2× means twice as fast, half the time; {baseline} is 1×. The intervals of \
             the speedups hold for all {comparisons} pairs of variants together. {}\n\n{}",
            too_few_rounds(data, comparisons).unwrap_or_else(|| floor_sentence(data)),
            table.markdown()
        );
    }
    write_frontier(&mut text, data);
    for chart in charts {
        let _ = writeln!(text, "## {}\n\n![{0}](charts/{}.svg)\n", chart.title(), chart.name());
        if let Some(table) = table_of(*chart, data, baseline) {
            let _ = writeln!(text, "{}", table.markdown());
        }
    }
    write_missing(&mut text, data);
    write_control(&mut text, data);
    write_environment(&mut text, data);
    if let Some(run) = &data.run {
        write_machine(&mut text, run);
        write_method(&mut text, run);
    }
    if !data.notes.is_empty() {
        text.push_str("## Notes\n\n");
        for note in &data.notes {
            let _ = writeln!(text, "- {}.", escaped(note));
        }
        text.push('\n');
    }
    text.push_str(GLOSSARY);
    text
}

fn write_compared(text: &mut String, data: &Data) {
    let rows = data
        .variants()
        .into_iter()
        .map(|id| {
            let Some(entry) = registry::find(&REGISTRY, id) else {
                return vec![
                    id.to_owned(),
                    "not a variant of this laboratory".to_owned(),
                    String::new(),
                ];
            };
            let about = &entry.variant.about;
            let documents: Vec<_> =
                about.follows.iter().map(|citation| citation.document.number()).collect();
            vec![id.to_owned(), about.summary.to_owned(), documents.join(", ")]
        })
        .collect();
    let header = vec!["variant".to_owned(), "how it searches".to_owned(), "documents".to_owned()];
    let table = Table { header, rows }.markdown().replace("---:", "---");
    let _ = writeln!(text, "## What was compared\n\n{table}");
}

fn table_of(chart: Chart, data: &Data, baseline: &str) -> Option<Table> {
    let timed = data.timed_orders();
    let with_interval = |estimate: Estimate| {
        let interval = format::interval(estimate.interval, format::time_within)
            .map_or_else(String::new, |[low, high]| format!(" ({low} – {high})"));
        format!("{}{interval}", format::estimate(estimate, format::time_within))
    };
    match chart {
        Chart::Time => {
            Some(by_order(data, &timed, |id, order| Some(with_interval(data.time(id, order)?))))
        }
        Chart::Speedup => {
            let (comparisons, floor) = (data.comparisons(baseline), data.noise_floor());
            Some(by_order(data, &timed, |id, order| {
                let speedup = data.compare(baseline, id, order, comparisons)?;
                Some(if id == baseline { ITSELF.to_owned() } else { comparison(&speedup, floor) })
            }))
        }
        Chart::Instructions => Some(by_order(data, &data.counted_orders(), |id, order| {
            Some(format::grouped(u128::from(data.instructions(id, order)?)))
        })),
        Chart::SearchTree => {
            let tree_order = data.tree_order()?;
            let rows: Vec<usize> = (1..=tree_order).collect();
            let mut table = by_order(data, &rows, |id, row| {
                let nodes = data
                    .search_tree
                    .iter()
                    .find(|r| r.variant == id && r.order == tree_order && r.row == row)?
                    .nodes;
                Some(format::grouped(u128::from(nodes)))
            });
            "row".clone_into(&mut table.header[0]);
            Some(table)
        }
        _ => None,
    }
}

fn floor_sentence(data: &Data) -> String {
    data.noise_floor().map_or_else(
        || "Nothing says how large this run's noise is.".to_owned(),
        |floor| {
            format!(
                "The noise floor of this run is {}: no smaller difference is claimed.",
                format::percent(floor)
            )
        },
    )
}

/// The headline figures, and what they come from.
fn write_frontier(text: &mut String, data: &Data) {
    let Some(mut table) = frontier::table(data) else { return };
    table.header.push("last call of the climb".to_owned());
    table.header.push("next order, and why it was not called".to_owned());
    for row in &mut table.rows {
        let id = row[0].clone();
        let climbed = || data.frontier.iter().filter(|found| found.variant == id);
        let last = climbed().rfind(|row| row.measured);
        row.push(last.map_or_else(
            || MISSING.to_owned(),
            |last| format!("{} at order {}", format::time(last.call_ns), last.order),
        ));
        let next = climbed().find(|row| !row.measured);
        row.push(
            next.map_or_else(
                || MISSING.to_owned(),
                |next| format!("{}: {}", next.order, next.reason),
            ),
        );
    }
    let _ = writeln!(
        text,
        "## How far within a second and a minute\n\nThe largest order that one call counts within \
         the time. Each variant climbs from order 0 until a call reaches a second; an order whose call \
         is expected to take more than {} times that is not called. What was not called is predicted \
         from the growth so far, and marked so.\n\n{}",
        frontier::OVERSHOOT,
        table.markdown()
    );
}

fn write_control(text: &mut String, data: &Data) {
    if data.control.is_empty() {
        return;
    }
    let rows = data
        .control
        .iter()
        .map(|row| {
            let ends = row.low.zip(row.high);
            let within = ends.map_or(
                MISSING,
                |(low, high)| {
                    if low <= 1.0 && 1.0 <= high { "yes" } else { "no" }
                },
            );
            vec![
                row.variant.clone(),
                row.order.to_string(),
                format!("{:.4}", row.factor),
                ends.map_or_else(
                    || MISSING.to_owned(),
                    |(low, high)| format!("{low:.4} – {high:.4}"),
                ),
                within.to_owned(),
            ]
        })
        .collect();
    let header = ["variant", "order", "factor", "95 % interval", "contains 1"];
    let table = Table { header: header.map(str::to_owned).into(), rows };
    let _ = writeln!(
        text,
        "## Noise\n\nOne variant was measured twice, the second time under another name. The factor \
         between the two is 1 without noise. {} Each interval stands for itself: one in twenty is \
         expected not to contain 1.\n\n{}",
        floor_sentence(data),
        table.markdown()
    );
}

fn write_environment(text: &mut String, data: &Data) {
    if data.environment.is_empty() {
        return;
    }
    let open = |value: Option<String>| value.unwrap_or_else(|| "not readable".to_owned());
    let disturbed = environment::disturbed_rounds(&data.environment);
    let rows = data
        .environment
        .iter()
        .map(|row| {
            let words = disturbed.iter().find(|(round, _)| *round == row.round);
            vec![
                row.round.to_string(),
                format::time(row.seconds * 1e9),
                open(row.load_before.zip(row.load_after).map(|(b, a)| format!("{b:.2} – {a:.2}"))),
                open(row.others_ms.map(|ms| format::time(ms * 1e6))),
                open(row.steal_ms.map(|ms| format::time(ms * 1e6))),
                open(row.migrations.map(|times| times.to_string())),
                open(row.throttled.map(|times| times.to_string())),
                open(row.swapped_pages.map(|pages| pages.to_string())),
                open(row.clock_drift_ppm.map(|drift| format!("{drift:.1}"))),
                format!(
                    "{} – {}",
                    format::time(row.probe_before_ns),
                    format::time(row.probe_after_ns)
                ),
                words.map_or_else(|| "undisturbed".to_owned(), |(_, words)| words.clone()),
            ]
        })
        .collect();
    let header = [
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
    let table = Table { header: header.map(str::to_owned).into(), rows };
    let last = data.environment.last();
    let governor = open(last.and_then(|row| row.governor.clone()));
    let boost = last.and_then(|row| row.boost).map(|on| if on { "on" } else { "off" });
    let _ = writeln!(
        text,
        "## The machine while it measured\n\nFrequency governor: {}; boost: {}. Up to a fifth of a \
         result's rounds may be disturbed: the median takes no harm from them. With more, it is not \
         fit to publish.\n\n{}",
        escaped(&governor),
        boost.unwrap_or("not readable"),
        table.markdown()
    );
}

fn write_missing(text: &mut String, data: &Data) {
    let mut lines = Vec::new();
    for row in &data.measurements {
        if row.status != Status::Measured {
            lines.push((&row.variant, row.order, "time", row.status, &row.reason));
        }
    }
    for row in &data.instructions {
        if row.status != Status::Measured {
            lines.push((&row.variant, row.order, "instructions", row.status, &row.reason));
        }
    }
    if lines.is_empty() {
        return;
    }
    text.push_str("## Not measured\n\n");
    for (variant, order, what, status, reason) in lines {
        let (variant, reason) = (escaped(variant), escaped(reason));
        let _ = writeln!(text, "- {variant} at order {order}, {what}: {status}. {reason}.");
    }
    text.push('\n');
}

fn write_machine(text: &mut String, run: &Run) {
    let (machine, toolchain) = (&run.machine, &run.toolchain);
    let open = |value: &Option<String>| value.clone().unwrap_or_else(|| "not readable".to_owned());
    let memory = machine.memory_bytes.map_or_else(
        || "not readable".to_owned(),
        |bytes| format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30)),
    );
    let load = machine.load.map_or_else(|| "not readable".to_owned(), |load| format!("{load:.2}"));
    let commit = match (&run.source.commit, run.source.dirty) {
        (Some(commit), Some(true)) => format!("{commit}, with changes that are not committed"),
        (Some(commit), _) => commit.clone(),
        (None, _) => "not readable".to_owned(),
    };
    let facts = [
        ("processor", run.machine_line()),
        ("caches", machine.caches.join(", ")),
        ("features", machine.features.join(" ")),
        ("memory", memory),
        ("system", open(&machine.system)),
        ("frequency governor", open(&machine.governor)),
        ("load at the start", load),
        ("compiler", open(&toolchain.rustc)),
        ("target", open(&toolchain.target)),
        (
            "flags",
            toolchain.rustflags.clone().unwrap_or_else(|| "none in the environment".to_owned()),
        ),
        ("profile", toolchain.profile.clone()),
        ("criterion", toolchain.criterion.clone()),
        ("iai-callgrind (published as gungraun)", toolchain.iai_callgrind.clone()),
        ("valgrind", toolchain.valgrind.clone().unwrap_or_else(|| "not used".to_owned())),
        ("commit", commit),
        ("command", run.command.clone()),
        ("run", format!("{}, started {}", run.id, run.started)),
    ];
    text.push_str("## Machine\n\n");
    for (name, value) in facts {
        let _ = writeln!(text, "- {name}: {}", escaped(&value));
    }
    text.push('\n');
}

fn write_method(text: &mut String, run: &Run) {
    let plan = &run.plan;
    text.push_str(
        "## How it was measured\n\nBefore a case was timed, its counts were compared with the known \
         tables (OEIS A000170 and A002562). The fundamental count is the variant's own where it has one, \
         and otherwise follows from the total by Burnside's lemma, outside of what is timed. Every \
         value is of one call that counts all placements.",
    );
    if !plan.cases.is_empty() {
        let _ = write!(
            text,
            " Times are taken in {} rounds, each with every one of {} cases once. The cases of an \
             order follow each other in the order of a Latin square that is drawn anew for each set \
             of rounds (seed {}), so that every variant takes every place equally often, to within one \
             round. A case \
             gets {} samples a round by Criterion with flat sampling, or a single timed call where \
             a call takes more than {}. The value is the median of the rounds' medians. Its interval \
             comes from drawing rounds with replacement, then samples within them, {} times; it does \
             not cover what all rounds have in common, such as the machine or the compiler, and fewer \
             than {} rounds have none. A speedup is the median of the ratios within rounds, where \
             both variants met the same machine; it need not be the quotient of the two medians. Its \
             interval is that of an exact sign test, widened for the number of comparisons in its \
             table. Two variants whose interval contains 1, or whose difference is below the noise \
             floor, are not separated. Every call has the same input, so the processor's branch \
             predictor learns small orders by heart: their times say little about larger ones.",
            run.rounds_finished,
            plan.cases.len(),
            plan.seed,
            plan::SAMPLES,
            format::time(plan::SINGLE_CALL_NS),
            stats::RESAMPLES,
            stats::FEWEST_ROUNDS,
        );
    }
    if !plan.instruction_cases.is_empty() {
        text.push_str(
            " Instructions are counted by Callgrind, exactly, in the call and in its parts on other \
             threads.",
        );
    }
    for sentence in &run.running {
        let _ = write!(text, " {}", escaped(sentence));
    }
    let _ = writeln!(text, " Measuring took {}.\n", format::time(run.measuring_s() * 1e9));
}

const GLOSSARY: &str = "\
## Words

- *order*: the number of rows, columns and queens of a board.
- *placement*: N queens on a board of order N of which no two attack each other.
- *total*: the number of placements (OEIS A000170; 92 at order 8).
- *fundamental*: the number of placements when those that a rotation or reflection of the board \
carries into each other are counted once (OEIS A002562; 12 at order 8).
- *node*: a queen placed during the search; the empty board is not counted, nor is a queen that look-ahead \
takes back at once. Of quarters: a partial placement that is joined.
- *speedup*: the baseline's time divided by the variant's.
- *n/a*: not measured, or not something that the variant computes. Never zero.

A spreadsheet keeps 15 digits of a number and damages longer counts when it saves a file.
";

#[cfg(test)]
mod tests {
    use super::*;

    /// PLT-08 of the public reports: a name that Markdown or HTML would take for their own.
    #[test]
    fn names_do_not_break_a_table() {
        let table = Table {
            header: vec!["variant".to_owned(), "x".to_owned()],
            rows: vec![vec!["A&B <fast> 50% \"q\" | c".to_owned(), "1".to_owned()]],
        };
        let text = table.markdown();
        assert!(text.contains(r#"| A&amp;B &lt;fast&gt; 50% "q" \| c | 1 |"#), "{text}");
        assert_eq!(text.lines().count(), 3);
    }
}
