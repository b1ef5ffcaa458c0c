use crate::canonical::Count;
use crate::chess::{Fen, Variant};
use crate::event::{
    CellRef, DrawMade, EventId, GameStarted, Name, Seats, Stage, Start, StopReason, WorkerStarted,
};
use crate::projection::{Game, NextGame, Projection};
use crate::run::hall::Tables;
use crate::run::ladder_entry::{enter, era_of, register, why_not};
use crate::run::ladder_file::{LadderFile, check_pair};
use crate::run::record::Record;
use crate::run::registry::Entrant;
use crate::run::shift::{Begun, Entrants, Limits, Next, Plan, Shift, Standing};
use crate::run::told::{LadderOutcome, Occasion};
use crate::run::{RunError, Told};

/// A ladder that is being played: whatever it chooses, with whoever is there.
pub struct LadderRun<'a> {
    shift: Shift<'a>,
    rungs: Rungs,
}

/// What is chosen by the ladder, or by a person for once.
struct Rungs {
    era: EventId,
    /// The first batch.
    placement: EventId,
    /// The protocol of every game.
    protocol: EventId,
    /// The one game that a person asked for.
    manual: Option<Seats>,
}

/// What is played next.
enum Choice {
    /// A game that an earlier run began.
    GoesOn(EventId),
    /// A registered cell.
    Cell {
        stage: Stage,
        cell: CellRef,
        seats: Seats,
    },
    /// A draw that waits for its game.
    Drawn { draw: EventId, seats: Seats },
    /// A draw that is made now.
    Draw { made: DrawMade, seats: Seats },
    /// A person's choice.
    Manual(Seats),
}

impl<'a> LadderRun<'a> {
    /// Registers engines that are new, and with `admit` newcomers.
    ///
    /// # Errors
    ///
    /// When the era does not go on, or an engine is not what was registered or
    /// not on the ladder: nothing was written then. Or what the ledger says.
    pub fn open(
        mut record: Record<'a>,
        file: &'a LadderFile,
        entrants: &'a [Entrant],
        program: &str,
        admit: bool,
    ) -> Result<Self, RunError> {
        let entries = enter(record.projection(), file, entrants, admit)?;
        let ids = register(&mut record, file, entrants, &entries)?;
        let era = era_of(record.projection(), file)?;
        let (id, placement, protocol) = (era.id, era.started.placement, era.started.protocol);
        let rules = record.projection().systems.protocol(&protocol);
        let prompting = rules.map(|rules| file.prompting(&rules.published));
        let prompting = prompting.transpose()?.flatten();
        Ok(Self {
            shift: Shift {
                record,
                started: WorkerStarted {
                    dataset: None,
                    program: program.to_owned(),
                    run_file: file.digest(),
                    schedule: Some(placement),
                },
                run_file: Some(file.bytes()),
                entrants: ids.into_iter().zip(entrants).collect(),
                deadlines: file.deadlines,
                referee: None,
                oracle: None,
                // What the ladder chooses depends on how the game before ended.
                parallel: 1,
                budget: file.budget,
                prompting,
            },
            rungs: Rungs {
                era: id,
                placement,
                protocol,
                manual: None,
            },
        })
    }

    /// Plays what the ladder chooses, until a limit is reached, nothing can be
    /// played now, or three games in a row were aborted.
    ///
    /// # Errors
    ///
    /// When the ledger takes no more events or contradicts itself, or a draw is
    /// due and the seed is not here. Nothing is lost: another run goes on from
    /// what is in the ledger.
    pub fn play(
        self,
        limits: Limits<'_>,
        tell: &mut dyn FnMut(Told),
    ) -> Result<LadderOutcome, RunError> {
        self.shift.work(&self.rungs, limits, tell)
    }

    /// Plays one game that a person chose, and says so in the ledger.
    ///
    /// # Errors
    ///
    /// As [`play`](Self::play), or when one of the two may not play now.
    pub fn play_manual(
        mut self,
        white: &Name,
        black: &Name,
        limits: Limits<'_>,
        tell: &mut dyn FnMut(Told),
    ) -> Result<LadderOutcome, RunError> {
        let systems = self.shift.entrants.values();
        let names: Vec<_> = systems.map(|entrant| &entrant.system.name).collect();
        check_pair(&names, white, black)?;
        let seat = |name: &Name| {
            let mut entrants = self.shift.entrants.iter();
            let found = entrants.find(|(_, entrant)| entrant.system.name == *name);
            let missing = || RunError::NoPair {
                missing: vec![name.to_string()],
                there: String::new(),
            };
            found.map(|(id, _)| *id).ok_or_else(missing)
        };
        let (white, black) = (seat(white)?, seat(black)?);
        self.rungs.manual = Some(Seats { black, white });
        self.shift.work(&self.rungs, limits, tell)
    }
}

impl Plan for Rungs {
    type Choice = Choice;
    type Outcome = LadderOutcome;

    fn is_ours(&self, game: &Game) -> bool {
        let is_of_batch = game.cell().map(|cell| cell.schedule) == Some(self.placement);
        is_of_batch || game.era == Some(self.era) && game.started.stage.is_between_systems()
    }

    fn next(
        &self,
        record: &mut Record<'_>,
        entrants: &Entrants<'_>,
        _: &Tables,
        Standing { progress, limits }: Standing<'_>,
    ) -> Result<Next<Choice, LadderOutcome>, RunError> {
        let found = match &self.manual {
            Some(_) if 0 < progress.ended => Err(LadderOutcome::Played),
            Some(seats) => Ok(self.manual_game(record.projection(), seats)?),
            None => self.ladder_game(record, entrants)?,
        };
        Ok(match found {
            Err(outcome) => Next::End(outcome),
            Ok(_) if (limits.stop)() => Next::End(LadderOutcome::Interrupted),
            Ok(_) if progress.is_enough(limits) => Next::End(LadderOutcome::Played),
            Ok(_) if progress.is_failing() => Next::End(LadderOutcome::Failing),
            Ok(choice) => Next::Play(choice),
        })
    }

    /// Of this run: a ladder has no end of its own.
    fn extent(&self, _: &Projection, standing: Standing<'_>) -> (u64, Option<u64>) {
        let Standing { progress, limits } = standing;
        let all = self.manual.map_or(limits.games, |_| Some(1));
        (progress.ended, all)
    }

    fn begin(&self, record: &mut Record<'_>, choice: Choice) -> Result<Begun, RunError> {
        let start = |stage, cell, draw, seats| GameStarted {
            billing: None,
            cell,
            draw,
            opening: None,
            protocol: self.protocol,
            seats,
            stage,
            start: Start {
                fen: Fen::standard_start(),
                variant: Variant::Standard,
            },
        };
        let game = match choice {
            Choice::GoesOn(game) => game,
            Choice::Cell { stage, cell, seats } => {
                record.say(start(stage, Some(cell), None, seats))?
            }
            Choice::Drawn { draw, seats } => {
                record.say(start(Stage::Ladder, None, Some(draw), seats))?
            }
            Choice::Draw { made, seats } => {
                let draw = record.say(made)?;
                record.say(start(Stage::Ladder, None, Some(draw), seats))?
            }
            Choice::Manual(seats) => record.say(start(Stage::Manual, None, None, seats))?,
        };
        let stuck = |reason| RunError::Stuck { game, reason };
        let projection = record.projection();
        let begun = projection.games.game(&game);
        let begun = begun.ok_or_else(|| stuck("it is not in the ledger"))?;
        if begun.started.protocol != self.protocol {
            return Err(stuck("it is played under another protocol than its era"));
        }
        Ok(Begun {
            game,
            seats: begun.started.seats,
            occasion: self.occasion(projection, begun),
        })
    }

    fn spent(outcome: LadderOutcome, what: String) -> LadderOutcome {
        match outcome {
            LadderOutcome::Interrupted => LadderOutcome::Spent { what },
            other => other,
        }
    }

    fn reason(outcome: &LadderOutcome) -> StopReason {
        outcome.reason()
    }
}

impl Rungs {
    /// The game that a person chose: one that goes on, or a new one.
    fn manual_game(&self, projection: &Projection, seats: &Seats) -> Result<Choice, RunError> {
        let mut playing = projection.games.playing();
        let same = playing.find(|game| {
            self.is_ours(game)
                && game.started.stage == Stage::Manual
                && game.started.seats == *seats
        });
        if let Some(game) = same {
            return Ok(Choice::GoesOn(game.id));
        }
        let era = projection.eras.era(&self.era);
        let playing = era.map(|era| projection.playing(era)).unwrap_or_default();
        for seat in [&seats.white, &seats.black] {
            let identity = projection.identities.of_system(seat).unwrap_or(*seat);
            let why = era.and_then(|era| why_not(projection, era, &identity));
            let sits = playing.contains(&identity);
            let why = why.or_else(|| sits.then_some("it sits at a game that goes on"));
            if let Some(why) = why {
                let name = projection.name_of(seat);
                return Err(RunError::NotReady { name, why });
            }
        }
        Ok(Choice::Manual(*seats))
    }

    /// The game that the ladder plays next: one that goes on, or its choice.
    fn ladder_game(
        &self,
        record: &mut Record<'_>,
        entrants: &Entrants<'_>,
    ) -> Result<Result<Choice, LadderOutcome>, RunError> {
        let at = record.time_of_next();
        let projection = record.projection();
        let Some(era) = projection.eras.era(&self.era) else {
            return Ok(Err(LadderOutcome::Idle("the era is gone")));
        };
        let is_here = |seats: &Seats| {
            entrants.contains_key(&seats.white) && entrants.contains_key(&seats.black)
        };
        let mut playing = projection.games.playing();
        if let Some(game) = playing.find(|game| self.is_ours(game) && is_here(&game.started.seats))
        {
            return Ok(Ok(Choice::GoesOn(game.id)));
        }
        let pool = Pool {
            projection,
            entrants,
        };
        Ok(match projection.next_game(era, at) {
            NextGame::Nothing(why) => {
                // Perhaps because of a game that nobody here can go on with.
                let mut games = projection.games.playing();
                let game = games.find(|game| self.is_ours(game));
                let seats = game.map(|game| [game.started.seats.white, game.started.seats.black]);
                let missing = seats.into_iter().flatten();
                let missing = missing.filter(|system| !entrants.contains_key(system));
                Err(match game {
                    Some(_) => pool.absent(missing),
                    None => LadderOutcome::Idle(why),
                })
            }
            NextGame::Cell {
                stage,
                schedule,
                index,
                seats,
            } if is_here(&seats) => Ok(Choice::Cell {
                stage,
                cell: CellRef {
                    index: Count::saturating(index),
                    schedule,
                },
                seats,
            }),
            NextGame::Cell { seats, .. } => {
                let missing = [seats.white, seats.black].into_iter();
                let missing = missing.filter(|system| !entrants.contains_key(system));
                Err(pool.absent(missing))
            }
            NextGame::Drawn { draw, white, black } => pool
                .seats(&white, &black)
                .map(|seats| Choice::Drawn { draw, seats }),
            NextGame::Draw { number, eligible } => {
                // A draw is not made in order to see who is needed.
                let unseated = eligible.iter().map(|one| one.system);
                let mut unseated = unseated.filter(|one| pool.system(one).is_none()).peekable();
                if unseated.peek().is_some() {
                    return Ok(Err(pool.absent(unseated)));
                }
                let seed = record.seed(&era.started.seed_sha256)?;
                let made = era.draw(number, eligible.clone(), &seed);
                let idle = LadderOutcome::Idle("no two of the eligible systems are within reach");
                made.ok_or(idle).and_then(|made| {
                    let seats = pool.seats(&made.white, &made.black)?;
                    Ok(Choice::Draw { made, seats })
                })
            }
        })
    }

    /// What a game is played for.
    fn occasion(&self, projection: &Projection, game: &Game) -> Occasion {
        let cells = |schedule| {
            let schedule = projection.schedules.schedule(schedule);
            schedule.map_or(0, |schedule| schedule.cells.len())
        };
        let started = &game.started;
        if let Some(CellRef { index, schedule }) = started.cell {
            let cells = cells(&schedule);
            let cell = usize::try_from(index.get()).unwrap_or(usize::MAX);
            return if schedule == self.placement {
                Occasion::Cell { cell, cells }
            } else {
                Occasion::Newcomer { cell, cells }
            };
        }
        let draws = projection.eras.era(&self.era).map(|era| &era.draws);
        let mut draws = draws.into_iter().flatten();
        match draws.find(|draw| Some(draw.id) == started.draw) {
            Some(draw) => Occasion::Draw {
                number: draw.made.number.get(),
            },
            None => Occasion::Manual,
        }
    }
}

/// Who is there, by identity.
struct Pool<'p> {
    projection: &'p Projection,
    entrants: &'p Entrants<'p>,
}

impl Pool<'_> {
    /// The newest registration of an identity that can sit down.
    fn system(&self, identity: &EventId) -> Option<EventId> {
        let identity = self.projection.identities.identity(identity)?;
        let mut systems = identity.systems.iter().rev();
        let here = systems.find(|system| self.entrants.contains_key(system));
        here.copied()
    }

    fn seats(&self, white: &EventId, black: &EventId) -> Result<Seats, LadderOutcome> {
        match (self.system(white), self.system(black)) {
            (Some(white), Some(black)) => Ok(Seats { black, white }),
            (white_here, black_here) => {
                let missing = [(white, white_here), (black, black_here)].into_iter();
                let missing = missing.filter(|(_, here)| here.is_none());
                Err(self.absent(missing.map(|(identity, _)| *identity)))
            }
        }
    }

    fn absent(&self, missing: impl Iterator<Item = EventId>) -> LadderOutcome {
        let missing = missing.map(|system| self.projection.name_of(&system));
        LadderOutcome::Absent {
            missing: missing.collect(),
        }
    }
}
