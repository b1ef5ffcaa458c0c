//! What can be wrong with the files of a ledger.

use std::sync::LazyLock;

use scoresheet::event::{LedgerOpened, Verified};
use scoresheet::finding::Code;
use scoresheet::ledger::SEGMENT_LINES;

use crate::bundle::{Bundle, File};
use crate::codes::{Case, Look, case};
use crate::story::{TIME, event, event_at, expense, expenses};

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

/// Leaves what an interrupted append leaves.
fn interrupt(bundle: &Bundle) {
    bundle.edit(SEGMENT, |text| format!("{text}{{\"at\":"));
}

#[rustfmt::skip]
pub(crate) fn cases() -> Vec<Case> {
    use Look::{Reproduce, Verify};
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
        Case { start: recovered, ..case(Code::QuarantineChanged, Verify, |b| b.edit(&b.only("ledger/quarantine/"), |text| format!("{text}x"))) },
        Case { start: recovered, ..case(Code::QuarantineChanged, Verify, |b| b.remove(&b.only("ledger/quarantine/"))) },
        case(Code::BlobChanged, Verify, |b| b.edit(&b.only("ledger/blobs/"), |text| format!("{text}x"))),
        case(Code::BlobChanged, Verify, |b| b.remove(&b.only("ledger/blobs/"))),
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
