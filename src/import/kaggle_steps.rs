//! The steps of an episode: moves, tries that were none, and calls.

use serde_json::Value;

use crate::canonical::Count;
use crate::chess::{Color, Fen, Game, Rules, SanFault, Variant};
use crate::event::{
    EndingClass, ImportFault, ImportFaultKind, ImportedCall, ImportedEnding, ImportedRejection,
    ImportedRemark, Tokens,
};
use crate::import::document::{at, contradiction, count, known_count, milliseconds, shown, text};

/// What the steps of an episode come to.
pub(in crate::import) struct Steps {
    pub(in crate::import) board: Game,
    /// The ids of the actions that were moves.
    pub(in crate::import) actions: Vec<i64>,
    pub(in crate::import) rejected: Vec<ImportedRejection>,
    pub(in crate::import) remarks: Vec<ImportedRemark>,
    pub(in crate::import) calls: Vec<ImportedCall>,
    pub(in crate::import) faults: Vec<ImportFault>,
    /// The model that was asked for each player, the first one.
    pub(in crate::import) models: [Option<String>; 2],
    /// What ended the game other than chess, in words.
    end: Option<(EndingClass, String)>,
    is_stopped: bool,
    is_terminal: bool,
}

/// The faults of an episode that are kept.
const FAULTS_MAX: usize = 20;

impl Steps {
    /// Reads them, from this position on.
    pub(in crate::import) fn of(
        episode: &Value,
        start: &Fen,
        variant: Variant,
    ) -> Result<Self, String> {
        let board = Game::new(start, variant, Rules::ChessJs14);
        let mut steps = Self {
            board: board.map_err(|illegal| illegal.to_string())?,
            actions: Vec::new(),
            rejected: Vec::new(),
            remarks: Vec::new(),
            calls: Vec::new(),
            faults: Vec::new(),
            models: [None, None],
            end: None,
            is_stopped: false,
            is_terminal: false,
        };
        let list = at(episode, "steps").and_then(Value::as_array);
        for (number, step) in list.into_iter().flatten().enumerate() {
            for player in [0, 1] {
                if let Some(part) = step.get(player) {
                    steps.take(number, player, part);
                }
            }
        }
        Ok(steps)
    }

    /// Takes in what one player did in a step.
    fn take(&mut self, number: usize, player: usize, part: &Value) {
        let submission = at(part, "action.submission").and_then(Value::as_i64);
        let status = text(part, "action.status");
        let terminal = at(part, "observation.isTerminal").and_then(Value::as_bool);
        self.is_terminal = terminal.unwrap_or(self.is_terminal);
        match submission {
            Some(action) if 0 <= action => self.play(number, player, part, action),
            // Nobody was to move, or a game was set up, unless words say otherwise.
            Some(-1) => {
                let is_word = |status: &&str| !status.starts_with("OK") && *status != "INACTIVE";
                let applied = at(part, "info.actionApplied").and_then(Value::as_i64);
                if let Some(why) = status.filter(is_word).filter(|_| applied.is_none()) {
                    self.reject(player, part, why);
                }
            }
            Some(_) => {
                let why = status.unwrap_or("an error of the player's program");
                self.stop(EndingClass::Provider, player, why);
            }
            None => {}
        }
        if let Some(word @ ("TIMEOUT" | "ERROR" | "INVALID")) = text(part, "status") {
            self.stop(EndingClass::Provider, player, word);
        }
    }

    fn stop(&mut self, class: EndingClass, player: usize, why: &str) {
        let end = format!("{} (player {player}, {})", shown(why), color_of(player));
        self.end.get_or_insert((class, end));
    }

    fn fault(&mut self, fault: ImportFault) {
        if self.faults.len() < FAULTS_MAX {
            self.faults.push(fault);
        }
    }

    /// Plays a move by its notation, and holds the position after it against the
    /// one that is shown.
    fn play(&mut self, number: usize, player: usize, part: &Value, action: i64) {
        self.actions.push(action);
        let ply = self.board.ply().next();
        self.calls_of(player, part, ply);
        if self.is_stopped {
            return;
        }
        let san = text(part, "action.actionString")
            .or_else(|| text(part, "info.actionSubmittedToString"))
            .unwrap_or_default();
        let read = self.board.position().read_san(san);
        let fen = self.board.fen();
        match read {
            Ok(uci) if self.board.play(uci).is_ok() => {}
            Ok(_) | Err(SanFault::Unreadable | SanFault::Illegal | SanFault::Ambiguous) => {
                self.is_stopped = true;
                return self.fault(ImportFault {
                    expected: format!("a legal move in {fen}"),
                    found: format!("{} in step {number}", shown(san)),
                    kind: ImportFaultKind::Illegal,
                    line: None,
                    ply: Some(ply),
                });
            }
        }
        if color_of(player) == self.board.side_to_move() {
            let mover = self.board.side_to_move().other();
            let fault = contradiction(
                format!("a move by {mover} in step {number}"),
                format!("one by player {player}, who has {}", color_of(player)),
            );
            self.fault(fault);
        }
        let after = text(part, "observation.observationString");
        if let Some(after) = after.filter(|after| !is_same(after, &self.board.fen())) {
            let expected = format!("{} after step {number}", self.board.fen());
            self.fault(contradiction(expected, shown(after)));
        }
        if let Some(elapsed) = milliseconds(part, "info.timeTaken") {
            self.remarks.push(ImportedRemark {
                clock_ms: None,
                depth: None,
                elapsed_ms: Some(elapsed),
                ply,
                score: None,
            });
        }
    }

    /// Words say that no legal move came: a try, and a forfeit.
    fn reject(&mut self, player: usize, part: &Value, why: &str) {
        let ply = self.board.ply().next();
        self.rejected.push(ImportedRejection {
            ply,
            text: text(part, "action.actionString").map(shown),
            why: shown(why),
        });
        self.calls_of(player, part, ply);
        self.stop(EndingClass::Interface, player, why);
    }

    /// The calls of a turn. Two lists may have them: one of them is read.
    fn calls_of(&mut self, player: usize, part: &Value, ply: crate::chess::Ply) {
        let list = |path: &str| {
            let list = at(part, path).and_then(Value::as_array);
            list.filter(|list| !list.is_empty())
        };
        let details = list("action.call_details");
        let returns = list("action.generate_returns");
        let calls: Vec<_> = match (details, returns) {
            (Some(details), _) => details
                .iter()
                .map(|call| call_of(call, "duration_secs"))
                .collect(),
            (None, Some(returns)) => returns
                .iter()
                // Each is a text that holds a document.
                .filter_map(|call| serde_json::from_str::<Value>(call.as_str()?).ok())
                .map(|call| call_of(&call, "duration_success_only_secs"))
                .collect(),
            (None, None) => Vec::new(),
        };
        for (attempt, call) in (1_u32..).zip(calls) {
            let model = call.model.clone();
            if let (Some(first), Some(model)) = (self.models.get_mut(player), model) {
                first.get_or_insert(model);
            }
            self.calls.push(ImportedCall {
                attempt: attempt.into(),
                ply,
                ..call
            });
        }
    }

    /// How the game ended.
    pub(in crate::import) fn ending(&self) -> ImportedEnding {
        let chess = self.board.natural_end();
        let (class, text) = match (&self.end, chess) {
            (Some((class, text)), _) => (*class, text.clone()),
            (None, Some((_, termination))) if self.is_terminal => {
                (EndingClass::Chess, termination.to_string())
            }
            (None, _) if self.is_terminal => (
                EndingClass::Unknown,
                "isTerminal, and chess goes on".to_owned(),
            ),
            (None, _) => (EndingClass::Unfinished, "not isTerminal".to_owned()),
        };
        ImportedEnding { class, text }
    }
}

/// A call as either list has it.
fn call_of(call: &Value, duration: &str) -> ImportedCall {
    let first = |paths: [&str; 2]| {
        let mut found = paths.iter().filter_map(|path| text(call, path));
        found.next().map(shown)
    };
    let tokens = Tokens {
        cached: None,
        completion: count(call, "generation_tokens"),
        prompt: count(call, "prompt_tokens"),
        // 0 stands for what was not reported, too.
        reasoning: known_count(call, "reasoning_tokens"),
    };
    let has_tokens =
        tokens.completion.is_some() || tokens.prompt.is_some() || tokens.reasoning.is_some();
    ImportedCall {
        attempt: Count::ONE,
        finish_reason: first(["finish_reason", "response_for_logging.finish_reason"]),
        first_token_ms: milliseconds(call, "first_token_secs"),
        model: first(["model", "request_for_logging.model"]),
        ply: crate::chess::Ply::START,
        request_id: first(["response_for_logging.id", "id"]),
        returned_model: first(["response_for_logging.model", "returned_model"]),
        tokens: has_tokens.then_some(tokens),
        total_ms: milliseconds(call, duration),
    }
}

/// Player 0 has Black.
const fn color_of(player: usize) -> Color {
    if player == 0 {
        Color::Black
    } else {
        Color::White
    }
}

/// Whether a text shows this position. The en passant square may be left out.
fn is_same(text: &str, fen: &Fen) -> bool {
    let fields = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let (said, mine) = (fields(text), fields(fen.as_str()));
    said.len() == mine.len()
        && said
            .iter()
            .zip(&mine)
            .enumerate()
            .all(|(field, (said, mine))| said == mine || (field == 3 && said == "-"))
}
