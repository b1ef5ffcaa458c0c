//! What an opening writer finds: where it is refused, and what it takes in.

use std::fs;

use scoresheet::digest::Digest;
use scoresheet::event::RecoveryCause;
use scoresheet::finding::{Code, Finding, Place};
use scoresheet::ledger::{
    Head, Layout, LedgerError, Recoveries, SEGMENT_LINES, Slots, Writer, issue_checkpoint,
    quarantine_path,
};

use crate::ledger::{Bench, by, checkpoint, expenses, files, noon, text, time};

const FIRST: &str = "events/000000.jsonl";
const SECOND: &str = "events/000001.jsonl";

/// Where a writer that must be refused says that it is. It changes nothing.
#[track_caller]
fn refused_at(bench: &Bench) -> Finding {
    let before = files(&bench.path());
    let disk = bench.disk();
    let refused = Writer::open(&disk, noon(), &by()).err();
    assert_eq!(files(&bench.path()), before);
    match refused {
        Some(LedgerError::Damaged { mut findings }) => findings.remove(0),
        other => panic!("{other:?}"),
    }
}

fn opened(bench: &Bench, at: &str) -> Recoveries {
    Writer::open(&bench.disk(), time(at), &by()).unwrap().1
}

fn length_of_lines(bytes: &[u8], count: usize) -> u64 {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').take(count);
    u64::try_from(lines.map(<[u8]>::len).sum::<usize>()).unwrap()
}

fn newest_head(bench: &Bench) -> Head {
    let bytes = fs::read(bench.path().join("head")).unwrap();
    Slots::parse(&bytes, Layout::STANDARD).newest().unwrap()
}

/// Breaks the slot of the newest head, which may have been acknowledged, and
/// returns what stands there then.
fn break_newest_head(bench: &Bench) -> Vec<u8> {
    let start = usize::try_from(newest_head(bench).slot_offset()).unwrap();
    let mut broken = Vec::new();
    bench.edit("head", |bytes| {
        bytes[start + 20] ^= 1;
        broken = bytes[start..start + 512].to_vec();
    });
    broken
}

fn replace(bench: &Bench, file: &str, from: &str, to: &str) {
    bench.edit(file, |bytes| {
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(text.contains(from));
        *bytes = text.replacen(from, to, 1).into();
    });
}

/// A ledger whose first segment is sealed.
fn sealed() -> Bench {
    let bench = Bench::new();
    bench.append(0, usize::try_from(SEGMENT_LINES).unwrap());
    bench
}

#[test]
fn a_refusal_names_the_line_of_the_segment_index_and_its_byte() {
    let bench = Bench::new();
    let count = usize::try_from(2 * SEGMENT_LINES).unwrap();
    bench.append(0, count);
    let index = fs::read(bench.path().join("segments.jsonl")).unwrap();
    replace(&bench, "segments.jsonl", "\"segment\":1}", "\"segment\":7}");
    let finding = refused_at(&bench);
    assert_eq!(finding.code, Code::SegmentIndex);
    assert_eq!(finding.place.line, Some(2));
    assert_eq!(finding.place.offset, Some(length_of_lines(&index, 1)));
}

#[test]
fn a_refusal_names_the_faulty_line_and_its_byte_before_and_behind_the_head() {
    for is_behind in [false, true] {
        let bench = Bench::new();
        bench.append(0, 3);
        if is_behind {
            break_newest_head(&bench);
        }
        let mut before = 0;
        bench.edit(FIRST, |bytes| {
            before = length_of_lines(bytes, 3);
            let at = usize::try_from(before).unwrap();
            bytes[at + 5] = b'!';
        });
        let finding = refused_at(&bench);
        assert_eq!(finding.code, Code::LineFault);
        assert_eq!(finding.place.line, Some(4));
        assert_eq!(finding.place.offset, Some(before));
    }
}

/// Where a change is noticed, and the change.
type Change = (u64, fn(&mut Vec<u8>));

#[test]
fn a_sealed_segment_of_another_length_refuses_the_writer() {
    let bench = sealed();
    let good = fs::read(bench.path().join(FIRST)).unwrap();
    let n_bytes = u64::try_from(good.len()).unwrap();
    let changes: [Change; 2] = [
        (n_bytes - 1, |bytes| bytes.truncate(bytes.len() - 1)),
        (n_bytes, |bytes| bytes.push(b'x')),
    ];
    for (offset, change) in changes {
        bench.edit(FIRST, change);
        let finding = refused_at(&bench);
        assert_eq!(finding.code, Code::SegmentLength);
        assert_eq!(finding.place.file.as_deref(), Some(FIRST));
        assert_eq!(finding.place.offset, Some(offset));
        fs::write(bench.path().join(FIRST), &good).unwrap();
    }
    assert_eq!(opened(&bench, "2026-11-29T13:00:00.000Z"), []);
}

#[test]
fn an_open_segment_that_is_too_short_refuses_the_writer() {
    let bench = Bench::new();
    bench.append(0, 3);
    let good = fs::read(bench.path().join(FIRST)).unwrap();
    // In the middle of a line, and between two.
    let length = length_of_lines(&good, 3);
    for length in [length + 1, length] {
        bench.edit(FIRST, |bytes| {
            bytes.truncate(usize::try_from(length).unwrap());
        });
        let finding = refused_at(&bench);
        assert_eq!(finding.code, Code::SegmentLength);
        assert_eq!(finding.place, Place::file(FIRST).offset(length));
    }
}

#[test]
fn events_that_do_not_add_up_are_looked_for_where_no_other_file_vouches_for_them() {
    let bench = Bench::new();
    bench.append(0, 3);
    replace(&bench, FIRST, "bill 1", "bill 7");
    let finding = refused_at(&bench);
    assert_eq!(finding.code, Code::HeadMismatch);
    assert_eq!(finding.place, Place::file(FIRST).offset(0));
    let bench = sealed();
    let head = newest_head(&bench);
    bench.edit("segments.jsonl", |bytes| {
        let root = bytes.windows(6).position(|bytes| bytes == b"root\":");
        let digit = &mut bytes[root.unwrap() + 7];
        *digit = if *digit == b'0' { b'1' } else { b'0' };
    });
    let finding = refused_at(&bench);
    assert_eq!(finding.code, Code::HeadMismatch);
    assert_eq!(
        finding.place,
        Place::file("head").offset(head.slot_offset())
    );
}

#[test]
fn a_description_of_another_ledger_refuses_the_writer() {
    let bench = Bench::new();
    replace(
        &bench,
        "LEDGER.json",
        "example.org/test",
        "example.org/tent",
    );
    assert_eq!(refused_at(&bench).code, Code::LedgerDescription);
}

#[test]
fn whole_lines_in_a_segment_that_is_not_their_own_are_not_taken_in() {
    let bench = Bench::new();
    bench.append(0, 3);
    break_newest_head(&bench);
    let later = text(&expenses(3, 1));
    fs::write(bench.path().join(SECOND), &later).unwrap();
    let finding = refused_at(&bench);
    assert_eq!(finding.code, Code::SegmentLength);
    assert_eq!(finding.place.file.as_deref(), Some(SECOND));
    assert_eq!(finding.place.offset, Some(0));
    // The same line where it belongs is the next event.
    fs::remove_file(bench.path().join(SECOND)).unwrap();
    bench.edit(FIRST, |bytes| bytes.extend(later.as_bytes()));
    let recoveries = opened(&bench, "2026-11-29T13:00:00.000Z");
    assert_eq!(recoveries[0].cause, RecoveryCause::TornHead);
    assert_eq!(recoveries[0].rolled_forward, Some(4_u32.into()));
    assert_eq!(bench.findings(), vec![]);
}

/// The event that records a quarantine may have been acknowledged, even where
/// its writer did not live to give the quarantined bytes their own name.
#[test]
fn the_record_of_a_quarantine_stays_when_its_head_is_lost() {
    let bench = Bench::new();
    bench.append(0, 2);
    bench.edit(FIRST, |bytes| bytes.extend(b"{\"at\""));
    assert_eq!(opened(&bench, "2026-11-29T13:00:00.000Z").len(), 1);
    let digest = Digest::of(b"{\"at\"");
    let kept = bench.path().join(quarantine_path(&digest));
    fs::rename(&kept, kept.with_extension("tail-3.pending")).unwrap();
    break_newest_head(&bench);
    let acknowledged = fs::read(bench.path().join(FIRST)).unwrap();
    let recoveries = opened(&bench, "2026-11-29T14:00:00.000Z");
    let causes: Vec<_> = recoveries.iter().map(|recovery| recovery.cause).collect();
    assert_eq!(causes, [RecoveryCause::TornHead]);
    let now = fs::read(bench.path().join(FIRST)).unwrap();
    assert!(now.starts_with(&acknowledged));
    assert_eq!(bench.findings(), vec![]);
}

#[test]
fn what_is_rolled_forward_is_not_cut_off_when_that_was_interrupted_before() {
    let bench = Bench::new();
    bench.append(0, 2);
    let broken = break_newest_head(&bench);
    // The slot is in quarantine already, and nothing else was done.
    let digest = Digest::of(&broken);
    let pending = bench.path().join(quarantine_path(&digest));
    fs::create_dir(pending.parent().unwrap()).unwrap();
    fs::write(pending.with_extension("head-1-2.pending"), &broken).unwrap();
    let acknowledged = fs::read(bench.path().join(FIRST)).unwrap();
    let recoveries = opened(&bench, "2026-11-29T13:00:00.000Z");
    assert_eq!(recoveries.len(), 1);
    assert_eq!(recoveries[0].rolled_forward, Some(2_u32.into()));
    let now = fs::read(bench.path().join(FIRST)).unwrap();
    assert!(now.starts_with(&acknowledged));
    assert_eq!(bench.findings(), vec![]);
}

#[test]
fn a_checkpoint_may_name_what_is_rolled_forward_and_no_more() {
    for n_lost in [0, 1] {
        let bench = Bench::new();
        bench.append(0, 2);
        bench.append(2, 2);
        issue_checkpoint(&bench.disk(), &checkpoint(&bench)).unwrap();
        break_newest_head(&bench);
        bench.edit(FIRST, |bytes| {
            let length = length_of_lines(bytes, 5 - n_lost);
            bytes.truncate(usize::try_from(length).unwrap());
        });
        if n_lost == 0 {
            let recoveries = opened(&bench, "2026-11-29T13:00:00.000Z");
            assert_eq!(recoveries[0].rolled_forward, Some(2_u32.into()));
            assert_eq!(bench.findings(), vec![]);
        } else {
            let finding = refused_at(&bench);
            assert_eq!(finding.code, Code::CheckpointChanged);
            assert_eq!(finding.place, Place::file("checkpoints/5").offset(0));
        }
    }
}
