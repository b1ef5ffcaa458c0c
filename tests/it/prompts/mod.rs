//! What models are sent: a golden file a case that a person can read and hold
//! against the protocols, and the laws of all of them.

mod cases;
mod laws;
mod protocols;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use scoresheet::chess::{Fen, Game, Rules, Variant};
use scoresheet::run::prompts::Message;

use crate::events::{at_home, compare, files};

/// A game after these moves from a position.
pub(crate) fn game(fen: &str, variant: Variant, moves: &str) -> Game {
    let mut game = Game::new(&fen.parse().unwrap(), variant, Rules::ChessJs14).unwrap();
    for uci in moves.split_whitespace() {
        game.play(uci.parse().unwrap()).unwrap();
    }
    game
}

/// A game of standard chess after these moves.
pub(crate) fn standard(moves: &str) -> Game {
    game(Fen::standard_start().as_str(), Variant::Standard, moves)
}

/// The messages as a person reads them.
pub(crate) fn shown<'a>(messages: impl IntoIterator<Item = &'a Message>) -> String {
    let mut text = String::new();
    for message in messages {
        let answers = message
            .answers
            .as_ref()
            .map(|id| format!(", answer to {id}"));
        writeln!(
            text,
            "=== {}{}",
            message.role.as_str(),
            answers.unwrap_or_default()
        )
        .unwrap();
        for item in &message.items {
            writeln!(text, "[item] {item}").unwrap();
        }
        for call in &message.tool_calls {
            writeln!(
                text,
                "[tool call {}] {} {}",
                call.id, call.name, call.arguments
            )
            .unwrap();
        }
        if !message.text.is_empty() {
            writeln!(text, "{}", message.text).unwrap();
        }
    }
    text
}

#[test]
fn what_models_are_sent_is_what_the_golden_files_say() {
    let mut names = BTreeSet::new();
    for (name, text) in cases::cases() {
        let path = format!("tests/prompts/{name}.txt");
        fs::create_dir_all(at_home(&path).parent().unwrap()).unwrap();
        compare(&path, &text);
        assert!(names.insert(at_home(&path)), "{name} stands there twice");
    }
    for protocol in ["chessbench-v3", "anchored", "track-a", "puzzles"] {
        for file in files(&format!("tests/prompts/{protocol}"), "txt") {
            assert!(names.contains(&file), "{} is no case", file.display());
        }
    }
}
