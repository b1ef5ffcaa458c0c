//! The program itself, with calls of the system that fail as the kernel would
//! make them fail: `strace` puts the errors in.

use std::fs;
use std::process::Command;

use scoresheet::finding::any_blocker;
use scoresheet::ledger::{Disk, Writer, verify};

use crate::arena::Arena;
use crate::ledger::{expenses, time};

/// A call, how it may fail once, and how it may fail for good. No program could
/// come to an end where it is interrupted for ever.
type Call = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

#[rustfmt::skip]
const CALLS: [Call; 11] = [
    ("pwrite64", &["EIO", "ENOSPC", "EINTR"], &["EIO", "ENOSPC"]),
    ("fdatasync", &["EIO", "ENOSPC", "EINTR"], &["EIO", "EINTR"]),
    ("fsync", &["EIO", "EINTR"], &["EIO"]),
    ("ftruncate", &["EIO", "EINTR"], &["EIO"]),
    ("flock", &["EIO", "EINTR"], &["EIO"]),
    ("renameat2", &["EIO", "ENOSPC"], &["EIO"]),
    ("unlink", &["EIO"], &["EIO"]),
    ("mkdir", &["EIO", "ENOSPC"], &["EIO"]),
    ("pread64", &["EIO"], &[]),
    ("getdents64", &["EIO"], &["EIO"]),
    ("openat", &["EIO"], &[]),
];

/// What an append finds: two events, and what an interrupted append left, so
/// that there is something to clean up, which takes more calls.
fn start() -> Vec<(String, Vec<u8>)> {
    let arena = Arena::new();
    append(&arena.bench.disk(), 0);
    let mut start = arena.files();
    let segment = start.iter_mut().find(|(path, _)| path == SEGMENT);
    segment.unwrap().1.extend(TAIL);
    start
}

const SEGMENT: &str = "events/000000.jsonl";
const TAIL: &[u8] = b"{\"at\":\"2026";

fn append(disk: &Disk, first: usize) {
    let at = time("2026-11-29T12:00:00.000Z");
    let (mut writer, _) = Writer::open(disk, at, &"test".parse().unwrap()).unwrap();
    writer.append(&expenses(first, 2)).unwrap();
}

/// Appends with a call that fails. Returns whether one did.
fn append_with_failure(start: &[(String, Vec<u8>)], call: &str, error: &str, when: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("ledger");
    for (path, bytes) in start {
        let path = ledger.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let lines: Vec<_> = expenses(10, 2)
        .iter()
        .map(|event| format!("{}\n", event.line()))
        .collect();
    let new = folder.path().join("new.jsonl");
    fs::write(&new, lines.concat()).unwrap();
    let trace = folder.path().join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-e", &format!("trace={call}"), "-e"]);
    command.arg(format!("inject={call}:error={error}:when={when}"));
    command.arg("-o").arg(&trace);
    command.arg(env!("CARGO_BIN_EXE_scoresheet"));
    command.arg("--ledger").arg(&ledger);
    let ran = command.arg("append").arg(&new).output();
    let ran = ran.expect("strace must be installed; tests/run does it");
    let message = String::from_utf8(ran.stderr).unwrap();
    let context = format!("{call} {error} {when}: {message}");
    let is_injected = fs::read_to_string(&trace).unwrap().contains("(INJECTED)");
    let is_clear = match ran.status.code() {
        Some(0) => true,
        Some(2) => message.contains("error: ") && message.contains("os error"),
        _ => message.contains("error while loading shared libraries"),
    };
    assert!(is_clear, "{:?} {context}", ran.status);
    let is_acknowledged = ran.status.code() == Some(0);
    let disk = Disk::new(&ledger);
    append(&disk, 20);
    let verification = verify(&disk, &|_, _| (), &mut |_, _| ()).unwrap();
    assert!(!any_blocker(&verification.findings), "{context}");
    let (_, before) = start.iter().find(|(path, _)| path == SEGMENT).unwrap();
    let after = fs::read(ledger.join(SEGMENT)).unwrap();
    let kept = &before[..before.len() - TAIL.len()];
    assert!(after.starts_with(kept), "{context}");
    let text = String::from_utf8(after).unwrap();
    let n_there = lines.iter().filter(|line| text.contains(*line)).count();
    assert!(
        n_there == 2 || n_there == 0 && !is_acknowledged,
        "{context}"
    );
    is_injected
}

#[test]
fn every_call_of_the_system_may_fail_once_and_for_good() {
    let mut n_failed = 0;
    let start = &start();
    std::thread::scope(|scope| {
        let works: Vec<_> = CALLS
            .iter()
            .map(|(call, once, for_good)| {
                scope.spawn(move || {
                    let mut n_failed = 0;
                    let once = once.iter().map(|error| (error, ""));
                    for (error, more) in once.chain(for_good.iter().map(|error| (error, "+"))) {
                        let fails = |n: &usize| {
                            append_with_failure(start, call, error, &format!("{n}{more}"))
                        };
                        n_failed += (1..10_000).take_while(fails).count();
                    }
                    assert!(0 < n_failed, "{call} is never called");
                    n_failed
                })
            })
            .collect();
        for work in works {
            n_failed += work.join().unwrap();
        }
    });
    println!("{n_failed} failed calls of the system");
    assert!(100 < n_failed);
}
