use crate::chess::text::words;

words! {
    /// A side of the board, and the seat of whoever plays it.
    pub enum Color {
        /// The side that moves first from the standard start position.
        White = "white",
        /// The other side.
        Black = "black",
    }
}

impl Color {
    /// The opponent's color.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl From<shakmaty::Color> for Color {
    fn from(color: shakmaty::Color) -> Self {
        match color {
            shakmaty::Color::White => Self::White,
            shakmaty::Color::Black => Self::Black,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_side_of_the_other_side_is_the_side_itself() {
        for color in Color::ALL {
            assert_ne!(color.other(), *color);
            assert_eq!(color.other().other(), *color);
        }
    }
}
