//! A source that is a folder of documents.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::{ImportStarted, Name};
use crate::import::Source;
use crate::import::source::name_of;

/// The documents of a folder, in the order of their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    path: PathBuf,
    names: Vec<String>,
}

/// The longest document that is read, in bytes.
pub const DOCUMENT_BYTES_MAX: u64 = 1 << 26;

impl Folder {
    /// Lists the documents that are in a folder, and in none below it.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut names = Vec::new();
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_document = Path::new(&name)
                .extension()
                .is_some_and(|end| end == "json");
            if is_document && entry.file_type()?.is_file() {
                names.push(name);
            }
        }
        names.sort();
        Ok(Self {
            path: path.to_owned(),
            names,
        })
    }

    /// The names of the documents.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The bytes of a document.
    ///
    /// # Errors
    ///
    /// What the system says, or that it is longer than any document.
    pub fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        read_document(&self.path.join(name))
    }

    /// The folder as a source: its list is what is kept, and what has the digest.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn source(&self, format: &Name, version: u32) -> io::Result<Source> {
        let mut list = String::new();
        let mut bytes: u64 = 0;
        for name in &self.names {
            let document = self.read(name)?;
            bytes = bytes.saturating_add(u64::try_from(document.len()).unwrap_or(u64::MAX));
            list += &Digest::of(&document).to_string();
            list.extend(["  ", name, "\n"]);
        }
        Ok(Source {
            started: ImportStarted {
                blob: None,
                bytes: Count::saturating(bytes),
                details: Vec::new(),
                format: format.clone(),
                name: name_of(&self.path),
                sha256: Digest::of(list.as_bytes()),
                version: version.into(),
            },
            kept: Some(list.into_bytes()),
        })
    }
}

/// Reads a whole document.
///
/// # Errors
///
/// What the system says, or that it is longer than any document.
pub fn read_document(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = fs::File::open(path)?;
    file.take(DOCUMENT_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if DOCUMENT_BYTES_MAX < u64::try_from(bytes.len()).unwrap_or(u64::MAX) {
        let error = format!("a document has at most {DOCUMENT_BYTES_MAX} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, error));
    }
    Ok(bytes)
}
