//! Reading segments: on all cores, handed over in order, in bounded memory.

use std::num::NonZero;
use std::sync::mpsc::{Receiver, sync_channel};

use crate::digest::LeafHash;
use crate::event::{Event, LineFault, Verified};
use crate::ledger::layout::segment_path;
use crate::ledger::lines::{LineEnd, Lines};
use crate::ledger::storage::absence;
use crate::ledger::{LedgerError, Mode, SEGMENT_LINES, Storage};

/// A segment to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) number: u64,
    /// How many bytes of it. Absent: all.
    pub(crate) bytes: Option<u64>,
}

/// A segment that was read.
pub(crate) struct Segment {
    pub(crate) number: u64,
    /// The length of the file. Absent: there is no such plain file.
    pub(crate) length: Option<u64>,
    pub(crate) lines: Vec<SegmentLine>,
}

/// A line of a segment.
pub(crate) struct SegmentLine {
    /// Counted from 1.
    pub(crate) number: u64,
    pub(crate) event: Result<Verified<Event>, Faulty>,
}

/// A line that is no event; it is a leaf of the tree all the same.
pub(crate) struct Faulty {
    pub(crate) leaf: LeafHash,
    pub(crate) fault: LineFault,
}

impl SegmentLine {
    pub(crate) fn leaf(&self) -> LeafHash {
        match &self.event {
            Ok(event) => event.id().leaf(),
            Err(faulty) => faulty.leaf,
        }
    }
}

/// Reads these segments and hands them over in their order.
///
/// # Errors
///
/// What the system says, or what `each` says.
pub(crate) fn stream(
    storage: &dyn Storage,
    parts: &[Part],
    mut each: impl FnMut(Segment) -> Result<(), LedgerError>,
) -> Result<(), LedgerError> {
    let n_parts = u64::try_from(parts.len()).unwrap_or(u64::MAX);
    let n_lines = n_parts.saturating_mul(storage.layout().segment_lines());
    // A few lines are read before a thread is started.
    let threads = if n_lines <= SEGMENT_LINES {
        1
    } else {
        std::thread::available_parallelism()
            .map_or(1, NonZero::get)
            .min(parts.len())
    };
    if threads < 2 {
        for part in parts {
            each(read(storage, *part)?)?;
        }
        return Ok(());
    }
    std::thread::scope(|scope| {
        // Worker w reads parts w, w + threads, ...: taking from the workers in
        // turn gives the parts in order, and a full channel holds its worker back.
        let workers: Vec<Receiver<_>> = (0..threads)
            .map(|worker| {
                let (sender, receiver) = sync_channel(1);
                scope.spawn(move || {
                    for part in parts.iter().skip(worker).step_by(threads) {
                        if sender.send(read(storage, *part)).is_err() {
                            break;
                        }
                    }
                });
                receiver
            })
            .collect();
        for turn in 0..parts.len() {
            match workers[turn % threads].recv() {
                Ok(segment) => each(segment?)?,
                Err(_) => break,
            }
        }
        Ok(())
    })
}

/// Reads one segment.
pub(crate) fn read(storage: &dyn Storage, part: Part) -> Result<Segment, LedgerError> {
    let path = segment_path(part.number);
    let mut segment = Segment {
        number: part.number,
        length: None,
        lines: Vec::new(),
    };
    let file = match storage.open(&path, Mode::Read) {
        Ok(file) => file,
        Err(error) if absence(&error).is_some() => return Ok(segment),
        Err(error) => return Err(LedgerError::io("open", path)(error)),
    };
    let length = file.length().map_err(LedgerError::io("read", &path))?;
    segment.length = Some(length);
    let end = part.bytes.unwrap_or(length).min(length);
    let mut lines = Lines::new(&*file, 0, end);
    let mut number = 0;
    while let Some(line) = lines.next().map_err(LedgerError::io("read", &path))? {
        number += 1;
        let event = match line.end {
            LineEnd::Newline | LineEnd::TooLong => Verified::parse(line.bytes),
            LineEnd::Missing => Err(LineFault::new(
                u64::try_from(line.bytes.len() + 1).unwrap_or(u64::MAX),
                "a newline",
                "the end of the acknowledged bytes",
            )),
        };
        segment.lines.push(SegmentLine {
            number,
            event: event.map_err(|fault| Faulty {
                leaf: LeafHash::of(line.bytes),
                fault,
            }),
        });
    }
    Ok(segment)
}
