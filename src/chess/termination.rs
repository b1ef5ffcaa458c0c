use crate::chess::text::words;

words! {
    /// Why a game ended.
    pub enum Termination {
        /// The side to move is in check and has no legal move.
        Checkmate = "checkmate",
        /// The side to move is not in check and has no legal move.
        Stalemate = "stalemate",
        /// The position stands on the board for the third time.
        ThreefoldRepetition = "threefold_repetition",
        /// A hundred plies without a capture or a pawn move.
        FiftyMoves = "fifty_moves",
        /// Neither side has the material to mate.
        InsufficientMaterial = "insufficient_material",
        /// The protocol's last ply was played and the rules of chess had not ended the game.
        PlyLimit = "ply_limit",
        /// A side's last permitted attempt at a move was rejected: a forfeit.
        RejectedMoves = "rejected_moves",
        /// The protocol's adjudication rule spoke while the game went on.
        Adjudication = "adjudication",
    }
}

impl Termination {
    /// Whether the game was cut off before chess decided it. The protocol's
    /// result stands, flagged, with other readings beside it.
    pub const fn is_censored(self) -> bool {
        match self {
            Self::PlyLimit | Self::Adjudication => true,
            Self::Checkmate
            | Self::Stalemate
            | Self::ThreefoldRepetition
            | Self::FiftyMoves
            | Self::InsufficientMaterial
            | Self::RejectedMoves => false,
        }
    }

    /// Whether the game was lost by an interface failure. It is a loss of the
    /// complete system, not a chess mistake.
    pub const fn is_forfeit(self) -> bool {
        matches!(self, Self::RejectedMoves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ply_limit_and_adjudication_are_censored() {
        let censored: Vec<_> = Termination::ALL
            .iter()
            .filter(|termination| termination.is_censored())
            .map(|termination| termination.as_str())
            .collect();
        assert_eq!(censored, ["ply_limit", "adjudication"]);
    }

    #[test]
    fn only_rejected_moves_forfeit() {
        let forfeits: Vec<_> = Termination::ALL
            .iter()
            .filter(|termination| termination.is_forfeit())
            .map(|termination| termination.as_str())
            .collect();
        assert_eq!(forfeits, ["rejected_moves"]);
    }
}
