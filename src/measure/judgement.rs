use serde::Serialize;

use crate::measure::Outlook;
use crate::measure::outlook::winning_chances;

/// What Lichess calls a move that gives chances away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// 5 points of win percent or more.
    Inaccuracy,
    /// 10 points or more.
    Mistake,
    /// 15 points or more.
    Blunder,
}

/// How many winning chances, from -1 to 1, make each of them. 0.2 of those are 10
/// points of win percent.
const THRESHOLDS: [(f64, Judgement); 3] = [
    (0.3, Judgement::Blunder),
    (0.2, Judgement::Mistake),
    (0.1, Judgement::Inaccuracy),
];

/// Beyond these a mate more or less is a smaller fault: so many centipawns are
/// won already.
const NEARLY_MATE: i32 = 999;
const CLEARLY_WON: i32 = 700;

impl Judgement {
    /// All of them, the smallest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// Returns what a move is called by how the position looked to the mover
    /// before it and after it; usually nothing (Lichess: lila, `Advice`).
    ///
    /// Centipawns are not capped here. A mate that is let in, or let go, is
    /// judged by the centipawns on its other side; a mate that takes longer, and
    /// one that is staved off, are no fault.
    pub fn of(before: Outlook, after: Outlook) -> Option<Self> {
        use Outlook::{Centipawns, IsMated, Mates};
        match (before, after) {
            (Centipawns(before), Centipawns(after)) => {
                let lost = winning_chances(before) - winning_chances(after);
                let mut reached = THRESHOLDS.iter().filter(|(least, _)| *least <= lost);
                reached.next().map(|(_, judgement)| *judgement)
            }
            (Centipawns(before), IsMated) => Some(Self::with_mate(before.saturating_neg())),
            (Mates, Centipawns(after)) => Some(Self::with_mate(after)),
            (Mates, IsMated) => Some(Self::Blunder),
            (_, Mates) | (IsMated, _) => None,
        }
    }

    /// A fault with a mate on one side of it, by the centipawns on the other: in
    /// the view of the side that has the mate, or had it.
    const fn with_mate(centipawns: i32) -> Self {
        if NEARLY_MATE < centipawns {
            Self::Inaccuracy
        } else if CLEARLY_WON < centipawns {
            Self::Mistake
        } else {
            Self::Blunder
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn outlook() -> impl Strategy<Value = Outlook> {
        prop_oneof![
            Just(Outlook::Mates),
            Just(Outlook::IsMated),
            (-3000..3000).prop_map(Outlook::Centipawns),
        ]
    }

    proptest! {
        #[test]
        fn a_move_that_gives_nothing_away_has_no_name(before in outlook(), after in outlook()) {
            let judged = Judgement::of(before, after);
            prop_assert!(before > after || judged.is_none());
        }

        #[test]
        fn a_worse_outcome_never_has_a_milder_name(
            before in outlook(), one in -3000..3000_i32, other in -3000..3000_i32,
        ) {
            let judge = |centipawns: i32| Judgement::of(before, Outlook::Centipawns(centipawns));
            prop_assert!(judge(one.max(other)) <= judge(one.min(other)));
        }
    }
}
