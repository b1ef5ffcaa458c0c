use serde::{Serialize, Serializer};

use crate::measure::Rating;

/// A rating below this, in points, is flagged.
pub const FLAGGED_RATING_BELOW: f64 = 0.0;

/// A rating above this, in points, is flagged: the strongest engines stand
/// below it on every list.
pub const FLAGGED_RATING_ABOVE: f64 = 4000.0;

/// A deviation above this, in points, is flagged: less is known of the player
/// than of one of whom nothing is known.
pub const FLAGGED_DEVIATION_ABOVE: f64 = 350.0;

/// What is remarkable about a rating. It is said beside the value, which is
/// never clamped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flag {
    /// The rating is below [`FLAGGED_RATING_BELOW`].
    RatingBelow,
    /// The rating is above [`FLAGGED_RATING_ABOVE`].
    RatingAbove,
    /// The deviation is above [`FLAGGED_DEVIATION_ABOVE`].
    DeviationAbove,
}

impl Flag {
    /// The word for it, with its limit: `rating-above-4000`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RatingBelow => "rating-below-0",
            Self::RatingAbove => "rating-above-4000",
            Self::DeviationAbove => "deviation-above-350",
        }
    }
}

impl Serialize for Flag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Rating {
    /// Returns what is remarkable about the rating and its deviation, in the
    /// order of [`Flag`]; usually nothing.
    pub fn flags(&self) -> Vec<Flag> {
        [
            (self.rating < FLAGGED_RATING_BELOW, Flag::RatingBelow),
            (FLAGGED_RATING_ABOVE < self.rating, Flag::RatingAbove),
            (
                FLAGGED_DEVIATION_ABOVE < self.deviation,
                Flag::DeviationAbove,
            ),
        ]
        .into_iter()
        .filter_map(|(is_flagged, flag)| is_flagged.then_some(flag))
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(rating: f64, deviation: f64) -> Vec<&'static str> {
        let rating = Rating {
            rating,
            deviation,
            ..Rating::initial()
        };
        rating.flags().into_iter().map(Flag::as_str).collect()
    }

    #[test]
    fn what_lies_beyond_the_limits_is_flagged_and_the_limits_are_not() {
        let none: [&str; 0] = [];
        for (rating, deviation) in [(0.0, 350.0), (4000.0, 30.0), (1500.0, 0.0), (-0.0, 1.0)] {
            assert_eq!(flags(rating, deviation), none);
        }
        assert_eq!(flags(-0.001, 350.0), ["rating-below-0"]);
        assert_eq!(flags(4000.001, 350.0), ["rating-above-4000"]);
        assert_eq!(flags(1500.0, 350.001), ["deviation-above-350"]);
        assert_eq!(
            flags(-1e9, 351.0),
            ["rating-below-0", "deviation-above-350"]
        );
    }

    #[test]
    fn the_words_name_the_limits() {
        let number = |flag: Flag| {
            let (_, number) = flag.as_str().rsplit_once('-').unwrap();
            number.parse::<f64>().unwrap()
        };
        let limits = [Flag::RatingBelow, Flag::RatingAbove, Flag::DeviationAbove].map(number);
        let constants = [
            FLAGGED_RATING_BELOW,
            FLAGGED_RATING_ABOVE,
            FLAGGED_DEVIATION_ABOVE,
        ];
        assert_eq!(limits.map(f64::to_bits), constants.map(f64::to_bits));
    }
}
