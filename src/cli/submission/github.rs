//! Annotations as GitHub Actions reads them from standard output.

use crate::finding::Severity;
use crate::submission::{Marked, Page};

/// Returns the command that annotates the place of a finding.
pub(crate) fn annotation(page: &Page, marked: &Marked) -> String {
    let finding = &marked.finding;
    let level = match finding.severity() {
        Severity::Note => "notice",
        Severity::Warning => "warning",
        Severity::Blocker => "error",
    };
    let place = &finding.place;
    let mut properties = Vec::new();
    if let Some(file) = &place.file {
        properties.push(format!("file={}", property(file)));
    }
    for (name, number) in [("line", place.line), ("col", place.column)] {
        properties.extend(number.map(|number| format!("{name}={number}")));
    }
    if let Some(end) = end_column(page, marked) {
        properties.push(format!("endColumn={end}"));
    }
    properties.push(format!("title={}", property(finding.code.as_str())));
    let message = format!(
        "expected {}; found {}; {}",
        finding.expected, finding.found, finding.remedy
    );
    format!("::{level} {}::{}", properties.join(","), data(&message))
}

/// The column behind the offending text, where it ends in the line it begins in and
/// the finding is about the document itself.
fn end_column(page: &Page, marked: &Marked) -> Option<u64> {
    let span = marked.span.as_ref()?;
    let [begin, end] = [span.start, span.end].map(|at| page.place(at));
    (begin == marked.finding.place && end.line == begin.line).then_some(end.column?)
}

fn data(text: &str) -> String {
    let text = text.replace('%', "%25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
