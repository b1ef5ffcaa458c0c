use std::fs::{File, Metadata};
use std::io::Read as _;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::MetadataExt as _;

use crate::digest::Digest;
use crate::tree::{RelativePath, Tree, TreeFault};

/// A whole file as it was at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    bytes: Vec<u8>,
    digest: Digest,
    n_links: u64,
}

impl Read {
    /// The content.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The content, without a copy.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The digest of the content.
    pub const fn digest(&self) -> &Digest {
        &self.digest
    }

    /// How many names the file has. More than one lets somebody change it from
    /// outside the root, so that frozen evidence must have exactly one.
    pub const fn n_links(&self) -> u64 {
        self.n_links
    }
}

pub(crate) fn read(tree: &Tree, path: &RelativePath, bytes_max: u64) -> Result<Read, TreeFault> {
    read_opened(tree.resolver.open(tree.root.as_fd(), path)?, bytes_max)
}

/// Reads what was opened as [`FLAGS`](crate::tree::resolver::FLAGS) say.
pub(crate) fn read_opened(opened: OwnedFd, bytes_max: u64) -> Result<Read, TreeFault> {
    let file = File::from(opened);
    read_from(&file, &file, bytes_max)
}

/// Reads the file's bytes from the source, which is the file itself except in
/// a test that changes the file meanwhile.
fn read_from(file: &File, source: impl std::io::Read, bytes_max: u64) -> Result<Read, TreeFault> {
    let before = file.metadata()?;
    if !before.is_file() {
        return Err(TreeFault::NotRegular);
    }
    if bytes_max < before.size() {
        return Err(TreeFault::TooLarge {
            bytes: before.size(),
            bytes_max,
        });
    }
    let mut bytes = Vec::new();
    // One byte more than there should be shows a file that grows.
    let mut source = source.take(before.size().saturating_add(1));
    source.read_to_end(&mut bytes)?;
    let is_whole = u64::try_from(bytes.len()) == Ok(before.size());
    let after = file.metadata()?;
    if !is_whole || stamp(&before) != stamp(&after) {
        return Err(TreeFault::Changed);
    }
    Ok(Read {
        digest: Digest::of(&bytes),
        bytes,
        n_links: before.nlink(),
    })
}

/// What differs after any write: nobody but the kernel sets the change time.
fn stamp(metadata: &Metadata) -> impl PartialEq {
    (
        (metadata.dev(), metadata.ino(), metadata.size()),
        (metadata.mtime(), metadata.mtime_nsec()),
        (metadata.ctime(), metadata.ctime_nsec()),
    )
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::os::unix::net::UnixListener;
    use std::path::Path;
    use std::time::Duration;

    use rustix::fs::{CWD, Mode, mkfifoat};

    use super::*;
    use crate::tree::Resolver;

    /// Gives the test a tree in both ways of looking names up.
    fn in_both_ways(root: &Path, test: impl Fn(&Tree)) {
        let mut tree = Tree::open(root).unwrap();
        test(&tree);
        tree.resolver = Resolver::Components;
        test(&tree);
    }

    fn fault(tree: &Tree, path: &str) -> TreeFault {
        tree.read(&path.parse().unwrap(), 1000).unwrap_err()
    }

    #[test]
    fn a_plain_file_is_read_with_its_digest_and_number_of_names() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("a/b")).unwrap();
        fs::write(root.path().join("a/b/c"), "content").unwrap();
        fs::write(root.path().join("empty"), "").unwrap();
        in_both_ways(root.path(), |tree| {
            let read = tree.read(&"a/b/c".parse().unwrap(), 7).unwrap();
            assert_eq!(read.bytes(), b"content");
            assert_eq!(*read.digest(), Digest::of(b"content"));
            assert_eq!(read.n_links(), 1);
            let empty = tree.read(&"empty".parse().unwrap(), 0).unwrap();
            assert_eq!(empty.into_bytes(), b"");
        });
        fs::hard_link(root.path().join("a/b/c"), root.path().join("d")).unwrap();
        in_both_ways(root.path(), |tree| {
            assert_eq!(tree.read(&"d".parse().unwrap(), 7).unwrap().n_links(), 2);
        });
    }

    #[test]
    fn no_link_is_followed_wherever_it_stands_and_points() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("f"), "outside").unwrap();
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("d")).unwrap();
        fs::write(root.path().join("d/f"), "inside").unwrap();
        for (target, name) in [
            (outside.path().join("f"), "leaf-out"),
            (outside.path().to_owned(), "folder-out"),
            ("d/f".into(), "leaf-in"),
            ("d".into(), "folder-in"),
            ("nothing".into(), "dangling"),
            ("loop".into(), "loop"),
            ("/proc/self/exe".into(), "magic"),
        ] {
            symlink(target, root.path().join(name)).unwrap();
        }
        in_both_ways(root.path(), |tree| {
            for path in [
                "leaf-out",
                "folder-out/f",
                "leaf-in",
                "folder-in/f",
                "folder-in",
                "dangling",
                "loop",
                "loop/f",
                "magic",
            ] {
                let fault = fault(tree, path);
                assert!(matches!(fault, TreeFault::Link), "{path}: {fault}");
            }
        });
    }

    #[test]
    fn a_root_may_be_named_through_a_link() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("real")).unwrap();
        fs::write(place.path().join("real/f"), "x").unwrap();
        symlink("real", place.path().join("linked")).unwrap();
        let tree = Tree::open(&place.path().join("linked")).unwrap();
        assert!(tree.read(&"f".parse().unwrap(), 1).is_ok());
        assert!(Tree::open(&place.path().join("real/f")).is_err());
        assert!(Tree::open(&place.path().join("none")).is_err());
    }

    #[test]
    fn a_named_file_may_have_any_name_and_is_no_link() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::create_dir(at("real")).unwrap();
        fs::write(at("real/\u{e9} f"), "x").unwrap();
        symlink("real", at("linked")).unwrap();
        symlink("\u{e9} f", at("real/leaf")).unwrap();
        symlink("none", at("real/dangling")).unwrap();
        let read = |name: &str| Tree::read_named(&at(name), 1);
        assert_eq!(read("linked/\u{e9} f").unwrap().bytes(), b"x");
        for name in ["real/leaf", "real/dangling", "linked"] {
            assert!(matches!(read(name), Err(TreeFault::Link)), "{name}");
        }
        assert!(matches!(read("real"), Err(TreeFault::NotRegular)));
        assert!(matches!(read("real/none"), Err(TreeFault::NotFound)));
    }

    #[test]
    fn missing_files_are_not_found() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("f"), "x").unwrap();
        in_both_ways(root.path(), |tree| {
            for path in ["none", "none/f", "f/below"] {
                assert!(matches!(fault(tree, path), TreeFault::NotFound), "{path}");
            }
        });
    }

    #[test]
    fn pipes_sockets_and_folders_are_no_regular_files_and_do_not_hang() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("folder")).unwrap();
        mkfifoat(CWD, root.path().join("pipe"), Mode::RWXU).unwrap();
        let _socket = UnixListener::bind(root.path().join("socket")).unwrap();
        in_both_ways(root.path(), |tree| {
            for path in ["folder", "pipe", "socket"] {
                assert!(matches!(fault(tree, path), TreeFault::NotRegular), "{path}");
            }
        });
        let devices = Tree::open(Path::new("/dev")).unwrap();
        assert!(matches!(fault(&devices, "null"), TreeFault::NotRegular));
    }

    #[test]
    fn a_mount_point_below_the_root_is_another_device() {
        in_both_ways(Path::new("/"), |tree| {
            let fault = fault(tree, "proc/version");
            assert!(matches!(fault, TreeFault::OtherDevice), "{fault}");
        });
    }

    #[test]
    fn a_file_beyond_the_limit_is_refused_unread() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("f"), "12345").unwrap();
        let sparse = File::create(root.path().join("sparse")).unwrap();
        sparse.set_len(1 << 40).unwrap();
        in_both_ways(root.path(), |tree| {
            assert!(tree.read(&"f".parse().unwrap(), 5).is_ok());
            for (path, size) in [("f", 5), ("sparse", 1 << 40)] {
                let fault = tree.read(&path.parse().unwrap(), 4).unwrap_err();
                assert!(
                    matches!(fault, TreeFault::TooLarge { bytes, bytes_max: 4 } if bytes == size)
                );
            }
        });
    }

    #[test]
    fn an_unreadable_file_is_an_io_fault() {
        // The superuser reads everything.
        if rustix::process::geteuid().is_root() {
            return;
        }
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("f");
        fs::write(&path, "x").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
        in_both_ways(root.path(), |tree| {
            assert!(matches!(fault(tree, "f"), TreeFault::Io(_)));
        });
    }

    /// Yields the content of a file and does something to it first.
    struct Meddler<'a, F>(&'a File, Option<F>);

    impl<F: FnOnce()> io::Read for Meddler<'_, F> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if let Some(meddle) = self.1.take() {
                meddle();
            }
            self.0.read(buffer)
        }
    }

    #[test]
    fn a_file_that_changes_while_it_is_read_is_a_fault() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("f");
        let meddle = |meddle: &dyn Fn()| {
            fs::write(&path, "12345").unwrap();
            // Coarse clocks tick every few milliseconds.
            std::thread::sleep(Duration::from_millis(20));
            let file = File::open(&path).unwrap();
            read_from(&file, Meddler(&file, Some(meddle)), 100)
        };
        assert!(meddle(&|| {}).is_ok());
        for text in ["54321", "123456", "1234", ""] {
            let read = meddle(&|| fs::write(&path, text).unwrap());
            assert!(matches!(read, Err(TreeFault::Changed)), "{text:?}");
        }
    }

    #[test]
    fn a_file_that_yields_more_than_its_size_is_a_fault() {
        let tree = Tree::open(Path::new("/proc")).unwrap();
        assert!(matches!(fault(&tree, "version"), TreeFault::Changed));
    }
}
