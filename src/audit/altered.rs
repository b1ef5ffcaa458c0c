//! A release that was published is what it was for ever. Other content has
//! another name, and supersedes it.

use serde::Deserialize;

use crate::audit::{Subject, retained};
use crate::finding::{Code, Finding, Place};
use crate::manifest::{Artifact, FreshnessVerdict, FrozenCohort, Inventory};
use crate::release::SPECIFICATION;

/// Compares what was found under the name of a published release with what was
/// published under it. Nothing where nothing was, or where its audit is gone,
/// which is a finding of its own.
pub(crate) fn check(
    subject: &Subject<'_>,
    found: &[Artifact],
    cohorts: &[FrozenCohort],
) -> Vec<Finding> {
    let name = &subject.specification.release;
    let mut releases = subject.evidence.whole.published.iter().rev();
    let Some(release) = releases.find(|release| release.published.release == *name) else {
        return Vec::new();
    };
    let audit = retained::published(subject.tree, &release.published.audit);
    let Some(then) = audit.as_deref().and_then(inventory_of) else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    let mut differs = |path: &str, then: String, now: String| {
        let expected = format!("{then}, as release {name} was published");
        findings.push(Finding::new(
            Code::ReleaseAltered,
            Place::file(path),
            expected,
            now,
        ));
    };
    let (bound, was_bound) = (subject.specification.checkpoint, then.checkpoint);
    if bound != was_bound {
        let words = |size, root| format!("root {root} at size {size}");
        differs(
            SPECIFICATION,
            words(was_bound.size, was_bound.root),
            words(bound.size, bound.root),
        );
    }
    if cohorts != then.cohorts {
        differs(
            SPECIFICATION,
            cohorts_in_words(&then.cohorts),
            cohorts_in_words(cohorts),
        );
    }
    for was in &then.artifacts {
        match found.iter().find(|now| now.path == was.path) {
            None => differs(&was.path, in_words(was), "no such artifact".to_owned()),
            // A file that is not there is a finding of its own.
            Some(now) if now.sha256.is_none() || is_same(was, now) => {}
            Some(now) => differs(&was.path, in_words(was), in_words(now)),
        }
    }
    let there = found.iter().filter(|now| now.sha256.is_some());
    let is_new = |now: &&Artifact| then.artifacts.iter().all(|was| was.path != now.path);
    for now in there.filter(is_new) {
        differs(&now.path, "no such artifact".to_owned(), in_words(now));
    }
    findings
}

/// The inventory in the file of an audit.
fn inventory_of(file: &[u8]) -> Option<Inventory> {
    #[derive(Deserialize)]
    struct Part {
        inventory: Option<Inventory>,
    }
    let part: Part = serde_json::from_slice(file).ok()?;
    part.inventory
}

/// Whether an artifact is declared as it was, and has the bytes that it had. Bytes
/// that are not the declared ones are a finding of their own.
fn is_same(was: &Artifact, now: &Artifact) -> bool {
    let facts = |it: &Artifact| {
        let made = it.generator.clone();
        (made, it.required_in, it.role.clone(), it.state)
    };
    facts(was) == facts(now) && (is_stale(now) || was.sha256 == now.sha256)
}

fn is_stale(artifact: &Artifact) -> bool {
    match &artifact.freshness {
        Some(freshness) => freshness.verdict == FreshnessVerdict::Stale,
        None => artifact.is_fresh == Some(false),
    }
}

fn in_words(artifact: &Artifact) -> String {
    let mut words = vec![format!(
        "a {} artifact for {:?}",
        artifact.state.as_str(),
        artifact.role
    )];
    if let Some(generator) = &artifact.generator {
        words.push(format!(
            " of generator {}@{}",
            generator.name, generator.version
        ));
        let arguments = generator.arguments.iter();
        words.extend(arguments.map(|argument| format!(" {}={}", argument.name, argument.value)));
    }
    if let Some(mode) = artifact.required_in {
        words.push(format!(", required in {}", mode.as_str()));
    }
    if let Some(digest) = artifact.sha256 {
        words.push(format!(", digest {digest}"));
    }
    words.concat()
}

fn cohorts_in_words(cohorts: &[FrozenCohort]) -> String {
    let one = |it: &FrozenCohort| format!("cohort {} frozen as {}", it.cohort, it.manifest);
    let words: Vec<_> = cohorts.iter().map(one).collect();
    if words.is_empty() {
        "no cohort".to_owned()
    } else {
        words.join(", ")
    }
}
