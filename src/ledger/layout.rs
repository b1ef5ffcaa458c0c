//! The names of files in a ledger, relative to its folder.

/// Lines in a sealed segment: a perfect subtree of the Merkle tree.
pub const SEGMENT_LINES: u64 = 1 << SEGMENT_LEVEL;

/// The level of a sealed segment's root in the tree.
pub(crate) const SEGMENT_LEVEL: u32 = 12;

pub(crate) const DESCRIPTION: &str = "LEDGER.json";
pub(crate) const HEAD: &str = "head";
pub(crate) const EVENTS: &str = "events";
pub(crate) const SEGMENTS: &str = "segments.jsonl";
pub(crate) const CHECKPOINTS: &str = "checkpoints";
pub(crate) const QUARANTINE: &str = "quarantine";
pub(crate) const BLOBS: &str = "blobs";
/// Sealed private bodies and their keys; not in git, erasable.
pub(crate) const PRIVATE: &str = "private";
/// Files that are still being written, and get their own name when they are whole.
pub(crate) const MAKING: &str = "making-";
/// The disposable SQLite index and its kin.
pub(crate) const INDEX: &str = "index.sqlite";

/// The segment that holds the event with this index.
pub(crate) const fn segment_of(index: u64) -> u64 {
    index / SEGMENT_LINES
}

pub(crate) fn segment_path(segment: u64) -> String {
    format!("{EVENTS}/{segment:06}.jsonl")
}

/// The file of bytes that were cut off, relative to the ledger.
pub fn quarantine_path(digest: &crate::digest::Digest) -> String {
    format!("{QUARANTINE}/{digest}")
}
