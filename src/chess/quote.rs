use std::fmt;

use crate::finding::visible;

/// How many characters of a text a message shows.
const SHOWN: usize = 120;

/// Foreign text inside a message: in backticks, on one line, cut when long.
///
/// Control and direction-changing characters are escaped, so that a text under
/// examination cannot forge a line of output.
pub(in crate::chess) struct Quoted<'a>(pub(in crate::chess) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(SHOWN) {
            Some((end, _)) => write!(f, "`{}...`", visible(&self.0[..end])),
            None => write!(f, "`{}`", visible(self.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_escaped_and_stays_on_one_line() {
        assert_eq!(Quoted("a\nb").to_string(), "`a\\u{a}b`");
    }

    #[test]
    fn long_text_is_cut_at_a_character_not_inside_one() {
        let exact = "é".repeat(SHOWN);
        assert_eq!(Quoted(&exact).to_string(), format!("`{exact}`"));
        let longer = format!("{exact}é");
        assert_eq!(Quoted(&longer).to_string(), format!("`{exact}...`"));
    }
}
