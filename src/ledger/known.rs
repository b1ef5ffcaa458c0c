//! What a look at a ledger remembers of the events it has passed.

use std::collections::BTreeMap;

use crate::canonical::Time;
use crate::event::{Event, EventId, Verified, What};
use crate::finding::{Code, Finding, Place};
use crate::ledger::files::Claims;

/// The events so far: their ids and kinds, for duplicates and references, and
/// the files that they claim.
#[derive(Default)]
pub struct Known {
    kinds: BTreeMap<EventId, &'static str>,
    latest: Option<Time>,
    pub(crate) claims: Claims,
}

impl Known {
    /// Takes in the next event; says what is wrong with it beside its form.
    pub fn take(&mut self, event: &Verified<Event>, place: Place) -> Vec<Finding> {
        let mut findings = Vec::new();
        let is_first = self.kinds.is_empty();
        if matches!(event.what, What::LedgerOpened(_)) != is_first {
            let (expected, found) = if is_first {
                ("ledger.opened as the first event", "another kind")
            } else {
                ("ledger.opened only as the first event", "a second one")
            };
            findings.push(Finding::new(
                Code::OpeningEvent,
                place.clone(),
                expected,
                found,
            ));
        }
        if let Some(latest) = self.latest.filter(|latest| event.at < *latest) {
            findings.push(Finding::new(
                Code::ClockBackwards,
                place.clone(),
                format!("{latest} or later"),
                event.at.to_string(),
            ));
        }
        self.latest = Some(event.at);
        findings.extend(self.check_references(event, &place));
        if self
            .kinds
            .insert(event.id(), event.what.kind().name)
            .is_some()
        {
            findings.push(Finding::new(
                Code::DuplicateEvent,
                place.clone(),
                "each line once",
                "the same line again",
            ));
        }
        self.claims.take(event, place);
        findings
    }

    fn check_references(&self, event: &Verified<Event>, place: &Place) -> Vec<Finding> {
        let wrong = event.what.references().into_iter().filter_map(|reference| {
            let kinds = reference.kinds.join(" or ");
            let (code, expected, found) = match self.kinds.get(reference.id) {
                Some(kind) if reference.kinds.contains(kind) => return None,
                Some(kind) => {
                    let found = format!("{} names a {kind}", reference.field);
                    (Code::ReferenceKind, kinds, found)
                }
                None => {
                    let found = format!(
                        "{} names {}, which is not there",
                        reference.field, reference.id
                    );
                    (
                        Code::DanglingReference,
                        format!("an earlier {kinds}"),
                        found,
                    )
                }
            };
            Some(Finding::new(code, place.clone(), expected, found))
        });
        wrong.collect()
    }
}

impl Claims {
    fn take(&mut self, event: &Verified<Event>, place: Place) {
        for digest in event.what.blobs() {
            self.blobs.entry(*digest).or_insert_with(|| place.clone());
        }
        match &event.what {
            What::RecoveryRecorded(recovery) => {
                self.quarantined.entry(recovery.sha256).or_insert(place);
            }
            What::CohortFrozen(frozen) => self.checkpoints.push((frozen.checkpoint, place)),
            What::ReleasePublished(release) => self.checkpoints.push((release.checkpoint, place)),
            _ => {}
        }
    }
}
