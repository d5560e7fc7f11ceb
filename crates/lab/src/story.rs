//! What a report of a run tells, in its order; how it looks is left to the form that it is written in.

use std::fmt::Write;

use crate::charts::Chart;
use crate::data::Data;
use crate::format;
use crate::frontier;
use crate::growth;
use crate::paired;
use crate::plan;
use crate::records::Status;
use crate::run::Run;
use crate::stats;
use crate::tables::{Kind, NOT_READABLE};

/// A part of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// Sentences.
    Words(String),
    /// A warning.
    Warning(String),
    /// A chart.
    Figure(Chart),
    /// A table.
    Table(Kind),
    /// Sentences that stand each for itself, with what they are.
    List(&'static str, Vec<String>),
    /// Facts by their names.
    Facts(Vec<(&'static str, String)>),
}

/// A section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its name in links.
    pub id: &'static str,
    /// Its heading.
    pub title: String,
    /// What it has.
    pub blocks: Vec<Block>,
}

/// The heading of it all.
pub const TITLE: &str = "Counting the placements of N queens: a comparison of variants";

/// What there is to tell of a run, with the charts that were drawn: what was compared, which is fastest, why,
/// how times grow, how sure that is, on which machine, how it was measured, and every number.
#[must_use]
pub fn sections(data: &Data, baseline: &str, charts: &[Chart]) -> Vec<Section> {
    let mut sections = vec![
        compared(data),
        ranking(data, baseline),
        why(data),
        growth_section(),
        sure(data),
        machine(data),
        how(data),
        numbers(),
        words(),
    ];
    for section in &mut sections {
        section.blocks.retain(|block| match block {
            Block::Figure(chart) => charts.contains(chart),
            Block::Table(kind) => kind.table(data, baseline).is_some(),
            Block::List(_, lines) => !lines.is_empty(),
            Block::Facts(facts) => !facts.is_empty(),
            Block::Words(words) | Block::Warning(words) => !words.is_empty(),
        });
        // Words alone introduce nothing where what they speak of is missing.
        let only_words = section.blocks.iter().all(|block| matches!(block, Block::Words(_)));
        if only_words && !matches!(section.id, "method" | "compared") {
            section.blocks.clear();
        }
    }
    sections.retain(|section| !section.blocks.is_empty());
    sections
}

fn section(id: &'static str, title: impl Into<String>, blocks: Vec<Block>) -> Section {
    Section { id, title: title.into(), blocks }
}

fn words_of(words: impl Into<String>) -> Block {
    Block::Words(words.into())
}

fn compared(data: &Data) -> Section {
    let reasons = data.not_for_publication();
    let line = format!("{}.", data.verdict_line());
    let warning = if reasons.is_empty() {
        String::new()
    } else {
        format!("Not for publication: {}.", reasons.join("; "))
    };
    let counted = "Lines of code are those of the variant's own source that are neither blank nor comment nor \
                   test.";
    let blocks = vec![
        Block::Warning(warning),
        words_of(line),
        Block::Table(Kind::Variants),
        words_of(counted),
    ];
    section("compared", "What was compared", blocks)
}

fn ranking(data: &Data, baseline: &str) -> Section {
    let Some(order) = data.largest_common_order() else {
        let blocks = vec![Block::Figure(Chart::Time), Block::Figure(Chart::Speedup)];
        return section("ranking", "Times", blocks);
    };
    let comparisons = paired::pairs(data.ranking(order).len()).len();
    let together = if comparisons > 0 {
        format!(
            " The intervals of the speedups hold for all {comparisons} pairs of variants together."
        )
    } else {
        String::new()
    };
    let first = format!(
        "The largest order at which every variant was timed. A speedup of 2× means twice as fast, half \
         the time; {baseline} is 1×.{together} {}",
        too_few_rounds(data, comparisons).unwrap_or_else(|| floor_sentence(data)),
    );
    let climb = format!(
        "How far within a second and a minute: the largest order that one call counts within the time. Each \
         variant climbs from order 0 until a call reaches a second; an order whose call is expected to \
         take more than {} times that is not called. What was not called is predicted from the growth so \
         far, and marked so.",
        frontier::OVERSHOOT
    );
    let climbed = !data.frontier.is_empty();
    let blocks = vec![
        words_of(first),
        Block::Figure(Chart::Ranking),
        Block::Table(Kind::Ranking),
        Block::Figure(Chart::Time),
        Block::Figure(Chart::Speedup),
        words_of(if climbed { climb } else { String::new() }),
        Block::Figure(Chart::Frontier),
        Block::Table(Kind::Frontier),
    ];
    section("ranking", format!("Ranking at order {order}"), blocks)
}

fn why(data: &Data) -> Section {
    let explained = crate::charts::explained_order(data).map_or_else(String::new, |order| {
        format!(
            "The time of a call is the nodes of its search tree, times the instructions a node, times the \
             time an instruction. At order {order} each of the three can be compared; for a pair of \
             variants 'explain' measures them one by one."
        )
    });
    let blocks = vec![
        words_of(explained),
        Block::Figure(Chart::Explained),
        Block::Table(Kind::Explained),
        Block::Figure(Chart::SearchTree),
        Block::Table(Kind::SearchTree),
        Block::Figure(Chart::Instructions),
    ];
    section("why", "Why", blocks)
}

fn growth_section() -> Section {
    let text = format!(
        "By what factor a time grows with each queen. The table has the factor of the exponential model \
         over orders whose calls take {} or more, with intervals from the rounds that hold for all of \
         the table together; they are of the times at hand, and do not say how well the model holds \
         beyond them.",
        format::time(growth::LEARNT_BY_HEART_NS)
    );
    let blocks = vec![words_of(text), Block::Figure(Chart::Growth), Block::Table(Kind::Growth)];
    section("growth", "How times grow", blocks)
}

fn sure(data: &Data) -> Section {
    let noise = if data.control.is_empty() {
        String::new()
    } else {
        format!(
            "One variant was measured twice, the second time under another name. The factor between the two \
             is 1 without noise. {} Each interval stands for itself: one in twenty is expected not to \
             contain 1.",
            floor_sentence(data)
        )
    };
    let last = data.environment.last();
    let machine = if last.is_none() {
        String::new()
    } else {
        let governor = last.and_then(|row| row.governor.clone());
        let boost = last.and_then(|row| row.boost).map(|on| if on { "on" } else { "off" });
        format!(
            "The machine while it measured: frequency governor: {}; boost: {}. Up to a fifth of a result's \
             rounds may be disturbed: the median takes no harm from them. With more, it is not fit to \
             publish.",
            governor.as_deref().unwrap_or(NOT_READABLE),
            boost.unwrap_or(NOT_READABLE)
        )
    };
    let blocks = vec![
        words_of(noise),
        Block::Figure(Chart::Noise),
        Block::Table(Kind::Noise),
        Block::Figure(Chart::Samples),
        Block::Figure(Chart::Drift),
        words_of(machine),
        Block::Table(Kind::Environment),
        Block::List("Not measured", missing(data)),
        Block::List("Notes", data.notes.iter().map(|note| format!("{note}.")).collect()),
    ];
    section("sure", "How sure that is", blocks)
}

fn machine(data: &Data) -> Section {
    section(
        "machine",
        "Machine",
        vec![Block::Facts(data.run.as_ref().map_or_else(Vec::new, facts))],
    )
}

fn how(data: &Data) -> Section {
    let words = data.run.as_ref().map_or_else(String::new, method);
    section("method", "How it was measured", vec![Block::Words(words)])
}

fn numbers() -> Section {
    let blocks = vec![
        words_of(
            "With the digits that the intervals justify; the CSV files beside the report have all. A \
             spreadsheet keeps 15 digits of a number and damages longer counts when it saves a file.",
        ),
        Block::Figure(Chart::HeatMap),
        Block::Table(Kind::Times),
        Block::Table(Kind::Speedups),
        Block::Table(Kind::Instructions),
    ];
    section("numbers", "Every number", blocks)
}

fn words() -> Section {
    section("words", "Words", vec![Block::Facts(GLOSSARY.map(|(a, b)| (a, b.to_owned())).into())])
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

/// The cases without a result, each with its reason.
fn missing(data: &Data) -> Vec<String> {
    let times = data
        .measurements
        .iter()
        .filter(|row| row.status != Status::Measured)
        .map(|row| (&row.variant, row.order, "time", row.status, &row.reason));
    let counts = data
        .instructions
        .iter()
        .filter(|row| row.status != Status::Measured)
        .map(|row| (&row.variant, row.order, "instructions", row.status, &row.reason));
    times
        .chain(counts)
        .map(|(variant, order, what, status, reason)| {
            format!("{variant} at order {order}, {what}: {status}. {reason}.")
        })
        .collect()
}

/// What is known of the machine, the toolchain and the run.
fn facts(run: &Run) -> Vec<(&'static str, String)> {
    let (machine, toolchain) = (&run.machine, &run.toolchain);
    let open = |value: &Option<String>| value.clone().unwrap_or_else(|| NOT_READABLE.to_owned());
    let memory = machine.memory_bytes.map_or_else(
        || NOT_READABLE.to_owned(),
        |bytes| format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30)),
    );
    let load = machine.load.map_or_else(|| NOT_READABLE.to_owned(), |load| format!("{load:.2}"));
    let commit = match (&run.source.commit, run.source.dirty) {
        (Some(commit), Some(true)) => format!("{commit}, with changes that are not committed"),
        (Some(commit), _) => commit.clone(),
        (None, _) => NOT_READABLE.to_owned(),
    };
    vec![
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
    ]
}

/// How a run was measured.
fn method(run: &Run) -> String {
    let plan = &run.plan;
    let mut text = String::from(
        "Before a case was timed, its counts were compared with the known \
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
        let _ = write!(text, " {sentence}");
    }
    let _ = write!(text, " Measuring took {}.", format::time(run.measuring_s() * 1e9));
    text
}

/// The words that a report uses.
pub const GLOSSARY: [(&str, &str); 7] = [
    ("order", "the number of rows, columns and queens of a board."),
    ("placement", "N queens on a board of order N of which no two attack each other."),
    ("total", "the number of placements (OEIS A000170; 92 at order 8)."),
    (
        "fundamental",
        "the number of placements when those that a rotation or reflection of the board carries into each other are counted once (OEIS A002562; 12 at order 8).",
    ),
    (
        "node",
        "a queen placed during the search; the empty board is not counted, nor is a queen that look-ahead takes back at once. Of quarters: a partial placement that is joined.",
    ),
    ("speedup", "the baseline's time divided by the variant's."),
    ("n/a", "not measured, or not something that the variant computes. Never zero."),
];
