use std::io;

use crate::finding::Finding;

/// Why a ledger could not be opened or written.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// Nothing there.
    #[error("no ledger at {folder}: {source}; make one with `scoresheet init`")]
    Absent {
        /// The folder.
        folder: String,
        /// What the system says.
        source: io::Error,
    },
    /// There is something already where a new ledger should be made.
    #[error("{folder} exists already; a ledger is only made where nothing stands")]
    Exists {
        /// The folder.
        folder: String,
    },
    /// Someone else writes.
    #[error("another process is writing to {folder}; wait until it ends")]
    Busy {
        /// The folder.
        folder: String,
    },
    /// The folder is on a file system on which nobody can be kept out.
    #[error(
        "{folder} is on a network file system ({kind}), where another machine may write at the same time and a lock may not hold; nothing was written; use a local disk, or --network-disk where no other machine can write"
    )]
    Network {
        /// The folder.
        folder: String,
        /// The kind of file system.
        kind: &'static str,
    },
    /// The head file was removed or replaced under the writer.
    #[error(
        "the head of {folder} was removed or replaced while it was open; nothing was acknowledged"
    )]
    HeadReplaced {
        /// The folder.
        folder: String,
    },
    /// What is there is not what was acknowledged: nothing is written.
    #[error("the ledger is damaged and nothing was changed; first finding:\n{}", .findings.first().map_or_else(String::new, ToString::to_string))]
    Damaged {
        /// What is wrong.
        findings: Vec<Finding>,
    },
    /// An earlier error left this handle unusable.
    #[error("an earlier error ended this writer; open the ledger again")]
    Poisoned,
    /// The line is in the ledger already.
    #[error(
        "event {id} stands in the ledger already (line {line} of the input); two facts never share a line"
    )]
    Duplicate {
        /// The event.
        id: crate::event::EventId,
        /// The line of the batch, from 1.
        line: usize,
    },
    /// A public blob holds something that looks like a credential.
    #[error(
        "a public blob holds what looks like a credential at byte {offset}: {rule}: {excerpt}; nothing was stored, because a ledger never forgets"
    )]
    Secret {
        /// Where it begins, counted from 0.
        offset: usize,
        /// The rule that speaks.
        rule: &'static str,
        /// What may be shown of it.
        excerpt: String,
    },
    /// The system says no.
    #[error("cannot {action} {path}: {source}")]
    Io {
        /// What was to be done.
        action: &'static str,
        /// To which file.
        path: String,
        /// What the system says.
        source: io::Error,
    },
}

impl LedgerError {
    /// Returns the same error for another one whom it concerns.
    pub(crate) fn again(&self) -> Self {
        match self {
            Self::Absent { folder, source } => Self::Absent {
                folder: folder.clone(),
                source: again(source),
            },
            Self::Exists { folder } => Self::Exists {
                folder: folder.clone(),
            },
            Self::Busy { folder } => Self::Busy {
                folder: folder.clone(),
            },
            Self::Network { folder, kind } => Self::Network {
                folder: folder.clone(),
                kind,
            },
            Self::HeadReplaced { folder } => Self::HeadReplaced {
                folder: folder.clone(),
            },
            Self::Damaged { findings } => Self::Damaged {
                findings: findings.clone(),
            },
            Self::Poisoned => Self::Poisoned,
            Self::Duplicate { id, line } => Self::Duplicate {
                id: *id,
                line: *line,
            },
            Self::Secret {
                offset,
                rule,
                excerpt,
            } => Self::Secret {
                offset: *offset,
                rule,
                excerpt: excerpt.clone(),
            },
            Self::Io {
                action,
                path,
                source,
            } => Self::Io {
                action,
                path: path.clone(),
                source: again(source),
            },
        }
    }

    /// Wraps what the system said, with what was to be done to which file.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<String>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}

fn again(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}
