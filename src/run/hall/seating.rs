//! Who sits down at a free table.

use std::sync::Arc;

use crate::event::{AbortCause, EventId, GameAborted};
use crate::projection::Game;
use crate::run::analyst::Analyst;
use crate::run::hall::{Due, Hall, Occupied, Room, Start};
use crate::run::sealing_desk::SealingDesk;
use crate::run::shift::{Begun, Next, Plan, Standing};
use crate::run::table::Table;
use crate::run::voice::{UNREADABLE, Voice, catch_up};
use crate::run::worker::Company;
use crate::run::{RunError, Told};

impl<'h, 'a: 'h, P: Plan> Room<'_, 'h, 'a, P> {
    /// Seats players at every table that is free, as far as the plan has games.
    pub(super) fn fill(
        &mut self,
        start: &Start<'_, 'h>,
        due: &mut Due,
    ) -> Result<Option<P::Outcome>, RunError> {
        while self.tables.0.len() < self.hall.parallel.max(1) {
            self.progress.at_tables = u64::try_from(self.tables.0.len()).unwrap_or(u64::MAX);
            let standing = Standing {
                progress: self.progress,
                limits: self.limits,
            };
            let Hall {
                record, entrants, ..
            } = &mut self.hall;
            match self.plan.next(record, entrants, &self.tables, standing)? {
                Next::End(outcome) => return Ok(Some(outcome)),
                Next::Play(choice) => {
                    let begun = self.plan.begin(record, choice)?;
                    self.seat(begun, start, due)?;
                }
            }
        }
        Ok(None)
    }

    fn seat(&mut self, begun: Begun, start: &Start<'_, 'h>, due: &mut Due) -> Result<(), RunError> {
        let Begun {
            game,
            seats,
            occasion,
        } = begun;
        let state = self.hall.record.projection().games.game(&game);
        let plies = state.map_or(0, |game| game.moves.len());
        let cell = state.and_then(Game::cell).map(|cell| cell.index);
        (self.tell)(Told::Started {
            occasion: occasion.clone(),
            plies,
        });
        let deadlines = self.hall.deadlines;
        let entrants = self.hall.entrants;
        let player = |system: &EventId| {
            let entrant = entrants.get(system);
            let reason = "a seat belongs to nobody in this run";
            let entrant = entrant.ok_or(RunError::Stuck { game, reason })?;
            Ok::<_, RunError>(entrant.player(deadlines))
        };
        let engine = |id: Option<EventId>| Some((id?, *entrants.get(&id?)?));
        let analyst = |(_, entrant)| Analyst::new(entrant, deadlines);
        let measures = engine(self.hall.referee);
        let company = Company {
            white: player(&seats.white)?,
            black: player(&seats.black)?,
            desk: SealingDesk::new(self.hall.record.private_store(), game),
            cell,
            game,
            storage: self.hall.record.storage(),
            erasing: Arc::clone(&self.erasing),
            referee: measures.map(analyst),
            oracle: engine(self.hall.oracle).map(analyst),
        };
        let prompting = self.hall.prompting;
        let voice = |system: &EventId| {
            let entrant = entrants.get(system);
            entrant.map_or(Voice::Moves, |entrant| entrant.voice(prompting))
        };
        let mut voices = [voice(&seats.white), voice(&seats.black)];
        if !catch_up(self.hall.record, game, &mut voices)? {
            self.hall.record.say(GameAborted {
                call: None,
                cause: AbortCause::RunnerFailure,
                game,
                reason: UNREADABLE.to_owned(),
            })?;
        }
        let table = Table::new(game, measures.map(|(id, _)| id), voices);
        let occupied = Occupied {
            table,
            occasion,
            worker: start(company),
        };
        self.tables.0.insert(game, occupied);
        self.go_on(game, due)
    }
}
