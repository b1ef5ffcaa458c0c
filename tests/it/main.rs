//! The integration tests: one binary, one file a subject.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod events;
mod ledger;
