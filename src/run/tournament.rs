use std::collections::BTreeMap;

use crate::canonical::Count;
use crate::chess::{Color, Ply, RejectionClass};
use crate::digest::Digest;
use crate::event::{
    AbortCause, CallFailed, CallFailure, CallSent, CellRef, EventId, GameAborted, GameFinished,
    GameStarted, MoveAccepted, MoveRejected, ScheduleCommitted, ScheduleRule, Stage, StopReason,
    WorkerStarted, WorkerStopped,
};
use crate::ledger::LedgerError;
use crate::projection::{Cohort, Game, GameState, Projection, Schedule, end_of};
use crate::run::file::{Deadlines, RunFile};
use crate::run::record::{Batch, Record};
use crate::run::registry::Entrant;
use crate::run::seat::{Reply, Seat};

/// A cohort that is being played.
pub struct Tournament<'a> {
    record: Record<'a>,
    schedule: EventId,
    /// What is said when there is something to do.
    started: WorkerStarted,
    entrants: BTreeMap<EventId, &'a Entrant>,
    deadlines: Deadlines,
}

/// What a run tells while it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A killed run's call is in nobody's hands any more.
    Lost {
        /// The call.
        call: EventId,
    },
    /// A game begins, or goes on after a killed run.
    Started {
        /// The cell, from 0.
        cell: u64,
        /// How many cells there are.
        cells: u64,
        /// Moves that were accepted before.
        plies: usize,
    },
    /// A game has ended.
    Ended {
        /// The cell, from 0.
        cell: u64,
        /// How many cells there are.
        cells: u64,
        /// White, Black, and how it ended, in words.
        summary: String,
    },
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunOutcome {
    /// Every cell has its game.
    Finished,
    /// Cells stay open because they failed too often.
    Exhausted {
        /// How many.
        open: usize,
    },
    /// As many games as were asked for; cells are open still.
    Paused {
        /// How many.
        open: usize,
    },
}

/// Why a run could not be started or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The ledger does not take events.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The cohort was registered under another run file.
    #[error(
        "cohort {cohort} was registered under another run file ({registered}); a changed file needs a cohort of its own, and the registered one is kept as that blob"
    )]
    Changed {
        /// The cohort.
        cohort: String,
        /// The digest of the run file it was registered under.
        registered: Digest,
    },
    /// A name stands for something else already.
    #[error("the name {name} stands for another {what} in this ledger; give this one another name")]
    NameTaken {
        /// The name.
        name: String,
        /// What has it.
        what: &'static str,
    },
    /// An engine is not the one that was registered.
    #[error(
        "engine {name} is not the one that was registered: its files, options or version differ"
    )]
    OtherEngine {
        /// The engine.
        name: String,
    },
    /// The ledger contradicts itself where this run must go on.
    #[error("game {game} cannot go on: {reason}")]
    Stuck {
        /// The game.
        game: EventId,
        /// Why.
        reason: String,
    },
}

impl<'a> Tournament<'a> {
    /// Registers what a run file asks for, or takes up what it registered before.
    ///
    /// # Errors
    ///
    /// When the file or an engine is not what was registered, or a name is taken.
    pub fn open(
        mut record: Record<'a>,
        file: &RunFile,
        run_file: Digest,
        entrants: &'a [Entrant],
        program: &str,
    ) -> Result<Self, RunError> {
        let schedule = match record.projection().schedules.cohort(file.cohort.as_str()) {
            Some(schedule) => taken_up(record.projection(), schedule, run_file, entrants)?,
            None => register(&mut record, file, run_file, entrants)?,
        };
        let systems = record
            .projection()
            .schedules
            .schedule(&schedule)
            .map_or_else(Vec::new, |schedule| schedule.committed.systems.clone());
        Ok(Self {
            record,
            schedule,
            started: WorkerStarted {
                program: program.to_owned(),
                run_file,
                schedule,
            },
            entrants: systems.into_iter().zip(entrants).collect(),
            deadlines: file.deadlines,
        })
    }

    /// Plays cells in their frozen order until all have a result, none that is
    /// open may be tried again, or `games` games have ended.
    ///
    /// # Errors
    ///
    /// When the ledger takes no more events. Run again: nothing is lost.
    pub fn play(
        &mut self,
        games: Option<u64>,
        tell: &mut dyn FnMut(Told),
    ) -> Result<RunOutcome, RunError> {
        if self.open_cells()?.is_empty() {
            return Ok(RunOutcome::Finished);
        }
        let worker = self.commit(self.started.clone())?;
        self.give_up_lost_calls(tell)?;
        let mut ended = 0;
        let outcome = loop {
            let open = self.open_cells()?;
            if open.is_empty() {
                break RunOutcome::Finished;
            }
            if games.is_some_and(|games| games <= ended) {
                break RunOutcome::Paused { open: open.len() };
            }
            let Some(cell) = self.next_cell(&open)? else {
                break RunOutcome::Exhausted { open: open.len() };
            };
            self.play_cell(cell, tell)?;
            ended += 1;
        };
        let reason = match outcome {
            RunOutcome::Finished => StopReason::Finished,
            RunOutcome::Exhausted { .. } => StopReason::CellsExhausted,
            RunOutcome::Paused { .. } => StopReason::Interrupted,
        };
        self.commit(WorkerStopped { reason, worker })?;
        Ok(outcome)
    }

    fn commit(&mut self, what: impl Into<crate::event::What>) -> Result<EventId, RunError> {
        let mut batch = Batch::default();
        let id = self.record.say(&mut batch, what)?;
        self.record.commit(batch)?;
        Ok(id)
    }

    fn schedule(&self) -> Result<&Schedule, RunError> {
        let schedules = &self.record.projection().schedules;
        schedules
            .schedule(&self.schedule)
            .ok_or_else(|| RunError::Stuck {
                game: self.schedule,
                reason: "the schedule is not there".to_owned(),
            })
    }

    fn open_cells(&self) -> Result<Vec<usize>, RunError> {
        let games = &self.record.projection().games;
        Ok(Cohort::of(self.schedule()?, games).open_cells())
    }

    /// The first open cell in frozen order that may be tried (again).
    fn next_cell(&self, open: &[usize]) -> Result<Option<usize>, RunError> {
        let projection = self.record.projection();
        let schedule = self.schedule()?;
        let protocol = projection.systems.protocol(&schedule.committed.protocol);
        let bound = protocol.and_then(|protocol| protocol.published.failed_request.replays_max);
        let may_be_tried = |cell: &&usize| {
            let games = schedule.games.get(**cell).map_or(&[][..], Vec::as_slice);
            let tries = u64::try_from(games.len()).unwrap_or(u64::MAX);
            self.game_of(schedule, **cell).is_some()
                || bound.is_none_or(|bound| tries <= bound.get())
        };
        Ok(open.iter().find(may_be_tried).copied())
    }

    /// Calls that a killed run left in flight: nobody waits for them any more.
    fn give_up_lost_calls(&mut self, tell: &mut dyn FnMut(Told)) -> Result<(), RunError> {
        let projection = self.record.projection();
        let lost: Vec<EventId> = projection
            .calls
            .in_flight()
            .filter(|(_, call)| {
                let game = call.sent.game.and_then(|game| projection.games.game(&game));
                let cell = game.and_then(Game::cell);
                cell.is_some_and(|cell| cell.schedule == self.schedule)
            })
            .map(|(id, _)| *id)
            .collect();
        for call in lost {
            self.commit(CallFailed {
                call,
                class: CallFailure::Lost,
                detail: "the runner ended while the call was in flight".to_owned(),
                http_status: None,
                retry_after_ms: None,
                time: None,
            })?;
            tell(Told::Lost { call });
        }
        Ok(())
    }

    fn play_cell(&mut self, cell: usize, tell: &mut dyn FnMut(Told)) -> Result<(), RunError> {
        let game = match self.game_of(self.schedule()?, cell) {
            Some(game) => game,
            None => self.start_game(cell)?,
        };
        let number = u64::try_from(cell).unwrap_or(u64::MAX);
        let cells = u64::try_from(self.schedule()?.cells.len()).unwrap_or(u64::MAX);
        let plies = self.game(game)?.moves.len();
        tell(Told::Started {
            cell: number,
            cells,
            plies,
        });
        let seats = self.game(game)?.started.seats;
        let seat = |system: &EventId| {
            let entrant = self.entrants.get(system).copied();
            entrant.map(|entrant| Seat::new(&entrant.spec, self.deadlines))
        };
        let stuck = || RunError::Stuck {
            game,
            reason: "a seat belongs to no engine of this run".to_owned(),
        };
        let mut white = seat(&seats.white).ok_or_else(stuck)?;
        let mut black = seat(&seats.black).ok_or_else(stuck)?;
        let mut sent = self.go_on(game)?;
        while let Some((call, color)) = sent {
            let seat = match color {
                Color::White => &mut white,
                Color::Black => &mut black,
            };
            sent = self.take_turn(game, call, seat)?;
        }
        let summary = self.summary(self.game(game)?);
        tell(Told::Ended {
            cell: number,
            cells,
            summary,
        });
        Ok(())
    }

    fn game(&self, id: EventId) -> Result<&Game, RunError> {
        let game = self.record.projection().games.game(&id);
        game.ok_or_else(|| RunError::Stuck {
            game: id,
            reason: "it is not there".to_owned(),
        })
    }

    /// The game of this cell that goes on, where one does.
    fn game_of(&self, schedule: &Schedule, cell: usize) -> Option<EventId> {
        let games = &self.record.projection().games;
        let ids = schedule.games.get(cell)?;
        ids.iter().copied().find(|id| {
            games
                .game(id)
                .is_some_and(|game| game.state == GameState::Playing)
        })
    }

    fn start_game(&mut self, cell: usize) -> Result<EventId, RunError> {
        let schedule = self.schedule()?;
        let registered = schedule.cells.get(cell).ok_or_else(|| RunError::Stuck {
            game: self.schedule,
            reason: format!("there is no cell {cell}"),
        })?;
        let started = GameStarted {
            cell: Some(CellRef {
                index: Count::saturating(cell),
                schedule: self.schedule,
            }),
            opening: None,
            protocol: schedule.committed.protocol,
            seats: registered.seats,
            stage: Stage::Placement,
            start: registered.start.clone(),
        };
        self.commit(started)
    }

    /// Appends what follows from the state of a game: its end, or the next call.
    fn go_on(&mut self, game: EventId) -> Result<Option<(EventId, Color)>, RunError> {
        let state = self.game(game)?;
        if state.state != GameState::Playing {
            return Ok(None);
        }
        let stuck = |reason: &str| RunError::Stuck {
            game,
            reason: reason.to_owned(),
        };
        let board = state
            .board()
            .ok_or_else(|| stuck("a recorded move is not legal"))?;
        let protocol = self.record.projection().protocol_of(state);
        let protocol = protocol.ok_or_else(|| stuck("its protocol is not there"))?;
        if let Some((result, termination)) = end_of(state, board, protocol) {
            let plies = Count::saturating(state.moves.len());
            self.commit(GameFinished {
                game,
                plies,
                result,
                termination,
            })?;
            return Ok(None);
        }
        let color = board.side_to_move();
        let system = *state.seat(color);
        let limit = self
            .entrants
            .get(&system)
            .and_then(|entrant| entrant.system.engine.as_ref())
            .map(|engine| engine.limit);
        let sent = CallSent {
            attempt: Count::saturating(state.next_attempt()),
            game: Some(game),
            limit,
            ply: Some(board.ply().next()),
            requested_model: None,
            route: None,
            system,
        };
        let call = self.commit(sent)?;
        Ok(Some((call, color)))
    }

    /// Asks for a move and appends what came of it.
    fn take_turn(
        &mut self,
        game: EventId,
        call: EventId,
        seat: &mut Seat<'_>,
    ) -> Result<Option<(EventId, Color)>, RunError> {
        let state = self.game(game)?;
        let stuck = || RunError::Stuck {
            game,
            reason: "it has no position".to_owned(),
        };
        let board = state.board().ok_or_else(stuck)?;
        let (ply, attempt) = (board.ply().next(), Count::saturating(state.next_attempt()));
        let mut batch = Batch::default();
        match seat.ask(call, board) {
            Reply::Answered(answered, text) => {
                let judged = RejectionClass::of(board.position(), &text);
                let answer = self.record.say(&mut batch, answered)?;
                self.say_move(&mut batch, game, answer, (ply, attempt), &text, judged)?;
            }
            Reply::Failed(failed) => {
                let reason = failed.detail.clone();
                let failed = self.record.say(&mut batch, failed)?;
                let aborted = GameAborted {
                    call: Some(failed),
                    cause: AbortCause::ProviderFailure,
                    game,
                    reason,
                };
                self.record.say(&mut batch, aborted)?;
            }
        }
        self.record.commit(batch)?;
        self.go_on(game)
    }

    fn say_move(
        &self,
        batch: &mut Batch,
        game: EventId,
        answer: EventId,
        (ply, attempt): (Ply, Count),
        text: &str,
        judged: Option<RejectionClass>,
    ) -> Result<(), RunError> {
        match (judged, text.parse()) {
            (None, Ok(uci)) => self.record.say(
                batch,
                MoveAccepted {
                    attempt,
                    call: Some(answer),
                    game,
                    ply,
                    uci,
                },
            )?,
            (judged, _) => self.record.say(
                batch,
                MoveRejected {
                    attempt,
                    call: Some(answer),
                    class: judged.unwrap_or(RejectionClass::Unparseable),
                    extracted: text.to_owned(),
                    game,
                    ply,
                },
            )?,
        };
        Ok(())
    }

    fn summary(&self, game: &Game) -> String {
        let systems = &self.record.projection().systems;
        let name = |color| {
            let system = systems.system(game.seat(color));
            system.map_or_else(String::new, |system| system.registered.name.to_string())
        };
        let end = match (game.state, game.result(), game.termination()) {
            (_, Some(result), Some(termination)) => {
                format!("{result} by {termination} after {} plies", game.moves.len())
            }
            (GameState::Aborted { .. }, ..) => "aborted: a provider failure, no result".to_owned(),
            _ => "goes on".to_owned(),
        };
        format!("{} - {}: {end}", name(Color::White), name(Color::Black))
    }
}

/// Checks that a registered cohort is the one that this run is about.
fn taken_up(
    projection: &Projection,
    schedule: &Schedule,
    run_file: Digest,
    entrants: &[Entrant],
) -> Result<EventId, RunError> {
    if schedule.committed.run_file != run_file {
        return Err(RunError::Changed {
            cohort: schedule.committed.cohort.to_string(),
            registered: schedule.committed.run_file,
        });
    }
    for (id, entrant) in schedule.committed.systems.iter().zip(entrants) {
        let registered = projection
            .systems
            .system(id)
            .map(|system| &system.registered);
        if registered != Some(&entrant.system) {
            return Err(RunError::OtherEngine {
                name: entrant.system.name.to_string(),
            });
        }
    }
    Ok(schedule.id)
}

/// Registers protocol, systems, promise and schedule, all or nothing.
fn register(
    record: &mut Record<'_>,
    file: &RunFile,
    run_file: Digest,
    entrants: &[Entrant],
) -> Result<EventId, RunError> {
    let mut batch = Batch::default();
    let protocol = file.protocol();
    let known = record.projection().systems.protocol_named(&protocol.name);
    let protocol = match known.map(|known| (known.id, known.published == protocol)) {
        Some((id, true)) => id,
        Some((_, false)) => return Err(taken(&protocol.name, "protocol")),
        None => record.say(&mut batch, protocol)?,
    };
    let mut systems = Vec::new();
    for entrant in entrants {
        let known = record
            .projection()
            .systems
            .system_named(&entrant.system.name);
        systems.push(
            match known.map(|known| (known.id, known.registered == entrant.system)) {
                Some((id, true)) => id,
                Some((_, false)) => return Err(taken(&entrant.system.name, "system")),
                None => record.say(&mut batch, entrant.system.clone())?,
            },
        );
    }
    let preregistration = record.say(&mut batch, file.preregistration())?;
    let schedule = ScheduleCommitted {
        cohort: file.cohort.clone(),
        preregistration: Some(preregistration),
        protocol,
        rule: ScheduleRule::DoubleRoundRobin,
        run_file,
        systems,
    };
    let schedule = record.say(&mut batch, schedule)?;
    record.commit(batch)?;
    Ok(schedule)
}

fn taken(name: &crate::event::Name, what: &'static str) -> RunError {
    RunError::NameTaken {
        name: name.to_string(),
        what,
    }
}
