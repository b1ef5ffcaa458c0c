//! A ledger, run files, and the program that plays them.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use scoresheet::canonical::Time;
use scoresheet::event::{Event, EventId, Verified, What};
use scoresheet::ledger::{Writer, verify};
use scoresheet::projection::{Game, GameState, Projection};
use tempfile::TempDir;

use crate::ledger::{Bench, files};
use crate::script::Script;

/// A ledger of its own, and a folder for run files.
pub(crate) struct Arena {
    pub(crate) bench: Bench,
    folder: TempDir,
}

/// How a command ended, and what it said.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    #[track_caller]
    pub(crate) fn ends_with(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn says(&self, text: &str) -> &Self {
        let is_said = self.out.contains(text) || self.err.contains(text);
        assert!(is_said, "{text}: {self:#?}");
        self
    }
}

impl Arena {
    pub(crate) fn new() -> Self {
        Self {
            bench: Bench::opened(Time::EPOCH),
            folder: TempDir::new().unwrap(),
        }
    }

    /// Writes a file beside the ledger.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Where a file beside the ledger is.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A command on the ledger.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_scoresheet"));
        command.arg("--ledger").arg(self.bench.path()).args(words);
        // Debian keeps games where not everybody looks for programs.
        command.env("PATH", "/usr/games:/usr/bin:/bin");
        command.stdin(Stdio::null());
        command
    }

    pub(crate) fn call(&self, words: &[&str]) -> Ran {
        let output = self.command(words).output().unwrap();
        Ran {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Plays a run file.
    pub(crate) fn run(&self, file: &Path) -> Ran {
        self.call(&["run", file.to_str().unwrap()])
    }

    /// Appends an event as a maintainer does, and returns its id.
    pub(crate) fn append(&self, what: impl Into<What>) -> EventId {
        let by = "maintainer".parse().unwrap();
        let at = Time::from_unix_ms(1).unwrap();
        let disk = self.bench.disk();
        let (mut writer, _) = Writer::open(&disk, at, &by).unwrap();
        let event = Event {
            at,
            by,
            what: what.into(),
        };
        let event = Verified::write(event).unwrap();
        let id = event.id();
        writer.append(&[event]).unwrap();
        id
    }

    /// The events of the ledger.
    pub(crate) fn events(&self) -> Vec<Verified<Event>> {
        let mut events = Vec::new();
        let each = &mut |_, event: &Verified<Event>| events.push(event.clone());
        verify(&self.bench.disk(), &|_, _| (), each).unwrap();
        events
    }

    /// A ledger that begins with these events of another one, and has its blobs.
    pub(crate) fn holding(events: &[Verified<Event>], other: &Self) -> Self {
        let arena = Self::new();
        let disk = arena.bench.disk();
        let by = "maintainer".parse().unwrap();
        let (mut writer, _) = Writer::open(&disk, Time::EPOCH, &by).unwrap();
        // Both were opened alike.
        writer.append(&events[1..]).unwrap();
        drop(writer);
        for (name, bytes) in other.files() {
            if name.starts_with("blobs/") {
                let path = arena.bench.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, bytes).unwrap();
            }
        }
        arena
    }

    /// Every file of the ledger with its bytes.
    pub(crate) fn files(&self) -> Vec<(String, Vec<u8>)> {
        files(&self.bench.path())
    }

    /// What follows from a ledger in which nothing is wrong.
    #[track_caller]
    pub(crate) fn projection(&self) -> Projection {
        let mut projection = Projection::default();
        let each = &mut |_, event: &_| projection.apply(event);
        let verification = verify(&self.bench.disk(), &|_, _| (), each).unwrap();
        assert_eq!(verification.findings, vec![]);
        assert_eq!(projection.findings, vec![]);
        projection
    }

    /// The games, in the order of cells, once the ledger has been verified.
    #[track_caller]
    pub(crate) fn games(&self) -> Vec<String> {
        self.call(&["verify"]).ends_with(0).says("sound: ");
        games(&self.projection())
    }

    /// The rows of the placement board, by name.
    #[track_caller]
    pub(crate) fn board(&self) -> Vec<String> {
        let board = self.call(&["board", "placement", "--format", "csv"]);
        let mut reader = csv::Reader::from_reader(board.ends_with(0).out.as_bytes());
        let columns = reader.headers().unwrap().clone();
        let mut rows: Vec<_> = reader
            .records()
            .map(|record| {
                let record = record.unwrap();
                let cell = |name| &record[columns.iter().position(|c| c == name).unwrap()];
                format!(
                    "{}: {} games {}-{}-{}, {} forfeits, {} rejected, {} censored, {} aborted",
                    cell("system"),
                    cell("games"),
                    cell("wins"),
                    cell("draws"),
                    cell("losses"),
                    cell("forfeits"),
                    cell("rejected"),
                    cell("censored"),
                    cell("aborted_games"),
                )
            })
            .collect();
        rows.sort();
        rows
    }
}

/// The games of the only cohort, in the order of cells: who played, what came
/// of it, and the moves.
pub(crate) fn games(projection: &Projection) -> Vec<String> {
    let name = projection.schedules.cohort_names().next().unwrap();
    let schedule = projection.schedules.cohort(name.as_str()).unwrap();
    let cells = schedule.games.iter().enumerate();
    let games = cells.flat_map(|(cell, games)| games.iter().map(move |id| (cell, id)));
    games
        .map(|(cell, id)| {
            let game = projection.games.game(id).unwrap();
            format!("{cell} {}", in_words(projection, game))
        })
        .collect()
}

fn in_words(projection: &Projection, game: &Game) -> String {
    let name = |id| {
        projection
            .systems
            .system(id)
            .unwrap()
            .registered
            .name
            .clone()
    };
    let seats = &game.started.seats;
    let mut text = format!("{}-{}", name(&seats.white), name(&seats.black));
    let _ = match game.state {
        GameState::Finished {
            result,
            termination,
            ..
        } => write!(text, " {result} {termination}"),
        GameState::Aborted { .. } => write!(text, " aborted"),
        GameState::Playing => write!(text, " goes on"),
    };
    for played in &game.moves {
        let _ = write!(text, " {}", played.uci);
    }
    for rejected in &game.rejected {
        let _ = write!(text, " ({}: {})", rejected.ply, rejected.class);
    }
    text
}

/// The text of a run file: the rest of its protocol, and its engines.
pub(crate) fn run_file(rules: &str, engines: &[(&str, &str)]) -> String {
    let mut text = format!(
        "cohort = \"cup\"\n\
         [preregistration]\n\
         evidence_status = \"pilot\"\n\
         hypothesis = \"the program does what it says\"\n\
         primary_endpoints = [\"placement rating\"]\n\
         stopping_rule = \"every cell once\"\n\
         [protocol]\n\
         name = \"rules\"\n\
         {rules}\n"
    );
    for (name, engine) in engines {
        let _ = write!(text, "[[engine]]\nname = \"{name}\"\n{engine}\n");
    }
    text
}

/// How a run file names a script.
pub(crate) fn engine(script: &Script) -> String {
    let path = script.path();
    format!(
        "command = \"sh\"\nargs = ['{}']\nnodes = 20",
        path.display()
    )
}
