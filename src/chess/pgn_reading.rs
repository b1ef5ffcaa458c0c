//! One game of a PGN file, read and replayed, with every fault in its place.

use crate::chess::pgn_lexer::{Boundary, Lexer, Standing, TokenKind};
use crate::chess::pgn_reader::Reader;
use crate::chess::pgn_remark::PgnRemark;
use crate::chess::{Fen, GameResult, Ply, Termination, UciMove, Variant};

/// A game as a PGN file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnReading {
    /// Its tags, in their order.
    pub tags: Vec<PgnTag>,
    /// Where it starts.
    pub start: Fen,
    /// Which chess is played.
    pub variant: Variant,
    /// The moves, up to the first that cannot be played.
    pub moves: Vec<UciMove>,
    /// What comments say of moves in a form of their own.
    pub remarks: Vec<PgnRemark>,
    /// What is said to be its result, by its tag and by the end of its moves.
    pub stated: Vec<PgnStated>,
    /// How chess ends the game after the moves, where it does.
    pub end: Option<(GameResult, Termination)>,
    /// What is wrong with it, in the order of lines.
    pub faults: Vec<PgnFault>,
}

/// A tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnTag {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Its line in the file, from 1.
    pub line: u64,
}

/// A result that is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PgnStated {
    /// Whether a tag says it, or else the end of the moves.
    pub by_tag: bool,
    /// The line, from 1.
    pub line: u64,
    /// The result; nothing for `*`.
    pub result: Option<GameResult>,
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnFault {
    /// What sort of fault.
    pub kind: PgnFaultKind,
    /// The line in the file, from 1.
    pub line: u64,
    /// The ply that it is about, where it is about one.
    pub ply: Option<Ply>,
    /// What should have stood there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

/// What sort of fault a game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PgnFaultKind {
    /// A word is no move.
    Unreadable,
    /// A move is not legal in its position, or one of several.
    Illegal,
    /// A null move, which nobody can play.
    NullMove,
    /// A move is not written as the standard says, and only one can be meant.
    Spelling,
    /// A tag cannot be read, or stands there twice.
    Tag,
    /// The game stops without a result, or within a comment or a variation.
    CutOff,
    /// Bytes are no UTF-8 and were read as Latin-1.
    Encoding,
    /// Tag, moves, numbers or comments say two things.
    Contradiction,
}

/// A game that cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnUnplayable {
    /// Whether the variant is none that is known, or else the position is none.
    pub is_variant: bool,
    /// The line in the file, from 1.
    pub line: u64,
    /// What should have stood there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl PgnReading {
    /// Reads the one game in these bytes, which begin on this line of a file.
    ///
    /// It stops replaying at the first move that cannot be played, and reads on
    /// for the result. Nothing is put right: what two places say stays, and is
    /// a fault.
    ///
    /// # Errors
    ///
    /// When its variant is not known or its start is no position.
    pub fn of(bytes: &[u8], first_line: u64) -> Result<Self, PgnUnplayable> {
        let mut reader = Reader::of(bytes, first_line);
        let mut lexer = Lexer::of(bytes);
        let mut boundary = Boundary::default();
        let mut board = None;
        while let Ok(token) = lexer.next() {
            let standing = boundary.take(&token.kind);
            if standing == Standing::Next {
                break;
            }
            match token.kind {
                TokenKind::Tag { name, value } => {
                    reader.tag(token.at, name, value);
                    continue;
                }
                TokenKind::BrokenTag(line) => {
                    let expected = "a tag such as [White \"name\"]";
                    reader.fault(PgnFaultKind::Tag, token.at, None, expected, line);
                    continue;
                }
                _ => {}
            }
            if let TokenKind::OpenComment(_) = token.kind {
                let expected = "a comment with a closing brace";
                reader.fault(PgnFaultKind::CutOff, token.at, None, expected, b"none");
            }
            if standing == Standing::Aside {
                continue;
            }
            let board = match &mut board {
                Some(board) => board,
                none => none.insert(reader.set_up()?),
            };
            reader.main(&token, board);
            if standing == Standing::Last {
                break;
            }
        }
        let board = match board {
            Some(board) => board,
            None => reader.set_up()?,
        };
        Ok(reader.finish(bytes.len(), &boundary, board))
    }

    /// The value of a tag, the first one of its name; nothing where there is
    /// none or it says that nothing is known (`?`, `-` or no text).
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|tag| tag.name == name)?;
        let value = tag.value.trim();
        (!matches!(value, "" | "?" | "-")).then_some(value)
    }
}
