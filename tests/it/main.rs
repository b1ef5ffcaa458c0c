//! Integration tests: one binary, one line a room.

#![expect(
    clippy::unwrap_used,
    reason = "the option for tests does not cover free functions"
)]

mod corpus;
mod secret;
mod tool;
