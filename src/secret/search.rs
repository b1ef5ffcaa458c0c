use std::ops::Range;

use aho_corasick::Input;
use aho_corasick::automaton::Automaton as _;
use aho_corasick::dfa::DFA;
use regex::bytes::Regex;

use crate::secret::excuse::{is_constant, is_excused_by_name, is_filler, is_guess, is_identifier};
use crate::secret::hit::Hit;
use crate::secret::rule::{Edge, Rule, is_word_start};
use crate::secret::rules::rules;
use crate::secret::sieve::Sieve;

/// So many bytes are sieved at once. Almost all of them hold no keyword, and are
/// looked at no more.
const BLOCK: usize = 512;

/// So much of what the window cut off is taken in at once.
const EXTENSION: usize = 4096;

/// The rules, compiled, for bytes as they stand there.
#[derive(Debug)]
pub(crate) struct Search {
    sieve: Sieve,
    keywords: DFA,
    /// The index of the rule that each keyword belongs to.
    owners: Vec<usize>,
    /// One pattern a rule, anchored.
    patterns: Vec<Regex>,
}

impl Search {
    /// Compiles the rules.
    ///
    /// # Panics
    ///
    /// When a rule holds a pattern that does not compile, which a test rules out.
    pub(crate) fn new() -> Self {
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

    /// Adds what looks like a credential in these bytes, with the rank of its
    /// rule, in no particular order.
    pub(crate) fn hits(&self, bytes: &[u8], hits: &mut Vec<(usize, Hit)>) {
        let mut ends = None;
        let mut from = 0;
        while let Some(span) = self.next_span(bytes, from) {
            from = span.end;
            let ends = ends.get_or_insert_with(|| vec![0; rules().len()]);
            self.look(bytes, span, ends, hits);
        }
    }

    /// Returns the next blocks on end in which keywords begin.
    fn next_span(&self, bytes: &[u8], from: usize) -> Option<Range<usize>> {
        let catches = |start: usize| {
            let end = start.saturating_add(BLOCK + self.sieve.overlap());
            self.sieve.catches(&bytes[start..end.min(bytes.len())])
        };
        let starts = || (from..bytes.len()).step_by(BLOCK);
        let start = starts().find(|start| catches(*start))?;
        let mut end = start + BLOCK;
        while end < bytes.len() && catches(end) {
            end += BLOCK;
        }
        Some(start..end.min(bytes.len()))
    }

    /// Looks at every keyword that begins in a span.
    fn look(
        &self,
        bytes: &[u8],
        span: Range<usize>,
        ends: &mut [usize],
        hits: &mut Vec<(usize, Hit)>,
    ) {
        let end = bytes.len().min(span.end + self.keywords.max_pattern_len());
        let input = Input::new(bytes).range(span.start..end);
        let keywords = self.keywords.try_find_overlapping_iter(input);
        for keyword in keywords.into_iter().flatten() {
            let index = self.owners[keyword.pattern().as_usize()];
            let rule = &rules()[index];
            // A prefix repeated inside a token is a part of that token. This
            // also keeps hostile repetitions from costing quadratic time.
            if keyword.start() < ends[index] || span.end <= keyword.start() {
                continue;
            }
            let Some(mut found) = self.find(index, bytes, keyword.range()) else {
                continue;
            };
            let mut behind = found.behind(rule);
            let mut is_hit = is_credential(rule, bytes, &keyword.range(), &found);
            let is_plausible = |found: &Found| rule.is_plausible(&bytes[found.random.clone()]);
            if !is_hit && found.is_cut && !is_plausible(&found) {
                // What the window cut off may look random, or the whole does not.
                found.extend(bytes);
                is_hit = is_credential(rule, bytes, &keyword.range(), &found);
                if !is_plausible(&found) {
                    behind = found.behind(rule);
                }
            }
            if is_hit {
                let hit = found.hit(rule, bytes);
                ends[index] = hit.end;
                hits.push((index, hit));
            } else {
                ends[index] = behind;
            }
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
    // A password may be a word; a key is none.
    let is_code = if rule.is_guess {
        is_constant
    } else {
        is_identifier
    };
    rule.is_plausible(random)
        && !(rule.asks() && is_filler(random))
        && !(rule.is_guess && is_guess(random))
        && !(rule.is_named && is_code(random))
        && !(rule.is_named && is_excused_by_name(bytes, keyword.start, keyword.end))
}

/// Whether a token that a window cut off may go on with this byte.
fn is_inside(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=_-.~%".contains(&byte)
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
    /// Takes in more of the token that the window cut off.
    fn extend(&mut self, bytes: &[u8]) {
        let end = self.token.end;
        let behind = bytes[end..].iter().take(EXTENSION);
        let n = behind.take_while(|byte| is_inside(**byte)).count();
        self.token.end = end + n;
        self.random.end = self.token.end;
        self.is_cut = n == EXTENSION;
    }

    /// Returns the whole token, with what the window cut off and, where the
    /// keyword stands in the middle, what stands before.
    fn hit(self, rule: &'static Rule, bytes: &[u8]) -> Hit {
        let Range { mut start, mut end } = self.token;
        if self.is_cut {
            let behind = bytes[end..].iter();
            end += behind.take_while(|byte| is_inside(**byte)).count();
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
