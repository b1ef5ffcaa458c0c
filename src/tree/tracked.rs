use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::{Command, Output};

/// The files of a folder that git tracks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tracked {
    /// From the path below the folder to what git does not look at in it.
    files: BTreeMap<String, Unnoticed>,
}

/// How a tracked file stands, as far as `git status` does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unnoticed {
    /// Git looks at it.
    Nothing,
    /// Git is told not to look, and it is what is tracked all the same.
    Same,
    /// Git is told not to look, and it differs.
    Differs,
}

/// Git could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum TrackedError {
    /// The program does not start.
    #[error("git cannot be started: {0}")]
    Start(#[from] io::Error),
    /// It says why not.
    #[error("git {0}: {1}")]
    Refused(&'static str, String),
}

impl Tracked {
    /// Asks git what it tracks below this folder; nothing where the folder is
    /// no part of a work tree, or one that the work tree around it ignores.
    pub fn of(folder: &Path) -> Result<Option<Self>, TrackedError> {
        let whole = folder.canonicalize()?;
        if !whole.ancestors().any(|above| above.join(".git").exists()) {
            return Ok(None);
        }
        let listed = git(folder, "ls-files", &["-z", "-v", "--stage"])?;
        let mut files = BTreeMap::new();
        for entry in listed.split(|byte| *byte == 0).filter(|it| !it.is_empty()) {
            let entry = String::from_utf8_lossy(entry);
            let Some((flags, path)) = entry.split_once('\t') else {
                continue;
            };
            let mut words = flags.split(' ');
            let (tag, blob) = (words.next().unwrap_or_default(), words.nth(1));
            let unnoticed = if tag == "H" {
                Unnoticed::Nothing
            } else if is_same(folder, path, blob) {
                Unnoticed::Same
            } else {
                Unnoticed::Differs
            };
            files.insert(path.to_owned(), unnoticed);
        }
        let is_ignored = || git(folder, "check-ignore", &["--quiet", "."]).is_ok();
        if files.is_empty() && is_ignored() {
            return Ok(None);
        }
        Ok(Some(Self { files }))
    }

    /// The paths, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// How the file at this path stands; nothing where it is not tracked.
    pub fn standing(&self, path: &str) -> Option<Unnoticed> {
        self.files.get(path).copied()
    }
}

/// Whether the file has the content that is tracked: its own bytes, through no filter.
fn is_same(folder: &Path, path: &str, blob: Option<&str>) -> bool {
    let hashed = git(folder, "hash-object", &["--no-filters", "--", path]);
    hashed.is_ok_and(|hashed| Some(String::from_utf8_lossy(&hashed).trim()) == blob)
}

/// Makes a fresh clone of the work tree around a folder, as it is at a tag, in
/// an empty folder; returns the path of the folder in it, which ends in `/`
/// unless it is empty. No filter, hook or configuration of the work tree applies.
pub fn clone_of(folder: &Path, tag: &str, into: &Path) -> Result<String, TrackedError> {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim().to_owned();
    let top = text(git(folder, "rev-parse", &["--show-toplevel"])?);
    let prefix = text(git(folder, "rev-parse", &["--show-prefix"])?);
    let branch = format!("--branch={tag}");
    let into = into.to_string_lossy();
    let args = [
        "--quiet",
        "--no-hardlinks",
        "--template=",
        "--config=core.hooksPath=/dev/null",
        "--config=core.autocrlf=false",
        "--config=advice.detachedHead=false",
        branch.as_str(),
        "--",
        top.as_str(),
        into.as_ref(),
    ];
    git(folder, "clone", &args)?;
    Ok(prefix)
}

/// The commit that a folder stands at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Its id, in hex.
    pub id: String,
    /// What `git diff HEAD` prints for the whole work tree; empty where nothing differs.
    pub difference: Vec<u8>,
}

impl Commit {
    /// Asks git which commit the work tree around a folder stands at; nothing where
    /// it is no work tree, or one without a commit.
    pub fn of(folder: &Path) -> Result<Option<Self>, TrackedError> {
        let whole = folder.canonicalize()?;
        if !whole.ancestors().any(|above| above.join(".git").exists()) {
            return Ok(None);
        }
        let Ok(id) = git(folder, "rev-parse", &["--verify", "--quiet", "HEAD"]) else {
            return Ok(None);
        };
        // No configuration of the submitter's makes it another text.
        let plain = [
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "--binary",
            "HEAD",
        ];
        Ok(Some(Self {
            id: String::from_utf8_lossy(&id).trim().to_owned(),
            difference: git(folder, "diff", &plain)?,
        }))
    }
}

/// Runs git in a folder and returns what it says.
fn git(folder: &Path, command: &'static str, args: &[&str]) -> Result<Vec<u8>, TrackedError> {
    let mut git = Command::new("git");
    git.arg("-C").arg(folder).arg(command).args(args);
    // It answers for the folder that it is asked about, and takes no lock.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        git.env_remove(variable);
    }
    let Output {
        status,
        stdout,
        stderr,
    } = git
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .output()?;
    if status.success() {
        Ok(stdout)
    } else {
        let said = String::from_utf8_lossy(&stderr);
        let said = said.lines().next().unwrap_or("no reason given");
        Err(TrackedError::Refused(
            command,
            said.escape_debug().to_string(),
        ))
    }
}
