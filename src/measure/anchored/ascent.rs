use crate::measure::anchored::connection::Standing;
use crate::measure::anchored::fault::NoFit;
use crate::measure::anchored::ladder::{FITTED_COLOR_MAX, Meeting};
use crate::measure::anchored::law::{DrawShare, OutcomeLaw, Q};
use crate::measure::anchored::linear::Cholesky;
use crate::measure::anchored::record::Tally;
use crate::measure::anchored::root::{NoRoot, Search};
use crate::measure::anchored::terms::{
    ColorBasis, ColorEffect, DRAW_RATE_MAX, DrawBasis, DrawRate, Terms, TermsFault,
};

/// How many steps the ascent may take; ten are usual.
const STEPS_MAX: u32 = 200;

/// The longest step, in points: more than two classes is too far to trust.
const STEP_MAX: f64 = 400.0;

/// A step that promises to lead up by less cannot be told from rounding.
const BELOW_ROUNDING: f64 = 1e-9;

/// How many steps follow from there.
const LAST_STEPS: u32 = 4;

/// Levels of all anchors, and what is pooled over them.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) levels: Vec<f64>,
    pub(crate) color: f64,
    pub(crate) draws: DrawShare,
    log_odds: f64,
    pub(crate) is_at_boundary: bool,
}

/// The way to the top of the likelihood: by Newton's method for levels and
/// color effect, at every draw rate.
pub(crate) struct Ascent {
    /// Where the free levels stand among all.
    free: Vec<usize>,
    meetings: Vec<Meeting>,
    pub(crate) draw_basis: DrawBasis,
    pub(crate) color_basis: ColorBasis,
    frozen: f64,
    start: Place,
}

impl Ascent {
    pub(crate) fn of(
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

    pub(crate) fn log_likelihood(&self, place: &Place) -> f64 {
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
        let mut last_steps = LAST_STEPS;
        for _ in 0..STEPS_MAX {
            let (slope, curvature) = self.slopes(&place);
            if slope.is_empty() {
                return Ok(place);
            }
            let taken = Cholesky::of(&curvature).ok_or(NoRoot)?;
            let solved = taken.solve(&slope);
            let rise: f64 = solved.iter().zip(&slope).map(|(a, b)| a * b).sum();
            let mut step: Vec<_> = solved.iter().map(|step| step / Q).collect();
            let longest = step.iter().fold(0.0_f64, |most, part| most.max(part.abs()));
            if STEP_MAX < longest {
                // Shorter as a whole, so that it still leads up.
                for part in &mut step {
                    *part *= STEP_MAX / longest;
                }
            }
            if rise < BELOW_ROUNDING {
                // Heights say nothing any more, and Newton's method needs none of
                // them so near the top: each step doubles the digits.
                place = self.moved(&place, &step, 1.0);
                last_steps -= 1;
                if last_steps == 0 {
                    return Ok(place);
                }
                height = self.log_likelihood(&place);
                continue;
            }
            let Some(next) = self.higher(&place, height, &step) else {
                return Ok(place);
            };
            (place, height) = next;
            if FITTED_COLOR_MAX < place.color.abs() {
                return Ok(place);
            }
        }
        Err(NoRoot)
    }

    /// The longest part of a step that leads up, halved as often as it takes, and
    /// the height there; nothing where no part does.
    fn higher(&self, place: &Place, height: f64, step: &[f64]) -> Option<(Place, f64)> {
        let mut share = 1.0;
        while 1e-9 < share {
            let next = self.moved(place, step, share);
            let found = self.log_likelihood(&next);
            if height < found {
                return Some((next, found));
            }
            share /= 2.0;
        }
        None
    }

    fn moved(&self, place: &Place, step: &[f64], share: f64) -> Place {
        let step_of = |i: usize| share * step.get(i).copied().unwrap_or(0.0);
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
    pub(crate) fn top(&self) -> Result<Place, NoFit> {
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
    pub(crate) fn errors(&self, place: &Place) -> Result<Vec<f64>, NoFit> {
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
