//! The order of a board: checked once, where it enters, and trusted from then on.

use std::fmt;
use std::str::FromStr;

/// The number of rows, of columns and of queens: a whole number from 0 to [`Order::MAX`].
///
/// The board of order 0 has no squares and one placement, the empty one. The boards of order 2
/// and 3 have none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Order(u8);

impl Order {
    /// The largest order that anything here accepts: one row fills the widest bit set, 128 bits.
    pub const MAX: Self = Self(128);

    /// The order `n`, or nothing where `n` is above [`Order::MAX`].
    #[must_use]
    pub const fn new(n: usize) -> Option<Self> {
        // The comparison comes first, so the cast cannot lose a digit.
        if n <= Self::MAX.0 as usize { Some(Self(n as u8)) } else { None }
    }

    /// The order as a number, 0 to 128.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Order({})", self.0)
    }
}

/// A text that is not an order; says which text and what would be one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadOrder {
    text: String,
}

impl fmt::Display for BadOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is not an order: an order is a whole number from 0 to {}, in the digits 0 to 9 \
             without sign, blank or leading zero",
            self.text.escape_debug(),
            Order::MAX
        )
    }
}

impl std::error::Error for BadOrder {}

impl FromStr for Order {
    type Err = BadOrder;

    /// Reads decimal digits and nothing else: a sign, a blank, a leading zero, another base or
    /// another script's digits are refused, because tools differ in what they take them for.
    fn from_str(text: &str) -> Result<Self, BadOrder> {
        let bad = || BadOrder { text: text.to_owned() };
        let plain = !text.is_empty()
            && text.bytes().all(|byte| byte.is_ascii_digit())
            && (text == "0" || !text.starts_with('0'));
        if !plain {
            return Err(bad());
        }
        text.parse().ok().and_then(Self::new).ok_or_else(bad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_every_order_up_to_the_largest() {
        for n in 0..=128 {
            assert_eq!(n.to_string().parse::<Order>().unwrap().get(), n);
        }
    }

    /// CLI-01 and BND-06 of the public reports: each is refused in one line that quotes it.
    #[test]
    fn refuses_everything_else_by_name() {
        for text in [
            "-1",
            "",
            "8 ",
            " 8",
            "+8",
            "08",
            "00",
            "8.0",
            "1e1",
            "0x8",
            "acht",
            "８",
            "8,10",
            "10..4",
            "129",
            "1000000",
            "4294967296",
            "4294967304",
            "18446744073709551616",
            "18446744073709551624",
            "99999999999999999999999",
            "8\n",
        ] {
            let message = text.parse::<Order>().unwrap_err().to_string();
            assert!(message.contains(&text.escape_debug().to_string()), "{message}");
            assert!(message.contains("from 0 to 128") && !message.contains('\n'), "{message}");
        }
    }
}
