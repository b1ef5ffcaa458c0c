use crate::chess::{Color, text::words};

words! {
    /// The result of a game, as on a scoresheet.
    pub enum GameResult {
        /// White won.
        WhiteWins = "1-0",
        /// Black won.
        BlackWins = "0-1",
        /// Nobody won.
        Draw = "1/2-1/2",
    }
}

impl GameResult {
    /// The result of a game that this color won.
    pub const fn win_for(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// Who won, if anybody did.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::WhiteWins => Some(Color::White),
            Self::BlackWins => Some(Color::Black),
            Self::Draw => None,
        }
    }

    /// The points of this color in halves: 2 for a win, 1 for a draw, 0 for a
    /// loss. Integers, so that sums of them are exact in any order.
    pub const fn half_points(self, color: Color) -> u8 {
        match (self, color) {
            (Self::WhiteWins, Color::White) | (Self::BlackWins, Color::Black) => 2,
            (Self::Draw, Color::White | Color::Black) => 1,
            (Self::WhiteWins, Color::Black) | (Self::BlackWins, Color::White) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_half_points_of_both_sides_add_up_to_two() {
        for result in GameResult::ALL {
            let sum = result.half_points(Color::White) + result.half_points(Color::Black);
            assert_eq!(sum, 2, "{result}");
        }
    }

    #[test]
    fn the_winner_gets_two_half_points() {
        for color in Color::ALL {
            let result = GameResult::win_for(*color);
            assert_eq!(result.winner(), Some(*color));
            assert_eq!(result.half_points(*color), 2);
            assert_eq!(result.half_points(color.other()), 0);
        }
        assert_eq!(GameResult::Draw.winner(), None);
    }
}
