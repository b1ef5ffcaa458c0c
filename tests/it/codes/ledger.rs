//! What can be wrong with the files of a ledger.

use std::sync::LazyLock;

use scoresheet::digest::Digest;
use scoresheet::event::{EraStarted, LedgerOpened, PrivateBody, Verified};
use scoresheet::finding::Code;
use scoresheet::ledger::{Prover, SEGMENT_LINES, add_signatures};
use serde_json::json;

use crate::bundle::{Bundle, File};
use crate::codes::{Case, Look, case};
use crate::story::{TIME, body, event, event_at, expense, expenses, story};
use crate::vault::{erase_all, erasure, first_sealed, folder, named, sent, vault};

const SEGMENT: &str = "ledger/events/000000.jsonl";

/// A ledger with a sealed segment.
fn sealed() -> Bundle {
    static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
        let bundle = Bundle::played();
        bundle.append(&expenses(SEGMENT_LINES));
        bundle.files()
    });
    Bundle::of(&FILES)
}

/// A ledger that has recovered from an interrupted append.
fn recovered() -> Bundle {
    let bundle = Bundle::played();
    interrupt(&bundle);
    bundle.append(&[]);
    bundle
}

/// A project whose newest checkpoint the ledger has signed, with a policy that
/// asks for it and the proof of an event.
fn signed() -> Bundle {
    let bundle = Bundle::new();
    let key = crate::keys::log("t");
    let disk = bundle.disk();
    let mut prover = Prover::open(&disk).unwrap();
    let checkpoint = prover.checkpoint(18).unwrap();
    let signature = key.sign(&checkpoint.to_string(), 0);
    add_signatures(&disk, &checkpoint, &[signature]).unwrap();
    let policy = format!("log {}\nquorum none\n", key.verifier_key());
    bundle.write("policy", policy.as_bytes());
    let proof = bundle.must(&["prove", "5"]);
    bundle.write("proof", proof.as_bytes());
    bundle
}

/// Changes a letter of the signature on the last line.
fn spoil(text: &str) -> String {
    let (before, after) = text.split_at(text.len() - 20);
    let letter = if after.starts_with('A') { 'B' } else { 'A' };
    format!("{before}{letter}{}", &after[1..])
}

/// Leaves what an interrupted append leaves.
fn interrupt(bundle: &Bundle) {
    bundle.edit(SEGMENT, |text| format!("{text}{{\"at\":"));
}

/// A ledger whose private bodies were erased.
fn erased() -> Bundle {
    let bundle = vault();
    erase_all(&bundle.disk()).unwrap();
    bundle
}

/// Names a body under the key of another game than the call is for.
fn misplace(bundle: &Bundle) {
    let body = named(bundle).remove(0);
    let elsewhere = PrivateBody {
        unit: story().games[0],
        ..body
    };
    bundle.append(&[event(sent(vec![elsewhere]))]);
}

/// An era whose seed nobody has.
fn era() -> EraStarted {
    body(json!({
        "name": "e", "placement": story().schedule, "protocol": story().protocol,
        "seed_sha256": Digest::of(b"a seed"),
    }))
}

/// Changes one bit in the middle of a file.
fn flip(bundle: &Bundle, path: &str) {
    let mut bytes = bundle.read(path);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    bundle.write(path, &bytes);
}

#[rustfmt::skip]
pub(crate) fn cases() -> Vec<Case> {
    use Look::{Policy, Proof, Reproduce, Verify};
    vec![
        case(Code::LedgerDescription, Verify, |b| b.edit("ledger/LEDGER.json", |text| text.replace("\"t\"", "\"u\""))),
        case(Code::LedgerDescription, Verify, |b| b.remove("ledger/LEDGER.json")),
        case(Code::HeadMissing, Verify, |b| b.remove("ledger/head")),
        case(Code::HeadSlot, Verify, |b| b.edit("ledger/head", |text| text.replacen("size 18", "size 17", 1))),
        case(Code::HeadMismatch, Verify, |b| b.edit(SEGMENT, |text| text.replacen("\"by\":\"t\"", "\"by\":\"u\"", 1))),
        case(Code::SegmentMissing, Verify, |b| b.remove(SEGMENT)),
        case(Code::SegmentLength, Verify, |b| b.edit(SEGMENT, |text| text.trim_end().rsplit_once('\n').unwrap().0.to_owned() + "\n")),
        Case { start: sealed, ..case(Code::SegmentChanged, Verify, |b| b.edit(SEGMENT, |text| text.replacen("\"by\":\"t\"", "\"by\":\"u\"", 1))) },
        case(Code::UnacknowledgedTail, Verify, |b| b.write("ledger/segments.jsonl", b"{}\n")),
        Case { start: sealed, ..case(Code::SegmentIndex, Verify, |b| b.edit("ledger/segments.jsonl", |text| text.replacen("\"bytes\":5", "\"bytes\":4", 1))) },
        case(Code::LineFault, Verify, |b| b.edit(SEGMENT, |text| text.replacen("{\"at\"", "{ \"at\"", 1))),
        case(Code::OpeningEvent, Verify, |b| b.append(&[event(LedgerOpened { origin: "u".parse().unwrap() })])),
        Case { start: sealed, ..case(Code::DuplicateEvent, Verify, |b| b.append(&[event(expense("0"))])) },
        case(Code::UnacknowledgedTail, Verify, interrupt),
        case(Code::UnacknowledgedTail, Reproduce, interrupt),
        case(Code::UnacknowledgedTail, Reproduce, |b| b.write("ledger/events/000001.jsonl", b"")),
        case(Code::UnexpectedFile, Verify, |b| b.write("ledger/x", b"x")),
        case(Code::CheckpointChanged, Verify, |b| b.edit("ledger/checkpoints/17", |text| text.replacen('t', "u", 1))),
        Case { start: signed, ..case(Code::PolicyUnmet, Policy("policy"), |b| b.edit("ledger/checkpoints/18", |text| text.split("\n\n").next().unwrap().to_owned() + "\n")) },
        Case { start: signed, ..case(Code::SignatureRefused, Policy("policy"), |b| b.edit("ledger/checkpoints/18", spoil)) },
        Case { start: signed, ..case(Code::ProofRefused, Proof("proof"), |b| b.edit("proof", |text| text.replacen("index 5", "index 4", 1))) },
        Case { start: recovered, ..case(Code::QuarantineChanged, Verify, |b| b.edit(&b.only("ledger/quarantine/"), |text| format!("{text}x"))) },
        Case { start: recovered, ..case(Code::QuarantineChanged, Verify, |b| b.remove(&b.only("ledger/quarantine/"))) },
        case(Code::BlobChanged, Verify, |b| b.edit(&b.only("ledger/blobs/"), |text| format!("{text}x"))),
        case(Code::BlobChanged, Verify, |b| b.remove(&b.only("ledger/blobs/"))),
        Case { start: vault, ..case(Code::PrivateMissing, Verify, |b| b.remove(&first_sealed(b))) },
        Case { start: vault, ..case(Code::PrivateMissing, Verify, |b| b.remove(&format!("{}/key", folder()))) },
        Case { start: vault, ..case(Code::PrivateChanged, Verify, |b| flip(b, &first_sealed(b))) },
        Case { start: vault, ..case(Code::PrivateChanged, Verify, |b| flip(b, &format!("{}/key", folder()))) },
        Case { start: erased, ..case(Code::PrivateLeft, Verify, |b| b.write(&format!("{}/key", folder()), b"x")) },
        Case { start: erased, ..case(Code::PrivateLeft, Reproduce, |b| b.write(&format!("{}/key", folder()), b"x")) },
        Case { start: vault, ..case(Code::PrivateStray, Verify, |b| b.write(&format!("{}/x", folder()), b"x")) },
        Case { start: vault, ..case(Code::PrivateStray, Verify, |b| b.write("ledger/private/x", b"x")) },
        Case { start: vault, ..case(Code::SeedLost, Verify, |b| b.append(&[event(era())])) },
        Case { start: vault, ..case(Code::PrivateWithheld, Verify, |b| std::fs::remove_dir_all(b.at("ledger/private")).unwrap()) },
        Case { start: vault, ..case(Code::PrivateMisplaced, Verify, misplace) },
        Case { start: vault, ..case(Code::ErasureContradicted, Verify, |b| {
            let mut erased = erasure(&b.disk()).unwrap();
            erased.bodies = 2_u32.into();
            b.append(&[event(erased)]);
        }) },
        case(Code::ClockBackwards, Verify, |b| b.append(&[event_at(&TIME.replace("2026", "2025"), expense("1"))])),
    ]
}

#[test]
fn appends_that_raced_leave_a_note_and_no_more() {
    let bundle = Bundle::new();
    let later = TIME.replace(".000Z", ".001Z");
    let events: Vec<Verified<_>> = vec![event_at(&later, expense("1")), event(expense("2"))];
    bundle.append(&events);
    let verified = bundle.must(&["verify"]);
    assert!(verified.contains("note[clock-backwards]"), "{verified}");
    let reproduced = bundle.must(&["reproduce"]);
    assert!(!reproduced.contains("clock-backwards"), "{reproduced}");
}
