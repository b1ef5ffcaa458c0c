//! A small ledger in which a game has private bodies.

use std::io;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use scoresheet::event::{
    AbortCause, BodyRole, CallAnswered, CallSent, Event, EventId, GameAborted, PrivateBody,
    PrivateErased, Verified,
};
use scoresheet::finding::Place;
use scoresheet::ledger::{
    KeySource, LedgerError, Prefix, PrivateRoll, PrivateStore, Storage, Writer, erase,
};
use serde_json::json;

use crate::bundle::{Bundle, File};
use crate::story::{TIME, body, by, event, story};

/// Keys that are the same in every run.
pub(crate) struct Fixed(AtomicU64);

impl Fixed {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed << 32))
    }
}

impl KeySource for Fixed {
    fn fill(&self, bytes: &mut [u8]) -> io::Result<()> {
        for byte in bytes {
            let n = self.0.fetch_add(1, Ordering::Relaxed);
            let mixed = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            *byte = u8::try_from((mixed ^ (mixed >> 29)) >> 32 & 0xff).unwrap();
        }
        Ok(())
    }
}

/// What is sealed: a request, an answer that anybody can guess, and a thought.
pub(crate) const BODIES: [(BodyRole, &str); 3] = [
    (BodyRole::Request, "You are White. Choose one move."),
    (BodyRole::Response, "e2e4"),
    (
        BodyRole::Reasoning,
        "The center is open to whoever takes it.",
    ),
];

/// The game that has them.
pub(crate) fn game() -> EventId {
    event(story().stray()).id()
}

/// Starts the game.
pub(crate) fn start(bundle: &Bundle) {
    bundle.append(&[event(story().stray())]);
}

/// Seals the bodies, and appends the events that name them.
pub(crate) fn converse(storage: &dyn Storage, keys: &dyn KeySource) -> Result<(), LedgerError> {
    let store = PrivateStore::new(storage, keys);
    let seal = |(role, text): (BodyRole, &str)| store.seal(&game(), role, text.as_bytes());
    let sent = event(sent(vec![seal(BODIES[0])?]));
    append(storage, std::slice::from_ref(&sent))?;
    let bodies = vec![seal(BODIES[1])?, seal(BODIES[2])?];
    append(storage, &[event(answered(sent.id(), bodies))])
}

pub(crate) fn sent(bodies: Vec<PrivateBody>) -> CallSent {
    CallSent {
        bodies,
        candidates: None,
        ..body(json!({
            "attempt": 1, "game": game(), "ply": 1, "system": story().systems[0],
        }))
    }
}

pub(crate) fn answered(call: EventId, bodies: Vec<PrivateBody>) -> CallAnswered {
    CallAnswered {
        bodies,
        ..body(json!({"call": call, "time": {"total_ms": 9}}))
    }
}

/// Opens a ledger to append to it. A program that another test is starting
/// holds a copy of every lock of this process until it runs.
fn writer(storage: &dyn Storage) -> Result<Writer<'_>, LedgerError> {
    for _ in 0..500 {
        match Writer::open(
            storage,
            TIME.parse::<scoresheet::canonical::Time>().unwrap(),
            &by(),
        ) {
            Err(LedgerError::Busy { .. }) => std::thread::sleep(Duration::from_millis(10)),
            opened => return opened.map(|(writer, _)| writer),
        }
    }
    panic!("somebody else writes");
}

pub(crate) fn append(storage: &dyn Storage, events: &[Verified<Event>]) -> Result<(), LedgerError> {
    let mut writer = writer(storage)?;
    writer.append(events).map(drop)
}

/// Ends the game.
pub(crate) fn end(bundle: &Bundle) {
    bundle.append(&[event(GameAborted {
        call: None,
        cause: AbortCause::Maintainer,
        game: game(),
        reason: "enough".to_owned(),
    })]);
}

/// A ledger whose game has ended, with all its private bodies.
pub(crate) fn vault() -> Bundle {
    static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
        let bundle = Bundle::played();
        start(&bundle);
        converse(&bundle.disk(), &Fixed::new(1)).unwrap();
        end(&bundle);
        bundle.files()
    });
    Bundle::of(&FILES)
}

/// The private bodies that events name, in order.
pub(crate) fn named(bundle: &Bundle) -> Vec<PrivateBody> {
    let disk = bundle.disk();
    let prefix = Prefix::open(&disk).unwrap();
    let mut named = Vec::new();
    prefix
        .read(prefix.size(), |_, event| {
            named.extend(event.what.bodies().iter().cloned());
        })
        .unwrap();
    named
}

/// What an erasure of the game says now.
pub(crate) fn erasure(storage: &dyn Storage) -> Option<PrivateErased> {
    let prefix = Prefix::open(storage).unwrap();
    let mut roll = PrivateRoll::open(storage).unwrap();
    prefix
        .read(prefix.size(), |_, event| {
            assert_eq!(roll.take(&event, &Place::default()), None);
        })
        .unwrap();
    roll.erasure(&game(), "the game has ended")
}

/// Erases as the command does.
pub(crate) fn erase_all(storage: &dyn Storage) -> Result<u64, LedgerError> {
    let mut writer = writer(storage)?;
    let event = erasure(storage).map(event);
    erase(storage, &mut writer, &game(), event.as_ref()).map(|erased| erased.files)
}

/// The folder of the game's bodies.
pub(crate) fn folder() -> String {
    format!("ledger/{}", scoresheet::ledger::private_path(&game()))
}

/// The first sealed body.
pub(crate) fn first_sealed(bundle: &Bundle) -> String {
    format!("{}/{}", folder(), named(bundle)[0].sha256)
}
