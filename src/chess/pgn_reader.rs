//! Reads a game of a PGN file token by token, and writes down what is wrong.

use crate::chess::pgn_board::Board;
use crate::chess::pgn_lexer::{Boundary, Token, TokenKind, is_ending, unescaped};
use crate::chess::pgn_reading::{
    PgnFault, PgnFaultKind, PgnReading, PgnStated, PgnTag, PgnUnplayable,
};
use crate::chess::pgn_remark::{PgnRemark, winner_in};
use crate::chess::pgn_start::start_of;
use crate::chess::{Color, GameResult, Ply, SanFault};

/// The most faults that are kept of a game; more say nothing new.
const FAULTS_MAX: usize = 20;

/// Counts lines up to places that are asked for in ascending order, mostly.
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl Lines<'_> {
    fn line_of(&mut self, at: usize) -> u64 {
        let ends = |bytes: &[u8]| {
            let count = memchr::memchr_iter(b'\n', bytes).count();
            u64::try_from(count).unwrap_or(u64::MAX)
        };
        if at < self.at {
            let between = self.bytes.get(at..self.at).unwrap_or_default();
            return self.line.saturating_sub(ends(between));
        }
        self.line += ends(self.bytes.get(self.at..at).unwrap_or_default());
        self.at = at;
        self.line
    }
}

/// A game on its way from tokens to a reading.
pub(in crate::chess) struct Reader<'a> {
    lines: Lines<'a>,
    tags: Vec<PgnTag>,
    stated: Vec<PgnStated>,
    remarks: Vec<PgnRemark>,
    faults: Vec<PgnFault>,
    is_numbered_wrong: bool,
    has_latin1: bool,
    /// Who won by the last comment, and where that stands.
    winner: Option<(Color, usize)>,
}

impl<'a> Reader<'a> {
    pub(in crate::chess) fn of(bytes: &'a [u8], line: u64) -> Self {
        Self {
            lines: Lines { bytes, at: 0, line },
            tags: Vec::new(),
            stated: Vec::new(),
            remarks: Vec::new(),
            faults: Vec::new(),
            is_numbered_wrong: false,
            has_latin1: false,
            winner: None,
        }
    }

    pub(in crate::chess) fn fault(
        &mut self,
        kind: PgnFaultKind,
        at: usize,
        ply: Option<Ply>,
        expected: impl Into<String>,
        found: &[u8],
    ) {
        if self.faults.len() < FAULTS_MAX {
            let line = self.lines.line_of(at);
            self.faults.push(PgnFault {
                kind,
                line,
                ply,
                expected: expected.into(),
                found: shown(found),
            });
        }
    }

    fn text(&mut self, at: usize, bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap_or_else(|error| {
            if !self.has_latin1 {
                self.has_latin1 = true;
                let expected = "UTF-8";
                self.fault(
                    PgnFaultKind::Encoding,
                    at,
                    None,
                    expected,
                    b"other bytes, read as Latin-1",
                );
            }
            error
                .into_bytes()
                .iter()
                .map(|byte| char::from(*byte))
                .collect()
        })
    }

    pub(in crate::chess) fn tag(&mut self, at: usize, name: &[u8], value: &[u8]) {
        let name = String::from_utf8_lossy(name).into_owned();
        let value = self.text(at, unescaped(value));
        let line = self.lines.line_of(at);
        let earlier = self.tags.iter().find(|tag| tag.name == name);
        if let Some(earlier) = earlier {
            // Two results are held against each other with all that are stated.
            let kind = if earlier.value == value || name == "Result" {
                PgnFaultKind::Tag
            } else {
                PgnFaultKind::Contradiction
            };
            let shown = shown(name.as_bytes());
            let expected = format!("the tag {shown} once; line {} has it", earlier.line);
            self.fault(kind, at, None, expected, b"another one");
        }
        if name == "Result" {
            let word = value.trim();
            if is_ending(word.as_bytes()) {
                self.stated.push(PgnStated {
                    by_tag: true,
                    line,
                    result: word.parse().ok(),
                });
            } else if !matches!(word, "" | "?" | "-") {
                let expected = "1-0, 0-1, 1/2-1/2 or * as result";
                let found = word.to_owned().into_bytes();
                self.fault(PgnFaultKind::Tag, at, None, expected, &found);
            }
        }
        self.tags.push(PgnTag { name, value, line });
    }

    pub(in crate::chess) fn set_up(&mut self) -> Result<Board, PgnUnplayable> {
        let (start, variant, contradiction) = start_of(&self.tags)?;
        if let Some((line, expected, found)) = contradiction {
            self.faults.push(PgnFault {
                kind: PgnFaultKind::Contradiction,
                line,
                ply: None,
                expected,
                found,
            });
        }
        Board::new(start, variant).map_err(|found| PgnUnplayable {
            is_variant: false,
            line: self.lines.line,
            expected: format!("a position of {variant} chess"),
            found,
        })
    }

    /// Takes in what stands outside of variations.
    pub(in crate::chess) fn main(&mut self, token: &Token<'_>, board: &mut Board) {
        match token.kind {
            TokenKind::Word(word) => self.word(token.at, word, board),
            TokenKind::Comment(text) | TokenKind::OpenComment(text) => {
                if let Some(remark) = PgnRemark::of(text, board.ply(), board.mover()) {
                    match self
                        .remarks
                        .last_mut()
                        .filter(|last| last.ply == remark.ply)
                    {
                        Some(last) => last.join(remark),
                        None => self.remarks.push(remark),
                    }
                }
                self.winner = winner_in(text).map(|winner| (winner, token.at));
            }
            _ => {}
        }
    }

    fn word(&mut self, at: usize, word: &[u8], board: &mut Board) {
        if is_ending(word) {
            let line = self.lines.line_of(at);
            let result = std::str::from_utf8(word)
                .ok()
                .and_then(|word| word.parse().ok());
            self.stated.push(PgnStated {
                by_tag: false,
                line,
                result,
            });
            return;
        }
        let rest = self.number(at, word, board);
        // `e4$1`, and moves with their marks.
        let end = rest.iter().position(|c| matches!(c, b'$' | b'!' | b'?'));
        let (san, marks) = rest.split_at(end.unwrap_or(rest.len()));
        let is_mark = |san: &[u8]| {
            san.is_empty()
                || san.starts_with(b"<")
                || matches!(
                    san,
                    b"e.p."
                        | b"ep"
                        | b"+"
                        | b"#"
                        | b"++"
                        | b"="
                        | b"+-"
                        | b"-+"
                        | b"+/-"
                        | b"-/+"
                        | b"+="
                        | b"=+"
                        | b"N"
                        | b"D"
                )
        };
        if is_mark(san) || board.is_stopped() {
            return;
        }
        if !marks.is_empty() && san.iter().all(|c| matches!(c, b'.')) {
            return;
        }
        self.play(at, san, board);
    }

    /// Takes the move number off a word, and holds it against the board.
    fn number<'w>(&mut self, at: usize, word: &'w [u8], board: &Board) -> &'w [u8] {
        // Castling written with zeros is no number.
        if word.starts_with(b"0-0") {
            return word;
        }
        let digits = word.iter().position(|c| !c.is_ascii_digit());
        let digits = digits.unwrap_or(word.len());
        let (number, rest) = word.split_at(digits);
        let dots = rest.iter().position(|c| *c != b'.').unwrap_or(rest.len());
        let behind = rest.get(dots..).unwrap_or_default();
        if digits == 0 || (dots == 0 && !behind.is_empty()) {
            return if digits == 0 { behind } else { word };
        }
        let said = std::str::from_utf8(number)
            .ok()
            .and_then(|text| text.parse::<u32>().ok());
        if dots != 0
            && !self.is_numbered_wrong
            && !board.is_stopped()
            && said != Some(board.number())
        {
            self.is_numbered_wrong = true;
            // Many files count from 1 wherever the game starts.
            if said != Some(board.number_from_one()) {
                let expected = format!("move {}", board.number());
                let found = [b"number ", number].concat();
                self.fault(
                    PgnFaultKind::Contradiction,
                    at,
                    Some(board.ply().next()),
                    expected,
                    &found,
                );
            }
        }
        behind
    }

    fn play(&mut self, at: usize, written: &[u8], board: &mut Board) {
        let ply = Some(board.ply().next());
        if matches!(
            written,
            b"--" | b"Z0" | b"Z1" | b"null" | b"NULL" | b"0000" | b"@@@@" | b"<>" | b"pass"
        ) {
            board.stop();
            return self.fault(PgnFaultKind::NullMove, at, ply, "a move", b"a null move");
        }
        let end = written.iter().rposition(|c| !matches!(c, b'+' | b'#'));
        let (san, suffix) = written.split_at(end.map_or(0, |end| end + 1));
        match board.read(san) {
            Ok((played, is_standard)) => {
                if !is_standard {
                    let expected = format!("{} in standard notation", board.standard(played));
                    self.fault(PgnFaultKind::Spelling, at, ply, expected, written);
                }
                board.play(played);
                self.check_suffix(at, suffix, written, board);
            }
            Err(fault) => {
                let (kind, what) = match fault {
                    SanFault::Unreadable => (PgnFaultKind::Unreadable, "a move"),
                    SanFault::Ambiguous => (PgnFaultKind::Illegal, "one legal move"),
                    SanFault::Illegal => (PgnFaultKind::Illegal, "a legal move"),
                };
                let expected = format!("{what} in {}", board.fen());
                board.stop();
                self.fault(kind, at, ply, expected, written);
            }
        }
    }

    /// A mark of check or mate that the board does not show.
    fn check_suffix(&mut self, at: usize, suffix: &[u8], written: &[u8], board: &Board) {
        let expected = match suffix {
            [] => return,
            [.., b'#'] if !board.is_mate() => "no mate on the board",
            // `++` is mate to some and double check to others.
            _ if !board.is_check() => "no check on the board",
            _ => return,
        };
        let expected = format!("{expected}, in {}", board.fen());
        self.fault(
            PgnFaultKind::Contradiction,
            at,
            Some(board.ply()),
            expected,
            written,
        );
    }

    pub(in crate::chess) fn finish(
        mut self,
        length: usize,
        boundary: &Boundary,
        board: Board,
    ) -> PgnReading {
        let end = board.end();
        if boundary.is_aside() {
            let expected = "a variation with a closing parenthesis";
            self.fault(PgnFaultKind::CutOff, length, None, expected, b"none");
        }
        if self.stated.iter().all(|stated| stated.by_tag) {
            let expected = "a result behind the moves";
            self.fault(PgnFaultKind::CutOff, length, None, expected, b"none");
        }
        self.check_ply_count(&board);
        self.check_winner();
        self.faults.sort_by_key(|fault| fault.line);
        let (start, variant, moves) = board.into_parts();
        PgnReading {
            tags: self.tags,
            start,
            variant,
            moves,
            remarks: self.remarks,
            stated: self.stated,
            end,
            faults: self.faults,
        }
    }

    /// `PlyCount` counts the moves.
    fn check_ply_count(&mut self, board: &Board) {
        let tag = self.tags.iter().find(|tag| tag.name == "PlyCount");
        let said = tag.and_then(|tag| Some((tag.line, tag.value.trim().parse::<u32>().ok()?)));
        if let Some((line, said)) = said
            && said != board.ply().0
            && !board.is_stopped()
        {
            self.faults.push(PgnFault {
                kind: PgnFaultKind::Contradiction,
                line,
                ply: None,
                expected: format!("{} plies", board.ply()),
                found: format!("PlyCount {said}"),
            });
        }
    }

    /// A last comment such as `White mates` that the result does not say.
    fn check_winner(&mut self) {
        let Some((winner, at)) = self.winner else {
            return;
        };
        let won = Some(GameResult::win_for(winner));
        if let Some(other) = self.stated.iter().find(|stated| stated.result != won) {
            let other = other.result.map_or("*", GameResult::as_str);
            let found = format!("a comment that says that {winner} won").into_bytes();
            let expected = format!("nothing but the result {other}");
            self.fault(PgnFaultKind::Contradiction, at, None, expected, &found);
        }
    }
}

/// What may be shown of foreign bytes.
fn shown(bytes: &[u8]) -> String {
    const SHOWN: usize = 80;
    let text = String::from_utf8_lossy(bytes);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into_owned(),
    }
}
