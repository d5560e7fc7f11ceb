//! Sets of orders, as a person writes them.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use queens::Order;

/// A set of orders that is not empty, in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orders(BTreeSet<Order>);

/// How a set of orders is written; help and errors quote it.
pub const SYNTAX: &str = "orders and ranges with commas between them: '8', '4,6,8', '4-12' or \
                          '4..=12' with 12, '4..12' without it";

impl Orders {
    /// Each order once, ascending.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Order> + '_ {
        self.0.iter().copied()
    }

    /// Whether `order` is among them.
    #[must_use]
    pub fn contains(&self, order: Order) -> bool {
        self.0.contains(&order)
    }

    /// The largest of them.
    #[must_use]
    pub fn largest(&self) -> Order {
        self.iter().next_back().unwrap_or(Order::MAX)
    }
}

impl fmt::Display for Orders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list: Vec<_> = self.iter().map(Order::get).collect();
        let mut first = true;
        for run in list.chunk_by(|a, b| a + 1 == *b) {
            if !std::mem::take(&mut first) {
                f.write_str(",")?;
            }
            match run {
                [only] => write!(f, "{only}")?,
                [start, .., end] => write!(f, "{start}-{end}")?,
                [] => {}
            }
        }
        Ok(())
    }
}

impl FromStr for Orders {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut orders = BTreeSet::new();
        for part in text.split(',') {
            orders.extend(parse_part(part).map_err(|reason| {
                if reason.contains(&format!("'{}'", text.escape_debug())) {
                    reason
                } else {
                    format!("in '{}': {reason}", text.escape_debug())
                }
            })?);
        }
        Ok(Self(orders))
    }
}

fn parse_part(part: &str) -> Result<Vec<Order>, String> {
    let order = |text: &str| text.parse::<Order>().map_err(|error| error.to_string());
    // A leading minus is a sign and no range: let the order's own reader refuse it.
    let (first, last, closed) = if let Some((first, last)) = part.split_once("..=") {
        (first, last, true)
    } else if let Some((first, last)) = part.split_once("..") {
        (first, last, false)
    } else if let Some((first, last)) = part.split_once('-').filter(|(first, _)| !first.is_empty())
    {
        (first, last, true)
    } else {
        return order(part).map(|order| vec![order]);
    };
    let (first, last) = (order(first)?, order(last)?);
    let end = if closed { last.get() + 1 } else { last.get() };
    let orders: Vec<_> = (first.get()..end).filter_map(Order::new).collect();
    if orders.is_empty() {
        return Err(format!("the range '{part}' has no order in it; write {SYNTAX}"));
    }
    Ok(orders)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<usize> {
        text.parse::<Orders>().unwrap().iter().map(Order::get).collect()
    }

    #[test]
    fn reads_lists_and_ranges_each_order_once() {
        assert_eq!(read("8"), [8]);
        assert_eq!(read("8,4,8,6"), [4, 6, 8]);
        assert_eq!(read("4-7"), [4, 5, 6, 7]);
        assert_eq!(read("4..=7"), [4, 5, 6, 7]);
        assert_eq!(read("4..7"), [4, 5, 6]);
        assert_eq!(read("0,2-4,3..6"), [0, 2, 3, 4, 5]);
        assert_eq!(read("126-128"), [126, 127, 128]);
    }

    #[test]
    fn writes_what_it_reads() {
        for text in ["8", "4-12", "0,2,4-6,9", "126-128"] {
            assert_eq!(text.parse::<Orders>().unwrap().to_string(), text);
        }
    }

    /// CLI-01 and CLI-06 of the public reports: refused in one line that quotes the input.
    #[test]
    fn refuses_what_is_no_order_and_what_is_empty() {
        for text in [
            "", "-1", "8 ", "4-", "4..", "..4", "10..4", "10-4", "9..9", "4,,5", "4,", "1e1",
            "4-129",
        ] {
            let message = text.parse::<Orders>().unwrap_err();
            assert!(!message.contains('\n'), "{message}");
            assert!(message.contains(text), "{message}");
        }
    }
}
