//! What boards for people share: a width, and words that are broken to it.

use crate::board::Table;

/// The most characters of a line for a terminal, but for very long names.
pub(crate) const WIDTH: usize = 100;

/// A board for a terminal: its heading, its tables, and what it says and does not say.
pub(crate) fn text_page(
    heading: &[String],
    tables: &[(&'static str, Table)],
    notes: &[String],
) -> String {
    let folded = |lines: &[String]| lines.iter().map(|line| folded(line)).collect::<Vec<_>>();
    let mut blocks = vec![folded(heading).join("\n")];
    for (title, table) in tables {
        let parts = table.markdown_within(WIDTH);
        let parts: Vec<_> = parts.iter().map(|part| part.trim_end()).collect();
        blocks.push(format!("{title}\n{}", parts.join("\n\n")));
    }
    format!("{}\n\n{}\n", blocks.join("\n\n"), folded(notes).join("\n"))
}

/// The same for a page.
pub(crate) fn markdown_page(
    heading: &[String],
    tables: &[(&'static str, Table)],
    notes: &[String],
) -> String {
    let mut blocks = vec![format!("# {}", heading.join("\n\n"))];
    for (title, table) in tables {
        blocks.push(format!("## {title}"));
        blocks.push(table.markdown().trim_end().to_owned());
    }
    blocks.push("## What this says and does not say".to_owned());
    blocks.extend_from_slice(notes);
    format!("{}\n", blocks.join("\n\n"))
}

/// Breaks a note between words.
pub(crate) fn folded(note: &str) -> String {
    let (mut text, mut taken) = (String::new(), 0);
    for word in note.split(' ') {
        let length = word.chars().count();
        if taken != 0 {
            let is_over = WIDTH < taken + 1 + length;
            text.push(if is_over { '\n' } else { ' ' });
            taken = if is_over { 0 } else { taken + 1 };
        }
        text.push_str(word);
        taken += length;
    }
    text
}

/// So many times one count of another, rounded to so many digits, half up.
/// Nothing where there is nothing to count of.
pub(crate) fn ratio(part: u64, of: u64, times: u128, digits: u32) -> Option<String> {
    let one = 10_u128.pow(digits);
    let twice = (u128::from(part) * times * one * 2).checked_add(of.into())?;
    let steps = twice.checked_div(u128::from(of) * 2)?;
    if digits == 0 {
        return Some(steps.to_string());
    }
    let places = usize::try_from(digits).ok()?;
    Some(format!("{}.{:0places$}", steps / one, steps % one))
}
