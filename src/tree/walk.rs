use std::ffi::CStr;
use std::os::fd::{AsFd as _, OwnedFd};

use rustix::fs::{AtFlags, Dir, FileType, statat};

use crate::finding::{Finding, Place};
use crate::tree::{ParsePathError, RelativePath, Tree, TreeFault};

/// The most names that are looked at below one folder.
pub const ENTRIES_MAX: usize = 1 << 16;

/// Everything that stands below a folder.
#[derive(Debug, Default)]
pub struct Walk {
    /// The regular files, sorted by the bytes of their paths.
    pub files: Vec<RelativePath>,
    /// What is neither a regular file nor a folder that could be listed.
    pub faults: Vec<WalkFault>,
}

/// Something that a walk met and did not enter.
#[derive(Debug)]
pub struct WalkFault {
    /// Its path from the root, with everything but plain ASCII escaped.
    pub path: String,
    /// What is wrong with it.
    pub fault: TreeFault,
}

impl WalkFault {
    /// Returns the fault as what is wrong with the evidence there.
    pub fn finding(&self) -> Finding {
        self.fault.finding(Place::file(self.path.as_str()))
    }
}

pub(crate) fn walk(tree: &Tree, folder: Option<&RelativePath>) -> Result<Walk, TreeFault> {
    let mut walk = Walk::default();
    let mut open = Vec::new();
    list(&folder_of(tree, folder)?, folder, &mut walk, &mut open)?;
    // One folder is open at a time, however deep they are nested.
    while let Some(folder) = open.pop() {
        let listed = folder_of(tree, Some(&folder))
            .and_then(|handle| list(&handle, Some(&folder), &mut walk, &mut open));
        if let Err(fault) = listed {
            if matches!(fault, TreeFault::TooMany(_)) {
                return Err(fault);
            }
            let path = folder.to_string();
            walk.faults.push(WalkFault { path, fault });
        }
    }
    walk.files.sort();
    walk.faults.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(walk)
}

fn folder_of(tree: &Tree, folder: Option<&RelativePath>) -> Result<OwnedFd, TreeFault> {
    match folder {
        Some(path) => tree.resolver.open(tree.root.as_fd(), path),
        None => Ok(tree.root.try_clone()?),
    }
}

/// Sorts the entries of one folder: files and faults into the walk, folders
/// onto the stack.
fn list(
    handle: &OwnedFd,
    folder: Option<&RelativePath>,
    walk: &mut Walk,
    open: &mut Vec<RelativePath>,
) -> Result<(), TreeFault> {
    for entry in Dir::read_from(handle)? {
        let entry = entry?;
        let name = entry.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        if ENTRIES_MAX <= walk.files.len() + walk.faults.len() + open.len() {
            return Err(TreeFault::TooMany(ENTRIES_MAX));
        }
        let found = path_of(folder, name).and_then(|path| {
            let kind = statat(handle, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode;
            Ok((path, FileType::from_raw_mode(kind)))
        });
        let fault = match found {
            Ok((path, FileType::RegularFile)) => {
                walk.files.push(path);
                continue;
            }
            Ok((path, FileType::Directory)) => {
                open.push(path);
                continue;
            }
            Ok((_, FileType::Symlink)) => TreeFault::Link,
            Ok(_) => TreeFault::NotRegular,
            Err(fault) => fault,
        };
        let name = name.to_bytes().escape_ascii();
        let path = folder.map_or_else(|| name.to_string(), |folder| format!("{folder}/{name}"));
        walk.faults.push(WalkFault { path, fault });
    }
    Ok(())
}

fn path_of(folder: Option<&RelativePath>, name: &CStr) -> Result<RelativePath, TreeFault> {
    // Bytes that are no UTF-8 become U+FFFD, which no path contains either.
    let name = name.to_string_lossy();
    let path: Result<_, ParsePathError> = match folder {
        Some(folder) => folder.join(&name),
        None => name.parse(),
    };
    Ok(path?)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::fs;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::path::Path;

    use rustix::fs::{CWD, Mode, mkfifoat};

    use super::*;
    use crate::tree::Resolver;

    fn shown(walk: &Walk) -> (Vec<&str>, Vec<String>) {
        let faults = walk.faults.iter();
        (
            walk.files.iter().map(RelativePath::as_str).collect(),
            faults.map(|f| format!("{}: {}", f.path, f.fault)).collect(),
        )
    }

    #[test]
    fn every_file_is_listed_in_order_hidden_ones_too() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("b/.git/c")).unwrap();
        fs::create_dir(root.path().join("empty")).unwrap();
        for path in ["b/.git/c/1", "b-2", "b/3", ".hidden", "a"] {
            fs::write(root.path().join(path), "x").unwrap();
        }
        let mut tree = Tree::open(root.path()).unwrap();
        for resolver in [tree.resolver, Resolver::Components] {
            tree.resolver = resolver;
            let walk = tree.walk(None).unwrap();
            let (files, faults) = shown(&walk);
            assert_eq!(files, [".hidden", "a", "b-2", "b/.git/c/1", "b/3"]);
            assert_eq!(faults, [""; 0]);
            let below = tree.walk(Some(&"b".parse().unwrap())).unwrap();
            assert_eq!(shown(&below).0, ["b/.git/c/1", "b/3"]);
        }
    }

    #[test]
    fn whatever_is_no_plain_file_of_a_plain_name_is_a_fault() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("d")).unwrap();
        fs::create_dir(root.path().join("d/bad name")).unwrap();
        fs::write(root.path().join("d/bad name/f"), "x").unwrap();
        fs::write(root.path().join("d/f"), "x").unwrap();
        fs::write(root.path().join("a\n\u{1b}[2Kb"), "x").unwrap();
        fs::write(root.path().join(OsStr::from_bytes(b"\xff")), "x").unwrap();
        symlink("f", root.path().join("d/link")).unwrap();
        symlink("d", root.path().join("folder")).unwrap();
        mkfifoat(CWD, root.path().join("pipe"), Mode::RWXU).unwrap();
        let walk = Tree::open(root.path()).unwrap().walk(None).unwrap();
        let (files, faults) = shown(&walk);
        assert_eq!(files, ["d/f"]);
        assert_eq!(
            faults,
            [
                "\\xff: the component `\\u{fffd}` contains `\\u{fffd}`",
                "a\\n\\x1b[2Kb: the component `a\\n\\u{1b}[2Kb` contains `\\n`",
                "d/bad name: the component `bad name` contains ` `",
                "d/link: a symbolic link",
                "folder: a symbolic link",
                "pipe: something that is no regular file",
            ]
        );
        let finding = walk.faults[3].finding();
        assert_eq!(finding.code.as_str(), "path-escapes");
        assert_eq!(finding.place.file.as_deref(), Some("d/link"));
    }

    #[test]
    fn a_folder_that_cannot_be_listed_is_a_fault() {
        // The superuser lists everything.
        if rustix::process::geteuid().is_root() {
            return;
        }
        let root = tempfile::tempdir().unwrap();
        let closed = root.path().join("closed");
        fs::create_dir(&closed).unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
        let walk = Tree::open(root.path()).unwrap().walk(None).unwrap();
        assert_eq!(walk.faults.len(), 1);
        assert!(matches!(walk.faults[0].fault, TreeFault::Io(_)));
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    }

    #[test]
    fn a_mount_point_is_not_entered() {
        let tree = Tree::open(Path::new("/")).unwrap();
        let fault = tree.walk(Some(&"proc/sys".parse().unwrap())).unwrap_err();
        assert!(matches!(fault, TreeFault::OtherDevice));
    }

    #[test]
    fn a_walk_needs_a_folder() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("f"), "x").unwrap();
        symlink(".", root.path().join("link")).unwrap();
        let mut tree = Tree::open(root.path()).unwrap();
        for resolver in [tree.resolver, Resolver::Components] {
            tree.resolver = resolver;
            let fault = |path: &str| tree.walk(Some(&path.parse().unwrap())).unwrap_err();
            assert!(matches!(fault("f"), TreeFault::NotFound));
            assert!(matches!(fault("none"), TreeFault::NotFound));
            assert!(matches!(fault("link"), TreeFault::Link));
        }
    }
}
