use crate::measure::anchored::law::{DrawShare, OutcomeLaw, Q};
use crate::measure::anchored::record::Record;
use crate::measure::anchored::root::{NoRoot, Search};
use crate::measure::anchored::terms::Terms;

/// One minus the confidence of a bound that is printed: one-sided 95 %.
pub const BOUND_RISK: f64 = 0.05;

/// Twice the drop in log likelihood at a one-sided 95 % bound: the square of
/// the 95 % quantile of the standard normal distribution.
const LIKELIHOOD_DROP: f64 = 2.705_543_454_095_404;

/// To which side a rating is not bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Every game was won: at least the bound.
    AtLeast,
    /// Every game was lost: at most the bound.
    AtMost,
}

/// What a record without a finite rating says: every game was won, or every
/// game was lost. It is no estimate, and nothing turns it into one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// To which side.
    pub side: Side,
    /// The exact one-sided 95 % bound, in points.
    pub rating: f64,
}

impl Bound {
    /// Returns the exact one-sided bound of a saturated record, or nothing
    /// when the record has a finite rating.
    ///
    /// It is where the product of P(W) over all games, or of P(L), equals
    /// `risk`, which lies between 0 and 1. The draw rate and the color effect
    /// are the constants that are declared; a draw rate that is left free is
    /// taken for 0, which is the cautious side, and a color effect for the
    /// value it is frozen at.
    ///
    /// # Errors
    ///
    /// The search did not end.
    pub fn of(record: &Record, terms: &Terms, risk: f64) -> Result<Option<Self>, NoRoot> {
        let total = record.total();
        if !total.is_saturated() {
            return Ok(None);
        }
        let side = if total.losses == 0 {
            Side::AtLeast
        } else {
            Side::AtMost
        };
        let draws = DrawShare::of(terms.draws.constant().unwrap_or(0.0));
        let color = terms.color.constant();
        let goal = libm::log(risk);
        let missing = |rating: f64| {
            let logs = record.scores().iter().map(|score| {
                let gap = rating - score.anchor + color * score.seat.sign();
                OutcomeLaw::over(gap, draws).log_likelihood(score.tally)
            });
            goal - logs.sum::<f64>()
        };
        let (low, high) = record.anchors();
        let toward = match side {
            Side::AtLeast => 1.0,
            Side::AtMost => -1.0,
        };
        let search = Search {
            start: f64::midpoint(low, high),
            step: 100.0,
            limits: limits(record, color),
            tolerance: 1e-10,
        };
        let rating = search.falling(&mut |rating| Ok(toward * missing(rating)))?;
        Ok(Some(Self { side, rating }))
    }

    /// Returns the one-sided 95 % bound from the likelihood ratio, which is
    /// less cautious and for comparison only: where twice the log likelihood,
    /// without draws, is 2.7055 below its supremum, which is 0.
    ///
    /// # Errors
    ///
    /// The search did not end.
    pub fn of_likelihood_ratio(record: &Record, terms: &Terms) -> Result<Option<Self>, NoRoot> {
        Self::of(record, terms, libm::exp(-LIKELIHOOD_DROP / 2.0))
    }

    /// Whether the system has shown itself above the next anchor, so that it
    /// goes on against a stronger one.
    pub fn promotes_above(&self, anchor: f64) -> bool {
        self.side == Side::AtLeast && anchor < self.rating
    }
}

/// Beyond which ratings nothing is looked for: the games of a record can move
/// a rating no further than this from all anchors.
pub(crate) fn limits(record: &Record, color: f64) -> (f64, f64) {
    let (low, high) = record.anchors();
    // The odds of one point among all games, and as much again for the ends of
    // intervals.
    let reach = 4.0 * libm::log(f64::from(record.total().games()) + 1e6) / Q + color.abs();
    (low - reach, high + reach)
}
