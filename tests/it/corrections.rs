//! What a correction changes from its event on, and what it never changes.

use proptest::prelude::*;
use scoresheet::chess::{GameResult, Termination};
use scoresheet::event::{
    CallAnswered, CallSent, CorrectionChange, CorrectionRecorded, CostLookedUp, EraStarted, Event,
    EventId, ExpenseRecorded, GameAborted, GameFinished, GameStarted, NamedValue, PlayerRegistered,
    ProtocolPublished, ScheduleCommitted, Stage, Verified, What,
};
use scoresheet::finding::Code;
use scoresheet::projection::Projection;
use serde_json::json;

use crate::story::{accepted, body, by, start, system};

/// A ladder of three systems after its first batch, with a person, and whatever
/// is told next.
#[derive(Clone, Debug)]
struct Tale {
    events: Vec<Verified<Event>>,
    protocol: EventId,
    systems: Vec<EventId>,
    person: EventId,
    schedule: EventId,
    games: Vec<EventId>,
}

const MATE: (&str, GameResult, Termination) = (
    "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7",
    GameResult::WhiteWins,
    Termination::Checkmate,
);
const FOOLS_MATE: (&str, GameResult, Termination) = (
    "f2f3 e7e5 g2g4 d8h4",
    GameResult::BlackWins,
    Termination::Checkmate,
);
const CAP: (&str, GameResult, Termination) = (
    "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3",
    GameResult::Draw,
    Termination::PlyLimit,
);
const ENDS: [(&str, GameResult, Termination); 3] = [MATE, FOOLS_MATE, CAP];

/// An event at a time of its own, so that no two are the same.
fn at(number: usize, what: impl Into<What>) -> Verified<Event> {
    let time = 1_796_000_000_000 + 60_000 * i64::try_from(number).unwrap();
    let event = Event {
        at: scoresheet::canonical::Time::from_unix_ms(time).unwrap(),
        by: by(),
        what: what.into(),
    };
    Verified::write(event).unwrap()
}

fn protocol() -> ProtocolPublished {
    body(json!({
        "attempts": 1, "candidate_help": "none", "colors": "once_each",
        "context": "game_moves", "conversation": "none",
        "failed_request": {"policy": "replay_cell"},
        "glicko2": {"deviation": "350", "rating": "1500", "tau": "0.5", "volatility": "0.06"},
        "ladder": {"reach": 5, "window_hours": 48},
        "legal_moves_listed": false, "name": "t", "pairing": "pool", "ply_cap": 9,
        "rules": "chessjs-1.4", "start": "standard",
    }))
}

impl Tale {
    fn new() -> Self {
        let mut tale = Self {
            events: Vec::new(),
            protocol: EventId::of(b""),
            systems: Vec::new(),
            person: EventId::of(b""),
            schedule: EventId::of(b""),
            games: Vec::new(),
        };
        tale.protocol = tale.say(protocol());
        tale.systems = ["a", "b", "c"]
            .map(|name| tale.say(system(name, name)))
            .to_vec();
        let person: PlayerRegistered = body(json!({"account": "7".repeat(64), "issuer": "x"}));
        tale.person = tale.say(person);
        let committed: ScheduleCommitted = body(json!({
            "cohort": "t", "protocol": tale.protocol, "rule": "double_round_robin",
            "run_file": "0".repeat(64), "systems": tale.systems,
        }));
        tale.schedule = tale.say(committed.clone());
        let seed = "0".repeat(64);
        let era: EraStarted = body(json!({
            "name": "e", "placement": tale.schedule, "protocol": tale.protocol, "seed_sha256": seed,
        }));
        tale.say(era);
        for cell in 0..6 {
            tale.play(start(tale.schedule, &committed, cell), ENDS[cell % 3]);
        }
        tale
    }

    fn say(&mut self, what: impl Into<What>) -> EventId {
        let event = at(self.events.len(), what);
        let id = event.id();
        self.events.push(event);
        id
    }

    /// Plays a game and says how it ended, whatever the moves give.
    fn play(&mut self, started: GameStarted, end: (&str, GameResult, Termination)) -> EventId {
        let game = self.say(started);
        self.games.push(game);
        let moves: Vec<_> = end.0.split(' ').collect();
        for (ply, uci) in (1..).zip(&moves) {
            self.say(accepted(game, ply, uci));
        }
        self.say(GameFinished {
            game,
            plies: u32::try_from(moves.len()).unwrap().into(),
            result: end.1,
            termination: end.2,
        })
    }

    fn manual(&self, white: EventId, black: EventId) -> GameStarted {
        let is_human = [white, black].contains(&self.person);
        let mut started = json!({
            "protocol": self.protocol,
            "seats": {"black": black, "white": white},
            "stage": if is_human { Stage::Human.as_str() } else { Stage::Manual.as_str() },
            "start": {"fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "variant": "standard"},
        });
        if is_human {
            started["billing"] = "free".into();
        }
        body(started)
    }

    /// Tells what a step of a history is.
    fn tell(&mut self, step: &Step) {
        match *step {
            Step::Game(white, black, end) if white != black => {
                let started = self.manual(self.systems[white], self.systems[black]);
                self.play(started, ENDS[end]);
            }
            Step::Game(..) => {}
            Step::Human(system, end, has_white) => {
                let (one, other) = (self.person, self.systems[system]);
                let started = if has_white {
                    self.manual(one, other)
                } else {
                    self.manual(other, one)
                };
                self.play(started, ENDS[end]);
            }
            Step::Call(system, cost, later) => {
                let sent: CallSent = body(json!({"attempt": 1, "system": self.systems[system]}));
                let call = self.say(sent);
                let mut answered = json!({
                    "call": call, "time": {"total_ms": 1}, "tokens": {"completion": 5, "prompt": 7},
                });
                if let Some(cost) = cost {
                    answered["cost_usd"] = format!("0.{cost}").into();
                }
                let answered: CallAnswered = body(answered);
                self.say(answered);
                for amount in later {
                    self.say(CostLookedUp {
                        amount_usd: format!("0.{amount}").parse().unwrap(),
                        call,
                    });
                }
            }
            Step::Expense(amount) => {
                let spent: ExpenseRecorded = body(json!({
                    "amount_usd": amount.to_string(), "category": "hosting", "note": "bill",
                }));
                self.say(spent);
            }
        }
    }

    fn project(&self) -> Projection {
        project(&self.events)
    }
}

fn project(events: &[Verified<Event>]) -> Projection {
    let mut projection = Projection::default();
    for event in events {
        projection.apply(event);
    }
    projection
}

#[derive(Clone, Debug)]
enum Step {
    /// Between two of the systems, ending like this.
    Game(usize, usize, usize),
    /// With a person, who may have White.
    Human(usize, usize, bool),
    /// A call with a cost, and two that are looked up later.
    Call(usize, Option<u8>, [u8; 2]),
    Expense(u8),
}

fn step() -> impl Strategy<Value = Step> {
    let digit = || 1_u8..10;
    prop_oneof![
        3 => (0..3_usize, 0..3_usize, 0..3_usize).prop_map(|(w, b, e)| Step::Game(w, b, e)),
        2 => (0..3_usize, 0..3_usize, any::<bool>()).prop_map(|(s, e, c)| Step::Human(s, e, c)),
        2 => (0..3_usize, proptest::option::of(digit()), digit(), digit())
            .prop_map(|(s, cost, one, other)| Step::Call(s, cost, [one, other])),
        1 => digit().prop_map(Step::Expense),
    ]
}

fn tale() -> impl Strategy<Value = Tale> {
    prop::collection::vec(step(), 0..12).prop_map(|steps| {
        let mut tale = Tale::new();
        for step in &steps {
            tale.tell(step);
        }
        tale
    })
}

fn correction(
    change: CorrectionChange,
    targets: &[EventId],
    values: &[(&str, &str)],
) -> CorrectionRecorded {
    let values = values.iter().map(|(name, value)| NamedValue {
        name: (*name).to_owned(),
        value: (*value).to_owned(),
    });
    CorrectionRecorded {
        change,
        evidence: "a log".to_owned(),
        reason: "a reason".to_owned(),
        targets: targets.to_vec(),
        values: values.collect(),
    }
}

fn exclude(target: EventId) -> CorrectionRecorded {
    correction(CorrectionChange::Exclude, &[target], &[])
}

fn reverse(target: EventId) -> CorrectionRecorded {
    correction(CorrectionChange::Reverse, &[target], &[])
}

fn supersede(target: EventId, values: &[(&str, &str)]) -> CorrectionRecorded {
    correction(CorrectionChange::Supersede, &[target], values)
}

/// A correction that this event can have: one of each kind of change and field.
fn correction_of(event: &Verified<Event>) -> Option<CorrectionRecorded> {
    let id = event.id();
    // As good as a coin.
    let is_low = id.digest().as_bytes()[0] < 128;
    match &event.what {
        What::GameStarted(_) => Some(exclude(id)),
        What::CostLookedUp(_) | What::ExpenseRecorded(_) if is_low => Some(exclude(id)),
        What::CostLookedUp(_) => Some(supersede(id, &[("amount_usd", "0.77")])),
        What::CallAnswered(_) if is_low => Some(supersede(
            id,
            &[("cost_usd", "0.55"), ("tokens.prompt", "99")],
        )),
        What::CallAnswered(_) => Some(supersede(id, &[("tokens.completion", "0")])),
        What::ExpenseRecorded(_) => Some(supersede(
            id,
            &[("amount_usd", "-3"), ("category", "other")],
        )),
        _ => None,
    }
}

/// Some of the corrections that a history can have, chosen by dice.
fn corrections_of(tale: &Tale, dice: u64) -> Vec<Verified<Event>> {
    let corrections = tale.events.iter().filter_map(correction_of);
    let chosen = corrections
        .enumerate()
        .filter(|(number, _)| dice >> (number % 64) & 1 == 1);
    chosen
        .map(|(number, one)| at(10_000 + number, one))
        .collect()
}

fn reversals_of(corrections: &[Verified<Event>]) -> Vec<Verified<Event>> {
    let numbered = corrections.iter().enumerate();
    numbered
        .map(|(number, one)| at(20_000 + number, reverse(one.id())))
        .collect()
}

/// Every figure that somebody could read, to the last bit.
fn figures(projection: &Projection) -> String {
    let eras = projection.eras.iter().map(|era| {
        let recent = projection.identities.iter().map(|identity| {
            let time = scoresheet::canonical::Time::from_unix_ms(1_796_100_000_000).unwrap();
            era.recent(&identity.id, time)
        });
        let recent: Vec<_> = recent.collect();
        format!(
            "{:?} {:?} {recent:?}",
            era.ladder,
            projection.standings_of(era)
        )
    });
    let games = projection.games.iter().map(|game| {
        let resources = &game.resources;
        format!(
            "{:?} {} {:?} {resources:?}",
            game.state, game.is_excluded, game.corrected_by
        )
    });
    let cohorts = projection.schedules.cohort_names().map(|name| {
        let cohort = projection.cohort(name.as_str()).unwrap();
        format!("{:?} {}", cohort.counts(), cohort.counting().count())
    });
    format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}",
        eras.collect::<Vec<_>>(),
        projection.people,
        games.collect::<Vec<_>>(),
        cohorts.collect::<Vec<_>>(),
        projection.systems,
        projection.costs.figures(),
        projection.costs.prices,
        projection.findings,
        projection.answered,
    )
}

/// The figures after these events too.
fn after(tale: &Tale, more: &[&[Verified<Event>]]) -> String {
    let mut events = tale.events.clone();
    for more in more {
        events.extend_from_slice(more);
    }
    figures(&project(&events))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_corrected_and_taken_back_never_was(tale in tale(), dice: u64) {
        let corrections = corrections_of(&tale, dice);
        let reversals = reversals_of(&corrections);
        let never = after(&tale, &[]);
        prop_assert_eq!(&after(&tale, &[&corrections, &reversals]), &never);
        // In any order, and for who comes between as well.
        let mut backwards = reversals.clone();
        backwards.reverse();
        prop_assert_eq!(&after(&tale, &[&corrections, &backwards]), &never);
        let mut events = Vec::new();
        for event in &tale.events {
            events.push(event.clone());
            if let Some(one) = correction_of(event).filter(|_| dice & 1 == 1) {
                let one = at(30_000 + events.len(), one);
                let back = at(40_000 + events.len(), reverse(one.id()));
                events.extend([one, back]);
            }
        }
        prop_assert_eq!(&figures(&project(&events)), &never);
    }

    #[test]
    fn reversing_a_reversal_is_the_correction_itself(tale in tale(), dice: u64) {
        let corrections = corrections_of(&tale, dice);
        let reversals = reversals_of(&corrections);
        let again: Vec<_> = reversals.iter().enumerate()
            .map(|(number, one)| at(50_000 + number, reverse(one.id()))).collect();
        let corrected = after(&tale, &[&corrections]);
        prop_assert_eq!(&after(&tale, &[&corrections, &reversals, &again]), &corrected);
    }

    #[test]
    fn the_order_of_independent_corrections_does_not_matter(
        tale in tale(), dice: u64, keys in prop::collection::vec(any::<u32>(), 64),
    ) {
        let corrections = corrections_of(&tale, dice);
        let mut shuffled: Vec<_> = corrections.iter().cloned().enumerate().collect();
        shuffled.sort_by_key(|(number, _)| keys[number % keys.len()]);
        let shuffled: Vec<_> = shuffled.into_iter().map(|(_, one)| one).collect();
        prop_assert_eq!(after(&tale, &[&corrections]), after(&tale, &[&shuffled]));
    }

    #[test]
    fn one_go_is_event_by_event_is_from_any_clone_and_a_prefix_stays_what_it_was(
        tale in tale(), dice: u64, cut: prop::sample::Index,
    ) {
        let corrections = corrections_of(&tale, dice);
        let mut events = tale.events.clone();
        events.extend(corrections.iter().cloned());
        events.extend(reversals_of(&corrections[..corrections.len() / 2]));
        let cut = cut.index(events.len());
        let prefix = project(&events[..cut]);
        let before = figures(&prefix);
        let mut resumed = prefix.clone();
        for event in &events[cut..] {
            resumed.apply(event);
        }
        prop_assert_eq!(figures(&resumed), figures(&project(&events)));
        prop_assert_eq!(figures(&prefix), before);
        let mut forgetful = Projection::forgetful();
        for event in &events {
            forgetful.apply(event);
        }
        forgetful.forget();
        if forgetful.knows_every_call() {
            prop_assert_eq!(forgetful.costs.figures(), resumed.costs.figures());
        }
        prop_assert_eq!(forgetful.findings, resumed.findings);
        prop_assert_eq!(forgetful.answered, resumed.answered);
    }

    #[test]
    fn an_excluded_game_rates_as_one_that_was_aborted(steps in prop::collection::vec(
        (0..3_usize, 0..3_usize, 0..3_usize), 1..8), which: prop::sample::Index,
    ) {
        let mut tale = Tale::new();
        for (white, black, end) in steps {
            tale.tell(&Step::Game(white, black, end));
        }
        prop_assume!(6 < tale.games.len());
        let game = tale.games[6 + which.index(tale.games.len() - 6)];
        let excluded = at(10_000, exclude(game));
        let mut events = tale.events.clone();
        events.push(excluded);
        let excluded = project(&events);
        let aborted = tale.events.iter().map(|event| match &event.what {
            What::GameFinished(finished) if finished.game == game => {
                let aborted: GameAborted = body(json!({
                    "cause": "maintainer", "game": game, "reason": "none",
                }));
                at(60_000, aborted)
            }
            _ => event.clone(),
        });
        let aborted = project(&aborted.collect::<Vec<_>>());
        let era = |of: &Projection| {
            let era = of.eras.iter().next().unwrap();
            format!("{:?} {:?}", era.ladder, of.standings_of(era))
        };
        prop_assert_eq!(era(&excluded), era(&aborted));
        prop_assert_ne!(era(&excluded), era(&tale.project()));
    }
}

#[test]
fn the_tale_itself_contradicts_nothing() {
    let mut tale = Tale::new();
    tale.tell(&Step::Game(0, 1, 0));
    tale.tell(&Step::Human(2, 1, true));
    let projection = tale.project();
    assert_eq!(projection.findings, vec![]);
    let era = projection.eras.iter().next().unwrap();
    assert!(era.is_placed);
    assert_eq!(era.ladder.rated().len(), 1);
    assert_eq!(projection.people.iter().next().unwrap().games.len(), 1);
}

#[test]
fn an_excluded_game_keeps_its_cell_its_record_and_its_cost() {
    let mut tale = Tale::new();
    let game = tale.games[0];
    tale.say(exclude(game));
    let projection = tale.project();
    let cohort = projection.cohort("t").unwrap();
    assert!(cohort.is_terminal(), "excluding is no way to a second try");
    assert_eq!(cohort.finished().count(), 6);
    assert_eq!(cohort.counting().count(), 5);
    assert_eq!(cohort.counts().excluded, 1);
    assert_eq!(projection.games.count(), 6);
    // Playing it again is what it was: a cell that was played twice.
    let again = tale.events.iter().find_map(|event| match &event.what {
        What::GameStarted(started) => Some(started.clone()),
        _ => None,
    });
    tale.say(again.unwrap());
    let codes: Vec<_> = tale.project().findings.iter().map(|one| one.code).collect();
    assert!(codes.contains(&Code::CellReplayed), "{codes:?}");
}

#[test]
fn what_stands_against_an_excluded_game_is_answered_and_against_others_is_not() {
    let mut tale = Tale::new();
    for _ in 0..2 {
        let started = tale.manual(tale.systems[0], tale.systems[1]);
        tale.play(
            started,
            (MATE.0, GameResult::BlackWins, Termination::Checkmate),
        );
    }
    let before = tale.project();
    assert_eq!(before.findings.len(), 2);
    let correction = tale.say(exclude(tale.games[6]));
    let projection = tale.project();
    assert_eq!(projection.findings, before.findings[1..]);
    let answered: Vec<_> = projection.answered.iter().collect();
    assert_eq!(answered.len(), 1);
    assert_eq!(answered[0].finding, before.findings[0]);
    assert_eq!(answered[0].correction, correction);
    // What comes against it later is answered as well.
    tale.say(accepted(tale.games[6], 9, "a2a3"));
    assert_eq!(tale.project().answered.len(), 2);
    tale.say(reverse(correction));
    assert_eq!(tale.project().findings.len(), 3);
}

#[test]
fn a_result_is_put_right_only_as_the_moves_give_it() {
    let mut tale = Tale::new();
    let started = tale.manual(tale.systems[0], tale.systems[1]);
    let finished = tale.play(
        started,
        (MATE.0, GameResult::BlackWins, Termination::Checkmate),
    );
    let wrong = tale.project();
    let right = |tale: &Tale| {
        let mut right = Tale::new();
        let started = right.manual(right.systems[0], right.systems[1]);
        right.play(started, MATE);
        let ratings = |tale: &Tale| {
            let projection = tale.project();
            let era = projection.eras.iter().next().unwrap();
            let members: Vec<_> = era.ladder.members().collect();
            format!("{members:?}")
        };
        assert_eq!(ratings(tale), ratings(&right));
    };
    let mut mended = tale.clone();
    let correction = mended.say(supersede(finished, &[("result", "1-0")]));
    let projection = mended.project();
    assert_eq!(projection.findings, vec![]);
    assert_eq!(projection.answered[0].finding, wrong.findings[0]);
    assert_eq!(projection.answered[0].correction, correction);
    right(&mended);
    // Another result is a contradiction, and changes nothing.
    let mut worse = tale.clone();
    let correction = worse.say(supersede(finished, &[("result", "1/2-1/2")]));
    let projection = worse.project();
    assert_eq!(projection.findings.len(), 2);
    assert_eq!(projection.findings[1].code, Code::CorrectionContradicted);
    let game = projection.games.game(worse.games.last().unwrap()).unwrap();
    assert_eq!(game.result(), Some(GameResult::BlackWins));
    // Taken back, it stands in nobody's way.
    worse.say(reverse(correction));
    worse.say(supersede(finished, &[("result", "1-0")]));
    let projection = worse.project();
    assert_eq!(projection.findings, vec![]);
    assert_eq!(projection.answered.len(), 2);
    right(&worse);
}

#[test]
fn reversing_what_is_reversed_already_is_found_and_reversing_it_again_is_not() {
    let mut tale = Tale::new();
    let correction = tale.say(exclude(tale.games[0]));
    let first = tale.say(reverse(correction));
    assert_eq!(tale.project().findings, vec![]);
    let second = tale.say(reverse(correction));
    let codes: Vec<_> = tale.project().findings.iter().map(|one| one.code).collect();
    assert_eq!(codes, [Code::CorrectionContradicted]);
    tale.say(reverse(second));
    assert_eq!(tale.project().findings, vec![]);
    assert!(!tale.project().corrections.is_excluded(&tale.games[0]));
    tale.say(reverse(first));
    assert!(tale.project().corrections.is_excluded(&tale.games[0]));
}

#[test]
fn where_the_first_word_on_a_cost_is_excluded_the_next_one_counts() {
    let mut tale = Tale::new();
    tale.tell(&Step::Call(0, None, [3, 5]));
    let looked_up: Vec<_> = tale
        .events
        .iter()
        .filter(|event| matches!(event.what, What::CostLookedUp(_)))
        .map(Verified::id)
        .collect();
    let cost = |tale: &Tale| {
        let projection = tale.project();
        let system = projection.systems.system(&tale.systems[0]).unwrap();
        let tally = system.resources.cost_usd;
        tally.known().map(|sum| sum.to_string())
    };
    assert_eq!(cost(&tale).as_deref(), Some("0.3"));
    tale.say(exclude(looked_up[0]));
    assert_eq!(cost(&tale).as_deref(), Some("0.5"));
    tale.say(exclude(looked_up[1]));
    assert_eq!(cost(&tale), None, "unknown is not zero");
}
