use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::{Count, Time};
use crate::digest::Digest;
use crate::event::AssistanceKind;
use crate::submission::{Exposed, Text};

/// The complete decision system: everything between a position and a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SystemPart {
    /// The help that the system gets with candidate moves.
    pub assistance: AssistancePart,
    /// Chess in what the model was trained on, and in what it can look up.
    pub chess_corpora: Corpora,
    /// What one turn may use.
    pub inference_budget: InferenceBudget,
    /// How the system learns which moves are legal.
    pub legal_action_interface: LegalActions,
    /// When the calls were made: from the first that was sent to the last that ended.
    pub observation_window: Window,
    /// The digest of the prompts; null where the system is sent none.
    pub prompt_sha256: Exposed<Digest>,
    /// The provider route, as declared.
    pub provider: Text,
    /// The thinking setting; null where none was set.
    pub reasoning_effort: Exposed<Text>,
    /// The model that was asked for.
    pub requested_model: Text,
    /// The model that answers name; null where they name none.
    pub returned_model: Exposed<Text>,
    /// The search of a program around the model, with its limit; null where there is none.
    pub search: Exposed<Text>,
    /// What the system sees of the position and of earlier turns.
    pub state_representation: Text,
    /// The tools that the model may call, by name.
    #[schemars(length(max = 100))]
    pub tools: Vec<Text>,
}

/// Help in choosing a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssistancePart {
    /// How many candidate moves are shown; null where none are.
    #[schemars(extend("minimum" = 1))]
    pub candidate_count: Exposed<Count>,
    /// What sort of help.
    pub kind: AssistanceKind,
    /// Whether candidates show their rank; null where there are none.
    pub ranks_visible: Exposed<bool>,
    /// Whether candidates show their score; null where there are none.
    pub scores_visible: Exposed<bool>,
}

/// Chess in what a model was trained on and can look up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Corpora {
    /// What the system can look up; null where nobody knows, empty where nothing.
    #[schemars(length(max = 1000))]
    pub retrieval: Exposed<Vec<Text>>,
    /// What the model was trained on; null where nobody knows, empty where nothing.
    #[schemars(length(max = 1000))]
    pub training: Exposed<Vec<Text>>,
}

/// What one turn may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InferenceBudget {
    /// Answered attempts a turn.
    #[schemars(extend("minimum" = 1))]
    pub attempts: Count,
    /// Tokens that a request may have; null where no bound was set.
    pub context_tokens: Exposed<Count>,
    /// Tokens that an answer may have; null where no bound was set.
    pub output_tokens: Exposed<Count>,
    /// Milliseconds that an answer may take; null where no bound was set.
    pub time_ms: Exposed<Count>,
}

/// How a system learns which moves are legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LegalActions {
    /// Each request lists them.
    Listed,
    /// Only legal moves can come out.
    Masked,
    /// It has to know.
    Unlisted,
}

impl LegalActions {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::Masked => "masked",
            Self::Unlisted => "unlisted",
        }
    }
}

/// A stretch of time, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Window {
    /// Its beginning.
    pub from: Time,
    /// Its end.
    pub until: Time,
}
