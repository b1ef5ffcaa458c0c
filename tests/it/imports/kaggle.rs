//! Episodes of Kaggle, made by hand: a mate, a forfeit and a time-out.

use std::fmt::Write as _;

use scoresheet::chess::{Fen, Game, Rules, UciMove, Variant};
use serde_json::{Value, json};

use super::{bodies, import, project, survives, told};

/// An episode in which these moves are made, each with the id of its action.
struct Episode {
    board: Game,
    steps: Vec<Value>,
    actions: Vec<String>,
    states: Vec<String>,
}

impl Episode {
    fn begin() -> Self {
        let start = Fen::standard_start();
        let board = Game::new(&start, Variant::Standard, Rules::ChessJs14).unwrap();
        let states = vec![start.to_string()];
        let waits = json!({"action": {"submission": -1}, "info": {}, "observation": {}, "status": "ACTIVE"});
        let set_up = json!({
            "action": {"status": "OK; Setup step; model not called.", "submission": -1},
            "info": {}, "observation": {"observationString": start}, "status": "ACTIVE",
        });
        Self {
            board,
            steps: vec![json!([waits, waits]), json!([set_up, set_up])],
            actions: Vec::new(),
            states,
        }
    }

    /// The player to move does this; the other one waits.
    fn step(&mut self, player: usize, action: &Value, info: &Value, statuses: [&str; 2]) {
        let position = self.board.fen().to_string();
        // The square is written only when an enemy pawn can take.
        let shown = position
            .replace(" e3 ", " - ")
            .replace(" e6 ", " - ")
            .replace(" g3 ", " - ");
        let observation = json!({
            "isTerminal": self.board.natural_end().is_some(), "observationString": shown,
        });
        let part = |index: usize| {
            let waits = json!({"submission": -1});
            let (action, info) = if index == player {
                (action.clone(), info.clone())
            } else {
                (waits, json!({}))
            };
            json!({"action": action, "info": info, "observation": observation, "status": statuses[index]})
        };
        let step = json!([part(0), part(1)]);
        self.steps.push(step);
    }

    fn play(&mut self, san: &str, calls: &[Value], statuses: [&str; 2]) {
        let player = usize::from(self.board.side_to_move() == scoresheet::chess::Color::White);
        let uci: UciMove = self.board.position().read_san(san).unwrap();
        self.board.play(uci).unwrap();
        let id = 1000 + self.actions.len();
        self.actions.push(id.to_string());
        self.states.push(self.board.fen().to_string());
        let action = json!({
            "actionString": san, "call_details": calls, "status": "OK", "submission": id,
            "generate_returns": ["{\"request_for_logging\": {\"model\": \"never both\"}}"],
        });
        let info = json!({"actionApplied": id, "timeTaken": 4.752});
        self.step(player, &action, &info, statuses);
    }

    fn document(self, rewards: [f64; 2]) -> Value {
        json!({
            "configuration": {"openSpielGameParameters": {"chess960": false}, "seed": 7},
            "id": "a", "info": {
                "EpisodeId": 1, "TeamNames": ["Black Team", "White Team"],
                "actionHistory": self.actions, "stateHistory": self.states,
            },
            "name": "open_spiel_chess", "rewards": rewards, "statuses": ["DONE", "DONE"],
            "steps": self.steps,
        })
    }
}

fn call(reasoning: u32) -> Value {
    json!({
        "duration_secs": 4.323, "finish_reason": "stop", "first_token_secs": 2.089,
        "generation_tokens": 167, "model": "some-model-1", "prompt_tokens": 190,
        "reasoning_tokens": reasoning,
    })
}

const GOES_ON: [&str; 2] = ["ACTIVE", "ACTIVE"];

/// A mate, after a call that was made twice.
fn mate() -> Value {
    let mut episode = Episode::begin();
    episode.play("f3", &[call(0), call(3)], GOES_ON);
    episode.play("e5", &[], GOES_ON);
    episode.play("g4", &[], GOES_ON);
    episode.play("Qh4#", &[call(5)], ["DONE", "DONE"]);
    episode.document([1.0, -1.0])
}

/// A forfeit that only words tell from waiting.
fn forfeit() -> Value {
    let mut episode = Episode::begin();
    episode.play("e4", &[], GOES_ON);
    let why = "Failed to parse a legal move after 2 attempts; forfeiting.";
    let action =
        json!({"actionString": "Ke7", "call_details": [call(0)], "status": why, "submission": -1});
    let info = json!({"actionApplied": null, "timeTaken": 8.27});
    episode.step(0, &action, &info, ["DONE", "DONE"]);
    episode.document([-1.0, 1.0])
}

/// A time-out that is paid out like a mate, beside lists of another game.
fn time_out() -> Value {
    let mut episode = Episode::begin();
    episode.play("e4", &[], ["DONE", "TIMEOUT"]);
    let mut document = episode.document([1.0, -1.0]);
    document["info"]["actionHistory"] = json!(["1000", "1001"]);
    document["info"]["stateHistory"] = json!(["8/8/8/8/8/8/8/8 w - - 0 1"]);
    document
}

/// Each of them.
pub(crate) fn samples() -> [(&'static str, Value); 3] {
    [
        ("mate", mate()),
        ("forfeit", forfeit()),
        ("time-out", time_out()),
    ]
}

#[test]
fn a_mate_a_forfeit_and_a_time_out_are_three_things_though_all_are_paid_alike() {
    let bundle = project();
    let mut page = String::new();
    for (name, sample) in samples() {
        let name = format!("{name}.json");
        let report = import(&bundle, "kaggle", &name, sample.to_string().as_bytes());
        page += &told(&report);
    }
    for kind in ["game.imported", "calls.imported", "import.finished"] {
        for mut said in bodies(&bundle, kind) {
            let fields = said.as_object_mut().unwrap();
            for field in ["details", "faults", "game", "import", "start"] {
                fields.remove(field);
            }
            writeln!(page, "{kind} {said}").unwrap();
        }
    }
    insta::assert_snapshot!(page);
    assert_eq!(bundle.run(&["verify"]).code, 0);
}

#[test]
fn what_is_no_episode_is_skipped_and_what_contradicts_its_steps_is_said() {
    for (change, code) in [
        (json!({"name": "open_spiel_go"}), "import-faulty"),
        (json!({"steps": []}), "import-contradicted"),
        (json!({"rewards": [-1, 1]}), "import-contradicted"),
    ] {
        let mut sample = mate();
        let fields = change.as_object().unwrap().clone();
        sample.as_object_mut().unwrap().extend(fields);
        let bundle = project();
        let report = import(&bundle, "kaggle", "a.json", sample.to_string().as_bytes());
        assert!(told(&report).contains(code), "{change}: {report}");
    }
    for text in ["{\"a\":", "{\"name\":1,\"name\":1}", "{\"name\":NaN}"] {
        let report = import(&project(), "kaggle", "a.json", text.as_bytes());
        assert_eq!(report["sources"][0]["skipped"], 1, "{text}");
    }
}

#[test]
fn every_truncation_and_every_flipped_byte_is_survived() {
    survives("kaggle", time_out().to_string().as_bytes());
}
