use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::event::{
    Assistance, AssistanceKind, BaselineIdentity, Name, RandomIdentity, ScriptedIdentity,
    SystemRegistered,
};
use crate::run::baseline::Baseline;
use crate::run::baseline::script::Script;
use crate::run::cassette::Tape;
use crate::run::entrant_error::EntrantError;
use crate::run::file::{RunFileError, wrong};
use crate::run::registry::{Access, Entrant, refuse_secrets};

/// Somebody who plays a legal move by chance.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomPart {
    /// A name for people, unique in the ledger.
    pub name: Name,
    /// What the moves are drawn from.
    pub seed: String,
}

/// Somebody who answers what is written down, and what is no move after that.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptedPart {
    /// A name for people, unique in the ledger.
    pub name: Name,
    /// The answers with White, one a turn, with blanks between them.
    #[serde(default)]
    pub white: String,
    /// The answers with Black.
    #[serde(default)]
    pub black: String,
    /// The answers in games of their own, by the number of the game as the run
    /// counts them, from 1; or of the position in its list.
    #[serde(default)]
    pub games: BTreeMap<String, String>,
}

impl ScriptedPart {
    pub(crate) fn check(&self) -> Result<(), RunFileError> {
        let is_number = |text: &String| {
            let number = text.parse::<u64>();
            number.is_ok_and(|number| 0 < number && number.to_string() == *text)
        };
        match self.games.keys().find(|text| !is_number(text)) {
            None => Ok(()),
            Some(other) => Err(wrong(
                format!("numbers of games from 1 under `games` of {}", self.name),
                other,
            )),
        }
    }

    fn script(&self) -> Script {
        let answers = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let games = self.games.iter();
        let games = games.filter_map(|(number, text)| Some((number.parse().ok()?, answers(text))));
        Script {
            white: answers(&self.white),
            black: answers(&self.black),
            games: games.collect(),
        }
    }
}

impl Entrant {
    /// Takes in somebody who plays a legal move by chance.
    ///
    /// # Errors
    ///
    /// When its seed looks like a credential.
    pub fn of_random(part: &RandomPart) -> Result<Self, EntrantError> {
        let random = RandomIdentity {
            seed: part.seed.clone(),
        };
        let identity = BaselineIdentity {
            random: Some(random),
            scripted: None,
        };
        let baseline = Baseline::Random(part.seed.clone());
        of_baseline(&part.name, identity, baseline)
    }

    /// Takes in somebody who answers what is written down.
    ///
    /// # Errors
    ///
    /// When its name looks like a credential.
    pub fn of_script(part: &ScriptedPart) -> Result<Self, EntrantError> {
        let script = part.script();
        let identity = BaselineIdentity {
            random: None,
            scripted: Some(ScriptedIdentity {
                sha256: script.digest(),
            }),
        };
        of_baseline(&part.name, identity, Baseline::Scripted(script))
    }
}

fn of_baseline(
    name: &Name,
    identity: BaselineIdentity,
    baseline: Baseline,
) -> Result<Entrant, EntrantError> {
    let system = SystemRegistered {
        assistance: Assistance {
            candidate_count: None,
            kind: AssistanceKind::None,
            ranks_visible: None,
            scores_visible: None,
        },
        baseline: Some(identity),
        engine: None,
        model: None,
        name: name.clone(),
    };
    refuse_secrets(&system)?;
    let access = Access::Baseline(Arc::new(baseline));
    Ok(Entrant {
        access,
        system,
        tape: Tape::None,
    })
}
