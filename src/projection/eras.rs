use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::canonical::Time;
use crate::chess::Color;
use crate::event::{
    DrawMade, EraClosed, EraStarted, EventId, GameStarted, ProtocolPublished, ScheduleRule, Stage,
};
use crate::finding::{Code, Finding, Place, counted};
use crate::projection::world::World;
use crate::projection::{ByColor, Draw, Era, Game, Ladder, MadeDraw, Schedule, StandingAtStart};

/// All rating eras, by the id of their `era.started`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Eras {
    pub(super) by_id: BTreeMap<EventId, Era>,
    /// In the order they were started.
    order: Vec<EventId>,
    /// From a draw to its era and number.
    pub(super) draws: BTreeMap<EventId, (EventId, usize)>,
}

pub(super) fn find(
    code: Code,
    event: EventId,
    expected: impl Into<String>,
    found: impl Into<String>,
) -> Finding {
    Finding::new(code, Place::event(*event.digest()), expected, found)
}

impl Eras {
    /// The era with this id.
    pub fn era(&self, id: &EventId) -> Option<&Era> {
        self.by_id.get(id)
    }

    /// The first era with this name.
    pub fn named(&self, name: &str) -> Option<&Era> {
        self.iter().find(|era| era.started.name.as_str() == name)
    }

    /// The eras, in the order they were started.
    pub fn iter(&self) -> impl Iterator<Item = &Era> {
        self.order.iter().filter_map(|id| self.by_id.get(id))
    }

    /// The era that goes on under this protocol.
    pub fn open_under(&self, protocol: &EventId) -> Option<&Era> {
        self.iter()
            .find(|era| !era.is_closed && era.started.protocol == *protocol)
    }

    /// The era whose first batch this schedule is.
    pub fn placed_by(&self, schedule: &EventId) -> Option<&Era> {
        self.iter().find(|era| era.started.placement == *schedule)
    }

    pub(crate) fn start(
        &mut self,
        id: EventId,
        index: u64,
        started: &EraStarted,
        protocol: Option<&ProtocolPublished>,
        world: World<'_>,
    ) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut contradicts = |expected: &str, found: String| {
            findings.push(find(Code::EraContradicted, id, expected, found));
        };
        let name = &started.name;
        if let Some(before) = self.named(name.as_str()) {
            contradicts(
                "a name that no other era has",
                format!("event {} has it", before.index),
            );
        }
        if let Some(before) = self.open_under(&started.protocol) {
            let found = format!("{} goes on", before.started.name);
            contradicts("a protocol under which no era goes on", found);
        }
        let schedule = world.schedules.schedule(&started.placement);
        if schedule.is_some_and(|schedule| schedule.committed.protocol != started.protocol) {
            contradicts(
                "a first batch under the era's protocol",
                "another protocol".to_owned(),
            );
        }
        let is_batch =
            |schedule: &Schedule| schedule.committed.rule == ScheduleRule::DoubleRoundRobin;
        if schedule.is_some_and(|schedule| !is_batch(schedule)) {
            contradicts(
                "a double round robin as first batch",
                "another rule".to_owned(),
            );
        }
        if let Some(twice) = schedule.and_then(|schedule| twice(schedule, world)) {
            let expected = "a first batch in which each identity plays once";
            contradicts(expected, format!("{twice}, one more of an identity"));
        }
        if let Some(before) = self.placed_by(&started.placement) {
            let found = format!("the one of {}", before.started.name);
            contradicts("a first batch that is of no other era", found);
        }
        let rules = protocol.and_then(|protocol| {
            let failed_request = protocol.failed_request;
            Some((protocol.glicko2?, protocol.ladder?, failed_request))
        });
        let Some((glicko2, rule, failed_request)) = rules else {
            contradicts(
                "a protocol with a rating and a ladder",
                "one without".to_owned(),
            );
            return findings;
        };
        let mut era = Era {
            id,
            index,
            started: started.clone(),
            is_closed: false,
            seed: None,
            rule,
            ladder: Ladder::new(&glicko2),
            is_placed: false,
            newcomers: Vec::new(),
            draws: Vec::new(),
            waiting: BTreeSet::new(),
            finished: Vec::new(),
            glicko2,
            failed_request,
            appearances: BTreeMap::new(),
        };
        findings.extend(era.settle(id, world));
        self.by_id.insert(id, era);
        self.order.push(id);
        findings
    }

    pub(crate) fn close(&mut self, id: EventId, closed: &EraClosed) -> Vec<Finding> {
        // An era that is not there is a dangling reference, which `verify` names.
        let Some(era) = self.by_id.get_mut(&closed.era) else {
            return Vec::new();
        };
        // A seed that was lost may be found: then it is revealed later.
        if era.is_closed && (era.seed.is_some() || closed.seed.is_none()) {
            let expected = "an era that goes on";
            return vec![find(
                Code::EraContradicted,
                id,
                expected,
                "one that was closed before",
            )];
        }
        let of_lost = closed.seed_lost.as_ref().map(|lost| lost.seed_sha256);
        let sha256 = closed.seed.map(|seed| seed.sha256()).or(of_lost);
        if sha256 != Some(era.started.seed_sha256) {
            // Other bytes reveal nothing: the era goes on, and no draw is judged.
            let expected = format!("a seed with the SHA-256 {}", era.started.seed_sha256);
            let found = sha256.map_or_else(|| "none".to_owned(), |sha256| sha256.to_string());
            return vec![find(Code::DrawRefuted, id, expected, found)];
        }
        era.is_closed = true;
        era.seed = closed.seed;
        let Some(seed) = closed.seed else {
            let expected = "the seed of the era, which every draw can be checked against";
            let found = format!("a lost one, after {}", counted(era.draws.len(), "draw"));
            return vec![find(Code::DrawUncheckable, id, expected, found)];
        };
        let mut findings = Vec::new();
        for draw in &era.draws {
            if !era.bears_out(draw, &seed) {
                let expected = format!(
                    "the choice that the seed gives for draw {}",
                    draw.made.number
                );
                findings.push(find(Code::DrawRefuted, draw.id, expected, "another"));
            }
        }
        findings
    }

    pub(crate) fn draw(
        &mut self,
        id: EventId,
        at: Time,
        made: &DrawMade,
        world: World<'_>,
    ) -> Vec<Finding> {
        let Some(era) = self.by_id.get_mut(&made.era) else {
            return Vec::new();
        };
        let mut findings = Vec::new();
        let mut contradicts = |expected: String, found: String| {
            findings.push(find(Code::DrawContradicted, id, expected, found));
        };
        if era.is_closed {
            contradicts(
                "an era that goes on".to_owned(),
                "one that is closed".to_owned(),
            );
        }
        if let Some((newcomer, cell)) = era.ready_newcomer(world) {
            let name = newcomer.identity.digest().short();
            let waits = format!("game {} of the newcomer {name} is ready", cell + 1);
            contradicts("no newcomer whose placement can go on".to_owned(), waits);
        }
        if let Some(pending) = era.pending(world) {
            let waits = format!("draw {} waits for its game", pending.made.number);
            contradicts("no draw that waits for its game".to_owned(), waits);
        }
        let number = era.draws.len();
        if usize::try_from(made.number.get()) != Ok(number) {
            contradicts(format!("draw {number}"), format!("draw {}", made.number));
        }
        let eligible = era.eligible(at, world);
        if made.eligible != eligible {
            let expected = format!("the {} eligible systems of that moment", eligible.len());
            contradicts(expected, first_difference(&made.eligible, &eligible));
        }
        let draw = Draw::new(
            era.id,
            made.number.get(),
            &made.eligible,
            era.rule.reach.get(),
        );
        if !draw.permits(made) {
            let expected = "a choice that follows from the eligible systems".to_owned();
            contradicts(expected, "one that no seed could make".to_owned());
        }
        self.draws.insert(id, (era.id, number));
        era.waiting.insert(number);
        era.draws.push(MadeDraw {
            id,
            made: made.clone(),
            game: None,
        });
        findings
    }

    /// The era that a game belongs to.
    pub(crate) fn of_game(&self, started: &GameStarted, world: World<'_>) -> Option<EventId> {
        let schedule = started.cell.map(|cell| cell.schedule);
        let by_protocol = || self.open_under(&started.protocol).map(|era| era.id);
        match started.stage {
            Stage::Placement => self.placed_by(&schedule?).map(|era| era.id),
            Stage::Newcomer => world.schedules.schedule(&schedule?)?.committed.era,
            Stage::Ladder => match started.draw {
                Some(draw) => self.draws.get(&draw).map(|(era, _)| *era),
                None => by_protocol(),
            },
            Stage::Manual | Stage::Human => by_protocol(),
            Stage::Anchored | Stage::Paired => None,
        }
    }

    /// Where the players of a game stand as it starts.
    pub(crate) fn at_start(
        &self,
        era: &EventId,
        started: &GameStarted,
        world: World<'_>,
        elo: impl Fn(&EventId) -> Option<f64>,
    ) -> Option<ByColor<StandingAtStart>> {
        let era = self.by_id.get(era)?;
        let standings = era.standings(world);
        let stands = |seat: &EventId| {
            if let Some(elo) = elo(seat) {
                return StandingAtStart {
                    rank: None,
                    rating: Some(elo),
                };
            }
            let identity = world.identities.of_system(seat);
            let standing = identity.and_then(|identity| {
                standings
                    .iter()
                    .find(|standing| standing.identity == identity)
            });
            let member = identity.and_then(|identity| era.ladder.member(&identity));
            let rating = member.map_or(era.ladder.start().rating, |member| member.rating.rating);
            StandingAtStart {
                rank: standing.map(|standing| standing.rank),
                // Nobody has a rating before the first batch is complete.
                rating: (era.is_placed || started.stage == Stage::Human).then_some(rating),
            }
        };
        Some(ByColor {
            white: stands(&started.seats.white),
            black: stands(&started.seats.black),
        })
    }

    /// Takes in a game that has got its result.
    pub(crate) fn finish_game(
        &mut self,
        event: EventId,
        game: &Game,
        world: World<'_>,
    ) -> Vec<Finding> {
        let Some(era) = game.era.and_then(|era| self.by_id.get_mut(&era)) else {
            return self.settle(event, world);
        };
        if game.started.stage == Stage::Placement || !era.is_placed {
            return era.settle(event, world);
        }
        let mut findings = Vec::new();
        if let (Some(result), Some(players)) = (game.result(), world.players(&game.id)) {
            era.finished.push(game.id);
            let points = |color: Color| result.half_points(color);
            if game.counts() && era.ladder.rate(game.id, players, points).is_err() {
                findings.push(unsettled(event));
            }
            era.count(&game.id, world);
        }
        findings.extend(era.settle(event, world));
        findings
    }

    /// Looks whether anybody's placement is complete now.
    pub(crate) fn settle(&mut self, event: EventId, world: World<'_>) -> Vec<Finding> {
        let eras = self.by_id.values_mut();
        eras.flat_map(|era| era.settle(event, world)).collect()
    }

    /// Works out all ratings anew, after a correction; returns the games, or
    /// schedules of first batches, that give no finite rating.
    pub(crate) fn rate_anew(&mut self, world: World<'_>) -> Vec<EventId> {
        let eras = self.by_id.values_mut();
        eras.flat_map(|era| era.rate_anew(world)).collect()
    }

    /// The draw with this id.
    pub fn made(&self, draw: &EventId) -> Option<&MadeDraw> {
        let (era, number) = self.draws.get(draw)?;
        self.by_id.get(era)?.draws.get(*number)
    }
}

impl Era {
    /// Ends the first batch, and the placement of each newcomer, once nothing
    /// that is required is open.
    fn settle(&mut self, event: EventId, world: World<'_>) -> Vec<Finding> {
        let is_terminal = |schedule: &EventId| {
            let schedule = world.schedules.schedule(schedule);
            schedule.is_some_and(|schedule| schedule.open.is_empty())
        };
        if !self.is_placed {
            if !is_terminal(&self.started.placement) {
                return Vec::new();
            }
            self.is_placed = true;
            let games = self.rate_anew(world);
            return games.iter().map(|_| unsettled(event)).collect();
        }
        for newcomer in &self.newcomers {
            let member = self.ladder.member(&newcomer.identity);
            let Some(member) = member.copied().filter(|member| !member.is_placed) else {
                continue;
            };
            if is_terminal(&newcomer.schedule) {
                self.ladder.admit(newcomer.identity, member.rating, true);
            }
        }
        Vec::new()
    }
}

/// The first system of a schedule whose identity stands before it.
fn twice(schedule: &Schedule, world: World<'_>) -> Option<EventId> {
    let mut identities = BTreeSet::new();
    let mut systems = schedule.committed.systems.iter();
    let twice = systems.find(|system| {
        let identity = world.identities.of_system(system);
        identity.is_some_and(|identity| !identities.insert(identity))
    });
    twice.copied()
}

pub(super) fn unsettled(event: EventId) -> Finding {
    let expected = "games that give finite ratings";
    find(
        Code::RatingUnsettled,
        event,
        expected,
        "a rating that does not settle",
    )
}

/// Where two lists of eligible systems part, in words.
fn first_difference(
    found: &[crate::event::Eligible],
    expected: &[crate::event::Eligible],
) -> String {
    let parting = found.iter().zip(expected).position(|(a, b)| a != b);
    match parting.and_then(|at| found.get(at)) {
        Some(one) => format!(
            "{} at position {} with {} games, {} of them with White",
            one.system, one.position, one.games, one.whites
        ),
        None => format!("{} of them", found.len()),
    }
}
