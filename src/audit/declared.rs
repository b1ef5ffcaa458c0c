//! What the specification declares is said once, completely, and in known words.

use std::collections::BTreeMap;

use crate::audit::Subject;
use crate::finding::{Code, Finding};
use crate::release::{ArtifactSpec, GENERATORS};

/// What files that people write are for. Generators have roles of their own.
const ROLES: [&str; 8] = [
    "article", "claims", "data", "figure", "license", "methods", "notes", "table",
];

pub(crate) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let specification = &subject.specification;
    let mut findings = Vec::new();
    let mut invalid = |path: String, expected: String, found: String| {
        let place = subject.declared_at(&path);
        findings.push(Finding::new(Code::SpecInvalid, place, expected, found));
    };
    let mut first = BTreeMap::new();
    for (at, artifact) in specification.artifacts.iter().enumerate() {
        let before = first.entry(plainest(&artifact.path)).or_insert(at);
        if *before != at {
            let made = [*before, at].map(|at| specification.artifacts[at].generator.is_some());
            let what = if made == [true; 2] {
                "a path that two generators claim"
            } else {
                "a path twice"
            };
            invalid(
                format!("artifacts.{at}.path"),
                "each path once, in one spelling".to_owned(),
                format!("{what}: {}", artifact.path.escape_debug()),
            );
        }
        if specification.is_first() {
            continue;
        }
        if artifact.required_in.is_none() {
            invalid(
                format!("artifacts.{at}"),
                "required_in: draft or publication".to_owned(),
                "neither".to_owned(),
            );
        }
        if let Some(expected) = unknown_role(artifact) {
            let found = artifact.role.escape_debug().to_string();
            invalid(format!("artifacts.{at}.role"), expected, found);
        }
        if let Some(number) = artifact.inputs.iter().position(|input| !input.is_whole()) {
            invalid(
                format!("artifacts.{at}.inputs.{number}"),
                "from, root and to of a ledger range; path and sha256 of a file".to_owned(),
                "others".to_owned(),
            );
        }
    }
    findings
}

/// A path in the one spelling that all its aliases share.
fn plainest(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    // Names that differ in case only are one file on some systems.
    parts.join("/").to_lowercase()
}

fn unknown_role(artifact: &ArtifactSpec) -> Option<String> {
    let of_generators = GENERATORS.iter().map(|generator| generator.role);
    let mut roles: Vec<_> = ROLES.into_iter().chain(of_generators).collect();
    roles.sort_unstable();
    roles.dedup();
    let is_known = roles.contains(&artifact.role.as_str());
    (!is_known).then(|| format!("a role: {}", roles.join(", ")))
}
