//! How lines lie in segments, and the names of files, relative to the ledger's folder.

/// Lines in a sealed segment: a perfect subtree of the Merkle tree.
pub const SEGMENT_LINES: u64 = Layout::STANDARD.segment_lines();

/// How long segments are.
///
/// [`Layout::STANDARD`] in every ledger on a disk. A simulated one may have
/// shorter segments, so that a few events cross the boundary between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The level of a sealed segment's root in the tree.
    level: u32,
}

impl Layout {
    /// 4,096 lines a segment.
    pub const STANDARD: Self = Self { level: 12 };

    /// Returns a layout of 2 to the power of `level` lines a segment, and no
    /// more than 2 to the power of 32.
    pub const fn of_level(level: u32) -> Self {
        let level = if level < 32 { level } else { 32 };
        Self { level }
    }

    /// The level of a sealed segment's root in the tree.
    pub const fn level(self) -> u32 {
        self.level
    }

    /// The number of lines in a sealed segment.
    pub const fn segment_lines(self) -> u64 {
        1 << self.level
    }

    /// The number of the segment that holds the event with this index.
    pub const fn segment_of(self, index: u64) -> u64 {
        index >> self.level
    }
}

pub(crate) const DESCRIPTION: &str = "LEDGER.json";
pub(crate) const HEAD: &str = "head";
pub(crate) const EVENTS: &str = "events";
pub(crate) const SEGMENTS: &str = "segments.jsonl";
/// Half a million segments.
pub(crate) const INDEX_BYTES_MAX: u64 = 1 << 26;
pub(crate) const CHECKPOINTS: &str = "checkpoints";
pub(crate) const QUARANTINE: &str = "quarantine";
pub(crate) const BLOBS: &str = "blobs";
/// Sealed private bodies and their keys; not in git, erasable.
pub(crate) const PRIVATE: &str = "private";
/// Files that are still being written, and get their own name when they are whole.
pub(crate) const MAKING: &str = "making-";
/// The disposable SQLite index and its kin.
pub(crate) const INDEX: &str = "index.sqlite";

pub(crate) fn segment_path(segment: u64) -> String {
    format!("{EVENTS}/{segment:06}.jsonl")
}

/// The number of the segment whose file has this name.
pub(crate) fn segment_number(name: &str) -> Option<u64> {
    let number = name.strip_suffix(".jsonl")?.parse().ok()?;
    (segment_path(number)
        .strip_prefix(EVENTS)?
        .strip_prefix('/')?
        == name)
        .then_some(number)
}

/// The file of bytes that were cut off, relative to the ledger.
pub fn quarantine_path(digest: &crate::digest::Digest) -> String {
    format!("{QUARANTINE}/{digest}")
}
