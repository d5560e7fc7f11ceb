//! `growth`: how the cost of each variant of a run grows with the order.

use std::io::Write;

use lab::data::Data;
use lab::growth::{self, Growth};
use lab::table::Table;
use lab::tables;
use queens::Order;

use crate::cli::{self, Cost};
use crate::output::{Done, failed, write_table};

/// Fits and tells.
pub fn run(arguments: &cli::Growth, out: &mut dyn Write) -> Done {
    let data = Data::read(&arguments.run).map_err(failed)?;
    let asked = |order: usize| {
        let order = Order::new(order);
        arguments.orders.as_ref().map(|orders| order.is_some_and(|order| orders.contains(order)))
    };
    let found = match arguments.of {
        Cost::Time => growth::of_times(&data, |order, ns| {
            asked(order).unwrap_or(ns >= growth::LEARNT_BY_HEART_NS)
        }),
        Cost::Instructions => {
            growth::of_instructions(&data, |order| asked(order).unwrap_or(order >= 8))
        }
    };
    if found.is_empty() {
        return Err(failed(format!(
            "nothing can be fitted: no variant in {} has three orders or more of these; --orders \
             chooses others",
            arguments.run.display()
        )));
    }
    write_growth(&found, arguments.of, out)?;
    write_models(&found, out)?;
    if arguments.of == Cost::Time {
        write_crossovers(&data, out)?;
    }
    for reason in data.not_for_publication() {
        writeln!(out, "\nNot for publication: {reason}.")?;
    }
    Ok(())
}

fn write_growth(found: &[Growth], of: Cost, out: &mut dyn Write) -> Done {
    let table = tables::growth_factors(
        found,
        match of {
            Cost::Time => tables::with_interval,
            Cost::Instructions => |found| format!("{:.3}×", found.factor),
        },
    );
    write_table(out, &table)?;
    Ok(match of {
        Cost::Time => writeln!(
            out,
            "The factor a queen is that of the exponential model. Intervals come from the rounds, and \
             hold for all of the table together (95 %); they are of the times at hand, and do not say \
             how well the model holds beyond them."
        ),
        Cost::Instructions => writeln!(
            out,
            "The factor a queen is that of the exponential model. Instruction counts are exact, so there \
             is no interval."
        ),
    }?)
}

fn write_models(found: &[Growth], out: &mut dyn Write) -> Done {
    let mut rows = Vec::new();
    for growth in found {
        for fit in &growth.fits {
            let residuals: Vec<String> = fit
                .residuals
                .iter()
                .map(|residual| format!("{:+.1}", 100.0 * residual.exp_m1()))
                .collect();
            rows.push(vec![
                growth.variant.clone(),
                fit.model.name().to_owned(),
                fit.model.formula().to_owned(),
                format!("{:.4}", coefficient(fit)),
                fit.criterion.map_or_else(
                    || "undefined below 5 orders".to_owned(),
                    |criterion| format!("{criterion:.1}"),
                ),
                residuals.join(" "),
            ]);
        }
    }
    writeln!(out, "\nModels, the best of each variant first:\n")?;
    let header =
        ["variant", "model", "formula", "g", "criterion", "residuals in %, order by order"];
    write_table(out, &Table { header: header.map(str::to_owned).into(), rows })?;
    Ok(writeln!(
        out,
        "The criterion is Akaike's, corrected for few data: the lower, the better. Models that differ by \
         less than {} cannot be told apart. It takes the residuals for chance; where they form a \
         curve, all models are wrong, and this one least.",
        lab::stats::fit::TOLD_APART
    )?)
}

/// The coefficient `g` of the formula.
fn coefficient(fit: &lab::stats::fit::Fit) -> f64 {
    if fit.model == lab::stats::fit::Model::FactorialPower { fit.b } else { fit.b.exp() }
}

fn write_crossovers(data: &Data, out: &mut dyn Write) -> Done {
    let found = growth::crossovers(data);
    if found.is_empty() {
        return Ok(writeln!(out, "\nNo variant overtakes another within the measured orders.")?);
    }
    writeln!(out, "\nWhere one variant overtakes another:\n")?;
    let rows = found
        .iter()
        .map(|crossing| {
            let interval = crossing.interval.map_or_else(
                || "too few rounds".to_owned(),
                |(low, high)| format!("{low:.2} – {high:.2}"),
            );
            vec![
                crossing.above.clone(),
                crossing.below.clone(),
                format!("{:.2}", crossing.order),
                interval,
            ]
        })
        .collect();
    let header = ["faster above", "faster below", "order", "95 % interval"];
    write_table(out, &Table { header: header.map(str::to_owned).into(), rows })?;
    Ok(writeln!(
        out,
        "A crossing between two orders is where the straight line between their ratios, in logarithms, is \
         1. The intervals hold together."
    )?)
}

#[cfg(test)]
mod tests {
    use lab::growth::range;

    #[test]
    fn orders_are_written_as_a_person_does() {
        assert_eq!(range(&[9, 10, 11]), "9-11");
        assert_eq!(range(&[9, 11]), "9,11");
    }
}
