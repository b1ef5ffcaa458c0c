use std::fmt::Write as _;
use std::fs;

use scoresheet::event::{Event, MAX_LINE_BYTES, Verified};

use super::{compare, files, goldens};

/// A name and a line that is no event, or none in its one spelling.
fn faulty_lines() -> Vec<(String, Vec<u8>)> {
    let mut lines: Vec<_> = files("tests/events/invalid", "jsonl")
        .iter()
        .map(|file| {
            let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
            let mut line = fs::read(file).unwrap();
            assert_eq!(line.pop(), Some(b'\n'), "{name} has no final newline");
            (name, line)
        })
        .collect();
    // Too long to be pleasant as files.
    let mut goldens = goldens().into_iter().map(|golden| golden.line);
    let golden = goldens.find(|line| line.contains("runner")).unwrap();
    let longer = "x".repeat(70_000);
    lines.push((
        "too-long".to_owned(),
        golden.replace("runner", &longer).into(),
    ));
    lines.push(("too-deep".to_owned(), "[".repeat(50_000).into()));
    lines
}

#[test]
fn a_fault_has_its_place_and_words_for_people() {
    let mut table = String::new();
    for (name, line) in faulty_lines() {
        let Err(fault) = Verified::<Event>::parse(&line) else {
            panic!("{name} is accepted");
        };
        writeln!(table, "{name}\n    {fault}").unwrap();
        if let Some(canonical) = fault.canonical {
            writeln!(table, "    paste {canonical}").unwrap();
        }
    }
    compare("tests/events/invalid/faults.txt", &table);
}

#[test]
fn the_line_that_a_fault_offers_is_accepted() {
    let mut offered = 0;
    for (name, line) in faulty_lines() {
        let fault = Verified::<Event>::parse(&line).unwrap_err();
        let Some(canonical) = fault.canonical else {
            continue;
        };
        let event = Verified::<Event>::parse(canonical.as_bytes());
        assert!(event.is_ok(), "{name}: {canonical}");
        let same = line
            .iter()
            .zip(canonical.as_bytes())
            .take_while(|(a, b)| a == b);
        assert_eq!(
            fault.column,
            u64::try_from(same.count() + 1).unwrap(),
            "{name}"
        );
        offered += 1;
    }
    assert!(10 < offered);
}

#[test]
fn a_line_may_have_sixty_thousand_bytes_and_no_more() {
    let golden = goldens()
        .into_iter()
        .find(|golden| golden.name == "expense.recorded.v1")
        .unwrap();
    let line = |length: usize| {
        let room = length - golden.line.len();
        let note = format!("refund{}", "x".repeat(room));
        golden.line.replace("refund", &note)
    };
    let longest = line(MAX_LINE_BYTES);
    assert_eq!(longest.len(), 60_000);
    assert!(Verified::<Event>::parse(longest.as_bytes()).is_ok());
    let event = Event::clone(&Verified::<Event>::parse(longest.as_bytes()).unwrap());
    assert!(Verified::write(event).is_ok());
    let fault = Verified::<Event>::parse(line(MAX_LINE_BYTES + 1).as_bytes()).unwrap_err();
    assert_eq!(fault.column, 60_001);
}
