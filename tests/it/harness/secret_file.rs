//! A file and what stands inside it: everything is looked at or is an obstacle,
//! within limits, and the same each time.

use scoresheet::finding::Place;
use scoresheet::secret::{Scanner, inspect};

pub(crate) fn check(bytes: &[u8]) {
    let scan = |bytes: &[u8]| Scanner::shared().scan(bytes);
    let inspection = inspect(bytes, &scan);
    assert_eq!(inspect(bytes, &scan), inspection);
    let outside = |member: &[String]| member.is_empty();
    let seen = inspection.sightings.iter();
    let own: Vec<_> = seen
        .filter(|sighting| outside(&sighting.member))
        .map(|sighting| sighting.hit)
        .collect();
    assert_eq!(own, scan(bytes));
    for sighting in &inspection.sightings {
        assert!(sighting.hit.start < sighting.hit.end);
        assert!(0 < sighting.line && 0 < sighting.column);
        assert!(sighting.member.len() <= 8);
    }
    // What is no text and no container is never passed over in silence.
    let is_short = bytes.len() < 22;
    let begins = |magic: &&[u8]| bytes.starts_with(magic);
    let magics: [&[u8]; 3] = [b"\x1f\x8b", b"\xff\xfe", b"\xfe\xff"];
    let is_packed = magics.iter().any(begins);
    if is_short && !is_packed && bytes.contains(&0) {
        assert!(!inspection.obstacles.is_empty());
    }
    let findings = inspection.findings(&Place::file("a file"));
    let n = inspection.sightings.len() + inspection.obstacles.len();
    assert_eq!(findings.len(), n);
    assert_eq!(inspection.is_clean(), n == 0);
}
