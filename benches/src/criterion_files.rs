//! Criterion's files, read in this one place: they are private to Criterion 0.8 and its version is
//! pinned for their sake.
//!
//! A case is found by what `benchmark.json` says that it is, never by the name of a directory,
//! which Criterion shortens and changes.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

#[derive(Deserialize)]
struct Benchmark {
    full_id: String,
}

#[derive(Deserialize)]
struct Sample {
    iters: Vec<f64>,
    times: Vec<f64>,
}

/// The samples of the case named `full_id` below `home`: the calls of each, and the time of all of
/// them in nanoseconds.
///
/// # Errors
/// Where there is no such case, or more than one, or its files are not as Criterion 0.8 writes
/// them; names the file.
pub fn samples(home: &Path, full_id: &str) -> Result<Vec<(u64, f64)>, String> {
    let mut found = Vec::new();
    find(home, full_id, &mut found)?;
    let [folder] = &found[..] else {
        return Err(format!(
            "{} cases named '{full_id}' below {}, not one",
            found.len(),
            home.display()
        ));
    };
    let path = folder.join("sample.json");
    let sample: Sample = read(&path)?;
    if sample.iters.len() != sample.times.len() || sample.iters.is_empty() {
        return Err(format!("{}: not a time for each count of calls", path.display()));
    }
    let plausible = |(&calls, &ns): (&f64, &f64)| calls >= 1.0 && calls.fract() == 0.0 && ns > 0.0;
    if !sample.iters.iter().zip(&sample.times).all(plausible) {
        return Err(format!("{}: a sample without calls or without time", path.display()));
    }
    Ok(sample.iters.iter().map(|&calls| calls as u64).zip(sample.times).collect())
}

/// The folders of the newest results (`new`) of a case. Folders without them, as a cache may leave,
/// are passed over.
fn find(folder: &Path, full_id: &str, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if !path.is_dir() {
            continue;
        }
        let benchmark = path.join("benchmark.json");
        if path.ends_with("new") && benchmark.exists() {
            if read::<Benchmark>(&benchmark)?.full_id == full_id {
                found.push(path);
            }
        } else {
            find(&path, full_id, found)?;
        }
    }
    Ok(())
}

fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, String> {
    let text = fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use criterion::{Criterion, SamplingMode};
    use std::time::Duration;

    fn home_with_one_case(group: &str) -> tempfile::TempDir {
        let home = tempfile::tempdir().unwrap();
        let mut criterion = Criterion::default()
            .output_directory(home.path())
            .without_plots()
            .sample_size(10)
            .nresamples(1001)
            .warm_up_time(Duration::from_millis(1))
            .measurement_time(Duration::from_millis(10));
        let mut group = criterion.benchmark_group(group);
        group.sampling_mode(SamplingMode::Flat);
        group.bench_function("8", |bencher| {
            bencher.iter(|| std::thread::sleep(Duration::from_micros(20)));
        });
        group.finish();
        home
    }

    #[test]
    fn reads_what_criterion_writes() {
        let home = home_with_one_case("two/parts?");
        let samples = samples(home.path(), "two/parts?/8").unwrap();
        assert_eq!(samples.len(), 10);
        assert!(samples.iter().all(|&(calls, ns)| calls == samples[0].0 && ns > 0.0));
    }

    /// MEA-11 of the public reports: empty and foreign folders do no harm, and are no results.
    #[test]
    fn passes_over_what_is_not_a_result() {
        let home = home_with_one_case("bitmask");
        fs::create_dir_all(home.path().join("symmetry/8/base")).unwrap();
        fs::create_dir_all(home.path().join("symmetry/8/new")).unwrap();
        fs::write(home.path().join("notes.txt"), "mine").unwrap();
        assert_eq!(samples(home.path(), "bitmask/8").unwrap().len(), 10);
        let message = samples(home.path(), "symmetry/8").unwrap_err();
        assert!(message.starts_with("0 cases named 'symmetry/8'"), "{message}");
    }

    #[test]
    fn a_cut_file_is_named() {
        let home = home_with_one_case("bitmask");
        let path = home.path().join("bitmask/8/new/sample.json");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() / 2]).unwrap();
        let message = samples(home.path(), "bitmask/8").unwrap_err();
        assert!(message.contains("sample.json"), "{message}");
    }
}
