//! Ratings of one system from its own games against opponents of fixed rating.
//!
//! Each system is fitted alone, to its own [`Record`]: no other system's games
//! are in it, so that adding a system moves no other number. Two models:
//! [`Performance`] fits the score, [`Joint`] wins, draws and losses with the
//! draw rate between equals and the color effect. The gap is
//! d = theta - r + gamma c, with c = 1 where the system has White and -1 where
//! it has Black, and the expected score E = 1 / (1 + 10^(-d/400)).
//!
//! A record in which everything was won or lost has no finite rating: it is a
//! [`Bound`], by type. Intervals are profile intervals and those of a
//! [`Bootstrap`] over two-game mini-matches. [`Ladder`] fits the levels of
//! weaker anchors to games among anchors.
//!
//! Searches are bracketed, and one that does not end is an error. Nothing
//! depends on the order of games, except that a bootstrap draws mini-matches
//! in the order given.

mod ascent;
mod bootstrap;
mod connection;
mod error_bar;
mod fault;
mod joint;
mod ladder;
mod law;
mod level;
mod linear;
mod performance;
mod printed;
mod profile;
mod record;
mod root;
mod saturated;
mod sensitivity;
mod splitmix;
mod spread;
mod system;
mod terms;
mod vectors;

pub use bootstrap::{Bootstrap, Model};
pub use error_bar::ErrorBar;
pub use fault::NoFit;
pub use joint::Joint;
pub use ladder::{Ladder, LadderFault, Meeting, Rung};
pub use level::{End, Fit, Level, Reach};
pub use performance::Performance;
pub use printed::Printed;
pub use profile::PROFILE_DROP;
pub use record::{ANCHOR_RATING_MAX, MiniMatch, Record, RecordFault, Score, Seat, Tally};
pub use root::NoRoot;
pub use saturated::{BOUND_RISK, Bound, Side};
pub use sensitivity::{LeftOut, leave_each_out, level, range};
pub use spread::Spread;
pub use system::SystemFit;
pub use terms::{
    COLOR_EFFECT_MAX, ColorBasis, ColorEffect, DRAW_RATE_MAX, DrawBasis, DrawRate, Terms,
    TermsFault,
};
pub use vectors::{
    AnchoredCase, AnchoredCaseReport, AnchoredDifference, AnchoredReport, AnchoredTolerance,
    AnchoredVectors, AnchoredVerdict, Figure, Shown,
};
