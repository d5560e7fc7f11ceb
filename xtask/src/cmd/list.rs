//! `list`: every variant with summary, document, limits and abilities.

use std::io::Write;

use lab::registry::Entry;
use lab::table::Table;
use queens::{Lists, Variant};

use crate::output::{Done, write_table};

/// Writes the table, then the places in the documents.
pub fn run(registry: &[Entry], out: &mut dyn Write) -> Done {
    let header = ["variant", "how it searches", "orders", "documents", "abilities"];
    let rows = registry
        .iter()
        .map(|entry| {
            let about = &entry.variant.about;
            let documents: Vec<_> =
                about.follows.iter().map(|citation| citation.document.number()).collect();
            vec![
                about.id.to_owned(),
                about.summary.to_owned(),
                format!("0 to {}", about.largest_order),
                documents.join(", "),
                abilities(entry.variant).join(", "),
            ]
        })
        .collect();
    write_table(out, &Table { header: header.map(str::to_owned).into(), rows })?;
    writeln!(out, "\nWhere each comes from (SOURCE.md in its crate says how it differs):")?;
    for entry in registry {
        let about = &entry.variant.about;
        for citation in about.follows {
            let file = citation.document.file_name();
            writeln!(out, "  {:<14} {file}, {}", about.id, citation.place)?;
        }
    }
    Ok(())
}

fn abilities(variant: &Variant) -> Vec<&'static str> {
    let mut abilities = match variant.lists() {
        None => vec!["counts"],
        Some(Lists::All) => vec!["counts", "lists"],
        Some(Lists::Fundamental) => vec!["counts", "lists", "fundamental placements too"],
    };
    if variant.profiles() {
        abilities.push("profiles");
    }
    if variant.shares() {
        abilities.push("shares out among threads");
    }
    abilities.push(if variant.about.recursive { "recursive" } else { "not recursive" });
    abilities
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::registry::REGISTRY;

    #[test]
    fn names_every_variant_with_its_limit_and_document() {
        let mut out = Vec::new();
        run(&REGISTRY, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        for entry in &REGISTRY {
            let about = &entry.variant.about;
            let row =
                text.lines().find(|line| line.starts_with(&format!("| {}", about.id))).unwrap();
            assert!(
                row.contains(about.summary)
                    && row.contains(&format!("0 to {} |", about.largest_order)),
                "{row}"
            );
            for citation in about.follows {
                assert!(text.contains(citation.document.file_name()));
            }
        }
        assert!(!text.contains('\u{1b}'));
    }
}
