use std::collections::BTreeSet;

use crate::audit::anchor_fits::Refits;
use crate::audit::retained::rewritten;
use crate::audit::reviews::{Reviews, unlike};
use crate::audit::{HeldCheckpoint, secrets};
use crate::canonical::Time;
use crate::digest::Root;
use crate::event::{CohortFrozen, Event, EventId, Origin, Verified, What};
use crate::finding::{Code, Finding, Place};
use crate::ledger::{
    BLOB_BYTES_MAX, LedgerError, SignedCheckpoint, Storage, Verification, Waivers, blob_path,
    quarantine_path, stored_checkpoint, verify_and_scan,
};
use crate::manifest::{self, CohortManifest};
use crate::projection::{Projection, Source};
use crate::secret::Scanner;

/// The ledger's folder in a project, as findings name it wherever it stands.
const LEDGER_FOLDER: &str = "ledger";

/// Everything that an audit needs of a ledger, from one pass over it.
pub struct Evidence {
    /// What recomputing the ledger gave.
    pub verification: Verification,
    /// All events.
    pub whole: Projection,
    /// The events that the release is computed from, where there are so many.
    pub prefix: Option<Projection>,
    /// The root over them.
    pub prefix_root: Option<Root>,
    /// The cohorts that were frozen, with their manifests made again.
    pub refrozen: Vec<Refrozen>,
    /// The reviews of claims that name a prefix which was not there, and what is
    /// wrong with each.
    pub strange_reviews: Vec<(EventId, Finding)>,
    /// Secret-like text in the events of the prefix, and in the blobs and
    /// quarantined bytes that they name; but for what events of the prefix waive.
    pub secrets: Vec<Finding>,
    /// What audits passed that this ledger does not begin with.
    pub rewritten: Vec<Finding>,
    /// The stored checkpoint of the prefix, with its signatures. One that holds
    /// something else is damage of the ledger.
    pub checkpoint: Option<SignedCheckpoint>,
    /// What events of the prefix waive.
    pub waivers: Waivers,
    /// The time of the last event of the prefix.
    pub prefix_at: Option<Time>,
}

/// A frozen cohort, with the manifest that the ledger gives at its size.
pub struct Refrozen {
    /// The position of its event.
    pub index: u64,
    /// What was frozen.
    pub frozen: CohortFrozen,
    /// The manifest's file, or why there is none.
    pub manifest: Result<Vec<u8>, Box<Finding>>,
}

/// Verifies a ledger and folds it, with its first `size` events apart. It is held
/// against the prefixes that audits passed.
///
/// # Errors
///
/// When it could not look.
pub fn gather(
    storage: &dyn Storage,
    size: Option<u64>,
    held: &[HeldCheckpoint],
    progress: &dyn Fn(u64, u64),
) -> Result<Evidence, LedgerError> {
    let (mut whole, mut origin, mut prefix_at) = (Projection::default(), None, None);
    let mut prefix = (size == Some(0)).then(Projection::default);
    let mut refrozen = Vec::new();
    let mut refits = Refits::default();
    let mut suspects = Vec::new();
    let mut waivers = Waivers::default();
    let mut bodies = BTreeSet::new();
    let mut reviews = Reviews::default();
    let verified = verify_and_scan(storage, progress, &mut |index, event, is_suspect| {
        if let What::LedgerOpened(opened) = &event.what {
            origin.get_or_insert_with(|| opened.origin.clone());
        }
        if let (What::CohortFrozen(frozen), Some(origin)) = (&event.what, &origin) {
            // A freeze is about the events right before it.
            refrozen.push(refreeze(&whole, index, frozen, origin));
        }
        if size.is_none_or(|size| index < size) {
            if is_suspect {
                suspects.push(event.clone());
            }
            waivers.take(event);
            prefix_at = Some(event.at);
            bodies.extend(event.what.blobs().into_iter().map(blob_path));
            if let What::RecoveryRecorded(recovery) = &event.what {
                bodies.insert(quarantine_path(&recovery.sha256));
            }
        }
        if let Some(origin) = &origin {
            refits.look(storage, &whole, origin, event);
        }
        reviews.look(index, event);
        whole.apply(event);
        if Some(whole.size) == size {
            prefix = Some(whole.clone());
        }
    });
    let mut verification = verified.map_err(in_project)?;
    verification.findings = placed(verification.findings);
    for (place, checkpoint) in refits.checkpoints {
        let root = verification.root_at(storage, checkpoint.size.get());
        let root = root.map_err(in_project)?;
        let unlike = unlike(Code::AnchorFitDiffers, root, place, &checkpoint);
        refits.findings.extend(unlike);
    }
    verification.findings.extend(refits.findings);
    let strange_reviews = reviews
        .strange(storage, &verification)
        .map_err(in_project)?;
    // A waiver may come later than what it is about.
    let found = suspects.iter().flat_map(|event| scan(&waivers, event));
    let mut secrets: Vec<_> = found.collect();
    secrets.extend(scan_bodies(storage, &waivers, &bodies));
    let prefix_root = match size {
        Some(size) => verification.root_at(storage, size).map_err(in_project)?,
        None => None,
    };
    let rewritten = rewritten(storage, &verification, held).map_err(in_project)?;
    let checkpoint = checkpoint_at(storage, &verification.origin, size)?;
    Ok(Evidence {
        verification,
        whole,
        prefix,
        prefix_root,
        refrozen,
        strange_reviews,
        secrets,
        rewritten,
        checkpoint,
        waivers,
        prefix_at,
    })
}

/// The stored checkpoint of this size. One that cannot be read is a finding already.
fn checkpoint_at(
    storage: &dyn Storage,
    origin: &Origin,
    size: Option<u64>,
) -> Result<Option<SignedCheckpoint>, LedgerError> {
    match size.map(|size| stored_checkpoint(storage, origin, size)) {
        None | Some(Err(LedgerError::Damaged { .. })) => Ok(None),
        Some(stored) => stored.map_err(in_project),
    }
}

fn scan(waivers: &Waivers, event: &Verified<Event>) -> Vec<Finding> {
    let place = Place::event(*event.id().digest());
    let line = event.line().as_bytes();
    Scanner::findings_of(&waivers.standing(line), &place, line)
}

/// Looks into public bodies. One that cannot be read is a finding already.
fn scan_bodies(storage: &dyn Storage, waivers: &Waivers, paths: &BTreeSet<String>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for path in paths {
        if let Ok(bytes) = storage.read(path, BLOB_BYTES_MAX) {
            let scan = |bytes: &[u8]| waivers.standing(bytes);
            secrets::scan(&scan, &Place::file(path), &bytes, &mut findings);
        }
    }
    placed(findings)
}

/// The findings with their files as the project names them.
fn placed(findings: Vec<Finding>) -> Vec<Finding> {
    let place = |mut finding: Finding| {
        let file = finding
            .place
            .file
            .map(|file| format!("{LEDGER_FOLDER}/{file}"));
        finding.place.file = file;
        finding
    };
    findings.into_iter().map(place).collect()
}

fn in_project(error: LedgerError) -> LedgerError {
    match error {
        LedgerError::Damaged { findings } => LedgerError::Damaged {
            findings: placed(findings),
        },
        error => error,
    }
}

fn refreeze(
    projection: &Projection,
    index: u64,
    frozen: &CohortFrozen,
    origin: &Origin,
) -> Refrozen {
    let source = Source {
        origin: origin.clone(),
        size: projection.size,
        root: frozen.checkpoint.root,
    };
    let manifest = match projection.cohort(frozen.cohort.as_str()) {
        Some(cohort) => {
            CohortManifest::of(projection, &cohort, &source, frozen.into()).and_then(|manifest| {
                manifest::file(&manifest)
                    .map_err(|error| Box::new(unmade(frozen, &error.to_string())))
            })
        }
        None => Err(Box::new(unmade(frozen, "no such cohort"))),
    };
    Refrozen {
        index,
        frozen: frozen.clone(),
        manifest,
    }
}

fn unmade(frozen: &CohortFrozen, found: &str) -> Finding {
    Finding::new(
        Code::ManifestChanged,
        Place::event(frozen.manifest),
        format!("a manifest of {}", frozen.cohort),
        found,
    )
}

impl Evidence {
    /// The number of events.
    pub const fn size(&self) -> u64 {
        self.verification.size
    }

    /// The name of the ledger.
    pub const fn origin(&self) -> &Origin {
        &self.verification.origin
    }

    /// What is wrong with the ledger's own files.
    pub fn damage(&self) -> Vec<Finding> {
        let findings = self.verification.findings.iter();
        let blockers = findings.filter(|finding| finding.is_blocker());
        blockers.cloned().collect()
    }

    /// The newest freeze of a cohort among the first `size` events.
    pub fn freeze_of(&self, cohort: &str, size: u64) -> Option<&Refrozen> {
        let freezes = self.refrozen.iter().rev();
        freezes
            .filter(|freeze| freeze.index < size)
            .find(|freeze| freeze.frozen.cohort.as_str() == cohort)
    }
}
