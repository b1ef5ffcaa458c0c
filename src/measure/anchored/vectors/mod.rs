//! Files of vectors for ratings against anchors, in the format of
//! docs/measure-anchored.md.
//!
//! Every figure of such a file is held against what we compute, or is one of
//! those that are only for reading, or is refused: none is passed over because
//! its name is misspelled.

mod case;
mod figure;
mod file;
mod leaf;
mod report;

pub use case::AnchoredCase;
pub use figure::{Figure, Shown};
pub use file::{AnchoredTolerance, AnchoredVectors};
pub use report::{AnchoredCaseReport, AnchoredDifference, AnchoredReport, AnchoredVerdict};
