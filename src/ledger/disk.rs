use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{OFlags, RenameFlags};
use rustix::io::Errno;

use crate::ledger::filesystem::network_at;
use crate::ledger::layout::PRIVATE;
use crate::ledger::{Entry, FolderLock, Mode, Storage, StorageFile};

/// A folder on a real disk.
#[derive(Clone, Debug)]
pub struct Disk {
    root: PathBuf,
    allows_network: bool,
}

impl Disk {
    /// Returns the folder at this path; it need not exist yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            allows_network: false,
        }
    }

    /// Returns the same folder, to be written to also where it stands on a
    /// network file system: whoever asks for it sees to it that only one
    /// machine writes.
    #[must_use]
    pub fn on_any_file_system(self) -> Self {
        Self {
            allows_network: true,
            ..self
        }
    }

    /// Returns another folder, to be written to under the same conditions.
    #[must_use]
    pub fn elsewhere(&self, root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            ..self.clone()
        }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Makes a new folder complete or not at all: `fill` writes into a folder
    /// of another name, which gets this one's name at the end.
    ///
    /// # Errors
    ///
    /// `AlreadyExists` when something stands there already; else what the
    /// system says.
    pub fn create_with<E: From<io::Error>>(
        &self,
        fill: impl FnOnce(&dyn Storage) -> Result<(), E>,
    ) -> Result<(), E> {
        if fs::symlink_metadata(&self.root).is_ok() {
            return Err(io::Error::from(io::ErrorKind::AlreadyExists).into());
        }
        let parent = match self.root.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let name = self.root.file_name().unwrap_or_default().to_string_lossy();
        let making = tempfile::Builder::new()
            .prefix(&format!(".{name}-making-"))
            .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .tempdir_in(parent)?;
        fill(&self.elsewhere(making.path()))?;
        rename_without_replacing(making.path(), &self.root)?;
        // The folder has its name now and must not be cleaned up.
        let _renamed = making.keep();
        sync_folder(parent)?;
        Ok(())
    }

    fn at(&self, path: &str) -> PathBuf {
        if path.is_empty() {
            self.root.clone()
        } else {
            self.root.join(path)
        }
    }
}

fn rename_without_replacing(from: &Path, to: &Path) -> io::Result<()> {
    let cwd = rustix::fs::CWD;
    rustix::fs::renameat_with(cwd, from, cwd, to, RenameFlags::NOREPLACE)?;
    Ok(())
}

impl Storage for Disk {
    fn read(&self, path: &str, bytes_max: u64) -> io::Result<Vec<u8>> {
        use io::Read as _;
        let mut bytes = Vec::new();
        let file = open_plain(&self.at(path), Mode::Read)?;
        if bytes_max < file.metadata()?.len() {
            return Err(too_long());
        }
        // It may grow while it is read.
        file.take(bytes_max.saturating_add(1))
            .read_to_end(&mut bytes)?;
        if u64::try_from(bytes.len()).is_ok_and(|length| length <= bytes_max) {
            Ok(bytes)
        } else {
            Err(too_long())
        }
    }

    fn list(&self, folder: &str) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(self.at(folder))? {
            let entry = entry?;
            let kind = entry.file_type()?;
            let bytes = match entry.metadata() {
                Ok(metadata) if kind.is_file() => metadata.len(),
                // It got another name, or was removed, since the folder was read.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) if kind.is_file() => return Err(error),
                _ => 0,
            };
            entries.push(Entry {
                name: entry.file_name().to_string_lossy().into_owned(),
                is_folder: kind.is_dir(),
                is_file: kind.is_file(),
                bytes,
            });
        }
        entries.sort();
        Ok(entries)
    }

    fn open(&self, path: &str, mode: Mode) -> io::Result<Box<dyn StorageFile>> {
        let file = open_plain(&self.at(path), mode)?;
        Ok(Box::new(DiskFile {
            file,
            root: self.clone(),
        }))
    }

    fn create_folder(&self, path: &str) -> io::Result<()> {
        // Private bodies are for their owner alone; the rest is as public as the umask lets it be.
        let is_private = path.split('/').next() == Some(PRIVATE);
        let mode = if is_private { 0o700 } else { 0o777 };
        match DirBuilder::new().mode(mode).create(self.at(path)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            other => other,
        }
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        rename_without_replacing(&self.at(from), &self.at(to))
    }

    fn replace(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.at(from), self.at(to))
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        fs::remove_file(self.at(path))
    }

    fn sync_folder(&self, path: &str) -> io::Result<()> {
        sync_folder(&self.at(path))
    }

    fn try_lock(&self) -> io::Result<Option<FolderLock>> {
        let folder = File::open(self.at(""))?;
        Ok(try_lock(&folder)?.then(|| Box::new(LockedFolder(folder)) as FolderLock))
    }

    fn refused_network(&self) -> io::Result<Option<&'static str>> {
        if self.allows_network {
            Ok(None)
        } else {
            network_at(&self.root)
        }
    }

    fn describe(&self) -> String {
        self.root.display().to_string()
    }
}

/// Opens a plain file, never through a link, never waiting for a pipe.
fn open_plain(path: &Path, mode: Mode) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let flags = i32::try_from(flags.bits()).map_err(io::Error::other)?;
    let file = OpenOptions::new()
        .read(true)
        .write(mode != Mode::Read)
        .create_new(mode == Mode::New)
        .custom_flags(flags)
        .open(path)
        .map_err(
            |error| match error.raw_os_error().map(Errno::from_raw_os_error) {
                // A link, a socket or a device; a folder, where it is opened to be written.
                Some(Errno::LOOP | Errno::NXIO | Errno::NODEV | Errno::ISDIR) => not_plain(),
                _ => error,
            },
        )?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(not_plain())
    }
}

fn not_plain() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a plain file")
}

fn too_long() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, "a file that is far too long")
}

/// Makes the names in a folder durable. Asks once: the standard library would
/// ask again after an interruption, and what the first call found may be gone.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = File::open(path)?;
    rustix::fs::fsync(&folder)?;
    Ok(())
}

fn try_lock(file: &File) -> io::Result<bool> {
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(fs::TryLockError::WouldBlock) => return Ok(false),
            Err(fs::TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(fs::TryLockError::Error(error)) => return Err(error),
        }
    }
}

struct LockedFolder(File);

impl Drop for LockedFolder {
    /// At once, like the lock of a file.
    fn drop(&mut self) {
        drop(self.0.unlock());
    }
}

struct DiskFile {
    file: File,
    root: Disk,
}

impl Drop for DiskFile {
    /// Lets go of the lock at once: a process that is just being started may
    /// hold a copy of the file until it runs a program of its own.
    fn drop(&mut self) {
        drop(self.file.unlock());
    }
}

impl StorageFile for DiskFile {
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let mut done = 0;
        while done < into.len() {
            let at = offset + u64::try_from(done).map_err(io::Error::other)?;
            match self.file.read_at(&mut into[done..], at) {
                Ok(0) => break,
                Ok(read) => done += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(done)
    }

    fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all_at(bytes, offset)
    }

    fn set_length(&mut self, bytes: u64) -> io::Result<()> {
        self.file.set_len(bytes)
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    fn sync(&mut self) -> io::Result<()> {
        // Once, and never again: see `sync_folder`.
        rustix::fs::fdatasync(&self.file)?;
        Ok(())
    }

    fn try_lock(&self) -> io::Result<bool> {
        try_lock(&self.file)
    }

    fn is_locked(&self) -> io::Result<bool> {
        match self.file.try_lock_shared() {
            Ok(()) => self.file.unlock().map(|()| false),
            Err(fs::TryLockError::WouldBlock) => Ok(true),
            Err(fs::TryLockError::Error(error)) => Err(error),
        }
    }

    fn has_one_name(&self) -> io::Result<bool> {
        Ok(self.file.metadata()?.nlink() == 1)
    }

    fn still_at(&self, path: &str) -> io::Result<bool> {
        let own = self.file.metadata()?;
        match fs::symlink_metadata(self.root.at(path)) {
            Ok(there) => Ok(there.dev() == own.dev() && there.ino() == own.ino()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
}
