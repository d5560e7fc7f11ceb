//! The README against the reference run: what it quotes is what the run's files say.

use std::fs;
use std::path::{Path, PathBuf};

use lab::calibration::{self, Trial};
use lab::charts::{self, Chart, Subject};
use lab::data::Data;
use lab::numbers;
use lab::splice::{self, Filling};
use lab::tables::Kind;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn region(text: &str, name: &str) -> String {
    let (start, end) = (format!("<!-- {name} -->"), format!("<!-- /{name} -->"));
    let (_, rest) = text.split_once(&start).unwrap_or_else(|| panic!("no {start}"));
    rest.split_once(&end).unwrap_or_else(|| panic!("no {end}")).0.trim().to_owned()
}

/// DOC-01 of the public reports: no number that nobody measured. What the README quotes is filled in from the run
/// (a test of the command line looks at that), the run may be published, and its report is of its files.
#[test]
fn the_reference_run_is_one_to_quote() {
    let folder = root().join("reports/reference");
    let data = Data::read(&folder).unwrap();
    let run = data.run.as_ref().unwrap();
    assert!(run.complete && run.not_for_publication.is_empty() && data.notes.is_empty());
    assert_eq!(data.not_for_publication(), Vec::<String>::new());
    let report = fs::read_to_string(folder.join("report.md")).unwrap();
    for kind in Kind::ALL {
        let table = kind.table(&data, &run.baseline).unwrap();
        assert!(report.contains(&table.markdown()), "{} in the report is another one", kind.name());
    }
    let numbers = numbers::all(&data, &run.baseline);
    for (ending, text) in [("tex", numbers::latex(&numbers)), ("typ", numbers::typst(&numbers))] {
        let file = folder.join("tables").join(numbers::FILE).with_extension(ending);
        assert_eq!(fs::read_to_string(&file).unwrap(), text, "{}", file.display());
    }
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let regions = splice::regions(&readme).unwrap();
    for filling in [Filling::Table, Filling::Chart, Filling::Number] {
        assert!(regions.iter().any(|region| region.filling == filling), "{filling:?}");
    }
}

/// What a chart's file says of its data is what `sha256sum` says of the run's own files.
#[test]
fn the_hash_in_a_chart_is_that_of_the_files() {
    let folder = root().join("reports/reference");
    let data = Data::read(&folder).unwrap();
    for chart in Chart::ALL {
        let Some(drawing) = charts::lay_out(chart, &Subject::new(&data, "array-2d")).unwrap()
        else {
            continue;
        };
        let files: Vec<Vec<u8>> =
            charts::FILES.iter().map(|file| fs::read(folder.join(file)).unwrap()).collect();
        let found = charts::hash(files.iter().map(Vec::as_slice));
        assert_eq!(drawing.provenance().data_sha256, found, "{}", chart.name());
    }
}

/// METHODOLOGY.md quotes the calibration that is kept, whole.
#[test]
fn the_methodology_quotes_the_calibration() {
    let methodology = fs::read_to_string(root().join("METHODOLOGY.md")).unwrap();
    let folder = root().join("reports/calibration");
    let trials: Vec<Trial> = lab::records::read(&folder).unwrap();
    let of_itself = calibration::outcome(&trials, calibration::LABORATORY, 0.0).unwrap();
    assert!(of_itself.claimed.of >= 200);
    let report = fs::read_to_string(folder.join("calibration.md")).unwrap();
    assert!(
        report.contains(&calibration::table(&trials).markdown()),
        "of other numbers than its file"
    );
    assert_eq!(region(&methodology, "calibration"), report.trim());
}

/// Every file that the documents link is there.
#[test]
fn what_the_readme_links_is_there() {
    for name in ["README.md", "ARCHITECTURE.md", "METHODOLOGY.md", "reports/README.md"] {
        let text = fs::read_to_string(root().join(name)).unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if !target.contains("://") {
                let path = root().join(name).parent().unwrap().join(target);
                assert!(path.exists(), "{name} links {target}");
            }
        }
    }
}
