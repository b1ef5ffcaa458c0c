//! The specification, the verdict, and the history that both rest on.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use scoresheet::digest::Digest;
use scoresheet::event::{ReleasePublished, Verified, What};
use scoresheet::finding::Code;
use scoresheet::ledger::{SignedCheckpoint, Waivers, create, put_blob};
use serde_json::{Value, json};

use crate::bundle::Bundle;
use crate::codes::release::waive;
use crate::keys;
use crate::mutations::{Mutation, blocks, not_applicable, passes, stops};
use crate::story::{RUN_FILE, TIME, by, event_at, expenses, story};

const EVENTS: &str = "ledger/events/000000.jsonl";
const PUBLICATION: &str = "release/audits/publication.json";

fn specify(bundle: &Bundle, pointer: &str, value: Value) {
    bundle.specify(|spec| *spec.pointer_mut(pointer).unwrap() = value);
}

/// Says of the audit that it was made as a draft, and publishes that.
fn publish_draft(bundle: &Bundle) {
    let events = bundle.read(EVENTS);
    let last = events.trim_ascii_end().rsplit(|byte| *byte == b'\n').next();
    let last = Verified::parse(last.unwrap()).unwrap();
    let What::ReleasePublished(published) = last.what.clone() else {
        panic!("the last event published the release");
    };
    let draft = bundle.read("release/audits/draft.json");
    let shown = ReleasePublished {
        audit: Digest::of(&draft),
        supersedes: Some(last.id()),
        ..published
    };
    bundle.append(&[event_at(TIME, shown)]);
    bundle.write(PUBLICATION, &draft);
}

/// Puts another ledger in the place of this one: with so many more events, or
/// fewer where there are none.
pub(crate) fn rewrite(bundle: &Bundle, more: u64) {
    fs::remove_dir_all(bundle.at("ledger")).unwrap();
    let disk = bundle.disk();
    create(&disk, "t".parse().unwrap(), TIME.parse().unwrap(), by()).unwrap();
    put_blob(&disk, RUN_FILE, &Waivers::default()).unwrap();
    bundle.append(&story().events);
    bundle.append(&expenses(more));
}

/// Puts lines of the ledger in another order, or leaves one out.
fn reorder(bundle: &Bundle, change: fn(&mut Vec<&str>)) {
    bundle.edit(EVENTS, |text| {
        let mut lines: Vec<_> = text.lines().collect();
        change(&mut lines);
        lines.join("\n") + "\n"
    });
}

/// The file of the checkpoint that the release is bound to.
fn checkpoint(bundle: &Bundle) -> String {
    let spec: Value = serde_json::from_slice(&bundle.read("release/publication.json")).unwrap();
    format!("ledger/checkpoints/{}", spec["checkpoint"]["size"])
}

/// Asks for the signature of the ledger's own key.
pub(crate) fn ask_for_signature(bundle: &Bundle) {
    let key = keys::log("t").verifier_key();
    bundle.specify(|spec| spec["signatures"] = json!([format!("log {key}"), "quorum none"]));
}

/// Puts the ledger's signature of this text below the checkpoint.
fn sign(bundle: &Bundle, of: impl FnOnce(&str) -> String) {
    ask_for_signature(bundle);
    let path = checkpoint(bundle);
    let unsigned = SignedCheckpoint::parse(&bundle.read(&path)).unwrap();
    let signature = keys::log("t").sign(&of(unsigned.note().text()), 0);
    let line = unsigned.with(&[signature]).note().to_string();
    bundle.write(&path, line.as_bytes());
}

#[rustfmt::skip]
pub(crate) fn mutations() -> Vec<Mutation> {
    use Code::{
        AuditGone, CheckpointChanged, CheckpointUnknown, HeadMismatch, HistoryRewritten, PolicyUnmet,
        ReleaseAltered, ReleaseContradicted, SignatureRefused, SpecInvalid, WaiverExpired, WaiverInvalid, WaiverMisdirected,
        WaiverUnused,
    };
    vec![
        stops("M79", "a ledger that cannot be read", |b| {
            fs::remove_dir_all(b.at("ledger")).unwrap();
            b.write("ledger", b"no folder");
        }),
        stops("M80", "a file in the place of the folder of audits", |b| {
            fs::remove_dir_all(b.at("release/audits")).unwrap();
            b.write("release/audits", b"no folder");
        }),
        stops("M81", "a manifest that cannot be written over the last one", |b| b.write(".scoresheet-making", b"")),
        blocks("M82", "an unknown field", SpecInvalid, |b| b.specify(|spec| spec["note"] = json!("x"))),
        blocks("M82", "a misspelt field", SpecInvalid, |b| b.edit("release/publication.json", |text| text.replace("\"required_in\"", "\"requiredin\""))),
        blocks("M82", "an unknown role", SpecInvalid, |b| specify(b, "/artifacts/2/role", json!("poem"))),
        blocks("M82", "a version that is none", SpecInvalid, |b| specify(b, "/v", json!(3))),
        blocks("M82", "a policy that is none", SpecInvalid, |b| b.specify(|spec| spec["signatures"] = json!(["log nobody", "quorum none"]))),
        blocks("M83", "a waiver that ran out", WaiverExpired, |b| waive(b, "expires", json!("2001-01-01"))),
        blocks("M83", "a waiver of what is not there", WaiverUnused, |b| waive(b, "start", json!(1))),
        blocks("M83", "a waiver for other bytes", WaiverMisdirected, |b| waive(b, "sha256", json!(Digest::of(b"")))),
        blocks("M83", "a waiver of no rule", WaiverInvalid, |b| waive(b, "rule", json!("no-such-rule"))),
        blocks("M83", "a waiver of everything", WaiverInvalid, |b| {
            waive(b, "start", json!(0));
            specify(b, "/waivers/0/end", json!(b.read("release/notes.md").len()));
        }),
        blocks("M84", "the pass of a draft shown as that of a publication", ReleaseContradicted, publish_draft),
        passes("M85", "the artifacts in another order", |b| b.specify(|spec| spec["artifacts"].as_array_mut().unwrap().reverse())),
        blocks("M85", "one field of an artifact changed", ReleaseAltered, |b| specify(b, "/artifacts/2/required_in", json!("publication"))),
        blocks("M86", "the audit changed by hand", AuditGone, |b| b.edit(&b.kept_audit(), |text| text.replace("\"findings\":[]", "\"findings\":[ ]"))),
        blocks("M86", "a finding taken out of an audit that is kept", AuditGone, |b| b.edit(&b.kept_audit(), |text| text.replacen("\"v\":2", "\"v\":1", 1))),
        not_applicable("M87", "a submission under its old id with other content", "submissions come later"),
        blocks("M88", "the ledger cut off before the release", HistoryRewritten, |b| rewrite(b, 0)),
        blocks("M88", "a ledger that begins otherwise", HistoryRewritten, |b| rewrite(b, 9)),
        blocks("M88", "a record removed", HeadMismatch, |b| reorder(b, |lines| { lines.remove(7); })),
        blocks("M88", "two events in another order", HeadMismatch, |b| reorder(b, |lines| lines.swap(7, 8))),
        blocks("M88", "a root that the ledger never had", CheckpointUnknown, |b| specify(b, "/checkpoint/root", json!(Digest::of(b"")))),
        blocks("M88", "a stored checkpoint of another root", CheckpointChanged, |b| {
            let path = checkpoint(b);
            b.edit(&path, |text| {
                let root = text.lines().nth(2).unwrap();
                text.replace(root, "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=")
            });
        }),
        passes("M88", "a checkpoint that is signed as the specification asks", |b| sign(b, str::to_owned)),
        blocks("M88", "a checkpoint that nobody signed", PolicyUnmet, ask_for_signature),
        blocks("M88", "a checkpoint that is not there to be signed", PolicyUnmet, |b| {
            ask_for_signature(b);
            b.remove(&checkpoint(b));
        }),
        blocks("M88", "a signature of something else", SignatureRefused, |b| sign(b, |text| text.replacen('t', "u", 1))),
        blocks("M94", "the rules exchanged in an audit that was published", AuditGone, |b| b.edit(&b.kept_audit(), |text| {
            let at = text.find("\"rules\":\"").unwrap() + 9;
            text.replace(&text[at..at + 64], &Digest::of(b"").to_string())
        })),
        passes("M95", "other permissions", |b| {
            for (path, _) in b.files() {
                fs::set_permissions(b.at(&path), fs::Permissions::from_mode(0o600)).unwrap();
            }
        }),
    ]
}
