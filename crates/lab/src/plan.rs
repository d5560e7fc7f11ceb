//! The plan of a run: which cases are measured, for how long and in which order.
//!
//! A pilot has called each variant at each order, from the smallest on, until a call took too long;
//! later orders are predicted from the growth so far. Cases are admitted from the cheapest
//! on, one of an order that all variants share counting as no dearer than their mean, while the least that
//! they need fits into the budget; what is left of it is then shared out among them. What does not fit is left out with its reason.
//!
//! One variant is measured a second time under another name, the control, which nothing but the
//! evaluation knows to be the same. In a round the cases of an order follow each other, in the order
//! of a Latin square; which order comes first is drawn for each round.

use std::collections::BTreeMap;

use queens::{Order, Variant};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::format;
use crate::orders::Orders;
use crate::rounds;

/// Samples of a case in one round. Criterion takes no fewer than ten.
pub const SAMPLES: u32 = 10;

/// A call that takes longer than this, in nanoseconds, is timed once a round and without Criterion:
/// ten samples and warming up would take seconds a round, and rounds say more than samples do.
pub const SINGLE_CALL_NS: f64 = 5e7;

/// The name under which the control is measured; no variant may have it.
pub const CONTROL: &str = "control";

/// No hard limit for a case is below this, in seconds.
const LEAST_LIMIT: f64 = 10.0;
/// How many times longer than expected a case may take before it is ended.
const LIMIT_FACTOR: f64 = 10.0;

/// The largest order whose instructions are counted: what takes milliseconds takes seconds there.
pub const LARGEST_INSTRUCTION_ORDER: usize = 12;

/// The first order, where none is asked for: that of the classical problem. Below it a call is so short
/// that a search learnt by heart cannot be told from a better algorithm, and the time
/// that an order takes is better spent on one at which the variants differ.
const FIRST_ORDER: usize = 8;
/// The first order that has something to search.
const LEAST_ORDER: usize = 4;

/// Part of the budget that the cheapest cases' least needs may fill, unless a request says otherwise;
/// the rest makes every case's samples longer.
pub const ADMISSION_SHARE: f64 = 0.75;
/// The least that a case is given in a round, in seconds, unless a request says otherwise: with less,
/// Criterion's own work for a case would take up too much of the run.
pub const LEAST_SECONDS: f64 = 0.03;
/// The most that a case is given in a round, in seconds, unless ten calls of it need more.
const MOST_SECONDS: f64 = 2.0;
/// Part of a case's time in a round that goes into warming up.
const WARM_UP_SHARE: f64 = 0.15;
/// What Criterion and the file system take for a case in a round beside its samples, in seconds.
const CASE_OVERHEAD: f64 = 0.012;
/// How many times slower the instruction counter runs a variant than the processor does.
pub const INSTRUMENTATION_SLOWDOWN: f64 = 60.0;
/// What the instruction counter takes to start, in seconds.
const INSTRUCTION_OVERHEAD: f64 = 0.35;
/// Part of the budget that instruction counts may take where times are measured too.
const INSTRUCTION_SHARE: f64 = 0.25;

/// What a run is asked to do.
#[derive(Clone, Debug)]
pub struct Request {
    /// The variants, in the registry's order.
    pub variants: Vec<&'static Variant>,
    /// The orders asked for, or nothing for as many from order 8 on as fit.
    pub orders: Option<Orders>,
    /// The seconds that all measuring may take.
    pub budget: f64,
    /// The rounds of a time measurement, or nothing for whole Latin squares of at least so many.
    pub rounds: Option<u32>,
    /// The fewest rounds where they are not given.
    pub least_rounds: u32,
    /// Whether every Latin square has its mirror image where the rounds are not given.
    pub mirrored: bool,
    /// The least that a case is given in a round, in seconds.
    pub least_seconds: f64,
    /// The part of the budget that the cheapest cases' least needs may fill.
    pub admission_share: f64,
    /// The hard limit for a case in a round, in seconds, instead of the one from its expected time.
    pub case_limit: Option<f64>,
    /// Whether times are measured.
    pub time: bool,
    /// Whether instructions are counted.
    pub instructions: bool,
    /// Draws the order of the cases in each round.
    pub seed: u64,
}

/// What the pilot found of a variant: the time of one call at each order it tried, in nanoseconds.
pub type Pilot = BTreeMap<String, BTreeMap<usize, f64>>;

/// A case of the time measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// The name that it is measured under: the variant's id, or that of the control.
    pub variant: String,
    /// The id of the variant that is called.
    pub subject: String,
    /// The order.
    pub order: usize,
    /// What one call is expected to take, in nanoseconds.
    pub call_ns: f64,
    /// Samples in a round; 1 for a single timed call without Criterion.
    pub samples: u32,
    /// Warming up in a round, in milliseconds.
    pub warm_up_ms: u64,
    /// Measuring in a round, in milliseconds.
    pub measurement_ms: u64,
    /// The case is ended when a round of it takes longer, in seconds.
    pub limit_s: f64,
}

/// A measuring instrument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Instrument {
    /// Criterion: wall-clock time.
    Time,
    /// iai-callgrind: exact instruction counts.
    Instructions,
}

impl std::fmt::Display for Instrument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Time => "time",
            Self::Instructions => "instructions",
        })
    }
}

/// A case that is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The variant's id.
    pub variant: String,
    /// The order.
    pub order: usize,
    /// What is not measured.
    pub instrument: Instrument,
    /// Why.
    pub reason: String,
}

/// A case of the instruction count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InstructionCase {
    /// The variant's id.
    pub variant: String,
    /// The order.
    pub order: usize,
    /// What counting is expected to take, in seconds.
    pub expected_s: f64,
    /// Counting is ended when it takes longer, in seconds.
    pub limit_s: f64,
}

/// The plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Cases of the time measurement, by order and then as the registry lists the variants.
    pub cases: Vec<Case>,
    /// How often each of them is measured.
    pub rounds: u32,
    /// Draws their order in each round.
    pub seed: u64,
    /// The variant that is measured a second time as the control.
    pub control: Option<String>,
    /// Cases of the instruction count.
    pub instruction_cases: Vec<InstructionCase>,
    /// What is left out.
    pub left_out: Vec<LeftOut>,
    /// The seconds that measuring may take.
    pub budget_s: f64,
    /// The seconds that measuring is expected to take.
    pub expected_s: f64,
}

/// What one call of each order up to `largest` is expected to take, in nanoseconds: measured, or
/// predicted from the growth between the last two orders that were. The further it reaches, the less
/// it says: a factor of two over three orders is usual.
#[must_use]
pub fn predictions(measured: &BTreeMap<usize, f64>, largest: usize) -> BTreeMap<usize, f64> {
    let mut predicted = measured.clone();
    let Some((&last, &last_ns)) = measured.last_key_value() else { return predicted };
    let growth = measured
        .get(&last.saturating_sub(1))
        .map_or(10.0, |before| last_ns / before)
        // Each further queen multiplies the time by more than the last one did, about as
        // (n + 1) / n of it; small orders are mostly overhead and grow too slowly to tell.
        .clamp(4.0, 100.0);
    let mut ns = last_ns;
    for order in last + 1..=largest {
        ns *= growth * order as f64 / (last + 1) as f64;
        predicted.insert(order, ns);
    }
    predicted
}

/// What one round of a case takes when it is given `slice` seconds: Criterion's warming up doubles
/// the calls until it has lasted long enough, and its flat sampling takes whole calls.
fn round_seconds(call_ns: f64, slice: f64) -> f64 {
    let call = call_ns / 1e9;
    if call_ns > SINGLE_CALL_NS {
        return call;
    }
    let doublings = (slice * WARM_UP_SHARE / call + 1.0).log2().ceil().max(1.0);
    let calls = doublings.exp2() - 1.0 + f64::from(SAMPLES) * calls_a_sample(call_ns, slice);
    call * calls + CASE_OVERHEAD
}

/// The calls that a sample of a case has when the case is given `slice` seconds.
fn calls_a_sample(call_ns: f64, slice: f64) -> f64 {
    (slice * (1.0 - WARM_UP_SHARE) * 1e9 / f64::from(SAMPLES) / call_ns).ceil().max(1.0)
}

/// Makes the plan.
#[must_use]
pub fn make(request: &Request, pilot: &Pilot) -> Plan {
    let mut left_out = Vec::new();
    let candidates = candidates(request, pilot, &mut left_out);
    let (instruction_cases, instruction_seconds) =
        plan_instructions(request, &candidates, &mut left_out);
    let mut plan = Plan {
        cases: Vec::new(),
        rounds: 0,
        seed: request.seed,
        control: None,
        instruction_cases,
        left_out,
        budget_s: request.budget,
        expected_s: instruction_seconds,
    };
    if request.time {
        plan_time(request, &candidates, &mut plan);
    }
    plan.left_out.sort_by_key(|case| case.order);
    if request.orders.is_none() {
        // Nobody asked for these orders: the first of each variant shows where it ends.
        let mut seen = std::collections::BTreeSet::new();
        plan.left_out.retain(|case| seen.insert((case.variant.clone(), case.instrument)));
    }
    plan
}

/// A variant at an order, with what one call is expected to take.
#[derive(Clone, Copy)]
struct Candidate {
    variant: &'static str,
    order: usize,
    call_ns: f64,
}

/// The first order where none is asked for. A variant that is too slow for it, or does not accept it, is
/// met at its own last one.
fn first_order(request: &Request, pilot: &Pilot) -> usize {
    let last = |variant: &&'static Variant| pilot.get(variant.id())?.keys().next_back().copied();
    let lasts = request.variants.iter().filter_map(last);
    lasts.fold(FIRST_ORDER, usize::min).max(LEAST_ORDER)
}

/// Every case that was asked for or could be, by order and then in the registry's order. Orders that
/// a variant does not accept are left out with its refusal.
fn candidates(request: &Request, pilot: &Pilot, left_out: &mut Vec<LeftOut>) -> Vec<Candidate> {
    let largest = request.orders.as_ref().map(Orders::largest);
    let first = first_order(request, pilot);
    let mut candidates = Vec::new();
    let instruments =
        [(Instrument::Time, request.time), (Instrument::Instructions, request.instructions)];
    for &variant in &request.variants {
        let Some(measured) = pilot.get(variant.id()) else { continue };
        // Unasked, the next order after the pilot's last is named as the one that was left out.
        let last = measured.keys().next_back().map_or(0, |last| last + 1);
        let last = largest.map_or(last.min(Order::MAX.get()), Order::get);
        for (n, call_ns) in predictions(measured, last) {
            let Some(order) = Order::new(n) else { continue };
            let asked = match &request.orders {
                Some(orders) => orders.contains(order),
                None => (first..=last).contains(&n),
            };
            match variant.check(order) {
                Ok(()) if asked => {
                    candidates.push(Candidate { variant: variant.id(), order: n, call_ns });
                }
                Err(refusal) if asked => {
                    for (instrument, _) in instruments.iter().filter(|(_, used)| *used) {
                        left_out.push(LeftOut {
                            variant: variant.id().to_owned(),
                            order: n,
                            instrument: *instrument,
                            reason: refusal.to_string(),
                        });
                    }
                }
                _ => {}
            }
        }
    }
    // Stable: within an order the registry's order stays.
    candidates.sort_by_key(|candidate| candidate.order);
    candidates
}

fn plan_instructions(
    request: &Request,
    candidates: &[Candidate],
    left_out: &mut Vec<LeftOut>,
) -> (Vec<InstructionCase>, f64) {
    let mut cases = Vec::new();
    let mut seconds = 0.0;
    if !request.instructions {
        return (cases, seconds);
    }
    let budget = request.budget * if request.time { INSTRUCTION_SHARE } else { 1.0 };
    let share = format::time(budget * 1e9);
    // An order is counted for every variant that the pilot brought so far, or for none: a
    // comparison needs them together.
    for same_order in candidates.chunk_by(|a, b| a.order == b.order) {
        let needs: f64 = same_order.iter().map(|case| counting_seconds(case.call_ns)).sum();
        let reason = if same_order[0].order > LARGEST_INSTRUCTION_ORDER {
            format!("instructions are counted up to order {LARGEST_INSTRUCTION_ORDER}")
        } else if seconds + needs > budget {
            format!("instruction counts have {share} of the budget, which is taken")
        } else {
            seconds += needs;
            String::new()
        };
        for &Candidate { variant, order, call_ns } in same_order {
            let variant = variant.to_owned();
            if reason.is_empty() {
                let expected_s = counting_seconds(call_ns);
                let limit_s = request.case_limit.unwrap_or_else(|| limit(expected_s));
                cases.push(InstructionCase { variant, order, expected_s, limit_s });
            } else {
                let (instrument, reason) = (Instrument::Instructions, reason.clone());
                left_out.push(LeftOut { variant, order, instrument, reason });
            }
        }
    }
    (cases, seconds)
}

/// What counting the instructions of a call is expected to take, in seconds.
fn counting_seconds(call_ns: f64) -> f64 {
    INSTRUCTION_OVERHEAD + call_ns * INSTRUMENTATION_SLOWDOWN / 1e9
}

/// The hard limit for what is expected to take so many seconds.
fn limit(expected: f64) -> f64 {
    (LIMIT_FACTOR * expected).max(LEAST_LIMIT)
}

/// The variant that is measured a second time: the one with the most candidates, of those with
/// equally many the quickest. It is then met at as many orders as any, at the least price.
fn control(candidates: &[Candidate]) -> Option<&'static str> {
    let of = |id: &str| {
        let id = id.to_owned();
        candidates.iter().filter(move |candidate| candidate.variant == id)
    };
    candidates.iter().map(|candidate| candidate.variant).max_by(|a, b| {
        let last = |id: &str| of(id).next_back().map_or(f64::INFINITY, |last| last.call_ns);
        of(a).count().cmp(&of(b).count()).then(last(b).total_cmp(&last(a)))
    })
}

fn plan_time(request: &Request, candidates: &[Candidate], plan: &mut Plan) {
    let measured: std::collections::BTreeSet<&str> =
        candidates.iter().map(|candidate| candidate.variant).collect();
    let Some(control) = control(candidates) else { return };
    plan.control = Some(control.to_owned());
    plan.rounds = request.rounds.unwrap_or_else(|| {
        rounds::whole_squares(measured.len() + 1, request.least_rounds, request.mirrored)
    });
    let rounds = f64::from(plan.rounds);
    let budget = (request.budget - plan.expected_s).max(0.0);
    let by_cost = by_cost(candidates, measured.len());
    let times = |candidate: &Candidate| if candidate.variant == control { 2.0 } else { 1.0 };
    // What all cases up to the one at hand need at the least, whether they fit or not.
    let mut least = 0.0;
    let mut admitted = Vec::new();
    for candidate in by_cost {
        let needs =
            rounds * times(&candidate) * round_seconds(candidate.call_ns, request.least_seconds);
        least += needs;
        if least <= budget * request.admission_share {
            admitted.push(candidate);
        } else {
            plan.left_out.push(LeftOut {
                variant: candidate.variant.to_owned(),
                order: candidate.order,
                instrument: Instrument::Time,
                reason: format!(
                    "one call would take about {}, {} rounds of it {}{}",
                    format::wait(candidate.call_ns),
                    plan.rounds,
                    format::wait(needs * 1e9),
                    budget_hint(request, least),
                ),
            });
        }
    }
    let round = |slice| -> f64 {
        admitted.iter().map(|case| times(case) * round_seconds(case.call_ns, slice)).sum()
    };
    let slice = slice(request.least_seconds, |slice| rounds * round(slice) <= budget);
    for same_order in candidates.chunk_by(|a, b| a.order == b.order) {
        let is_admitted = |candidate: &&Candidate| {
            admitted.iter().any(|a| (a.variant, a.order) == (candidate.variant, candidate.order))
        };
        let of_order: Vec<Case> = same_order
            .iter()
            .filter(is_admitted)
            .map(|candidate| case(*candidate, slice, request.case_limit))
            .collect();
        let again = of_order.iter().find(|case| case.variant == control).cloned();
        plan.cases.extend(of_order);
        // Last among its order's cases, so that those of the variants keep the registry's order.
        plan.cases.extend(again.map(|case| Case { variant: CONTROL.to_owned(), ..case }));
    }
    plan.expected_s += rounds * round(slice);
}

/// The candidates in the order in which they are admitted: the cheapest first, where a case at an order
/// that all `variants` share counts as no dearer than their mean there. With the last one an order is
/// complete, and all can be compared at it, which says more than one order more of a quick variant.
fn by_cost(candidates: &[Candidate], variants: usize) -> Vec<Candidate> {
    let mut by_cost: Vec<(f64, Candidate)> = Vec::new();
    for same_order in candidates.chunk_by(|a, b| a.order == b.order) {
        let all: f64 = same_order.iter().map(|case| case.call_ns).sum();
        let most = if same_order.len() == variants { all / variants as f64 } else { f64::INFINITY };
        by_cost.extend(same_order.iter().map(|&case| (case.call_ns.min(most), case)));
    }
    by_cost.sort_by(|(a, x), (b, y)| a.total_cmp(b).then(x.call_ns.total_cmp(&y.call_ns)));
    by_cost.into_iter().map(|(_, case)| case).collect()
}

/// The largest number of seconds for each case in a round, at least `least`, that still fits.
fn slice(least: f64, fits: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (least, MOST_SECONDS);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        if fits(middle) { low = middle } else { high = middle }
    }
    low
}

fn case(candidate: Candidate, slice: f64, case_limit: Option<f64>) -> Case {
    let Candidate { variant, order, call_ns } = candidate;
    let single = call_ns > SINGLE_CALL_NS;
    // Criterion divides this time by what a call took while warming up, and rounds up: half a call
    // less makes sure that it comes to the calls that were planned.
    let measurement_ns = f64::from(SAMPLES) * call_ns * (calls_a_sample(call_ns, slice) - 0.5);
    Case {
        variant: variant.to_owned(),
        subject: variant.to_owned(),
        order,
        call_ns,
        samples: if single { 1 } else { SAMPLES },
        warm_up_ms: if single { 0 } else { ((slice * WARM_UP_SHARE * 1e3) as u64).max(1) },
        measurement_ms: if single { 0 } else { ((measurement_ns / 1e6) as u64).max(1) },
        // An order that the tables have is counted once more before it is timed.
        limit_s: case_limit.unwrap_or_else(|| limit(round_seconds(call_ns, slice) + call_ns / 1e9)),
    }
}

/// The budget with which cases that need `least` seconds would be admitted, as the flag takes it and
/// rounded up; nothing where that is more than anyone would give.
fn budget_hint(request: &Request, least: f64) -> String {
    const MONTH: f64 = 30.0 * 86400.0;
    // A larger budget gives instruction counts a larger part of itself.
    let for_time = if request.instructions { 1.0 - INSTRUCTION_SHARE } else { 1.0 };
    let seconds = least / request.admission_share / for_time;
    if seconds > MONTH {
        return String::new();
    }
    let budget = match seconds {
        _ if seconds < 120.0 => format!("{}s", seconds.ceil()),
        _ if seconds < 7200.0 => format!("{}m", (seconds / 60.0).ceil()),
        _ => format!("{}h", (seconds / 3600.0).ceil()),
    };
    format!("; --budget {budget} would fit it")
}

impl Case {
    /// The seconds that one round of this case is expected to take.
    #[must_use]
    pub fn seconds_a_round(&self) -> f64 {
        let slice = self.warm_up_ms as f64 / 1e3 / WARM_UP_SHARE;
        round_seconds(self.call_ns, slice)
    }
}

impl Plan {
    /// The positions of the cases in the order in which `round` (from 0) measures them: the same for
    /// the same seed. The cases of an order follow each other as a Latin square of them has it. Which
    /// order comes when is drawn for each round.
    #[must_use]
    pub fn order_of_round(&self, round: u32) -> Vec<usize> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(u64::from(round));
        let positions: Vec<usize> = (0..self.cases.len()).collect();
        let mut orders: Vec<&[usize]> =
            positions.chunk_by(|&a, &b| self.cases[a].order == self.cases[b].order).collect();
        orders.shuffle(&mut random);
        orders
            .into_iter()
            .flat_map(|of_order| {
                // Streams below 2³² are taken by the rounds.
                let stream =
                    of_order.first().map_or(0, |&place| self.cases[place].order as u32) + 1;
                let order = rounds::order(of_order.len(), round, stream, self.seed);
                order.into_iter().map(|place| of_order[place])
            })
            .collect()
    }

    /// The names that cases are measured under, each once.
    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for case in &self.cases {
            if !names.contains(&case.variant.as_str()) {
                names.push(&case.variant);
            }
        }
        names
    }

    /// The largest order at which every variant of the plan has a case.
    #[must_use]
    pub fn largest_common_order(&self) -> Option<usize> {
        let variants = self.names();
        let at = |order| self.cases.iter().filter(|case| case.order == order).count();
        self.cases.iter().rev().map(|case| case.order).find(|&order| at(order) == variants.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens::{About, Counts, Tree};

    const fn variant(id: &'static str, largest_order: Order) -> Variant {
        let about = About {
            id,
            summary: "never called",
            complexity: "O(1)",
            source: "",
            follows: &[],
            recursive: false,
            tree: Tree::Own,
            largest_order,
        };
        Variant::new(about, |_| Counts { total: 0, fundamental: None })
    }

    static SLOW: Variant = variant("slow", Order::MAX);
    static FAST: Variant = variant("fast", Order::MAX);

    fn pilot() -> Pilot {
        let slow = (0..=11_u8).map(|n| (n.into(), 6_f64.powi(n.into()) / 3.0)).collect();
        let fast = (0..=14_u8).map(|n| (n.into(), 4.5_f64.powi(n.into()) / 10.0)).collect();
        Pilot::from([("slow".to_owned(), slow), ("fast".to_owned(), fast)])
    }

    fn request(budget: f64, orders: Option<&str>) -> Request {
        Request {
            variants: vec![&SLOW, &FAST],
            orders: orders.map(|orders| orders.parse().unwrap()),
            budget,
            rounds: Some(6),
            least_rounds: 6,
            mirrored: false,
            least_seconds: LEAST_SECONDS,
            admission_share: ADMISSION_SHARE,
            case_limit: None,
            time: true,
            instructions: true,
            seed: 1,
        }
    }

    #[test]
    fn the_expected_time_is_within_the_budget() {
        for budget in [20.0, 45.0, 300.0, 3600.0] {
            let plan = make(&request(budget, None), &pilot());
            assert!(plan.expected_s <= budget, "{} of {budget}", plan.expected_s);
            assert!(!plan.cases.is_empty());
            let round: f64 = plan.cases.iter().map(Case::seconds_a_round).sum();
            let rounds = f64::from(plan.rounds) * round;
            assert!(rounds <= budget * 1.01, "{rounds} of {budget}");
        }
    }

    #[test]
    fn a_larger_budget_admits_larger_orders_and_the_rest_says_why() {
        let largest = |plan: &Plan| plan.cases.last().unwrap().order;
        let (small, large) =
            (make(&request(20.0, None), &pilot()), make(&request(3000.0, None), &pilot()));
        assert!(largest(&small) < largest(&large));
        let reason =
            &small.left_out.iter().find(|case| case.instrument == Instrument::Time).unwrap().reason;
        assert!(
            reason.contains("one call would take about") && reason.contains("--budget"),
            "{reason}"
        );
    }

    /// MEA-02 of the public reports: an order that would take hours is estimated, not started.
    #[test]
    fn an_order_that_would_take_hours_is_left_out_with_its_estimate() {
        let plan = make(&request(300.0, Some("16")), &pilot());
        assert!(plan.cases.iter().all(|case| case.variant != "slow"));
        let slow = plan
            .left_out
            .iter()
            .find(|case| case.variant == "slow" && case.instrument == Instrument::Time)
            .unwrap();
        assert!(slow.reason.contains("h; --budget"), "{}", slow.reason);
    }

    /// The budget that a reason names is one that admits the case.
    #[test]
    fn the_budget_that_would_fit_a_case_does() {
        let request = request(20.0, Some("8-14"));
        let plan = make(&request, &pilot());
        let mut tried = 0;
        for case in plan.left_out.iter().filter(|case| case.instrument == Instrument::Time) {
            let (_, hint) = case.reason.split_once("--budget ").unwrap();
            let hint = hint.strip_suffix(" would fit it").unwrap();
            let (number, unit) = hint.split_at(hint.len() - 1);
            let seconds = match unit {
                "s" => 1.0,
                "m" => 60.0,
                _ => 3600.0,
            };
            let budget = number.parse::<f64>().unwrap() * seconds;
            let larger = make(&Request { budget, ..request.clone() }, &pilot());
            let found =
                larger.cases.iter().any(|c| (&c.variant, c.order) == (&case.variant, case.order));
            assert!(found, "{} {}: {}", case.variant, case.order, case.reason);
            tried += 1;
        }
        assert!(tried >= 3, "{:?}", plan.left_out);
    }

    #[test]
    fn orders_beyond_patience_are_said_in_words() {
        let plan = make(&request(300.0, Some("128")), &pilot());
        assert!(plan.cases.is_empty());
        let time = plan.left_out.iter().find(|case| case.instrument == Instrument::Time).unwrap();
        assert!(time.reason.contains("more than ten thousand years"), "{}", time.reason);
        assert!(!time.reason.contains("--budget"), "{}", time.reason);
    }

    #[test]
    fn an_order_above_a_variants_limit_is_left_out_with_its_refusal() {
        static LIMITED: Variant = variant("slow", Order::new(5).unwrap());
        let request = Request { variants: vec![&LIMITED], ..request(300.0, Some("4-6")) };
        let plan = make(&request, &pilot());
        assert_eq!(plan.cases.iter().map(|case| case.order).collect::<Vec<_>>(), [4, 4, 5, 5]);
        assert_eq!(plan.left_out.len(), 2);
        assert!(plan.left_out[0].reason.contains("above the limit of slow"));
    }

    /// A slow variant's last case completes an order, and so comes before dearer ones that complete none.
    #[test]
    fn an_order_that_all_share_comes_before_a_larger_one_of_a_few() {
        let candidate = |variant, order, call_ns| Candidate { variant, order, call_ns };
        let candidates = [
            candidate("slowest", 9, 900.0),
            candidate("slow", 9, 700.0),
            candidate("fast", 9, 10.0),
            candidate("slowest", 10, 6000.0),
            candidate("slow", 10, 5000.0),
            candidate("fast", 10, 50.0),
            candidate("fast", 11, 400.0),
            candidate("fast", 12, 600.0),
        ];
        let admitted: Vec<_> =
            by_cost(&candidates, 3).iter().map(|case| (case.order, case.variant)).collect();
        // The cheaper of two that complete an order comes first.
        let expected = [
            (9, "fast"),
            (10, "fast"),
            (11, "fast"),
            (9, "slow"),
            (9, "slowest"),
            (12, "fast"),
            (10, "slow"),
            (10, "slowest"),
        ];
        assert_eq!(admitted, expected);
    }

    /// Unasked, a run begins with the classical order, or where its slowest variant ends.
    #[test]
    fn orders_that_nobody_asked_for_begin_where_every_variant_is_met() {
        let first = |pilot: &Pilot| make(&request(300.0, None), pilot).cases[0].order;
        assert_eq!(first(&pilot()), 8);
        let mut slower = pilot();
        slower.get_mut("slow").unwrap().retain(|&order, _| order <= 5);
        assert_eq!(first(&slower), 5);
        slower.get_mut("slow").unwrap().retain(|&order, _| order <= 2);
        assert_eq!(first(&slower), 4);
    }

    #[test]
    fn only_the_orders_asked_for() {
        let plan = make(&request(300.0, Some("0,5,7")), &pilot());
        let orders: Vec<_> =
            plan.cases.iter().map(|case| (case.order, case.variant.as_str())).collect();
        assert_eq!(
            orders,
            [0, 5, 7]
                .into_iter()
                .flat_map(|order| ["slow", "fast", CONTROL].map(|name| (order, name)))
                .collect::<Vec<_>>()
        );
        assert_eq!(plan.control.as_deref(), Some("fast"));
        assert!(
            plan.cases
                .iter()
                .all(|case| (case.variant == CONTROL) != (case.subject == case.variant))
        );
        assert_eq!(plan.largest_common_order(), Some(7));
    }

    #[test]
    fn each_round_has_every_case_once_in_an_order_of_its_own() {
        let plan = make(&request(300.0, None), &pilot());
        let (first, second) = (plan.order_of_round(0), plan.order_of_round(1));
        assert_ne!(first, second);
        assert_eq!(first, plan.order_of_round(0));
        let mut sorted = first;
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..plan.cases.len()));
    }

    /// Each variant takes each place among the cases of an order equally often.
    #[test]
    fn rounds_are_latin_squares_within_each_order() {
        let request = Request { rounds: None, ..request(300.0, Some("5-9")) };
        let plan = make(&request, &pilot());
        assert_eq!(plan.rounds, 6, "two squares of two variants and the control");
        let mut places: BTreeMap<(usize, String, usize), u32> = BTreeMap::new();
        for round in 0..plan.rounds {
            let cases: Vec<&Case> =
                plan.order_of_round(round).into_iter().map(|place| &plan.cases[place]).collect();
            for same_order in cases.chunk_by(|a, b| a.order == b.order) {
                assert_eq!(same_order.len(), 3, "an order's cases follow each other");
                for (place, case) in same_order.iter().enumerate() {
                    *places.entry((case.order, case.variant.clone(), place)).or_default() += 1;
                }
            }
        }
        assert_eq!(places.len(), 5 * 3 * 3);
        assert!(places.values().all(|&times| times == 2), "{places:?}");
    }

    /// Where some variants have no case at an order, and the rounds are no whole squares of those that
    /// have one, places are shared as equally as they can be.
    #[test]
    fn places_are_balanced_where_a_variant_is_missing() {
        let request = Request { rounds: Some(14), ..request(300.0, None) };
        let mut plan = make(&request, &pilot());
        let order = plan.cases.last().unwrap().order;
        plan.cases.retain(|case| case.order != order || case.variant != "slow");
        let mut places: BTreeMap<(String, usize), u32> = BTreeMap::new();
        for round in 0..plan.rounds {
            let all = plan.order_of_round(round);
            let of_order = all.iter().filter(|&&place| plan.cases[place].order == order);
            for (place, &case) in of_order.enumerate() {
                *places.entry((plan.cases[case].variant.clone(), place)).or_default() += 1;
            }
        }
        assert_eq!(places.len(), 4);
        assert!(places.values().all(|&times| times == 7), "{places:?}");
    }

    /// MEA-02 of the public reports: a slow case is a single call a round, with a hard limit.
    #[test]
    fn slow_cases_are_single_calls_with_a_limit() {
        let plan = make(&request(3600.0, None), &pilot());
        for case in &plan.cases {
            assert_eq!(case.samples, if case.call_ns > SINGLE_CALL_NS { 1 } else { SAMPLES });
            assert!(case.limit_s >= 10.0 && case.limit_s > 5.0 * case.seconds_a_round());
        }
        assert!(plan.cases.iter().any(|case| case.samples == 1));
        let request = Request { case_limit: Some(2.5), ..request(60.0, None) };
        let plan = make(&request, &pilot());
        assert!(plan.cases.iter().all(|case| (case.limit_s - 2.5).abs() < 1e-9));
        assert!(plan.instruction_cases.iter().all(|case| (case.limit_s - 2.5).abs() < 1e-9));
    }

    #[test]
    fn growth_is_predicted_upwards_without_an_end_below() {
        let measured = BTreeMap::from([(8, 100.0), (9, 600.0)]);
        let predicted = predictions(&measured, 128);
        assert!((predicted[&10] - 3600.0).abs() < 1e-6);
        assert!(predicted[&11] > 6.0 * predicted[&10]);
        assert!(predicted[&128].is_finite() && predicted[&128] > 1e60);
    }
}
