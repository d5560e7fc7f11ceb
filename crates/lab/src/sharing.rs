//! Counting the parts of a count on several threads, with word of each part that is finished.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use queens::parts::{Parts, count_part};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// A part that was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Its number.
    pub part: usize,
    /// The placements that it stands for.
    pub placements: u128,
}

/// Parts in an order in which any beginning of the list is a fair sample of all of it, so that the time
/// of the first ones says how long the rest will take. The same each time.
#[must_use]
pub fn fair_order(parts: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..parts).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(parts as u64));
    order
}

/// Counts `parts` on `threads` threads, each part once, and gives every result to `told` as it comes, on
/// the thread of the caller. `told` is also called with nothing whenever `wait` found nothing to tell.
/// When `stop` is set no further part is begun, and the ones under way are finished and told.
///
/// `wait` takes the next result from the receiver; it may give up after a time, and says so.
pub fn count(
    parts: &dyn Parts,
    todo: &[usize],
    threads: usize,
    stop: &AtomicBool,
    wait: &dyn Fn(&Receiver<Counted>) -> Next,
    told: &mut dyn FnMut(Option<Counted>),
) {
    let next = AtomicUsize::new(0);
    let (results, received) = channel();
    thread::scope(|scope| {
        for _ in 0..threads.min(todo.len()) {
            let (results, next) = (results.clone(), &next);
            scope.spawn(move || work(parts, todo, next, stop, &results));
        }
        // The workers have their own; the channel is closed when the last of them ends.
        drop(results);
        loop {
            match wait(&received) {
                Next::Counted(counted) => told(Some(counted)),
                Next::Nothing => told(None),
                Next::Ended => break,
            }
        }
    });
}

/// What came while waiting for a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A result.
    Counted(Counted),
    /// Nothing yet.
    Nothing,
    /// There will be no further result.
    Ended,
}

/// Takes one part after another until none is left, so that no thread is idle while another has many.
fn work(
    parts: &dyn Parts,
    todo: &[usize],
    next: &AtomicUsize,
    stop: &AtomicBool,
    results: &Sender<Counted>,
) {
    let mut counter = parts.counter();
    while !stop.load(Ordering::Relaxed) {
        let Some(&part) = todo.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
        let placements = count_part(&mut *counter, part);
        if results.send(Counted { part, placements }).is_err() {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::REGISTRY;
    use queens::{Order, known};

    fn blocking(received: &Receiver<Counted>) -> Next {
        received.recv().map_or(Next::Ended, Next::Counted)
    }

    /// PAR-01 and PAR-02 of the public reports: any number of threads, also far more than there are
    /// parts, and orders that are smaller than the rows that parts are made of.
    #[test]
    fn totals_do_not_depend_on_the_threads() {
        let mut variants = 0;
        for variant in REGISTRY.iter().map(|entry| entry.variant) {
            for n in [0, 1, 2, 3, 4, 5, 6, 8, 10] {
                let order = Order::new(n).unwrap();
                let Some(parts) = variant.parts(order).unwrap() else { continue };
                variants += 1;
                for threads in [1, 2, 3, 4, 5, 6, 7, 12, 16, 64] {
                    let (mut total, mut seen) = (0, vec![false; parts.len()]);
                    count(
                        &*parts,
                        &fair_order(parts.len()),
                        threads,
                        &AtomicBool::new(false),
                        &blocking,
                        &mut |counted| {
                            let counted = counted.unwrap();
                            assert!(!seen[counted.part], "part {} twice", counted.part);
                            seen[counted.part] = true;
                            total += counted.placements;
                        },
                    );
                    assert!(seen.iter().all(|&seen| seen));
                    let known = known::total(order).map(u128::from);
                    assert_eq!(Some(total), known, "{} at {n}, {threads} threads", variant.id());
                }
            }
        }
        assert!(variants >= 18);
    }

    /// PAR-01 and PAR-02 of the public reports, for what is measured: calls that rayon shares out.
    #[test]
    fn shared_calls_do_not_depend_on_the_threads() {
        for variant in REGISTRY.iter().map(|entry| entry.variant).filter(|v| v.shares()) {
            for threads in [1, 2, 3, 4, 5, 6, 7, 12, 16, 64] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                for n in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] {
                    let order = Order::new(n).unwrap();
                    let shared = variant.shared_counter(order).unwrap().unwrap();
                    let total = pool.install(|| shared(order)).total;
                    let known = known::total(order).map(u128::from);
                    assert_eq!(Some(total), known, "{} at {n}, {threads} threads", variant.id());
                }
            }
        }
    }

    /// Parts that take their time, so that a stop always comes before the last of them.
    struct Slow;

    impl Parts for Slow {
        fn len(&self) -> usize {
            1000
        }

        fn counter(&self) -> Box<dyn queens::parts::PartCounter + '_> {
            Box::new(|part: usize| {
                thread::sleep(std::time::Duration::from_millis(2));
                part as u128
            })
        }

        fn work(&self, _part: usize) -> f64 {
            1.0
        }
    }

    #[test]
    fn no_part_is_begun_after_the_stop_and_none_is_lost() {
        let stop = AtomicBool::new(false);
        let mut counted = Vec::new();
        count(&Slow, &fair_order(1000), 3, &stop, &blocking, &mut |result| {
            counted.extend(result);
            stop.store(counted.len() >= 10, Ordering::Relaxed);
        });
        assert!((10..1000).contains(&counted.len()), "{} parts", counted.len());
        // Those that were begun, in the order in which they were to be, and each with its own result.
        let mut parts: Vec<usize> = counted.iter().map(|counted| counted.part).collect();
        parts.sort_unstable();
        let mut begun = fair_order(1000)[..counted.len()].to_vec();
        begun.sort_unstable();
        assert_eq!(parts, begun);
        assert!(counted.iter().all(|counted| counted.placements == counted.part as u128));
    }

    /// The estimate of what is left holds: the work of a fair beginning is its share of all work.
    #[test]
    fn the_work_of_parts_is_in_proportion_to_their_placements() {
        for (id, n) in [("threads", 11), ("lanes", 16)] {
            let variant = crate::registry::find(&REGISTRY, id).unwrap().variant;
            let parts = variant.parts(Order::new(n).unwrap()).unwrap().unwrap();
            let mut counter = parts.counter();
            let order = fair_order(parts.len());
            let (beginning, _) = order.split_at(parts.len() / 2);
            let work = |parts_of: &[usize]| parts_of.iter().map(|&p| parts.work(p)).sum::<f64>();
            let mut found = |parts_of: &[usize]| -> f64 {
                parts_of.iter().map(|&part| counter.count(part) as f64).sum()
            };
            let of_work = work(beginning) / work(&order);
            let of_placements = found(beginning) / found(&order);
            assert!(
                (of_work / of_placements - 1.0).abs() < 0.15,
                "{id}: {of_work}, {of_placements}"
            );
        }
    }
}
