//! Who may sit down at a game of an era, and who is admitted to it.

use crate::event::{EventId, GameStarted, ScheduleCommitted, ScheduleRule, Stage};
use crate::finding::{Code, Finding};
use crate::projection::eras::find;
use crate::projection::world::World;
use crate::projection::{Era, Eras, MadeDraw, Newcomer, Schedule, Status};

impl Eras {
    /// Takes in the schedule of a newcomer.
    pub(crate) fn admit(
        &mut self,
        id: EventId,
        committed: &ScheduleCommitted,
        world: World<'_>,
    ) -> Vec<Finding> {
        let era = committed.era.and_then(|era| self.by_id.get_mut(&era));
        let (Some(era), Some((newcomer, pool))) = (era, committed.systems.split_first()) else {
            return Vec::new();
        };
        let Some(identity) = world.identities.of_system(newcomer) else {
            return Vec::new();
        };
        let mut findings = Vec::new();
        let mut contradicts = |expected: &str, found: &str| {
            findings.push(find(Code::PoolContradicted, id, expected, found));
        };
        if era.is_closed || !era.is_placed || era.started.protocol != committed.protocol {
            let found = "one that is closed, not placed yet, or under another protocol";
            contradicts("an era that goes on and has its first ratings", found);
        }
        if era.ladder.member(&identity).is_some() {
            contradicts("a newcomer", "an identity that is on the ladder");
            // It keeps the standing that it has.
            return findings;
        }
        let pool = pool.iter().map(|system| world.identities.of_system(system));
        let standings = era.standings(world);
        if !pool.eq(standings.iter().map(|standing| Some(standing.identity))) {
            contradicts(
                "everyone who is ranked, in the order of rank positions",
                "others",
            );
        }
        let start = *era.ladder.start();
        era.ladder.admit(identity, start, false);
        era.newcomers.push(Newcomer {
            identity,
            schedule: id,
            after: era.finished.len(),
        });
        findings
    }

    /// Checks that a game may be started, and by whom it was chosen.
    pub(crate) fn start_game(
        &mut self,
        id: EventId,
        started: &GameStarted,
        world: World<'_>,
    ) -> Vec<Finding> {
        let mut findings = Vec::new();
        let era = self.of_game(started, world);
        let drawn = started.draw.and_then(|draw| self.draws.get(&draw));
        let drawn = drawn.filter(|_| started.stage == Stage::Ladder);
        match (started.stage, drawn) {
            (Stage::Ladder, Some((era, number))) => {
                let draw = self
                    .by_id
                    .get_mut(era)
                    .and_then(|era| era.draws.get_mut(*number));
                if let Some(draw) = draw {
                    findings.extend(take_draw(draw, id, started, world));
                }
                if let Some(era) = self.by_id.get_mut(era) {
                    era.waiting.remove(number);
                    findings.extend(era.check_turn(id, world));
                }
            }
            (Stage::Ladder, None) => {
                let expected = "a game of the ladder that names the draw it was chosen by";
                findings.push(find(Code::GameUnchosen, id, expected, "none"));
            }
            (_, _) if started.draw.is_some() => {
                let expected = "a draw for a game of the ladder, and for no other";
                findings.push(find(
                    Code::GameUnchosen,
                    id,
                    expected,
                    started.stage.as_str(),
                ));
            }
            _ => {}
        }
        findings.extend(check_cell(id, started, world));
        if let Some(era) = era.and_then(|era| self.by_id.get(&era)) {
            findings.extend(era.check_seats(id, started, world));
        }
        findings
    }
}

impl Era {
    /// Checks that a draw is played now, and no newcomer goes before it.
    fn check_turn(&self, id: EventId, world: World<'_>) -> Option<Finding> {
        let (newcomer, cell) = self.ready_newcomer(world)?;
        let name = newcomer.identity.digest().short();
        let expected = "no newcomer whose placement can go on before a draw is played";
        let found = format!("game {} of the newcomer {name} is ready", cell + 1);
        Some(find(Code::GameUnchosen, id, expected, found))
    }

    /// Checks that both seats may play now.
    fn check_seats(&self, id: EventId, started: &GameStarted, world: World<'_>) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut refuse = |expected: String, found: &str| {
            findings.push(find(Code::SeatUnavailable, id, expected, found));
        };
        let stage = started.stage;
        if self.is_closed {
            let expected = format!("no game of the era {} after its end", self.started.name);
            refuse(expected, "one");
        }
        let is_after_placement = matches!(stage, Stage::Newcomer | Stage::Ladder | Stage::Manual);
        if is_after_placement && !self.is_placed {
            refuse(
                format!(
                    "no {} game before the first batch is complete",
                    stage.as_str()
                ),
                "one",
            );
        }
        let playing = self.playing(world);
        for seat in [&started.seats.white, &started.seats.black] {
            let Some(identity) = world.identities.of_system(seat) else {
                continue;
            };
            let status = world.identities.status(&identity);
            if status != Status::Active {
                refuse("a system that plays".to_owned(), status.as_str());
            }
            if is_after_placement && playing.contains(&identity) {
                refuse(
                    "a system that sits at no other game".to_owned(),
                    "one that does",
                );
            }
            if is_after_placement && self.is_placed && self.ladder.member(&identity).is_none() {
                refuse("a system on the ladder".to_owned(), "one that is not");
            }
        }
        findings
    }
}

/// A cell of a newcomer's schedule is for a newcomer's game, and one of a first
/// batch for no game that a ladder, a maintainer or a person chose.
fn check_cell(id: EventId, started: &GameStarted, world: World<'_>) -> Option<Finding> {
    let schedule = started.cell.map(|cell| cell.schedule);
    let schedule = schedule.and_then(|schedule| world.schedules.schedule(&schedule));
    let is_newcomers = |schedule: &Schedule| schedule.committed.rule == ScheduleRule::Newcomer;
    let fits = match started.stage {
        Stage::Newcomer => schedule.is_some_and(is_newcomers),
        Stage::Ladder | Stage::Manual | Stage::Human => started.cell.is_none(),
        Stage::Placement | Stage::Anchored | Stage::Paired => !schedule.is_some_and(is_newcomers),
    };
    (!fits).then(|| {
        let expected = format!("a cell that a {} game is for", started.stage.as_str());
        find(Code::GameUnchosen, id, expected, "another, or none")
    })
}

/// Gives a draw its game; says what is wrong with that.
fn take_draw(
    draw: &mut MadeDraw,
    id: EventId,
    started: &GameStarted,
    world: World<'_>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut unchosen = |expected: &str, found: String| {
        findings.push(find(Code::GameUnchosen, id, expected, found));
    };
    if let Some(game) = draw.game {
        unchosen(
            "a draw that no game was started for",
            format!("game {game} was"),
        );
    }
    let seats = &started.seats;
    let [white, black] = [&seats.white, &seats.black].map(|seat| world.identities.of_system(seat));
    if (white, black) != (Some(draw.made.white), Some(draw.made.black)) {
        unchosen("the players and colors of its draw", "others".to_owned());
    }
    draw.game.get_or_insert(id);
    findings
}
