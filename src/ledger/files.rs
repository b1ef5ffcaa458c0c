//! The files of a ledger beside its segments: what must be there, and what must not.

use std::collections::BTreeMap;

use crate::digest::Digest;
use crate::event::CheckpointRef;
use crate::finding::{Code, Finding, Place};
use crate::ledger::layout::{
    BLOBS, CHECKPOINTS, DESCRIPTION, EVENTS, HEAD, INDEX, PRIVATE, QUARANTINE, SEGMENTS,
    segment_path,
};
use crate::ledger::recovery::PENDING;
use crate::ledger::{Entry, Head, LedgerError, Storage};

/// What events say must be there.
#[derive(Default)]
pub(crate) struct Claims {
    pub(crate) blobs: BTreeMap<Digest, Place>,
    pub(crate) quarantined: BTreeMap<Digest, Place>,
    pub(crate) checkpoints: Vec<(CheckpointRef, Place)>,
}

/// Looks at every file of the ledger but the contents of segments.
pub(crate) fn check_files(
    storage: &dyn Storage,
    head: &Head,
    claims: &Claims,
) -> Result<Vec<Finding>, LedgerError> {
    let mut findings = Vec::new();
    for entry in list(storage, "")? {
        let is_known = match entry.name.as_str() {
            DESCRIPTION | HEAD | SEGMENTS => entry.is_file,
            EVENTS | CHECKPOINTS | QUARANTINE | BLOBS | PRIVATE => entry.is_folder,
            name => entry.is_file && name.starts_with(INDEX),
        };
        if !is_known {
            findings.push(unexpected(&entry.name));
        }
    }
    check_events(storage, head, &mut findings)?;
    for entry in list(storage, CHECKPOINTS)? {
        if !entry.is_file {
            findings.push(unexpected(&format!("{CHECKPOINTS}/{}", entry.name)));
        }
    }
    check_quarantine(storage, claims, &mut findings)?;
    check_blobs(storage, claims, &mut findings)?;
    Ok(findings)
}

fn list(storage: &dyn Storage, folder: &str) -> Result<Vec<Entry>, LedgerError> {
    match storage.list(folder) {
        Ok(entries) => Ok(entries),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(LedgerError::io("list", folder)(error)),
    }
}

fn unexpected(path: &str) -> Finding {
    Finding::new(
        Code::UnexpectedFile,
        Place::file(path),
        "only files of the ledger",
        "a file, link or folder that is none",
    )
}

fn check_events(
    storage: &dyn Storage,
    head: &Head,
    findings: &mut Vec<Finding>,
) -> Result<(), LedgerError> {
    for entry in list(storage, EVENTS)? {
        let path = format!("{EVENTS}/{}", entry.name);
        let number = entry
            .name
            .strip_suffix(".jsonl")
            .and_then(|number| number.parse::<u64>().ok())
            .filter(|number| entry.is_file && segment_path(*number) == path);
        match number {
            Some(number) if number <= head.segment => {}
            Some(number) if number == head.segment + 1 => findings.push(Finding::new(
                Code::UnacknowledgedTail,
                Place::file(path),
                "no segment behind the open one",
                "a segment that the head does not cover",
            )),
            Some(_) | None => findings.push(unexpected(&path)),
        }
    }
    Ok(())
}

fn check_quarantine(
    storage: &dyn Storage,
    claims: &Claims,
    findings: &mut Vec<Finding>,
) -> Result<(), LedgerError> {
    let mut missing = claims.quarantined.clone();
    for entry in list(storage, QUARANTINE)? {
        let path = format!("{QUARANTINE}/{}", entry.name);
        if entry.name.ends_with(PENDING) {
            findings.push(Finding::new(
                Code::UnacknowledgedTail,
                Place::file(path),
                "quarantined bytes to be recorded by an event",
                "bytes that no event records yet",
            ));
            continue;
        }
        let claimed = entry
            .name
            .parse::<Digest>()
            .ok()
            .and_then(|name| missing.remove(&name));
        if claimed.is_none() || !entry.is_file {
            findings.push(unexpected(&path));
            continue;
        }
        let bytes = storage
            .read(&path)
            .map_err(LedgerError::io("read", &path))?;
        if !is_named_by_digest(&entry.name, &bytes) {
            findings.push(Finding::new(
                Code::QuarantineChanged,
                Place::file(path),
                "bytes with the digest in the name",
                "other bytes",
            ));
        }
    }
    findings.extend(missing.into_iter().map(|(digest, place)| {
        Finding::new(
            Code::QuarantineChanged,
            place,
            format!("{QUARANTINE}/{digest}"),
            "no such file",
        )
    }));
    Ok(())
}

fn check_blobs(
    storage: &dyn Storage,
    claims: &Claims,
    findings: &mut Vec<Finding>,
) -> Result<(), LedgerError> {
    let mut missing = claims.blobs.clone();
    for folder in list(storage, BLOBS)? {
        let folder_path = format!("{BLOBS}/{}", folder.name);
        if !folder.is_folder {
            findings.push(unexpected(&folder_path));
            continue;
        }
        for entry in list(storage, &folder_path)? {
            let path = format!("{folder_path}/{}", entry.name);
            let claimed = entry
                .name
                .parse::<Digest>()
                .ok()
                .filter(|_| entry.name.starts_with(&folder.name) && folder.name.len() == 2)
                .and_then(|name| missing.remove(&name));
            if claimed.is_none() || !entry.is_file {
                findings.push(unexpected(&path).with_remedy(
                    "no event names this blob; a run that was killed before its first event leaves one: run it again, or remove the file",
                ));
                continue;
            }
            let bytes = storage
                .read(&path)
                .map_err(LedgerError::io("read", &path))?;
            if !is_named_by_digest(&entry.name, &bytes) {
                findings.push(Finding::new(
                    Code::BlobChanged,
                    Place::file(path),
                    "bytes with the digest in the name",
                    "other bytes",
                ));
            }
        }
    }
    findings.extend(missing.into_iter().map(|(digest, place)| {
        Finding::new(
            Code::BlobChanged,
            place,
            format!("the blob {digest}"),
            "no such file",
        )
    }));
    Ok(())
}

/// Whether these bytes have the digest that a file is named by.
fn is_named_by_digest(name: &str, bytes: &[u8]) -> bool {
    name.parse::<Digest>()
        .is_ok_and(|digest| digest == Digest::of(bytes))
}
