/// A section of a file of vectors: what its cases are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// One player, and one rating period against opponents of given values.
    SinglePlayerPeriods,
    /// One game of two players, both rated from it, without step 6.
    TwoPlayerNoInflation,
    /// Games one after another, both players rated after each of them.
    Sequential,
    /// Several players, and one rating period of games among them.
    RatingPeriods,
}

impl Section {
    /// All of them, in the order in which their cases are told.
    pub const ALL: [Self; 4] = [
        Self::SinglePlayerPeriods,
        Self::TwoPlayerNoInflation,
        Self::Sequential,
        Self::RatingPeriods,
    ];

    /// Its key in the file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SinglePlayerPeriods => "single_player_periods",
            Self::TwoPlayerNoInflation => "two_player_no_inflation",
            Self::Sequential => "sequential",
            Self::RatingPeriods => "rating_periods",
        }
    }
}
