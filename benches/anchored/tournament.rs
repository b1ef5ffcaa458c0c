//! Tournaments of known truth.

use scoresheet::measure::anchored::{MiniMatch, Tally};

/// Numbers of `SplitMix64`, as fractions.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) const fn of(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from 0 and below 1.
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// What is true of a system and its opponents.
#[derive(Clone, Copy)]
pub(crate) struct Truth {
    pub(crate) rating: f64,
    pub(crate) draw_rate: f64,
    pub(crate) color_effect: f64,
    /// How often both games of a mini-match are decided by the same luck: the
    /// correlation of their results.
    pub(crate) correlation: f64,
}

impl Truth {
    /// Chances of a win and of a draw over a gap, straight from the formulas.
    fn chances(&self, gap: f64) -> (f64, f64) {
        let expected = 1.0 / (1.0 + libm::exp10(-gap / 400.0));
        let s = expected * (1.0 - expected);
        let phi = (1.0 - self.draw_rate) / (2.0 * self.draw_rate);
        let drawn = 4.0 * s / (1.0 + (1.0 + 4.0 * s * (4.0 * phi * phi - 1.0)).sqrt());
        (expected - drawn / 2.0, drawn)
    }

    fn game(&self, gap: f64, luck: f64) -> Tally {
        let (win, draw) = self.chances(gap);
        Tally::one(if luck < win {
            2
        } else {
            u8::from(luck < win + draw)
        })
    }

    /// So many mini-matches against each anchor.
    pub(crate) fn matches(
        &self,
        anchors: &[f64],
        each: usize,
        chance: &mut Chance,
    ) -> Vec<MiniMatch> {
        let mut matches = Vec::with_capacity(anchors.len() * each);
        for anchor in anchors {
            for _ in 0..each {
                let first = chance.next();
                let second = if chance.next() < self.correlation {
                    first
                } else {
                    chance.next()
                };
                let gap = self.rating - anchor;
                matches.push(MiniMatch {
                    anchor: *anchor,
                    white: self.game(gap + self.color_effect, first),
                    black: self.game(gap - self.color_effect, second),
                });
            }
        }
        matches
    }
}
