//! What holds of every prompt, in any game.

use proptest::prelude::*;
use scoresheet::chess::{Fen, Game, Rules, UciMove, Variant, chess960_start};
use scoresheet::run::prompts::{Actions, MovesSoFar, StateForm, TrackA};

use crate::prompts::cases::{ANCHORED, CHESSBENCH, TRACK_A, cases};

/// Words that would tell a player of `chessbench-v3` what it plays for, against
/// whom, or how well.
const HINTS: [&str; 20] = [
    "bench",
    "evaluat",
    "rating",
    "elo ",
    "elo:",
    "rank ",
    "ranking",
    "standing",
    "leaderboard",
    "stockfish",
    "engine",
    "centipawn",
    "score",
    "blunder",
    "mistake",
    "llm",
    "language model",
    "ai ",
    "human",
    "test",
];

#[test]
fn no_text_of_chessbench_hints_at_an_evaluation_an_opponent_or_an_engine() {
    let texts = cases();
    let mut texts = texts
        .iter()
        .filter(|(name, _)| name.starts_with("chessbench-v3/"));
    assert!(texts.clone().count() >= 10);
    for template in CHESSBENCH.templates() {
        let text = template.text().to_lowercase();
        for hint in HINTS {
            // The last rank of the board is none.
            let text = text.replace("the last rank needs", "");
            assert!(!text.contains(hint), "{}: {hint}", template.name());
        }
    }
    assert!(texts.all(|(_, text)| !text.to_lowercase().contains("bench")));
}

#[test]
fn no_candidate_shows_its_rank_or_score() {
    let texts = cases();
    let (_, text) = texts
        .iter()
        .find(|(name, _)| *name == "track-a/candidates")
        .unwrap();
    let line = text
        .lines()
        .find(|line| line.starts_with("Candidate moves"))
        .unwrap();
    let (_, moves) = line.rsplit_once(": ").unwrap();
    let mut moves: Vec<_> = moves.split(' ').collect();
    assert_ne!(
        moves,
        ["f1c4", "f1b5", "d2d4"],
        "the order is not the engine's"
    );
    moves.sort_unstable();
    assert_eq!(moves, ["d2d4", "f1b5", "f1c4"]);
}

/// A game after some moves.
fn games() -> impl Strategy<Value = Game> {
    let start = prop_oneof![
        Just((Fen::standard_start(), Variant::Standard)),
        Just((
            "8/PPP4k/8/8/8/8/4Kppp/8 b - - 7 70".parse().unwrap(),
            Variant::Standard
        )),
        (0_u16..960).prop_map(|number| (chess960_start(number).unwrap(), Variant::Chess960)),
    ];
    let picks = prop::collection::vec(any::<prop::sample::Index>(), 0..80);
    (start, picks).prop_map(|((fen, variant), picks)| {
        let mut game = Game::new(&fen, variant, Rules::ChessJs14).unwrap();
        for pick in picks {
            let legal = game.legal_moves();
            if !legal.is_empty() {
                game.play(*pick.get(&legal)).unwrap();
            }
        }
        game
    })
}

/// What stands behind the beginning of a line.
fn after<'a>(text: &'a str, beginning: &str) -> &'a str {
    text.lines()
        .find_map(|line| line.strip_prefix(beginning))
        .unwrap()
}

/// The placement of a FEN from the piece lists.
fn placement(text: &str) -> String {
    let mut board = [['1'; 8]; 8];
    let mut is_white = true;
    for line in text.lines() {
        match line {
            "White:" | "White (Your pieces):" => is_white = true,
            "Black:" | "Black (Your pieces):" => is_white = false,
            _ => {}
        }
        let Some((kind, squares)) = line
            .strip_prefix("- ")
            .and_then(|line| line.split_once(": "))
        else {
            continue;
        };
        let letter = match kind {
            "knights" => 'n',
            kind => kind.chars().next().unwrap(),
        };
        for square in squares.split(' ').filter(|square| *square != "none") {
            let square = square.as_bytes();
            let (file, rank) = (usize::from(square[0] - b'a'), usize::from(square[1] - b'1'));
            board[7 - rank][file] = if is_white {
                letter.to_ascii_uppercase()
            } else {
                letter
            };
        }
    }
    let ranks = board.map(|rank| rank.iter().collect::<String>());
    ranks.join("/")
}

/// The placement of a FEN with a `1` for every empty square.
fn spelled_out(fen: &str) -> String {
    let digits = |c: char| {
        c.to_digit(10)
            .map_or_else(|| c.to_string(), |n| "1".repeat(n as usize))
    };
    fen.split(' ').next().unwrap().chars().map(digits).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn chessbench_states_the_whole_position_in_every_request(game in games()) {
        let text = CHESSBENCH.turn(&game, &mut MovesSoFar::default());
        let fen = game.fen();
        prop_assert_eq!(after(&text, "FEN: "), fen.as_str());
        let lists = text.split_once("Moves so far").unwrap().0;
        prop_assert_eq!(placement(lists), spelled_out(fen.as_str()));
        let legal = game.legal_moves();
        let legal: Vec<_> = legal.iter().map(UciMove::as_str).collect();
        let expected = if legal.is_empty() { "none".to_owned() } else { legal.join(" ") };
        prop_assert_eq!(after(&text, "Your legal moves (UCI): "), expected);
        let moves = after(&text, "Moves so far (SAN): ");
        let sans: Vec<_> = moves.split(' ').filter(|word| !word.ends_with('.')).collect();
        let expected = if game.moves().is_empty() { vec!["none".to_owned()] } else { game.san_moves() };
        prop_assert_eq!(sans, expected);
        prop_assert_eq!(text.matches("(Your pieces)").count(), 1);
        prop_assert!(!text.contains("{{"));
    }

    #[test]
    fn a_fresh_request_lists_no_legal_moves_and_states_the_position(game in games()) {
        let messages = ANCHORED.request(&game, None);
        let text = &messages[1].text;
        let fen = game.fen();
        prop_assert_eq!(after(text, "Current position (FEN): "), fen.as_str());
        prop_assert_eq!(after(text, "Start position (FEN): "), game.start().as_str());
        let played = game.moves().iter().map(UciMove::as_str).collect::<Vec<_>>().join(" ");
        let played = if played.is_empty() { "none" } else { &played };
        prop_assert_eq!(after(text, "Moves so far (UCI): "), played);
        prop_assert_eq!(text.contains("Chess960"), game.variant() == Variant::Chess960);
        prop_assert!(!text.to_lowercase().contains("legal"));
        for state in [StateForm::Fen, StateForm::Moves, StateForm::FenAndMoves, StateForm::Board] {
            let prompts = TrackA { state, actions: Actions::None, ..TRACK_A };
            let text = &prompts.request(&game, 0, None, None).unwrap()[1].text;
            let has_fen = matches!(state, StateForm::Fen | StateForm::FenAndMoves);
            prop_assert_eq!(text.contains(&format!("Position (FEN): {fen}")), has_fen);
            prop_assert!(!text.contains("{{"));
        }
    }
}
