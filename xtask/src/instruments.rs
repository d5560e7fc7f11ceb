//! The measuring instruments: building them, telling them what to do, reading what they say.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use lab::protocol::{Answer, Assignment, CriterionTask, PairedTask, Task};
use lab::records::Status;
use lab::registry::{Entry, REGISTRY};

use crate::output::{Failure, failed, say};
use crate::process::{self, Fault, Words};
use crate::{code, format_seconds, guard};

/// Where the built instruments are.
#[derive(Debug)]
pub struct Instruments {
    wall_clock: PathBuf,
    paired: PathBuf,
    instructions: PathBuf,
    /// Whether addresses can be had without randomisation.
    fixed_addresses: bool,
    /// The optimisation level that Cargo says it built with.
    pub opt_level: String,
    /// How many threads calls are shared out among; nothing where each variant does as it does by
    /// itself.
    pub threads: Option<usize>,
}

/// What to install where valgrind is missing.
const VALGRIND_HINT: &str = "install valgrind, for example with 'apt-get install valgrind'";

/// What an instrument may take to start.
const START: Duration = Duration::from_mins(1);

/// Builds the instruments as `cargo bench` does. Cargo's own messages go to standard error.
pub fn build(root: &Path) -> Result<Instruments, Failure> {
    say("Building the instruments, which takes minutes the first time …");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let cannot = |error: std::io::Error| {
        failed(format!("cannot start cargo to build the instruments: {error}"))
    };
    let mut command = guard::command(&cargo).map_err(cannot)?;
    command
        // From where the user stands, so that a relative target directory is the same one.
        .args(["bench", "--package", "benches", "--benches", "--no-run", "--quiet"])
        .args(["--message-format", "json-render-diagnostics", "--manifest-path"])
        .arg(root.join("Cargo.toml"));
    quieten(&mut command);
    let mut messages = String::new();
    process::run(command, Words::Shown, None, &mut |line| {
        messages.push_str(line);
        messages.push('\n');
        None
    })
    .map_err(|fault| match fault {
        Fault::Interrupted => Failure::Interrupted("nothing was measured".to_owned()),
        _ => failed("the instruments cannot be built; cargo's messages above say why"),
    })?;
    let find = |name| {
        artifact(&messages, name)
            .ok_or_else(|| failed(format!("cargo does not say where it built {name}")))
    };
    let (wall_clock, opt_level) = find("wall_clock")?;
    refuse_unoptimised(&messages, root)?;
    let instruments = Instruments {
        wall_clock,
        opt_level,
        threads: None,
        paired: find("paired")?.0,
        instructions: find("instructions")?.0,
        fixed_addresses: can_switch_off_randomisation(),
    };
    for program in [&instruments.wall_clock, &instruments.paired, &instruments.instructions] {
        code::refuse_stale(program, root)?;
    }
    Ok(instruments)
}

/// Times of a build for debugging are of another program than anyone uses: every package of the
/// workspace is optimised and without checks, or nothing is measured.
fn refuse_unoptimised(messages: &str, root: &Path) -> Result<(), Failure> {
    for line in messages.lines() {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let manifest = message.get("manifest_path").and_then(serde_json::Value::as_str);
        let Some(manifest) = manifest.filter(|path| Path::new(path).starts_with(root)) else {
            continue;
        };
        let Some(profile) = message.get("profile") else { continue };
        let checked = ["debug_assertions", "overflow_checks"];
        let fault = match profile["opt_level"].as_str() {
            Some("3") => checked.into_iter().find(|name| profile[*name] == true).map(str::to_owned),
            level => Some(format!("opt-level {}", level.unwrap_or("unknown"))),
        };
        if let Some(fault) = fault {
            return Err(failed(format!(
                "{manifest} was built with {fault}; only opt-level 3 without checks is measured, which \
                 the profile 'bench' of Cargo.toml has unless it was changed"
            )));
        }
    }
    Ok(())
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

/// Which body each variant that has several chooses under valgrind: `lanes=AVX2`.
pub fn bodies_under_valgrind() -> Vec<(String, String)> {
    let Ok(this) = std::env::current_exe() else { return Vec::new() };
    let output = Command::new("valgrind")
        .args(["--tool=none", "--quiet"])
        .arg(this)
        .arg(BODIES)
        .stdin(Stdio::null())
        .output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let pair = |line: &str| line.split_once('=').map(|(id, body)| (id.to_owned(), body.to_owned()));
    text.unwrap_or_default().lines().filter_map(pair).collect()
}

/// The argument with which this program says which bodies the variants choose, and ends.
pub const BODIES: &str = "--bodies";

/// Which body each variant that has several chooses here, a line each.
pub fn bodies() -> String {
    let line =
        |entry: &Entry| entry.variant.body().map(|body| format!("{}={body}\n", entry.variant.id()));
    REGISTRY.iter().filter_map(line).collect()
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

impl Fault {
    /// What became of a case: failed or ended at its limit, and why.
    pub fn verdict(self) -> (Status, String) {
        match self {
            Self::Failed { how, words } => {
                (Status::Failed, format!("{} ({how})", complaint(&words)))
            }
            Self::TimedOut(limit) => (
                Status::TimedOut,
                format!("it was ended after {}, its hard limit", format_seconds(limit)),
            ),
            Self::Interrupted => (Status::Failed, "the run was interrupted".to_owned()),
        }
    }
}

/// Events of one call, counted by Callgrind. Those beyond the instructions are simulated: of a
/// branch predictor and of caches that are simpler than this machine's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// Instructions.
    pub instructions: u64,
    /// Conditional branches, and those of them that were mispredicted.
    pub branches: Option<(u64, u64)>,
    /// Indirect jumps, and those of them that were mispredicted.
    pub jumps: Option<(u64, u64)>,
    /// Data reads and writes that missed the first level of the cache.
    pub data_misses: Option<u64>,
}

impl Instruments {
    /// The same, with calls shared out among so many threads.
    pub fn sharing(self, threads: Option<usize>) -> Self {
        Self { threads, ..self }
    }

    /// Gives the wall-clock instrument a task and hands on each answer as it comes; the answer to
    /// that says how long it may take to the next one.
    pub fn time(
        &self,
        task: Task,
        first: Duration,
        answers: &mut dyn FnMut(Answer) -> Option<Duration>,
    ) -> Result<(), Fault> {
        self.perform(&self.wall_clock, task, first, &mut |line| {
            Answer::read(line).map(&mut *answers)
        })
    }

    /// Gives the wall-clock instrument a task that Criterion does in its own words, and hands on each
    /// line of them.
    pub fn criterion(&self, task: CriterionTask, line: &mut dyn FnMut(&str)) -> Result<(), Fault> {
        let work = Duration::from_millis(task.warm_up_ms + task.measurement_ms);
        let limit = START + 4 * work;
        self.perform(&self.wall_clock, Task::Criterion(task), limit, &mut |text| {
            line(text);
            Some(Some(limit))
        })
    }

    /// Gives the paired instrument a task, and hands on each answer.
    pub fn paired(&self, task: PairedTask, answers: &mut dyn FnMut(Answer)) -> Result<(), Fault> {
        let limit = START + Duration::from_secs_f64(10.0 * (task.budget_s + task.alone_s));
        self.perform(&self.paired, Task::Paired(task), limit, &mut |line| {
            if let Some(answer) = Answer::read(line) {
                answers(answer);
            }
            Some(Some(limit))
        })
    }

    /// Runs a program with a task. Each line may be the last for as long as what was allowed last; lines
    /// that are no answers do not change what is allowed.
    fn perform(
        &self,
        program: &Path,
        task: Task,
        first: Duration,
        line: &mut dyn FnMut(&str) -> Option<Option<Duration>>,
    ) -> Result<(), Fault> {
        let failed = |error: std::io::Error| Fault::Failed {
            how: "it was not started".to_owned(),
            words: error.to_string(),
        };
        let mut file = tempfile::NamedTempFile::new().map_err(failed)?;
        let assignment = Assignment { threads: self.threads, task };
        serde_json::to_writer(&mut file, &assignment).map_err(|error| failed(error.into()))?;
        file.flush().map_err(failed)?;
        let mut command = guard::command(program.as_os_str()).map_err(failed)?;
        command.arg("--task").arg(file.path());
        quieten(&mut command);
        // Set all the same: without it Criterion asks Cargo where its files might go.
        match &assignment.task {
            Task::Round(round) => drop(command.env("CRITERION_HOME", &round.home)),
            Task::Criterion(task) => drop(command.env("CRITERION_HOME", &task.home)),
            Task::Pilot(_) | Task::Paired(_) => {}
        }
        let mut allowed = Some(START.max(first));
        let mut is_debug = false;
        let ended = process::run(command, Words::Kept, allowed, &mut |text| {
            if let Some(Answer::Ready { debug }) = Answer::read(text) {
                is_debug = debug;
                // One that was built for debugging is ended before it measures anything.
                allowed = Some(if debug { Duration::ZERO } else { first });
            } else if let Some(next) = line(text) {
                allowed = next;
            }
            allowed
        });
        if is_debug {
            return Err(Fault::Failed {
                how: "its times are refused".to_owned(),
                words: "the instrument was built for debugging".to_owned(),
            });
        }
        ended
    }

    /// Counts the instructions of one call of a variant; raw files go into `home`, which the case has
    /// for itself. With `simulation` branches and caches are simulated besides.
    pub fn count(
        &self,
        (variant, order): (&str, usize),
        root: &Path,
        home: &Path,
        limit: Duration,
        simulation: bool,
    ) -> Result<Events, Fault> {
        let failed = |words: String| Fault::Failed { how: "no count".to_owned(), words };
        let position = REGISTRY.iter().position(|entry| entry.variant.id() == variant);
        let position = position.ok_or_else(|| failed(format!("there is no variant {variant}")))?;
        let group = if self.threads.is_some() { "shared_count" } else { "count" };
        let pattern = format!("*::{group}::order_{order}_{position}");
        self.count_id(&pattern, root, home, limit, simulation)
    }

    /// Counts the instructions of the one case whose name matches `pattern`.
    pub fn count_id(
        &self,
        pattern: &str,
        root: &Path,
        home: &Path,
        limit: Duration,
        simulation: bool,
    ) -> Result<Events, Fault> {
        let failed = |words: String| Fault::Failed { how: "no count".to_owned(), words };
        let mut command = guard::command(OsStr::new(&self.instructions))
            .map_err(|error| failed(error.to_string()))?;
        command
            .args(["--bench", "--save-summary=json", "--nosummary=true", "--home"])
            .arg(home)
            .arg("--workspace-root")
            .arg(root);
        if simulation {
            command.arg("--callgrind-args=--branch-sim=yes --cache-sim=yes");
        }
        command.arg(pattern);
        if !self.fixed_addresses {
            command.arg("--allow-aslr=true");
        }
        quieten(&mut command);
        let mut said = String::new();
        process::run(command, Words::Kept, Some(limit), &mut |line| {
            said.push_str(line);
            said.push('\n');
            Some(limit)
        })
        .map_err(|fault| match fault {
            Fault::Failed { how, words } => {
                Fault::Failed { how, words: explain(&format!("{said}{words}")) }
            }
            other => other,
        })?;
        let path = find(home, "summary.json").ok_or_else(|| failed("it left no summary".into()))?;
        let text = fs::read_to_string(&path)
            .map_err(|error| failed(format!("cannot read {}: {error}", path.display())))?;
        let id = pattern.rsplit("::").next().unwrap_or(pattern);
        counted(&text, id)
            .ok_or_else(|| failed(format!("{} does not have the count", path.display())))
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

/// The events in a summary of iai-callgrind, whose version is pinned for its layout's sake.
fn counted(summary: &str, id: &str) -> Option<Events> {
    let summary: serde_json::Value = serde_json::from_str(summary).ok()?;
    if summary.get("id")? != id {
        return None;
    }
    let profiles = summary.get("profiles")?.as_array()?;
    let callgrind = profiles.iter().find(|profile| profile["tool"] == "Callgrind")?;
    let event =
        |name: &str| callgrind.pointer(&format!("/data/total/metrics/{name}/values/new"))?.as_u64();
    Some(Events {
        instructions: event("Ir")?,
        branches: event("Bc").zip(event("Bcm")),
        jumps: event("Bi").zip(event("Bim")),
        data_misses: event("D1mr").zip(event("D1mw")).map(|(reads, writes)| reads + writes),
    })
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

    /// MEA-10 of the public reports: a build that is not optimised is not measured.
    #[test]
    fn only_optimised_instruments_are_let_pass() {
        let message = |manifest: &str, profile: &str| {
            format!("{{\"manifest_path\":\"{manifest}\",\"profile\":{profile}}}\n")
        };
        let fast = r#"{"opt_level":"3","debug_assertions":false,"overflow_checks":false}"#;
        let root = Path::new("/lab");
        let good = message("/lab/crates/bitmask/Cargo.toml", fast);
        // A package from elsewhere may be built as it likes: the counter's runner is.
        let other = message("/other/Cargo.toml", &fast.replace('3', "0"));
        assert_eq!(refuse_unoptimised(&format!("{good}{other}not json\n"), root), Ok(()));
        for (change, word) in [
            (fast.replace('3', "1"), "opt-level 1"),
            (fast.replace('3', "s"), "opt-level s"),
            (fast.replacen("false", "true", 1), "debug_assertions"),
            (fast.replace("s\":false}", "s\":true}"), "overflow_checks"),
        ] {
            let bad = format!("{good}{}", message("/lab/crates/symmetry/Cargo.toml", &change));
            let Err(Failure::Failed(message)) = refuse_unoptimised(&bad, root) else {
                panic!("{change} was let pass");
            };
            assert!(message.contains(word) && message.contains("symmetry"), "{message}");
        }
    }

    #[test]
    fn reads_the_count_of_the_case_and_of_no_other() {
        let summary = r#"{"id":"order_8_4","profiles":[{"tool":"DHAT"},{"tool":"Callgrind",
            "data":{"total":{"metrics":{"Ir":{"values":{"new":94588}}}}}}]}"#;
        let simulated = summary.replace(
            "\"Ir\":",
            "\"Bc\":{\"values\":{\"new\":50}},\"Bcm\":{\"values\":{\"new\":7}},\"Ir\":",
        );
        assert_eq!(counted(&simulated, "order_8_4").unwrap().branches, Some((50, 7)));
        let events = Events { instructions: 94588, ..Events::default() };
        assert_eq!(counted(summary, "order_8_4"), Some(events));
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
