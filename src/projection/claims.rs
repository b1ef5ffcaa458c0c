use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::event::{ClaimRecorded, ClaimReviewed, ClaimVerdict, EventId, EvidenceStatus};
use crate::projection::{Entry, Projection};

/// A claim, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The claim.
    pub recorded: Entry<ClaimRecorded>,
    /// Its reviews, in the order of the ledger.
    pub reviews: Vec<Entry<ClaimReviewed>>,
    /// The first claim that stands in its place.
    pub superseded_by: Option<EventId>,
}

/// All claims, in the order they were recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    by_id: BTreeMap<EventId, Claim>,
    order: Vec<EventId>,
}

/// How a claim stands at the end of a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClaimStanding {
    /// Nobody has reviewed it.
    Recorded,
    /// Its last review holds it up, wholly or within limits, and what it stands on
    /// has not changed since.
    Reviewed,
    /// What it stands on has changed since its last review, or gives another
    /// number than it names.
    Stale,
    /// Its last review withdrew it.
    Withdrawn,
    /// Another claim stands in its place.
    Superseded,
}

impl ClaimStanding {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Reviewed => "reviewed",
            Self::Stale => "stale",
            Self::Withdrawn => "withdrawn",
            Self::Superseded => "superseded",
        }
    }

    /// Whether somebody still makes the claim.
    pub const fn is_made(self) -> bool {
        matches!(self, Self::Recorded | Self::Reviewed | Self::Stale)
    }
}

impl Claims {
    /// The claim with this id.
    pub fn claim(&self, id: &EventId) -> Option<&Claim> {
        self.by_id.get(id)
    }

    /// All of them, in the order they were recorded.
    pub fn iter(&self) -> impl Iterator<Item = &Claim> {
        self.order.iter().filter_map(|id| self.by_id.get(id))
    }

    pub(crate) fn record(&mut self, recorded: Entry<ClaimRecorded>) {
        let id = recorded.id;
        let superseded = recorded.said.supersedes;
        if let Some(earlier) = superseded.and_then(|earlier| self.by_id.get_mut(&earlier)) {
            earlier.superseded_by.get_or_insert(id);
        }
        let claim = Claim {
            recorded,
            reviews: Vec::new(),
            superseded_by: None,
        };
        if self.by_id.insert(id, claim).is_none() {
            self.order.push(id);
        }
    }

    pub(crate) fn review(&mut self, review: Entry<ClaimReviewed>) {
        // A claim that is not there is a dangling reference, which `verify` names.
        if let Some(claim) = self.by_id.get_mut(&review.said.claim) {
            claim.reviews.push(review);
        }
    }
}

impl Claim {
    /// What it says.
    pub const fn said(&self) -> &ClaimRecorded {
        &self.recorded.said
    }

    /// Whether it stands on this cohort.
    pub fn is_on(&self, cohort: &str) -> bool {
        let mut cohorts = self.said().cohorts.iter();
        cohorts.any(|name| name.as_str() == cohort)
    }

    /// The last review.
    pub fn last_review(&self) -> Option<&Entry<ClaimReviewed>> {
        self.reviews.last()
    }
}

impl Projection {
    /// How a claim stands, as far as that follows without making its tables again.
    ///
    /// A review has seen the events of its own prefix, and no later ones.
    pub fn standing_of(&self, claim: &Claim) -> ClaimStanding {
        if claim.superseded_by.is_some() {
            return ClaimStanding::Superseded;
        }
        let Some(review) = claim.last_review() else {
            return ClaimStanding::Recorded;
        };
        if review.said.verdict == ClaimVerdict::Withdrawn {
            return ClaimStanding::Withdrawn;
        }
        let seen = review.said.checkpoint.size.get();
        match self.last_change_under(claim) {
            Some((_, change)) if seen <= change => ClaimStanding::Stale,
            _ => ClaimStanding::Reviewed,
        }
    }

    /// The last change of what a claim stands on: the cohort, and the position of
    /// the event that changed it.
    pub fn last_change_under<'a>(&self, claim: &'a Claim) -> Option<(&'a str, u64)> {
        let cohorts = claim.said().cohorts.iter();
        let changes =
            cohorts.filter_map(|name| Some((name.as_str(), self.last_change(name.as_str())?)));
        changes.max_by_key(|(_, index)| *index)
    }

    /// The status that the evidence of a claim can bear: the lowest of its
    /// cohorts; nothing where it names no cohort that is there.
    pub fn status_under(&self, claim: &ClaimRecorded) -> Option<EvidenceStatus> {
        let cohorts = claim.cohorts.iter();
        cohorts
            .filter_map(|name| Some(self.cohort(name.as_str())?.evidence_status()))
            .min()
    }
}
