//! The files of a ledger beside its segments: what must be there, and what must not.

use std::collections::BTreeMap;

use crate::digest::Digest;
use crate::event::CheckpointRef;
use crate::finding::{Code, Finding, Place};
use crate::ledger::blob::blob_path;
use crate::ledger::keep::digest_of;
use crate::ledger::layout::{
    BLOBS, CHECKPOINTS, DESCRIPTION, EVENTS, HEAD, INDEX, MAKING, PRIVATE, QUARANTINE, SEGMENTS,
    quarantine_path, segment_number,
};
use crate::ledger::quarantine::Pending;
use crate::ledger::storage::absence;
use crate::ledger::{Entry, Head, LedgerError, Storage};

/// What events say must be there.
#[derive(Default)]
pub(crate) struct Claims {
    pub(crate) blobs: BTreeMap<Digest, Place>,
    pub(crate) quarantined: BTreeMap<Digest, Place>,
    pub(crate) checkpoints: Vec<(CheckpointRef, Place)>,
}

/// Looks at every file of the ledger but the contents of segments. Without
/// claims, whatever has a name that could be claimed is in place.
pub(crate) fn check_files(
    storage: &dyn Storage,
    head: &Head,
    claims: Option<Claims>,
) -> Result<Vec<Finding>, LedgerError> {
    let mut findings = Vec::new();
    for entry in list(storage, "")? {
        let is_known = match entry.name.as_str() {
            DESCRIPTION | HEAD | SEGMENTS => entry.is_file,
            EVENTS | CHECKPOINTS | QUARANTINE | BLOBS | PRIVATE => entry.is_folder,
            name => entry.is_file && is_disposable(name),
        };
        if !is_known {
            findings.extend(unexpected(storage, &entry.name, &entry)?);
        }
    }
    check_events(storage, head, &mut findings)?;
    for entry in list(storage, CHECKPOINTS)? {
        if !entry.is_file {
            let path = format!("{CHECKPOINTS}/{}", entry.name);
            findings.extend(unexpected(storage, &path, &entry)?);
        }
    }
    let (quarantined, blobs) = claims
        .map(|claims| (claims.quarantined, claims.blobs))
        .unzip();
    check_quarantine(storage, quarantined, &mut findings)?;
    check_blobs(storage, blobs, &mut findings)?;
    Ok(findings)
}

/// What stands in a folder; nothing where there is no such folder.
pub(crate) fn list(storage: &dyn Storage, folder: &str) -> Result<Vec<Entry>, LedgerError> {
    match storage.list(folder) {
        Ok(entries) => Ok(entries),
        Err(error) if absence(&error).is_some() => Ok(Vec::new()),
        Err(error) => Err(LedgerError::io("list", folder)(error)),
    }
}

/// Whether a folder holds no file, however deep. Nobody publishes such a
/// folder, and git knows of none.
fn is_hollow(storage: &dyn Storage, path: &str, entry: &Entry) -> Result<bool, LedgerError> {
    if !entry.is_folder {
        return Ok(false);
    }
    for inner in list(storage, path)? {
        if !is_hollow(storage, &format!("{path}/{}", inner.name), &inner)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The disposable index, what stands beside it while it is made or read, and
/// what a killed process was still writing.
fn is_disposable(name: &str) -> bool {
    let index = name.strip_prefix(INDEX);
    let making = name.strip_prefix(MAKING);
    let is_of_index = |rest: &str| {
        matches!(rest, "" | "-wal" | "-shm" | "-journal") || rest.starts_with("-making-")
    };
    index.is_some_and(is_of_index) || making.is_some_and(|rest| rest.parse::<Digest>().is_ok())
}

fn unexpected(
    storage: &dyn Storage,
    path: &str,
    entry: &Entry,
) -> Result<Option<Finding>, LedgerError> {
    Ok((!is_hollow(storage, path, entry)?).then(|| {
        Finding::new(
            Code::UnexpectedFile,
            Place::file(path),
            "only files of the ledger",
            "a file, link or folder that is none",
        )
    }))
}

fn check_events(
    storage: &dyn Storage,
    head: &Head,
    findings: &mut Vec<Finding>,
) -> Result<(), LedgerError> {
    for entry in list(storage, EVENTS)? {
        let path = format!("{EVENTS}/{}", entry.name);
        let number = segment_number(&entry.name).filter(|_| entry.is_file);
        match number {
            Some(number) if number <= head.segment => {}
            Some(_) => findings.push(Finding::new(
                Code::UnacknowledgedTail,
                Place::file(path),
                "no segment behind the open one",
                "a segment that the head does not cover",
            )),
            None => findings.extend(unexpected(storage, &path, &entry)?),
        }
    }
    Ok(())
}

fn check_quarantine(
    storage: &dyn Storage,
    mut missing: Option<BTreeMap<Digest, Place>>,
    findings: &mut Vec<Finding>,
) -> Result<(), LedgerError> {
    for entry in list(storage, QUARANTINE)? {
        let path = format!("{QUARANTINE}/{}", entry.name);
        if entry.is_file && Pending::parse(&entry.name, entry.bytes).is_some() {
            findings.push(Finding::new(
                Code::UnacknowledgedTail,
                Place::file(path),
                "quarantined bytes to be recorded by an event",
                "bytes that no event records yet",
            ));
            continue;
        }
        let name = entry.name.parse::<Digest>().ok();
        if !is_claimed(name.filter(|_| entry.is_file), &mut missing) {
            findings.extend(unexpected(storage, &path, &entry)?);
            continue;
        }
        findings.extend(check_digest(
            storage,
            &path,
            &entry,
            Code::QuarantineChanged,
        )?);
    }
    findings.extend(missing.into_iter().flatten().map(|(digest, by)| {
        let place = named_by(quarantine_path(&digest), &by);
        let expected = "the bytes that the event records";
        Finding::new(Code::QuarantineChanged, place, expected, "no such file")
    }));
    Ok(())
}

fn check_blobs(
    storage: &dyn Storage,
    mut missing: Option<BTreeMap<Digest, Place>>,
    findings: &mut Vec<Finding>,
) -> Result<(), LedgerError> {
    for folder in list(storage, BLOBS)? {
        let folder_path = format!("{BLOBS}/{}", folder.name);
        if !folder.is_folder {
            findings.extend(unexpected(storage, &folder_path, &folder)?);
            continue;
        }
        for entry in list(storage, &folder_path)? {
            let path = format!("{folder_path}/{}", entry.name);
            let is_in_place = entry.name.starts_with(&folder.name) && folder.name.len() == 2;
            let name = entry.name.parse::<Digest>().ok();
            let in_place = name.filter(|_| entry.is_file && is_in_place);
            if !is_claimed(in_place, &mut missing) {
                let finding = unexpected(storage, &path, &entry)?;
                findings.extend(finding.map(|finding| finding.with_remedy(
                    "no event names this blob; a run that was killed before its first event leaves one: run it again, or remove the file",
                )));
                continue;
            }
            findings.extend(check_digest(storage, &path, &entry, Code::BlobChanged)?);
        }
    }
    findings.extend(missing.into_iter().flatten().map(|(digest, by)| {
        let place = named_by(blob_path(&digest), &by);
        let expected = "the blob that the event names";
        Finding::new(Code::BlobChanged, place, expected, "no such file")
    }));
    Ok(())
}

/// Whether a file has a name that an event gave it; where nobody asked the
/// events, whether it has a name that one could.
fn is_claimed(name: Option<Digest>, missing: &mut Option<BTreeMap<Digest, Place>>) -> bool {
    name.is_some_and(|name| match missing {
        Some(missing) => missing.remove(&name).is_some(),
        None => true,
    })
}

/// The place of a file, with the event that names it.
fn named_by(path: String, by: &Place) -> Place {
    Place {
        event: by.event,
        ..Place::file(path)
    }
}

/// Holds a file against the digest that it is named by.
fn check_digest(
    storage: &dyn Storage,
    path: &str,
    entry: &Entry,
    code: Code,
) -> Result<Option<Finding>, LedgerError> {
    let there = digest_of(storage, path).map_err(LedgerError::io("read", path))?;
    let is_right = entry
        .name
        .parse::<Digest>()
        .is_ok_and(|digest| digest == there);
    Ok((!is_right).then(|| {
        let expected = "bytes with the digest in the name";
        Finding::new(code, Place::file(path), expected, "other bytes")
    }))
}
