use std::collections::BTreeSet;
use std::io;

use crate::digest::Digest;
use crate::event::EventId;
use crate::finding::{Code, Finding, Place};
use crate::ledger::files::list;
use crate::ledger::layout::PRIVATE;
use crate::ledger::private::accounts::{AccountKey, PEOPLE};
use crate::ledger::private::body::{BodyState, Due, see_sealed};
use crate::ledger::private::key::UnitKey;
use crate::ledger::private::packs::{PACKS, Packs};
use crate::ledger::private::roll::{Body, PrivateRoll, Seed, Unit};
use crate::ledger::private::seeds::{ERAS, SeedFault, open_seed, seed_path};
use crate::ledger::private::store::{
    IGNORE, IGNORE_FILE, KEY, SINCE, SMALL_BYTES_MAX, body_path, parse_since, private_path,
};
use crate::ledger::{Entry, LedgerError, Storage};

/// How many private bodies the events name, by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrivateCounts {
    /// Here, and open with their key.
    pub present: u64,
    /// Erased, as an event says.
    pub erased: u64,
    /// Not here and not erased, or without their key.
    pub missing: u64,
    /// Not in this copy, which never had them.
    pub withheld: u64,
    /// Here, and not what was sealed.
    pub changed: u64,
}

impl PrivateCounts {
    fn add(&mut self, state: BodyState, bodies: u64) {
        *match state {
            BodyState::Present => &mut self.present,
            BodyState::Erased => &mut self.erased,
            BodyState::Missing => &mut self.missing,
            BodyState::Withheld => &mut self.withheld,
            BodyState::Changed => &mut self.changed,
        } += bodies;
    }
}

/// Looks at every private body that the events name, and for files that none
/// of them names.
pub(crate) fn check_private(
    storage: &dyn Storage,
    roll: &PrivateRoll,
    size: u64,
) -> Result<(PrivateCounts, Vec<Finding>), LedgerError> {
    let mut look = Look {
        packs: Packs::open(storage)?,
        storage,
        counts: PrivateCounts::default(),
        findings: Vec::new(),
    };
    for (id, unit) in &roll.units {
        look.counts.add(BodyState::Erased, unit.n_erased);
        if roll.has_store() {
            look.unit(id, unit)?;
        } else {
            look.counts.add(BodyState::Withheld, unit.n_open);
        }
    }
    if roll.has_store() {
        look.strays(roll, size)?;
        look.packs(roll);
        look.seeds(roll)?;
        look.accounts(roll)?;
    }
    if 0 < look.counts.withheld {
        let found = format!("{} private bodies are not", look.counts.withheld);
        let expected = "every body of the games in this copy";
        let place = Place::file(PRIVATE);
        look.find(Code::PrivateWithheld, place, expected, &found);
    }
    Ok((look.counts, look.findings))
}

struct Look<'a> {
    storage: &'a dyn Storage,
    packs: Packs,
    counts: PrivateCounts,
    findings: Vec<Finding>,
}

impl Look<'_> {
    fn find(&mut self, code: Code, place: Place, expected: &str, found: &str) {
        self.findings
            .push(Finding::new(code, place, expected, found));
    }

    /// Looks at the bodies of a unit, and at what else stands in its folder.
    fn unit(&mut self, id: &EventId, unit: &Unit) -> Result<(), LedgerError> {
        let folder = private_path(id);
        let there = list(self.storage, &folder)?;
        let names = there.into_iter().map(|entry| entry.name);
        let packed = self.packs.of_unit(id).map(ToString::to_string);
        let mut names: BTreeSet<String> = names.chain(packed).collect();
        for body in &unit.bodies {
            names.remove(&body.sha256.to_string());
            self.body(id, body)?;
        }
        if 0 < unit.n_open {
            names.remove(KEY);
        }
        if names.is_empty() {
            return Ok(());
        }
        let place = Place::file(&folder);
        if 0 < unit.n_open {
            let found = format!("{} more", names.len());
            let expected = "the key and the sealed bodies that events name";
            self.find(Code::PrivateStray, place, expected, &found);
        } else {
            let found = format!("{} files or packed bodies", names.len());
            let expected = "nothing, since an event says it was erased";
            self.findings.push(
                Finding::new(Code::PrivateLeft, place, expected, found).with_remedy(format!(
                    "the erasure was interrupted, or files were put back: scoresheet erase {}",
                    id.digest().short()
                )),
            );
        }
        Ok(())
    }

    fn body(&mut self, unit: &EventId, body: &Body) -> Result<(), LedgerError> {
        let seen = see_sealed(
            self.storage,
            &self.packs,
            unit,
            body.role,
            &body.sha256,
            body.due,
        )?;
        self.counts.add(seen.state, 1);
        let code = match seen.state {
            BodyState::Present | BodyState::Erased | BodyState::Withheld => return Ok(()),
            BodyState::Missing => Code::PrivateMissing,
            BodyState::Changed => Code::PrivateChanged,
        };
        if let Some(Err(fault)) = seen.body {
            let place = Place::file(body_path(unit, &body.sha256));
            let expected = "the sealed body that an event names, and its key";
            self.find(code, place, expected, &fault.to_string());
        }
        Ok(())
    }

    /// Looks for what no event has to do with.
    fn strays(&mut self, roll: &PrivateRoll, size: u64) -> Result<(), LedgerError> {
        for entry in list(self.storage, PRIVATE)? {
            let path = format!("{PRIVATE}/{}", entry.name);
            let is_known = match entry.name.as_str() {
                IGNORE => self.has_bytes(&path, &entry, |bytes| bytes == IGNORE_FILE)?,
                SINCE => self.is_since(&path, &entry, size)?,
                // What is in them is looked at on its own.
                ERAS | PEOPLE | PACKS => entry.is_folder,
                name => {
                    let unit = name.parse::<EventId>().ok();
                    // A key that has sealed nothing hides nothing: the call failed.
                    let mut inside = Vec::new();
                    if entry.is_folder {
                        inside = list(self.storage, &path)?;
                    }
                    let is_of_events = unit.is_some_and(|unit| roll.units.contains_key(&unit));
                    let is_bare = || inside.iter().all(|entry| entry.name == KEY);
                    entry.is_folder && (is_of_events || unit.is_some() && is_bare())
                }
            };
            if !is_known {
                let expected = "what events name, and the store's own two files";
                self.find(
                    Code::PrivateStray,
                    Place::file(path),
                    expected,
                    "something else",
                );
            }
        }
        Ok(())
    }

    /// Looks for what is in packs and of no unit that an event names.
    fn packs(&mut self, roll: &PrivateRoll) {
        self.findings.extend_from_slice(self.packs.faults());
        let units = self.packs.units();
        let strays = units.filter(|unit| !roll.units.contains_key(unit)).count();
        if 0 < strays {
            let place = Place::file(format!("{PRIVATE}/{PACKS}"));
            let found = format!("something of {strays} others");
            let expected = "bodies of games that events name";
            self.find(Code::PrivateStray, place, expected, &found);
        }
    }

    /// Looks for the seeds of eras that go on, and for what else is beside them.
    fn seeds(&mut self, roll: &PrivateRoll) -> Result<(), LedgerError> {
        let expected = "the seed of an era that goes on";
        for (sha256, seed) in &roll.seeds {
            let Seed::Secret(due) = *seed else { continue };
            let remedy = match open_seed(self.storage, sha256) {
                Ok(_) => continue,
                Err(SeedFault::Absent(_)) if due != Due::Owed => continue,
                Err(SeedFault::Absent(_)) => {
                    "restore the file from a backup; without it no draw can be made, and the era cannot be closed"
                }
                Err(SeedFault::Changed(_)) => "restore the file from a backup",
                Err(SeedFault::Ledger(error)) => return Err(error),
            };
            let place = Place::file(seed_path(sha256));
            let finding = Finding::new(Code::SeedLost, place, expected, "none, or a damaged one");
            self.findings.push(finding.with_remedy(remedy));
        }
        for entry in list(self.storage, &format!("{PRIVATE}/{ERAS}"))? {
            let sha256 = entry.name.parse::<Digest>().ok();
            let seed = sha256.and_then(|sha256| roll.seeds.get(&sha256));
            let (code, found, remedy) = match seed {
                Some(Seed::Secret(_)) => continue,
                Some(Seed::Lost) => (
                    Code::PrivateStray,
                    "the seed of one that was closed because it was lost",
                    "it was found after all: scoresheet era close NAME reveals it",
                ),
                Some(Seed::Revealed) => (
                    Code::PrivateLeft,
                    "the seed of one that was closed",
                    "the closing was interrupted: scoresheet era close NAME, once more",
                ),
                None => (
                    Code::PrivateStray,
                    "something else",
                    "a start of an era that was killed before its event leaves a seed; remove the file",
                ),
            };
            let place = Place::file(format!("{PRIVATE}/{ERAS}/{}", entry.name));
            let finding = Finding::new(code, place, expected, found);
            self.findings.push(finding.with_remedy(remedy));
        }
        Ok(())
    }

    /// Looks for the key of accounts, and for what else is beside it.
    fn accounts(&mut self, roll: &PrivateRoll) -> Result<(), LedgerError> {
        let folder = format!("{PRIVATE}/{PEOPLE}");
        let expected = "the key of the commitments to accounts";
        for entry in list(self.storage, &folder)? {
            let path = format!("{folder}/{}", entry.name);
            let is_key = entry.name == KEY;
            if !is_key {
                self.find(
                    Code::PrivateStray,
                    Place::file(path),
                    expected,
                    "something else",
                );
            } else if !self.has_bytes(&path, &entry, |file| UnitKey::parse(file).is_some())? {
                self.find(
                    Code::PrivateChanged,
                    Place::file(path),
                    expected,
                    "another file",
                );
            }
        }
        let is_owed = roll.accounts == Some(Due::Owed);
        if is_owed && AccountKey::is_absent(self.storage)? {
            let remedy =
                "restore the file from a backup; without it nobody is known again by their account";
            let place = Place::file(format!("{folder}/{KEY}"));
            let finding = Finding::new(Code::PrivateMissing, place, expected, "none");
            self.findings.push(finding.with_remedy(remedy));
        }
        Ok(())
    }

    /// Whether it says since when bodies are owed. One that says so of events
    /// that there are not would excuse whatever is missing.
    fn is_since(&mut self, path: &str, entry: &Entry, size: u64) -> Result<bool, LedgerError> {
        let mut since = None;
        let is_number = self.has_bytes(path, entry, |bytes| {
            since = parse_since(bytes);
            since.is_some()
        })?;
        if let Some(since) = since.filter(|since| size < *since) {
            let expected = format!("a number of events, of which there are {size}");
            let place = Place::file(path);
            self.find(Code::PrivateChanged, place, &expected, &since.to_string());
        }
        Ok(is_number)
    }

    fn has_bytes(
        &self,
        path: &str,
        entry: &Entry,
        is_right: impl FnOnce(&[u8]) -> bool,
    ) -> Result<bool, LedgerError> {
        if !entry.is_file {
            return Ok(false);
        }
        match self.storage.read(path, SMALL_BYTES_MAX) {
            Ok(bytes) => Ok(is_right(&bytes)),
            // Far longer than either of them is.
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Ok(false),
            Err(error) => Err(LedgerError::io("read", path)(error)),
        }
    }
}
