use crate::chess::text::words;

words! {
    /// Which chess is played: it decides castling rights and how castling is written.
    pub enum Variant {
        /// Standard chess. Castling is written as the king's two steps, `e1g1`.
        Standard = "standard",
        /// Chess960. Castling is written as king takes own rook, `e1h1`.
        Chess960 = "chess960",
    }
}

impl From<Variant> for shakmaty::CastlingMode {
    fn from(variant: Variant) -> Self {
        match variant {
            Variant::Standard => Self::Standard,
            Variant::Chess960 => Self::Chess960,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_written_in_lower_case() {
        assert_eq!("standard".parse(), Ok(Variant::Standard));
        assert_eq!("chess960".parse(), Ok(Variant::Chess960));
        assert!("Chess960".parse::<Variant>().is_err());
        assert!("".parse::<Variant>().is_err());
    }
}
