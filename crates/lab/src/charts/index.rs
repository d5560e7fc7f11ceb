//! The page that shows all charts of a run.

use std::path::Path;

use serde::Serialize;

use super::{Chart, Drawing};
use crate::data::Data;
use crate::{files, templates};

/// The page's name.
pub const FILE: &str = "index.html";

#[derive(Serialize)]
struct Page<'a> {
    run: &'a str,
    machine: &'a str,
    started: &'a str,
    verdict: String,
    warnings: Vec<String>,
    charts: Vec<Shown<'a>>,
}

#[derive(Serialize)]
struct Shown<'a> {
    name: &'a str,
    title: &'a str,
    description: &'a str,
    width: f64,
    height: f64,
    data: String,
}

/// Writes the page beside the charts that it shows, or takes an earlier one away where there are none.
///
/// # Errors
/// Where the page cannot be written, naming it.
pub fn write(data: &Data, drawn: &[(Chart, Drawing)], folder: &Path) -> Result<(), String> {
    let path = folder.join(FILE);
    if drawn.is_empty() {
        return if path.exists() {
            std::fs::remove_file(&path)
                .map_err(|error| format!("cannot remove {}: {error}", path.display()))
        } else {
            Ok(())
        };
    }
    let charts: Vec<Shown<'_>> = drawn
        .iter()
        .map(|(chart, drawing)| Shown {
            name: chart.name(),
            title: chart.title(),
            description: &drawing.scene.description,
            width: drawing.scene.size.0.round(),
            height: drawing.scene.size.1.round(),
            data: format!(
                "SHA-256 {} of {}",
                drawing.provenance.data_sha256,
                drawing.provenance.files.join(" and ")
            ),
        })
        .collect();
    let provenance = &drawn[0].1.provenance;
    let page = Page {
        run: &provenance.run,
        machine: &provenance.machine,
        started: &provenance.started,
        verdict: data.verdict_line(),
        warnings: data.not_for_publication(),
        charts,
    };
    files::write(&path, templates::render(templates::INDEX, page)?.as_bytes())
}
