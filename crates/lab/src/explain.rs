//! Why a variant is faster than another: its time as nodes × instructions a node × time an
//! instruction, each factor measured on its own.

/// What was measured of a variant at an order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Nodes of its search tree.
    pub nodes: f64,
    /// Squares that it tested one by one; nothing where it tests whole rows with sets.
    pub squares_tested: Option<f64>,
    /// Instructions of one call.
    pub instructions: f64,
    /// The time of one call, in nanoseconds, where nothing else is called between.
    pub alone_ns: f64,
    /// Mispredicted conditional branches and indirect jumps of one call, simulated.
    pub mispredicted: Option<f64>,
    /// Reads and writes of data that missed the first level of the cache, simulated.
    pub data_misses: Option<f64>,
}

impl Measured {
    /// Instructions a node.
    #[must_use]
    pub fn instructions_a_node(&self) -> f64 {
        self.instructions / self.nodes
    }

    /// The time an instruction, in nanoseconds.
    #[must_use]
    pub fn ns_an_instruction(&self) -> f64 {
        self.alone_ns / self.instructions
    }

    /// The product of the three factors, in nanoseconds.
    #[must_use]
    pub fn product_ns(&self) -> f64 {
        self.nodes * self.instructions_a_node() * self.ns_an_instruction()
    }
}

/// A factor of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// Nodes of the search tree.
    Nodes,
    /// Instructions a node.
    Instructions,
    /// The time an instruction.
    Time,
}

impl Factor {
    /// Every factor, in the order of their product.
    pub const ALL: [Self; 3] = [Self::Nodes, Self::Instructions, Self::Time];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Instructions => "instructions a node",
            Self::Time => "time an instruction",
        }
    }

    /// Its value.
    #[must_use]
    pub fn of(self, measured: &Measured) -> f64 {
        match self {
            Self::Nodes => measured.nodes,
            Self::Instructions => measured.instructions_a_node(),
            Self::Time => measured.ns_an_instruction(),
        }
    }
}

/// By what factor each part of the time of `variant` is less than that of `baseline`, and their
/// product, the speedup that they explain.
#[must_use]
pub fn factors(baseline: &Measured, variant: &Measured) -> ([f64; 3], f64) {
    let factors = Factor::ALL.map(|factor| factor.of(baseline) / factor.of(variant));
    (factors, factors.iter().product())
}

/// How much of the speedup each factor explains, as shares of its logarithm that add up to 1. Nothing
/// where the speedup is so near 1 that shares of it mean nothing.
#[must_use]
pub fn shares(factors: [f64; 3]) -> Option<[f64; 3]> {
    const LEAST: f64 = 1.02;
    let all: f64 = factors.iter().map(|factor| factor.ln()).sum();
    (all.abs() > LEAST.ln()).then(|| factors.map(|factor| factor.ln() / all))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASELINE: Measured = Measured {
        nodes: 1000.0,
        squares_tested: Some(5000.0),
        instructions: 20_000.0,
        alone_ns: 5000.0,
        mispredicted: None,
        data_misses: None,
    };

    #[test]
    fn the_product_is_the_speedup_and_the_shares_add_up() {
        let variant = Measured { nodes: 250.0, instructions: 2500.0, alone_ns: 1250.0, ..BASELINE };
        let (found, product) = factors(&BASELINE, &variant);
        assert!((found[0] - 4.0).abs() < 1e-12 && (found[1] - 2.0).abs() < 1e-12);
        assert!((found[2] - 0.5).abs() < 1e-12 && (product - 4.0).abs() < 1e-12);
        assert!((BASELINE.product_ns() - 5000.0).abs() < 1e-9);
        let shares = shares(found).unwrap();
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((shares[0] - 1.0).abs() < 1e-12 && (shares[1] + shares[2]).abs() < 1e-12);
        assert_eq!(super::shares([1.1, 1.0, 1.0 / 1.1]), None);
    }
}
