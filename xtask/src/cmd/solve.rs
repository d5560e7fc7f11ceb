//! `solve`: placements of one order, in the forms that the documents print and for programs.

use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use lab::boards::{Form, Listed};
use lab::listing::{self, Which};
use lab::registry::{self, Entry};

use crate::cli::{FormName, Solve};
use crate::output::{Done, Failure, failed, say};

/// Streams placements: each is written as it is found.
pub fn run(arguments: &Solve, registry: &[Entry], out: &mut dyn Write) -> Done {
    let order = arguments.order;
    let entry = registry::find(registry, &arguments.variant)
        .ok_or_else(|| failed(format!("there is no variant {}", arguments.variant)))?;
    let which = if arguments.fundamental { Which::Fundamental } else { Which::All };
    let limit = if arguments.all { u64::MAX } else { arguments.limit.unwrap_or(1) };
    let form = form(arguments.format);

    let mut out = BufWriter::new(out);
    out.write_all(form.header().as_bytes())?;
    let mut number = 0;
    let mut ended: Result<(), Failure> = Ok(());
    let mut flushed = Instant::now();
    listing::list(entry.variant, order, which, &mut |columns, weight| {
        number += 1;
        let images = (which == Which::Fundamental).then_some(weight);
        let text = form.write(Listed { number, columns, images });
        ended = out.write_all(text.as_bytes()).map_err(Failure::from);
        // Seen as they are found where that takes its time, and by the bufferful where not.
        if ended.is_ok() && (number == 1 || flushed.elapsed() > Duration::from_millis(100)) {
            ended = out.flush().map_err(Failure::from);
            flushed = Instant::now();
        }
        if ended.is_ok() && number < limit {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    })
    .map_err(failed)?;
    ended?;
    out.flush()?;
    if number == 0 {
        say(&format!("There is no placement of {order} queens on a board of order {order}."));
    }
    Ok(())
}

const fn form(name: FormName) -> Form {
    match name {
        FormName::Hash => Form::Hash,
        FormName::Circles => Form::Circles,
        FormName::Letters => Form::Letters,
        FormName::Pairs => Form::Pairs,
        FormName::Strings => Form::Strings,
        FormName::Json => Form::Json,
        FormName::Csv => Form::Csv,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::registry::REGISTRY;
    use queens::Order;

    fn solve(
        order: usize,
        variant: &str,
        limit: Option<u64>,
        all: bool,
        format: FormName,
    ) -> String {
        let arguments = Solve {
            order: Order::new(order).unwrap(),
            variant: variant.to_owned(),
            first: false,
            limit,
            all,
            fundamental: false,
            format,
        };
        let mut out = Vec::new();
        run(&arguments, &REGISTRY, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// COR-11 of the public reports: the two placements of order 4, the same from every variant.
    #[test]
    fn order_4_from_every_variant() {
        for entry in REGISTRY.iter().filter(|entry| entry.variant.lists().is_some()) {
            let id = entry.variant.id();
            let text = solve(4, id, None, true, FormName::Strings);
            let boards =
                "[\".Q..\",\"...Q\",\"Q...\",\"..Q.\"]\n[\"..Q.\",\"Q...\",\"...Q\",\".Q..\"]\n";
            assert_eq!(text, boards, "{id}");
            let text = solve(4, id, None, true, FormName::Csv);
            assert_eq!(text, "placement,images,columns\n1,,2 4 1 3\n2,,3 1 4 2\n", "{id}");
        }
    }

    #[test]
    fn as_many_as_asked_for() {
        for (limit, all, lines) in [(None, false, 1), (Some(5), false, 5), (None, true, 92)] {
            let text = solve(8, "bitmask", limit, all, FormName::Json);
            assert_eq!(text.lines().count(), lines);
        }
    }

    /// COR-01 and BND-01 of the public reports.
    #[test]
    fn orders_without_a_placement_print_none_and_order_0_the_empty_one() {
        for order in [2, 3] {
            assert_eq!(solve(order, "bitmask", None, true, FormName::Hash), "");
            let header = "placement,images,columns\n";
            assert_eq!(solve(order, "symmetry", None, true, FormName::Csv), header);
        }
        assert!(solve(0, "array-2d", None, true, FormName::Hash).contains("(the empty board)"));
    }
}
