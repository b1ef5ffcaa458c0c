use std::collections::BTreeMap;

/// Durations in milliseconds, of which any share can be asked for. Takes as much
/// room as there are different ones, and never more than a few thousand counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Durations {
    counts: BTreeMap<u32, u64>,
    sum_ms: u64,
    n: u64,
}

/// Shorter ones are kept as they are, longer ones to a part in as many.
const EXACT: u64 = 128;

/// The step that a duration belongs to.
fn step(ms: u64) -> u32 {
    let Some(doublings) = ms.checked_ilog2().filter(|_| EXACT <= ms) else {
        return u32::try_from(ms).unwrap_or(u32::MAX);
    };
    let shift = doublings - EXACT.ilog2();
    let within = u32::try_from((ms >> shift) - EXACT).unwrap_or_default();
    128 * (shift + 1) + within
}

/// The shortest duration of a step.
fn shortest(step: u32) -> u64 {
    match (u64::from(step) / EXACT, u64::from(step) % EXACT) {
        (0, within) => within,
        (doublings, within) => (EXACT + within) << (doublings - 1),
    }
}

impl Durations {
    /// Takes one in.
    pub fn take(&mut self, ms: u64) {
        *self.counts.entry(step(ms)).or_default() += 1;
        self.sum_ms = self.sum_ms.saturating_add(ms);
        self.n += 1;
    }

    /// Takes in all of others.
    pub fn join(&mut self, others: &Self) {
        for (step, n) in &others.counts {
            *self.counts.entry(*step).or_default() += n;
        }
        self.sum_ms = self.sum_ms.saturating_add(others.sum_ms);
        self.n += others.n;
    }

    /// How many there are.
    pub const fn n(&self) -> u64 {
        self.n
    }

    /// All together, in milliseconds.
    pub const fn sum_ms(&self) -> u64 {
        self.sum_ms
    }

    /// The duration, in milliseconds, that so many percent of them do not exceed:
    /// exact up to 127 ms, else at most 0.8 % less than it was. Nothing without
    /// one.
    pub fn percentile_ms(&self, percent: u64) -> Option<u64> {
        let rank = (u128::from(self.n) * u128::from(percent))
            .div_ceil(100)
            .max(1);
        let mut below = 0_u128;
        let at = self.counts.iter().find(|(_, n)| {
            below += u128::from(**n);
            rank <= below
        });
        at.map(|(step, _)| shortest(*step))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_step_is_at_most_a_part_in_128_wide(ms in 0..=(1_u64 << 53)) {
            let low = shortest(step(ms));
            prop_assert!(low <= ms && ms - low <= ms / 128);
            prop_assert_eq!(step(low), step(ms));
        }

        #[test]
        fn a_percentile_is_the_one_of_the_sorted_list(
            mut list in prop::collection::vec(0..128_u64, 1..60), percent in 0..=100_u64,
        ) {
            let mut durations = Durations::default();
            for ms in &list {
                durations.take(*ms);
            }
            list.sort_unstable();
            let rank = (list.len() as u64 * percent).div_ceil(100).max(1);
            let at = usize::try_from(rank - 1)?;
            prop_assert_eq!(durations.percentile_ms(percent), Some(list[at]));
            prop_assert_eq!(durations.sum_ms(), list.iter().sum::<u64>());
        }
    }

    #[test]
    fn nothing_has_no_percentile() {
        assert_eq!(Durations::default().percentile_ms(50), None);
    }
}
