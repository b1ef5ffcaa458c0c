use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, params};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use scoresheet::board::{CostsBy, Format, costs, render_costs};
use scoresheet::canonical::Count;
use scoresheet::event::{CheckpointRef, Event, Verified, What};
use scoresheet::ledger::{Disk, Prefix, Writer};
use scoresheet::projection::{Projection, Source};
use scoresheet::store::{Draft, Snapshot};

use crate::lines::{at, by, event};

/// What is measured, in this order: later ones use what earlier ones left.
pub(crate) const WORKS: [&str; 5] = [
    "parse",
    "parse and fold",
    "parse and bare SQLite",
    "index",
    BOARD,
];

const BOARD: &str = "board, one event on";

/// Does one of the works on one core, and prints what it took.
pub(crate) fn work(path: &Path, work: &str) {
    one_core();
    let disk = Disk::new(path);
    if work == BOARD {
        fill_one_more(&disk);
    }
    let (start, cpu) = (Instant::now(), cpu());
    match work {
        "parse" => {
            each(&disk, |_| ());
        }
        "parse and fold" => {
            let mut projection = Projection::forgetful();
            each(&disk, |event| projection.apply(event));
        }
        "parse and bare SQLite" => bare(&disk, &path.join("bare.sqlite")),
        "index" => index(&disk, &path.join("index.sqlite")),
        BOARD => board(&disk, &path.join("index.sqlite")),
        other => panic!("{other} is no work"),
    }
    let size = Prefix::open(&disk).unwrap().size();
    report(size, work, start.elapsed(), self::cpu().saturating_sub(cpu));
}

fn report(size: u64, work: &str, wall: Duration, cpu: Duration) {
    println!(
        "{size:<10} {work:<22} {:>8.2} s {:>10.0}/s {:>6} MiB   (CPU {:.2} s, {:.0}/s)",
        wall.as_secs_f64(),
        size as f64 / wall.as_secs_f64(),
        peak_memory_kib() / 1024,
        cpu.as_secs_f64(),
        size as f64 / cpu.as_secs_f64(),
    );
}

fn each(disk: &Disk, mut each: impl FnMut(&Verified<Event>)) -> Source {
    let prefix = Prefix::open(disk).unwrap();
    let root = prefix.read(prefix.size(), |_, event| each(&event)).unwrap();
    Source {
        origin: prefix.description().origin.clone(),
        size: prefix.size(),
        root,
    }
}

/// The rows of moves and calls, written with nothing around them: no key, no
/// index, no game.
fn bare(disk: &Disk, path: &Path) {
    let database = Connection::open(path).unwrap();
    database
        .execute_batch(
            "PRAGMA page_size = 16384; PRAGMA locking_mode = EXCLUSIVE;
            PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
            CREATE TABLE calls(id TEXT, system TEXT, game TEXT, ply INTEGER, sent_at TEXT);
            CREATE TABLE ends(event TEXT, call TEXT, at TEXT, ms INTEGER, nodes INTEGER);
            CREATE TABLE plies(game TEXT, ply INTEGER, uci TEXT, event TEXT, call TEXT);
            BEGIN",
        )
        .unwrap();
    {
        let mut calls = database
            .prepare("INSERT INTO calls VALUES (?, ?, ?, ?, ?)")
            .unwrap();
        let mut ends = database
            .prepare("INSERT INTO ends VALUES (?, ?, ?, ?, ?)")
            .unwrap();
        let mut plies = database
            .prepare("INSERT INTO plies VALUES (?, ?, ?, ?, ?)")
            .unwrap();
        each(disk, |event| match &event.what {
            What::CallSent(sent) => {
                calls
                    .execute(params![
                        event.id().to_string(),
                        sent.system.to_string(),
                        sent.game.map(|game| game.to_string()),
                        sent.ply.map(|ply| ply.0),
                        event.at.to_string()
                    ])
                    .unwrap();
            }
            What::CallAnswered(answered) => {
                ends.execute(params![
                    event.id().to_string(),
                    answered.call.to_string(),
                    event.at.to_string(),
                    i64::try_from(answered.time.total_ms.get()).unwrap(),
                    answered
                        .engine
                        .and_then(|engine| engine.nodes)
                        .map(|nodes| i64::try_from(nodes.get()).unwrap())
                ])
                .unwrap();
            }
            What::MoveAccepted(accepted) => {
                plies
                    .execute(params![
                        accepted.game.to_string(),
                        accepted.ply.0,
                        accepted.uci.as_str(),
                        event.id().to_string(),
                        accepted.call.map(|call| call.to_string())
                    ])
                    .unwrap();
            }
            _ => {}
        });
    }
    database.execute_batch("COMMIT").unwrap();
    database.close().unwrap();
    std::fs::remove_file(path).unwrap();
}

fn index(disk: &Disk, target: &Path) {
    let draft = Draft::begin(target).unwrap();
    let mut filling = draft.filling();
    let mut projection = Projection::forgetful();
    let source = each(disk, |event| filling.take(&mut projection, event).unwrap());
    assert!(projection.knows_every_call() && projection.findings.is_empty());
    projection.forget();
    filling.finish(&projection, &source).unwrap();
    draft.finish().unwrap();
}

fn fill_one_more(disk: &Disk) {
    let (mut writer, _) = Writer::open(disk, at(), &by()).unwrap();
    let event = Verified::write(event(1, 1)).unwrap();
    writer.append(&[event]).unwrap();
}

/// What `scoresheet board costs` does: the board that shows all of this ledger.
fn board(disk: &Disk, index: &Path) {
    let prefix = Prefix::open(disk).unwrap();
    let snapshot = Snapshot::read(index).unwrap().unwrap();
    let mut projection = snapshot.projection().unwrap();
    let known = CheckpointRef {
        root: snapshot.root,
        size: Count::saturating(snapshot.size),
    };
    let each = |_, event| projection.apply(&event);
    let root = prefix.read_from(&known, prefix.size(), each).unwrap();
    assert_eq!(projection.size, snapshot.size + 1);
    let source = Source {
        origin: prefix.description().origin.clone(),
        size: prefix.size(),
        root,
    };
    let board = costs(&projection, CostsBy::Part, None, None, source);
    assert!(!render_costs(&board, Format::Text).is_empty());
}

/// Keeps this process to one core.
fn one_core() {
    let all = sched_getaffinity(None).unwrap();
    let mut one = CpuSet::new();
    let first = (0..CpuSet::MAX_CPU).find(|cpu| all.is_set(*cpu)).unwrap();
    one.set(first);
    sched_setaffinity(None, &one).unwrap();
}

/// The processor time that this thread took, which does everything on one core.
/// Others that run on the machine are not in it.
fn cpu() -> Duration {
    let times = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    let running = times.split_whitespace().next().unwrap();
    Duration::from_nanos(running.parse().unwrap())
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
