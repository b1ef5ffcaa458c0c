use crate::canonical::Count;
use crate::event::{CellRef, EventId, GameStarted, ScheduleRule, Stage, StopReason, WorkerStarted};
use crate::projection::{Cell, Cohort, Game, GameState, Projection, Status, cells_of};
use crate::run::file::RunFile;
use crate::run::hall::Tables;
use crate::run::record::Record;
use crate::run::registration::{admit, everybody, register};
use crate::run::registry::Entrant;
use crate::run::shift::{Begun, Entrants, Limits, Next, Plan, Shift, Standing};
use crate::run::told::Occasion;
use crate::run::{RunError, RunOutcome, Told};

/// A cohort that is being played.
pub struct Tournament<'a> {
    shift: Shift<'a>,
    cells: Cells,
}

/// The registered cells, in their frozen order.
struct Cells {
    schedule: EventId,
    /// The protocol of every cell.
    protocol: EventId,
    /// What the games are for.
    stage: Stage,
    /// How many there are.
    count: usize,
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
        let everybody = everybody(record.projection(), &committed);
        let protocol = record.projection().systems.protocol(&committed.protocol);
        let rules = protocol.map(|protocol| &protocol.published);
        let referee = rules.and_then(|rules| rules.adjudication);
        let referee = referee.map(|rule| rule.analyst);
        let oracle = rules.and_then(|rules| rules.oracle.as_ref());
        let oracle = oracle.map(|rule| rule.advisor);
        Ok(Self {
            shift: Shift {
                record,
                started: WorkerStarted {
                    dataset: None,
                    program: program.to_owned(),
                    run_file: file.digest(),
                    schedule: Some(schedule),
                },
                run_file: None,
                deadlines: file.deadlines,
                // Those who play come first, then anchors and the analyst.
                entrants: everybody.iter().copied().zip(entrants).collect(),
                referee,
                oracle,
                budget: file.budget,
                prompting: file.prompting(),
                parallel: file.parallel.get(),
            },
            cells: Cells {
                schedule,
                protocol: committed.protocol,
                stage: match committed.rule {
                    ScheduleRule::Anchored => Stage::Anchored,
                    ScheduleRule::MiniMatches | ScheduleRule::AnchorLadder => Stage::Paired,
                    ScheduleRule::DoubleRoundRobin | ScheduleRule::Newcomer => Stage::Placement,
                },
                count: cells_of(&committed).len(),
            },
        })
    }

    /// Plays cells in their frozen order until all have a result, none that is
    /// open may be tried again, or a limit is reached. Cells of systems that do
    /// not play now wait. Where there is nothing to do nothing is written.
    ///
    /// # Errors
    ///
    /// When the ledger takes no more events or contradicts itself. Nothing is
    /// lost: another run goes on from what is in the ledger.
    pub fn play(
        self,
        limits: Limits<'_>,
        tell: &mut dyn FnMut(Told),
    ) -> Result<RunOutcome, RunError> {
        self.shift.work(&self.cells, limits, tell)
    }
}

impl Plan for Cells {
    type Choice = usize;
    type Outcome = RunOutcome;

    fn is_ours(&self, game: &Game) -> bool {
        game.cell().map(|cell| cell.schedule) == Some(self.schedule)
    }

    /// Decides what comes next: a game that goes on, else the first open cell
    /// that is ready and may be tried (again), or the end.
    fn next(
        &self,
        record: &mut Record<'_>,
        _: &Entrants<'_>,
        tables: &Tables,
        Standing { progress, limits }: Standing<'_>,
    ) -> Result<Next<usize, RunOutcome>, RunError> {
        let projection = record.projection();
        let (Some(schedule), Some(protocol)) = (
            projection.schedules.schedule(&self.schedule),
            projection.systems.protocol(&self.protocol),
        ) else {
            return Ok(Next::End(RunOutcome::Finished));
        };
        let rule = protocol.published.failed_request;
        let open = Cohort::of(schedule, &projection.games).open_cells();
        let tried = schedule.in_turn(open.clone(), rule).into_iter();
        let tried: Vec<usize> = tried
            // Nobody waits for one whose opponent is not known: it cannot be tried.
            .filter(|cell| schedule.is_settled(*cell))
            .filter(|cell| schedule.may_be_tried(*cell, rule, &projection.games))
            .collect();
        let plays = |system: &EventId| {
            let identity = projection.identities.of_system(system);
            let status = identity.map(|identity| projection.identities.status(&identity));
            status == Some(Status::Active)
        };
        let mut ready = tried.iter().copied();
        let ready = ready.find(|cell| {
            let mut games = self.games(projection, *cell);
            schedule.is_ready(*cell, plays) && !games.any(|game| tables.has(&game.id))
        });
        Ok(Next::End(
            match self.going_on(projection, tables).or(ready) {
                None if open.is_empty() => RunOutcome::Finished,
                None if tried.is_empty() => RunOutcome::Exhausted { open },
                None => RunOutcome::Deferred { open: tried },
                Some(_) if (limits.stop)() => RunOutcome::Interrupted { open },
                Some(_) if progress.is_enough(limits) => RunOutcome::Paused { open },
                Some(_) if rule.replays_max.is_none() && progress.is_failing() => {
                    RunOutcome::Failing { open }
                }
                Some(cell) => return Ok(Next::Play(cell)),
            },
        ))
    }

    fn extent(&self, projection: &Projection, _: Standing<'_>) -> (u64, Option<u64>) {
        let wide = |number| u64::try_from(number).unwrap_or(u64::MAX);
        let all = wide(self.count);
        let schedule = projection.schedules.schedule(&self.schedule);
        let open = schedule.map_or(all, |schedule| {
            wide(Cohort::of(schedule, &projection.games).open_cells().len())
        });
        (all.saturating_sub(open), Some(all))
    }

    fn begin(&self, record: &mut Record<'_>, cell: usize) -> Result<Begun, RunError> {
        let playing = self
            .games(record.projection(), cell)
            .find(|game| is_playing(game))
            .map(|game| game.id);
        let game = match playing {
            Some(game) => game,
            None => self.start(record, cell)?,
        };
        let Some(registered) = self.registered(record.projection(), cell) else {
            return Err(unregistered(game));
        };
        let started = record.projection().games.game(&game);
        let is_registered = started.is_some_and(|game| {
            let started = &game.started;
            started.seats == registered.seats
                && started.start == registered.start
                && started.opening == registered.opening
                && started.protocol == self.protocol
        });
        if !is_registered {
            return Err(unregistered(game));
        }
        Ok(Begun {
            game,
            seats: registered.seats,
            occasion: Occasion::Cell {
                cell,
                cells: self.count,
            },
        })
    }

    fn spent(outcome: RunOutcome, what: String) -> RunOutcome {
        match outcome {
            RunOutcome::Interrupted { open } => RunOutcome::Spent { what, open },
            other => other,
        }
    }

    fn reason(outcome: &RunOutcome) -> StopReason {
        outcome.reason()
    }
}

impl Cells {
    /// The games of a cell, in the order they were started.
    fn games<'p>(
        &self,
        projection: &'p Projection,
        cell: usize,
    ) -> impl Iterator<Item = &'p Game> + use<'p> {
        let schedule = projection.schedules.schedule(&self.schedule);
        let games = schedule.and_then(|schedule| schedule.games.get(cell));
        let ids = games.map_or(&[][..], Vec::as_slice).iter();
        ids.filter_map(|id| projection.games.game(id))
    }

    /// The first cell with a game that goes on, and not at a table yet.
    fn going_on(&self, projection: &Projection, tables: &Tables) -> Option<usize> {
        let waits = |game: &Game| is_playing(game) && !tables.has(&game.id);
        let mut cells = 0..self.count;
        cells.find(|cell| self.games(projection, *cell).any(waits))
    }

    /// A cell as it stands: its opponent may have followed from results.
    fn registered(&self, projection: &Projection, cell: usize) -> Option<Cell> {
        let schedule = projection.schedules.schedule(&self.schedule)?;
        schedule.cells.get(cell).cloned()
    }

    fn start(&self, record: &mut Record<'_>, cell: usize) -> Result<EventId, RunError> {
        let Some(Cell {
            seats,
            start,
            opening,
        }) = self.registered(record.projection(), cell)
        else {
            // The plan says none that is not there.
            return Err(unregistered(self.schedule));
        };
        record.say(GameStarted {
            billing: None,
            draw: None,
            cell: Some(CellRef {
                index: Count::saturating(cell),
                schedule: self.schedule,
            }),
            opening,
            protocol: self.protocol,
            seats,
            stage: self.stage,
            start,
        })
    }
}

fn unregistered(game: EventId) -> RunError {
    let reason = "it is not the game that its cell registers";
    RunError::Stuck { game, reason }
}

fn is_playing(game: &Game) -> bool {
    game.state == GameState::Playing
}
