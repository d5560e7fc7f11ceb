//! A variant: one way of searching, with what it says of itself and the functions that run it.

use std::fmt;

use crate::{FundamentalCount, Lister, Observer, Order, PlacementSink, Profile, TotalCount};
use crate::{Parts, symmetric};

/// A source document, by its file name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Document {
    /// `000_857b354232d1a56e.txt`, an article on two algorithms for the N-queens problem.
    D000,
    /// `002_739e8e57ad36000e.txt`, an article on recursive and non-recursive programs for it.
    D002,
    /// `003_6c5892606cc4c8d0.txt`, an article on its optimisation by bit sets.
    D003,
    /// `004_b3f46c6e96660cff.txt`, an article on the exercises "N-Queens" I and II.
    D004,
}

impl Document {
    /// The document's file name.
    #[must_use]
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::D000 => "000_857b354232d1a56e.txt",
            Self::D002 => "002_739e8e57ad36000e.txt",
            Self::D003 => "003_6c5892606cc4c8d0.txt",
            Self::D004 => "004_b3f46c6e96660cff.txt",
        }
    }

    /// The number that the file name begins with, by which tables cite it.
    #[must_use]
    pub fn number(self) -> &'static str {
        &self.file_name()[..3]
    }
}

/// A place in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The document.
    pub document: Document,
    /// The place in it, in words.
    pub place: &'static str,
}

/// Which search tree a variant walks. Variants of one tree have equal nodes in every row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tree {
    /// Row by row from the top, every unattacked square of a row, no look-ahead:
    /// [`crate::known::row_by_row_nodes`].
    RowByRow,
    /// A tree of the variant's own.
    Own,
}

/// What a variant says of itself.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Its name everywhere, the crate's name.
    pub id: &'static str,
    /// What it does, in one line without a full stop.
    pub summary: &'static str,
    /// How the cost of a step and the memory grow with the order N, in O notation.
    pub complexity: &'static str,
    /// Its `SOURCE.md`: what it follows, its algorithm, its deviations, its cost. Empty for one that no
    /// person is to read.
    pub source: &'static str,
    /// The documents that it follows; empty for one of our own.
    pub follows: &'static [Citation],
    /// Whether it searches by recursion.
    pub recursive: bool,
    /// The search tree that it walks.
    pub tree: Tree,
    /// The largest order that it accepts.
    pub largest_order: Order,
}

/// What a count found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Placements (A000170).
    pub total: u128,
    /// Fundamental placements (A002562), where the variant counts them.
    pub fundamental: Option<u128>,
}

impl Counts {
    /// The same with the fundamental count by Burnside's lemma, where the variant counts the total
    /// only: see [`symmetric::fundamental`]. It stays unknown where no fundamental count goes with
    /// the total, which is then wrong.
    #[must_use]
    pub fn completed(self, order: Order) -> Self {
        let fundamental = self.fundamental.or_else(|| symmetric::fundamental(order, self.total));
        Self { fundamental, ..self }
    }
}

/// A search that is written once for every observer. Each variant that visits nodes one after
/// another implements it.
pub trait Search {
    /// Visits placements of `order`; `observer` hears of each step.
    fn search<O: Observer>(order: Order, observer: &mut O);
}

fn count_total<S: Search>(order: Order) -> Counts {
    let mut observer = TotalCount::default();
    S::search(order, &mut observer);
    Counts { total: observer.total, fundamental: None }
}

fn count_fundamental<S: Search>(order: Order) -> Counts {
    let mut observer = FundamentalCount::default();
    S::search(order, &mut observer);
    Counts { total: observer.total, fundamental: Some(observer.fundamental) }
}

fn list<'a, S: Search>(order: Order, sink: &'a mut PlacementSink<'a>) {
    S::search(order, &mut Lister::new(order, sink));
}

fn profile<S: Search>(order: Order) -> Profile {
    let mut profile = Profile::new(order);
    S::search(order, &mut profile);
    profile
}

/// Counts the placements of an order that the variant accepts.
pub type CountFn = fn(Order) -> Counts;
/// Hands placements of an order that the variant accepts to a sink.
pub type ListFn = for<'a> fn(Order, &'a mut PlacementSink<'a>);
/// Records the search tree of an order that the variant accepts.
pub type ProfileFn = fn(Order) -> Profile;
/// Cuts the count of an order that the variant accepts into parts.
pub type DivideFn = fn(Order) -> Box<dyn Parts>;

/// Which placements a variant visits when it lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lists {
    /// Every placement, each with weight 1, in ascending lexicographic order.
    All,
    /// Every fundamental placement, each with the number of its distinct images as weight, in
    /// ascending lexicographic order; each is the least of its images.
    Fundamental,
}

/// An order that a variant does not accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderAboveLimit {
    /// The variant.
    pub id: &'static str,
    /// What was asked of it.
    pub order: Order,
    /// The largest order that it accepts.
    pub limit: Order,
}

impl fmt::Display for OrderAboveLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, order, limit } = self;
        write!(
            f,
            "order {order} is above the limit of {id}, which accepts orders from 0 to {limit}"
        )
    }
}

impl std::error::Error for OrderAboveLimit {}

/// One way of searching. Each variant's crate has one as its `VARIANT`.
///
/// Its functions are reached through methods that check the order against the limit first, so an
/// order beyond it is refused in the same way in every build and by every command.
#[derive(Debug)]
pub struct Variant {
    /// What it says of itself.
    pub about: About,
    count: CountFn,
    list: Option<(Lists, ListFn)>,
    profile: Option<ProfileFn>,
    divide: Option<DivideFn>,
    shared: Option<CountFn>,
    always_shares: bool,
    body: Option<fn() -> &'static str>,
}

impl Variant {
    /// A variant that counts. What it can do besides is added by the methods that follow.
    #[must_use]
    pub const fn new(about: About, count: CountFn) -> Self {
        Self {
            about,
            count,
            list: None,
            profile: None,
            divide: None,
            shared: None,
            always_shares: false,
            body: None,
        }
    }

    /// A variant that counts, profiles and, where `lists` says so, lists by one search. One that lists
    /// fundamental placements counts them; any other counts the total.
    #[must_use]
    pub const fn searching<S: Search>(about: About, lists: Option<Lists>) -> Self {
        let count = match lists {
            Some(Lists::Fundamental) => count_fundamental::<S>,
            _ => count_total::<S>,
        };
        let variant = Self::new(about, count).profiling(profile::<S>);
        match lists {
            Some(which) => variant.listing(which, list::<S>),
            None => variant,
        }
    }

    /// The same, and its count can be cut into parts, which `shared` counts on all threads of the
    /// pool that it is called in.
    #[must_use]
    pub const fn dividing(mut self, divide: DivideFn, shared: CountFn) -> Self {
        self.divide = Some(divide);
        self.shared = Some(shared);
        self
    }

    /// The same, and it shares every count out, also when it is not asked to.
    ///
    /// # Panics
    /// Where it cannot: [`Variant::dividing`] comes first.
    #[must_use]
    pub const fn always_sharing(mut self) -> Self {
        let Some(shared) = self.shared else { panic!("a variant that cannot divide its count") };
        self.count = shared;
        self.always_shares = true;
        self
    }

    /// The same, and which of its bodies counts depends on the processor; `body` names it.
    #[must_use]
    pub const fn choosing(mut self, body: fn() -> &'static str) -> Self {
        self.body = Some(body);
        self
    }

    /// The same, and it lists placements.
    #[must_use]
    pub const fn listing(mut self, which: Lists, list: ListFn) -> Self {
        self.list = Some((which, list));
        self
    }

    /// The same, and it profiles its search tree.
    #[must_use]
    pub const fn profiling(mut self, profile: ProfileFn) -> Self {
        self.profile = Some(profile);
        self
    }

    /// Its name everywhere.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        self.about.id
    }

    /// Whether it accepts `order`.
    ///
    /// # Errors
    /// Where `order` is above the variant's limit; the error names that limit.
    pub fn check(&self, order: Order) -> Result<(), OrderAboveLimit> {
        let limit = self.about.largest_order;
        if order <= limit { Ok(()) } else { Err(OrderAboveLimit { id: self.id(), order, limit }) }
    }

    /// The function that counts `order`. Instruments time this function and not a method around
    /// it; it may be called for this order and those below.
    ///
    /// # Errors
    /// Where `order` is above the variant's limit.
    pub fn counter(&self, order: Order) -> Result<CountFn, OrderAboveLimit> {
        self.check(order).map(|()| self.count)
    }

    /// The function that counts `order` on all threads of the pool that it is called in; nothing
    /// where the variant cannot share its count out.
    ///
    /// # Errors
    /// Where `order` is above the variant's limit.
    pub fn shared_counter(&self, order: Order) -> Result<Option<CountFn>, OrderAboveLimit> {
        self.check(order).map(|()| self.shared)
    }

    /// The count of `order` cut into parts; nothing where the variant cannot cut it.
    ///
    /// # Errors
    /// Where `order` is above the variant's limit.
    pub fn parts(&self, order: Order) -> Result<Option<Box<dyn Parts>>, OrderAboveLimit> {
        self.check(order).map(|()| self.divide.map(|divide| divide(order)))
    }

    /// Whether it can share its count out among threads.
    #[must_use]
    pub const fn shares(&self) -> bool {
        self.shared.is_some()
    }

    /// Whether it shares every count out among threads.
    #[must_use]
    pub const fn always_shares(&self) -> bool {
        self.always_shares
    }

    /// Which of its bodies counts on this machine, where it has several.
    #[must_use]
    pub fn body(&self) -> Option<&'static str> {
        self.body.map(|body| body())
    }

    /// Counts the placements of `order`, with the fundamental count by Burnside's lemma where the
    /// variant counts the total only.
    ///
    /// # Errors
    /// Where `order` is above the variant's limit.
    pub fn count(&self, order: Order) -> Result<Counts, OrderAboveLimit> {
        self.counter(order).map(|count| count(order).completed(order))
    }

    /// Which placements the variant visits when it lists them; nothing where it does not list.
    #[must_use]
    pub fn lists(&self) -> Option<Lists> {
        self.list.map(|(which, _)| which)
    }

    /// Hands the placements that [`Variant::lists`] names to `sink`; none where it names none.
    ///
    /// # Errors
    /// Where `order` is above the variant's limit.
    pub fn list<'a>(
        &self,
        order: Order,
        sink: &'a mut PlacementSink<'a>,
    ) -> Result<(), OrderAboveLimit> {
        self.check(order)?;
        if let Some((_, list)) = self.list {
            list(order, sink);
        }
        Ok(())
    }

    /// Whether the variant profiles its search tree.
    #[must_use]
    pub const fn profiles(&self) -> bool {
        self.profile.is_some()
    }

    /// Records the search tree of `order`; nothing where the variant does not profile.
    ///
    /// # Errors
    /// Where `order` is above the variant's limit.
    pub fn profile(&self, order: Order) -> Result<Option<Profile>, OrderAboveLimit> {
        self.check(order)?;
        Ok(self.profile.map(|profile| profile(order)))
    }
}
