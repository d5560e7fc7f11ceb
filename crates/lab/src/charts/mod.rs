//! The charts of a run: laid out here, drawn as SVG and PNG.

mod axis;
mod bars;
mod curves;
mod font;
mod labels;
mod page;
mod scene;

use std::collections::BTreeMap;
use std::path::Path;

use axis::Quantity;
use bars::{Bar, Bars};
use curves::{Curve, Curves, Point};
use page::Page;
use scene::Scene;

use crate::data::Data;
use crate::files;
use crate::format;
use crate::registry::{self, REGISTRY, Style};
use crate::report;

/// A chart, by what it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chart {
    /// Time against order.
    Time,
    /// Instructions against order.
    Instructions,
    /// Speedup over the baseline against order.
    Speedup,
    /// Bars at the largest common order.
    Ranking,
    /// Nodes of the search tree by row.
    SearchTree,
}

impl Chart {
    /// Every chart, in the order of the report.
    pub const ALL: [Self; 5] =
        [Self::Time, Self::Ranking, Self::Speedup, Self::Instructions, Self::SearchTree];

    /// The name of its files, without ending.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Instructions => "instructions",
            Self::Speedup => "speedup",
            Self::Ranking => "ranking",
            Self::SearchTree => "search-tree",
        }
    }

    /// What it shows, in a few words.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Time => "Time of one call against order",
            Self::Instructions => "Instructions of one call against order",
            Self::Speedup => "Speedup against order",
            Self::Ranking => "Ranking at the largest common order",
            Self::SearchTree => "Nodes of the search tree by row",
        }
    }

    /// Lays the chart out; nothing where the data have no value for it.
    fn scene(self, data: &Data, baseline: &str) -> Option<Scene> {
        let captions = captions(data);
        let warning = warning(data);
        let page = |heading| Page { heading, warning: &warning, captions: &captions };
        match self {
            Self::Time => time(data, page("Time to count all placements")),
            Self::Instructions => instructions(data, page("Instructions to count all placements")),
            Self::Speedup => {
                let heading = format!("Speedup over {baseline}: how many times as fast");
                let captions = [captions.clone(), not_separated(data, baseline)].concat();
                speedup(
                    data,
                    baseline,
                    Page { heading: &heading, warning: &warning, captions: &captions },
                )
            }
            Self::Ranking => {
                let order = data.largest_common_order()?;
                let heading = format!("Time to count all placements of order {order}");
                ranking(data, baseline, order, page(&heading))
            }
            Self::SearchTree => {
                let order = data.tree_order()?;
                let heading = format!("Queens placed in each row while counting order {order}");
                search_tree(data, order, page(&heading))
            }
        }
    }
}

/// Draws every chart that the data have values for into a folder, and takes away those of an
/// earlier drawing that they have none for. Says which were drawn.
///
/// # Errors
/// Where a file cannot be written, naming it.
pub fn write_all(data: &Data, baseline: &str, folder: &Path) -> Result<Vec<Chart>, String> {
    files::make_folder(folder)?;
    let mut drawn = Vec::new();
    for chart in Chart::ALL {
        if let Some(scene) = chart.scene(data, baseline) {
            scene.write(folder, chart.name())?;
            drawn.push(chart);
        } else {
            for ending in ["svg", "png"] {
                let stale = folder.join(format!("{}.{ending}", chart.name()));
                if stale.exists() {
                    std::fs::remove_file(&stale)
                        .map_err(|error| format!("cannot remove {}: {error}", stale.display()))?;
                }
            }
        }
    }
    Ok(drawn)
}

/// The machine, the date and the run, and what the data's reader noted.
fn captions(data: &Data) -> Vec<String> {
    // More would take the plot's room.
    const NOTES: usize = 4;
    let mut captions = Vec::new();
    if let Some(run) = &data.run {
        let date = run.started.get(..10).unwrap_or(&run.started);
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
fn styles(data: &Data) -> BTreeMap<String, Style> {
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

fn time(data: &Data, page: Page<'_>) -> Option<Scene> {
    let xs = data.timed_orders();
    let lines = curves_by_order(data, &xs, |id, order| {
        let time = data.time(id, order)?;
        Some(Point { x: order, y: time.value, interval: time.interval })
    });
    let y_title = with_intervals("median time of one call, logarithmic", &lines);
    Curves { page, x_title: "order", y_title: &y_title, quantity: Quantity::Time, xs, lines }
        .scene()
}

/// An axis title that speaks of intervals where there are some: a run of few rounds has none.
fn with_intervals(title: &str, lines: &[Curve]) -> String {
    let some = lines.iter().any(|line| line.points.iter().any(|point| point.interval.is_some()));
    format!("{title}{}", if some { ", with 95 % intervals" } else { "" })
}

fn instructions(data: &Data, page: Page<'_>) -> Option<Scene> {
    let xs = data.counted_orders();
    let lines = curves_by_order(data, &xs, |id, order| {
        let instructions = data.instructions(id, order)?;
        Some(Point { x: order, y: instructions as f64, interval: None })
    });
    let y_title = "instructions of one call, logarithmic";
    Curves { page, x_title: "order", y_title, quantity: Quantity::Count, xs, lines }.scene()
}

fn speedup(data: &Data, baseline: &str, page: Page<'_>) -> Option<Scene> {
    let timed = data.timed_orders();
    let comparisons = data.comparisons(baseline);
    let lines = curves_by_order(data, &timed, |id, order| {
        let speedup = data.compare(baseline, id, order, comparisons)?;
        let interval = speedup.interval.filter(|_| id != baseline);
        Some(Point { x: order, y: speedup.factor, interval })
    });
    let has = |order: &usize| lines.iter().any(|line| line.points.iter().any(|p| p.x == *order));
    let xs = timed.iter().copied().filter(has).collect();
    let y_title = with_intervals(&format!("speedup over {baseline}, logarithmic"), &lines);
    Curves { page, x_title: "order", y_title: &y_title, quantity: Quantity::Factor, xs, lines }
        .scene()
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
    vec![format!("{} from {baseline}: {}.", capitalised(report::NOT_SEPARATED), same.join("; "))]
}

fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn ranking(data: &Data, baseline: &str, order: usize, page: Page<'_>) -> Option<Scene> {
    let styles = styles(data);
    // As in the ranking's table.
    let comparisons = crate::paired::pairs(data.ranking(order).len()).len();
    let floor = data.noise_floor();
    let rows = data
        .ranking(order)
        .into_iter()
        .map(|(id, time)| {
            let speedup = data.compare(baseline, id, order, comparisons);
            let factor = speedup.map_or_else(String::new, |speedup| {
                let same = id != baseline && !speedup.is_separated(floor);
                let words = if same { ", not separated" } else { "" };
                format!("  {}{words}", report::factor_of(&speedup))
            });
            Bar {
                label: id.to_owned(),
                style: styles[id],
                value: time.value,
                interval: time.interval,
                notes: [format::time(time.value), factor],
            }
        })
        .collect();
    let x_title = format!("median time of one call; behind it the speedup over {baseline}");
    Bars { page, x_title: &x_title, rows }.scene()
}

/// Variants that walk equal trees share one curve, which names them all.
fn search_tree(data: &Data, order: usize, page: Page<'_>) -> Option<Scene> {
    let styles = styles(data);
    let mut lines: Vec<Curve> = Vec::new();
    for id in data.variants() {
        let points: Vec<Point> = data
            .search_tree
            .iter()
            // A row without a node has no place on a logarithmic axis: a gap shows it.
            .filter(|row| row.variant == id && row.order == order && row.nodes > 0)
            .map(|row| Point { x: row.row, y: row.nodes as f64, interval: None })
            .collect();
        if let Some(same) = lines.iter_mut().find(|curve| curve.points == points) {
            same.labels.push(id.to_owned());
        } else if !points.is_empty() {
            lines.push(Curve { labels: vec![id.to_owned()], style: styles[id], points });
        }
    }
    let xs = (1..=order).collect();
    let y_title = "nodes: queens placed in the row, logarithmic";
    let x_title = "row, in the order in which the variant fills them";
    Curves { page, x_title, y_title, quantity: Quantity::Count, xs, lines }.scene()
}

#[cfg(test)]
mod tests {
    use super::labels::overlap;
    use super::scene::Shape;
    use super::*;
    use crate::records::{Instructions, Measurement, Status, TreeRow};

    fn measurement(variant: &str, order: usize, ns: f64) -> Measurement {
        Measurement {
            variant: variant.to_owned(),
            order,
            total: None,
            fundamental: None,
            median_ns: Some(ns),
            low_ns: Some(ns * 0.97),
            high_ns: Some(ns * 1.05),
            rounds: 6,
            samples: 60,
            iterations: 600,
            fit_to_publish: None,
            status: Status::Measured,
            reason: String::new(),
        }
    }

    /// Variants whose times lie `apart` from each other, from order 4 on; every seventh is missing.
    fn data(variants: usize, orders: usize, apart: f64) -> Data {
        let mut data = Data { notes: vec!["a note of some length ".repeat(9)], ..Data::default() };
        for index in 0..variants {
            let id = format!("variant-{index}");
            for order in 4..4 + orders {
                if variants > 1 && (index + order) % 7 == 6 {
                    continue;
                }
                let ns = 50.0 * 5_f64.powf(order as f64 - 4.0) * apart.powf(index as f64);
                data.measurements.push(measurement(&id, order, ns));
                data.instructions.push(Instructions {
                    variant: id.clone(),
                    order,
                    instructions: Some(ns as u64 * 3),
                    status: Status::Measured,
                    reason: String::new(),
                });
                data.search_tree.push(TreeRow {
                    variant: id.clone(),
                    order: 3 + orders,
                    row: order - 3,
                    nodes: (order * (1 + index / 2)) as u64,
                    squares_tested: None,
                });
            }
        }
        data
    }

    /// A ladder: the slower a variant, the sooner it ends. No line to a label crosses a curve.
    #[test]
    fn labels_of_curves_that_end_early_keep_clear_of_the_others() {
        let mut data = Data::default();
        for index in 0..13_u8 {
            let id = format!("variant-{index}");
            // Threes have nearly the same times, and end together.
            let factor = 8_f64.powi((index / 3).into()) * 1.04_f64.powi((index % 3).into());
            for order in 8..=13 + usize::from(index / 3) {
                let ns = 2e5 * 5.5_f64.powf(order as f64 - 8.0) / factor;
                data.measurements.push(measurement(&id, order, ns));
            }
        }
        let scene = Chart::Time.scene(&data, "variant-0").unwrap();
        let (mut leaders, mut curves) = (Vec::new(), Vec::new());
        for shape in &scene.shapes {
            let Shape::Line { points, width, .. } = shape else { continue };
            let pieces = points.windows(2).map(|ends| (ends[0], ends[1]));
            match *width {
                0.75 => leaders.extend(pieces),
                2.0 => curves.extend(pieces),
                _ => {}
            }
        }
        assert!(!leaders.is_empty() && curves.len() > 60);
        for leader in leaders {
            let crossed = curves.iter().filter(|&&piece| labels::cross(leader, piece)).count();
            // Curves of the same three may lie between a leader and its own.
            assert!(crossed <= 2, "{leader:?} crosses {crossed}");
        }
    }

    /// PLT-09 of the public reports and more: no text on another, none beyond the frame, for one
    /// variant or twenty, one order or fifteen, close together or over twelve decades.
    #[test]
    fn texts_neither_overlap_nor_leave_the_picture() {
        for (variants, orders, apart) in [
            (1, 1, 1.0),
            (1, 15, 1.0),
            (2, 1, 1.0),
            (6, 8, 1.001),
            (6, 11, 0.4),
            (20, 15, 0.9),
            (20, 15, 0.25),
            (20, 1, 1.0),
        ] {
            let data = data(variants, orders, apart);
            for chart in Chart::ALL {
                let Some(scene) = chart.scene(&data, "variant-0") else {
                    // With every seventh case missing, twenty variants may share no order.
                    assert!(chart == Chart::Ranking, "{chart:?} of {variants} × {orders}");
                    continue;
                };
                let boxes = scene.text_boxes();
                for (index, (text, area)) in boxes.iter().enumerate() {
                    let inside = area[0] >= 0.0
                        && area[1] >= 0.0
                        && area[2] <= scene.size.0
                        && area[3] <= scene.size.1;
                    assert!(inside, "{chart:?} of {variants} × {orders}: {text} at {area:?}");
                    for (other, other_area) in &boxes[..index] {
                        let clear = !overlap(area, other_area);
                        assert!(clear, "{chart:?} of {variants} × {orders}: {text} on {other}");
                    }
                }
            }
        }
    }

    /// PLT-06 of the public reports: curves that differ by a factor of two can be told apart.
    #[test]
    fn a_factor_of_two_is_seen_beside_ten_decades() {
        let mut data = Data::default();
        for order in 4..=14 {
            let ns = 50.0 * 7_f64.powi(order - 4);
            data.measurements.push(measurement("slow", order as usize, 2.0 * ns));
            data.measurements.push(measurement("fast", order as usize, ns));
        }
        let scene = Chart::Time.scene(&data, "slow").unwrap();
        let heights: Vec<f64> = scene
            .shapes
            .iter()
            .filter_map(|shape| match shape {
                scene::Shape::Line { points, .. } if points.len() == 11 => Some(points[2].1),
                _ => None,
            })
            .collect();
        assert_eq!(heights.len(), 2);
        assert!((heights[0] - heights[1]).abs() > 10.0, "{heights:?}");
    }

    #[test]
    fn a_missing_case_is_a_gap_in_its_curve() {
        let mut data = Data::default();
        for order in [4, 5, 7, 8, 9] {
            data.measurements.push(measurement("bitmask", order, 10_f64.powf(order as f64)));
        }
        let scene = Chart::Time.scene(&data, "bitmask").unwrap();
        let runs: Vec<usize> = scene
            .shapes
            .iter()
            .filter_map(|shape| match shape {
                scene::Shape::Line { points, width, dash: None, .. } if *width > 1.9 => {
                    Some(points.len())
                }
                _ => None,
            })
            .collect();
        assert_eq!(runs, [2, 3]);
    }

    /// PLT-03 of the public reports: zeros in any file, and as many notes as they may bring.
    #[test]
    fn values_without_a_logarithm_and_many_notes_leave_a_chart() {
        let mut data = data(3, 6, 0.5);
        data.instructions[0].instructions = Some(0);
        data.measurements[1].median_ns = Some(1e-320);
        data.search_tree[2].nodes = 0;
        data.notes = vec!["a note".to_owned(); 100];
        for chart in Chart::ALL {
            let scene = chart.scene(&data, "variant-0").unwrap();
            for shape in &scene.shapes {
                if let scene::Shape::Line { points, .. } = shape {
                    let inside = |&(x, y): &(f64, f64)| {
                        (0.0..=scene.size.0).contains(&x) && (0.0..=scene.size.1).contains(&y)
                    };
                    assert!(points.iter().all(inside), "{chart:?}: {points:?}");
                }
            }
        }
    }

    #[test]
    fn nothing_to_draw_is_no_chart_and_takes_an_old_one_away() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("time.svg"), "old").unwrap();
        assert_eq!(write_all(&Data::default(), "a", folder.path()), Ok(Vec::new()));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
