//! How eras, statuses and finished games change a projection.

use crate::canonical::Time;
use crate::event::{EventId, Stage, What};
use crate::finding::Finding;
use crate::projection::world::World;
use crate::projection::{Eras, Projection, Status};

impl Projection {
    /// Changes the eras in the light of everything else.
    pub(crate) fn with_eras<T>(&mut self, change: impl FnOnce(&mut Eras, World<'_>) -> T) -> T {
        let world = World {
            games: &self.games,
            identities: &self.identities,
            schedules: &self.schedules,
        };
        change(&mut self.eras, world)
    }

    pub(crate) fn apply_to_era(&mut self, id: EventId, index: u64, at: Time, what: &What) {
        let findings = match what {
            What::EraStarted(started) => {
                let protocol = self.systems.protocol(&started.protocol).cloned();
                let rules = protocol.as_ref().map(|protocol| &protocol.published);
                self.with_eras(|eras, world| eras.start(id, index, started, rules, world))
            }
            What::EraClosed(closed) => self.eras.close(id, closed),
            What::DrawMade(made) => self.with_eras(|eras, world| eras.draw(id, at, made, world)),
            _ => Vec::new(),
        };
        self.findings.extend(findings);
    }

    /// Gives an identity another status, with what follows for schedules and
    /// placements.
    pub(crate) fn change(&mut self, id: EventId, system: &EventId, to: Status) {
        let identity = match self.identities.change(id, system, to) {
            Ok(identity) => identity,
            Err(finding) => return self.findings.extend(finding),
        };
        let identity = self.identities.identity(&identity);
        let systems = identity.map_or(&[][..], |identity| &identity.systems);
        if to.has_left() {
            self.schedules.retire(systems, &self.games);
        }
        if to == Status::Withdrawn {
            self.schedules.withdraw(systems);
        }
        let findings = self.with_eras(|eras, world| eras.settle(id, world));
        self.findings.extend(findings);
    }

    /// Takes a result into ratings.
    pub(crate) fn finish_game(&mut self, event: EventId, game: &EventId) -> Vec<Finding> {
        let Some(finished) = self.games.game(game) else {
            return Vec::new();
        };
        self.schedules.finish(finished);
        if finished.started.stage == Stage::Human {
            self.people.finish(game, &self.games);
            return Vec::new();
        }
        let finished = finished.id;
        self.with_eras(|eras, world| match world.games.game(&finished) {
            Some(game) => eras.finish_game(event, game, world),
            None => Vec::new(),
        })
    }
}
