//! Where the project is a work tree of git, every file of the release is tracked
//! and as git sees it: what is not would be in no clone.

use crate::audit::Subject;
use crate::finding::{Code, Finding, Place};
use crate::release::AUDITS_FOLDER;
use crate::tree::{RelativePath, Unnoticed};

/// Looks at the files that stand in the release. An audit writes its own
/// manifests at this moment, so they may be untracked.
pub(crate) fn check<'a>(
    subject: &Subject<'_>,
    files: impl Iterator<Item = &'a RelativePath>,
) -> Vec<Finding> {
    let Some(tracked) = &subject.tracked else {
        return Vec::new();
    };
    let of_audits = |file: &&RelativePath| !file.as_str().starts_with(AUDITS_FOLDER);
    let mut findings = Vec::new();
    for file in files.filter(of_audits) {
        let place = Place::file(file.as_str());
        let finding = match tracked.standing(file.as_str()) {
            Some(Unnoticed::Nothing | Unnoticed::Same) => continue,
            Some(Unnoticed::Differs) => Finding::new(
                Code::FileUnnoticed,
                place,
                "what git tracks",
                "other bytes, at which git is told not to look",
            ),
            None => Finding::new(
                Code::FileUntracked,
                place,
                "a file that git tracks",
                "one that it does not",
            ),
        };
        findings.push(finding);
    }
    findings
}
