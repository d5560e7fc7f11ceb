//! What `bench` tells: the plan before it starts, the ranking and where everything lies after.

use std::collections::BTreeMap;
use std::io::Write;

use lab::format;
use lab::plan::{Instrument, LeftOut, Plan};
use lab::registry::Entry;
use lab::tables::{self, MISSING, Table};

use super::session::Session;
use crate::cmd::again::REPORT;
use crate::output::{Done, failed, write_table};

/// Writes the plan: what a call of each case is expected to take, how long measuring will, and
/// what is left out.
pub fn plan(plan: &Plan, entries: &[Entry], out: &mut dyn Write) -> Done {
    writeln!(
        out,
        "Plan: {} cases in {} rounds, {} instruction counts (seed {}).",
        plan.cases.len(),
        plan.rounds,
        plan.instruction_cases.len(),
        plan.seed
    )?;
    writeln!(
        out,
        "Measuring will take about {} (budget {}).\n",
        format::time(plan.expected_s * 1e9),
        format::time(plan.budget_s * 1e9)
    )?;
    if !plan.cases.is_empty() {
        writeln!(out, "Expected time of one call:")?;
        write_table(out, &expected(plan, entries))?;
        writeln!(out)?;
    }
    left_out(&plan.left_out, out)
}

fn expected(plan: &Plan, entries: &[Entry]) -> Table {
    let ids: Vec<&str> = entries.iter().map(|entry| entry.variant.id()).collect();
    let mut orders: Vec<usize> = plan.cases.iter().map(|case| case.order).collect();
    orders.dedup();
    let cell = |id: &str, order| {
        let case = plan.cases.iter().find(|case| case.variant == id && case.order == order);
        case.map_or_else(|| MISSING.to_owned(), |case| format::time(case.call_ns))
    };
    let rows = orders
        .iter()
        .map(|&order| {
            let cells = ids.iter().map(|id| cell(id, order));
            std::iter::once(order.to_string()).chain(cells).collect()
        })
        .collect();
    let header = std::iter::once("order").chain(ids.iter().copied()).map(str::to_owned).collect();
    Table { header, rows }
}

/// Cases that are left out for one and the same reason share a line.
fn left_out(cases: &[LeftOut], out: &mut dyn Write) -> Done {
    if cases.is_empty() {
        return Ok(());
    }
    let mut by_reason: BTreeMap<(Instrument, &str), Vec<String>> = BTreeMap::new();
    for case in cases {
        let key = (case.instrument, case.reason.as_str());
        by_reason.entry(key).or_default().push(format!("{} {}", case.variant, case.order));
    }
    writeln!(out, "Left out:")?;
    for ((instrument, reason), cases) in by_reason {
        writeln!(out, "  {instrument} of {}: {reason}", cases.join(", "))?;
    }
    Ok(writeln!(out)?)
}

/// Writes the ranking, what went wrong, and where everything lies; fails where something did.
pub fn results(session: &Session<'_>, out: &mut dyn Write) -> Done {
    let data = session.data();
    if let Some((order, table)) = tables::ranking(data, session.baseline()) {
        writeln!(
            out,
            "\nRanking at order {order}, the largest that every variant was timed at:\n"
        )?;
        write_table(out, &table)?;
    }
    if let Some(table) = lab::frontier::table(data) {
        writeln!(out)?;
        write_table(out, &table)?;
    }
    writeln!(out, "\n{}.", data.verdict_line())?;
    for reason in data.not_for_publication() {
        writeln!(out, "Not for publication: {reason}.")?;
    }
    writeln!(out)?;
    for failure in session.failure_lines() {
        writeln!(out, "FAILED: {failure}")?;
    }
    let folder = session.folder();
    for (what, place) in [
        ("report", folder.join(REPORT)),
        ("charts", folder.join("charts")),
        ("results", folder.to_path_buf()),
    ] {
        writeln!(out, "{what:<8} {}", place.display())?;
    }
    match session.failure_lines().len() {
        0 => Ok(()),
        1 => Err(failed("a case failed; its row says why")),
        count => Err(failed(format!("{count} cases failed; their rows say why"))),
    }
}
