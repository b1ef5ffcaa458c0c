use std::num::NonZeroUsize;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::event::{By, Name, ProtocolPublished};
use crate::ledger::Waivers;
use crate::run::ModelProtocol;
use crate::run::asked::MODEL_RETRIES;
use crate::run::budget::BudgetPart;
use crate::run::file::{Deadlines, RunFileError, default_by, one, text_of, wrong};
use crate::run::model_part::ModelPart;
use crate::run::player_part::{PlayerPart, check_everybody};
use crate::run::prompts::PuzzlePrompt;
use crate::run::shape::read;

/// A run file for puzzles, in TOML: which dataset, and who is asked.
///
/// A model is asked each puzzle once under one protocol, whatever the run.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleFile {
    /// The name of the dataset.
    pub puzzles: Name,
    /// Who writes the events.
    #[serde(default = "default_by")]
    pub by: By,
    /// The rules.
    pub protocol: PuzzleProtocolPart,
    /// How long anything may take.
    #[serde(default)]
    pub deadlines: Deadlines,
    /// How many puzzles are asked at once.
    #[serde(default = "one")]
    pub parallel: NonZeroUsize,
    /// What the models of the file may take, over all runs.
    #[serde(default)]
    pub budget: BudgetPart,
    /// The texts, where they are not ours.
    #[serde(default)]
    pub prompts: PuzzlePromptsPart,
    /// The models.
    pub model: Vec<ModelPart>,
    /// The file as it was read.
    #[serde(skip)]
    bytes: Vec<u8>,
}

/// The rules of a run of puzzles.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleProtocolPart {
    /// Its name.
    pub name: Name,
    /// How often one request is sent again after a wait, where what kept the answer
    /// may pass. Three.
    pub retries_max: Option<u32>,
}

/// The files of published prompts.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzlePromptsPart {
    /// The exact text of a system prompt.
    pub system_file: Option<String>,
    /// The exact text about a puzzle, with its placeholders.
    pub puzzle_file: Option<String>,
}

impl PuzzleFile {
    /// Reads a run file for puzzles. What looks like a credential in it is refused,
    /// but for what is waived.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong.
    pub fn parse(bytes: &[u8], waivers: &Waivers) -> Result<Self, RunFileError> {
        let text = text_of(bytes, waivers)?;
        let mut file: Self = read(text)?;
        bytes.clone_into(&mut file.bytes);
        check_everybody(&file.everybody(), 1, &file.deadlines)?;
        file.budget.check()?;
        for part in &file.model {
            part.check()?;
            if part.legal_mask {
                let expected = "no `legal_mask` in puzzles: a grammar of one move is no line";
                return Err(wrong(expected, part.name.to_string()));
            }
        }
        Ok(file)
    }

    /// The file as it was read.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Everybody in the file.
    pub fn everybody(&self) -> Vec<PlayerPart<'_>> {
        self.model.iter().map(PlayerPart::Model).collect()
    }

    /// What models are sent. `read` gives the text of a file.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, or is no such text.
    pub fn prompt(
        &self,
        read: &dyn Fn(&str) -> Result<String, String>,
    ) -> Result<PuzzlePrompt, String> {
        let mut prompt = PuzzlePrompt::default();
        if let Some(path) = &self.prompts.system_file {
            prompt = prompt
                .with_system(&read(path)?)
                .map_err(|error| format!("{path}: {error}"))?;
        }
        if let Some(path) = &self.prompts.puzzle_file {
            prompt = prompt
                .with_puzzle(&read(path)?)
                .map_err(|error| format!("{path}: {error}"))?;
        }
        Ok(prompt)
    }

    /// The protocol with these prompts.
    pub fn protocol(&self, prompt: &PuzzlePrompt) -> ProtocolPublished {
        let mut rules = ModelProtocol::puzzles(self.protocol.name.clone(), prompt).published;
        let retries = self.protocol.retries_max.unwrap_or(MODEL_RETRIES);
        rules.failed_request.retries_max = Some(retries.into());
        rules
    }
}
