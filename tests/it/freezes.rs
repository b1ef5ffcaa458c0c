//! What is frozen, pinned and named: once, and only what the ledger bears out.

use scoresheet::event::{CohortFrozen, CorrectionRecorded, GameFinished, Verified, What};
use scoresheet::projection::Projection;
use serde_json::{Value, json};

use crate::bundle::Bundle;
use crate::story::{body, event, event_at, fools_mate, start, story};

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

#[test]
fn a_cohort_that_grows_is_frozen_live_and_the_complete_one_names_what_it_supersedes() {
    let bundle = Bundle::new();
    let committed = story().second("u");
    let schedule = event(committed.clone());
    let id = schedule.id();
    bundle.append(&[schedule]);
    bundle.append(&fools_mate(start(id, &committed, 0)));
    let freeze = |more: &[&str], time: &str| {
        let words = ["freeze", "u", "--by", "t", "--time", time];
        bundle.run(&[&words[..], more].concat()).code
    };
    let newest = || {
        let events = String::from_utf8(bundle.read("ledger/events/000000.jsonl")).unwrap();
        let line = events.lines().rfind(|line| line.contains("cohort.frozen"));
        let event: Value = serde_json::from_str(line.unwrap()).unwrap();
        let manifest = event["what"]["manifest"].as_str().unwrap().to_owned();
        let file = bundle.read(&format!("manifests/u-{manifest}.json"));
        let made: Value = serde_json::from_slice(&file).unwrap();
        // The event says what the manifest says.
        for field in ["label", "supersedes"] {
            assert_eq!(event["what"].get(field), made.get(field));
        }
        (manifest, made)
    };
    assert_eq!(freeze(&[], LATER), 1);
    assert_eq!(freeze(&["--live"], LATER), 0);
    let (live, made) = newest();
    assert_eq!(
        (&made["label"], &made["open"]),
        (&json!("live"), &json!([1]))
    );
    assert_eq!(made.get("supersedes"), None);
    assert_eq!(
        bundle
            .run(&["release", "new", "r2", "--cohort", "u", "--replace"])
            .code,
        2
    );
    bundle.append(&fools_mate(start(id, &committed, 1)));
    assert_eq!(freeze(&["--live"], LATER), 1);
    assert_eq!(freeze(&[], LATER), 0);
    let (complete, made) = newest();
    assert_eq!((made.get("label"), made.get("open")), (None, None));
    assert_eq!(made["supersedes"], json!(live));

    // A correction of what is frozen makes a new manifest, which names the old one.
    let games = made["games"].as_array().unwrap();
    let correction: CorrectionRecorded = body(json!({
        "change": "exclude", "evidence": "e", "reason": "r", "targets": [games[0]["game"]],
    }));
    bundle.append(&[event(correction)]);
    assert_eq!(freeze(&[], LATER), 0);
    assert_eq!(newest().1["supersedes"], json!(complete));
    bundle.must(&["verify"]);
    bundle.must(&["release", "new", "r2", "--cohort", "u", "--replace"]);
}
