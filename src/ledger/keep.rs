//! Files that never change once they have their name.

use std::io;

use crate::digest::{Digest, Hasher};
use crate::ledger::layout::MAKING;
use crate::ledger::{LedgerError, Mode, Storage, StorageFile};

/// What goes through memory at once.
const CHUNK: usize = 1 << 20;

/// Takes the next bytes of something.
pub(crate) type Take<'a> = dyn FnMut(&[u8]) -> io::Result<()> + 'a;

/// Bytes that are to be kept, handed over a chunk at a time.
pub(crate) trait Source {
    /// Hands all bytes over, in order. Gives the same bytes each time.
    fn each(&self, take: &mut Take<'_>) -> io::Result<()>;
}

impl Source for [u8] {
    fn each(&self, take: &mut Take<'_>) -> io::Result<()> {
        take(self)
    }
}

/// The bytes of a file.
pub(crate) struct Stored<'a> {
    pub(crate) storage: &'a dyn Storage,
    pub(crate) path: &'a str,
}

impl Source for Stored<'_> {
    fn each(&self, take: &mut Take<'_>) -> io::Result<()> {
        let file = self.storage.open(self.path, Mode::Read)?;
        each_chunk(&*file, 0, file.length()?, take)
    }
}

/// Hands over what stands in a file between two offsets.
pub(crate) fn each_chunk(
    file: &dyn StorageFile,
    start: u64,
    end: u64,
    take: &mut Take<'_>,
) -> io::Result<()> {
    let left = end.saturating_sub(start);
    let mut chunk = vec![0; usize::try_from(left).unwrap_or(CHUNK).min(CHUNK)];
    let mut offset = start;
    while offset < end {
        let wanted = usize::try_from(end - offset).unwrap_or(CHUNK).min(CHUNK);
        let read = file.read_at(offset, &mut chunk[..wanted])?;
        take(&chunk[..read])?;
        offset += u64::try_from(read).map_err(io::Error::other)?;
        if read < wanted {
            break;
        }
    }
    Ok(())
}

/// Returns the digest of a file of any length.
pub(crate) fn digest_of(storage: &dyn Storage, path: &str) -> io::Result<Digest> {
    digest_of_source(&Stored { storage, path }).map(|(digest, _)| digest)
}

/// Returns the digest of what a source gives, and how many bytes it is.
pub(crate) fn digest_of_source<S: Source + ?Sized>(source: &S) -> io::Result<(Digest, u64)> {
    let mut hasher = Hasher::new();
    let mut length = 0;
    source.each(&mut |bytes| {
        hasher.update(bytes);
        length += u64::try_from(bytes.len()).map_err(io::Error::other)?;
        Ok(())
    })?;
    Ok((hasher.finish(), length))
}

/// Stores a file that never changes, durably: under another name first, then
/// under its own. One that is there already is compared, never replaced.
pub(crate) fn put_file<S: Source + ?Sized>(
    storage: &dyn Storage,
    path: &str,
    source: &S,
) -> Result<(), LedgerError> {
    put_file_in(storage, "", path, source)
}

/// Stores a file as [`put_file`] does, which is made in this folder: whoever
/// empties that has all of it, also after a process was killed.
pub(crate) fn put_file_in<S: Source + ?Sized>(
    storage: &dyn Storage,
    making_in: &str,
    path: &str,
    source: &S,
) -> Result<(), LedgerError> {
    let (digest, length) = digest_of_source(source).map_err(LedgerError::io("read", path))?;
    if let Some(made) = make(storage, making_in, path, &digest, length, source)? {
        match storage.rename_new(&made.name, path) {
            // Someone else was faster with what may be the same bytes.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                drop(storage.remove(&made.name));
                is_there(storage, path, &digest)?;
            }
            other => other.map_err(LedgerError::io("store", path))?,
        }
    }
    storage
        .sync_folder(parent(path))
        .map_err(LedgerError::io("store", path))
}

/// The folder of a path; the storage itself where it names none.
pub(crate) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Makes a folder, durably; one that is there is fine. Its parent must be there.
pub(crate) fn make_folder(storage: &dyn Storage, path: &str) -> Result<(), LedgerError> {
    storage
        .create_folder(path)
        .and_then(|()| storage.sync_folder(parent(path)))
        .map_err(LedgerError::io("make", path))
}

/// Whether the file is there already. Whoever put it there may have been
/// stopped before it was durable, so that it is made so again.
fn is_there(storage: &dyn Storage, path: &str, digest: &Digest) -> Result<bool, LedgerError> {
    match digest_of(storage, path) {
        Ok(there) if there == *digest => {
            let synced = storage
                .open(path, Mode::Read)
                .and_then(|mut file| file.sync());
            synced.map_err(LedgerError::io("sync", path))?;
            Ok(true)
        }
        Ok(_) => {
            let other = io::Error::new(
                io::ErrorKind::AlreadyExists,
                "a file with other bytes has this name; restore it from a trusted copy",
            );
            Err(LedgerError::io("store", path)(other))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(LedgerError::io("read", path)(error)),
    }
}

/// A whole file without its own name. It stays locked until it has one.
struct Made {
    name: String,
    _file: Box<dyn StorageFile>,
}

/// Writes the file where nothing is looked at, unless it has its name already.
fn make<S: Source + ?Sized>(
    storage: &dyn Storage,
    making_in: &str,
    path: &str,
    digest: &Digest,
    length: u64,
    source: &S,
) -> Result<Option<Made>, LedgerError> {
    let mut attempt = 0_u64;
    loop {
        if is_there(storage, path, digest)? {
            return Ok(None);
        }
        let name = making_name(making_in, &format!("{path} {attempt}"));
        if let Some(made) = make_as(storage, path, name, length, source)? {
            return Ok(Some(made));
        }
        attempt += 1;
    }
}

/// The path, in a folder, of a file that is still being made. It follows from
/// a text that does not depend on the bytes, so that what a killed process left
/// there is used again.
fn making_name(folder: &str, text: &str) -> String {
    let name = format!("{MAKING}{}", Digest::of(text.as_bytes()));
    if folder.is_empty() {
        name
    } else {
        format!("{folder}/{name}")
    }
}

/// Writes the file under this name, or nothing where somebody else is just
/// doing so.
fn make_as<S: Source + ?Sized>(
    storage: &dyn Storage,
    path: &str,
    name: String,
    length: u64,
    source: &S,
) -> Result<Option<Made>, LedgerError> {
    let claimed = claim(storage, &name).map_err(LedgerError::io("make", name.as_str()))?;
    let Some(mut file) = claimed else {
        return Ok(None);
    };
    let written = write(&mut *file, length, source).and_then(|()| file.sync());
    match written {
        Ok(()) => Ok(Some(Made { name, _file: file })),
        Err(error) => {
            drop(storage.remove(&name));
            Err(LedgerError::io("store", path)(error))
        }
    }
}

/// Puts a file in place of another one, or where none stands, durably: at any
/// time the old or the new one is there, whole.
pub(crate) fn replace_file(
    storage: &dyn Storage,
    path: &str,
    bytes: &[u8],
) -> Result<(), LedgerError> {
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let mut attempt = 0_u64;
    loop {
        let name = making_name("", &format!("in place of {path} {attempt}"));
        if let Some(made) = make_as(storage, path, name, length, bytes)? {
            return storage
                .replace(&made.name, path)
                .and_then(|()| storage.sync_folder(parent(path)))
                .map_err(LedgerError::io("store", path));
        }
        attempt += 1;
    }
}

/// Opens a file that nobody else is making: a new one, or one that a killed
/// process left behind. Nothing where somebody is.
fn claim(storage: &dyn Storage, name: &str) -> io::Result<Option<Box<dyn StorageFile>>> {
    let opened = match storage.open(name, Mode::New) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            storage.open(name, Mode::Write)
        }
        other => other,
    };
    let mut file = match opened {
        // Gone in between: whoever made it has just finished.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other?,
    };
    // Without the lock, or under another name, it is somebody else's.
    if !file.try_lock()? || !file.still_at(name)? {
        return Ok(None);
    }
    if file.length()? != 0 {
        file.set_length(0)?;
    }
    Ok(Some(file))
}

fn write<S: Source + ?Sized>(
    file: &mut dyn StorageFile,
    length: u64,
    source: &S,
) -> io::Result<()> {
    let mut offset = 0;
    source.each(&mut |bytes| {
        // A hole stays one: a file may be far longer than what it holds.
        if bytes.iter().any(|byte| *byte != 0) {
            file.write_all_at(offset, bytes)?;
        }
        offset += u64::try_from(bytes.len()).map_err(io::Error::other)?;
        Ok(())
    })?;
    if file.length()? == length {
        return Ok(());
    }
    file.set_length(length)
}
