//! No secret in what is published, nor in what is said about it.

use crate::finding::{Code, Finding, Place};
use crate::ledger::Waivers;
use crate::manifest::SecretScan;
use crate::secret::Scanner;

/// Looks for secrets in a file; adds what it finds and nobody waived.
pub(crate) fn scan(
    waivers: &Waivers,
    place: &Place,
    bytes: &[u8],
    findings: &mut Vec<Finding>,
) -> SecretScan {
    let secrets = Scanner::findings_of(&waivers.standing(bytes), place, bytes);
    let is_flagged = !secrets.is_empty();
    findings.extend(secrets);
    // A rule reads text. Of anything else, silence would say nothing.
    let is_text = std::str::from_utf8(bytes).is_ok() && !bytes.contains(&0);
    if !is_text {
        let expected = "UTF-8 text without NUL";
        findings.push(Finding::new(
            Code::Unscannable,
            place.clone(),
            expected,
            "other bytes",
        ));
    }
    match (is_flagged, is_text) {
        (true, _) => SecretScan::Flagged,
        (false, true) => SecretScan::Clean,
        (false, false) => SecretScan::Unscanned,
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
