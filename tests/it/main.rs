//! Integration tests: one binary, one file a subject.
//!
//! - `engine`: the UCI driver against programs that do what engines must not do
//! - `engine_files`: which files run when an engine does
//! - `engine_stockfish`: the UCI driver against a real engine
//! - `ledger`: what a ledger on a real disk promises

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod engine;
mod engine_files;
mod engine_stockfish;
mod ledger;
