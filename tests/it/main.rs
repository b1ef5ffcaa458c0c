//! Integration tests: one binary, one line a room.

#![expect(
    clippy::unwrap_used,
    reason = "the option for tests does not cover free functions"
)]

mod arrows;
mod corpus;
mod homes;
mod secret;
mod source;
mod supply;
mod token;
mod tool;
