/// How much a person's rating moves at most in one game (a rule of the
/// protocol for people).
const K: f64 = 32.0;

/// What a person starts with.
pub const HUMAN_START: f64 = 1500.0;

/// Returns a person's Elo after a game against a system: only the person's
/// moves.
///
/// `human` is the person's before the game and `opponent` the system's rating
/// that was saved before it; half-points are 2 for the person's win, 1 for a
/// draw, 0 for a loss. The change is K (S - 1 / (1 + 10^((opponent - human) / 400))),
/// with K = 32.
pub fn human_elo(human: f64, opponent: f64, half_points: u8) -> f64 {
    let expected = expected_score(human - opponent);
    human + K * (f64::from(half_points) / 2.0 - expected)
}

/// Returns the expected score, from 0 to 1, of a side that is so many points of
/// Elo stronger: 1 / (1 + 10^(-elo / 400)).
pub(crate) fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + libm::exp10(-elo / 400.0))
}

/// Returns the Elo that gives an expected score between 0 and 1.
pub(crate) fn elo_of(score: f64) -> f64 {
    400.0 * libm::log10(score / (1.0 - score))
}

#[cfg(test)]
mod tests {
    use super::*;

    // 10^(-1/2) and 10^(1/2) by hand: 0.316227766..., 3.16227766...
    #[test]
    fn only_the_surprise_moves_a_person_and_by_thirty_two_at_most() {
        for (human, opponent, half_points, expected) in [
            (1500.0, 1500.0, 2, 1516.0),
            (1500.0, 1500.0, 1, 1500.0),
            (1500.0, 1500.0, 0, 1484.0),
            (1500.0, 1700.0, 2, 1_524.311_901_652_734_6),
            (1500.0, 1700.0, 1, 1_508.311_901_652_734_6),
            (1700.0, 1500.0, 0, 1_675.688_098_347_265_4),
            (1500.0, 9500.0, 2, 1532.0),
        ] {
            let found = human_elo(human, opponent, half_points);
            assert!((found - expected).abs() < 1e-9, "{found} for {expected}");
        }
    }
}
