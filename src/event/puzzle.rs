//! What systems answer to puzzles.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::chess::UciMove;
use crate::event::dataset::{PUZZLE_ID, PUZZLE_ID_IN_WORDS, is_puzzle_id};
use crate::event::kinds::{Fact, Meaningless};
use crate::event::{EventId, Reference};

/// `puzzle.answered`: what came of the one request for a puzzle.
///
/// Whether it is solved is not said: that follows from the line and the dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend(
    "if" = {
        "properties": { "form": { "enum": ["as_is", "extracted", "converted"] } },
        "required": ["form"],
    },
    "then" = { "required": ["line"] },
    "else" = { "properties": { "line": false } },
))]
pub struct PuzzleAnswered {
    /// The answer of the provider, or its failure: then the puzzle counts as
    /// wrong, and stays a provider failure.
    pub call: EventId,
    /// The dataset that the puzzle is of.
    pub dataset: EventId,
    /// In what form the reply gave its line. Absent: no reply came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<ReplyForm>,
    /// The moves that were read in the reply, legal or not: the first 256.
    /// Stands where a line could be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1, max = 256))]
    pub line: Vec<UciMove>,
    /// The protocol, and so the prompt, under which it was asked.
    pub protocol: EventId,
    /// The id of the puzzle.
    #[schemars(extend("pattern" = PUZZLE_ID))]
    pub puzzle: String,
    /// The system that was asked.
    pub system: EventId,
}

/// In what form a reply to a puzzle gave its line of moves.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ReplyForm {
    /// The reply is the line, in UCI.
    AsIs,
    /// The line stood among other text.
    Extracted,
    /// The line was in SAN, and was converted from the position.
    Converted,
    /// No line could be read; an empty reply too.
    Wrong,
}

/// The most moves of a line that are kept. No solution is nearly as long.
pub const LINE_MOVES_MAX: usize = 256;

impl ReplyForm {
    /// Every form, in order.
    pub const ALL: [Self; 4] = [Self::AsIs, Self::Extracted, Self::Converted, Self::Wrong];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AsIs => "as_is",
            Self::Extracted => "extracted",
            Self::Converted => "converted",
            Self::Wrong => "wrong",
        }
    }

    /// Whether a line was read.
    pub const fn has_line(self) -> bool {
        !matches!(self, Self::Wrong)
    }
}

impl Fact for PuzzleAnswered {
    fn references(&self) -> Vec<Reference<'_>> {
        vec![
            Reference::new("call", &self.call, &["call.answered", "call.failed"]),
            Reference::new("dataset", &self.dataset, &["dataset.registered"]),
            Reference::new("protocol", &self.protocol, &["protocol.published"]),
            Reference::new("system", &self.system, &["system.registered"]),
        ]
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        if !is_puzzle_id(&self.puzzle) {
            let expected = PUZZLE_ID_IN_WORDS;
            return Err(Meaningless::new("puzzle", expected, "another text"));
        }
        if LINE_MOVES_MAX < self.line.len() {
            let expected = format!("at most {LINE_MOVES_MAX} moves");
            let found = format!("{} moves", self.line.len());
            return Err(Meaningless::new("line", expected, found));
        }
        let has_line = self.form.is_some_and(ReplyForm::has_line);
        if has_line == self.line.is_empty() {
            return Err(Meaningless::new(
                "line",
                "a line where the form says that one was read, and else none",
                if has_line { "none" } else { "one" },
            ));
        }
        Ok(())
    }
}
