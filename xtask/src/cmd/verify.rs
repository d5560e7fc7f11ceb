//! `verify`: what variants count, list and visit, against what is known.

use std::io::Write;
use std::path::Path;

use lab::files;
use lab::registry::{self, Entry};
use lab::verify::{self, Check, Outcome, Subject};
use queens::{Order, known};

use super::count::say_what_to_expect;
use crate::cli::Verify;
use crate::output::{Done, failed};

/// Placements are listed and trees profiled up to this order.
const DEEPEST: usize = 10;
/// Above this order a count may take long enough to say so first.
const LONG: usize = 11;

/// Makes every comparison, writes a table, and fails where one does.
pub fn run(arguments: &Verify, registry: &[Entry], out: &mut dyn Write) -> Done {
    if let Some(path) = &arguments.counts {
        return verify_table(path, out);
    }
    let entries = match &arguments.variants {
        Some(ids) => registry::select(registry, &ids.join(",")).map_err(failed)?,
        None => registry.to_vec(),
    };
    let deepest = Order::new(DEEPEST).unwrap_or(Order::MAX);
    let mut failures = Vec::new();
    let mut compared = 0;
    let rule = WIDTHS.map(|width| format!(":{}", "-".repeat(width - 1)));
    write_row(&HEADER.map(str::to_owned), out)?;
    write_row(&rule, out)?;
    for entry in entries {
        for order in arguments.orders.iter() {
            if order.get() > LONG && known::total(order).is_some() {
                say_what_to_expect(entry.variant, order);
            }
            let checks = verify::verify(entry.variant, order, deepest);
            compared += checks.iter().filter(|c| !matches!(c.outcome, Outcome::Skipped(_))).count();
            write_row(&row(entry.variant.id(), order, &checks), out)?;
            failures.extend(checks.into_iter().filter(Check::failed));
        }
    }
    conclude(&failures.iter().map(Check::to_string).collect::<Vec<_>>(), compared, out)
}

const HEADER: [&str; 7] =
    ["variant", "order", "total", "fundamental", "listed", "identity", "nodes"];
/// Room for the longest total that is known, and for what is said of the rest.
const WIDTHS: [usize; 7] = [13, 5, 18, 17, 13, 13, 9];

/// A row as soon as there is one: larger orders take their time.
fn write_row(cells: &[String; 7], out: &mut dyn Write) -> Done {
    let padded: Vec<String> =
        cells.iter().zip(WIDTHS).map(|(cell, width)| format!("{cell:<width$}")).collect();
    writeln!(out, "| {} |", padded.join(" | "))?;
    Ok(out.flush()?)
}

/// One variant at one order: a cell a subject.
fn row(id: &str, order: Order, checks: &[Check]) -> [String; 7] {
    let cell = |subject| {
        let outcome = checks.iter().find(|check| check.subject == subject).map(|c| &c.outcome);
        match outcome {
            Some(Outcome::Passed(found)) => match subject {
                Subject::Identity | Subject::Listing => "as it must be".to_owned(),
                _ => found.clone(),
            },
            Some(Outcome::Failed { expected, found }) => format!("WRONG: {found}, not {expected}"),
            Some(Outcome::Skipped(_)) | None => lab::table::MISSING.to_owned(),
        }
    };
    [
        id.to_owned(),
        order.to_string(),
        cell(Subject::Total),
        cell(Subject::Fundamental),
        cell(Subject::Listing),
        cell(Subject::Identity),
        cell(Subject::Nodes),
    ]
}

fn conclude(failures: &[String], compared: usize, out: &mut dyn Write) -> Done {
    for failure in failures {
        writeln!(out, "WRONG: {failure}")?;
    }
    if compared == 0 {
        return Err(failed("nothing was compared: every check was skipped"));
    }
    if failures.is_empty() {
        Ok(writeln!(out, "{compared} comparisons, all as they must be.")?)
    } else {
        Err(failed(format!("{} of {compared} comparisons failed", failures.len())))
    }
}

/// Checks a person's table of counts, such as one that a spreadsheet has saved.
fn verify_table(path: &Path, out: &mut dyn Write) -> Done {
    let text = files::read(path).map_err(failed)?;
    let rows = lab::records::parse::<lab::records::KnownCount>(&text)
        .map_err(|reason| failed(format!("{}: {reason}", path.display())))?;
    let mut failures = Vec::new();
    let mut compared = 0;
    for row in rows {
        let order = row.order;
        for (what, known, found) in [
            (Subject::Total, known::total(order), row.total),
            (Subject::Fundamental, known::fundamental(order), row.fundamental),
        ] {
            let Some(found) = found else { continue };
            let Some(known) = known else {
                writeln!(out, "order {order}: no {what} is known to compare with")?;
                continue;
            };
            compared += 1;
            if u128::from(known) != found {
                failures.push(format!("order {order}: {what}: expected {known}, got {found}"));
            }
        }
    }
    conclude(&failures, compared, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Failure;
    use lab::registry::REGISTRY;
    use queens::{About, Counts, Tree, Variant};

    fn arguments(orders: &str, counts: Option<&Path>) -> Verify {
        Verify {
            variants: None,
            orders: orders.parse().unwrap(),
            counts: counts.map(Path::to_path_buf),
        }
    }

    fn verified(registry: &[Entry], arguments: &Verify) -> (Done, String) {
        let mut out = Vec::new();
        let done = run(arguments, registry, &mut out);
        (done, String::from_utf8(out).unwrap())
    }

    #[test]
    fn the_registry_is_as_it_must_be() {
        let (done, text) = verified(&REGISTRY, &arguments("0-7", None));
        assert_eq!(done, Ok(()), "{text}");
        assert!(text.contains("all as they must be") && !text.contains("WRONG"), "{text}");
    }

    /// CLI-05 of the public reports: a wrong count ends in failure and says variant, order,
    /// expected and got; the rest is checked all the same.
    #[test]
    fn a_wrong_variant_ends_in_failure() {
        static WRONG: Variant = Variant::new(
            About {
                id: "wrong",
                summary: "counts one too many at order 5",
                complexity: "O(1)",
                source: "",
                follows: &[],
                recursive: false,
                tree: Tree::Own,
                largest_order: Order::MAX,
            },
            |order| {
                let total = u128::from(known::total(order).unwrap_or(0));
                Counts { total: total + u128::from(order.get() == 5), fundamental: None }
            },
        );
        let bitmask = *registry::find(&REGISTRY, "bitmask").unwrap();
        let registry = [Entry { variant: &WRONG, style: REGISTRY[0].style }, bitmask];
        let (done, text) = verified(&registry, &arguments("4-6", None));
        assert!(matches!(done, Err(Failure::Failed(_))));
        assert!(text.contains("WRONG: wrong at order 5: total: expected 10, got 11"), "{text}");
        assert!(text.lines().any(|line| line.starts_with("| bitmask       | 6 ")));
    }

    /// CSV-04 of the public reports: counts that a spreadsheet has rounded to 15 digits.
    #[test]
    fn a_damaged_table_is_found_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        let good =
            "order,total\n25,2207893435808352\n26,22317699616364044\n27,234907967154122528\n";
        std::fs::write(&path, good).unwrap();
        let (done, text) = verified(&REGISTRY, &arguments("0", Some(&path)));
        assert_eq!(done, Ok(()), "{text}");
        let damaged = good.replace("4044", "4000").replace("2528", "2500");
        std::fs::write(&path, damaged).unwrap();
        let (done, text) = verified(&REGISTRY, &arguments("0", Some(&path)));
        assert_eq!(done, Err(Failure::Failed("2 of 3 comparisons failed".to_owned())));
        let wrong = "order 27: total: expected 234907967154122528, got 234907967154122500";
        assert!(text.contains(wrong), "{text}");
        std::fs::write(&path, "order,total\n8,92\n9,3.5e2\n").unwrap();
        let (done, _) = verified(&REGISTRY, &arguments("0", Some(&path)));
        let Err(Failure::Failed(message)) = done else { panic!("{done:?}") };
        assert!(message.contains("line 3, column total: '3.5e2'"), "{message}");
    }

    /// CLI-05 of the public reports: the status is that of the verdict, whoever reads the output.
    #[test]
    fn a_closed_output_does_not_hide_a_failure() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        for (total, verdict) in [("92", Ok(())), ("93", Err(()))] {
            std::fs::write(&path, format!("order,total\n8,{total}\n")).unwrap();
            let mut out = Closed;
            let mut out = crate::output::Verdict::new(&mut out);
            let done = run(&arguments("0", Some(&path)), &REGISTRY, &mut out);
            assert_eq!(done.map_err(|failure| assert_ne!(failure, Failure::OutputClosed)), verdict);
        }
    }

    #[test]
    fn comparing_nothing_is_a_failure() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        std::fs::write(&path, "order,total\n").unwrap();
        let (done, _) = verified(&REGISTRY, &arguments("0", Some(&path)));
        assert!(matches!(done, Err(Failure::Failed(_))));
    }
}
