//! Tests of the charts as their files are.

use super::labels::overlap;
use super::scene::Shape;
use super::*;
use crate::environment::{self, Reading};
use crate::records::Status;
use crate::registry::{self, REGISTRY};

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
            data.samples.extend(samples(&id, order, ns));
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
            data.frontier.push(Frontier {
                variant: id.clone(),
                order,
                call_ns: ns * 1e4,
                measured: order < 12,
                reason: String::new(),
            });
        }
    }
    for order in 4..4 + orders {
        data.control.push(Control {
            variant: "variant-0".to_owned(),
            order,
            factor: 1.0 + (order as f64 - 6.0) / 1000.0,
            low: Some(0.99),
            high: Some(1.02),
            rounds: 6,
        });
    }
    for round in 1..=6 {
        let (before, after) =
            (Reading::default(), Reading { monotonic_ms: 900.0, ..Reading::default() });
        data.environment.push(environment::row(round, 1, &before, &after));
    }
    data
}

/// The same without a gap: every variant at every order.
fn complete(variants: usize, orders: usize, apart: f64) -> Data {
    let mut data = data(1, orders, apart);
    for index in 1..variants {
        let (id, factor) = (format!("variant-{index}"), apart.powf(index as f64));
        let own = |variant: &str| variant == "variant-0";
        let copies: Vec<Measurement> =
            data.measurements.iter().filter(|row| own(&row.variant)).cloned().collect();
        for row in copies {
            let ns = row.median_ns.unwrap() * factor;
            data.measurements.push(measurement(&id, row.order, ns));
            data.samples.extend(samples(&id, row.order, ns));
        }
        let copies: Vec<_> =
            data.instructions.iter().filter(|row| own(&row.variant)).cloned().collect();
        data.instructions
            .extend(copies.into_iter().map(|row| Instructions { variant: id.clone(), ..row }));
        let copies: Vec<_> =
            data.search_tree.iter().filter(|row| own(&row.variant)).cloned().collect();
        data.search_tree
            .extend(copies.into_iter().map(|row| TreeRow { variant: id.clone(), ..row }));
        let copies: Vec<_> =
            data.frontier.iter().filter(|row| own(&row.variant)).cloned().collect();
        data.frontier.extend(copies.into_iter().map(|row| Frontier { variant: id.clone(), ..row }));
    }
    data
}

/// Twenty variants at fifteen orders without a gap: every chart is there, in every theme, and clear.
#[test]
fn a_large_run_without_gaps_has_every_chart() {
    for apart in [0.999, 0.5] {
        let data = complete(20, 15, apart);
        for theme in Theme::ALL {
            let subject = Subject { theme, ..Subject::new(&data, "variant-0") };
            for chart in Chart::ALL {
                let what = format!("{chart:?} of 20 × 15 by {apart} for {theme:?}");
                let (_, svg) = drawn(chart, &subject).unwrap_or_else(|| panic!("{what}"));
                assert_texts_are_clear(&svg, &what);
            }
        }
    }
}

/// A search that places no queen, an interval without sense, and a control of another variant leave charts
/// without a number that is none.
#[test]
fn odd_values_leave_no_number_that_is_none() {
    let mut data = complete(3, 5, 0.5);
    for row in &mut data.search_tree {
        row.nodes = 0;
    }
    (data.control[0].low, data.control[0].high) = (Some(0.0), Some(f64::INFINITY));
    data.control[1].factor = f64::NAN;
    data.control[2].variant = "variant-1".to_owned();
    for chart in Chart::ALL {
        let Some((_, svg)) = drawn(chart, &Subject::new(&data, "variant-0")) else {
            assert!(matches!(chart, Chart::Explained | Chart::SearchTree), "{chart:?}");
            continue;
        };
        for none in ["NaN", "inf"] {
            assert!(!svg.contains(none), "{chart:?}: {none}");
        }
    }
}

/// Six rounds of ten samples whose median is near `ns`, one of them far off.
fn samples(id: &str, order: usize, ns: f64) -> Vec<Sample> {
    let mut samples = Vec::new();
    for round in 1..=6 {
        for sample in 1..=10 {
            let off = if (round, sample) == (3, 7) { 1.9 } else { 0.97 + 0.006 * sample as f64 };
            samples.push(Sample {
                variant: id.to_owned(),
                order,
                round,
                session: 1,
                position: 1,
                sample,
                iterations: 10,
                elapsed_ns: 10.0 * ns * off,
            });
        }
    }
    samples
}

/// As its file shows it, in a theme.
fn drawn(chart: Chart, subject: &Subject<'_>) -> Option<(Scene, String)> {
    let drawing = lay_out(chart, subject).unwrap()?;
    let svg = String::from_utf8(drawing.file(Format::Svg).unwrap()).unwrap();
    Some((drawing.scene, svg))
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
    let scene = gallery::scene(Chart::Time, &Subject::new(&data, "variant-0")).unwrap();
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

/// PLT-09 of the public reports and more: in the file, no text on another, none beyond the frame, and every
/// letter in the carried font; for one variant or twenty, one order or fifteen, close together or over twelve
/// decades, in every theme, on either scale, and in small pictures.
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
        let own = Theme::ALL.map(|theme| (theme, None, None));
        let more = [
            (Theme::Article, Some(Scale::Linear), None),
            (Theme::Article, Some(Scale::Log), Some((2400, 1500))),
        ];
        for (theme, scale, size) in own.into_iter().chain(more) {
            let subject = Subject { scale, theme, size, ..Subject::new(&data, "variant-0") };
            for chart in Chart::ALL {
                let what = format!("{chart:?} of {variants} × {orders} by {apart} for {theme:?}");
                match drawn(chart, &subject) {
                    Some((_, svg)) => assert_texts_are_clear(&svg, &what),
                    // With every seventh case missing, twenty variants may share no order, and one order
                    // alone does not grow.
                    None => assert!(
                        chart.is_of_one_order() || (chart == Chart::Growth && orders == 1),
                        "{what}"
                    ),
                }
            }
        }
    }
}

fn assert_texts_are_clear(svg: &str, what: &str) {
    let ((width, height), boxes) = svg::text_boxes(svg).unwrap();
    assert!(boxes.len() > 3, "{what}");
    for (index, (text, area)) in boxes.iter().enumerate() {
        let inside = area[0] >= 0.0 && area[1] >= 0.0 && area[2] <= width && area[3] <= height;
        assert!(inside, "{what}: {text} at {area:?} of {width} × {height}");
        assert!(font::has_all(text), "{what}: a letter of {text} is missing");
        for (other, other_area) in &boxes[..index] {
            assert!(!overlap(area, other_area), "{what}: {text} on {other}");
        }
    }
}

/// What does not fit is refused by the size that it takes, which then is enough.
#[test]
fn a_size_that_is_too_small_is_refused_with_one_that_is_enough() {
    let data = data(5, 6, 0.5);
    for chart in Chart::ALL {
        let subject = Subject::new(&data, "variant-0");
        let small = Subject { size: Some((200, 100)), ..subject };
        let message = lay_out(chart, &small).unwrap_err();
        let (_, takes) = message.rsplit_once(' ').unwrap();
        let (width, height) = takes.split_once('x').unwrap();
        let size = (width.parse().unwrap(), height.parse().unwrap());
        let (scene, svg) = drawn(chart, &Subject { size: Some(size), ..subject }).unwrap();
        assert_eq!(scene.size, (f64::from(size.0), f64::from(size.1)), "{chart:?}");
        assert_texts_are_clear(&svg, &format!("{chart:?} at {takes}"));
    }
}

/// Every sample is seen: as many dots as samples.
#[test]
fn the_chart_of_samples_has_every_sample() {
    let data = data(3, 4, 0.5);
    let (scene, svg) = drawn(Chart::Samples, &Subject::new(&data, "variant-0")).unwrap();
    let dots = |shape: &&Shape| matches!(shape, Shape::Dot { .. });
    assert_eq!(scene.shapes.iter().filter(dots).count(), 3 * 60);
    // Beside them are the places of the notes, and the three variants' markers, which are rings.
    assert_eq!(svg.matches("<circle").count(), 3 * 60 + scene.notes.len() + 3);
}

/// A variant looks the same wherever it is drawn, and what is of it can be found by its name.
#[test]
fn a_variant_has_its_colour_in_every_chart() {
    let mut data = data(2, 6, 0.5);
    for (old, new) in [("variant-0", "bitmask"), ("variant-1", "symmetry")] {
        for row in &mut data.measurements {
            row.variant = row.variant.replace(old, new);
        }
        for row in &mut data.instructions {
            row.variant = row.variant.replace(old, new);
        }
        for row in &mut data.samples {
            row.variant = row.variant.replace(old, new);
        }
        for row in &mut data.search_tree {
            row.variant = row.variant.replace(old, new);
        }
        for row in &mut data.frontier {
            row.variant = row.variant.replace(old, new);
        }
        for row in &mut data.control {
            row.variant = row.variant.replace(old, new);
        }
    }
    for chart in Chart::ALL.into_iter().filter(|chart| *chart != Chart::HeatMap) {
        let (_, svg) = drawn(chart, &Subject::new(&data, "bitmask")).unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let style = registry::find(&REGISTRY, "bitmask").unwrap().style;
        let colour = theme::hexadecimal(Theme::Article.paint(theme::Colour::Variant(style.colour)));
        let own = document
            .descendants()
            .filter(|node| node.attribute("data-variants") == Some("bitmask"));
        let coloured = own.flat_map(|node| node.descendants()).any(|node| {
            [node.attribute("fill"), node.attribute("stroke")].contains(&Some(colour.as_str()))
        });
        assert!(coloured, "{chart:?}");
    }
}

/// Every file says where it comes from; drawn again from that, it is the same to the last byte, and is not
/// once the data or the file have changed.
#[test]
fn a_chart_says_whether_it_is_still_what_the_data_say() {
    let data = data(3, 6, 0.5);
    let subject =
        Subject { order: Some(5), theme: Theme::Dark, ..Subject::new(&data, "variant-0") };
    for chart in Chart::ALL {
        let subject =
            Subject { order: subject.order.filter(|_| chart == Chart::Ranking), ..subject };
        let drawing = lay_out(chart, &subject).unwrap().unwrap();
        let formats = if chart == Chart::Time { &Format::ALL[..] } else { &Format::ALL[..1] };
        for format in formats {
            let file = drawing.file(*format).unwrap();
            let provenance = Provenance::read(&file).unwrap();
            assert_eq!(&provenance, drawing.provenance());
            assert_eq!(check(&file, &provenance, &data), Ok(Verdict::Same), "{chart:?}");
            let mut other = data.clone();
            for row in &mut other.measurements {
                row.median_ns = row.median_ns.map(|ns| ns * 1.001);
            }
            other.control[0].factor = 1.2;
            other.search_tree[0].nodes += 1;
            other.instructions[0].instructions = Some(7);
            assert_eq!(check(&file, &provenance, &other), Ok(Verdict::OtherData), "{chart:?}");
            if *format == Format::Svg {
                let edited = String::from_utf8(file).unwrap().replace("</svg>", "<!-- --></svg>");
                let verdict = check(edited.as_bytes(), &provenance, &data);
                assert_eq!(verdict, Ok(Verdict::OtherDrawing), "{chart:?}");
            }
        }
    }
    let foreign = Provenance {
        run: "another".to_owned(),
        ..Provenance::read(
            &lay_out(Chart::Time, &subject).unwrap().unwrap().file(Format::Svg).unwrap(),
        )
        .unwrap()
    };
    assert!(check(b"", &foreign, &data).unwrap_err().contains("of the run another"));
}

/// A reader who does not see the picture is told what it shows, with its values.
#[test]
fn pictures_are_described() {
    let data = data(2, 5, 0.5);
    for chart in Chart::ALL {
        let (_, svg) = drawn(chart, &Subject::new(&data, "variant-0")).unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let root = document.root_element();
        assert_eq!(root.attribute("role"), Some("img"));
        for attribute in ["aria-labelledby", "aria-describedby"] {
            let id = root.attribute(attribute).unwrap();
            let node =
                document.descendants().find(|node| node.attribute("id") == Some(id)).unwrap();
            let text = node.text().unwrap();
            assert!(!text.is_empty(), "{chart:?}");
            if attribute == "aria-describedby" {
                assert!(text.contains("variant-0"), "{chart:?}: {text}");
            }
        }
    }
}

/// PLT-08 of the public reports: a name that XML or HTML would take for their own is shown as it is.
#[test]
fn any_name_is_shown_literally() {
    let name = "A&B <fast> 50% \"q\" | c";
    let mut data = Data::default();
    data.measurements.push(measurement(name, 8, 1e6));
    let (_, svg) = drawn(Chart::Time, &Subject::new(&data, name)).unwrap();
    let (_, boxes) = svg::text_boxes(&svg).unwrap();
    assert!(boxes.iter().any(|(text, _)| text == name), "{svg}");
    let folder = tempfile::tempdir().unwrap();
    write_all(&data, name, folder.path()).unwrap();
    let page = files::read(&folder.path().join("index.html")).unwrap();
    assert!(page.contains("A&amp;B &lt;fast&gt; 50% &quot;q&quot; | c"), "{page}");
}

/// PLT-10 of the public reports: the orders that were measured are labelled, and no others.
#[test]
fn only_measured_orders_are_labelled() {
    for orders in [vec![8], vec![8, 9, 10], vec![4, 6, 14]] {
        let mut data = Data::default();
        for &order in &orders {
            data.measurements.push(measurement("bitmask", order, 3e4 * order as f64));
        }
        let (_, svg) = drawn(Chart::Time, &Subject::new(&data, "bitmask")).unwrap();
        let (_, boxes) = svg::text_boxes(&svg).unwrap();
        let mut labels: Vec<usize> =
            boxes.iter().filter_map(|(text, _)| text.parse().ok()).collect();
        labels.sort_unstable();
        assert_eq!(labels, orders);
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
    let scene = gallery::scene(Chart::Time, &Subject::new(&data, "slow")).unwrap();
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
    let scene = gallery::scene(Chart::Time, &Subject::new(&data, "bitmask")).unwrap();
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
        let (scene, _) = drawn(chart, &Subject::new(&data, "variant-0")).unwrap();
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
