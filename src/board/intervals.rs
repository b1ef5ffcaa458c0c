use std::fmt;

use crate::canonical::Day;

/// UTC days, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayRange {
    /// The first day.
    pub from: Day,
    /// The last day, not before the first.
    pub until: Day,
}

/// The most days that get a column each.
const DAYS_MAX: u32 = 14;

/// The most columns of longer ranges.
const COLUMNS_MAX: u32 = 12;

impl DayRange {
    /// Whether the day is one of them.
    pub fn has(&self, day: Day) -> bool {
        self.from <= day && day <= self.until
    }
}

/// One day is said once.
impl fmt::Display for DayRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.from == self.until {
            f.pad(&self.from.to_string())
        } else {
            f.pad(&format!("{}..{}", self.from, self.until))
        }
    }
}

/// Returns the columns of a timeline: the days of a range of at most fourteen,
/// else at most twelve intervals of equally many days, the last one shorter
/// where they do not come out even.
pub fn intervals(range: DayRange) -> Vec<DayRange> {
    let days = range.until.days_since(range.from).saturating_add(1);
    let days = u32::try_from(days).unwrap_or(1);
    let step = if days <= DAYS_MAX {
        1
    } else {
        days.div_ceil(COLUMNS_MAX)
    };
    let mut columns = Vec::new();
    let mut next = Some(range.from);
    while let Some(from) = next.filter(|from| *from <= range.until) {
        let last = from
            .plus(step - 1)
            .map_or(range.until, |last| last.min(range.until));
        columns.push(DayRange { from, until: last });
        next = last.plus(1);
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(from: &str, until: &str) -> Vec<String> {
        let [from, until] = [from, until].map(|day| day.parse().unwrap());
        let columns = intervals(DayRange { from, until });
        columns.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn short_ranges_use_daily_columns() {
        assert_eq!(columns("2026-11-01", "2026-11-01"), ["2026-11-01"]);
        let days = columns("2026-02-20", "2026-03-05");
        assert_eq!(days.len(), 14);
        assert_eq!(days[8..10], ["2026-02-28", "2026-03-01"]);
    }

    #[test]
    fn long_ranges_use_labelled_multi_day_intervals() {
        let fifteen = columns("2026-11-01", "2026-11-15");
        assert_eq!(fifteen.len(), 8);
        assert_eq!(fifteen[0], "2026-11-01..2026-11-02");
        assert_eq!(fifteen[7], "2026-11-15");
        let year = columns("2026-01-01", "2026-12-31");
        assert_eq!(year.len(), 12);
        assert_eq!(year[0], "2026-01-01..2026-01-31");
        assert_eq!(year[11], "2026-12-08..2026-12-31");
        assert_eq!(columns("0000-01-01", "9999-12-31").len(), 12);
    }

    #[test]
    fn every_day_of_a_range_is_in_one_column_and_no_other_day_is() {
        for days in 0..200 {
            let from: Day = "2026-01-30".parse().unwrap();
            let until = from.plus(days).unwrap();
            let columns = intervals(DayRange { from, until });
            assert!(columns.len() <= 14);
            for day in 0..=days + 1 {
                let day = from.plus(day).unwrap();
                let times = columns.iter().filter(|column| column.has(day)).count();
                assert_eq!(times, usize::from(day <= until));
            }
        }
    }
}
