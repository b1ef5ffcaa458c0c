use std::io;

use crate::run::uci::EngineFault;

/// Why a player cannot enter.
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
    /// The files of a program cannot be read, or are not there.
    #[error("program {name}: cannot find or read {command}: {source}")]
    ProgramFiles {
        /// The program.
        name: String,
        /// The command.
        command: String,
        /// What the system says.
        source: io::Error,
    },
    /// A variable that a program is to see is not there.
    #[error("program {name}: the environment variable {variable} is not set; `pass_env` names it")]
    NoVariable {
        /// The program.
        name: String,
        /// The variable.
        variable: String,
    },
    /// The key of a model is not there.
    #[error("model {name}: the environment variable {variable} is not set; it has to hold the key")]
    NoKey {
        /// The model.
        name: String,
        /// The variable.
        variable: String,
    },
    /// This program asks no servers.
    #[error(
        "model {name}: this program was built without models; build it with the feature `chat`"
    )]
    NoModels {
        /// The model.
        name: String,
    },
    /// It says something that looks like a credential.
    #[error(
        "engine {name}: its name, author or options hold what looks like a credential ({rule}); a ledger never forgets, so it is not registered"
    )]
    Secret {
        /// The engine.
        name: String,
        /// The rule that speaks.
        rule: &'static str,
    },
}
