//! What was done to find out how strong somebody is: calls, tokens, and time of
//! four kinds that are never added.

use std::collections::{BTreeMap, BTreeSet};

use crate::canonical::Time;
use crate::event::{
    By, CallAnswered, CallSent, CallTime, Event, EventId, GameStarted, Stage, StopReason, Verified,
    What,
};
use crate::projection::work::{GameTime, Work};

/// The work behind all evidence, by what it was done for and by system. It follows
/// from the events alone; figures are those that events record.
#[derive(Clone, Debug, Default)]
pub struct Compute {
    /// Each start of a runner, in order.
    pub runs: Vec<Run>,
    /// Who writes the events of the last run, until it says that it ends.
    at_work: Option<By>,
    /// What a system was asked and gave no answer to: a question of a dataset.
    unanswered: BTreeSet<(EventId, Question)>,
    parts: BTreeMap<Purpose, Part>,
    games: BTreeMap<EventId, OpenGame>,
    calls: BTreeMap<EventId, OpenCall>,
}

/// What work was done for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// The cells of a schedule.
    Schedule(EventId),
    /// Games of a ladder, newcomers' included.
    Ladder,
    /// Other games: of people, and by hand.
    Games,
    /// Puzzles or positions of a dataset.
    Dataset(EventId),
    /// Whatever else was asked.
    Other,
}

/// Work for one purpose.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// By system; a game's time counts for both of its players.
    pub systems: BTreeMap<EventId, Work>,
    /// All games together, each once.
    pub games: GameTime,
}

/// A runner at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The `worker.started`.
    pub id: EventId,
    /// The dataset whose puzzles or positions it asks.
    pub dataset: Option<EventId>,
    /// The schedule it works on; on a ladder the first batch of the era.
    pub schedule: Option<EventId>,
    /// When it began.
    pub began: Time,
    /// When its last event was.
    pub last: Time,
    /// Why it ended. Absent: it was killed, or goes on.
    pub stopped: Option<StopReason>,
}

impl Run {
    /// Milliseconds from its first event to its last one.
    pub fn ms(&self) -> u64 {
        between(self.began, self.last)
    }
}

#[derive(Clone, Debug)]
struct OpenGame {
    purpose: Purpose,
    players: [EventId; 2],
    began: Time,
    last: Time,
    /// How many runs there were when a worker was last at it, and when that was.
    attended: Option<(usize, Time)>,
    worker_ms: u64,
    /// What was asked for last, by seat.
    asked: [Option<(u64, u64)>; 2],
}

#[derive(Clone, Debug)]
struct OpenCall {
    purpose: Purpose,
    system: EventId,
    game: Option<EventId>,
    question: Option<Question>,
}

/// A question of a dataset: the dataset, and the id in it.
type Question = (EventId, String);

fn between(from: Time, to: Time) -> u64 {
    u64::try_from(to.unix_ms().saturating_sub(from.unix_ms())).unwrap_or_default()
}

impl Purpose {
    fn of(started: &GameStarted) -> Self {
        match (started.stage, started.cell) {
            (Stage::Ladder | Stage::Newcomer, _) => Self::Ladder,
            (_, Some(cell)) => Self::Schedule(cell.schedule),
            (_, None) => Self::Games,
        }
    }
}

impl Part {
    /// Takes in the work of another part.
    pub fn join(&mut self, other: &Self) {
        self.games.join(other.games);
        for (system, work) in &other.systems {
            self.systems.entry(*system).or_default().join(work);
        }
    }
}

impl Compute {
    /// Takes in an event. Events come in the order of the ledger.
    pub fn take(&mut self, event: &Verified<Event>) {
        let (id, at) = (event.id(), event.at);
        let game = match &event.what {
            What::WorkerStarted(started) => {
                self.runs.push(Run {
                    id,
                    dataset: started.dataset,
                    schedule: started.schedule,
                    began: at,
                    last: at,
                    stopped: None,
                });
                self.at_work = Some(event.by.clone());
                return;
            }
            What::WorkerStopped(stopped) => {
                let mut runs = self.runs.iter_mut();
                if let Some(run) = runs.rfind(|run| run.id == stopped.worker) {
                    (run.last, run.stopped) = (at, Some(stopped.reason));
                }
                self.at_work = None;
                return;
            }
            What::GameStarted(started) => Some(self.begin(id, at, started)),
            What::PuzzleAnswered(answered) => return self.pass_dataset(answered.dataset, at),
            What::CellAnswered(answered) => return self.pass_dataset(answered.dataset, at),
            What::CallSent(sent) => self.take_sent(id, at, sent),
            What::CallAnswered(answered) => self.take_answered(answered),
            What::CallFailed(failed) => self.take_end(&failed.call, failed.time, None),
            What::MoveAccepted(accepted) => Some(accepted.game),
            What::MoveRejected(rejected) => Some(rejected.game),
            What::GameFinished(finished) => Some(finished.game),
            What::GameAborted(aborted) => Some(aborted.game),
            What::PositionMeasured(measured) => measured.game,
            _ => None,
        };
        let Some(game) = game else { return };
        // People append corrections, and play, under names of their own.
        let is_worker = self.at_work.as_ref() == Some(&event.by);
        self.pass(&game, at, is_worker);
        if matches!(event.what, What::GameFinished(_) | What::GameAborted(_))
            && let Some(game) = self.games.remove(&game)
        {
            self.part(game.purpose).close(&game);
        }
    }

    /// The work for each purpose; games that go on are counted as they are.
    pub fn parts(&self) -> BTreeMap<Purpose, Part> {
        let mut parts = self.parts.clone();
        for game in self.games.values() {
            parts.entry(game.purpose).or_default().close(game);
        }
        parts
    }

    fn part(&mut self, purpose: Purpose) -> &mut Part {
        self.parts.entry(purpose).or_default()
    }

    fn begin(&mut self, id: EventId, at: Time, started: &GameStarted) -> EventId {
        let game = OpenGame {
            purpose: Purpose::of(started),
            players: [started.seats.white, started.seats.black],
            began: at,
            last: at,
            attended: None,
            worker_ms: 0,
            asked: [None; 2],
        };
        self.games.insert(id, game);
        id
    }

    /// Something happened in a game: its time goes on, and that of the runner.
    fn pass(&mut self, game: &EventId, at: Time, is_worker: bool) {
        let runs = self.runs.len();
        if let Some(run) = self.runs.last_mut().filter(|_| is_worker) {
            run.last = run.last.max(at);
        }
        let Some(game) = self.games.get_mut(game) else {
            return;
        };
        game.last = game.last.max(at);
        if !is_worker {
            return;
        }
        // Between two runs nobody was there.
        let since = game.attended.filter(|(run, _)| *run == runs);
        let since = since.map_or(at, |(_, since)| since);
        game.worker_ms = game.worker_ms.saturating_add(between(since, at));
        game.attended = Some((runs, at));
    }

    /// Something happened to a question of a dataset: the time of its runner goes on.
    fn pass_dataset(&mut self, dataset: EventId, at: Time) {
        let run = self.runs.last_mut();
        let is_on_it = |run: &&mut Run| run.dataset == Some(dataset) && run.stopped.is_none();
        if let Some(run) = run.filter(is_on_it) {
            run.last = run.last.max(at);
        }
    }

    fn take_sent(&mut self, id: EventId, at: Time, sent: &CallSent) -> Option<EventId> {
        if let Some(dataset) = sent.dataset() {
            self.pass_dataset(dataset, at);
        }
        let game = sent.game.and_then(|game| self.games.get_mut(&game));
        let mut is_again = false;
        let purpose = match (game, sent.dataset()) {
            (Some(game), _) => {
                let ply = sent.ply.map_or(0, |ply| u64::from(ply.0));
                let asked = (ply, sent.attempt.get());
                let seat = usize::from(game.players[0] != sent.system);
                is_again = game.asked[seat].replace(asked) == Some(asked);
                game.purpose
            }
            (None, Some(dataset)) => Purpose::Dataset(dataset),
            (None, None) => Purpose::Other,
        };
        let system = sent.system;
        let game = sent.game;
        let question = sent
            .question()
            .map(|(dataset, id)| (dataset, id.to_owned()));
        if let Some(question) = &question {
            is_again = self.unanswered.contains(&(system, question.clone()));
        }
        let call = OpenCall {
            purpose,
            system,
            game,
            question,
        };
        self.calls.insert(id, call);
        let work = self.part(purpose).systems.entry(system).or_default();
        work.again += u64::from(is_again);
        game
    }

    fn take_answered(&mut self, answered: &CallAnswered) -> Option<EventId> {
        self.take_end(&answered.call, Some(answered.time), Some(answered))
    }

    fn take_end(
        &mut self,
        call: &EventId,
        time: Option<CallTime>,
        answered: Option<&CallAnswered>,
    ) -> Option<EventId> {
        let open = self.calls.remove(call)?;
        if let Some(question) = open.question {
            let asked = (open.system, question);
            match answered {
                Some(_) => self.unanswered.remove(&asked),
                None => self.unanswered.insert(asked),
            };
        }
        let part = self.part(open.purpose);
        let work = part.systems.entry(open.system).or_default();
        work.take_time(time, answered.is_some());
        match answered {
            Some(answered) => work.take_answered(answered),
            None => work.failed += 1,
        }
        open.game
    }
}

impl Part {
    fn close(&mut self, game: &OpenGame) {
        let time = GameTime {
            games: 1,
            wall_ms: between(game.began, game.last),
            worker_ms: game.worker_ms,
        };
        self.games.join(time);
        let [white, black] = game.players;
        let players = [Some(white), Some(black).filter(|black| *black != white)];
        for player in players.into_iter().flatten() {
            self.systems.entry(player).or_default().games.join(time);
        }
    }
}
