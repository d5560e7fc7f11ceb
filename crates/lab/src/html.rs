//! The report of a run as one page that needs no network and no scripts: what a reader can choose on it is done
//! by its style alone, from charts that are all drawn beforehand.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use base64::Engine;
use rayon::prelude::*;
use serde::Serialize;

use crate::charts::{self, Chart, Embedded, Scale, Subject, Theme};
use crate::data::Data;
use crate::format;
use crate::registry::{self, REGISTRY};
use crate::story::{self, Block};
use crate::table::{Form, MISSING, html_text};
use crate::tables::Kind;
use crate::templates;

/// The report's name in its run's folder.
pub const FILE: &str = "report.html";

#[derive(Serialize)]
struct Page<'a> {
    title: &'a str,
    run: &'a str,
    /// The machine, the date and the run.
    place: String,
    baseline: &'a str,
    order: Option<usize>,
    /// The variants, for whoever chooses among them.
    variants: Vec<Choice<'a>>,
    orders: Vec<usize>,
    light: String,
    dark: String,
    chosen: String,
    font: String,
    sections: Vec<Section>,
}

#[derive(Serialize)]
struct Choice<'a> {
    id: &'a str,
    marker: &'a str,
}

#[derive(Serialize)]
struct Section {
    id: &'static str,
    title: String,
    blocks: Vec<Part>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Part {
    Words { text: String },
    Warning { text: String },
    Figure { name: &'static str, title: &'static str, views: Vec<View> },
    Table { title: String, html: String, open: bool },
    Cards { cards: Vec<Card>, documents: Vec<&'static str> },
    List { title: &'static str, lines: Vec<String> },
    Facts { facts: Vec<(&'static str, String)> },
}

/// A chart with something chosen.
#[derive(Serialize)]
struct View {
    svg: String,
    /// What is chosen, as attributes of the element around it.
    choice: String,
    default: bool,
}

/// What a variant is.
#[derive(Serialize)]
struct Card {
    id: String,
    marker: String,
    idea: String,
    documents: Vec<String>,
    cost: String,
    complexity: String,
    lines: Option<usize>,
    link: Option<String>,
}

/// The report as a page. `charts` are those that the run has, `crates` is the folder of the variants' source as
/// links reach it from the page, where they do.
///
/// # Errors
/// Where the page's template does not fit; the message names it.
pub fn page(
    data: &Data,
    baseline: &str,
    charts: &[Chart],
    crates: Option<&str>,
) -> Result<String, String> {
    let markers: BTreeMap<String, String> = charts::markers(data).into_iter().collect();
    let drawn: Vec<(Chart, Vec<(View, Embedded)>)> =
        charts.par_iter().map(|chart| (*chart, views(*chart, data, baseline))).collect();
    let embedded = || drawn.iter().flat_map(|(_, views)| views.iter().map(|(_, drawn)| drawn));
    let mut colours: BTreeSet<_> = embedded().flat_map(|drawn| drawn.colours.clone()).collect();
    colours.extend(charts::colours_of(data));
    let shared: BTreeSet<Vec<String>> = embedded().flat_map(|drawn| drawn.shared.clone()).collect();
    let variants = data.variants();
    let orders = data.timed_orders();
    let chosen = style_of_choices(&variants, &orders, &shared);
    let mut views: BTreeMap<Chart, Vec<View>> = drawn
        .into_iter()
        .map(|(chart, views)| (chart, views.into_iter().map(|(view, _)| view).collect()))
        .collect();
    let sections = story::sections(data, baseline, charts)
        .into_iter()
        .map(|section| Section {
            id: section.id,
            title: section.title,
            blocks: section
                .blocks
                .into_iter()
                .map(|block| part(block, data, baseline, &markers, &mut views, crates))
                .collect(),
        })
        .collect();
    let page = Page {
        title: story::TITLE,
        run: data.run.as_ref().map_or("unknown", |run| &run.id),
        place: place(data),
        baseline,
        order: data.largest_common_order(),
        variants: variants.iter().map(|id| Choice { id, marker: &markers[*id] }).collect(),
        orders,
        light: charts::variables(Theme::Article, &colours),
        dark: charts::variables(Theme::Dark, &colours),
        chosen,
        font: base64::prelude::BASE64_STANDARD.encode(charts::font::BYTES),
        sections,
    };
    templates::render(templates::REPORT, page)
}

/// Where and when the run was made.
fn place(data: &Data) -> String {
    data.run.as_ref().map_or_else(
        || "Of a run that does not say where and when it was made.".to_owned(),
        |run| {
            let date = format::date(&run.started);
            format!("{} · {date} · run {}", run.machine_line(), run.id)
        },
    )
}

fn part(
    block: Block,
    data: &Data,
    baseline: &str,
    markers: &BTreeMap<String, String>,
    views: &mut BTreeMap<Chart, Vec<View>>,
    crates: Option<&str>,
) -> Part {
    match block {
        Block::Words(text) => Part::Words { text },
        Block::Warning(text) => Part::Warning { text },
        Block::Figure(chart) => Part::Figure {
            name: chart.name(),
            title: chart.title(),
            views: views.remove(&chart).unwrap_or_default(),
        },
        Block::Table(Kind::Variants) => {
            Part::Cards { cards: cards(data, markers, crates), documents: documents(data) }
        }
        Block::Table(kind) => Part::Table {
            title: kind.title().to_owned(),
            html: kind.table(data, baseline).map_or_else(String::new, |t| t.write(Form::Html)),
            open: matches!(kind, Kind::Ranking | Kind::Times | Kind::Speedups | Kind::Instructions),
        },
        Block::List(title, lines) => Part::List { title, lines },
        Block::Facts(facts) => Part::Facts { facts },
    }
}

/// A chart with everything that can be chosen for it, each drawn.
fn views(chart: Chart, data: &Data, baseline: &str) -> Vec<(View, Embedded)> {
    let subject = Subject { for_every_baseline: true, ..Subject::new(data, baseline) };
    let name = chart.name();
    let view = |subject: Subject<'_>, what: &str, value: &str, default: bool| {
        // A name that a file brings may have anything in it; its place has not.
        let place = data.variants().iter().position(|id| *id == value);
        let tag = place.map_or_else(|| value.to_owned(), |place| place.to_string());
        let prefix = if default { name.to_owned() } else { format!("{name}-{tag}") };
        let mut drawn = charts::embed(chart, &subject, &prefix)?;
        let choice = if what.is_empty() {
            String::new()
        } else {
            format!(" data-{what}=\"{}\"", html_text(value))
        };
        let svg = std::mem::take(&mut drawn.svg);
        Some((View { svg, choice, default }, drawn))
    };
    match chart {
        Chart::Speedup => data
            .variants()
            .par_iter()
            .filter_map(|id| {
                let own = Subject { baseline: id, ..subject };
                view(own, "baseline", id, *id == baseline)
            })
            .collect(),
        Chart::Ranking | Chart::Explained => {
            let own = match chart {
                Chart::Ranking => data.largest_common_order(),
                _ => charts::explained_order(data),
            };
            let orders = data.timed_orders();
            orders
                .par_iter()
                .filter_map(|order| {
                    let chosen = Subject { order: Some(*order), ..subject };
                    let default = Some(*order) == own;
                    let drawn = view(chosen, "order", &order.to_string(), default);
                    drawn.or_else(|| own.map(|_| nothing_at(*order)))
                })
                .collect()
        }
        _ if chart.has_scales() => Scale::ALL
            .into_iter()
            .filter_map(|scale| {
                let own = Subject { scale: Some(scale), ..subject };
                view(own, "scale", scale.name(), scale == Scale::Log)
            })
            .collect(),
        _ => view(subject, "", "", true).into_iter().collect(),
    }
}

/// What stands in a chart's place at an order that it has no values for.
fn nothing_at(order: usize) -> (View, Embedded) {
    let svg = format!("<p>The run has no values for this chart at order {order}.</p>");
    let choice = format!(" data-order=\"{order}\"");
    (View { svg, choice, default: false }, Embedded::default())
}

/// A value as a style's selector has it, between quotes.
fn quoted(value: &str) -> String {
    let mut text = String::from("\"");
    for character in value.chars() {
        if character.is_ascii_alphanumeric() || "-_ .".contains(character) {
            text.push(character);
        } else {
            let _ = write!(text, "\\{:x} ", u32::from(character));
        }
    }
    text.push('"');
    text
}

/// The rules that show what a reader chooses: a baseline, an order, which variants, and one of them above the
/// others. They look for it in the small element that has the choices: where they look in all of the page, a
/// browser takes a minute to print it.
fn style_of_choices(variants: &[&str], orders: &[usize], shared: &BTreeSet<Vec<String>>) -> String {
    let mut style = String::new();
    let mut choice = |select: &str, value: &str| {
        let (value, chosen) =
            (quoted(value), format!("#{select} option[value={}]:checked", quoted(value)));
        let _ = writeln!(
            style,
            ".side:has({chosen}) ~ main .view[data-{select}={value}]{{display:revert}}\n\
             .side:has({chosen}) ~ main .view[data-{select}]:not([data-{select}={value}]){{display:none}}"
        );
    };
    for id in variants {
        choice("baseline", id);
    }
    for order in orders {
        choice("order", &order.to_string());
    }
    for id in variants {
        let id = quoted(id);
        let _ = writeln!(
            style,
            ".side:has(input[value={id}]:not(:checked)) ~ main [data-variants={id}]{{display:none!important}}\n\
             .side:has(label:hover>input[value={id}],input[value={id}]:focus-visible) ~ main \
             [data-variants]:not([data-variants~={id}]),\n\
             svg:has([data-variants~={id}]:hover) [data-variants]:not([data-variants~={id}])\
             {{opacity:.15}}"
        );
    }
    for together in shared {
        let all = together.iter().fold(String::new(), |mut all, id| {
            let _ = write!(all, ":has(input[value={}]:not(:checked))", quoted(id));
            all
        });
        let names = quoted(&together.join(" "));
        let _ =
            writeln!(style, ".side{all} ~ main [data-variants={names}]{{display:none!important}}");
    }
    style
}

/// The documents that the variants follow, by their file names.
fn documents(data: &Data) -> Vec<&'static str> {
    let entries = data.variants().into_iter().filter_map(|id| registry::find(&REGISTRY, id));
    let cited = entries.flat_map(|entry| entry.variant.about.follows);
    let names: BTreeSet<_> = cited.map(|citation| citation.document.file_name()).collect();
    names.into_iter().collect()
}

/// A card for each variant.
fn cards(data: &Data, markers: &BTreeMap<String, String>, crates: Option<&str>) -> Vec<Card> {
    let lines = data.run.as_ref().map(|run| &run.code_lines);
    data.variants()
        .into_iter()
        .map(|id| {
            let entry = registry::find(&REGISTRY, id);
            let about = entry.map(|entry| &entry.variant.about);
            let documents = about.map_or_else(
                || vec![MISSING.to_owned()],
                |about| {
                    let cited = about.follows.iter();
                    cited.map(|c| format!("{}: {}", c.document.number(), c.place)).collect()
                },
            );
            Card {
                id: id.to_owned(),
                marker: markers[id].clone(),
                idea: about.map_or_else(
                    || "not a variant of this laboratory".to_owned(),
                    |a| a.summary.to_owned(),
                ),
                documents,
                cost: about.map_or_else(String::new, |about| cost(about.source)),
                complexity: about.map_or(MISSING, |about| about.complexity).to_owned(),
                lines: lines.and_then(|lines| lines.get(id)).copied(),
                link: crates
                    .filter(|_| about.is_some())
                    .map(|crates| format!("{crates}/{id}/SOURCE.md")),
            }
        })
        .collect()
}

/// What a variant's `SOURCE.md` says of its cost, as HTML.
fn cost(source: &str) -> String {
    let part = source.split_once("\n## Cost\n").map_or("", |(_, part)| part);
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, pulldown_cmark::Parser::new(part));
    html
}
