use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};

use rustix::fs::{FileType, Mode, OFlags, ResolveFlags, fstat, openat, openat2};
use rustix::io::Errno;

use crate::tree::{RelativePath, TreeFault};

/// How often a lookup is repeated that lost a race with a renaming.
const ATTEMPTS: usize = 16;

/// How a file is opened. Without NONBLOCK a pipe that nobody writes to would hang
/// the audit; without NOCTTY a terminal would become ours.
pub(crate) const FLAGS: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

/// Who makes sure that no link is followed and the root is not left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolver {
    /// The kernel, in one `openat2`.
    Kernel,
    /// This room, with one `openat` a component.
    ///
    /// BUG: a bind mount of the root's own file system is not noticed, because
    /// only device numbers are compared. The mount ids of `statx` would tell.
    Components,
}

impl Resolver {
    /// Returns the best one that works here.
    pub(crate) fn of(root: BorrowedFd<'_>) -> Self {
        let folder = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        // An old kernel says ENOSYS, a sandbox whatever it was told to say.
        match openat2(root, ".", folder, Mode::empty(), promise()) {
            Ok(_) => Self::Kernel,
            Err(_) => Self::Components,
        }
    }

    /// Opens what has that name, for reading or listing. Never blocks and
    /// never follows a link.
    pub(crate) fn open(
        self,
        root: BorrowedFd<'_>,
        path: &RelativePath,
    ) -> Result<OwnedFd, TreeFault> {
        match self {
            Self::Kernel => by_kernel(root, path, FLAGS),
            Self::Components => by_components(root, path, FLAGS),
        }
    }
}

/// What the kernel has to promise about every component.
fn promise() -> ResolveFlags {
    ResolveFlags::BENEATH
        | ResolveFlags::NO_SYMLINKS
        | ResolveFlags::NO_MAGICLINKS
        | ResolveFlags::NO_XDEV
}

fn by_kernel(
    root: BorrowedFd<'_>,
    path: &RelativePath,
    flags: OFlags,
) -> Result<OwnedFd, TreeFault> {
    let attempt = || openat2(root, path.as_str(), flags, Mode::empty(), promise());
    let mut opened = attempt();
    for _ in 1..ATTEMPTS {
        if !matches!(opened, Err(Errno::AGAIN)) {
            break;
        }
        opened = attempt();
    }
    Ok(opened?)
}

fn by_components(
    root: BorrowedFd<'_>,
    path: &RelativePath,
    flags: OFlags,
) -> Result<OwnedFd, TreeFault> {
    let device = fstat(root)?.st_dev;
    let beside = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut names = path.components().peekable();
    let mut folder: Option<OwnedFd> = None;
    while let Some(name) = names.next() {
        let above = folder.as_ref().map_or(root, |folder| folder.as_fd());
        let is_last = names.peek().is_none();
        // The last name too is first looked at without opening what it names,
        // so that a link has the same fault wherever it stands.
        let seen = openat(above, name, beside, Mode::empty())?;
        let stat = fstat(&seen)?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Symlink => return Err(TreeFault::Link),
            FileType::Directory => {}
            _ if is_last => {}
            _ => return Err(TreeFault::NotFound),
        }
        if stat.st_dev != device {
            return Err(TreeFault::OtherDevice);
        }
        if is_last {
            let opened = openat(above, name, flags, Mode::empty())?;
            let same = fstat(&opened)?;
            return if (same.st_dev, same.st_ino) == (stat.st_dev, stat.st_ino) {
                Ok(opened)
            } else {
                Err(TreeFault::Changed)
            };
        }
        folder = Some(seen);
    }
    Err(TreeFault::NotFound)
}
