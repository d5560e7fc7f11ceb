//! Everything of the laboratory that needs no clock, no process and no arguments: the registry of
//! variants, verification, the plan of a run, statistics, records, charts and the report.
//!
//! What reads or writes files returns a `Result` that names the file and, where there is one, the
//! line; what takes a person's words returns one that quotes them. Nothing else here fails.

pub mod attack;
pub mod boards;
pub mod calibration;
mod call;
pub mod charts;
pub mod checkpoint;
pub mod data;
pub mod diff;
pub mod environment;
pub mod explain;
pub mod files;
pub mod format;
pub mod frontier;
pub mod growth;
pub mod html;
pub mod journal;
pub mod listing;
pub mod numbers;
pub mod orders;
pub mod paired;
pub mod plan;
pub mod protocol;
pub mod records;
pub mod registry;
pub mod report;
pub mod rounds;
pub mod run;
pub mod sharing;
pub mod splice;
pub mod stats;
pub mod story;
pub mod table;
pub mod tables;
mod templates;
pub mod verify;

pub use call::call;
