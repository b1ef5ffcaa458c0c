//! PGN files in all the forms that are out there.

use std::fmt::Write as _;

use scoresheet::chess::{PgnGame, PgnMove};
use scoresheet::event::GameImported;
use scoresheet::import::Splitter;
use scoresheet::projection::{GameChoice, games_pgn};

use super::{bodies, import, project, survives, told};
use crate::evidence::Evidence;
use crate::story::{TIME, body};

/// A game a form, small and made by hand.
pub(crate) const SAMPLE: &[u8] = b"\xef\xbb\xbf[Event \"Clocks\"]\r\n[White \"a \\\"b\\\"\"]\r\n[Black \"?\"]\r\n[Result \"0-1\"]\r\n[WhiteElo \"1028\"]\r\n[PlyCount \"4\"]\r\n[Termination \"Normal\"]\r\n\r\n1. f3 { [%eval -0.5,12] [%clk 0:05:00] } 1... e5 $1 {[%eval 0.3][%emt 0:00:01.5]}\r\n2. g4?? (2. e4 Nc6 (2... Nf6 1-0) 3. Nf3 {a ) b}) 2... Qh4# 0-1\r\n\r\n\
[Event \"Latin \xe9\"]\n[Result \"1-0\"]\n\n1. e4 e5 {never closed\n\n\
[Event \"Engines\"]\n[White \"x\"]\n[Black \"y\"]\n[Result \"0-1\"]\n[FEN \"nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1\"]\n[SetUp \"1\"]\n[Termination \"adjudication\"]\n[Variant \"fischerandom\"]\n\n1. d4 {+0.13/12 0.29s} d5 {-M4/15 0.30s} {, White mates}\n2. 0-1\n\n\
[Result \"1-0\"] e4 0-1\n\n\
[Event \"Odds\"]\n[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1\"]\n[Result \"*\"]\n\n1.e4 e5 2.-- d6 *\n\n\
[Event \"Illegal\"]\n[Result \"1-0\"]\n[PlyCount \"7\"]\n\n1. e4 e5 2. Ke3 d6 1-0\n\n\
[Event \"Numbers\"]\n[Result \"1/2-1/2\"]\n[Result \"1-0\"]\n\n1. e4 e5 3. Nf3+ Nc6 1/2-1/2\n\n\
[Event \"Atomic\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n\
[Event \"Mated\"]\n[Result \"*\"]\n\n1. f3 e5 2. g4 Qh4# *\n\n\
[Event \"broken]\n[White \"w\"]\n\n1. e2e4 e7-e5 2. 0-0-0 *\n\n\
[Event \"No Start\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*\n\n\
1. e4 1-0 1. d4 xyzzy 1/2-1/2\n; a line\n% [Event \"no\"]\n\
[Event \"Cut\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 (2. f4 ex";

/// Each game of it.
pub(crate) fn games() -> Vec<Vec<u8>> {
    let block = Splitter::of(SAMPLE).next_block().unwrap().unwrap();
    block
        .games
        .iter()
        .map(|game| block.bytes(game).to_vec())
        .collect()
}

#[test]
fn each_game_is_read_as_far_as_it_goes_and_each_fault_has_its_line() {
    let bundle = project();
    let report = import(&bundle, "pgn", "a.pgn", SAMPLE);
    let mut page = told(&report);
    for kind in ["game.imported", "game.skipped", "import.finished"] {
        for mut game in bodies(&bundle, kind) {
            let fields = game.as_object_mut().unwrap();
            fields.remove("import");
            fields.remove("faults");
            writeln!(page, "{kind} {game}").unwrap();
        }
    }
    insta::assert_snapshot!(page);
    let verified = bundle.run(&["verify"]);
    assert_eq!(verified.code, 0, "{}", verified.out);
    assert!(verified.out.contains("import-contradicted"));
}

#[test]
fn a_credential_in_a_header_gets_nowhere() {
    let bundle = project();
    let token = ["ghp", "_", &"a1B2c3D4e5F6".repeat(3)].concat();
    let text = format!("[White \"{token}\"]\n\n1. e4 *\n\n[White \"b\"]\n\n1. d4 *\n");
    let report = import(&bundle, "pgn", "a.pgn", text.as_bytes());
    let source = &report["sources"][0];
    assert_eq!(
        (&source["games"], &source["skipped"]),
        (&1.into(), &1.into())
    );
    let said = bundle
        .files()
        .into_iter()
        .filter(|(name, _)| name != "a.pgn");
    let token = token.as_bytes();
    for (name, bytes) in said {
        let has_it = bytes.windows(20).any(|window| window == &token[4..24]);
        assert!(!has_it, "{name}");
    }
}

#[test]
fn identical_games_are_different_games_and_long_ones_leave_their_remarks() {
    let bundle = project();
    let moves =
        "{[%clk 0:00:01]} Nf3 {[%clk 0:00:01]} Nf6 {[%clk 0:00:01]} Ng1 {[%clk 0:00:01]} Ng8 ";
    let long = format!("[Event \"x\"]\n\n{} *\n\n", moves.repeat(500));
    let text = format!("{}{long}", "[Event \"x\"]\n\n1. e4 *\n\n".repeat(2));
    let report = import(&bundle, "pgn", "a.pgn", text.as_bytes());
    assert_eq!(report["sources"][0]["games"], 3);
    let games = bodies(&bundle, "game.imported");
    assert_eq!(games[0]["moves"], games[1]["moves"]);
    assert_eq!(games[2]["moves"].as_array().unwrap().len(), 2000);
    assert!(games[2].get("remarks").is_none());
    assert!(told(&report).contains("remarks on moves too many"));
}

#[test]
fn what_is_exported_comes_back_as_the_same_games() {
    let (projection, source) = Evidence::new().project();
    let choice = GameChoice {
        with_aborted: true,
        ..GameChoice::default()
    };
    let pgn = games_pgn(&projection, &source, &choice).unwrap();
    let bundle = project();
    let report = import(&bundle, "pgn", "a.pgn", pgn.as_bytes());
    assert_eq!(told(&report), "", "nothing is wrong with what we write");
    let games = bodies(&bundle, "game.imported");
    assert_eq!(games.len(), projection.games.iter().count());
    for (mine, theirs) in projection.games.iter().zip(games) {
        let theirs: GameImported = body(theirs);
        let moves: Vec<_> = projection.move_list(mine).moves;
        let moves: Vec<_> = moves.iter().map(|listed| listed.uci).collect();
        assert_eq!(theirs.moves, moves);
        assert_eq!(theirs.start, mine.started.start);
        assert_eq!(theirs.result(), mine.result());
        let name = projection.name_of(&mine.started.seats.white);
        assert_eq!(theirs.white.name, Some(name));
        let id = mine.id.to_string();
        assert!(theirs.details.iter().any(|detail| detail.value == id));
        let again = PgnGame {
            tags: Vec::new(),
            start: theirs.start.fen.clone(),
            variant: theirs.start.variant,
            comments: Vec::new(),
            moves: moves
                .into_iter()
                .map(|uci| PgnMove {
                    uci,
                    comments: Vec::new(),
                })
                .collect(),
            result: theirs.result(),
        };
        again.write().unwrap();
    }
}

#[test]
fn a_file_that_cannot_be_read_to_its_end_is_never_marked_as_whole() {
    let bundle = project();
    bundle.write("a.pgn.zst", b"no frame");
    let path = bundle.at("a.pgn.zst");
    let args = ["import", "pgn", path.to_str().unwrap(), "--time", TIME];
    assert_eq!(bundle.run(&args).code, 2);
    assert!(bodies(&bundle, "import.finished").is_empty());
    bundle.must(&["verify"]);
}

#[test]
fn every_truncation_and_every_flipped_byte_is_survived() {
    for game in games() {
        survives("pgn", &game);
    }
    let check = crate::harness::of("pgn").check;
    check(SAMPLE);
}
