use std::collections::BTreeMap;

/// How far from zero the rating of an anchor may lie, in points. Beyond it a
/// chance could not be told from zero, and no list has such a rating.
pub const ANCHOR_RATING_MAX: f64 = 20_000.0;

/// The side of the board that the system has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Seat {
    /// The system has White.
    White,
    /// The system has Black.
    Black,
}

impl Seat {
    /// c of the model: 1 for White, -1 for Black.
    pub const fn sign(self) -> f64 {
        match self {
            Self::White => 1.0,
            Self::Black => -1.0,
        }
    }

    /// The anchor's seat.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// How many games the system won, drew and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tally {
    /// Games won by the system.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost by the system.
    pub losses: u32,
}

impl Tally {
    /// No game.
    pub const NONE: Self = Self {
        wins: 0,
        draws: 0,
        losses: 0,
    };

    /// One game: half-points are 2 for the system's win, 1 for a draw, and 0
    /// for its loss, which every other number is taken for.
    pub const fn one(half_points: u8) -> Self {
        let (wins, draws, losses) = match half_points {
            2 => (1, 0, 0),
            1 => (0, 1, 0),
            _ => (0, 0, 1),
        };
        Self {
            wins,
            draws,
            losses,
        }
    }

    /// The number of games.
    pub const fn games(self) -> u32 {
        self.wins
            .saturating_add(self.draws)
            .saturating_add(self.losses)
    }

    /// The points, in halves.
    pub const fn half_points(self) -> u32 {
        self.wins.saturating_mul(2).saturating_add(self.draws)
    }

    /// Both together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            wins: self.wins.saturating_add(other.wins),
            draws: self.draws.saturating_add(other.draws),
            losses: self.losses.saturating_add(other.losses),
        }
    }

    /// The same games as the opponent sees them.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }

    /// Whether every game was won, or every game lost, or there was none.
    pub const fn is_saturated(self) -> bool {
        self.draws == 0 && (self.wins == 0 || self.losses == 0)
    }
}

/// What a system scored with one side of the board against one anchor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// The anchor's rating, in points; within [`ANCHOR_RATING_MAX`] of zero.
    pub anchor: f64,
    /// The system's seat.
    pub seat: Seat,
    /// The games.
    pub tally: Tally,
}

/// The games of one opening against one anchor, played with both sides: what
/// is resampled as a whole. A match with one game missing has one game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MiniMatch {
    /// The anchor's rating, in points.
    pub anchor: f64,
    /// The games that the system had White in.
    pub white: Tally,
    /// The games that it had Black in.
    pub black: Tally,
}

impl MiniMatch {
    /// Its games by seat.
    pub const fn scores(&self) -> [Score; 2] {
        [
            Score {
                anchor: self.anchor,
                seat: Seat::White,
                tally: self.white,
            },
            Score {
                anchor: self.anchor,
                seat: Seat::Black,
                tally: self.black,
            },
        ]
    }
}

/// Why games cannot be rated.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RecordFault {
    /// There is no game.
    #[error("no rating without games: the record has none")]
    NoGames,
    /// There are more games than are counted.
    #[error("no rating from more than {} games", u32::MAX / 2)]
    TooManyGames,
    /// An anchor's rating is no number, or too far out.
    #[error("an anchor's rating lies within {ANCHOR_RATING_MAX} of zero, found {found}")]
    Anchor {
        /// The rating.
        found: f64,
    },
}

/// Everything one system scored against anchors: at least one game, each
/// anchor and seat once, in the order of the anchors' ratings, White first.
///
/// The order in which games came in, and whose games they were, is not in it:
/// it cannot change a bit of what is computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    scores: Vec<Score>,
}

impl Record {
    /// Adds up scores, in whatever order they come.
    ///
    /// # Errors
    ///
    /// There is no game among them, or an anchor has no usable rating.
    pub fn of(scores: impl IntoIterator<Item = Score>) -> Result<Self, RecordFault> {
        let mut groups: BTreeMap<(i64, Seat), Score> = BTreeMap::new();
        let mut n_games = 0_u64;
        for score in scores {
            let found = score.anchor;
            if found.is_nan() || ANCHOR_RATING_MAX < found.abs() {
                return Err(RecordFault::Anchor { found });
            }
            let added = score.tally;
            if added == Tally::default() {
                continue;
            }
            n_games += [added.wins, added.draws, added.losses]
                .map(u64::from)
                .iter()
                .sum::<u64>();
            let key = (rank(score.anchor), score.seat);
            let group = groups.entry(key).or_insert(Score {
                // Adding zero makes one value of the two zeros.
                anchor: score.anchor + 0.0,
                tally: Tally::default(),
                ..score
            });
            group.tally = group.tally.and(added);
        }
        match n_games {
            0 => Err(RecordFault::NoGames),
            // Points in halves are counted in 32 bits, too.
            1..=0x7fff_ffff => Ok(Self {
                scores: groups.into_values().collect(),
            }),
            _ => Err(RecordFault::TooManyGames),
        }
    }

    /// Adds up the games of mini-matches.
    ///
    /// # Errors
    ///
    /// Those of [`Record::of`].
    pub fn of_matches(matches: &[MiniMatch]) -> Result<Self, RecordFault> {
        Self::of(matches.iter().flat_map(MiniMatch::scores))
    }

    /// The scores, each anchor and seat once, with at least one game.
    pub fn scores(&self) -> &[Score] {
        &self.scores
    }

    /// All games together.
    pub fn total(&self) -> Tally {
        self.of_seats(|_| true)
    }

    /// All games with this side of the board.
    pub fn of_seat(&self, seat: Seat) -> Tally {
        self.of_seats(|found| found == seat)
    }

    fn of_seats(&self, is_meant: impl Fn(Seat) -> bool) -> Tally {
        let meant = self.scores.iter().filter(|score| is_meant(score.seat));
        meant.fold(Tally::default(), |sum, score| sum.and(score.tally))
    }

    /// The lowest and the highest rating of an anchor.
    pub(crate) fn anchors(&self) -> (f64, f64) {
        let low = self.scores.first().map_or(0.0, |score| score.anchor);
        let high = self.scores.last().map_or(0.0, |score| score.anchor);
        (low, high)
    }
}

/// A number that is ordered as the ratings are, the two zeros as one.
pub(crate) fn rank(rating: f64) -> i64 {
    let bits = (rating + 0.0).to_bits().cast_signed();
    // Negative numbers are the larger the smaller their bits.
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(anchor: f64, seat: Seat, half_points: u8) -> Score {
        Score {
            anchor,
            seat,
            tally: Tally::one(half_points),
        }
    }

    #[test]
    fn scores_are_added_by_anchor_and_seat_in_the_order_of_ratings() {
        let record = Record::of([
            score(1500.0, Seat::Black, 1),
            score(-0.0, Seat::White, 2),
            score(1500.0, Seat::White, 0),
            score(0.0, Seat::White, 1),
            score(-12.5, Seat::Black, 2),
            score(1500.0, Seat::Black, 2),
        ])
        .unwrap();
        let found: Vec<_> = record
            .scores()
            .iter()
            .map(|score| (score.anchor, score.seat, score.tally.half_points()))
            .collect();
        assert_eq!(
            found,
            [
                (-12.5, Seat::Black, 2),
                (0.0, Seat::White, 3),
                (1500.0, Seat::White, 0),
                (1500.0, Seat::Black, 3),
            ]
        );
        assert_eq!(record.total().games(), 6);
        assert_eq!(record.of_seat(Seat::Black).half_points(), 5);
        assert_eq!(record.anchors(), (-12.5, 1500.0));
    }

    #[test]
    fn no_games_and_ratings_out_of_range_are_refused() {
        assert_eq!(Record::of([]), Err(RecordFault::NoGames));
        let none = Score {
            tally: Tally::default(),
            ..score(1500.0, Seat::White, 0)
        };
        assert_eq!(Record::of([none]), Err(RecordFault::NoGames));
        for anchor in [f64::NAN, f64::INFINITY, -20_000.5] {
            let refused = Record::of([score(anchor, Seat::White, 2)]);
            assert!(matches!(refused, Err(RecordFault::Anchor { .. })));
        }
        let many = Score {
            tally: Tally {
                wins: u32::MAX,
                ..Tally::default()
            },
            ..none
        };
        assert_eq!(Record::of([many, many]), Err(RecordFault::TooManyGames));
    }
}
