//! The scanner: hits lie in the text, in order, and what is redacted is gone.

use scoresheet::finding::Place;
use scoresheet::secret::Scanner;

use super::unveiled;

pub(crate) fn check(bytes: &[u8]) {
    let bytes = &unveiled(bytes)[..];
    let scanner = Scanner::shared();
    let hits = scanner.scan(bytes);
    for hit in &hits {
        assert!(hit.start < hit.end && hit.end <= bytes.len());
        assert!(Scanner::rules().any(|rule| rule == hit.rule));
    }
    for pair in hits.windows(2) {
        assert!(pair[0].start <= pair[1].start && pair[0].end < pair[1].end);
    }
    let findings = scanner.findings(&Place::file("a file"), bytes);
    assert_eq!(findings.len(), hits.len());
    let (mut line, mut at) = (1, 0);
    for (finding, hit) in findings.iter().zip(&hits) {
        line += bytes[at..hit.start].split(|byte| *byte == b'\n').count() - 1;
        at = hit.start;
        assert_eq!(finding.place.line, u64::try_from(line).ok());
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let redacted = scanner.redacted(text);
    if hits.is_empty() {
        assert_eq!(redacted, text);
    }
    let left = scanner.scan(redacted.as_bytes());
    let left: Vec<_> = left.iter().map(|hit| hit.rule).collect();
    assert_eq!(left, [""; 0], "{redacted:?}");
}
