//! From a run file to the events that register it.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::canonical::{Count, Money};
use crate::digest::Digest;
use crate::event::{
    Assistance, AssistanceKind, EngineIdentity, FileIdentity, NamedValue, PromptIdentity,
    SystemRegistered,
};
use crate::run::baseline::{Baseline, BaselinePlayer};
use crate::run::cassette::{Local, Tape};
use crate::run::chat::ApiKey;
#[cfg(feature = "chat")]
use crate::run::chat::{ChatPlayer, Client};
use crate::run::engine_part::EnginePart;
use crate::run::engine_player::EnginePlayer;
use crate::run::entrant_error::EntrantError;
use crate::run::file::Deadlines;
use crate::run::model_part::ModelPart;
use crate::run::player::Player;
use crate::run::program::{ProgramPlayer, ProgramSpec};
use crate::run::prompting::Prompting;
use crate::run::uci::{Engine, EngineFile, EngineSpec, Limit, OptionKind, engine_files};
use crate::run::voice::Voice;
use crate::secret::Scanner;

/// A player as it can be asked, with the identity that it registers under.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// How it is asked.
    pub access: Access,
    /// What it is.
    pub system: SystemRegistered,
    /// What stands between it and the games.
    pub tape: Tape,
}

/// How a player is asked.
#[derive(Clone, Debug)]
pub enum Access {
    /// An engine that is started here.
    Engine(EngineSpec),
    /// A model behind a server.
    #[cfg(feature = "chat")]
    Chat(Client),
    /// A program that is started for each request.
    Program(Arc<ProgramSpec>),
    /// A rule that needs neither.
    Baseline(Arc<Baseline>),
}

/// Megabytes of hash where the run file says nothing.
const DEFAULT_HASH: &str = "16";

impl Entrant {
    /// Starts an engine, to learn what it is.
    ///
    /// BUG: a file that is replaced after this and before the end of the run is
    /// not seen. Seeing it would take another look before each game.
    ///
    /// # Errors
    ///
    /// When it is not there, does not answer as an engine, or does not have an
    /// option that is asked for.
    pub fn meet(
        part: &EnginePart,
        environment: &[(OsString, OsString)],
        deadline: Duration,
    ) -> Result<Self, EntrantError> {
        let name = part.name.to_string();
        let mut spec = EngineSpec {
            command: OsString::from(&part.command),
            args: part.args.iter().map(OsString::from).collect(),
            environment: environment.to_vec(),
            options: Vec::new(),
            limit: limit(part),
        };
        let unreadable = |source| EntrantError::Files {
            name: name.clone(),
            command: part.command.clone(),
            source,
        };
        // A command that is not there is told before anything is started.
        engine_files(&spec).map_err(unreadable)?;
        let failed = |source| EntrantError::Engine {
            name: name.clone(),
            source,
        };
        // The options it has decide which are set, so it is started twice.
        let declared = Engine::start(&spec, deadline).map_err(failed)?;
        spec.options = options(part, &declared)?;
        drop(declared);
        let files = engine_files(&spec).map_err(unreadable)?;
        let engine = Engine::start(&spec, deadline).map_err(failed)?;
        let system = SystemRegistered {
            assistance: Assistance {
                candidate_count: None,
                kind: AssistanceKind::None,
                ranks_visible: None,
                scores_visible: None,
            },
            baseline: None,
            engine: Some(identity(part, &spec, &engine, &files)),
            model: None,
            name: part.name.clone(),
        };
        refuse_secrets(&system)?;
        let access = Access::Engine(spec);
        Ok(Self {
            access,
            system,
            tape: Tape::None,
        })
    }

    /// Takes a model in as it is: nobody asks it anything yet. `key` looks into the
    /// environment, unless a cassette answers for it.
    ///
    /// # Errors
    ///
    /// When its key is not there, or its identity looks like a credential.
    pub fn of_model(
        part: &ModelPart,
        prompts: &[PromptIdentity],
        key: &dyn Fn(&str) -> Option<String>,
        tape: &Tape,
    ) -> Result<Self, EntrantError> {
        let name = || part.name.to_string();
        let named = part.api_key_env.as_ref().filter(|_| tape.is_live());
        let key = named.map(|variable| {
            let missing = || EntrantError::NoKey {
                name: name(),
                variable: variable.clone(),
            };
            let found = key(variable).filter(|key| !key.trim().is_empty());
            found
                .map(|key| ApiKey::new(key.trim().to_owned()))
                .ok_or_else(missing)
        });
        let endpoint = part.endpoint(key.transpose()?);
        let system = part.system(prompts);
        refuse_secrets(&system)?;
        #[cfg(feature = "chat")]
        return Ok(Self {
            access: Access::Chat(Client::new(endpoint)),
            system,
            tape: tape.clone(),
        });
        #[cfg(not(feature = "chat"))]
        {
            drop((endpoint, system));
            Err(EntrantError::NoModels { name: name() })
        }
    }
}

impl Entrant {
    /// Returns somebody to sit down for it in one game.
    pub(crate) fn player(&self, deadlines: Deadlines) -> Box<dyn Player> {
        let tape = self.tape.clone();
        let player: Box<dyn Player> = match &self.access {
            #[cfg(feature = "chat")]
            Access::Chat(client) => {
                return Box::new(ChatPlayer::new(client.clone(), deadlines, tape));
            }
            Access::Program(spec) => {
                return Box::new(ProgramPlayer::new(Arc::clone(spec), deadlines, tape));
            }
            Access::Engine(spec) => Box::new(EnginePlayer::new(spec.clone(), deadlines)),
            Access::Baseline(baseline) => Box::new(BaselinePlayer::new(Arc::clone(baseline))),
        };
        if matches!(tape, Tape::None) {
            return player;
        }
        Box::new(Local {
            player,
            name: self.system.name.clone(),
            system: system_digest(&self.system),
            tape,
        })
    }

    /// The same with this between it and the games.
    #[must_use]
    pub fn on(self, tape: Tape) -> Self {
        Self { tape, ..self }
    }

    /// Looks whether it can be asked, and returns what was found. `ask` asks a model
    /// one short question.
    ///
    /// # Errors
    ///
    /// What is in the way, in words.
    #[cfg_attr(
        not(feature = "chat"),
        allow(unused_variables, reason = "only models are asked")
    )]
    pub fn look(&self, ask: bool, patience: Duration) -> Result<String, String> {
        match (&self.access, &self.system.engine) {
            (Access::Engine(_), engine) => {
                let engine = engine.as_ref();
                let words = engine.map(|engine| match &engine.net {
                    Some(net) => format!("{}, net {net}", engine.name),
                    None => engine.name.clone(),
                });
                Ok(words.unwrap_or_default())
            }
            #[cfg(feature = "chat")]
            (Access::Chat(client), _) => client.look(ask, patience),
            (Access::Program(_), _) => Ok("the program is there".to_owned()),
            (Access::Baseline(_), _) => Ok("a baseline, which needs nothing".to_owned()),
        }
    }

    /// Asks the provider of a model what a request cost, by its id.
    ///
    /// # Errors
    ///
    /// Why it is not known, in words.
    pub fn cost_of(&self, request_id: &str, patience: Duration) -> Result<Money, String> {
        match &self.access {
            #[cfg(feature = "chat")]
            Access::Chat(client) => client.cost_of(request_id, patience),
            _ => Err(format!(
                "request {request_id} was answered by no server that could be asked within {} s",
                patience.as_secs()
            )),
        }
    }

    /// How it is spoken to in one game, before its first turn.
    pub(crate) fn voice(&self, prompting: Option<Prompting>) -> Voice {
        match (&self.access, prompting) {
            #[cfg(feature = "chat")]
            (Access::Chat(client), Some(prompting)) => {
                Voice::of_model(prompting, client.endpoint().window)
            }
            (Access::Program(spec), Some(prompting)) => Voice::of_model(prompting, spec.window),
            _ => Voice::Moves,
        }
    }

    /// How to start it, where it is an engine.
    pub(crate) const fn engine(&self) -> Option<&EngineSpec> {
        match &self.access {
            Access::Engine(spec) => Some(spec),
            #[cfg(feature = "chat")]
            Access::Chat(_) => None,
            Access::Program(_) | Access::Baseline(_) => None,
        }
    }
}

/// The digest of all that a system is registered as.
pub(crate) fn system_digest(system: &SystemRegistered) -> Digest {
    Digest::of(
        crate::canonical::write(system)
            .unwrap_or_default()
            .as_bytes(),
    )
}

/// What an engine says of itself is registered for ever.
pub(crate) fn refuse_secrets(system: &SystemRegistered) -> Result<(), EntrantError> {
    let text = crate::canonical::write(system).unwrap_or_default();
    match Scanner::shared().scan(text.as_bytes()).first() {
        None => Ok(()),
        Some(hit) => Err(EntrantError::Secret {
            name: system.name.to_string(),
            rule: hit.rule,
        }),
    }
}

fn limit(part: &EnginePart) -> Limit {
    match (part.nodes, part.depth) {
        (Some(nodes), _) => Limit::Nodes(nodes),
        (None, Some(depth)) => Limit::Depth(u32::try_from(depth).unwrap_or(u32::MAX)),
        (None, None) => Limit::MovetimeMs(part.movetime_ms.unwrap_or(1)),
    }
}

/// The options to set: those of the run file, one thread, and a fixed hash.
fn options(part: &EnginePart, engine: &Engine) -> Result<Vec<(String, String)>, EntrantError> {
    let mut options: Vec<(String, String)> = part
        .options
        .iter()
        .map(|(name, value)| (name.clone(), value.0.clone()))
        .collect();
    let measuring = [("MultiPV", "3"), ("UCI_ShowWDL", "true")];
    let measuring = measuring.into_iter().filter(|_| part.measures);
    for (name, value) in [("Threads", "1"), ("Hash", DEFAULT_HASH)]
        .into_iter()
        .chain(measuring)
    {
        let is_this = |(option, _): &&(String, String)| option.eq_ignore_ascii_case(name);
        if let Some((_, asked)) = options.iter().find(is_this) {
            if name == "Threads" && asked != value {
                return Err(EntrantError::Threads {
                    name: part.name.to_string(),
                });
            }
        } else if engine.identity().option(name).is_some() {
            options.push((name.to_owned(), value.to_owned()));
        }
    }
    options.sort();
    Ok(options)
}

fn identity(
    part: &EnginePart,
    spec: &EngineSpec,
    engine: &Engine,
    files: &[EngineFile],
) -> EngineIdentity {
    let identity = engine.identity();
    let set = |name: &str| {
        let mut options = spec.options.iter();
        let found = options.find(|(option, _)| option.eq_ignore_ascii_case(name));
        found.map(|(_, value)| without_folders(value))
    };
    let net = set("EvalFile").or_else(|| {
        let declared = identity.option("EvalFile")?;
        match &declared.kind {
            OptionKind::Text { default } => default.clone(),
            _ => None,
        }
    });
    EngineIdentity {
        arguments: part
            .args
            .iter()
            .map(|argument| without_folders(argument))
            .collect(),
        author: identity.author.clone(),
        files: files
            .iter()
            .map(|file| FileIdentity {
                bytes: Count::saturating(file.bytes),
                name: file.path.clone(),
                sha256: file.sha256,
            })
            .collect(),
        limit: part.limit(),
        name: identity
            .name
            .clone()
            .unwrap_or_else(|| part.name.to_string()),
        net,
        options: spec
            .options
            .iter()
            .map(|(name, value)| NamedValue {
                name: name.clone(),
                value: without_folders(value),
            })
            .collect(),
    }
}

/// Returns the last component of what is a file, else the text itself: what is
/// in a file counts, and where it lies is nobody's business.
pub(crate) fn without_folders(text: &str) -> String {
    let name = Path::new(text)
        .file_name()
        .filter(|_| Path::new(text).is_file());
    name.map_or_else(
        || text.to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}
