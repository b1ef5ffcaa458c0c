//! What is frozen, pinned and named: once, and only what the ledger bears out.

use scoresheet::event::{CohortFrozen, GameFinished, Verified, What};
use scoresheet::projection::Projection;

use crate::bundle::Bundle;
use crate::story::{event, event_at, story};

/// Later than everything in the smallest project: two facts share no line.
const LATER: &str = "2031-01-01T00:00:00.000Z";

fn frozen(bundle: &Bundle) -> CohortFrozen {
    let events = bundle.read("ledger/events/000000.jsonl");
    let lines = events.trim_ascii_end().split(|byte| *byte == b'\n');
    let mut events = lines.map(|line| Verified::parse(line).unwrap());
    events
        .find_map(|event| match &event.what {
            What::CohortFrozen(frozen) => Some(frozen.clone()),
            _ => None,
        })
        .unwrap()
}

#[test]
fn a_cohort_is_frozen_once_and_under_its_own_schedule() {
    let bundle = Bundle::new();
    bundle.must(&["verify"]);
    bundle.append(&[event_at(LATER, frozen(&bundle))]);
    let twice = bundle.run(&["verify"]);
    assert_eq!(twice.code, 1);
    assert!(twice.out.contains("to be frozen once"), "{}", twice.out);

    let bundle = Bundle::new();
    let other = event(story().second("u"));
    let mut forged = frozen(&bundle);
    forged.schedule = other.id();
    bundle.append(&[other, event_at(LATER, forged)]);
    let elsewhere = bundle.run(&["verify"]);
    assert_eq!(elsewhere.code, 1);
    assert!(elsewhere.out.contains("the schedule"), "{}", elsewhere.out);
}

#[test]
fn evidence_that_contradicts_itself_is_not_frozen() {
    let bundle = Bundle::played();
    let mut projection = Projection::default();
    for event in &story().events {
        projection.apply(event);
    }
    let game = projection.games.iter().next().unwrap();
    let again = GameFinished {
        game: game.id,
        plies: 4_u32.into(),
        result: game.result().unwrap(),
        termination: game.termination().unwrap(),
    };
    bundle.append(&[event_at(LATER, again)]);
    let before = bundle.files();
    assert_eq!(bundle.run(&["freeze", "t"]).code, 1);
    assert_eq!(bundle.files(), before);
}

#[test]
fn what_a_generator_makes_is_not_pinned_instead() {
    let bundle = Bundle::new();
    for role in ["board", "game index", "games", "reliability table"] {
        bundle.specify(|specification| specification["artifacts"][2]["role"] = role.into());
        let refused = bundle.run(&["audit"]);
        assert_eq!(refused.code, 1, "{role}");
        assert!(
            refused.out.contains("a generator for the role"),
            "{}",
            refused.out
        );
    }
}

#[test]
fn a_release_has_a_name_of_its_own_and_names_a_cohort_once() {
    let bundle = Bundle::new();
    let before = bundle.files();
    for words in [
        &["release", "new", "r", "--cohort", "t", "--replace"][..],
        &[
            "release",
            "new",
            "r2",
            "--cohort",
            "t",
            "--cohort",
            "t",
            "--replace",
        ],
    ] {
        assert_eq!(bundle.run(words).code, 2, "{words:?}");
        assert_eq!(bundle.files(), before);
    }
}
