//! What each chart shows of a run's data.

use std::collections::BTreeMap;

use super::axis::{Quantity, Scale};
use super::bands::{Cloud, Clouds, Trace, Traces, traced};
use super::bars::{Bar, Bars};
use super::curves::{Curve, Curves, Point};
use super::grids::{Climb, Climber, HeatMap};
use super::page::Page;
use super::panels::{Panel, Panels};
use super::rows::Key;
use super::scene::Scene;
use super::{Chart, Subject};
use crate::data::{Data, rounds_of_case};
use crate::environment;
use crate::format;
use crate::frontier::{self, MINUTE_NS, SECOND_NS};
use crate::growth;
use crate::paired;
use crate::plan::CONTROL;
use crate::registry::{self, REGISTRY, Style};
use crate::tables;

/// Lays a chart out; nothing where the data have no value for it.
pub fn scene(chart: Chart, subject: &Subject<'_>) -> Option<Scene> {
    match chart {
        Chart::Time => time(subject),
        Chart::Ranking => ranking(subject),
        Chart::Speedup => speedup(subject),
        Chart::Explained => explained(subject),
        Chart::SearchTree => search_tree(subject),
        Chart::Instructions => instructions(subject),
        Chart::Growth => growth_factors(subject),
        Chart::Frontier => frontier(subject),
        Chart::Samples => samples(subject),
        Chart::Drift => drift(subject),
        Chart::Noise => noise(subject),
        Chart::HeatMap => heat_map(subject),
    }
}

/// What stands around a chart: a heading, what a reader must know of the run, and captions of its own.
fn page(subject: &Subject<'_>, heading: impl Into<String>, more: Vec<String>) -> Page {
    let theme = subject.theme;
    let pixels = subject.size.map(|(width, height)| (f64::from(width), f64::from(height)));
    let (width, height) = pixels.unwrap_or_else(|| theme.size());
    Page {
        size: (width / theme.zoom(), height / theme.zoom()),
        keeps_height: pixels.is_some() || theme == super::Theme::Slides,
        heading: heading.into(),
        warning: warning(subject.data),
        captions: [more, captions(subject.data)].concat(),
    }
}

/// The machine, the date and the run, and what the data's reader noted.
fn captions(data: &Data) -> Vec<String> {
    // More would take the plot's room.
    const NOTES: usize = 4;
    let mut captions = Vec::new();
    if let Some(run) = &data.run {
        let date = format::date(&run.started);
        captions.push(format!("{} · {date} · run {}", run.machine_line(), run.id));
        captions.push(format!("{}.", data.verdict_line()));
    }
    captions.extend(data.notes.iter().take(NOTES).map(|note| format!("Note: {note}.")));
    if let Some(more) = data.notes.len().checked_sub(NOTES).filter(|&more| more > 0) {
        captions.push(format!("And {more} more notes, which the report has."));
    }
    captions
}

fn warning(data: &Data) -> String {
    let reasons = data.not_for_publication();
    if reasons.is_empty() {
        String::new()
    } else {
        format!("Not for publication: {}", reasons.join("; "))
    }
}

/// How each variant of the data is drawn: as the registry says, or with a style that is left.
pub fn styles(data: &Data) -> BTreeMap<String, Style> {
    let mut foreign = 0;
    data.variants()
        .into_iter()
        .map(|id| {
            let style = registry::find(&REGISTRY, id).map_or_else(
                || {
                    foreign += 1;
                    registry::foreign_style(foreign - 1)
                },
                |entry| entry.style,
            );
            (id.to_owned(), style)
        })
        .collect()
}

/// The names of variants, as their rows have them.
fn keys<'a>(data: &Data, variants: impl IntoIterator<Item = &'a str>) -> Vec<Key> {
    let styles = styles(data);
    let variants = variants.into_iter();
    variants.filter_map(|id| Some(Key { label: id.to_owned(), style: *styles.get(id)? })).collect()
}

/// One curve a variant, from a value at each order.
fn curves_by_order(
    data: &Data,
    orders: &[usize],
    value: impl Fn(&str, usize) -> Option<Point>,
) -> Vec<Curve> {
    let styles = styles(data);
    data.variants()
        .into_iter()
        .map(|id| Curve {
            labels: vec![id.to_owned()],
            style: styles[id],
            // A logarithm takes neither zero nor infinity, whatever a file says.
            points: orders
                .iter()
                .filter_map(|&order| value(id, order))
                .filter(|point| point.y.is_finite() && point.y > 0.0)
                .collect(),
        })
        .filter(|curve| !curve.points.is_empty())
        .collect()
}

/// What an axis of times shows.
const MEDIAN_TIME: &str = "median time of one call";

/// The orders at which some curve has a point.
fn orders_of(lines: &[Curve]) -> Vec<usize> {
    let mut orders: Vec<usize> =
        lines.iter().flat_map(|line| line.points.iter().map(|point| point.x)).collect();
    orders.sort_unstable();
    orders.dedup();
    orders
}

/// A chart of curves over orders.
fn by_order(
    page: Page,
    y_title: impl Into<String>,
    quantity: Quantity,
    scale: Scale,
    lines: Vec<Curve>,
) -> Curves {
    Curves {
        page,
        x_title: "order",
        x_word: "order",
        y_title: y_title.into(),
        quantity,
        scale,
        xs: orders_of(&lines),
        lines,
        marks: Vec::new(),
    }
}

fn time(subject: &Subject<'_>) -> Option<Scene> {
    let data = subject.data;
    let scale = subject.scale.unwrap_or(Scale::Log);
    let lines = curves_by_order(data, &data.timed_orders(), |id, order| {
        let time = data.time(id, order)?;
        Some(Point { x: order, y: time.value, interval: time.interval })
    });
    let page = page(subject, "Time to count all placements", Vec::new());
    by_order(page, MEDIAN_TIME, Quantity::Time, scale, lines).scene()
}

fn instructions(subject: &Subject<'_>) -> Option<Scene> {
    let data = subject.data;
    let scale = subject.scale.unwrap_or(Scale::Log);
    let lines = curves_by_order(data, &data.counted_orders(), |id, order| {
        let instructions = data.instructions(id, order)?;
        Some(Point { x: order, y: instructions as f64, interval: None })
    });
    let page = page(subject, "Instructions to count all placements", Vec::new());
    by_order(page, "instructions of one call", Quantity::Count, scale, lines).scene()
}

fn speedup(subject: &Subject<'_>) -> Option<Scene> {
    let (data, baseline) = (subject.data, subject.baseline);
    let scale = subject.scale.unwrap_or(Scale::Log);
    let comparisons = data.comparisons(baseline);
    let lines = curves_by_order(data, &data.timed_orders(), |id, order| {
        let speedup = data.compare(baseline, id, order, comparisons)?;
        let interval = speedup.interval.filter(|_| id != baseline);
        Some(Point { x: order, y: speedup.factor, interval })
    });
    let heading = format!("Speedup over {baseline}: how many times as fast");
    let title = format!("speedup over {baseline}");
    let page = page(subject, heading, not_separated(data, baseline));
    by_order(page, title, Quantity::Speedup, scale, lines).scene()
}

/// Which points of the speedup chart the data do not tell from the baseline, in a line.
fn not_separated(data: &Data, baseline: &str) -> Vec<String> {
    // More would take the plot's room.
    const VARIANTS: usize = 3;
    let (comparisons, floor) = (data.comparisons(baseline), data.noise_floor());
    let same: Vec<String> = data
        .variants()
        .into_iter()
        .filter(|id| *id != baseline)
        .filter_map(|id| {
            let unclear = |order: &usize| {
                let speedup = data.compare(baseline, id, *order, comparisons);
                speedup.is_some_and(|speedup| !speedup.is_separated(floor))
            };
            let orders: Vec<String> = data
                .timed_orders()
                .iter()
                .filter(|order| unclear(order))
                .map(ToString::to_string)
                .collect();
            (!orders.is_empty()).then(|| format!("{id} at order {}", orders.join(", ")))
        })
        .collect();
    if same.is_empty() {
        return Vec::new();
    }
    if same.len() > VARIANTS {
        let count = same.len();
        let words = "have points that are not separated from";
        return vec![format!("{count} variants {words} {baseline}: the report has them.")];
    }
    vec![format!("{} from {baseline}: {}.", capitalised(tables::NOT_SEPARATED), same.join("; "))]
}

fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The order of a chart of one order: the one that was asked for, or the largest that all share.
fn chosen(subject: &Subject<'_>) -> Option<usize> {
    subject.order.or_else(|| subject.data.largest_common_order())
}

fn ranking(subject: &Subject<'_>) -> Option<Scene> {
    let (data, baseline, order) = (subject.data, subject.baseline, chosen(subject)?);
    let styles = styles(data);
    // As in the ranking's table.
    let comparisons = paired::pairs(data.ranking(order).len()).len();
    let floor = data.noise_floor();
    let rows: Vec<Bar> = data
        .ranking(order)
        .into_iter()
        .map(|(id, time)| {
            let factor = |baseline: &str| match data.compare(baseline, id, order, comparisons) {
                Some(_) if id == baseline => tables::ITSELF.to_owned(),
                Some(speedup) => {
                    let same = !speedup.is_separated(floor);
                    let words = if same { ", not separated" } else { "" };
                    format!("{}{words}", tables::factor_of(&speedup))
                }
                None => String::new(),
            };
            let others: Vec<(String, String)> = data
                .variants()
                .into_iter()
                .filter(|_| subject.for_every_baseline)
                .map(|other| (other.to_owned(), factor(other)))
                .collect();
            Bar {
                key: Key { label: id.to_owned(), style: styles[id] },
                value: time.value,
                interval: time.interval,
                notes: [format::estimate(time, format::time_within), factor(baseline)],
                others,
            }
        })
        .collect();
    let over = if subject.for_every_baseline { "the baseline" } else { baseline };
    let behind = format!("the speedup over {over}");
    let heading = format!("Time to count all placements of order {order}");
    let page = page(subject, heading, Vec::new());
    Bars { page, title: MEDIAN_TIME, behind, rows, scale: subject.scale }.scene()
}

/// The order at which the most variants have nodes, instructions and a time; the largest of several.
#[must_use]
pub fn explained_order(data: &Data) -> Option<usize> {
    let variants = data.variants();
    data.counted_orders()
        .into_iter()
        .map(|order| {
            let known = variants.iter().filter(|id| data.factors(id, order).is_some());
            (known.count(), order)
        })
        .filter(|(count, _)| *count > 0)
        .max()
        .map(|(_, order)| order)
}

fn explained(subject: &Subject<'_>) -> Option<Scene> {
    let data = subject.data;
    let order = subject.order.or_else(|| explained_order(data))?;
    let ranked: Vec<&str> = data.ranking(order).into_iter().map(|(id, _)| id).collect();
    let values: Vec<(&str, [f64; 3])> =
        ranked.into_iter().filter_map(|id| Some((id, data.factors(id, order)?))).collect();
    let column = |factor: usize| values.iter().map(|(_, f)| Some(f[factor])).collect();
    let panel =
        |title, quantity, factor, words| Panel { title, quantity, values: column(factor), words };
    let columns = vec![
        panel("nodes", Quantity::Count, 0, |value| Quantity::Count.words(value)),
        panel("instructions a node", Quantity::Count, 1, format::significant),
        panel("time an instruction", Quantity::Time, 2, format::short_time),
    ];
    let heading = format!("What the time at order {order} is made of");
    let title = "time = nodes × instructions a node × time an instruction; each panel logarithmic";
    let keys = keys(data, values.iter().map(|(id, _)| *id));
    let page = page(subject, heading, Vec::new());
    Panels { page, title: title.to_owned(), keys, columns }.scene()
}

/// Variants that walk equal trees share one curve, which names them all.
fn search_tree(subject: &Subject<'_>) -> Option<Scene> {
    let data = subject.data;
    let order = subject.order.or_else(|| data.tree_order())?;
    let scale = subject.scale.unwrap_or(Scale::Log);
    let styles = styles(data);
    let mut lines: Vec<Curve> = Vec::new();
    for id in data.variants() {
        let mut points: Vec<Point> = data
            .search_tree
            .iter()
            // A row without a node has no place on a logarithmic axis: a gap shows it.
            .filter(|row| row.variant == id && row.order == order && row.nodes > 0)
            .map(|row| Point { x: row.row, y: row.nodes as f64, interval: None })
            .collect();
        points.sort_by_key(|point| point.x);
        if let Some(same) = lines.iter_mut().find(|curve| curve.points == points) {
            same.labels.push(id.to_owned());
        } else if !points.is_empty() {
            lines.push(Curve { labels: vec![id.to_owned()], style: styles[id], points });
        }
    }
    let heading = format!("Queens placed in each row while counting order {order}");
    let page = page(subject, heading, Vec::new());
    Curves {
        x_title: "row, in the order in which the variant fills them",
        x_word: "row",
        xs: (1..=order).collect(),
        ..by_order(page, "nodes: queens placed in the row", Quantity::Count, scale, lines)
    }
    .scene()
}

/// The factor from each order to the next, where both were timed.
fn growth_factors(subject: &Subject<'_>) -> Option<Scene> {
    let data = subject.data;
    let orders = data.timed_orders();
    let comparisons = data.measurements.len().max(1);
    let lines = curves_by_order(data, &orders, |id, order| {
        let found = growth::step(data, id, order, comparisons)?;
        Some(Point { x: order, y: found.factor, interval: found.interval })
    });
    let by_heart = format::time(growth::LEARNT_BY_HEART_NS);
    let note = format!(
        "Below some {by_heart} a call the branch predictor learns an order by heart: steps from there \
         say little about larger orders."
    );
    let page = page(subject, "Growth factor a queen", vec![note]);
    let title = "times as long as the order before, median of the rounds";
    by_order(page, title, Quantity::Factor, Scale::Linear, lines).scene()
}

fn frontier(subject: &Subject<'_>) -> Option<Scene> {
    let data = subject.data;
    let styles = styles(data);
    let rows = data
        .variants()
        .into_iter()
        .filter_map(|id| {
            let reach = [SECOND_NS, MINUTE_NS].map(|ns| frontier::reach(data, id, ns));
            reach.iter().any(Option::is_some).then(|| Climber {
                key: Key { label: id.to_owned(), style: styles[id] },
                reach: reach.map(|found| found.map(|found| (found.order, found.measured))),
                words: reach.map(|found| {
                    found.map_or_else(|| tables::MISSING.to_owned(), |found| found.to_string())
                }),
            })
        })
        .collect();
    Climb { page: page(subject, "How far within a second and a minute", Vec::new()), rows }.scene()
}

fn samples(subject: &Subject<'_>) -> Option<Scene> {
    let (data, order) = (subject.data, chosen(subject)?);
    let styles = styles(data);
    let rows: Vec<Cloud> = data
        .ranking(order)
        .into_iter()
        .map(|(id, time)| {
            let rounds = rounds_of_case(&data.samples, id, order);
            let values = rounds.into_values().flatten().map(|ns| ns / time.value);
            Cloud {
                key: Key { label: id.to_owned(), style: styles[id] },
                values: values.filter(|value| value.is_finite() && *value > 0.0).collect(),
                interval: time.interval.map(|(low, high)| (low / time.value, high / time.value)),
            }
        })
        .filter(|cloud| !cloud.values.is_empty())
        .collect();
    let heading = format!("Every sample at order {order}");
    Clouds { page: page(subject, heading, Vec::new()), rows }.scene()
}

fn drift(subject: &Subject<'_>) -> Option<Scene> {
    let (data, order) = (subject.data, chosen(subject)?);
    let styles = styles(data);
    let rows: Vec<Trace> = data
        .ranking(order)
        .into_iter()
        .map(|(id, _)| {
            let rounds = rounds_of_case(&data.samples, id, order);
            let rounds = rounds.into_iter().map(|((round, _), values)| (round, values));
            Trace { key: Key { label: id.to_owned(), style: styles[id] }, rounds: traced(rounds) }
        })
        .filter(|trace| !trace.rounds.is_empty())
        .collect();
    let rounds = rows.iter().flat_map(|row| row.rounds.iter().map(|(round, _)| *round)).max()?;
    let disturbed = environment::disturbed_rounds(&data.environment);
    let disturbed =
        disturbed.into_iter().map(|(round, _)| round).filter(|r| *r <= rounds).collect();
    let heading = format!("Drift over the rounds at order {order}");
    Traces { page: page(subject, heading, Vec::new()), rounds, disturbed, rows }.scene()
}

fn noise(subject: &Subject<'_>) -> Option<Scene> {
    let data = subject.data;
    let floor = data.noise_floor()?;
    let variant = &data.control.first()?.variant;
    let styles = styles(data);
    let mut points: Vec<Point> = data
        .control
        .iter()
        .filter(|row| row.variant == *variant && row.factor.is_finite() && row.factor > 0.0)
        .map(|row| {
            let ends = row.low.zip(row.high);
            let interval = ends.filter(|(low, high)| *low > 0.0 && low <= high && high.is_finite());
            Point { x: row.order, y: row.factor, interval }
        })
        .collect();
    points.sort_by_key(|point| point.x);
    let style = styles.get(variant).copied().unwrap_or_else(|| registry::foreign_style(0));
    let lines = vec![Curve { labels: vec![variant.clone()], style, points }];
    let heading = format!("Noise floor: {variant} against itself");
    let title = format!(
        "{variant} over the same variant under the name '{CONTROL}', difference in per cent"
    );
    let note = format!(
        "The lines at both sides are the noise floor, {}: no smaller difference is claimed.",
        format::percent(floor)
    );
    let page = page(subject, heading, vec![note]);
    Curves {
        marks: vec![floor.recip(), 1.0, floor],
        ..by_order(page, title, Quantity::Deviation, Scale::Log, lines)
    }
    .scene()
}

fn heat_map(subject: &Subject<'_>) -> Option<Scene> {
    let data = subject.data;
    let columns = data.timed_orders();
    let timed = |id: &&str| columns.iter().any(|order| data.time(id, *order).is_some());
    let variants: Vec<&str> = data.variants().into_iter().filter(timed).collect();
    let row = |id: &&str| {
        let cell = |order: &usize| Some(data.time(id, *order)?.value);
        columns.iter().map(cell).collect()
    };
    let cells: Vec<Vec<Option<f64>>> = variants.iter().map(row).collect();
    let units = format::units(cells.iter().flatten().flatten().copied());
    let title = format!("{MEDIAN_TIME} ({units}); an empty cell was not measured");
    let keys = keys(data, variants);
    let page = page(subject, "Times of all variants at all orders", Vec::new());
    HeatMap { page, title, keys, columns, cells, words: format::time }.scene()
}
