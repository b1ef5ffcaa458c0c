//! The `SQLite` index: the projections as tables, for people and SQL.
//!
//! A cache that one may delete. It is made whole from a fold of the ledger,
//! beside the one that stands, and takes its place at the end; nothing is ever
//! changed in it. `board` goes on from the snapshot in it; no other command
//! reads it. Its interface is `docs/index.md`.
//!
//! The room copies what projections say into rows. Absent is `NULL` and never
//! zero; ids, times, money and other decimals are texts, because `SQLite`
//! has no exact decimals. It computes nothing of its own: the views count again what
//! boards count, and a test holds the two together.

mod anchored;
mod calls;
mod cohorts;
mod corrections;
mod dangling;
mod draft;
mod eras;
mod filling;
mod games;
mod money;
mod people;
mod positions;
mod puzzles;
mod resources;
mod row;
mod snapshot;
mod systems;

pub use draft::{Draft, IndexError, Indexed};
pub use filling::Filling;
pub use snapshot::Snapshot;
