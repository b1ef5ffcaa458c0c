use crate::digest::Root;
use crate::event::{CohortFrozen, Event, Origin, Verified, What};
use crate::finding::{Finding, Place};
use crate::ledger::{LedgerError, Storage, Verification, verify};
use crate::manifest::{self, CohortManifest};
use crate::projection::{Projection, Source};
use crate::secret::Scanner;

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
    /// Secret-like text in the events of the prefix.
    pub secrets: Vec<Finding>,
}

/// A frozen cohort, with the manifest that the ledger gives at its size.
pub struct Refrozen {
    /// The position of its event.
    pub index: u64,
    /// What was frozen.
    pub frozen: CohortFrozen,
    /// The manifest's file, or why there is none.
    pub manifest: Result<Vec<u8>, Finding>,
}

/// Verifies a ledger and folds it, with its first `size` events apart.
///
/// # Errors
///
/// When it could not look.
pub fn gather(
    storage: &dyn Storage,
    size: Option<u64>,
    progress: &dyn Fn(u64, u64),
) -> Result<Evidence, LedgerError> {
    let mut whole = Projection::default();
    let mut prefix = (size == Some(0)).then(Projection::default);
    let mut refrozen = Vec::new();
    let mut secrets = Vec::new();
    let scanner = Scanner::new();
    let mut origin = None;
    let verification = verify(storage, progress, &mut |index, event| {
        if let What::LedgerOpened(opened) = &event.what {
            origin.get_or_insert_with(|| opened.origin.clone());
        }
        if let (What::CohortFrozen(frozen), Some(origin)) = (&event.what, &origin) {
            // A freeze is about the events right before it.
            refrozen.push(refreeze(&whole, index, frozen, origin));
        }
        if size.is_none_or(|size| index < size) {
            secrets.extend(scan(&scanner, event));
        }
        whole.apply(event);
        if Some(whole.size) == size {
            prefix = Some(whole.clone());
        }
    })?;
    Ok(Evidence {
        whole,
        prefix_root: root_of(storage, size, &verification)?,
        prefix,
        refrozen,
        secrets,
        verification,
    })
}

/// The root over the first `size` events, where the ledger is sound and has so many.
fn root_of(
    storage: &dyn Storage,
    size: Option<u64>,
    verification: &Verification,
) -> Result<Option<Root>, LedgerError> {
    match size.filter(|size| *size <= verification.size) {
        Some(size) => verification.root_at(storage, size),
        None => Ok(None),
    }
}

fn scan(scanner: &Scanner, event: &Verified<Event>) -> Vec<Finding> {
    let place = Place::event(*event.id().digest());
    scanner.findings(&place, event.line().as_bytes())
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
        Some(cohort) => CohortManifest::of(projection, &cohort, &source).and_then(|manifest| {
            manifest::file(&manifest).map_err(|error| unmade(frozen, &error.to_string()))
        }),
        None => Err(unmade(frozen, "no such cohort")),
    };
    Refrozen {
        index,
        frozen: frozen.clone(),
        manifest,
    }
}

fn unmade(frozen: &CohortFrozen, found: &str) -> Finding {
    Finding::new(
        crate::finding::Code::ManifestChanged,
        Place::event(frozen.manifest),
        format!("a manifest of {}", frozen.cohort),
        found,
    )
}

impl Evidence {
    /// The name of the ledger.
    pub const fn origin(&self) -> &Origin {
        &self.verification.origin
    }

    /// The newest freeze of a cohort among the first `size` events.
    pub fn freeze_of(&self, cohort: &str, size: u64) -> Option<&Refrozen> {
        let freezes = self.refrozen.iter().rev();
        freezes
            .filter(|freeze| freeze.index < size)
            .find(|freeze| freeze.frozen.cohort.as_str() == cohort)
    }
}
