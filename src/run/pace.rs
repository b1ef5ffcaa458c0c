use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Keeps requests apart, over all games.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    apart: Option<Duration>,
    next: Mutex<Option<Instant>>,
}

impl Pace {
    /// So many requests a minute at most; without a bound none waits.
    pub(crate) fn per_minute(requests: Option<u32>) -> Self {
        Self {
            apart: requests.map(|requests| Duration::from_mins(1) / requests.max(1)),
            next: Mutex::default(),
        }
    }

    /// Waits for its turn, and returns how long that took.
    pub(crate) fn wait(&self) -> Duration {
        let Some(apart) = self.apart else {
            return Duration::ZERO;
        };
        let now = Instant::now();
        let turn = {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            let turn = next.map_or(now, |next| next.max(now));
            *next = Some(turn + apart);
            turn
        };
        let wait = turn.saturating_duration_since(now);
        thread::sleep(wait);
        wait
    }
}
