//! Questions that are asked: each of everybody once, many at once.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::event::{
    CallFailure, CallSent, EventId, PrivateBody, StopReason, WorkerStarted, WorkerStopped,
};
use crate::ledger::{LedgerError, SealedBody};
use crate::projection::Resources;
use crate::run::asking_terms::{Registered, Terms};
use crate::run::chat::is_passing;
use crate::run::player::{Player, Reply, Request};
use crate::run::questions::{AskingOutcome, AskingTold, Came, Questions, Task};
use crate::run::record::Record;
use crate::run::registry::Entrant;
use crate::run::sealing_desk::SealingDesk;
use crate::run::{Going, RunError, Toll};

/// Questions of a dataset, and those who are asked.
pub(crate) struct Asking<'a, Q> {
    pub(crate) record: Record<'a>,
    pub(crate) questions: Q,
    pub(crate) registered: Registered<'a>,
    pub(crate) terms: Terms<'a>,
}

/// What came back, and what was sealed of it.
type Done = (usize, Reply, Result<Vec<SealedBody>, LedgerError>);

/// The tasks that are left, and how many there were.
type Left<Q> = (VecDeque<Task<Q>>, usize);

impl<Q: Questions> Asking<'_, Q> {
    /// Asks everybody every question that is left. Where there is nothing to do
    /// nothing is written.
    ///
    /// # Errors
    ///
    /// When the ledger takes no more events or contradicts itself. Nothing is lost:
    /// another run goes on from what is in the ledger.
    pub(crate) fn ask(
        mut self,
        stop: &dyn Fn() -> bool,
        tell: &mut dyn FnMut(AskingTold),
    ) -> Result<AskingOutcome, RunError> {
        let began = Instant::now();
        let lost = self.lost();
        let ids: Vec<_> = self
            .registered
            .players
            .iter()
            .map(|(system, _)| *system)
            .collect();
        let left = self.questions.left(self.record.projection(), &ids);
        let left: VecDeque<_> = left.into_iter().map(Task::new).collect();
        let is_over = left.is_empty() || stop() || self.spent(began).is_some();
        if lost.is_empty() && is_over {
            return Ok(self.outcome(left.len(), (began, false)));
        }
        let size = self.record.size();
        self.record.keep(self.terms.run_file)?;
        let worker = self.record.say(WorkerStarted {
            dataset: Some(self.questions.dataset()),
            program: self.terms.program.to_owned(),
            run_file: crate::digest::Digest::of(self.terms.run_file),
            schedule: None,
        })?;
        let asked = self.ask_all(lost, left, began, (stop, tell));
        let reason = match &asked {
            Ok(outcome) => outcome.reason(),
            Err(RunError::Ledger(_)) => return asked,
            Err(_) => {
                self.record.forget();
                if self.record.size() == size {
                    // No trace of the worker, nothing to stop.
                    return asked;
                }
                StopReason::Failed
            }
        };
        self.record.say(WorkerStopped { reason, worker })?;
        self.record.commit()?;
        asked
    }

    fn ask_all(
        &mut self,
        lost: Vec<EventId>,
        left: VecDeque<Task<Q::Question>>,
        began: Instant,
        (stop, tell): (&dyn Fn() -> bool, &mut dyn FnMut(AskingTold)),
    ) -> Result<AskingOutcome, RunError> {
        // Nobody waits any more for calls that a killed run left in flight.
        for call in lost {
            self.record.say_lost(call)?;
        }
        self.record.commit()?;
        let all = left.len();
        let slots = self.terms.parallel.min(all.max(1));
        let (store, unit) = (self.record.private_store(), self.questions.dataset());
        // A baseline says nothing that is private.
        let is_model = |(_, entrant): &(EventId, &Entrant)| entrant.system.model.is_some();
        if let Some(store) = store.filter(|_| self.registered.players.iter().any(is_model)) {
            // Before there are many who would make one.
            store.make_key(&unit)?;
        }
        let deadlines = self.terms.deadlines;
        let entrants: Vec<_> = self
            .registered
            .players
            .iter()
            .map(|(_, entrant)| *entrant)
            .collect();
        thread::scope(|scope| {
            let (done, all_done): (Sender<Done>, Receiver<Done>) = channel();
            let mut desks = Vec::new();
            for slot in 0..slots {
                let (tasks, mine) = channel::<(usize, Request)>();
                let (done, entrants) = (done.clone(), entrants.clone());
                let mut sealing = SealingDesk::new(store, unit);
                scope.spawn(move || {
                    let mut players: Vec<Box<dyn Player>> = entrants
                        .iter()
                        .map(|entrant| entrant.player(deadlines))
                        .collect();
                    for (player, request) in mine {
                        let Some(player) = players.get_mut(player) else {
                            return;
                        };
                        let reply = player.ask(&request);
                        let bodies = sealing.seal(reply.raw());
                        if done.send((slot, reply, bodies)).is_err() {
                            return;
                        }
                    }
                });
                desks.push(Desk { tasks, busy: None });
            }
            self.work((left, all), &mut desks, (&all_done, began), (stop, tell))
        })
    }

    fn work(
        &mut self,
        (mut left, all): Left<Q::Question>,
        desks: &mut [Desk<Q::Question>],
        (all_done, began): (&Receiver<Done>, Instant),
        (stop, tell): (&dyn Fn() -> bool, &mut dyn FnMut(AskingTold)),
    ) -> Result<AskingOutcome, RunError> {
        let (mut asked, mut failed_in_a_row) = (0, 0);
        let mut taken = Toll::default();
        loop {
            let is_failing = FAILING <= failed_in_a_row;
            let is_over = stop() || self.spent(began).is_some() || is_failing;
            if !is_over {
                self.hand_out(&mut left, desks)?;
            }
            let waiting = desks.iter().filter(|desk| desk.busy.is_some()).count();
            if waiting == 0 && (is_over || left.is_empty()) {
                return Ok(self.outcome(left.len(), (began, is_failing)));
            }
            // Some may only rest after a failure.
            let Ok((slot, reply, bodies)) = all_done.recv_timeout(Duration::from_millis(100))
            else {
                continue;
            };
            let busy = desks.get_mut(slot).and_then(|desk| desk.busy.take());
            let Some((task, call)) = busy else { continue };
            let bodies = self.record.hold(bodies?);
            match self.take(&task, call, reply, bodies)? {
                Came::Again(again) => left.push_front(*again),
                Came::Said(failure, took) => {
                    asked += 1;
                    failed_in_a_row = failure.map_or(0, |_| failed_in_a_row + 1);
                    taken.join(&took);
                    let at_desks = desks.iter().filter(|desk| desk.busy.is_some()).count();
                    let going = going((asked, all, at_desks), taken);
                    tell(self.told(&task, (failure, took), (asked, all), going));
                }
            }
        }
    }

    /// How a run ends that leaves so many.
    fn outcome(&self, left: usize, (began, is_failing): (Instant, bool)) -> AskingOutcome {
        match (left, self.spent(began)) {
            (0, _) => AskingOutcome::Finished,
            (left, Some(what)) => AskingOutcome::Spent(what, left),
            (left, None) if is_failing => AskingOutcome::Failing(left),
            (left, None) => AskingOutcome::Interrupted(left),
        }
    }

    /// Hands out as many questions as there are free desks; nothing is asked before its
    /// call is durable.
    fn hand_out(
        &mut self,
        left: &mut VecDeque<Task<Q::Question>>,
        desks: &mut [Desk<Q::Question>],
    ) -> Result<(), RunError> {
        let now = Instant::now();
        let mut due = Vec::new();
        for (slot, _) in desks
            .iter()
            .enumerate()
            .filter(|(_, desk)| desk.busy.is_none())
        {
            let ready = left
                .iter()
                .position(|task| task.not_before.is_none_or(|at| at <= now));
            let Some(task) = ready.and_then(|at| left.remove(at)) else {
                break;
            };
            let Some((system, _)) = self.registered.players.get(task.player).copied() else {
                continue;
            };
            let registered = self.record.projection().systems.system(&system);
            let model = registered.and_then(|system| system.registered.model.clone());
            let call = self.record.say(CallSent {
                requested_model: model.as_ref().map(|model| model.requested_model.clone()),
                route: model.map(|model| model.route),
                ..self.questions.sent(&task.question, system)
            })?;
            due.push((slot, task, call));
        }
        self.record.commit()?;
        for (slot, task, call) in due {
            let request = Request {
                call: Some(call),
                ..self.questions.request(&task.question)
            };
            if let Some(desk) = desks.get_mut(slot) {
                // Whoever is gone answers nothing, and the call is lost.
                drop(desk.tasks.send((task.player, request)));
                desk.busy = Some((task, call));
            }
        }
        Ok(())
    }

    /// Says what came of a call.
    fn take(
        &mut self,
        task: &Task<Q::Question>,
        call: EventId,
        reply: Reply,
        bodies: Vec<PrivateBody>,
    ) -> Result<Came<Q::Question>, RunError> {
        let mut took = task.took;
        let (ended, answered, failure) = match reply {
            Reply::Answered(answered) => {
                let said = self.record.say(answered.event(call, bodies))?;
                took.take(self.record.projection(), &call, true);
                (said, Some(answered), None)
            }
            Reply::Missed(what) => return Err(RunError::Missed { what }),
            Reply::Failed(failed) => {
                let said = self.record.say(failed.event(call, bodies))?;
                took.take(self.record.projection(), &call, false);
                if is_passing(failed.class) && task.failures < self.registered.retries {
                    self.record.commit()?;
                    return Ok(Came::Again(Box::new(Task {
                        failures: task.failures + 1,
                        not_before: Some(Instant::now() + failed.wait(task.failures)),
                        took,
                        ..task.clone()
                    })));
                }
                (said, None, Some(failed.class))
            }
        };
        let Some((system, _)) = self.registered.players.get(task.player).copied() else {
            return Ok(Came::Said(failure, took));
        };
        let answered = answered.as_deref();
        let (what, next) = self
            .questions
            .take(&task.question, (system, ended), answered);
        self.record.say(what)?;
        self.record.commit()?;
        Ok(match next {
            None => Came::Said(failure, took),
            Some(question) => Came::Again(Box::new(Task {
                took,
                ..Task::new((task.player, question))
            })),
        })
    }

    fn told(
        &self,
        task: &Task<Q::Question>,
        (failure, took): (Option<CallFailure>, Toll),
        asked: (usize, usize),
        going: Going,
    ) -> AskingTold {
        let projection = self.record.projection();
        let questions = &self.questions;
        let system = self
            .registered
            .players
            .get(task.player)
            .map(|(system, _)| *system);
        let verdict = match (failure, system) {
            (Some(failure), _) => {
                let counts = questions.without_answer();
                format!("no answer ({}), {counts}", failure.as_str())
            }
            (None, Some(system)) => questions.verdict(projection, &system, &task.question),
            (None, None) => String::new(),
        };
        AskingTold {
            system: system.map_or_else(String::new, |system| projection.name_of(&system)),
            question: questions.name(&task.question).to_owned(),
            asked,
            verdict,
            took,
            going,
        }
    }

    /// The calls that a killed run left in flight.
    fn lost(&self) -> Vec<EventId> {
        let is_ours = |system: &EventId| self.registered.players.iter().any(|(id, _)| id == system);
        let in_flight = self.record.projection().calls.in_flight();
        let lost =
            in_flight.filter(|(_, call)| call.sent.game.is_none() && is_ours(&call.sent.system));
        lost.map(|(id, _)| *id).collect()
    }

    /// What of the budget is spent.
    fn spent(&self, began: Instant) -> Option<String> {
        let mut all = Resources::default();
        for (system, _) in &self.registered.players {
            if let Some(system) = self.record.projection().systems.system(system) {
                all.join(&system.resources);
            }
        }
        self.terms.budget.spent(&all, began.elapsed())
    }
}

/// How far a run is that has asked so many of so many questions, with these at desks.
fn going((asked, all, at_desks): (usize, usize, usize), taken: Toll) -> Going {
    let count = |number| u64::try_from(number).unwrap_or(u64::MAX);
    let extent = (count(asked), Some(count(all)));
    Going::of(extent, count(at_desks), taken, (count(asked), &taken))
}

/// So many questions in a row without an answer are an outage: the rest is left for
/// another run.
const FAILING: u32 = 3;

/// A thread that asks, and what it was asked.
struct Desk<Q> {
    tasks: Sender<(usize, Request)>,
    busy: Option<(Task<Q>, EventId)>,
}
