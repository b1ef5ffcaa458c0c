//! Chess episodes of Kaggle Game Arena: one JSON document a game.

use serde_json::Value;

use crate::canonical::Count;
use crate::chess::GameResult;
use crate::chess::{Fen, Variant};
use crate::event::{
    EndingClass, GameImported, ImportedEnding, ImportedSeat, SkipReason, Start, StatedBy,
    StatedResult,
};
use crate::import::document::{at, contradiction, details, text};
use crate::import::json::document;
use crate::import::kaggle_steps::Steps;
use crate::import::{Reading, Slot};

/// The version of this reader, raised when it reads another thing.
pub const KAGGLE_VERSION: u32 = 1;

/// Reads an episode. Player 0 has Black. The game is built from the steps alone;
/// what else the document derives from them is held against it.
pub fn read_kaggle_episode(bytes: &[u8], slot: &Slot) -> Reading {
    let skipped = |expected: &str, found: String| {
        Reading::alone(slot.skipped(SkipReason::Form, expected, found))
    };
    let episode = match document(bytes) {
        Ok(episode) => episode,
        Err(error) => return skipped("a JSON document", error),
    };
    if text(&episode, "name") != Some("open_spiel_chess") {
        return skipped(
            "an episode named open_spiel_chess",
            "another document".to_owned(),
        );
    }
    let is_chess960 = at(&episode, "configuration.openSpielGameParameters.chess960")
        .and_then(Value::as_bool)
        .unwrap_or_default();
    let variant = if is_chess960 {
        Variant::Chess960
    } else {
        Variant::Standard
    };
    let shown = first_position(&episode).or_else(|| text(&episode, "info.stateHistory.0"));
    let Some(shown) = shown else {
        return skipped("a position in the steps", "none".to_owned());
    };
    let fen: Result<Fen, _> = shown.parse();
    let start = fen.map_err(|error| error.to_string());
    let steps = start.and_then(|fen| Steps::of(&episode, &fen, variant));
    match steps {
        Ok(steps) => game_of(&episode, steps, slot),
        Err(why) => Reading::alone(slot.skipped(SkipReason::Start, "a start position", why)),
    }
}

/// The position that the first step with one shows.
fn first_position(episode: &Value) -> Option<&str> {
    let steps = at(episode, "steps")?.as_array()?.iter();
    steps
        .flat_map(|step| [step.get(0), step.get(1)])
        .flatten()
        .find_map(|player| text(player, "observation.observationString"))
}

fn game_of(episode: &Value, steps: Steps, slot: &Slot) -> Reading {
    let seat = |player: usize| ImportedSeat {
        model: steps.models[player].clone(),
        name: text(episode, &format!("info.TeamNames.{player}")).map(str::to_owned),
        ..ImportedSeat::default()
    };
    let mut said = Vec::new();
    let members = episode.as_object().into_iter().flatten();
    for (key, member) in members.filter(|(key, _)| *key != "steps" && *key != "info") {
        details(member, key, &mut said);
    }
    for name in ["info.EpisodeId", "info.openSpielGameStringResolved"] {
        if let Some(value) = at(episode, name) {
            details(value, name, &mut said);
        }
    }
    let mut game = GameImported {
        black: seat(0),
        details: said,
        ending: Some(steps.ending()),
        faults: steps.faults.clone(),
        import: slot.import,
        line: None,
        moves: steps.board.moves().to_vec(),
        number: Count::saturating(slot.number),
        path: slot.path.clone(),
        rejected: steps.rejected.clone(),
        remarks: steps.remarks.clone(),
        start: Start {
            fen: steps.board.start().clone(),
            variant: steps.board.variant(),
        },
        stated: stated(episode).into_iter().collect(),
        white: seat(1),
    };
    check_derived(episode, &steps, &mut game);
    let is_finished = matches!(
        game.ending,
        Some(ImportedEnding {
            class: EndingClass::Chess | EndingClass::Interface,
            ..
        })
    );
    // What is paid out for a time-out says nothing of chess.
    if is_finished || steps.board.position().forced_end().is_some() {
        let contradictions = game.contradictions(steps.board.position().forced_end());
        game.faults.extend(contradictions);
    }
    Reading {
        game: game.into(),
        calls: steps.calls,
    }
}

/// What was paid out: a result, where both were paid.
fn stated(episode: &Value) -> Option<StatedResult> {
    let reward = |player: usize| at(episode, "rewards")?.get(player)?.as_f64();
    let (black, white) = (reward(0)?, reward(1)?);
    let result = if white > black {
        GameResult::WhiteWins
    } else if black > white {
        GameResult::BlackWins
    } else {
        GameResult::Draw
    };
    Some(StatedResult {
        by: StatedBy::Rewards,
        line: None,
        result: Some(result),
    })
}

/// The lists in `info` are derived, and may belong to other steps than these.
fn check_derived(episode: &Value, steps: &Steps, game: &mut GameImported) {
    let list = |name: &str| at(episode, name).and_then(Value::as_array);
    if let Some(actions) = list("info.actionHistory") {
        let said: Vec<_> = actions.iter().filter_map(Value::as_str).collect();
        let mine: Vec<_> = steps.actions.iter().map(i64::to_string).collect();
        if said != mine {
            let expected = format!(
                "the {} actions of the steps in info.actionHistory",
                mine.len()
            );
            let found = if said.len() == mine.len() {
                "as many others".to_owned()
            } else {
                said.len().to_string()
            };
            game.faults.push(contradiction(expected, found));
        }
    }
    if let Some(states) = list("info.stateHistory") {
        let positions = steps.actions.len() + 1;
        if states.len() != positions {
            let expected = format!("{positions} positions in info.stateHistory, as the steps have");
            let found = states.len().to_string();
            game.faults.push(contradiction(expected, found));
        }
        let first = states.first().and_then(Value::as_str);
        if let Some(first) = first.filter(|first| *first != game.start.fen.as_str()) {
            let expected = format!("the start {} in info.stateHistory", game.start.fen);
            let found = crate::import::document::shown(first);
            game.faults.push(contradiction(expected, found));
        }
    }
}
