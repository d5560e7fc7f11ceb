//! Verification: what a variant counts, lists and visits against what is known.

use std::fmt;
use std::ops::ControlFlow;

use queens::{Lists, Order, Tree, Variant, known, square};

use crate::attack;
use crate::listing::{self, Which};

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The total against A000170.
    Total,
    /// The fundamental count against A002562.
    Fundamental,
    /// Each listed placement against the attack test, and their number against the total.
    Listing,
    /// The listed placements that half and quarter turns leave as they are against A032522 and
    /// A033148, and Burnside's identity between them, the total and the fundamental count.
    Identity,
    /// The nodes of the search tree against the table for the tree that the variant says it walks.
    Nodes,
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Total => "total",
            Self::Fundamental => "fundamental count",
            Self::Listing => "listed placements",
            Self::Identity => "identity of symmetric counts",
            Self::Nodes => "nodes",
        })
    }
}

/// How a comparison came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As it must be; what was found.
    Passed(String),
    /// Not as it must be.
    Failed {
        /// What it must be.
        expected: String,
        /// What was found.
        found: String,
    },
    /// Not compared, and why.
    Skipped(String),
}

/// One comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The variant's id.
    pub variant: &'static str,
    /// The order.
    pub order: Order,
    /// What is compared.
    pub subject: Subject,
    /// How it came out.
    pub outcome: Outcome,
}

impl Check {
    /// Whether it failed.
    #[must_use]
    pub fn failed(&self) -> bool {
        matches!(self.outcome, Outcome::Failed { .. })
    }

    /// What was compared and how it came out, in words.
    #[must_use]
    pub fn difference(&self) -> String {
        let outcome = match &self.outcome {
            Outcome::Passed(found) => found.clone(),
            Outcome::Failed { expected, found } => format!("expected {expected}, got {found}"),
            Outcome::Skipped(reason) => format!("not compared: {reason}"),
        };
        format!("{}: {outcome}", self.subject)
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at order {}: {}", self.variant, self.order, self.difference())
    }
}

/// Makes every comparison of `variant` at `order`. Placements are listed, and the tree is
/// profiled, up to `deepest` only: a list of all placements grows faster than patience.
///
/// A refusal of the order is one skipped check: it is what a variant must do above its limit. So is
/// an order that no total is known for, at which a count could be compared with nothing.
#[must_use]
pub fn verify(variant: &Variant, order: Order, deepest: Order) -> Vec<Check> {
    let check = |subject, outcome| Check { variant: variant.id(), order, subject, outcome };
    let skipped = |reason: String| vec![check(Subject::Total, Outcome::Skipped(reason))];
    let count = match variant.counter(order) {
        Ok(count) => count,
        Err(refusal) => return skipped(refusal.to_string()),
    };
    let (Some(total), Some(fundamental)) = (known::total(order), known::fundamental(order)) else {
        return skipped(format!("no total is known above order {}", known::LARGEST));
    };
    let counts = count(order).completed(order);
    let total = compare(u128::from(total), counts.total);
    let fundamental = match counts.fundamental {
        Some(found) => compare(u128::from(fundamental), found),
        None => Outcome::Failed {
            expected: fundamental.to_string(),
            found: "none, because no fundamental count goes with that total".to_owned(),
        },
    };
    let mut checks = vec![check(Subject::Total, total), check(Subject::Fundamental, fundamental)];
    if order > deepest {
        let reason = format!("placements are listed up to order {deepest}");
        for subject in [Subject::Listing, Subject::Identity, Subject::Nodes] {
            checks.push(check(subject, Outcome::Skipped(reason.clone())));
        }
        return checks;
    }
    let (listing, identity) = verify_listing(variant, order, counts.total);
    checks.push(check(Subject::Listing, listing));
    checks.push(check(Subject::Identity, identity));
    checks.push(check(Subject::Nodes, verify_nodes(variant, order)));
    checks
}

/// The largest order at which everything is compared before anything is timed.
pub const VERIFIED: usize = 8;

/// The first comparison that a variant fails at orders 0 to [`VERIFIED`]; nothing where it is right. One
/// that is wrong there is not timed at any order.
#[must_use]
pub fn first_fault(variant: &Variant) -> Option<Check> {
    (0..=VERIFIED)
        .filter_map(Order::new)
        .flat_map(|order| verify(variant, order, order))
        .find(Check::failed)
}

/// Compares a count with what it must be.
pub fn compare<T: Copy + PartialEq + fmt::Display>(expected: T, found: T) -> Outcome {
    if expected == found {
        Outcome::Passed(found.to_string())
    } else {
        Outcome::Failed { expected: expected.to_string(), found: found.to_string() }
    }
}

/// What a list of placements adds up to.
#[derive(Default)]
struct Tally {
    total: u128,
    fundamental: u128,
    half_turn: u128,
    quarter_turn: u128,
}

fn verify_listing(variant: &Variant, order: Order, total: u128) -> (Outcome, Outcome) {
    let which = match variant.lists() {
        None => {
            let reason = Outcome::Skipped("it does not list placements".to_owned());
            return (reason.clone(), reason);
        }
        Some(Lists::All) => Which::All,
        Some(Lists::Fundamental) => Which::Fundamental,
    };
    let mut tally = Tally::default();
    let mut previous: Option<Vec<u8>> = None;
    let mut fault = None;
    let listed = listing::list(variant, order, which, &mut |columns, weight| match judge(
        columns,
        weight,
        which,
        previous.as_deref(),
        &mut tally,
    ) {
        Ok(()) => {
            previous = Some(columns.to_vec());
            ControlFlow::Continue(())
        }
        Err(reason) => {
            fault = Some(reason);
            ControlFlow::Break(())
        }
    });
    if let Some(reason) = fault.or(listed.err()) {
        let expected = "placements without attacks, in ascending order".to_owned();
        let outcome = Outcome::Failed { expected, found: reason };
        return (outcome, Outcome::Skipped("the list has a fault".to_owned()));
    }
    (compare(total, tally.total), identity(order, &tally))
}

/// Judges one listed placement and adds it up.
fn judge(
    columns: &[u8],
    weight: u32,
    which: Which,
    previous: Option<&[u8]>,
    tally: &mut Tally,
) -> Result<(), String> {
    attack::check(columns).map_err(|fault| format!("{columns:?}: {fault}"))?;
    if previous.is_some_and(|previous| previous >= columns) {
        return Err(format!("{columns:?} after {previous:?}"));
    }
    let images = square::images(columns);
    let is_fundamental = images[0] == columns;
    if which == Which::Fundamental {
        if !is_fundamental {
            return Err(format!("{columns:?} is not the least of its images"));
        }
        if images.len() as u32 != weight {
            return Err(format!("{columns:?} has {} images, not {weight}", images.len()));
        }
        if let Some((image, fault)) =
            images.iter().find_map(|image| Some((image, attack::check(image).err()?)))
        {
            return Err(format!("image {image:?}: {fault}"));
        }
    }
    // The images of a symmetric placement are symmetric, so each stands for as many.
    let weight = u128::from(weight);
    tally.total += weight;
    tally.fundamental += u128::from(is_fundamental);
    tally.half_turn += weight * u128::from(square::is_half_turn_symmetric(columns));
    tally.quarter_turn += weight * u128::from(square::is_quarter_turn_symmetric(columns));
    Ok(())
}

fn identity(order: Order, tally: &Tally) -> Outcome {
    let found = [tally.total, tally.half_turn, tally.quarter_turn, tally.fundamental];
    let describe = |[total, half, quarter, fundamental]: [u128; 4]| {
        format!("({total} + {half} + 2·{quarter}) / 8 = {fundamental}")
    };
    let known = [
        known::total(order),
        known::half_turn_symmetric(order),
        known::quarter_turn_symmetric(order),
        known::fundamental(order),
    ];
    let expected = known.map(|count| u128::from(count.unwrap_or_default()));
    if known.contains(&None) {
        return Outcome::Skipped("the symmetric counts are not known".to_owned());
    }
    // Orders 0 and 1 have one placement that is its own image under reflections too, which the
    // identity leaves out.
    let [total, half, quarter, fundamental] = found;
    let holds = order.get() < 2 || total + half + 2 * quarter == 8 * fundamental;
    if found == expected && holds {
        let text = if order.get() < 2 { "from order 2 on".to_owned() } else { describe(found) };
        Outcome::Passed(text)
    } else {
        Outcome::Failed { expected: describe(expected), found: describe(found) }
    }
}

fn verify_nodes(variant: &Variant, order: Order) -> Outcome {
    let Ok(Some(profile)) = variant.profile(order) else {
        return Outcome::Skipped("it does not profile its tree".to_owned());
    };
    let nodes = profile.nodes();
    match (variant.about.tree, known::row_by_row_nodes(order)) {
        (Tree::RowByRow, Some(known)) => compare(known, nodes),
        (Tree::RowByRow, None) => Outcome::Skipped(format!("{nodes} nodes; no number is known")),
        (Tree::Own, _) => Outcome::Skipped(format!("{nodes} nodes of a tree of its own")),
    }
}
