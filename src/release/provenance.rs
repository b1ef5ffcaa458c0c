//! What an artifact was made from, as a statement that other programs read:
//! in-toto Statement v1 with a predicate of SLSA provenance v1. It is written as
//! one canonical line and holds no time: the same inputs give the same bytes.

use serde::{Deserialize, Serialize};

use crate::canonical::{Count, Fault, parse, write};
use crate::digest::Digest;
use crate::event::{Name, NamedValue};
use crate::manifest::GeneratorRef;
use crate::release::{ARTIFACTS_FOLDER, Input, InputKind};

/// The folder of statements.
pub const PROVENANCE_FOLDER: &str = "release/provenance";

const STATEMENT: &str = "https://in-toto.io/Statement/v1";
const PREDICATE: &str = "https://slsa.dev/provenance/v1";
const BUILD: &str = "urn:scoresheet:release-build:1";
const BUILDER: &str = "urn:scoresheet:generators";
/// The version of the generators as a set: raised when what they share changes.
const BUILDER_VERSION: u32 = 1;
/// The ledger, as a resource.
const LEDGER: &str = "urn:scoresheet:ledger";

/// What one artifact was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    #[serde(rename = "_type")]
    kind: String,
    predicate: Predicate,
    #[serde(rename = "predicateType")]
    predicate_type: String,
    subject: Vec<Resource>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Predicate {
    build_definition: BuildDefinition,
    run_details: RunDetails,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct BuildDefinition {
    build_type: String,
    external_parameters: Parameters,
    resolved_dependencies: Vec<Resource>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    arguments: Vec<NamedValue>,
    generator: Name,
    version: Count,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RunDetails {
    builder: Builder,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Builder {
    id: String,
    version: BuilderVersion,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BuilderVersion {
    generators: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Resource {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    annotations: Option<Range>,
    digest: Digests,
    name: String,
}

/// Which events of a ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Range {
    from: Count,
    to: Count,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Digests {
    /// The root of RFC 6962 over the events of a prefix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rfc6962: Option<Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sha256: Option<Digest>,
}

/// Returns where the statement about an artifact stands, or nothing where the
/// artifact stands outside the release.
pub fn provenance_path(artifact: &str) -> Option<String> {
    let below = artifact.strip_prefix(ARTIFACTS_FOLDER)?.strip_prefix('/')?;
    Some(format!("{PROVENANCE_FOLDER}/{below}.json"))
}

impl Statement {
    /// Returns the statement about an artifact: what it is, what made it, and
    /// from what.
    pub fn of(path: &str, sha256: Digest, generator: &GeneratorRef, inputs: &[Input]) -> Self {
        Self {
            kind: STATEMENT.to_owned(),
            predicate: Predicate {
                build_definition: BuildDefinition {
                    build_type: BUILD.to_owned(),
                    external_parameters: Parameters {
                        arguments: generator.arguments.clone(),
                        generator: generator.name.clone(),
                        version: generator.version,
                    },
                    resolved_dependencies: inputs.iter().map(Resource::of).collect(),
                },
                run_details: RunDetails {
                    builder: Builder {
                        id: BUILDER.to_owned(),
                        version: BuilderVersion {
                            generators: BUILDER_VERSION.to_string(),
                        },
                    },
                },
            },
            predicate_type: PREDICATE.to_owned(),
            subject: vec![Resource::file(path, sha256)],
        }
    }

    /// Reads a statement.
    ///
    /// # Errors
    ///
    /// The first fault: fields that nobody knows are one, and so is another spelling.
    pub fn parse(file: &[u8]) -> Result<Self, Fault> {
        if let Some(line) = file.strip_suffix(b"\n") {
            return parse(line);
        }
        let column = u64::try_from(file.len()).unwrap_or(u64::MAX);
        Err(Fault::new(column, "a newline at the end", "none"))
    }

    /// Returns the file: one canonical line with its newline.
    ///
    /// # Errors
    ///
    /// When it cannot be JSON, which no statement is.
    pub fn file(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut line = write(self)?;
        line.push('\n');
        Ok(line.into_bytes())
    }

    /// Whether it is about these very bytes.
    pub fn is_about(&self, sha256: &Digest) -> bool {
        let [subject] = self.subject.as_slice() else {
            return false;
        };
        subject.digest.sha256.as_ref() == Some(sha256)
    }

    /// Returns what it says otherwise than another one, each as what the other
    /// says and what it says; but for the digest of the artifact.
    pub fn differences(&self, right: &Self) -> Vec<(String, String)> {
        let [mine, its] = [self, right].map(|it| &it.predicate.build_definition);
        let [parameters, wanted] = [mine, its].map(|it| &it.external_parameters);
        let names = |it: &Self| {
            let names: Vec<_> = it.subject.iter().map(|it| it.name.clone()).collect();
            format!("a statement about {}", names.join(", "))
        };
        let arguments = |it: &Parameters| {
            let pairs = it.arguments.iter();
            let pairs: Vec<_> = pairs
                .map(|it| format!("{}={}", it.name, it.value))
                .collect();
            format!("the arguments {}", pairs.join(", "))
        };
        let made_by = |it: &Parameters| format!("generator {}@{}", it.generator, it.version);
        let builder = |it: &Self| {
            let builder = &it.predicate.run_details.builder;
            let kinds = [&it.kind, &it.predicate_type];
            let build = &it.predicate.build_definition.build_type;
            let version = &builder.version.generators;
            format!("{kinds:?} {build} by {} {version}", builder.id)
        };
        let mut rows = vec![
            (names(right), names(self)),
            (made_by(wanted), made_by(parameters)),
            (arguments(wanted), arguments(parameters)),
            (builder(right), builder(self)),
        ];
        rows.retain(|(wanted, found)| wanted != found);
        let [mine, its] = [mine, its].map(|it| &it.resolved_dependencies);
        let omitted = its.iter().filter(|input| !mine.contains(input));
        rows.extend(
            omitted.map(|input| (format!("the input {}", input.in_words()), "none".to_owned())),
        );
        let extra = mine.iter().filter(|input| !its.contains(input));
        let no_such = || "no such input".to_owned();
        rows.extend(extra.map(|input| (no_such(), format!("the input {}", input.in_words()))));
        if rows.is_empty() && mine != its {
            rows.push(("each input once, in order".to_owned(), "others".to_owned()));
        }
        rows
    }

    /// Whether it names the same inputs, generator and version as another one.
    pub fn has_same_inputs(&self, right: &Self) -> bool {
        let [mine, its] = [self, right].map(|it| &it.predicate.build_definition);
        let [made, wanted] = [mine, its].map(|it| &it.external_parameters);
        mine.resolved_dependencies == its.resolved_dependencies
            && (&made.generator, made.version) == (&wanted.generator, wanted.version)
    }
}

impl Resource {
    fn file(path: &str, sha256: Digest) -> Self {
        Self {
            annotations: None,
            digest: Digests {
                rfc6962: None,
                sha256: Some(sha256),
            },
            name: path.to_owned(),
        }
    }

    fn of(input: &Input) -> Self {
        let range = input.from.zip(input.to);
        Self {
            annotations: range.map(|(from, to)| Range { from, to }),
            digest: Digests {
                rfc6962: input.root,
                sha256: input.sha256,
            },
            name: match input.kind {
                InputKind::Ledger => LEDGER.to_owned(),
                InputKind::Manifest | InputKind::File => input.path.clone().unwrap_or_default(),
            },
        }
    }

    fn in_words(&self) -> String {
        let range = self.annotations.as_ref();
        let range = range.map(|it| format!(" {} to {}", it.from, it.to));
        let digest = self.digest.rfc6962.or(self.digest.sha256);
        let digest = digest.map_or_else(|| "none".to_owned(), |digest| digest.to_string());
        format!(
            "{}{}, digest {digest}",
            self.name,
            range.unwrap_or_default()
        )
    }
}
