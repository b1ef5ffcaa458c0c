//! Integration tests, one binary.
//!
//! - `engine`: the UCI driver against programs that do what engines must not do

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod engine;
