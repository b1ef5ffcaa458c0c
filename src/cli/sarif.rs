//! SARIF 2.1.0, which code-scanning services read.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::cli::secrets_report::{SecretsFinding, SecretsReport};
use crate::secret::{Scanner, UNSCANNABLE};

/// Returns the report as a log of one run. Lines are of the member, where there is
/// one; the message says so.
pub(crate) fn sarif(report: &SecretsReport) -> Value {
    let results: Vec<_> = report.findings.iter().map(result).collect();
    log(&results, Scanner::rules().chain([UNSCANNABLE]))
}

/// Returns a log of one run with these results, of rules with these names.
pub(crate) fn log(results: &[Value], rules: impl Iterator<Item = &'static str>) -> Value {
    let rules: Vec<_> = rules.map(|id| json!({"id": id})).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "runs": [{
            "results": results,
            "tool": {"driver": {
                "name": "scoresheet",
                "rules": rules,
                "version": env!("CARGO_PKG_VERSION"),
            }},
        }],
        "version": "2.1.0",
    })
}

fn result(finding: &SecretsFinding) -> Value {
    let place = finding.place.map(|_| "the name".to_owned());
    let words = [finding.excerpt.clone(), finding.what.clone(), place];
    let members = finding.member.iter().map(|name| format!("in {name}"));
    let text: Vec<_> = words.into_iter().flatten().chain(members).collect();
    let mut location = json!({"artifactLocation": {"uri": uri(&finding.file)}});
    if let Some(line) = &finding.line {
        location["region"] = json!({"startLine": line});
    }
    json!({
        "level": "error",
        "locations": [{"physicalLocation": location}],
        "message": {"text": text.join(" ")},
        "ruleId": finding.rule,
    })
}

/// A path as a reference by RFC 3986: what is no plain letter there is escaped.
pub(crate) fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}
