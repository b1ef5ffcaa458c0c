use std::path::{Path, PathBuf};

use crate::cli::error::CliError;
use crate::cli::files::write_whole;
use crate::ledger::Disk;
use crate::tree::{ParsePathError, RelativePath, Tracked, Tree, TreeFault};

/// Where files are written before they get their own name.
const MAKING: &str = ".scoresheet-making";

/// Where a project stands: its folder, and its ledger in it.
#[derive(Clone, Debug)]
pub(crate) struct Project {
    folder: PathBuf,
    pub(crate) ledger: PathBuf,
    allows_network: bool,
}

impl Project {
    /// Returns the project in this folder, with its ledger at this path in it.
    pub(crate) fn new(folder: &Path, ledger: &Path, allows_network: bool) -> Self {
        Self {
            folder: folder.to_owned(),
            // Messages name the folder as it was typed.
            ledger: if folder == Path::new(".") {
                ledger.to_owned()
            } else {
                folder.join(ledger)
            },
            allows_network,
        }
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A path in the project.
    pub(crate) fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.folder.join(path)
    }

    /// The folder, to be read and never followed out of.
    pub(crate) fn tree(&self) -> Result<Tree, CliError> {
        let shown = self.folder.display();
        self.tree_of_folder()
            .map_err(|fault| CliError::Input(format!("{shown}: {fault}")))
    }

    /// What git tracks in the folder; nothing where it is no work tree.
    pub(crate) fn tracked(&self) -> Result<Option<Tracked>, CliError> {
        Tracked::of(&self.folder).map_err(|error| {
            CliError::Input(format!("cannot tell which files are tracked: {error}"))
        })
    }

    /// Reads a file of the project, through no link.
    pub(crate) fn read(&self, path: &str) -> Result<Vec<u8>, TreeFault> {
        let plain: RelativePath = path.parse()?;
        let read = self.tree_of_folder()?.read(&plain, u64::MAX)?;
        Ok(read.into_bytes())
    }

    /// Removes a file of the project, where it is there.
    pub(crate) fn remove(&self, path: &str) -> Result<(), CliError> {
        match std::fs::remove_file(self.at(path)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(CliError::io(format!("remove {path}"))(error))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }

    fn tree_of_folder(&self) -> Result<Tree, TreeFault> {
        Tree::open(&self.folder)
    }

    /// Writes a file of the project whole or not at all; the same bytes are
    /// left as they are. Never writes through a link or in a folder's place.
    pub(crate) fn write(&self, path: &str, bytes: &[u8]) -> Result<(), CliError> {
        let cannot = |why: String| CliError::Input(format!("cannot write {path}: {why}"));
        let plain = path.parse();
        let plain: RelativePath =
            plain.map_err(|error: ParsePathError| cannot(error.to_string()))?;
        match self.tree()?.read(&plain, u64::MAX) {
            Ok(there) if there.bytes() == bytes => Ok(()),
            Ok(_) | Err(TreeFault::NotFound) => {
                write_whole(&self.at(MAKING), &self.at(path), bytes)
            }
            Err(fault) => Err(cannot(fault.to_string())),
        }
    }

    /// The ledger.
    pub(crate) fn disk(&self) -> Disk {
        let disk = Disk::new(&self.ledger);
        if self.allows_network {
            disk.on_any_file_system()
        } else {
            disk
        }
    }
}
