use schemars::JsonSchema;
use serde::Deserialize;

use crate::digest::Digest;
use crate::event::{By, Name, ProtocolPublished};
use crate::ledger::Waivers;
use crate::run::RunError;
use crate::run::baseline::{RandomPart, ScriptedPart};
use crate::run::budget::BudgetPart;
use crate::run::engine_part::{EnginePart, refuse_ratings};
use crate::run::file::{Deadlines, RunFile, RunFileError, default_by, text_of, toml_fault, wrong};
use crate::run::model_part::ModelPart;
use crate::run::player_part::{PlayerPart, check_everybody};
use crate::run::position_file::PositionFile;
use crate::run::program_part::ProgramPart;
use crate::run::prompting::Prompting;
use crate::run::prompts_part::PromptsPart;
use crate::run::protocol_part::Preset;
use crate::run::puzzle_file::PuzzleFile;
use crate::run::shape::read;

/// A run file for a ladder, in TOML: which era, and who is there to play.
///
/// The era has the rules, and chooses the games. The file may change from run
/// to run; each run that plays keeps its bytes as a blob of the ledger.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LadderFile {
    /// The name of the era.
    pub era: Name,
    /// Who writes the events.
    #[serde(default = "default_by")]
    pub by: By,
    /// How long anything may take.
    #[serde(default)]
    pub deadlines: Deadlines,
    /// What the games of the era may take, over all runs.
    #[serde(default)]
    pub budget: BudgetPart,
    /// The engines, in any order.
    #[serde(default)]
    pub engine: Vec<EnginePart>,
    /// The models, in any order.
    #[serde(default)]
    pub model: Vec<ModelPart>,
    /// Programs that are started for each request, in any order.
    #[serde(default)]
    pub program: Vec<ProgramPart>,
    /// Baselines that play a legal move by chance.
    #[serde(default)]
    pub random: Vec<RandomPart>,
    /// Baselines that play from a script.
    #[serde(default)]
    pub scripted: Vec<ScriptedPart>,
    /// What models are sent: as it was said for the first batch.
    #[serde(default)]
    pub prompts: PromptsPart,
    /// The file as it was read.
    #[serde(skip)]
    bytes: Vec<u8>,
}

/// What a run file asks for.
#[derive(Clone, Debug)]
pub enum Order {
    /// A cohort of its own.
    Cohort(Box<RunFile>),
    /// What a ladder plays next.
    Ladder(Box<LadderFile>),
    /// The puzzles of a dataset.
    Puzzles(Box<PuzzleFile>),
    /// The positions of a list.
    Positions(Box<PositionFile>),
}

impl Order {
    /// Reads a run file of either sort. What looks like a credential in it is
    /// refused, but for what is waived.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, with its line where it is one of form.
    pub fn parse(bytes: &[u8], waivers: &Waivers) -> Result<Self, RunFileError> {
        let text = text_of(bytes, waivers)?;
        let table: toml::Table = toml::from_str(text).map_err(|error| toml_fault(&error))?;
        if table.contains_key("puzzles") {
            let file = PuzzleFile::parse(bytes, waivers)?;
            return Ok(Self::Puzzles(Box::new(file)));
        }
        if table.contains_key("positions") {
            let file = PositionFile::parse(bytes, waivers)?;
            return Ok(Self::Positions(Box::new(file)));
        }
        match (table.contains_key("era"), table.contains_key("cohort")) {
            (true, true) => Err(wrong("either a `cohort` or an `era`", "both")),
            (false, false) => Err(wrong(
                "a `cohort` (a round robin of its own, with `[preregistration]`, `[protocol]` and `[[engine]]`) or an `era` (what its ladder chooses, with `[[engine]]`), or `puzzles` (a dataset, with `[protocol]` and `[[model]]`) or `positions` (a list, with `[protocol]` and who is asked) at the top of the file",
                if table.is_empty() {
                    "nothing"
                } else {
                    "neither"
                },
            )),
            (true, false) => {
                LadderFile::parse(bytes, waivers).map(|file| Self::Ladder(Box::new(file)))
            }
            (false, true) => {
                let file = RunFile::parse(bytes, waivers)?;
                Ok(Self::Cohort(Box::new(file)))
            }
        }
    }
}

impl LadderFile {
    /// Reads a run file for a ladder, as [`Order::parse`] does.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong.
    pub fn parse(bytes: &[u8], waivers: &Waivers) -> Result<Self, RunFileError> {
        let text = text_of(bytes, waivers)?;
        let mut file: Self = read(text)?;
        bytes.clone_into(&mut file.bytes);
        check_everybody(&file.everybody(), 2, &file.deadlines)?;
        refuse_ratings(&file.engine)?;
        file.budget.check()?;
        for part in &file.model {
            part.check()?;
        }
        for part in &file.program {
            part.check()?;
        }
        for part in &file.scripted {
            part.check()?;
        }
        Ok(file)
    }

    /// The file as it was read.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Everybody in the file.
    pub fn everybody(&self) -> Vec<PlayerPart<'_>> {
        let engines = self.engine.iter().map(PlayerPart::Engine);
        let models = self.model.iter().map(PlayerPart::Model);
        let programs = self.program.iter().map(PlayerPart::Program);
        let random = self.random.iter().map(PlayerPart::Random);
        let scripted = self.scripted.iter().map(PlayerPart::Scripted);
        let players = engines.chain(models).chain(programs);
        players.chain(random).chain(scripted).collect()
    }

    /// What models are sent under the protocol of the era. Nothing where none plays,
    /// or where the protocol has no prompts and programs are told of the game alone.
    ///
    /// # Errors
    ///
    /// When the file has models or programs and its prompts are not those of the
    /// protocol.
    pub fn prompting(&self, protocol: &ProtocolPublished) -> Result<Option<Prompting>, RunError> {
        let needs_none = self.program.is_empty() || protocol.prompts.is_empty();
        if self.model.is_empty() && needs_none {
            return Ok(None);
        }
        let attempts = protocol.attempts.get();
        let prompting = self
            .prompts
            .prompting(Preset::ChessbenchV3, attempts, None)
            .ok();
        let same = prompting.filter(|one| one.identities() == protocol.prompts);
        same.map(Some).ok_or_else(|| RunError::OtherPrompts {
            protocol: protocol.name.to_string(),
        })
    }

    /// Checks that two players of the file can sit down at one board.
    ///
    /// # Errors
    ///
    /// When one of them is not in the file, or they are one and the same.
    pub fn check_pair(&self, white: &Name, black: &Name) -> Result<(), RunError> {
        let names: Vec<_> = self.everybody().iter().map(|part| part.name()).collect();
        check_pair(&names, white, black)
    }

    /// The digest of the file as it was read.
    pub fn digest(&self) -> Digest {
        Digest::of(&self.bytes)
    }
}

/// Checks that two of these can sit down at one board.
pub(crate) fn check_pair(names: &[&Name], white: &Name, black: &Name) -> Result<(), RunError> {
    let mut missing: Vec<_> = [white, black]
        .into_iter()
        .filter(|name| !names.contains(name))
        .map(ToString::to_string)
        .collect();
    missing.dedup();
    if !missing.is_empty() {
        let there: Vec<_> = names.iter().map(|name| name.as_str()).collect();
        return Err(RunError::NoPair {
            missing,
            there: there.join(", "),
        });
    }
    if white == black {
        let name = white.to_string();
        return Err(RunError::Alone { name });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
        era = "2026"
        [[engine]]
        name = "a"
        command = "stockfish"
        nodes = 1000
        [[engine]]
        name = "b"
        command = "stockfish"
        depth = 3
    "#;

    #[test]
    fn a_run_file_says_an_era_or_a_cohort_and_what_an_era_has_it_does_not_say() {
        let read = |text: &str| Order::parse(text.as_bytes(), &Waivers::default());
        let Ok(Order::Ladder(file)) = read(GOOD) else {
            panic!("no ladder")
        };
        assert_eq!(file.era.as_str(), "2026");
        assert_eq!(file.bytes(), GOOD.as_bytes());
        for wrong in [
            format!("cohort = \"cup\"{GOOD}"),
            format!("{GOOD}[protocol]\nname = \"mine\"\n"),
            GOOD.replacen("depth = 3", "", 1),
            GOOD.replacen("name = \"b\"", "name = \"a\"", 1),
            GOOD.replacen("era = \"2026\"", "", 1),
        ] {
            assert!(read(&wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_run_file_that_says_neither_is_told_of_both() {
        for (text, found) in [("", "nothing"), ("by = \"x\"", "neither")] {
            let error = Order::parse(text.as_bytes(), &Waivers::default()).unwrap_err();
            let error = error.to_string();
            for word in ["`cohort`", "`era`", found] {
                assert!(error.contains(word), "{error}");
            }
        }
    }
}
