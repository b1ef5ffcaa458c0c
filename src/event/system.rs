//! The complete decision systems that are measured.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::Name;
use crate::event::kinds::{Fact, Meaningless};

/// `system.registered`: everything between a position and the move that was played.
///
/// Any change of any part is a new system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("oneOf" = [
    { "required": ["baseline"] }, { "required": ["engine"] }, { "required": ["model"] },
]))]
pub struct SystemRegistered {
    /// The help that the system gets and a bare model would not.
    pub assistance: Assistance,
    /// The rule that chooses moves without an engine or a model, where the system
    /// is one; then there is neither.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineIdentity>,
    /// The engine, where the system is one; then there is no model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineIdentity>,
    /// The model, where the system has one; then there is no engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelIdentity>,
    /// A name for people.
    pub name: Name,
}

impl SystemRegistered {
    /// Whether somebody bills its calls. Those of an engine or a baseline nobody
    /// bills: they have no price, which is neither zero nor unknown.
    pub const fn is_billed(&self) -> bool {
        self.engine.is_none() && self.baseline.is_none()
    }
}

/// A rule that chooses moves without an engine or a model: exactly one of the two.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("minProperties" = 1, "maxProperties" = 1))]
pub struct BaselineIdentity {
    /// A legal move by chance, each as likely as the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub random: Option<RandomIdentity>,
    /// Answers that were written down before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scripted: Option<ScriptedIdentity>,
}

impl BaselineIdentity {
    /// What it is, in a word.
    pub const fn as_str(&self) -> &'static str {
        if self.random.is_some() {
            "random"
        } else {
            "scripted"
        }
    }
}

/// A legal move by chance. Which one follows from the seed, the game and the ply,
/// so that anyone can draw it again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomIdentity {
    /// What the moves are drawn from.
    pub seed: String,
}

/// Answers that were written down before.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptedIdentity {
    /// The digest of the answers.
    pub sha256: Digest,
}

/// Help in choosing a move.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Assistance {
    /// How many candidate moves are shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate_count: Option<Count>,
    /// What sort of help.
    pub kind: AssistanceKind,
    /// Whether candidates show their rank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks_visible: Option<bool>,
    /// Whether candidates show their score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores_visible: Option<bool>,
}

impl Assistance {
    /// No help.
    pub const NONE: Self = Self {
        candidate_count: None,
        kind: AssistanceKind::None,
        ranks_visible: None,
        scores_visible: None,
    };

    /// So many candidates from an engine, without rank and score.
    pub const fn candidates(width: Count) -> Self {
        Self {
            candidate_count: Some(width),
            kind: AssistanceKind::CandidateOracle,
            ranks_visible: Some(false),
            scores_visible: Some(false),
        }
    }
}

/// The sort of help, and of how many candidates.
impl fmt::Display for Assistance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.as_str())?;
        match self.candidate_count {
            Some(count) => write!(f, " of {count}"),
            None => Ok(()),
        }
    }
}

/// The sort of help that a system gets.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum AssistanceKind {
    /// None.
    None,
    /// A set of candidate moves from an engine.
    CandidateOracle,
    /// Only legal moves can come out.
    LegalMask,
}

impl AssistanceKind {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::CandidateOracle => "candidate_oracle",
            Self::LegalMask => "legal_mask",
        }
    }
}

/// An engine, down to the bytes that run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EngineIdentity {
    /// The arguments of the command, files by their name without folders.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub arguments: Vec<String>,
    /// The author that the engine reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Every file that runs, the command first.
    #[schemars(length(min = 1))]
    pub files: Vec<FileIdentity>,
    /// What one search may use.
    pub limit: SearchLimit,
    /// The name, with version, that the engine reports.
    pub name: String,
    /// The evaluation network that the engine names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub net: Option<String>,
    /// The options that are set, in the order they are sent; files by their
    /// name without folders.
    pub options: Vec<NamedValue>,
}

/// The UCI option that sets an engine's level in points.
pub const LEVEL_OPTION: &str = "UCI_Elo";

impl EngineIdentity {
    /// Whether a level in points is set, which the engine's authors named.
    pub fn has_level(&self) -> bool {
        let mut names = self.options.iter().map(|option| &option.name);
        names.any(|name| name.eq_ignore_ascii_case(LEVEL_OPTION))
    }
}

/// One file by content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileIdentity {
    /// Its length.
    pub bytes: Count,
    /// Its name without folders.
    pub name: String,
    /// Its digest.
    pub sha256: Digest,
}

/// What one search may use: exactly one of the three.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
#[schemars(extend("minProperties" = 1, "maxProperties" = 1))]
pub struct SearchLimit {
    /// Plies of depth.
    #[schemars(extend("minimum" = 1))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<Count>,
    /// Milliseconds.
    #[schemars(extend("minimum" = 1))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime_ms: Option<Count>,
    /// Nodes.
    #[schemars(extend("minimum" = 1))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Count>,
}

impl SearchLimit {
    /// Checks that exactly one limit is set, and that it is above zero.
    pub(crate) fn check_meaning(self, field: &'static str) -> Result<(), Meaningless> {
        let limits = [self.depth, self.movetime_ms, self.nodes];
        let mut set = limits.into_iter().flatten();
        let found = match (set.next(), set.count()) {
            (None, _) => "none of them".to_owned(),
            (Some(Count::ZERO), 0) => "0".to_owned(),
            (Some(_), 0) => return Ok(()),
            (Some(_), more) => format!("{} of them", more + 1),
        };
        Err(Meaningless::new(
            field,
            "exactly one of `depth`, `movetime_ms` and `nodes`, above zero",
            found,
        ))
    }
}

/// A model behind a provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelIdentity {
    /// Parameters of the request, in the order of their names.
    pub parameters: Vec<NamedValue>,
    /// The program through which it is asked, where one stands between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<ProgramIdentity>,
    /// The digest of the prompts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Digest>,
    /// The thinking setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<String>,
    /// The model that is asked for.
    pub requested_model: String,
    /// The provider route.
    pub route: String,
}

/// A program that is started for each request, down to the bytes that run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProgramIdentity {
    /// The arguments of the command, files by their name without folders.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub arguments: Vec<String>,
    /// The names of the environment variables that it sees beside those that every
    /// program does. Their values stand nowhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub environment: Vec<String>,
    /// Every file that runs, the command first.
    #[schemars(length(min = 1))]
    pub files: Vec<FileIdentity>,
}

/// A name and its value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedValue {
    /// The name.
    pub name: String,
    /// The value, as text.
    pub value: String,
}

impl Fact for SystemRegistered {
    fn check_meaning(&self) -> Result<(), Meaningless> {
        let set = [
            self.baseline.is_some(),
            self.engine.is_some(),
            self.model.is_some(),
        ];
        let found = match set.into_iter().filter(|is| *is).count() {
            1 => return self.check_parts(),
            0 => "none of them".to_owned(),
            more => format!("{more} of them"),
        };
        let expected = "exactly one of `baseline`, `engine` and `model`";
        Err(Meaningless::new("", expected, found))
    }
}

impl SystemRegistered {
    fn check_parts(&self) -> Result<(), Meaningless> {
        let no_file =
            |field| Meaningless::new(field, "the digest of every file that runs", "no file");
        if let Some(engine) = &self.engine {
            if engine.files.is_empty() {
                return Err(no_file("engine.files"));
            }
            engine.limit.check_meaning("engine.limit")?;
        }
        let program = self.model.as_ref().and_then(|model| model.program.as_ref());
        if program.is_some_and(|program| program.files.is_empty()) {
            return Err(no_file("model.program.files"));
        }
        match &self.baseline {
            Some(baseline) if baseline.random.is_some() == baseline.scripted.is_some() => {
                Err(Meaningless::new(
                    "baseline",
                    "either `random` or `scripted`",
                    if baseline.random.is_some() {
                        "both"
                    } else {
                        "neither"
                    },
                ))
            }
            _ => Ok(()),
        }
    }
}
