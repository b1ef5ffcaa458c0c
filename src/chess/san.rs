//! Moves as people write them.

use shakmaty::Move;
use shakmaty::san::{San, SanError};

use crate::chess::{Position, UciMove};

/// Why a text is no move of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SanFault {
    /// It is written like no move.
    Unreadable,
    /// It is no legal move.
    Illegal,
    /// It could be one of several.
    Ambiguous,
}

impl Position {
    /// Returns the one legal move that a text can mean: in standard algebraic
    /// notation, or loosely written, such as `0-0`, `e2-e4`, `e2e4` or a capture
    /// without `x`. Marks of check and mate are not looked at.
    ///
    /// # Errors
    ///
    /// Why it is none.
    pub fn read_san(&self, text: &str) -> Result<UciMove, SanFault> {
        let plain = text.trim_end_matches(['+', '#', '!', '?']);
        let (played, _) = self.read_move(plain.as_bytes())?;
        UciMove::of(played, self.mode()).ok_or(SanFault::Illegal)
    }

    /// Reads a move without its marks, and says whether it is written as the
    /// standard says.
    pub(in crate::chess) fn read_move(&self, text: &[u8]) -> Result<(Move, bool), SanFault> {
        let read = San::from_ascii(text).ok();
        let fault = match read.map(|san| san.to_move(self.chess())) {
            Some(Ok(played)) => return Ok((played, true)),
            Some(Err(SanError::AmbiguousSan)) => SanFault::Ambiguous,
            Some(Err(SanError::IllegalSan)) => SanFault::Illegal,
            None => SanFault::Unreadable,
        };
        let loosely = self.read_loosely(text, read);
        loosely.map(|played| (played, false)).ok_or(fault)
    }

    fn read_loosely(&self, text: &[u8], read: Option<San>) -> Option<Move> {
        let san = |text: &[u8]| San::from_ascii(text).ok();
        match text {
            b"0-0" | b"o-o" => return san(b"O-O")?.to_move(self.chess()).ok(),
            b"0-0-0" | b"o-o-o" => return san(b"O-O-O")?.to_move(self.chess()).ok(),
            _ => {}
        }
        let plain: Vec<_> = text.iter().copied().filter(|c| *c != b'-').collect();
        let words = std::str::from_utf8(&plain).ok();
        if let Some(uci) = words.and_then(|text| text.to_ascii_lowercase().parse::<UciMove>().ok())
            && self.is_legal(uci)
        {
            return uci.to_library().to_move(self.chess()).ok();
        }
        let read = read.or_else(|| san(&plain))?;
        if let Ok(played) = read.to_move(self.chess()) {
            return Some(played);
        }
        match read {
            San::Normal {
                role,
                file,
                rank,
                capture,
                to,
                promotion,
            } => {
                let other = San::Normal {
                    role,
                    file,
                    rank,
                    capture: !capture,
                    to,
                    promotion,
                };
                other.to_move(self.chess()).ok()
            }
            _ => None,
        }
    }
}
