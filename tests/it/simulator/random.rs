//! Numbers that look random and are the same for the same seed.

/// `SplitMix64` (Steele, Lea and Flood, OOPSLA 2014): a counter that goes on by the
/// golden ratio, mixed twice.
#[derive(Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is not zero. The bias is of no account here.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap();
        usize::try_from(self.next() % end).unwrap()
    }

    /// `true` in so many of a hundred cases.
    pub(crate) fn percent(&mut self, cases: usize) -> bool {
        self.below(100) < cases
    }
}

#[test]
fn the_numbers_are_those_of_splitmix64() {
    let mut random = Random::new(1_234_567);
    // The vector of the reference implementation by Sebastiano Vigna.
    assert_eq!(random.next(), 6_457_827_717_110_365_317);
    assert_eq!(random.next(), 3_203_168_211_198_807_973);
}
