use crate::measure::Interval;
use crate::measure::anchored::fault::NoFit;
use crate::measure::anchored::law::{DrawShare, OutcomeLaw, Q};
use crate::measure::anchored::level::Fit;
use crate::measure::anchored::record::{Record, Score, Seat};
use crate::measure::anchored::root::{NoRoot, Search};
use crate::measure::anchored::saturated::{BOUND_RISK, Bound, limits};
use crate::measure::anchored::terms::{
    ColorBasis, ColorEffect, DrawBasis, DrawRate, Terms, TermsFault,
};
use crate::measure::anchored::{performance, profile};

/// A rating fitted to wins, draws and losses together with the draw rate
/// between equals and the color effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// The rating, in points.
    pub rating: f64,
    /// The draw rate between equals, d0, from 0 to 1.
    pub draw_rate: f64,
    /// Where the draw rate comes from.
    pub draw_basis: DrawBasis,
    /// The color effect, gamma, in points for the side that has White.
    pub color_effect: f64,
    /// Where the color effect comes from.
    pub color_basis: ColorBasis,
    /// The natural logarithm of the likelihood there.
    pub log_likelihood: f64,
    /// The standard error from the observed information about the rating, in
    /// points, where everything else is a constant: elsewhere, and where there
    /// is no curvature, it would be too small.
    pub wald_error: Option<f64>,
    /// The 95 % profile interval, in points, the others refitted at each
    /// rating.
    pub profile: Interval,
}

impl Joint {
    /// Fits the rating, and what of the rest the terms leave free, in the
    /// order of fall-backs that is declared: without draws the draw rate is 0;
    /// with a color missing or saturated the color effect is frozen; when every
    /// game was won or lost there is a bound only.
    ///
    /// # Errors
    ///
    /// A declared constant is none that the model allows, or a search did not
    /// end.
    pub fn of(record: &Record, terms: &Terms) -> Result<Fit<Self>, NoFit> {
        terms.check()?;
        if let Some(bound) = Bound::of(record, terms, BOUND_RISK)? {
            return Ok(Fit::Bounded(bound));
        }
        let mut surface = Surface::of(record, terms)?;
        let rating = surface.rating()?;
        let top = surface.best(rating)?;
        let information = surface.information(&top);
        let error = 1.0 / (Q * libm::sqrt(information));
        let limits = limits(record, terms.color.constant());
        let kinks = surface.kinks(&top);
        let profile = profile::interval(rating, error, limits, &kinks, |rating| {
            let best = surface.best(rating)?;
            Ok(surface.log_likelihood(&best))
        })?;
        let draw_basis = match surface.draw_basis {
            DrawBasis::Fitted if top.draws == DrawShare::ALL => DrawBasis::AtBoundary,
            basis => basis,
        };
        Ok(Fit::Finite(Self {
            rating,
            draw_rate: top.draws.share(),
            draw_basis,
            color_effect: top.color,
            color_basis: surface.color_basis,
            log_likelihood: surface.log_likelihood(&top),
            wald_error: surface
                .is_constant()
                .then_some(error)
                .filter(|error| error.is_finite()),
            profile,
        }))
    }

    /// The rating alone, or a bound: for resampling.
    pub(crate) fn rating_of(record: &Record, terms: &Terms) -> Result<Fit<f64>, NoFit> {
        if let Some(bound) = Bound::of(record, terms, BOUND_RISK)? {
            return Ok(Fit::Bounded(bound));
        }
        Ok(Fit::Finite(Surface::of(record, terms)?.rating()?))
    }
}

/// A rating, and what belongs to it.
#[derive(Clone, Copy, Debug)]
struct Place {
    rating: f64,
    color: f64,
    draws: DrawShare,
}

/// The log likelihood over rating, color effect and draw rate.
///
/// One parameter is fitted within the other: the draw rate at every color
/// effect, the color effect at every rating. Each search starts where the last
/// one ended.
struct Surface<'a> {
    record: &'a Record,
    draw_basis: DrawBasis,
    color_basis: ColorBasis,
    draws: DrawShare,
    log_odds: f64,
    color: f64,
}

/// How near a draw rate may come to 0 or 1, in log odds: nearer, it is there.
const LOG_ODDS_MAX: f64 = 60.0;

/// Up to this draw rate the log likelihood is concave; see `DRAW_RATE_MAX`. It
/// is fitted anew at every rating, so that less is taken.
const CONCAVE_SHARE_MAX: f64 = 0.5;

/// By how much heights differ that are the same.
const HEIGHT_NOISE: f64 = 1e-9;

/// How far a fitted color effect may lie from zero, in points.
const FITTED_COLOR_MAX: f64 = 50_000.0;

impl<'a> Surface<'a> {
    fn of(record: &'a Record, terms: &Terms) -> Result<Self, TermsFault> {
        let has_draws = 0 < record.total().draws;
        let (draw_basis, draws) = match terms.draws {
            DrawRate::Constant(0.0) if has_draws => return Err(TermsFault::NoDrawsDeclared),
            DrawRate::Constant(share) => (DrawBasis::Declared, DrawShare::of(share)),
            DrawRate::Free if has_draws => (DrawBasis::Fitted, DrawShare::of(0.5)),
            DrawRate::Free => (DrawBasis::NoDraws, DrawShare::NONE),
        };
        let color_basis = match terms.color {
            ColorEffect::Constant(_) => ColorBasis::Declared,
            ColorEffect::Free { .. } => ColorBasis::of(record),
        };
        Ok(Self {
            record,
            draw_basis,
            color_basis,
            draws,
            log_odds: 0.0,
            color: terms.color.constant(),
        })
    }

    fn law(&self, place: &Place) -> impl Iterator<Item = (OutcomeLaw, Score)> {
        let place = *place;
        self.record.scores().iter().map(move |score| {
            let gap = place.rating - score.anchor + place.color * score.seat.sign();
            (OutcomeLaw::over(gap, place.draws), *score)
        })
    }

    fn log_likelihood(&self, place: &Place) -> f64 {
        let laws = self.law(place);
        laws.map(|(law, score)| law.log_likelihood(score.tally))
            .sum()
    }

    /// The observed information about the rating, over q^2.
    fn information(&self, place: &Place) -> f64 {
        let laws = self.law(place);
        laws.map(|(law, score)| law.information(score.tally)).sum()
    }

    /// Whether the rating is all that is fitted.
    fn is_constant(&self) -> bool {
        self.draw_basis != DrawBasis::Fitted && self.color_basis != ColorBasis::Fitted
    }

    /// The rating where the log likelihood is highest.
    fn rating(&mut self) -> Result<f64, NoRoot> {
        let start = performance::rating(self.record, self.color)?;
        let mut rating = self.top_near(start)?;
        let place = self.best(rating)?;
        let mut height = self.log_likelihood(&place);
        for kink in self.kinks(&place) {
            let there = self.best(kink)?;
            if height + HEIGHT_NOISE < self.log_likelihood(&there) {
                let other = self.top_near(kink)?;
                let place = self.best(other)?;
                let higher = self.log_likelihood(&place);
                if height < higher {
                    (rating, height) = (other, higher);
                }
            }
        }
        if self.color_basis == ColorBasis::Fitted && self.best(rating)?.draws == DrawShare::ALL {
            return self.top_by_height(rating);
        }
        Ok(rating)
    }

    /// The top of the profile that a rating lies below.
    fn top_near(&mut self, rating: f64) -> Result<f64, NoRoot> {
        let search = Search {
            start: rating,
            step: 4.0,
            limits: limits(self.record, self.color),
            tolerance: 1e-10,
        };
        search.falling(&mut |rating| {
            let best = self.best(rating)?;
            let slopes = self.law(&best).map(|(law, score)| law.slope(score.tally));
            Ok(slopes.sum())
        })
    }

    /// Where the profile may have another top: where a fitted draw rate is so
    /// high that the chances have kinks between equals, at those. Elsewhere the
    /// log likelihood is concave.
    fn kinks(&self, top: &Place) -> Vec<f64> {
        if self.draw_basis != DrawBasis::Fitted || top.draws.share() <= CONCAVE_SHARE_MAX {
            return Vec::new();
        }
        let scores = self.record.scores().iter();
        if self.color_basis != ColorBasis::Fitted {
            return scores
                .map(|score| score.anchor - self.color * score.seat.sign())
                .collect();
        }
        // Rating and color effect such that equals meet with White and Black.
        let of = |seat| {
            let scores = self.record.scores().iter();
            scores.filter(move |score| score.seat == seat)
        };
        of(Seat::White)
            .flat_map(|white| {
                of(Seat::Black).map(|black| f64::midpoint(white.anchor, black.anchor))
            })
            .collect()
    }

    /// The top of the profile by its height alone, by golden sections.
    ///
    /// Where equals always draw, the log likelihood has kinks over rating and
    /// color effect together, and a slope beside a kink does not say where
    /// along it things rise. Heights do.
    fn top_by_height(&mut self, near: f64) -> Result<f64, NoRoot> {
        const GOLDEN: f64 = 0.618_033_988_749_894_8;
        let (mut low, mut high) = (near - 400.0, near + 400.0);
        let mut height = |rating: f64| {
            let best = self.best(rating)?;
            Ok(self.log_likelihood(&best))
        };
        let mut left = high - GOLDEN * (high - low);
        let mut right = low + GOLDEN * (high - low);
        let (mut at_left, mut at_right) = (height(left)?, height(right)?);
        while 1e-7 < high - low {
            if at_left < at_right {
                low = left;
                (left, at_left) = (right, at_right);
                right = low + GOLDEN * (high - low);
                at_right = height(right)?;
            } else {
                high = right;
                (right, at_right) = (left, at_left);
                left = high - GOLDEN * (high - low);
                at_left = height(left)?;
            }
        }
        Ok(f64::midpoint(low, high))
    }

    /// What fits best at a rating.
    fn best(&mut self, rating: f64) -> Result<Place, NoRoot> {
        if self.color_basis == ColorBasis::Fitted {
            let search = Search {
                start: self.color,
                step: 2.0,
                limits: (-FITTED_COLOR_MAX, FITTED_COLOR_MAX),
                tolerance: 1e-11,
            };
            self.color = search.falling(&mut |color| {
                let best = self.drawn(rating, color)?;
                let slopes = self.law(&best);
                Ok(slopes
                    .map(|(law, score)| score.seat.sign() * law.slope(score.tally))
                    .sum())
            })?;
        }
        self.drawn(rating, self.color)
    }

    /// The draw rate that fits best at a rating and color effect.
    fn drawn(&mut self, rating: f64, color: f64) -> Result<Place, NoRoot> {
        let mut place = Place {
            rating,
            color,
            draws: self.draws,
        };
        if self.draw_basis != DrawBasis::Fitted {
            return Ok(place);
        }
        place.draws = DrawShare::ALL;
        let has_upsets = self
            .law(&place)
            .any(|(law, score)| law.has_upset(score.tally));
        if !has_upsets && 0.0 <= self.draw_slope(&place, false) {
            self.draws = place.draws;
            return Ok(place);
        }
        let search = Search {
            start: self.log_odds,
            step: 0.05,
            limits: (-LOG_ODDS_MAX, LOG_ODDS_MAX),
            tolerance: 1e-12,
        };
        let found = search.falling(&mut |log_odds| {
            place.draws = DrawShare::of_log_odds(log_odds);
            Ok(self.draw_slope(&place, has_upsets))
        });
        // The slope is positive at 0 and negative at 1: what is not found lies
        // nearer to an end than numbers do.
        self.log_odds = found?;
        place.draws = DrawShare::of_log_odds(self.log_odds);
        Ok(place)
    }

    fn draw_slope(&self, place: &Place, has_upsets: bool) -> f64 {
        let laws = self.law(place);
        laws.map(|(law, score)| law.draw_slope(score.tally, has_upsets))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::measure::anchored::Tally;

    fn any_record() -> impl Strategy<Value = Record> {
        let score = (
            prop::sample::select(vec![0.0, 900.0, 1320.0, 1500.0, 1501.0, 2400.0, 6000.0]),
            any::<bool>(),
            (0..6_u32, 0..6_u32, 0..6_u32),
        );
        prop::collection::vec(score, 1..6).prop_filter_map("saturated", |scores| {
            let scores = scores
                .into_iter()
                .map(|(anchor, is_white, (wins, draws, losses))| Score {
                    anchor,
                    seat: if is_white { Seat::White } else { Seat::Black },
                    tally: Tally {
                        wins,
                        draws,
                        losses,
                    },
                });
            let record = Record::of(scores).ok()?;
            (!record.total().is_saturated()).then_some(record)
        })
    }

    fn any_terms() -> impl Strategy<Value = Terms> {
        let draws = prop_oneof![
            Just(DrawRate::Free),
            (0.01..0.7_f64).prop_map(DrawRate::Constant)
        ];
        let color = prop_oneof![
            Just(ColorEffect::Free { frozen: 10.0 }),
            (-50.0..50.0_f64).prop_map(ColorEffect::Constant)
        ];
        (draws, color).prop_map(|(draws, color)| Terms { draws, color })
    }

    proptest! {
        #[test]
        fn no_rating_fits_better_and_none_outside_the_interval_is_within_its_drop(
            record in any_record(),
            terms in any_terms(),
        ) {
            let fit = Joint::of(&record, &terms).unwrap();
            let fit = fit.finite().unwrap();
            let Interval { low, high } = fit.profile;
            prop_assert!(low < fit.rating && fit.rating < high, "{:?}", fit);
            let mut surface = Surface::of(&record, &terms).unwrap();
            let mut drop = |rating: f64| {
                let best = surface.best(rating).unwrap();
                2.0 * (fit.log_likelihood - surface.log_likelihood(&best))
            };
            for end in [low, high] {
                prop_assert!((drop(end) - profile::PROFILE_DROP).abs() < 1e-6, "{:?} {}", fit, drop(end));
            }
            for step in 1..120 {
                let away = 0.5 * libm::pow(1.08, f64::from(step));
                for rating in [fit.rating - away, fit.rating + away] {
                    let drop = drop(rating);
                    prop_assert!(-1e-8 < drop, "{:?} at {}: {}", fit, rating, drop);
                    let is_within = low <= rating && rating <= high;
                    prop_assert!(is_within || profile::PROFILE_DROP - 1e-6 < drop, "{:?} at {}: {}", fit, rating, drop);
                }
            }
        }

        #[test]
        fn no_other_draw_rate_or_color_effect_fits_better(
            record in any_record(),
            terms in any_terms(),
            rating in -500.0..4000.0_f64,
        ) {
            let mut surface = Surface::of(&record, &terms).unwrap();
            let best = surface.best(rating).unwrap();
            let height = surface.log_likelihood(&best);
            let shares: Vec<_> = match surface.draw_basis {
                DrawBasis::Fitted => (-40..40).map(|k| DrawShare::of_log_odds(f64::from(k) / 4.0)).chain([DrawShare::ALL]).collect(),
                _ => vec![best.draws],
            };
            let colors: Vec<_> = match surface.color_basis {
                ColorBasis::Fitted => (-40..=40).map(|k| f64::from(k) * 80.0).collect(),
                _ => vec![best.color],
            };
            for draws in shares {
                for color in &colors {
                    let other = surface.log_likelihood(&Place { rating, color: *color, draws });
                    prop_assert!(other <= height + 1e-9 * (1.0 + height.abs()), "{:?}: {} above {}", (color, draws), other, height);
                }
            }
        }
    }
}
