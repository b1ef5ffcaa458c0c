/// What a move gave away of the expected score, by an engine's chances of win,
/// draw and loss.
///
/// Two searches are compared, so that the raw value may lie a little below zero:
/// it is kept, and whoever shows a regret clamps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Regret {
    /// In two-thousandths of a point: chances are per mille, and a draw is half.
    raw: i64,
}

/// The points that an engine expects of a position, in two-thousandths, from
/// its chances of win, draw and loss in per mille.
fn doubled([win, draw, _]: [u32; 3]) -> i64 {
    2 * i64::from(win) + i64::from(draw)
}

/// Two-thousandths in a point.
const UNITS: f64 = 2000.0;

/// Returns the points, from 0 to 1, that an engine expects: chances of win, draw
/// and loss in per mille, a draw counting half.
pub fn expected_points(wdl: [u32; 3]) -> f64 {
    points(doubled(wdl))
}

impl Regret {
    /// Returns the regret of a move: the points that the mover could expect
    /// before it, less those that it leaves. `best` are chances of the mover under
    /// best play before the move, `after` those of the opponent behind it, each
    /// win, draw and loss in per mille.
    pub fn of(best: [u32; 3], after: [u32; 3]) -> Self {
        let whole = 2000;
        Self {
            raw: doubled(best) - (whole - doubled(after)),
        }
    }

    /// The regret in points, as it came out: from -1 to 1.
    pub fn raw(self) -> f64 {
        points(self.raw)
    }

    /// The regret in points, from 0 to 1: none where the move came out better
    /// than the best.
    pub fn clamped(self) -> f64 {
        points(self.raw.max(0))
    }
}

/// Two-thousandths as points. Nothing is lost: they are far below 2^32.
fn points(units: i64) -> f64 {
    i32::try_from(units).map_or(f64::NAN, f64::from) / UNITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_raw_regret_is_kept_and_only_shown_from_zero() {
        let better = Regret::of([10, 980, 10], [5, 980, 15]);
        assert!((better.raw() + 0.005).abs() < 1e-15);
        assert!(better.clamped() == 0.0);
        let thrown_away = Regret::of([1000, 0, 0], [1000, 0, 0]);
        assert!((thrown_away.raw() - 1.0).abs() < 1e-15);
        assert!((expected_points([0, 1000, 0]) - 0.5).abs() < 1e-15);
    }
}
