//! What a maintainer may append between two runs, and what the next run makes
//! of it.

use scoresheet::event::{AbortCause, EventId, GameAborted, GameStarted, MoveAccepted};
use scoresheet::finding::Code;
use scoresheet::ledger::{Prefix, verify};
use scoresheet::projection::Projection;

use crate::arena::{Arena, engine, games, run_file};
use crate::runs::FOOLS_MATE;
use crate::script::Script;

/// A cohort of two whose first game stopped in the middle of the second call,
/// and was killed there.
struct Interrupted {
    arena: Arena,
    file: std::path::PathBuf,
    _players: [Script; 2],
}

impl Interrupted {
    fn new() -> Self {
        let kill = "[ -e killed ] || { echo >killed; kill -9 $PPID; exit; };";
        let players = ["", kill].map(|first| Script::player(first, FOOLS_MATE));
        let [a, b] = players.each_ref().map(engine);
        let arena = Arena::new();
        let text = run_file("ply_cap = 40", &[("a", &a), ("b", &b)]);
        let file = arena.write("run.toml", &text);
        assert_eq!(arena.run(&file).code, None, "it was killed");
        let interrupted = Self {
            arena,
            file,
            _players: players,
        };
        assert_eq!(games(&interrupted.projection()), ["0 a-b goes on f2f3"]);
        interrupted
    }

    /// What follows from the events, whatever is wrong with them.
    fn projection(&self) -> Projection {
        let disk = self.arena.bench.disk();
        let prefix = Prefix::open(&disk).unwrap();
        let mut projection = Projection::default();
        let each = |_, event| projection.apply(&event);
        prefix.read(prefix.size(), each).unwrap();
        projection
    }

    fn game(&self) -> EventId {
        self.projection().games.iter().next().unwrap().id
    }

    fn abort(&self, game: EventId) {
        self.arena.append(GameAborted {
            call: None,
            cause: AbortCause::Maintainer,
            game,
            reason: "the power went".to_owned(),
        });
    }

    /// The codes of everything that is wrong, the maintainer's clock left aside.
    fn codes(&self) -> Vec<Code> {
        let verification = verify(&self.arena.bench.disk(), &|_, _| (), &mut |_, _| ()).unwrap();
        let findings = self.projection().findings;
        let codes = verification.findings.iter().chain(&findings);
        let codes = codes.map(|finding| finding.code);
        codes.filter(|code| *code != Code::ClockBackwards).collect()
    }

    fn last_line(&self) -> String {
        let segment = self.arena.bench.path().join("events/000000.jsonl");
        let text = std::fs::read_to_string(segment).unwrap();
        text.lines().last().unwrap().to_owned()
    }
}

#[test]
fn a_game_that_a_maintainer_aborts_is_played_again_and_its_call_given_up() {
    let cup = Interrupted::new();
    cup.abort(cup.game());
    cup.arena.run(&cup.file).ends_with(0).says("was in flight");
    assert_eq!(cup.codes(), []);
    assert_eq!(
        games(&cup.projection()),
        [
            "0 a-b aborted f2f3".to_owned(),
            format!("0 a-b 0-1 checkmate {FOOLS_MATE}"),
            format!("1 b-a 0-1 checkmate {FOOLS_MATE}"),
        ]
    );
    assert_eq!(cup.projection().calls.in_flight().count(), 0);
}

#[test]
fn a_game_with_an_illegal_move_goes_nowhere_until_it_is_aborted() {
    let cup = Interrupted::new();
    let game = cup.game();
    cup.arena.append(MoveAccepted {
        attempt: 1_u32.into(),
        call: None,
        game,
        ply: scoresheet::chess::Ply(2),
        uci: "e2e4".parse().unwrap(),
    });
    assert_eq!(cup.codes(), [Code::MoveIllegal]);
    // The call in flight is nobody's, and that is all there is to say.
    let ran = cup.arena.run(&cup.file);
    ran.ends_with(2).says("a move in it is not legal");
    assert!(cup.last_line().contains("\"reason\":\"failed\""));
    let before = cup.arena.files();
    cup.arena.run(&cup.file).ends_with(2).says("game.aborted");
    assert!(cup.arena.files() == before, "nothing more was written");
    cup.abort(game);
    cup.arena.run(&cup.file).ends_with(0);
    assert_eq!(cup.codes(), [Code::MoveIllegal], "what was written stays");
    assert_eq!(games(&cup.projection()).len(), 3);
}

#[test]
fn a_game_that_is_not_the_one_of_its_cell_stops_the_run_there() {
    let cup = Interrupted::new();
    let projection = cup.projection();
    let first = &projection.games.iter().next().unwrap().started;
    let mut cell = first.cell.unwrap();
    cell.index = 1_u32.into();
    // White and Black as in the first cell, which is the wrong way round.
    let wrong = cup.arena.append(GameStarted {
        cell: Some(cell),
        ..first.clone()
    });
    let ran = cup.arena.run(&cup.file);
    ran.ends_with(2)
        .says("game 1 of 2: a - b: 0-1 by checkmate")
        .says(&format!(
            "game {wrong} cannot go on: it is not the game that its cell registers"
        ));
    assert!(cup.last_line().contains("worker.stopped"));
    assert!(cup.last_line().contains("\"reason\":\"failed\""));
    cup.abort(wrong);
    cup.arena.run(&cup.file).ends_with(0);
    assert_eq!(cup.codes(), [Code::CellUnregistered]);
    assert_eq!(
        games(&cup.projection()),
        [
            format!("0 a-b 0-1 checkmate {FOOLS_MATE}"),
            "1 a-b aborted".to_owned(),
            format!("1 b-a 0-1 checkmate {FOOLS_MATE}"),
        ]
    );
}
