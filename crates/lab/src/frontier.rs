//! How far a variant gets within a second and within a minute.

use std::fmt;

use crate::data::Data;
use crate::plan::{Pilot, predictions};
use crate::records::Frontier;
use crate::table::{MISSING, Table};

/// A second, in nanoseconds: a climb ends with the call that reaches it.
pub const SECOND_NS: f64 = 1e9;

/// A minute, in nanoseconds.
pub const MINUTE_NS: f64 = 6e10;

/// No order is called whose call is expected to take longer than this many times the climb's budget.
pub const OVERSHOOT: f64 = 1.5;

/// The largest order that a variant counts within some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The order.
    pub order: usize,
    /// Whether it was measured, and the next one was measured or expected to take so much longer that
    /// calling it could change nothing; if not, the order is a prediction.
    pub measured: bool,
    /// Whether the time is enough for every order that the variant accepts, as far as it was asked.
    pub and_more: bool,
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = if self.and_more { " or more" } else { "" };
        let predicted = if self.measured { "" } else { " (predicted)" };
        write!(f, "{}{more}{predicted}", self.order)
    }
}

/// The headline figures as a table: the largest order of each variant within a second and within a
/// minute. Nothing where nobody climbed.
#[must_use]
pub fn table(data: &Data) -> Option<Table> {
    let rows: Vec<Vec<String>> = data
        .variants()
        .into_iter()
        .filter(|id| data.frontier.iter().any(|row| row.variant == *id))
        .map(|id| {
            let reach =
                |ns| reach(data, id, ns).map_or_else(|| MISSING.to_owned(), |r| r.to_string());
            vec![id.to_owned(), reach(SECOND_NS), reach(MINUTE_NS)]
        })
        .collect();
    let header = ["variant", "largest order within 1 s", "largest order within 1 min"];
    (!rows.is_empty()).then(|| Table { header: header.map(str::to_owned).into(), rows })
}

/// The rows of a climb: each call of the pilot, and the orders beyond it as predicted from the
/// growth so far, up to the first whose call takes more than a minute.
#[must_use]
pub fn rows(pilot: &Pilot) -> Vec<Frontier> {
    let mut rows = Vec::new();
    for (variant, measured) in pilot {
        let Some((&last, &last_ns)) = measured.last_key_value() else { continue };
        let row = |order, call_ns, reason: String| Frontier {
            variant: variant.clone(),
            order,
            call_ns,
            measured: reason.is_empty(),
            reason,
        };
        rows.extend(measured.iter().map(|(&order, &ns)| row(order, ns, String::new())));
        for (order, ns) in predictions(measured, queens::Order::MAX.get()).split_off(&(last + 1)) {
            let reason = if last_ns >= SECOND_NS {
                format!(
                    "order {last} already took {}; one call would take about {}",
                    crate::format::time(last_ns),
                    crate::format::wait(ns)
                )
            } else {
                format!("one call would take about {}", crate::format::wait(ns))
            };
            rows.push(row(order, ns, reason));
            if ns > MINUTE_NS {
                break;
            }
        }
    }
    rows
}

/// The largest order that `variant` counts within `ns` nanoseconds: by the run's medians, where it
/// has them, and by the climb.
#[must_use]
pub fn reach(data: &Data, variant: &str, ns: f64) -> Option<Reach> {
    let mut climb: Vec<(usize, f64, bool)> = data
        .frontier
        .iter()
        .filter(|row| row.variant == variant)
        .map(|row| match data.time(variant, row.order) {
            Some(time) => (row.order, time.value, true),
            None => (row.order, row.call_ns, row.measured),
        })
        .collect();
    climb.sort_by_key(|(order, ..)| *order);
    let within = climb.iter().rposition(|(_, call_ns, _)| *call_ns <= ns)?;
    let (order, _, measured) = climb[within];
    Some(match climb.get(within + 1) {
        // An order far enough beyond the time need not be called to know that.
        Some((_, next, called)) => {
            let sure = *called || *next > OVERSHOOT * ns;
            Reach { order, measured: measured && sure, and_more: false }
        }
        None => Reach { order, measured, and_more: true },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn data(calls: &[(usize, f64)]) -> Data {
        let calls: BTreeMap<usize, f64> = calls.iter().copied().collect();
        let pilot = Pilot::from([("a".to_owned(), calls)]);
        Data { frontier: rows(&pilot), ..Data::default() }
    }

    #[test]
    fn the_order_within_a_second_is_measured_and_that_within_a_minute_predicted() {
        let data = data(&[(12, 5e6), (13, 3e7), (14, 1.8e8), (15, 1.1e9)]);
        let second = reach(&data, "a", SECOND_NS).unwrap();
        assert_eq!(second, Reach { order: 14, measured: true, and_more: false });
        let minute = reach(&data, "a", MINUTE_NS).unwrap();
        assert_eq!(minute.to_string(), "17 (predicted)");
        let stopped = data.frontier.iter().find(|row| !row.measured).unwrap();
        assert!(stopped.reason.starts_with("order 15 already took 1.10 s"), "{}", stopped.reason);
    }

    #[test]
    fn a_prediction_near_the_time_is_called_one() {
        let next_is_near = data(&[(13, 1e8), (14, 2e8), (15, 0.3e9)]);
        assert_eq!(reach(&next_is_near, "a", SECOND_NS).unwrap().to_string(), "15 (predicted)");
        let next_is_far = data(&[(13, 1e6), (14, 2e7), (15, 4e8)]);
        assert_eq!(reach(&next_is_far, "a", SECOND_NS).unwrap().to_string(), "15");
        assert_eq!(reach(&next_is_far, "b", SECOND_NS), None);
    }
}
