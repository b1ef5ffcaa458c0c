use std::collections::BTreeSet;

use crate::event::EventId;
use crate::finding::{Code, Finding, Place};
use crate::ledger::files::list;
use crate::ledger::layout::PRIVATE;
use crate::ledger::private::roll::{Body, PrivateRoll, Unit};
use crate::ledger::private::store::{
    BODY_BYTES_MAX, BodyFault, IGNORE, IGNORE_FILE, KEY, SINCE, body_path, open_sealed,
    private_path, since_file,
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

/// Looks at every private body that the events name, and for files that none
/// of them names.
pub(crate) fn check_private(
    storage: &dyn Storage,
    roll: &PrivateRoll,
) -> Result<(PrivateCounts, Vec<Finding>), LedgerError> {
    let mut look = Look {
        storage,
        counts: PrivateCounts::default(),
        findings: Vec::new(),
    };
    for (id, unit) in &roll.units {
        look.counts.erased += unit.n_erased;
        if roll.has_store() {
            look.unit(id, unit)?;
        } else {
            look.counts.withheld += unit.n_open;
        }
    }
    if roll.has_store() {
        look.strays(roll)?;
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
        let files = there.iter().filter(|entry| entry.is_file);
        let mut names: BTreeSet<&str> = files.map(|entry| entry.name.as_str()).collect();
        for body in &unit.bodies {
            let name = body.sha256.to_string();
            if names.remove(name.as_str()) || body.must_be_here {
                self.body(id, body)?;
            } else {
                self.counts.withheld += 1;
            }
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
        let path = body_path(unit, &body.sha256);
        let fault = match open_sealed(self.storage, unit, body.role, &body.sha256) {
            Ok(_) => {
                self.counts.present += 1;
                return Ok(());
            }
            Err(BodyFault::Io(error)) => return Err(LedgerError::io("read", path)(error)),
            Err(fault) => fault,
        };
        let code = match fault {
            BodyFault::Absent | BodyFault::NoKey => {
                self.counts.missing += 1;
                Code::PrivateMissing
            }
            _ => {
                self.counts.changed += 1;
                Code::PrivateChanged
            }
        };
        let expected = "the sealed body that an event names, and its key";
        self.find(code, Place::file(path), expected, &fault.to_string());
        Ok(())
    }

    /// Looks for what no event has to do with.
    fn strays(&mut self, roll: &PrivateRoll) -> Result<(), LedgerError> {
        for entry in list(self.storage, PRIVATE)? {
            let path = format!("{PRIVATE}/{}", entry.name);
            let is_known = match entry.name.as_str() {
                IGNORE => self.has_bytes(&path, &entry, |bytes| bytes == IGNORE_FILE)?,
                SINCE => self.has_bytes(&path, &entry, is_since)?,
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

    fn has_bytes(
        &self,
        path: &str,
        entry: &Entry,
        is_right: impl Fn(&[u8]) -> bool,
    ) -> Result<bool, LedgerError> {
        if !entry.is_file {
            return Ok(false);
        }
        let bytes = self.storage.read(path, BODY_BYTES_MAX);
        Ok(is_right(&bytes.map_err(LedgerError::io("read", path))?))
    }
}

fn is_since(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let size = text.trim_end().parse::<u64>().ok();
    size.is_some_and(|size| since_file(size) == bytes)
}
