//! What was decided, and where what was done departs from what was said.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::kinds::{
    Fact, KIND_NAMES, Meaningless, NOT_BLANK, check_distinct, check_reason, check_text,
};
use crate::event::{EventId, Reference};

/// `decision.recorded`: the maintainers decided something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionRecorded {
    /// The events that it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub about: Vec<EventId>,
    /// What was decided, in words.
    #[schemars(extend("pattern" = NOT_BLANK))]
    pub decision: String,
    /// Why, in words.
    #[schemars(extend("pattern" = NOT_BLANK))]
    pub reason: String,
}

impl Fact for DecisionRecorded {
    fn references(&self) -> Vec<Reference<'_>> {
        let about = self.about.iter();
        about
            .map(|event| Reference::new("about", event, KIND_NAMES))
            .collect()
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        check_text("decision", "what was decided, in words", &self.decision)?;
        check_reason(&self.reason)?;
        check_distinct("about", "each event once", &self.about)
    }
}

/// `deviation.recorded`: something was done otherwise than a protocol, a
/// preregistration or a schedule says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeviationRecorded {
    /// The events that it touches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub affected: Vec<EventId>,
    /// The protocol, preregistration or schedule that it departs from. A cohort
    /// goes by its schedule.
    pub departs_from: EventId,
    /// What differed, in words.
    #[schemars(extend("pattern" = NOT_BLANK))]
    pub differed: String,
    /// Why, in words.
    #[schemars(extend("pattern" = NOT_BLANK))]
    pub reason: String,
}

impl Fact for DeviationRecorded {
    fn references(&self) -> Vec<Reference<'_>> {
        const SAID: &[&str] = &[
            "protocol.published",
            "preregistration.committed",
            "schedule.committed",
        ];
        let affected = self.affected.iter();
        affected
            .map(|event| Reference::new("affected", event, KIND_NAMES))
            .chain([Reference::new("departs_from", &self.departs_from, SAID)])
            .collect()
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        check_text("differed", "what differed, in words", &self.differed)?;
        check_reason(&self.reason)?;
        check_distinct("affected", "each event once", &self.affected)
    }
}
