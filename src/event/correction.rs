//! Corrections: nothing is changed or taken away, everything can be set right.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::kinds::{Fact, KIND_NAMES, Meaningless, NOT_BLANK, check_reason, check_text};
use crate::event::superseding::{forms, kinds_with};
use crate::event::{EventId, NamedValue, Reference};

/// `correction.recorded`: what earlier events say counts otherwise from here on.
///
/// The events stay. Every projection of a longer prefix follows the correction,
/// and every projection of a shorter one stays what it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend(
    "if" = { "properties": { "change": { "const": "supersede" } }, "required": ["change"] },
    "then" = { "required": ["values"] },
    "else" = { "properties": { "values": false } },
))]
pub struct CorrectionRecorded {
    /// What changes.
    pub change: CorrectionChange,
    /// What the correction rests on, in words: a bill, a log, a ticket.
    #[schemars(extend("pattern" = NOT_BLANK))]
    pub evidence: String,
    /// Why, in words.
    #[schemars(extend("pattern" = NOT_BLANK))]
    pub reason: String,
    /// The events that it is about.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub targets: Vec<EventId>,
    /// The fields that are superseded, each once, and the values that count.
    /// Stands with the change `supersede`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), extend("anyOf" = forms(), "uniqueItems" = true))]
    pub values: Vec<NamedValue>,
}

/// What a correction does.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum CorrectionChange {
    /// Says something about the targets; no figure changes.
    Annotate,
    /// Takes the targets out of every figure: a game, a charge, an expense, what an
    /// account was seen to spend, a measurement, a probe of tables, an answer to a
    /// puzzle or a position.
    Exclude,
    /// Puts other values in the place of those that the targets carry.
    Supersede,
    /// Takes earlier corrections back.
    Reverse,
}

impl CorrectionChange {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Annotate => "annotate",
            Self::Exclude => "exclude",
            Self::Supersede => "supersede",
            Self::Reverse => "reverse",
        }
    }

    /// The kinds of event that it may be about.
    pub const fn kinds(self) -> &'static [&'static str] {
        match self {
            Self::Annotate => KIND_NAMES,
            Self::Exclude => &[
                "game.started",
                "cost.looked_up",
                "expense.recorded",
                "billing.corrected",
                "account.observed",
                "price.recorded",
                "position.measured",
                "tablebase.probed",
                "puzzle.answered",
                "cell.answered",
            ],
            Self::Supersede => &[
                "game.finished",
                "call.answered",
                "cost.looked_up",
                "expense.recorded",
                "billing.corrected",
                "price.recorded",
            ],
            Self::Reverse => &["correction.recorded"],
        }
    }
}

impl Fact for CorrectionRecorded {
    fn references(&self) -> Vec<Reference<'_>> {
        // Only events that have all the fields can have them superseded.
        let kinds = match self.change {
            CorrectionChange::Supersede => kinds_with(&self.values).unwrap_or_default(),
            other => other.kinds(),
        };
        let targets = self.targets.iter();
        targets
            .map(|target| Reference::new("targets", target, kinds))
            .collect()
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        check_reason(&self.reason)?;
        check_text("evidence", "what it rests on, in words", &self.evidence)?;
        let distinct: std::collections::BTreeSet<_> = self.targets.iter().collect();
        if self.targets.is_empty() || distinct.len() != self.targets.len() {
            let expected = "one or more events, each once";
            return Err(Meaningless::new(
                "targets",
                expected,
                "none, or one of them twice",
            ));
        }
        match (self.change, self.values.is_empty()) {
            (CorrectionChange::Supersede, true) => {
                Err(Meaningless::new("values", "the values that count", "none"))
            }
            (CorrectionChange::Supersede, false) => kinds_with(&self.values).map(|_| ()),
            (_, true) => Ok(()),
            (_, false) => Err(Meaningless::new(
                "values",
                "none beside another change than `supersede`",
                "some",
            )),
        }
    }
}
