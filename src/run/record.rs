use std::thread;
use std::time::Duration;

use crate::canonical::{Clock, Time};
use crate::digest::Digest;
use crate::event::{By, Event, EventId, Verified, What};
use crate::ledger::{LedgerError, Storage, Writer, put_blob};
use crate::projection::Projection;
use crate::run::RunError;

/// The ledger as it is written, with the projection that follows from it.
///
/// What is said follows at once from the projection, and stands in the ledger
/// after the next commit, together with all that was said since the one before.
/// When a commit fails the projection is ahead of the ledger for good: the
/// record is of no more use then.
pub struct Record<'a> {
    storage: &'a dyn Storage,
    writer: Writer<'a>,
    projection: Projection,
    clock: &'a dyn Clock,
    by: By,
    /// What was said since the last commit.
    said: Vec<Verified<Event>>,
    /// The time of what was said last.
    at: Option<Time>,
}

/// How long a batch waits for the clock to move on, and in what steps. A clock
/// that stands still is not waited for.
const PATIENCE: u32 = 50;
const STEP: Duration = Duration::from_micros(100);

impl<'a> Record<'a> {
    /// Returns the record of a ledger whose events gave this projection. The
    /// writer writes to the same storage.
    pub fn new(
        storage: &'a dyn Storage,
        writer: Writer<'a>,
        projection: Projection,
        clock: &'a dyn Clock,
        by: By,
    ) -> Self {
        Self {
            storage,
            writer,
            projection,
            clock,
            by,
            said: Vec::new(),
            at: None,
        }
    }

    /// What follows from the events so far, those said and not yet committed
    /// included.
    pub const fn projection(&self) -> &Projection {
        &self.projection
    }

    /// The number of events in the ledger.
    pub(crate) const fn size(&self) -> u64 {
        self.writer.size()
    }

    /// Says what happened, at the time it is now, and returns the event's id.
    ///
    /// # Errors
    ///
    /// When it cannot be said on one line, or contradicts what was said before:
    /// a runner must never be the one to spoil the evidence.
    pub(crate) fn say(&mut self, what: impl Into<What>) -> Result<EventId, RunError> {
        let at = match self.at {
            Some(at) if !self.said.is_empty() => at,
            earlier => self.later_than(earlier),
        };
        self.at = Some(at);
        let event = Verified::write(Event {
            at,
            by: self.by.clone(),
            what: what.into(),
        })?;
        let known = self.projection.findings.len();
        self.projection.apply(&event);
        if let Some(finding) = self.projection.findings.get(known) {
            return Err(RunError::Contradiction(Box::new(finding.clone())));
        }
        let id = event.id();
        self.said.push(event);
        Ok(id)
    }

    /// Appends what was said. When this returns it is durable, whole.
    pub(crate) fn commit(&mut self) -> Result<(), LedgerError> {
        if !self.said.is_empty() {
            self.writer.append(&self.said)?;
            self.said.clear();
        }
        Ok(())
    }

    /// Drops what was said since the last commit; the projection keeps it, so
    /// nothing that depends on it may be said any more.
    pub(crate) fn forget(&mut self) {
        self.said.clear();
    }

    /// Stores public bytes that an event is going to name.
    pub(crate) fn keep(&self, bytes: &[u8]) -> Result<Digest, LedgerError> {
        put_blob(self.storage, bytes)
    }

    /// Returns what the clock says, once it says something else.
    ///
    /// Two games for one cell differ in nothing but their time, and an engine
    /// that does not start fails faster than a clock ticks.
    fn later_than(&self, earlier: Option<Time>) -> Time {
        for _ in 0..PATIENCE {
            let now = self.clock.now();
            if Some(now) != earlier {
                return now;
            }
            thread::sleep(STEP);
        }
        self.clock.now()
    }
}
