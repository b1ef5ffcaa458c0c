//! A small tournament that can be killed at any change of the disk.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use scoresheet::canonical::{Clock, Time};
use scoresheet::event::{CallFailure, Event, Verified};
use scoresheet::ledger::{Disk, LedgerError, Prefix, Storage, SystemKeys, Waivers, Writer};
use scoresheet::projection::{Projection, Resources};
use scoresheet::run::{
    Entrant, Limits, PlayerPart, Record, RunError, RunFile, RunOutcome, Tape, Tournament,
};

use crate::arena::{Arena, engine, run_file};
use crate::mortal::{Mortal, Part, dead};
use crate::runs::FOOLS_MATE;
use crate::script::{Script, spec};

/// A clock that moves on whenever it is looked at.
struct Ticks(AtomicI64);

impl Clock for Ticks {
    fn now(&self) -> Time {
        Time::from_unix_ms(self.0.fetch_add(1, Ordering::Relaxed)).unwrap()
    }
}

/// A small tournament, and the ledger it is played in.
pub(crate) struct Cup {
    // Their folders live as long as they do.
    _players: Vec<Script>,
    file: RunFile,
    entrants: Vec<Entrant>,
    clock: Ticks,
    pub(crate) arena: Arena,
}

impl Cup {
    /// One of engines, with a mate, two rejected answers and a forfeit.
    pub(crate) fn of_engines() -> Self {
        // Black gives no move at all on the fourth ply.
        let forfeits = "[ $plies = 3 ] && set -- '(none)';";
        let players = ["", forfeits].map(|first| Script::player(first, FOOLS_MATE));
        let [a, b] = players.each_ref().map(engine);
        let rules = "ply_cap = 40\nattempts = 2";
        let text = run_file(rules, &[("a", &a), ("b", &b)]);
        Self::of(&text, players.into())
    }

    /// The one of a run file.
    pub(crate) fn of(text: &str, players: Vec<Script>) -> Self {
        let file = RunFile::parse(text.as_bytes(), &Waivers::default()).unwrap();
        let environment = spec("sh").environment;
        let prompts = file.protocol(None, None).prompts;
        let meet = |part| match part {
            PlayerPart::Model(part) => {
                Entrant::of_model(part, &prompts, &|_| None, &Tape::None).unwrap()
            }
            PlayerPart::Engine(part) => {
                Entrant::meet(part, &environment, Duration::from_mins(1)).unwrap()
            }
            _ => unreachable!("nobody else plays for cups"),
        };
        Self {
            _players: players,
            entrants: file.everybody().into_iter().map(meet).collect(),
            file,
            clock: Ticks(AtomicI64::new(1_700_000_000_000)),
            arena: Arena::new(),
        }
    }

    /// Forgets what was played.
    pub(crate) fn clear(&mut self) {
        self.arena = Arena::new();
    }

    fn disk(&self) -> Disk {
        self.arena.bench.disk()
    }

    /// A run, as the command makes it.
    fn run(&self, storage: &dyn Storage) -> Result<RunOutcome, RunError> {
        let (writer, _) = Writer::open(storage, self.clock.now(), &self.file.by)?;
        let projection = projection(storage);
        let by = self.file.by.clone();
        let record =
            Record::new(storage, writer, projection, &self.clock, by).sealing_with(&SystemKeys);
        let limits = Limits {
            games: None,
            stop: &|| false,
        };
        Tournament::open(record, &self.file, &self.entrants, "test")?.play(limits, &mut |_| ())
    }

    /// Runs to the end, undisturbed.
    pub(crate) fn finish(&self) {
        assert!(self.run_mortal(u64::MAX, Part::Whole));
    }

    /// Runs until so many changes were made to the disk; returns whether it
    /// came to its end.
    pub(crate) fn run_mortal(&self, changes: u64, last: Part) -> bool {
        match self.run(&Mortal::new(self.disk(), changes, last)) {
            Ok(outcome) => {
                assert_eq!(outcome, RunOutcome::Finished);
                true
            }
            Err(RunError::Ledger(LedgerError::Io { source, .. })) => {
                let source = source.to_string();
                assert!(source.ends_with(&dead().to_string()), "{source}");
                false
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// Calls in flight once the ledger is opened again.
    pub(crate) fn in_flight(&self) -> u64 {
        let disk = self.disk();
        drop(Writer::open(&disk, self.clock.now(), &self.file.by).unwrap());
        let count = projection(&disk).calls.in_flight().count();
        count.try_into().unwrap()
    }
}

/// What follows from what is acknowledged.
pub(crate) fn projection(storage: &dyn Storage) -> Projection {
    let prefix = Prefix::open(storage).unwrap();
    let mut projection = Projection::default();
    let each = |_, event: Verified<Event>| projection.apply(&event);
    prefix.read(prefix.size(), each).unwrap();
    assert_eq!(projection.findings, vec![]);
    projection
}

/// How many calls were lost.
pub(crate) fn lost(projection: &Projection) -> u64 {
    let systems = projection.systems.systems();
    let lost = |resources: &Resources| {
        resources
            .failed
            .get(&CallFailure::Lost)
            .copied()
            .unwrap_or(0)
    };
    assert_eq!(projection.calls.in_flight().count(), 0);
    systems.iter().map(|system| lost(&system.resources)).sum()
}
