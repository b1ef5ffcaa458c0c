//! The UCI driver against a real engine: Debian's Stockfish 15.1.

use std::path::Path;
use std::time::Duration;

use scoresheet::chess::Score;
use scoresheet::run::uci::{Answer, Engine, EngineSpec, Limit, OptionKind, engine_files};

const STOCKFISH: &str = "/usr/games/stockfish";
const PATIENCE: Duration = Duration::from_mins(1);

fn spec(options: &[(&str, &str)]) -> EngineSpec {
    assert!(
        Path::new(STOCKFISH).exists(),
        "{STOCKFISH} is not installed; tests/run installs it (Debian: stockfish)"
    );
    let list = [("Threads", "1"), ("Hash", "16")];
    EngineSpec {
        command: "stockfish".into(),
        args: Vec::new(),
        environment: vec![("PATH".into(), "/usr/bin:/usr/games".into())],
        options: list
            .iter()
            .chain(options)
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        limit: Limit::Nodes(5_000),
    }
}

fn start(options: &[(&str, &str)]) -> Engine {
    Engine::start(&spec(options), PATIENCE).unwrap()
}

fn ask(engine: &mut Engine, fen: &str) -> Answer {
    engine.search(Some(fen), false, &[], PATIENCE).unwrap()
}

/// Three answers of one game, without what a clock said.
fn answers(engine: &mut Engine) -> Vec<Answer> {
    engine.new_game(PATIENCE).unwrap();
    let mut moves: Vec<String> = Vec::new();
    let mut answers = Vec::new();
    for _ in 0..3 {
        let answer = engine.search(None, false, &moves, PATIENCE).unwrap();
        moves.push(answer.bestmove.clone().unwrap());
        answers.push(Answer {
            elapsed_ms: 0,
            ..answer
        });
    }
    answers
}

#[test]
fn fixed_nodes_give_the_same_answers_within_and_across_processes() {
    let shown = [("MultiPV", "3"), ("UCI_ShowWDL", "true")];
    let mut engine = start(&shown);
    let first = answers(&mut engine);
    assert_eq!(answers(&mut engine), first);
    assert_eq!(answers(&mut start(&shown)), first);
    for answer in first {
        assert!(5_000 <= answer.nodes.unwrap());
        assert_eq!(answer.variations.len(), 3);
        assert_eq!(
            answer.best().unwrap().moves.first(),
            answer.bestmove.as_ref()
        );
        assert_eq!(answer.wdl().unwrap().iter().sum::<u32>(), 1000);
        assert!(answer.depth().is_some());
    }
}

#[test]
fn mate_and_stalemate_have_no_move_and_a_dead_draw_has_one() {
    let mut engine = start(&[]);
    let mate = ask(&mut engine, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(
        (mate.bestmove.clone(), mate.score()),
        (None, Some(Score::Mate(0)))
    );
    let stalemate = ask(&mut engine, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(stalemate.bestmove, None);
    assert_eq!(stalemate.score(), Some(Score::Centipawns(0)));
    assert!(
        ask(&mut engine, "7k/8/6K1/8/8/8/8/8 b - - 0 1")
            .bestmove
            .is_some()
    );
    let winning = ask(&mut engine, "7k/8/6K1/8/8/8/8/Q7 w - - 0 1");
    assert_eq!(winning.score(), Some(Score::Mate(1)));
}

#[test]
fn an_illegal_move_is_dropped_by_the_engine_and_answered_for_the_wrong_side() {
    // Why the caller judges every answer: nothing here says what happened.
    let moves = ["e2e4".to_owned(), "e7e4".to_owned()];
    let answer = start(&[]).search(None, false, &moves, PATIENCE).unwrap();
    let bestmove = answer.bestmove.unwrap();
    assert!(matches!(bestmove.as_bytes()[1], b'7' | b'8'), "{bestmove}");
}

#[test]
fn castling_is_understood_the_way_that_the_game_writes_it() {
    let mut engine = start(&[]);
    let mut mover = |is_chess960: bool, castling: &str| {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let moves = [castling.to_owned()];
        let answer = engine.search(Some(fen), is_chess960, &moves, PATIENCE);
        let bestmove = answer.unwrap().bestmove.unwrap();
        // A move that is not understood is dropped, and White moves again.
        if bestmove.starts_with("e8") { 'b' } else { 'w' }
    };
    assert_eq!(mover(false, "e1g1"), 'b');
    assert_eq!(mover(true, "e1h1"), 'b');
    assert_eq!(mover(true, "e1g1"), 'w');
    assert_eq!(mover(false, "e1g1"), 'b');
    assert_eq!(mover(false, "e1h1"), 'w');
}

#[test]
fn strength_out_of_range_is_refused() {
    let limited = [("UCI_LimitStrength", "true"), ("UCI_Elo", "1100")];
    let fault = Engine::start(&spec(&limited), PATIENCE).unwrap_err();
    let text = fault.to_string();
    assert!(
        text.starts_with("option `UCI_Elo` takes an integer from 13"),
        "{text}"
    );
    assert!(text.ends_with(", not `1100`"), "{text}");
    let fault = Engine::start(&spec(&[("Elo", "1500")]), PATIENCE).unwrap_err();
    assert_eq!(fault.to_string(), "the engine has no option `Elo`");
}

#[test]
fn engine_and_net_are_identified() {
    let engine = start(&[]);
    let name = engine.identity().name.as_deref().unwrap();
    assert!(name.starts_with("Stockfish"), "{name}");
    let net = &engine.identity().option("EvalFile").unwrap().kind;
    let OptionKind::Text { default: Some(net) } = net else {
        panic!("{net:?}");
    };
    assert!(net.starts_with("nn-"), "{net}");
    let files = engine_files(&spec(&[])).unwrap();
    assert_eq!(files.len(), 1);
    assert_eq!(files[0].path, "stockfish");
    assert!(1_000_000 < files[0].bytes);
}
