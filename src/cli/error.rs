use std::io;

use crate::board::{BoardError, PuzzleBoardError};
use crate::cli::exit::Exit;
use crate::cli::screen::complain;
use crate::finding::Finding;
use crate::ledger::{ExportError, LedgerError, ReadError, ResumeError, SpoolError};
use crate::projection::GamesPgnError;
use crate::store::IndexError;

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// A ledger could not be opened or written.
    #[error(transparent)]
    Ledger(LedgerError),
    /// A ledger that is read was not what was acknowledged.
    #[error("{}", in_words(.0))]
    Damaged(Vec<Finding>),
    /// The events do not bear out what was asked for.
    #[error("{0}")]
    Evidence(String),
    /// What was given is not what can be taken.
    #[error("{0}")]
    Input(String),
    /// The system says no.
    #[error("cannot {action}: {source}")]
    Io {
        /// What was to be done.
        action: String,
        /// What the system says.
        source: io::Error,
    },
}

fn in_words(findings: &[Finding]) -> String {
    const SHOWN: usize = 10;
    let mut texts: Vec<_> = findings
        .iter()
        .take(SHOWN)
        .map(ToString::to_string)
        .collect();
    if SHOWN < findings.len() {
        texts.push(format!("and {} more", findings.len() - SHOWN));
    }
    texts.join("\n")
}

impl CliError {
    /// Wraps what the system said, with what was to be done.
    pub(crate) fn io(action: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let action = action.into();
        move |source| Self::Io { action, source }
    }

    /// Whether the reader of standard output has gone.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Says what went wrong and returns how the command ends: damaged evidence
    /// is a finding, everything else could not be looked at.
    pub(crate) fn report(&self) -> Exit {
        complain(&self.to_string());
        match self {
            Self::Damaged(_) | Self::Evidence(_) => Exit::Blocked,
            Self::Ledger(_) | Self::Input(_) | Self::Io { .. } => Exit::Failed,
        }
    }
}

impl From<LedgerError> for CliError {
    fn from(error: LedgerError) -> Self {
        match error {
            LedgerError::Damaged { findings } => Self::Damaged(findings),
            error => Self::Ledger(error),
        }
    }
}

impl From<ReadError> for CliError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Ledger(error) => error.into(),
            ReadError::Damaged(findings) => Self::Damaged(findings),
            ReadError::Beyond { .. } => Self::Input(error.to_string()),
        }
    }
}

impl From<ResumeError> for CliError {
    fn from(error: ResumeError) -> Self {
        match error {
            ResumeError::Read(error) => error.into(),
            ResumeError::Another { .. } => Self::Evidence(error.to_string()),
        }
    }
}

impl From<ExportError> for CliError {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Read(error) => error.into(),
            ExportError::Target { .. } | ExportError::Io(_) => Self::Input(error.to_string()),
        }
    }
}

impl From<BoardError> for CliError {
    fn from(error: BoardError) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<PuzzleBoardError> for CliError {
    fn from(error: PuzzleBoardError) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<crate::measure::NotFinite> for CliError {
    fn from(error: crate::measure::NotFinite) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<crate::run::RunError> for CliError {
    fn from(error: crate::run::RunError) -> Self {
        match error {
            crate::run::RunError::Ledger(error) => error.into(),
            error => Self::Input(error.to_string()),
        }
    }
}

impl From<SpoolError> for CliError {
    fn from(error: SpoolError) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<IndexError> for CliError {
    fn from(error: IndexError) -> Self {
        if error.is_of_evidence() {
            Self::Evidence(error.to_string())
        } else {
            Self::Input(error.to_string())
        }
    }
}

impl From<GamesPgnError> for CliError {
    fn from(error: GamesPgnError) -> Self {
        match error {
            GamesPgnError::NoCohort { .. } => Self::Input(error.to_string()),
            GamesPgnError::Game { .. } => Self::Evidence(error.to_string()),
        }
    }
}
