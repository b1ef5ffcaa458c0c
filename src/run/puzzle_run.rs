//! Puzzles that are asked: each of every model once, many at once.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::canonical::Count;
use crate::event::{
    CallFailure, CallSent, EventId, PrivateBody, ProtocolPublished, PuzzleAnswered, PuzzleRef,
};
use crate::ledger::{LedgerError, SealedBody};
use crate::projection::Resources;
use crate::run::budget::BudgetPart;
use crate::run::chat::is_passing;
use crate::run::file::Deadlines;
use crate::run::player::{Player, Prompt, Reply, Request, shared};
use crate::run::prompts::{Puzzle, PuzzlePrompt};
use crate::run::puzzle_file::PuzzleFile;
use crate::run::puzzle_task::{PuzzleOutcome, PuzzleTold, Task, left};
use crate::run::record::Record;
use crate::run::registry::Entrant;
use crate::run::reply::answer_in;
use crate::run::sealing_desk::SealingDesk;
use crate::run::{Going, RunError, Toll};

/// A dataset that models are asked.
pub struct PuzzleRun<'a> {
    record: Record<'a>,
    dataset: EventId,
    protocol: EventId,
    retries: u64,
    prompt: PuzzlePrompt,
    deadlines: Deadlines,
    budget: BudgetPart,
    parallel: usize,
    began: Instant,
    players: Vec<(EventId, &'a Entrant)>,
}

/// What became of a task.
enum Came {
    /// It is to be asked again.
    Again(Box<Task>),
    /// It was said: why no answer came where none did, and what its calls took.
    Said(Option<CallFailure>, Toll),
}

/// What came back, and what was sealed of it.
type Done = (usize, Reply, Result<Vec<SealedBody>, LedgerError>);

impl<'a> PuzzleRun<'a> {
    /// Registers protocol and models, or takes them up as they are.
    ///
    /// # Errors
    ///
    /// When there is no such dataset, or a name is taken by something else.
    pub fn open(
        mut record: Record<'a>,
        file: &PuzzleFile,
        prompt: PuzzlePrompt,
        entrants: &'a [Entrant],
    ) -> Result<Self, RunError> {
        let dataset = record
            .projection()
            .puzzles
            .dataset_named(file.puzzles.as_str());
        let dataset = dataset.map(|dataset| dataset.id);
        let dataset = dataset.ok_or_else(|| RunError::NoDataset {
            name: file.puzzles.to_string(),
        })?;
        let rules: ProtocolPublished = file.protocol(&prompt);
        let retries = rules.failed_request.retries_max.map_or(0, Count::get);
        let taken = |name: String, what| RunError::NameTaken {
            name,
            what,
            differs: "another prompt, rule or parameter".to_owned(),
        };
        let known = record.projection().systems.protocol_named(&rules.name);
        let protocol = match known {
            Some(known) if known.published == rules => known.id,
            Some(_) => return Err(taken(rules.name.to_string(), "protocol")),
            None => record.say(rules)?,
        };
        let mut players = Vec::new();
        for entrant in entrants {
            let system = &entrant.system;
            let known = record.projection().systems.system_named(&system.name);
            let id = match known {
                Some(known) if known.registered == *system => known.id,
                Some(_) => return Err(taken(system.name.to_string(), "system")),
                None => record.say(system.clone())?,
            };
            players.push((id, entrant));
        }
        record.commit()?;
        Ok(Self {
            record,
            dataset,
            protocol,
            retries,
            prompt,
            deadlines: file.deadlines,
            budget: file.budget,
            parallel: file.parallel.get(),
            began: Instant::now(),
            players,
        })
    }

    /// Asks every model every puzzle that it was not asked yet under this protocol.
    ///
    /// # Errors
    ///
    /// When the ledger takes no more events or contradicts itself. Nothing is lost:
    /// another run goes on from what is in the ledger.
    pub fn ask(
        mut self,
        stop: &dyn Fn() -> bool,
        tell: &mut dyn FnMut(PuzzleTold),
    ) -> Result<PuzzleOutcome, RunError> {
        self.give_up_lost()?;
        let ids: Vec<_> = self.players.iter().map(|(system, _)| *system).collect();
        let projection = self.record.projection();
        let mut left = left(projection, &self.dataset, &self.protocol, &ids);
        let all = left.len();
        let slots = self.parallel.min(all.max(1));
        let store = self.record.private_store();
        if let Some(store) = &store {
            // Before there are many who would make one.
            store.make_key(&self.dataset)?;
        }
        let (unit, deadlines) = (self.dataset, self.deadlines);
        let entrants: Vec<_> = self.players.iter().map(|(_, entrant)| *entrant).collect();
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
            self.work(&mut left, &mut desks, &all_done, (stop, tell, all))
        })
    }

    fn work(
        &mut self,
        left: &mut VecDeque<Task>,
        desks: &mut [Desk],
        all_done: &Receiver<Done>,
        (stop, tell, all): (&dyn Fn() -> bool, &mut dyn FnMut(PuzzleTold), usize),
    ) -> Result<PuzzleOutcome, RunError> {
        let (mut asked, mut failed_in_a_row) = (0, 0);
        let mut taken = Toll::default();
        loop {
            let spent = self.spent();
            let is_failing = FAILING <= failed_in_a_row;
            let is_over = stop() || spent.is_some() || is_failing;
            if !is_over {
                self.hand_out(left, desks)?;
            }
            let waiting = desks.iter().filter(|desk| desk.busy.is_some()).count();
            if waiting == 0 && (is_over || left.is_empty()) {
                return Ok(match (left.len(), spent) {
                    (0, _) => PuzzleOutcome::Finished,
                    (left, Some(what)) => PuzzleOutcome::Spent(what, left),
                    (left, None) if is_failing => PuzzleOutcome::Failing(left),
                    (left, None) => PuzzleOutcome::Interrupted(left),
                });
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

    /// Hands out as many puzzles as there are free desks; nothing is asked before its
    /// call is durable.
    fn hand_out(&mut self, left: &mut VecDeque<Task>, desks: &mut [Desk]) -> Result<(), RunError> {
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
            let Some((system, _)) = self.players.get(task.player).copied() else {
                continue;
            };
            let registered = self.record.projection().systems.system(&system);
            let model = registered.and_then(|system| system.registered.model.clone());
            let call = self.record.say(CallSent {
                attempt: 1_u32.into(),
                bodies: Vec::new(),
                candidates: None,
                game: None,
                limit: None,
                ply: None,
                puzzle: Some(PuzzleRef {
                    dataset: self.dataset,
                    id: task.puzzle.clone(),
                }),
                requested_model: model.as_ref().map(|model| model.requested_model.clone()),
                route: model.map(|model| model.route),
                system,
            })?;
            due.push((slot, task, call));
        }
        self.record.commit()?;
        for (slot, task, call) in due {
            let request = Request {
                call: Some(call),
                ..self.request(&task)
            };
            if let Some(desk) = desks.get_mut(slot) {
                // Whoever is gone answers nothing, and the call is lost.
                drop(desk.tasks.send((task.player, request)));
                desk.busy = Some((task, call));
            }
        }
        Ok(())
    }

    fn request(&self, task: &Task) -> Request {
        let messages = self.prompt.request(&Puzzle {
            position: &task.position,
            tactic: task.tactic.in_words(),
            plies: task.plies,
        });
        let prompt = Prompt {
            messages: shared(messages),
            offers_tool: false,
            tag: None,
            legal: Vec::new(),
        };
        Request::of_puzzle(self.dataset, task.position.clone(), prompt)
    }

    /// Says what came of a call.
    fn take(
        &mut self,
        task: &Task,
        call: EventId,
        reply: Reply,
        bodies: Vec<PrivateBody>,
    ) -> Result<Came, RunError> {
        let mut failure = None;
        let mut took = task.took;
        let (call, form, line) = match reply {
            Reply::Answered(answered) => {
                let (form, line) = answer_in(&task.position, &answered.text);
                let said = self.record.say(answered.event(call, bodies))?;
                took.take(self.record.projection(), &call, true);
                (said, Some(form), line)
            }
            Reply::Missed(what) => return Err(RunError::Missed { what }),
            Reply::Failed(failed) => {
                let said = self.record.say(failed.event(call, bodies))?;
                took.take(self.record.projection(), &call, false);
                if is_passing(failed.class) && task.failures < self.retries {
                    self.record.commit()?;
                    return Ok(Came::Again(Box::new(Task {
                        failures: task.failures + 1,
                        not_before: Some(Instant::now() + failed.wait(task.failures)),
                        took,
                        ..task.clone()
                    })));
                }
                failure = Some(failed.class);
                (said, None, Vec::new())
            }
        };
        let Some((system, _)) = self.players.get(task.player).copied() else {
            return Ok(Came::Said(failure, took));
        };
        self.record.say(PuzzleAnswered {
            call,
            dataset: self.dataset,
            form,
            line,
            protocol: self.protocol,
            puzzle: task.puzzle.clone(),
            system,
        })?;
        self.record.commit()?;
        Ok(Came::Said(failure, took))
    }

    fn told(
        &self,
        task: &Task,
        (failure, took): (Option<CallFailure>, Toll),
        asked: (usize, usize),
        going: Going,
    ) -> PuzzleTold {
        let projection = self.record.projection();
        let system = self.players.get(task.player).map(|(system, _)| *system);
        let run = system.and_then(|system| {
            projection
                .puzzles
                .run(&self.dataset, &self.protocol, &system)
        });
        let attempt = run.and_then(|run| run.counting(&task.puzzle, &projection.corrections));
        PuzzleTold {
            system: system.map_or_else(String::new, |system| projection.name_of(&system)),
            puzzle: task.puzzle.clone(),
            asked,
            is_solved: attempt.is_some_and(|attempt| attempt.solving.is_exact),
            failure,
            took,
            going,
        }
    }

    /// Nobody waits any more for calls that a killed run left in flight.
    fn give_up_lost(&mut self) -> Result<(), RunError> {
        let is_ours = |system: &EventId| self.players.iter().any(|(id, _)| id == system);
        let in_flight = self.record.projection().calls.in_flight();
        let lost =
            in_flight.filter(|(_, call)| call.sent.game.is_none() && is_ours(&call.sent.system));
        let lost: Vec<_> = lost.map(|(id, _)| *id).collect();
        for call in lost {
            self.record.say_lost(call)?;
        }
        Ok(self.record.commit()?)
    }

    /// What of the budget is spent.
    fn spent(&self) -> Option<String> {
        let mut all = Resources::default();
        for (system, _) in &self.players {
            if let Some(system) = self.record.projection().systems.system(system) {
                all.join(&system.resources);
            }
        }
        self.budget.spent(&all, self.began.elapsed())
    }
}

/// How far a run is that has asked so many of so many puzzles, with these at desks.
fn going((asked, all, at_desks): (usize, usize, usize), taken: Toll) -> Going {
    let count = |number| u64::try_from(number).unwrap_or(u64::MAX);
    let extent = (count(asked), Some(count(all)));
    Going::of(extent, count(at_desks), taken, (count(asked), &taken))
}

/// So many puzzles in a row without an answer are an outage: the rest is left for
/// another run and does not count as wrong.
const FAILING: u32 = 3;

/// A thread that asks, and what it was asked.
struct Desk {
    tasks: Sender<(usize, Request)>,
    busy: Option<(Task, EventId)>,
}
