use std::collections::BTreeMap;

use crate::canonical::Count;
use crate::event::{
    CallFailed, CallFailure, CellRef, EventId, GameStarted, Stage, StopReason, WorkerStarted,
    WorkerStopped,
};
use crate::projection::{Cell, Game, GameState, cells_of};
use crate::run::file::{Deadlines, RunFile};
use crate::run::record::Record;
use crate::run::registration::{admit, register};
use crate::run::registry::Entrant;
use crate::run::seat::Seat;
use crate::run::table::Table;
use crate::run::told::summary;
use crate::run::{RunError, RunOutcome, Told};

/// A cohort that is being played.
pub struct Tournament<'a> {
    record: Record<'a>,
    /// What is said when there is something to do.
    started: WorkerStarted,
    /// The protocol of every cell.
    protocol: EventId,
    cells: Vec<Cell>,
    entrants: BTreeMap<EventId, &'a Entrant>,
    deadlines: Deadlines,
}

/// When a run ends before every cell has its game.
#[derive(Clone, Copy)]
pub struct Limits<'s> {
    /// After so many games, aborted ones included.
    pub games: Option<u64>,
    /// Asked before each call: whether to stop now, in good order.
    pub stop: &'s dyn Fn() -> bool,
}

/// What is to be done next.
enum Next {
    Play(usize),
    End(RunOutcome),
}

impl<'a> Tournament<'a> {
    /// Registers what a run file asks for, or takes up what it registered before.
    ///
    /// # Errors
    ///
    /// When the file or an engine is not what was registered, or a name is
    /// taken: nothing was written then. Or what the ledger says.
    pub fn open(
        mut record: Record<'a>,
        file: &RunFile,
        entrants: &'a [Entrant],
        program: &str,
    ) -> Result<Self, RunError> {
        let (schedule, committed) = match admit(record.projection(), file, entrants)? {
            Some(schedule) => (schedule.id, schedule.committed.clone()),
            None => register(&mut record, file, entrants)?,
        };
        Ok(Self {
            record,
            started: WorkerStarted {
                program: program.to_owned(),
                run_file: file.digest(),
                schedule,
            },
            protocol: committed.protocol,
            cells: cells_of(&committed),
            entrants: committed.systems.into_iter().zip(entrants).collect(),
            deadlines: file.deadlines,
        })
    }

    /// Plays cells in their frozen order until all have a result, none that is
    /// open may be tried again, or a limit is reached. Where there is nothing
    /// to do nothing is written.
    ///
    /// # Errors
    ///
    /// When the ledger takes no more events or contradicts itself. Nothing is
    /// lost: another run goes on from what is in the ledger.
    pub fn play(
        mut self,
        limits: Limits<'_>,
        tell: &mut dyn FnMut(Told),
    ) -> Result<RunOutcome, RunError> {
        let lost = self.lost_calls();
        if lost.is_empty()
            && let Next::End(outcome) = self.next(0, limits)
        {
            return Ok(outcome);
        }
        let size = self.record.size();
        let worker = self.record.say(self.started.clone())?;
        let played = self.play_cells(&lost, limits, tell);
        let reason = match &played {
            Ok(outcome) => outcome.reason(),
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

    fn play_cells(
        &mut self,
        lost: &[EventId],
        limits: Limits<'_>,
        tell: &mut dyn FnMut(Told),
    ) -> Result<RunOutcome, RunError> {
        self.give_up(lost, tell)?;
        let mut ended = 0;
        loop {
            match self.next(ended, limits) {
                Next::Play(cell) => self.play_cell(cell, limits.stop, tell)?,
                Next::End(outcome) => return Ok(outcome),
            }
            ended += 1;
        }
    }

    /// Decides what comes next: the first open cell in frozen order that may
    /// be tried (again), or the end.
    fn next(&self, ended: u64, limits: Limits<'_>) -> Next {
        let cells = 0..self.cells.len();
        let open: Vec<usize> = cells.filter(|cell| self.is_open(*cell)).collect();
        let next = open.iter().find(|cell| self.may_be_tried(**cell));
        Next::End(match next {
            None if open.is_empty() => RunOutcome::Finished,
            None => RunOutcome::Exhausted { open },
            Some(_) if (limits.stop)() => RunOutcome::Interrupted { open },
            Some(_) if limits.games.is_some_and(|games| games <= ended) => {
                RunOutcome::Paused { open }
            }
            Some(cell) => return Next::Play(*cell),
        })
    }

    /// The games of a cell, in the order they were started.
    fn games(&self, cell: usize) -> impl Iterator<Item = &Game> {
        let projection = self.record.projection();
        let schedule = projection.schedules.schedule(&self.started.schedule);
        let games = schedule.and_then(|schedule| schedule.games.get(cell));
        let ids = games.map_or(&[][..], Vec::as_slice).iter();
        ids.filter_map(|id| projection.games.game(id))
    }

    /// Whether no game of the cell has a result.
    fn is_open(&self, cell: usize) -> bool {
        self.games(cell).all(|game| game.result().is_none())
    }

    /// Whether a game of the cell goes on, or another may be started.
    fn may_be_tried(&self, cell: usize) -> bool {
        let protocol = self.record.projection().systems.protocol(&self.protocol);
        let rule = protocol.map(|protocol| protocol.published.failed_request);
        let replays = Count::saturating(self.games(cell).count());
        self.games(cell).any(is_playing)
            || rule
                .and_then(|rule| rule.replays_max)
                .is_none_or(|most| replays <= most)
    }

    /// Calls of this cohort that a killed run left in flight.
    fn lost_calls(&self) -> Vec<EventId> {
        let projection = self.record.projection();
        let is_ours = |game: Option<EventId>| {
            let cell = projection.games.game(&game?)?.cell()?;
            Some(cell.schedule == self.started.schedule)
        };
        let in_flight = projection.calls.in_flight();
        let lost = in_flight.filter(|(_, call)| is_ours(call.sent.game) == Some(true));
        lost.map(|(id, _)| *id).collect()
    }

    /// Nobody waits any more for calls that a killed run left in flight. Their
    /// games go on from the last accepted move: it was us who failed.
    fn give_up(&mut self, lost: &[EventId], tell: &mut dyn FnMut(Told)) -> Result<(), RunError> {
        for call in lost {
            self.record.say(CallFailed {
                bodies: Vec::new(),
                call: *call,
                class: CallFailure::Lost,
                detail: "the runner ended while the call was in flight".to_owned(),
                http_status: None,
                retry_after_ms: None,
                time: None,
            })?;
        }
        if !lost.is_empty() {
            self.record.commit()?;
        }
        for call in lost {
            tell(Told::Lost { call: *call });
        }
        Ok(())
    }

    fn play_cell(
        &mut self,
        cell: usize,
        stop: &dyn Fn() -> bool,
        tell: &mut dyn FnMut(Told),
    ) -> Result<(), RunError> {
        let playing = self.games(cell).find(|game| is_playing(game));
        let (game, plies) = match playing.map(|game| (game.id, game.moves.len())) {
            Some(playing) => playing,
            None => (self.start_game(cell)?, 0),
        };
        let cells = self.cells.len();
        tell(Told::Started { cell, cells, plies });
        let [white, black] = self.seats(cell, game)?;
        let mut table = Table {
            record: &mut self.record,
            game,
            white,
            black,
        };
        table.play(stop)?;
        self.record.commit()?;
        let projection = self.record.projection();
        if let Some(game) = projection
            .games
            .game(&game)
            .filter(|game| !is_playing(game))
        {
            let summary = summary(projection, game);
            tell(Told::Ended {
                cell,
                cells,
                summary,
            });
        }
        Ok(())
    }

    fn start_game(&mut self, cell: usize) -> Result<EventId, RunError> {
        let Cell { seats, start } = self.cells[cell].clone();
        self.record.say(GameStarted {
            billing: None,
            draw: None,
            cell: Some(CellRef {
                index: Count::saturating(cell),
                schedule: self.started.schedule,
            }),
            opening: None,
            protocol: self.protocol,
            seats,
            stage: Stage::Placement,
            start,
        })
    }

    /// White's seat and Black's at the table of a cell.
    fn seats(&self, cell: usize, game: EventId) -> Result<[Seat<'a>; 2], RunError> {
        let stuck = |reason| RunError::Stuck { game, reason };
        let registered = &self.cells[cell];
        let started = self.record.projection().games.game(&game);
        let is_registered = started.is_some_and(|game| {
            let started = &game.started;
            started.seats == registered.seats
                && started.start == registered.start
                && started.opening.is_none()
                && started.protocol == self.protocol
        });
        if !is_registered {
            return Err(stuck("it is not the game that its cell registers"));
        }
        let seat = |system: &EventId| {
            let entrant = self.entrants.get(system);
            let entrant = entrant.ok_or_else(|| stuck("a seat belongs to nobody in this run"))?;
            Ok::<_, RunError>(Seat::new(entrant, self.deadlines))
        };
        Ok([
            seat(&registered.seats.white)?,
            seat(&registered.seats.black)?,
        ])
    }
}

fn is_playing(game: &Game) -> bool {
    game.state == GameState::Playing
}
