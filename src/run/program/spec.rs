use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;

use crate::digest::Digest;
use crate::event::PromptIdentity;
use crate::run::cassette::Tape;
use crate::run::entrant_error::EntrantError;
use crate::run::pace::Pace;
use crate::run::program::Passed;
use crate::run::program_part::ProgramPart;
use crate::run::prompts::Window;
use crate::run::registry::{Access, Entrant, refuse_secrets, system_digest};
use crate::run::uci::{command_files, executable};

/// How a program is started, and what it is told of itself.
#[derive(Clone, Debug)]
pub struct ProgramSpec {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<String>,
    /// What every program sees.
    pub(crate) environment: Vec<(OsString, OsString)>,
    /// What this one sees beside it.
    pub(crate) passed: Vec<Passed>,
    pub(crate) model: String,
    pub(crate) reasoning_effort: Option<String>,
    pub(crate) parameters: BTreeMap<String, Value>,
    pub(crate) has_tools: bool,
    pub(crate) window: Window,
    /// The digest of all that it is registered as.
    pub(crate) system: Digest,
    /// The pace of requests, over all games.
    pub(crate) pace: Arc<Pace>,
}

impl Entrant {
    /// Takes a program in: its files are looked at, and it is not started yet.
    /// `variable` looks into the environment, unless a cassette answers for it.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, a variable that it is to see is not there, or its
    /// identity looks like it holds a credential.
    pub fn of_program(
        part: &ProgramPart,
        prompts: &[PromptIdentity],
        environment: &[(OsString, OsString)],
        variable: &dyn Fn(&str) -> Option<String>,
        tape: &Tape,
    ) -> Result<Self, EntrantError> {
        let seen = part.pass_env.iter().filter(|_| tape.is_live());
        let passed = seen.map(|name| {
            let found = variable(name).filter(|value| !value.trim().is_empty());
            let missing = || EntrantError::NoVariable {
                name: part.name.to_string(),
                variable: name.clone(),
            };
            let value = found.ok_or_else(missing)?;
            Ok(Passed::new(name.clone(), value))
        });
        let passed = passed.collect::<Result<Vec<_>, EntrantError>>()?;
        let unreadable = |source| EntrantError::ProgramFiles {
            name: part.name.to_string(),
            command: part.command.clone(),
            source,
        };
        let program = executable(OsStr::new(&part.command), environment).map_err(unreadable)?;
        let arguments = part.args.iter().map(PathBuf::from);
        let files = command_files(program.clone(), arguments).map_err(unreadable)?;
        let system = part.system(prompts, &files);
        refuse_secrets(&system)?;
        let spec = ProgramSpec {
            program,
            args: part.args.clone(),
            environment: environment.to_vec(),
            passed,
            model: part.model.clone(),
            reasoning_effort: part.reasoning_effort.clone(),
            parameters: part.parameters.clone(),
            has_tools: part.tools,
            window: part.window(),
            system: system_digest(&system),
            pace: Arc::new(Pace::per_minute(part.requests_per_minute)),
        };
        let access = Access::Program(Arc::new(spec));
        Ok(Self {
            access,
            system,
            tape: tape.clone(),
        })
    }
}
