//! What stands between a run and those whom it asks: nothing, or a cassette.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::canonical::Clock;
use crate::cli::clock::{Ticking, WallClock};
use crate::cli::error::CliError;
use crate::cli::files::refuse_inside;
use crate::cli::run::{Args, Ground, program};
use crate::cli::screen::{Screen, counted};
use crate::digest::Digest;
use crate::event::{CallFailure, Conversation, Event, EventId, ProtocolPublished, What};
use crate::ledger::{KeySource, SystemKeys};
use crate::projection::{CallState, Projection};
use crate::run::{CassetteFault, Recorder, Replay, ReplayKeys, Tape};

/// A tape, and the clock and keys that go with it.
pub(crate) struct Deck {
    pub(crate) tape: Tape,
    clock: Box<dyn Clock>,
    keys: Box<dyn KeySource>,
}

impl Deck {
    /// Opens the cassette that was named, where one was.
    pub(crate) fn open(args: &Args, ground: &Ground<'_>) -> Result<Self, CliError> {
        let mut deck = Self {
            tape: Tape::None,
            clock: Box::new(WallClock),
            keys: Box::new(SystemKeys),
        };
        if let Some(path) = args.record.as_deref().filter(|_| !args.dry_run) {
            refuse_inside(ground.disk, path)?;
            let is_lost = |call: &EventId| {
                ground.history.lost.contains(call) || is_in_flight(&ground.projection, call)
            };
            let recorder = Recorder::open(path, &is_lost).map_err(refused)?;
            deck.tape = Tape::Record(Arc::new(recorder));
        }
        if args.dry_run {
            deck.tape = Tape::Nobody;
        }
        if let Some(path) = &args.replay {
            if ground.history.is_evidence && !args.on_a_copy {
                return Err(CliError::Input(
                    "this ledger holds calls that were really made, and the games of a replay would stand among them: replay into a new ledger (scoresheet --ledger DIR init), or, where the run began with what was known before, into a copy of the ledger as it was then, with --on-a-copy".to_owned(),
                ));
            }
            let replay = Replay::open(path).map_err(refused)?;
            if let Some(time) = args.time {
                let place = Digest::of(format!("{} {time}", ground.root()).as_bytes());
                deck.keys = Box::new(ReplayKeys::new(replay.digest(), &place));
                deck.clock = Box::new(Ticking::from(time));
            }
            deck.tape = Tape::Replay(Arc::new(replay));
        }
        Ok(deck)
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    pub(crate) fn keys(&self) -> &dyn KeySource {
        &*self.keys
    }

    /// The program, as the ledger calls it: a replay says that it is one.
    pub(crate) fn program(&self) -> String {
        match &self.tape {
            Tape::Replay(replay) => {
                format!("{}, {REPLAYING} {}", program(), replay.digest())
            }
            Tape::None | Tape::Nobody | Tape::Record(_) => program(),
        }
    }

    /// Says how much of a cassette was replayed, or why no more could be recorded.
    pub(crate) fn end(&self, screen: &mut Screen<'_>) -> Result<(), CliError> {
        if let Tape::Replay(replay) = &self.tape {
            let (used, all) = replay.used();
            screen.line(&format!(
                "replayed {used} of {} of the cassette",
                counted(all, "exchange")
            ));
        }
        self.tape.check().map_err(refused)
    }
}

/// Refuses a cassette for a protocol that erases what is said.
pub(crate) fn refuse_erased(args: &Args, rules: &ProtocolPublished) -> Result<(), CliError> {
    let named = args.record.as_deref().map(|path| ("--record", path));
    let replayed = args.replay.as_deref().map(|path| ("--replay", path));
    let Some((option, path)) = named.or(replayed) else {
        return Ok(());
    };
    if rules.conversation != Conversation::Erased {
        return Ok(());
    }
    let name = &rules.name;
    Err(CliError::Input(format!(
        "the protocol {name} erases each conversation when its game ends, and {} would keep it: run without {option}; what is said is sealed in the private store of the ledger while the game goes on, a killed run goes on from there, and afterwards nothing can be replayed",
        path.display()
    )))
}

/// What of the ledger a cassette has to know.
#[derive(Default)]
pub(crate) struct History {
    /// Calls whose answer nobody took.
    lost: BTreeSet<EventId>,
    /// Whether there are calls that no replay made.
    is_evidence: bool,
    /// Whether the runner at work is a replay.
    is_replaying: bool,
}

/// What stands in the name of a program that replays.
const REPLAYING: &str = "replaying the cassette";

impl History {
    pub(crate) fn take(&mut self, event: &Event) {
        match &event.what {
            What::WorkerStarted(started) => self.is_replaying = started.program.contains(REPLAYING),
            What::WorkerStopped(_) => self.is_replaying = false,
            What::CallSent(_) => self.is_evidence |= !self.is_replaying,
            What::CallFailed(failed) if failed.class == CallFailure::Lost => {
                self.lost.insert(failed.call);
            }
            _ => {}
        }
    }
}

/// Whether nobody took the answer of a call yet.
fn is_in_flight(projection: &Projection, call: &EventId) -> bool {
    let call = projection.calls.call(call);
    call.is_some_and(|call| call.state == CallState::InFlight)
}

#[expect(clippy::needless_pass_by_value, reason = "it is mapped over")]
fn refused(fault: CassetteFault) -> CliError {
    CliError::Input(fault.to_string())
}
