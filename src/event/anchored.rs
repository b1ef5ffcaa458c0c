//! Fixed opponents, and what a protocol says of measuring against them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::{Count, Decimal};
use crate::digest::Digest;
use crate::event::kinds::{Fact, Meaningless};
use crate::event::{EventId, Name, Reference};

/// `anchor.registered`: the rating of a system is fixed, and others are measured
/// against it.
///
/// What the system is (engine, version, net, files, options, limit) stands in
/// its registration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend(
    "if" = { "properties": { "basis": { "const": "fitted" } }, "required": ["basis"] },
    "then" = { "required": ["fit"] },
    "else" = { "properties": { "fit": false } },
))]
pub struct AnchorRegistered {
    /// Where the rating comes from.
    pub basis: AnchorBasis,
    /// The frozen fit, as a blob. Stands with the basis `fitted`.
    #[schemars(with = "Option<crate::event::schema::Blob>")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fit: Option<Digest>,
    /// The rating, in points.
    pub rating: Decimal,
    /// The system.
    pub system: EventId,
}

/// Where the rating of an anchor comes from.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum AnchorBasis {
    /// From the level that its engine gives itself; nobody validated it here.
    Nominal,
    /// From its games against other anchors.
    Fitted,
}

impl AnchorBasis {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Nominal => "nominal",
            Self::Fitted => "fitted",
        }
    }
}

impl Fact for AnchorRegistered {
    fn references(&self) -> Vec<Reference<'_>> {
        vec![Reference::new(
            "system",
            &self.system,
            &["system.registered"],
        )]
    }

    fn blobs(&self) -> Vec<&Digest> {
        self.fit.iter().collect()
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        if self.fit.is_some() == (self.basis == AnchorBasis::Fitted) {
            return Ok(());
        }
        Err(Meaningless::new(
            "fit",
            "a fit beside the basis `fitted`, and beside no other",
            if self.fit.is_some() { "one" } else { "none" },
        ))
    }
}

/// How ratings against anchors are fitted, and what their scale is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnchoredRule {
    /// Points that White is worth, from -1000 to 1000. Absent: fitted with each
    /// rating.
    #[schemars(extend("pattern" = "^-?(1000|[0-9]{1,3}([.][0-9]+)?)$"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color_effect: Option<Decimal>,
    /// The share of draws between equals, from 0 to 0.7: beyond, a record may have
    /// several most likely ratings. Absent: fitted with each rating.
    #[schemars(extend("pattern" = "^0([.]([0-6][0-9]*|7))?$"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_rate: Option<Decimal>,
    /// The name of the scale. Ratings of two scales are not compared.
    pub scale: Name,
}

impl AnchoredRule {
    pub(crate) fn check_meaning(&self) -> Result<(), Meaningless> {
        // Beyond these no rating is fitted.
        let [most_draws, least_color, most_color] = [7, -10_000, 10_000].map(Decimal::of_tenths);
        let within = |value: Option<Decimal>, least: Decimal, most: Decimal| {
            value.is_none_or(|value| least <= value && value <= most)
        };
        if !within(self.draw_rate, Decimal::ZERO, most_draws) {
            let found = self.draw_rate.unwrap_or_default().to_string();
            return Err(Meaningless::new(
                "anchored.draw_rate",
                "a share of draws from 0 to 0.7",
                found,
            ));
        }
        if !within(self.color_effect, least_color, most_color) {
            let found = self.color_effect.unwrap_or_default().to_string();
            return Err(Meaningless::new(
                "anchored.color_effect",
                "-1000 to 1000 points",
                found,
            ));
        }
        Ok(())
    }
}

/// When a game that goes on is decided by what an engine measures, position by
/// position, and the game is flagged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("minProperties" = 2))]
pub struct AdjudicationRule {
    /// The registered engine that measures each position after a move.
    pub analyst: EventId,
    /// A draw: so many positions in a row at most so far from level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Stretch>,
    /// A win: so many positions in a row at least so far ahead, or mating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win: Option<Stretch>,
}

/// A stretch of measured positions.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Stretch {
    /// Centipawns.
    pub cp: Count,
    /// How many positions in a row, from 1.
    #[schemars(extend("minimum" = 1))]
    pub positions: Count,
}

impl AdjudicationRule {
    pub(crate) fn check_meaning(self) -> Result<(), Meaningless> {
        for (field, stretch) in [
            ("adjudication.level", self.level),
            ("adjudication.win", self.win),
        ] {
            if stretch.is_some_and(|stretch| stretch.positions == Count::ZERO) {
                return Err(Meaningless::new(field, "at least one position", "none"));
            }
        }
        match self {
            Self {
                level: None,
                win: None,
                ..
            } => Err(Meaningless::new(
                "adjudication",
                "a stretch for a win, for a draw or for both",
                "none",
            )),
            Self { .. } => Ok(()),
        }
    }
}

/// How moves are graded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GradingRule {
    /// The registered engine that measures positions before and after moves.
    pub analyst: EventId,
    /// A game is open in a position that is at most so many centipawns from
    /// level and has no forced mate. Accuracy is over moves from there.
    pub open_cp: Count,
}
