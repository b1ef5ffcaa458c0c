use std::num::NonZeroUsize;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::digest::Digest;
use crate::event::{AnchorLadder, By, CellStart, EventId, EvidenceStatus, Name, What};
use crate::finding::visible;
use crate::ledger::Waivers;
use crate::run::baseline::{RandomPart, ScriptedPart};
use crate::run::budget::BudgetPart;
use crate::run::engine_part::{EnginePart, refuse_other_levels, refuse_ratings};
use crate::run::model_part::ModelPart;
use crate::run::oracle_part::OraclePart;
use crate::run::player_part::{PlayerPart, check_everybody};
use crate::run::program_part::ProgramPart;
use crate::run::prompting::Prompting;
use crate::run::prompts_part::PromptsPart;
use crate::run::protocol_part::ProtocolPart;
use crate::run::shape::read;
use crate::run::starts_part::StartsPart;

/// A run file: what is to be played, in TOML.
///
/// Its bytes are kept as a blob of the ledger, and a run goes on only under the
/// very same bytes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
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
    /// How many games go on at once.
    #[serde(default = "one")]
    #[schemars(extend("maximum" = PARALLEL_MAX))]
    pub parallel: NonZeroUsize,
    /// What the run may take.
    #[serde(default)]
    pub budget: BudgetPart,
    /// The engine that measures positions: during play where the protocol
    /// adjudicates, and when moves are graded.
    pub analyst: Option<EnginePart>,
    /// The engine whose best moves are shown to models and programs.
    pub oracle: Option<OraclePart>,
    /// Fixed opponents, in the order of the schedule, each with its rating.
    /// Where there are some, systems play them and never one another.
    #[serde(default)]
    pub anchor: Vec<EnginePart>,
    /// Where games against anchors start.
    pub starts: Option<StartsPart>,
    /// The engines, in the order of the schedule.
    #[serde(default)]
    pub engine: Vec<EnginePart>,
    /// The models, after the engines in the order of the schedule.
    #[serde(default)]
    pub model: Vec<ModelPart>,
    /// Programs that are started for each request, after the models.
    #[serde(default)]
    pub program: Vec<ProgramPart>,
    /// Baselines that play a legal move by chance, after the programs.
    #[serde(default)]
    pub random: Vec<RandomPart>,
    /// Baselines that play from a script, after those.
    #[serde(default)]
    pub scripted: Vec<ScriptedPart>,
    /// What models are sent, where the protocol leaves a choice.
    #[serde(default)]
    pub prompts: PromptsPart,
    /// The starts that are asked for, one by one.
    #[serde(skip)]
    cell_starts: Vec<CellStart>,
    /// The file as it was read.
    #[serde(skip)]
    bytes: Vec<u8>,
}

pub(crate) const fn one() -> NonZeroUsize {
    NonZeroUsize::MIN
}

/// More games at once than any provider allows calls.
const PARALLEL_MAX: usize = 256;

pub(crate) fn default_by() -> By {
    // The text is one; see the test.
    "runner/scoresheet"
        .parse()
        .unwrap_or_else(|_| unreachable!("a constant that parses"))
}

/// What is promised before the first outcome.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
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

/// How long anything may take, in milliseconds. What is late is a provider failure.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
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
        expected: String,
        /// What is there.
        found: String,
    },
    /// It holds what looks like a credential.
    #[error(
        "line {line} of the run file holds what looks like a credential ({rule}); the ledger keeps run files for ever, so name keys by environment variables"
    )]
    Secret {
        /// The line, from 1.
        line: usize,
        /// The rule that speaks.
        rule: &'static str,
    },
}

impl RunFile {
    /// Reads a run file. What looks like a credential in it is refused, but for
    /// what is waived.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, with its line where it is one of form.
    pub fn parse(bytes: &[u8], waivers: &Waivers) -> Result<Self, RunFileError> {
        let text = text_of(bytes, waivers)?;
        let mut file: Self = read(text)?;
        bytes.clone_into(&mut file.bytes);
        if let Some(analyst) = &mut file.analyst {
            analyst.measures = true;
        }
        if let Some(oracle) = &mut file.oracle {
            oracle.set_up();
        }
        let help = file.oracle.as_ref().map(OraclePart::assistance);
        for model in &mut file.model {
            model.oracle = help;
        }
        for program in &mut file.program {
            program.oracle = help;
        }
        for anchor in &mut file.anchor {
            anchor.limit_by_default();
        }
        file.check()?;
        if let Some(starts) = &file.starts {
            file.cell_starts = starts.starts()?;
        }
        if let Some(ladder) = file.protocol.anchor_ladder() {
            ladder.check_extent(file.cell_starts.len(), file.n_players())?;
        }
        Ok(file)
    }

    /// The file as it was read.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The digest of the file as it was read.
    pub fn digest(&self) -> Digest {
        Digest::of(&self.bytes)
    }

    /// Everybody in the file: those who are measured, anchors, the analyst, and the
    /// engine of the oracle.
    pub fn everybody(&self) -> Vec<PlayerPart<'_>> {
        let engines = self.engine.iter().map(PlayerPart::Engine);
        let models = self.model.iter().map(PlayerPart::Model);
        let programs = self.program.iter().map(PlayerPart::Program);
        let random = self.random.iter().map(PlayerPart::Random);
        let scripted = self.scripted.iter().map(PlayerPart::Scripted);
        let oracle = self.oracle.iter().map(|oracle| &oracle.engine);
        let others = self.anchor.iter().chain(&self.analyst).chain(oracle);
        let others = others.map(PlayerPart::Engine);
        let players = engines.chain(models).chain(programs);
        players
            .chain(random)
            .chain(scripted)
            .chain(others)
            .collect()
    }

    /// How many are measured.
    pub(crate) const fn n_players(&self) -> usize {
        let baselines = self.random.len() + self.scripted.len();
        self.engine.len() + self.model.len() + self.program.len() + baselines
    }

    /// Whether somebody plays who is sent prompts.
    const fn has_models(&self) -> bool {
        !self.model.is_empty() || !self.program.is_empty()
    }

    /// What models are sent. Nothing where none plays.
    pub fn prompting(&self) -> Option<Prompting> {
        let preset = self.protocol.preset.filter(|_| self.has_models())?;
        let attempts = self.protocol.published(None).attempts.get();
        // Whatever does not go together was refused when the file was read.
        let candidates = self.candidates();
        self.prompts.prompting(preset, attempts, candidates).ok()
    }

    /// How many candidates are shown.
    fn candidates(&self) -> Option<usize> {
        let oracle = self.oracle.as_ref();
        oracle.map(|oracle| usize::try_from(oracle.width).unwrap_or(usize::MAX))
    }

    /// Where games against anchors start; nothing where there are no anchors.
    pub fn cell_starts(&self) -> &[CellStart] {
        &self.cell_starts
    }

    /// How opponents follow from results, where they do.
    pub fn allocation(&self) -> Option<AnchorLadder> {
        let ladder = self.protocol.anchor_ladder()?;
        Some(ladder.rule(&self.anchor))
    }

    fn check_anchors(&self) -> Result<(), RunFileError> {
        let has_anchors = self.protocol.has_anchors();
        let stated = [
            ("[[anchor]]", !self.anchor.is_empty()),
            ("[starts]", self.starts.is_some()),
        ];
        for (part, is_there) in stated {
            if is_there != has_anchors {
                let expected = if has_anchors {
                    format!("{part} beside this protocol")
                } else {
                    format!("no {part} without a protocol against anchors")
                };
                return Err(wrong(expected, if is_there { "some" } else { "none" }));
            }
        }
        let is_rated_once = |part: &&EnginePart| part.rating.is_some() != part.fitted;
        if let Some(part) = self.anchor.iter().find(|part| !is_rated_once(part)) {
            return Err(wrong(
                format!("a `rating` of the anchor {}, or `fitted = true`", part.name),
                if part.fitted { "both" } else { "neither" },
            ));
        }
        refuse_other_levels(&self.anchor)?;
        if let Some(ladder) = self.protocol.anchor_ladder() {
            ladder.check(&self.anchor)?;
        }
        let oracle = self.oracle.iter().map(|oracle| &oracle.engine);
        refuse_ratings(self.engine.iter().chain(&self.analyst).chain(oracle))?;
        if let Some(name) = self.analyst.iter().find_map(EnginePart::weakened) {
            return Err(wrong("an [analyst] at its full strength", name));
        }
        match (self.protocol.needs_analyst(), &self.analyst) {
            (true, None) => Err(wrong(
                "an [analyst] beside a protocol that measures",
                "none",
            )),
            (false, Some(part)) => Err(wrong(
                "no [analyst] where the protocol has neither `adjudication` nor `grading`",
                part.name.to_string(),
            )),
            (true, Some(_)) | (false, None) => Ok(()),
        }
    }

    fn check_models(&self) -> Result<(), RunFileError> {
        for part in &self.program {
            part.check()?;
        }
        for part in &self.scripted {
            part.check()?;
        }
        if let Some(oracle) = &self.oracle {
            if !self.has_models() {
                let expected = "no [oracle] without a [[model]] or a [[program]] to be helped";
                return Err(wrong(expected, "one"));
            }
            oracle.check()?;
        }
        if !self.has_models() {
            return if self.prompts == PromptsPart::default() {
                Ok(())
            } else {
                let expected = "no [prompts] without a [[model]] or a [[program]]";
                Err(wrong(expected, "some"))
            };
        }
        for part in &self.model {
            part.check()?;
        }
        let Some(preset) = self.protocol.preset else {
            // A program is told of the game all the same.
            let is_told_nothing = self.oracle.is_none() && self.prompts == PromptsPart::default();
            if self.model.is_empty() && is_told_nothing {
                return Ok(());
            }
            let expected =
                "a `preset` under [protocol] where models play: it says what they are sent";
            return Err(wrong(expected, "none"));
        };
        let prompting = self.prompts.prompting(preset, 1, self.candidates());
        prompting.map(drop)
    }

    /// Checks what types cannot say.
    fn check(&self) -> Result<(), RunFileError> {
        if PARALLEL_MAX < self.parallel.get() {
            let expected = format!("at most {PARALLEL_MAX} games in `parallel`");
            return Err(wrong(expected, self.parallel.to_string()));
        }
        // Neither an analyst nor an oracle plays.
        let n_others = [self.analyst.is_some(), self.oracle.is_some()];
        let least = 2 + n_others.into_iter().map(usize::from).sum::<usize>();
        check_everybody(&self.everybody(), least, &self.deadlines)?;
        self.protocol.check(self.has_models())?;
        self.check_models()?;
        self.budget.check()?;
        self.check_anchors()?;
        // The rules and the promise have to make events that mean something. The
        // engines that measure have no id yet, and any will do.
        let id = |part: &EnginePart| EventId::of(part.name.as_str().as_bytes());
        let analyst = self.analyst.as_ref().map(id);
        let advisor = self.oracle.as_ref().map(|oracle| id(&oracle.engine));
        for what in [
            What::from(self.protocol(analyst, advisor)),
            What::from(self.preregistration()),
        ] {
            what.check_meaning().map_err(|meaningless| {
                let found = format!("{} as {}", meaningless.found, meaningless.field);
                wrong(meaningless.expected, found)
            })?;
        }
        Ok(())
    }
}

/// Returns the text of a run file. What looks like a credential in it is
/// refused, but for what is waived, before anything is read from it: messages
/// quote what they read.
pub(crate) fn text_of<'b>(bytes: &'b [u8], waivers: &Waivers) -> Result<&'b str, RunFileError> {
    if let Some(hit) = waivers.standing(bytes).first() {
        let before = bytes.iter().take(hit.start);
        return Err(RunFileError::Secret {
            line: 1 + before.filter(|byte| **byte == b'\n').count(),
            rule: hit.rule,
        });
    }
    std::str::from_utf8(bytes).map_err(|error| RunFileError::Toml(error.to_string()))
}

pub(crate) fn wrong(expected: impl Into<String>, found: impl Into<String>) -> RunFileError {
    RunFileError::Meaning {
        expected: expected.into(),
        found: shown(&found.into()),
    }
}

/// What the reader of TOML says: some lines that quote the one that is wrong.
pub(crate) fn toml_fault(error: &toml::de::Error) -> RunFileError {
    let said = error.to_string();
    let lines: Vec<_> = said.lines().map(shown).collect();
    RunFileError::Toml(lines.join("\n"))
}

/// A line that quotes the file, so that it can be shown: not too much of it.
fn shown(line: &str) -> String {
    const SHOWN: usize = 200;
    let mut start: String = line.chars().take(SHOWN).collect();
    if start.len() < line.len() {
        start.push_str("...");
    }
    visible(&start)
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
        let file = RunFile::parse(GOOD.as_bytes(), &Waivers::default()).unwrap();
        assert_eq!(file.by.as_str(), "runner/scoresheet");
        assert_eq!(file.engine[0].options["UCI_LimitStrength"].0, "true");
        let protocol = file.protocol(None, None);
        assert_eq!(protocol.glicko2.unwrap().tau.to_string(), "0.5");
        assert_eq!(protocol.failed_request.replays_max, Some(3_u32.into()));
    }

    #[test]
    fn a_message_quotes_little_and_steers_no_terminal() {
        let long = "x".repeat(100_000);
        for (from, to) in [
            ("stronger", "\u{1b}[2J".to_owned()),
            ("ply_cap", long.clone()),
            (
                "evidence_status = \"",
                format!("evidence_status = \"{long}"),
            ),
            (
                "{ Hash = 16,",
                format!("{{ {long} = 1, {} = 2,", long.to_uppercase()),
            ),
            (
                "{ Hash = 16,",
                "{ \"a\\u001b\" = 1, \"A\\u001B\" = 2,".to_owned(),
            ),
        ] {
            let text = GOOD.replacen(from, &to, 1);
            let message = RunFile::parse(text.as_bytes(), &Waivers::default())
                .unwrap_err()
                .to_string();
            assert!(message.len() < 2_000, "{} bytes", message.len());
            assert!(!message.contains('\u{1b}'), "{message:?}");
        }
    }

    #[test]
    fn what_a_run_file_may_not_say_is_refused() {
        for (from, to) in [
            ("ply_cap = 200", "ply_cap = 0"),
            ("ply_cap = 200", "ply_capp = 200"),
            ("ply_cap = 200", "ply_cap = 200\nattempts = 0"),
            (
                "ply_cap = 200",
                "ply_cap = 200\nglicko2 = { rating = \"1500\", deviation = \"0\", volatility = \"0.06\", tau = \"0.5\" }",
            ),
            ("[\"placement rating\"]", "[]"),
            ("nodes = 1000", "nodes = 9007199254740992"),
            ("depth = 3", "depth = 1001"),
            ("depth = 3", "movetime_ms = 60000"),
            ("{ Hash = 16,", "{ Hash = 16, hash = 32,"),
            ("name = \"b\"", "name = \"a\""),
            ("depth = 3", ""),
            ("depth = 3", "depth = 3\nnodes = 4"),
            ("depth = 3", "depth = 0"),
            ("cohort = \"pilot\"", "cohort = \"Pilot one\""),
            ("evidence_status = \"pilot\"", "evidence_status = \"proof\""),
            ("[[engine]]", "[engine]"),
        ] {
            let text = GOOD.replacen(from, to, 1);
            assert!(
                RunFile::parse(text.as_bytes(), &Waivers::default()).is_err(),
                "{to}"
            );
        }
    }
}
