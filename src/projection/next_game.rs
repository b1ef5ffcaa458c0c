use crate::canonical::{Count, Time};
use crate::event::{DrawMade, Eligible, EraSeed, EventId, Seats, Stage};
use crate::projection::{CostPerGame, Draw, Era, Projection};

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

impl Era {
    /// Returns the draw with this number among these systems that the seed
    /// gives; nothing where no two of them are within reach.
    pub fn draw(&self, number: u64, eligible: Vec<Eligible>, seed: &EraSeed) -> Option<DrawMade> {
        let draw = Draw::new(self.id, number, &eligible, self.rule.reach.get());
        let chosen = draw.choose(seed)?;
        Some(DrawMade {
            black: chosen.black,
            eligible,
            era: self.id,
            number: Count::saturating(number),
            picked: chosen.picked,
            white: chosen.white,
        })
    }
}

impl Projection {
    /// The average cost of an identity's side of a completed game of an era,
    /// over the games whose pricing is complete; nothing without such a game.
    pub fn cost_per_game(&self, era: &Era, identity: EventId) -> Option<CostPerGame> {
        era.cost_per_game(identity, self.world())
    }

    /// Returns what the ladder of an era plays next at this time, by the rules
    /// of its protocol: the first batch, then newcomers, then a draw; only what
    /// is ready.
    pub fn next_game(&self, era: &Era, at: Time) -> NextGame {
        let world = self.world();
        if era.is_closed {
            return NextGame::Nothing("the era is closed");
        }
        if !era.is_placed {
            let placement = era.started.placement;
            let index = era.ready_cell(&placement, world);
            let next = index.and_then(|index| self.cell(placement, index, Stage::Placement));
            let why = "no game of the first batch can be played now, and the ladder waits for it";
            return next.unwrap_or(NextGame::Nothing(why));
        }
        let newcomer = era.ready_newcomer(world);
        let placement = newcomer
            .and_then(|(newcomer, index)| self.cell(newcomer.schedule, index, Stage::Newcomer));
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

    /// A cell of a schedule, as what is played next.
    fn cell(&self, schedule: EventId, index: usize, stage: Stage) -> Option<NextGame> {
        let cells = &self.schedules.schedule(&schedule)?.cells;
        Some(NextGame::Cell {
            stage,
            schedule,
            index,
            seats: cells.get(index)?.seats,
        })
    }
}
