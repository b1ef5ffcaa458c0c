//! Append, verify and rebuild, each beside a raw baseline measured in the same run.
//!
//! `cargo bench --bench ledger [-- --events N] [-- --rounds N]` prints a table;
//! `benches/README.md` explains its rows. Machines are noisy, so what counts is
//! the ratio: 1.0 is as fast as the baseline, 0.5 half as fast.

#![expect(clippy::unwrap_used, reason = "a benchmark fails by panicking")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(
    clippy::cast_precision_loss,
    reason = "rates are shown in whole events"
)]

use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use scoresheet::canonical::{self, Decimal, Time};
use scoresheet::digest::{Frontier, LeafHash};
use scoresheet::event::{By, Event, ExpenseCategory, ExpenseRecorded, Verified};
use scoresheet::ledger::{Disk, Prefix, Writer, create, verify};
use scoresheet::projection::Projection;

/// Bytes of a line without its newline: the size that the figures speak of.
const LINE_BYTES: usize = 937;

fn main() {
    let events = argument("--events").unwrap_or(40_000);
    let rounds = argument("--rounds").unwrap_or(5);
    let lines = lines(events);
    println!("{events} events of {LINE_BYTES} bytes, {rounds} rounds, medians");
    println!();
    println!(
        "{:<38} {:>14} {:>14} {:>7}",
        "work", "baseline", "scoresheet", "ratio"
    );
    for batch in [1, 64, 4096] {
        let count = events.min(batch * 300);
        let pair = median_pair(
            rounds,
            || raw_append(&lines[..count], batch),
            || append(&lines[..count], batch),
        );
        row(&format!("durable append, batches of {batch}"), count, pair);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    fill(&path, &lines);
    let pair = median_pair(rounds, || raw_verify(&path), || verify_all(&path));
    row("verify (baseline: one core)", events, pair);
    let pair = median_pair(rounds, || raw_verify(&path), || rebuild(&path));
    row("rebuild (baseline: one core)", events, pair);
}

fn argument(name: &str) -> Option<usize> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    arguments.nth(1)?.parse().ok()
}

fn row(work: &str, events: usize, (baseline, ours): (Duration, Duration)) {
    let rate = |time: Duration| format!("{:.0}/s", events as f64 / time.as_secs_f64());
    let ratio = baseline.as_secs_f64() / ours.as_secs_f64();
    println!(
        "{work:<38} {:>14} {:>14} {ratio:>7.2}",
        rate(baseline),
        rate(ours)
    );
}

/// Runs both in turn, so that a noisy moment hits both, and returns both medians.
fn median_pair(
    rounds: usize,
    mut baseline: impl FnMut() -> Duration,
    mut ours: impl FnMut() -> Duration,
) -> (Duration, Duration) {
    let (mut baselines, mut times) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        baselines.push(baseline());
        times.push(ours());
    }
    let median = |mut times: Vec<Duration>| {
        times.sort();
        times[times.len() / 2]
    };
    (median(baselines), median(times))
}

fn at() -> Time {
    "2026-11-29T12:00:00.000Z".parse().unwrap()
}

fn by() -> By {
    "bench".parse().unwrap()
}

fn lines(count: usize) -> Vec<Verified<Event>> {
    let line = |number: usize, padding: usize| {
        let what = ExpenseRecorded {
            amount_usd: Decimal::ZERO,
            category: ExpenseCategory::Other,
            note: format!("{number:010}{}", "x".repeat(padding)),
        };
        let event = Event {
            at: at(),
            by: by(),
            what: what.into(),
        };
        Verified::write(event).unwrap()
    };
    let padding = LINE_BYTES - line(0, 0).line().len();
    (0..count).map(|number| line(number, padding)).collect()
}

/// Writes and syncs the same bytes, and nothing else.
fn raw_append(lines: &[Verified<Event>], batch: usize) -> Duration {
    let folder = tempfile::tempdir().unwrap();
    let file = File::create_new(folder.path().join("raw")).unwrap();
    let mut offset = 0;
    let start = Instant::now();
    for batch in lines.chunks(batch) {
        let mut bytes = Vec::new();
        for line in batch {
            bytes.extend_from_slice(line.line().as_bytes());
            bytes.push(b'\n');
        }
        file.write_all_at(&bytes, offset).unwrap();
        file.sync_data().unwrap();
        offset += bytes.len() as u64;
    }
    start.elapsed()
}

fn append(lines: &[Verified<Event>], batch: usize) -> Duration {
    let folder = tempfile::tempdir().unwrap();
    let disk = Disk::new(folder.path().join("ledger"));
    create(&disk, "bench".parse().unwrap(), at(), by()).unwrap();
    let (mut writer, _) = Writer::open(&disk, at(), &by()).unwrap();
    let start = Instant::now();
    for batch in lines.chunks(batch) {
        writer.append(batch).unwrap();
    }
    start.elapsed()
}

fn fill(path: &Path, lines: &[Verified<Event>]) {
    let disk = Disk::new(path);
    create(&disk, "bench".parse().unwrap(), at(), by()).unwrap();
    let (mut writer, _) = Writer::open(&disk, at(), &by()).unwrap();
    for batch in lines.chunks(4096) {
        writer.append(batch).unwrap();
    }
}

/// Read, SHA-256 a line, typed parse, write back and compare; on one core.
fn raw_verify(path: &Path) -> Duration {
    let start = Instant::now();
    let mut tree = Frontier::default();
    let mut files: Vec<_> = std::fs::read_dir(path.join("events"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    for file in files {
        let mut bytes = Vec::new();
        File::open(file).unwrap().read_to_end(&mut bytes).unwrap();
        for line in bytes
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
        {
            tree.push(&LeafHash::of(line));
            let event: Event = serde_json::from_slice(line).unwrap();
            assert_eq!(canonical::write(&event).unwrap().as_bytes(), line);
        }
    }
    assert_ne!(tree.size(), 0);
    start.elapsed()
}

fn verify_all(path: &Path) -> Duration {
    let start = Instant::now();
    let verification = verify(&Disk::new(path), &|_, _| (), &mut |_, _| ()).unwrap();
    assert_eq!(verification.findings, vec![]);
    start.elapsed()
}

fn rebuild(path: &Path) -> Duration {
    let start = Instant::now();
    let disk = Disk::new(path);
    let prefix = Prefix::open(&disk).unwrap();
    let mut projection = Projection::default();
    prefix
        .read(prefix.size(), |_, event| projection.apply(&event))
        .unwrap();
    assert_eq!(projection.size, prefix.size());
    start.elapsed()
}
