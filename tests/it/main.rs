//! Integration tests: one binary, one line a file.
//!
//! - `arrows`, `homes`: who may name whom, and what lives where (`source` and
//!   `token` read the code for them)
//! - `engine`: the UCI driver against programs that do what engines must not do
//! - `engine_files`: which files run when an engine does
//! - `engine_stockfish`: the UCI driver against a real engine
//! - `events`: what a line must be, its faults in words, its schemas and laws
//! - `ledger`: what a ledger on a real disk promises
//! - `secret`, `corpus`: what the scanner finds and what it leaves alone
//! - `supply`: licences and sources of what is built in
//! - `tour`: the sessions of the README
//! - `tool`: the programs that tests need
#![expect(
    clippy::unwrap_used,
    reason = "the option for tests does not cover free functions"
)]

mod arrows;
mod corpus;
mod engine;
mod engine_files;
mod engine_stockfish;
mod events;
mod homes;
mod ledger;
mod secret;
mod source;
mod supply;
mod token;
mod tool;
mod tour;
