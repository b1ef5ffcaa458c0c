//! Reading what an engine says of a position: only what is exact, whole, and of
//! the position that was asked about.

use std::fs;
use std::path::Path;
use std::time::Duration;

use scoresheet::chess::{Fen, Position, Score, Variant};
use scoresheet::run::uci::{Analysis, Engine, EngineSpec, Limit};
use serde_json::Value;

use crate::script::Script;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MATED: &str = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const PATIENCE: Duration = Duration::from_mins(2);

fn position(fen: &str) -> Position {
    let fen: Fen = fen.parse().unwrap();
    fen.position(Variant::Standard).unwrap()
}

/// What is read of these lines, in short, or why it is refused.
fn read(fen: &str, lines: &[&str]) -> Result<String, String> {
    let bytes: Vec<_> = lines.iter().map(|line| line.as_bytes()).collect();
    let analysis = Analysis::read(bytes, &position(fen));
    analysis
        .map(|one| in_short(&one))
        .map_err(|fault| fault.to_string())
}

fn in_short(analysis: &Analysis) -> String {
    let best = analysis
        .best
        .map_or("none".to_owned(), |uci| uci.to_string());
    let lines = analysis.lines.iter().map(|line| {
        let pv: Vec<_> = line.pv.iter().map(ToString::to_string).collect();
        format!(" | {} {}", line.score, pv.join(" "))
    });
    best + &lines.collect::<String>()
}

#[test]
fn the_last_exact_line_of_each_rank_counts_in_whatever_order_they_come() {
    let lines = [
        "info depth 7 multipv 1 score cp 12 nodes 900 pv d2d4",
        "info depth 8 multipv 3 score cp 5 nodes 4100 pv g1f3",
        "info depth 8 multipv 1 score cp 31 wdl 60 930 10 nodes 4000 pv e2e4 e7e5",
        "info depth 8 multipv 2 score cp 28 nodes 4500 pv d2d4",
        "info depth 9 multipv 1 score cp 90 lowerbound nodes 5000 pv c2c4",
        "info depth 9 multipv 2 score cp -90 wdl 0 900 100 upperbound nodes 5017 pv a2a3",
        "bestmove e2e4 ponder e7e5",
    ];
    let read_in = |lines: &[&str]| read(START, lines).unwrap();
    let expected = "e2e4 | cp 31 e2e4 e7e5 | cp 28 d2d4 | cp 5 g1f3";
    assert_eq!(read_in(&lines), expected);
    let analysis = Analysis::read(lines.map(str::as_bytes), &position(START)).unwrap();
    assert_eq!(analysis.nodes, Some(5017));
    assert_eq!(analysis.lines[0].wdl, Some([60, 930, 10]));
    assert_eq!(
        (analysis.lines[0].depth, analysis.lines[0].nodes),
        (Some(8), Some(4000))
    );
    assert_eq!(analysis.lines[1].wdl, None);
    // Behind a gap in the ranks nothing is kept.
    let gap = ["info multipv 1 score cp 1 pv e2e4", lines[1], lines[6]];
    assert_eq!(read_in(&gap), "e2e4 | cp 1 e2e4");
}

#[test]
fn garbage_changes_nothing_however_long_it_is_and_whatever_bytes_it_has() {
    let huge = "x".repeat(1 << 20);
    let long_pv = format!(
        "info depth 1 score cp 7 pv e2e4 {}",
        "a7a6 ".repeat(200_000)
    );
    let lines: [&[u8]; 8] = [
        b"\xff\xfe\x00info score cp 99",
        huge.as_bytes(),
        long_pv.as_bytes(),
        b"info depth x score cp 3 pv d2d4",
        b"info score cp 1e3",
        b"info string score cp 500 pv a2a3",
        b"",
        b"bestmove e2e4\r",
    ];
    let analysis = Analysis::read(lines, &position(START)).unwrap();
    // Black's a7a6 is legal once; what follows is not, and is not kept.
    assert_eq!(in_short(&analysis), "e2e4 | cp 7 e2e4 a7a6");
    let silence: [&[u8]; 2] = [b"info depth 1 score cp 7 pv e2e4", b"bestmovee2e4"];
    let fault = Analysis::read(silence, &position(START)).unwrap_err();
    assert_eq!(
        fault.to_string(),
        format!("the engine gave no answer on {START}")
    );
}

#[test]
fn a_move_that_is_not_legal_refuses_the_whole_and_is_named() {
    let line = "info score cp 1 pv e2e4";
    for (lines, found) in [
        (vec![line, "bestmove e7e5"], "e7e5"),
        (vec![line, "bestmove e1g1"], "e1g1"),
        (vec![line, "bestmove E2E4"], "E2E4"),
        (vec!["info score cp 1 pv e2e5", "bestmove e2e4"], "e2e5"),
        (
            vec![line, "info multipv 2 score cp 1 pv e8e7", "bestmove e2e4"],
            "e8e7",
        ),
    ] {
        let fault = read(START, &lines).unwrap_err();
        let expected =
            format!("the engine answered {found} on {START}, where that is no legal move");
        assert_eq!(fault, expected);
    }
    let hidden = read(START, &[line, "bestmove \u{1b}[2J"]).unwrap_err();
    assert!(hidden.contains("\\u{1b}[2J"), "{hidden}");
}

#[test]
fn without_an_exact_score_of_the_best_line_there_is_no_analysis() {
    let bound = "info depth 1 score cp 30 upperbound nodes 20 pv e2e4";
    for lines in [
        vec!["bestmove e2e4"],
        vec![bound, "bestmove e2e4"],
        vec!["info multipv 2 score cp 1 pv d2d4", "bestmove e2e4"],
    ] {
        let fault = read(START, &lines).unwrap_err();
        assert!(
            fault.starts_with("the engine gave no exact score"),
            "{fault}"
        );
    }
    let chances = ["info score cp 1 wdl 500 500 1 pv e2e4", "bestmove e2e4"];
    let fault = read(START, &chances).unwrap_err();
    assert!(
        fault.starts_with("the engine gave chances of 1001 per mille"),
        "{fault}"
    );
}

#[test]
fn a_position_without_a_move_has_the_score_that_the_rules_give_and_no_other() {
    let [mate, draw] = ["info depth 0 score mate 0", "info depth 0 score cp 0"];
    for none in ["bestmove (none)", "bestmove 0000"] {
        assert_eq!(read(MATED, &[mate, none]).unwrap(), "none | mate 0 ");
        assert_eq!(read(STALEMATED, &[draw, none]).unwrap(), "none | cp 0 ");
        assert_eq!(read(MATED, &[none]).unwrap(), "none");
        // What an engine says that was given no position.
        let fault = read(MATED, &[draw, none]).unwrap_err();
        assert!(
            fault.contains("scored cp 0") && fault.ends_with("is mated"),
            "{fault}"
        );
        let fault = read(STALEMATED, &[mate, none]).unwrap_err();
        assert!(fault.ends_with("is stalemated"), "{fault}");
        let fault = read(START, &[draw, none]).unwrap_err();
        assert!(fault.starts_with("the engine found no move on"), "{fault}");
    }
    let fault = read(MATED, &[mate, "bestmove h8h7"]).unwrap_err();
    assert!(fault.contains("answered h8h7"), "{fault}");
}

#[test]
fn a_late_answer_to_the_search_before_is_not_taken_for_this_one() {
    let script = Script::new(
        "isready) if [ -n \"$late\" ]; then\n\
             echo 'info depth 30 score mate 1 pv a2a3'; echo 'bestmove a2a3'; late=; fi\n\
             echo readyok;;\n\
         go) late=1; echo 'info depth 1 score cp 30 nodes 20 pv e2e4'; echo 'bestmove e2e4';;",
    );
    let mut engine = Engine::start(&script.spec, PATIENCE).unwrap();
    for _ in 0..3 {
        engine.new_game(PATIENCE).unwrap();
        let answer = engine.search(Some(START), false, &[], PATIENCE).unwrap();
        let analysis = Analysis::of(&answer, &position(START)).unwrap();
        assert_eq!(in_short(&analysis), "e2e4 | cp 30 e2e4");
    }
}

/// Recorded outputs, where they stand beside the project.
fn goldens() -> Option<Value> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../shared/data/vectors/engine_golden.json"
    );
    Some(serde_json::from_slice(&fs::read(path).ok()?).unwrap())
}

/// The engine that made these outputs, where it is installed with the very
/// same files.
fn installed(golden: &Value) -> Option<EngineSpec> {
    let name = golden["engine"].as_str().unwrap();
    let (command, args) = if name.starts_with("debian stockfish") {
        ("/usr/games/stockfish".to_owned(), Vec::new())
    } else {
        let folder = crate::tool::environment("SCORESHEET_TEST_STOCKFISH")?;
        let build = name.rsplit(' ').next().unwrap();
        let script = Path::new(&folder).join("bin").join(format!("{build}.js"));
        ("/usr/bin/node".to_owned(), vec![script.into_os_string()])
    };
    let named = [
        ("Hash", "16"),
        ("MultiPV", "3"),
        ("Threads", "1"),
        ("UCI_ShowWDL", "true"),
    ];
    let spec = EngineSpec {
        command: command.into(),
        args,
        environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
        options: named.map(|(n, v)| (n.to_owned(), v.to_owned())).into(),
        limit: Limit::Nodes(1),
    };
    let files = scoresheet::run::uci::engine_files(&spec).ok()?;
    let digests = golden["sha256"].as_object().unwrap();
    let is_there = digests.iter().all(|(name, digest)| {
        let mut files = files.iter();
        files.any(|file| file.path == *name && file.sha256.to_string() == *digest)
    });
    is_there.then_some(spec)
}

fn assert_golden(result: &Value, analysis: &Analysis) {
    let best = analysis.best.map(|uci| uci.to_string());
    assert_eq!(best.as_deref(), result["bestmove"].as_str(), "{result}");
    let expected = result["last_exact_by_multipv"].as_object().unwrap();
    assert_eq!(analysis.lines.len(), expected.len(), "{result}");
    for (rank, line) in (1..).zip(&analysis.lines) {
        let expected = &expected[&format!("{rank}")];
        assert_eq!(line.score.to_string(), expected["score"], "{result}");
        assert_eq!(line.depth.map(Value::from), Some(expected["depth"].clone()));
        assert_eq!(line.nodes.map(Value::from), Some(expected["nodes"].clone()));
        assert_eq!(line.pv[0].to_string(), expected["pv0"], "{result}");
        let wdl = line.wdl.map(|wdl| Value::from(wdl.to_vec()));
        assert_eq!(wdl, Some(expected["wdl"].clone()), "{result}");
    }
}

/// Reads the outputs again that somebody else recorded and took apart, from the
/// engines that made them, where they are installed: fixed nodes give the same
/// lines on every machine.
#[test]
fn engines_that_are_installed_say_what_they_said_when_others_recorded_it() {
    let Some(goldens) = goldens() else { return };
    let mut n_compared = 0;
    for golden in goldens.as_array().unwrap() {
        let Some(spec) = installed(golden) else {
            eprintln!("not installed: {}", golden["engine"]);
            continue;
        };
        for result in golden["results"].as_array().unwrap() {
            let go = result["go"].as_str().unwrap();
            let nodes: u64 = go.strip_prefix("go nodes ").unwrap().parse().unwrap();
            // The large ones take long in a build for node.
            if 20_000 < nodes && !golden["engine"].as_str().unwrap().starts_with("debian") {
                continue;
            }
            let spec = EngineSpec {
                limit: Limit::Nodes(nodes),
                ..spec.clone()
            };
            let mut engine = Engine::start(&spec, PATIENCE).unwrap();
            engine.new_game(PATIENCE).unwrap();
            let fen = result["fen"].as_str().unwrap();
            let answer = engine.search(Some(fen), false, &[], PATIENCE).unwrap();
            let analysis = Analysis::of(&answer, &position(fen)).unwrap();
            assert_golden(result, &analysis);
            n_compared += 1;
        }
    }
    eprintln!("{n_compared} compared");
}

#[test]
fn a_mate_that_is_found_is_a_score_in_moves() {
    let lines = [
        "info depth 5 score mate -2 wdl 0 0 1000 pv g8h8 f7f8q",
        "bestmove g8h8",
    ];
    let bytes = lines.map(str::as_bytes);
    let fen = "6k1/5P2/6K1/8/8/8/8/5R2 b - - 0 1";
    let analysis = Analysis::read(bytes, &position(fen)).unwrap();
    assert_eq!(analysis.lines[0].score, Score::Mate(-2));
    assert_eq!(analysis.lines[0].pv.len(), 2);
}

#[test]
fn a_mate_is_refused_where_its_line_goes_on_to_it_and_does_not_mate() {
    let best = "bestmove g6f6";
    // Black's king on h8, White's on g6: Ra8 mates, Rb1 does not.
    let fen = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
    for (line, is_read) in [
        ("mate 1 pv a1a8", true),
        ("mate 1 pv a1b1", false),
        ("mate 1 pv a1b1 h8g8", false),
        ("mate 1", true),
        ("mate 2 pv a1b1 h8g8 b1b8", true),
        ("mate 2 pv a1b1 h8g8 b1b7", false),
        // Cut short, or broken by what is not legal: nothing is shown.
        ("mate 2 pv a1b1 h8g8", true),
        ("mate 2 pv a1b1 h8h7 b1b8", true),
        ("mate 2147483647 pv a1a8", true),
        ("mate -2147483648 pv a1a8", true),
        ("mate -1 pv a1b1 h8g8", false),
        ("mate 0 pv a1a8", false),
        ("cp 900 pv a1b1", true),
    ] {
        let line = format!("info depth 5 score {line}");
        let found = read(fen, &[&line, best]);
        assert_eq!(found.is_ok(), is_read, "{line}: {found:?}");
        if let Err(fault) = found {
            assert!(
                fault.ends_with("the line that it shows does not mate"),
                "{fault}"
            );
        }
    }
    let other = [
        "info multipv 1 score mate 1 pv a1a8",
        "info multipv 2 score mate 1 pv a1b1",
        best,
    ];
    assert!(read(fen, &other).is_err());
}
