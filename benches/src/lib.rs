//! What the instruments share: the cases they measure unasked, and the one module that reads
//! Criterion's files.

pub mod cases;
pub mod criterion_files;
