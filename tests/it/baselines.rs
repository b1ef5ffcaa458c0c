//! Players that need neither an engine nor a model.

use std::path::PathBuf;

use scoresheet::chess::Termination;
use scoresheet::digest::Digest;
use scoresheet::event::What;

use crate::arena::{Arena, games};

fn run_file(arena: &Arena, name: &str, players: &str) -> PathBuf {
    let text = format!(
        "cohort = \"cup\"\n\
         [preregistration]\n\
         evidence_status = \"pilot\"\n\
         hypothesis = \"the program does what it says\"\n\
         primary_endpoints = [\"placement rating\"]\n\
         stopping_rule = \"every cell once\"\n\
         [protocol]\n\
         name = \"rules\"\n\
         ply_cap = 12\n\
         {players}\n"
    );
    arena.write(name, &text)
}

const CHANCE: &str = "[[random]]\nname = \"chance\"\nseed = \"floor-1\"\n";

#[test]
fn chance_plays_legal_moves_that_anyone_can_draw_again() {
    let arena = Arena::new();
    let other = "[[random]]\nname = \"luck\"\nseed = \"floor-2\"\n";
    let file = run_file(&arena, "run.toml", &format!("{CHANCE}{other}"));
    arena
        .call(&["run", file.to_str().unwrap(), "--dry-run"])
        .says("chance: a baseline, random");
    arena.run(&file).ends_with(0);
    let projection = arena.projection();
    for game in projection.games.iter() {
        assert!(game.rejected.is_empty());
        let cell = game.cell().unwrap();
        let mut board = scoresheet::chess::Game::new(
            &scoresheet::chess::Fen::standard_start(),
            scoresheet::chess::Variant::Standard,
            scoresheet::chess::Rules::ChessJs14,
        )
        .unwrap();
        for (number, played) in game.moves.iter().enumerate() {
            let seat = if number % 2 == 0 {
                game.started.seats.white
            } else {
                game.started.seats.black
            };
            let system = projection.systems.system(&seat).unwrap();
            let baseline = system.registered.baseline.clone().unwrap();
            let seed = baseline.random.unwrap().seed;
            // The label as the documents give it, put together once more.
            let label = format!(
                "scoresheet random move v1 {seed} {}/{} {}\n",
                cell.schedule,
                cell.index,
                number + 1
            );
            let digest = Digest::of(label.as_bytes()).to_string();
            let fraction = u64::from_str_radix(&digest[..16], 16).unwrap();
            let legal = board.legal_moves();
            let index = (u128::from(fraction) * legal.len() as u128) >> 64;
            assert_eq!(played.uci, legal[usize::try_from(index).unwrap()]);
            board.play(played.uci).unwrap();
        }
    }
    arena.call(&["verify"]).ends_with(0);
}

#[test]
fn a_script_says_its_answers_and_then_what_is_no_move() {
    let arena = Arena::new();
    let scripted = "[[scripted]]\n\
         name = \"book\"\n\
         white = \"f2f3 g2g4\"\n\
         black = \"e7e5\"\n\
         games = { 2 = \"e7e5 d8h4\" }\n\
         [[scripted]]\n\
         name = \"page\"\n\
         white = \"f2f3 g2g4\"\n\
         black = \"e7e5 d7d6\"\n";
    arena
        .run(&run_file(&arena, "run.toml", scripted))
        .ends_with(0);
    let played = games(&arena.projection());
    assert_eq!(
        played,
        [
            "0 book-page 0-1 rejected_moves f2f3 e7e5 g2g4 d7d6 (5: unparseable)",
            "1 page-book 0-1 checkmate f2f3 e7e5 g2g4 d8h4",
        ]
    );
    let bad = scripted.replace("2 = ", "0 = ").replace("book", "tome");
    arena
        .run(&run_file(&arena, "bad.toml", &bad))
        .ends_with(2)
        .says("numbers of games from 1");
}

#[test]
fn nobody_takes_a_baseline_for_an_engine_or_a_model_and_it_costs_nothing_and_not_zero() {
    let arena = Arena::new();
    let scripted = "[[scripted]]\nname = \"book\"\nwhite = \"e2e5\"\n";
    arena
        .run(&run_file(
            &arena,
            "run.toml",
            &format!("{CHANCE}{scripted}"),
        ))
        .ends_with(0);
    let projection = arena.projection();
    assert_eq!(projection.identities.iter().count(), 2);
    for event in arena.events() {
        match &event.what {
            What::SystemRegistered(system) => {
                assert!(system.engine.is_none() && system.model.is_none());
                assert!(!system.is_billed());
            }
            What::CallSent(sent) => {
                assert!(sent.requested_model.is_none() && sent.limit.is_none());
            }
            What::CallAnswered(answered) => assert!(answered.cost_usd.is_none()),
            _ => {}
        }
    }
    let forfeits = projection.games.iter();
    let forfeits = forfeits.filter(|game| game.termination() == Some(Termination::RejectedMoves));
    assert!(0 < forfeits.count());
    arena.call(&["verify"]).ends_with(0);
    arena
        .call(&["board", "placement"])
        .ends_with(0)
        .says("chance");
}
