use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::{self, Count, Fault};
use crate::digest::Digest;
use crate::event::{CheckpointRef, Name, NamedValue, document_schema_file};
use crate::manifest::{GeneratorRef, State};
use crate::projection::Projection;
use crate::release::GENERATORS;

/// The folder of everything that is published.
pub const ARTIFACTS_FOLDER: &str = "release";
/// The folder of audit manifests.
pub const AUDITS_FOLDER: &str = "release/audits";
/// The folder of cohort manifests.
pub const MANIFESTS_FOLDER: &str = "manifests";
/// The file of the specification.
pub const SPECIFICATION: &str = "release/publication.json";

/// release/publication.json: what a release is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Specification {
    /// A JSON Schema for editors.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The files.
    pub artifacts: Vec<ArtifactSpec>,
    /// The prefix of the ledger that everything is computed from.
    pub checkpoint: CheckpointRef,
    /// The cohorts that the release rests on.
    pub cohorts: Vec<Name>,
    /// Blockers that a draft permits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<Gap>,
    /// The name of the release.
    pub release: Name,
    /// The version of this form: 1.
    pub v: Count,
}

/// One file of a release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArtifactSpec {
    /// What makes it; frozen and live artifacts have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generator: Option<GeneratorRef>,
    /// Where it stands, relative to the project, below `release/`.
    pub path: String,
    /// What it is for, in a word.
    pub role: String,
    /// The digest it must have; pinned artifacts have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Digest>,
    /// What may happen to it.
    pub state: State,
}

/// A blocker that a draft permits, by name and with a reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// The code of the finding.
    pub code: String,
    /// The file that the finding is about.
    pub path: String,
    /// Why it may stand for now.
    pub reason: String,
}

impl Specification {
    /// Reads a specification, in any spelling of JSON without duplicate keys.
    ///
    /// # Errors
    ///
    /// The first fault, with its place in the text.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let specification: Self = canonical::read(bytes)?;
        if specification.v.get() == 1 {
            Ok(specification)
        } else {
            Err(Fault::new(
                1,
                "version 1 of the specification",
                "another version",
            ))
        }
    }

    /// Returns the JSON Schema of the file, for editors and other programs.
    pub fn schema_file() -> String {
        document_schema_file::<Self>("Publication specification")
    }

    /// Returns a specification of the usual artifacts of these cohorts, and of the
    /// whole prefix that the projection was folded from.
    pub fn usual(
        release: Name,
        checkpoint: CheckpointRef,
        cohorts: Vec<Name>,
        projection: &Projection,
    ) -> Self {
        let mut artifacts = Vec::new();
        for generator in GENERATORS {
            for cohort in &cohorts {
                artifacts.extend(generator.usual(cohort, projection));
            }
            artifacts.extend(generator.usual_of_prefix());
        }
        artifacts.sort_by(|a: &ArtifactSpec, b| a.path.cmp(&b.path));
        Self {
            schema: None,
            artifacts,
            checkpoint,
            cohorts,
            gaps: Vec::new(),
            release,
            v: 1_u32.into(),
        }
    }

    /// Returns the file: JSON for people, with a newline.
    ///
    /// # Errors
    ///
    /// When it cannot be JSON, which no specification is.
    pub fn file(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        Ok(text)
    }
}

/// An argument of a generator.
pub(crate) fn argument(name: &str, value: &str) -> NamedValue {
    NamedValue {
        name: name.to_owned(),
        value: value.to_owned(),
    }
}
