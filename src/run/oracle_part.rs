//! What a run file says of a candidate oracle.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::event::{Assistance, EventId, Name, OracleRule};
use crate::run::engine_part::{EnginePart, OptionValue};
use crate::run::file::{RunFileError, wrong};

/// An engine whose best moves are shown to the models and programs of a run, without
/// rank or score.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OraclePart {
    /// How many moves are shown.
    pub width: u32,
    /// The condition, a word such as `top-3`; the shown order is drawn from it too.
    pub condition: Name,
    /// Which repetition of the condition, from 0; the shown order is drawn from it
    /// too.
    #[serde(default)]
    pub repetition: u32,
    /// The engine, with a limit of nodes.
    pub engine: EnginePart,
}

/// The option that sets how many lines an engine searches.
const LINES: &str = "MultiPV";

/// The most candidates: no position has more legal moves.
const WIDTH_MAX: u32 = 218;

impl OraclePart {
    /// Has the engine measure, and search enough lines where nobody says how many:
    /// one more than are shown. A search that is cut off between two depths may
    /// report one move in two lines.
    pub(crate) fn set_up(&mut self) {
        self.engine.measures = true;
        if self.lines().is_none() {
            let lines = OptionValue(self.width.saturating_add(1).to_string());
            self.engine.options.insert(LINES.to_owned(), lines);
        }
    }

    fn lines(&self) -> Option<&OptionValue> {
        let mut options = self.engine.options.iter();
        let set = options.find(|(name, _)| name.eq_ignore_ascii_case(LINES));
        set.map(|(_, value)| value)
    }

    pub(crate) fn check(&self) -> Result<(), RunFileError> {
        let name = &self.engine.name;
        if !(1..=WIDTH_MAX).contains(&self.width) {
            let expected = format!("a `width` from 1 to {WIDTH_MAX} under [oracle]");
            return Err(wrong(expected, self.width.to_string()));
        }
        if self.engine.nodes.is_none() {
            let expected = "`nodes` as the limit of [oracle.engine]: only then the same position has the same record";
            return Err(wrong(expected, format!("another limit for {name}")));
        }
        if let Some(option) = self.engine.weakened() {
            return Err(wrong("an [oracle.engine] at its full strength", option));
        }
        let lines = self.lines().map(|lines| lines.0.as_str());
        let is_enough = |lines: &str| lines.parse().is_ok_and(|lines: u32| self.width <= lines);
        match lines.filter(|lines| !is_enough(lines)) {
            Some(lines) => {
                let expected = format!("a {LINES} of {name} of at least the `width`");
                Err(wrong(expected, lines))
            }
            None => Ok(()),
        }
    }

    /// The rule, with the engine as it is registered.
    pub(crate) fn rule(&self, advisor: EventId) -> OracleRule {
        OracleRule {
            advisor,
            condition: self.condition.clone(),
            repetition: self.repetition.into(),
            width: self.width.into(),
        }
    }

    /// How whoever it helps is registered.
    pub(crate) fn assistance(&self) -> Assistance {
        Assistance::candidates(self.width.into())
    }
}
