//! What an artifact declares as its inputs is what it is made from: no more, no
//! less, and as it is today.

use crate::audit::Subject;
use crate::finding::{Code, Finding, Place};
use crate::manifest::{GeneratorRef, State};
use crate::release::{ArtifactSpec, Footing, Input, InputKind};

/// Returns the inputs of what a generator makes: at the checkpoint, or for a
/// live artifact as the ledger stands.
pub(crate) fn of_made(
    subject: &Subject<'_>,
    spec: &ArtifactSpec,
    generator: &GeneratorRef,
) -> Option<Vec<Input>> {
    let footing = Footing::of(generator);
    if spec.state == State::Live {
        let (whole, source) = subject.whole();
        return Some(footing.inputs(&source.checkpoint(), whole));
    }
    let prefix = subject.evidence.prefix.as_ref()?;
    Some(footing.inputs(&subject.specification.checkpoint, prefix))
}

/// What a generator reads follows from its arguments. Who declares it declares
/// exactly that.
pub(crate) fn check_made(
    subject: &Subject<'_>,
    spec: &ArtifactSpec,
    generator: &GeneratorRef,
) -> Vec<Finding> {
    let declared = &spec.inputs;
    if declared.is_empty() {
        return Vec::new();
    }
    if spec.state == State::Live {
        let expected = "no inputs of a live artifact, which rests on the ledger as it stands";
        return vec![differ(spec, expected.to_owned(), "some".to_owned())];
    }
    let Some(right) = of_made(subject, spec, generator) else {
        return Vec::new();
    };
    let omitted = right.iter().filter(|input| !declared.contains(input));
    let omitted = omitted.map(|input| differ(spec, input.in_words(), "no such input".to_owned()));
    let extra = declared.iter().filter(|input| !right.contains(input));
    let extra = extra.map(|input| differ(spec, "no such input".to_owned(), input.in_words()));
    let mut findings: Vec<_> = omitted.chain(extra).collect();
    if findings.is_empty() && declared.len() != right.len() {
        let expected = "each input once".to_owned();
        findings.push(differ(spec, expected, "one twice".to_owned()));
    }
    findings
}

/// What people wrote from other files is as old as they are: it is stale when
/// one of them has changed.
pub(crate) fn check_written(subject: &Subject<'_>, spec: &ArtifactSpec) -> Vec<Finding> {
    let inputs = spec.inputs.iter().filter(|input| input.is_whole());
    let checked = inputs.filter_map(|input| match input.kind {
        InputKind::Ledger => check_range(subject, spec, input),
        InputKind::Manifest | InputKind::File => check_file(subject, spec, input),
    });
    checked.collect()
}

fn check_range(subject: &Subject<'_>, spec: &ArtifactSpec, input: &Input) -> Option<Finding> {
    let right = Input::prefix(&subject.specification.checkpoint);
    (*input != right).then(|| differ(spec, right.in_words(), input.in_words()))
}

fn check_file(subject: &Subject<'_>, spec: &ArtifactSpec, input: &Input) -> Option<Finding> {
    let declared = input.path.as_deref()?;
    let digest = declared
        .parse()
        .map_err(|error: crate::tree::ParsePathError| error.to_string())
        .and_then(|path| {
            let read = subject
                .tree
                .read(&path, crate::audit::subject::FILE_BYTES_MAX);
            read.map_err(|fault| fault.to_string())
        })
        .map(|read| *read.digest());
    match digest {
        Ok(digest) if Some(digest) == input.sha256 => None,
        Ok(digest) => Some(
            Finding::new(
                Code::ArtifactStale,
                Place::file(&spec.path),
                format!("an artifact made from {declared} with digest {digest}"),
                format!("one made from {}", input.in_words()),
            )
            .with_remedy("look at what changed, then declare the digest that the input has now"),
        ),
        Err(found) => Some(differ(spec, input.in_words(), found)),
    }
}

fn differ(spec: &ArtifactSpec, expected: String, found: String) -> Finding {
    Finding::new(Code::InputsDiffer, Place::file(&spec.path), expected, found)
}
