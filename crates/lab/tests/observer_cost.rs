//! The counting observer costs no instruction: a search written for any observer has exactly as
//! many as the same search written without one, counted by Callgrind.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn has_valgrind() -> bool {
    let valgrind = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    valgrind.is_ok_and(|status| status.success())
}

/// Builds the example as it is measured: optimised, with the checks of a release build.
fn build() -> PathBuf {
    let output = Command::new(env!("CARGO"))
        .args(["build", "--release", "--package", "lab", "--example", "observer_cost"])
        .args(["--message-format", "json-render-diagnostics", "--manifest-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        // Tests run in their package's folder, from which a relative target directory is another.
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap())
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    assert!(output.status.success(), "the example cannot be built");
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .find(|message| message["target"]["name"] == "observer_cost")
        .and_then(|message| message["executable"].as_str().map(PathBuf::from))
        .unwrap()
}

/// The instructions inside the call, and what the program printed.
fn count(program: &Path, arguments: &[&str]) -> (u64, String) {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg("--toggle-collect=lab::call::call")
        .arg("--toggle-collect=queens::parts::count_part")
        .arg(program)
        .args(arguments)
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    let collected = words.lines().find_map(|line| line.split_once("Collected : "));
    let (_, number) = collected.unwrap_or_else(|| panic!("no count in: {words}"));
    (number.trim().parse().unwrap(), String::from_utf8(output.stdout).unwrap())
}

/// Says that a test is skipped. Not by `eprintln!`, which the test runner keeps to itself.
fn skip(test: &str) {
    let mut errors = std::io::stderr();
    writeln!(errors, "SKIPPED {test}: valgrind is not installed").unwrap();
}

/// PAR-06 of the public reports: the instructions of a shared call are those of all threads, as many
/// however many there are.
#[test]
fn instructions_are_counted_on_every_thread() {
    if !has_valgrind() {
        return skip("instructions_are_counted_on_every_thread");
    }
    let program = build();
    let (alone, total) = count(&program, &["bitmask", "real", "9"]);
    assert_eq!(total, "352\n");
    let [one, four] = ["1", "4"].map(|threads| {
        let (count, total) = count(&program, &["threads", "real", "9", threads]);
        assert_eq!(total, "352\n", "{threads} threads");
        count
    });
    assert!(one as f64 > 0.9 * alone as f64, "{one} of {alone}");
    assert!(
        (four as f64 / one as f64 - 1.0).abs() < 0.05,
        "{one} with one thread, {four} with four"
    );
}

#[test]
fn the_counting_observer_costs_no_instruction() {
    if !has_valgrind() {
        return skip("the_counting_observer_costs_no_instruction");
    }
    let program = build();
    for variant in ["bitmask", "prefix-check"] {
        let (real, real_total) = count(&program, &[variant, "real", "8"]);
        let (twin, twin_total) = count(&program, &[variant, "twin", "8"]);
        assert_eq!((real_total.as_str(), twin_total.as_str()), ("92\n", "92\n"), "{variant}");
        assert!(real > 50_000, "{variant}: {real} instructions are not a search");
        assert_eq!(real, twin, "{variant}: instructions with an observer and without");
    }
}
