//! A game of others, as its source has it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::{Count, Money};
use crate::chess::{GameResult, Ply, Termination, UciMove};
use crate::event::import::{STARTED, check_number};
use crate::event::kinds::{Fact, Meaningless, NOT_NEGATIVE};
use crate::event::{EventId, NamedValue, Reference, ReportedScore, Start, Tokens};

/// `game.imported`: a game that a source has, as it has it.
///
/// What the source does not say is absent. What it says twice stands here twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GameImported {
    /// The player with Black.
    pub black: ImportedSeat,
    /// What else the source says of the game, by its own names, in its order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub details: Vec<NamedValue>,
    /// How it ended, where the source says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<ImportedEnding>,
    /// What is wrong with it in the source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub faults: Vec<ImportFault>,
    /// The source.
    pub import: EventId,
    /// The line of the source that the game begins on, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 1))]
    pub line: Option<Count>,
    /// The moves from the start, up to the first that cannot be played.
    pub moves: Vec<UciMove>,
    /// The number of the game in its source, from 1.
    #[schemars(extend("minimum" = 1))]
    pub number: Count,
    /// The file in a source that is a folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Answers that were no legal move, where the source has single ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub rejected: Vec<ImportedRejection>,
    /// What the source says of single moves, in the order of plies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub remarks: Vec<ImportedRemark>,
    /// Where it starts.
    pub start: Start,
    /// Every result that the source states.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub stated: Vec<StatedResult>,
    /// The player with White.
    pub white: ImportedSeat,
}

/// Who played, in the words of the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportedSeat {
    /// What its calls cost in all, as the source says.
    #[schemars(extend("pattern" = NOT_NEGATIVE))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<Money>,
    /// The model, where the source tells it from the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How many of its answers were no legal move, where the source counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected: Option<Count>,
    /// Token counts of its calls in all, as the source says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Tokens>,
}

/// An answer that was no legal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportedRejection {
    /// The ply that it would have made, from 1.
    #[schemars(extend("minimum" = 1))]
    pub ply: Ply,
    /// What was made of the answer, where the source has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Why it was no move, in the words of the source.
    pub why: String,
}

/// How a game ended, in the words of the source, and what that means here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportedEnding {
    /// What sort of ending it is.
    pub class: EndingClass,
    /// What the source says.
    pub text: String,
}

/// What sort of ending a game had. Only the first two are chess.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum EndingClass {
    /// By the rules of chess, or by the players' own will.
    Chess,
    /// On the clock, under a time control of the game.
    Time,
    /// By the protocol: a ply limit or adjudication.
    Censored,
    /// An answer came that was no legal move: a loss of the complete system.
    Interface,
    /// No answer came, or a program or connection failed: no chess result.
    Provider,
    /// It was not played to an end.
    Unfinished,
    /// In words that nobody has said the meaning of: no chess result.
    Unknown,
}

/// A result that a source states.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct StatedResult {
    /// Where it states it.
    pub by: StatedBy,
    /// The line of the source, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 1))]
    pub line: Option<Count>,
    /// The result. Absent: it states that there is none, as `*` does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
}

/// Where a source states a result.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum StatedBy {
    /// In a header: the tag `Result` of a PGN.
    Header,
    /// Behind the moves of a PGN.
    Moves,
    /// In a field for the winner.
    Winner,
    /// In what was paid out to the players.
    Rewards,
}

/// What a source says of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportedRemark {
    /// What the mover had left on the clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<Count>,
    /// The depth of the search behind the score, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<Count>,
    /// How long the move took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<Count>,
    /// The move; 0 is before the first.
    pub ply: Ply,
    /// A score, from the mover's side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<ReportedScore>,
}

/// Something that is wrong with a game in its source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportFault {
    /// What should have stood there.
    pub expected: String,
    /// What stands there.
    pub found: String,
    /// What sort of fault.
    pub kind: ImportFaultKind,
    /// The line of the source, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 1))]
    pub line: Option<Count>,
    /// The ply that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<Ply>,
}

/// What sort of fault a game has in its source.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ImportFaultKind {
    /// Two places say two things.
    Contradiction,
    /// The game stops in the middle.
    CutOff,
    /// Bytes are not in the encoding that they should be in.
    Encoding,
    /// A move cannot be played, and nothing behind it was.
    Illegal,
    /// A null move, which nobody can play.
    NullMove,
    /// What the source says did not fit a line of the ledger and stays in the source.
    LeftOut,
    /// A move is not written as the standard says, and only one can be meant.
    Spelling,
    /// A header cannot be read, or stands there twice.
    Header,
    /// What stands in the place of a move is none.
    Unreadable,
}

impl EndingClass {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Chess => "chess",
            Self::Time => "time",
            Self::Censored => "censored",
            Self::Interface => "interface",
            Self::Provider => "provider",
            Self::Unfinished => "unfinished",
            Self::Unknown => "unknown",
        }
    }
}

impl StatedBy {
    /// In words: `the header`.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Header => "the header",
            Self::Moves => "the end of the moves",
            Self::Winner => "the field for the winner",
            Self::Rewards => "the rewards",
        }
    }
}

impl GameImported {
    /// Whether the source contradicts itself about this game.
    pub fn is_contradicted(&self) -> bool {
        let mut faults = self.faults.iter();
        faults.any(|fault| fault.kind == ImportFaultKind::Contradiction)
    }

    /// Whether anything else is wrong with it.
    pub fn is_faulty(&self) -> bool {
        let mut faults = self.faults.iter();
        faults.any(|fault| fault.kind != ImportFaultKind::Contradiction)
    }

    /// The one result that everything states, where there is one and the game was
    /// played to an end. Chess that nobody played on has none, whatever was paid
    /// out for it.
    pub fn result(&self) -> Option<GameResult> {
        use EndingClass::{Provider, Unfinished, Unknown};
        let class = self.ending.as_ref().map(|ending| ending.class);
        if let Some(Provider | Unfinished | Unknown) = class {
            return None;
        }
        let (first, others) = self.stated.split_first()?;
        let agree = others.iter().all(|other| other.result == first.result);
        first.result.filter(|_| agree)
    }

    /// What contradicts among the results that are stated, and `end`, which chess
    /// gives the game after its moves and nobody need claim.
    pub fn contradictions(&self, end: Option<(GameResult, Termination)>) -> Vec<ImportFault> {
        let word = |result: Option<GameResult>| result.map_or("*", GameResult::as_str);
        let fault = |stated: &StatedResult, expected: String| ImportFault {
            expected,
            found: format!("{} in {}", word(stated.result), stated.by.in_words()),
            kind: ImportFaultKind::Contradiction,
            line: stated.line,
            ply: None,
        };
        if let Some((result, termination)) = end {
            let wrong = self.stated.iter().filter(|one| one.result != Some(result));
            let expected = format!("{result} by {termination}, which the moves give");
            return wrong
                .map(|stated| fault(stated, expected.clone()))
                .collect();
        }
        let Some((first, others)) = self.stated.split_first() else {
            return Vec::new();
        };
        let wrong = others.iter().filter(|one| one.result != first.result);
        let said = word(first.result);
        wrong
            .map(|stated| fault(stated, format!("{said}, as {} says", first.by.in_words())))
            .collect()
    }
}

impl Fact for GameImported {
    fn references(&self) -> Vec<Reference<'_>> {
        vec![Reference::new("import", &self.import, STARTED)]
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        check_number("number", self.number)?;
        self.line
            .map_or(Ok(()), |line| check_number("line", line))?;
        let plies = u32::try_from(self.moves.len()).unwrap_or(u32::MAX);
        let mut last = None;
        for remark in &self.remarks {
            if last.is_some_and(|last| remark.ply <= last) || plies < remark.ply.0 {
                let expected = "plies of the game, in ascending order";
                return Err(Meaningless::new("remarks.ply", expected, "another one"));
            }
            last = Some(remark.ply);
            if let Some(score) = remark.score {
                score.check("remarks.score")?;
            }
        }
        let seats = [&self.white, &self.black];
        if seats
            .iter()
            .any(|seat| seat.cost_usd.is_some_and(Money::is_negative))
        {
            return Err(Meaningless::new("cost_usd", "zero or more", "less"));
        }
        if self
            .rejected
            .iter()
            .any(|rejected| rejected.ply == Ply::START)
        {
            return Err(Meaningless::new("rejected.ply", "a ply from 1", "0"));
        }
        let lines = self.stated.iter().map(|stated| stated.line);
        let lines = lines.chain(self.faults.iter().map(|fault| fault.line));
        if lines.flatten().any(|line| line == Count::ZERO) {
            return Err(Meaningless::new("line", "a line from 1", "0"));
        }
        Ok(())
    }
}
