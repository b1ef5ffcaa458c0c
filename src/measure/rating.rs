/// What Glicko-2 knows of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating, in points; any finite number.
    pub rating: f64,
    /// The rating deviation, in points; positive.
    pub deviation: f64,
    /// The volatility; positive.
    pub volatility: f64,
}

/// Ratings outside these points are flagged, and never clamped.
const SANE_RATINGS: std::ops::RangeInclusive<f64> = 0.0..=4000.0;

/// So is a deviation above that of a player of whom nothing is known.
const SANE_DEVIATION: f64 = 350.0;

/// Whether a rating is beyond what a reader should take at its word: outside
/// 0 to 4000 points, or with a deviation above 350.
pub fn is_extreme(rating: &Rating) -> bool {
    !SANE_RATINGS.contains(&rating.rating) || SANE_DEVIATION < rating.deviation
}

impl Rating {
    /// A player of whom nothing is known: 1500, 350 and 0.06.
    pub const fn initial() -> Self {
        Self {
            rating: 1500.0,
            deviation: 350.0,
            volatility: 0.06,
        }
    }
}
