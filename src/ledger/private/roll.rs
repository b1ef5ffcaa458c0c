use std::collections::{BTreeMap, BTreeSet};

use crate::canonical::Count;
use crate::digest::{Digest, Hasher};
use crate::event::{BodyRole, Event, EventId, PrivateErased, What};
use crate::finding::{Code, Finding, Place};
use crate::ledger::files::list;
use crate::ledger::private::body::Due;
use crate::ledger::private::packs::Packs;
use crate::ledger::private::store::{private_path, read_since};
use crate::ledger::{LedgerError, Storage};

/// The private bodies that the events so far name, and which of them events
/// erase. Of an erased body, and in a copy that has no private store, only
/// numbers are kept.
#[derive(Clone, Default)]
pub struct PrivateRoll {
    pub(crate) units: BTreeMap<EventId, Unit>,
    /// The seeds of eras, by their SHA-256.
    pub(crate) seeds: BTreeMap<Digest, Seed>,
    /// What is known of the key of accounts, once somebody is registered.
    pub(crate) accounts: Option<Due>,
    /// From which event on bodies must be in this copy; nothing without a store.
    since: Option<u64>,
    index: u64,
}

/// What is known of the seed of an era.
#[derive(Clone, Copy)]
pub(crate) enum Seed {
    /// Its era goes on.
    Secret(Due),
    /// An event reveals it.
    Revealed,
    /// An event says that nobody has it any more.
    Lost,
}

/// The bodies of a unit.
#[derive(Clone, Default)]
pub(crate) struct Unit {
    /// How many were erased.
    pub(crate) n_erased: u64,
    /// How many were named and not erased.
    pub(crate) n_open: u64,
    /// Their digests, as an erasure names them.
    named: Hasher,
    /// Those that this copy may have.
    pub(crate) bodies: Vec<Body>,
}

/// A body that is not erased.
#[derive(Clone, Copy)]
pub(crate) struct Body {
    pub(crate) sha256: Digest,
    pub(crate) role: BodyRole,
    /// Whether it must be in this copy.
    pub(crate) due: Due,
}

impl PrivateRoll {
    /// A roll without events, for this copy of a ledger. It keeps which bodies
    /// there are where the copy has a private store, else only how many.
    ///
    /// # Errors
    ///
    /// When it could not look for the store.
    pub fn open(storage: &dyn Storage) -> Result<Self, LedgerError> {
        read_since(storage).map(Self::since)
    }

    /// Returns how many bodies of a unit are neither erased nor in this copy, and
    /// are not owed by it either: they are in another one.
    ///
    /// # Errors
    ///
    /// When it could not look.
    pub fn elsewhere(&self, storage: &dyn Storage, unit: &EventId) -> Result<u64, LedgerError> {
        let Some(state) = self.units.get(unit) else {
            return Ok(0);
        };
        if !self.has_store() {
            return Ok(state.n_open);
        }
        let there = list(storage, &private_path(unit))?;
        let mut names = there
            .iter()
            .map(|entry| entry.name.clone())
            .collect::<Vec<_>>();
        names.sort();
        let packs = Packs::open(storage)?;
        let packed: BTreeSet<_> = packs.of_unit(unit).collect();
        let is_absent = |body: &&Body| {
            let name = body.sha256.to_string();
            body.due != Due::Owed
                && names.binary_search(&name).is_err()
                && !packed.contains(&body.sha256)
        };
        let n = state.bodies.iter().filter(is_absent).count();
        Ok(u64::try_from(n).unwrap_or(u64::MAX))
    }

    /// A roll without events, for a copy whose private store was made when
    /// there were so many events, or that has none.
    fn since(since: Option<u64>) -> Self {
        Self {
            since,
            ..Self::default()
        }
    }

    /// Whether this copy has a private store.
    pub const fn has_store(&self) -> bool {
        self.since.is_some()
    }

    /// What is known of the bodies that the event at this position names, unless
    /// they are erased.
    pub const fn due(&self, index: u64) -> Due {
        match self.since {
            None => Due::Elsewhere,
            Some(since) if since <= index => Due::Owed,
            Some(_) => Due::Optional,
        }
    }

    /// Takes in the next event; says where an erasure is not of what was named.
    pub fn take(&mut self, event: &Event, place: &Place) -> Option<Finding> {
        let index = self.index;
        self.index += 1;
        let due = self.due(index);
        match &event.what {
            What::EraStarted(started) => {
                self.seeds.insert(started.seed_sha256, Seed::Secret(due));
            }
            What::EraClosed(closed) => {
                if let Some(seed) = &closed.seed {
                    self.seeds.insert(seed.sha256(), Seed::Revealed);
                }
                if let Some(lost) = &closed.seed_lost {
                    self.seeds.insert(lost.seed_sha256, Seed::Lost);
                }
            }
            What::PlayerRegistered(_) => {
                // One that must be there for any of them must be there.
                self.accounts = Some(match self.accounts {
                    Some(Due::Owed) => Due::Owed,
                    _ => due,
                });
            }
            _ => {}
        }
        for body in event.what.bodies() {
            let unit = self.units.entry(body.unit).or_default();
            unit.n_open += 1;
            unit.named.update(format!("{}\n", body.sha256).as_bytes());
            if self.since.is_some() {
                unit.bodies.push(Body {
                    sha256: body.sha256,
                    role: body.role,
                    due,
                });
            }
        }
        let What::PrivateErased(erased) = &event.what else {
            return None;
        };
        let unit = self.units.entry(erased.unit).or_default();
        let (bodies, sha256) = (unit.n_open, unit.named.clone().finish());
        unit.n_erased += unit.n_open;
        unit.n_open = 0;
        unit.named = Hasher::new();
        unit.bodies = Vec::new();
        if erased.bodies.get() == bodies && erased.sha256 == sha256 {
            return None;
        }
        let expected = format!("an erasure of the {bodies} bodies that are named, digest {sha256}");
        let found = format!("one of {}, digest {}", erased.bodies, erased.sha256);
        Some(Finding::new(
            Code::ErasureContradicted,
            place.clone(),
            expected,
            found,
        ))
    }

    /// What an erasure of this unit says now, or nothing where no body of it is
    /// left to be erased.
    pub fn erasure(&self, unit: &EventId, reason: &str) -> Option<PrivateErased> {
        let state = self.units.get(unit).filter(|state| 0 < state.n_open)?;
        Some(PrivateErased {
            bodies: Count::saturating(state.n_open),
            reason: reason.to_owned(),
            sha256: state.named.clone().finish(),
            unit: *unit,
        })
    }
}
