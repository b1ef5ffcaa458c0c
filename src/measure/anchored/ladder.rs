use crate::measure::anchored::connection::{Standing, standings};
use crate::measure::anchored::fault::NoFit;
use crate::measure::anchored::law::{DrawShare, OutcomeLaw, Q};
use crate::measure::anchored::linear::Cholesky;
use crate::measure::anchored::record::{
    ANCHOR_RATING_MAX, Record, RecordFault, Score, Seat, Tally,
};
use crate::measure::anchored::root::{NoRoot, Search};
use crate::measure::anchored::saturated::{BOUND_RISK, Bound};
use crate::measure::anchored::terms::{
    ColorBasis, ColorEffect, DRAW_RATE_MAX, DrawBasis, DrawRate, Terms, TermsFault,
};

/// The games of one anchor with White against another with Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Who has White, by number.
    pub white: usize,
    /// Who has Black, by number.
    pub black: usize,
    /// The games, as White sees them.
    pub tally: Tally,
}

/// What the games of anchors say of one of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rung {
    /// Its level is given, in points.
    Pinned(f64),
    /// Its level was fitted.
    Fitted {
        /// The level, in points.
        rating: f64,
        /// Its standard error from the observed information about everything
        /// that was fitted, in points.
        error: f64,
    },
    /// It won every game against anchors with a level, or lost every one. The
    /// bound takes their levels for exact.
    Bounded(Bound),
    /// It is not connected with the pinned ones through anchors with a level.
    Unconnected,
}

/// Levels of anchors, fitted jointly against pinned ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    /// One rung an anchor, in the order of their numbers.
    pub rungs: Vec<Rung>,
    /// The draw rate between equals, pooled over all meetings.
    pub draw_rate: f64,
    /// Where it comes from. It is fitted up to `DRAW_RATE_MAX`.
    pub draw_basis: DrawBasis,
    /// The color effect, pooled over all meetings, in points.
    pub color_effect: f64,
    /// Where it comes from.
    pub color_basis: ColorBasis,
    /// The natural logarithm of the likelihood of the games among anchors with
    /// a level.
    pub log_likelihood: f64,
}

/// Why anchors cannot be fitted.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum LadderFault {
    /// A meeting names a number that no anchor has, or one twice.
    #[error("a meeting is of two of the {n_anchors} anchors, found numbers {white} and {black}")]
    Meeting {
        /// How many anchors there are.
        n_anchors: usize,
        /// Who has White.
        white: usize,
        /// Who has Black.
        black: usize,
    },
    /// No anchor is pinned.
    #[error("no anchor is pinned: pin at least one, or the scale has no zero")]
    NothingPinned,
    /// Everything else.
    #[error(transparent)]
    NoFit(#[from] NoFit),
}

/// How many steps the ascent may take; ten are usual.
const STEPS_MAX: u32 = 200;

/// A fitted color effect beyond this, in points, is separated from the data.
const FITTED_COLOR_MAX: f64 = 2000.0;

impl Ladder {
    /// Fits the levels of the anchors that are not pinned by maximum likelihood,
    /// jointly, with one draw rate and one color effect for all meetings.
    ///
    /// `pinned` has one entry an anchor: its level in points, or nothing. The
    /// order of the meetings changes no bit. An anchor has a finite level when
    /// it scored, by whatever chain of games, against a pinned one and a pinned
    /// one against it (Ford, The American Mathematical Monthly 64, 1957); games
    /// with one that has none say nothing of the others and are left out.
    ///
    /// # Errors
    ///
    /// No anchor is pinned, a meeting names no two anchors, a level or a
    /// constant is out of its range, or the ascent did not end.
    pub fn of(
        pinned: &[Option<f64>],
        meetings: &[Meeting],
        terms: &Terms,
    ) -> Result<Self, LadderFault> {
        terms.check().map_err(NoFit::from)?;
        for Meeting { white, black, .. } in meetings {
            if white == black || pinned.len() <= *white.max(black) {
                return Err(LadderFault::Meeting {
                    n_anchors: pinned.len(),
                    white: *white,
                    black: *black,
                });
            }
        }
        for found in pinned.iter().flatten().copied() {
            if found.is_nan() || ANCHOR_RATING_MAX < found.abs() {
                return Err(NoFit::from(RecordFault::Anchor { found }).into());
            }
        }
        if pinned.iter().all(Option::is_none) {
            return Err(LadderFault::NothingPinned);
        }
        let standings = standings(pinned, meetings);
        let mut ascent = Ascent::of(pinned, &standings, meetings, terms)?;
        let mut place = ascent.top()?;
        if ascent.color_basis == ColorBasis::Fitted && FITTED_COLOR_MAX < place.color.abs() {
            ascent.color_basis = ColorBasis::Separated;
            place = ascent.top()?;
        }
        let errors = ascent.errors(&place)?;
        let levels: Vec<_> = place.levels.iter().zip(&standings).collect();
        let mut errors = errors.into_iter();
        let mut rungs = Vec::with_capacity(pinned.len());
        for (number, (level, standing)) in levels.iter().enumerate() {
            rungs.push(match standing {
                Standing::Pinned => Rung::Pinned(**level),
                Standing::Between => Rung::Fitted {
                    rating: **level,
                    error: errors.next().unwrap_or(f64::NAN),
                },
                Standing::Beyond => beyond(number, &levels, meetings, terms)?,
            });
        }
        Ok(Self {
            rungs,
            draw_rate: place.draws.share(),
            draw_basis: if place.is_at_boundary {
                DrawBasis::AtBoundary
            } else {
                ascent.draw_basis
            },
            color_effect: place.color,
            color_basis: ascent.color_basis,
            log_likelihood: ascent.log_likelihood(&place),
        })
    }
}

/// The bound of an anchor without a finite level.
fn beyond(
    number: usize,
    levels: &[(&f64, &Standing)],
    meetings: &[Meeting],
    terms: &Terms,
) -> Result<Rung, NoFit> {
    let scores = meetings.iter().filter_map(|meeting| {
        let (other, seat, tally) = if meeting.white == number {
            (meeting.black, Seat::White, meeting.tally)
        } else if meeting.black == number {
            (meeting.white, Seat::Black, meeting.tally.reversed())
        } else {
            return None;
        };
        let (level, standing) = levels.get(other)?;
        (**standing != Standing::Beyond).then_some(Score {
            anchor: **level,
            seat,
            tally,
        })
    });
    let bound = match Record::of(scores) {
        Ok(record) => Bound::of(&record, terms, BOUND_RISK)?,
        Err(_) => None,
    };
    Ok(bound.map_or(Rung::Unconnected, Rung::Bounded))
}

#[derive(Clone, Debug)]
struct Place {
    levels: Vec<f64>,
    color: f64,
    draws: DrawShare,
    log_odds: f64,
    is_at_boundary: bool,
}

/// The way to the top of the likelihood: by Newton's method for levels and
/// color effect, at every draw rate.
struct Ascent {
    /// Where the free levels stand among all.
    free: Vec<usize>,
    meetings: Vec<Meeting>,
    draw_basis: DrawBasis,
    color_basis: ColorBasis,
    frozen: f64,
    start: Place,
}

impl Ascent {
    fn of(
        pinned: &[Option<f64>],
        standings: &[Standing],
        meetings: &[Meeting],
        terms: &Terms,
    ) -> Result<Self, NoFit> {
        let has_level = |number: &usize| standings.get(*number) != Some(&Standing::Beyond);
        let mut sorted: Vec<Meeting> = meetings
            .iter()
            .filter(|meeting| has_level(&meeting.white) && has_level(&meeting.black))
            .copied()
            .collect();
        sorted.sort_by_key(|meeting| (meeting.white, meeting.black, meeting.tally));
        let total = sorted
            .iter()
            .fold(Tally::default(), |sum, meeting| sum.and(meeting.tally));
        let (draw_basis, draws) = match terms.draws {
            DrawRate::Constant(0.0) if 0 < total.draws => {
                return Err(TermsFault::NoDrawsDeclared.into());
            }
            DrawRate::Constant(share) => (DrawBasis::Declared, DrawShare::of(share)),
            DrawRate::Free if 0 < total.draws => (DrawBasis::Fitted, DrawShare::of(0.3)),
            DrawRate::Free => (DrawBasis::NoDraws, DrawShare::NONE),
        };
        let color_basis = match terms.color {
            ColorEffect::Constant(_) => ColorBasis::Declared,
            ColorEffect::Free { .. } if total.is_saturated() => ColorBasis::Separated,
            ColorEffect::Free { .. } => ColorBasis::Fitted,
        };
        let given: Vec<f64> = pinned.iter().flatten().copied().collect();
        let middle = given.iter().sum::<f64>() / f64::from(u32::try_from(given.len()).unwrap_or(1));
        let frozen = terms.color.constant();
        Ok(Self {
            free: standings
                .iter()
                .enumerate()
                .filter_map(|(number, standing)| (*standing == Standing::Between).then_some(number))
                .collect(),
            meetings: sorted,
            draw_basis,
            color_basis,
            frozen,
            start: Place {
                levels: pinned.iter().map(|level| level.unwrap_or(middle)).collect(),
                color: frozen,
                draws,
                log_odds: libm::log(0.3 / 0.7),
                is_at_boundary: false,
            },
        })
    }

    fn law(&self, place: &Place) -> impl Iterator<Item = (OutcomeLaw, Meeting)> {
        let (color, draws) = (place.color, place.draws);
        let level = |number: usize| place.levels.get(number).copied().unwrap_or(f64::NAN);
        self.meetings.iter().map(move |meeting| {
            let gap = level(meeting.white) - level(meeting.black) + color;
            (OutcomeLaw::over(gap, draws), *meeting)
        })
    }

    fn log_likelihood(&self, place: &Place) -> f64 {
        let laws = self.law(place);
        laws.map(|(law, meeting)| law.log_likelihood(meeting.tally))
            .sum()
    }

    /// Which of the free parameters a meeting depends on, and how.
    fn parts(&self, meeting: &Meeting) -> Vec<(usize, f64)> {
        let place = |number: &usize| self.free.binary_search(number).ok();
        let color = (self.color_basis == ColorBasis::Fitted).then_some((self.free.len(), 1.0));
        let white = place(&meeting.white).map(|place| (place, 1.0));
        let black = place(&meeting.black).map(|place| (place, -1.0));
        [white, black, color].into_iter().flatten().collect()
    }

    fn n_parameters(&self) -> usize {
        self.free.len() + usize::from(self.color_basis == ColorBasis::Fitted)
    }

    /// The slope of the log likelihood over q, and its curvature over q^2.
    fn slopes(&self, place: &Place) -> (Vec<f64>, Vec<Vec<f64>>) {
        let n = self.n_parameters();
        let mut slope = vec![0.0; n];
        let mut curvature = vec![vec![0.0; n]; n];
        for (law, meeting) in self.law(place) {
            let parts = self.parts(&meeting);
            let (rise, bend) = (law.slope(meeting.tally), law.information(meeting.tally));
            for (i, sign) in &parts {
                if let Some(slope) = slope.get_mut(*i) {
                    *slope += sign * rise;
                }
                for (j, other) in &parts {
                    if let Some(cell) = curvature.get_mut(*i).and_then(|row| row.get_mut(*j)) {
                        *cell += sign * other * bend;
                    }
                }
            }
        }
        (slope, curvature)
    }

    /// The top at this draw rate. The log likelihood is concave there, so that
    /// steps that are halved until they lead up find it from anywhere.
    fn climbed(&self, mut place: Place) -> Result<Place, NoRoot> {
        if self.color_basis != ColorBasis::Fitted {
            place.color = self.frozen;
        }
        let mut height = self.log_likelihood(&place);
        for _ in 0..STEPS_MAX {
            let (slope, curvature) = self.slopes(&place);
            if slope.is_empty() {
                return Ok(place);
            }
            let taken = Cholesky::of(&curvature).ok_or(NoRoot)?;
            let step: Vec<_> = taken.solve(&slope).iter().map(|step| step / Q).collect();
            let mut share = 1.0;
            let (next, next_height) = loop {
                let next = self.moved(&place, &step, share);
                let found = self.log_likelihood(&next);
                if height <= found {
                    break (next, found);
                }
                share /= 2.0;
                if share < 1e-9 {
                    // Nothing is higher: what is left is rounding.
                    return Ok(place);
                }
            };
            (place, height) = (next, next_height);
            let longest = step
                .iter()
                .fold(0.0_f64, |longest, step| longest.max(step.abs()));
            if longest < 1e-9 || FITTED_COLOR_MAX < place.color.abs() {
                return Ok(place);
            }
        }
        Err(NoRoot)
    }

    fn moved(&self, place: &Place, step: &[f64], share: f64) -> Place {
        // A step of more than two classes is too far to trust.
        let step_of = |i: usize| share * step.get(i).copied().unwrap_or(0.0).clamp(-400.0, 400.0);
        let mut next = place.clone();
        for (i, number) in self.free.iter().enumerate() {
            if let Some(level) = next.levels.get_mut(*number) {
                *level += step_of(i);
            }
        }
        if self.color_basis == ColorBasis::Fitted {
            next.color += step_of(self.free.len());
        }
        next
    }

    fn draw_slope(&self, place: &Place) -> f64 {
        let laws = self.law(place);
        laws.map(|(law, meeting)| law.draw_slope(meeting.tally, true))
            .sum()
    }

    /// The top over everything that is free.
    fn top(&self) -> Result<Place, NoFit> {
        let mut place = self.climbed(self.start.clone())?;
        if self.draw_basis != DrawBasis::Fitted {
            return Ok(place);
        }
        let highest = libm::log(DRAW_RATE_MAX / (1.0 - DRAW_RATE_MAX));
        let mut at = |log_odds: f64| {
            place.log_odds = log_odds;
            place.draws = DrawShare::of_log_odds(log_odds);
            place = self.climbed(place.clone())?;
            Ok(self.draw_slope(&place))
        };
        let is_at_boundary = 0.0 <= at(highest)?;
        if !is_at_boundary {
            let search = Search {
                start: self.start.log_odds,
                step: 0.5,
                limits: (-60.0, highest),
                tolerance: 1e-11,
            };
            let found = search.falling(&mut at)?;
            at(found)?;
        }
        place.is_at_boundary = is_at_boundary;
        Ok(place)
    }

    /// The standard errors of the free levels, in points.
    fn errors(&self, place: &Place) -> Result<Vec<f64>, NoFit> {
        let (_, mut matrix) = self.slopes(place);
        if self.draw_basis == DrawBasis::Fitted && !place.is_at_boundary {
            // How slopes change with the log odds of the draw rate.
            let step = 1e-4;
            let beside = |step: f64| Place {
                draws: DrawShare::of_log_odds(place.log_odds + step),
                ..place.clone()
            };
            let (low, high) = (beside(-step), beside(step));
            let bend = |low: f64, high: f64| -(high - low) / (2.0 * step);
            let (below, above) = (self.slopes(&low).0, self.slopes(&high).0);
            let mut last: Vec<_> = below
                .iter()
                .zip(&above)
                .map(|(a, b)| bend(*a, *b))
                .collect();
            for (row, cell) in matrix.iter_mut().zip(&last) {
                row.push(*cell);
            }
            last.push(bend(self.draw_slope(&low), self.draw_slope(&high)));
            matrix.push(last);
        }
        if self.free.is_empty() {
            return Ok(Vec::new());
        }
        let taken = Cholesky::of(&matrix).ok_or(NoRoot)?;
        let variances = taken.inverse_diagonal().into_iter().take(self.free.len());
        Ok(variances.map(|variance| libm::sqrt(variance) / Q).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::anchored::{Fit, Joint, Side};

    fn meeting(white: usize, black: usize, wins: u32, draws: u32, losses: u32) -> Meeting {
        Meeting {
            white,
            black,
            tally: Tally {
                wins,
                draws,
                losses,
            },
        }
    }

    fn free() -> Terms {
        Terms {
            color: ColorEffect::Free { frozen: 0.0 },
            ..Terms::FREE_DRAWS
        }
    }

    #[test]
    fn one_anchor_against_pinned_ones_is_fitted_as_a_system_is() {
        let pinned = [Some(1320.0), None, Some(1600.0)];
        let meetings = [
            meeting(1, 0, 9, 3, 4),
            meeting(0, 1, 5, 2, 8),
            meeting(1, 2, 4, 4, 7),
            meeting(2, 1, 9, 3, 2),
        ];
        let scores = [
            (1320.0, Seat::White, (9, 3, 4)),
            (1320.0, Seat::Black, (8, 2, 5)),
            (1600.0, Seat::White, (4, 4, 7)),
            (1600.0, Seat::Black, (2, 3, 9)),
        ];
        let record = Record::of(scores.map(|(anchor, seat, (wins, draws, losses))| Score {
            anchor,
            seat,
            tally: Tally {
                wins,
                draws,
                losses,
            },
        }))
        .unwrap();
        for terms in [Terms::FREE_DRAWS, free()] {
            let ladder = Ladder::of(&pinned, &meetings, &terms).unwrap();
            let Rung::Fitted { rating, error } = ladder.rungs[1] else {
                panic!("{ladder:?}");
            };
            let Ok(Fit::Finite(joint)) = Joint::of(&record, &terms) else {
                panic!();
            };
            assert!((rating - joint.rating).abs() < 1e-6, "{rating} {joint:?}");
            assert!((ladder.draw_rate - joint.draw_rate).abs() < 1e-8);
            assert!((ladder.color_effect - joint.color_effect).abs() < 1e-6);
            assert!((ladder.log_likelihood - joint.log_likelihood).abs() < 1e-9);
            // A profile interval is about two errors to each side.
            let width = joint.profile.high - joint.profile.low;
            assert!(
                (width / (2.0 * 1.96 * error) - 1.0).abs() < 0.05,
                "{error} {width}"
            );
        }
    }

    #[test]
    fn what_has_no_finite_level_is_bounded_or_unconnected_and_moves_nothing() {
        let pinned = [Some(1320.0), None, None, None, None];
        let one = [meeting(0, 1, 3, 2, 1), meeting(1, 0, 2, 1, 4)];
        let alone = Ladder::of(&pinned, &one, &free()).unwrap();
        let mut more = one.to_vec();
        more.extend([
            meeting(2, 1, 5, 0, 0),
            meeting(1, 2, 0, 0, 5),
            meeting(3, 4, 1, 1, 1),
        ]);
        more.reverse();
        let found = Ladder::of(&pinned, &more, &free()).unwrap();
        assert_eq!(found.rungs[..2], alone.rungs[..2]);
        assert_eq!(found.rungs[3..], [Rung::Unconnected, Rung::Unconnected]);
        let (Rung::Bounded(bound), Rung::Fitted { rating, .. }) = (found.rungs[2], found.rungs[1])
        else {
            panic!("{found:?}");
        };
        assert_eq!(bound.side, Side::AtLeast);
        assert!((bound.rating - rating - 182.729_096_341_705_6).abs() < 1e-6);
    }

    #[test]
    fn a_color_effect_that_runs_away_is_refused() {
        // Whoever has White wins, whatever the levels.
        let pinned = [Some(1500.0), None];
        let meetings = [meeting(0, 1, 5, 0, 0), meeting(1, 0, 5, 0, 0)];
        let ladder = Ladder::of(&pinned, &meetings, &free()).unwrap();
        assert_eq!(ladder.color_basis, ColorBasis::Separated);
        let meetings = [
            meeting(0, 1, 5, 0, 0),
            meeting(1, 0, 5, 0, 0),
            meeting(0, 1, 1, 0, 0),
        ];
        let ladder = Ladder::of(&pinned, &meetings, &free()).unwrap();
        assert_eq!(ladder.color_basis, ColorBasis::Separated);
        assert_eq!(ladder.color_effect.to_bits(), 0.0_f64.to_bits());
    }

    #[test]
    fn what_cannot_be_fitted_is_an_error() {
        let of = |pinned: &[Option<f64>], meetings: &[Meeting]| {
            Ladder::of(pinned, meetings, &free()).unwrap_err()
        };
        assert_eq!(of(&[None], &[]), LadderFault::NothingPinned);
        let pinned = [Some(0.0), None];
        for (white, black) in [(0, 2), (1, 1)] {
            let fault = of(&pinned, &[meeting(white, black, 1, 0, 0)]);
            assert!(matches!(fault, LadderFault::Meeting { n_anchors: 2, .. }));
        }
        assert!(matches!(of(&[Some(f64::NAN)], &[]), LadderFault::NoFit(_)));
        let empty = Ladder::of(&pinned, &[], &free()).unwrap();
        assert_eq!(empty.rungs, [Rung::Pinned(0.0), Rung::Unconnected]);
    }
}
