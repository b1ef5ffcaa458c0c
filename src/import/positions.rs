//! Lists of single positions, a line each.

use std::collections::{BTreeMap, BTreeSet};

use crate::chess::{Fen, ParseFenError};
use crate::event::{ListedPosition, PUZZLE_ID_IN_WORDS, is_puzzle_id};
use crate::finding::visible;

/// Why a list of positions cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionsError {
    /// A line is no position that can be asked.
    #[error("line {line}: expected {expected}, found {found}; nothing was registered")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What was expected.
        expected: String,
        /// What is there.
        found: String,
    },
    /// A line is no FEN or EPD of a legal position.
    #[error("line {line} is no FEN or EPD of a legal position: {fault}; nothing was registered")]
    Fen {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        fault: ParseFenError,
    },
    /// No line has a position.
    #[error("expected lines with a FEN or EPD each, found none; nothing was registered")]
    Empty,
}

/// Reads positions of standard chess: a line each, a FEN (six fields) or an EPD (four
/// fields), either with operations behind it, of which `id "..."` is read and the
/// others are passed over. Blank lines, and lines that begin with `#`, are passed over.
/// A position without an id has its number in the list.
///
/// # Errors
///
/// The first line that is no legal position with a legal move, or the same position
/// or id as a line before.
pub fn read_positions(text: &str) -> Result<Vec<ListedPosition>, PositionsError> {
    let mut positions = Vec::new();
    let (mut ids, mut seen) = (BTreeSet::new(), BTreeMap::new());
    for (number, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let wrong = |(expected, found): (String, String)| PositionsError::Line {
            line: number,
            expected,
            found: visible(&found),
        };
        let (fen, operations) = fields(text);
        let fen: Fen = fen.parse().map_err(|fault| PositionsError::Fen {
            line: number,
            fault,
        })?;
        let listed = listed(fen, operations, positions.len() + 1).map_err(wrong)?;
        let position = listed
            .position()
            .map_err(|fault| wrong(("a legal position with a legal move".to_owned(), fault)))?;
        if let Some(before) = seen.insert(position.repetition_key(), number) {
            let expected = "every position once, whatever its counters say".to_owned();
            return Err(wrong((expected, format!("the one of line {before}"))));
        }
        if !ids.insert(listed.id.clone()) {
            let expected = "an id that no line before has".to_owned();
            return Err(wrong((expected, listed.id)));
        }
        positions.push(listed);
    }
    if positions.is_empty() {
        return Err(PositionsError::Empty);
    }
    Ok(positions)
}

/// The position of a line, which is the one with this number; or what was expected
/// and found.
fn listed(fen: Fen, operations: &str, number: usize) -> Result<ListedPosition, (String, String)> {
    let id = id_in(operations)?.unwrap_or_else(|| number.to_string());
    if is_puzzle_id(&id) {
        Ok(ListedPosition { fen, id })
    } else {
        Err((PUZZLE_ID_IN_WORDS.to_owned(), format!("the id {id:?}")))
    }
}

/// The FEN of a line, and what stands behind it. An EPD gets the counters of a start.
fn fields(text: &str) -> (String, &str) {
    let (mut fields, mut rest) = (Vec::new(), text);
    while fields.len() < 6 {
        let (field, after) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
        let is_counter = field.bytes().all(|byte| byte.is_ascii_digit());
        if field.is_empty() || (4 <= fields.len() && !is_counter) {
            break;
        }
        fields.push(field);
        rest = after.trim_start();
    }
    let counters = if fields.len() == 4 { " 0 1" } else { "" };
    (format!("{}{counters}", fields.join(" ")), rest)
}

/// The operand of `id` among operations, each of which ends in a semicolon.
fn id_in(operations: &str) -> Result<Option<String>, (String, String)> {
    let mut rest = operations.trim();
    let mut id = None;
    while !rest.is_empty() {
        let (code, after) = rest.split_at(rest.find([' ', '\t', ';']).unwrap_or(rest.len()));
        let after = after.trim_start();
        let (operand, behind) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').ok_or_else(|| {
                let expected = "a quotation mark at the end of an operand".to_owned();
                (expected, after.to_owned())
            })?,
            None => after.split_at(after.find(';').unwrap_or(after.len())),
        };
        if code == "id" {
            id = Some(operand.trim().to_owned());
        }
        let end = behind.find(';').map_or(behind.len(), |at| at + 1);
        rest = behind.get(end..).unwrap_or_default().trim_start();
    }
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(text: &str) -> Vec<(String, String)> {
        let positions = read_positions(text).unwrap();
        let shown = |one: ListedPosition| (one.id, one.fen.to_string());
        positions.into_iter().map(shown).collect()
    }

    const MATE: &str = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - -";
    const ENDGAME: &str = "8/8/8/4k3/8/8/4P3/4K3 w - -";

    #[test]
    fn lines_are_fens_or_epds_with_or_without_an_id() {
        let text = format!(
            "# own\n\n{MATE} 3 40\n{ENDGAME} noop; bm e1d2; id \"end.001\";\n{} id x; c0 \"a; b\";\n",
            MATE.replace(" w ", " b ")
        );
        let expected = [
            ("1", format!("{MATE} 3 40")),
            ("end.001", format!("{ENDGAME} 0 1")),
            ("x", format!("{} 0 1", MATE.replace(" w ", " b "))),
        ];
        assert_eq!(ids(&text), expected.map(|(id, fen)| (id.to_owned(), fen)));
    }

    #[test]
    fn a_line_that_cannot_be_asked_is_named() {
        let mated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
        for (line, says) in [
            ("e4 e5".to_owned(), "no FEN or EPD"),
            (mated.to_owned(), "without a legal move"),
            (
                "4k3/8/8/8/8/8/8/K3R3 w - - 0 1".to_owned(),
                "is no legal position",
            ),
            (format!("{MATE} 0 9"), "found the one of line 1"),
            (
                format!("{ENDGAME} id \"one\";"),
                "an id that no line before has",
            ),
            (format!("{ENDGAME} id \"a b\";"), "without blanks"),
            (format!("{ENDGAME} id \"a;"), "a quotation mark"),
        ] {
            let text = format!("{MATE} 0 1 id \"one\";\n{line}\n");
            let fault = read_positions(&text).unwrap_err().to_string();
            assert!(fault.contains(says) && fault.contains("line 2"), "{fault}");
        }
        assert_eq!(read_positions("# none\n"), Err(PositionsError::Empty));
    }
}
