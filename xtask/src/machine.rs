//! The machine and the toolchain that a run's numbers belong to, as far as they can be read.

use std::fs;
use std::path::Path;

use lab::run::{Machine, Toolchain};
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

use crate::workspace::{locked_version, says};

/// Reads the machine.
pub fn machine() -> Machine {
    let what = RefreshKind::nothing()
        .with_cpu(CpuRefreshKind::nothing())
        .with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(what).ok();
    let first_cpu = system.as_ref().and_then(|system| system.cpus().first());
    let name = first_cpu.map(|cpu| cpu.brand().trim().to_owned());
    let kernel = System::kernel_version().ok();
    let load = System::load_average().ok().map(|load| load.one);
    Machine {
        cpu: name.filter(|name| !name.is_empty()),
        cores: std::thread::available_parallelism().ok().map(usize::from),
        caches: caches(Path::new("/sys/devices/system/cpu/cpu0/cache")),
        features: features(),
        memory_bytes: system.map(|system| system.total_memory()).filter(|&bytes| bytes > 0),
        system: System::long_os_version()
            .ok()
            .map(|os| kernel.map_or(os.clone(), |kernel| format!("{os}, kernel {kernel}"))),
        governor: line(Path::new("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")),
        load: load.filter(|load| load.is_finite()),
        virtualised: fs::read_to_string("/proc/cpuinfo")
            .is_ok_and(|text| text.split_whitespace().any(|word| word == "hypervisor")),
    }
}

/// Reads the toolchain, and takes the optimisation level that Cargo says and valgrind's version as
/// they were found.
pub fn toolchain(root: &Path, opt_level: &str, valgrind: Option<String>) -> Toolchain {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = says(&rustc, &["--version"], root);
    let verbose = says(&rustc, &["-vV"], root);
    let host = verbose.as_deref().and_then(|text| {
        text.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
    });
    Toolchain {
        rustc: version,
        target: host,
        rustflags: rustflags(root),
        profile: profile(root, opt_level),
        criterion: locked_version(root, "criterion"),
        iai_callgrind: locked_version(root, "gungraun"),
        valgrind,
    }
}

/// The build profile of the instruments: the level that Cargo says, and what the manifest says besides.
fn profile(root: &Path, opt_level: &str) -> String {
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default();
    let mut facts = vec![format!("bench: opt-level {opt_level}")];
    // The profile 'bench' inherits from 'release'.
    for section in ["[profile.release]\n", "[profile.bench]\n"] {
        let lines = manifest.split_once(section).map_or("", |(_, rest)| rest).lines();
        let facts_of = lines.map(str::trim).take_while(|line| !line.starts_with('['));
        facts.extend(
            facts_of
                .filter(|line| line.starts_with("codegen-units") || line.starts_with("lto"))
                .map(|line| {
                    line.replace(['=', '"'], "").split_whitespace().collect::<Vec<_>>().join(" ")
                }),
        );
    }
    facts.join(", ")
}

/// The flags that the environment and the workspace's configuration give the compiler, with what holds
/// them.
fn rustflags(root: &Path) -> Option<String> {
    let config = fs::read_to_string(root.join(".cargo/config.toml")).unwrap_or_default();
    let configured = config.lines().filter(|line| line.trim_start().starts_with("rustflags"));
    let mut flags: Vec<String> = std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value))
        .filter(|(name, value)| name.ends_with("RUSTFLAGS") && !value.is_empty())
        .map(|(name, value)| format!("{name}={}", value.to_string_lossy().replace('\u{1f}', " ")))
        .collect();
    flags.extend(configured.map(|line| format!(".cargo/config.toml: {}", line.trim())));
    flags.sort_unstable();
    Some(flags.join(" ")).filter(|flags| !flags.is_empty())
}

fn line(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The caches of the first processor, from the smallest: `L1 Data 48K`.
fn caches(folder: &Path) -> Vec<String> {
    let mut caches: Vec<String> = (0..8)
        .map_while(|index| {
            let cache = folder.join(format!("index{index}"));
            let (level, kind) = (line(&cache.join("level"))?, line(&cache.join("type"))?);
            Some(format!("L{level} {kind} {}", line(&cache.join("size"))?))
        })
        .collect();
    caches.dedup();
    caches
}

/// The features of this processor that a bit-set search can use.
fn features() -> Vec<String> {
    #[cfg(target_arch = "x86_64")]
    {
        macro_rules! found {
            ($($name:tt),*) => {
                [$(($name, std::is_x86_feature_detected!($name))),*]
            };
        }
        found!("popcnt", "bmi1", "bmi2", "avx2", "avx512f", "avx512bw", "avx512vbmi2")
            .into_iter()
            .filter(|(_, found)| *found)
            .map(|(name, _)| name.to_owned())
            .collect()
    }
    #[cfg(not(target_arch = "x86_64"))]
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MEA-05 of the public reports: what keeps an unrelated edit from moving numbers is recorded, as
    /// the manifest has it.
    #[test]
    fn the_profile_and_the_flags_are_those_of_the_workspace() {
        let root = crate::workspace::root();
        assert_eq!(profile(&root, "3"), "bench: opt-level 3, codegen-units 1, lto off");
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("Cargo.toml"), "[profile.release]\nlto = \"fat\"\n[x]\n")
            .unwrap();
        assert_eq!(profile(folder.path(), "3"), "bench: opt-level 3, lto fat");
        fs::create_dir(folder.path().join(".cargo")).unwrap();
        let config = "[build]\nrustflags = [\"-C\", \"target-cpu=native\"]\n";
        fs::write(folder.path().join(".cargo/config.toml"), config).unwrap();
        assert!(rustflags(folder.path()).unwrap().contains("target-cpu=native"));
    }

    #[test]
    fn reads_caches_and_passes_over_what_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let index = folder.path().join("index0");
        fs::create_dir(&index).unwrap();
        for (name, text) in [("level", "1\n"), ("type", "Data\n"), ("size", "48K\n")] {
            fs::write(index.join(name), text).unwrap();
        }
        assert_eq!(caches(folder.path()), ["L1 Data 48K"]);
        assert_eq!(caches(&folder.path().join("none")), Vec::<String>::new());
    }
}
