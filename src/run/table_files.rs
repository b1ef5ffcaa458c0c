use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::canonical::Count;
use crate::chess::TableFiles;
use crate::digest::Hasher;
use crate::event::FileIdentity;

/// The files of folders with Syzygy tables.
///
/// Each is opened when it is first needed, and stays open: what was hashed is
/// what is read. Of two files of one name that of the folder named first counts.
#[derive(Debug)]
pub struct TableFolders {
    files: BTreeMap<String, TableFile>,
}

#[derive(Debug)]
struct TableFile {
    path: PathBuf,
    bytes: u64,
    file: OnceLock<File>,
    identity: OnceLock<FileIdentity>,
}

/// A folder or file that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {source}", path.display())]
pub struct TableFolderError {
    /// Which one.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

impl TableFolders {
    /// Lists the files of these folders, not those of folders in them.
    ///
    /// # Errors
    ///
    /// When a folder cannot be listed, or a file in it not be looked at.
    pub fn list<P: AsRef<Path>>(folders: &[P]) -> Result<Self, TableFolderError> {
        let mut files = BTreeMap::new();
        for folder in folders {
            let folder = folder.as_ref();
            let of_folder = |source| TableFolderError {
                path: folder.to_owned(),
                source,
            };
            for entry in fs::read_dir(folder).map_err(of_folder)? {
                let path = entry.map_err(of_folder)?.path();
                let name = path.file_name().and_then(|name| name.to_str());
                let Some(name) = name.map(str::to_owned) else {
                    continue;
                };
                // A link may lead nowhere, and what is no file is no table.
                let bytes = match fs::metadata(&path) {
                    Ok(found) if found.is_file() => found.len(),
                    Ok(_) => continue,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(source) => return Err(TableFolderError { path, source }),
                };
                files.entry(name).or_insert(TableFile {
                    path,
                    bytes,
                    file: OnceLock::new(),
                    identity: OnceLock::new(),
                });
            }
        }
        Ok(Self { files })
    }

    /// Returns what a listed file is, by content. Its whole content is read the
    /// first time.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is not listed.
    pub fn identity(&self, name: &str) -> Result<FileIdentity, TableFolderError> {
        let missing = || TableFolderError {
            path: name.into(),
            source: io::ErrorKind::NotFound.into(),
        };
        let file = self.files.get(name).ok_or_else(missing)?;
        if let Some(known) = file.identity.get() {
            return Ok(known.clone());
        }
        let hashed = file.hash(name).map_err(|source| TableFolderError {
            path: file.path.clone(),
            source,
        })?;
        Ok(file.identity.get_or_init(|| hashed).clone())
    }

    /// Where a listed file is.
    pub fn path(&self, name: &str) -> Option<&Path> {
        self.files.get(name).map(|file| file.path.as_path())
    }
}

impl TableFile {
    fn open(&self) -> io::Result<&File> {
        if let Some(file) = self.file.get() {
            return Ok(file);
        }
        let file = File::open(&self.path)?;
        Ok(self.file.get_or_init(|| file))
    }

    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
        self.open()?.read_at(bytes, offset)
    }

    fn hash(&self, name: &str) -> io::Result<FileIdentity> {
        let mut hasher = Hasher::new();
        let mut bytes = 0;
        let mut chunk = vec![0; 1 << 16];
        loop {
            let read = match self.read_at(&mut chunk, bytes) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            hasher.update(&chunk[..read]);
            bytes += read as u64;
        }
        Ok(FileIdentity {
            bytes: Count::saturating(bytes),
            name: name.to_owned(),
            sha256: hasher.finish(),
        })
    }
}

impl TableFiles for TableFolders {
    fn list(&self) -> Vec<(String, u64)> {
        let files = self.files.iter();
        files
            .map(|(name, file)| (name.clone(), file.bytes))
            .collect()
    }

    fn read_at(&self, name: &str, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
        let file = self.files.get(name).ok_or(io::ErrorKind::NotFound)?;
        file.read_at(bytes, offset)
    }
}
