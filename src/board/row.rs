use crate::board::{Accounting, Coverage, Sample};
use crate::event::{Assistance, EventId, EvidenceStatus};
use crate::measure::{Interval, Rating};

/// One system on a board, with everything that must stand beside its number.
///
/// [`Row::new`] is the only way to make one, and each of its parts is a type
/// that cannot be empty. What its number is depends on the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<E = Estimate> {
    system: SystemLabel,
    estimate: E,
    sample: Sample,
    conduct: Conduct,
    coverage: Coverage,
    evidence_status: EvidenceStatus,
    accounting: Accounting,
}

/// Which system a row is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemLabel {
    /// The id of its registration.
    pub id: EventId,
    /// Its name for people.
    pub name: String,
    /// The help it gets.
    pub assistance: Assistance,
    /// Whether somebody bills its calls.
    pub is_billed: bool,
}

/// A rating with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// From 1. Absent: unranked.
    pub rank: Option<u64>,
    /// The rating.
    pub rating: Rating,
    /// The rating plus and minus 1.96 deviations.
    pub interval: Interval,
}

impl Estimate {
    /// Returns a rating with its interval.
    pub fn new(rank: Option<u64>, rating: Rating) -> Self {
        Self {
            rank,
            interval: Interval::rating_95(&rating),
            rating,
        }
    }
}

/// How a system's games ended and how it answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conduct {
    /// Games that ended by ply limit or adjudication.
    pub censored: u64,
    /// Games that the system lost by rejected answers.
    pub forfeits: u64,
    /// Rejected answers.
    pub rejected: u64,
    /// Answers that were judged: accepted and rejected.
    pub judged: u64,
}

impl<E> Row<E> {
    /// Returns a row.
    pub const fn new(
        system: SystemLabel,
        estimate: E,
        sample: Sample,
        conduct: Conduct,
        coverage: Coverage,
        evidence_status: EvidenceStatus,
        accounting: Accounting,
    ) -> Self {
        Self {
            system,
            estimate,
            sample,
            conduct,
            coverage,
            evidence_status,
            accounting,
        }
    }

    /// Which system.
    pub const fn system(&self) -> &SystemLabel {
        &self.system
    }

    /// The rating with its interval.
    pub const fn estimate(&self) -> &E {
        &self.estimate
    }

    /// n and the raw outcomes.
    pub const fn sample(&self) -> &Sample {
        &self.sample
    }

    /// How games ended and answers were judged.
    pub const fn conduct(&self) -> &Conduct {
        &self.conduct
    }

    /// Colors and openings.
    pub const fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// How much the evidence claims.
    pub const fn evidence_status(&self) -> EvidenceStatus {
        self.evidence_status
    }

    /// What the calls took, and how complete that is.
    pub const fn accounting(&self) -> &Accounting {
        &self.accounting
    }
}
