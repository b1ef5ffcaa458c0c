//! Content-addressed lists: what was frozen, and what a release holds.
//!
//! A manifest is one canonical line, so its digest names exactly one content
//! and everyone can check it with stock tools. It is an index of evidence, not
//! a copy of it, and it holds no time: it is a function of a prefix.

mod anchor_fit;
mod audit;
mod cohort;
mod inventory;
mod waiver;

pub use crate::event::GeneratorRef;
pub use anchor_fit::{
    AnchorFit, AnchorFitError, AnchorLevel, AnchorMeeting, FitConstants, FittedTerm, LevelStanding,
};
pub use audit::{Answered, AuditManifest, AuditRun, CountedWaivers, Limits, Mode, Verdict};
pub use cohort::{AbortedGame, CohortManifest, Counts, FailureCount, FinishedGame, Freeze};
pub use inventory::{
    Artifact, FileDigest, Freshness, FreshnessVerdict, FrozenCohort, Inventory, SecretScan, State,
};
pub use waiver::SecretWaiver;

use crate::canonical;
use crate::digest::Digest;

/// Returns the file of a manifest: its canonical line with a newline.
///
/// # Errors
///
/// When the value cannot be JSON, which no manifest is.
pub fn file<T: serde::Serialize>(manifest: &T) -> Result<Vec<u8>, serde_json::Error> {
    let mut line = canonical::write(manifest)?;
    line.push('\n');
    Ok(line.into_bytes())
}

/// Returns the digest that names a manifest: over its file.
///
/// # Errors
///
/// As [`file`].
pub fn digest<T: serde::Serialize>(manifest: &T) -> Result<Digest, serde_json::Error> {
    file(manifest).map(|file| Digest::of(&file))
}
