use std::path::Path;
use std::process::Command;
use std::time::Instant;

use scoresheet::canonical::Count;
use scoresheet::event::{CheckpointRef, Event, Verified};
use scoresheet::ledger::{Disk, Prefix, SEGMENT_LINES, Writer, verify};
use scoresheet::projection::Projection;

use crate::games::Games;
use crate::lines::{at, by, event, new_ledger, padding};

/// Makes ledgers of so many events, and measures in a process of its own how
/// long it takes to open one, and how much memory and time to verify it.
pub(crate) fn rows(size: usize) {
    let padding = padding(937);
    let bills = (1..).map(|number| Verified::write(event(number, padding)).unwrap());
    let games = Games::read();
    let before = games.before.clone();
    one(size, "bills of 937 bytes", bills);
    let games = before.into_iter().chain(games.again_and_again());
    one(size, "calls and moves of games, of 266 bytes", games);
}

fn one(size: usize, what: &str, events: impl Iterator<Item = Verified<Event>>) {
    let folder = tempfile::tempdir_in(".").unwrap();
    let path = folder.path().join("ledger");
    let disk = new_ledger(&path);
    let (mut writer, _) = Writer::open(&disk, at(), &by()).unwrap();
    let start = Instant::now();
    writer.append_each(events.take(size - 1).map(Ok)).unwrap();
    drop(writer);
    println!();
    println!("{size} events: {what}");
    println!(
        "made as one batch in {:.1} s",
        start.elapsed().as_secs_f64()
    );
    let measured = Command::new(std::env::current_exe().unwrap())
        .arg("--measure")
        .arg(&path)
        .status();
    assert!(measured.unwrap().success());
}

pub(crate) fn measure(path: &Path) {
    let disk = Disk::new(path);
    let start = Instant::now();
    let (writer, _) = Writer::open(&disk, at(), &by()).unwrap();
    let opened = start.elapsed();
    let size = writer.size();
    drop(writer);
    println!("opened in {:.1} ms", opened.as_secs_f64() * 1e3);
    read_on(&disk);
    let start = Instant::now();
    let mut projection = Projection::forgetful();
    let verification = verify(&disk, &|_, _| (), &mut |_, event| projection.apply(event)).unwrap();
    assert_eq!(verification.size, size);
    assert_eq!(
        (verification.findings, projection.findings),
        (vec![], vec![])
    );
    println!(
        "verified and replayed in {:.1} s, peak memory {} MiB",
        start.elapsed().as_secs_f64(),
        peak_memory_kib() / 1024
    );
}

/// How long it takes to go on from what was known, and to name an earlier root.
fn read_on(disk: &Disk) {
    let size = Prefix::open(disk).unwrap().size();
    let segment = SEGMENT_LINES.min(size / 2);
    let half = size / 2 + segment / 2;
    let known = |size| CheckpointRef {
        root: Prefix::open(disk).unwrap().root_at(size).unwrap(),
        size: Count::saturating(size),
    };
    for (what, start) in [
        ("from the last event on", size - 1),
        ("from a segment before the end on", size - segment),
    ] {
        let known = known(start);
        let mut n_events = 0;
        let took = median(|| {
            let prefix = Prefix::open(disk).unwrap();
            n_events = 0;
            prefix
                .read_from(&known, size, |_, _| n_events += 1)
                .unwrap();
        });
        println!("read {what}, {n_events} events: {took:.1} ms");
    }
    let took = median(|| assert_ne!(known(half).root, known(size - 1).root)) / 2.0;
    println!("root at an earlier size: {took:.1} ms");
}

/// The median of several times, in milliseconds.
fn median(mut work: impl FnMut()) -> f64 {
    let mut times: Vec<_> = (0..9)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[4]
}

/// The most memory that this process ever had, in KiB.
fn peak_memory_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    let digits = line.split_whitespace().nth(1).unwrap();
    digits.parse().unwrap()
}
