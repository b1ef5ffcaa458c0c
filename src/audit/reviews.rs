//! Every review names a prefix that the ledger had when it was written.

use crate::digest::Root;
use crate::event::{CheckpointRef, Event, EventId, Verified, What};
use crate::finding::{Code, Finding, Place};
use crate::ledger::{LedgerError, Storage, Verification};

/// What reviews of claims say that they have seen.
#[derive(Default)]
pub(crate) struct Reviews {
    seen: Vec<(EventId, u64, CheckpointRef)>,
}

impl Reviews {
    /// Looks at the next event.
    pub(crate) fn look(&mut self, index: u64, event: &Verified<Event>) {
        if let What::ClaimReviewed(review) = &event.what {
            self.seen.push((event.id(), index, review.checkpoint));
        }
    }

    /// The reviews that name a prefix which was not there, each with what is wrong.
    pub(crate) fn strange(
        self,
        storage: &dyn Storage,
        verification: &Verification,
    ) -> Result<Vec<(EventId, Finding)>, LedgerError> {
        let mut strange = Vec::new();
        for (review, index, seen) in self.seen {
            let finding = if index < seen.size.get() {
                let expected = format!("at most the {index} events before the review");
                let place = Place::event(*review.digest());
                let found = format!("{} events", seen.size);
                Some(Finding::new(
                    Code::ReviewContradicted,
                    place,
                    expected,
                    found,
                ))
            } else {
                let root = verification.root_at(storage, seen.size.get())?;
                unlike(
                    Code::ReviewContradicted,
                    root,
                    Place::event(*review.digest()),
                    &seen,
                )
            };
            strange.extend(finding.map(|finding| (review, finding)));
        }
        Ok(strange)
    }
}

/// A fit or a review names the root of the prefix that it is about.
pub(crate) fn unlike(
    code: Code,
    root: Option<Root>,
    place: Place,
    checkpoint: &CheckpointRef,
) -> Option<Finding> {
    // Without a root of this prefix the ledger does not add up, and that is said.
    let root = root.filter(|root| *root != checkpoint.root)?;
    let expected = format!("the root over the first {} events: {root}", checkpoint.size);
    let found = checkpoint.root.to_string();
    Some(Finding::new(code, place, expected, found))
}
