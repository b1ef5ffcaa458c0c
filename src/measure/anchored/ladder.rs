use crate::measure::anchored::ascent::Ascent;
use crate::measure::anchored::connection::{Standing, standings};
use crate::measure::anchored::fault::NoFit;
use crate::measure::anchored::record::{
    ANCHOR_RATING_MAX, Record, RecordFault, Score, Seat, Tally,
};
use crate::measure::anchored::saturated::{BOUND_RISK, Bound};
use crate::measure::anchored::terms::{ColorBasis, DrawBasis, Terms};

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

/// A fitted color effect beyond this, in points, is separated from the data.
pub(crate) const FITTED_COLOR_MAX: f64 = 2000.0;

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::measure::anchored::{ColorEffect, Fit, Joint, Side};

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

    /// Tallies of one or two players against two pinned ones and one another.
    fn any_meetings() -> impl Strategy<Value = Vec<Meeting>> {
        let tally = prop_oneof![
            (0..4_u32, 0..4_u32, 0..4_u32),
            (0..200_u32, 0..200_u32, 0..200_u32),
        ];
        let pairs = [
            (2, 0),
            (0, 2),
            (2, 1),
            (1, 2),
            (2, 3),
            (3, 2),
            (3, 1),
            (0, 3),
        ];
        prop::collection::vec(tally, pairs.len()).prop_map(move |tallies| {
            let tallies = pairs.iter().zip(tallies);
            let meetings = tallies.filter(|(_, (w, d, l))| 0 < w + d + l);
            meetings
                .map(|((white, black), (w, d, l))| meeting(*white, *black, w, d, l))
                .collect()
        })
    }

    proptest! {
        #[test]
        fn every_record_has_a_fit_and_its_top_is_a_top(
            meetings in any_meetings(),
            gap in prop_oneof![Just(10.0), Just(400.0), Just(1000.0)],
        ) {
            let pinned = [Some(1200.0), Some(1200.0 + gap), None, None];
            let ladder = Ladder::of(&pinned, &meetings, &free());
            let ladder = ladder.map_err(|fault| TestCaseError::fail(fault.to_string()))?;
            // A color effect that ran away is held where it was frozen: with other
            // levels held it might be fitted.
            let terms = match ladder.color_basis {
                ColorBasis::Fitted => free(),
                _ => Terms {
                    color: ColorEffect::Constant(ladder.color_effect),
                    ..free()
                },
            };
            let level = |rung: &Rung| match rung {
                Rung::Pinned(rating) | Rung::Fitted { rating, .. } => Some(*rating),
                Rung::Bounded(_) | Rung::Unconnected => None,
            };
            let levels: Vec<_> = ladder.rungs.iter().map(level).collect();
            prop_assert!(levels.iter().flatten().all(|level| level.is_finite()));
            for (number, rung) in ladder.rungs.iter().enumerate() {
                let Rung::Fitted { rating, .. } = rung else { continue };
                for aside in [-1.0, 1.0] {
                    let mut held: Vec<_> = levels.clone();
                    held[number] = Some(rating + aside);
                    // Everybody held: what is left to fit is the draw rate and the color.
                    let others = meetings.iter().filter(|meeting| {
                        [meeting.white, meeting.black].iter().all(|one| held[*one].is_some())
                    });
                    let others: Vec<_> = others.copied().collect();
                    let below = Ladder::of(&held, &others, &terms);
                    let below = below.map_err(|fault| TestCaseError::fail(fault.to_string()))?;
                    prop_assert!(
                        below.log_likelihood <= ladder.log_likelihood + 1e-9,
                        "{ladder:?} {below:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_record_with_hardly_an_upset_is_fitted() {
        let pinned = [Some(1000.0), None, Some(1400.0)];
        let meetings = [
            meeting(1, 0, 2, 0, 0),
            meeting(0, 1, 0, 1, 1),
            meeting(1, 2, 0, 1, 1),
            meeting(2, 1, 2, 0, 0),
        ];
        Ladder::of(&pinned, &meetings, &free()).unwrap();
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
