use std::collections::BTreeSet;
use std::io;

use crate::event::EventId;
use crate::finding::{Code, Finding, Place};
use crate::ledger::files::list;
use crate::ledger::layout::PRIVATE;
use crate::ledger::private::body::{BodyState, see_sealed};
use crate::ledger::private::roll::{Body, PrivateRoll, Unit};
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
        let names = there.iter().map(|entry| entry.name.as_str());
        let mut names: BTreeSet<&str> = names.collect();
        for body in &unit.bodies {
            names.remove(body.sha256.to_string().as_str());
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
            let found = format!("{} files", names.len());
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
        let seen = see_sealed(self.storage, unit, body.role, &body.sha256, body.due)?;
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
                name => {
                    let unit = name.parse::<EventId>().ok();
                    unit.is_some_and(|unit| entry.is_folder && roll.units.contains_key(&unit))
                        || entry.is_folder && list(self.storage, &path)?.is_empty()
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
