//! The released files of a submission, by content.

use crate::finding::{Code, Finding, Place};
use crate::secret::{Scanner, inspect};
use crate::submission::{Marked, Reading, SubmittedArtifact};
use crate::tree::{Progress, RelativePath, Tree, TreeFault, check_names, in_parallel};

/// The largest released file, in bytes.
const ARTIFACT_BYTES_MAX: u64 = 64 << 20;

/// Returns what is wrong with the files below the folder of the submission: each of
/// them is read, hashed and looked through for credentials, on all cores.
pub fn check_artifacts(
    reading: &Reading,
    artifacts: &[SubmittedArtifact],
    tree: &Tree,
    progress: Progress<'_>,
) -> Vec<Marked> {
    let found = in_parallel(artifacts, progress, |artifact| look(artifact, tree));
    let of_artifacts = found.into_iter().enumerate();
    let marked = of_artifacts.flat_map(|(at, found)| {
        found.into_iter().map(move |(key, finding)| {
            let pointer = format!("/artifacts/{at}/{key}");
            match finding.place.file {
                // It says where in the file.
                Some(_) => Marked {
                    span: reading.mark(&pointer, |_| finding.clone()).span,
                    finding,
                },
                None => reading.mark(&pointer, |place| Finding { place, ..finding }),
            }
        })
    });
    let mut marked: Vec<_> = marked.collect();
    marked.extend(names(reading, artifacts));
    marked
}

/// What is wrong with the names of the files.
fn names(reading: &Reading, artifacts: &[SubmittedArtifact]) -> Vec<Marked> {
    let paths = artifacts.iter().enumerate();
    // What is no path is told of elsewhere.
    let paths = paths.filter_map(|(at, artifact)| Some((at, artifact.path.parse().ok()?)));
    let paths: Vec<(usize, RelativePath)> = paths.collect();
    let findings = check_names(paths.iter().map(|(_, path)| path)).into_iter();
    let marked = findings.map(|finding| {
        let named = finding.place.file.clone().unwrap_or_default();
        let at = paths
            .iter()
            .find(|(_, path)| path.as_str().starts_with(&named));
        let pointer = at.map_or_else(String::new, |(at, _)| format!("/artifacts/{at}/path"));
        reading.mark(&pointer, |place| Finding { place, ..finding })
    });
    marked.collect()
}

/// What is wrong with one file, by the key of the document that it is about.
fn look(artifact: &SubmittedArtifact, tree: &Tree) -> Vec<(&'static str, Finding)> {
    let fault = |fault: &TreeFault| {
        let finding = fault.finding(Place::default());
        let remedy =
            "put the file into the folder of the submission under this name, or take the entry out";
        vec![("path", finding.with_remedy(remedy))]
    };
    let path: RelativePath = match artifact.path.parse() {
        Ok(path) => path,
        Err(error) => return fault(&TreeFault::Name(error)),
    };
    let read = match tree.read(&path, ARTIFACT_BYTES_MAX) {
        Ok(read) => read,
        Err(error) => return fault(&error),
    };
    let mut found = Vec::new();
    if *read.digest() != artifact.sha256 {
        let expected = "the digest of the file as it stands in the folder";
        let finding = Finding::new(
            Code::SubmissionArtifact,
            Place::default(),
            expected,
            "that of other bytes",
        );
        let remedy = format!("restore the file, or write {}", read.digest());
        found.push(("sha256", finding.with_remedy(remedy)));
    }
    let scanner = Scanner::shared();
    let inspection = inspect(read.bytes(), &|bytes| scanner.scan(bytes));
    let secrets = inspection.findings(&Place::file(path.as_str()));
    found.extend(secrets.into_iter().map(|finding| ("path", finding)));
    found
}
