//! Endgame tables: what they say beside python-chess, what happens where they are
//! damaged or not there, and what a ledger and its boards make of them.
//!
//! `SCORESHEET_TEST_SYZYGY` names a folder with tables of three and four pieces,
//! which come with the sources of python-chess; tests/run sets it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use scoresheet::chess::{Fen, Game, GameResult, Rules, Tablebase, Termination, Variant};
use scoresheet::digest::Digest;
use scoresheet::event::{CorrectionRecorded, EventId, TablebaseProbed, What};
use scoresheet::ledger::verify;
use scoresheet::projection::Projection;
use scoresheet::run::TableFolders;
use serde_json::{Value, json};

use crate::anchored_board::{Contest, Setting, bundle};
use crate::bundle::Bundle;
use crate::export::fed;
use crate::story::body;
use crate::tool::environment;

fn folder() -> PathBuf {
    let folder = environment("SCORESHEET_TEST_SYZYGY").unwrap_or_else(|| {
        panic!("SCORESHEET_TEST_SYZYGY must name a folder with Syzygy tables; tests/run sets it")
    });
    folder.into()
}

fn open(folder: &Path) -> Tablebase {
    Tablebase::of(Arc::new(TableFolders::list(&[folder]).unwrap())).unwrap()
}

fn fen(text: &str) -> Fen {
    text.parse().unwrap()
}

/// What tables say: the end, and how soon.
type Says = Option<(i64, Option<i64>)>;

fn says(tables: &Tablebase, fen: &Fen, variant: Variant) -> Says {
    let position = fen.position(variant).unwrap();
    let answer = tables.probe(&position).unwrap()?;
    assert!(!answer.files.is_empty(), "{fen}");
    Some((answer.wdl.number().into(), answer.dtz.map(i64::from)))
}

/// Prints random positions of three and four pieces, some with an en passant
/// square, with what python-chess reads in the tables.
const READER: &str = r"
import chess, chess.syzygy, json, random, sys
tables = chess.syzygy.open_tablebase(sys.argv[1])
draw = random.Random(7)
found = 0
while found < 1500:
    board = chess.Board(None)
    squares = draw.sample(range(64), 4)
    board.set_piece_at(squares[0], chess.Piece(chess.KING, True))
    board.set_piece_at(squares[1], chess.Piece(chess.KING, False))
    for square in squares[2:draw.choice([3, 4, 4, 4])]:
        board.set_piece_at(square, chess.Piece(draw.choice([1, 1, 2, 3, 4, 5]), draw.random() < 0.5))
    board.turn = draw.random() < 0.5
    if draw.random() < 0.3:
        file, side = draw.randrange(7), 1 if board.turn else -1
        own, other = (file, file + 1) if draw.random() < 0.5 else (file + 1, file)
        rank = 4 if board.turn else 3
        for square in squares[2:]:
            board.remove_piece_at(square)
        board.set_piece_at(chess.square(own, rank), chess.Piece(chess.PAWN, board.turn))
        board.set_piece_at(chess.square(other, rank), chess.Piece(chess.PAWN, not board.turn))
        board.ep_square = chess.square(other, rank + side)
    board.halfmove_clock = 0 if board.ep_square else draw.randrange(40)
    if not board.is_valid():
        continue
    found += 1
    print(json.dumps([board.fen(), tables.get_wdl(board), tables.get_dtz(board)]))
";

#[test]
fn tables_say_what_python_chess_reads_in_them() {
    let python = environment("SCORESHEET_TEST_PYTHON").unwrap_or_else(|| {
        panic!(
            "SCORESHEET_TEST_PYTHON must name a Python with the package `chess`; tests/run sets it"
        )
    });
    let folder = folder();
    let tables = open(&folder);
    let mut command = Command::new(&python);
    command.args(["-c", READER]).arg(&folder);
    let printed = fed(&mut command, "", "python with the package chess");
    let (mut ends, mut passing) = (BTreeSet::new(), 0);
    for line in printed.lines() {
        let (text, wdl, dtz): (String, Option<i64>, Option<i64>) =
            serde_json::from_str(line).unwrap();
        let read = fen(&text);
        let expected = wdl.map(|wdl| (wdl, dtz));
        for variant in Variant::ALL {
            assert_eq!(says(&tables, &read, *variant), expected, "{text}");
        }
        ends.extend(wdl);
        passing += usize::from(text.split(' ').nth(3) != Some("-"));
    }
    assert!(ends.len() >= 3 && 20 < passing, "{ends:?}, {passing}");
}

#[test]
fn what_the_tables_do_not_hold_is_no_fault() {
    let tables = open(&folder());
    assert_eq!((tables.pieces_max(), tables.counts()), (4, [35, 35]));
    for (text, variant) in [
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", Variant::Standard),
        ("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", Variant::Chess960),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Variant::Standard),
        ("4k3/pp6/8/8/8/8/8/4K2R w - - 0 1", Variant::Standard),
        ("4k3/7q/8/8/8/8/8/4K2R w K - 0 1", Variant::Standard),
    ] {
        assert_eq!(says(&tables, &fen(text), variant), None, "{text}");
    }
    assert!(
        says(
            &tables,
            &fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
            Variant::Chess960
        )
        .is_some()
    );
}

/// A folder with copies of these tables.
fn copied(names: &[&str]) -> tempfile::TempDir {
    let (from, to) = (folder(), tempfile::tempdir().unwrap());
    for name in names {
        std::fs::copy(from.join(name), to.path().join(name)).unwrap();
    }
    to
}

const ROOK: &str = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
const ROOKS: &str = "4k3/8/8/7r/8/8/8/R3K3 w - - 0 1";
const PAWN: &str = "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1";
const PAWNS: &str = "4k3/7p/4K3/4P3/8/8/8/8 b - - 0 1";

#[test]
fn a_table_that_is_not_there_takes_its_answers_with_it_and_no_other() {
    let ends = copied(&["KRvK.rtbw"]);
    std::fs::write(ends.path().join("SOURCE.txt"), "no table").unwrap();
    let tables = open(ends.path());
    assert_eq!(tables.counts(), [1, 0]);
    assert_eq!(
        says(&tables, &fen(ROOK), Variant::Standard),
        Some((2, None))
    );
    let other = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1";
    assert_eq!(says(&tables, &fen(other), Variant::Standard), None);
    // A capture leads to the table of one rook, which this folder lacks.
    let rooks = copied(&["KRvKR.rtbw", "KRvKR.rtbz"]);
    let taking = "4k3/8/8/8/r7/8/8/R3K3 w - - 0 1";
    assert_eq!(
        says(&open(rooks.path()), &fen(taking), Variant::Standard),
        None
    );
    let both = TableFolders::list(&[rooks.path(), ends.path()]).unwrap();
    let both = Tablebase::of(Arc::new(both)).unwrap();
    assert!(says(&both, &fen(taking), Variant::Standard).is_some());
    let nothing = open(tempfile::tempdir().unwrap().path());
    assert_eq!((nothing.pieces_max(), nothing.counts()), (0, [0, 0]));
}

#[test]
fn a_damaged_table_is_named() {
    let whole = std::fs::read(folder().join("KRvK.rtbw")).unwrap();
    let rooks = std::fs::read(folder().join("KRvKR.rtbw")).unwrap();
    for (name, text, bytes, reason) in [
        ("KRvK.rtbw", ROOK, &whole[1..], "is no length of a table"),
        (
            "KRvK.rtbw",
            ROOK,
            &[0; 80],
            "does not begin like a Syzygy table",
        ),
        ("KRvK.rtbw", ROOK, &whole[..16], "it is damaged"),
        ("KRvKR.rtbw", ROOKS, &rooks[..656], "it is damaged"),
    ] {
        let damaged = copied(&["KRvK.rtbw", "KRvK.rtbz", "KRvKR.rtbw", "KRvKR.rtbz"]);
        std::fs::write(damaged.path().join(name), bytes).unwrap();
        let files = Arc::new(TableFolders::list(&[damaged.path()]).unwrap());
        let position = fen(text).position(Variant::Standard).unwrap();
        let answer = Tablebase::of(files).and_then(|tables| tables.probe(&position));
        let fault = answer.unwrap_err();
        assert_eq!(fault.file, name);
        assert!(fault.to_string().contains(reason), "{fault}");
    }
}

#[test]
fn a_table_with_any_byte_changed_is_refused_by_name_or_answers() {
    let names = [
        "KRvK.rtbw",
        "KRvK.rtbz",
        "KRvKR.rtbw",
        "KRvKR.rtbz",
        "KPvK.rtbw",
        "KPvK.rtbz",
        "KPvKP.rtbw",
        "KPvKP.rtbz",
    ];
    let folder = copied(&names);
    let whole = names.map(|name| std::fs::read(folder.path().join(name)).unwrap());
    let strategy = (
        0..names.len(),
        any::<bool>(),
        any::<prop::sample::Index>(),
        any::<u8>(),
    );
    let mut runner = TestRunner::new(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(600)
    });
    runner
        .run(&strategy, |(table, is_early, place, byte)| {
            let path = folder.path().join(names[table]);
            let mut bytes = whole[table].clone();
            // What a table says of itself stands at its beginning.
            let end = if is_early {
                bytes.len().min(200)
            } else {
                bytes.len()
            };
            bytes[place.index(end)] = byte;
            std::fs::write(&path, &bytes).unwrap();
            let tables = open(folder.path());
            for text in [ROOK, ROOKS, PAWN, PAWNS] {
                let position = fen(text).position(Variant::Standard).unwrap();
                if let Err(fault) = tables.probe(&position)
                    && fault.file != names[table]
                {
                    return Err(TestCaseError::fail(fault.to_string()));
                }
            }
            std::fs::write(&path, &whole[table]).unwrap();
            Ok(())
        })
        .unwrap();
}

/// Eight plies from a start that end nothing and take nothing, where the first
/// that come to mind lead so far.
fn moves_from(start: &str) -> Option<String> {
    let mut game = Game::new(&fen(start), Variant::Standard, Rules::ChessJs14).unwrap();
    let pieces = |game: &Game| {
        let text = game.fen().to_string();
        let board = text.split(' ').next().unwrap().to_owned();
        board.bytes().filter(u8::is_ascii_alphabetic).count()
    };
    let all = pieces(&game);
    for _ in 0..8 {
        let quiet = game.legal_moves().into_iter().find(|uci| {
            let mut next = game.clone();
            next.play(*uci).unwrap();
            // Nor is anything left to be taken.
            let is_safe = next.legal_moves().iter().all(|reply| {
                let mut after = next.clone();
                after.play(*reply).unwrap();
                pieces(&after) == all
            });
            next.natural_end().is_none() && pieces(&next) == all && is_safe
        });
        game.play(quiet?).unwrap();
    }
    let moves: Vec<_> = game.moves().iter().map(ToString::to_string).collect();
    Some(moves.join(" "))
}

const STARTS: [&str; 4] = [
    // Won, and not for long enough to matter.
    "7k/8/8/8/8/8/Q7/K7 w - - 0 1",
    // Won, but the fifty-move rule has counted too far.
    "7k/8/8/8/8/8/8/KBN5 w - - 80 60",
    // Drawn.
    "7k/6r1/8/8/8/8/1R6/K7 w - - 0 1",
    // Too many pieces.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
];

fn cut_off() -> Contest {
    cut_off_from(&STARTS)
}

/// A system that met one anchor from each of these starts, until the ply limit.
fn cut_off_from(starts: &[&str]) -> Contest {
    let start = |fen: &&str| json!({"start": {"fen": fen, "variant": "standard"}});
    let starts: Vec<_> = starts.iter().map(start).collect();
    let mut contest = Contest::from(
        &starts,
        &Setting {
            rule: "anchored",
            anchors: &[("low", 1000)],
            systems: &["even"],
            starts: starts.len(),
            terms: json!({}),
        },
    );
    for cell in 0..contest.cells.len() {
        let start = contest.cells[cell].start.fen.to_string();
        let moves = moves_from(&start).unwrap();
        let end = (moves.as_str(), GameResult::Draw, Termination::PlyLimit);
        contest.play_out(cell, end);
    }
    assert_eq!(contest.codes(), [""; 0]);
    contest
}

fn probe(bundle: &Bundle, more: &[&str]) -> Value {
    let folder = folder();
    let args = ["probe", folder.to_str().unwrap(), "--format", "json"];
    serde_json::from_str(&bundle.must(&[&args[..], more].concat())).unwrap()
}

/// What stands in the ledger, once it has been verified, and what follows from it.
fn probed(bundle: &Bundle) -> (Vec<(EventId, TablebaseProbed)>, Projection) {
    let (mut all, mut projection) = (Vec::new(), Projection::default());
    let each = &mut |_, event: &scoresheet::event::Verified<scoresheet::event::Event>| {
        if let What::TablebaseProbed(probed) = &event.what {
            all.push((event.id(), probed.clone()));
        }
        projection.apply(event);
    };
    let verification = verify(&bundle.disk(), &|_, _| (), each).unwrap();
    assert_eq!(verification.findings, vec![]);
    assert_eq!(projection.findings, vec![]);
    (all, projection)
}

fn even(bundle: &Bundle) -> Value {
    let board = bundle.must(&["board", "anchored", "--format", "json"]);
    let board: Value = serde_json::from_str(&board).unwrap();
    board["rows"][0].clone()
}

#[test]
fn positions_of_games_that_were_cut_off_are_probed_once_with_the_tables_by_content() {
    let bundle = bundle(&cut_off());
    let before = bundle.files();
    let said = probe(&bundle, &["--dry-run"]);
    assert!(bundle.files() == before, "a dry run writes nothing");
    assert_eq!(
        said,
        json!({
            "already_known": 0, "dry_run": true, "games": 4, "games_not_in_tables": 1,
            "open": 6, "positions": 6, "positions_lacking_a_table": 0, "probed": 0,
            "tables": {"dtz": 35, "pieces": 4, "wdl": 35}, "v": 1,
        })
    );
    // Whoever stops it goes on where it stopped.
    let said = probe(&bundle, &["--positions", "2"]);
    assert_eq!((&said["probed"], &said["open"]), (&json!(2), &json!(4)));
    let first = probed(&bundle).0;
    let text = bundle.must(&["probe", folder().to_str().unwrap()]);
    assert_eq!(
        text,
        "tables of up to 4 pieces: 35 say who wins, 35 how soon\n\
         4 games cut off, 1 of them not in the tables: 6 positions, 2 already known\n\
         4 positions probed, 0 open\n"
    );
    let all = probed(&bundle).0;
    assert_eq!((&all[..2], all.len()), (&first[..], 6));
    let fens: BTreeSet<_> = all.iter().map(|(_, probed)| probed.fen.as_str()).collect();
    assert_eq!(fens.len(), 6);
    for (_, probed) in &all {
        assert!(probed.dtz.is_some(), "{probed:?}");
        for file in &probed.files {
            let bytes = std::fs::read(folder().join(&file.name)).unwrap();
            assert_eq!(file.sha256, Digest::of(&bytes), "{}", file.name);
        }
    }
    let names: Vec<_> = all[0]
        .1
        .files
        .iter()
        .map(|file| file.name.as_str())
        .collect();
    assert_eq!(names, ["KQvK.rtbw", "KQvK.rtbz"]);
    // Nothing is said twice.
    let before = bundle.files();
    let said = probe(&bundle, &[]);
    assert!(bundle.files() == before);
    assert_eq!(
        (&said["already_known"], &said["probed"]),
        (&json!(6), &json!(0))
    );
}

#[test]
fn a_probing_that_is_killed_again_and_again_says_everything_once() {
    let placed = |piece: char, file: usize, rank: usize| {
        let (before, behind) = (file, 7 - file);
        let row = format!("{before}{piece}{behind}").replace('0', "");
        let rows = (0..4).map(|place| if place == rank { &row } else { "8" });
        let rows: Vec<_> = rows.collect();
        format!("7k/8/{}/8/K7 w - - 0 1", rows.join("/"))
    };
    let pieces = "QRP".chars();
    let places = pieces.flat_map(|piece| (0..7).map(move |file| (piece, file)));
    let all = places.flat_map(|(piece, file)| (0..4).map(move |rank| placed(piece, file, rank)));
    let legal = |text: &String| text.parse::<Fen>().is_ok() && moves_from(text).is_some();
    let starts: Vec<_> = all.filter(legal).collect();
    let starts: Vec<_> = starts.iter().map(String::as_str).collect();
    let bundle = bundle(&cut_off_from(&starts));
    let expected = probe(&bundle, &["--dry-run"])["positions"].clone();
    assert!(100 < expected.as_u64().unwrap());
    let events = bundle.at("ledger/events/000000.jsonl");
    let written = || {
        std::fs::read_to_string(&events)
            .unwrap()
            .matches("tablebase.probed")
            .count()
    };
    let mut counts = BTreeSet::new();
    for more in [1, 3, 8, 15] {
        let before = written();
        let mut child = Command::new(env!("CARGO_BIN_EXE_scoresheet"))
            .arg("probe")
            .arg(folder())
            .current_dir(bundle.folder())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let until = Instant::now() + Duration::from_mins(1);
        while written() < before + more && child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < until);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        counts.insert(written());
    }
    assert!(1 < counts.len(), "it was killed on the way: {counts:?}");
    let said = probe(&bundle, &[]);
    assert_eq!(said["open"], 0);
    let all = probed(&bundle).0;
    let fens: BTreeSet<_> = all.iter().map(|(_, probed)| probed.fen.as_str()).collect();
    assert_eq!(json!([fens.len(), all.len()]), json!([expected, expected]));
}

#[test]
fn the_board_shows_the_reading_by_tables_beside_the_protocol_and_moves_no_rating() {
    let bundle = bundle(&cut_off());
    let before = even(&bundle);
    assert_eq!(before["censored_in_tables"], "0");
    assert_eq!(
        (before.get("by_tables"), before.get("by_tables_kind")),
        (None, None)
    );
    probe(&bundle, &[]);
    let (_, projection) = probed(&bundle);
    let results: Vec<_> = projection
        .games
        .iter()
        .map(|game| projection.table_result(game))
        .collect();
    let (won, drawn) = (Some(GameResult::WhiteWins), Some(GameResult::Draw));
    assert_eq!(results, [won, drawn, drawn, None]);
    let after = even(&bundle);
    assert_eq!(
        after["rating"], before["rating"],
        "the protocol's result stands"
    );
    assert_eq!(after["censored_in_tables"], "3");
    assert_eq!(after["by_tables_kind"], "estimate");
    let number = |field: &str| after[field].as_str().unwrap().parse::<f64>().unwrap();
    // It has White in the game that the table gives to White.
    assert!(number("rating") < number("by_tables"), "{after}");
    let page = bundle.must(&["board", "anchored"]);
    let words: Vec<_> = page.split_whitespace().collect();
    let page = words.join(" ");
    assert!(page.contains("| 3 of 4 |"), "{page}");
    assert!(
        page.contains("(cursed win, blessed loss) is read as a draw"),
        "{page}"
    );
    // The index has both, from a projection that forgets moves.
    bundle.must(&["index"]);
    let index = rusqlite::Connection::open(bundle.at("ledger/index.sqlite")).unwrap();
    let texts = |query: &str| crate::rows::texts(&index, query).concat();
    let standing = "SELECT censored_in_tables, by_tables_kind, by_tables FROM anchored_standings";
    let by_tables = after["by_tables"].as_str().unwrap();
    assert_eq!(texts(standing), ["3", "estimate", by_tables]);
    let probes = "SELECT count(*), min(wdl), max(wdl), min(files) FROM tablebase_probes";
    assert_eq!(
        texts(probes),
        ["6", "0", "2", "KBNvK.rtbw KBNvK.rtbz KNvK.rtbw"]
    );
}

#[test]
fn a_probe_that_a_correction_excludes_is_read_nowhere_and_may_be_made_anew() {
    let bundle = bundle(&cut_off());
    probe(&bundle, &[]);
    let (all, projection) = probed(&bundle);
    let game = projection.games.iter().next().unwrap();
    assert!(projection.table_result(game).is_some());
    let (id, _) = &all[1];
    let exclusion = crate::story::event(body::<CorrectionRecorded>(json!({
        "change": "exclude", "evidence": "a published digest", "reason": "a damaged table",
        "targets": [id],
    })));
    bundle.append(&[exclusion]);
    assert_eq!(even(&bundle)["censored_in_tables"], "2");
    let said = probe(&bundle, &[]);
    assert_eq!(
        (&said["already_known"], &said["probed"]),
        (&json!(5), &json!(1))
    );
    assert_eq!(even(&bundle)["censored_in_tables"], "3");
}

#[test]
fn folders_without_tables_and_damaged_tables_are_refused_and_nothing_is_written() {
    let bundle = bundle(&cut_off());
    let before = bundle.files();
    let empty = tempfile::tempdir().unwrap();
    let cut = copied(&["KQvK.rtbw"]);
    let path = cut.path().join("KQvK.rtbw");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let zeroed = copied(&["KQvK.rtbw"]);
    std::fs::write(zeroed.path().join("KQvK.rtbw"), [0; 80]).unwrap();
    for folder in [
        empty.path(),
        &empty.path().join("nowhere"),
        cut.path(),
        zeroed.path(),
    ] {
        let outcome = bundle.run(&["probe", folder.to_str().unwrap()]);
        assert_eq!(outcome.code, 2, "{}", outcome.out);
    }
    let (_, said) = bundle.program(&["probe", zeroed.path().to_str().unwrap()]);
    let file = zeroed.path().join("KQvK.rtbw");
    assert!(said.contains(file.to_str().unwrap()), "{said}");
    let events = |files: &[(String, Vec<u8>)]| {
        let mut files = files.iter();
        let events = files.find(|(path, _)| path.ends_with("000000.jsonl"));
        events.unwrap().1.clone()
    };
    assert!(events(&bundle.files()) == events(&before));
}
