use crate::canonical::Time;
use crate::event::{Eligible, EventId, Seats, Stage};
use crate::projection::era::World;
use crate::projection::{
    Cohort, CostPerGame, Era, GameState, LadderStanding, Projection, Schedule, Status,
};

/// What a ladder plays next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextGame {
    /// A registered cell: of the first batch, or of a newcomer.
    Cell {
        /// Which of the two.
        stage: Stage,
        /// The schedule.
        schedule: EventId,
        /// The position of the cell, from 0.
        index: usize,
        /// Who plays.
        seats: Seats,
    },
    /// A draw that was made and waits for its game.
    Drawn {
        /// The draw.
        draw: EventId,
        /// The identity with White.
        white: EventId,
        /// The identity with Black.
        black: EventId,
    },
    /// A draw that is to be made, by whoever has the seed.
    Draw {
        /// Its number.
        number: u64,
        /// Who can be drawn.
        eligible: Vec<Eligible>,
    },
    /// Nothing can be played now, for this reason.
    Nothing(&'static str),
}

impl Projection {
    /// Everyone who is ranked in an era, the first first; nobody before its
    /// first batch is complete.
    pub fn standings(&self, era: &Era) -> Vec<LadderStanding> {
        era.standings(World {
            games: &self.games,
            identities: &self.identities,
            schedules: &self.schedules,
        })
    }

    /// The average cost of an identity's side of a completed game of an era,
    /// over the games whose pricing is complete; nothing without such a game.
    pub fn cost_per_game(&self, era: &Era, identity: EventId) -> Option<CostPerGame> {
        era.cost_per_game(
            identity,
            World {
                games: &self.games,
                identities: &self.identities,
                schedules: &self.schedules,
            },
        )
    }

    /// Returns what the ladder of an era plays next at this time, by the rules
    /// of ChessBench: the first batch, then newcomers, then a draw; only what
    /// is ready.
    pub fn next_game(&self, era: &Era, at: Time) -> NextGame {
        let world = World {
            games: &self.games,
            identities: &self.identities,
            schedules: &self.schedules,
        };
        if era.seed.is_some() {
            return NextGame::Nothing("the era is closed");
        }
        if !era.is_placed {
            let next = self.ready_cell(era, &era.started.placement, Stage::Placement, world);
            let why = "no game of the first batch can be played now, and the ladder waits for it";
            return next.unwrap_or(NextGame::Nothing(why));
        }
        let mut newcomers = era.newcomers.iter();
        let placement =
            newcomers.find_map(|one| self.ready_cell(era, &one.schedule, Stage::Newcomer, world));
        if let Some(next) = placement {
            return next;
        }
        if let Some(draw) = era.pending(world) {
            return NextGame::Drawn {
                draw: draw.id,
                white: draw.made.white,
                black: draw.made.black,
            };
        }
        let eligible = era.eligible(at, world);
        if eligible.len() < 2 {
            return NextGame::Nothing(
                "no two of the ranked systems that are ready stand within reach",
            );
        }
        NextGame::Draw {
            number: u64::try_from(era.draws.len()).unwrap_or(u64::MAX),
            eligible,
        }
    }

    /// The first cell that is open and can be played now.
    fn ready_cell(
        &self,
        era: &Era,
        id: &EventId,
        stage: Stage,
        world: World<'_>,
    ) -> Option<NextGame> {
        let schedule = self.schedules.schedule(id)?;
        let playing = era.playing(world);
        let is_ready = |system: &EventId| {
            let identity = self.identities.of_system(system);
            identity.is_some_and(|identity| {
                self.identities.status(&identity) == Status::Active && !playing.contains(&identity)
            })
        };
        let open = Cohort::of(schedule, &self.games).open_cells();
        let index = open.into_iter().find(|index| {
            schedule.is_ready(*index, is_ready) && self.may_be_tried(schedule, *index)
        })?;
        Some(NextGame::Cell {
            stage,
            schedule: *id,
            index,
            seats: schedule.cells.get(index)?.seats.clone(),
        })
    }

    /// Whether another game of a cell may be started: none goes on, and the
    /// protocol allows one more.
    fn may_be_tried(&self, schedule: &Schedule, index: usize) -> bool {
        let games = schedule.games.get(index).map_or(&[][..], Vec::as_slice);
        let goes_on = |id| {
            let game = self.games.game(id);
            game.is_some_and(|game| game.state == GameState::Playing)
        };
        let protocol = self.systems.protocol(&schedule.committed.protocol);
        let most = protocol.and_then(|protocol| protocol.published.failed_request.replays_max);
        let replays = u64::try_from(games.len()).unwrap_or(u64::MAX);
        !games.iter().any(goes_on) && most.is_none_or(|most| replays <= most.get())
    }
}
