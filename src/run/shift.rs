//! A worker's shift: from `worker.started` to `worker.stopped`, whatever it
//! works through.

use std::collections::BTreeMap;

use crate::event::{EventId, Seats, StopReason, WorkerStarted, WorkerStopped};
use crate::projection::{Game, Projection};
use crate::run::budget::BudgetPart;
use crate::run::file::Deadlines;
use crate::run::hall::{Hall, Tables};
use crate::run::prompting::Prompting;
use crate::run::record::Record;
use crate::run::registry::Entrant;
use crate::run::told::Occasion;
use crate::run::{RunError, Told};

/// When a run ends before everything is played.
#[derive(Clone, Copy)]
pub struct Limits<'s> {
    /// After so many games, aborted ones included.
    pub games: Option<u64>,
    /// Asked before each call: whether to stop now, in good order.
    pub stop: &'s dyn Fn() -> bool,
}

/// What a shift has come to so far.
#[derive(Clone, Copy, Default)]
pub(crate) struct Progress {
    /// Games that ended, aborted ones included.
    pub(crate) ended: u64,
    /// Games that were aborted, since one was not.
    pub(crate) aborted_in_a_row: u64,
    /// Games that go on at a table.
    pub(crate) at_tables: u64,
}

impl Progress {
    /// Whether game after game fails, so that another one is not worth trying.
    pub(crate) const fn is_failing(self) -> bool {
        3 <= self.aborted_in_a_row
    }

    /// Whether as many games were played, or go on, as were asked for.
    pub(crate) fn is_enough(self, limits: Limits<'_>) -> bool {
        let games = self.ended.saturating_add(self.at_tables);
        limits.games.is_some_and(|asked| asked <= games)
    }
}

/// How far a shift is, and how far it may go.
#[derive(Clone, Copy)]
pub(crate) struct Standing<'s> {
    pub(crate) progress: Progress,
    pub(crate) limits: Limits<'s>,
}

/// What is to be done next.
pub(crate) enum Next<G, O> {
    Play(G),
    End(O),
}

/// A game that was begun, now or by an earlier run.
pub(crate) struct Begun {
    pub(crate) game: EventId,
    pub(crate) seats: Seats,
    pub(crate) occasion: Occasion,
}

/// What a worker works through. It decides, and says which games begin; the
/// shift plays them.
pub(crate) trait Plan {
    /// A game that can be begun.
    type Choice;
    /// How it all ends.
    type Outcome;

    /// Whether a game belongs to this plan: its lost calls are given up.
    fn is_ours(&self, game: &Game) -> bool;

    /// Decides what comes next beside the games that go on at these tables. Says
    /// nothing. That it has ended is final where there is no such game.
    fn next(
        &self,
        record: &mut Record<'_>,
        entrants: &Entrants<'_>,
        tables: &Tables,
        standing: Standing<'_>,
    ) -> Result<Next<Self::Choice, Self::Outcome>, RunError>;

    /// How many of its games have ended for good, and how many there are where that
    /// is known.
    fn extent(&self, projection: &Projection, standing: Standing<'_>) -> (u64, Option<u64>);

    /// Says that a game begins, unless it goes on. Commits nothing: the first
    /// call is to stand in the same batch.
    fn begin(&self, record: &mut Record<'_>, choice: Self::Choice) -> Result<Begun, RunError>;

    /// What an outcome is where it was not a person who said stop, but a budget that
    /// is spent.
    fn spent(outcome: Self::Outcome, what: String) -> Self::Outcome;

    /// The word for an outcome in the ledger.
    fn reason(outcome: &Self::Outcome) -> StopReason;
}

/// Those who can sit down, by the registered system that each of them is.
pub(crate) type Entrants<'a> = BTreeMap<EventId, &'a Entrant>;

/// A worker at work.
pub(crate) struct Shift<'a> {
    pub(crate) record: Record<'a>,
    /// What is said when there is something to do.
    pub(crate) started: WorkerStarted,
    /// The run file, where no event names it yet.
    pub(crate) run_file: Option<&'a [u8]>,
    pub(crate) entrants: Entrants<'a>,
    pub(crate) deadlines: Deadlines,
    /// Who measures during play, where the protocol adjudicates: one of the
    /// entrants.
    pub(crate) referee: Option<EventId>,
    /// Whose best moves are shown, where the protocol has an oracle: one of the
    /// entrants.
    pub(crate) oracle: Option<EventId>,
    /// What may be taken.
    pub(crate) budget: BudgetPart,
    /// What models are sent.
    pub(crate) prompting: Option<Prompting>,
    /// How many games go on at once.
    pub(crate) parallel: usize,
}

impl Shift<'_> {
    /// Plays what the plan says until it says that it has ended. Where there is
    /// nothing to do nothing is written.
    pub(crate) fn work<P: Plan>(
        mut self,
        plan: &P,
        limits: Limits<'_>,
        tell: &mut dyn FnMut(Told),
    ) -> Result<P::Outcome, RunError> {
        // Whatever else there is to do.
        self.forget_conversations(plan)?;
        let lost = self.lost_calls(plan);
        if lost.is_empty() {
            let standing = Standing {
                progress: Progress::default(),
                limits,
            };
            let tables = Tables::default();
            let next = plan.next(&mut self.record, &self.entrants, &tables, standing)?;
            if let Next::End(outcome) = next {
                return Ok(outcome);
            }
            self.record.let_time_pass();
        }
        if let Some(run_file) = self.run_file {
            self.record.keep(run_file)?;
        }
        let size = self.record.size();
        let worker = self.record.say(self.started.clone())?;
        let played = self.play(plan, &lost, limits, tell);
        let reason = match &played {
            Ok(outcome) => P::reason(outcome),
            Err(RunError::Ledger(_)) => return played,
            Err(_) => {
                self.record.forget();
                if self.record.size() == size {
                    // No trace of the worker, nothing to stop.
                    return played;
                }
                StopReason::Failed
            }
        };
        self.record.say(WorkerStopped { reason, worker })?;
        self.record.commit()?;
        played
    }

    fn play<P: Plan>(
        &mut self,
        plan: &P,
        lost: &[EventId],
        limits: Limits<'_>,
        tell: &mut dyn FnMut(Told),
    ) -> Result<P::Outcome, RunError> {
        self.give_up(lost, tell)?;
        if self.prompting.is_some() {
            self.record.prepare_to_forget()?;
        }
        let hall = Hall {
            record: &mut self.record,
            entrants: &self.entrants,
            deadlines: self.deadlines,
            referee: self.referee,
            oracle: self.oracle,
            prompting: self.prompting,
            budget: self.budget,
            parallel: self.parallel,
        };
        hall.play(plan, limits, tell)
    }

    /// Calls of this plan that a killed run left in flight.
    fn lost_calls<P: Plan>(&self, plan: &P) -> Vec<EventId> {
        let projection = self.record.projection();
        let is_ours = |game: Option<EventId>| {
            let game = projection.games.game(&game?)?;
            Some(plan.is_ours(game))
        };
        let in_flight = projection.calls.in_flight();
        let lost = in_flight.filter(|(_, call)| is_ours(call.sent.game) == Some(true));
        lost.map(|(id, _)| *id).collect()
    }

    /// A run that was killed as a game ended left its conversation behind.
    fn forget_conversations<P: Plan>(&mut self, plan: &P) -> Result<(), RunError> {
        let games = self.record.projection().games.iter();
        let ended = games.filter(|game| plan.is_ours(game));
        let ended: Vec<_> = ended.map(|game| game.id).collect();
        for game in &ended {
            self.record.forget_conversation(game)?;
        }
        Ok(())
    }

    /// Nobody waits any more for calls that a killed run left in flight. Their
    /// games go on from the last accepted move: it was us who failed.
    fn give_up(&mut self, lost: &[EventId], tell: &mut dyn FnMut(Told)) -> Result<(), RunError> {
        for call in lost {
            self.record.say_lost(*call)?;
        }
        if !lost.is_empty() {
            self.record.commit()?;
        }
        for call in lost {
            tell(Told::Lost { call: *call });
        }
        Ok(())
    }
}
