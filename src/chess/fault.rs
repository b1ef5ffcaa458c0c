use std::fmt;

use shakmaty::PositionErrorKinds;

use crate::chess::Variant;
use crate::chess::quote::Quoted;

/// One way in which a FEN of good form is no legal position.
///
/// Not every unreachable position is found out: the test is the one of
/// `shakmaty`, which refuses what common chess programs cannot handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PositionFault {
    /// There is no piece at all.
    EmptyBoard,
    /// A side has no king.
    MissingKing,
    /// A side has more than one king.
    TooManyKings,
    /// A pawn stands on the first or the last rank.
    PawnsOnBackrank,
    /// A castling right has no king and rook to go with it in this variant.
    CastlingRights,
    /// The en passant square is not behind a pawn that just moved two squares.
    EnPassantSquare,
    /// The side that is not to move is in check.
    OppositeCheck,
    /// No last move can have given this check.
    ImpossibleCheck,
    /// A side has more pieces than its promotions allow.
    TooMuchMaterial,
    /// A rule of another variant is broken.
    OtherVariant,
}

impl PositionFault {
    /// Every fault, in the order in which they are named.
    pub const ALL: &'static [Self] = &[
        Self::EmptyBoard,
        Self::MissingKing,
        Self::TooManyKings,
        Self::PawnsOnBackrank,
        Self::CastlingRights,
        Self::EnPassantSquare,
        Self::OppositeCheck,
        Self::ImpossibleCheck,
        Self::TooMuchMaterial,
        Self::OtherVariant,
    ];

    /// The fault in words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::EmptyBoard => "the board is empty",
            Self::MissingKing => "a side has no king",
            Self::TooManyKings => "a side has more than one king",
            Self::PawnsOnBackrank => "a pawn stands on the first or last rank",
            Self::CastlingRights => "a castling right has no king and rook to go with it",
            Self::EnPassantSquare => {
                "the en passant square is not behind a pawn that just moved two squares"
            }
            Self::OppositeCheck => "the side that is not to move is in check",
            Self::ImpossibleCheck => "no last move can have given this check",
            Self::TooMuchMaterial => "a side has more pieces than its promotions allow",
            Self::OtherVariant => "a rule of another variant is broken",
        }
    }

    const fn kind(self) -> PositionErrorKinds {
        match self {
            Self::EmptyBoard => PositionErrorKinds::EMPTY_BOARD,
            Self::MissingKing => PositionErrorKinds::MISSING_KING,
            Self::TooManyKings => PositionErrorKinds::TOO_MANY_KINGS,
            Self::PawnsOnBackrank => PositionErrorKinds::PAWNS_ON_BACKRANK,
            Self::CastlingRights => PositionErrorKinds::INVALID_CASTLING_RIGHTS,
            Self::EnPassantSquare => PositionErrorKinds::INVALID_EP_SQUARE,
            Self::OppositeCheck => PositionErrorKinds::OPPOSITE_CHECK,
            Self::ImpossibleCheck => PositionErrorKinds::IMPOSSIBLE_CHECK,
            Self::TooMuchMaterial => PositionErrorKinds::TOO_MUCH_MATERIAL,
            Self::OtherVariant => PositionErrorKinds::VARIANT,
        }
    }

    pub(in crate::chess) fn all_of(kinds: PositionErrorKinds) -> Vec<Self> {
        Self::ALL
            .iter()
            .copied()
            .filter(|fault| kinds.contains(fault.kind()))
            .collect()
    }
}

impl fmt::Display for PositionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A FEN of good form that is no legal position. Names all faults at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalPosition {
    /// The FEN.
    pub found: String,
    /// The variant that it is illegal in; none when it is illegal in all.
    pub variant: Option<Variant>,
    /// What is wrong, in the order of [`PositionFault`].
    pub faults: Vec<PositionFault>,
}

impl fmt::Display for IllegalPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is no legal ", Quoted(&self.found))?;
        if let Some(variant) = self.variant {
            write!(f, "{variant} ")?;
        }
        f.write_str("position")?;
        for (index, fault) in self.faults.iter().enumerate() {
            write!(f, "{}{fault}", if index == 0 { ": " } else { "; " })?;
        }
        Ok(())
    }
}

impl std::error::Error for IllegalPosition {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_the_library_has_a_fault() {
        let kinds = PositionFault::ALL
            .iter()
            .map(|fault| fault.kind())
            .collect::<PositionErrorKinds>();
        assert_eq!(kinds, PositionErrorKinds::all());
        assert_eq!(PositionFault::all_of(kinds), PositionFault::ALL);
    }
}
