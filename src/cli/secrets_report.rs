//! What `scoresheet secrets` found, for programs.

use schemars::JsonSchema;
use serde::Serialize;

use crate::canonical::Count;
use crate::cli::secrets::Looked;
use crate::event::document_schema_file;
use crate::finding::visible;
use crate::secret::{Obstacle, Scanner, Sighting, UNSCANNABLE};

/// What was found, and in how many files it was looked for.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SecretsReport {
    /// How many files were looked at, or should have been.
    files: Count,
    /// What was found, in the order of the files.
    pub(crate) findings: Vec<SecretsFinding>,
}

/// Something that looks like a credential, or could not be looked at.
#[derive(Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SecretsFinding {
    /// The column in bytes, from 1; of credentials.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<Count>,
    /// Where the credential ends, in bytes from the beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<Count>,
    /// What may be shown of the credential.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) excerpt: Option<String>,
    /// The file, as it was named or found below a folder that was.
    pub(crate) file: String,
    /// Whether check digits in the credential are right; of credentials.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_confirmed: Option<bool>,
    /// The line, from 1; of credentials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<Count>,
    /// The members that lead to it, outermost first. Absent: it is in the file itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) member: Vec<String>,
    /// `name` where the name of the file looks like a credential.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) place: Option<InName>,
    /// The rule that speaks, or `unscannable`.
    pub(crate) rule: String,
    /// Where the credential begins, in bytes from the beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<Count>,
    /// What is in the way of looking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) what: Option<String>,
}

/// The only place that is none in the bytes.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum InName {
    /// The name of the file.
    Name,
}

/// Returns the JSON Schema (draft 2020-12) of what `scoresheet secrets --format json`
/// prints, as a file.
pub fn secrets_report_schema() -> String {
    document_schema_file::<SecretsReport>("Report of scoresheet secrets, version 1")
}

impl SecretsReport {
    pub(crate) fn of(looked: &[Looked]) -> Self {
        Self {
            files: Count::saturating(looked.len()),
            findings: looked.iter().flat_map(findings).collect(),
        }
    }
}

fn findings(looked: &Looked) -> Vec<SecretsFinding> {
    let of_file = |rule: &str| SecretsFinding {
        file: visible(&looked.file),
        rule: rule.to_owned(),
        ..SecretsFinding::default()
    };
    let mut findings = Vec::new();
    findings.extend(looked.named.map(|rule| SecretsFinding {
        place: Some(InName::Name),
        ..of_file(rule)
    }));
    let inspection = match &looked.what {
        Ok(inspection) => inspection,
        Err(fault) => {
            findings.push(SecretsFinding {
                what: Some(fault.to_string()),
                ..of_file(UNSCANNABLE)
            });
            return findings;
        }
    };
    let seen = inspection.sightings.iter();
    findings.extend(seen.map(|sighting| of_sighting(of_file(sighting.hit.rule), sighting)));
    let unseen = inspection.obstacles.iter();
    findings.extend(unseen.map(|obstacle: &Obstacle| SecretsFinding {
        member: shown(&obstacle.member),
        what: Some(obstacle.what.clone()),
        ..of_file(UNSCANNABLE)
    }));
    findings
}

fn of_sighting(finding: SecretsFinding, sighting: &Sighting) -> SecretsFinding {
    SecretsFinding {
        column: Some(Count::saturating(sighting.column)),
        end: Some(Count::saturating(sighting.hit.end)),
        excerpt: Some(sighting.excerpt.clone()),
        is_confirmed: Some(sighting.hit.is_confirmed),
        line: Some(Count::saturating(sighting.line)),
        member: shown(&sighting.member),
        start: Some(Count::saturating(sighting.hit.start)),
        ..finding
    }
}

/// Names of members without any credential in them.
fn shown(member: &[String]) -> Vec<String> {
    let names = member.iter().map(|name| Scanner::shared().redacted(name));
    names.map(|name| visible(&name)).collect()
}
