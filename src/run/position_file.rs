use std::num::NonZeroUsize;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::event::{By, Name, ProtocolPublished};
use crate::ledger::Waivers;
use crate::run::ModelProtocol;
use crate::run::asked::MODEL_RETRIES;
use crate::run::baseline::{RandomPart, ScriptedPart};
use crate::run::budget::BudgetPart;
use crate::run::file::{Deadlines, RunFileError, default_by, one, text_of, wrong};
use crate::run::model_part::ModelPart;
use crate::run::player_part::{PlayerPart, check_everybody};
use crate::run::program_part::ProgramPart;
use crate::run::prompting::Prompting;
use crate::run::prompts::{StateForm, TrackA};
use crate::run::prompts_part::PromptsPart;
use crate::run::shape::read;

/// A run file for single positions, in TOML: which list, and who is asked.
///
/// Everybody is asked each position once under one protocol and condition, whatever
/// the run.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionFile {
    /// The name of the list.
    pub positions: Name,
    /// What is done to the question, by a name that the answers carry.
    #[serde(default = "base")]
    pub condition: Name,
    /// Who writes the events.
    #[serde(default = "default_by")]
    pub by: By,
    /// The rules.
    pub protocol: PositionProtocolPart,
    /// How long anything may take.
    #[serde(default)]
    pub deadlines: Deadlines,
    /// How many positions are asked at once.
    #[serde(default = "one")]
    pub parallel: NonZeroUsize,
    /// What those of the file may take, over all runs.
    #[serde(default)]
    pub budget: BudgetPart,
    /// How positions are stated.
    #[serde(default)]
    pub prompts: PromptsPart,
    /// The models.
    #[serde(default)]
    pub model: Vec<ModelPart>,
    /// Programs that are started for each request.
    #[serde(default)]
    pub program: Vec<ProgramPart>,
    /// Those who choose a legal move by chance.
    #[serde(default)]
    pub random: Vec<RandomPart>,
    /// Those who answer what is written down.
    #[serde(default)]
    pub scripted: Vec<ScriptedPart>,
    /// The file as it was read.
    #[serde(skip)]
    bytes: Vec<u8>,
    /// What is sent, as it follows from the file.
    #[serde(skip)]
    track_a: TrackA,
}

/// The rules of a run of positions.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionProtocolPart {
    /// Its name.
    pub name: Name,
    /// How many answers a position may have until one is a legal move. One.
    pub attempts: Option<u32>,
    /// How often one request is sent again after a wait, where what kept the answer
    /// may pass. Three.
    pub retries_max: Option<u32>,
}

fn base() -> Name {
    // The text is one; see the test.
    "base"
        .parse()
        .unwrap_or_else(|_| unreachable!("a constant that parses"))
}

impl PositionFile {
    /// Reads a run file for positions. What looks like a credential in it is refused,
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
        }
        for part in &file.program {
            part.check()?;
        }
        for part in &file.scripted {
            part.check()?;
        }
        if file.protocol.attempts == Some(0) {
            return Err(wrong("at least one of `attempts`", "0"));
        }
        // Before a listed position there are no moves.
        file.prompts.state.get_or_insert(StateForm::Fen);
        let attempts = file.protocol.attempts.unwrap_or(1).into();
        file.track_a = file.prompts.track_a(attempts, None)?;
        Ok(file)
    }

    /// The file as it was read.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Everybody in the file.
    pub fn everybody(&self) -> Vec<PlayerPart<'_>> {
        let models = self.model.iter().map(PlayerPart::Model);
        let programs = self.program.iter().map(PlayerPart::Program);
        let random = self.random.iter().map(PlayerPart::Random);
        let scripted = self.scripted.iter().map(PlayerPart::Scripted);
        models
            .chain(programs)
            .chain(random)
            .chain(scripted)
            .collect()
    }

    /// What models and programs are sent.
    pub fn prompting(&self) -> Prompting {
        Prompting::TrackA(self.track_a)
    }

    /// The protocol that the file declares.
    pub fn protocol(&self) -> ProtocolPublished {
        let retries = self.protocol.retries_max.unwrap_or(MODEL_RETRIES);
        let name = self.protocol.name.clone();
        ModelProtocol::positions(name, self.track_a, retries).published
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canonical::Count;

    const GOOD: &str = r#"
        positions = "probe"
        [protocol]
        name = "positions-1"
        [[random]]
        name = "dice"
        seed = "1"
    "#;

    #[test]
    fn a_run_file_for_positions_reads_with_its_defaults() {
        let file = PositionFile::parse(GOOD.as_bytes(), &Waivers::default()).unwrap();
        assert_eq!(file.condition.as_str(), "base");
        let protocol = file.protocol();
        assert_eq!(protocol.attempts, Count::ONE);
        assert!(!protocol.legal_moves_listed);
        assert_eq!(protocol.failed_request.retries_max, Some(3_u32.into()));
    }

    #[test]
    fn what_a_run_file_for_positions_may_not_say_is_refused() {
        for (from, to) in [
            ("[protocol]", "condition = \"two words\"\n[protocol]"),
            (
                "name = \"positions-1\"",
                "name = \"positions-1\"\nattempts = 0",
            ),
            ("[[random]]", "[prompts]\nchecklist = true\n[[random]]"),
            ("[[random]]", "[[engine]]"),
            (
                "seed = \"1\"",
                "seed = \"1\"\n[[random]]\nname = \"dice\"\nseed = \"2\"",
            ),
            (
                "[[random]]\n        name = \"dice\"\n        seed = \"1\"",
                "",
            ),
        ] {
            let text = GOOD.replacen(from, to, 1);
            assert_ne!(text, GOOD, "{to}");
            let read = PositionFile::parse(text.as_bytes(), &Waivers::default());
            assert!(read.is_err(), "{to}");
        }
    }
}
