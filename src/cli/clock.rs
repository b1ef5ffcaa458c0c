use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::canonical::{Clock, Time};

/// The clock of the machine.
pub(crate) struct WallClock;

/// The time that somebody asked for, else what the clock of the machine says
/// whenever it is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked(pub(crate) Option<Time>);

impl Clock for Asked {
    fn now(&self) -> Time {
        self.0.unwrap_or_else(|| WallClock.now())
    }
}

/// The last millisecond of the year 9999.
const LAST_MS: i64 = 253_402_300_799_999;

/// A clock that moves on by a millisecond whenever it is looked at, so that the same
/// run says the same times.
#[derive(Debug)]
pub(crate) struct Ticking {
    next: AtomicI64,
}

impl Ticking {
    /// A clock that says this first.
    pub(crate) const fn from(time: Time) -> Self {
        Self {
            next: AtomicI64::new(time.unix_ms()),
        }
    }
}

impl Clock for Ticking {
    fn now(&self) -> Time {
        let ms = self.next.fetch_add(1, Ordering::Relaxed);
        // At the end of the year 9999 it stands still.
        Time::from_unix_ms(ms.min(LAST_MS)).unwrap_or(Time::EPOCH)
    }
}

impl Clock for WallClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the wall clock"
    )]
    fn now(&self) -> Time {
        let ms = match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_millis()).unwrap_or(i64::MAX),
            Err(before) => -i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX),
        };
        // A clock beyond the year 9999 is broken; what it says is data all the same.
        Time::from_unix_ms(ms).unwrap_or(Time::EPOCH)
    }
}
