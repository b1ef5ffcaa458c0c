use serde::Serialize;
use serde_json::{Value, json};

use crate::canonical::Count;
use crate::cli::sarif::{log, uri};
use crate::finding::{Code, Finding};
use crate::submission::{Marked, Page};

/// What `scoresheet submission check` found, for programs.
#[derive(Serialize)]
pub(crate) struct Report<'a> {
    /// What is wrong, in the order of the document.
    findings: Vec<&'a Finding>,
    /// Whether nothing blocks.
    is_clean: bool,
    /// The name of the submission, where it can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    submission_id: Option<String>,
    /// The version of this form: 1.
    v: Count,
}

impl<'a> Report<'a> {
    pub(crate) fn of(marked: &'a [Marked], submission_id: Option<String>) -> Self {
        Self {
            findings: marked.iter().map(|one| &one.finding).collect(),
            is_clean: !marked.iter().any(|one| one.finding.is_blocker()),
            submission_id,
            v: 1_u32.into(),
        }
    }
}

/// Returns the findings as a SARIF log. Its columns count characters from 1, as
/// that format has them unless it says otherwise.
pub(crate) fn sarif(page: &Page, marked: &[Marked]) -> Value {
    let results: Vec<_> = marked.iter().map(|one| result(page, one)).collect();
    log(&results, Code::ALL.iter().map(|code| code.as_str()))
}

fn result(page: &Page, marked: &Marked) -> Value {
    let finding = &marked.finding;
    let file = finding.place.file.as_deref().unwrap_or_default();
    let mut location = json!({"artifactLocation": {"uri": uri(file)}});
    if let Some(line) = finding.place.line {
        location["region"] = json!({"startLine": line});
        let span = marked.span.as_ref();
        if let Some(span) = span.filter(|span| page.place(span.start) == finding.place) {
            let line = page.line(span.start);
            let count = |until: usize| page.text()[line.start..until].encode_utf16().count() + 1;
            location["region"]["startColumn"] = count(span.start).into();
            if span.end <= line.end {
                location["region"]["endColumn"] = count(span.end).into();
            }
        }
    }
    json!({
        "level": "error",
        "locations": [{"physicalLocation": location}],
        "message": {"text": format!(
            "expected {}; found {}; {}", finding.expected, finding.found, finding.remedy
        )},
        "ruleId": finding.code.as_str(),
    })
}
