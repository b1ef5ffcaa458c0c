//! Ratings of one system from its own games against opponents of fixed rating.

mod bootstrap;
mod fault;
mod joint;
mod law;
mod level;
mod performance;
mod profile;
mod record;
mod root;
mod saturated;
mod splitmix;
mod terms;

pub use bootstrap::{Bootstrap, Model};
pub use fault::NoFit;
pub use joint::Joint;
pub use level::{End, Fit, Level, Reach};
pub use performance::Performance;
pub use profile::PROFILE_DROP;
pub use record::{ANCHOR_RATING_MAX, MiniMatch, Record, RecordFault, Score, Seat, Tally};
pub use root::NoRoot;
pub use saturated::{BOUND_RISK, Bound, Side};
pub use terms::{
    COLOR_EFFECT_MAX, ColorBasis, ColorEffect, DrawBasis, DrawRate, Terms, TermsFault,
};
