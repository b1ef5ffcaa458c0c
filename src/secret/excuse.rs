//! Why what has the form of a credential is none.

/// What people write where a password belongs, in small letters without
/// anything between. Only whole values are compared with it: a password that
/// contains one of these words is still a password.
const GUESSES: &[&str] = &[
    "password",
    "passwords",
    "passwd",
    "pwd",
    "passphrase",
    "mypassword",
    "yourpassword",
    "thepassword",
    "userpassword",
    "dbpassword",
    "databasepassword",
    "mysecret",
    "yoursecret",
    "changeme",
    "changeit",
    "example",
    "placeholder",
    "redacted",
    "removed",
    "hidden",
    "undefined",
    "string",
    "required",
    "optional",
    "none",
    "null",
    "true",
    "false",
    "empty",
    "default",
    "username",
    "current",
    "newpassword",
    "oldpassword",
    "password123",
    "yourpasswordhere",
];

/// How such values begin.
const OPENINGS: &[&str] = &[
    "your",
    "replace",
    "insert",
    "enter",
    "changeme",
    "process.",
    "os.environ",
    "env.",
    "config.",
    "self.",
    "this.",
    "getenv",
    "secrets.",
    "vars.",
    "user.",
    "args.",
    "options.",
    "request.",
    "req.",
    "params.",
    "data.",
];

/// How a word begins in the name of a key whose value is no secret.
const NAMES: &[&str] = &[
    "cache",
    "sort",
    "seed",
    "primary",
    "foreign",
    "public",
    "idempoten",
    "partition",
    "signature",
    "digest",
    "hash",
    "checksum",
    "fingerprint",
    "sha256",
    "commitment",
    "index",
    "page",
    "next",
    "cancel",
    "count",
    "max",
    "eos",
    "bos",
    "keyword",
    "monkey",
    "author",
];

/// Whether somebody filled the place of a credential: one short piece again
/// and again, or words in capital letters.
pub(crate) fn is_filler(value: &[u8]) -> bool {
    is_periodic(value) || is_shouted(value)
}

/// Whether three quarters of the value repeat a piece of at most seven bytes.
fn is_periodic(value: &[u8]) -> bool {
    const PERIOD_MAX: usize = 7;
    const SHORTEST: usize = 24;
    SHORTEST <= value.len()
        && (1..=PERIOD_MAX).any(|period| {
            let pairs = value.iter().zip(&value[period..]);
            let n_same = pairs.filter(|(a, b)| a == b).count();
            3 * value.len() < 4 * (n_same + period)
        })
}

/// Whether the value is words in capital letters, as in `REPLACE_ME_WITH_KEY`.
/// Of random letters that may be small, one of so many always is.
fn is_shouted(value: &[u8]) -> bool {
    let value = value.strip_prefix(b"Sy").unwrap_or(value);
    let has_small = value.iter().any(u8::is_ascii_lowercase);
    let mut words = value.split(|byte| matches!(byte, b'_' | b'-'));
    let is_word = |word: &[u8]| 2 <= word.len() && word.iter().all(u8::is_ascii_uppercase);
    !has_small && 3 <= words.by_ref().filter(|word| is_word(word)).count()
}

/// Whether the value is a name in a program: words make up most of it, and few
/// digits, as in `p256_public_from_private`.
pub(crate) fn is_identifier(value: &[u8]) -> bool {
    const WORD: usize = 4;
    let is_small = |a: &u8, b: &u8| a.is_ascii_lowercase() && b.is_ascii_lowercase();
    let words = value.chunk_by(is_small).filter(|word| WORD <= word.len());
    let n_in_words: usize = words.map(<[u8]>::len).sum();
    let n_digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    is_constant(value) || value.len() < 2 * n_in_words && 5 * n_digits < value.len()
}

/// Whether the value is a constant or a path in a program, as `WIN32_ERROR` and
/// `super::Foundation` are.
pub(crate) fn is_constant(value: &[u8]) -> bool {
    let is_letter = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    let is_path = value.windows(2).any(|pair| pair == b"::");
    is_path || value.contains(&b'_') && value.iter().all(is_letter)
}

/// Whether the value is what people write where a password belongs.
pub(crate) fn is_guess(value: &[u8]) -> bool {
    let small = value.to_ascii_lowercase();
    let letters: Vec<_> = small
        .iter()
        .copied()
        .filter(|byte| !matches!(byte, b'_' | b'-' | b'.' | b' '))
        .collect();
    let is_opening = |opening: &&str| small.starts_with(opening.as_bytes());
    GUESSES.iter().any(|guess| guess.as_bytes() == letters)
        || OPENINGS.iter().any(is_opening)
        || small.len() < 4
}

/// Whether the name that goes on to the left of the keyword, and through it,
/// says that the value is no secret.
pub(crate) fn is_excused_by_name(bytes: &[u8], start: usize, end: usize) -> bool {
    const LEFT: usize = 48;
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let left = bytes[..start].iter().rev().take(LEFT);
    let from = start - left.take_while(is_name).count();
    let name = &bytes[from..end];
    (0..name.len()).any(|at| {
        let is_start = at == 0
            || !name[at - 1].is_ascii_alphanumeric()
            || name[at - 1].is_ascii_lowercase() && name[at].is_ascii_uppercase();
        let begins = |word: &&str| {
            let letters = name.get(at..at + word.len());
            letters.is_some_and(|letters| letters.eq_ignore_ascii_case(word.as_bytes()))
        };
        is_start && NAMES.iter().any(begins)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filler_repeats_itself_or_shouts() {
        assert!(is_filler(&b"EXAMPLE".repeat(8)));
        assert!(is_filler(b"SyEXAMPLE_KEY_REPLACE_ME_1234567"));
        assert!(!is_filler(&b"aB3dE5gH7k".repeat(6)));
        assert!(!is_filler(b"K7EXAMPLEq2mZ9wTrY4uIoPaSdFgHjKl"));
    }

    #[test]
    fn names_in_programs_are_made_of_words() {
        for name in [
            "X509HardwareKeyUsageFlags",
            "WIN32_ERROR",
            "super::super::Foundation",
            "x25519_generate_private_key",
        ] {
            assert!(is_identifier(name.as_bytes()), "{name}");
        }
        for value in ["aB3dE5gH7kaB3dE5gH7k", "k3jx9qpw7zvn2m4t", "Summer2026!"] {
            assert!(!is_identifier(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn only_a_whole_value_is_a_guess() {
        for guess in ["password", "YOUR_PASSWORD", "REPLACE_WITH_PASSWORD", "abc"] {
            assert!(is_guess(guess.as_bytes()), "{guess}");
        }
        for value in ["password1938", "testpassword", "hunter2"] {
            assert!(!is_guess(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn the_whole_name_of_a_key_is_read() {
        let excused = |text: &str| {
            let start = text.find("_key").unwrap();
            is_excused_by_name(text.as_bytes(), start, start + 4)
        };
        assert!(excused("prompt_cache_key=x"));
        assert!(excused("sort_key=x"));
        assert!(excused("theCache_key=x"));
        assert!(!excused("cache: my_key=x"));
        assert!(!excused("account_key=x"));
    }
}
