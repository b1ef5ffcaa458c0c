//! The tokens of a Rust file: names, `::` and single characters.

/// One token, and the line it stands on.
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) line: usize,
}

/// Whether the token is a name.
pub(crate) fn is_name(text: &str) -> bool {
    let first = text.chars().next();
    first.is_some_and(|c| c.is_alphabetic() || c == '_') && text != "as"
}

/// Splits the text into names, `::` and single characters; leaves out comments
/// and the contents of texts.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut line = 1;
    while at < chars.len() {
        let (length, is_token) = lexeme(&chars[at..]);
        let lexeme: String = chars[at..at + length].iter().collect();
        if is_token && !(lexeme == "::" && is_rooted(&tokens)) {
            let text = lexeme.trim_start_matches("r#").to_owned();
            tokens.push(Token { text, line });
        }
        line += lexeme.matches('\n').count();
        at += length;
    }
    tokens
}

/// Whether a `::` after these tokens begins a path, as in `::std::fs`.
fn is_rooted(before: &[Token]) -> bool {
    let mut before = before.iter().rev().map(|token| token.text.as_str());
    match before.next() {
        Some(">") => before.next() == Some("-"),
        Some(last) => {
            !is_name(last) || matches!(last, "use" | "return" | "in" | "match" | "if" | "dyn")
        }
        None => true,
    }
}

/// Returns the length of what stands first, and whether it is a token.
fn lexeme(chars: &[char]) -> (usize, bool) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = chars.iter().take_while(|c| is_word(**c)).count();
    let behind = &chars[word..];
    let n_hashes = behind.iter().take_while(|c| **c == '#').count();
    let prefix: String = chars[..word].iter().collect();
    match (prefix.as_str(), behind) {
        ("r" | "br" | "cr", _) if behind.get(n_hashes) == Some(&'"') => {
            let end: Vec<char> = std::iter::once('"')
                .chain(std::iter::repeat_n('#', n_hashes))
                .collect();
            let start = word + n_hashes + 1;
            (until(chars, start, &end), false)
        }
        ("" | "b" | "c", ['"', ..]) => (quoted(chars, word + 1, '"'), false),
        ("b", ['\'', ..]) | ("", ['\'', '\\', ..] | ['\'', _, '\'', ..]) => {
            (quoted(chars, word + 1, '\''), false)
        }
        ("r", ['#', next, ..]) if is_word(*next) => (
            2 + chars[2..].iter().take_while(|c| is_word(**c)).count(),
            true,
        ),
        ("", ['/', '/', ..]) => (until(chars, 2, &['\n']), false),
        ("", ['/', '*', ..]) => (block_comment(chars), false),
        ("", [':', ':', ..]) => (2, true),
        ("", ['\'', ..]) => (1, false),
        ("", [c, ..]) => (1, !c.is_whitespace()),
        _ => (word, true),
    }
}

fn until(chars: &[char], start: usize, end: &[char]) -> usize {
    let found = chars[start..]
        .windows(end.len())
        .position(|window| window == end);
    found.map_or(chars.len(), |found| start + found + end.len())
}

fn quoted(chars: &[char], start: usize, quote: char) -> usize {
    let mut at = start;
    while at < chars.len() && chars[at] != quote {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    chars.len().min(at + 1)
}

fn block_comment(chars: &[char]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < chars.len() {
        match chars[at..] {
            ['/', '*', ..] => depth += 1,
            ['*', '/', ..] => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            break;
        }
    }
    at
}

#[test]
fn comments_and_text_are_no_tokens_and_lines_are_counted() {
    let text = "a/*/**/b*/::c // d\n'x' 'y \"e\\\"\n\" r#\"f\"#\n r#g br\"h\" b'i' '\\'' j!";
    let shown: Vec<_> = tokens(text)
        .iter()
        .map(|t| format!("{}{}", t.line, t.text))
        .collect();
    assert_eq!(shown, ["1a", "1::", "1c", "2y", "4g", "4j", "4!"]);
}
