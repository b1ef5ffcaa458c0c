//! Submissions: everything that is wrong has its place in the text, and what is a
//! submission contradicts nothing but itself.

use scoresheet::submission::{Marked, Reading, contradictions};

use super::message;

pub(crate) fn check(bytes: &[u8]) {
    let reading = Reading::of("f", bytes).unwrap();
    for one in &reading.marked {
        is_marked(&reading, bytes, one);
    }
    let is_clean = reading.marked.iter().all(|one| !one.finding.is_blocker());
    assert_eq!(reading.submission.is_some(), is_clean);
    let Some(submission) = &reading.submission else {
        return;
    };
    // Another reader reads the same.
    let again = serde_json::from_slice(bytes).unwrap();
    assert_eq!(*submission, again);
    for one in contradictions(&reading, submission) {
        is_marked(&reading, bytes, &one);
    }
}

fn is_marked(reading: &Reading, bytes: &[u8], one: &Marked) {
    let Marked { finding, span } = one;
    for text in [&finding.expected, &finding.found, &finding.remedy] {
        message::is_sayable(text);
    }
    let Some(span) = span else { return };
    assert!(span.start <= span.end && span.end <= reading.page.text().len());
    assert!(reading.page.text().get(span.clone()).is_some(), "{span:?}");
    assert_eq!(finding.place, reading.page.place(span.start));
    let line = usize::try_from(finding.place.line.unwrap()).unwrap();
    message::is_on_a_line_of(bytes, line, &finding.expected);
}
