//! `count`: the placements of one order.

mod long;

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Instant;

use lab::format;
use lab::plan;
use lab::registry::{self, Entry};
use queens::{Counts, Order, Variant, known};

use crate::cli::Count;
use crate::output::{Done, Failure, failed, say};

/// Counts, and says what was found, how long it took and by which variant.
pub fn run(arguments: &Count, registry: &[Entry], out: &mut dyn Write) -> Done {
    let order = arguments.order;
    let entry = match &arguments.variant {
        Some(id) => registry::find(registry, id),
        None => registry::fastest(registry, order),
    };
    let variant = entry.ok_or_else(|| failed(format!("no variant accepts order {order}")))?.variant;
    let parts = variant.parts(order).map_err(|error| failed(error.to_string()))?;
    let found = match parts {
        Some(parts) => long::count(arguments, variant, &*parts)?,
        None => in_one_piece(arguments, registry, variant)?,
    };
    tell(variant, order, &found, out)
}

/// What was found.
struct Found {
    counts: Counts,
    seconds: f64,
    /// How it was counted, and where the counts of its parts are.
    how: Option<String>,
}

fn in_one_piece(
    arguments: &Count,
    registry: &[Entry],
    variant: &Variant,
) -> Result<Found, Failure> {
    let flags = [
        ("--threads", arguments.threads.is_some()),
        ("--checkpoint", arguments.checkpoint.is_some()),
        ("--resume", arguments.resume),
    ];
    if let Some((flag, _)) = flags.iter().find(|(_, given)| *given) {
        let sharing: Vec<&str> = registry
            .iter()
            .map(|entry| entry.variant)
            .filter(|variant| variant.shares())
            .map(Variant::id)
            .collect();
        return Err(Failure::Usage(format!(
            "{} counts in one piece: {flag} is for {}",
            variant.id(),
            sharing.join(" and ")
        )));
    }
    let order = arguments.order;
    let count = variant.counter(order).map_err(|error| failed(error.to_string()))?;
    say_what_to_expect(variant, order);
    let start = Instant::now();
    let counts = lab::call(count, order);
    Ok(Found { counts, seconds: start.elapsed().as_secs_f64(), how: None })
}

fn tell(variant: &Variant, order: Order, found: &Found, out: &mut dyn Write) -> Done {
    let (id, total) = (variant.id(), found.counts.total);
    let known = known::total(order).map(u128::from);
    if let Some(known) = known.filter(|&known| known != total) {
        return Err(failed(format!(
            "{id} counts {total} placements at order {order}; {known} is right"
        )));
    }
    let Some(fundamental) = found.counts.completed(order).fundamental else {
        return Err(failed(format!(
            "{id} counts {total} placements at order {order}, which is wrong: with the symmetric ones \
             no number of fundamental placements comes of it"
        )));
    };
    let own = found.counts.fundamental.is_some();
    let means = if own { "" } else { " (from the total, by Burnside's lemma)" };
    let body = variant.body().map_or_else(String::new, |body| format!(", {body} body"));
    writeln!(out, "order:       {order}")?;
    writeln!(out, "total:       {total}")?;
    writeln!(out, "fundamental: {fundamental}{means}")?;
    writeln!(out, "time:        {}{}", format::time(found.seconds * 1e9), debug_note())?;
    writeln!(out, "variant:     {id}{body}")?;
    if let Some(how) = &found.how {
        writeln!(out, "counted:     {how}")?;
    }
    if known.is_some() {
        return Ok(writeln!(out, "reference:   equal to OEIS A000170")?);
    }
    writeln!(out, "reference:   none, the known tables end at order {}", known::LARGEST)?;
    let other = if id == "threads" && order.get() <= 32 { "lanes" } else { "threads" };
    Ok(writeln!(
        out,
        "check:       with the symmetric placements the total is a multiple of 8, as it must be; 'cargo \
         xtask count {order} --variant {other}' counts by a search of another kind"
    )?)
}

const fn debug_note() -> &'static str {
    if cfg!(debug_assertions) { " (a debug build: this time says nothing)" } else { "" }
}

/// Says on standard error about how long a count will take, where that is seconds or more: from
/// small orders counted first, and the growth between them.
pub fn say_what_to_expect(variant: &Variant, order: Order) {
    let mut called = BTreeMap::new();
    for n in (4..order.get()).filter_map(Order::new) {
        let Ok(count) = variant.counter(n) else { break };
        let start = Instant::now();
        let _ = lab::call(count, n);
        let ns = start.elapsed().as_secs_f64() * 1e9;
        called.insert(n.get(), ns);
        if ns > 20e6 {
            break;
        }
    }
    let expected = plan::predictions(&called, order.get()).get(&order.get()).copied();
    if let Some(ns) = expected.filter(|ns| *ns > 2e9) {
        let time = format::wait(ns);
        say(&format!("{} takes about {time} for order {order}; Ctrl-C ends it", variant.id()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Failure;
    use lab::registry::REGISTRY;
    use queens::{About, Tree};

    fn count(order: usize, variant: Option<&str>) -> String {
        let order = Order::new(order).unwrap();
        let variant = variant.map(str::to_owned);
        let arguments = Count { order, variant, threads: None, checkpoint: None, resume: false };
        let mut out = Vec::new();
        run(&arguments, &REGISTRY, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// COR-01, BND-01 and DOC-02 of the public reports: 0 is an answer, missing is not 0.
    #[test]
    fn small_orders_by_every_variant() {
        for entry in &REGISTRY {
            let id = entry.variant.id();
            for (order, total) in [(0, 1), (1, 1), (2, 0), (3, 0), (4, 2), (8, 92)] {
                let text = count(order, Some(id));
                assert!(text.contains(&format!("total:       {total}\n")), "{id} {order}: {text}");
            }
        }
        assert!(count(8, Some("bitmask")).contains("fundamental: 12 (from the total, by"));
        assert!(count(8, Some("symmetry")).contains("fundamental: 12\n"));
    }

    #[test]
    fn the_default_is_the_fastest() {
        let fastest = registry::fastest(&REGISTRY, Order::new(8).unwrap()).unwrap().variant.id();
        assert_eq!(fastest, REGISTRY[REGISTRY.len() - 1].variant.id());
        assert!(count(8, None).contains(&format!("variant:     {fastest}")));
    }

    /// CLI-05 of the public reports: a wrong count is a failure.
    #[test]
    fn a_wrong_count_is_a_failure() {
        static WRONG: Variant = Variant::new(
            About {
                id: "wrong",
                summary: "counts one too many",
                complexity: "O(1)",
                source: "",
                follows: &[],
                recursive: false,
                tree: Tree::Own,
                largest_order: Order::MAX,
            },
            |_| Counts { total: 93, fundamental: None },
        );
        let entry = Entry { variant: &WRONG, style: REGISTRY[0].style };
        let order = Order::new(8).unwrap();
        let (threads, checkpoint) = (None, None);
        let arguments = Count { order, variant: None, threads, checkpoint, resume: false };
        let failure = run(&arguments, &[entry], &mut Vec::new()).unwrap_err();
        let message = "wrong counts 93 placements at order 8; 92 is right";
        assert_eq!(failure, Failure::Failed(message.to_owned()));
    }
}
