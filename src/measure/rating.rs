use serde::{Deserialize, Serialize};

/// What Glicko-2 knows of a player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "[u64; 3]", into = "[u64; 3]")]
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

/// The bits of the three, so that whoever keeps a rating keeps all of it.
impl From<Rating> for [u64; 3] {
    fn from(rating: Rating) -> Self {
        [rating.rating, rating.deviation, rating.volatility].map(f64::to_bits)
    }
}

impl From<[u64; 3]> for Rating {
    fn from(bits: [u64; 3]) -> Self {
        let [rating, deviation, volatility] = bits.map(f64::from_bits);
        Self {
            rating,
            deviation,
            volatility,
        }
    }
}
