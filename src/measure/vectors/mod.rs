//! Files of Glicko-2 vectors: what is given, what should come out, and what
//! does.
//!
//! The format is that of docs/measure.md. There is one reader: the command
//! that evaluates such a file and the tests of `glicko2` use it alike. It is
//! strict where a mistake would go unnoticed (a key that nobody knows, a number
//! beyond 64 bits, a player who is not there) and never panics, whatever the
//! file says.
//!
//! A [`Case`] of every section becomes the same thing: players with their
//! starts, and rating periods in which some of them met. [`Evaluation`] rates
//! them one period after the other.

mod case;
mod comparison;
mod evaluation;
mod fault;
mod file;
pub(crate) mod object;
mod report;
mod section;

pub use case::Case;
pub use comparison::{Comparison, Difference};
pub use evaluation::{Evaluation, Unrated};
pub use fault::VectorsFault;
pub(crate) use file::document;
pub use file::{Tolerance, Vectors};
pub(crate) use object::{Object, each, integer, list, name, number, number_from_zero};
pub use report::{CaseReport, Report, Verdict};
pub use section::Section;
