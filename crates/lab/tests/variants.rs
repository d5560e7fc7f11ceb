//! What every variant of the registry must satisfy: counts, lists, search trees, limits.

use std::ops::ControlFlow;

use lab::listing::{self, Which};
use lab::registry::{Entry, REGISTRY};
use lab::verify::{self, Outcome, Subject};
use queens::{About, Citation, Counts, Document, Lists, Order, Tree, Variant, known, square};

fn order(n: usize) -> Order {
    Order::new(n).unwrap()
}

fn variants() -> impl Iterator<Item = &'static Variant> {
    REGISTRY.iter().map(|entry: &Entry| entry.variant)
}

fn list(variant: &Variant, n: usize, which: Which) -> Vec<Vec<u8>> {
    let mut listed = Vec::new();
    listing::list(variant, order(n), which, &mut |columns, _| {
        listed.push(columns.to_vec());
        ControlFlow::Continue(())
    })
    .unwrap();
    listed
}

/// COR-01 to COR-06, BND-01, BND-02 and COR-12 of the public reports, in one sweep: totals,
/// fundamental counts, listed placements, symmetric counts and nodes, orders 0 to 10.
#[test]
fn every_comparison_holds_to_order_10() {
    for variant in variants() {
        for n in 0..=10 {
            for check in verify::verify(variant, order(n), Order::MAX) {
                assert!(!check.failed(), "{check}");
                let skipped = matches!(check.outcome, Outcome::Skipped(_));
                let may_skip = match check.subject {
                    Subject::Total | Subject::Fundamental => false,
                    Subject::Listing | Subject::Identity => variant.lists().is_none(),
                    Subject::Nodes => variant.about.tree == Tree::Own || !variant.profiles(),
                };
                assert_eq!(skipped, may_skip, "{check}");
            }
        }
    }
}

/// Whether a variant tests squares one by one, which makes it an order or two slower.
fn tests_squares(variant: &Variant) -> bool {
    let profile = variant.profile(order(4)).unwrap();
    profile.is_some_and(|profile| profile.squares_tested().is_some())
}

#[test]
fn counts_to_larger_orders() {
    for variant in variants() {
        let largest = if tests_squares(variant) { 12 } else { 13 };
        for n in (11..=largest).filter(|&n| variant.check(order(n)).is_ok()) {
            let counts = variant.count(order(n)).unwrap();
            assert_eq!(Some(counts.total), known::total(order(n)).map(u128::from), "{n}");
            assert_eq!(counts.fundamental, known::fundamental(order(n)).map(u128::from), "{n}");
        }
    }
}

/// The instruction counter's ids are positions: every variant must have its place at each order.
#[test]
fn every_variant_accepts_the_orders_whose_instructions_are_counted() {
    for variant in variants() {
        assert_eq!(variant.check(order(lab::plan::LARGEST_INSTRUCTION_ORDER)), Ok(()));
    }
}

#[test]
fn equal_trees_are_equal_in_every_row() {
    for n in 0..=9 {
        let profiles: Vec<_> = variants()
            .filter(|variant| variant.about.tree == Tree::RowByRow)
            .filter_map(|variant| Some((variant, variant.profile(order(n)).unwrap()?)))
            .collect();
        assert!(profiles.len() > 1);
        for (variant, profile) in &profiles {
            let id = variant.id();
            let nodes = |p: &queens::Profile| p.rows().iter().map(|r| r.nodes).collect::<Vec<_>>();
            assert_eq!(nodes(profile), nodes(&profiles[0].1), "{id} at order {n}");
            // Variants that test squares test every square below each node and below the root.
            let last = profile.rows().last().map_or(0, |row| row.nodes);
            let inner = if n == 0 { 0 } else { profile.nodes() - last + 1 };
            let expected = (n > 0 && tests_squares(variant)).then_some(inner * n as u64);
            assert_eq!(profile.squares_tested(), expected, "{id} at order {n}");
            assert_eq!(u64::from(n == 0) + last, profile.placements());
        }
    }
}

/// A search tree grown without any variant: by permutations, each cut at its first attack.
#[test]
fn the_known_nodes_are_those_of_permutations() {
    fn grow(columns: &mut Vec<u8>, size: u8) -> u64 {
        let mut nodes = 0;
        for column in 0..size {
            if columns.contains(&column) {
                continue;
            }
            columns.push(column);
            // The attack test wants a square board: columns beyond the rows so far are allowed.
            let attacked = (0..columns.len() - 1)
                .any(|row| columns.len() - 1 - row == usize::from(columns[row].abs_diff(column)));
            if !attacked {
                nodes += 1 + grow(columns, size);
            }
            columns.pop();
        }
        nodes
    }
    for n in 0..=12 {
        let nodes = grow(&mut Vec::new(), n);
        assert_eq!(known::row_by_row_nodes(order(usize::from(n))), Some(nodes), "order {n}");
    }
}

#[test]
fn every_variant_lists_the_same_placements() {
    for n in 0..=8 {
        let listing = || variants().filter(|variant| variant.lists().is_some());
        let all = list(REGISTRY[0].variant, n, Which::All);
        let fundamental: Vec<_> =
            all.iter().filter(|columns| square::images(columns)[0] == **columns).cloned().collect();
        for variant in listing() {
            let mut own = list(variant, n, Which::All);
            if variant.lists() == Some(Lists::Fundamental) {
                own.sort_unstable();
            }
            assert_eq!(own, all, "{} at order {n}", variant.id());
            assert_eq!(list(variant, n, Which::Fundamental), fundamental, "{}", variant.id());
        }
    }
    assert_eq!(list(REGISTRY[0].variant, 4, Which::All), [[1, 3, 0, 2], [2, 0, 3, 1]]);
}

/// BND-04 of the public reports: around word widths, a first placement or a refusal.
#[test]
fn first_placements_around_the_word_widths() {
    for variant in variants() {
        // Orders whose first placement a plain search finds at once, and for the fast ones more.
        let orders: &[usize] =
            if tests_squares(variant) { &[9, 16, 17, 27] } else { &[16, 17, 27, 29, 31, 33] };
        // Their first placement of order 32 takes minutes; the unit tests of the variants with bit
        // sets look at partial placements there.
        let listed = |n: usize| variant.lists().is_some() && variant.check(order(n)).is_ok();
        for &n in orders.iter().filter(|&&n| listed(n)) {
            let mut first = None;
            listing::list(variant, order(n), Which::Fundamental, &mut |columns, _| {
                first = Some(columns.to_vec());
                ControlFlow::Break(())
            })
            .unwrap();
            let first = first.unwrap_or_else(|| panic!("{} at order {n}", variant.id()));
            assert_eq!((first.len(), lab::attack::check(&first)), (n, Ok(())), "{}", variant.id());
        }
    }
}

#[test]
fn a_list_ends_when_no_more_is_wanted() {
    for variant in variants().filter(|variant| variant.lists().is_some()) {
        for which in [Which::All, Which::Fundamental] {
            let mut seen = 0;
            listing::list(variant, order(8), which, &mut |_, _| {
                seen += 1;
                if seen == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .unwrap();
            assert_eq!(seen, 3, "{}", variant.id());
        }
    }
}

static LIMITED: Variant = Variant::new(
    About {
        id: "limited",
        summary: "a variant that stops at order 5",
        complexity: "O(1)",
        source: "",
        follows: &[Citation { document: Document::D000, place: "nowhere" }],
        recursive: false,
        tree: Tree::Own,
        largest_order: match Order::new(5) {
            Some(order) => order,
            None => Order::MAX,
        },
    },
    |_| panic!("called beyond its limit"),
)
.listing(Lists::All, |_, _| panic!("called beyond its limit"));

#[test]
fn a_limit_is_kept_and_named() {
    let message = LIMITED.count(order(6)).unwrap_err().to_string();
    let expected = "order 6 is above the limit of limited, which accepts orders from 0 to 5";
    assert_eq!(message, expected);
    assert!(LIMITED.counter(order(6)).is_err());
    assert!(LIMITED.profile(order(6)).is_err());
    let listed = listing::list(&LIMITED, order(6), Which::All, &mut |_, _| ControlFlow::Break(()));
    assert_eq!(listed.unwrap_err(), expected);
    let checks = verify::verify(&LIMITED, order(6), Order::MAX);
    assert!(matches!(&checks[..], [only] if only.outcome == Outcome::Skipped(expected.to_owned())));
}

/// COR-08 of the public reports: planted faults are found, with what was expected and got.
#[test]
fn planted_faults_are_found() {
    fn total(n: usize, attacks: fn(usize, usize, usize, usize) -> bool) -> u128 {
        fn fill(
            columns: &mut Vec<usize>,
            n: usize,
            attacks: fn(usize, usize, usize, usize) -> bool,
        ) -> u128 {
            if columns.len() == n {
                return 1;
            }
            let mut total = 0;
            for column in 0..n {
                let row = columns.len();
                if !columns.iter().enumerate().any(|(r, &c)| attacks(r, c, row, column)) {
                    columns.push(column);
                    total += fill(columns, n, attacks);
                    columns.pop();
                }
            }
            total
        }
        fill(&mut Vec::new(), n, attacks)
    }
    fn one_diagonal(order: Order) -> Counts {
        let attacks =
            |r: usize, c: usize, row: usize, column: usize| c == column || r + c == row + column;
        Counts { total: total(order.get(), attacks), fundamental: None }
    }
    fn neighbours_only(order: Order) -> Counts {
        let attacks = |r: usize, c: usize, row: usize, column: usize| {
            c == column || (r + 1 == row && c.abs_diff(column) == 1)
        };
        Counts { total: total(order.get(), attacks), fundamental: None }
    }
    let about = |id| About { id, summary: "wrong", largest_order: Order::MAX, ..LIMITED.about };
    for (count, found) in [
        (one_diagonal as queens::CountFn, [23, 83, 405, 2113]),
        (neighbours_only, [14, 90, 646, 5242]),
    ] {
        let variant = Variant::new(about("planted"), count);
        for (n, found) in (5..).zip(found) {
            let checks = verify::verify(&variant, order(n), Order::MAX);
            let expected = known::total(order(n)).unwrap().to_string();
            let outcome = Outcome::Failed { expected: expected.clone(), found: found.to_string() };
            assert_eq!(checks[0].outcome, outcome, "order {n}");
            let message = checks[0].to_string();
            let words = format!("planted at order {n}: total: expected {expected}, got {found}");
            assert_eq!(message, words);
        }
    }
}

/// COR-07 of the public reports: a list with attacking queens is refused, naming the pair.
#[test]
fn a_list_with_attacks_is_refused() {
    let variant =
        Variant::new(About { id: "planted", largest_order: Order::MAX, ..LIMITED.about }, |_| {
            Counts { total: 2, fundamental: None }
        })
        .listing(Lists::All, |_, sink| {
            let _ = sink(&[0, 1, 2, 3], 1);
        });
    let checks = verify::verify(&variant, order(4), Order::MAX);
    let listing = checks.iter().find(|check| check.subject == Subject::Listing).unwrap();
    assert!(listing.failed());
    let message = listing.to_string();
    assert!(message.contains("row 1, column 1 and row 2, column 2 attack each other"), "{message}");
}
