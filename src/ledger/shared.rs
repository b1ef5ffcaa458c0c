//! Group commit: many producers, one writer, one commit for all who wait.
//!
//! Whoever comes while nobody commits leads: it commits for everybody in the
//! queue, itself first. Whoever comes meanwhile waits in the queue, and the
//! first of them leads next. So a sync serves as many batches as came during
//! the one before, nobody waits longer than for two, and no batch is written
//! before the head of the one before is durable.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::event::{Event, Verified};
use crate::ledger::{LedgerError, Receipt, Writer};

/// A [`Writer`] that many threads append to at once.
pub struct SharedWriter<'a> {
    writer: Mutex<Writer<'a>>,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Arc<Ticket>>,
    is_led: bool,
}

/// A batch in the queue, and what became of it.
struct Ticket {
    batch: Vec<Verified<Event>>,
    turn: Mutex<Turn>,
    called: Condvar,
}

enum Turn {
    Waits,
    Leads,
    Done(Result<Receipt, LedgerError>),
}

/// The most lines that one commit takes in, beyond its first batch: about as
/// many as a segment has.
const GROUP_LINES: usize = 4096;

impl<'a> SharedWriter<'a> {
    /// Shares a writer.
    pub fn new(writer: Writer<'a>) -> Self {
        Self {
            writer: Mutex::new(writer),
            queue: Mutex::default(),
        }
    }

    /// Returns the writer, for one thread alone again.
    pub fn into_writer(self) -> Writer<'a> {
        self.writer
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends a batch, together with those of other threads. When this
    /// returns, the batch is durable, whole.
    ///
    /// # Errors
    ///
    /// When the batch holds a line that it, the open segment, or a batch of the
    /// same commit already has (none of its lines is written, nobody else is
    /// concerned), or what the system says (the writer is of no more use).
    pub fn append(&self, batch: Vec<Verified<Event>>) -> Result<Receipt, LedgerError> {
        let ticket = Arc::new(Ticket {
            batch,
            turn: Mutex::new(Turn::Waits),
            called: Condvar::new(),
        });
        let leads = {
            let mut queue = held(&self.queue);
            queue.waiting.push_back(Arc::clone(&ticket));
            !std::mem::replace(&mut queue.is_led, true)
        };
        if leads {
            self.lead();
        }
        loop {
            match ticket.wait() {
                Some(outcome) => return outcome,
                None => self.lead(),
            }
        }
    }

    /// Commits for everybody who waits, then calls the next one to lead.
    fn lead(&self) {
        // Even a panic in here leaves nobody waiting for ever.
        let mut shift = Shift {
            queue: &self.queue,
            group: Vec::new(),
        };
        let mut writer = held(&self.writer);
        // Those who were just served are about to come back.
        std::thread::yield_now();
        shift.group = held(&self.queue).take_group();
        let batches: Vec<_> = shift.group.iter().map(|ticket| &*ticket.batch).collect();
        let outcomes = writer.append_group(&batches);
        drop(writer);
        for (ticket, outcome) in shift.group.drain(..).zip(outcomes) {
            ticket.call(Turn::Done(outcome));
        }
    }
}

/// The time in which one thread leads.
struct Shift<'q> {
    queue: &'q Mutex<Queue>,
    /// Those who have no outcome yet.
    group: Vec<Arc<Ticket>>,
}

impl Drop for Shift<'_> {
    fn drop(&mut self) {
        for ticket in &self.group {
            ticket.call(Turn::Done(Err(LedgerError::Poisoned)));
        }
        let mut queue = held(self.queue);
        match queue.waiting.front() {
            Some(next) => next.call(Turn::Leads),
            None => queue.is_led = false,
        }
    }
}

impl Queue {
    fn take_group(&mut self) -> Vec<Arc<Ticket>> {
        let mut lines = 0;
        let mut group = Vec::new();
        while let Some(ticket) = self.waiting.front() {
            lines += ticket.batch.len();
            if !group.is_empty() && GROUP_LINES < lines {
                break;
            }
            group.extend(self.waiting.pop_front());
        }
        group
    }
}

impl Ticket {
    fn call(&self, turn: Turn) {
        *held(&self.turn) = turn;
        self.called.notify_one();
    }

    /// Returns what became of the batch, or nothing when its thread is to lead.
    fn wait(&self) -> Option<Result<Receipt, LedgerError>> {
        let mut turn = held(&self.turn);
        loop {
            match std::mem::replace(&mut *turn, Turn::Waits) {
                Turn::Done(outcome) => return Some(outcome),
                Turn::Leads => return None,
                Turn::Waits => {
                    let called = self.called.wait(turn);
                    turn = called.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

/// A panic elsewhere spoils no queue: what it guards is whole at every step.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
