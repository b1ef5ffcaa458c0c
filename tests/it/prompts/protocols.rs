//! The protocols for models, side by side.

use std::fmt::Write as _;

use scoresheet::event::{AnchoredRule, Event, EventId, Verified};
use scoresheet::run::prompts::{Feedback, PuzzlePrompt, Template, TrackA, set_digest};
use scoresheet::run::{ModelProtocol, side_by_side};

use crate::events::compare;
use crate::prompts::cases::{ANCHORED, CHESSBENCH, TRACK_A};
use crate::story::event;

fn rule(scale: &str) -> AnchoredRule {
    AnchoredRule {
        color_effect: None,
        draw_rate: None,
        scale: scale.parse().unwrap(),
    }
}

fn track_a(prompts: TrackA) -> ModelProtocol {
    ModelProtocol::track_a("track-a".parse().unwrap(), prompts, rule("sf18-uci"), 200)
}

fn protocols() -> [ModelProtocol; 5] {
    let analyst = EventId::of(b"analyst");
    let name = |name: &str| name.parse().unwrap();
    [
        ModelProtocol::chessbench_v3(name("chessbench-v3"), CHESSBENCH),
        ModelProtocol::anchored(name("anchored"), ANCHORED, rule("sf18-elo"), analyst),
        track_a(TRACK_A),
        ModelProtocol::puzzles(name("puzzles"), &PuzzlePrompt::default()),
        ModelProtocol::positions(name("positions"), TrackA::default(), 3),
    ]
}

#[test]
fn they_stand_side_by_side_with_every_field() {
    compare("tests/prompts/protocols.txt", &side_by_side(&protocols()));
}

/// A text that changes by a byte changes a line here, and what it was measured
/// with is another submission.
#[test]
fn every_text_of_a_protocol_has_its_digest() {
    let mut lines = String::new();
    for protocol in protocols() {
        let rules = &protocol.published;
        writeln!(lines, "{} {}", rules.name, set_digest(&rules.prompts)).unwrap();
        for prompt in &rules.prompts {
            writeln!(lines, "  {}  {}", prompt.sha256, prompt.name).unwrap();
        }
    }
    compare("tests/prompts/digests.txt", &lines);
}

#[test]
fn what_is_published_is_a_valid_event_and_its_prompts_are_part_of_it() {
    for protocol in protocols() {
        let line = event(protocol.published.clone());
        let again = Verified::<Event>::parse(line.line().as_bytes()).unwrap();
        assert_eq!(again.id(), line.id());
        let value = serde_json::from_str(line.line()).unwrap();
        let violations = scoresheet::schema::check("protocol.published.v1", &value).unwrap();
        assert_eq!(violations.shown, []);
        let other = Template::read("other", "text", &[]).unwrap();
        let other = protocol.with_prompts(&[other]);
        assert_ne!(event(other.published).id(), line.id());
    }
    let notice = TrackA {
        feedback: Feedback::Notice,
        ..TRACK_A
    };
    let ids = [TRACK_A, notice].map(|prompts| event(track_a(prompts).published).id());
    assert_ne!(ids[0], ids[1]);
}
