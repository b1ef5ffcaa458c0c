/// How a position looks to one side, as an engine scores it.
///
/// A mate has no length here, because none of the measures asks for it, and
/// no `mate 0`, which has no sign: whoever holds an engine's score knows who is
/// mated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outlook {
    /// This side will be mated, or is.
    IsMated,
    /// Hundredths of a pawn, positive for this side.
    Centipawns(i32),
    /// This side will mate, or has mated.
    Mates,
}

/// Beyond this many centipawns a position is as won as one with a mate.
const CENTIPAWNS_MAX: i32 = 1000;

/// The value of White's first move in centipawns, with which a game begins.
pub(crate) const INITIAL: Outlook = Outlook::Centipawns(15);

/// The scale on which Lichess's regression turns centipawns into chances.
const MULTIPLIER: f64 = -0.003_682_08;

impl Outlook {
    /// Returns the outlook of the side to move to which an engine gives a mate in
    /// so many moves: negative when it is mated, 0 when it already is.
    pub const fn of_mate(moves: i32) -> Self {
        if 0 < moves {
            Self::Mates
        } else {
            Self::IsMated
        }
    }

    /// The same position as it looks to the other side.
    #[must_use]
    pub const fn turned(self) -> Self {
        match self {
            Self::IsMated => Self::Mates,
            Self::Centipawns(centipawns) => Self::Centipawns(centipawns.saturating_neg()),
            Self::Mates => Self::IsMated,
        }
    }

    /// Centipawns within plus and minus 1000, which are those of a mate, too.
    pub fn capped(self) -> i32 {
        match self {
            Self::IsMated => -CENTIPAWNS_MAX,
            Self::Centipawns(centipawns) => centipawns.clamp(-CENTIPAWNS_MAX, CENTIPAWNS_MAX),
            Self::Mates => CENTIPAWNS_MAX,
        }
    }

    /// Returns the chance to win in percent, from 2.46 to 97.54 (Lichess:
    /// scalachess, `WinPercent`): 50 + 50 (2 / (1 + exp(-0.00368208 cp)) - 1) over
    /// capped centipawns.
    pub fn win_percent(self) -> f64 {
        50.0 + 50.0 * winning_chances(self.capped())
    }
}

/// Returns winning chances from -1, lost, to 1, won. They are not capped, unlike
/// [`Outlook::win_percent`]: judgements compare what lies beyond, too.
pub(crate) fn winning_chances(centipawns: i32) -> f64 {
    2.0 / (1.0 + libm::exp(MULTIPLIER * f64::from(centipawns))) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_mated_already_is_as_lost_as_who_will_be_and_the_other_has_won() {
        for moves in [0, -1, -40] {
            assert_eq!(Outlook::of_mate(moves), Outlook::IsMated);
        }
        assert_eq!(Outlook::of_mate(1), Outlook::Mates);
        let mated = Outlook::of_mate(0);
        assert!(mated.win_percent() < 3.0 && 97.0 < mated.turned().win_percent());
    }

    #[test]
    fn two_sides_share_a_hundred_percent() {
        for centipawns in [i32::MIN, -1001, -1000, -15, 0, 1, 700, i32::MAX] {
            let one = Outlook::Centipawns(centipawns);
            let sum = one.win_percent() + one.turned().win_percent();
            assert!((sum - 100.0).abs() < 1e-9, "{centipawns}: {sum}");
        }
    }
}
