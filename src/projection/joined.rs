use std::collections::BTreeMap;

use crate::canonical::Time;
use crate::event::{CallAnswered, CallFailed, CallSent, Event, EventId, Verified, What};

/// A call together with everything that was said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedCall {
    /// The id of its `call.sent`.
    pub id: EventId,
    /// The position of its `call.sent` in the ledger.
    pub index: u64,
    /// What a clock said when it left.
    pub sent_at: Time,
    /// What was asked.
    pub sent: CallSent,
    /// What became of it. Absent: it is in flight, or lost with its runner.
    pub end: Option<CallEnd>,
}

/// What became of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallEnd {
    /// An answer came.
    Answered {
        /// The `call.answered`.
        id: EventId,
        /// What a clock said.
        at: Time,
        /// The answer's figures.
        answered: CallAnswered,
    },
    /// No answer came.
    Failed {
        /// The `call.failed`.
        id: EventId,
        /// What a clock said.
        at: Time,
        /// Why.
        failed: CallFailed,
    },
}

/// A fold that joins calls with their ends and forgets them.
///
/// The [`Projection`](crate::projection::Projection) keeps what a call is for
/// and drops its figures once they are summed up. Whoever wants each call's
/// figures takes them from here as they come: only calls in flight stay in
/// memory, however long the ledger is.
#[derive(Clone, Debug, Default)]
pub struct JoinedCalls {
    in_flight: BTreeMap<EventId, JoinedCall>,
    size: u64,
}

impl JoinedCalls {
    /// Takes in the next event of the ledger and returns the call that it
    /// ends. A second end of a call is a finding of the projection; the first
    /// word stands.
    pub fn apply(&mut self, event: &Verified<Event>) -> Option<JoinedCall> {
        let (id, at, index) = (event.id(), event.at, self.size);
        self.size += 1;
        match &event.what {
            What::CallSent(sent) => {
                let call = JoinedCall {
                    id,
                    index,
                    sent_at: at,
                    sent: sent.clone(),
                    end: None,
                };
                self.in_flight.insert(id, call);
                None
            }
            What::CallAnswered(answered) => self.end(
                &answered.call,
                CallEnd::Answered {
                    id,
                    at,
                    answered: answered.clone(),
                },
            ),
            What::CallFailed(failed) => self.end(
                &failed.call,
                CallEnd::Failed {
                    id,
                    at,
                    failed: failed.clone(),
                },
            ),
            _ => None,
        }
    }

    /// The calls that nothing became of, in the order of their ids.
    pub fn in_flight(&self) -> impl Iterator<Item = &JoinedCall> {
        self.in_flight.values()
    }

    fn end(&mut self, call: &EventId, end: CallEnd) -> Option<JoinedCall> {
        let mut call = self.in_flight.remove(call)?;
        call.end = Some(end);
        Some(call)
    }
}
