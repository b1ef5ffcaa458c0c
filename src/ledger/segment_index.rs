use serde::{Deserialize, Serialize};

use crate::canonical::{self, Count, Fault};
use crate::digest::Root;
use crate::finding::{Code, Finding, Place};
use crate::ledger::layout::SEGMENTS;
use crate::ledger::storage::absence;

/// A line of segments.jsonl: one sealed segment. Untrusted: it must add up to the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sealed {
    /// The length of the segment's file.
    pub(crate) bytes: Count,
    /// The root of its perfect subtree.
    pub(crate) root: Root,
    /// Its number, from 0.
    pub(crate) segment: Count,
}

impl Sealed {
    pub(crate) fn line(&self) -> Result<String, serde_json::Error> {
        let mut line = canonical::write(self)?;
        line.push('\n');
        Ok(line)
    }
}

/// The finding that there is no segment index, where an error says so.
pub(crate) fn absent(error: &std::io::Error) -> Option<Finding> {
    let found = absence(error)?;
    let place = Place::file(SEGMENTS);
    Some(Finding::new(
        Code::SegmentIndex,
        place,
        "the segment index",
        found,
    ))
}

/// Reads the first `sealed` lines of the segment index and where they end.
///
/// Lines behind them were never covered by a head; they are derived anew.
///
/// # Errors
///
/// The first line (from 1) that is not what a sealed segment's line must be.
pub(crate) fn parse(file: &[u8], sealed: u64) -> Result<(Vec<Sealed>, usize), (u64, Fault)> {
    let mut lines = Vec::new();
    let mut end = 0;
    for number in 0..sealed {
        let fault = |fault| (number + 1, fault);
        let rest = &file[end..];
        let length = rest.iter().position(|byte| *byte == b'\n').ok_or_else(|| {
            fault(Fault::new(
                1,
                format!("{sealed} lines"),
                "the end of the file",
            ))
        })?;
        let line: Sealed = canonical::parse(&rest[..length]).map_err(fault)?;
        if line.segment.get() != number {
            return Err(fault(Fault::new(
                1,
                format!("segment {number}"),
                format!("segment {}", line.segment),
            )));
        }
        lines.push(line);
        end += length + 1;
    }
    Ok((lines, end))
}
