//! Reads the state of the machine, as far as the system lets it be read.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use lab::environment::Reading;
use queens::{Counts, Order};

/// The clock ticks in `/proc`, in milliseconds: a hundred a second on every Linux.
const TICK_MS: f64 = 10.0;

/// Steps of the probe, each waiting for the one before it.
const PROBE_STEPS: u64 = 200_000;

/// Where the clock that only goes forward is counted from.
static START: OnceLock<Instant> = OnceLock::new();

/// Reads everything that can be read now. Takes some milliseconds, for the probe.
#[must_use]
pub fn read() -> Reading {
    let probe_ns = probe();
    read_from(Path::new("/"), probe_ns)
}

fn read_from(root: &Path, probe_ns: f64) -> Reading {
    let text = |path: &str| fs::read_to_string(root.join(path)).ok();
    let stat = text("proc/stat");
    let cpu: Option<Vec<f64>> = stat.as_deref().and_then(|stat| {
        let ticks = stat.lines().next()?.split_whitespace().skip(1);
        ticks.map(|ticks| Some(ticks.parse::<f64>().ok()? * TICK_MS)).collect()
    });
    // user, nice, system, idle, iowait, irq, softirq, steal: see proc(5).
    let busy = |cpu: &Vec<f64>| Some(cpu.get(..3)?.iter().sum::<f64>() + cpu.get(5)? + cpu.get(6)?);
    Reading {
        governor: governors(&root.join("sys/devices/system/cpu")),
        boost: boost(root),
        load: text("proc/loadavg").and_then(|text| text.split(' ').next()?.parse().ok()),
        throttled: throttled(&root.join("sys/devices/system/cpu")),
        swapped_pages: text("proc/vmstat").and_then(|text| {
            let field = |name: &str| -> Option<u64> {
                text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
            };
            Some(field("pswpin ")? + field("pswpout ")?)
        }),
        migrations: text("proc/self/sched").and_then(|text| field(&text, "se.nr_migrations")),
        preempted: text("proc/self/status")
            .and_then(|text| field(&text, "nonvoluntary_ctxt_switches")),
        steal_ms: cpu.as_ref().and_then(|cpu| cpu.get(7).copied()),
        busy_ms: cpu.as_ref().and_then(busy),
        own_ms: text("proc/self/stat").and_then(|text| {
            // The program's name comes first, in parentheses, and may have anything in it.
            let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
            let (user, system) = (fields.next()?, fields.next()?);
            Some((user.parse::<f64>().ok()? + system.parse::<f64>().ok()?) * TICK_MS)
        }),
        monotonic_ms: START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e3,
        clock_ms: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
            * 1e3,
        probe_ns,
    }
}

/// The number after `name` and a colon.
fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| {
        let (found, value) = line.split_once(':')?;
        (found.trim() == name).then(|| value.trim().parse().ok())?
    })
}

fn line(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

/// The folders of the processors.
fn processors(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            name.strip_prefix("cpu").is_some_and(|number| number.parse::<u32>().is_ok())
        })
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

fn governors(folder: &Path) -> Option<String> {
    let mut names: Vec<String> = processors(folder)
        .iter()
        .filter_map(|processor| line(&processor.join("cpufreq/scaling_governor")))
        .collect();
    names.sort();
    names.dedup();
    Some(names.join(" and ")).filter(|names| !names.is_empty())
}

fn boost(root: &Path) -> Option<bool> {
    let cpu = root.join("sys/devices/system/cpu");
    line(&cpu.join("cpufreq/boost"))
        .map(|text| text == "1")
        .or_else(|| line(&cpu.join("intel_pstate/no_turbo")).map(|text| text == "0"))
}

fn throttled(folder: &Path) -> Option<u64> {
    processors(folder)
        .iter()
        .filter_map(|processor| {
            line(&processor.join("thermal_throttle/core_throttle_count"))?.parse::<u64>().ok()
        })
        .reduce(|a, b| a + b)
}

/// What a fixed chain of steps takes, in nanoseconds: the shortest of a few, so that what interrupts
/// one of them is not taken for a slower processor.
fn probe() -> f64 {
    let chain = |order: Order| {
        let mut value = order.get() as u64;
        for _ in 0..PROBE_STEPS {
            // A linear sequence would be shortened by the compiler: many of its steps are one of them.
            // Shift and multiplier are those of the mixing function of SplitMix64.
            value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        }
        Counts { total: u128::from(value), fundamental: None }
    };
    (0..9)
        .map(|_| {
            let start = Instant::now();
            let _ = lab::call(chain, Order::MAX);
            start.elapsed()
        })
        .min()
        .unwrap_or(Duration::ZERO)
        .as_secs_f64()
        * 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, files: &[(&str, &str)]) {
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    #[test]
    fn reads_what_linux_says() {
        let root = tempfile::tempdir().unwrap();
        let cpu = "sys/devices/system/cpu";
        write(
            root.path(),
            &[
                ("proc/stat", "cpu  100 10 20 5000 30 4 6 7 0 0\ncpu0 1 2 3\n"),
                ("proc/loadavg", "0.52 0.40 0.30 1/80 1234\n"),
                ("proc/vmstat", "pgpgin 5\npswpin 3\npswpout 4\n"),
                ("proc/self/sched", "se.nr_migrations      :      12\nnr_switches : 9\n"),
                ("proc/self/status", "Name:\tx\nnonvoluntary_ctxt_switches:\t77\n"),
                (
                    "proc/self/stat",
                    "9 (a ) b) R 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20 0 1 0 100 0 0\n",
                ),
                (&format!("{cpu}/cpu0/cpufreq/scaling_governor"), "powersave\n"),
                (&format!("{cpu}/cpu1/cpufreq/scaling_governor"), "performance\n"),
                (&format!("{cpu}/cpufreq/boost"), "1\n"),
                (&format!("{cpu}/cpu0/thermal_throttle/core_throttle_count"), "2\n"),
                (&format!("{cpu}/cpu1/thermal_throttle/core_throttle_count"), "3\n"),
            ],
        );
        let reading = read_from(root.path(), 1.5);
        assert_eq!(reading.governor.as_deref(), Some("performance and powersave"));
        assert_eq!((reading.boost, reading.load), (Some(true), Some(0.52)));
        assert_eq!((reading.throttled, reading.swapped_pages), (Some(5), Some(7)));
        assert_eq!((reading.migrations, reading.preempted), (Some(12), Some(77)));
        assert_eq!((reading.steal_ms, reading.busy_ms), (Some(70.0), Some(1400.0)));
        assert_eq!(reading.own_ms, Some(3000.0));
        assert!((reading.probe_ns - 1.5).abs() < 1e-9);
    }

    #[test]
    fn what_cannot_be_read_is_left_open() {
        let root = tempfile::tempdir().unwrap();
        let reading = read_from(root.path(), 1.0);
        let open = Reading {
            monotonic_ms: reading.monotonic_ms,
            clock_ms: reading.clock_ms,
            probe_ns: 1.0,
            ..Reading::default()
        };
        assert_eq!(reading, open);
        assert!(read().probe_ns > 1e5, "so many steps that wait for each other take longer");
    }
}
