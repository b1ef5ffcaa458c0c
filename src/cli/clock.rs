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
