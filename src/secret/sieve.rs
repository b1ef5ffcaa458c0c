use std::collections::BTreeMap;
use std::iter::zip;

use aho_corasick::Anchored;
use aho_corasick::automaton::Automaton;
use aho_corasick::dfa::DFA;

/// Says whether a text holds any of some words, in capital letters or small
/// ones, and not which: almost no text holds one, and no more is asked of it.
#[derive(Debug)]
pub(crate) struct Sieve {
    /// What each byte counts as. Those that stand in no word are all the same.
    classes: Box<[u16; 256]>,
    /// By state and class, the next state. A state is the place of its row.
    next: Box<[u16; 1 << 16]>,
    /// How many bytes two parts of a text share, so that no word falls between.
    overlap: usize,
}

/// So many letters of a word are looked for.
const BEGINNING: usize = 8;
/// The length of a row, so that no more classes there can be.
const ROW: u16 = 64;
/// The state behind a word: its row leads nowhere else.
const FOUND: u16 = 0;
/// The state at the beginning.
const START: u16 = ROW;

impl Sieve {
    /// Takes how the words begin, which is enough to tell that there is none.
    /// Returns nothing where even so they are too many.
    pub(crate) fn of(words: &[impl AsRef<str>]) -> Option<Self> {
        let beginning = |word: &str| word.chars().take(BEGINNING).collect::<String>();
        let words: Vec<_> = words.iter().map(|word| beginning(word.as_ref())).collect();
        let mut builder = DFA::builder();
        let automaton = builder.ascii_case_insensitive(true).build(&words).ok()?;
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        Self::new(&automaton, &words)
    }

    /// Takes the words from an automaton that knows them in capital letters and
    /// small ones. Returns nothing where they are too many.
    fn new(automaton: &impl Automaton, words: &[&str]) -> Option<Self> {
        let mut classes = Box::new([0; 256]);
        // One byte of each class.
        let mut bytes = vec![0];
        for byte in words.iter().flat_map(|word| word.bytes()) {
            let class = u16::try_from(bytes.len())
                .ok()
                .filter(|class| *class < ROW)?;
            if classes[usize::from(byte)] == 0 {
                classes[usize::from(byte.to_ascii_lowercase())] = class;
                classes[usize::from(byte.to_ascii_uppercase())] = class;
                bytes.push(byte);
            }
        }
        let start = automaton.start_state(Anchored::No).ok()?;
        let next = vec![0; 1 << 16].into_boxed_slice();
        let mut next: Box<[u16; 1 << 16]> = next.try_into().ok()?;
        let mut rows = BTreeMap::from([(start, START)]);
        let mut states = vec![start];
        let mut done = 0;
        while let Some(state) = states.get(done).copied() {
            for (class, byte) in zip(0.., &bytes) {
                let behind = automaton.next_state(Anchored::No, state, *byte);
                let row = if automaton.is_match(behind) {
                    FOUND
                } else if let Some(row) = rows.get(&behind) {
                    *row
                } else {
                    states.push(behind);
                    let row = u16::try_from(states.len()).ok()?.checked_mul(ROW)?;
                    rows.insert(behind, row);
                    row
                };
                next[usize::from(rows[&state] | class)] = row;
            }
            done += 1;
        }
        Some(Self {
            classes,
            next,
            overlap: automaton.max_pattern_len().saturating_sub(1),
        })
    }

    /// How many bytes of a word are looked at, less one.
    pub(crate) const fn overlap(&self) -> usize {
        self.overlap
    }

    /// Whether there is any word. Each step waits for the one before, so four
    /// parts of the text take their steps side by side.
    pub(crate) fn catches(&self, text: &[u8]) -> bool {
        const PARTS: usize = 4;
        let length = (text.len() + (PARTS - 1) * self.overlap).div_ceil(PARTS);
        let length = length.min(text.len());
        let parts: [&[u8]; PARTS] = std::array::from_fn(|part| {
            let start = part * length.saturating_sub(self.overlap);
            let start = start.min(text.len() - length);
            &text[start..start + length]
        });
        let mut states = [START; PARTS];
        for at in 0..length {
            for (state, part) in states.iter_mut().zip(&parts) {
                let class = self.classes[usize::from(part[at])];
                *state = self.next[usize::from(*state | class)];
            }
        }
        states.contains(&FOUND)
    }
}

#[cfg(test)]
mod tests {
    use aho_corasick::Input;

    use super::*;
    use crate::secret::rules::rules;

    fn automaton(words: &[&str]) -> DFA {
        let mut builder = DFA::builder();
        builder.ascii_case_insensitive(true).build(words).unwrap()
    }

    fn keywords() -> Vec<&'static str> {
        let keywords = rules().iter().flat_map(|rule| &rule.keywords);
        let keywords = keywords.filter(|word| word.len() <= BEGINNING);
        keywords.map(String::as_str).collect()
    }

    #[test]
    fn a_word_is_caught_wherever_it_stands_and_however_long_the_text_is() {
        let words = keywords();
        let sieve = Sieve::new(&automaton(&words), &words).unwrap();
        for length in (0..70).chain([500, 501, 502, 503]) {
            let plain = vec![b'.'; length];
            assert!(!sieve.catches(&plain), "{length}");
            for word in ["AKIA", "sk-", "password"] {
                for at in 0..(length + 1).saturating_sub(word.len()) {
                    let mut text = plain.clone();
                    text[at..at + word.len()].copy_from_slice(word.as_bytes());
                    assert!(sieve.catches(&text), "{word} at {at} of {length}");
                }
            }
        }
    }

    #[test]
    fn what_is_caught_is_what_the_automaton_finds() {
        let words = keywords();
        let automaton = automaton(&words);
        let sieve = Sieve::new(&automaton, &words).unwrap();
        for word in &words {
            assert!(sieve.catches(word.to_ascii_uppercase().as_bytes()));
            let around = format!("s{word}-");
            for at in 0..around.len() {
                for byte in [b'.', b'S', b'k', b'_', 0xe9] {
                    let mut text = around.clone().into_bytes();
                    text[at] = byte;
                    let found = automaton.try_find(&Input::new(&text)).unwrap();
                    assert_eq!(sieve.catches(&text), found.is_some(), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn too_many_words_or_letters_make_no_sieve() {
        let fits = |words: &[String]| {
            let words: Vec<_> = words.iter().map(String::as_str).collect();
            Sieve::new(&automaton(&words), &words).is_some()
        };
        let long = |count: usize| -> Vec<_> {
            let words = 0..count;
            words.map(|word| format!("{word:02}{:x<30}", "")).collect()
        };
        assert!(fits(&long(20)));
        assert!(!fits(&long(40)));
        let letters: String = (b'!'..=b'~').map(char::from).collect();
        assert!(fits(&[letters[..60].to_owned()]));
        assert!(!fits(&[letters]));
    }
}
