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
    /// The number for it.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Blocked => 1,
            Self::Failed => 2,
        }
    }

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
        Self::from(exit.code())
    }
}
