use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::{self, Count, Fault};
use crate::digest::Digest;
use crate::event::{CheckpointRef, Name, NamedValue, document_schema_file};
use crate::manifest::{GeneratorRef, Mode, SecretWaiver, State};
use crate::projection::Projection;
use crate::release::{Footing, GENERATORS, Input};

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
    /// Who must have signed the checkpoint: the lines of a policy, as
    /// `docs/proofs.md` has them. A publication is refused without.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signatures: Vec<String>,
    /// The version of this form: 2. Version 1 has neither inputs, modes,
    /// signatures nor waivers, and no static or generated artifacts.
    pub v: Count,
    /// What looks like a credential in an artifact and is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waivers: Vec<SecretWaiver>,
}

/// One file of a release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArtifactSpec {
    /// What makes it; frozen, generated and live artifacts have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generator: Option<GeneratorRef>,
    /// What it is made from. What a generator reads follows from its arguments,
    /// so it may be left out there; a live artifact has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
    /// Where it stands, relative to the project, below `release/`.
    pub path: String,
    /// The mode from which on it must be there: `draft`, or `publication` alone.
    /// Version 2 says it of every artifact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required_in: Option<Mode>,
    /// What it is for, in a word of the list that `docs/formats.md` has.
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
        let fault = |path: &str, expected: &str, found: &str| {
            Err(Fault::new(
                canonical::column_of(bytes, path),
                expected,
                found,
            ))
        };
        match specification.v.get() {
            1 => match specification.of_version_2() {
                Some((path, what)) => fault(&path, "a form that version 1 has", what),
                None => Ok(specification),
            },
            2 => Ok(specification),
            _ => fault(
                "v",
                "version 1 or 2 of the specification",
                "another version",
            ),
        }
    }

    /// Whether it is of version 1, which knows less.
    pub const fn is_first(&self) -> bool {
        self.v.get() == 1
    }

    /// What only version 2 has, with the path that leads to it.
    fn of_version_2(&self) -> Option<(String, &'static str)> {
        if !self.waivers.is_empty() {
            return Some(("waivers".to_owned(), "waivers"));
        }
        if !self.signatures.is_empty() {
            return Some(("signatures".to_owned(), "signatures"));
        }
        let of_artifact = |(at, artifact): (usize, &ArtifactSpec)| {
            let (key, what) = if artifact.required_in.is_some() {
                ("required_in", "the mode of an artifact")
            } else if !artifact.inputs.is_empty() {
                ("inputs", "inputs")
            } else if matches!(artifact.state, State::Generated | State::Static) {
                ("state", "a state of version 2")
            } else {
                return None;
            };
            Some((format!("artifacts.{at}.{key}"), what))
        };
        self.artifacts.iter().enumerate().find_map(of_artifact)
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
            signatures: Vec::new(),
            v: 2_u32.into(),
            waivers: Vec::new(),
        }
    }

    /// Writes down what each artifact is made from, as the prefix has it.
    pub fn declare_inputs(&mut self, prefix: &Projection) {
        let checkpoint = self.checkpoint;
        for artifact in &mut self.artifacts {
            if let Some(generator) = artifact.generator.as_ref() {
                artifact.inputs = Footing::of(generator).inputs(&checkpoint, prefix);
            }
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
