//! Rating eras: the rules of seed sentences, one test each; laws over
//! histories that nobody thought of; and a life of a ladder to build both on.

mod boards;
pub(crate) mod laws;
mod people;
mod rules;

use scoresheet::canonical::Time;
use scoresheet::chess::{Color, GameResult, Ply, RejectionClass, Termination};
use scoresheet::digest::Digest;
use scoresheet::event::{
    AbortCause, Billing, By, CellRef, DrawMade, EraSeed, Event, EventId, GameAborted, GameFinished,
    GameStarted, MoveRejected, Seats, Stage, Start, SystemRegistered, Verified, What,
};
use scoresheet::projection::{Draw, Era, Identity, LadderStanding, NextGame, Projection, cells_of};
use serde_json::json;

use crate::story::{RUN_FILE, accepted, body};

/// The seed of every era here. No secret.
pub(crate) const SEED: EraSeed = EraSeed::new([7; 32]);

const MINUTE: i64 = 60_000;

/// A life of a ladder: what was said, and what follows.
#[derive(Clone)]
pub(crate) struct Saga {
    pub(crate) projection: Projection,
    pub(crate) events: Vec<Verified<Event>>,
    /// Minutes since the beginning.
    pub(crate) clock: i64,
    pub(crate) protocol: EventId,
    pub(crate) era: EventId,
    pub(crate) placement: EventId,
}

/// A model with a thinking setting.
pub(crate) fn model(name: &str, model: &str, effort: &str) -> SystemRegistered {
    body(json!({
        "assistance": {"kind": "none"},
        "model": {
            "parameters": [], "reasoning_effort": effort, "requested_model": model, "route": "r",
        },
        "name": name,
    }))
}

/// How a game ends that is over in two plies at most.
pub(crate) use GameResult::{BlackWins, Draw as Drawn, WhiteWins};

impl Saga {
    /// A ladder protocol: one attempt a turn and two plies a game, so that every
    /// result is quickly made. `change` sees its JSON first.
    pub(crate) fn under(change: impl FnOnce(&mut serde_json::Value)) -> Self {
        let mut protocol = json!({
            "attempts": 1, "candidate_help": "none", "colors": "lower_white_share",
            "context": "own_conversation", "conversation": "erased",
            "failed_request": {"policy": "schedule_again"},
            "glicko2": {"deviation": "350", "rating": "1500", "tau": "0.5", "volatility": "0.06"},
            "ladder": {"reach": 5, "window_hours": 48},
            "legal_moves_listed": true, "name": "ladder", "pairing": "pool", "ply_cap": 2,
            "rules": "chessjs-1.4", "start": "standard",
        });
        change(&mut protocol);
        let nothing = EventId::of(b"");
        let mut saga = Self {
            projection: Projection::default(),
            events: Vec::new(),
            clock: 0,
            protocol: nothing,
            era: nothing,
            placement: nothing,
        };
        saga.protocol = saga.say(body::<scoresheet::event::ProtocolPublished>(protocol));
        saga
    }

    /// So many models, registered, scheduled against one another, in an era.
    pub(crate) fn begin(count: usize) -> Self {
        let mut saga = Self::under(|_| ());
        saga.begin_era("era", "first", count);
        saga
    }

    /// Starts an era with so many models of which the names begin like this.
    pub(crate) fn begin_era(&mut self, era: &str, cohort: &str, count: usize) -> Vec<EventId> {
        let systems: Vec<EventId> = (0..count)
            .map(|number| {
                let name = format!("{cohort}-{number}");
                self.say(model(&name, &name, "high"))
            })
            .collect();
        self.schedule(cohort, &systems);
        self.era = self.say(body::<scoresheet::event::EraStarted>(json!({
            "name": era, "placement": self.placement, "protocol": self.protocol,
            "seed_sha256": SEED.sha256(),
        })));
        systems
    }

    pub(crate) fn schedule(&mut self, cohort: &str, systems: &[EventId]) -> EventId {
        self.placement = self.say(body::<scoresheet::event::ScheduleCommitted>(json!({
            "cohort": cohort, "protocol": self.protocol, "rule": "double_round_robin",
            "run_file": Digest::of(RUN_FILE), "systems": systems,
        })));
        self.placement
    }

    /// The same after a first batch with these results, in the order of cells.
    pub(crate) fn placed(count: usize, results: impl Fn(usize) -> GameResult) -> Self {
        let mut saga = Self::begin(count);
        for cell in 0..count * (count - 1) {
            saga.play_cell(saga.placement, cell, results(cell));
        }
        assert!(saga.era().is_placed);
        saga
    }

    /// Says something a minute later.
    pub(crate) fn say(&mut self, what: impl Into<What>) -> EventId {
        self.clock += 1;
        self.say_as("t", what)
    }

    fn say_as(&mut self, by: &str, what: impl Into<What>) -> EventId {
        let event = Event {
            at: self.now(),
            by: by.parse::<By>().unwrap(),
            what: what.into(),
        };
        let event = Verified::write(event).unwrap();
        self.projection.apply(&event);
        let id = event.id();
        self.events.push(event);
        id
    }

    pub(crate) fn now(&self) -> Time {
        Time::from_unix_ms(1_700_000_000_000 + self.clock * MINUTE).unwrap()
    }

    pub(crate) fn era(&self) -> &Era {
        self.projection.eras.era(&self.era).unwrap()
    }

    /// Who stands where.
    pub(crate) fn standings(&self) -> Vec<LadderStanding> {
        self.projection.standings(self.era())
    }

    /// The first registration of this name.
    pub(crate) fn system(&self, name: &str) -> EventId {
        let name = name.parse().unwrap();
        self.projection.systems.system_named(&name).unwrap().id
    }

    pub(crate) fn identity(&self, name: &str) -> &Identity {
        let id = self.projection.identities.of_system(&self.system(name));
        self.projection.identities.identity(&id.unwrap()).unwrap()
    }

    pub(crate) fn rating(&self, name: &str) -> f64 {
        let member = self.era().ladder.member(&self.identity(name).id);
        member.unwrap().rating.rating
    }

    pub(crate) fn position(&self, name: &str) -> Option<u64> {
        let identity = self.identity(name).id;
        let standings = self.standings();
        let mut of_this = standings.iter().filter(|one| one.identity == identity);
        of_this.next().map(|standing| standing.position)
    }

    /// Gives a system another status: `paused`, `resumed` and so on.
    pub(crate) fn change(&mut self, status: &str, name: &str) -> EventId {
        let line = json!({"reason": "so it is", "system": self.system(name)});
        match status {
            "paused" => self.say(body::<scoresheet::event::SystemPaused>(line)),
            "resumed" => self.say(body::<scoresheet::event::SystemResumed>(line)),
            "withdrawn" => self.say(body::<scoresheet::event::SystemWithdrawn>(line)),
            "retired" => self.say(body::<scoresheet::event::SystemRetired>(line)),
            "restored" => self.say(body::<scoresheet::event::SystemRestored>(line)),
            other => panic!("{other}"),
        }
    }

    pub(crate) fn started(&self, stage: Stage, seats: Seats) -> GameStarted {
        GameStarted {
            billing: (stage == Stage::Human).then_some(Billing::Free),
            cell: None,
            draw: None,
            opening: None,
            protocol: self.protocol,
            seats,
            stage,
            start: Start {
                fen: scoresheet::chess::Fen::standard_start(),
                variant: scoresheet::chess::Variant::Standard,
            },
        }
    }

    /// Starts a game of a cell of a schedule.
    pub(crate) fn start_cell(&mut self, schedule: EventId, cell: usize) -> EventId {
        let committed = &self
            .projection
            .schedules
            .schedule(&schedule)
            .unwrap()
            .committed;
        let stage = match committed.era {
            Some(_) => Stage::Newcomer,
            None => Stage::Placement,
        };
        let seats = cells_of(committed)[cell].seats;
        let index = u32::try_from(cell).unwrap().into();
        let started = GameStarted {
            cell: Some(CellRef { index, schedule }),
            ..self.started(stage, seats)
        };
        self.say(started)
    }

    pub(crate) fn play_cell(
        &mut self,
        schedule: EventId,
        cell: usize,
        result: GameResult,
    ) -> EventId {
        let game = self.start_cell(schedule, cell);
        self.finish(game, result);
        game
    }

    /// A game that a person asked for.
    pub(crate) fn play_manual(&mut self, white: &str, black: &str, result: GameResult) -> EventId {
        let game = self.start_manual(white, black);
        self.finish(game, result);
        game
    }

    pub(crate) fn start_manual(&mut self, white: &str, black: &str) -> EventId {
        let seats = Seats {
            black: self.system(black),
            white: self.system(white),
        };
        self.say(self.started(Stage::Manual, seats))
    }

    /// Plays a game to this result, in two plies at most.
    pub(crate) fn finish(&mut self, game: EventId, result: GameResult) -> EventId {
        let plies = match result {
            Drawn => 2,
            WhiteWins => 1,
            BlackWins => 0,
        };
        for (ply, uci) in (1..=plies).zip(["e2e4", "e7e5"]) {
            self.say(accepted(game, ply, uci));
        }
        if result != Drawn {
            self.say(MoveRejected {
                attempt: 1_u32.into(),
                bodies: Vec::new(),
                call: None,
                class: RejectionClass::Unparseable,
                extracted: "I resign".to_owned(),
                game,
                ply: Ply(plies + 1),
            });
        }
        self.say(GameFinished {
            game,
            plies: plies.into(),
            result,
            termination: match result {
                Drawn => Termination::PlyLimit,
                WhiteWins | BlackWins => Termination::RejectedMoves,
            },
        })
    }

    pub(crate) fn abort(&mut self, game: EventId) -> EventId {
        self.say(GameAborted {
            call: None,
            cause: AbortCause::ProviderFailure,
            game,
            reason: "no answer".to_owned(),
        })
    }

    pub(crate) fn next(&self) -> NextGame {
        self.projection.next_game(self.era(), self.now())
    }

    /// Starts what comes next and returns the game.
    pub(crate) fn start_next(&mut self) -> Option<EventId> {
        match self.next() {
            NextGame::Cell {
                schedule, index, ..
            } => Some(self.start_cell(schedule, index)),
            NextGame::Drawn { draw, white, black } => Some(self.start_drawn(draw, white, black)),
            NextGame::Draw { .. } => {
                let (draw, made) = self.draw();
                Some(self.start_drawn(draw, made.white, made.black))
            }
            NextGame::Nothing(_) => None,
        }
    }

    pub(crate) fn start_drawn(&mut self, draw: EventId, white: EventId, black: EventId) -> EventId {
        let started = GameStarted {
            draw: Some(draw),
            ..self.started(Stage::Ladder, Seats { black, white })
        };
        self.say(started)
    }

    /// What the ladder would draw now.
    pub(crate) fn drawn(&self) -> DrawMade {
        let mut later = self.clone();
        later.clock += 1;
        let NextGame::Draw { number, eligible } = later.next() else {
            panic!("{:?}", later.next());
        };
        let draw = Draw::new(self.era, number, &eligible, self.era().rule.reach.get());
        let chosen = draw.choose(&SEED).unwrap();
        DrawMade {
            black: chosen.black,
            era: self.era,
            number: u32::try_from(number).unwrap().into(),
            picked: chosen.picked,
            white: chosen.white,
            eligible,
        }
    }

    /// The same, as if no earlier draw waited for its game.
    pub(crate) fn drawn_whatever_waits(&self) -> DrawMade {
        let mut without = self.clone();
        let last = without.events.pop().unwrap();
        assert!(matches!(last.what, What::DrawMade(_)));
        without.projection = fold(&without.events);
        without.drawn()
    }

    pub(crate) fn draw(&mut self) -> (EventId, DrawMade) {
        let made = self.drawn();
        (self.say(made.clone()), made)
    }

    pub(crate) fn close(&mut self) -> EventId {
        self.say(scoresheet::event::EraClosed {
            era: self.era,
            seed: Some(SEED),
            seed_lost: None,
        })
    }

    /// Closes the era without its seed.
    pub(crate) fn lose_seed(&mut self) -> EventId {
        self.say(scoresheet::event::EraClosed {
            era: self.era,
            seed: None,
            seed_lost: Some(scoresheet::event::LostSeed {
                reason: "the disk is gone, and there was no copy".to_owned(),
                seed_sha256: SEED.sha256(),
            }),
        })
    }

    /// Admits a newcomer of this name against everyone who is ranked.
    pub(crate) fn admit(&mut self, name: &str) -> EventId {
        let newcomer = match name.parse().map(|name| {
            self.projection
                .systems
                .system_named(&name)
                .map(|system| system.id)
        }) {
            Ok(Some(system)) => system,
            _ => self.say(model(name, name, "high")),
        };
        let pool = self.standings().into_iter().map(|one| one.identity);
        let systems: Vec<_> = [newcomer].into_iter().chain(pool).collect();
        self.say(body::<scoresheet::event::ScheduleCommitted>(json!({
            "cohort": format!("newcomer-{name}"), "era": self.era, "protocol": self.protocol,
            "rule": "newcomer", "run_file": Digest::of(RUN_FILE), "systems": systems,
        })))
    }

    /// The codes of all findings.
    pub(crate) fn codes(&self) -> Vec<&'static str> {
        let findings = self.projection.findings.iter();
        findings.map(|finding| finding.code.as_str()).collect()
    }

    /// The color that a system has in a game.
    pub(crate) fn color(&self, game: EventId, name: &str) -> Option<Color> {
        let game = self.projection.games.game(&game).unwrap();
        game.color_of(&self.system(name))
    }
}

/// Folds these events from nothing.
pub(crate) fn fold(events: &[Verified<Event>]) -> Projection {
    let mut projection = Projection::default();
    for event in events {
        projection.apply(event);
    }
    projection
}
