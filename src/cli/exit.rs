use std::process::ExitCode;

use crate::finding::{Finding, any_blocker};

/// How a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: all is well.
    Clean,
    /// 1: findings block.
    Blocked,
    /// 2: wrong usage, bad input, or could not look.
    Failed,
}

impl Exit {
    /// Blocked when a finding blocks, clean otherwise.
    pub(crate) fn of(findings: &[Finding]) -> Self {
        if any_blocker(findings) {
            Self::Blocked
        } else {
            Self::Clean
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Clean => Self::from(0),
            Exit::Blocked => Self::from(1),
            Exit::Failed => Self::from(2),
        }
    }
}
