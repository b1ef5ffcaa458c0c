use std::io;

use crate::ledger::Layout;

/// A folder that holds a ledger: a disk, or a simulator of one.
///
/// Paths are relative to the folder, with `/` between components. Opening or
/// reading what stands there but is no plain file (a folder, a link, a pipe) is
/// an error of the kind [`io::ErrorKind::InvalidInput`], never a wait.
pub trait Storage: Send + Sync {
    /// Returns the bytes of a whole file, which must not be longer than this: a
    /// longer one is an error of the kind [`io::ErrorKind::FileTooLarge`].
    fn read(&self, path: &str, bytes_max: u64) -> io::Result<Vec<u8>>;

    /// Returns what stands in a folder, in the order of names.
    fn list(&self, folder: &str) -> io::Result<Vec<Entry>>;

    /// Opens a file.
    fn open(&self, path: &str, mode: Mode) -> io::Result<Box<dyn StorageFile>>;

    /// Makes a folder whose parent exists; an existing folder is fine.
    fn create_folder(&self, path: &str) -> io::Result<()>;

    /// Gives a file another name, which must be free.
    fn rename_new(&self, from: &str, to: &str) -> io::Result<()>;

    /// Gives a file the name of another one, which is gone then. Whoever reads
    /// under that name sees the one or the other, whole.
    fn replace(&self, from: &str, to: &str) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &str) -> io::Result<()>;

    /// Makes names made, renamed or removed in a folder durable.
    fn sync_folder(&self, path: &str) -> io::Result<()>;

    /// The kind of the file system, where it is one of a network on which
    /// nobody asked to write all the same: locks may not hold there.
    fn refused_network(&self) -> io::Result<Option<&'static str>> {
        Ok(None)
    }

    /// Takes the exclusive lock of the folder itself, which outlives any file in
    /// it that is removed or replaced; nothing when someone else holds it.
    fn try_lock(&self) -> io::Result<Option<FolderLock>>;

    /// Names the folder for messages.
    fn describe(&self) -> String;

    /// How long the segments of the ledger are.
    fn layout(&self) -> Layout {
        Layout::STANDARD
    }
}

/// The exclusive lock of a folder, held until it is dropped.
pub type FolderLock = Box<dyn Send + Sync>;

/// An open file of a [`Storage`]. Reads and writes name their offset; there is
/// no append mode, because a failed append leaves bytes nobody asked for.
pub trait StorageFile: Send {
    /// Reads up to `into.len()` bytes at an offset; fewer only at the end of the file.
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize>;

    /// Writes all bytes at an offset.
    fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Cuts or extends the file.
    fn set_length(&mut self, bytes: u64) -> io::Result<()>;

    /// The length in bytes.
    fn length(&self) -> io::Result<u64>;

    /// Makes content and length durable. An error is never retried: a second
    /// call may succeed without anything having reached the disk.
    fn sync(&mut self) -> io::Result<()>;

    /// Takes the exclusive lock; `false` when someone else holds it.
    fn try_lock(&self) -> io::Result<bool>;

    /// Whether someone holds the exclusive lock.
    fn is_locked(&self) -> io::Result<bool>;

    /// Whether the file has no other name, by which it could be changed or kept.
    fn has_one_name(&self) -> io::Result<bool> {
        Ok(true)
    }

    /// Whether the file still stands under this path.
    fn still_at(&self, path: &str) -> io::Result<bool>;
}

/// Returns what stands in place of a plain file, where an error says that none
/// does. Any other error means that nobody could look.
pub(crate) fn absence(error: &io::Error) -> Option<&'static str> {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Some("no such file"),
        io::ErrorKind::InvalidInput => Some("a folder, link or pipe"),
        io::ErrorKind::FileTooLarge => Some("a file that is far too long"),
        _ => None,
    }
}

/// How a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// To be read.
    Read,
    /// To be read and written; it exists.
    Write,
    /// To be read and written; it does not exist yet.
    New,
}

/// What stands under a name in a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The name; bytes that are no UTF-8 are replaced, which no valid name survives.
    pub name: String,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// Whether it is a plain file. Links and special files are neither.
    pub is_file: bool,
    /// The length of a file in bytes.
    pub bytes: u64,
}
