use std::path::{Path, PathBuf};

use crate::ledger::Disk;

/// Where a project stands: its folder, and its ledger in it.
#[derive(Clone, Debug)]
pub(crate) struct Project {
    folder: PathBuf,
    pub(crate) ledger: PathBuf,
}

impl Project {
    /// Returns the project in this folder, with its ledger at this path in it.
    pub(crate) fn new(folder: &Path, ledger: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            // Messages name the folder as it was typed.
            ledger: if folder == Path::new(".") {
                ledger.to_owned()
            } else {
                folder.join(ledger)
            },
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

    /// The ledger.
    pub(crate) fn disk(&self) -> Disk {
        Disk::new(&self.ledger)
    }
}
