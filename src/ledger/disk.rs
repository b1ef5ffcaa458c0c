use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{OFlags, RenameFlags};
use rustix::io::Errno;

use crate::ledger::{Entry, Mode, Storage, StorageFile};

/// A folder on a real disk.
#[derive(Clone, Debug)]
pub struct Disk {
    root: PathBuf,
}

impl Disk {
    /// Returns the folder at this path; it need not exist yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
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
        fill(&Self::new(making.path()))?;
        rename_without_replacing(making.path(), &self.root)?;
        // The folder has its name now and must not be cleaned up.
        let _renamed = making.keep();
        File::open(parent)?.sync_all()?;
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
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        use io::Read as _;
        let mut bytes = Vec::new();
        let mut file = open_plain(&self.at(path), Mode::Read)?;
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn list(&self, folder: &str) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(self.at(folder))? {
            let entry = entry?;
            let kind = entry.file_type()?;
            entries.push(Entry {
                name: entry.file_name().to_string_lossy().into_owned(),
                is_folder: kind.is_dir(),
                is_file: kind.is_file(),
                bytes: if kind.is_file() {
                    entry.metadata()?.len()
                } else {
                    0
                },
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
        match fs::create_dir(self.at(path)) {
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
        File::open(self.at(path))?.sync_all()
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
        self.file.sync_data()
    }

    fn try_lock(&self) -> io::Result<bool> {
        match self.file.try_lock() {
            Ok(()) => Ok(true),
            Err(fs::TryLockError::WouldBlock) => Ok(false),
            Err(fs::TryLockError::Error(error)) => Err(error),
        }
    }

    fn is_locked(&self) -> io::Result<bool> {
        match self.file.try_lock_shared() {
            Ok(()) => self.file.unlock().map(|()| false),
            Err(fs::TryLockError::WouldBlock) => Ok(true),
            Err(fs::TryLockError::Error(error)) => Err(error),
        }
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
