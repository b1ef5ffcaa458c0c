use crate::measure::Rating;

/// Games of equal result against opponents of equal rating and deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bout {
    /// The opponent's rating before the period, in points.
    pub opponent_rating: f64,
    /// The opponent's deviation before the period, in points.
    pub opponent_deviation: f64,
    /// The player's points in each game, in halves: 2, 1 or 0.
    pub half_points: u8,
    /// The number of such games.
    pub count: u32,
}

impl Bout {
    /// Returns one game against this opponent, with its rating before the
    /// period; half-points are 2 for a win, 1 for a draw, 0 for a loss.
    pub const fn one(opponent: &Rating, half_points: u8) -> Self {
        Self {
            opponent_rating: opponent.rating,
            opponent_deviation: opponent.deviation,
            half_points,
            count: 1,
        }
    }
}
