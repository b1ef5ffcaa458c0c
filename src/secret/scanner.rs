use std::cmp::Reverse;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::Input;
use aho_corasick::automaton::Automaton as _;
use aho_corasick::dfa::DFA;
use regex::bytes::Regex;

use crate::finding::{Code, Finding, Place};
use crate::secret::excuse::{is_excused_by_name, is_filler, is_guess};
use crate::secret::hit::{Hit, redacted_excerpt};
use crate::secret::rule::{Edge, Rule, is_word_start};
use crate::secret::rules::rules;
use crate::secret::sieve::Sieve;

/// So many credentials in one word are hidden one by one; more hide all.
const REDACTIONS_MAX: usize = 8;

/// All rules, compiled. Takes a few milliseconds to make; make one and keep it.
#[derive(Debug)]
pub struct Scanner {
    sieve: Sieve,
    keywords: DFA,
    /// The index of the rule that each keyword belongs to.
    owners: Vec<usize>,
    /// One pattern a rule, anchored.
    patterns: Vec<Regex>,
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
    /// When the table of rules holds a pattern that does not compile, which a
    /// test rules out.
    pub fn new() -> Self {
        let owned = |(index, rule): (usize, &'static Rule)| {
            rule.keywords.iter().map(move |keyword| (index, keyword))
        };
        let (owners, words): (Vec<_>, Vec<_>) = rules().iter().enumerate().flat_map(owned).unzip();
        let keywords = DFA::builder()
            .ascii_case_insensitive(true)
            .build(&words)
            .expect("the keywords are few and short");
        let sieve = Sieve::of(&words).expect("the keywords begin with few letters");
        let compile = |rule: &Rule| rule.compiled().expect("the pattern of every rule compiles");
        Self {
            sieve,
            keywords,
            owners,
            patterns: rules().iter().map(compile).collect(),
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

    /// One credential of the kind of each rule, with the rule's name: made up, and
    /// put together at this moment.
    pub fn canaries() -> impl Iterator<Item = (&'static str, String)> {
        rules()
            .iter()
            .map(|rule| (rule.id.as_str(), rule.canary.assembled()))
    }

    /// Looks for every canary, so that silence about other bytes says something.
    ///
    /// # Errors
    ///
    /// The first rule that misses its own: nothing that this scanner says counts.
    pub fn prove(&self) -> Result<(), MissedCanary> {
        for (rule, canary) in Self::canaries() {
            let text = format!("({canary})");
            if self
                .scan(text.as_bytes())
                .iter()
                .all(|hit| hit.rule != rule)
            {
                return Err(MissedCanary { rule });
            }
        }
        Ok(())
    }

    /// Returns everything that looks like a credential, from front to back.
    /// Hits may overlap, but none lies within another.
    pub fn scan(&self, bytes: &[u8]) -> Vec<Hit> {
        let mut hits = Vec::new();
        if !self.sieve.catches(bytes) {
            return Vec::new();
        }
        let mut ends = vec![0; rules().len()];
        let keywords = self.keywords.try_find_overlapping_iter(Input::new(bytes));
        for keyword in keywords.into_iter().flatten() {
            let index = self.owners[keyword.pattern().as_usize()];
            let rule = &rules()[index];
            // A prefix repeated inside a token is a part of that token. This
            // also keeps hostile repetitions from costing quadratic time.
            if keyword.start() < ends[index] {
                continue;
            }
            let Some(found) = self.find(index, bytes, keyword.range()) else {
                continue;
            };
            if is_credential(rule, bytes, &keyword.range(), &found) {
                let hit = found.hit(rule, bytes);
                ends[index] = hit.end;
                hits.push((index, hit));
            } else {
                ends[index] = found.behind(rule);
            }
        }
        hits.sort_by_key(|(index, hit)| (hit.start, Reverse(hit.end), *index));
        let mut end = 0;
        hits.retain(|(_, hit)| {
            let is_within = hit.end <= end;
            end = end.max(hit.end);
            !is_within
        });
        hits.into_iter().map(|(_, hit)| hit).collect()
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
            let confirmed = if hit.is_confirmed {
                ", check digits right"
            } else {
                ""
            };
            let excerpt = redacted_excerpt(bytes, hit);
            let found = format!("{}: {excerpt}{confirmed}", hit.rule);
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

    /// Matches the pattern of the rule at that keyword.
    fn find(&self, index: usize, bytes: &[u8], keyword: Range<usize>) -> Option<Found> {
        let rule = &rules()[index];
        let start = keyword.start.checked_sub(rule.lead)?;
        if rule.edge == Edge::Word && !is_word_start(bytes, start) {
            return None;
        }
        let end = bytes.len().min(start.saturating_add(rule.window()));
        let window = &bytes[start..end];
        let captures = self.patterns[index].captures(window)?;
        let token = rule.token(&captures)?;
        let token = start + token.start..start + token.end;
        // What is the same in every token says nothing about this one.
        let random = match captures.name("rest") {
            Some(rest) => start + rest.start(),
            None if !rule.is_context() && rule.lead == 0 => keyword.end,
            None => token.start,
        };
        Some(Found {
            random: random..token.end,
            is_cut: token.end == end,
            token,
        })
    }
}

/// Whether what a pattern matched is a credential.
fn is_credential(rule: &Rule, bytes: &[u8], keyword: &Range<usize>, found: &Found) -> bool {
    let random = &bytes[found.random.clone()];
    rule.is_plausible(random)
        && !(rule.asks() && is_filler(random))
        && !(rule.is_guess && is_guess(random))
        && !(rule.is_named && is_excused_by_name(bytes, keyword.start, keyword.end))
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

/// What a pattern matched, within its window.
struct Found {
    token: Range<usize>,
    /// The part of the token that differs from token to token.
    random: Range<usize>,
    /// Whether the token may go on behind the window.
    is_cut: bool,
}

impl Found {
    /// Returns the whole token, with what the window cut off and, where the
    /// keyword stands in the middle, what stands before.
    fn hit(self, rule: &'static Rule, bytes: &[u8]) -> Hit {
        let Range { mut start, mut end } = self.token;
        if self.is_cut {
            let is_inside = |b: &&u8| b.is_ascii_alphanumeric() || b"+/=_-.~%".contains(b);
            end += bytes[end..].iter().take_while(is_inside).count();
        }
        if 0 < rule.lead {
            let before = bytes[..start].iter().rev();
            start -= before.take_while(|b| b.is_ascii_alphanumeric()).count();
        }
        let random = bytes.get(self.random.clone()).unwrap_or_default();
        Hit {
            rule: &rule.id,
            start,
            end,
            shown: self.random.start.saturating_sub(start),
            is_confirmed: rule.check.is_some_and(|check| check.confirm(random)),
        }
    }

    /// Returns where to go on after a match that did not look random. No part
    /// of it does, but what the window cut off may.
    fn behind(&self, rule: &Rule) -> usize {
        if self.is_cut {
            self.token.end - rule.window().min(self.token.len()) / 2
        } else {
            self.token.end
        }
    }
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
