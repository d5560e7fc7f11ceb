//! The measuring instruments: building them, telling them what to do, reading what they say.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lab::plan::InstructionCase;
use lab::protocol::{Answer, Task};
use lab::registry::REGISTRY;

use crate::output::{Failure, failed, say};

/// Where the built instruments are.
#[derive(Debug)]
pub struct Instruments {
    wall_clock: PathBuf,
    instructions: PathBuf,
    /// Whether addresses can be had without randomisation.
    fixed_addresses: bool,
    /// The optimisation level that Cargo says it built with.
    pub opt_level: String,
}

/// What to install where valgrind is missing.
const VALGRIND_HINT: &str = "install valgrind, for example with 'apt-get install valgrind'";

/// Builds the instruments as `cargo bench` does. Cargo's own messages go to standard error.
pub fn build(root: &Path) -> Result<Instruments, Failure> {
    say("Building the instruments, which takes minutes the first time …");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command
        // From where the user stands, so that a relative target directory is the same one.
        .args(["bench", "--package", "benches", "--benches", "--no-run", "--quiet"])
        .args(["--message-format", "json-render-diagnostics", "--manifest-path"])
        .arg(root.join("Cargo.toml"))
        .stdin(Stdio::null())
        .stderr(Stdio::inherit());
    quieten(&mut command);
    let output = command
        .output()
        .map_err(|error| failed(format!("cannot start cargo to build the instruments: {error}")))?;
    if !output.status.success() {
        return Err(failed("the instruments cannot be built; cargo's messages above say why"));
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let find = |name| {
        artifact(&messages, name)
            .ok_or_else(|| failed(format!("cargo does not say where it built {name}")))
    };
    let (wall_clock, opt_level) = find("wall_clock")?;
    Ok(Instruments {
        wall_clock,
        opt_level,
        instructions: find("instructions")?.0,
        fixed_addresses: can_switch_off_randomisation(),
    })
}

/// The program of the bench target `name` in Cargo's messages, and its optimisation level.
fn artifact(messages: &str, name: &str) -> Option<(PathBuf, String)> {
    messages.lines().find_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        let target = message.get("target")?;
        let is_bench = target.get("kind")?.as_array()?.iter().any(|kind| kind == "bench");
        if !is_bench || target.get("name")? != name {
            return None;
        }
        let program = message.get("executable")?.as_str()?;
        let level = message.pointer("/profile/opt_level")?.as_str()?;
        Some((PathBuf::from(program), level.to_owned()))
    })
}

/// Nothing in the environment may redirect an instrument's files or change how it measures.
fn quieten(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let prefixes = ["GUNGRAUN_", "IAI_CALLGRIND_", "CARGO_PROFILE_", "CRITERION_HOME"];
        if prefixes.iter().any(|prefix| text.starts_with(prefix)) {
            command.env_remove(&name);
        }
    }
}

/// Whether valgrind can count instructions here: its version, or why not and what helps.
pub fn valgrind() -> Result<String, String> {
    let output = Command::new("valgrind").arg("--version").stdin(Stdio::null()).output();
    let output = output.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("valgrind is not installed; {VALGRIND_HINT}"),
        _ => format!("valgrind cannot be started ({error}); {VALGRIND_HINT}"),
    })?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    // A version is no proof: without a usable loader every program is refused. A trial run of this
    // very program is.
    let this = std::env::current_exe().map_err(|error| format!("cannot try valgrind: {error}"))?;
    let trial = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(this)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("valgrind cannot be started ({error}); {VALGRIND_HINT}"))?;
    if output.status.success() && trial.status.success() {
        return Ok(version);
    }
    let all = [output.stdout, output.stderr, trial.stderr].concat();
    Err(format!("valgrind cannot run programs here: {}", explain(&String::from_utf8_lossy(&all))))
}

/// The line of a program's output that says what went wrong, as well as can be told.
fn complaint(text: &str) -> String {
    let lines = || text.lines().map(strip_process).filter(|line| !line.is_empty());
    let words = ["unrecognised instruction", "illegal", "fatal", "error", "panicked"];
    words
        .iter()
        .find_map(|word| lines().find(|line| line.to_lowercase().contains(word)))
        .or_else(|| lines().next_back())
        .unwrap_or("it says nothing")
        .trim_end_matches('.')
        .to_owned()
}

/// Valgrind begins its lines with the process: `==4711== `.
fn strip_process(line: &str) -> &str {
    let marked = ["==", "--"].iter().find_map(|mark| {
        let (number, rest) = line.strip_prefix(mark)?.split_once(mark)?;
        number.bytes().all(|byte| byte.is_ascii_digit()).then_some(rest)
    });
    marked.unwrap_or(line).trim()
}

impl Instruments {
    /// Gives the wall-clock instrument a task and hands on each answer as it comes.
    ///
    /// # Errors
    /// Where it cannot be started or does not come to its end, in its own words.
    pub fn time(&self, task: &Task, answers: &mut dyn FnMut(Answer)) -> Result<(), String> {
        let failed =
            |error: std::io::Error| format!("cannot start the wall-clock instrument: {error}");
        let mut file = tempfile::NamedTempFile::new().map_err(failed)?;
        serde_json::to_writer(&mut file, task).map_err(|error| failed(error.into()))?;
        file.flush().map_err(failed)?;
        let words = tempfile::NamedTempFile::new().map_err(failed)?;
        let mut command = Command::new(&self.wall_clock);
        command
            .arg("--task")
            .arg(file.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::from(File::create(words.path()).map_err(failed)?));
        quieten(&mut command);
        if let Task::Round(round) = task {
            // Set all the same: without it Criterion asks Cargo where its files might go.
            command.env("CRITERION_HOME", &round.home);
        }
        let mut child = command.spawn().map_err(failed)?;
        if let Some(output) = child.stdout.take() {
            for line in BufReader::new(output).lines() {
                let line = line.map_err(|error| format!("cannot read its answers: {error}"))?;
                if let Some(answer) = Answer::read(&line) {
                    answers(answer);
                }
            }
        }
        let status = child.wait().map_err(failed)?;
        if status.success() {
            return Ok(());
        }
        let words = fs::read_to_string(words.path()).unwrap_or_default();
        Err(format!("{} ({status})", complaint(&words)))
    }

    /// Counts the instructions of one case; raw files go into `home`, which the case has for itself.
    ///
    /// # Errors
    /// Where they cannot be counted, in words.
    pub fn instructions(
        &self,
        case: &InstructionCase,
        root: &Path,
        home: &Path,
    ) -> Result<u64, String> {
        let position = REGISTRY.iter().position(|entry| entry.variant.id() == case.variant);
        let position = position.ok_or_else(|| format!("there is no variant {}", case.variant))?;
        let id = format!("order_{}_{position}", case.order);
        let mut command = Command::new(&self.instructions);
        command
            .args(["--bench", "--save-summary=json", "--nosummary=true", "--home"])
            .arg(home)
            .arg("--workspace-root")
            .arg(root)
            .arg(format!("*::count::{id}"))
            .stdin(Stdio::null());
        if !self.fixed_addresses {
            command.arg("--allow-aslr=true");
        }
        quieten(&mut command);
        let output = command.output().map_err(|error| format!("cannot start it: {error}"))?;
        if !output.status.success() {
            let all = [output.stdout, output.stderr].concat();
            return Err(explain(&String::from_utf8_lossy(&all)));
        }
        let path = find(home, "summary.json").ok_or("it left no summary")?;
        let text = fs::read_to_string(&path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        counted(&text, &id).ok_or_else(|| format!("{} does not have the count", path.display()))
    }
}

/// Address randomisation is switched off for exact counts, which some containers forbid.
fn can_switch_off_randomisation() -> bool {
    Command::new("setarch")
        .args(["-R", "true"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Why Callgrind failed, with the reason for the known case.
fn explain(text: &str) -> String {
    let lower = text.to_lowercase();
    // 4 is the number of the signal for an illegal instruction.
    let words = ["unrecognised instruction", "sigill", "by a signal '4'"];
    if words.iter().any(|word| lower.contains(word)) {
        "not measurable under valgrind: this build has an instruction that valgrind does not know; \
         build without '-C target-cpu=native'"
            .to_owned()
    } else {
        complaint(text)
    }
}

fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).find_map(|path| {
        if path.is_dir() { find(&path, name) } else { path.ends_with(name).then_some(path) }
    })
}

/// The instructions in a summary of iai-callgrind, whose version is pinned for its layout's sake.
fn counted(summary: &str, id: &str) -> Option<u64> {
    let summary: serde_json::Value = serde_json::from_str(summary).ok()?;
    if summary.get("id")? != id {
        return None;
    }
    let profiles = summary.get("profiles")?.as_array()?;
    let callgrind = profiles.iter().find(|profile| profile["tool"] == "Callgrind")?;
    callgrind.pointer("/data/total/metrics/Ir/values/new")?.as_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_programs_in_cargos_messages() {
        let messages = concat!(
            "{\"reason\":\"compiler-artifact\",\"target\":{\"kind\":[\"lib\"],\"name\":\"wall_clock\"},\"executable\":null}\n",
            "{\"reason\":\"compiler-artifact\",\"target\":{\"kind\":[\"bench\"],\"name\":\"wall_clock\"},\"profile\":{\"opt_level\":\"3\"},\"executable\":\"/a b/ü/wall_clock-1\"}\n",
            "{\"reason\":\"build-finished\",\"success\":true}\n",
        );
        let found = Some((PathBuf::from("/a b/ü/wall_clock-1"), "3".to_owned()));
        assert_eq!(artifact(messages, "wall_clock"), found);
        assert_eq!(artifact(messages, "instructions"), None);
    }

    #[test]
    fn reads_the_count_of_the_case_and_of_no_other() {
        let summary = r#"{"id":"order_8_4","profiles":[{"tool":"DHAT"},{"tool":"Callgrind",
            "data":{"total":{"metrics":{"Ir":{"values":{"new":94588}}}}}}]}"#;
        assert_eq!(counted(summary, "order_8_4"), Some(94588));
        assert_eq!(counted(summary, "order_8_5"), None);
        assert_eq!(counted("{\"id\":\"order_8_4\"", "order_8_4"), None);
    }

    /// ENV-03 and ENV-05 of the public reports: the tool's own words, or what they mean.
    #[test]
    fn says_what_a_tool_complains_of() {
        let words = "==12== Callgrind, a profiler\n==12== \n==12== Fatal error at startup: a function\n==12== redirection";
        assert_eq!(complaint(words), "Fatal error at startup: a function");
        assert_eq!(complaint("one\ntwo\n"), "two");
        assert_eq!(complaint(""), "it says nothing");
        let words = "vex amd64->IR: unhandled instruction bytes\n==1== valgrind: Unrecognised instruction at address";
        assert!(explain(words).starts_with("not measurable under valgrind"));
        let words = "instructions: Error running 'callgrind': Terminated by a signal '4'";
        assert!(explain(words).starts_with("not measurable under valgrind"));
    }
}
