//! Importing a PGN file into a ledger beside a bare replay of the same file with
//! `pgn-reader` and `shakmaty` on one thread, in the same run.
//!
//! `cargo bench --bench import` makes a file of 100 MB; `-- --megabytes N`
//! another size, `-- --file PATH` takes one that is there. `benches/README.md`
//! explains the rows.

#![expect(clippy::unwrap_used, reason = "a benchmark fails by panicking")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(
    clippy::cast_precision_loss,
    reason = "rates are shown in whole megabytes"
)]

mod file;

use std::convert::Infallible;
use std::fs::File;
use std::io::{BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use pgn_reader::{Reader, SanPlus, Visitor};
use scoresheet::canonical::{Count, Time};
use scoresheet::digest::Digest;
use scoresheet::event::{Event, EventId, ImportStarted, Verified};
use scoresheet::import::{Splitter, Stamp, stream_pgn};
use scoresheet::ledger::{Disk, Writer, create};
use shakmaty::{Chess, Position as _};

/// How many games it finds in a file.
type Work<'a> = &'a dyn Fn(&Path) -> usize;

const ROUNDS: usize = 3;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let path = argument("--file").map_or_else(
        || {
            let megabytes = argument("--megabytes").map_or(100, |n| n.parse().unwrap());
            let path = folder.path().join("games.pgn");
            file::make(&path, megabytes * 1_000_000);
            path
        },
        Into::into,
    );
    let bytes = std::fs::metadata(&path).unwrap().len();
    let works: [(&str, Work<'_>); 4] = [
        ("import into a ledger", &import),
        ("import, nothing kept", &read),
        ("cut into games", &split),
        ("bare replay, one thread", &replay),
    ];
    let mut seconds = [const { Vec::new() }; 4];
    let mut games = [0; 4];
    let mut peak = String::new();
    for round in 0..ROUNDS {
        for (at, (_, work)) in works.iter().enumerate() {
            let began = Instant::now();
            games[at] = work(&path);
            seconds[at].push(began.elapsed().as_secs_f64());
            if round == 0 && at == 0 {
                peak = peak_memory();
            }
        }
    }
    assert!(games.iter().all(|count| *count == games[0]), "{games:?}");
    let rates = seconds.map(|mut seconds| {
        seconds.sort_by(f64::total_cmp);
        bytes as f64 / 1e6 / seconds[ROUNDS / 2]
    });
    println!("{} games, {:.0} MB", games[0], bytes as f64 / 1e6);
    println!("peak memory of the first import: {peak}");
    for ((name, _), rate) in works.iter().zip(rates) {
        println!("{name:26} {rate:7.1} MB/s {:6.2}", rate / rates[3]);
    }
}

fn argument(name: &str) -> Option<String> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    arguments.nth(1)
}

/// The most memory that this process has had.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    line.unwrap_or("not known").to_owned()
}

fn stamp() -> Stamp {
    Stamp {
        at: Time::EPOCH,
        by: "bench".parse().unwrap(),
    }
}

fn started() -> Verified<Event> {
    let started = ImportStarted {
        blob: None,
        bytes: Count::ZERO,
        details: Vec::new(),
        format: "pgn".parse().unwrap(),
        name: "games.pgn".to_owned(),
        sha256: Digest::of(b""),
        version: Count::ONE,
    };
    let Stamp { at, by } = stamp();
    let what = started.into();
    Verified::write(Event { at, by, what }).unwrap()
}

/// As the program does it: on all cores, durable.
fn import(path: &Path) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let disk = Disk::new(folder.path().join("ledger"));
    let Stamp { at, by } = stamp();
    create(&disk, "bench".parse().unwrap(), at, by.clone()).unwrap();
    let (mut writer, _) = Writer::open(&disk, at, &by).unwrap();
    let begun = started();
    writer.append(std::slice::from_ref(&begun)).unwrap();
    let before = writer.size();
    stream_pgn(
        File::open(path).unwrap(),
        (begun.id(), 0),
        &stamp,
        |events| writer.append_each(events.iter().map(Ok)).map(drop),
    )
    .unwrap();
    usize::try_from(writer.size() - before).unwrap()
}

fn read(path: &Path) -> usize {
    let mut games = 0;
    let id: EventId = started().id();
    stream_pgn(File::open(path).unwrap(), (id, 0), &stamp, |events| {
        games += events.len();
        Ok::<_, Infallible>(())
    })
    .unwrap();
    games
}

fn split(path: &Path) -> usize {
    let mut splitter = Splitter::of(File::open(path).unwrap());
    let mut games = 0;
    while let Some(block) = splitter.next_block().unwrap() {
        games += block.games.len();
    }
    games
}

/// Plays the moves of the main line, and looks at nothing else.
struct Bare;

impl Visitor for Bare {
    type Tags = ();
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(position) {
            Ok(played) => {
                position.play_unchecked(played);
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn end_game(&mut self, _: Chess) {}
}

fn replay(path: &Path) -> usize {
    let input: Box<dyn Read> =
        Box::new(BufReader::with_capacity(1 << 18, File::open(path).unwrap()));
    let mut reader = Reader::new(input);
    let mut games = 0;
    while reader.read_game(&mut Bare).unwrap().is_some() {
        games += 1;
    }
    games
}
