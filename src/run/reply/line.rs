use crate::chess::{Position, UciMove};
use crate::event::{LINE_MOVES_MAX, ReplyForm};

/// In what form a reply gave its line of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LineForm {
    /// The reply is the line: moves in UCI, one space apart.
    AsIs,
    /// The line stood among other text.
    Extracted,
    /// The line was in SAN, and was converted from the position.
    Converted,
}

/// The line of moves of a reply to a puzzle. Whether the moves are legal, or
/// right, is not said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// In what form it was given.
    pub form: LineForm,
    /// The moves, in UCI.
    pub moves: Vec<UciMove>,
}

impl LineForm {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AsIs => "as_is",
            Self::Extracted => "extracted",
            Self::Converted => "converted",
        }
    }
}

impl From<LineForm> for ReplyForm {
    fn from(form: LineForm) -> Self {
        match form {
            LineForm::AsIs => Self::AsIs,
            LineForm::Extracted => Self::Extracted,
            LineForm::Converted => Self::Converted,
        }
    }
}

/// Returns what `puzzle.answered` says of a reply: its form, and the moves that
/// were read in it, as many as an event may have.
pub fn answer_in(position: &Position, reply: &str) -> (ReplyForm, Vec<UciMove>) {
    read_line(position, reply).map_or((ReplyForm::Wrong, Vec::new()), |mut line| {
        line.moves.truncate(LINE_MOVES_MAX);
        (line.form.into(), line.moves)
    })
}

/// Returns the line of moves of a reply, or nothing where there is none.
///
/// A reply that is moves in UCI, one space apart, is used as it is, spaces at its
/// ends aside. Otherwise the last line of text in which UCI moves stand gives
/// them, whatever is around them. Otherwise the last line of text in which SAN
/// can be played from the position does.
pub fn read_line(position: &Position, reply: &str) -> Option<Line> {
    let bare = reply.trim();
    let moves: Option<Vec<UciMove>> = bare.split(' ').map(|word| word.parse().ok()).collect();
    if let Some(moves) = moves {
        let form = LineForm::AsIs;
        return Some(Line { form, moves });
    }
    let lines = || bare.lines().rev();
    let found = |form, moves: Vec<UciMove>| (!moves.is_empty()).then_some(Line { form, moves });
    let extracted = lines().find_map(|line| found(LineForm::Extracted, in_uci(line)));
    extracted
        .or_else(|| lines().find_map(|line| found(LineForm::Converted, position.line_in_san(line))))
}

/// The moves in UCI that stand in a line of text, in order.
fn in_uci(line: &str) -> Vec<UciMove> {
    let words = line.split(|c: char| !c.is_alphanumeric());
    words.filter_map(|word| word.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Fen, Variant};

    #[test]
    fn a_line_is_used_as_it_is_or_extracted_or_converted_in_this_order() {
        let fen: Fen = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1".parse().unwrap();
        let position = fen.position(Variant::Standard).unwrap();
        for (reply, form, line) in [
            ("e1e8", LineForm::AsIs, "e1e8"),
            (" e1e8 g8h8\n", LineForm::AsIs, "e1e8 g8h8"),
            ("e1e8, g8h8", LineForm::Extracted, "e1e8 g8h8"),
            (
                "I saw e1e7.\nAnswer: `e1e8`\nDone",
                LineForm::Extracted,
                "e1e8",
            ),
            ("Re8# wins; e1e8", LineForm::Extracted, "e1e8"),
            ("Re8#", LineForm::Converted, "e1e8"),
            (
                "1. Re7 h6 2. Re8+ Kh7",
                LineForm::Converted,
                "e1e7 h7h6 e7e8 g8h7",
            ),
            ("Re1 is pinned\nThe line: Re8#", LineForm::Converted, "e1e8"),
            ("e1e9 e1e8", LineForm::Extracted, "e1e8"),
        ] {
            let read = read_line(&position, reply).unwrap();
            let moves: Vec<_> = read.moves.iter().map(UciMove::as_str).collect();
            assert_eq!(
                (read.form, moves.join(" ").as_str()),
                (form, line),
                "{reply}"
            );
        }
        for reply in ["", "I do not know", "Qh7#", "\n"] {
            assert_eq!(read_line(&position, reply), None, "{reply}");
        }
    }
}
