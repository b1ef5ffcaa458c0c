//! Games, from start to end or abort.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::chess::{Fen, GameResult, Termination, UciMove, Variant};
use crate::event::kinds::{Fact, Meaningless};
use crate::event::{EventId, Name, Reference};

/// `game.started`: the game's id is this event's id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend(
    "if" = { "properties": { "stage": { "const": "human" } }, "required": ["stage"] },
    "then" = { "required": ["billing"] },
    "else" = { "properties": { "billing": false } },
))]
pub struct GameStarted {
    /// Who pays for the calls of a game with a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub billing: Option<Billing>,
    /// The registered cell that the game is played for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<CellRef>,
    /// The draw that chose the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<EventId>,
    /// The frozen prefix of moves that nobody chose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
    /// The protocol.
    pub protocol: EventId,
    /// Who has which color.
    pub seats: Seats,
    /// What the game is for.
    pub stage: Stage,
    /// Where it starts.
    pub start: Start,
}

/// One registered slot of a schedule.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct CellRef {
    /// Its position in the frozen order, from 0.
    pub index: Count,
    /// The schedule.
    pub schedule: EventId,
}

/// Moves that a game begins with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The moves from the start position, each of them legal. Plies are counted from the start
    /// position, these included; the ply cap counts only moves accepted later.
    #[schemars(length(min = 1))]
    pub moves: Vec<UciMove>,
    /// Its name.
    pub name: Name,
}

/// Who has which color.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Seats {
    /// The system with Black, or the person.
    pub black: EventId,
    /// The system with White, or the person.
    pub white: EventId,
}

/// What a game is for.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The first batch, one rating period.
    Placement,
    /// A newcomer against the pool as it was at admission.
    Newcomer,
    /// The ladder's own choice.
    Ladder,
    /// A person's choice.
    Manual,
    /// Against an anchor.
    Anchored,
    /// Half of a mini-match.
    Paired,
    /// Against a person.
    Human,
}

impl Stage {
    /// Whether a ladder counts the game when it chooses who plays next.
    pub const fn is_counted_by_ladder(self) -> bool {
        matches!(self, Self::Ladder | Self::Manual)
    }

    /// Whether systems of a pool play one another.
    pub const fn is_between_systems(self) -> bool {
        matches!(
            self,
            Self::Placement | Self::Newcomer | Self::Ladder | Self::Manual
        )
    }

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Placement => "placement",
            Self::Newcomer => "newcomer",
            Self::Ladder => "ladder",
            Self::Manual => "manual",
            Self::Anchored => "anchored",
            Self::Paired => "paired",
            Self::Human => "human",
        }
    }
}

/// Who pays for the calls of a game with a person.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Billing {
    /// The benchmark pays: the model is marked FREE.
    Free,
    /// The person pays with their own account: the model is marked BYOK. Such
    /// money is no cost of the benchmark.
    Byok,
}

impl Billing {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Byok => "byok",
        }
    }
}

/// Who may sit at a board.
const SEATED: &[&str] = &["system.registered", "player.registered"];

/// Where a game starts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// The position.
    pub fen: Fen,
    /// The variant.
    pub variant: Variant,
}

impl Fact for GameStarted {
    fn references(&self) -> Vec<Reference<'_>> {
        self.cell
            .iter()
            .map(|cell| Reference::new("cell.schedule", &cell.schedule, &["schedule.committed"]))
            .chain(
                self.draw
                    .iter()
                    .map(|draw| Reference::new("draw", draw, &["draw.made"])),
            )
            .chain([
                Reference::new("protocol", &self.protocol, &["protocol.published"]),
                Reference::new("seats.black", &self.seats.black, SEATED),
                Reference::new("seats.white", &self.seats.white, SEATED),
            ])
            .collect()
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        if self.billing.is_some() != (self.stage == Stage::Human) {
            return Err(Meaningless::new(
                "billing",
                "`billing` beside the stage `human`, and beside no other",
                if self.billing.is_some() {
                    "some"
                } else {
                    "none"
                },
            ));
        }
        self.start.check_meaning(self.opening.as_ref())
    }
}

impl Start {
    /// Checks that the position is one of its variant, and that the moves of an
    /// opening can be played from there.
    pub(crate) fn check_meaning(&self, opening: Option<&Opening>) -> Result<(), Meaningless> {
        let Self { fen, variant } = self;
        let mut position = fen.position(*variant).map_err(|illegal| {
            let faults: Vec<_> = illegal.faults.iter().map(|fault| fault.as_str()).collect();
            Meaningless::new(
                "start.fen",
                format!("a position of {variant} chess"),
                format!("one that is none: {}", faults.join("; ")),
            )
        })?;
        let Some(opening) = opening else {
            return Ok(());
        };
        if opening.moves.is_empty() {
            return Err(Meaningless::new(
                "opening.moves",
                "an opening with moves, or none",
                "no move",
            ));
        }
        for (played, uci) in opening.moves.iter().enumerate() {
            if position.play(*uci).is_err() {
                return Err(Meaningless::new(
                    "opening.moves",
                    "legal moves from the start position",
                    format!("an illegal one after {played} of them"),
                ));
            }
        }
        Ok(())
    }
}

/// `game.finished`: the game has a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GameFinished {
    /// The game.
    pub game: EventId,
    /// Accepted moves of both sides together, without the opening.
    pub plies: Count,
    /// The result.
    pub result: GameResult,
    /// Why it ended.
    pub termination: Termination,
}

impl Fact for GameFinished {
    fn references(&self) -> Vec<Reference<'_>> {
        vec![Reference::new("game", &self.game, &["game.started"])]
    }
}

/// `game.aborted`: the game has no result and never will.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GameAborted {
    /// The call that failed, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<EventId>,
    /// Whose trouble it was.
    pub cause: AbortCause,
    /// The game.
    pub game: EventId,
    /// What happened, in words.
    pub reason: String,
}

/// Whose trouble aborted a game. None of them is a chess result.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum AbortCause {
    /// No answer came: a provider failure.
    ProviderFailure,
    /// The runner could not go on.
    RunnerFailure,
    /// A person decided.
    Maintainer,
}

impl AbortCause {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ProviderFailure => "provider_failure",
            Self::RunnerFailure => "runner_failure",
            Self::Maintainer => "maintainer",
        }
    }
}

impl Fact for GameAborted {
    fn references(&self) -> Vec<Reference<'_>> {
        self.call
            .iter()
            .map(|call| Reference::new("call", call, &["call.failed"]))
            .chain([Reference::new("game", &self.game, &["game.started"])])
            .collect()
    }
}
