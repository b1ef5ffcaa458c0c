//! A generated artifact has a statement of what it was made from, which is what
//! it would be made from today. Where the two disagree, bytes alone say what
//! happened: times of files are never looked at.

use crate::audit::{Subject, inputs};
use crate::digest::Digest;
use crate::finding::{Code, Finding, Place};
use crate::manifest::{FileDigest, GeneratorRef, State};
use crate::release::{ArtifactSpec, Statement, provenance_path};
use crate::tree::RelativePath;

/// What an artifact and its statement are found to be.
#[derive(Default)]
pub(crate) struct Judged {
    pub(crate) findings: Vec<Finding>,
    /// The statement that stands there.
    pub(crate) provenance: Option<FileDigest>,
    /// The statement that must stand there.
    pub(crate) statement: Option<(RelativePath, Vec<u8>)>,
}

/// The statement that stands there.
enum Stored {
    Missing,
    Unreadable(Vec<Finding>),
    Read(Box<Statement>),
}

/// Judges an artifact of this digest, whose generator makes these bytes.
pub(crate) fn judge(
    subject: &Subject<'_>,
    spec: &ArtifactSpec,
    generator: &GeneratorRef,
    made: &[u8],
    there: Option<&Digest>,
) -> Judged {
    let mut judged = Judged::default();
    let right = inputs::of_made(subject, spec, generator);
    let path = provenance_path(&spec.path);
    let path = path.and_then(|path| path.parse::<RelativePath>().ok());
    let (Some(right), Some(path)) = (right, path) else {
        return judged;
    };
    let expected = Digest::of(made);
    let right = Statement::of(&spec.path, expected, generator, &right);
    let place = Place::file(path.as_str());
    let stored = read(subject, &path, &mut judged);
    // A statement is always JSON.
    let file = right.file().unwrap_or_default();
    if let Some(there) = there {
        let case = Case {
            spec,
            place: &place,
            expected: &expected,
            there,
            right: &right,
        };
        let findings = case.findings(stored);
        judged.findings.extend(findings);
    }
    judged.statement = Some((path, file));
    judged
}

fn read(subject: &Subject<'_>, path: &RelativePath, judged: &mut Judged) -> Stored {
    let mut findings = Vec::new();
    let Some(file) = subject.read(path, &mut findings) else {
        let is_missing = |finding: &Finding| finding.code == Code::ArtifactMissing;
        return if findings.iter().all(is_missing) {
            Stored::Missing
        } else {
            Stored::Unreadable(findings)
        };
    };
    judged.findings.extend(findings);
    judged.provenance = Some(FileDigest {
        path: path.to_string(),
        sha256: file.digest,
    });
    match Statement::parse(&file.bytes) {
        Ok(statement) => Stored::Read(Box::new(statement)),
        Err(fault) => Stored::Unreadable(vec![Finding::new(
            Code::ProvenanceDiffers,
            Place::file(path.as_str()).line(1).column(fault.column),
            fault.expected,
            fault.found,
        )]),
    }
}

/// An artifact that is there, its statement, and what both must be.
struct Case<'a> {
    spec: &'a ArtifactSpec,
    place: &'a Place,
    expected: &'a Digest,
    there: &'a Digest,
    right: &'a Statement,
}

impl Case<'_> {
    fn findings(&self, stored: Stored) -> Vec<Finding> {
        let is_made = self.there == self.expected;
        let mut findings = Vec::new();
        match stored {
            Stored::Missing => {
                findings.extend((!is_made).then(|| self.of_artifact(Code::ArtifactChanged)));
                findings.push(Finding::new(
                    Code::ProvenanceMissing,
                    self.place.clone(),
                    format!("a statement of what {} was made from", self.spec.path),
                    "none",
                ));
            }
            Stored::Unreadable(faults) => {
                findings.extend((!is_made).then(|| self.of_artifact(Code::ArtifactChanged)));
                findings.extend(faults);
            }
            Stored::Read(stored) => findings.extend(self.compare(&stored, is_made)),
        }
        findings
    }

    fn compare(&self, stored: &Statement, is_made: bool) -> Vec<Finding> {
        if stored == self.right {
            // It speaks of what the generator makes; the file is something else.
            return if is_made {
                Vec::new()
            } else {
                vec![self.of_artifact(Code::ArtifactEdited)]
            };
        }
        let is_its_own = stored.is_about(self.there);
        let is_other = !stored.has_same_inputs(self.right);
        // Bytes that stay the same when the ledger grows are stale all the same.
        if is_its_own && is_other && (!is_made || self.spec.state == State::Live) {
            return vec![self.stale(stored)];
        }
        let mut findings = Vec::new();
        findings.extend((!is_made).then(|| self.of_artifact(Code::ArtifactChanged)));
        let mut rows = stored.differences(self.right);
        if !stored.is_about(self.expected) {
            rows.push((
                format!("a statement about digest {}", self.expected),
                "one about other bytes".to_owned(),
            ));
        }
        let differs = |(expected, found)| {
            Finding::new(Code::ProvenanceDiffers, self.place.clone(), expected, found)
        };
        findings.extend(rows.into_iter().map(differs));
        findings
    }

    fn stale(&self, stored: &Statement) -> Finding {
        let rows = stored.differences(self.right).into_iter();
        let (expected, found): (Vec<_>, Vec<_>) = rows.unzip();
        Finding::new(
            Code::ArtifactStale,
            Place::file(&self.spec.path),
            expected.join("; "),
            found.join("; "),
        )
    }

    fn of_artifact(&self, code: Code) -> Finding {
        Finding::new(
            code,
            Place::file(&self.spec.path),
            format!("digest {}", self.expected),
            format!("digest {}", self.there),
        )
    }
}
