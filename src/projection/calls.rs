use serde::{Deserialize, Serialize};

use crate::canonical::Time;
use crate::event::{CallAnswered, CallFailed, CallSent, EventId};
use crate::finding::{Code, Finding, Place};
use crate::projection::ById;

/// A call that left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The position of its `call.sent` in the ledger.
    pub index: u64,
    /// What a clock said when it left.
    pub sent_at: Time,
    /// What was asked.
    pub sent: CallSent,
    /// What became of it.
    pub state: CallState,
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallState {
    /// Nothing yet: in flight, or lost with its runner.
    InFlight,
    /// An answer came, in this event.
    Answered(EventId),
    /// No answer came, as this event says.
    Failed(EventId),
}

/// All calls, by the id of their `call.sent`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    by_id: ById<Call>,
    /// From an answer to its call.
    answers: ById<EventId>,
    /// From a failure to its call.
    failures: ById<EventId>,
    /// Whether calls that ended are not all there any more.
    has_forgotten: bool,
    /// How many calls may pile up before the next forgetting.
    pile: usize,
}

/// So many calls are never too many.
const PILE: usize = 4096;

impl Calls {
    /// The call with this id.
    pub fn call(&self, id: &EventId) -> Option<&Call> {
        self.by_id.get(id)
    }

    /// The call that this `call.answered` answers.
    pub fn answered_by(&self, answer: &EventId) -> Option<&Call> {
        self.by_id.get(self.answers.get(answer)?)
    }

    /// The `call.sent` that this `call.answered` answers.
    pub fn sent_of(&self, answer: &EventId) -> Option<&EventId> {
        self.answers.get(answer)
    }

    /// The call that this `call.answered` or `call.failed` ends.
    pub(crate) fn ended_by(&self, end: &EventId) -> Option<Ended<'_>> {
        let failed = self.failures.get(end);
        let id = *failed.or_else(|| self.answers.get(end))?;
        Some(Ended {
            id,
            call: self.by_id.get(&id)?,
            is_failed: failed.is_some(),
        })
    }

    /// Whether what was asked for in the call that this answers fits. Where
    /// the call is not there, that is found elsewhere, unless it was forgotten.
    pub(crate) fn fits(&self, answer: &EventId, fits: impl FnOnce(&CallSent) -> bool) -> bool {
        match self.answered_by(answer) {
            Some(call) => fits(&call.sent),
            None => !self.has_forgotten,
        }
    }

    /// Forgets the calls that have ended, but for those of the games that go on.
    pub(crate) fn forget(&mut self, goes_on: impl Fn(&EventId) -> bool) {
        self.has_forgotten = true;
        self.by_id.retain(|call| {
            call.state == CallState::InFlight || call.sent.game.as_ref().is_some_and(&goes_on)
        });
        let by_id = &self.by_id;
        self.answers.retain(|call| by_id.contains(call));
        self.failures.retain(|call| by_id.contains(call));
        self.pile = PILE.max(2 * self.by_id.count());
    }

    /// Whether it is time to forget calls.
    pub(crate) fn are_piled_up(&self) -> bool {
        self.pile.max(PILE) < self.by_id.count()
    }

    /// The calls that are there, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = (&EventId, &Call)> {
        self.by_id.in_order()
    }

    /// The calls of nothing yet, in the order of their ids.
    pub fn in_flight(&self) -> impl Iterator<Item = (&EventId, &Call)> {
        self.by_id
            .in_order()
            .filter(|(_, call)| call.state == CallState::InFlight)
    }

    pub(crate) fn send(&mut self, id: EventId, index: u64, at: Time, sent: &CallSent) {
        let call = Call {
            index,
            sent_at: at,
            sent: sent.clone(),
            state: CallState::InFlight,
        };
        self.by_id.insert(id, call);
    }

    /// Takes in an answer and returns who is charged, or what is wrong with it.
    pub(crate) fn answer(
        &mut self,
        id: EventId,
        answered: &CallAnswered,
    ) -> Result<Payer, Option<Finding>> {
        self.answers.insert(id, answered.call);
        let call = self.end(id, &answered.call, CallState::Answered(id))?;
        Ok(Payer::of(&call.sent))
    }

    /// Takes in a failure and returns who is charged, or what is wrong with it.
    pub(crate) fn fail(
        &mut self,
        id: EventId,
        failed: &CallFailed,
    ) -> Result<Payer, Option<Finding>> {
        self.failures.insert(id, failed.call);
        let call = self.end(id, &failed.call, CallState::Failed(id))?;
        Ok(Payer::of(&call.sent))
    }

    fn end(
        &mut self,
        id: EventId,
        call: &EventId,
        state: CallState,
    ) -> Result<&mut Call, Option<Finding>> {
        // A call that is not there is a dangling reference, which `verify` names.
        // What was forgotten had ended.
        let ended = || {
            Finding::new(
                Code::CallState,
                Place::event(*id.digest()),
                "a call that is in flight",
                "a call that was answered or failed before",
            )
        };
        match self.by_id.get_mut(call) {
            Some(call) if call.state == CallState::InFlight => {
                call.state = state;
                Ok(call)
            }
            None if !self.has_forgotten => Err(None),
            Some(_) | None => Err(Some(ended())),
        }
    }
}

/// A call that ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended<'a> {
    /// The id of its `call.sent`.
    pub(crate) id: EventId,
    pub(crate) call: &'a Call,
    pub(crate) is_failed: bool,
}

/// Who is charged for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Payer {
    /// The system that asked.
    pub(crate) system: EventId,
    /// The game it asked for.
    pub(crate) game: Option<EventId>,
}

impl Payer {
    pub(crate) const fn of(sent: &CallSent) -> Self {
        Self {
            system: sent.system,
            game: sent.game,
        }
    }
}
