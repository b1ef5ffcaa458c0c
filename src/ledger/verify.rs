//! Recomputing a whole ledger from its bytes.

use crate::canonical::Count;
use crate::digest::Root;
use crate::event::{Event, Origin, Verified};
use crate::finding::{Code, Collected, Finding, Place};
use crate::ledger::files::check_files;
use crate::ledger::history::History;
use crate::ledger::known::Known;
use crate::ledger::layout::{HEAD, segment_path};
use crate::ledger::prefix::{
    check_origin, head_mismatch, line_fault, parts, read_description, read_slots,
};
use crate::ledger::private::{PrivateCounts, PrivateRoll, check_private};
use crate::ledger::segment_index::Sealed;
use crate::ledger::segments::{Depth, Segment, stream};
use crate::ledger::{Head, Layout, LedgerError, Mode, Slot, Slots, Storage};

/// What recomputing a ledger gave.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The name of the ledger.
    pub origin: Origin,
    /// The number of events that stand there.
    pub size: u64,
    /// The root over them.
    pub root: Root,
    /// Everything that is wrong: first where bytes are not those that were
    /// acknowledged, which may be the cause of the rest; then in the order of
    /// the files.
    pub findings: Vec<Finding>,
    /// Whether the events were read, and not only hashed.
    pub events_were_read: bool,
    /// What became of the private bodies that the events name; nothing where
    /// they were not read.
    pub private: PrivateCounts,
    history: History,
    adds_up: bool,
}

impl Verification {
    /// Returns the root over the first `size` events, or nothing beyond their
    /// end, or where they are not those that the head promises.
    ///
    /// # Errors
    ///
    /// What the system says: a size inside a sealed segment takes another look
    /// at it.
    pub fn root_at(&self, storage: &dyn Storage, size: u64) -> Result<Option<Root>, LedgerError> {
        if self.adds_up {
            self.history.root_at(storage, size)
        } else {
            Ok(None)
        }
    }
}

/// Recomputes everything from the bytes. Hands every event over on the way, in
/// order, and says after each segment how many of how many events are done.
///
/// Memory: 15 bytes an event, and a few segments.
///
/// # Errors
///
/// When it could not look: no ledger, no head, or what the system says.
pub fn verify(
    storage: &dyn Storage,
    progress: &dyn Fn(u64, u64),
    each: &mut dyn FnMut(u64, &Verified<Event>),
) -> Result<Verification, LedgerError> {
    let each = &mut |index, event: &Verified<Event>, _| each(index, event);
    look(storage, Depth::Events, progress, each)
}

/// The same, and says of every event whether something in its line looks like a
/// credential. Lines are looked at where they are read, on all cores.
///
/// # Errors
///
/// As [`verify`].
pub fn verify_and_scan(
    storage: &dyn Storage,
    progress: &dyn Fn(u64, u64),
    each: Each<'_>,
) -> Result<Verification, LedgerError> {
    look(storage, Depth::ScannedEvents, progress, each)
}

/// What takes an event with its index, and whether its line is suspect.
type Each<'a> = &'a mut dyn FnMut(u64, &Verified<Event>, bool);

/// Hashes every line and holds the tree against head, segment index and
/// checkpoints, and every other file against the digest in its name. What the
/// lines say is not looked at: this finds whether a ledger that was verified
/// once is still the same.
///
/// # Errors
///
/// When it could not look: no ledger, no head, or what the system says.
pub fn verify_hashes(
    storage: &dyn Storage,
    progress: &dyn Fn(u64, u64),
) -> Result<Verification, LedgerError> {
    look(storage, Depth::Leaves, progress, &mut |_, _, _| ())
}

fn look(
    storage: &dyn Storage,
    depth: Depth,
    progress: &dyn Fn(u64, u64),
    each: Each<'_>,
) -> Result<Verification, LedgerError> {
    let origin = read_description(storage)?.origin;
    let (_, slots) = read_slots(storage)?;
    let mut look = Look {
        history: History::new(storage.layout()),
        known: Known::default(),
        private: PrivateRoll::open(storage)?,
        findings: Collected::default(),
    };
    look.findings.add(check_slots(&slots));
    let mut adds_up = false;
    let mut private = PrivateCounts::default();
    if let Some(head) = slots.newest() {
        stream(storage, &parts(&head), depth, |segment| {
            look.take(&head, segment, &origin, each)?;
            progress(look.history.tree.size(), head.size);
            Ok(())
        })?;
        adds_up = look.history.adds_up_to(&head);
        look.compare(storage, depth, &head, &slots, &origin)?;
        if depth != Depth::Leaves {
            let (counts, findings) =
                check_private(storage, &look.private, look.history.tree.size())?;
            private = counts;
            look.findings.add(findings);
        }
    }
    let mut findings = look.findings.into_findings();
    forgive_a_writer(storage, &slots, &mut findings)?;
    let is_cause = |code| matches!(code, Code::HeadMismatch | Code::SegmentChanged);
    findings.sort_by_key(|finding| !is_cause(finding.code));
    Ok(Verification {
        origin,
        size: look.history.tree.size(),
        root: look.history.tree.root(),
        findings,
        events_were_read: depth != Depth::Leaves,
        private,
        history: look.history,
        adds_up,
    })
}

fn check_slots(slots: &Slots) -> Vec<Finding> {
    if slots.is_sound() {
        return Vec::new();
    }
    let broken = slots
        .slots
        .iter()
        .filter(|slot| matches!(slot, Slot::Broken))
        .count();
    let found = if slots.is_framed {
        format!("{broken} broken slots, or slots out of sequence")
    } else {
        format!("another length or other blanks; {broken} broken slots")
    };
    let expected = "two whole slots in sequence";
    vec![Finding::new(
        Code::HeadSlot,
        Place::file(HEAD),
        expected,
        found,
    )]
}

struct Look {
    history: History,
    known: Known,
    private: PrivateRoll,
    findings: Collected,
}

impl Look {
    /// Takes in the next segment.
    fn take(
        &mut self,
        head: &Head,
        segment: Segment,
        origin: &Origin,
        each: Each<'_>,
    ) -> Result<(), LedgerError> {
        let path = segment_path(segment.number);
        let before = self.history.tree.size();
        segment.join(&mut self.history.tree, self.history.layout);
        for line in &segment.lines {
            match &line.event {
                Ok(event) => {
                    let id = *event.id().digest();
                    let place = Place::file(&path).line(line.number).with_event(id);
                    self.findings.add(check_origin(event, origin));
                    self.findings.add(self.private.take(event, &place));
                    let found = self.known.take(event, place);
                    let no_room =
                        LedgerError::io("keep", "the ids in a temporary file (see TMPDIR)");
                    self.findings.add(found.map_err(no_room)?);
                    each(before + line.number - 1, event, line.is_suspect);
                }
                Err(fault) => {
                    let finding = line_fault(segment.number, line.number, fault);
                    self.findings.add([finding]);
                }
            }
        }
        self.findings
            .add(check_length(head, &segment, self.history.layout));
        let bytes = segment.length.filter(|_| segment.number < head.segment);
        if let Some(bytes) = bytes {
            self.history.sealed.push(Sealed {
                bytes: Count::saturating(bytes),
                root: segment.tree.root(),
                segment: Count::saturating(segment.number),
            });
        }
        if segment.number == head.segment {
            self.history.open = segment.leaves;
        }
        Ok(())
    }

    /// Compares what was recomputed with everything that says what it must be.
    fn compare(
        &mut self,
        storage: &dyn Storage,
        depth: Depth,
        head: &Head,
        slots: &Slots,
        origin: &Origin,
    ) -> Result<(), LedgerError> {
        let history = &self.history;
        let of_index = history.check_index(storage, head)?;
        let adds_up = history.adds_up_to(head);
        if !adds_up {
            let is_sealed = |finding: &Finding| finding.code == Code::SegmentChanged;
            let open = segment_path(head.segment);
            let path = if of_index.iter().any(is_sealed) {
                HEAD
            } else {
                &open
            };
            self.findings
                .add([head_mismatch(head, &history.tree, path)]);
        }
        let claims = std::mem::take(&mut self.known.claims);
        if adds_up {
            self.findings.add(history.check_older_head(storage, slots)?);
        }
        self.findings.add(of_index);
        self.findings.add(history.check_checkpoints(
            storage,
            origin,
            &claims.checkpoints,
            adds_up,
        )?);
        let claims = (depth != Depth::Leaves).then_some(claims);
        self.findings.add(check_files(storage, head, claims)?);
        Ok(())
    }
}

/// What stands behind the head while a writer is at work is on its way, not torn.
fn forgive_a_writer(
    storage: &dyn Storage,
    slots: &Slots,
    findings: &mut Vec<Finding>,
) -> Result<(), LedgerError> {
    let is_tail = |finding: &Finding| finding.code == Code::UnacknowledgedTail;
    if !findings.iter().any(is_tail) {
        return Ok(());
    }
    let is_locked = storage
        .open(HEAD, Mode::Read)
        .and_then(|head| head.is_locked())
        .map_err(LedgerError::io("look at", HEAD))?;
    if is_locked || read_slots(storage)?.1 != *slots {
        findings.retain(|finding| !is_tail(finding));
    }
    Ok(())
}

fn check_length(head: &Head, segment: &Segment, layout: Layout) -> Option<Finding> {
    let tree = &segment.tree;
    let path = segment_path(segment.number);
    let is_open = segment.number == head.segment;
    let Some(length) = segment.length else {
        let expected = if is_open {
            "the open segment"
        } else {
            "a sealed segment"
        };
        let place = Place::file(path);
        return Some(Finding::new(
            Code::SegmentMissing,
            place,
            expected,
            "no such file",
        ));
    };
    let wanted = if is_open {
        head.size - head.segment * layout.segment_lines()
    } else {
        layout.segment_lines()
    };
    if tree.size() != wanted || (is_open && length < head.length) {
        let found = format!("{} events in {length} bytes", tree.size());
        let place = Place::file(path);
        return Some(Finding::new(
            Code::SegmentLength,
            place,
            format!("{wanted} events"),
            found,
        ));
    }
    (is_open && head.length < length).then(|| {
        Finding::new(
            Code::UnacknowledgedTail,
            Place::file(path).offset(head.length),
            format!("{} bytes", head.length),
            format!("{} more", length - head.length),
        )
    })
}
