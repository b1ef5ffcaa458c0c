//! No artifact is made from itself, and nothing settled rests on what is live.

use std::collections::{BTreeMap, BTreeSet};

use crate::audit::Subject;
use crate::finding::{Code, Finding};
use crate::manifest::State;
use crate::release::ArtifactSpec;

pub(crate) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let artifacts = &subject.specification.artifacts;
    let by_path: BTreeMap<&str, &ArtifactSpec> =
        artifacts.iter().map(|it| (it.path.as_str(), it)).collect();
    let mut findings = Vec::new();
    for (at, artifact) in artifacts.iter().enumerate() {
        let below = below(artifact, &by_path);
        let place = || subject.declared_at(&format!("artifacts.{at}.path"));
        if below.contains(artifact.path.as_str()) {
            findings.push(Finding::new(
                Code::ArtifactCircular,
                place(),
                "inputs that do not lead back to the artifact",
                format!("{} among its own inputs", artifact.path),
            ));
        }
        let mut live = below.iter().filter_map(|path| by_path.get(path));
        let live = live.find(|below| below.state == State::Live);
        if let Some(live) = live.filter(|_| artifact.state != State::Live) {
            findings.push(Finding::new(
                Code::ArtifactLive,
                place(),
                format!("a {} artifact of nothing live", artifact.state.as_str()),
                format!("the live artifact {} below it", live.path),
            ));
        }
    }
    findings
}

/// Everything that an artifact is made from, through as many steps as it takes.
fn below<'a>(
    artifact: &'a ArtifactSpec,
    by_path: &BTreeMap<&'a str, &'a ArtifactSpec>,
) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut open = vec![artifact];
    while let Some(artifact) = open.pop() {
        for path in artifact.inputs.iter().filter_map(|it| it.path.as_deref()) {
            if seen.insert(path) {
                open.extend(by_path.get(path));
            }
        }
    }
    seen
}
