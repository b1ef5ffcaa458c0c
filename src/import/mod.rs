//! Foreign formats: one file each.
//!
//! What comes from elsewhere is read by the names of its columns and doubted
//! line by line. A fault has the number of its line, and what to do; nothing is
//! guessed, and nothing is taken from a file with a fault in what is taken.
//!
//! The room writes no event: it returns what an event is made of.

mod draw;
mod lichess;
mod positions;
mod unpacked;

pub use draw::{Band, Draw, Drawn, Recipe};
pub use lichess::{DrawError, Faults, LineFault, draw_puzzles};
pub use positions::{PositionsError, read_positions};
pub use unpacked::Unpacked;
