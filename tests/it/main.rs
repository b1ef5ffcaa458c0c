//! Integration tests: one binary, one line a file.
//!
//! - `audit`: what an audit leaves behind, in both modes, whatever it finds
//! - `bundle`: the smallest published project, and copies of it to be damaged
//! - `arrows`, `homes`: who may name whom, and what lives where (`source` and
//!   `token` read the code for them)
//! - `committed`: the evidence of this repository, damaged byte by byte
//! - `codes`: every code, and the smallest change that raises it
//! - `engine`: the UCI driver against programs that do what engines must not do
//! - `engine_files`: which files run when an engine does
//! - `engine_stockfish`: the UCI driver against a real engine
//! - `ledger`: what a ledger on a real disk promises
//! - `reproduce`: it writes nothing and says the same everywhere
//! - `secret`, `corpus`: what the scanner finds and what it leaves alone
//! - `supply`: licences and sources of what is built in
//! - `tour`: the sessions of the README
//! - `trip`: whatever is changed of a published project is refused and named
//! - `segments`: the same for a project with sealed segments
//! - `tool`: the programs that tests need

#![expect(
    clippy::unwrap_used,
    reason = "the option for tests does not cover free functions"
)]

mod arrows;
mod audit;
mod bundle;
mod codes;
mod committed;
mod corpus;
mod engine;
mod engine_files;
mod engine_stockfish;
mod homes;
mod ledger;
mod reproduce;
mod secret;
mod segments;
mod source;
mod supply;
mod token;
mod tool;
mod tour;
mod trip;
