//! Run folders of `llm_chess`: one JSON document a game, and two of the run.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::canonical::Count;
use crate::chess::{Color, Fen, GameResult, PgnReading, Variant};
use crate::event::{
    EndingClass, GameImported, ImportFault, ImportFaultKind, ImportedEnding, ImportedSeat,
    NamedValue, SkipReason, Start, StatedBy, StatedResult,
};
use crate::import::document::{
    at, contradiction, count, details, known_count, known_dollars, shown, text,
};
use crate::import::pgn::game_of;
use crate::import::{Reading, Slot, json};

/// The version of this reader, raised when it reads another thing.
pub const LLM_CHESS_VERSION: u32 = 1;

/// Reads the document of one game.
///
/// `reason` says what sort of ending it is: a game that ended in an error has no
/// result, whatever its PGN says.
pub fn read_llm_chess_game(bytes: &[u8], slot: &Slot) -> Reading {
    let skipped = |expected: &str, found: String| {
        Reading::alone(slot.skipped(SkipReason::Form, expected, found))
    };
    let document = match json::document(bytes) {
        Ok(document) => document,
        Err(error) => return skipped("a JSON document", error),
    };
    let (Some(winner), Some(reason)) = (text(&document, "winner"), text(&document, "reason"))
    else {
        return skipped(
            "a game with winner and reason",
            "another document".to_owned(),
        );
    };
    let class = class_of(reason);
    let pgn = text(&document, "pgn");
    let game = match pgn.map(|pgn| PgnReading::of(pgn.as_bytes(), 1)) {
        None => without_moves(slot),
        Some(Ok(reading)) => game_of(&reading, slot),
        Some(Err(unplayable)) => {
            let start = slot.skipped(SkipReason::Start, unplayable.expected, unplayable.found);
            return Reading::alone(start);
        }
    };
    let seat = |color: Color| seat_of(&document, color);
    let mut said = Vec::new();
    let members = document.as_object().into_iter().flatten();
    for (key, member) in members.filter(|(key, _)| *key != "pgn") {
        details(member, key, &mut said);
    }
    said.extend(game.details.iter().cloned());
    let mut game = GameImported {
        black: seat(Color::Black),
        details: said,
        ending: Some(ImportedEnding {
            class,
            text: shown(reason),
        }),
        white: seat(Color::White),
        ..game
    };
    // Lines of the PGN are none of the file.
    for fault in &mut game.faults {
        fault.line = None;
    }
    for stated in &mut game.stated {
        stated.line = None;
    }
    check(&document, winner, class, pgn.is_some(), &mut game);
    Reading::alone(game)
}

fn without_moves(slot: &Slot) -> GameImported {
    GameImported {
        black: ImportedSeat::default(),
        details: Vec::new(),
        ending: None,
        faults: vec![ImportFault {
            expected: "the moves of the game".to_owned(),
            found: "none".to_owned(),
            kind: ImportFaultKind::CutOff,
            line: None,
            ply: None,
        }],
        import: slot.import,
        line: None,
        moves: Vec::new(),
        number: Count::saturating(slot.number),
        path: slot.path.clone(),
        rejected: Vec::new(),
        remarks: Vec::new(),
        start: Start {
            fen: Fen::standard_start(),
            variant: Variant::Standard,
        },
        stated: Vec::new(),
        white: ImportedSeat::default(),
    }
}

const fn name_of(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// What the words of `reason` mean. Those that nobody knows are not guessed.
fn class_of(reason: &str) -> EndingClass {
    let reason = reason.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| reason.contains(word));
    if has(&[
        "checkmate",
        "stalemate",
        "insufficient material",
        "seventy",
        "fivefold",
    ]) {
        EndingClass::Chess
    } else if has(&["max moves"]) {
        EndingClass::Censored
    } else if has(&["too many wrong actions", "max turns", "wrong moves"]) {
        EndingClass::Interface
    } else if has(&["error occured", "error occurred", "unknown issue"]) {
        EndingClass::Provider
    } else {
        EndingClass::Unknown
    }
}

/// The player of a color. A cost of 0 means that no price was known.
fn seat_of(document: &Value, color: Color) -> ImportedSeat {
    let color = name_of(color);
    let player = |field: &str| format!("player_{color}.{field}");
    let model = text(document, &player("model")).filter(|model| *model != "N/A");
    let wrong = [player("wrong_moves"), player("wrong_actions")];
    let wrong = wrong.map(|path| count(document, &path));
    let rejected = match wrong {
        [Some(moves), Some(actions)] => Some(Count::saturating(moves.get() + actions.get())),
        _ => None,
    };
    let usage = usage_of(document, color);
    let sum = |field: &str| {
        let counts: Option<Vec<_>> = usage
            .iter()
            .map(|(_, usage)| known_count(usage, field))
            .collect();
        let counts = counts.filter(|counts| !counts.is_empty())?;
        Some(Count::saturating(
            counts.iter().map(|count| count.get()).sum::<u64>(),
        ))
    };
    let tokens = crate::event::Tokens {
        cached: None,
        completion: sum("completion_tokens"),
        prompt: sum("prompt_tokens"),
        reasoning: None,
    };
    ImportedSeat {
        cost_usd: known_dollars(document, &format!("usage_stats.{color}.total_cost")),
        model: model.map(shown),
        name: text(document, &player("name")).map(shown),
        rejected,
        tokens: (tokens.completion.is_some() || tokens.prompt.is_some()).then_some(tokens),
    }
}

/// What each model of a player used, by the name it has there.
fn usage_of<'a>(document: &'a Value, color: &str) -> Vec<(&'a String, &'a Value)> {
    let usage = at(document, &format!("usage_stats.{color}"));
    let models = usage.and_then(Value::as_object).into_iter().flatten();
    models.filter(|(_, usage)| usage.is_object()).collect()
}

/// Holds what the document says against its own moves.
fn check(
    document: &Value,
    winner: &str,
    class: EndingClass,
    has_moves: bool,
    game: &mut GameImported,
) {
    let is =
        |color: Color| text(document, &format!("player_{}.name", name_of(color))) == Some(winner);
    let result = match (is(Color::White), is(Color::Black)) {
        (true, false) => Some(GameResult::WhiteWins),
        (false, true) => Some(GameResult::BlackWins),
        _ if winner == "NONE" && matches!(class, EndingClass::Chess | EndingClass::Censored) => {
            Some(GameResult::Draw)
        }
        _ => {
            if winner != "NONE" {
                let expected = "the name of one of the players, or NONE, as winner";
                game.faults.push(contradiction(expected, shown(winner)));
            }
            None
        }
    };
    let winner = StatedResult {
        by: StatedBy::Winner,
        line: None,
        result,
    };
    // The PGN was held against itself; now all of it is held against the winner.
    game.stated.insert(0, winner);
    let position = has_moves
        .then(|| game.start.fen.position(game.start.variant).ok())
        .flatten();
    let position = position.and_then(|position| position.after(&game.moves).ok());
    let contradictions = game.contradictions(
        position
            .as_ref()
            .and_then(crate::chess::Position::forced_end),
    );
    for fault in contradictions {
        if !game.faults.contains(&fault) {
            game.faults.push(fault);
        }
    }
    let Some(position) = position else {
        return;
    };
    let plies = Count::saturating(game.moves.len());
    if let Some(said) = count(document, "number_of_moves").filter(|said| *said != plies) {
        let expected = format!("{plies} as number_of_moves, as the moves are");
        game.faults.push(contradiction(expected, said.to_string()));
    }
    for color in [Color::White, Color::Black] {
        let material = Count::saturating(position.material(color));
        let path = format!("material_count.{}", name_of(color));
        if let Some(said) = count(document, &path).filter(|said| *said != material) {
            let expected = format!("{material} as {path}, as the last position has");
            game.faults.push(contradiction(expected, said.to_string()));
        }
    }
}

/// What the documents of a run say together, and of its games.
#[derive(Clone, Debug, Default)]
pub struct LlmChessRun {
    games: u64,
    errors: u64,
    wins: [u64; 2],
    draws: u64,
    plies: u64,
    /// The names that the model of each player has somewhere.
    names: [BTreeSet<String>; 2],
}

impl LlmChessRun {
    /// What the document of the run says, by its own names.
    pub fn details(run: &[u8]) -> Vec<NamedValue> {
        let mut said = Vec::new();
        if let Ok(run) = json::document(run) {
            details(&run, "", &mut said);
        }
        said
    }

    /// Takes in a game.
    pub fn take(&mut self, bytes: &[u8]) {
        let Ok(document) = json::document(bytes) else {
            return;
        };
        let Some(reason) = text(&document, "reason") else {
            return;
        };
        self.games += 1;
        self.plies += count(&document, "number_of_moves").map_or(0, Count::get);
        let winner = text(&document, "winner").unwrap_or("NONE");
        for (index, color) in [Color::White, Color::Black].into_iter().enumerate() {
            let color = name_of(color);
            let won = text(&document, &format!("player_{color}.name")) == Some(winner);
            if let Some(wins) = self.wins.get_mut(index) {
                *wins += u64::from(won);
            }
            let model = text(&document, &format!("player_{color}.model"));
            let model = model.filter(|model| *model != "N/A").map(str::to_owned);
            let used = usage_of(&document, color)
                .into_iter()
                .map(|(name, _)| name.clone());
            if let Some(names) = self.names.get_mut(index) {
                names.extend(model.into_iter().chain(used));
            }
        }
        match class_of(reason) {
            EndingClass::Chess | EndingClass::Censored if winner == "NONE" => self.draws += 1,
            EndingClass::Provider | EndingClass::Unknown => self.errors += 1,
            _ => {}
        }
    }

    /// Holds the aggregate against the games, and the names against one another.
    pub fn faults(&self, aggregate: Option<&[u8]>) -> Vec<ImportFault> {
        let mut faults = Vec::new();
        for (names, color) in self.names.iter().zip(["White", "Black"]) {
            if 1 < names.len() {
                let names: Vec<_> = names.iter().map(|name| shown(name)).collect();
                let expected = format!("one name for the model with {color}");
                faults.push(contradiction(expected, names.join(", ")));
            }
        }
        let Some(aggregate) = aggregate else {
            return faults;
        };
        let Ok(aggregate) = json::document(aggregate) else {
            faults.push(ImportFault {
                kind: ImportFaultKind::Unreadable,
                ..contradiction("a JSON document as aggregate", "another one")
            });
            return faults;
        };
        let [white, black] = self.wins;
        let figures = [
            ("total_games", self.games),
            ("white_wins", white),
            ("black_wins", black),
            ("draws", self.draws),
            ("total_moves", self.plies),
        ];
        for (name, mine) in figures {
            let said = count(&aggregate, name).filter(|said| said.get() != mine);
            if let Some(said) = said {
                let counts_errors = name == "draws" && said.get() == mine + self.errors;
                let why = if counts_errors {
                    ", which counts games that ended in errors"
                } else {
                    ""
                };
                let expected = format!("{mine} as {name} in the aggregate, as the games give");
                faults.push(contradiction(expected, format!("{said}{why}")));
            }
        }
        faults
    }
}
