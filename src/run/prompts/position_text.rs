//! The parts of a prompt that state a position.

use crate::chess::{Color, Fen, Game, Position, UciMove, Variant};
use crate::run::prompts::Template;
use crate::run::prompts::template::own;

const STANDARD: Template = own!("standard");
const CHESS960: Template = own!("chess960");

/// The texts that say which chess is played.
pub(in crate::run::prompts) const VARIANTS: [Template; 2] = [STANDARD, CHESS960];

/// Says which chess is played, and how castling is written.
pub(in crate::run::prompts) fn variant(variant: Variant) -> String {
    let template = match variant {
        Variant::Standard => STANDARD,
        Variant::Chess960 => CHESS960,
    };
    template.fill(&[])
}

/// The name of a color in a sentence.
pub(in crate::run::prompts) const fn color(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// Returns the moves of a list with single spaces between, or `none`.
pub(in crate::run::prompts) fn list(moves: &[UciMove]) -> String {
    let texts: Vec<_> = moves.iter().map(UciMove::as_str).collect();
    or_none(&texts.join(" "))
}

/// The text, or `none` where there is none.
pub(in crate::run::prompts) fn or_none(text: &str) -> String {
    if text.is_empty() { "none" } else { text }.to_owned()
}

/// Every move so far in SAN with move numbers, `1. e4 e5 2. Nf3`. Where Black
/// moved first, the text begins with `1...`.
///
/// It goes on from the moves that it has written before: a conversation tells them all
/// at every turn.
#[derive(Clone, Debug, Default)]
pub struct MovesSoFar {
    /// The start and the moves that are written, and the position after them.
    written: Option<Written>,
    text: String,
}

#[derive(Clone, Debug)]
struct Written {
    start: Fen,
    variant: Variant,
    moves: Vec<UciMove>,
    position: Position,
}

impl MovesSoFar {
    /// Returns the moves of this game, or `none`.
    pub(in crate::run::prompts) fn of(&mut self, game: &Game) -> &str {
        let is_begun = |written: &Written| {
            written.start == *game.start()
                && written.variant == game.variant()
                && game.moves().starts_with(&written.moves)
        };
        let mut written = if let Some(written) = self.written.take().filter(is_begun) {
            written
        } else {
            self.text.clear();
            let Ok(position) = game.start().position(game.variant()) else {
                // It was one when the game began.
                return "none";
            };
            Written {
                start: game.start().clone(),
                variant: game.variant(),
                moves: Vec::new(),
                position,
            }
        };
        for uci in &game.moves()[written.moves.len()..] {
            let (number, mover) = (
                written.position.fullmove_number(),
                written.position.side_to_move(),
            );
            let Some(san) = written.position.san_of(*uci) else {
                break;
            };
            if written.position.play(*uci).is_err() {
                break;
            }
            if !self.text.is_empty() {
                self.text.push(' ');
            }
            let number = match mover {
                Color::White => format!("{number}. "),
                Color::Black if self.text.is_empty() => format!("{number}... "),
                Color::Black => String::new(),
            };
            self.text.push_str(&number);
            self.text.push_str(&san);
            written.moves.push(*uci);
        }
        self.written = Some(written);
        if self.text.is_empty() {
            "none"
        } else {
            &self.text
        }
    }
}
