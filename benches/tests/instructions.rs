//! The instruction counter: the same counts every time, of every variant, for plain `cargo bench`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use lab::registry::REGISTRY;

fn has_valgrind() -> bool {
    let valgrind = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    valgrind.is_ok_and(|status| status.success())
}

/// Says that a test is skipped. Not by `eprintln!`, which the test runner keeps to itself.
fn skip(test: &str) {
    let mut errors = std::io::stderr();
    writeln!(errors, "SKIPPED {test}: valgrind is not installed").unwrap();
}

/// What `cargo bench` counts of the cases whose names match the pattern: the case and its
/// instructions.
fn counts(home: &Path, pattern: &str) -> Vec<(String, u64)> {
    let output = Command::new(env!("CARGO"))
        .args(["bench", "--quiet", "--package", "benches", "--bench", "instructions"])
        .arg("--manifest-path")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .args(["--", "--output-format=json", "--home"])
        .arg(home)
        .arg(pattern)
        // Tests run in their package's folder, from which a relative target directory is another.
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap())
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| {
            let summary: serde_json::Value = serde_json::from_str(line).unwrap();
            let count = &summary["profiles"][0]["data"]["total"]["metrics"]["Ir"]["values"]["new"];
            (summary["id"].as_str().unwrap().to_owned(), count.as_u64().unwrap())
        })
        .collect()
}

#[test]
fn counts_are_repeatable_to_the_digit_and_grow_with_the_order() {
    if !has_valgrind() {
        return skip("counts_are_repeatable_to_the_digit");
    }
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let pattern = "*::count::order_[4-8]_*";
    let mut counted = counts(first.path(), pattern);
    let mut again = counts(second.path(), pattern);
    assert_eq!(counted.len(), 5 * REGISTRY.len());
    counted.sort();
    again.sort();
    for ((id, count), (_, again)) in counted.iter().zip(&again) {
        let position = id.rsplit('_').next().and_then(|position| position.parse::<usize>().ok());
        // How often the caller looks whether its threads have ended is different each time.
        let most = if REGISTRY[position.unwrap()].variant.always_shares() { count / 20 } else { 0 };
        assert!(count.abs_diff(*again) <= most, "{id}: {count} and {again}");
    }
    for (position, entry) in REGISTRY.iter().enumerate() {
        let of_variant: Vec<u64> = (4..=8)
            .map(|order| {
                let id = format!("order_{order}_{position}");
                counted.iter().find(|(found, _)| *found == id).unwrap().1
            })
            .collect();
        // Odd orders cost more than the even ones beside them where the board is cut in half.
        assert!(
            of_variant.windows(3).all(|n| n[0] < n[2]),
            "{}: {of_variant:?}",
            entry.variant.id()
        );
        assert!(of_variant[0] > 100 && of_variant[4] > 10_000, "{of_variant:?}");
    }
}

/// The extra work of the planted variants is what their names say, to a hundredth of a per cent.
#[test]
fn planted_work_is_what_it_is_said_to_be() {
    if !has_valgrind() {
        return skip("planted_work_is_what_it_is_said_to_be");
    }
    let home = tempfile::tempdir().unwrap();
    let mut counted = counts(home.path(), "*::planted_count::*");
    counted.sort();
    let [(_, without), planted @ ..] = &counted[..] else { panic!("{counted:?}") };
    assert_eq!(planted.len(), 3);
    for ((_, count), percent) in planted.iter().zip([1.0, 2.0, 5.0]) {
        let more = 100.0 * (*count as f64 / *without as f64 - 1.0);
        assert!((more - percent).abs() < 0.01, "{more} %, not {percent} %");
    }
}
