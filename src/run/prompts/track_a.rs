use schemars::JsonSchema;
use serde::Deserialize;

use crate::chess::Game;
use crate::run::prompts::position_text::{VARIANTS, color, list, variant};
use crate::run::prompts::reasons::REASONS;
use crate::run::prompts::template::own;
use crate::run::prompts::{Candidates, CandidatesError, Message, Retry, Role, Template};

const SYSTEM: Template = own!("track-a", "system");
const TURN: Template = own!("track-a", "turn");
const OPENING: Template = own!("track-a", "opening");
const STATE_FEN: Template = own!("track-a", "state-fen");
const STATE_MOVES: Template = own!("track-a", "state-moves");
const STATE_BOARD: Template = own!("track-a", "state-board");
const ACTIONS_NONE: Template = own!("track-a", "actions-none");
const ACTIONS_LISTED: Template = own!("track-a", "actions-listed");
const ACTIONS_CANDIDATES: Template = own!("track-a", "actions-candidates");
const FEEDBACK: Template = own!("track-a", "feedback");
const NO_REASON: Template = own!("track-a", "no-reason");

/// The prompts of Track A: a fresh request for every move, in the form that the
/// system declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackA {
    /// How the state of the game is stated.
    pub state: StateForm,
    /// What a player is told of its legal moves.
    pub actions: Actions,
    /// What it is told of a rejected answer.
    pub feedback: Feedback,
    /// Answers a move.
    pub attempts: u64,
}

impl Default for TrackA {
    fn default() -> Self {
        Self {
            state: StateForm::FenAndMoves,
            actions: Actions::None,
            feedback: Feedback::Reason,
            attempts: 1,
        }
    }
}

/// How the state of a game is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StateForm {
    /// The FEN of the current position.
    Fen,
    /// The start position and the moves since.
    Moves,
    /// Both.
    FenAndMoves,
    /// The board as text, with castling rights and the en passant square.
    Board,
}

/// What a player is told of its legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actions {
    /// Nothing.
    None,
    /// All of them, in UCI.
    Listed,
    /// So many candidates from an engine, without rank or score.
    Candidates(usize),
}

/// What a player is told of a rejected answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Feedback {
    /// That it was rejected.
    Notice,
    /// Why, too.
    Reason,
}

impl StateForm {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Fen => "fen",
            Self::Moves => "moves",
            Self::FenAndMoves => "fen_and_moves",
            Self::Board => "board",
        }
    }
}

impl Feedback {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Notice => "notice",
            Self::Reason => "reason",
        }
    }
}

impl TrackA {
    /// The tag that a move is answered in.
    pub const TAG: &str = "move";

    /// Returns every text that a player can be sent, and the declaration that
    /// says which: another form of the same texts is another prompt.
    pub fn templates(self) -> Vec<Template> {
        let [standard, chess960] = VARIANTS;
        let mut templates = vec![SYSTEM, TURN, standard, chess960, self.declaration()];
        templates.extend(match self.state {
            StateForm::Fen => vec![STATE_FEN],
            StateForm::Moves => vec![OPENING, STATE_MOVES],
            StateForm::FenAndMoves => vec![OPENING, STATE_MOVES, STATE_FEN],
            StateForm::Board => vec![STATE_BOARD],
        });
        templates.push(match self.actions {
            Actions::None => ACTIONS_NONE,
            Actions::Listed => ACTIONS_LISTED,
            Actions::Candidates(_) => ACTIONS_CANDIDATES,
        });
        templates.extend(match self.feedback {
            Feedback::Notice => vec![NO_REASON],
            Feedback::Reason => vec![FEEDBACK, REASONS],
        });
        templates
    }

    /// What the system declares, as text: a line a field.
    fn declaration(self) -> Template {
        let actions = match self.actions {
            Actions::None => "none".to_owned(),
            Actions::Listed => "listed".to_owned(),
            Actions::Candidates(width) => format!("candidates {width}"),
        };
        let text = format!(
            "state: {}\nactions: {actions}\nfeedback: {}\nattempts: {}\n",
            self.state.as_str(),
            self.feedback.as_str(),
            self.attempts
        );
        Template::declared("track-a.declaration", text)
    }

    /// Returns the request for a move in a game of which the first so many moves
    /// are the frozen opening. After a rejected answer it ends in one line about
    /// that.
    ///
    /// Candidates are those of [`Candidates::of`] at the declared width, and another
    /// number of them is an error; where none are declared they are not shown.
    pub fn request(
        self,
        game: &Game,
        opening: usize,
        candidates: Option<&Candidates>,
        retry: Option<&Retry<'_>>,
    ) -> Result<Vec<Message>, CandidatesError> {
        let mut turn = TURN.fill(&[
            ("variant", &variant(game.variant())),
            ("color", color(game.side_to_move())),
            ("state", &self.state_text(game, opening)),
            ("actions", &self.actions_text(game, candidates)?),
        ]);
        if let Some(retry) = retry {
            let template = match self.feedback {
                Feedback::Notice => NO_REASON,
                Feedback::Reason => FEEDBACK,
            };
            turn.push('\n');
            turn.push_str(&retry.told(&template, self.attempts));
        }
        Ok(vec![
            Message::new(Role::System, SYSTEM.fill(&[])),
            Message::new(Role::User, turn),
        ])
    }

    fn state_text(self, game: &Game, opening: usize) -> String {
        let fen = game.fen();
        let position = STATE_FEN.fill(&[("fen", fen.as_str())]);
        let moves = || {
            let moves = STATE_MOVES.fill(&[
                ("start", game.start().as_str()),
                ("moves", &list(game.moves())),
            ]);
            if opening == 0 {
                return moves;
            }
            let opening = OPENING.fill(&[("plies", &opening.to_string())]);
            format!("{moves}\n{opening}")
        };
        match self.state {
            StateForm::Fen => position,
            StateForm::Moves => moves(),
            StateForm::FenAndMoves => format!("{}\n{position}", moves()),
            StateForm::Board => {
                let field = |index| fen.as_str().split(' ').nth(index).unwrap_or_default();
                STATE_BOARD.fill(&[
                    ("board", &game.position().board_text()),
                    ("castling", field(2)),
                    ("en_passant", field(3)),
                ])
            }
        }
    }

    fn actions_text(
        self,
        game: &Game,
        candidates: Option<&Candidates>,
    ) -> Result<String, CandidatesError> {
        let width = match self.actions {
            Actions::None => return Ok(ACTIONS_NONE.fill(&[])),
            Actions::Listed => {
                return Ok(ACTIONS_LISTED.fill(&[("legal", &list(&game.legal_moves()))]));
            }
            Actions::Candidates(width) => width,
        };
        let shown = candidates.map_or(&[][..], Candidates::shown);
        let (expected, found) = (width.min(game.legal_moves().len()), shown.len());
        if expected != found {
            return Err(CandidatesError::Width {
                fen: game.fen(),
                expected,
                found,
            });
        }
        Ok(ACTIONS_CANDIDATES.fill(&[("candidates", &list(shown))]))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::run::prompts::{identities, set_digest};

    #[test]
    fn the_texts_have_the_placeholders_that_are_filled() {
        for (template, placeholders) in [
            (SYSTEM, &[][..]),
            (TURN, &["variant", "color", "state", "actions"]),
            (OPENING, &["plies"]),
            (STATE_FEN, &["fen"]),
            (STATE_MOVES, &["start", "moves"]),
            (STATE_BOARD, &["board", "castling", "en_passant"]),
            (ACTIONS_NONE, &[]),
            (ACTIONS_LISTED, &["legal"]),
            (ACTIONS_CANDIDATES, &["candidates"]),
            (FEEDBACK, &["reason", "attempt", "attempts"]),
            (NO_REASON, &["attempt", "attempts"]),
        ] {
            assert_eq!(template.check(placeholders), Ok(()));
        }
    }

    #[test]
    fn whatever_is_declared_otherwise_is_another_set_of_prompts() {
        let mut digests = BTreeSet::new();
        let mut count = 0;
        for state in [
            StateForm::Fen,
            StateForm::Moves,
            StateForm::FenAndMoves,
            StateForm::Board,
        ] {
            let widths = [2, 3].map(Actions::Candidates);
            for actions in [Actions::None, Actions::Listed].into_iter().chain(widths) {
                for feedback in [Feedback::Notice, Feedback::Reason] {
                    for attempts in [1, 3] {
                        let prompts = TrackA {
                            state,
                            actions,
                            feedback,
                            attempts,
                        };
                        digests.insert(set_digest(&identities(&prompts.templates())));
                        count += 1;
                    }
                }
            }
        }
        assert_eq!(digests.len(), count);
    }
}
