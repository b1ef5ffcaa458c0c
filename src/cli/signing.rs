use std::path::{Path, PathBuf};

use crate::cli::error::CliError;
use crate::ledger::{
    Begin, Checkpoint, Disk, KeyKind, Memory, Prefix, SignedCheckpoint, SigningKey,
    issue_checkpoint, sign_checkpoint,
};

/// What every command takes that issues a checkpoint.
#[derive(Debug, clap::Args)]
pub(crate) struct SigningArgs {
    /// Sign the checkpoint with the key in this file, whose name must be the
    /// origin of the ledger. Beside it, FILE.signed remembers what it signed
    /// last, so that the key never signs two histories.
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,

    /// Begin FILE.signed, for a key from elsewhere that has signed nothing yet;
    /// `key new` begins that of a key that it makes.
    #[arg(long = "new", requires = "key")]
    is_new: bool,
}

/// The key of a log, ready to sign.
pub(crate) struct LogKey<'a> {
    key: SigningKey,
    path: &'a Path,
    begin: Begin,
}

impl SigningArgs {
    /// Returns the key, if one was given. To be called before anything is written.
    pub(crate) fn load(&self, disk: &Disk) -> Result<Option<LogKey<'_>>, CliError> {
        let Some(path) = &self.key else {
            return Ok(None);
        };
        let prefix = Prefix::open(disk)?;
        let origin = &prefix.description().origin;
        let key = load(path)?;
        let refuse = |why: String| {
            Err(CliError::Input(format!(
                "{}: {why}; nothing was written",
                path.display()
            )))
        };
        if key.kind() != KeyKind::Note {
            return refuse("the key is a witness's, who never signs for a log".to_owned());
        }
        if key.name() != origin.as_str() {
            return refuse(format!(
                "the key is named {}, but the ledger is {origin}: a log signs under its own name",
                key.name()
            ));
        }
        let begin = if self.is_new {
            Begin::New
        } else {
            Begin::Known
        };
        // What would be refused after the checkpoint is stored is refused before.
        let (folder, name) = memory_of(path)?;
        drop(Memory::open(&folder, &name, begin)?);
        Ok(Some(LogKey { key, path, begin }))
    }
}

/// Stores a checkpoint, and signs it where there is a key.
pub(crate) fn issue(
    key: Option<&LogKey<'_>>,
    disk: &Disk,
    checkpoint: &Checkpoint,
) -> Result<Option<SignedCheckpoint>, CliError> {
    issue_checkpoint(disk, checkpoint)?;
    let Some(key) = key else { return Ok(None) };
    let (folder, name) = memory_of(key.path)?;
    let mut memory = Memory::open(&folder, &name, key.begin)?;
    let signed = sign_checkpoint(disk, checkpoint, &key.key, &mut memory)?;
    Ok(Some(signed))
}

/// The folder of what a key of a log has signed last, and the name of the file.
pub(crate) fn memory_of(key: &Path) -> Result<(Disk, String), CliError> {
    // One key has one memory, by whatever name it is called.
    let resolved = key.canonicalize();
    let (folder, name) = folder_of(resolved.as_deref().unwrap_or(key))?;
    Ok((folder, format!("{name}.signed")))
}

/// Reads a signing key; what the file holds is never shown.
pub(crate) fn load(path: &Path) -> Result<SigningKey, CliError> {
    let key = SigningKey::load(path);
    key.map_err(|error| CliError::Input(format!("{}: {error}", path.display())))
}

/// The folder of a file, and its name in it.
pub(crate) fn folder_of(path: &Path) -> Result<(Disk, String), CliError> {
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| {
        let shown = path.display();
        CliError::Input(format!("{shown}: expected the path of a file, in UTF-8"))
    })?;
    Ok((Disk::new(folder), name.to_owned()))
}
