//! Calls of a game of others.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::chess::Ply;
use crate::event::import::STARTED;
use crate::event::kinds::{Fact, Meaningless};
use crate::event::{EventId, Reference, Tokens};

/// `calls.imported`: what a source says of calls that were made for a game.
///
/// Texts stay in the source. What the source does not say is absent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallsImported {
    /// The calls, in the order of the source.
    #[schemars(length(min = 1))]
    pub calls: Vec<ImportedCall>,
    /// The game.
    pub game: EventId,
    /// The source.
    pub import: EventId,
}

/// A call as its source has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportedCall {
    /// Which call for this ply it was, from 1.
    #[schemars(extend("minimum" = 1))]
    pub attempt: Count,
    /// Why the answer ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<String>,
    /// How long the first token took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_token_ms: Option<Count>,
    /// The model that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The ply that it was made for, from 1.
    #[schemars(extend("minimum" = 1))]
    pub ply: Ply,
    /// The provider's id of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The model that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returned_model: Option<String>,
    /// Token counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Tokens>,
    /// How long the answer took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_ms: Option<Count>,
}

impl Fact for CallsImported {
    fn references(&self) -> Vec<Reference<'_>> {
        vec![
            Reference::new("game", &self.game, &["game.imported"]),
            Reference::new("import", &self.import, STARTED),
        ]
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        if self.calls.is_empty() {
            return Err(Meaningless::new("calls", "at least one call", "none"));
        }
        if self.calls.iter().any(|call| call.attempt == Count::ZERO) {
            return Err(Meaningless::new("calls.attempt", "an attempt from 1", "0"));
        }
        if self.calls.iter().any(|call| call.ply == Ply::START) {
            return Err(Meaningless::new("calls.ply", "a ply from 1", "0"));
        }
        Ok(())
    }
}
