//! From a run file to the events that register it.

use std::ffi::OsString;
use std::io;
use std::time::Duration;

use crate::canonical::Count;
use crate::chess::Rules;
use crate::event::{
    Assistance, AssistanceKind, ColorRule, Context, Conversation, EngineIdentity, FailedRequest,
    FailedRequestPolicy, FileIdentity, Glicko2Rule, NamedValue, Pairing, PreregistrationCommitted,
    ProtocolPublished, StartRule, SystemRegistered,
};
use crate::run::file::{EnginePart, RunFile};
use crate::run::uci::{
    Engine, EngineFault, EngineFile, EngineSpec, Limit, OptionKind, engine_files,
};

/// An engine as it can be started, with the identity that it registers under.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// How to start it.
    pub spec: EngineSpec,
    /// What it is.
    pub system: SystemRegistered,
}

/// Why an engine cannot enter.
#[derive(Debug, thiserror::Error)]
pub enum EntrantError {
    /// Its files cannot be read, or are not there.
    #[error("engine {name}: cannot find or read {command}: {source}")]
    Files {
        /// The engine.
        name: String,
        /// The command.
        command: String,
        /// What the system says.
        source: io::Error,
    },
    /// It does not play.
    #[error("engine {name}: {source}")]
    Engine {
        /// The engine.
        name: String,
        /// What went wrong.
        source: EngineFault,
    },
    /// More than one thread makes moves depend on the machine's load.
    #[error(
        "engine {name}: the option Threads must be 1, so that a node limit means the same everywhere"
    )]
    Threads {
        /// The engine.
        name: String,
    },
}

/// Megabytes of hash where the run file says nothing.
const DEFAULT_HASH: &str = "16";

impl Entrant {
    /// Starts an engine once, to learn what it is.
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
            engine: Some(identity(part, &spec, &engine, &files)),
            model: None,
            name: part.name.clone(),
        };
        Ok(Self { spec, system })
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
    for (name, value) in [("Threads", "1"), ("Hash", DEFAULT_HASH)] {
        let asked = options
            .iter()
            .find(|(option, _)| option.eq_ignore_ascii_case(name));
        match asked {
            Some((_, asked)) if name == "Threads" && asked != value => {
                return Err(EntrantError::Threads {
                    name: part.name.to_string(),
                });
            }
            Some(_) => {}
            None if engine.identity().option(name).is_some() => {
                options.push((name.to_owned(), value.to_owned()));
            }
            None => {}
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
        let found = spec.options.iter().find(|(option, _)| option == name);
        found.map(|(_, value)| value.clone())
    };
    let net = set("EvalFile").or_else(|| {
        let declared = identity.option("EvalFile")?;
        match &declared.kind {
            OptionKind::Text { default } => default.clone(),
            _ => None,
        }
    });
    EngineIdentity {
        author: identity.author.clone(),
        files: files
            .iter()
            .map(|file| FileIdentity {
                bytes: Count::saturating(file.bytes),
                name: file_name(&file.path),
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
                value: value.clone(),
            })
            .collect(),
    }
}

/// The last component: where a program is installed is nobody's business.
fn file_name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

impl RunFile {
    /// The protocol that the file asks for.
    pub fn protocol(&self) -> ProtocolPublished {
        let rating = &self.protocol.glicko2;
        ProtocolPublished {
            attempts: self.protocol.attempts.into(),
            candidate_help: AssistanceKind::None,
            colors: ColorRule::OnceEach,
            context: Context::GameMoves,
            conversation: Conversation::None,
            failed_request: FailedRequest {
                policy: FailedRequestPolicy::ReplayCell,
                replays_max: Some(self.protocol.replays_max.into()),
            },
            glicko2: Some(Glicko2Rule {
                deviation: rating.deviation,
                rating: rating.rating,
                tau: rating.tau,
                volatility: rating.volatility,
            }),
            legal_moves_listed: false,
            name: self.protocol.name.clone(),
            pairing: Pairing::Pool,
            ply_cap: self.protocol.ply_cap.into(),
            rules: Rules::ChessJs14,
            start: StartRule::Standard,
        }
    }

    /// The promise that the file makes.
    pub fn preregistration(&self) -> PreregistrationCommitted {
        let promise = &self.preregistration;
        PreregistrationCommitted {
            cohort: self.cohort.clone(),
            evidence_status: promise.evidence_status,
            exclusions: promise.exclusions.clone(),
            hypothesis: promise.hypothesis.clone(),
            primary_endpoints: promise.primary_endpoints.clone(),
            stopping_rule: promise.stopping_rule.clone(),
        }
    }
}
