//! `explain`: why one variant is faster than another.

use std::io::Write;
use std::time::Duration;

use lab::explain::{self, Factor, Measured};
use lab::format;
use lab::paired::Rounds;
use lab::plan::LARGEST_INSTRUCTION_ORDER;
use lab::protocol::PairedTask;
use lab::registry::{self, REGISTRY};
use lab::stats;
use lab::tables::{self, MISSING, Table};
use queens::{Order, Profile};

use super::paired::{
    SLICE_MS, expected, failure, known_counts, new_seed, run as run_paired, verify,
};
use crate::cli::Explain;
use crate::instruments::{self, Events, Instruments};
use crate::output::{Done, Failure, failed, write_table};
use crate::{interrupt, lock, running, workspace};

/// Half the width of the speedup's interval that is narrow enough.
const PRECISION: f64 = 1.005;

/// The part of the budget in which the variants are called alone.
const ALONE: f64 = 0.2;

/// Counting may take so long, simulation and all.
const COUNTING: Duration = Duration::from_mins(15);

/// Measures every factor and tells.
pub fn run(arguments: &Explain, out: &mut dyn Write) -> Done {
    let (baseline, variant) = (&arguments.baseline, &arguments.variant);
    let order = arguments.order;
    if !(4..=LARGEST_INSTRUCTION_ORDER).contains(&order.get()) {
        return Err(Failure::Usage(format!(
            "order {order} cannot be explained: instructions are counted at orders 4 to \
             {LARGEST_INSTRUCTION_ORDER}"
        )));
    }
    if baseline == variant {
        return Err(Failure::Usage(format!("{variant} needs no explanation against itself")));
    }
    interrupt::install()?;
    let _lock = lock::take(&format!("explain {baseline} {variant}"), arguments.wait)?;
    instruments::valgrind()
        .map_err(|reason| failed(format!("instructions cannot be counted: {reason}")))?;
    let root = workspace::root();
    let instruments = instruments::build(&root)?;
    let ids = [baseline.clone(), variant.clone()];
    verify(&ids)?;
    let for_rounds = arguments.budget * (1.0 - ALONE);
    expected(&instruments, &ids, order, for_rounds)?;
    let profiles = [profile(baseline, order)?, profile(variant, order)?];
    let events =
        [count(&instruments, baseline, order.get())?, count(&instruments, variant, order.get())?];
    let (total, fundamental) = known_counts(order);
    let found = run_paired(
        &instruments,
        PairedTask {
            // The first once more as the control.
            lanes: [&ids[..], &ids[..1]].concat(),
            order: order.get(),
            total,
            fundamental,
            slice_ms: SLICE_MS,
            budget_s: for_rounds,
            pairs: vec![(0, 1)],
            precision: PRECISION.ln(),
            seed: new_seed(),
            alone: ids.len(),
            alone_s: arguments.budget * ALONE / ids.len() as f64,
        },
    )?;
    let measured = |lane: usize| -> Result<Measured, Failure> {
        let alone = found.alone.get(lane).and_then(|times| stats::median(times));
        let alone_ns = alone.ok_or_else(|| failed("a variant was not called alone"))?;
        Ok(measured(&profiles[lane], &events[lane], alone_ns))
    };
    let measured = [measured(0)?, measured(1)?];
    writeln!(out, "Why {variant} takes another time than {baseline} at order {order}:\n")?;
    for sentence in running::sentences(ids.iter().map(String::as_str), None, true) {
        writeln!(out, "{sentence}\n")?;
    }
    write_factors(&ids, &measured, out)?;
    write_check(&ids, &measured, &found.rounds, out)?;
    write_details(&ids, &measured, out)?;
    write_rows(&ids, &profiles, out)
}

fn profile(id: &str, order: Order) -> Result<Profile, Failure> {
    let entry = registry::find(&REGISTRY, id);
    let entry = entry.ok_or_else(|| failed(format!("there is no variant {id}")))?;
    entry
        .variant
        .profile(order)
        .map_err(|refusal| failed(refusal.to_string()))?
        .filter(|profile| profile.nodes() > 0)
        .ok_or_else(|| failed(format!("{id} has no search tree that could be profiled")))
}

fn count(instruments: &Instruments, id: &str, order: usize) -> Result<Events, Failure> {
    let home = tempfile::tempdir()?;
    let root = workspace::root();
    instruments
        .count((id, order), &root, home.path(), COUNTING, true)
        .map_err(|fault| failure(&format!("counting the instructions of {id}"), fault))
}

fn measured(profile: &Profile, events: &Events, alone_ns: f64) -> Measured {
    let branches = events.branches.zip(events.jumps);
    Measured {
        nodes: profile.nodes() as f64,
        squares_tested: profile.squares_tested().map(|squares| squares as f64),
        instructions: events.instructions as f64,
        alone_ns,
        mispredicted: branches.map(|((_, branches), (_, jumps))| (branches + jumps) as f64),
        data_misses: events.data_misses.map(|misses| misses as f64),
    }
}

fn write_factors(ids: &[String; 2], measured: &[Measured; 2], out: &mut dyn Write) -> Done {
    let (factors, product) = explain::factors(&measured[0], &measured[1]);
    let value = |factor: Factor, measured: &Measured| match factor {
        Factor::Nodes => format::grouped(measured.nodes as u128),
        Factor::Instructions => format::significant(measured.instructions_a_node()),
        Factor::Time => format::time(measured.ns_an_instruction()),
    };
    let mut rows: Vec<Vec<String>> = Factor::ALL
        .into_iter()
        .zip(factors)
        .map(|(factor, ratio)| {
            vec![
                factor.name().to_owned(),
                value(factor, &measured[0]),
                value(factor, &measured[1]),
                format::factor(ratio),
            ]
        })
        .collect();
    rows.push(vec![
        "product: time of one call".to_owned(),
        format::time(measured[0].product_ns()),
        format::time(measured[1].product_ns()),
        format::factor(product),
    ]);
    let header =
        vec!["factor".to_owned(), ids[0].clone(), ids[1].clone(), "first by second".to_owned()];
    write_table(out, &Table { header, rows })
}

/// The product of the factors beside the speedup that was measured otherwise.
fn write_check(
    ids: &[String; 2],
    measured: &[Measured; 2],
    rounds: &Rounds,
    out: &mut dyn Write,
) -> Done {
    let speedup = rounds.compare(0, 1, 1).ok_or_else(|| failed("there was no round"))?;
    let floor = stats::noise_floor(rounds.compare(0, 2, 1).map(|control| control.factor));
    let (factors, product) = explain::factors(&measured[0], &measured[1]);
    writeln!(
        out,
        "\nspeedup of {} over {}: product {}, measured {}; remainder {:+.1} %",
        ids[1],
        ids[0],
        format::factor(product),
        tables::comparison(&speedup, floor),
        100.0 * (speedup.factor / product - 1.0),
    )?;
    writeln!(
        out,
        "The time an instruction is that of each variant called alone, divided by its instructions; the \
         measured speedup is of both called in turn ({} rounds, noise floor {}). The remainder is \
         what calling them in turn changes, and noise.",
        speedup.rounds,
        floor.map_or_else(|| "unknown".to_owned(), format::percent),
    )?;
    let Some(shares) = explain::shares(factors) else { return Ok(()) };
    let parts: Vec<String> = Factor::ALL
        .iter()
        .zip(shares)
        .map(|(factor, share)| format!("{} {:.0} %", factor.name(), 100.0 * share))
        .collect();
    Ok(writeln!(
        out,
        "Of the speedup, in shares of its logarithm: {}. A share below 0 works against it.",
        parts.join(", ")
    )?)
}

/// What lies behind the factors: not part of the product.
fn write_details(ids: &[String; 2], measured: &[Measured; 2], out: &mut dyn Write) -> Done {
    let a_node = |of: fn(&Measured) -> Option<f64>| {
        let cell = |measured: &Measured| {
            of(measured)
                .map_or_else(|| MISSING.to_owned(), |v| format::significant(v / measured.nodes))
        };
        [cell(&measured[0]), cell(&measured[1])]
    };
    let rows = [
        ("squares tested", a_node(|measured| measured.squares_tested)),
        ("mispredicted branches, simulated", a_node(|measured| measured.mispredicted)),
        ("misses of the first data cache, simulated", a_node(|measured| measured.data_misses)),
    ]
    .into_iter()
    .map(|(name, [a, b])| vec![name.to_owned(), a, b])
    .collect();
    writeln!(out, "\nBehind the factors:\n")?;
    let header = vec!["a node".to_owned(), ids[0].clone(), ids[1].clone()];
    write_table(out, &Table { header, rows })?;
    Ok(writeln!(
        out,
        "Branches and caches are simulated by Callgrind, whose predictor is simpler than a processor's: \
         its counts tell variants apart, and are not this machine's. {MISSING}: the variant tests no \
         square by itself."
    )?)
}

fn write_rows(ids: &[String; 2], profiles: &[Profile; 2], out: &mut dyn Write) -> Done {
    let count = profiles[0].rows().len().max(profiles[1].rows().len());
    let nodes = |profile: &Profile, row: usize| {
        profile
            .rows()
            .get(row)
            .map_or_else(|| MISSING.to_owned(), |row| format::grouped(row.nodes.into()))
    };
    let rows = (0..count)
        .map(|row| vec![(row + 1).to_string(), nodes(&profiles[0], row), nodes(&profiles[1], row)])
        .collect();
    writeln!(out, "\nNodes by row, in the order in which each variant fills them:\n")?;
    let header = vec!["row".to_owned(), ids[0].clone(), ids[1].clone()];
    write_table(out, &Table { header, rows })
}
