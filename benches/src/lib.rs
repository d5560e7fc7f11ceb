//! What the instruments share: the cases they measure unasked, how they are given a task, what they
//! read of the machine, and the one module that reads Criterion's files.

pub mod cases;
pub mod criterion_files;
pub mod environment;
pub mod instrument;
pub mod planted;
