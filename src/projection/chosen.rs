use crate::event::{EventId, Stage};
use crate::projection::{Era, Game, Projection};

/// How a game of an era was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// A registered cell of the first batch, counted from 0.
    FirstBatch {
        /// Its position in the frozen order.
        cell: u64,
    },
    /// A registered cell of a newcomer's placement, counted from 0.
    Newcomer {
        /// Who was admitted.
        newcomer: EventId,
        /// Its position in the frozen order.
        cell: u64,
    },
    /// A draw of the ladder, and the game is the one that it chose.
    Drawn {
        /// Its number, from 0.
        number: u64,
    },
    /// A person, who said so.
    Manual,
    /// Nothing that the ledger shows, although it says so.
    Nothing,
}

impl Chosen {
    /// Whether the game was chosen as its stage says.
    pub fn is_chosen(self) -> bool {
        self != Self::Nothing
    }

    /// Whether the allocator chose it, and no person.
    pub const fn is_by_allocator(self) -> bool {
        matches!(
            self,
            Self::FirstBatch { .. } | Self::Newcomer { .. } | Self::Drawn { .. }
        )
    }
}

impl Projection {
    /// Returns how a game of an era was chosen.
    pub fn chosen(&self, era: &Era, game: &Game) -> Chosen {
        let started = &game.started;
        let cell = started.cell.filter(|cell| {
            let schedule = self.schedules.schedule(&cell.schedule);
            let index = usize::try_from(cell.index.get()).unwrap_or(usize::MAX);
            let registered = schedule.and_then(|schedule| schedule.cells.get(index));
            registered.is_some_and(|cell| cell.seats == started.seats)
        });
        match (started.stage, cell) {
            (Stage::Placement, Some(cell)) if cell.schedule == era.started.placement => {
                let cell = cell.index.get();
                Chosen::FirstBatch { cell }
            }
            (Stage::Newcomer, Some(cell)) => {
                let mut newcomers = era.newcomers.iter();
                let newcomer = newcomers.find(|one| one.schedule == cell.schedule);
                newcomer.map_or(Chosen::Nothing, |newcomer| Chosen::Newcomer {
                    newcomer: newcomer.identity,
                    cell: cell.index.get(),
                })
            }
            (Stage::Ladder, _) => self.drawn(era, game),
            (Stage::Manual, None) => Chosen::Manual,
            _ => Chosen::Nothing,
        }
    }

    fn drawn(&self, era: &Era, game: &Game) -> Chosen {
        let players = self.world().players(&game.id);
        let draw = era.draws.iter().find(|draw| {
            let made = &draw.made;
            let is_of_draw = game.started.draw == Some(draw.id) && draw.game == Some(game.id);
            let are_drawn = |(white, black)| (made.white, made.black) == (white, black);
            let reveals = |seed| era.bears_out(draw, seed);
            is_of_draw
                && players.is_some_and(|players| are_drawn((players.white, players.black)))
                && era.seed.as_ref().is_none_or(reveals)
        });
        draw.map_or(Chosen::Nothing, |draw| Chosen::Drawn {
            number: draw.made.number.get(),
        })
    }
}
