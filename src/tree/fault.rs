use std::io;

use rustix::io::Errno;

use crate::finding::{Code, Finding, Place};
use crate::tree::ParsePathError;

/// Why something under a root was not read.
#[derive(Debug, thiserror::Error)]
pub enum TreeFault {
    /// Nothing has that name.
    #[error("there is no such file")]
    NotFound,
    /// A link stands at the name, or on the way to it, wherever it points.
    #[error("a symbolic link")]
    Link,
    /// The name is outside the grammar of paths, so that it may lead anywhere.
    #[error(transparent)]
    Name(#[from] ParsePathError),
    /// A directory, a pipe, a socket or a device.
    #[error("something that is no regular file")]
    NotRegular,
    /// The file is on another file system than the root, or behind a mount.
    #[error("a file behind a mount point")]
    OtherDevice,
    /// The file changed under the reader, or yields other than its size.
    #[error("a file that changed while it was read")]
    Changed,
    /// The file is larger than the caller is ready to hold.
    #[error("a file of {bytes} bytes, more than {bytes_max}")]
    TooLarge {
        /// The size of the file.
        bytes: u64,
        /// What the caller allowed.
        bytes_max: u64,
    },
    /// The folder holds more names than are looked at.
    #[error("a folder with more than {0} names")]
    TooMany(usize),
    /// The system refused for another reason.
    #[error("a file that cannot be read: {0}")]
    Io(#[from] io::Error),
}

impl TreeFault {
    /// Returns the fault as what is wrong with the evidence at that place.
    pub fn finding(&self, place: Place) -> Finding {
        Finding::new(
            self.code(),
            place,
            "a regular file inside the project",
            self.to_string(),
        )
    }

    const fn code(&self) -> Code {
        match self {
            Self::Link | Self::Name(_) | Self::OtherDevice => Code::PathEscapes,
            Self::NotFound | Self::NotRegular | Self::Io(_) => Code::ArtifactMissing,
            Self::TooLarge { .. } => Code::FileTooLarge,
            Self::TooMany(_) => Code::FolderTooLarge,
            Self::Changed => Code::FileUnsteady,
        }
    }
}

impl From<Errno> for TreeFault {
    fn from(errno: Errno) -> Self {
        match errno {
            Errno::NOENT | Errno::NOTDIR => Self::NotFound,
            Errno::LOOP => Self::Link,
            Errno::XDEV => Self::OtherDevice,
            // Opening a socket, or a device without a driver.
            Errno::NXIO | Errno::NODEV => Self::NotRegular,
            _ => Self::Io(errno.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_is_a_finding_of_the_code_that_fits() {
        let name = "..".parse::<crate::tree::RelativePath>().unwrap_err();
        let too_large = TreeFault::TooLarge {
            bytes: 2,
            bytes_max: 1,
        };
        for (fault, code) in [
            (TreeFault::NotFound, "artifact-missing"),
            (TreeFault::Link, "path-escapes"),
            (TreeFault::Name(name), "path-escapes"),
            (TreeFault::NotRegular, "artifact-missing"),
            (TreeFault::OtherDevice, "path-escapes"),
            (TreeFault::Changed, "file-unsteady"),
            (TreeFault::TooMany(1), "folder-too-large"),
            (too_large, "file-too-large"),
            (TreeFault::Io(Errno::ACCESS.into()), "artifact-missing"),
        ] {
            let finding = fault.finding(Place::file("a"));
            assert_eq!(finding.code.as_str(), code, "{fault}");
            assert_eq!(finding.found, fault.to_string());
        }
    }
}
