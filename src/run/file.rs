use std::collections::BTreeMap;

use serde::Deserialize;

use crate::canonical::Decimal;
use crate::event::{By, EvidenceStatus, Name, SearchLimit};

/// A run file: what is to be played, in TOML.
///
/// Its bytes are kept as a blob of the ledger, and a run goes on only under the
/// very same bytes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunFile {
    /// The name of the cohort, unique in the ledger.
    pub cohort: Name,
    /// Who writes the events.
    #[serde(default = "default_by")]
    pub by: By,
    /// What is promised before the first outcome.
    pub preregistration: PreregistrationPart,
    /// The rules.
    pub protocol: ProtocolPart,
    /// How long anything may take.
    #[serde(default)]
    pub deadlines: Deadlines,
    /// The engines, in the order of the schedule.
    pub engine: Vec<EnginePart>,
}

fn default_by() -> By {
    // The text is one; see the test.
    "runner/scoresheet"
        .parse()
        .unwrap_or_else(|_| unreachable!("a constant that parses"))
}

/// What is promised before the first outcome.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PreregistrationPart {
    /// What the evidence claims to be.
    pub evidence_status: EvidenceStatus,
    /// What the cohort is to find out.
    pub hypothesis: String,
    /// What will be reported whatever it says.
    pub primary_endpoints: Vec<String>,
    /// When the collection ends.
    pub stopping_rule: String,
    /// What will be left out.
    #[serde(default)]
    pub exclusions: String,
}

/// The rules of a round robin between engines.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProtocolPart {
    /// The name, unique in the ledger.
    pub name: Name,
    /// Accepted plies after which a game is drawn.
    pub ply_cap: u32,
    /// Answers a turn; after the last rejected one the game is forfeit.
    #[serde(default = "one")]
    pub attempts: u32,
    /// How often a cell is played again after a provider failure.
    #[serde(default = "three")]
    pub replays_max: u32,
    /// Where ratings start, and the system constant.
    #[serde(default)]
    pub glicko2: Glicko2Part,
}

const fn one() -> u32 {
    1
}

const fn three() -> u32 {
    3
}

/// Parameters of Glicko-2, as exact decimals.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Glicko2Part {
    /// The rating that everyone starts with.
    pub rating: Decimal,
    /// The deviation that everyone starts with.
    pub deviation: Decimal,
    /// The volatility that everyone starts with.
    pub volatility: Decimal,
    /// The system constant.
    pub tau: Decimal,
}

impl Default for Glicko2Part {
    /// The start values of seed 000: 1500, 350, 0.06 and tau 0.5.
    fn default() -> Self {
        let decimal = |text: &str| text.parse().unwrap_or(Decimal::ZERO);
        Self {
            rating: decimal("1500"),
            deviation: decimal("350"),
            volatility: decimal("0.06"),
            tau: decimal("0.5"),
        }
    }
}

/// How long anything may take, in milliseconds. What is late is a provider failure.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Deadlines {
    /// Until an engine has introduced itself and is ready.
    pub start_ms: u64,
    /// Until a search is answered.
    pub answer_ms: u64,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            start_ms: 20_000,
            answer_ms: 60_000,
        }
    }
}

/// An engine that plays.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnginePart {
    /// A name for people, unique in the ledger.
    pub name: Name,
    /// The program; without a slash it is looked for on the path.
    pub command: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// UCI options. `Threads` is always 1, and `Hash` is 16 unless said otherwise.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
    /// Nodes a search; exactly one of the three limits.
    pub nodes: Option<u64>,
    /// Plies a search.
    pub depth: Option<u64>,
    /// Milliseconds a search; the moves depend on the machine then.
    pub movetime_ms: Option<u64>,
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

/// Why a run file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunFileError {
    /// It is no run file.
    #[error("the run file cannot be read: {0}")]
    Toml(String),
    /// It asks for what cannot be.
    #[error("the run file asks for what cannot be: expected {expected}, found {found}")]
    Meaning {
        /// What was expected.
        expected: &'static str,
        /// What is there.
        found: String,
    },
}

impl RunFile {
    /// Reads a run file.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, with its line where it is one of form.
    pub fn parse(bytes: &[u8]) -> Result<Self, RunFileError> {
        let text =
            std::str::from_utf8(bytes).map_err(|error| RunFileError::Toml(error.to_string()))?;
        let file: Self =
            toml::from_str(text).map_err(|error| RunFileError::Toml(error.to_string()))?;
        let wrong = |expected, found: String| Err(RunFileError::Meaning { expected, found });
        if file.engine.len() < 2 {
            return wrong("two or more engines", file.engine.len().to_string());
        }
        if file.protocol.ply_cap == 0 || file.protocol.attempts == 0 {
            return wrong("a ply_cap and attempts of at least 1", "0".to_owned());
        }
        if file.deadlines.start_ms == 0 || file.deadlines.answer_ms == 0 {
            return wrong("deadlines above zero", "0".to_owned());
        }
        for (number, engine) in file.engine.iter().enumerate() {
            if file.engine[..number]
                .iter()
                .any(|other| other.name == engine.name)
            {
                return wrong("a name for each engine", format!("{} twice", engine.name));
            }
            let limits = [engine.nodes, engine.depth, engine.movetime_ms];
            if limits.iter().flatten().count() != 1 || limits.contains(&Some(0)) {
                return wrong(
                    "exactly one of nodes, depth and movetime_ms, above zero, for each engine",
                    format!("others for {}", engine.name),
                );
            }
        }
        Ok(file)
    }
}

impl EnginePart {
    /// What one search may use, as an event says it.
    pub fn limit(&self) -> SearchLimit {
        let count = |limit: Option<u64>| limit.map(crate::canonical::Count::saturating);
        SearchLimit {
            depth: count(self.depth),
            movetime_ms: count(self.movetime_ms),
            nodes: count(self.nodes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
        cohort = "pilot"
        [preregistration]
        evidence_status = "pilot"
        hypothesis = "stronger settings score more"
        primary_endpoints = ["placement rating"]
        stopping_rule = "every cell once"
        [protocol]
        name = "engines-1"
        ply_cap = 200
        [[engine]]
        name = "a"
        command = "stockfish"
        options = { Hash = 16, UCI_LimitStrength = true, Style = "Risky" }
        nodes = 1000
        [[engine]]
        name = "b"
        command = "stockfish"
        depth = 3
    "#;

    #[test]
    fn a_run_file_reads_with_its_defaults() {
        let file = RunFile::parse(GOOD.as_bytes()).unwrap();
        assert_eq!(file.by.as_str(), "runner/scoresheet");
        assert_eq!(file.engine[0].options["UCI_LimitStrength"].0, "true");
        assert_eq!(file.protocol.glicko2.tau.to_string(), "0.5");
        assert_eq!(file.protocol.replays_max, 3);
    }

    #[test]
    fn what_a_run_file_may_not_say_is_refused() {
        for (from, to) in [
            ("ply_cap = 200", "ply_cap = 0"),
            ("ply_cap = 200", "ply_capp = 200"),
            ("name = \"b\"", "name = \"a\""),
            ("depth = 3", ""),
            ("depth = 3", "depth = 3\nnodes = 4"),
            ("depth = 3", "depth = 0"),
            ("cohort = \"pilot\"", "cohort = \"Pilot one\""),
            ("evidence_status = \"pilot\"", "evidence_status = \"proof\""),
            ("[[engine]]", "[engine]"),
        ] {
            let text = GOOD.replacen(from, to, 1);
            assert!(RunFile::parse(text.as_bytes()).is_err(), "{to}");
        }
    }
}
