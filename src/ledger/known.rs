//! What a look at a ledger remembers of the events it has passed.

use std::io;

use crate::canonical::Time;
use crate::event::{Event, KINDS, Verified, What};
use crate::finding::{Code, Finding, Place};
use crate::ledger::files::Claims;
use crate::ledger::ids::Ids;

/// The events so far: their ids and kinds, for duplicates and references, and
/// the files that they claim.
#[derive(Default)]
pub struct Known {
    ids: Ids,
    latest: Option<Time>,
    pub(crate) claims: Claims,
}

impl Known {
    /// Takes in the next event; says what is wrong with it beside its form.
    ///
    /// # Errors
    ///
    /// When there is no room for a temporary file.
    pub fn take(&mut self, event: &Verified<Event>, place: Place) -> io::Result<Vec<Finding>> {
        let mut findings = Vec::new();
        let is_first = self.ids.is_empty();
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
        self.check_references(event, &place, &mut findings)?;
        let kind = u8::try_from(event.what.number()).unwrap_or(u8::MAX);
        if let Some(earlier) = self.ids.insert(&event.id(), kind)? {
            findings.push(Finding::new(
                Code::DuplicateEvent,
                place.clone(),
                "each line once",
                format!("the same line again; it stands at position {earlier}"),
            ));
        }
        self.claims.take(event, place);
        Ok(findings)
    }

    fn check_references(
        &mut self,
        event: &Verified<Event>,
        place: &Place,
        findings: &mut Vec<Finding>,
    ) -> io::Result<()> {
        for reference in event.what.references() {
            let kind = self.ids.kind_of(reference.id)?;
            let (code, expected, found) = match kind.and_then(|kind| KINDS.get(usize::from(kind))) {
                Some(kind) if reference.kinds.contains(&kind.name) => continue,
                Some(kind) => {
                    let found = format!("{} names a {}", reference.field, kind.name);
                    (Code::ReferenceKind, reference.kinds.join(" or "), found)
                }
                None => {
                    let found = format!(
                        "{} names {}, which is not there",
                        reference.field, reference.id
                    );
                    (
                        Code::DanglingReference,
                        format!("an earlier {}", reference.kinds.join(" or ")),
                        found,
                    )
                }
            };
            findings.push(Finding::new(code, place.clone(), expected, found));
        }
        Ok(())
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
