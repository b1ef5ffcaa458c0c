//! Pure numbers: ratings and intervals, and the one way to print them.
//!
//! This room knows neither games nor events; it takes numbers and returns
//! numbers. It is the only one that names `libm`, so that exp, ln and sqrt
//! give the same bits on every machine. Sums run in an order that depends on
//! the values alone, and points are added as integer half-points first.

mod bout;
mod decimal;
mod elo;
mod glicko2;
mod interval;
mod rating;
#[cfg(test)]
mod vectors;

pub use bout::Bout;
pub use decimal::{NotFinite, decimal};
pub use elo::{HUMAN_START, human_elo};
pub use glicko2::{NoConvergence, update, update_over};
pub use interval::Interval;
pub use rating::{Rating, is_extreme};
