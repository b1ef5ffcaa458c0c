use crate::measure::glicko2::Evidence;
use crate::measure::{Case, NoConvergence, Rating, Section, update_over};

/// What comes out of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation<'a> {
    /// The case.
    pub case: &'a Case,
    /// The players who were rated after each period, by number, and how.
    pub(crate) after: Vec<Vec<(usize, Rating)>>,
    /// Everybody's rating after the last period that has one.
    pub(crate) end: Vec<Rating>,
    pub(crate) tallies: Vec<Tally>,
    /// What the games said, where one player has one period.
    pub(crate) evidence: Option<Evidence>,
    /// Why it ended before the end.
    pub unrated: Option<Unrated>,
}

/// A player has no rating after a period, so that the case has no end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("player {player:?} after period {period}: {fault}")]
pub struct Unrated {
    /// Whom.
    pub player: String,
    /// After which period, from 1; a game one after another is a period.
    pub period: usize,
    /// Why not.
    pub fault: NoConvergence,
}

/// What a player played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) games: u32,
    pub(crate) half_points: u32,
}

impl<'a> Evaluation<'a> {
    /// Rates the players of a case, period by period.
    pub fn of(case: &'a Case) -> Self {
        let mut evaluation = Self {
            case,
            after: Vec::new(),
            end: case.players.iter().map(|(_, start)| *start).collect(),
            tallies: vec![Tally::default(); case.players.len()],
            evidence: None,
            unrated: None,
        };
        for number in 0..case.periods.len() {
            if let Err(unrated) = evaluation.rate(number) {
                evaluation.unrated = Some(unrated);
                break;
            }
        }
        evaluation
    }

    fn rate(&mut self, number: usize) -> Result<(), Unrated> {
        let Some(period) = self.case.periods.get(number) else {
            return Ok(());
        };
        // Everybody is rated from what all were before the period.
        let mut bouts = vec![Vec::new(); period.rated.len()];
        let places = places(&period.rated);
        for meeting in &period.meetings {
            let bout = meeting.opponent.bout(&self.end, meeting.half_points);
            let place = places.binary_search_by_key(&meeting.player, |(player, _)| *player);
            let place = place.ok().and_then(|at| places.get(at));
            let list = place.and_then(|(_, place)| bouts.get_mut(*place));
            if let (Some(list), Some(bout)) = (list, bout) {
                list.push(bout);
            }
            if let Some(tally) = self.tallies.get_mut(meeting.player) {
                tally.games += 1;
                tally.half_points += u32::from(meeting.half_points);
            }
        }
        let mut rated = Vec::with_capacity(period.rated.len());
        for (player, bouts) in period.rated.iter().zip(&bouts) {
            let (Some(before), Some((name, _))) =
                (self.end.get(*player), self.case.players.get(*player))
            else {
                continue;
            };
            if self.case.section == Section::SinglePlayerPeriods {
                self.evidence = Evidence::of(before, bouts);
            }
            let after = update_over(before, bouts, self.case.tau, self.case.growth);
            let after = after.map_err(|fault| Unrated {
                player: name.clone(),
                period: number + 1,
                fault,
            })?;
            rated.push((*player, after));
        }
        for (player, after) in &rated {
            if let Some(rating) = self.end.get_mut(*player) {
                *rating = *after;
            }
        }
        self.after.push(rated);
        Ok(())
    }
}

/// The players with their places in the list, in the order of the players.
fn places(rated: &[usize]) -> Vec<(usize, usize)> {
    let mut places: Vec<_> = rated.iter().copied().zip(0..).collect();
    places.sort_unstable();
    places
}
