//! What run and ladder files say of an engine.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::canonical::{Count, Decimal, MAX_SAFE_INTEGER};
use crate::event::{LEVEL_OPTION, Name, SearchLimit};
use crate::run::file::{Deadlines, RunFileError, wrong};

/// An engine that plays.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnginePart {
    /// A name for people, unique in the ledger.
    pub name: Name,
    /// The rating of an anchor, in points; nobody else has one here.
    pub rating: Option<Decimal>,
    /// Whether an anchor's rating is the one that a frozen fit in the ledger gave it.
    #[serde(default)]
    pub fitted: bool,
    /// The program; without a slash it is looked for on the path.
    pub command: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// UCI options. `Threads` is always 1, and `Hash` is 16 unless said otherwise.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
    /// Nodes a search; exactly one of the three limits.
    #[schemars(extend("minimum" = 1))]
    pub nodes: Option<u64>,
    /// Plies a search.
    #[schemars(extend("minimum" = 1))]
    pub depth: Option<u64>,
    /// Milliseconds a search; the moves depend on the machine then.
    #[schemars(extend("minimum" = 1))]
    pub movetime_ms: Option<u64>,
    /// Whether it measures positions and plays nowhere: then it says its chances
    /// and its three best lines, where it can.
    #[serde(skip)]
    pub measures: bool,
}

/// Options that make a search weaker than its limit.
const WEAKENING: [&str; 2] = ["UCI_LimitStrength", "Skill Level"];

/// Whether an option of this name makes a search weaker than its limit: then its
/// score is not that of the move it plays.
pub fn is_weakening(option: &str) -> bool {
    WEAKENING
        .iter()
        .any(|weak| weak.eq_ignore_ascii_case(option))
}

/// The value of a UCI option as TOML has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionValue(pub String);

impl<'de> Deserialize<'de> for OptionValue {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = OptionValue;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a text, a whole number or true or false")
            }

            fn visit_str<E>(self, text: &str) -> Result<OptionValue, E> {
                Ok(OptionValue(text.to_owned()))
            }

            fn visit_i64<E>(self, number: i64) -> Result<OptionValue, E> {
                Ok(OptionValue(number.to_string()))
            }

            fn visit_bool<E>(self, truth: bool) -> Result<OptionValue, E> {
                Ok(OptionValue(truth.to_string()))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// What an anchor may use where nothing is said, in milliseconds a move.
const ANCHOR_MOVETIME_MS: u64 = 500;

impl EnginePart {
    /// Gives an anchor of which no limit is said the usual one.
    pub(crate) fn limit_by_default(&mut self) {
        if (self.nodes, self.depth, self.movetime_ms) == (None, None, None) {
            self.movetime_ms = Some(ANCHOR_MOVETIME_MS);
        }
    }

    /// The first option that makes its searches weaker than their limit.
    pub(crate) fn weakened(&self) -> Option<&str> {
        let mut names = self.options.keys().map(String::as_str);
        names.find(|name| is_weakening(name))
    }

    /// What one search may use, as an event says it.
    pub fn limit(&self) -> SearchLimit {
        let count = |limit: Option<u64>| limit.map(Count::saturating);
        SearchLimit {
            depth: count(self.depth),
            movetime_ms: count(self.movetime_ms),
            nodes: count(self.nodes),
        }
    }

    pub(crate) fn check(&self, deadlines: &Deadlines) -> Result<(), RunFileError> {
        let of_this = |found: &str| format!("{found} for {}", self.name);
        let limits = [self.nodes, self.depth, self.movetime_ms];
        let set: Vec<u64> = limits.into_iter().flatten().collect();
        if set.len() != 1 || set[0] == 0 {
            let expected = "exactly one of nodes, depth and movetime_ms, above zero";
            return Err(wrong(expected, of_this(&format!("{} of them", set.len()))));
        }
        // An engine must not be asked for more than the event can say.
        if MAX_SAFE_INTEGER < set[0] || self.depth.is_some_and(|depth| 1000 < depth) {
            let expected = format!("at most {MAX_SAFE_INTEGER} nodes, a depth of at most 1000");
            return Err(wrong(expected, of_this(&set[0].to_string())));
        }
        if self
            .movetime_ms
            .is_some_and(|time| deadlines.answer_ms <= time)
        {
            let expected = format!("a movetime below answer_ms, {}", deadlines.answer_ms);
            return Err(wrong(expected, of_this(&set[0].to_string())));
        }
        let names: Vec<_> = self.options.keys().collect();
        for (number, name) in names.iter().enumerate() {
            if names[..number]
                .iter()
                .any(|other| other.eq_ignore_ascii_case(name))
            {
                let found = of_this(&format!("{name} in two spellings"));
                return Err(wrong("each option once, whatever its case", found));
            }
        }
        Ok(())
    }
}

/// Refuses a rating of an anchor beside the level that its engine is set to: the
/// two say different strengths of one engine.
pub(crate) fn refuse_other_levels(anchors: &[EnginePart]) -> Result<(), RunFileError> {
    for part in anchors {
        let mut options = part.options.iter();
        let level = options.find(|(name, _)| name.eq_ignore_ascii_case(LEVEL_OPTION));
        let (Some((name, level)), Some(rating)) = (level, part.rating) else {
            continue;
        };
        if level.0.trim().parse() != Ok(rating) {
            return Err(wrong(
                format!(
                    "the `rating` of the anchor {} to be its {name}, {}",
                    part.name, level.0
                ),
                rating.to_string(),
            ));
        }
    }
    Ok(())
}

/// Only the rating of an anchor is known before it plays.
pub(crate) fn refuse_ratings<'e>(
    engines: impl IntoIterator<Item = &'e EnginePart>,
) -> Result<(), RunFileError> {
    let mut engines = engines.into_iter();
    match engines.find(|part| part.rating.is_some() || part.fitted) {
        None => Ok(()),
        Some(part) => Err(wrong(
            "a `rating` for anchors alone, and `fitted` likewise",
            format!("one for {}", part.name),
        )),
    }
}
