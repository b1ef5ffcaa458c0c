//! What is published: the specification of a release, and the generators that
//! make its artifacts from a prefix of the ledger.
//!
//! A generator is a name and an integer version that is raised when its output
//! changes; same prefix and arguments, same bytes. This room makes bytes and
//! compares nothing: the audit does.

mod asked;
mod boards;
mod cited;
mod claims;
mod figure;
mod footing;
mod games;
mod generator;
mod generators;
mod inconvenient;
mod indexes;
mod input;
mod provenance;
mod reliability;
mod specification;
mod usual;

pub use asked::Argument;
pub use cited::{Figures, Found, figure_in_words};
pub use claims::{CLAIMS, ClaimAt, claims_at, claims_json, claims_table};
pub use footing::Footing;
pub use generator::{GenerateError, Generator, generate};
pub use generators::GENERATORS;
pub use input::{Input, InputKind};
pub use provenance::{PROVENANCE_FOLDER, Statement, provenance_path};
pub use specification::{
    ARTIFACTS_FOLDER, AUDITS_FOLDER, ArtifactSpec, Gap, MANIFESTS_FOLDER, SPECIFICATION,
    Specification,
};
