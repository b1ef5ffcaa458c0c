use std::io;
use std::path::PathBuf;

/// Why a cassette cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum CassetteFault {
    /// The system says no.
    #[error("cannot {action} the cassette {}: {source}", path.display())]
    Io {
        /// What was to be done.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another run writes it.
    #[error(
        "the cassette {} is being written by another run; wait for it, or name another file",
        path.display()
    )]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// It is not what a cassette is.
    #[error("the cassette {}, line {line}: {what}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
}
