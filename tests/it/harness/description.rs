//! The documents of a project: read in their one spelling, or in any.
//!
//! The first line names the document.

use scoresheet::canonical::{self, Fault};
use scoresheet::ledger::Description;
use scoresheet::manifest::{self, CohortManifest, Inventory};
use scoresheet::release::Specification;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{addressed, message};

pub(crate) fn check(bytes: &[u8]) {
    match addressed(bytes) {
        Some(("LEDGER.json", file)) => description(file),
        Some(("publication.json", file)) => specification(file),
        Some(("cohort", file)) => manifest::<CohortManifest>(file),
        Some(("inventory", file)) => manifest::<Inventory>(file),
        _ => {}
    }
}

fn description(file: &[u8]) {
    match Description::parse(file) {
        Ok(description) => assert_eq!(description.file().unwrap(), file),
        Err(fault) => message::is_in(file, &fault),
    }
}

fn specification(file: &[u8]) {
    match Specification::parse(file) {
        Ok(specification) => {
            let written = specification.file().unwrap();
            let again = Specification::parse(&written);
            assert_eq!(again.as_ref(), Ok(&specification));
            assert_eq!(again.unwrap().file().unwrap(), written);
        }
        Err(fault) => message::is_in(file, &fault),
    }
}

/// A manifest is one canonical line; who reads it in another spelling is told.
fn manifest<T>(file: &[u8])
where
    T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let line = file.strip_suffix(b"\n").unwrap_or(file);
    match canonical::parse::<T>(line) {
        Ok(read) => {
            let written = manifest::file(&read).unwrap();
            assert_eq!(written.strip_suffix(b"\n"), Some(line));
            assert_eq!(canonical::read::<T>(line).as_ref(), Ok(&read));
        }
        Err(fault) => offered::<T>(line, &fault),
    }
}

fn offered<T>(line: &[u8], fault: &Fault)
where
    T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    message::is_in(line, fault);
    let read = canonical::read::<T>(line);
    let offered = fault.canonical.as_ref();
    let of_offered = offered.map(|offered| canonical::parse::<T>(offered.as_bytes()));
    assert_eq!(read.ok(), of_offered.transpose().unwrap());
}
