//! No secret in what is published, nor in what is said about it.

use crate::finding::{Finding, Place};
use crate::manifest::SecretScan;
use crate::secret::{Hit, Scanner, inspect};

/// Looks for secrets in a file and in everything inside it; adds what stands
/// there and nobody waived, and what it could not look at.
pub(crate) fn scan(
    standing: &dyn Fn(&[u8]) -> Vec<Hit>,
    place: &Place,
    bytes: &[u8],
    findings: &mut Vec<Finding>,
) -> SecretScan {
    let inspection = inspect(bytes, standing);
    findings.extend(inspection.findings(place));
    if !inspection.sightings.is_empty() {
        SecretScan::Flagged
    } else if inspection.obstacles.is_empty() {
        SecretScan::Clean
    } else {
        SecretScan::Unscanned
    }
}

/// Returns the findings without any credential in their texts: names of files
/// and keys come from evidence too.
pub(crate) fn redacted(findings: Vec<Finding>) -> Vec<Finding> {
    let scanner = Scanner::shared();
    let findings = findings.into_iter();
    findings
        .map(|finding| scanner.redacted_finding(finding))
        .collect()
}
