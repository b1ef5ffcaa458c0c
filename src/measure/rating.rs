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
