use std::collections::BTreeMap;

use crate::canonical::Money;
use crate::event::{CallAnswered, CallFailed, CallSent, CostLookedUp, EventId};
use crate::finding::{Code, Finding, Place};
use crate::projection::{CallFigures, Corrections, RecordedFigures};

/// A call that left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// What was asked.
    pub sent: CallSent,
    /// What became of it.
    pub state: CallState,
    /// What was recorded of its tokens and costs, where anything was.
    figures: Option<Box<RecordedFigures>>,
}

impl Call {
    /// The tokens and costs that count.
    pub fn figures(&self) -> CallFigures {
        let figures = self.figures.as_ref();
        figures.map_or_else(CallFigures::default, |figures| figures.counting)
    }

    fn figures_mut(&mut self) -> &mut RecordedFigures {
        let answer = match self.state {
            CallState::Answered(id) => Some(id),
            CallState::InFlight | CallState::Failed(_) => None,
        };
        let silent = || Box::new(RecordedFigures::silent(answer));
        self.figures.get_or_insert_with(silent)
    }
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallState {
    /// Nothing yet: in flight, or lost with its runner.
    InFlight,
    /// An answer came, in this event.
    Answered(EventId),
    /// No answer came, as this event says.
    Failed(EventId),
}

/// All calls, by the id of their `call.sent`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    by_id: BTreeMap<EventId, Call>,
    /// From an answer to its call.
    answers: BTreeMap<EventId, EventId>,
    /// Every word on the cost of a call that had ended.
    looked_up: Vec<LateCost>,
    /// Whether calls that ended are not all there any more.
    has_forgotten: bool,
    /// How many calls may pile up before the next forgetting.
    pile: usize,
}

/// So many calls are never too many.
const PILE: usize = 4096;

/// A cost that became known after its call had ended without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateCost {
    /// The `cost.looked_up`.
    pub id: EventId,
    /// The `call.sent`.
    pub call: EventId,
    /// How much.
    pub amount_usd: Money,
}

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
        self.by_id.retain(|_, call| {
            call.state == CallState::InFlight || call.sent.game.as_ref().is_some_and(&goes_on)
        });
        let by_id = &self.by_id;
        self.answers.retain(|_, call| by_id.contains_key(call));
        self.looked_up.clear();
        self.pile = PILE.max(2 * self.by_id.len());
    }

    /// Whether it is time to forget calls outside games.
    pub(crate) fn are_piled_up(&self) -> bool {
        self.pile.max(PILE) < self.by_id.len()
    }

    /// The costs that became known late, in the order of their events, as they
    /// count. A later word on a cost that was known is not among them.
    pub fn late_costs(&self) -> impl Iterator<Item = LateCost> {
        self.looked_up.iter().filter_map(|late| {
            let figures = self.by_id.get(&late.call)?.figures.as_ref()?;
            let amount_usd = figures.counting.cost_usd?;
            (figures.late == Some(late.id)).then_some(LateCost {
                amount_usd,
                ..*late
            })
        })
    }

    /// The calls of nothing yet, in the order of their ids.
    pub fn in_flight(&self) -> impl Iterator<Item = (&EventId, &Call)> {
        self.by_id
            .iter()
            .filter(|(_, call)| call.state == CallState::InFlight)
    }

    pub(crate) fn send(&mut self, id: EventId, sent: &CallSent) {
        let call = Call {
            sent: sent.clone(),
            state: CallState::InFlight,
            figures: None,
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
        call.figures = RecordedFigures::of(id, answered).map(Box::new);
        Ok(Payer::of(&call.sent))
    }

    /// Takes in a failure and returns who is charged, or what is wrong with it.
    pub(crate) fn fail(
        &mut self,
        id: EventId,
        failed: &CallFailed,
    ) -> Result<Payer, Option<Finding>> {
        self.end(id, &failed.call, CallState::Failed(id))
            .map(|call| Payer::of(&call.sent))
    }

    /// Takes in a later word on a cost; returns who is charged, and which
    /// figures take the place of which. A later word beside a cost that counts
    /// stays in the ledger and changes no total.
    pub(crate) fn look_up(
        &mut self,
        id: EventId,
        looked_up: &CostLookedUp,
        corrections: &Corrections,
    ) -> Option<(Payer, CallFigures, CallFigures)> {
        let call = self.by_id.get_mut(&looked_up.call)?;
        if call.state == CallState::InFlight {
            return None;
        }
        self.looked_up.push(LateCost {
            id,
            call: looked_up.call,
            amount_usd: looked_up.amount_usd,
        });
        let payer = Payer::of(&call.sent);
        let figures = call.figures_mut();
        figures.looked_up.push((id, looked_up.amount_usd));
        let (before, after) = figures.settle(corrections);
        Some((payer, before, after))
    }

    /// Gives the call of this answer, or of this word on a cost, the figures that
    /// corrections leave it; returns who is charged, and which figures take the
    /// place of which.
    pub(crate) fn settle(
        &mut self,
        event: &EventId,
        corrections: &Corrections,
    ) -> Option<(Payer, CallFigures, CallFigures)> {
        let call = match self.answers.get(event) {
            Some(call) => *call,
            None => self.looked_up.iter().find(|late| late.id == *event)?.call,
        };
        let call = self.by_id.get_mut(&call)?;
        let payer = Payer::of(&call.sent);
        let (before, after) = call.figures_mut().settle(corrections);
        Some((payer, before, after))
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

/// Who is charged for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
