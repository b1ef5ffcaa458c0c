//! Submissions: what somebody who measured a system elsewhere says of it, and
//! whether the evidence bears it out.
//!
//! A submission is a document of one form ([`Submission`]), a folder of released
//! files, and a ledger of raw events. The schema knows shapes; that digests,
//! counts and results are what the evidence gives is found by code.

mod artifacts;
mod bearing;
mod derived;
mod document;
mod draft;
mod exposed;
mod meaning;
mod observed;
mod page;
mod protocol_part;
mod reading;
mod reconcile;
mod results_part;
mod subject;
mod system_part;

pub use artifacts::check_artifacts;
pub use bearing::Bearing;
pub use derived::{Derived, Underived};
pub use document::{
    BenchmarkVersion, CodePart, EvidencePart, SUBMISSION_FILE, SUBMISSION_SCHEMA, Submission,
    SubmittedArtifact,
};
pub use draft::Draft;
pub use exposed::{Exposed, Text};
pub use meaning::contradictions;
pub use observed::Observed;
pub use page::{Marked, Page};
pub use protocol_part::{
    AllocationRule, Baseline, EnginePart, EngineRole, MatchedOn, OptionPart, Partition,
    ProtocolPart, Track,
};
pub use reading::{DOCUMENT_BYTES_MAX, Reading};
pub use reconcile::reconcile;
pub use results_part::{
    CallCounts, Cost, CostBasis, CoveragePart, Covered, GamesPart, PositionsPart, Primary,
    ResourcesPart, ResultsPart, Units,
};
pub use system_part::{AssistancePart, Corpora, InferenceBudget, LegalActions, SystemPart, Window};
