mod forgetting;

use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

use crate::canonical::{Clock, Time};
use crate::digest::Digest;
use crate::event::{
    BodyRole, By, CallFailed, CallFailure, EraSeed, Event, EventId, PrivateBody, Verified, What,
};
use crate::finding::{Place, Severity};
use crate::ledger::{
    KeySource, LedgerError, PackWriter, Packs, Prefix, PrivateRoll, PrivateStore, ReadError,
    SealedBody, SeedFault, Storage, Waivers, Writer, open_packed, open_seed, put_blob,
};
use crate::projection::Projection;
use crate::run::RunError;
use crate::run::redaction::{Extent, hide, seal};
use crate::secret::Scanner;

/// The ledger as it is written, with the projection that follows from it.
///
/// What is said follows at once from the projection, and stands in the ledger
/// after the next commit, together with all that was said since the one before.
/// When a commit fails the projection is ahead of the ledger for good: the
/// record is of no more use then.
pub struct Record<'a> {
    storage: &'a dyn Storage,
    writer: Writer<'a>,
    projection: Projection,
    clock: &'a dyn Clock,
    by: By,
    /// Where the keys of private bodies come from.
    keys: Option<&'a dyn KeySource>,
    /// What the ledger says is no credential.
    waivers: Waivers,
    /// The private bodies that committed events name; counted when first needed.
    roll: Option<PrivateRoll>,
    packs: PackWriter<'a>,
    /// What was sealed since the last commit.
    sealed: Vec<SealedBody>,
    /// What was said since the last commit.
    said: Vec<Verified<Event>>,
    /// The time of what was said last.
    at: Option<Time>,
    /// The time of what is said next, where somebody asked for it.
    next_at: Option<Time>,
}

/// How long a batch waits for the clock to move on, and in what steps. A clock
/// that stands still is not waited for.
const PATIENCE: u32 = 50;
const STEP: Duration = Duration::from_micros(100);

impl<'a> Record<'a> {
    /// Returns the record of a ledger whose events gave this projection. The
    /// writer writes to the same storage.
    pub fn new(
        storage: &'a dyn Storage,
        writer: Writer<'a>,
        projection: Projection,
        clock: &'a dyn Clock,
        by: By,
    ) -> Self {
        Self {
            storage,
            writer,
            projection,
            clock,
            by,
            keys: None,
            waivers: Waivers::default(),
            roll: None,
            packs: PackWriter::new(storage),
            sealed: Vec::new(),
            said: Vec::new(),
            at: None,
            next_at: None,
        }
    }

    /// The same record, which seals what it may not make public under keys from
    /// this source. Without one the whole text of a redacted field is lost.
    #[must_use]
    pub const fn sealing_with(mut self, keys: &'a dyn KeySource) -> Self {
        self.keys = Some(keys);
        self
    }

    /// The same record, which keeps public bytes also where the ledger waives what
    /// looks like a credential in them.
    #[must_use]
    pub fn waiving(mut self, waivers: Waivers) -> Self {
        self.waivers = waivers;
        self
    }

    /// What follows from the events so far, those said and not yet committed
    /// included.
    pub const fn projection(&self) -> &Projection {
        &self.projection
    }

    /// The number of events in the ledger.
    pub(crate) const fn size(&self) -> u64 {
        self.writer.size()
    }

    /// Says what happened, at the time it is now, and returns the event's id.
    ///
    /// # Errors
    ///
    /// When it cannot be said on one line, or contradicts what was said before:
    /// a runner must never be the one to spoil the evidence. Or when what looks
    /// like a credential cannot be left out, or not be sealed.
    pub(crate) fn say(&mut self, what: impl Into<What>) -> Result<EventId, RunError> {
        let at = self.time_of_next();
        self.next_at = None;
        self.at = Some(at);
        let event = self.public(at, what.into())?;
        let known = self.projection.findings.len();
        self.projection.apply(&event);
        // A warning is something to look at later, and no reason to lose what
        // happened.
        let new = self.projection.findings.get(known..).unwrap_or_default();
        if let Some(finding) = new.iter().find(|one| one.severity() == Severity::Blocker) {
            return Err(RunError::Contradiction(Box::new(finding.clone())));
        }
        let id = event.id();
        self.said.push(event);
        Ok(id)
    }

    /// Says that nobody waits any more for a call that a killed run left in flight:
    /// what came of it, and what it cost, is unknown.
    ///
    /// # Errors
    ///
    /// As [`say`](Self::say).
    pub(crate) fn say_lost(&mut self, call: EventId) -> Result<EventId, RunError> {
        self.say(CallFailed {
            bodies: Vec::new(),
            call,
            class: CallFailure::Lost,
            detail: "the runner ended while the call was in flight".to_owned(),
            http_status: None,
            retry_after_ms: None,
            time: None,
        })
    }

    /// The time that what is said next will carry: a draw depends on it.
    pub(crate) fn time_of_next(&mut self) -> Time {
        let at = match (self.at, self.next_at) {
            (Some(at), _) if !self.said.is_empty() => at,
            (_, Some(next)) => next,
            (earlier, None) => self.later_than(earlier),
        };
        self.next_at = Some(at);
        at
    }

    /// Forgets a time that was asked for, where nothing is said at it.
    pub(crate) const fn let_time_pass(&mut self) {
        self.next_at = None;
    }

    /// Returns the seed of an era.
    pub(crate) fn seed(&self, sha256: &Digest) -> Result<EraSeed, SeedFault> {
        open_seed(self.storage, sha256)
    }

    /// Returns the event as it may be public. Whole texts are sealed before it
    /// is returned.
    fn public(&self, at: Time, what: What) -> Result<Verified<Event>, RunError> {
        let write = |what| {
            let by = self.by.clone();
            let event = Verified::write(Event { at, by, what })?;
            let hits = Scanner::shared().scan(event.line().as_bytes());
            Ok::<_, RunError>((event, hits))
        };
        let mut public = what.clone();
        let mut hidden = hide(&mut public, Extent::Hits, &[]);
        let (mut event, mut hits) = write(public.clone())?;
        if !hits.is_empty() {
            public = what;
            hidden = hide(&mut public, Extent::Whole, &hits);
            (event, hits) = write(public.clone())?;
        }
        if let Some(hit) = hits.first() {
            let (kind, rule) = (public.kind().name, hit.rule);
            return Err(RunError::Secret { kind, rule });
        }
        if let (false, Some(keys)) = (hidden.is_empty(), self.keys) {
            let store = PrivateStore::new(self.storage, keys);
            seal(&mut public, &hidden, &self.projection, &store)?;
            event = write(public)?.0;
        }
        Ok(event)
    }

    /// Keeps sealed bodies until the next commit, which makes them durable before the
    /// events that name them. Returns what an event says of them.
    pub(crate) fn hold(&mut self, sealed: Vec<SealedBody>) -> Vec<PrivateBody> {
        let bodies = sealed.iter().map(|sealed| sealed.body().clone()).collect();
        self.sealed.extend(sealed);
        bodies
    }

    /// Appends what was said. When this returns it is durable, whole.
    pub(crate) fn commit(&mut self) -> Result<(), LedgerError> {
        if !self.said.is_empty() {
            self.write()?;
            self.sealed.clear();
            let said = std::mem::take(&mut self.said);
            self.count(&said);
        }
        Ok(())
    }

    /// Writes the sealed bodies and the events that name them, at the same time: the
    /// events count once both are durable.
    fn write(&mut self) -> Result<(), LedgerError> {
        if self.sealed.is_empty() {
            return self.writer.append(&self.said).map(drop);
        }
        let (packs, sealed) = (&mut self.packs, &self.sealed);
        let (writer, said) = (&mut self.writer, &self.said);
        thread::scope(|scope| {
            let packing = scope.spawn(|| packs.append(sealed));
            let packed = || packing.join().unwrap_or(Err(LedgerError::Poisoned));
            writer.append_after(said, packed).map(drop)
        })
    }

    /// Keeps the roll of private bodies up with what is committed, once there is one.
    fn count(&mut self, events: &[Verified<Event>]) {
        for event in events {
            if let Some(roll) = &mut self.roll {
                // What a runner says never contradicts itself.
                drop(roll.take(event, &Place::default()));
            }
        }
    }

    /// Drops what was said since the last commit; the projection keeps it, so
    /// nothing that depends on it may be said any more.
    pub(crate) fn forget(&mut self) {
        self.said.clear();
        self.sealed.clear();
    }

    /// Where the ledger is.
    pub(crate) const fn storage(&self) -> &'a dyn Storage {
        self.storage
    }

    /// Where what is private is sealed, where there is a source of keys.
    pub(crate) fn private_store(&self) -> Option<PrivateStore<'a>> {
        self.keys.map(|keys| PrivateStore::new(self.storage, keys))
    }

    /// What came back in the calls of a game, as far as it can be read, by the
    /// event of the answer.
    ///
    /// # Errors
    ///
    /// When the ledger cannot be read.
    pub(crate) fn responses(
        &self,
        game: &EventId,
    ) -> Result<BTreeMap<EventId, Vec<u8>>, LedgerError> {
        let mut responses = BTreeMap::new();
        let prefix = Prefix::open(self.storage)?;
        let packs = Packs::open(self.storage)?;
        let calls = &self.projection.calls;
        let each = |_, event: Verified<Event>| {
            let What::CallAnswered(answered) = &event.what else {
                return;
            };
            let call = calls.call(&answered.call);
            if call.and_then(|call| call.sent.game) != Some(*game) {
                return;
            }
            let mut bodies = answered.bodies.iter();
            let body = bodies.find(|body| body.role == BodyRole::Response);
            if let Some(bytes) = body.and_then(|body| open_packed(self.storage, &packs, body).ok())
            {
                responses.insert(event.id(), bytes.to_vec());
            }
        };
        read_all(&prefix, each)?;
        Ok(responses)
    }

    /// Stores public bytes that an event is going to name.
    pub(crate) fn keep(&self, bytes: &[u8]) -> Result<Digest, LedgerError> {
        put_blob(self.storage, bytes, &self.waivers)
    }

    /// Returns what the clock says, once it says something else.
    ///
    /// Two games for one cell differ in nothing but their time, and an engine
    /// that does not start fails faster than a clock ticks.
    fn later_than(&self, earlier: Option<Time>) -> Time {
        for _ in 0..PATIENCE {
            let now = self.clock.now();
            if Some(now) != earlier {
                return now;
            }
            thread::sleep(STEP);
        }
        self.clock.now()
    }
}

/// Hands every event over.
fn read_all(
    prefix: &Prefix<'_>,
    each: impl FnMut(u64, Verified<Event>),
) -> Result<(), LedgerError> {
    match prefix.read(prefix.size(), each) {
        Ok(_) => Ok(()),
        Err(ReadError::Ledger(error)) => Err(error),
        Err(ReadError::Damaged(findings)) => Err(LedgerError::Damaged { findings }),
        // The prefix has as many events as it has.
        Err(ReadError::Beyond { .. }) => Err(LedgerError::Poisoned),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use serde_json::json;

    use super::*;
    use crate::chess::{Fen, Ply};
    use crate::event::{CallSent, PositionMeasured, SystemRegistered};
    use crate::finding::Code;
    use crate::ledger::{Disk, SystemKeys, create, open_body, private_path, verify};

    /// A clock that moves on every so many looks.
    struct Slow {
        looks: AtomicI64,
        looks_per_tick: i64,
    }

    impl Clock for Slow {
        fn now(&self) -> Time {
            let looks = self.looks.fetch_add(1, Ordering::Relaxed);
            Time::from_unix_ms(1 + looks / self.looks_per_tick).unwrap()
        }
    }

    /// Does something with the record of a new ledger.
    fn with_record<T>(looks_per_tick: i64, act: impl FnOnce(&mut Record<'_>) -> T) -> T {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::new(folder.path().join("ledger"));
        let by: By = "test".parse().unwrap();
        let origin = "example.org/test".parse().unwrap();
        create(&disk, origin, Time::EPOCH, by.clone()).unwrap();
        let clock = Slow {
            looks: AtomicI64::new(0),
            looks_per_tick,
        };
        let (writer, _) = Writer::open(&disk, Time::EPOCH, &by).unwrap();
        let mut record = Record::new(&disk, writer, Projection::default(), &clock, by);
        act(&mut record)
    }

    fn body<T: serde::de::DeserializeOwned>(json: serde_json::Value) -> T {
        serde_json::from_value(json).unwrap()
    }

    fn sent() -> CallSent {
        CallSent::outside_games(EventId::of(b"a system"))
    }

    fn failed(call: EventId) -> CallFailed {
        CallFailed {
            bodies: Vec::new(),
            call,
            class: CallFailure::Exited,
            detail: "gone".to_owned(),
            http_status: None,
            retry_after_ms: None,
            time: None,
        }
    }

    fn say_twice(record: &mut Record<'_>) -> Result<(), RunError> {
        for _ in 0..2 {
            record.say(sent())?;
            record.commit()?;
        }
        Ok(())
    }

    #[test]
    fn the_same_fact_again_is_another_one_because_the_clock_moved_on() {
        with_record(20, |record| {
            say_twice(record).unwrap();
            assert_eq!(record.size(), 3);
        });
        // Nobody waits for ever for a clock that stands still.
        let refused = with_record(1 << 40, say_twice).unwrap_err();
        let is_refused = matches!(refused, RunError::Ledger(LedgerError::Duplicate { .. }));
        assert!(is_refused, "{refused}");
    }

    #[test]
    fn what_is_only_odd_is_kept_and_what_contradicts_is_not() {
        with_record(1, |record| {
            let engine: SystemRegistered = body(json!({
                "assistance": {"kind": "none"}, "name": "analyst",
                "engine": {
                    "files": [{"bytes": 0, "name": "e", "sha256": Digest::of(b"")}],
                    "limit": {"nodes": 1000}, "name": "e", "options": [],
                },
            }));
            let analyst = record.say(engine).unwrap();
            let measured = |best: &str| -> PositionMeasured {
                body(json!({
                    "analyst": analyst, "best": best, "fen": Fen::standard_start(),
                    "lines": [{"cp": 20, "pv": [best]}], "variant": "standard",
                }))
            };
            record.say(measured("e2e4")).unwrap();
            // Another answer to the same question: odd, and it happened.
            record.say(measured("d2d4")).unwrap();
            assert_eq!(record.projection().findings.len(), 1);
            let refused = record.say(measured("e2e5")).unwrap_err();
            assert!(matches!(refused, RunError::Contradiction(_)), "{refused}");
            record.commit().unwrap();
            assert_eq!(record.size(), 4);
        });
    }

    #[test]
    fn what_is_said_follows_at_once_and_stands_in_the_ledger_later() {
        with_record(1, |record| {
            let call = record.say(sent()).unwrap();
            assert!(record.projection().calls.call(&call).is_some());
            assert_eq!(record.size(), 1);
            record.say(failed(call)).unwrap();
            record.commit().unwrap();
            assert_eq!(record.size(), 3);
            record.commit().unwrap();
            assert_eq!(record.size(), 3, "nothing was said since");
        });
    }

    #[test]
    fn what_looks_like_a_credential_is_sealed_before_it_is_said() {
        let key = ["gsk", "_", &"aB3dE5gH7k".repeat(4)].concat();
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::new(folder.path().join("ledger"));
        let by: By = "test".parse().unwrap();
        let origin = "example.org/test".parse().unwrap();
        create(&disk, origin, Time::EPOCH, by.clone()).unwrap();
        let (writer, _) = Writer::open(&disk, Time::EPOCH, &by).unwrap();
        let mut record = Record::new(&disk, writer, Projection::default(), &Time::EPOCH, by)
            .sealing_with(&SystemKeys);
        let detail = format!("the server says {key}");
        let fail = |record: &mut Record<'_>, sent: CallSent| {
            let call = record.say(sent).unwrap();
            let detail = detail.clone();
            record
                .say(CallFailed {
                    detail,
                    ..failed(call)
                })
                .unwrap();
            record.said.last().unwrap().clone()
        };
        let of_game = CallSent {
            game: Some(EventId::of(b"a game")),
            ply: Some(Ply(1)),
            ..sent()
        };
        let said = fail(&mut record, of_game.clone());
        assert!(!said.line().contains(&key));
        let body = &said.what.bodies()[0];
        assert_eq!(*open_body(&disk, body).unwrap(), detail.as_bytes());
        let game = body.unit;
        assert!(record.erase(&game, "it has ended").unwrap());
        assert!(!record.erase(&game, "it has ended").unwrap());
        assert!(open_body(&disk, body).is_err());
        // What is sealed later is counted, too.
        let again = CallSent {
            attempt: 2_u32.into(),
            ..of_game.clone()
        };
        fail(&mut record, again);
        assert!(record.erase(&game, "it has ended").unwrap());
        let verification = verify(&disk, &|_, _| (), &mut |_, _| ()).unwrap();
        assert_eq!(verification.private.erased, 2);
        assert!(!disk.root().join(private_path(&game)).join("key").exists());
        // A call for no game has no key to be sealed under; its text is redacted.
        let said = fail(&mut record, sent());
        assert!(!said.line().contains(&key) && said.what.bodies().is_empty());
    }

    #[test]
    fn a_contradiction_is_not_written() {
        with_record(1, |record| {
            let call = record.say(sent()).unwrap();
            record.say(failed(call)).unwrap();
            record.commit().unwrap();
            match record.say(failed(call)) {
                Err(RunError::Contradiction(finding)) => assert_eq!(finding.code, Code::CallState),
                other => panic!("{other:?}"),
            }
            record.commit().unwrap();
            assert_eq!(record.size(), 3);
        });
    }
}
