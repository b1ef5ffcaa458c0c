use crate::measure::anchored::distribution::{NORMAL_975, normal_below};
use crate::measure::anchored::level::End;

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
    /// Normalized Elo: (score - 1/2)/sqrt(variance a game) * 800/ln 10. Nothing
    /// without variation.
    pub normalized: Option<f64>,
    /// The likelihood of superiority, from 0 to 1. Nothing without variation.
    pub superiority: Option<f64>,
}

impl ErrorBar {
    /// From the counts of pairs by their points: 0, 1/2, 1, 3/2 and 2. Nothing
    /// without pairs.
    pub fn pentanomial(counts: [u32; 5]) -> Option<Self> {
        Self::of(&counts, 2.0)
    }

    /// From the counts of losses, draws and wins, in this order. Nothing
    /// without games.
    pub fn trinomial(counts: [u32; 3]) -> Option<Self> {
        Self::of(&counts, 1.0)
    }

    /// `games` is how many an observation has.
    fn of(counts: &[u32], games: f64) -> Option<Self> {
        let total: f64 = counts.iter().map(|count| f64::from(*count)).sum();
        let top = counts
            .len()
            .checked_sub(1)
            .and_then(|n| u32::try_from(n).ok())?;
        let scored = (0_u32..).map(|place| f64::from(place) / f64::from(top));
        let scored = counts.iter().map(|count| f64::from(*count)).zip(scored);
        if total == 0.0 {
            return None;
        }
        let score = scored.clone().map(|(n, score)| n * score).sum::<f64>() / total;
        let squares = scored.map(|(n, one)| n * (one - score) * (one - score));
        let variance = squares.sum::<f64>() / total;
        let error = libm::sqrt(variance / total);
        let score_ends = [score - NORMAL_975 * error, score + NORMAL_975 * error];
        let elo_ends = score_ends.map(elo);
        let varies = 0.0 < variance;
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
            normalized: varies.then(|| {
                (score - 0.5) / libm::sqrt(games * variance) * 800.0 / std::f64::consts::LN_10
            }),
            superiority: varies.then(|| normal_below((score - 0.5) / error)),
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
        // Adding zero makes one value of the two zeros.
        End::At(-400.0 * libm::log10(1.0 / score - 1.0) + 0.0)
    }
}
