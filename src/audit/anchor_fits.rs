//! Every fitted rating of an anchor is the one its frozen fit says, and each fit
//! is, byte for byte, what the games before its first event give.

use std::collections::BTreeMap;

use crate::digest::Digest;
use crate::event::{AnchorRegistered, CheckpointRef, Event, Origin, Verified, What};
use crate::finding::{Code, Finding, Place};
use crate::ledger::{BLOB_BYTES_MAX, Storage, blob_path};
use crate::manifest::{self, AnchorFit};
use crate::projection::{Projection, Source};

/// The fits that events named so far.
#[derive(Default)]
pub(crate) struct Refits {
    fits: BTreeMap<Digest, Option<AnchorFit>>,
    /// What is wrong with them.
    pub(crate) findings: Vec<Finding>,
    /// The prefixes that they say they were computed from.
    pub(crate) checkpoints: Vec<(Place, CheckpointRef)>,
}

impl Refits {
    /// Looks at an event before it is folded.
    pub(crate) fn look(
        &mut self,
        storage: &dyn Storage,
        projection: &Projection,
        origin: &Origin,
        event: &Verified<Event>,
    ) {
        let What::AnchorRegistered(anchor) = &event.what else {
            return;
        };
        let Some(digest) = anchor.fit else { return };
        let place = Place::event(*event.id().digest());
        if !self.fits.contains_key(&digest) {
            let fit = self.read(storage, projection, origin, &digest, &place);
            self.fits.insert(digest, fit);
        }
        let fit = self.fits.get(&digest).and_then(Option::as_ref);
        self.findings
            .extend(fit.and_then(|fit| check_rating(fit, anchor, place)));
    }

    /// Reads a fit and makes it again. One that is not there is a finding of the
    /// ledger already.
    fn read(
        &mut self,
        storage: &dyn Storage,
        projection: &Projection,
        origin: &Origin,
        digest: &Digest,
        place: &Place,
    ) -> Option<AnchorFit> {
        let bytes = storage.read(&blob_path(digest), BLOB_BYTES_MAX).ok()?;
        let mut find = |expected: &str, found: String| {
            let finding = Finding::new(Code::AnchorFitDiffers, place.clone(), expected, found);
            self.findings.push(finding);
        };
        let fit: AnchorFit = match serde_json::from_slice(&bytes) {
            Ok(fit) => fit,
            Err(error) => {
                find(
                    "a frozen fit of anchors",
                    format!("a blob that is none: {error}"),
                );
                return None;
            }
        };
        let source = Source {
            origin: origin.clone(),
            size: projection.size,
            root: fit.checkpoint.root,
        };
        let again = AnchorFit::of(projection, &fit.cohorts, fit.constants(), &source)
            .map_err(|error| error.to_string())
            .and_then(|again| manifest::file(&again).map_err(|error| error.to_string()));
        match again {
            Ok(again) if again == bytes => {
                self.checkpoints.push((place.clone(), fit.checkpoint));
            }
            Ok(again) => find(
                "the fit that the games before this event give",
                format!("another one; theirs has the digest {}", Digest::of(&again)),
            ),
            Err(why) => find("a fit that the games before this event give", why),
        }
        Some(fit)
    }
}

fn check_rating(fit: &AnchorFit, anchor: &AnchorRegistered, place: Place) -> Option<Finding> {
    let fitted = fit.fitted(&anchor.system);
    let in_words = |rating: Option<String>| rating.unwrap_or_else(|| "no fitted level".to_owned());
    (fitted != Some(anchor.rating)).then(|| {
        Finding::new(
            Code::AnchorFitDiffers,
            place,
            format!(
                "what its fit says: {}",
                in_words(fitted.map(|it| it.to_string()))
            ),
            anchor.rating.to_string(),
        )
    })
}
