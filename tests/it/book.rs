//! A ledger in memory for tests of money: calls at will, in games of any stage.

use scoresheet::canonical::Day;
use scoresheet::event::{
    BillingCorrected, CallAnswered, CallFailed, CallSent, CostLookedUp, Event, EventId,
    ExpenseRecorded, GameAborted, GameStarted, PlayerRegistered, PriceRecorded, ProtocolPublished,
    Stage, SystemRegistered, Verified, What,
};
use scoresheet::projection::{CostFigures, CostGroup, CostSlot, Projection};
use serde_json::{Value, json};

use crate::story::{body, event_at, story};

/// The first day.
pub(crate) const DAY: &str = "2026-11-01";

/// Events as they come, and what follows from them.
pub(crate) struct Book {
    pub(crate) events: Vec<Verified<Event>>,
    pub(crate) projection: Projection,
    protocol: EventId,
    person: EventId,
    /// Two models: `a` with high effort and `b` with none set.
    pub(crate) systems: [EventId; 2],
    day: String,
    ms: u32,
}

/// A model with a thinking setup, as it is registered.
pub(crate) fn thinker(name: &str, effort: Option<&str>, prompt: Option<u8>) -> SystemRegistered {
    let mut model = json!({"parameters": [], "requested_model": "m", "route": "r"});
    if let Some(effort) = effort {
        model["reasoning_effort"] = effort.into();
    }
    if let Some(digit) = prompt {
        model["prompt"] = format!("{digit:064}").into();
    }
    body(json!({"assistance": {"kind": "none"}, "model": model, "name": name}))
}

impl Book {
    pub(crate) fn new() -> Self {
        let mut book = Self {
            events: Vec::new(),
            projection: Projection::default(),
            protocol: EventId::of(b"later"),
            person: EventId::of(b"later"),
            systems: [EventId::of(b"later"); 2],
            day: DAY.to_owned(),
            ms: 0,
        };
        let protocol = story().events[0].what.clone();
        book.protocol = book.say(protocol);
        let high = book.say(thinker("a", Some("high"), None));
        let none = book.say(thinker("b", None, None));
        book.systems = [high, none];
        let player = json!({"account": "0".repeat(64), "issuer": "x"});
        book.person = book.say(body::<PlayerRegistered>(player));
        book
    }

    /// Goes on at another day.
    pub(crate) fn on(&mut self, day: &str) {
        day.clone_into(&mut self.day);
    }

    /// Goes on so many milliseconds before the end of the day.
    pub(crate) fn late(&mut self, ms: u32) {
        self.ms = 86_400_000 - ms;
    }

    pub(crate) fn say(&mut self, what: impl Into<What>) -> EventId {
        let (seconds, ms) = (self.ms / 1000, self.ms % 1000);
        let (hour, minute) = (seconds / 3600, seconds / 60 % 60);
        let second = seconds % 60;
        let time = format!("{}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z", self.day);
        self.ms += 1;
        let event = event_at(&time, what);
        self.projection.apply(&event);
        let id = event.id();
        self.events.push(event);
        id
    }

    /// Says that other rules hold from now on.
    pub(crate) fn publish(&mut self, name: &str) {
        let What::ProtocolPublished(protocol) = &story().events[0].what else {
            panic!("the first event publishes a protocol");
        };
        let protocol = ProtocolPublished {
            adjudication: None,
            anchored: None,
            grading: None,
            name: name.parse().unwrap(),
            ..protocol.clone()
        };
        self.protocol = self.say(protocol);
    }

    /// Starts a game of this stage between the two models, or against a person.
    pub(crate) fn game(&mut self, stage: &str) -> EventId {
        let (stage, billing) = match stage {
            "free" | "byok" => ("human", Some(stage)),
            stage => (stage, None),
        };
        let white = if billing.is_some() {
            self.person
        } else {
            self.systems[1]
        };
        let mut started = json!({
            "protocol": self.protocol, "stage": stage,
            "seats": {"black": self.systems[0], "white": white},
            "start": serde_json::to_value(&story().stray().start).unwrap(),
        });
        if let Some(billing) = billing {
            started["billing"] = billing.into();
        }
        let started: GameStarted = body(started);
        assert_eq!(started.stage == Stage::Human, billing.is_some());
        self.say(started)
    }

    pub(crate) fn ask(&mut self, game: Option<EventId>, system: usize) -> EventId {
        self.ask_by(game, self.systems[system])
    }

    pub(crate) fn ask_by(&mut self, game: Option<EventId>, system: EventId) -> EventId {
        let mut sent = json!({"attempt": 1, "requested_model": "m", "route": "r"});
        sent["system"] = json!(system);
        if let Some(game) = game {
            sent["game"] = json!(game);
            sent["ply"] = 1.into();
        }
        self.say(body::<CallSent>(sent))
    }

    /// Answers with this cost and these prompt and completion tokens.
    pub(crate) fn answer(&mut self, call: EventId, usd: Option<&str>, tokens: Option<[u64; 2]>) {
        let mut answered = json!({"call": call, "time": {"total_ms": 100}});
        if let Some(usd) = usd {
            answered["cost_usd"] = usd.into();
        }
        if let Some([prompt, completion]) = tokens {
            answered["tokens"] = json!({"completion": completion, "prompt": prompt});
        }
        self.say(body::<CallAnswered>(answered));
    }

    pub(crate) fn fail(&mut self, call: EventId) {
        let failed = json!({"call": call, "class": "timeout", "detail": "late"});
        self.say(body::<CallFailed>(failed));
    }

    /// Asks and is answered at this cost.
    pub(crate) fn pay(&mut self, game: EventId, system: usize, usd: &str) {
        let call = self.ask(Some(game), system);
        self.answer(call, Some(usd), None);
    }

    pub(crate) fn look_up(&mut self, call: EventId, usd: &str) -> EventId {
        let looked_up = json!({"amount_usd": usd, "call": call});
        self.say(body::<CostLookedUp>(looked_up))
    }

    pub(crate) fn price(&mut self, prompt: &str, completion: &str) -> EventId {
        self.say(body::<PriceRecorded>(json!({
            "completion_usd_per_million": completion, "prompt_usd_per_million": prompt,
            "requested_model": "m", "route": "r", "source": "list",
        })))
    }

    pub(crate) fn spend(&mut self, category: &str, usd: &str) -> EventId {
        let expense = json!({"amount_usd": usd, "category": category, "note": "bill"});
        self.say(body::<ExpenseRecorded>(expense))
    }

    /// Says that a bill of this part says this, where that was recorded.
    pub(crate) fn bill(&mut self, part: &str, recorded: &str, corrected: &str) -> EventId {
        self.bill_of(json!({
            "corrected_usd": corrected, "note": "bill", "part": part, "recorded_usd": recorded,
        }))
    }

    pub(crate) fn bill_of(&mut self, bill: Value) -> EventId {
        self.say(body::<BillingCorrected>(bill))
    }

    /// Ends a game by a fool's mate.
    pub(crate) fn mate(&mut self, game: EventId) {
        for (ply, uci) in (1..).zip(["f2f3", "e7e5", "g2g4", "d8h4"]) {
            self.say(crate::story::accepted(game, ply, uci));
        }
        self.say(body::<scoresheet::event::GameFinished>(json!({
            "game": game, "plies": 4, "result": "0-1", "termination": "checkmate",
        })));
    }

    pub(crate) fn abort(&mut self, game: EventId) {
        let aborted = json!({"cause": "provider_failure", "game": game, "reason": "no answer"});
        self.say(body::<GameAborted>(aborted));
    }

    /// What the slots that fit come to.
    pub(crate) fn of(&self, fits: impl Fn(&CostSlot) -> bool) -> CostFigures {
        let mut sum = CostFigures::default();
        let figures = self.projection.costs.figures();
        for (slot, figures) in figures.iter().filter(|(slot, _)| fits(slot)) {
            assert!(slot.group != CostGroup::Byok || figures.known_usd().is_none());
            sum.join(figures);
        }
        sum
    }

    /// What is known of a group, as text.
    pub(crate) fn known(&self, group: &str) -> String {
        text(&self.of(|slot| slot.group.as_str() == group))
    }

    /// What is known of a day, as text.
    pub(crate) fn known_on(&self, day: &str) -> String {
        let day: Day = day.parse().unwrap();
        text(&self.of(|slot| slot.day == day))
    }

    /// What is known of an identity, as text.
    pub(crate) fn known_of(&self, identity: EventId) -> String {
        text(&self.of(|slot| slot.identity == Some(identity)))
    }

    /// The codes that were found which have to do with money.
    pub(crate) fn contradictions(&self) -> Vec<String> {
        let findings = self.projection.findings.iter();
        let about_money = findings.filter(|one| one.code.as_str() == "billing-contradicted");
        about_money.map(ToString::to_string).collect()
    }
}

/// What is known, as text.
pub(crate) fn text(figures: &CostFigures) -> String {
    let known = figures.known_usd();
    known.map_or_else(|| "unknown".to_owned(), |usd| usd.to_string())
}
