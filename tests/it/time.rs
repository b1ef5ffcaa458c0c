//! A clock that runs backwards is noted, never fatal, and orders nothing.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use scoresheet::canonical::{Clock, Time};
use scoresheet::event::{Event, EventId, Verified};
use scoresheet::finding::{Code, Severity};
use scoresheet::ledger::{Prefix, Writer, verify};
use scoresheet::projection::Projection;
use scoresheet::run::{Entrant, Limits, Record, RunFile, RunOutcome, Tournament};

use crate::arena::{Arena, engine, games, run_file};
use crate::bundle::Bundle;
use crate::runs::FOOLS_MATE;
use crate::script::{Script, spec};
use crate::story::{TIME, by, event, event_at, expense};

/// A clock that so many milliseconds pass on between two looks.
struct Steps {
    now: AtomicI64,
    by: i64,
}

impl Clock for Steps {
    fn now(&self) -> Time {
        let now = self.now.fetch_add(self.by, Ordering::Relaxed);
        Time::from_unix_ms(now).unwrap()
    }
}

/// Plays a cup under a clock; returns the arena of it.
fn cup(by: i64) -> Arena {
    let players = [(); 2].map(|()| Script::player("", FOOLS_MATE));
    let [a, b] = players.each_ref().map(engine);
    let text = run_file("ply_cap = 40", &[("a", &a), ("b", &b)]);
    let file = RunFile::parse(text.as_bytes(), &scoresheet::ledger::Waivers::default()).unwrap();
    let environment = spec("sh").environment;
    let meet = |part| Entrant::meet(part, &environment, Duration::from_mins(1)).unwrap();
    let entrants: Vec<_> = file.engine.iter().map(meet).collect();
    let arena = Arena::new();
    let disk = arena.bench.disk();
    let clock = Steps {
        now: AtomicI64::new(1_700_000_000_000),
        by,
    };
    let (writer, _) = Writer::open(&disk, clock.now(), &file.by).unwrap();
    let record = Record::new(
        &disk,
        writer,
        Projection::default(),
        &clock,
        file.by.clone(),
    );
    let limits = Limits {
        games: None,
        stop: &|| false,
    };
    let played = Tournament::open(record, &file, &entrants, "test")
        .unwrap()
        .play(limits, &mut |_| ())
        .unwrap();
    assert_eq!(played, RunOutcome::Finished);
    arena
}

/// The times of the events, in their order.
fn times(arena: &Arena) -> Vec<Time> {
    let disk = arena.bench.disk();
    let prefix = Prefix::open(&disk).unwrap();
    let mut times = Vec::new();
    prefix
        .read(prefix.size(), |_, event| times.push(event.at))
        .unwrap();
    times
}

#[test]
fn a_run_whose_clock_runs_backwards_plays_the_same_games_and_ends() {
    let (forward, backward) = (cup(1), cup(-7));
    let after_opening = times(&backward).split_off(1);
    assert!(after_opening.is_sorted_by(|a, b| a >= b));
    assert!(after_opening.first() > after_opening.last());
    assert!(times(&forward).is_sorted());
    let looked = |arena: &Arena| {
        let mut projection = Projection::default();
        let each = &mut |_, event: &_| projection.apply(event);
        let verification = verify(&arena.bench.disk(), &|_, _| (), each).unwrap();
        assert_eq!(projection.findings, []);
        (verification.findings, games(&projection))
    };
    let ((none, expected), (notes, found)) = (looked(&forward), looked(&backward));
    assert_eq!(none, []);
    assert!(10 < notes.len());
    for note in &notes {
        assert_eq!(
            (note.code, note.severity()),
            (Code::ClockBackwards, Severity::Note)
        );
    }
    assert_eq!(found, expected);
    assert_eq!(forward.board(), backward.board());
    backward.call(&["verify"]).ends_with(0).says("sound: ");
}

/// The same events, with every time counted back from the first.
fn reversed(events: &[Verified<Event>]) -> Vec<Verified<Event>> {
    let first: Time = TIME.parse().unwrap();
    let mut renamed: Vec<(EventId, EventId)> = Vec::new();
    let mut reversed = Vec::new();
    for (ms, event) in (0..).zip(events) {
        let mut line = event.line().to_owned();
        for (from, to) in &renamed {
            line = line.replace(&from.to_string(), &to.to_string());
        }
        let at = Time::from_unix_ms(first.unix_ms() - 60_000 * ms).unwrap();
        let line = line.replacen(TIME, &at.to_string(), 1);
        let event_again = Verified::<Event>::parse(line.as_bytes()).unwrap();
        renamed.push((event.id(), event_again.id()));
        reversed.push(event_again);
    }
    reversed
}

/// The columns of a row, but for the one that holds an id.
fn columns(row: &str, mark: char, id: usize) -> Vec<String> {
    let columns = row.split(mark).enumerate();
    let others = columns.filter(|(number, _)| *number != id);
    others.map(|(_, column)| column.trim().to_owned()).collect()
}

#[test]
fn boards_and_games_are_in_the_order_of_the_ledger_and_of_nothing_else() {
    let lists = [false, true].map(|is_reversed| {
        let bundle = Bundle::empty();
        let origin = "t".parse().unwrap();
        scoresheet::ledger::create(&bundle.disk(), origin, TIME.parse().unwrap(), by()).unwrap();
        scoresheet::ledger::put_blob(
            &bundle.disk(),
            crate::story::RUN_FILE,
            &scoresheet::ledger::Waivers::default(),
        )
        .unwrap();
        let events = &crate::story::story().events;
        bundle.append(&if is_reversed {
            reversed(events)
        } else {
            events.clone()
        });
        assert_eq!(bundle.run(&["verify"]).code, 0);
        let board = bundle.must(&["board", "placement", "--format", "csv"]);
        // Ids are hashes of lines, and times stand in lines.
        let board: Vec<_> = board.lines().map(|row| columns(row, ',', 2)).collect();
        let shown = bundle.must(&["show"]);
        let shown: Vec<_> = shown.lines().map(|row| columns(row, '|', 1)).collect();
        (board, shown)
    });
    assert_eq!(lists[0], lists[1]);
}

#[test]
fn a_writer_takes_an_event_from_any_time() {
    let bundle = Bundle::played();
    for (number, time) in [
        "9999-12-31T23:59:59.999Z",
        "0000-01-01T00:00:00.000Z",
        "1970-01-01T00:00:00.000Z",
    ]
    .iter()
    .enumerate()
    {
        bundle.append(&[event_at(time, expense(&number.to_string()))]);
    }
    bundle.append(&[event(expense("now"))]);
    let verified = bundle.must(&["verify"]);
    assert_eq!(
        verified.matches("note[clock-backwards]").count(),
        1,
        "{verified}"
    );
}

/// What the clock of the machine says: the time of a file that is new.
fn now() -> Time {
    let file = tempfile::NamedTempFile::new().unwrap();
    let modified = file.as_file().metadata().unwrap().modified().unwrap();
    let since = modified.duration_since(std::time::UNIX_EPOCH).unwrap();
    Time::from_unix_ms(since.as_millis().try_into().unwrap()).unwrap()
}

/// Whoever waits for the lock began before the writer it waits for said what it
/// says, and stands behind it in the ledger.
#[test]
fn a_command_that_waits_for_another_writer_says_no_earlier_time() {
    let bundle = Bundle::played();
    let game = crate::story::story().games[0].to_string();
    let why = ["--reason", "r", "--evidence", "e"];
    let correct = [&["correct", &game, "--annotate", "--yes"][..], &why].concat();
    let commands: [&[&str]; 4] = [
        &[
            "expense",
            "record",
            "--category",
            "other",
            "--amount",
            "1",
            "--note",
            "n",
        ],
        &["system", "pause", "a", "--reason", "r"],
        &[
            "billing",
            "correct",
            "--part",
            "operating",
            "--total",
            "7",
            "--note",
            "n",
        ],
        &correct,
    ];
    let size = verify(&bundle.disk(), &|_, _| (), &mut |_, _| ())
        .unwrap()
        .findings
        .len();
    for (number, words) in commands.into_iter().enumerate() {
        let disk = bundle.disk();
        let (mut writer, _) = Writer::open(&disk, Time::EPOCH, &by()).unwrap();
        let mut waiting = std::process::Command::new(env!("CARGO_BIN_EXE_scoresheet"))
            .args(words)
            .current_dir(bundle.folder())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(400));
        let at = now().to_string();
        let said = event_at(&at, expense(&format!("bill {number}")));
        writer.append(&[said]).unwrap();
        drop(writer);
        if !waiting.wait().unwrap().success() {
            // It was not waited for any more: the same without a wait.
            bundle.must(words);
        }
    }
    let findings = verify(&bundle.disk(), &|_, _| (), &mut |_, _| ())
        .unwrap()
        .findings;
    assert_eq!(findings.len(), size, "{findings:#?}");
}
