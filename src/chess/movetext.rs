//! The movetext of a PGN game as tokens: what a line break may not split.

/// The most characters of a line: fewer than 80 (PGN standard, section 8.2.1).
const COLUMNS_MAX: usize = 79;

/// Adds the words of a comment, the first with the opening brace and the last
/// with the closing one; a comment without words adds nothing. One that fits
/// on a line is not broken, so that it can be searched for.
pub(in crate::chess) fn push_comment(tokens: &mut Vec<String>, comment: &str) {
    let clean: String = comment
        .chars()
        .filter(|c| c.is_whitespace() || !c.is_control())
        .map(|c| match c {
            '{' => '(',
            '}' => ')',
            _ => c,
        })
        .collect();
    let first = tokens.len();
    tokens.extend(clean.split_whitespace().map(str::to_owned));
    if let Some(word) = tokens.get_mut(first) {
        word.insert(0, '{');
    }
    if first < tokens.len()
        && let Some(word) = tokens.last_mut()
    {
        word.push('}');
        let whole = tokens[first..].join(" ");
        if whole.chars().count() <= COLUMNS_MAX {
            tokens.truncate(first);
            tokens.push(whole);
        }
    }
}

/// Fills lines with tokens, one space between them.
pub(in crate::chess) fn push_lines(pgn: &mut String, tokens: &[String]) {
    let mut column = 0;
    for token in tokens {
        let width = token.chars().count();
        if 0 < column && COLUMNS_MAX < column + 1 + width {
            pgn.push('\n');
            column = 0;
        }
        // A line that begins with `%` is no part of the game (PGN standard,
        // section 6), and one that begins with `[` looks like a tag. A word of
        // a comment must not be taken for either.
        if 0 < column || token.starts_with(['%', '[']) {
            pgn.push(' ');
            column += 1;
        }
        pgn.push_str(token);
        column += width;
    }
    pgn.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(comment: &str) -> Vec<String> {
        let mut tokens = Vec::new();
        push_comment(&mut tokens, comment);
        tokens
    }

    fn lines(text: &str) -> String {
        let mut pgn = String::new();
        push_lines(&mut pgn, &words(text));
        pgn
    }

    #[test]
    fn braces_become_parentheses_and_controls_go() {
        assert_eq!(words("a {b}\u{1b}\n c"), ["{a (b) c}"]);
        assert_eq!(words("one"), ["{one}"]);
        assert!(words(" \u{7}\n").is_empty());
    }

    #[test]
    fn lines_stay_below_eighty_and_are_broken_only_between_words() {
        let comment = "word ".repeat(50);
        let pgn = lines(&comment);
        for line in pgn.lines() {
            assert!(line.chars().count() <= COLUMNS_MAX, "{line}");
            assert!(
                line.trim_matches(['{', '}'])
                    .split(' ')
                    .all(|word| word == "word")
            );
        }
        assert_eq!(
            pgn.replace('\n', " "),
            format!("{{{}}} ", comment.trim_end())
        );
    }

    #[test]
    fn a_comment_that_fits_on_a_line_is_not_broken() {
        let mut tokens = vec!["w".repeat(70)];
        push_comment(&mut tokens, "two words");
        let mut pgn = String::new();
        push_lines(&mut pgn, &tokens);
        assert_eq!(pgn, format!("{}\n{{two words}}\n", "w".repeat(70)));
    }

    #[test]
    fn a_line_of_seventy_nine_is_full_and_one_of_eighty_is_broken() {
        let full = format!("{} {}", "a".repeat(38), "b".repeat(38));
        assert_eq!(lines(&full).lines().count(), 1);
        assert_eq!(lines(&format!("{full}b")).lines().count(), 2);
    }

    #[test]
    fn a_word_longer_than_a_line_stands_alone() {
        let long = "w".repeat(90);
        assert_eq!(lines(&format!("a {long} b")), format!("{{a\n{long}\nb}}\n"));
    }

    #[test]
    fn no_line_begins_with_a_percent_sign_or_a_bracket() {
        let long = "w".repeat(90);
        assert_eq!(
            lines(&format!("{long} %no escape {long} [no tag")),
            format!("{{{long}\n %no escape\n{long}\n [no tag}}\n")
        );
    }
}
