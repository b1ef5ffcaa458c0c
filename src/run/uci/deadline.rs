use std::time::{Duration, Instant};

use crate::run::uci::{EngineFault, Step};

/// The end of one wait, measured from its start on the monotonic clock.
#[derive(Clone, Copy)]
pub(crate) struct Deadline {
    since: Instant,
    limit: Duration,
    /// What is waited for.
    pub(crate) during: Step,
}

impl Deadline {
    /// Starts to wait now.
    pub(crate) fn start(limit: Duration, during: Step) -> Self {
        Self {
            since: Instant::now(),
            limit,
            during,
        }
    }

    /// The same deadline while something else is waited for.
    pub(crate) fn during(self, during: Step) -> Self {
        Self { during, ..self }
    }

    /// Returns the time that is left, never zero.
    ///
    /// # Errors
    ///
    /// [`EngineFault::Deadline`] when no time is left.
    pub(crate) fn left(&self) -> Result<Duration, EngineFault> {
        match self.limit.checked_sub(self.since.elapsed()) {
            Some(left) if !left.is_zero() => Ok(left),
            _ => Err(EngineFault::Deadline {
                waited_ms: milliseconds(self.since.elapsed()),
                during: self.during,
            }),
        }
    }
}

/// Returns the duration in whole milliseconds.
pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
