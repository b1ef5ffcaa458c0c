use crate::chess::text::words;

words! {
    /// The rule set that decides when a game is over; a protocol names one.
    pub enum Rules {
        /// The endings of chess.js 1.4, in this order: checkmate; a half-move
        /// clock of 100 or more; stalemate; insufficient material; the current
        /// position seen three times. Automatic, without a claim. There is no
        /// fivefold and no 75-move rule.
        ///
        /// Positions are the same when board, side to move, castling rights
        /// and en passant square agree. The square counts when an enemy pawn
        /// stands beside the pushed pawn, even if a pin forbids the capture;
        /// FIDE counts it only when the capture is legal.
        ChessJs14 = "chessjs-1.4",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_set_is_named_with_its_version() {
        assert_eq!(Rules::ChessJs14.to_string(), "chessjs-1.4");
        assert!("chessjs".parse::<Rules>().is_err());
    }
}
