//! The parts of a prompt that state a position.

use crate::chess::{Color, Game, UciMove, Variant};
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

/// Returns every move so far in SAN with move numbers, `1. e4 e5 2. Nf3`, or
/// `none`. Where Black moved first, the text begins with `1...`.
pub(in crate::run::prompts) fn numbered(game: &Game) -> String {
    let start = game.start().position(game.variant());
    let (mut number, mut mover) = start.map_or((1, Color::White), |position| {
        (position.fullmove_number(), position.side_to_move())
    });
    let mut words = Vec::new();
    for san in game.san_moves() {
        match mover {
            Color::White => words.push(format!("{number}.")),
            Color::Black if words.is_empty() => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(san);
        if mover == Color::Black {
            number = number.saturating_add(1);
        }
        mover = mover.other();
    }
    or_none(&words.join(" "))
}
