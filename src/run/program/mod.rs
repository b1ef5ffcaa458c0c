//! Programs that are started once a request: the request goes in as one JSON
//! document on standard input, the reply comes out as one on standard output.
//!
//! It is the door for command-line agents, which have instructions of their own,
//! and for systems of several models. What they may say is in docs/programs.md.
//! A reply that breaks the form is a failed call: nothing is guessed.

mod document;
mod passed;
mod player;
mod process;
mod reply;
mod spec;

pub use passed::Passed;
pub(crate) use player::ProgramPlayer;
pub(crate) use reply::message_of;
pub use spec::ProgramSpec;
