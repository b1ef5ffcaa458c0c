use std::ops::Range;

use crate::finding::visible;
use crate::secret::Scanner;
use crate::submission::{Marked, Page};

/// So many characters of a line are shown around what is wrong: a document may be
/// one line of megabytes.
const AROUND: usize = 36;

/// So many characters are underlined at most.
const UNDERLINED_MAX: usize = 72;

/// Returns the line that a finding is about, with the offending text underlined;
/// nothing where the finding is about no part of the text.
pub(crate) fn picture(page: &Page, marked: &Marked) -> Option<String> {
    let span = marked.span.clone()?;
    let text = page.text();
    let line = page.line(span.start);
    // Of a text over several lines, the first line is enough.
    let span = span.start..span.end.min(line.end).max(span.start);
    let number = page.place(span.start).line.unwrap_or(1).to_string();
    let margin = " ".repeat(number.len());
    let before = tail(&text[line.start..span.start]);
    let inside = head(&text[span.clone()], UNDERLINED_MAX);
    let behind = if inside.ends_with('…') {
        String::new()
    } else {
        head(&text[span.end..line.end.max(span.end)], AROUND)
    };
    if is_secret(text, &line, &span) {
        let why = "not shown: the line holds what looks like a credential";
        return Some(format!("{margin} |\n{number} | ({why})\n"));
    }
    let [before, inside, behind] = [before, inside, behind].map(|part| visible(&part));
    let under = " ".repeat(before.chars().count());
    let marks = "^".repeat(inside.chars().count().max(1));
    let shown = format!("{before}{inside}{behind}");
    let shown = shown.trim_end();
    Some(format!(
        "{margin} |\n{number} | {shown}\n{margin} | {under}{marks}\n"
    ))
}

/// The end of a text, without the white space that it begins with where all of it
/// is shown.
fn tail(text: &str) -> String {
    let count = text.chars().count();
    match count.checked_sub(AROUND) {
        None | Some(0) => text.replace('\t', " "),
        Some(hidden) => {
            let shown: String = text.chars().skip(hidden).collect();
            format!("…{}", shown.replace('\t', " "))
        }
    }
}

/// The beginning of a text.
fn head(text: &str, most: usize) -> String {
    let mut shown: String = text.chars().take(most).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown.replace('\t', " ")
}

/// Whether the part of the line that would be shown touches a credential. A part of
/// one is not found where it stands alone, so that more is looked at.
fn is_secret(text: &str, line: &Range<usize>, span: &Range<usize>) -> bool {
    const REACH: usize = 4096;
    let from = text.floor_char_boundary(span.start.saturating_sub(REACH).max(line.start));
    let until = text.ceil_char_boundary((span.end + REACH).min(line.end.max(span.end)));
    !Scanner::shared()
        .scan(&text.as_bytes()[from..until])
        .is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Code, Finding};

    fn drawn(text: &str, span: Range<usize>) -> String {
        let page = Page::new("f", text.to_owned());
        let finding = Finding::new(Code::SchemaViolation, page.place(span.start), "a", "b");
        let marked = Marked {
            finding,
            span: Some(span),
        };
        picture(&page, &marked).unwrap()
    }

    #[test]
    fn the_offending_text_is_underlined_in_its_line() {
        let text = "{\n  \"é\": \"x\"\n}";
        let at = text.find("\"x\"").unwrap();
        assert_eq!(
            drawn(text, at..at + 3),
            "  |\n2 |   \"é\": \"x\"\n  |        ^^^\n"
        );
    }

    #[test]
    fn a_long_line_is_cut_around_it_and_controls_are_shown() {
        let text = format!("{}\u{1b}{}", "a".repeat(1_000), "b".repeat(1_000));
        let drawn = drawn(&text, 1_000..1_001);
        assert!(
            drawn.contains("…aaa") && drawn.contains("\\u{1b}bbb"),
            "{drawn}"
        );
        assert!(
            drawn.lines().all(|line| line.chars().count() < 160),
            "{drawn}"
        );
    }

    #[test]
    fn a_line_with_a_credential_is_not_shown() {
        let token = ["ghp_", "0123456789abcdefABCDEF0123456789abcdef"].concat();
        let (_, canary) = Scanner::canaries().next().unwrap();
        for token in [token, canary] {
            let text = format!("{{\"a\": \"{token}\"}}");
            if Scanner::shared().scan(text.as_bytes()).is_empty() {
                continue;
            }
            assert!(drawn(&text, 1..4).contains("not shown"));
        }
    }
}
