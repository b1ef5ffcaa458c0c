use serde::{Deserialize, Serialize};

use crate::canonical::Time;
use crate::chess::Color;

/// When an identity completed games that the ladder counts, by what clocks said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Appearances {
    /// The ends of all of them, sorted.
    games: Vec<Time>,
    /// The ends of those with White, sorted.
    whites: Vec<Time>,
}

impl Appearances {
    pub(crate) fn take(&mut self, at: Time, color: Color) {
        insert(&mut self.games, at);
        if color == Color::White {
            insert(&mut self.whites, at);
        }
    }

    /// Returns how many games ended in the window before this time, the time
    /// itself included and the far end not, and in how many of them it had White.
    pub(crate) fn within(&self, hours: u64, before: Time) -> (u64, u64) {
        let ms = i64::try_from(hours.saturating_mul(3_600_000)).unwrap_or(i64::MAX);
        let since = before.unix_ms().saturating_sub(ms);
        let count = |ends: &[Time]| {
            let upto = ends.partition_point(|end| *end <= before);
            let old = ends.partition_point(|end| end.unix_ms() <= since);
            u64::try_from(upto.saturating_sub(old)).unwrap_or(u64::MAX)
        };
        (count(&self.games), count(&self.whites))
    }
}

/// Clocks mostly go forward, so this mostly appends.
fn insert(ends: &mut Vec<Time>, at: Time) {
    let place = ends.partition_point(|end| *end <= at);
    ends.insert(place, at);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(hour: i64) -> Time {
        Time::from_unix_ms(hour * 3_600_000).unwrap()
    }

    #[test]
    fn a_window_has_its_near_end_and_not_its_far_one_whatever_order_clocks_told() {
        let mut seen = Appearances::default();
        for (hour, color) in [
            (100, Color::White),
            (52, Color::White),
            (53, Color::Black),
            (101, Color::White),
            (60, Color::White),
        ] {
            seen.take(time(hour), color);
        }
        assert_eq!(seen.within(48, time(100)), (3, 2));
        assert_eq!(seen.within(48, time(99)), (3, 2));
        assert_eq!(seen.within(48, time(101)), (3, 3));
        assert_eq!(seen.within(48, time(0)), (0, 0));
        assert_eq!(seen.within(u64::MAX, time(101)), (5, 4));
    }
}
