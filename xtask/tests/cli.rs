//! The commands as a person runs them: output, errors and exit statuses of the built program.

use std::fmt::Write;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn xtask(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(arguments).stdin(Stdio::null()).env("RUST_BACKTRACE", "0");
    command
}

fn run(arguments: &[&str]) -> Output {
    xtask(arguments).output().unwrap()
}

/// What a command prints that must succeed, whatever it notes on standard error.
fn run_with_notes(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What a command prints that must succeed and say nothing on standard error.
fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "{arguments:?}");
    text(&output.stdout)
}

/// The one line that a command says that must fail with nothing on standard output.
fn refusal(arguments: &[&str], status: i32) -> String {
    let output = run(arguments);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {message}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    assert_eq!(message.trim_end().lines().count(), 1, "{arguments:?}: {message}");
    assert!(message.starts_with("error: ") && !message.contains("backtrace"), "{message}");
    message
}

#[test]
fn help_at_every_level_has_examples() {
    let top = printed(&["--help"]);
    assert_eq!(top, printed(&[]));
    for command in [
        "bench",
        "compare",
        "explain",
        "diff",
        "growth",
        "calibrate",
        "list",
        "verify",
        "count",
        "solve",
        "chart",
        "table",
        "splice",
        "plot",
        "report",
        "completions",
    ] {
        assert!(top.contains(command));
        let help = printed(&[command, "--help"]);
        assert!(help.contains("Example") && help.contains("Exit status: 0"), "{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    }
}

#[test]
fn help_says_how_it_is_done() {
    assert!(printed(&["bench", "--help"]).contains("iai-callgrind, where valgrind is installed"));
    assert!(printed(&["verify", "--help"]).contains("shares no code with any variant"));
}

#[test]
fn completions_for_each_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        assert!(script.contains("bench") && script.contains("variants"), "{shell}");
    }
}

/// CLI-01 and BND-06 of the public reports: refused at once, in one line with the accepted range.
#[test]
fn orders_that_are_none_are_refused() {
    for order in [
        "-1",
        "",
        "8 ",
        "+8",
        "08",
        "8.0",
        "1e1",
        "0x8",
        "acht",
        "８",
        "8,10",
        "10..4",
        "129",
        "1000000",
        "4294967296",
        "18446744073709551616",
        "99999999999999999999999",
    ] {
        for command in ["count", "solve"] {
            let start = Instant::now();
            let message = refusal(&[command, order], 2);
            assert!(message.contains(&format!("'{order}'")), "{message}");
            assert!(message.contains("from 0 to 128"), "{message}");
            assert!(start.elapsed() < Duration::from_secs(5));
        }
    }
    assert!(refusal(&["bench", "--orders", "10..4"], 2).contains("'10..4'"));
}

/// CLI-06 of the public reports: a name that matches nothing is an error that lists the names.
#[test]
fn unknown_names_are_refused_with_the_known_ones() {
    for arguments in [
        &["bench", "--variants", "bitmsak"][..],
        &["bench", "--baseline", "bitmsak"],
        &["verify", "--variants", "bitmsak"],
        &["count", "8", "--variant", "bitmsak"],
        &["solve", "8", "--variant", "bitmsak"],
    ] {
        let message = refusal(arguments, 2);
        assert!(message.contains("'bitmsak'") && message.contains("prefix-check"), "{message}");
    }
    let message = refusal(&["bench", "--variants", "bitmask", "--baseline", "symmetry"], 2);
    assert!(
        message.contains("'symmetry'") && message.contains("measured are bitmask"),
        "{message}"
    );
}

/// OVF-01 of the public reports: never a number at once from a mask that has wrapped. The counts
/// start, say that they will take ages, and are ended here; an answer would be a wrong one.
#[test]
fn orders_at_and_above_the_word_widths_do_not_wrap() {
    for order in ["32", "33", "36", "40", "64", "72", "128"] {
        for variant in ["bitmask", "symmetry"] {
            let mut child = xtask(&["count", order, "--variant", variant])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let mut words = String::new();
            BufReader::new(child.stderr.take().unwrap()).read_line(&mut words).unwrap();
            assert!(words.contains("takes about") && words.contains("years"), "{words}");
            // A wrapped mask answers within microseconds of this line.
            std::thread::sleep(Duration::from_millis(50));
            let ended = child.try_wait().unwrap();
            child.kill().unwrap();
            child.wait().unwrap();
            let mut answer = String::new();
            child.stdout.take().unwrap().read_to_string(&mut answer).unwrap();
            assert!(ended.is_none() && answer.is_empty(), "{variant} {order}: {answer}");
        }
    }
}

/// CLI-11, PAR-01 and PAR-02 of the public reports: any number of threads gives the same count, none is
/// refused, and what the environment says of it is of no account.
#[test]
fn counts_do_not_depend_on_threads() {
    for variant in ["threads", "lanes"] {
        for (order, total) in [("1", 1), ("2", 0), ("4", 2), ("8", 92), ("10", 724)] {
            for threads in ["1", "3", "7", "16", "1000"] {
                let answer = printed(&["count", order, "--variant", variant, "--threads", threads]);
                assert!(answer.contains(&format!("total:       {total}\n")), "{answer}");
            }
        }
        let arguments = ["count", "8", "--variant", variant];
        let output = xtask(&arguments).env("RAYON_NUM_THREADS", "0").output().unwrap();
        assert!(text(&output.stdout).contains("total:       92\n"));
    }
    let message = refusal(&["count", "8", "--threads", "0"], 2);
    assert!(message.contains("'0'") && message.contains("from 1 to 1024"), "{message}");
    let message = refusal(&["count", "8", "--variant", "mirror", "--threads", "2"], 2);
    assert!(message.contains("mirror counts in one piece"), "{message}");
}

/// DIS-03 and DIS-04 of the public reports: what cannot be resumed is refused by name and left as it is.
#[test]
fn a_checkpoint_is_of_one_count() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("count.json");
    let file = path.to_str().unwrap();
    let message = refusal(&["count", "9", "--checkpoint", file, "--resume"], 1);
    assert!(message.contains("count.json"), "{message}");
    std::fs::write(&path, "{}").unwrap();
    let message = refusal(&["count", "9", "--checkpoint", file, "--resume"], 1);
    assert!(message.contains("is not a checkpoint"), "{message}");
    let parts = |counts: &str, order: usize, variant: &str, parts: usize| {
        format!(
            "{{\"schema\": 1, \"order\": {order}, \"variant\": \"{variant}\", \"cut\": \"0\", \
             \"parts\": {parts}, \"counts\": {{{counts}}}}}"
        )
    };
    let real = printed(&["count", "9", "--variant", "lanes"]);
    let number = real.split("counted:     ").nth(1).unwrap().split(' ').next().unwrap();
    let number: usize = number.parse().unwrap();
    for (content, word) in [
        (parts("", 10, "lanes", number), "the order is another one"),
        (parts("", 9, "threads", number), "the variant is another one"),
        (parts("", 9, "lanes", number + 1), "the number of parts is another one"),
        (parts("", 9, "lanes", number), "the way of cutting into parts is another one"),
        (parts("\"0\": \"x\"", 9, "lanes", number), "'x' placements"),
    ] {
        std::fs::write(&path, &content).unwrap();
        let message = refusal(&["count", "9", "--checkpoint", file, "--resume"], 1);
        assert!(message.contains(word), "{message}");
        // What is there is not overwritten by a new count either.
        let message = refusal(&["count", "9", "--checkpoint", file], 1);
        assert!(message.contains("count.json") && message.contains("remove it"), "{message}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
    }
    let place = folder.path().to_str().unwrap();
    let message = refusal(&["count", "9", "--checkpoint", place], 1);
    assert!(message.contains("is not a file"), "{message}");
    let nowhere = folder.path().join("none/count.json");
    let message = refusal(&["count", "9", "--checkpoint", nowhere.to_str().unwrap()], 1);
    assert!(message.contains("none/count.json"), "{message}");
}

#[test]
fn counts_name_their_kind() {
    let answer = printed(&["count", "8", "--variant", "symmetry"]);
    for line in ["total:       92", "fundamental: 12", "variant:     symmetry"] {
        assert!(answer.contains(line), "{answer}");
    }
    // MEA-10 of the public reports: a time of a debug build says that it is one.
    assert_eq!(answer.contains("a debug build"), cfg!(debug_assertions), "{answer}");
}

/// COR-01 of the public reports: no board, words on standard error, and no failure.
#[test]
fn an_order_without_a_placement_is_said_in_words() {
    for order in ["2", "3"] {
        let output = run(&["solve", order, "--all"]);
        assert!(output.status.success());
        assert_eq!(text(&output.stdout), "");
        let words =
            format!("There is no placement of {order} queens on a board of order {order}.\n");
        assert_eq!(text(&output.stderr), words);
    }
}

#[test]
fn placements_in_every_form() {
    for (form, first) in [
        ("hash", "placement 1\n. # . .\n"),
        ("circles", "placement 1\n○●○○\n"),
        ("letters", "placement 1\nx Q x x\n"),
        ("pairs", "1: (1,2) (2,4) (3,1) (4,3)\n"),
        ("strings", "[\".Q..\",\"...Q\",\"Q...\",\"..Q.\"]\n"),
        ("json", "{\"placement\":1,\"columns\":[2,4,1,3]}\n"),
        ("csv", "placement,images,columns\n1,,2 4 1 3\n"),
    ] {
        assert!(printed(&["solve", "4", "--format", form]).starts_with(first), "{form}");
    }
    let fundamental = printed(&["solve", "8", "--all", "--fundamental", "--format", "json"]);
    assert_eq!(fundamental.lines().count(), 12);
    let images: u32 = fundamental
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["images"].as_u64())
        .map(|images| u32::try_from(images.unwrap()).unwrap())
        .sum();
    assert_eq!(images, 92);
}

/// CLI-02 of the public reports: a reader that goes away ends the command, quietly and at once.
#[test]
fn a_closed_output_is_a_quiet_end() {
    for arguments in [
        &["solve", "14", "--all"][..],
        &["solve", "13", "--all", "--format", "json"],
        &["verify", "--orders", "0-9"],
        &["list"],
        &["completions", "bash"],
    ] {
        let mut child =
            xtask(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut output = child.stdout.take().unwrap();
        let _ = output.read(&mut [0; 1]);
        drop(output);
        let ended = child.wait_with_output().unwrap();
        assert_eq!(text(&ended.stderr), "", "{arguments:?}");
        assert!(ended.status.success(), "{arguments:?}");
    }
}

/// CLI-09 of the public reports: what goes into a pipe has no colours.
#[test]
fn no_escapes_in_a_pipe() {
    for arguments in [&["list"][..], &["verify", "--orders", "4"], &["--help"], &["count", "x"]] {
        let output = run(arguments);
        assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b), "{arguments:?}");
    }
}

#[test]
fn verify_compares_and_says_so() {
    let table = printed(&["verify", "--orders", "0-8"]);
    assert!(table.contains("all as they must be."), "{table}");
    assert!(table.lines().filter(|line| line.starts_with("| symmetry")).count() == 9);
}

/// ENV-09 of the public reports: a place that cannot hold a run is refused before anything is
/// built or measured.
#[test]
fn bench_refuses_places_that_cannot_hold_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "kept").unwrap();
    let start = Instant::now();
    for place in [file.to_str().unwrap(), folder.path().to_str().unwrap(), "/dev/full", "/proc/x"] {
        let message = refusal(&["bench", "--quick", "--instruments", "time", "--out", place], 1);
        assert!(message.contains(place), "{message}");
    }
    assert!(start.elapsed() < Duration::from_secs(20), "nothing may have been built");
    assert_eq!(fs::read_to_string(&file).unwrap(), "kept");
}

/// ENV-01 and ENV-05 of the public reports: asked for by name, instructions need a valgrind that
/// runs; found out first, with what to do or the tool's own words.
#[test]
fn bench_says_why_instructions_cannot_be_counted() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["bench", "--quick", "--instruments", "instructions", "--out"];
    let refuse = || {
        let out = folder.path().join("run");
        let output = xtask(&arguments).arg(&out).env("PATH", folder.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(!out.exists());
        text(&output.stderr)
    };
    assert!(refuse().contains("valgrind is not installed; install valgrind"));
    let valgrind = folder.path().join("valgrind");
    fs::write(&valgrind, "not a program").unwrap();
    assert!(refuse().contains("install valgrind"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let script =
            "#!/bin/sh\necho '==7== valgrind: Fatal error at startup: no symbols' >&2\nexit 1\n";
        fs::write(&valgrind, script).unwrap();
        fs::set_permissions(&valgrind, fs::Permissions::from_mode(0o755)).unwrap();
        let words = refuse();
        assert!(words.contains("valgrind: Fatal error at startup: no symbols"), "{words}");
    }
}

const HEADER: &str = "variant,order,total,fundamental,median_ns,low_ns,high_ns,rounds,samples,\
                      iterations,reason,status\n";

/// A run's folder with these rows of `measurements.csv`, times only.
fn run_folder(rows: &[(&str, usize, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut text = HEADER.to_owned();
    for (variant, order, median) in rows {
        let variant = variant.replace('"', "\"\"");
        writeln!(text, "\"{variant}\",{order},,,{median},,,6,60,600,,measured").unwrap();
    }
    fs::write(folder.path().join("measurements.csv"), text).unwrap();
    folder
}

/// Draws and reports without the system's fonts, as on a bare machine (PLT-01).
fn redraw(folder: &Path) -> (Output, Vec<String>) {
    let report = xtask(&["report"])
        .arg(folder)
        .env("FONTCONFIG_FILE", "/dev/null")
        .env("HOME", "/nonexistent")
        .env("LC_ALL", "de_DE.UTF-8")
        .output()
        .unwrap();
    let mut texts = Vec::new();
    for name in ["time", "speedup", "ranking"] {
        let Ok(svg) = fs::read_to_string(folder.join(format!("charts/{name}.svg"))) else {
            continue;
        };
        let document = roxmltree::Document::parse(&svg).unwrap_or_else(|e| panic!("{name}: {e}"));
        let all = document.descendants().filter(|node| node.has_tag_name("text"));
        texts.extend(all.filter_map(|node| node.text()).map(|text| text.trim().to_owned()));
        let png = fs::read(folder.join(format!("charts/{name}.png"))).unwrap();
        assert!(png.starts_with(b"\x89PNG") && png.len() > 5000, "{name}");
    }
    (report, texts)
}

/// PLT-01, PLT-08 and PLT-10 of the public reports: labels without fonts, literal whatever they
/// say, and only the orders that were measured.
#[test]
fn charts_have_their_labels_on_a_bare_machine() {
    let odd = "A&B <fast> 50% \"q\"";
    let folder = run_folder(&[(odd, 8, "5000"), (odd, 10, "70000"), ("bitmask", 8, "4000")]);
    let (report, texts) = redraw(folder.path());
    assert!(report.status.success(), "{}", text(&report.stderr));
    for label in [odd, "bitmask", "8", "10", "10 µs", "order"] {
        assert!(texts.iter().any(|text| text == label), "{label} is not in {texts:?}");
    }
    assert!(!texts.iter().any(|text| text == "9" || text.contains("8.5")), "{texts:?}");
    let report = xtask(&["report", "--baseline", odd]).arg(folder.path()).output().unwrap();
    assert!(report.status.success(), "{}", text(&report.stderr));
    let markdown = fs::read_to_string(folder.path().join("report.md")).unwrap();
    assert!(markdown.contains("A&amp;B &lt;fast&gt; 50% \"q\""), "{markdown}");
    assert!(!markdown.contains("<fast>"), "{markdown}");
}

/// PLT-03 and CSV-07 of the public reports: values that no time can have are left out and
/// mentioned; a missing one is a gap and no rank.
#[test]
fn impossible_and_missing_times_are_left_out() {
    let folder = run_folder(&[
        ("bitmask", 8, "4000"),
        ("bitmask", 9, "30000"),
        ("bitmask", 10, ""),
        ("symmetry", 8, "0"),
        ("symmetry", 9, "-1"),
        ("symmetry", 10, "NaN"),
        ("array-2d", 8, "inf"),
        ("array-2d", 9, "1200000"),
        ("array-2d", 10, "6000000"),
    ]);
    let start = Instant::now();
    let (report, texts) = redraw(folder.path());
    assert!(report.status.success() && start.elapsed() < Duration::from_secs(20));
    let notes = text(&report.stderr);
    for note in [
        "symmetry at order 8: a median of 0 ns",
        "order 9: a median of -1 ns",
        "array-2d at order 8",
    ] {
        assert!(notes.contains(note), "{notes}");
    }
    assert!(texts.iter().any(|text| text == "bitmask"));
    let markdown = fs::read_to_string(folder.path().join("report.md")).unwrap();
    assert!(markdown.contains("| 10 | 6.0 ms | n/a | n/a |"), "{markdown}");
    assert!(markdown.contains("## Ranking at order 9\n"), "{markdown}");
}

/// PLT-04 of the public reports: one row, equal rows, no row.
#[test]
fn charts_of_almost_nothing() {
    let (report, _) = redraw(run_folder(&[("bitmask", 8, "4000")]).path());
    assert!(report.status.success(), "{}", text(&report.stderr));
    let equal = [("bitmask", 8, "4000"), ("bitmask", 9, "4000"), ("symmetry", 8, "4000")];
    let (report, _) = redraw(run_folder(&equal).path());
    assert!(report.status.success(), "{}", text(&report.stderr));
    let empty = run_folder(&[]);
    let (report, _) = redraw(empty.path());
    assert_eq!(report.status.code(), Some(1));
    assert!(text(&report.stderr).contains("nothing to show"));
    assert!(!empty.path().join("charts").exists());
}

/// Charts in any theme, size and form, named by what is not as in the run's own; and what cannot be drawn.
#[test]
fn charts_are_drawn_as_they_are_asked_for() {
    let folder =
        run_folder(&[("array-2d", 8, "5000"), ("array-2d", 9, "70000"), ("bitmask", 8, "4000")]);
    let place = folder.path().to_str().unwrap();
    let out = folder.path().join("figures");
    let out_name = out.to_str().unwrap();
    let output = run_with_notes(&[
        "chart",
        "time",
        "ranking",
        "time",
        "--run",
        place,
        "--theme",
        "print",
        "--size",
        "160mmx120mm",
        "--format",
        "svg,png,pdf",
        "--out",
        out_name,
    ]);
    for name in ["time-print-605x454", "ranking-print-605x454"] {
        for (ending, start) in [("svg", &b"<svg"[..]), ("png", b"\x89PNG"), ("pdf", b"%PDF-")] {
            let path = out.join(format!("{name}.{ending}"));
            assert!(output.contains(&format!("{name}.{ending}")), "{output}");
            assert!(fs::read(&path).unwrap().starts_with(start), "{}", path.display());
        }
    }
    let svg = fs::read_to_string(out.join("time-print-605x454.svg")).unwrap();
    assert!(svg.contains("width=\"605\" height=\"454\""), "{svg}");
    let all = run_with_notes(&["chart", "--run", place, "--format", "svg", "--out", out_name]);
    assert_eq!(all.lines().count(), 5, "{all}");
    for (arguments, status, words) in [
        (&["chart", "noise"][..], 1, "has no value for the chart 'noise'"),
        (&["chart", "ranking", "--order", "12"], 1, "no value for the chart 'ranking' at order 12"),
        (&["chart", "time", "--order", "8"], 2, "--order is for charts of one order: ranking"),
        (&["chart", "noise", "--scale", "log"], 2, "--scale is for: time, ranking"),
        (&["chart", "--size", "300x200"], 1, "does not fit into 300x200 pixels: it takes"),
        (&["chart", "--baseline", "lanes"], 2, "it has array-2d, bitmask"),
    ] {
        let output = run(&[arguments, &["--run", place, "--out", out_name]].concat());
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{message}");
        assert!(message.contains(words), "{message}");
    }
}

/// A drawn chart that is checked: what the data say, of other data, edited, and none of ours.
#[test]
fn a_checked_chart_says_whether_it_still_holds() {
    let folder = tempfile::tempdir().unwrap();
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reports/reference");
    for entry in fs::read_dir(&reference).unwrap().map(Result::unwrap) {
        if entry.path().is_file() {
            fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
        }
    }
    let place = folder.path().to_str().unwrap();
    let out = folder.path().join("figures");
    printed(&["chart", "time", "frontier", "--run", place, "--out", out.to_str().unwrap()]);
    let path = |name: &str| out.join(name).to_str().unwrap().to_owned();
    let files = [path("time.svg"), path("time.png"), path("frontier.svg")];
    let check = |files: &[String]| {
        let mut command = xtask(&["chart", "--check"]);
        let output = command.args(files).output().unwrap();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (status, said, _) = check(&files);
    assert_eq!(status, Some(0), "{said}");
    assert_eq!(said.matches("still what the data of reference say").count(), 3, "{said}");
    let times = folder.path().join("measurements.csv");
    let text_of = fs::read_to_string(&times).unwrap();
    fs::write(&times, text_of.replacen("array-2d,8,92,12,2", "array-2d,8,92,12,3", 1)).unwrap();
    fs::write(&files[2], fs::read_to_string(&files[2]).unwrap().replace("#222222", "#222223"))
        .unwrap();
    let (status, said, words) = check(&[&files[..], &[path("no.svg")]].concat());
    assert_eq!(status, Some(1), "{said}");
    assert!(words.starts_with("error: of 4 charts: 3 stale, 1 not checked"), "{words}");
    assert_eq!(said.matches("STALE: the data of reference are others").count(), 3, "{said}");
    assert!(said.contains("no.svg: NOT CHECKED: cannot be read"), "{said}");
    fs::write(&times, text_of).unwrap();
    let (_, said, _) = check(&files[2..]);
    assert!(said.contains("STALE: the data of reference are the same, but the drawing"), "{said}");
}

/// DOC-01 of the public reports: tables, charts and numbers that documents quote are those of the run's files.
#[test]
fn what_is_quoted_is_what_the_reference_run_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let place = |name: &str| root.join(name).to_str().unwrap().to_owned();
    let reference = place("reports/reference");
    printed(&["splice", &place("README.md"), "--run", &reference, "--check"]);
    let charts = fs::read_dir(root.join("reports/reference/charts")).unwrap();
    let charts: Vec<String> = charts
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "svg"))
        .map(|path| path.to_str().unwrap().to_owned())
        .collect();
    assert!(charts.len() >= 11, "{charts:?}");
    let mut arguments = vec!["chart", "--check"];
    arguments.extend(charts.iter().map(String::as_str));
    printed(&arguments);
}

/// A document is filled from a run, found stale when it no longer says what the run says, and left as it was
/// where a region cannot be filled.
#[test]
fn a_document_is_filled_and_checked() {
    let folder = run_folder(&[("array-2d", 8, "5000"), ("bitmask", 8, "4000")]);
    let place = folder.path().to_str().unwrap();
    let document = folder.path().join("article.md");
    let name = document.to_str().unwrap();
    let regions = "It takes <!-- number bitmask-8-time -->9 s<!-- /number -->.\n\n<!-- table ranking -->\n\
                   <!-- /table -->\n\n<!-- chart ranking -->\n<!-- /chart -->\n";
    fs::write(&document, regions).unwrap();
    let check = || run(&["splice", name, "--run", place, "--check"]);
    // A picture that is not there cannot be shown.
    let refused = run(&["splice", name, "--run", place]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("ranking.svg is not there, or not what the data say"));
    run_with_notes(&["plot", place]);
    let stale = check();
    assert_eq!(stale.status.code(), Some(1));
    assert!(text(&stale.stdout).contains("article.md:1: STALE: number bitmask-8-time"));
    assert_eq!(fs::read_to_string(&document).unwrap(), regions);
    let filled = run_with_notes(&["splice", name, "--run", place]);
    assert_eq!(filled.matches(": filled: ").count(), 3, "{filled}");
    let article = fs::read_to_string(&document).unwrap();
    assert!(article.contains("<!-- number bitmask-8-time -->4.0 µs<!-- /number -->"), "{article}");
    assert!(article.contains("| bitmask | 4.0 µs | n/a |"), "{article}");
    assert!(article.contains("(charts/ranking.svg)"), "{article}");
    assert!(check().status.success());
    for (region, words) in [
        (
            "<!-- number bitmask-9-time --><!-- /number -->",
            "line 1: 'bitmask-9-time' is not a number",
        ),
        (
            "<!-- table rankin -->\n<!-- /table -->",
            "'rankin' is not a table: the tables are variants",
        ),
        ("<!-- chart noise -->\n<!-- /chart -->", "no value for the chart 'noise'"),
        ("<!-- table ranking -->", "has no end"),
    ] {
        fs::write(&document, region).unwrap();
        let refused = run(&["splice", name, "--run", place]);
        let message = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{message}");
        assert!(message.contains(words) && message.contains("article.md"), "{message}");
        assert_eq!(fs::read_to_string(&document).unwrap(), region);
    }
}

/// DOC-02 and DOC-04 of the public reports: what was not computed is no zero, and every count says its kind.
#[test]
fn tables_say_what_was_not_measured() {
    let folder = run_folder(&[("array-2d", 8, "5000"), ("bitmask", 8, ""), ("bitmask", 9, "4000")]);
    let place = folder.path().to_str().unwrap();
    let table = |names: &[&str], form: &str| {
        run_with_notes(&[&["table"][..], names, &["--run", place, "--format", form]].concat())
    };
    let times = table(&["times"], "csv");
    assert_eq!(times, "order,array-2d,bitmask\n8,5.0 µs,n/a\n9,n/a,4.0 µs\n");
    assert!(table(&["times"], "typst").contains("\"n/a\""));
    assert!(!table(&["numbers"], "latex").contains("labBitmaskEightTime"));
    let both = table(&["times", "numbers"], "html");
    assert_eq!(both.matches("<table>").count(), 2, "{both}");
    let refused = run(&["table", "noise", "--run", place]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("no value for the table 'noise'"));
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reports/reference");
    let ranking = printed(&["table", "ranking", "--run", reference.to_str().unwrap()]);
    let header = ranking.lines().next().unwrap();
    assert!(header.contains("| total | fundamental |"), "{header}");
}

/// MEA-08 and CSV-09 of the public reports: factors over many decades, units in any spelling.
#[test]
fn speedups_say_how_many_times_as_fast() {
    let folder = run_folder(&[
        ("array-2d", 8, "1.77 ms"),
        ("bitmask", 8, "3.44 ns"),
        ("array-2d", 9, "97 s"),
        ("bitmask", 9, "17 s"),
        ("array-2d", 10, "1.00 µs"),
        ("bitmask", 10, "1.00 us"),
    ]);
    let (report, texts) = redraw(folder.path());
    assert!(report.status.success(), "{}", text(&report.stderr));
    let markdown = fs::read_to_string(folder.path().join("report.md")).unwrap();
    // Without samples nothing says how sure a factor is: it has two digits.
    for row in [
        "| 8 | 1× | 510,000×, not separated |",
        "| 9 | 1× | 5.7×, not separated |",
        "| 10 | 1× | 1.0×, not separated |",
    ] {
        assert!(markdown.contains(row), "{row} is not in {markdown}");
    }
    assert!(texts.iter().any(|text| text.starts_with("speedup over array-2d")), "{texts:?}");
}

/// CSV-02, CSV-06 and CSV-11 of the public reports: refused by file, line and column.
#[test]
fn a_file_that_is_not_as_it_was_written_is_refused() {
    let folder = run_folder(&[("bitmask", 8, "4000.5"), ("symmetry", 8, "2000.5")]);
    let path = folder.path().join("measurements.csv");
    let good = fs::read_to_string(&path).unwrap();
    for (bad, words) in [
        (good.replace(',', ";").replace('.', ","), "measurements.csv: line 1, column 1"),
        (good.replace("4000.5", "\"4000,5\""), "line 2, column median_ns: '4000,5'"),
        (good[..good.len() - 12].to_owned(), "line 3"),
        (format!("{good}{good}"), "line 4, column order: 'order'"),
        (good.replace("median_ns", "median_parsecs"), "'parsecs' is not a unit of time"),
    ] {
        fs::write(&path, bad).unwrap();
        let message = refusal(&["plot", folder.path().to_str().unwrap()], 1);
        assert!(message.contains(words), "{message}");
    }
    fs::write(&path, format!("\u{feff}{}\r\n\r\n", good.replace('\n', "\r\n"))).unwrap();
    let (report, _) = redraw(folder.path());
    assert!(report.status.success(), "{}", text(&report.stderr));
}

#[test]
fn a_baseline_that_the_run_does_not_have_is_refused() {
    let folder = run_folder(&[("bitmask", 8, "4000")]);
    let path = folder.path().to_str().unwrap();
    let output = run(&["report", path, "--baseline", "symmetry"]);
    let message = text(&output.stderr);
    assert_eq!((output.status.code(), message.lines().count()), (Some(2), 2), "{message}");
    assert!(message.contains("'symmetry'") && message.contains("it has bitmask"), "{message}");
    let message = refusal(&["plot", "no/such/run"], 1);
    assert!(message.contains("no/such/run is not the folder of a run"), "{message}");
}

/// MEA-03 of the public reports: too few of anything is refused before anything runs.
#[test]
fn amounts_that_cannot_be_measured_with_are_refused() {
    for (arguments, accepted) in [
        (&["bench", "--rounds", "0"][..], "1..=1000"),
        (&["bench", "--rounds", "-3"], "'-3'"),
        (&["bench", "--budget", "0s"], "at least 10s"),
        (&["bench", "--case-limit", "0s"], "at least 0.1s"),
        (&["bench", "--threshold", "5%"], "--against"),
        (&["bench", "--resume", "x", "--quick"], "--quick"),
        (&["compare", "bitmask"], "2 values required"),
        (&["compare", "bitmask", "bitmsak"], "prefix-check"),
        (&["compare", "bitmask", "symmetry", "--precision", "1"], "percent sign"),
        (&["compare", "bitmask", "symmetry", "--precision", "0%"], "percent sign"),
        (&["compare", "bitmask", "symmetry", "--order", "129"], "from 0 to 128"),
        (&["explain", "bitmask", "bitmask"], "against itself"),
        (&["explain", "bitmask", "symmetry", "--order", "13"], "4 to 12"),
        (&["calibrate", "--comparisons", "3"], "10..=10000"),
    ] {
        let message = refusal(arguments, 2);
        assert!(message.contains(accepted), "{message}");
    }
}

#[test]
fn runs_that_cannot_be_read_are_refused_by_name() {
    let nothing = tempfile::tempdir().unwrap();
    let edited = run_folder(&[("bitmask", 8, "4000")]);
    let (nothing, edited) = (nothing.path().to_str().unwrap(), edited.path().to_str().unwrap());
    for (arguments, words) in [
        (&["diff", nothing, nothing][..], "nothing to show"),
        (&["diff", edited, edited], "its machine is unknown"),
        (&["growth", nothing], "nothing to show"),
        (&["growth", edited], "nothing can be fitted"),
        (&["bench", "--resume", nothing], "has no run.json"),
        (&["bench", "--resume", "/no/such/run"], "is not the folder of a run"),
        (&["bench", "--against", nothing], "nothing to show"),
    ] {
        let message = refusal(arguments, 1);
        assert!(message.contains(words), "{message}");
    }
}

/// CLI-10 of the public reports: when the one that started a program is gone, so is the program, and
/// whatever it started.
#[cfg(unix)]
#[test]
fn a_guard_leaves_nothing_running() {
    let alive = |pid: &str| {
        Path::new("/proc").join(pid).join("stat").exists() && {
            // A dead process that nobody has asked for yet is not running.
            let stat = fs::read_to_string(Path::new("/proc").join(pid).join("stat"));
            stat.is_ok_and(|stat| !stat.contains(") Z "))
        }
    };
    if !Path::new("/proc/self/stat").exists() {
        return;
    }
    let mut child = xtask(&["--guard", "sh", "-c", "sleep 600 & echo $! $$; wait"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut words = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut words).unwrap();
    let pids: Vec<&str> = words.split_whitespace().collect();
    assert_eq!(pids.len(), 2, "{words}");
    assert!(pids.iter().all(|pid| alive(pid)));
    // As the system does it when the one that holds the pipe is killed.
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(128 + 9));
    let start = Instant::now();
    while pids.iter().any(|pid| alive(pid)) {
        assert!(start.elapsed() < Duration::from_secs(10), "{pids:?} are left running");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// ENV-07 of the public reports: how a program ended is told as it is.
#[cfg(unix)]
#[test]
fn a_guard_tells_how_its_program_ended() {
    for (script, code) in [("exit 7", 7), ("kill -ILL $$", 128 + 4), ("true", 0)] {
        let mut child =
            xtask(&["--guard", "sh", "-c", script]).stdin(Stdio::piped()).spawn().unwrap();
        // Dropping the pipe would end it: it is kept until the program has ended.
        let pipe = child.stdin.take();
        assert_eq!(child.wait().unwrap().code(), Some(code), "{script}");
        drop(pipe);
    }
}
