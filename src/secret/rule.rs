/// One kind of credential, as data.
pub(crate) struct Rule {
    /// The name, in kebab-case.
    pub(crate) id: &'static str,
    /// Literals, of which one stands where the pattern begins. ASCII case is
    /// ignored in finding them; the pattern has the last word.
    pub(crate) keywords: &'static [&'static str],
    /// What must match there. A group named `value` makes this a rule of
    /// context: the group is the credential and the rest names it.
    pub(crate) pattern: &'static str,
    /// How many bytes before the keyword the pattern begins.
    pub(crate) lead: usize,
    /// What may stand before.
    pub(crate) edge: Edge,
    /// How many bytes the pattern may look at.
    pub(crate) window: usize,
    /// How many different bytes the credential has at least, without prefix.
    /// Filler in documentation (`xxxx`, `****`) has few.
    pub(crate) n_distinct: usize,
    /// A byte it contains. Patterns leave it optional where a failed match
    /// would look at the same bytes again and again.
    pub(crate) needs: Option<u8>,
    /// How many digits it has at least.
    pub(crate) n_digits: usize,
    /// Whether letters alone need both cases mixed, as no identifier has them.
    pub(crate) is_mixed: bool,
    /// Whether plain hex and UUIDs count. The evidence is full of both.
    pub(crate) is_hex_allowed: bool,
}

/// What may stand before a credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    /// Anything: the prefix is no part of any word.
    Free,
    /// Anything but a letter or digit that is text.
    Word,
}

/// Windows are short because hostile text can make every byte begin one.
const WINDOW: usize = 1024;

/// A credential known by its own prefix.
pub(crate) const fn token(
    id: &'static str,
    keywords: &'static [&'static str],
    pattern: &'static str,
) -> Rule {
    Rule {
        id,
        keywords,
        pattern,
        lead: 0,
        edge: Edge::Free,
        window: WINDOW,
        n_distinct: 8,
        needs: None,
        n_digits: 1,
        is_mixed: false,
        is_hex_allowed: true,
    }
}

/// A credential whose prefix is so short that words end in it.
pub(crate) const fn short(
    id: &'static str,
    keywords: &'static [&'static str],
    pattern: &'static str,
) -> Rule {
    Rule {
        edge: Edge::Word,
        ..token(id, keywords, pattern)
    }
}

impl Rule {
    /// Whether the credential is known by what stands around it.
    pub(crate) fn is_context(&self) -> bool {
        self.pattern.contains("(?P<value>")
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
        self.n_distinct <= n_distinct
            && self.needs.is_none_or(|byte| seen[usize::from(byte)])
            && self.n_digits <= n_digits
            && (!self.is_mixed || 0 < n_digits || is_mixed())
            && (self.is_hex_allowed || !is_hex())
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
/// last byte is the letter `m`.
fn ends_in_color(bytes: &[u8]) -> bool {
    let is_parameter = |byte: &&u8| byte.is_ascii_digit() || **byte == b';';
    let n_parameters = bytes.iter().rev().take(32).take_while(is_parameter).count();
    bytes[..bytes.len() - n_parameters].ends_with(b"\x1b[")
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let rule = Rule {
            is_mixed: true,
            is_hex_allowed: false,
            n_digits: 0,
            ..token("x", &[], "")
        };
        assert!(rule.is_plausible(b"EksuXAchicVpyNFdJw"));
        assert!(rule.is_plausible(b"abcdefghijk1"));
        assert!(!rule.is_plausible(b"requiredCharacteristicTypes"));
        assert!(!rule.is_plausible(b"xXxXxXxX"));
        assert!(!rule.is_plausible(b"0123abcdef-0123"));
        assert!(!token("x", &[], "").is_plausible(b"abcdefghijk"));
    }
}
