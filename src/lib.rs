//! Trustworthy evidence for benchmarks in which language models play chess.
//!
//! In chess the scoresheet is the signed record that an arbiter opens when a
//! result is disputed. This crate keeps that record for benchmarks: every
//! turn, call and cost is one event in an append-only, content-addressed
//! ledger; games, ratings and boards are rebuilt from it; and nothing is
//! published that the ledger does not bear out.
//!
//! # The trip of one event
//!
//! ```text
//! line of bytes -> Verified<Event> -> Ledger -> Projection -> Board -> Artifact -> Manifest -> Verdict
//! ```
//!
//! One direction. Each step can be recomputed from the one before it, and the
//! auditor does exactly that: recompute, then compare bytes.
//!
//! # Rooms, in reading order
//!
//! A room may name only rooms above it in this list, and of those only the
//! ones in the table of `tests/it/arrows.rs`, which is enforced.
//!
//! - [`digest`]: SHA-256 and the RFC 6962 hashes as types
//! - [`canonical`]: the strict canonical JSON that event lines and manifests are written in
//! - [`finding`]: what is wrong with evidence, as values
//! - [`chess`]: positions, moves, results and rules, thin over shakmaty
//! - [`measure`]: pure numbers: ratings, intervals, grades of moves, match statistics
//! - [`secret`]: secret-like text: rules and redaction
//! - [`schema`]: JSON Schemas, and what in a document violates them
//! - [`tree`]: reading a folder safely
//! - [`event`]: the envelope, the kinds, and `Verified<Event>`
//! - [`ledger`]: the append-only list of events on disk
//! - [`projection`]: state folded from events
//! - [`board`]: rows for a reader, complete or not at all
//! - [`manifest`]: content-addressed lists: cohorts and audits
//! - [`release`]: the publication specification and its generators
//! - [`submission`]: what somebody says of a system, and whether evidence bears it out
//! - [`audit`]: the rules that a release must pass
//! - [`run`]: the reference runner
//! - [`import`]: foreign formats
//! - [`store`]: the SQLite index, disposable
//! - [`cli`]: the commands; the only room that prints, reads the clock or the environment
//!
//! # What is deliberately absent
//!
//! - No rating, rank or total is ever stored in the ledger: they are projections.
//! - No clock or environment below [`cli`]: times and sources of keys are
//!   arguments. The one random source below it makes a signing key.
//! - No hash map anywhere: whatever reaches bytes has a fixed order.
//! - No floating-point number in an event, and no `null`: absent is not zero.
//! - No command edits a ledger line. What was wrong is corrected by a later event.

pub mod audit;
pub mod board;
pub mod canonical;
pub mod chess;
pub mod cli;
pub mod digest;
pub mod event;
pub mod finding;
pub mod import;
pub mod ledger;
pub mod manifest;
pub mod measure;
pub mod projection;
pub mod release;
pub mod run;
pub mod schema;
pub mod secret;
pub mod store;
pub mod submission;
pub mod tree;
