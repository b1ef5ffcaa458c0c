//! Many who want to write at once, killed at any moment, and readers beside them.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use scoresheet::event::{Event, Verified};
use scoresheet::finding::any_blocker;
use scoresheet::ledger::{LedgerError, Prefix, Storage, Writer, verify};

use crate::arena::Arena;
use crate::ledger::{expenses, text, time};
use crate::simulator::random::Random;

const PRODUCERS: usize = 6;

fn open(storage: &dyn Storage) -> Result<Writer<'_>, LedgerError> {
    let at = time("2026-11-29T12:00:00.000Z");
    Ok(Writer::open(storage, at, &"test".parse().unwrap())?.0)
}

/// Offers a batch, and kills the process after a while where that is asked for.
/// Returns whether the batch was acknowledged, or nothing where someone else wrote.
fn offer(arena: &Arena, batch: &[Verified<Event>], life: Option<Duration>) -> Option<bool> {
    let mut command = arena.command(&["append", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    // Whoever was killed reads no more.
    drop(
        child
            .stdin
            .take()
            .unwrap()
            .write_all(text(batch).as_bytes()),
    );
    if let Some(life) = life {
        std::thread::sleep(life);
        drop(child.kill());
    }
    let ended = child.wait_with_output().unwrap();
    let message = String::from_utf8(ended.stderr).unwrap();
    let receipt = String::from_utf8(ended.stdout).unwrap();
    match ended.status.code() {
        Some(2) if message.contains("another process is writing") => None,
        Some(0) => Some(true),
        // Killed, perhaps after the word was given.
        None => Some(receipt.ends_with('\n')),
        code => panic!("{code:?}: {message}"),
    }
}

#[test]
fn however_many_producers_are_killed_what_they_were_told_is_there_once() {
    let arena = Arena::new();
    let offered = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for producer in 0..PRODUCERS {
            let (arena, offered) = (&arena, &offered);
            scope.spawn(move || {
                let mut random = Random::new(u64::try_from(producer).unwrap());
                for round in 0..12 {
                    let batch = expenses(producer * 1000 + round * 10, 1 + random.below(5));
                    let life = Duration::from_millis(random.next() % 120);
                    let life = (round % 3 != 0).then_some(life);
                    let is_acknowledged = loop {
                        if let Some(is_acknowledged) = offer(arena, &batch, life) {
                            break is_acknowledged;
                        }
                    };
                    offered.lock().unwrap().push((batch, is_acknowledged));
                }
            });
        }
    });
    let disk = arena.bench.disk();
    drop(open(&disk).unwrap());
    let verification = verify(&disk, &|_, _| (), &mut |_, _| ()).unwrap();
    assert!(
        !any_blocker(&verification.findings),
        "{:?}",
        verification.findings
    );
    let mut lines = Vec::new();
    let prefix = Prefix::open(&disk).unwrap();
    let each = |_, event: Verified<Event>| lines.push(event.line().to_owned());
    prefix.read(prefix.size(), each).unwrap();
    let distinct: BTreeSet<_> = lines.iter().map(String::as_str).collect();
    assert_eq!(distinct.len(), lines.len(), "no line stands there twice");
    let offered = offered.into_inner().unwrap();
    for (batch, is_acknowledged) in &offered {
        let n_there = batch
            .iter()
            .filter(|event| distinct.contains(event.line()))
            .count();
        let is_whole = n_there == batch.len();
        assert!(
            is_whole || n_there == 0 && !is_acknowledged,
            "{}",
            text(batch)
        );
    }
    let n_acknowledged = offered
        .iter()
        .filter(|(_, is_acknowledged)| *is_acknowledged)
        .count();
    println!("{} offers, {n_acknowledged} acknowledged", offered.len());
    assert!(PRODUCERS * 4 <= n_acknowledged && n_acknowledged < offered.len());
}

#[test]
fn a_second_writer_is_refused_whatever_became_of_the_head() {
    type Change = fn(&std::path::Path);
    let changes: [(&str, Change); 4] = [
        ("nothing", |_| ()),
        ("removed", |head| fs::remove_file(head).unwrap()),
        ("made again", |head| {
            let bytes = fs::read(head).unwrap();
            fs::remove_file(head).unwrap();
            fs::write(head, bytes).unwrap();
        }),
        ("replaced", |head| {
            let other = head.with_file_name("other");
            fs::copy(head, &other).unwrap();
            fs::rename(other, head).unwrap();
        }),
    ];
    for (name, change) in changes {
        let arena = Arena::new();
        let disk = arena.bench.disk();
        let mut writer = open(&disk).unwrap();
        writer.append(&expenses(0, 2)).unwrap();
        let head = arena.bench.path().join("head");
        let saved = fs::read(&head).unwrap();
        change(&head);
        let of_thread = std::thread::scope(|scope| {
            let second = scope.spawn(|| open(&arena.bench.disk()).err());
            second.join().unwrap()
        });
        let file = arena.write("lines.jsonl", &text(&expenses(10, 1)));
        let of_process = arena.call(&["append", file.to_str().unwrap()]);
        if name == "removed" {
            assert!(
                matches!(of_thread, Some(LedgerError::Damaged { .. })),
                "{name}"
            );
            of_process.ends_with(1).says("head-missing");
        } else {
            assert!(
                matches!(of_thread, Some(LedgerError::Busy { .. })),
                "{name}"
            );
            of_process.ends_with(2).says("another process is writing");
        }
        let appended = writer.append(&expenses(20, 1));
        let is_refused = matches!(appended, Err(LedgerError::HeadReplaced { .. }));
        assert_eq!(is_refused, name != "nothing", "{name}: {appended:?}");
        drop(writer);
        if name == "removed" {
            fs::write(&head, saved).unwrap();
        }
        arena.call(&["append", file.to_str().unwrap()]).ends_with(0);
        arena.call(&["verify"]).ends_with(0);
        let n_events = if name == "nothing" { 5 } else { 4 };
        assert_eq!(Prefix::open(&disk).unwrap().size(), n_events, "{name}");
    }
}

#[test]
fn two_processes_at_once_get_their_batches_in_whole_or_are_told() {
    let arena = Arena::new();
    let batches: Vec<_> = (0..8).map(|number| expenses(number * 100, 40)).collect();
    let n_refused: usize = std::thread::scope(|scope| {
        let offers: Vec<_> = batches
            .iter()
            .map(|batch| {
                scope.spawn(|| {
                    let mut n_refused = 0;
                    while offer(&arena, batch, None).is_none() {
                        n_refused += 1;
                    }
                    n_refused
                })
            })
            .collect();
        offers.into_iter().map(|offer| offer.join().unwrap()).sum()
    });
    println!("{n_refused} times told to wait");
    arena.call(&["verify"]).ends_with(0);
    let disk = arena.bench.disk();
    assert_eq!(Prefix::open(&disk).unwrap().size(), 1 + 8 * 40);
    let mut notes = Vec::new();
    let each = |_, event: Verified<Event>| notes.push(event.line().to_owned());
    Prefix::open(&disk).unwrap().read(1 + 8 * 40, each).unwrap();
    let starts: BTreeSet<_> = batches.iter().map(|batch| batch[0].line()).collect();
    for batch in notes[1..].chunks(40) {
        assert!(
            starts.contains(batch[0].as_str()),
            "batches stand side by side"
        );
    }
}

#[test]
fn readers_beside_a_writer_see_a_prefix_and_nothing_wrong() {
    let arena = Arena::new();
    let disk = arena.bench.disk();
    let lines: Vec<_> = expenses(0, 5000);
    let is_over = AtomicBool::new(false);
    let read = || {
        let (mut n_reads, mut size_before) = (0, 0);
        while !is_over.load(Ordering::Relaxed) {
            let prefix = Prefix::open(&disk).unwrap();
            assert!(size_before <= prefix.size());
            size_before = prefix.size();
            let each = |index: u64, event: Verified<Event>| {
                let line = usize::try_from(index).unwrap().checked_sub(1);
                assert!(line.is_none_or(|line| lines[line].line() == event.line()));
            };
            prefix.read(prefix.size(), each).unwrap();
            let verification = verify(&disk, &|_, _| (), &mut |_, _| ()).unwrap();
            assert!(
                !any_blocker(&verification.findings),
                "{:?}",
                verification.findings
            );
            n_reads += 1;
        }
        n_reads
    };
    let n_reads: usize = std::thread::scope(|scope| {
        let readers = [scope.spawn(read), scope.spawn(read)];
        let mut writer = open(&disk).unwrap();
        for batch in lines[..300].chunks(3) {
            writer.append(batch).unwrap();
        }
        // Into the next segment.
        for batch in lines[300..].chunks(200) {
            writer.append(batch).unwrap();
        }
        is_over.store(true, Ordering::Relaxed);
        readers
            .into_iter()
            .map(|reader| reader.join().unwrap())
            .sum()
    });
    println!("{n_reads} reads beside a writer");
    assert!(2 <= n_reads);
    assert_eq!(Prefix::open(&disk).unwrap().size(), 5001);
}
