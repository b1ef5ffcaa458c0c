//! A start position and moves, one a line: legal or refused, and written back.

use scoresheet::chess::{Fen, Game, PgnGame, PgnMove, Rules, UciMove, Variant};

use super::message;

/// Nobody needs a longer game to find a fault.
const MOVES_MAX: usize = 200;

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let mut lines = text.split('\n');
    let fen = match lines.next().unwrap_or_default().parse::<Fen>() {
        Ok(fen) => fen,
        Err(error) => return message::is_sayable(&error.to_string()),
    };
    assert!(text.starts_with(fen.as_str()));
    let lines: Vec<_> = lines.take(MOVES_MAX).collect();
    let plays = [Variant::Standard, Variant::Chess960].map(|variant| play(&fen, variant, &lines));
    assert!(plays.contains(&true), "a position that nobody can play");
}

/// Whether the position is one of this variant; plays what is legal in it.
fn play(fen: &Fen, variant: Variant, lines: &[&str]) -> bool {
    let mut game = match Game::new(fen, variant, Rules::ChessJs14) {
        Ok(game) => game,
        Err(error) => {
            message::is_sayable(&error.to_string());
            return false;
        }
    };
    for line in lines {
        match line.parse::<UciMove>() {
            Ok(uci) => {
                assert_eq!(uci.to_string(), *line);
                step(&mut game, uci);
            }
            Err(error) => message::is_sayable(&error.to_string()),
        }
    }
    let written = PgnGame {
        tags: vec![],
        start: fen.clone(),
        variant,
        comments: vec![],
        moves: game.moves().iter().copied().map(plain).collect(),
        result: game.natural_end().map(|end| end.0),
    };
    let pgn = written.write().unwrap();
    assert!(pgn.lines().all(|line| line.len() < 120), "{pgn}");
    true
}

fn plain(uci: UciMove) -> PgnMove {
    let comments = vec![];
    PgnMove { uci, comments }
}

fn step(game: &mut Game, uci: UciMove) {
    let legal = game.legal_moves();
    assert!(legal.is_sorted());
    let is_legal = legal.contains(&uci);
    assert_eq!(game.is_legal(uci), is_legal);
    assert_eq!(game.san_of(uci).is_some(), is_legal);
    let before = game.fen();
    match game.play(uci) {
        Ok(()) => {
            assert!(is_legal);
            // The position that is written down is the position.
            let fen = game.fen();
            let read = fen.position(game.variant()).unwrap();
            assert_eq!(read.fen(), fen);
            assert_eq!(read.legal_moves(), game.legal_moves());
        }
        Err(error) => {
            assert!(!is_legal);
            assert_eq!(game.fen(), before);
            message::is_sayable(&error.to_string());
        }
    }
}
