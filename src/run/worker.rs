//! The thread of a table: it asks players and has positions measured, while the
//! ledger is written elsewhere.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, Scope, ScopedJoinHandle};

use crate::canonical::Count;
use crate::chess::{Color, Position, Variant};
use crate::event::EventId;
use crate::ledger::{Erasing, LedgerError, PackedBodies, SealedBody, Storage};
use crate::run::analyst::{Analyst, MeasureError};
use crate::run::player::{Player, Reply, Request};
use crate::run::sealing_desk::SealingDesk;
use crate::run::uci::Analysis;

/// Who sits at a table.
pub(crate) struct Company<'a> {
    pub(crate) white: Box<dyn Player + 'a>,
    pub(crate) black: Box<dyn Player + 'a>,
    pub(crate) referee: Option<Analyst<'a>>,
    /// Whose best moves are shown.
    pub(crate) oracle: Option<Analyst<'a>>,
    /// Where what came back is sealed, as private bodies of the game.
    pub(crate) desk: SealingDesk<'a>,
    /// The number of the registered cell that is played, from 0.
    pub(crate) cell: Option<Count>,
    pub(crate) game: EventId,
    /// Where its conversation is, until it is erased.
    pub(crate) storage: &'a dyn Storage,
    /// Held by whoever destroys something.
    pub(crate) erasing: Arc<Mutex<()>>,
}

/// Something to be done that takes its time.
pub(crate) enum Task {
    /// Ask the player of this color.
    Ask(Color, Box<Request>),
    /// Measure a position.
    Measure(Box<Position>, Variant),
    /// Find the candidates of a position.
    Advise(Box<Position>, Variant),
    /// Look through the conversation of the game, which has ended, before it is erased.
    Doom(PackedBodies),
    /// Destroy it, now that an event says so.
    Destroy(Erasing),
}

/// What came of a task.
pub(crate) enum Done {
    /// What the player said, and the private bodies that were sealed of it.
    Asked(Reply, Result<Vec<SealedBody>, LedgerError>),
    /// What the referee measured, where there is one.
    Measured(Option<Result<Analysis, MeasureError>>),
    /// What the oracle measured, where there is one.
    Advised(Option<Result<Analysis, MeasureError>>),
    /// What is to be destroyed of the conversation.
    Doomed(Result<Erasing, LedgerError>),
    /// What was destroyed of it.
    Destroyed(Result<Erasing, LedgerError>),
}

/// Where a table leaves its tasks. The thread ends when this is dropped.
pub(crate) struct Worker {
    tasks: Sender<Task>,
}

impl Worker {
    /// Starts the thread of a game. What came of its tasks goes to `done`.
    pub(crate) fn start<'s>(
        scope: &'s Scope<'s, '_>,
        mut company: Company<'s>,
        done: Sender<(EventId, Done)>,
    ) -> Self {
        let (tasks, mine): (_, Receiver<Task>) = channel();
        scope.spawn(move || {
            for task in mine {
                let what = company.work(task);
                if done.send((company.game, what)).is_err() {
                    return;
                }
            }
        });
        Self { tasks }
    }

    /// Hands a task over. Whether somebody is there to take it: the thread ends
    /// early only when it panicked.
    pub(crate) fn hand_over(&self, task: Task) -> bool {
        self.tasks.send(task).is_ok()
    }
}

impl Company<'_> {
    fn work(&mut self, task: Task) -> Done {
        match task {
            Task::Ask(color, request) => {
                let player = match color {
                    Color::White => &mut self.white,
                    Color::Black => &mut self.black,
                };
                let is_talk = request.prompt.is_some();
                let reply = thread::scope(|scope| {
                    // A key is made while the first answer is on its way. Where that fails,
                    // sealing says why.
                    let opening = (is_talk && !self.desk.is_open()).then(|| {
                        let desk = &mut self.desk;
                        scope.spawn(|| desk.open())
                    });
                    let reply = player.ask(&request);
                    drop(opening.map(ScopedJoinHandle::join));
                    reply
                });
                let sealed = self.desk.seal(reply.raw());
                Done::Asked(reply, sealed)
            }
            Task::Doom(packed) => Done::Doomed(Erasing::prepare(self.storage, self.game, packed)),
            Task::Destroy(erasing) => {
                // When many games end at once, whoever asks for moves does not wait for all
                // of them.
                let alone = self.erasing.lock();
                let destroyed = erasing.destroy(self.storage);
                drop(alone);
                Done::Destroyed(destroyed.map(|_| erasing))
            }
            Task::Measure(position, variant) => Done::Measured(measured(
                self.referee.as_mut(),
                self.cell,
                &position,
                variant,
            )),
            Task::Advise(position, variant) => Done::Advised(measured(
                self.oracle.as_mut(),
                self.cell,
                &position,
                variant,
            )),
        }
    }
}

/// What an analyst measures, where there is one.
fn measured(
    analyst: Option<&mut Analyst<'_>>,
    cell: Option<Count>,
    position: &Position,
    variant: Variant,
) -> Option<Result<Analysis, MeasureError>> {
    analyst.map(|analyst| analyst.measure(cell, position, variant))
}
