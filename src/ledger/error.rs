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
    /// The head file was removed or replaced under the writer.
    #[error("the head of {folder} was removed or replaced while it was open; nothing was written")]
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
