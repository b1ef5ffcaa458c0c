//! A source of others: which bytes it has, before anything of it is believed.

use std::fs::File;
use std::io::{self, BufReader, Read as _};
use std::path::Path;

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::{ImportStarted, Name};
use crate::import::hashed::Hashed;

/// A source and its bytes, where they are few.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// What is said of it.
    pub started: ImportStarted,
    /// Its bytes, where they are few enough to keep beside the ledger.
    pub kept: Option<Vec<u8>>,
}

/// A source of so many bytes is kept as a blob; of a longer one, its digest.
pub const KEPT_BYTES_MAX: u64 = 1 << 20;

impl Source {
    /// Reads a file through, once.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn of_file(path: &Path, format: &Name, version: u32) -> io::Result<Self> {
        let file = File::open(path)?;
        let mut hashed = Hashed::of(file);
        let mut kept = Vec::new();
        let few = KEPT_BYTES_MAX.saturating_add(1);
        hashed.by_ref().take(few).read_to_end(&mut kept)?;
        let is_kept = u64::try_from(kept.len()).is_ok_and(|length| length <= KEPT_BYTES_MAX);
        io::copy(
            &mut BufReader::with_capacity(1 << 18, &mut hashed),
            &mut io::sink(),
        )?;
        let (sha256, bytes) = hashed.finish();
        Ok(Self {
            started: ImportStarted {
                blob: None,
                bytes: Count::saturating(bytes),
                details: Vec::new(),
                format: format.clone(),
                name: name_of(path),
                sha256,
                version: version.into(),
            },
            kept: is_kept.then_some(kept),
        })
    }

    /// A file whose bytes were read.
    pub fn of_bytes(bytes: &[u8], path: &Path, format: &Name, version: u32) -> Self {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        Self {
            started: ImportStarted {
                blob: None,
                bytes: Count::saturating(length),
                details: Vec::new(),
                format: format.clone(),
                name: name_of(path),
                sha256: Digest::of(bytes),
                version: version.into(),
            },
            kept: (length <= KEPT_BYTES_MAX).then(|| bytes.to_vec()),
        }
    }

    /// The same, with its bytes named as a blob.
    #[must_use]
    pub fn with_blob(mut self) -> Self {
        self.started.blob = self.kept.as_deref().map(Digest::of);
        self
    }
}

/// The last part of a path, in words that a ledger can have.
pub(in crate::import) fn name_of(path: &Path) -> String {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    name.filter(|name| !name.trim().is_empty())
        .unwrap_or_else(|| "unnamed".to_owned())
}
