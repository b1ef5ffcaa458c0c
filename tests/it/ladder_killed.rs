//! A run on a ladder may be killed anywhere: another one goes on, no game is
//! lost, none is played twice, and no draw is made twice.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use scoresheet::canonical::{Clock, Time};
use scoresheet::event::{By, Event, Stage, Verified};
use scoresheet::ledger::{LedgerError, Prefix, Storage, Waivers, Writer};
use scoresheet::projection::{GameState, Projection};
use scoresheet::run::{Entrant, LadderFile, LadderOutcome, LadderRun, Limits, Record, RunError};

use crate::climb::Climb;
use crate::mortal::{Mortal, Part, dead};
use crate::script::spec;

/// A clock that moves on whenever it is looked at.
struct Ticks(AtomicI64);

impl Clock for Ticks {
    fn now(&self) -> Time {
        Time::from_unix_ms(self.0.fetch_add(1, Ordering::Relaxed)).unwrap()
    }
}

fn projection(storage: &dyn Storage) -> Projection {
    let prefix = Prefix::open(storage).unwrap();
    let mut projection = Projection::default();
    let each = |_, event: Verified<Event>| projection.apply(&event);
    prefix.read(prefix.size(), each).unwrap();
    assert_eq!(projection.findings, vec![]);
    projection
}

/// The finished games of the ladder.
fn finished(projection: &Projection) -> u64 {
    let games = projection.games.iter();
    let games = games.filter(|game| game.started.stage == Stage::Ladder);
    games
        .filter(|game| game.result().is_some())
        .count()
        .try_into()
        .unwrap()
}

/// Every draw has its game, the games are as many as the draws, and none goes on.
#[track_caller]
fn all_is_told_once(projection: &Projection, games: u64) {
    let era = projection.eras.named("2026").unwrap();
    let ladder = projection.games.iter();
    let ladder: Vec<_> = ladder
        .filter(|game| game.started.stage == Stage::Ladder)
        .collect();
    assert_eq!(ladder.len(), era.draws.len());
    assert!(era.draws.iter().all(|draw| draw.game.is_some()));
    assert!(ladder.iter().all(|game| game.state != GameState::Playing));
    assert_eq!(finished(projection), games);
    assert_eq!(projection.calls.in_flight().count(), 0);
}

struct Ladder<'a> {
    file: &'a LadderFile,
    entrants: &'a [Entrant],
    clock: &'a Ticks,
}

impl Ladder<'_> {
    /// A run, as the command makes it, until the ladder has so many games.
    fn run(&self, storage: &dyn Storage, games: u64) -> Result<LadderOutcome, RunError> {
        let by: By = self.file.by.clone();
        let (writer, _) = Writer::open(storage, self.clock.now(), &by)?;
        let projection = projection(storage);
        let left = games - finished(&projection);
        let record = Record::new(storage, writer, projection, self.clock, by);
        let limits = Limits {
            games: Some(left),
            stop: &|| false,
        };
        let run = LadderRun::open(record, self.file, self.entrants, "test", false)?;
        run.play(limits, &mut |_| ())
    }
}

#[test]
fn killed_at_any_change_of_the_disk_a_ladder_goes_on_to_as_many_games() {
    let climb = Climb::placed(&["a", "b", "c"]);
    let text = climb.ladder_text(&["a", "b", "c"]);
    let file = LadderFile::parse(text.as_bytes(), &Waivers::default()).unwrap();
    let environment = spec("sh").environment;
    let meet = |part| Entrant::meet(part, &environment, Duration::from_mins(1)).unwrap();
    let entrants: Vec<_> = file.engine.iter().map(meet).collect();
    let clock = Ticks(AtomicI64::new(2_000_000_000_000));
    let ladder = Ladder {
        file: &file,
        entrants: &entrants,
        clock: &clock,
    };
    let disk = climb.arena.bench.disk();
    let (mut games, mut killed) = (0, 0);
    for (step, changes) in (1..=25).map(|step| (step, step)) {
        let last = if step % 2 == 0 {
            Part::Whole
        } else {
            Part::Third
        };
        games += 1;
        let mortal = Mortal::new(climb.arena.bench.disk(), changes, last);
        match ladder.run(&mortal, games) {
            Ok(outcome) => assert_eq!(outcome, LadderOutcome::Played),
            Err(RunError::Ledger(LedgerError::Io { source, .. })) => {
                assert_eq!(source.to_string(), dead().to_string());
                killed += 1;
                // Recovery, and whatever was begun is gone on with.
                drop(Writer::open(&disk, clock.now(), &file.by).unwrap());
                if finished(&projection(&disk)) < games {
                    assert_eq!(ladder.run(&disk, games).unwrap(), LadderOutcome::Played);
                }
            }
            Err(error) => panic!("{error}"),
        }
        if finished(&projection(&disk)) == games {
            // What was in flight when a finished game was not stopped in order.
            continue;
        }
        panic!("{} games, not {games}", finished(&projection(&disk)));
    }
    assert!(10 < killed, "killed only {killed} times");
    all_is_told_once(&projection(&disk), games);
    assert_eq!(climb.codes(), []);
}

#[test]
fn killed_in_every_search_the_program_goes_on_with_the_game_that_was_drawn() {
    let climb = Climb::placed(&["a", "b"]);
    // Another build, which is the end of the program every other time.
    let kill = "n=0; [ -e n ] && read n <n; n=$((n + 1)); echo $n >n;\
                [ $((n % 2)) = 1 ] && { kill -9 $PPID; exit; };";
    for name in ["a", "b"] {
        climb.rewrite(name, kill);
    }
    let text = climb.ladder_text(&["a", "b"]);
    let text = text.replace("\"a\"", "\"a-2\"").replace("\"b\"", "\"b-2\"");
    let file = climb.arena.write("deadly.toml", &text);
    let words = ["run", file.to_str().unwrap(), "--games", "1"];
    for kills in 1..=4 {
        let ran = climb.arena.call(&words);
        assert_eq!(ran.code, None, "{ran:?}");
        let projection = climb.arena.projection();
        assert_eq!(projection.eras.named("2026").unwrap().draws.len(), 1);
        assert_eq!(projection.calls.in_flight().count(), 1);
        let game = projection.games.iter().last().unwrap();
        assert_eq!(game.moves.len(), kills - 1);
    }
    let ran = climb.arena.call(&words);
    ran.ends_with(0)
        .says("draw 0 goes on after 3 plies")
        .says("draw 0: ");
    all_is_told_once(&climb.arena.projection(), 1);
    climb.arena.call(&["schedule", "check"]).ends_with(0);
}

#[test]
fn a_game_by_hand_that_was_killed_is_gone_on_with() {
    let climb = Climb::placed(&["a", "b"]);
    climb.rewrite(
        "a",
        "[ -e killed ] || { echo >killed; kill -9 $PPID; exit; };",
    );
    let text = climb.ladder_text(&["a", "b"]).replace("\"a\"", "\"a-2\"");
    let file = climb.arena.write("deadly.toml", &text);
    let words = ["run", file.to_str().unwrap(), "--manual", "a-2", "b"];
    assert_eq!(climb.arena.call(&words).code, None);
    climb
        .arena
        .call(&words)
        .ends_with(0)
        .says("manual game: a-2 - b: 0-1");
    assert_eq!(climb.pairs(Stage::Manual), ["a-2-b"]);
    assert_eq!(climb.codes(), []);
}

#[test]
fn two_runs_at_once_are_one_run_and_a_refusal() {
    let climb = Climb::placed(&["a", "b"]);
    climb.rewrite("a", "while ! [ -e go ]; do sleep 0.02; done;");
    let text = climb.ladder_text(&["a", "b"]).replace("\"a\"", "\"a-2\"");
    let file = climb.arena.write("slow.toml", &text);
    let words = ["run", file.to_str().unwrap(), "--games", "1"];
    let before = climb.events().len();
    let mut first = climb.arena.command(&words).spawn().unwrap();
    while climb.events().len() < before + 5 {
        assert!(first.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(5));
    }
    climb
        .arena
        .call(&words)
        .ends_with(2)
        .says("another process is writing to ");
    climb
        .arena
        .call(&["schedule", "next"])
        .ends_with(2)
        .says("another process is writing to ");
    std::fs::write(climb.script("a").path().with_file_name("go"), "").unwrap();
    assert_eq!(first.wait().unwrap().code(), Some(0));
    all_is_told_once(&climb.arena.projection(), 1);
}
