//! The vocabulary of the laboratory: what every variant, every instrument and every table shares.
//!
//! A board of *order* N has N×N squares. A *placement* puts N queens on it so that no two attack
//! each other; it is written as the column of the queen in each row, counted from 0. Two
//! placements that a rotation or a reflection of the board carries into each other belong to one
//! *fundamental placement*. The *total* counts placements (OEIS A000170: 92 at order 8), the
//! *fundamental count* counts fundamental placements (OEIS A002562: 12 at order 8).
//!
//! A *variant* is one way of searching. Its *search tree* has a *node* for each queen that it
//! places: a partial placement in which no two queens attack each other. The empty board, the
//! root, is not counted.
//!
//! This crate depends on nothing, reads no clock, file or argument, and once an [`Order`] is held
//! that is within a function's stated range nothing in it fails.

pub mod bits;
pub mod centre;
pub mod known;
mod observer;
mod order;
pub mod parts;
mod profile;
pub mod square;
pub mod symmetric;
mod variant;
pub mod watch;

pub use observer::{FundamentalCount, Lister, Observer, PlacementSink, TotalCount};
pub use order::{BadOrder, Order};
pub use parts::Parts;
pub use profile::{Profile, RowProfile};
pub use variant::{
    About, Citation, CountFn, Counts, DivideFn, Document, ListFn, Lists, OrderAboveLimit,
    ProfileFn, Search, Tree, Variant,
};
