use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

/// Everything that decides how an engine plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The program: a path when it contains a slash, otherwise a name that is
    /// looked up in the `PATH` of [`EngineSpec::environment`].
    pub command: OsString,
    /// The arguments of the program.
    pub args: Vec<OsString>,
    /// The whole environment of the engine, by name and value. Nothing else is
    /// passed on, because an engine has no business with the keys in ours.
    pub environment: Vec<(OsString, OsString)>,
    /// The UCI options to set, by name and value, in this order. A button has
    /// an empty value.
    pub options: Vec<(String, String)>,
    /// When a search ends.
    pub limit: Limit,
}

/// When a search ends. An engine may pass over a limit that it does not know,
/// so a deadline stands beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// After about so many positions; the only limit that makes most engines
    /// reproducible.
    Nodes(u64),
    /// After so many plies of depth.
    Depth(u32),
    /// After so many milliseconds.
    MovetimeMs(u64),
}

impl Limit {
    /// Returns the UCI command that starts a search of this limit.
    pub(crate) fn go(self) -> String {
        match self {
            Self::Nodes(nodes) => format!("go nodes {nodes}"),
            Self::Depth(depth) => format!("go depth {depth}"),
            Self::MovetimeMs(ms) => format!("go movetime {ms}"),
        }
    }
}

impl EngineSpec {
    /// Returns the path of the program that the command names, links not yet
    /// followed.
    ///
    /// # Errors
    ///
    /// `NotFound` when no folder of the `PATH` has an executable file of that
    /// name. An empty entry of the `PATH` does not mean the current folder.
    pub(crate) fn executable(&self) -> io::Result<PathBuf> {
        executable(&self.command, &self.environment)
    }
}

/// Returns the path of the program that a command names in this environment.
pub(crate) fn executable(
    command: &OsStr,
    environment: &[(OsString, OsString)],
) -> io::Result<PathBuf> {
    if command.as_encoded_bytes().contains(&b'/') {
        return Ok(PathBuf::from(command));
    }
    let folders = environment.iter().find(|(name, _)| name == "PATH");
    let folders = folders.map(|(_, folders)| folders.as_os_str());
    std::env::split_paths(folders.unwrap_or_default())
        .filter(|folder| !folder.as_os_str().is_empty())
        .map(|folder| folder.join(command))
        .find(|path| {
            path.metadata()
                .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
        })
        .ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::NotFound,
                "the engine's PATH has no such program",
            )
        })
}
