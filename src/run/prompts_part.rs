//! What a run file says of the prompts of its protocol.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::run::file::{RunFileError, wrong};
use crate::run::prompting::Prompting;
use crate::run::prompts::{Actions, Anchored, Chessbench, Feedback, StateForm, TrackA};
use crate::run::protocol_part::Preset;

/// Which texts models are sent, where a protocol leaves a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PromptsPart {
    /// Whether the system prompt of `chessbench-v3` ends in its checklist.
    pub checklist: Option<bool>,
    /// How `mini-matches` state the game, or a run of positions each of them.
    pub state: Option<StateForm>,
    /// Whether `mini-matches`, or a run of positions, list the legal moves.
    pub legal_moves: Option<bool>,
    /// What `mini-matches`, or a run of positions, tell of a rejected answer.
    pub feedback: Option<Feedback>,
}

impl PromptsPart {
    /// What models are sent under this preset, where so many candidates are shown or
    /// none are.
    pub(crate) fn prompting(
        self,
        preset: Preset,
        attempts: u64,
        candidates: Option<usize>,
    ) -> Result<Prompting, RunFileError> {
        let stated = [
            ("checklist", self.checklist.is_some(), Preset::ChessbenchV3),
            ("state", self.state.is_some(), Preset::MiniMatches),
            (
                "legal_moves",
                self.legal_moves.is_some(),
                Preset::MiniMatches,
            ),
            ("feedback", self.feedback.is_some(), Preset::MiniMatches),
        ];
        let mut stated = stated.iter();
        if let Some((field, ..)) = stated.find(|(_, is_there, of)| *is_there && *of != preset) {
            let expected = "under [prompts] what the preset leaves open";
            return Err(wrong(expected, format!("`{field}`")));
        }
        if candidates.is_some() && preset != Preset::MiniMatches {
            let expected = "an [oracle] beside the preset \"mini-matches\" alone";
            return Err(wrong(expected, "another preset"));
        }
        Ok(match preset {
            Preset::ChessbenchV3 => Prompting::Chessbench(Chessbench {
                attempts,
                has_checklist: self.checklist.unwrap_or(true),
            }),
            Preset::Anchored => Prompting::Anchored(Anchored { attempts }),
            Preset::MiniMatches => Prompting::TrackA(self.track_a(attempts, candidates)?),
        })
    }

    /// The same where the prompts are those of Track A: of `mini-matches` and of
    /// positions.
    pub(crate) fn track_a(
        self,
        attempts: u64,
        candidates: Option<usize>,
    ) -> Result<TrackA, RunFileError> {
        if self.checklist.is_some() {
            let expected = "no `checklist` under [prompts] but for \"chessbench-v3\"";
            return Err(wrong(expected, "one"));
        }
        let default = TrackA::default();
        Ok(TrackA {
            state: self.state.unwrap_or(default.state),
            actions: match (candidates, self.legal_moves) {
                (Some(_), Some(true)) => {
                    let expected = "either an [oracle] or `legal_moves` under [prompts]";
                    return Err(wrong(expected, "both"));
                }
                (Some(width), _) => Actions::Candidates(width),
                (None, Some(true)) => Actions::Listed,
                (None, Some(false) | None) => Actions::None,
            },
            feedback: self.feedback.unwrap_or(default.feedback),
            attempts,
        })
    }
}
