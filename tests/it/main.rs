//! Integration tests: one binary, one line a file.
//!
//! - `arena`, `script`: a ledger with the program that plays in it, and engines
//!   for it that do what a test wants
//! - `arrows`, `homes`: who may name whom, and what lives where (`source` and
//!   `token` read the code for them)
//! - `engine`: the UCI driver against programs that do what engines must not do
//! - `engine_files`: which files run when an engine does
//! - `engine_stockfish`: the UCI driver against a real engine
//! - `events`: what a line must be, its faults in words, its schemas and laws
//! - `ledger`: what a ledger on a real disk promises
//! - `runs`: what comes of tournaments; `runs_killed`: the same, however often
//!   they are killed; `runs_mended`: what maintainers append in between;
//!   `runs_refused`: what is not played, and leaves no trace
//! - `secret`, `corpus`: what the scanner finds and what it leaves alone
//! - `supply`: licences and sources of what is built in
//! - `tour`: the sessions of the README
//! - `tool`: the programs that tests need
#![expect(
    clippy::unwrap_used,
    reason = "the option for tests does not cover free functions"
)]

mod arena;
mod arrows;
mod corpus;
mod engine;
mod engine_files;
mod engine_stockfish;
mod events;
mod homes;
mod ledger;
mod runs;
mod runs_killed;
mod runs_mended;
mod runs_refused;
mod script;
mod secret;
mod source;
mod supply;
mod token;
mod tool;
mod tour;
