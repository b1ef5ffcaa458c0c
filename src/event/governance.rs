//! What was frozen and what was published.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::kinds::Fact;
use crate::event::{EventId, EvidenceStatus, Name, Reference};

/// A prefix of this ledger.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct CheckpointRef {
    /// The RFC 6962 root over the prefix.
    pub root: Digest,
    /// The number of events in it.
    pub size: Count,
}

/// `cohort.frozen`: a manifest was made of a cohort.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CohortFrozen {
    /// The prefix that the manifest was computed from.
    pub checkpoint: CheckpointRef,
    /// The cohort.
    pub cohort: Name,
    /// What the manifest is of, where it is not of a cohort that is complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<FreezeLabel>,
    /// The digest of the manifest.
    pub manifest: Digest,
    /// The schedule whose cells the cohort is.
    pub schedule: EventId,
    /// The digest of the manifest that this one supersedes: the one before it of
    /// the same schedule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<Digest>,
}

impl CohortFrozen {
    /// Whether the cohort was still growing: such a manifest is no ground for a
    /// publication.
    pub const fn is_live(&self) -> bool {
        matches!(self.label, Some(FreezeLabel::Live))
    }
}

/// What a manifest is of, where its cohort is not complete.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FreezeLabel {
    /// A cohort that has open cells, and grows.
    Live,
}

impl Fact for CohortFrozen {
    fn references(&self) -> Vec<Reference<'_>> {
        vec![Reference::new(
            "schedule",
            &self.schedule,
            &["schedule.committed"],
        )]
    }
}

/// `release.published`: an audit passed, and what it passed was published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReleasePublished {
    /// The digest of the audit manifest.
    pub audit: Digest,
    /// The digest of the inventory: it names the bundle that was reviewed.
    pub bundle: Digest,
    /// The prefix that everything in the release was computed from.
    pub checkpoint: CheckpointRef,
    /// The status that it was published as.
    pub evidence_status: EvidenceStatus,
    /// The name of the release.
    pub release: Name,
    /// The digest of the publication specification.
    pub specification: Digest,
    /// The release that this one supersedes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<EventId>,
}

impl Fact for ReleasePublished {
    fn references(&self) -> Vec<Reference<'_>> {
        self.supersedes
            .iter()
            .map(|release| Reference::new("supersedes", release, &["release.published"]))
            .collect()
    }
}
