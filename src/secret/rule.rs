use std::ops::Range;

use regex::bytes::{Captures, Regex};
use serde::Deserialize;

use crate::secret::canary::Canary;
use crate::secret::check_digits::CheckDigits;

/// One kind of credential, as data: a table of `rules.toml`, which says what
/// each of these means.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are questions that a table of the file answers"
)]
pub(crate) struct Rule {
    pub(crate) id: String,
    pub(crate) keywords: Vec<String>,
    pub(crate) pattern: String,
    #[serde(default)]
    pub(crate) lead: usize,
    #[serde(default)]
    pub(crate) edge: Edge,
    #[serde(default = "window")]
    window: usize,
    #[serde(default = "distinct")]
    n_distinct: usize,
    #[serde(default)]
    needs: Option<char>,
    #[serde(default = "digits")]
    n_digits: usize,
    #[serde(default)]
    n_letters: usize,
    #[serde(default)]
    is_mixed: bool,
    #[serde(default = "yes")]
    is_hex: bool,
    #[serde(default)]
    pub(crate) is_named: bool,
    #[serde(default)]
    pub(crate) is_guess: bool,
    #[serde(default)]
    pub(crate) check: Option<CheckDigits>,
    pub(crate) canary: Canary,
}

/// What may stand before a credential.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Edge {
    /// Anything: the prefix is no part of any word.
    #[default]
    Free,
    /// Anything but a letter or digit that is text.
    Word,
}

/// Windows are short because hostile text can make every byte begin one.
const fn window() -> usize {
    1024
}

/// Filler in documentation (`xxxx`, `****`) has few different bytes.
const fn distinct() -> usize {
    8
}

const fn digits() -> usize {
    1
}

const fn yes() -> bool {
    true
}

impl Rule {
    /// Whether the credential is known by what stands around it.
    pub(crate) fn is_context(&self) -> bool {
        self.pattern.contains("(?P<value>")
    }

    /// How many bytes the pattern may look at.
    pub(crate) fn window(&self) -> usize {
        match self.window {
            0 => usize::MAX,
            window => window,
        }
    }

    /// Whether it is asked at all how random the credential looks.
    pub(crate) fn asks(&self) -> bool {
        0 < self.n_distinct
    }

    /// The pattern, compiled, which matches at the beginning of a text only.
    pub(crate) fn compiled(&self) -> Result<Regex, regex::Error> {
        regex::bytes::RegexBuilder::new(&format!(r"\A(?:{})", self.pattern))
            .unicode(false)
            .build()
    }

    /// Where the credential stands in a match.
    pub(crate) fn token(&self, captures: &Captures<'_>) -> Option<Range<usize>> {
        let whole = if self.is_context() {
            captures.name("value")
        } else {
            captures.get(0)
        };
        Some(whole?.range())
    }

    /// Whether these bytes, without prefix, look random enough. If they do not,
    /// no part of them does: the scanner relies on that to go on behind them.
    pub(crate) fn is_plausible(&self, value: &[u8]) -> bool {
        let mut seen = [false; 256];
        for byte in value {
            seen[usize::from(*byte)] = true;
        }
        let n_distinct = seen.iter().filter(|seen| **seen).count();
        let count = |class: fn(&u8) -> bool| value.iter().filter(|b| class(b)).count();
        let n_digits = count(u8::is_ascii_digit);
        let n_upper = count(u8::is_ascii_uppercase);
        let n_lower = count(u8::is_ascii_lowercase);
        let is_hex = || value.iter().all(|b| b.is_ascii_hexdigit() || *b == b'-');
        let is_mixed = || value.len() < 4 * n_upper.min(n_lower);
        let has = |c: char| u8::try_from(c).is_ok_and(|byte| seen[usize::from(byte)]);
        self.n_distinct <= n_distinct
            && self.needs.is_none_or(has)
            && self.n_digits <= n_digits
            && self.n_letters <= n_upper + n_lower
            && (!self.is_mixed || 0 < n_digits || is_mixed())
            && (self.is_hex || !is_hex())
    }
}

/// Whether a word may begin at this byte.
pub(crate) fn is_word_start(bytes: &[u8], start: usize) -> bool {
    let before = &bytes[..start];
    match before {
        [.., last] if !last.is_ascii_alphanumeric() => true,
        [] | [.., b'\\', b'n' | b'r' | b't' | b'b' | b'f'] => true,
        [.., b'%', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => true,
        [.., b'\\', b'u', a, b, c, d] if [a, b, c, d].iter().all(|b| b.is_ascii_hexdigit()) => true,
        [before @ .., b'm'] => ends_in_color(before),
        _ => false,
    }
}

/// Whether the bytes end in the beginning of a terminal color sequence, whose
/// last byte is the letter `m`. The escape before it may be spelled out.
fn ends_in_color(bytes: &[u8]) -> bool {
    let is_parameter = |byte: &&u8| byte.is_ascii_digit() || **byte == b';';
    let n_parameters = bytes.iter().rev().take(32).take_while(is_parameter).count();
    let before = &bytes[..bytes.len() - n_parameters];
    let escapes: [&[u8]; 6] = [
        b"\x1b[",
        b"\\u001b[",
        b"\\u001B[",
        b"\\x1b[",
        b"\\033[",
        b"\\e[",
    ];
    escapes.iter().any(|escape| before.ends_with(escape))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(more: &str) -> Rule {
        let canary = "canary = ''\nid = 'x'\nkeywords = []\npattern = ''";
        toml::from_str(&format!("{canary}\n{more}")).unwrap()
    }

    #[test]
    fn a_word_starts_after_escapes_but_not_inside_a_word() {
        for before in [
            "",
            " ",
            "_",
            "=",
            "\\n",
            "%3D",
            "\\u003d",
            "\x1b[m",
            "\x1b[1;31m",
            "\\u001b[31m",
            "é",
        ] {
            assert!(is_word_start(before.as_bytes(), before.len()), "{before:?}");
        }
        for before in ["a", "Z", "0", "xm", "[31m", "\\d", "%zz", "u003d"] {
            assert!(
                !is_word_start(before.as_bytes(), before.len()),
                "{before:?}"
            );
        }
    }

    #[test]
    fn plausibility_is_asked_as_the_rule_says() {
        let strict = rule("is_mixed = true\nis_hex = false\nn_digits = 0");
        assert!(strict.is_plausible(b"EksuXAchicVpyNFdJw"));
        assert!(strict.is_plausible(b"abcdefghijk1"));
        assert!(!strict.is_plausible(b"requiredCharacteristicTypes"));
        assert!(!strict.is_plausible(b"xXxXxXxX"));
        assert!(!strict.is_plausible(b"0123abcdef-0123"));
        assert!(!rule("").is_plausible(b"abcdefghijk"));
        assert!(!rule("n_letters = 1").is_plausible(b"12345678-90"));
    }
}
