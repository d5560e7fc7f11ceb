//! A chart as PDF, made of its SVG: its text can be searched and copied, and the carried font is in the file.

use std::sync::Arc;

use krilla::Document;
use krilla::geom::Size;
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla_svg::{SurfaceExt, SvgSettings};
use lab::charts::{Provenance, font};
use usvg::{Options, Tree, fontdb};

/// Points, of which 72 make an inch, for a pixel, of which 96 do.
const POINTS: f32 = 72.0 / 96.0;

/// The SVG of a chart as PDF.
///
/// # Errors
/// Where the library refuses it, in its words.
pub fn from_svg(svg: &str, provenance: &Provenance) -> Result<Vec<u8>, String> {
    let failed = |error: &dyn std::fmt::Display| format!("cannot write as PDF: {error}");
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(font::BYTES.to_vec());
    let options = Options {
        fontdb: Arc::new(fonts),
        font_family: "DejaVu Sans".to_owned(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(|error| failed(&error))?;
    let (width, height) = (tree.size().width() * POINTS, tree.size().height() * POINTS);
    let no_size = || "cannot write as PDF: the chart has no size".to_owned();
    let page = PageSettings::from_wh(width, height).ok_or_else(no_size)?;
    let size = Size::from_wh(width, height).ok_or_else(no_size)?;
    let mut document = Document::new();
    let title = format!("{} of the run {}", provenance.chart, provenance.run);
    let metadata = Metadata::new().title(title).description(provenance.json());
    document.set_metadata(metadata.language("en".to_owned()));
    let mut page = document.start_page_with(page);
    let mut surface = page.surface();
    surface.draw_svg(&tree, size, SvgSettings::default()).ok_or_else(no_size)?;
    surface.finish();
    page.finish();
    document.finish().map_err(|error| format!("cannot write as PDF: {error:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::charts::{Chart, Format, Subject, lay_out};
    use lab::data::Data;

    /// The reference run's chart as PDF has the carried font in it and the pages' size in points.
    #[test]
    fn a_chart_becomes_a_pdf_with_its_font() {
        let folder = crate::workspace::root().join("reports/reference");
        let data = Data::read(&folder).unwrap();
        let chart = lay_out(Chart::Time, &Subject::new(&data, "array-2d")).unwrap().unwrap();
        let svg = String::from_utf8(chart.file(Format::Svg).unwrap()).unwrap();
        let pdf = from_svg(&svg, chart.provenance()).unwrap();
        let text = String::from_utf8_lossy(&pdf);
        assert!(text.starts_with("%PDF-"), "{}", &text[..20]);
        assert!(text.contains("DejaVuSans"), "no font");
        assert!(text.contains("/MediaBox[0 0 720 450]"), "another page than the chart's");
    }
}
