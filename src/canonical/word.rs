//! What messages may say of a text under examination, and how.

/// A key as a message may show it: only when it looks like the name of a field,
/// because in a mangled text a value can stand in a key's place.
pub(crate) fn key_shown(key: &str) -> String {
    let is_field = key.len() <= 40
        && key.starts_with(|first: char| first.is_ascii_lowercase())
        && key
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        && key.bytes().filter(u8::is_ascii_digit).count() <= 4;
    if is_field {
        format!("the key `{key}`")
    } else {
        format!("a key of {}", bytes(key))
    }
}

/// The length of a text, in words.
pub(crate) fn bytes(text: &str) -> String {
    match text.len() {
        1 => "1 byte".to_owned(),
        length => format!("{length} bytes"),
    }
}

/// The words, as a list that ends in "or".
pub(crate) fn one_of(words: &[&str]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        None => "nothing".to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

/// The one of the words that a text of two typing errors or fewer may have meant.
pub(crate) fn nearest<'a>(text: &str, words: &[&'a str]) -> Option<&'a str> {
    // A character has at most four bytes: longer texts need not be compared,
    // and comparing takes the product of both lengths.
    let is_near = |word: &&&str| text.len() <= 4 * (word.len() + 2);
    words
        .iter()
        .filter(is_near)
        .map(|word| (strsim::osa_distance(text, word), *word))
        .filter(|(distance, word)| *distance <= 2 && *distance < word.len().min(text.len()))
        .min()
        .map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_shown_only_when_it_looks_like_a_field() {
        assert_eq!(key_shown("sha256"), "the key `sha256`");
        for key in ["", "Bearer", "sk-1", "a b", "d41d8cd98f00b204", "é", "1a"] {
            assert_eq!(key_shown(key), format!("a key of {} bytes", key.len()));
        }
    }

    #[test]
    fn the_nearest_word_is_near() {
        let words = ["white", "black", "no"];
        assert_eq!(nearest("wihte", &words), Some("white"));
        assert_eq!(nearest("White", &words), Some("white"));
        assert_eq!(nearest("red", &words), None);
        assert_eq!(nearest("", &words), None);
        assert_eq!(nearest("xy", &words), None);
        assert_eq!(nearest("whité", &words), Some("white"));
        assert_eq!(nearest(&"white".repeat(10_000), &words), None);
    }
}
