use std::cmp::Reverse;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use crate::finding::{Code, Finding, Place};
use crate::secret::container::inspect;
use crate::secret::decoding::{View, views};
use crate::secret::hit::{Hit, redacted_excerpt};
use crate::secret::rules::{FILE, rules};
use crate::secret::search::Search;

/// So many credentials in one word are hidden one by one; more hide all.
const REDACTIONS_MAX: usize = 8;

/// So many spellings around one another are undone.
const DEPTH_MAX: usize = 4;

/// So many times the size of a text may come out of the spellings in it, and so much
/// in any case. Texts that people and programs write stay below twice their size.
const DECODED_RATIO_MAX: usize = 8;
const DECODED_FREE: usize = 1 << 20;

/// All rules, compiled. Takes a few milliseconds to make; make one and keep it.
#[derive(Debug)]
pub struct Scanner {
    search: Search,
}

impl Default for Scanner {
    fn default() -> Self {
        Self::new()
    }
}

impl Scanner {
    /// Compiles the rules.
    ///
    /// # Panics
    ///
    /// When the file of rules cannot be read, which a test rules out.
    pub fn new() -> Self {
        Self {
            search: Search::new(),
        }
    }

    /// The one scanner of this process.
    pub fn shared() -> &'static Self {
        static SHARED: LazyLock<Scanner> = LazyLock::new(Scanner::new);
        &SHARED
    }

    /// The names of all rules.
    pub fn rules() -> impl Iterator<Item = &'static str> {
        rules().iter().map(|rule| rule.id.as_str())
    }

    /// Returns whether the rule of this name knows a credential by its shape
    /// alone, or nothing where there is no such rule.
    pub fn is_strong(name: &str) -> Option<bool> {
        let rule = rules().iter().find(|rule| rule.id == name)?;
        Some(!rule.is_context())
    }

    /// The file of all rules, whose digest says which rules were asked.
    pub const fn rules_file() -> &'static str {
        FILE
    }

    /// The literals that the rules begin with, which one pass looks for.
    pub fn keywords() -> impl Iterator<Item = &'static str> {
        let keywords = rules().iter().flat_map(|rule| &rule.keywords);
        keywords.map(String::as_str)
    }

    /// One credential of the kind of each rule, with the rule's name: made up, and
    /// put together at this moment.
    pub fn canaries() -> impl Iterator<Item = (&'static str, String)> {
        rules()
            .iter()
            .map(|rule| (rule.id.as_str(), rule.canary.assembled()))
    }

    /// Whether the shared scanner finds every canary, as [`prove`](Self::prove) looks
    /// for them: once in a process, because its rules are the same from then on.
    ///
    /// # Errors
    ///
    /// As [`prove`](Self::prove).
    pub fn proved() -> Result<(), MissedCanary> {
        static PROVED: OnceLock<Result<(), MissedCanary>> = OnceLock::new();
        *PROVED.get_or_init(|| Self::shared().prove())
    }

    /// Looks for every canary, so that silence about other bytes says something.
    ///
    /// # Errors
    ///
    /// The first rule that misses its own: nothing that this scanner says counts.
    pub fn prove(&self) -> Result<(), MissedCanary> {
        for (rule, canary) in Self::canaries() {
            let hex = canary
                .bytes()
                .map(|byte| format!("{byte:02x}"))
                .collect::<Vec<_>>()
                .concat();
            for text in [format!("({canary})"), hex] {
                let seen = inspect(text.as_bytes(), &|bytes| self.scan(bytes)).sightings;
                if seen.iter().all(|sighting| sighting.hit.rule != rule) {
                    return Err(MissedCanary { rule });
                }
            }
        }
        Ok(())
    }

    /// Returns everything that looks like a credential, however it is spelled,
    /// from front to back. Hits may overlap, but none lies within another. Of a
    /// credential in another spelling the hit is that spelling.
    ///
    /// Where so much is spelled in so many ways that not all of it is looked at, the
    /// last hit [is one of no credential](Hit::is_unscanned): from the first byte
    /// behind which something was left to the last one.
    pub fn scan(&self, bytes: &[u8]) -> Vec<Hit> {
        let mut hits = Vec::new();
        self.search.hits(bytes, &mut hits);
        let by_ratio = bytes.len().saturating_mul(DECODED_RATIO_MAX);
        let mut left = by_ratio.saturating_add(DECODED_FREE);
        self.look_behind(bytes, 0, &mut left, &mut hits);
        let (unscanned, hits): (Vec<_>, Vec<_>) =
            hits.into_iter().partition(|(_, hit)| hit.is_unscanned());
        let mut hits = in_order(hits);
        let places = unscanned.iter().map(|(_, hit)| (hit.start, hit.end));
        let place = places.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        hits.extend(place.map(|(start, end)| Hit::unscanned(start..end)));
        hits
    }

    /// The same for bytes as they stand there: nothing is decoded.
    pub fn scan_plain(&self, bytes: &[u8]) -> Vec<Hit> {
        let mut hits = Vec::new();
        self.search.hits(bytes, &mut hits);
        in_order(hits)
    }

    /// Adds what other spellings in these bytes hide. So many decoded bytes are left
    /// to be looked at.
    fn look_behind(
        &self,
        bytes: &[u8],
        depth: usize,
        left: &mut usize,
        hits: &mut Vec<(usize, Hit)>,
    ) {
        if depth == DEPTH_MAX {
            return;
        }
        views(bytes, &mut |view: View| {
            let mut hidden = Vec::new();
            let length = view.bytes().len();
            if let Some(less) = left.checked_sub(length) {
                *left = less;
                self.search.hits(view.bytes(), &mut hidden);
                self.look_behind(view.bytes(), depth + 1, left, &mut hidden);
            } else {
                // Nothing smaller is looked at either: what is left is left.
                *left = 0;
                hidden.push((0, Hit::unscanned(0..length)));
            }
            hits.extend(hidden.into_iter().map(|(rank, hit)| {
                let Range { start, end } = view.place(hit.start..hit.end);
                let hit = Hit {
                    start,
                    end,
                    shown: 0,
                    ..hit
                };
                (rank, hit)
            }));
        });
    }

    /// Returns the hits in these bytes as what is wrong with that place. Lines
    /// are counted from the line of the place, if it has one.
    pub fn findings(&self, place: &Place, bytes: &[u8]) -> Vec<Finding> {
        Self::findings_of(&self.scan(bytes), place, bytes)
    }

    /// Returns these hits of a [`scan`](Self::scan) of these bytes as findings.
    pub fn findings_of(hits: &[Hit], place: &Place, bytes: &[u8]) -> Vec<Finding> {
        let mut line = place.line.unwrap_or(1);
        let mut line_start = 0;
        let mut counted = 0;
        let mut finding = |hit: &Hit| {
            if hit.is_unscanned() {
                let expected = "text in few spellings";
                return Finding::new(
                    Code::Unscannable,
                    place.clone(),
                    expected,
                    Hit::UNSCANNED_WHAT,
                );
            }
            // Hits are sorted, so every byte is counted once.
            for (at, byte) in bytes.iter().enumerate().take(hit.start).skip(counted) {
                if *byte == b'\n' {
                    line += 1;
                    line_start = at + 1;
                }
            }
            counted = hit.start;
            let column = (hit.start - line_start + 1) as u64;
            let place = place.clone().line(line).column(column);
            let found = hit.described(&redacted_excerpt(bytes, hit));
            Finding::new(Code::SecretLike, place, "no credential", found)
        };
        hits.iter().map(&mut finding).collect()
    }

    /// Returns the text with every credential in it replaced by what may be
    /// shown. What this returns scans clean.
    pub fn redacted(&self, text: &str) -> String {
        let mut shown = text.to_owned();
        // What stood right behind a credential was a part of its word; only now
        // that it stands alone can it be known for another one.
        for _ in 0..REDACTIONS_MAX {
            let hits = self.scan(shown.as_bytes());
            if hits.is_empty() {
                return shown;
            }
            if hits.iter().any(Hit::is_unscanned) {
                break;
            }
            shown = Self::without(&shown, &hits);
        }
        format!("… ({} bytes)", text.len())
    }

    /// The text with what may be shown of these hits in their places.
    fn without(text: &str, hits: &[Hit]) -> String {
        let mut shown = Vec::new();
        let mut end = 0;
        for hit in hits {
            // Hits may overlap; what is hidden already stays hidden.
            if end <= hit.start {
                shown.extend_from_slice(&text.as_bytes()[end..hit.start]);
                shown.extend(redacted_excerpt(text.as_bytes(), hit).into_bytes());
            }
            end = hit.end;
        }
        shown.extend_from_slice(&text.as_bytes()[end..]);
        String::from_utf8_lossy(&shown).into_owned()
    }

    /// Returns the finding with every credential in its texts, names of files
    /// too, replaced by what may be shown.
    #[must_use]
    pub fn redacted_finding(&self, finding: Finding) -> Finding {
        let place = Place {
            file: finding.place.file.map(|file| self.redacted(&file)),
            ..finding.place
        };
        Finding {
            place,
            expected: self.redacted(&finding.expected),
            found: self.redacted(&finding.found),
            remedy: self.redacted(&finding.remedy),
            ..finding
        }
    }
}

/// The hits from front to back, without those that lie within another. Where two
/// are of the same bytes, the rule of the lower rank is heard.
fn in_order(mut hits: Vec<(usize, Hit)>) -> Vec<Hit> {
    hits.sort_by_key(|(index, hit)| (hit.start, Reverse(hit.end), *index, Reverse(hit.shown)));
    let mut end = 0;
    hits.retain(|(_, hit)| {
        let is_within = hit.end <= end;
        end = end.max(hit.end);
        !is_within
    });
    hits.into_iter().map(|(_, hit)| hit).collect()
}

/// A rule that does not find what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the rule {rule} misses the credential that it is tried on, so that no scan counts; this is a fault of the program"
)]
pub struct MissedCanary {
    /// Its name.
    pub rule: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A token of the kind that the rule "groq" is for, made here so that the
    /// repository holds none.
    fn token(n: usize) -> String {
        format!("{}{}", "gsk_", "aB3dE5gH7k".repeat(n))
    }

    #[test]
    fn findings_name_rule_place_and_length_and_nothing_of_the_token() {
        let text = format!("first\n\u{e9} {}) and\n{}", token(4), token(5));
        let findings = Scanner::new().findings(&Place::file("f"), text.as_bytes());
        let shown: Vec<_> = findings
            .iter()
            .map(|f| (f.place.to_string(), f.found.as_str()))
            .collect();
        assert_eq!(
            shown,
            [
                ("f:2:4".to_owned(), "groq: gsk_… (44 bytes)"),
                ("f:3:1".to_owned(), "groq: gsk_… (54 bytes)"),
            ]
        );
        for finding in &findings {
            assert_eq!(finding.code, Code::SecretLike);
            assert!(!finding.to_string().contains("aB3"));
        }
    }

    #[test]
    fn lines_are_counted_from_the_line_of_the_place() {
        let place = Place::file("f").line(7);
        let findings = Scanner::new().findings(&place, format!("x\n{}", token(4)).as_bytes());
        assert_eq!(findings[0].place.to_string(), "f:8:1");
    }

    #[test]
    fn a_token_longer_than_the_window_is_covered_to_its_end() {
        let text = format!("({})", token(500));
        let hits = Scanner::new().scan(text.as_bytes());
        assert_eq!(hits.len(), 1);
        assert_eq!((hits[0].start, hits[0].end), (1, text.len() - 1));
    }

    #[test]
    fn filler_does_not_hide_the_token_behind_it() {
        for n in [10, 500, 1000, 1015, 1020, 3000] {
            let token = format!("{}{}", "sk-or-", "aB3dE5gH7k".repeat(6));
            let text = format!("{}{}{token}", "sk-or-", "x".repeat(n));
            let hits = Scanner::new().scan(text.as_bytes());
            assert_eq!(hits.last().map(|hit| hit.end), Some(text.len()), "{n}");
        }
    }

    #[test]
    fn hits_are_sorted_and_none_lies_within_another() {
        let text = format!(
            "Authorization: Bearer {} https://me:{}@host",
            token(4),
            token(4)
        );
        let hits = Scanner::new().scan(text.as_bytes());
        let rules: Vec<_> = hits.iter().map(|hit| hit.rule).collect();
        assert_eq!(rules, ["groq", "groq"]);
        assert!(hits[0].end < hits[1].start);
    }

    #[test]
    fn a_redacted_finding_shows_no_credential_and_keeps_the_rest() {
        let scanner = Scanner::new();
        let text = format!("é {} and {}!", token(4), token(5));
        let shown = "é gsk_… (44 bytes) and gsk_… (54 bytes)!";
        assert_eq!(scanner.redacted(&text), shown);
        assert_eq!(scanner.redacted("nothing\n of it"), "nothing\n of it");
        let place = Place::file(text.clone()).line(3);
        let finding = Finding::new(Code::UnexpectedFile, place, text.clone(), text.clone());
        let finding = scanner.redacted_finding(finding.with_remedy(text));
        assert!(!finding.to_string().contains("aB3"), "{finding}");
        assert_eq!(finding.place, Place::file(shown).line(3));
        assert_eq!(finding.remedy, shown);
    }

    #[test]
    fn an_excerpt_of_a_context_rule_shows_the_length_only() {
        let text = format!("Authorization: Bearer {}", "x7Kq-2Lm9");
        let hits = Scanner::new().scan(text.as_bytes());
        assert_eq!(hits[0].rule, "authorization");
        assert_eq!(redacted_excerpt(text.as_bytes(), &hits[0]), "… (9 bytes)");
        assert_eq!(redacted_excerpt(b"another text", &hits[0]), "… (9 bytes)");
    }
}
