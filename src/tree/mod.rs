//! Reading a folder safely.
//!
//! Evidence comes from other people, and so do its file names. This room
//! opens each file once, beneath a root that the caller vouches for, follows
//! no link on the way, and hands out bytes and digest together, so that what
//! was hashed is what is parsed. It judges no content and writes nothing.
//!
//! Names are checked before the kernel sees them ([`RelativePath`]), because
//! the kernel takes newlines and `a/../b`. The kernel then has to promise that
//! it neither follows a link nor leaves the root: `openat2` where it exists
//! (Linux 5.6, unless a sandbox forbids it), otherwise one `openat` a
//! component. A plain open is never tried. Only Linux is supported.

mod fault;
mod names;
mod parallel;
mod path;
mod read;
mod resolver;
mod tracked;
mod walk;

use std::os::fd::{AsFd as _, OwnedFd};
use std::path::Path;

use rustix::fs::{Mode, OFlags};

pub use fault::TreeFault;
pub use names::check_names;
pub use parallel::{Progress, in_parallel};
pub use path::{ParsePathError, RelativePath};
pub use read::Read;
pub use resolver::Resolver;
pub use tracked::{Commit, Tracked, TrackedError, Unnoticed, clone_of};
pub use walk::{ENTRIES_MAX, Walk, WalkFault};

/// A folder that is read, never followed out of, and never written to.
#[derive(Debug)]
pub struct Tree {
    root: OwnedFd,
    resolver: Resolver,
}

impl Tree {
    /// Opens the folder. The path to the root itself may go through links:
    /// whoever names the root vouches for it.
    pub fn open(root: &Path) -> Result<Self, TreeFault> {
        // DIRECTORY also keeps a pipe in the root's place from blocking us.
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = rustix::fs::open(root, flags, Mode::empty())?;
        let resolver = Resolver::of(root.as_fd());
        Ok(Self { root, resolver })
    }

    /// How names below the root are looked up, for a report that says so.
    pub const fn resolver(&self) -> Resolver {
        self.resolver
    }

    /// Returns the whole file, or why it is none that may be read.
    pub fn read(&self, path: &RelativePath, bytes_max: u64) -> Result<Read, TreeFault> {
        read::read(self, path, bytes_max)
    }

    /// Returns the whole file at a path that somebody named, whatever its name is.
    /// The way to it may go through links: whoever names it vouches for that. The
    /// file itself is none.
    ///
    /// # Errors
    ///
    /// Why it is none that may be read.
    pub fn read_named(path: &Path, bytes_max: u64) -> Result<Read, TreeFault> {
        let file = rustix::fs::open(path, resolver::FLAGS, Mode::empty())?;
        read::read_opened(file, bytes_max)
    }

    /// Returns every file below the folder, or below the root if none is
    /// named. What is neither a file nor a folder is a fault in the answer,
    /// and so is a name outside the grammar: nothing is skipped silently.
    pub fn walk(&self, folder: Option<&RelativePath>) -> Result<Walk, TreeFault> {
        walk::walk(self, folder)
    }
}
