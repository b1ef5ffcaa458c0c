use crate::board::{Coverage, Wdl};
use crate::canonical::Count;
use crate::chess::{GameResult, Termination};
use crate::event::ProtocolPublished;
use crate::projection::{AnchoredRecord, Cohort, Game, Projection, Resources, System};
use crate::submission::{CoveragePart, GamesPart, Units};

/// One system in one cohort.
pub(in crate::submission) struct Subject<'a> {
    pub(in crate::submission) projection: &'a Projection,
    pub(in crate::submission) cohort: &'a Cohort<'a>,
    pub(in crate::submission) record: &'a AnchoredRecord<'a>,
    pub(in crate::submission) system: &'a System,
    pub(in crate::submission) protocol: &'a ProtocolPublished,
}

impl Subject<'_> {
    /// What the calls of the system took, in games with a result and without.
    pub(in crate::submission) fn resources(&self) -> Resources {
        let mut resources = Resources::default();
        for game in self.all_games() {
            if let Some(color) = game.color_of(&self.system.id) {
                resources.join(game.resources.get(color));
            }
        }
        resources
    }

    /// The games of the system, with a result and without, in the order of cells.
    fn all_games(&self) -> impl Iterator<Item = &Game> {
        let ids = self.cohort.schedule.games.iter().flatten();
        let games = ids.filter_map(|id| self.projection.games.game(id));
        games.filter(|game| game.color_of(&self.system.id).is_some())
    }

    /// How much of the colors and openings its games cover.
    pub(in crate::submission) fn coverage(&self) -> CoveragePart {
        let games = self.record.games.iter();
        let coverage = Coverage::of(games.map(|one| (one.game, one.color)));
        CoveragePart {
            black: Count::saturating(coverage.black),
            openings: Count::saturating(coverage.openings),
            white: Count::saturating(coverage.white),
        }
    }

    /// The results of the games that count.
    pub(in crate::submission) fn games(&self) -> GamesPart {
        let mut wdl = Wdl::default();
        for one in &self.record.games {
            if let Some(result) = one.game.result() {
                wdl.take(result, one.color);
            }
        }
        GamesPart {
            draws: Count::saturating(wdl.draws),
            losses: Count::saturating(wdl.losses),
            wins: Count::saturating(wdl.wins),
        }
    }

    /// Counts of raw units and errors.
    pub(in crate::submission) fn units(&self) -> Units {
        let count = |n: u64| Count::saturating(n);
        let (mut finished, mut censored, mut forfeits, mut rejected) = (0, 0, 0, 0);
        for game in self.all_games() {
            let Some(color) = game.color_of(&self.system.id) else {
                continue;
            };
            rejected += *game.rejections.get(color);
            let Some(termination) = game.termination() else {
                continue;
            };
            finished += 1;
            censored += u64::from(Termination::is_censored(termination));
            let is_lost = game.result().and_then(GameResult::winner) == Some(color.other());
            forfeits += u64::from(termination.is_forfeit() && is_lost);
        }
        Units {
            aborted: Count::saturating(self.record.aborted.len()),
            censored: count(censored),
            excluded: count(self.record.excluded),
            finished: count(finished),
            forfeits: count(forfeits),
            provider_failures: count(self.resources().failures()),
            registered: count(self.record.cells),
            rejected_answers: count(rejected),
        }
    }
}
