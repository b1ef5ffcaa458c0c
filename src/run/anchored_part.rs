//! What a run file says of a protocol that measures against fixed opponents.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::canonical::Decimal;
use crate::event::{AdjudicationRule, AnchoredRule, EventId, GradingRule, Name, Stretch};
use crate::run::file::{RunFileError, wrong};

/// How ratings are fitted, and what their scale is called.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnchoredPart {
    /// The name of the scale.
    pub scale: Name,
    /// The share of draws between equals; fitted with each rating unless it is said.
    pub draw_rate: Option<Decimal>,
    /// Points that White is worth; fitted with each rating unless it is said.
    pub color_effect: Option<Decimal>,
}

/// When the analyst's measurements end a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdjudicationPart {
    /// A win: so many positions in a row at least so far ahead.
    pub win: Option<StretchPart>,
    /// A draw: so many positions in a row at most so far from level.
    pub level: Option<StretchPart>,
}

/// A stretch of measured positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StretchPart {
    /// Centipawns.
    pub cp: u32,
    /// Positions in a row.
    pub positions: u32,
}

/// How moves are graded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GradingPart {
    /// A game is open up to so many centipawns from level.
    pub open_cp: u32,
}

impl AnchoredPart {
    pub(crate) fn rule(&self) -> AnchoredRule {
        AnchoredRule {
            color_effect: self.color_effect,
            draw_rate: self.draw_rate,
            scale: self.scale.clone(),
        }
    }
}

impl AdjudicationPart {
    /// Ten pawns for one side over six positions; a dead-level stretch of forty.
    pub(crate) const ANCHORED: Self = Self {
        win: Some(StretchPart {
            cp: 1000,
            positions: 6,
        }),
        level: Some(StretchPart {
            cp: 10,
            positions: 40,
        }),
    };

    /// A position cannot speak for a win and for a draw.
    pub(crate) fn check(self) -> Result<(), RunFileError> {
        match (self.win, self.level) {
            (Some(win), Some(level)) if win.cp <= level.cp => Err(wrong(
                "a win further from level than a draw under `adjudication`",
                format!("{} and {} centipawns", win.cp, level.cp),
            )),
            _ => Ok(()),
        }
    }

    pub(crate) fn rule(self, analyst: EventId) -> AdjudicationRule {
        AdjudicationRule {
            analyst,
            level: self.level.map(StretchPart::stretch),
            win: self.win.map(StretchPart::stretch),
        }
    }
}

impl StretchPart {
    fn stretch(self) -> Stretch {
        Stretch {
            cp: self.cp.into(),
            positions: self.positions.into(),
        }
    }
}

impl GradingPart {
    /// Within five pawns of level.
    pub(crate) const ANCHORED: Self = Self { open_cp: 500 };

    pub(crate) fn rule(self, analyst: EventId) -> GradingRule {
        GradingRule {
            analyst,
            open_cp: self.open_cp.into(),
        }
    }
}
