//! Reading segments: on all cores, handed over in order, in bounded memory.

use std::num::NonZero;
use std::sync::mpsc::{Receiver, sync_channel};

use crate::digest::{Frontier, LeafHash, Root};
use crate::event::{Event, LineFault, Verified};
use crate::ledger::layout::segment_path;
use crate::ledger::lines::{Line, LineEnd, Lines};
use crate::ledger::storage::absence;
use crate::ledger::{Layout, LedgerError, Mode, SEGMENT_LINES, Storage};
use crate::secret::Scanner;

/// A segment to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) number: u64,
    /// How many bytes of it. Absent: all.
    pub(crate) bytes: Option<u64>,
}

/// What is made of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Leaves of the tree.
    Leaves,
    /// Events.
    Events,
    /// Events, each line of which is looked at for secrets as well.
    ScannedEvents,
    /// Leaves of the first so many lines, and events of the others.
    EventsFrom(u64),
}

impl Depth {
    /// Whether the line behind so many is only a leaf.
    const fn is_leaf(self, n_before: u64) -> bool {
        match self {
            Self::Leaves => true,
            Self::Events | Self::ScannedEvents => false,
            Self::EventsFrom(first) => n_before < first,
        }
    }
}

/// A segment that was read.
pub(crate) struct Segment {
    pub(crate) number: u64,
    /// The length of the file. Absent: there is no such plain file.
    pub(crate) length: Option<u64>,
    /// One leaf a line, whatever stands on it.
    pub(crate) leaves: Vec<LeafHash>,
    /// Their tree.
    pub(crate) tree: Frontier,
    /// The events; where only leaves were asked for, the lines without an end,
    /// and those that are too long.
    pub(crate) lines: Vec<SegmentLine>,
}

/// A line of a segment.
pub(crate) struct SegmentLine {
    /// Counted from 1.
    pub(crate) number: u64,
    pub(crate) event: Result<Verified<Event>, LineFault>,
    /// Whether something in it looks like a credential, where that was asked for.
    pub(crate) is_suspect: bool,
}

/// Reads these segments and hands them over in their order.
///
/// # Errors
///
/// What the system says, or what `each` says.
pub(crate) fn stream(
    storage: &dyn Storage,
    parts: &[Part],
    depth: Depth,
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
            each(read(storage, *part, depth)?)?;
        }
        return Ok(());
    }
    std::thread::scope(|scope| {
        // Worker w reads parts w, w + threads, ...: taking from the workers in
        // turn gives the parts in order, and a full channel holds its worker back.
        let workers: Vec<Option<Receiver<_>>> = (0..threads)
            .map(|worker| {
                let (sender, receiver) = sync_channel(1);
                let work = move || {
                    for part in parts.iter().skip(worker).step_by(threads) {
                        if sender.send(read(storage, *part, depth)).is_err() {
                            break;
                        }
                    }
                };
                let thread = std::thread::Builder::new().spawn_scoped(scope, work);
                thread.is_ok().then_some(receiver)
            })
            .collect();
        for (turn, part) in parts.iter().enumerate() {
            match &workers[turn % threads] {
                Some(worker) => match worker.recv() {
                    Ok(segment) => each(segment?)?,
                    Err(_) => break,
                },
                // Where the system starts no more threads, this one does the work.
                None => each(read(storage, *part, depth)?)?,
            }
        }
        Ok(())
    })
}

/// No event is shorter, and few lines are.
const SHORT_LINE: u64 = 64;

/// Reads one segment.
pub(crate) fn read(
    storage: &dyn Storage,
    part: Part,
    depth: Depth,
) -> Result<Segment, LedgerError> {
    let path = segment_path(part.number);
    let mut segment = Segment {
        number: part.number,
        length: None,
        leaves: Vec::new(),
        tree: Frontier::default(),
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
    segment.reserve(
        storage.layout().segment_lines().min(end / SHORT_LINE),
        depth,
    );
    let mut lines = Lines::new(&*file, 0, end);
    while let Some(line) = lines.next().map_err(LedgerError::io("read", &path))? {
        segment.take(&line, depth);
    }
    Ok(segment)
}

impl Segment {
    /// Adds the leaves to those of the segments before: a full segment at once,
    /// any other leaf by leaf.
    pub(crate) fn join(&self, tree: &mut Frontier, layout: Layout) {
        let is_perfect = self.tree.size() == layout.segment_lines();
        if is_perfect && tree.size().is_multiple_of(layout.segment_lines()) {
            tree.push_perfect(layout.level(), self.tree.root());
        } else {
            self.leaves.iter().for_each(|leaf| tree.push(leaf));
        }
    }

    /// The root over the segments before and the first `count` leaves of this one.
    pub(crate) fn root_within(&self, before: &Frontier, count: u64) -> Root {
        let mut tree = before.clone();
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let leaves = self.leaves.iter().take(count);
        leaves.for_each(|leaf| tree.push(leaf));
        tree.root()
    }

    /// Makes room for so many lines at once: growing step by step would copy each
    /// event twice.
    fn reserve(&mut self, n_lines: u64, depth: Depth) {
        let n_lines = usize::try_from(n_lines).unwrap_or_default();
        self.leaves.reserve(n_lines);
        if !depth.is_leaf(u64::MAX) {
            self.lines.reserve(n_lines);
        }
    }

    fn take(&mut self, line: &Line<'_>, depth: Depth) {
        let event = match line.end {
            LineEnd::Newline if depth.is_leaf(self.tree.size()) => {
                return self.add_leaf(LeafHash::of(line.bytes));
            }
            LineEnd::Newline | LineEnd::TooLong => Verified::parse(line.bytes),
            LineEnd::Missing => Err(LineFault::new(
                u64::try_from(line.bytes.len() + 1).unwrap_or(u64::MAX),
                "a newline",
                "the end of the acknowledged bytes",
            )),
        };
        self.add_leaf(match &event {
            Ok(event) => event.id().leaf(),
            Err(_) => LeafHash::of(line.bytes),
        });
        let is_suspect =
            depth == Depth::ScannedEvents && !Scanner::shared().scan(line.bytes).is_empty();
        self.lines.push(SegmentLine {
            number: self.tree.size(),
            event,
            is_suspect,
        });
    }

    fn add_leaf(&mut self, leaf: LeafHash) {
        self.tree.push(&leaf);
        self.leaves.push(leaf);
    }
}
