use crate::measure::anchored::level::End;
use crate::measure::distribution::NORMAL_975;
use crate::measure::elo::elo_of;
use crate::measure::{MatchScore, NormalizedElo};

/// The error bar that engine testers print: of the score as though it were
/// normal, carried over to Elo.
///
/// It is for comparison with other programs. Near all or nothing it breaks: an
/// end may lie beyond every rating, and without variation its width is zero,
/// which no interval of ours ever is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorBar {
    /// The mean score of a game, from 0 to 1.
    pub score: f64,
    /// The variance of one observation of it, a pair or a game.
    pub variance: f64,
    /// The ends of the 95 % interval of the score.
    pub score_ends: [f64; 2],
    /// The difference in Elo that the score comes to.
    pub elo: End,
    /// The ends of its interval.
    pub elo_ends: [End; 2],
    /// Half the width of the interval; nothing when both ends lie beyond.
    pub error: Option<End>,
    /// Normalized Elo. Nothing without variation.
    pub normalized: Option<f64>,
    /// The likelihood of superiority, from 0 to 1. Nothing without variation.
    pub superiority: Option<f64>,
}

impl ErrorBar {
    /// Returns the error bar of games or pairs. Nothing where none were played.
    pub fn of(found: &MatchScore) -> Option<Self> {
        let (score, variance) = (found.mean()?, found.variance()?);
        let reach = NORMAL_975 * found.error().unwrap_or(0.0);
        let score_ends = [score - reach, score + reach];
        let elo_ends = score_ends.map(elo);
        Some(Self {
            score,
            variance,
            score_ends,
            elo: elo(score),
            elo_ends,
            error: match elo_ends {
                [End::At(low), End::At(high)] => Some(End::At((high - low) / 2.0)),
                [End::BelowAll, End::BelowAll] | [End::AboveAll, End::AboveAll] => None,
                _ => Some(End::AboveAll),
            },
            normalized: found.normalized_elo().map(|NormalizedElo { elo, .. }| elo),
            superiority: found.superiority(),
        })
    }
}

/// The difference in Elo at which a score is expected.
fn elo(score: f64) -> End {
    if score <= 0.0 {
        End::BelowAll
    } else if 1.0 <= score {
        End::AboveAll
    } else {
        End::At(elo_of(score))
    }
}
