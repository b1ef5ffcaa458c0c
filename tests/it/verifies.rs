//! What verifying names where something is wrong, and what it does not blame.

use std::fs;

use scoresheet::finding::{Code, Place};
use scoresheet::ledger::{
    Checkpoint, Head, Layout, SEGMENT_LINES, Slots, issue_checkpoint, verify,
};

use crate::ledger::{Bench, checkpoint};

const FIRST: &str = "events/000000.jsonl";
const SECOND: &str = "events/000001.jsonl";

fn replace(bench: &Bench, file: &str, from: &str, to: &str) {
    bench.edit(file, |bytes| {
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(text.contains(from));
        *bytes = text.replacen(from, to, 1).into();
    });
}

/// What is wrong, in which files, in the order in which it is said.
fn named(bench: &Bench) -> Vec<(Code, String)> {
    let findings = bench.findings().into_iter();
    findings
        .map(|finding| (finding.code, finding.place.file.unwrap()))
        .collect()
}

#[test]
fn an_older_head_that_promised_other_events_is_named() {
    let bench = Bench::new();
    bench.append(0, 2);
    bench.append(2, 2);
    assert_eq!(bench.findings(), vec![]);
    bench.edit("head", |bytes| {
        let slots = Slots::parse(bytes, Layout::STANDARD);
        let other = Head {
            root: slots.newest().unwrap().root,
            ..slots.older().unwrap()
        };
        let start = usize::try_from(other.slot_offset()).unwrap();
        bytes[start..start + 512].copy_from_slice(&other.slot());
    });
    let findings = bench.findings();
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].code, Code::HeadMismatch);
    assert_eq!(findings[0].place, Place::file("head"));
}

#[test]
fn a_checkpoint_of_another_root_is_named_and_none_is_blamed_for_changed_events() {
    let bench = Bench::new();
    bench.append(0, 2);
    let early = checkpoint(&bench);
    issue_checkpoint(&bench.disk(), &early).unwrap();
    bench.append(2, 2);
    assert_eq!(bench.findings(), vec![]);
    let other = Checkpoint {
        root: checkpoint(&bench).root,
        ..early.clone()
    };
    fs::write(bench.path().join(early.path()), other.to_string()).unwrap();
    let findings = bench.findings();
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].code, Code::CheckpointChanged);
    assert_eq!(findings[0].place, Place::file(early.path()));
    fs::write(bench.path().join(early.path()), early.to_string()).unwrap();
    replace(&bench, FIRST, "bill 0", "bill 9");
    assert_eq!(named(&bench), [(Code::HeadMismatch, FIRST.to_owned())]);
}

#[test]
fn every_event_is_handed_over_with_its_index_and_a_sealed_segment_has_all_its_lines() {
    let bench = Bench::new();
    bench.append(0, usize::try_from(SEGMENT_LINES).unwrap() + 2);
    let mut indices = Vec::new();
    let verified = verify(&bench.disk(), &|_, _| (), &mut |index, _| {
        indices.push(index);
    });
    assert_eq!(verified.unwrap().findings, vec![]);
    assert!(indices.into_iter().eq(0..SEGMENT_LINES + 3));
    bench.edit(FIRST, |bytes| {
        bytes.pop();
        let last = bytes.iter().rposition(|byte| *byte == b'\n').unwrap();
        bytes.truncate(last + 1);
    });
    let findings = bench.findings();
    let mut lengths = findings
        .iter()
        .filter(|finding| finding.code == Code::SegmentLength);
    assert_eq!(lengths.next().unwrap().place, Place::file(FIRST));
}

#[test]
fn what_is_not_as_it_was_acknowledged_comes_first_and_says_in_which_file() {
    let bench = Bench::new();
    bench.append(0, usize::try_from(SEGMENT_LINES).unwrap() + 2);
    let good = fs::read(bench.path().join(SECOND)).unwrap();
    replace(&bench, SECOND, "\"note\":", "\"note\": ");
    let of_the_open = [(Code::HeadMismatch, SECOND), (Code::LineFault, SECOND)];
    let expected = of_the_open.map(|(code, file)| (code, file.to_owned()));
    assert_eq!(named(&bench)[..2], expected);
    fs::write(bench.path().join(SECOND), good).unwrap();
    replace(&bench, FIRST, "\"note\":", "\"note\": ");
    let of_the_sealed = [
        (Code::HeadMismatch, "head"),
        (Code::SegmentChanged, FIRST),
        (Code::LineFault, FIRST),
    ];
    let expected = of_the_sealed.map(|(code, file)| (code, file.to_owned()));
    assert_eq!(named(&bench), expected);
}
