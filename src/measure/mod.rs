//! Pure numbers: ratings and intervals, what moves give away, how matches
//! stand, and the one way to print them.
//!
//! This room knows neither games nor events; it takes numbers and returns
//! numbers. It is the only one that names `libm`, so that exp, ln and sqrt
//! give the same bits on every machine. Sums run in an order that depends on
//! the values alone, and points are added as integer half-points first.
//!
//! No number is clamped: [`Rating::flags`] says which are remarkable. Anyone can
//! hold them against their own: see `vectors` and `figures`.

mod accuracy;
mod agreement;
pub mod anchored;
mod bout;
mod decimal;
mod distribution;
mod elo;
mod figures;
mod flag;
mod glicko2;
mod interval;
mod judgement;
mod match_score;
mod outlook;
mod rating;
mod regret;
mod sprt;
mod vectors;

pub use accuracy::{BySide, Course, move_accuracy};
pub use agreement::Agreement;
pub use bout::Bout;
pub use decimal::{NotFinite, decimal};
pub use elo::{HUMAN_START, human_elo};
pub use figures::{
    CheckedCase, Figure, FigureCase, FigureDifference, FigureFormat, FigureReport, FigureTolerance,
    Figures, Value,
};
pub use flag::{FLAGGED_DEVIATION_ABOVE, FLAGGED_RATING_ABOVE, FLAGGED_RATING_BELOW, Flag};
pub use glicko2::{NoConvergence, update, update_over};
pub use interval::Interval;
pub use judgement::Judgement;
pub use match_score::{MatchElo, MatchScore, NormalizedElo};
pub use outlook::Outlook;
pub use rating::Rating;
pub use regret::{Regret, expected_points};
pub use sprt::{Sprt, SprtState};
pub use vectors::{
    Case, CaseReport, Comparison, Difference, Evaluation, Report, Section, Tolerance, Unrated,
    Vectors, VectorsFault, Verdict,
};
