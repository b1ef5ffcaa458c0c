use std::collections::BTreeSet;

use crate::event::EventId;
use crate::projection::{ByColor, Era, Games, Identities, LadderStanding, Projection, Schedules};

/// What the rest of the projection knows, for an era to look things up in.
#[derive(Clone, Copy)]
pub(crate) struct World<'a> {
    pub(crate) games: &'a Games,
    pub(crate) identities: &'a Identities,
    pub(crate) schedules: &'a Schedules,
}

impl World<'_> {
    /// The identities that play a game, where both are registered systems.
    pub(crate) fn players(&self, game: &EventId) -> Option<ByColor<EventId>> {
        let seats = &self.games.game(game)?.started.seats;
        Some(ByColor {
            white: self.identities.of_system(&seats.white)?,
            black: self.identities.of_system(&seats.black)?,
        })
    }
}

impl Projection {
    /// Everyone who is ranked in an era, the highest first.
    pub fn standings(&self, era: &Era) -> Vec<LadderStanding> {
        era.standings(self.world())
    }

    /// The identities that sit at a game of a ladder that goes on.
    pub fn playing(&self, era: &Era) -> BTreeSet<EventId> {
        era.playing(self.world())
    }

    /// What an era looks things up in.
    pub(crate) const fn world(&self) -> World<'_> {
        World {
            games: &self.games,
            identities: &self.identities,
            schedules: &self.schedules,
        }
    }
}
