//! What can be wrong with a release.

use std::fs::File;

use scoresheet::digest::Digest;
use scoresheet::event::{
    AnchorBasis, AnchorRegistered, CheckpointRef, CohortFrozen, Event, EvidenceStatus, FreezeLabel,
    Verified, What,
};
use scoresheet::finding::Code;
use scoresheet::ledger::{Prefix, Waivers, put_blob};
use scoresheet::manifest::{self, AnchorFit, FitConstants};
use scoresheet::projection::{Projection, Source};
use serde_json::{Value, json};

use crate::bundle::Bundle;
use crate::codes::{Case, Look, case};
use crate::mutations::{meaning, verdict};
use crate::story::{event, story};

const NOTES: &str = "release/notes.md";

fn specify(bundle: &Bundle, pointer: &str, value: Value) {
    bundle.specify(|specification| *specification.pointer_mut(pointer).unwrap() = value);
}

/// Makes the pinned artifact a file of this length, of zeros.
fn lengthen(bundle: &Bundle, bytes: u64) {
    let file = File::create(bundle.at(NOTES)).unwrap();
    file.set_len(bytes).unwrap();
}

/// Publishes the same release once more, with more confidence than it can bear.
fn exaggerate(bundle: &Bundle) {
    let events = bundle.read("ledger/events/000000.jsonl");
    let last = events.trim_ascii_end().rsplit(|byte| *byte == b'\n').next();
    let last: Verified<Event> = Verified::parse(last.unwrap()).unwrap();
    let What::ReleasePublished(mut published) = last.what.clone() else {
        panic!("the last event published the release");
    };
    published.supersedes = Some(last.id());
    published.evidence_status = EvidenceStatus::Confirmatory;
    bundle.append(&[event(published)]);
}

/// Fits one system to its games against the other, and registers its level so far off.
fn fit(bundle: &Bundle, change: impl FnOnce(&mut AnchorFit)) {
    let [pinned, fitted] = story().systems;
    let nominal = |system| AnchorRegistered {
        basis: AnchorBasis::Nominal,
        fit: None,
        rating: "1320".parse().unwrap(),
        system,
    };
    bundle.append(&[event(nominal(pinned))]);
    let disk = bundle.disk();
    let prefix = Prefix::open(&disk).unwrap();
    let mut projection = Projection::default();
    prefix
        .read(prefix.size(), |_, event| projection.apply(&event))
        .unwrap();
    let source = Source {
        origin: "t".parse().unwrap(),
        size: prefix.size(),
        root: prefix.root(),
    };
    let cohorts = ["t".parse().unwrap()];
    let fit = AnchorFit::of(&projection, &cohorts, FitConstants::default(), &source).unwrap();
    let rating = fit.fitted(&fitted).unwrap();
    let mut frozen = fit;
    change(&mut frozen);
    let file = manifest::file(&frozen).unwrap();
    let registered = AnchorRegistered {
        basis: AnchorBasis::Fitted,
        fit: Some(put_blob(&disk, &file, &Waivers::default()).unwrap()),
        rating,
        ..nominal(fitted)
    };
    bundle.append(&[event(registered)]);
}

/// Says that a cohort was frozen that nobody has played yet.
fn freeze_unplayed(bundle: &Bundle) {
    let schedule = event(story().second("u"));
    let id = schedule.id();
    bundle.append(&[schedule]);
    let disk = bundle.disk();
    let prefix = Prefix::open(&disk).unwrap();
    let frozen = CohortFrozen {
        checkpoint: CheckpointRef {
            root: prefix.root(),
            size: u32::try_from(prefix.size()).unwrap().into(),
        },
        cohort: "u".parse().unwrap(),
        label: None,
        manifest: Digest::of(b""),
        schedule: id,
        supersedes: None,
    };
    bundle.append(&[event(frozen)]);
    bundle.bind();
    specify(bundle, "/cohorts", json!(["t", "u"]));
}

/// Freezes a complete cohort once more, as a live one.
fn label(bundle: &Bundle) {
    let disk = bundle.disk();
    let prefix = Prefix::open(&disk).unwrap();
    bundle.append(&[event(CohortFrozen {
        checkpoint: CheckpointRef {
            root: prefix.root(),
            size: u32::try_from(prefix.size()).unwrap().into(),
        },
        cohort: "t".parse().unwrap(),
        label: Some(FreezeLabel::Live),
        manifest: Digest::of(b""),
        schedule: story().schedule,
        supersedes: None,
    })]);
}

/// Puts what looks like a credential into the pinned artifact, and a waiver of
/// it into the specification, changed in one field.
pub(crate) fn waive(bundle: &Bundle, field: &str, value: Value) {
    let token = ["gsk", "_", &"aB3dE5gH7k".repeat(4)].concat();
    let text = format!("Notes: {token}\n");
    let hits = scoresheet::secret::Scanner::shared().scan(text.as_bytes());
    let sha256 = Digest::of(text.as_bytes());
    let mut waiver = json!({
        "end": hits[0].end, "expires": "2999-01-01", "path": NOTES, "reason": "made up",
        "reviewer": "a", "rule": hits[0].rule, "second_reviewer": "b", "sha256": sha256,
        "start": hits[0].start,
    });
    waiver[field] = value;
    bundle.write(NOTES, text.as_bytes());
    bundle.specify(|spec| {
        spec["artifacts"][2]["sha256"] = json!(sha256);
        spec["waivers"] = json!([waiver]);
    });
}

/// Builds a live artifact, and appends another event.
fn outlive(bundle: &Bundle) {
    specify(bundle, "/artifacts/0/state", json!("live"));
    bundle.must(&["release", "build"]);
    bundle.append(&[event(crate::story::expense("a disk"))]);
}

/// Puts more names into a folder than are looked at.
fn crowd(bundle: &Bundle) {
    std::fs::create_dir(bundle.at("release/many")).unwrap();
    for number in 0..scoresheet::tree::ENTRIES_MAX {
        File::create(bundle.at(&format!("release/many/{number}"))).unwrap();
    }
}

/// Tells git not to look at a file that changes.
fn hide(bundle: &Bundle) {
    bundle.git(&["init", "--quiet"]);
    bundle.git(&["add", "--all"]);
    bundle.git(&["update-index", "--assume-unchanged", NOTES]);
    bundle.edit(NOTES, str::to_uppercase);
}

#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table")]
pub(crate) fn cases() -> Vec<Case> {
    use Look::{Draft, Meddled, Publication, Reproduce};
    vec![
        case(Code::SpecInvalid, Publication, |b| b.specify(|spec| spec["x"] = json!(1))),
        case(Code::SpecInvalid, Publication, |b| b.remove("release/publication.json")),
        case(Code::SpecInvalid, Publication, |b| specify(b, "/artifacts/1/path", json!("release/BOARD.csv"))),
        case(Code::SpecChanged, Reproduce, |b| b.edit("release/publication.json", |text| format!("{text}\n"))),
        case(Code::ReleaseAltered, Publication, |b| specify(b, "/artifacts/2/role", json!("methods"))),
        case(Code::ReleaseContradicted, Reproduce, exaggerate),
        case(Code::ReleaseEmpty, Publication, |b| specify(b, "/artifacts", json!([]))),
        case(Code::ReleaseEmpty, Publication, |b| specify(b, "/cohorts", json!([]))),
        case(Code::CheckpointUnknown, Publication, |b| specify(b, "/checkpoint/root", json!(Digest::of(b"")))),
        case(Code::CheckpointUnknown, Publication, |b| specify(b, "/checkpoint/size", json!(99))),
        case(Code::PathEscapes, Publication, |b| specify(b, "/artifacts/2/path", json!("release/../x"))),
        case(Code::ArtifactMissing, Publication, |b| b.remove(NOTES)),
        case(Code::FileTooLarge, Publication, |b| lengthen(b, (1 << 30) + 1)),
        case(Code::FileUnsteady, Meddled(NOTES), |b| lengthen(b, 1 << 27)),
        case(Code::ArtifactChanged, Publication, |b| b.edit(NOTES, str::to_uppercase)),
        case(Code::ArtifactEdited, Publication, |b| b.edit("release/board.csv", str::to_uppercase)),
        case(Code::InputsDiffer, Publication, |b| b.specify(|spec| {
            let input = json!({"from": 0, "kind": "ledger", "root": Digest::of(b""), "to": 3});
            spec["artifacts"][0]["inputs"] = json!([input]);
        })),
        case(Code::ArtifactCircular, Publication, |b| b.specify(|spec| {
            let sha256 = spec["artifacts"][2]["sha256"].clone();
            spec["artifacts"][2]["inputs"] = json!([{"kind": "file", "path": NOTES, "sha256": sha256}]);
        })),
        case(Code::ArtifactStale, Draft, outlive),
        case(Code::ArtifactEmpty, Publication, |b| b.write(NOTES, b"{}\n")),
        case(Code::ArtifactShared, Publication, |b| std::fs::hard_link(b.at(NOTES), b.at("notes.md")).unwrap()),
        case(Code::FilePointer, Publication, |b| b.write(NOTES, b"version https://git-lfs.github.com/spec/v1\n")),
        case(Code::ProvenanceMissing, Publication, |b| b.remove("release/provenance/board.csv.json")),
        case(Code::ProvenanceDiffers, Publication, |b| {
            b.write("release/provenance/board.csv.json", &b.read("release/provenance/games.csv.json"));
        }),
        case(Code::PathPrivate, Publication, |b| b.write("release/_LOGS/x", b"x")),
        case(Code::PathTwin, Publication, |b| b.write("release/Board.csv", b"x")),
        case(Code::FolderTooLarge, Publication, crowd),
        case(Code::FileUntracked, Publication, |b| b.git(&["init", "--quiet"])),
        case(Code::FileUnnoticed, Publication, hide),
        case(Code::AuditGone, Reproduce, |b| b.edit(&b.kept_audit(), |text| format!("{text}\n"))),
        case(Code::WaiverExpired, Publication, |b| waive(b, "expires", json!("2001-01-01"))),
        case(Code::WaiverUnused, Publication, |b| waive(b, "start", json!(1))),
        case(Code::WaiverMisdirected, Publication, |b| waive(b, "sha256", json!(Digest::of(b"")))),
        case(Code::WaiverInvalid, Publication, |b| waive(b, "rule", json!("no-such-rule"))),
        case(Code::WaiverInvalid, Publication, |b| waive(b, "reason", json!(" "))),
        case(Code::WaiverInvalid, Publication, |b| waive(b, "start", json!(9999))),
        case(Code::WaiverUnseconded, Publication, |b| waive(b, "second_reviewer", json!("a"))),
        case(Code::ArtifactUnregenerable, Publication, |b| specify(b, "/artifacts/0/generator/version", json!(9))),
        case(Code::ArtifactUndeclared, Publication, |b| b.write("release/x", b"x")),
        case(Code::ArtifactUndeclared, Publication, |b| b.write("manifests/x", b"x")),
        case(Code::ArtifactLive, Publication, |b| specify(b, "/artifacts/0/state", json!("live"))),
        case(Code::CohortUnfrozen, Publication, |b| specify(b, "/cohorts", json!(["t", "u"]))),
        case(Code::CohortOpen, Publication, freeze_unplayed),
        case(Code::CellRetried, Publication, |b| meaning::retry(b, scoresheet::event::AbortCause::Maintainer)),
        case(Code::HistoryRewritten, Publication, |b| verdict::rewrite(b, 9)),
        case(Code::HistoryRewritten, Publication, |b| verdict::rewrite(b, 0)),
        case(Code::PolicyUnmet, Publication, verdict::ask_for_signature),
        case(Code::LabelContradicted, Look::Verify, label),
        case(Code::ManifestChanged, Publication, |b| b.edit(&b.only("manifests/"), |text| text.replacen("\"v\":1", "\"v\":2", 1))),
        case(Code::ManifestChanged, Publication, |b| b.remove(&b.only("manifests/"))),
        case(Code::ManifestChanged, Reproduce, |b| b.remove("release/audits/publication.json")),
        case(Code::ManifestChanged, Reproduce, |b| b.remove("release/audits/draft.json")),
        case(Code::AnchorFitDiffers, Publication, |b| fit(b, |fit| fit.levels[1].games = 3_u32.into())),
        case(Code::AnchorFitDiffers, Publication, |b| fit(b, |fit| fit.checkpoint.root = Digest::of(b""))),
        case(Code::AnchorFitDiffers, Publication, |b| fit(b, |fit| fit.levels.clear())),
        case(Code::SecretLike, Publication, |b| b.write(NOTES, ["gsk", "_", &"aB3dE5gH7k".repeat(4)].concat().as_bytes())),
        case(Code::Unscannable, Publication, |b| b.write(NOTES, b"\xff")),
        case(Code::Unscannable, Publication, |b| b.write(NOTES, b"N\0o\0")),
        case(Code::GapUnused, Draft, |b| b.specify(|spec| {
            spec["gaps"] = json!([{"code": "artifact-missing", "path": "release/x", "reason": "soon"}]);
        })),
    ]
}
