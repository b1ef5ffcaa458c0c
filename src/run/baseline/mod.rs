//! Players that need neither an engine nor a model: a legal move by chance, and
//! answers that are written down. They say what the others are compared with, and
//! register as what they are.

mod part;
mod player;
mod random;
mod script;

pub use part::{RandomPart, ScriptedPart};
pub use player::Baseline;
pub(crate) use player::BaselinePlayer;
pub(crate) use random::draw;
