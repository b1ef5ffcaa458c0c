//! Integration tests, one binary.
//!
//! - `engine`: the UCI driver against programs that do what engines must not do
//! - `engine_files`: which files run when an engine does
//! - `engine_stockfish`: the UCI driver against a real engine

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod engine;
mod engine_files;
mod engine_stockfish;
