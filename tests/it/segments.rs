//! A published project whose ledger has sealed segments: what the smallest one
//! is too small for.

use scoresheet::finding::Code;
use scoresheet::ledger::SEGMENT_LINES;

use crate::bundle::{Bundle, File};
use crate::story::expenses;

/// A change of two sealed segments, their index and the open one, and what of
/// it must be named.
type Damage = (&'static str, fn(&Bundle));

const FIRST: &str = "ledger/events/000000.jsonl";
const SECOND: &str = "ledger/events/000001.jsonl";
const OPEN: &str = "ledger/events/000002.jsonl";
const INDEX: &str = "ledger/segments.jsonl";

fn swap(bundle: &Bundle, a: &str, b: &str) {
    let (of_a, of_b) = (bundle.read(a), bundle.read(b));
    bundle.write(a, &of_b);
    bundle.write(b, &of_a);
}

/// Swaps the first two lines.
fn swap_lines(text: &str) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    lines.swap(0, 1);
    lines.concat()
}

/// Makes another event of a line, as right as the first.
fn rewrite(text: &str) -> String {
    text.replacen("\"by\":\"t\"", "\"by\":\"u\"", 1)
}

fn cut_last_line(text: &str) -> String {
    let (rest, _) = text.trim_end().rsplit_once('\n').unwrap();
    format!("{rest}\n")
}

#[test]
fn damage_of_sealed_segments_is_refused_and_named() {
    let damages: [Damage; 16] = [
        (FIRST, |b| b.edit(FIRST, rewrite)),
        (SECOND, |b| b.edit(SECOND, rewrite)),
        (OPEN, |b| b.edit(OPEN, rewrite)),
        (FIRST, |b| b.edit(FIRST, swap_lines)),
        (SECOND, |b| {
            b.edit(SECOND, |text| text.replacen("{\"at\"", "{\"aT\"", 1));
        }),
        (SECOND, |b| b.edit(SECOND, cut_last_line)),
        (FIRST, |b| b.edit(FIRST, |text| format!("{text}x"))),
        (FIRST, |b| b.remove(FIRST)),
        (OPEN, |b| b.remove(OPEN)),
        (FIRST, |b| b.write(FIRST, b"")),
        (SECOND, |b| swap(b, FIRST, SECOND)),
        (FIRST, |b| swap(b, FIRST, OPEN)),
        (INDEX, |b| b.edit(INDEX, swap_lines)),
        (INDEX, |b| b.edit(INDEX, cut_last_line)),
        (INDEX, |b| b.remove(INDEX)),
        ("ledger/events/000003.jsonl", |b| {
            b.write("ledger/events/000003.jsonl", b"");
        }),
    ];
    let bundle = Bundle::played();
    bundle.append(&expenses(2 * SEGMENT_LINES));
    bundle.release();
    bundle.publish_release();
    let files: Vec<File> = bundle.files();
    assert_eq!(bundle.run(&["reproduce"]).code, 0);
    for (number, (path, damage)) in damages.into_iter().enumerate() {
        damage(&bundle);
        let outcome = bundle.run(&["reproduce"]);
        let is_named = outcome.out.contains(path);
        assert!(outcome.code == 1 && is_named, "{number}: {}", outcome.out);
        for (path, bytes) in files.iter().filter(|(path, _)| path.starts_with("ledger/")) {
            bundle.write(path, bytes);
        }
        if path.ends_with("000003.jsonl") {
            bundle.remove(path);
        }
    }
    assert_eq!(bundle.run(&["reproduce"]).code, 0);
}

#[test]
fn a_segment_that_is_gone_is_named_and_its_neighbors_are_not() {
    let bench = crate::ledger::Bench::new();
    bench.append(0, 3 * 4096);
    std::fs::remove_file(bench.path().join("events/000001.jsonl")).unwrap();
    let mut found: Vec<_> = bench
        .findings()
        .into_iter()
        .map(|finding| (finding.code, finding.place.file.unwrap()))
        .filter(|(code, _)| *code != Code::OpeningEvent)
        .collect();
    found.sort();
    let mut expected = [
        (Code::HeadMismatch, "events/000003.jsonl".to_owned()),
        (Code::SegmentMissing, "events/000001.jsonl".to_owned()),
    ];
    expected.sort();
    assert_eq!(found, expected);
}
