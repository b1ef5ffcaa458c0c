//! What can be wrong with what is claimed of a release.

use std::sync::LazyLock;

use scoresheet::digest::Digest;
use scoresheet::event::{
    ClaimRecorded, ClaimReviewed, CorrectionRecorded, Event, EventId, EvidenceStatus,
    PreregistrationCommitted, ScheduleCommitted, Verified,
};
use scoresheet::finding::Code;
use scoresheet::ledger::{Prefix, Waivers, create, put_blob};
use serde_json::{Value, json};

use crate::bundle::{Bundle, File};
use crate::codes::{Case, Look, case};
use crate::story::{RUN_FILE, TIME, body, by, event, fools_mate, start, story};

/// The endpoints that are promised.
const ENDPOINTS: [&str; 2] = ["games", "forfeits"];

/// An observed result of the smallest cohort: so many of its games are finished.
pub(crate) fn claim(games: &str, change: impl FnOnce(&mut Value)) -> Verified<Event> {
    let mut claim = json!({
        "cohorts": ["t"],
        "evidence_status": "pilot",
        "figures": [{
            "column": "games_finished",
            "generator": {
                "arguments": [
                    {"name": "cohort", "value": "t"},
                    {"name": "format", "value": "csv"},
                ],
                "name": "reliability-csv",
                "version": 1,
            },
            "row": [{"name": "system", "value": "a"}],
            "value": games,
        }],
        "kind": "observed_system_result",
        "name": "games",
        "statement": "System a finished its games.",
    });
    change(&mut claim);
    event(body::<ClaimRecorded>(claim))
}

/// A review of a claim, of the ledger as it stands.
fn review(bundle: &Bundle, claim: &EventId, change: impl FnOnce(&mut Value)) -> Verified<Event> {
    let disk = bundle.disk();
    let prefix = Prefix::open(&disk).unwrap();
    let mut review = json!({
        "checkpoint": {"root": prefix.root(), "size": prefix.size()},
        "claim": claim, "reason": "the table says so", "reviewer": "t", "verdict": "upheld",
    });
    change(&mut review);
    event(body::<ClaimReviewed>(review))
}

/// Claims something, has it reviewed, and binds the release to all of it.
pub(crate) fn claimed(bundle: &Bundle, claim: &Verified<Event>) {
    bundle.append(std::slice::from_ref(claim));
    reviewed(bundle, claim, |_| ());
}

fn reviewed(bundle: &Bundle, claim: &Verified<Event>, change: impl FnOnce(&mut Value)) {
    bundle.append(&[review(bundle, &claim.id(), change)]);
    bundle.bind();
}

fn plain(_: &mut Value) {}

fn excluded(bundle: &Bundle) {
    claimed(bundle, &claim("2", plain));
    bundle.append(&[event(body::<CorrectionRecorded>(json!({
        "change": "exclude", "evidence": "e", "reason": "r", "targets": [story().games[0]],
    })))]);
    bundle.bind();
}

pub(crate) fn promise(status: EvidenceStatus) -> PreregistrationCommitted {
    body(json!({
        "cohort": "t", "evidence_status": status, "exclusions": "", "hypothesis": "h",
        "primary_endpoints": ENDPOINTS, "stopping_rule": "Every cell once.",
    }))
}

fn schedule() -> (ScheduleCommitted, Verified<Event>) {
    let committed = ScheduleCommitted {
        preregistration: Some(event(promise(EvidenceStatus::Provisional)).id()),
        ..story().committed.clone()
    };
    let schedule = event(committed.clone());
    (committed, schedule)
}

/// A claim that reports an endpoint of what was promised.
fn report(position: usize, text: &str) -> Verified<Event> {
    claim("2", |claim| {
        claim["endpoint"] = json!({
            "position": position,
            "preregistration": event(promise(EvidenceStatus::Provisional)).id(),
            "text": text,
        });
        claim["name"] = json!(format!("endpoint-{position}"));
    })
}

/// The smallest project whose cohort was promised first, with both endpoints
/// reported.
pub(crate) fn promised() -> Bundle {
    static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
        let bundle = Bundle::empty();
        let origin = "t".parse().unwrap();
        create(&bundle.disk(), origin, TIME.parse().unwrap(), by()).unwrap();
        put_blob(&bundle.disk(), RUN_FILE, &Waivers::default()).unwrap();
        let (committed, schedule) = schedule();
        let mut events = story().events[..3].to_vec();
        let id = schedule.id();
        events.extend([event(promise(EvidenceStatus::Provisional)), schedule]);
        for cell in 0..2 {
            events.extend(fools_mate(start(id, &committed, cell)));
        }
        bundle.append(&events);
        bundle.release();
        for (position, text) in ENDPOINTS.into_iter().enumerate() {
            claimed(&bundle, &report(position, text));
        }
        bundle.must(&["release", "build"]);
        bundle.files()
    });
    Bundle::of(&FILES)
}

/// Another claim stands in the place of the one that reports the first endpoint.
fn superseded(bundle: &Bundle, change: impl FnOnce(&mut Value)) {
    let earlier = report(0, ENDPOINTS[0]).id();
    let (position, text) = (1, ENDPOINTS[1]);
    let later = claim("2", |claim| {
        claim["endpoint"] = json!({
            "position": position,
            "preregistration": event(promise(EvidenceStatus::Provisional)).id(),
            "text": text,
        });
        claim["supersedes"] = json!(earlier);
        change(claim);
    });
    claimed(bundle, &later);
}

#[rustfmt::skip]
pub(crate) fn cases() -> Vec<Case> {
    use Look::Publication;
    let on_promised = |code, change| Case { code, start: promised, change, look: Publication };
    vec![
        case(Code::ClaimUnfounded, Publication, |b| claimed(b, &claim("2", |claim| claim["cohorts"] = json!(["t", "u"])))),
        case(Code::ClaimOverstated, Publication, |b| claimed(b, &claim("2", |claim| claim["evidence_status"] = json!("provisional")))),
        case(Code::ClaimUnreviewed, Publication, |b| {
            b.append(&[claim("2", plain)]);
            b.bind();
        }),
        case(Code::ClaimStale, Publication, excluded),
        case(Code::ClaimContradicted, Publication, |b| claimed(b, &claim("1", plain))),
        case(Code::ClaimContradicted, Publication, |b| claimed(b, &claim("2", |claim| claim["figures"][0]["column"] = json!("x")))),
        case(Code::ClaimContradicted, Publication, |b| claimed(b, &claim("2", |claim| claim["figures"][0]["row"][0]["value"] = json!("c")))),
        case(Code::ClaimContradicted, Publication, |b| claimed(b, &claim("2", |claim| claim["figures"][0]["row"][0] = json!({"name": "games_finished", "value": "2"})))),
        case(Code::ClaimContradicted, Publication, |b| claimed(b, &claim("2", |claim| claim["figures"][0]["generator"]["version"] = json!(9)))),
        case(Code::ClaimContradicted, Publication, |b| claimed(b, &claim("2", |claim| claim["figures"][0]["generator"]["name"] = json!("claims")))),
        on_promised(Code::ClaimContradicted, |b| superseded(b, |claim| claim["endpoint"]["position"] = json!(2))),
        case(Code::ReviewContradicted, Publication, |b| {
            let claim = claim("2", plain);
            b.append(std::slice::from_ref(&claim));
            reviewed(b, &claim, |review| review["checkpoint"]["root"] = json!(Digest::of(b"")));
        }),
        case(Code::ReviewContradicted, Publication, |b| {
            let claim = claim("2", plain);
            b.append(std::slice::from_ref(&claim));
            reviewed(b, &claim, |review| review["checkpoint"]["size"] = json!(999));
        }),
        on_promised(Code::EndpointUnreported, |b| reviewed(b, &report(0, ENDPOINTS[0]), |review| review["verdict"] = json!("withdrawn"))),
        on_promised(Code::EndpointUnreported, |b| superseded(b, plain)),
        on_promised(Code::EndpointUnreported, |b| superseded(b, |claim| claim["endpoint"]["position"] = json!(0))),
        on_promised(Code::EndpointUnreported, |b| superseded(b, |claim| {
            claim["endpoint"]["position"] = json!(0);
            claim["endpoint"]["text"] = json!(ENDPOINTS[0]);
            claim["kind"] = json!("mechanistic_interpretation");
        })),
        on_promised(Code::PreregistrationLate, |b| {
            let mut late = promise(EvidenceStatus::Provisional);
            "The games that were lost.".clone_into(&mut late.exclusions);
            b.append(&[event(late)]);
            b.bind();
        }),
    ]
}

#[test]
fn a_cohort_whose_endpoints_are_reported_and_whose_claims_are_reviewed_passes() {
    let bundle = promised();
    assert_eq!(
        bundle.run(&["audit"]).code,
        0,
        "{}",
        bundle.run(&["audit"]).out
    );
    // A claim that nobody makes any more asks for nothing.
    let wrong = claim("1", plain);
    bundle.append(std::slice::from_ref(&wrong));
    reviewed(&bundle, &wrong, |review| {
        review["verdict"] = json!("withdrawn");
    });
    bundle.must(&["release", "build"]);
    bundle.must(&["audit"]);
}
