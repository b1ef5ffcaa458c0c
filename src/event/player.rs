//! People who play against models.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::kinds::Fact;
use crate::event::{Commitment, EventId, Name, Reference};

/// `player.registered`: a person, known by a verified account elsewhere.
///
/// The account itself stands nowhere: only who has the key of the commitment
/// can tell whether an account is this one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayerRegistered {
    /// The keyed commitment of the account id that the issuer verified.
    pub account: Commitment,
    /// Who verified the account.
    pub issuer: Name,
}

impl Fact for PlayerRegistered {}

/// `sharing.changed`: a person decided who may see videos of their games.
/// Replays of the board are always public.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SharingChanged {
    /// The person.
    pub player: EventId,
    /// Who may see videos.
    pub video: VideoAccess,
}

/// Who may see videos of a person's games.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum VideoAccess {
    /// Only the person.
    Owner,
    /// Everyone.
    Public,
}

impl VideoAccess {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Public => "public",
        }
    }
}

impl Fact for SharingChanged {
    fn references(&self) -> Vec<Reference<'_>> {
        vec![Reference::new(
            "player",
            &self.player,
            &["player.registered"],
        )]
    }
}
