//! Games as PGN, read back by other people's programs.
//!
//! `SCORESHEET_TEST_PYTHON` names a Python that has the package `chess`
//! (python-chess); `pgn-extract` is a Debian package. `tests/run` brings both.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use scoresheet::chess::{Fen, GameResult, RejectionClass, Termination, Variant};
use scoresheet::event::{GameStarted, Opening, Seats, Stage, Start, What};
use scoresheet::projection::{GameChoice, Projection, games_pgn};

use crate::evidence::{COHORT, Evidence, Script, script};
use crate::program::{printed, scoresheet};
use crate::tool::environment;

/// Returns the finished and aborted games of the evidence.
fn pgn(evidence: &Evidence) -> (Projection, String) {
    let (projection, source) = evidence.project();
    let choice = GameChoice {
        with_aborted: true,
        ..GameChoice::default()
    };
    let pgn = games_pgn(&projection, &source, &choice).unwrap();
    (projection, pgn)
}

/// The moves of a game in UCI, with spaces between them.
fn uci_of(projection: &Projection, game: &scoresheet::projection::Game) -> String {
    let moves = projection.move_list(game).moves;
    let moves: Vec<_> = moves.iter().map(|listed| listed.uci.to_string()).collect();
    moves.join(" ")
}

/// Runs a program over a text and returns what it prints.
pub(crate) fn fed(program: &mut Command, text: &str, what_it_is: &str) -> String {
    let started = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = started.unwrap_or_else(|error| panic!("{what_it_is}: {error}"));
    let mut stdin = child.stdin.take().unwrap();
    let text = text.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{what_it_is}: {stderr}");
    assert!(!stderr.contains("rror"), "{what_it_is}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// Prints one line a game: its moves, then result, headers and comments.
const READER: &str = r#"
import io, json, sys
import chess.pgn
text = io.StringIO(sys.stdin.read())
while (game := chess.pgn.read_game(text)) is not None:
    if game.errors:
        raise SystemExit(f"error: {game.errors}")
    nodes = list(game.mainline())
    print(json.dumps({
        "uci": " ".join(node.move.uci() for node in nodes),
        "headers": dict(game.headers),
        "comment": " ".join(game.comment.split()),
        "comments": [" ".join(node.comment.split()) for node in nodes],
    }))
"#;

/// What python-chess reads.
fn read_by_python(pgn: &str) -> Vec<serde_json::Value> {
    let python = environment("SCORESHEET_TEST_PYTHON").unwrap_or_else(|| {
        panic!(
            "SCORESHEET_TEST_PYTHON must name a Python with the package `chess`; tests/run sets it"
        )
    });
    let mut command = Command::new(&python);
    command.args(["-c", READER]);
    let python = python.display();
    let what = format!("{python} with the package `chess`, which tests/run installs");
    fed(&mut command, pgn, &what)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn python_chess_reads_the_same_games_and_finds_every_event() {
    let evidence = Evidence::new();
    let (projection, pgn) = pgn(&evidence);
    let read = read_by_python(&pgn);
    assert_eq!(read.len(), 7);
    for (game, read) in projection.games.iter().zip(&read) {
        assert_eq!(read["uci"], uci_of(&projection, game));
        let headers = &read["headers"];
        assert_eq!(headers["GameId"], game.id.to_string());
        let result = game.result().map_or("*", GameResult::as_str);
        assert_eq!(headers["Result"], result);
        assert_eq!(headers["LedgerSize"], projection.size.to_string());
        let comments = read["comments"].as_array().unwrap();
        assert_eq!(comments.len(), game.moves.len());
        for (played, comment) in game.moves.iter().zip(comments) {
            let said = format!("event {}", played.id);
            assert!(comment.as_str().unwrap().starts_with(&said), "{comment}");
        }
        for answer in &game.rejected {
            let said = format!(
                "rejected {} ply {}, attempt {}: {}",
                answer.id,
                answer.ply,
                answer.attempt,
                answer.class.as_str()
            );
            let before = usize::try_from(answer.ply.0).unwrap() - 2;
            assert!(
                comments[before].as_str().unwrap().contains(&said),
                "{comments:?}"
            );
        }
    }
}

#[test]
fn pgn_extract_reads_the_same_games() {
    let evidence = Evidence::new();
    let (projection, pgn) = pgn(&evidence);
    let program = ["/usr/games/pgn-extract", "/usr/bin/pgn-extract"]
        .into_iter()
        .find(|path| Path::new(path).exists())
        .unwrap_or("pgn-extract");
    let mut command = Command::new(program);
    // Without tags, comments and line breaks, and one game a line.
    command.args(["-s", "-Wuci", "-C", "-w", "100000", "--notags"]);
    let read = fed(
        &mut command,
        &pgn,
        "pgn-extract, a Debian package that tests/run installs",
    );
    let read: Vec<_> = read.lines().filter(|line| !line.is_empty()).collect();
    let games = projection.games.iter().map(|game| {
        let result = game.result().map_or("*", GameResult::as_str);
        format!("{} {result}", uci_of(&projection, game))
    });
    assert_eq!(read, games.collect::<Vec<_>>());
}

#[test]
fn the_tags_of_a_game_lead_back_to_the_ledger() {
    let evidence = Evidence::new();
    let (projection, source) = evidence.project();
    let pgn = printed(&evidence.path(), &["export", "pgn", "--cohort", COHORT]);
    let forfeit = pgn
        .split_inclusive("\n\n")
        .find(|part| part.contains("rules infraction"))
        .unwrap();
    let mut games = projection.games.iter();
    let game = games
        .find(|game| game.termination() == Some(Termination::RejectedMoves))
        .unwrap();
    let expected = format!(
        "[Event \"small\"]\n[Site \"example.org/small\"]\n[Date \"2026.11.29\"]\n[Round \"5\"]\n\
         [White \"alpha\"]\n[Black \"gamma\"]\n[Result \"1-0\"]\n\
         [EvidenceStatus \"provisional\"]\n[GameId \"{}\"]\n[LedgerRoot \"{}\"]\n\
         [LedgerSize \"{}\"]\n[PlyCount \"1\"]\n[ScoresheetTermination \"rejected_moves\"]\n\
         [Termination \"rules infraction\"]\n\n",
        game.id, source.root, source.size
    );
    assert_eq!(forfeit, expected);
}

#[test]
fn the_same_prefix_gives_the_same_bytes_however_it_is_asked_for() {
    let evidence = Evidence::new();
    let (projection, source) = evidence.project();
    let choice = GameChoice {
        cohort: Some(COHORT),
        ..GameChoice::default()
    };
    let pgn = games_pgn(&projection, &source, &choice).unwrap();
    let file = evidence.path().with_file_name("games.pgn");
    let ledger = evidence.path();
    let args = [
        "export",
        "pgn",
        "--cohort",
        COHORT,
        "--output",
        file.to_str().unwrap(),
    ];
    assert_eq!(printed(&ledger, &args), "");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), pgn);
    // What is appended later is not part of this prefix.
    let size = source.size.to_string();
    let mut more = Script::after(&script());
    let system = projection.systems.systems()[0].registered.clone();
    more.say(system);
    evidence.append(&more.events);
    let args = ["export", "pgn", "--cohort", COHORT, "--at", &size];
    assert_eq!(printed(&ledger, &args), pgn);
}

#[test]
fn aborted_games_are_written_only_when_asked_for_and_games_that_go_on_never() {
    let mut story = Script::default();
    let schedule = story.schedule();
    story.cell(schedule, 0).all("e2e4").time_out();
    let playing = story.cell(schedule, 0).all("e2e4").game;
    let evidence = Evidence::opened();
    evidence.append(&story.events);
    let ledger = evidence.path();
    let none = scoresheet(&ledger, &["export", "pgn"]);
    assert_eq!((none.code, none.stdout.as_str()), (0, ""));
    assert!(none.stderr.contains("no game to write"));
    let aborted = printed(&ledger, &["export", "pgn", "--aborted"]);
    assert_eq!(aborted.matches("[Result \"*\"]").count(), 1);
    assert!(!aborted.contains(&playing.to_string()));
    let (projection, _) = evidence.project();
    let stopped = projection.games.iter().next().unwrap().id.to_string();
    for (id, code) in [(&stopped, 2), (&playing.to_string(), 2)] {
        let outcome = scoresheet(&ledger, &["export", "pgn", "--game", id]);
        assert_eq!(outcome.code, code, "{}", outcome.stderr);
    }
    let one = printed(
        &ledger,
        &["export", "pgn", "--aborted", "--game", &stopped[..8]],
    );
    assert_eq!(one, aborted);
    let unknown = scoresheet(&ledger, &["export", "pgn", "--cohort", "other"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.stderr.contains("there is: small"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn an_opening_says_so_and_an_answer_rejected_at_once_stands_before_all_moves() {
    let mut story = Script::default();
    let schedule = story.schedule();
    let play = story.cell(schedule, 0);
    play.reject("no", RejectionClass::Refused)
        .reject("no", RejectionClass::Refused)
        .finish(GameResult::BlackWins, Termination::RejectedMoves);
    let systems = story.systems().to_vec();
    let protocol = story.events.iter().find_map(|event| match &event.what {
        What::GameStarted(started) => Some(started.protocol),
        _ => None,
    });
    let started = GameStarted {
        billing: None,
        draw: None,
        cell: None,
        opening: Some(Opening {
            moves: vec!["e2e4".parse().unwrap(), "c7c5".parse().unwrap()],
            name: "sicilian".parse().unwrap(),
        }),
        protocol: protocol.unwrap(),
        seats: Seats {
            black: systems[0],
            white: systems[1],
        },
        stage: Stage::Manual,
        start: Start {
            fen: Fen::standard_start(),
            variant: Variant::Standard,
        },
    };
    let play = story.start(started);
    play.reject("Nf3!", RejectionClass::WrongFormat)
        .reject("", RejectionClass::Empty)
        .finish(GameResult::BlackWins, Termination::RejectedMoves);
    let evidence = Evidence::opened();
    evidence.append(&story.events);
    assert_eq!(evidence.project().0.findings, vec![]);
    let (_, pgn) = pgn(&evidence);
    let read = read_by_python(&pgn);
    assert!(
        read[0]["comment"]
            .as_str()
            .unwrap()
            .contains("ply 1, attempt 2: refused")
    );
    assert_eq!(read[1]["uci"], "e2e4 c7c5");
    assert_eq!(read[1]["headers"]["Event"], "short-games");
    assert_eq!(read[1]["headers"]["Round"], "-");
    assert_eq!(read[1]["headers"]["EvidenceStatus"], "pilot");
    assert_eq!(read[1]["comments"][0], "opening sicilian");
    let last = read[1]["comments"][1].as_str().unwrap();
    assert!(last.starts_with("opening sicilian rejected "), "{last}");
    assert!(last.ends_with("ply 3, attempt 2: empty"), "{last}");
}

#[test]
fn a_game_with_an_illegal_move_is_no_game_to_write() {
    let mut story = Script::default();
    let schedule = story.schedule();
    let play = story.cell(schedule, 0).all("e2e4");
    let game = play.game;
    play.all("e2e4")
        .finish(GameResult::Draw, Termination::PlyLimit);
    let evidence = Evidence::opened();
    evidence.append(&story.events);
    let outcome = scoresheet(&evidence.path(), &["export", "pgn"]);
    assert_eq!(outcome.code, 1);
    assert!(
        outcome
            .stderr
            .contains(&format!("game {game}: ply 2: `e2e4` is no legal move")),
        "{}",
        outcome.stderr
    );
    let sheet = scoresheet(&evidence.path(), &["show", &game.to_string()]);
    assert_eq!(sheet.code, 1);
    assert!(
        sheet.stdout.contains("there is no position at the end"),
        "{}",
        sheet.stdout
    );
    assert!(
        sheet.stdout.contains("blocker[move-illegal]"),
        "{}",
        sheet.stdout
    );
}
