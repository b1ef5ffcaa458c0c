use crate::canonical::Time;
use crate::digest::{Frontier, Root};
use crate::event::{CheckpointRef, Event, Origin, Verified, What};
use crate::finding::{Code, Finding, Place};
use crate::ledger::layout::{
    BLOBS, CHECKPOINTS, DESCRIPTION, EVENTS, HEAD, QUARANTINE, SEGMENTS, segment_path,
};
use crate::ledger::segments::{Depth, Part, stream};
use crate::ledger::spine::{Spine, Stretch};
use crate::ledger::storage::absence;
use crate::ledger::{Description, Head, LedgerError, Slots, Storage};

/// The acknowledged events of a ledger, as they stood when it was opened.
///
/// A writer may go on beside it: what it appends later is not part of this.
pub struct Prefix<'a> {
    storage: &'a dyn Storage,
    description: Description,
    head: Head,
}

/// Why events could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Could not look.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// Looked, and it is not what was acknowledged.
    #[error("the ledger is damaged; first finding:\n{}", .0.first().map_or_else(String::new, ToString::to_string))]
    Damaged(Vec<Finding>),
    /// There are not so many events.
    #[error("the ledger has {size} events, not {wanted}")]
    Beyond {
        /// The events there are.
        size: u64,
        /// The events that were asked for.
        wanted: u64,
    },
}

/// Why events could not be read from a position on.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// They could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The ledger does not begin with what was known of it.
    #[error("the first {size} events of the ledger have the root {found}, not {known}")]
    Another {
        /// How many events were known.
        size: u64,
        /// The root that they had.
        known: Root,
        /// The root that they have.
        found: Root,
    },
}

impl<'a> Prefix<'a> {
    /// Opens what the newest whole head acknowledges. Changes nothing and takes no lock.
    ///
    /// # Errors
    ///
    /// When there is no ledger, or its description or head say nothing.
    pub fn open(storage: &'a dyn Storage) -> Result<Self, LedgerError> {
        let description = read_description(storage)?;
        let head = read_slots(storage)?.1.newest().ok_or_else(|| {
            let finding = Finding::new(
                Code::HeadSlot,
                Place::file(HEAD),
                "at least one whole slot",
                "two broken ones",
            );
            LedgerError::Damaged {
                findings: vec![finding],
            }
        })?;
        Ok(Self {
            storage,
            description,
            head,
        })
    }

    /// The number of events.
    pub const fn size(&self) -> u64 {
        self.head.size
    }

    /// The root that the head promises.
    pub const fn root(&self) -> Root {
        self.head.root
    }

    /// The head itself.
    pub(crate) const fn head(&self) -> &Head {
        &self.head
    }

    /// What sort of ledger this is.
    pub const fn description(&self) -> &Description {
        &self.description
    }

    /// Hands the first `size` events over, in order, and returns their root.
    ///
    /// All lines are read and hashed, those behind `size` too: no reader
    /// accepts a ledger whose events do not add up to its head.
    ///
    /// # Errors
    ///
    /// When a line is no event, or the events do not add up to the head.
    /// Events may have been handed over by then; forget them.
    pub fn read(
        &self,
        size: u64,
        each: impl FnMut(u64, Verified<Event>),
    ) -> Result<Root, ReadError> {
        self.check_size(size)?;
        let is_behind = |index, _: &Event| size <= index;
        self.read_before(is_behind, each).map(|(_, root)| root)
    }

    /// Hands the events before the first one whose `at` is later than this
    /// over, in order, and returns how many they are and their root.
    ///
    /// The position decides, not the clock: an earlier time behind a later one
    /// is not part of the prefix. All lines are read, as [`Prefix::read`] does.
    ///
    /// # Errors
    ///
    /// As [`Prefix::read`].
    pub fn read_until(
        &self,
        last: Time,
        each: impl FnMut(u64, Verified<Event>),
    ) -> Result<(u64, Root), ReadError> {
        self.read_before(|_, event| last < event.at, each)
    }

    /// Returns the root over the first `size` events, and reads little for it.
    ///
    /// Read are the segment index and the open segment, which must add up to the
    /// head, and the sealed segment that the size falls into, if any, which must
    /// have its root in the index. No line is parsed. So the root is that of the
    /// events which were acknowledged; that they still stand in the other sealed
    /// segments is not looked at.
    ///
    /// # Errors
    ///
    /// When there are not so many events, or one of these does not add up.
    pub fn root_at(&self, size: u64) -> Result<Root, ReadError> {
        self.check_size(size)?;
        Spine::read(self.storage, self.head, Depth::Leaves)?.root_at(size)
    }

    /// Hands the events from a known prefix on over, up to the first `size`,
    /// in order, and returns the root over all `size`.
    ///
    /// For whoever keeps what came of an earlier prefix. The ledger must begin
    /// with that very prefix, or nothing is handed over: its root is compared as
    /// [`Prefix::root_at`] finds it. Then:
    ///
    /// - verified are the segment index and the open segment, which must add up
    ///   to the head, and every segment from the one that the known prefix ends
    ///   in to the one that `size` falls into: each must have its root in the
    ///   index before an event of it is handed over;
    /// - parsed are the lines of these segments but those of the known prefix,
    ///   which are hashed;
    /// - not looked at are the sealed segments before and behind these, and the
    ///   first event, unless the known prefix is empty. That they still stand
    ///   there, [`Prefix::read`] and `verify` find out.
    ///
    /// The cost is that of the segments read. Of the rest of the ledger only its
    /// segment index is, about 100 bytes for 4,096 events.
    ///
    /// # Errors
    ///
    /// When there are not so many events, when the ledger began otherwise, or
    /// when something does not add up. Events may have been handed over by then;
    /// forget them. A missing or wrong segment index is an error here and none
    /// for [`Prefix::read`].
    pub fn read_from(
        &self,
        known: &CheckpointRef,
        size: u64,
        each: impl FnMut(u64, Verified<Event>),
    ) -> Result<Root, ResumeError> {
        self.check_size(size)?;
        let start = known.size.get();
        if size < start {
            let wanted = start;
            return Err(ReadError::Beyond { size, wanted }.into());
        }
        let origin = &self.description.origin;
        let stretch = Stretch {
            known,
            size,
            origin,
        };
        stretch.read(self.storage, self.head, each)
    }

    fn check_size(&self, wanted: u64) -> Result<(), ReadError> {
        let size = self.head.size;
        if size < wanted {
            Err(ReadError::Beyond { size, wanted })
        } else {
            Ok(())
        }
    }

    /// Hands the events before the first that is behind the end over.
    fn read_before(
        &self,
        is_behind: impl Fn(u64, &Event) -> bool,
        mut each: impl FnMut(u64, Verified<Event>),
    ) -> Result<(u64, Root), ReadError> {
        let mut tree = Frontier::default();
        let mut end = None;
        let mut findings = Vec::new();
        stream(
            self.storage,
            &parts(&self.head),
            Depth::Events,
            |mut segment| {
                let first = tree.size();
                let lines = std::mem::take(&mut segment.lines);
                for (index, line) in (first..).zip(lines) {
                    if let (0, Ok(event)) = (index, &line.event) {
                        findings.extend(check_origin(event, &self.description.origin));
                    }
                    match line.event {
                        Ok(event) if end.is_none() && is_behind(index, &event) => {
                            end = Some((index, segment.root_within(&tree, index - first)));
                        }
                        Ok(event) if end.is_none() => each(index, event),
                        Ok(_) => {}
                        Err(fault) => {
                            findings.push(line_fault(segment.number, line.number, &fault));
                        }
                    }
                }
                segment.join(&mut tree, self.storage.layout());
                Ok(())
            },
        )?;
        if tree.size() != self.head.size || tree.root() != self.head.root {
            findings.push(head_mismatch(&self.head, &tree, HEAD));
        }
        if findings.is_empty() {
            Ok(end.unwrap_or_else(|| (tree.size(), tree.root())))
        } else {
            Err(ReadError::Damaged(findings))
        }
    }
}

/// The segments that a head covers.
pub(crate) fn parts(head: &Head) -> Vec<Part> {
    let part = |number| Part {
        number,
        bytes: (number == head.segment).then_some(head.length),
    };
    (0..=head.segment).map(part).collect()
}

/// More than any origin needs.
const DESCRIPTION_BYTES_MAX: u64 = 4096;

/// A longer file is no head, and need not be read to say so.
const HEAD_BYTES_MAX: u64 = 1 << 16;

pub(crate) fn read_description(storage: &dyn Storage) -> Result<Description, LedgerError> {
    let file = storage
        .read(DESCRIPTION, DESCRIPTION_BYTES_MAX)
        .map_err(|source| match absence(&source) {
            // Remains of a ledger are evidence; no ledger at all is none.
            Some(found) if remains_stand(storage) => LedgerError::Damaged {
                findings: vec![Finding::new(
                    Code::LedgerDescription,
                    Place::file(DESCRIPTION),
                    "the description of the ledger",
                    found,
                )],
            },
            Some(_) => LedgerError::Absent {
                folder: storage.describe(),
                source,
            },
            None => LedgerError::io("read", DESCRIPTION)(source),
        })?;
    Description::parse(&file).map_err(|fault| LedgerError::Damaged {
        findings: vec![Finding::new(
            Code::LedgerDescription,
            Place::file(DESCRIPTION).line(1).column(fault.column),
            fault.expected,
            fault.found,
        )],
    })
}

/// What only a ledger has.
const REMAINS: [&str; 7] = [
    DESCRIPTION,
    HEAD,
    EVENTS,
    SEGMENTS,
    CHECKPOINTS,
    QUARANTINE,
    BLOBS,
];

fn remains_stand(storage: &dyn Storage) -> bool {
    storage.list("").is_ok_and(|entries| {
        entries
            .iter()
            .any(|entry| REMAINS.contains(&entry.name.as_str()))
    })
}

pub(crate) fn read_slots(storage: &dyn Storage) -> Result<(Vec<u8>, Slots), LedgerError> {
    match read_head(storage) {
        Ok(file) => {
            let slots = Slots::parse(&file, storage.layout());
            Ok((file, slots))
        }
        Err(error) => match absence(&error) {
            Some(found) => Err(LedgerError::Damaged {
                findings: vec![Finding::new(
                    Code::HeadMissing,
                    Place::file(HEAD),
                    "the head of the ledger",
                    found,
                )],
            }),
            None => Err(LedgerError::io("read", HEAD)(error)),
        },
    }
}

/// Reads the head file. A slot may be read while it is written: what is wrong
/// with it counts once it stands still.
fn read_head(storage: &dyn Storage) -> std::io::Result<Vec<u8>> {
    let mut file = storage.read(HEAD, HEAD_BYTES_MAX)?;
    while !Slots::parse(&file, storage.layout()).is_sound() {
        let again = storage.read(HEAD, HEAD_BYTES_MAX)?;
        if again == file {
            break;
        }
        file = again;
    }
    Ok(file)
}

/// The description must name the ledger as its first event does.
pub(crate) fn check_origin(first: &Event, origin: &Origin) -> Option<Finding> {
    match &first.what {
        What::LedgerOpened(opened) if opened.origin != *origin => Some(Finding::new(
            Code::LedgerDescription,
            Place::file(DESCRIPTION).line(1),
            format!("the origin {}", opened.origin),
            format!("the origin {origin}"),
        )),
        _ => None,
    }
}

pub(crate) fn line_fault(segment: u64, line: u64, fault: &crate::event::LineFault) -> Finding {
    Finding::new(
        Code::LineFault,
        Place::file(segment_path(segment))
            .line(line)
            .column(fault.column),
        &fault.expected,
        &fault.found,
    )
}

/// The events do not add up to the head. A slot that is whole vouches for
/// itself, so it is the events that changed; where nothing tells in which
/// sealed segment, it is the open one that no other file vouches for.
pub(crate) fn head_mismatch(head: &Head, tree: &Frontier, path: &str) -> Finding {
    Finding::new(
        Code::HeadMismatch,
        Place::file(path),
        format!(
            "{} events with the root {} of the head",
            head.size, head.root
        ),
        format!("{} events with root {}", tree.size(), tree.root()),
    )
}
