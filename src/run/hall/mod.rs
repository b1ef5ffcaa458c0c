//! Where games go on side by side: one thread a table, and one that writes the
//! ledger for all of them.

mod seating;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::event::EventId;
use crate::projection::GameState;
use crate::run::budget::{BudgetPart, Purse, bill_of};
use crate::run::file::Deadlines;
use crate::run::prompting::Prompting;
use crate::run::record::Record;
use crate::run::shift::{Entrants, Limits, Plan, Progress, Standing};
use crate::run::table::{Step, Table};
use crate::run::told::{Occasion, summary};
use crate::run::worker::{Company, Done, Task, Worker};
use crate::run::{RunError, Told};

/// The games that go on.
#[derive(Default)]
pub(crate) struct Tables(BTreeMap<EventId, Occupied>);

/// A table at which a game goes on.
struct Occupied {
    table: Table,
    occasion: Occasion,
    worker: Worker,
}

impl Tables {
    /// Whether a game goes on at one of them.
    pub(crate) fn has(&self, game: &EventId) -> bool {
        self.0.contains_key(game)
    }
}

/// Where games go on.
pub(crate) struct Hall<'h, 'a> {
    pub(crate) record: &'h mut Record<'a>,
    pub(crate) entrants: &'h Entrants<'a>,
    pub(crate) deadlines: Deadlines,
    pub(crate) referee: Option<EventId>,
    pub(crate) oracle: Option<EventId>,
    /// What may be taken.
    pub(crate) budget: BudgetPart,
    /// What models are sent.
    pub(crate) prompting: Option<Prompting>,
    /// How many tables there are.
    pub(crate) parallel: usize,
}

/// How long the hall waits at most before it looks whether someone said stop.
const LOOK: Duration = Duration::from_millis(100);

/// What is to be done at a table, once all that was said is durable.
type Due = Vec<(EventId, Task)>;

impl Hall<'_, '_> {
    /// Plays what the plan says, at all tables at once, until it says that it has
    /// ended and the last game at a table has, or until someone says stop and
    /// the last call in flight is answered.
    ///
    /// What was said at all tables is committed at once, and only then anybody is
    /// asked: a call is in the ledger before it leaves.
    pub(crate) fn play<P: Plan>(
        self,
        plan: &P,
        limits: Limits<'_>,
        tell: &mut dyn FnMut(Told),
    ) -> Result<P::Outcome, RunError> {
        let projection = self.record.projection();
        let ended = projection.games.iter();
        let ended = ended.filter(|game| plan.is_ours(game) && game.state != GameState::Playing);
        let purse = Purse::new(self.budget, projection, ended);
        let spent = RefCell::new(None);
        let stop = || (limits.stop)() || spent.borrow().is_some();
        let outcome = thread::scope(|scope| {
            let (done, all_done) = channel();
            let mut room = Room {
                hall: self,
                plan,
                limits: Limits {
                    stop: &stop,
                    ..limits
                },
                purse,
                spent: &spent,
                tables: Tables::default(),
                leaving: BTreeMap::new(),
                erasing: Arc::default(),
                resting: BTreeMap::new(),
                progress: Progress::default(),
                ended: Vec::new(),
                left: Vec::new(),
                told_at: None,
                tell,
            };
            let start = |company| Worker::start(scope, company, Sender::clone(&done));
            room.play(&start, &all_done)
        })?;
        Ok(match spent.into_inner() {
            Some(what) => P::spent(outcome, what),
            None => outcome,
        })
    }
}

/// A hall while it is open.
struct Room<'r, 'h, 'a, P> {
    hall: Hall<'h, 'a>,
    plan: &'r P,
    limits: Limits<'r>,
    purse: Purse,
    /// What of the budget is spent, once something is.
    spent: &'r RefCell<Option<String>>,
    tables: Tables,
    /// The threads of games that have ended and whose conversation is being erased:
    /// their tables are free again.
    leaving: BTreeMap<EventId, Worker>,
    /// One of them destroys at a time.
    erasing: Arc<Mutex<()>>,
    /// Tables where nothing is done before then.
    resting: BTreeMap<EventId, Instant>,
    progress: Progress,
    /// What is to be told of games that ended, once it is durable.
    ended: Vec<Told>,
    /// Games whose tables were left since the last commit.
    left: Vec<EventId>,
    /// When it was last told how far the run is.
    told_at: Option<Instant>,
    tell: &'r mut dyn FnMut(Told),
}

/// Starts the thread of a game.
type Start<'s, 'c> = dyn Fn(Company<'c>) -> Worker + 's;

impl<'h, 'a: 'h, P: Plan> Room<'_, 'h, 'a, P> {
    fn play(
        &mut self,
        start: &Start<'_, 'h>,
        all_done: &Receiver<(EventId, Done)>,
    ) -> Result<P::Outcome, RunError> {
        let mut commit = Duration::ZERO;
        loop {
            self.look_into_purse();
            let mut due = Due::new();
            let ended = self.fill(start, &mut due)?;
            self.hall.record.commit()?;
            self.hand_over(&mut due)?;
            let is_over = self.tables.0.is_empty() && self.leaving.is_empty();
            if let (Some(outcome), true) = (ended, is_over) {
                return Ok(outcome);
            }
            // One, and what has come meanwhile; for no longer than a commit takes, or
            // who came first would wait for many.
            let first = self.wait(all_done)?;
            let began = Instant::now();
            for (game, done) in first.into_iter().chain(all_done.try_iter()) {
                self.take(game, done, &mut due)?;
                self.look_into_purse();
                if commit < began.elapsed() {
                    break;
                }
            }
            self.wake(&mut due)?;
            let began = Instant::now();
            self.hall.record.commit()?;
            commit = began.elapsed();
            self.hand_over(&mut due)?;
            self.tell_how_far();
        }
    }

    /// Tells how far the run is, now and then.
    fn tell_how_far(&mut self) {
        let now = Instant::now();
        if self.told_at.is_some_and(|at| now < at + LOOK) {
            return;
        }
        self.told_at = Some(now);
        let projection = self.hall.record.projection();
        let standing = Standing {
            progress: self.progress,
            limits: self.limits,
        };
        let extent = self.plan.extent(projection, standing);
        let games = self.tables.0.keys();
        let playing = games.filter_map(|game| projection.games.game(game));
        let going = self.purse.going(projection, playing, extent);
        (self.tell)(Told::Going(going));
    }

    fn look_into_purse(&self) {
        if self.spent.borrow().is_none() {
            let projection = self.hall.record.projection();
            let games = self.tables.0.keys();
            let playing = games.filter_map(|game| projection.games.game(game));
            *self.spent.borrow_mut() = self.purse.spent(projection, playing);
        }
    }

    /// Waits until something is done, or a table has rested.
    fn wait(
        &self,
        all_done: &Receiver<(EventId, Done)>,
    ) -> Result<Option<(EventId, Done)>, RunError> {
        if self.tables.0.is_empty() && self.leaving.is_empty() {
            return Ok(None);
        }
        let gone = || self.stuck("the thread of its table is gone");
        let Some(until) = self.resting.values().min() else {
            return all_done.recv().map(Some).map_err(|_| gone());
        };
        let wait = until.saturating_duration_since(Instant::now()).min(LOOK);
        match all_done.recv_timeout(wait) {
            Ok(first) => Ok(Some(first)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(gone()),
        }
    }

    /// Goes on at the tables that have rested; at all of them once someone says
    /// stop.
    fn wake(&mut self, due: &mut Due) -> Result<(), RunError> {
        let now = Instant::now();
        let is_stopped = (self.limits.stop)();
        let rested = self.resting.iter();
        let rested = rested.filter(|(_, until)| is_stopped || **until <= now);
        let rested: Vec<_> = rested.map(|(game, _)| *game).collect();
        for game in rested {
            self.resting.remove(&game);
            self.go_on(game, due)?;
        }
        Ok(())
    }

    /// Takes in what came of a task, and goes on at its table.
    fn take(&mut self, game: EventId, done: Done, due: &mut Due) -> Result<(), RunError> {
        let done = match done {
            Done::Doomed(erasing) => {
                // What could not be completed is not begun.
                let erasing = erasing?;
                self.hall.record.say_forgotten(&game)?;
                due.push((game, Task::Destroy(erasing)));
                return Ok(());
            }
            Done::Destroyed(erased) => {
                self.hall.record.forgot(&erased?)?;
                self.leaving.remove(&game);
                return Ok(());
            }
            done => done,
        };
        let Some(occupied) = self.tables.0.get_mut(&game) else {
            let reason = "something was done at a table where nobody sits";
            return Err(RunError::Stuck { game, reason });
        };
        occupied.table.take(self.hall.record, done)?;
        self.go_on(game, due)
    }

    /// Goes on at a table: something is due there, or it is left.
    fn go_on(&mut self, game: EventId, due: &mut Due) -> Result<(), RunError> {
        let Some(occupied) = self.tables.0.get_mut(&game) else {
            return Ok(());
        };
        match occupied.table.next(self.hall.record, self.limits.stop)? {
            Step::Do(task) => {
                due.push((game, task));
                return Ok(());
            }
            Step::Rest(until) => {
                self.resting.insert(game, until);
                return Ok(());
            }
            Step::Leave => {}
        }
        let Some(left) = self.tables.0.remove(&game) else {
            return Ok(());
        };
        self.leaving.insert(game, left.worker);
        self.left.push(game);
        let ended = self.hall.record.projection().games.game(&game);
        if ended.is_some_and(|game| game.result().is_none()) {
            // Its cell may be played again at once: in the same batch, and at the same
            // time, that would be the same event.
            self.hall.record.commit()?;
        }
        let projection = self.hall.record.projection();
        let ended = projection.games.game(&game);
        let Some(ended) = ended.filter(|game| game.state != GameState::Playing) else {
            // It goes on: someone said stop.
            return Ok(());
        };
        self.purse.take(projection, ended);
        let summary = summary(projection, ended);
        let took = bill_of(projection, ended);
        self.progress.ended += 1;
        self.progress.aborted_in_a_row = match ended.result() {
            None => self.progress.aborted_in_a_row + 1,
            Some(_) => 0,
        };
        let occasion = left.occasion;
        self.ended.push(Told::Ended {
            occasion,
            summary,
            took,
        });
        Ok(())
    }

    /// Now that all that was said is durable: tells of games that ended, and hands over
    /// what is due.
    fn hand_over(&mut self, due: &mut Due) -> Result<(), RunError> {
        for told in self.ended.drain(..) {
            (self.tell)(told);
            self.told_at = None;
        }
        for game in std::mem::take(&mut self.left) {
            // Nobody waits for it: the thread of the game forgets the conversation.
            match self.hall.record.conversation_of(&game)? {
                Some(packed) => due.push((game, Task::Doom(packed))),
                None => drop(self.leaving.remove(&game)),
            }
        }
        for (game, task) in due.drain(..) {
            let playing = self.tables.0.get(&game).map(|occupied| &occupied.worker);
            let worker = playing.or_else(|| self.leaving.get(&game));
            if !worker.is_some_and(|worker| worker.hand_over(task)) {
                let reason = "the thread of its table is gone";
                return Err(RunError::Stuck { game, reason });
            }
        }
        Ok(())
    }

    fn stuck(&self, reason: &'static str) -> RunError {
        let game = self.tables.0.keys().next().copied();
        let game = game.unwrap_or_else(|| EventId::of(b""));
        RunError::Stuck { game, reason }
    }
}
