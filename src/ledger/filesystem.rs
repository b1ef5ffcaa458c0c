//! Which file systems are shared over a network. Locks there may hold on one
//! machine only, and a sync may end in another machine's memory.

use std::io;
use std::path::Path;

/// The kind of a file system by its magic number (statfs(2), linux/magic.h).
const NETWORK: [(u64, &str); 14] = [
    (0x6969, "nfs"),
    (0x517b, "smb"),
    (0xfe53_4d42, "smb2"),
    (0xff53_4d42, "cifs"),
    (0x0102_1997, "9p"),
    // virtiofs says so too.
    (0x6573_5546, "fuse"),
    (0x00c3_6400, "ceph"),
    (0x5346_414f, "afs"),
    (0x6b41_4653, "kafs"),
    (0x7375_7245, "coda"),
    (0x0bd0_0bd0, "lustre"),
    (0x0116_1970, "gfs2"),
    (0x7461_636f, "ocfs2"),
    (0x564c, "ncp"),
];

/// Returns the kind of the file system at this path, where it is one of a network.
pub(crate) fn network_at(path: &Path) -> io::Result<Option<&'static str>> {
    let magic = rustix::fs::statfs(path)?.f_type;
    // The width and the sign of the field differ between machines.
    #[expect(clippy::cast_sign_loss, reason = "a magic number, not a quantity")]
    let magic = magic as u64 & 0xffff_ffff;
    Ok(network(magic))
}

fn network(magic: u64) -> Option<&'static str> {
    let known = NETWORK.iter().find(|(number, _)| *number == magic);
    known.map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_systems_of_a_network_are_known_by_their_number_and_others_are_not() {
        assert_eq!(network(0x6969), Some("nfs"));
        assert_eq!(network(0xff53_4d42), Some("cifs"));
        for local in [0xef53, 0x0102_1994, 0x5846_5342, 0x9123_683e, 0x794c_7630] {
            assert_eq!(network(local), None, "{local:x}");
        }
    }

    #[test]
    fn the_file_system_of_a_folder_can_be_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        network_at(folder.path()).unwrap();
        assert!(network_at(&folder.path().join("absent")).is_err());
    }
}
