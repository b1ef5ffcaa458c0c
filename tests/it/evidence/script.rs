//! Telling what happens in a benchmark, event by event.

use std::collections::BTreeSet;

use scoresheet::canonical::{Integer, Time};
use scoresheet::chess::{GameResult, Ply, RejectionClass, Termination, UciMove};
use scoresheet::digest::Digest;
use scoresheet::event::{
    AbortCause, By, CallAnswered, CallFailed, CallFailure, CallSent, CallTime, CellRef,
    CostLookedUp, EngineReport, Event, EventId, EvidenceStatus, GameAborted, GameFinished,
    GameStarted, MoveAccepted, MoveRejected, PreregistrationCommitted, ReportedScore,
    ScheduleCommitted, ScheduleRule, SearchLimit, Seats, Stage, Tokens, Verified, What,
};
use scoresheet::projection::cells_of;

use crate::evidence::registration::{NO_LIMIT, count, engine, model, protocol};
use crate::evidence::{COHORT, RUN_FILE};

pub(crate) fn by() -> By {
    "test/evidence".parse().unwrap()
}

/// Events in the order they happen, one second after another.
#[derive(Clone, Default)]
pub(crate) struct Script {
    pub(crate) events: Vec<Verified<Event>>,
    systems: Vec<EventId>,
    /// Seconds since the ledger was opened.
    seconds: u32,
}

/// A game that is being played, in a [`Script`].
pub(crate) struct Play<'a> {
    script: &'a mut Script,
    pub(crate) game: EventId,
    seats: Seats,
    opening_plies: u32,
    /// Accepted moves.
    plies: u32,
    attempt: u32,
}

impl Script {
    /// Returns a script that goes on where another one ended.
    pub(crate) fn after(earlier: &Self) -> Self {
        Self {
            events: Vec::new(),
            ..earlier.clone()
        }
    }

    /// What the clock says at the next event.
    pub(crate) fn at(&self) -> Time {
        let noon: Time = "2026-11-29T12:00:00.000Z".parse().unwrap();
        Time::from_unix_ms(noon.unix_ms() + 1000 * i64::from(self.seconds)).unwrap()
    }

    /// Says that something happened, and returns the id of the event.
    pub(crate) fn say(&mut self, what: impl Into<What>) -> EventId {
        let event = Event {
            at: self.at(),
            by: by(),
            what: what.into(),
        };
        let event = Verified::write(event).unwrap();
        let id = event.id();
        self.events.push(event);
        self.seconds += 1;
        id
    }

    /// Registers everything that must be there before the first game, and
    /// returns the schedule.
    pub(crate) fn schedule(&mut self) -> EventId {
        let protocol = self.say(protocol());
        self.systems = vec![
            self.say(engine(
                "alpha",
                SearchLimit {
                    nodes: Some(count(1000)),
                    ..NO_LIMIT
                },
            )),
            self.say(engine(
                "beta",
                SearchLimit {
                    depth: Some(count(8)),
                    ..NO_LIMIT
                },
            )),
            self.say(model("gamma")),
        ];
        let preregistration = self.say(PreregistrationCommitted {
            cohort: COHORT.parse().unwrap(),
            evidence_status: EvidenceStatus::Provisional,
            exclusions: String::new(),
            hypothesis: "alpha does not lose to beta".to_owned(),
            primary_endpoints: vec!["the placement ratings of all systems".to_owned()],
            stopping_rule: "every cell has a game with a result".to_owned(),
        });
        let schedule = self.committed(protocol, preregistration);
        self.say(schedule)
    }

    fn committed(&self, protocol: EventId, preregistration: EventId) -> ScheduleCommitted {
        ScheduleCommitted {
            allocation: None,
            anchors: Vec::new(),
            starts: Vec::new(),
            era: None,
            cohort: COHORT.parse().unwrap(),
            preregistration: Some(preregistration),
            protocol,
            rule: ScheduleRule::DoubleRoundRobin,
            run_file: Some(Digest::of(RUN_FILE)),
            systems: self.systems.clone(),
        }
    }

    /// Starts the game of a cell.
    pub(crate) fn cell(&mut self, schedule: EventId, index: u32) -> Play<'_> {
        let committed = self.events.iter().find_map(|event| match &event.what {
            What::ScheduleCommitted(committed) if event.id() == schedule => Some(committed),
            _ => None,
        });
        let committed = committed.unwrap();
        let cell = cells_of(committed)[usize::try_from(index).unwrap()].clone();
        let started = GameStarted {
            billing: None,
            draw: None,
            cell: Some(CellRef {
                index: count(index),
                schedule,
            }),
            opening: None,
            protocol: committed.protocol,
            seats: cell.seats,
            stage: Stage::Placement,
            start: cell.start,
        };
        self.start(started)
    }

    /// Starts a game, at the first ply after its opening.
    pub(crate) fn start(&mut self, started: GameStarted) -> Play<'_> {
        let seats = started.seats;
        let opening = started.opening.as_ref();
        let opening_plies = opening.map_or(0, |opening| opening.moves.len());
        let game = self.say(started);
        Play {
            script: self,
            game,
            seats,
            opening_plies: u32::try_from(opening_plies).unwrap(),
            plies: 0,
            attempt: 1,
        }
    }

    /// The systems, in the order of registration: alpha, beta and gamma.
    pub(crate) fn systems(&self) -> &[EventId] {
        &self.systems
    }

    /// Says later what the first call without a known cost of the model was charged.
    pub(crate) fn look_up_cost(&mut self, amount: &str) {
        let model = self.systems[2];
        let mut asked = BTreeSet::new();
        let call = self.events.iter().find_map(|event| match &event.what {
            What::CallSent(sent) if sent.system == model => {
                asked.insert(event.id());
                None
            }
            What::CallAnswered(answered) => (asked.contains(&answered.call)
                && answered.cost_usd.is_none())
            .then_some(answered.call),
            _ => None,
        });
        self.say(CostLookedUp {
            amount_usd: amount.parse().unwrap(),
            call: call.unwrap(),
        });
    }
}

impl Play<'_> {
    /// Plays these moves, each the answer to a call.
    pub(crate) fn all(mut self, moves: &str) -> Self {
        for uci in moves.split_whitespace() {
            let call = Some(self.answer());
            let accepted = MoveAccepted {
                attempt: count(self.attempt),
                call,
                game: self.game,
                ply: self.ply(),
                uci: uci.parse::<UciMove>().unwrap(),
            };
            self.script.say(accepted);
            self.plies += 1;
            self.attempt = 1;
        }
        self
    }

    /// Rejects an answer.
    pub(crate) fn reject(mut self, extracted: &str, class: RejectionClass) -> Self {
        let call = Some(self.answer());
        let rejected = MoveRejected {
            attempt: count(self.attempt),
            bodies: Vec::new(),
            call,
            class,
            extracted: extracted.to_owned(),
            game: self.game,
            ply: self.ply(),
        };
        self.script.say(rejected);
        self.attempt += 1;
        self
    }

    /// Ends the game with a result.
    pub(crate) fn finish(self, result: GameResult, termination: Termination) {
        self.script.say(GameFinished {
            game: self.game,
            plies: count(self.plies),
            result,
            termination,
        });
    }

    /// Ends the game with a call that nobody answered.
    pub(crate) fn time_out(mut self) {
        let call = self.ask();
        let failed = self.script.say(CallFailed {
            bodies: Vec::new(),
            call,
            class: CallFailure::Timeout,
            detail: "no answer within 60 s".to_owned(),
            http_status: None,
            retry_after_ms: None,
            time: Some(time(60_000)),
        });
        self.script.say(GameAborted {
            call: Some(failed),
            cause: AbortCause::ProviderFailure,
            game: self.game,
            reason: "no answer within 60 s".to_owned(),
        });
    }

    fn ply(&self) -> Ply {
        Ply(self.opening_plies + self.plies).next()
    }

    fn system(&self) -> EventId {
        if (self.opening_plies + self.plies).is_multiple_of(2) {
            self.seats.white
        } else {
            self.seats.black
        }
    }

    fn ask(&mut self) -> EventId {
        let system = self.system();
        let is_model = system == self.script.systems[2];
        let word = |word: &str| is_model.then(|| word.to_owned());
        self.script.say(CallSent {
            attempt: count(self.attempt),
            bodies: Vec::new(),
            candidates: None,
            game: Some(self.game),
            limit: None,
            ply: Some(self.ply()),
            position: None,
            puzzle: None,
            requested_model: word("made-up-1"),
            route: word("local/test"),
            system,
        })
    }

    fn answer(&mut self) -> EventId {
        let call = self.ask();
        let is_model = self.system() == self.script.systems[2];
        let mut answered = CallAnswered {
            bodies: Vec::new(),
            call,
            calls: Vec::new(),
            cost_usd: None,
            engine: None,
            finish_reason: None,
            overhead: None,
            request_id: None,
            returned_model: None,
            time: time(10 + self.plies),
            tokens: None,
        };
        if is_model {
            answered.finish_reason = Some("stop".to_owned());
            answered.returned_model = Some("made-up-1".to_owned());
            answered.tokens = Some(Tokens {
                cached: None,
                completion: Some(count(12)),
                prompt: Some(count(100 + self.plies)),
                reasoning: None,
            });
            // A provider that forgets now and then.
            if !self.plies.is_multiple_of(3) {
                answered.cost_usd = Some("0.0002".parse().unwrap());
            }
        } else {
            let centipawns = i64::from(self.plies) - 5;
            answered.engine = Some(EngineReport {
                depth: Some(count(8)),
                nodes: Some(count(900 + self.plies)),
                score: Some(ReportedScore {
                    cp: Some(Integer::try_from(centipawns).unwrap()),
                    mate: None,
                }),
            });
        }
        self.script.say(answered)
    }
}

fn time(total_ms: u32) -> CallTime {
    CallTime {
        first_token_ms: None,
        queue_ms: None,
        total_ms: count(total_ms),
    }
}
