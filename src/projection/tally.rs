use serde::{Deserialize, Serialize};

use crate::canonical::Total;

/// A sum that says how much of its base it covers. Absent is not zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally<T> {
    /// The sum over the parts that were reported.
    pub sum: T,
    /// How many parts were reported.
    pub reported: u64,
    /// How many parts there are.
    pub base: u64,
}

/// What can be added up.
pub trait Summand: Copy {
    /// Both together; the most there can be, where that is more.
    #[must_use]
    fn plus(self, other: Self) -> Self;
}

/// Counts of an event have 53 bits: only thousands of events that each say the
/// most there can be come to more than fits, and then to the most that does.
impl Summand for u64 {
    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }
}

impl Summand for Total {
    fn plus(self, other: Self) -> Self {
        self + other
    }
}

impl<T: Summand> Tally<T> {
    /// Takes in one part of the base, reported or not.
    pub fn take(&mut self, part: Option<T>) {
        self.base += 1;
        if let Some(part) = part {
            self.sum = self.sum.plus(part);
            self.reported += 1;
        }
    }

    /// Puts another part in the place of one that was taken in.
    pub(crate) fn replace(&mut self, before: Option<T>, after: Option<T>, minus: fn(T, T) -> T) {
        self.leave(before, minus);
        self.take(after);
    }

    /// Takes one part away that was taken in.
    pub(crate) fn leave(&mut self, part: Option<T>, minus: fn(T, T) -> T) {
        self.base = self.base.saturating_sub(1);
        if let Some(part) = part {
            self.sum = minus(self.sum, part);
            self.reported = self.reported.saturating_sub(1);
        }
    }

    /// Takes in another tally over another part of the base.
    pub fn join(&mut self, other: &Self) {
        self.sum = self.sum.plus(other.sum);
        self.reported += other.reported;
        self.base += other.base;
    }

    /// The sum, where anything was reported at all.
    pub fn known(&self) -> Option<T> {
        (self.reported != 0).then_some(self.sum)
    }

    /// Whether every part of a base was reported.
    pub const fn is_complete(&self) -> bool {
        self.reported == self.base
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reported_is_unknown_and_not_zero() {
        let mut tally = Tally::<u64>::default();
        tally.take(None);
        assert_eq!(tally.known(), None);
        tally.take(Some(0));
        assert_eq!(tally.known(), Some(0));
        assert!(!tally.is_complete());
        assert_eq!((tally.reported, tally.base), (1, 2));
    }

    #[test]
    fn a_sum_that_does_not_fit_is_the_most_that_does() {
        let mut tally = Tally::<u64>::default();
        tally.take(Some(u64::MAX - 1));
        tally.take(Some(2));
        assert_eq!(tally.known(), Some(u64::MAX));
        let mut other = tally;
        other.join(&tally);
        assert_eq!((other.sum, other.base), (u64::MAX, 4));
    }
}
