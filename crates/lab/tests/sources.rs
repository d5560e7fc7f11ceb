//! Each variant's code against its SOURCE.md, and the folders against the registry.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use lab::registry::REGISTRY;

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The part of a Markdown text below a heading of the second rank.
fn section<'a>(text: &'a str, heading: &str) -> &'a str {
    let start = text.find(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("no {heading}"));
    let body = &text[start + heading.len() + 5..];
    &body[..body.find("\n## ").unwrap_or(body.len())]
}

#[test]
fn folders_packages_and_ids_are_one_word_and_all_are_registered() {
    let shared = ["queens", "lab"];
    let folders: BTreeSet<String> = fs::read_dir(crates())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !shared.contains(&name.as_str()))
        .collect();
    let ids: BTreeSet<String> =
        REGISTRY.iter().map(|entry| entry.variant.id().to_owned()).collect();
    assert_eq!(folders, ids);
    for id in ids {
        let manifest = read(&crates().join(&id).join("Cargo.toml"));
        assert!(manifest.contains(&format!("name = \"{id}\"\n")), "{id}");
        let dependencies = section(&manifest.replace("\n[", "\n## ["), "[dependencies]").to_owned();
        let shares = REGISTRY.iter().any(|e| e.variant.id() == id && e.variant.shares());
        let rayon = if shares { "\nrayon.workspace = true" } else { "" };
        assert_eq!(dependencies.trim(), format!("queens.workspace = true{rayon}"), "{id}");
    }
}

#[test]
fn every_source_has_its_four_parts_and_cites_the_documents_that_the_variant_names() {
    for entry in &REGISTRY {
        let about = &entry.variant.about;
        let text = read(&crates().join(about.id).join("SOURCE.md"));
        for heading in ["Follows", "Algorithm", "Deviations", "Cost"] {
            assert!(section(&text, heading).trim().len() > 40, "{}: {heading}", about.id);
        }
        let follows = section(&text, "Follows");
        let cited: BTreeSet<&str> =
            about.follows.iter().map(|citation| citation.document.file_name()).collect();
        let written: BTreeSet<&str> =
            follows.split('`').filter(|word| word.contains(".txt")).collect();
        assert_eq!(written, cited, "{}", about.id);
    }
}

#[test]
fn the_marks_in_the_code_are_the_steps_of_the_source() {
    for entry in &REGISTRY {
        let folder = crates().join(entry.variant.id());
        let source = read(&folder.join("SOURCE.md"));
        let steps: BTreeSet<u32> = section(&source, "Algorithm")
            .lines()
            .filter_map(|line| line.split_once(". ")?.0.parse().ok())
            .collect();
        let mut marks = BTreeSet::new();
        for file in fs::read_dir(folder.join("src")).unwrap() {
            for line in read(&file.unwrap().path()).lines() {
                let mark = line.trim().strip_prefix("// (").and_then(|rest| rest.strip_suffix(')'));
                marks.extend(mark.map(|mark| mark.parse::<u32>().unwrap()));
            }
        }
        assert!(steps.len() >= 4, "{}", entry.variant.id());
        assert_eq!(marks, steps, "{}", entry.variant.id());
        assert_eq!(steps.iter().copied().max(), Some(steps.len() as u32), "{}", entry.variant.id());
    }
}

/// The twins share everything but the body of the function that fills rows, and in it the steps.
#[test]
fn the_twins_differ_in_the_filling_of_rows_alone() {
    let parts = |id: &str| {
        let text = read(&crates().join(id).join("src/search.rs"));
        let start = text.find("fn place<O: Observer>").unwrap();
        let end = start + text[start..].find('{').unwrap();
        assert!(text.ends_with("}\n") && text[end..].matches("\nfn ").count() == 0, "{id}");
        (text[..end].to_owned(), text[end..].to_owned())
    };
    let (recursive, plain) = (parts("prefix-check"), parts("non-recursive"));
    assert_eq!(recursive.0, plain.0);
    for shared in [
        "if row == columns.len() {",
        "observer.placement_complete(1);",
        "observer.square_tested(row);",
        "if is_safe(row, column, columns) {",
        "columns[row] = column;",
        "observer.queen_placed(row, column);",
    ] {
        assert!(recursive.1.contains(shared) && plain.1.contains(shared), "{shared}");
    }
}

/// `black_box` stands in one function of `lab` and nowhere else.
#[test]
fn one_call_site() {
    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("target") && !path.ends_with("tests") {
                sources(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }
    let root = crates().parent().unwrap().to_path_buf();
    let mut files = Vec::new();
    for folder in ["crates", "benches", "xtask"] {
        sources(&root.join(folder), &mut files);
    }
    assert!(files.len() > 20);
    let with: Vec<_> = files.iter().filter(|path| read(path).contains("black_box(")).collect();
    assert_eq!(with, [&root.join("crates/lab/src/call.rs")]);
}
