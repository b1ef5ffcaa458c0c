use std::path::Path;
use std::process::Command;
use std::time::Instant;

use scoresheet::event::{Event, Verified};
use scoresheet::ledger::{Disk, Writer, verify};
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
