//! Where the games of a run file start, when they are against anchors.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::chess::{Fen, UciMove, Variant, chess960_start};
use crate::event::{CellStart, Name, Opening, Start};
use crate::run::file::{RunFileError, wrong};

/// Where games start, in this order: the same for every system.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StartsPart {
    /// So many times from the standard position.
    pub standard: u32,
    /// Start positions of Chess960 by their numbers in Scharnagl's scheme.
    pub chess960: Vec<u16>,
    /// Frozen prefixes from the standard position.
    pub prefixes: Vec<PrefixPart>,
}

/// A frozen prefix of moves.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrefixPart {
    /// Its name.
    pub name: Name,
    /// Its moves in UCI notation, with spaces between.
    pub moves: String,
}

/// The most starts that one event has room for.
const STARTS_MAX: usize = 300;

impl StartsPart {
    /// Returns the starts in their order: standard ones, Chess960, prefixes.
    pub(crate) fn starts(&self) -> Result<Vec<CellStart>, RunFileError> {
        let standard = || Start {
            fen: Fen::standard_start(),
            variant: Variant::Standard,
        };
        let plain = |start| CellStart {
            opening: None,
            start,
        };
        let count = usize::try_from(self.standard).unwrap_or(usize::MAX);
        let count = count.saturating_add(self.chess960.len() + self.prefixes.len());
        if count == 0 || STARTS_MAX < count {
            let expected = format!("1 to {STARTS_MAX} starts under [starts]");
            return Err(wrong(expected, count.to_string()));
        }
        let mut starts: Vec<_> = (0..self.standard).map(|_| plain(standard())).collect();
        for number in &self.chess960 {
            let expected = "numbers of Chess960 starts from 0 to 959";
            let fen = chess960_start(*number);
            starts.push(plain(Start {
                fen: fen.ok_or_else(|| wrong(expected, number.to_string()))?,
                variant: Variant::Chess960,
            }));
        }
        for prefix in &self.prefixes {
            starts.push(CellStart {
                opening: Some(prefix.opening()?),
                start: standard(),
            });
        }
        Ok(starts)
    }
}

impl PrefixPart {
    fn opening(&self) -> Result<Opening, RunFileError> {
        let illegal = |text: &str| {
            let expected = format!(
                "legal moves from the standard position in prefix {}",
                self.name
            );
            wrong(expected, text)
        };
        let standard = Fen::standard_start().position(Variant::Standard);
        let mut position = standard.map_err(|_| illegal("no position"))?;
        let mut moves = Vec::new();
        for text in self.moves.split_whitespace() {
            let uci: UciMove = text.parse().map_err(|_| illegal(text))?;
            position.play(uci).map_err(|_| illegal(text))?;
            moves.push(uci);
        }
        if moves.is_empty() {
            return Err(illegal("none"));
        }
        Ok(Opening {
            moves,
            name: self.name.clone(),
        })
    }
}
