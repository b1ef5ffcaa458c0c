use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::board::anchored::AnchorLabel;
use crate::board::anchored::estimate::{AnchoredEstimate, Played, half_points};
use crate::board::placement::{label, take_conduct};
use crate::board::{Accounting, Conduct, Coverage, Row, Sample, Wdl};
use crate::canonical::{Day, Total};
use crate::chess::{Color, GameResult, Termination};
use crate::event::{AbortCause, EventId, EvidenceStatus, ProtocolPublished, ScheduleRule};
use crate::measure::anchored::{Level, Seat, Terms};
use crate::projection::{
    AnchoredGame, AnchoredRecord, Game, GameState, Grades, Projection, Resources, SideCalls, Tally,
};

/// One system of an anchored board.
#[derive(Clone, Debug, PartialEq)]
pub struct AnchoredRow {
    /// Rating, sample, conduct, coverage, accounting.
    pub row: Row<AnchoredEstimate>,
    /// What came of its games against each anchor, in the order of the schedule.
    pub anchors: Vec<AnchorScore>,
    /// What follows where everything was won, or everything lost.
    pub promotion: Option<String>,
    /// Two-game mini-matches of which both games have a result that counts.
    /// Absent: the cohort has no mini-matches.
    pub whole_matches: Option<u64>,
    /// Those of which one game has none: they are used with the game there is.
    pub half_matches: Option<u64>,
    /// Games that ended by adjudication.
    pub adjudicated: u64,
    /// Games that ended by the ply limit.
    pub ply_limited: u64,
    /// Games that its anchors lost by forfeit: they are left out without forfeits,
    /// as its own are.
    pub anchor_forfeits: u64,
    /// Games that providers ended: no result, and left out.
    pub provider_failures: u64,
    /// Cells that were played again and have a result.
    pub replaced: u64,
    /// Cells that still have no result.
    pub open: u64,
    /// Games that corrections take out.
    pub excluded: u64,
    /// How well its moves were chosen, where the protocol names who measures.
    pub grades: Option<Grades>,
    /// US dollars at the saved prices, over answered calls of finished games.
    pub list_usd: Tally<Total>,
}

/// What came of a system's games against one anchor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnchorScore {
    /// With White.
    pub white: Wdl,
    /// With Black.
    pub black: Wdl,
}

impl AnchorScore {
    /// With both colors.
    pub const fn all(&self) -> Wdl {
        Wdl {
            wins: self.white.wins + self.black.wins,
            draws: self.white.draws + self.black.draws,
            losses: self.white.losses + self.black.losses,
        }
    }
}

impl AnchoredRow {
    /// Orders by rating or bound, the higher first and those without a fit last,
    /// then by name and id. It is no ranking: intervals overlap, and a bound is
    /// no estimate.
    pub fn before(&self, other: &Self) -> Ordering {
        let height = |row: &Self| match row.row.estimate().level() {
            None => f64::NEG_INFINITY,
            Some(Level::Estimate(points) | Level::AtLeast(points) | Level::AtMost(points)) => {
                points
            }
        };
        let name = |row: &Self| (row.row.system().name.clone(), row.row.system().id);
        let heights = height(other).total_cmp(&height(self));
        heights.then_with(|| name(self).cmp(&name(other)))
    }
}

/// What rows are made from.
pub(crate) struct About<'a> {
    pub(crate) projection: &'a Projection,
    pub(crate) protocol: &'a ProtocolPublished,
    pub(crate) calls: &'a BTreeMap<(EventId, EventId), SideCalls>,
    pub(crate) terms: &'a Terms,
    pub(crate) rule: ScheduleRule,
    pub(crate) anchors: &'a [AnchorLabel],
    pub(crate) evidence_status: EvidenceStatus,
}

impl About<'_> {
    /// The row of a system; nothing where it has no game at all. One whose games
    /// were all aborted or taken out has a row without a rating.
    pub(crate) fn row(&self, record: &AnchoredRecord<'_>) -> Option<AnchoredRow> {
        let played: Vec<_> = record
            .games
            .iter()
            .filter_map(|one| self.played(record.system, one))
            .collect();
        let (mut wdl, mut conduct) = (Wdl::default(), Conduct::default());
        let mut resources = Resources::default();
        let mut list_usd = Tally::default();
        let mut anchors = vec![AnchorScore::default(); self.anchors.len()];
        for AnchoredGame {
            game,
            color,
            anchor,
            ..
        } in &record.games
        {
            let result = game.result()?;
            wdl.take(result, *color);
            take_conduct(&mut conduct, game, *color);
            resources.join(game.resources.get(*color));
            if let Some(calls) = self.calls.get(&(game.id, record.system)) {
                list_usd.join(&calls.list_usd);
            }
            let score = anchors.get_mut(*anchor)?;
            match color {
                Color::White => score.white.take(result, *color),
                Color::Black => score.black.take(result, *color),
            }
        }
        if wdl.games() == 0 && record.aborted.is_empty() && record.excluded == 0 {
            return None;
        }
        let sample = Sample::of_any(wdl);
        let estimate = AnchoredEstimate::of(&played, self.terms, self.rule);
        let promotion = estimate.promotion(self.next_anchor(&anchors).as_ref());
        let label = label(self.projection, &record.system);
        let is_billed = label.is_billed;
        let ended = |wanted: Termination| {
            count_of(&record.games, |one| one.game.termination() == Some(wanted))
        };
        let [whole_matches, half_matches] = self.matches(record);
        Some(AnchoredRow {
            anchors,
            promotion,
            whole_matches,
            half_matches,
            adjudicated: ended(Termination::Adjudication),
            ply_limited: ended(Termination::PlyLimit),
            anchor_forfeits: count_of(&record.games, is_forfeit_of_anchor),
            provider_failures: count_of(&record.aborted, |game| is_provider_failure(game)),
            replaced: record.replaced,
            open: record.open,
            excluded: record.excluded,
            grades: self.grades(record),
            list_usd,
            row: Row::new(
                label,
                estimate,
                sample,
                conduct,
                Coverage::of(record.games.iter().map(|one| (one.game, one.color))),
                self.evidence_status,
                Accounting::new(
                    resources,
                    wdl.games(),
                    count_of(&record.aborted, |_| true),
                    is_billed,
                ),
            ),
        })
    }

    fn played(&self, system: EventId, one: &AnchoredGame<'_>) -> Option<Played> {
        let game = one.game;
        let seat = match one.color {
            Color::White => Seat::White,
            Color::Black => Seat::Black,
        };
        let termination = game.termination()?;
        let is_censored = termination.is_censored();
        let verdict = is_censored.then(|| self.projection.last_verdict(game, self.protocol));
        let tabled = is_censored.then(|| self.projection.table_result(game));
        let mut routes = self
            .calls
            .get(&(game.id, system))
            .map(|calls| calls.routes.clone())
            .unwrap_or_default();
        if routes.is_empty() {
            let registered = self.projection.systems.system(&system);
            let model = registered.and_then(|system| system.registered.model.as_ref());
            routes.extend(model.map(|model| model.route.clone()));
        }
        Some(Played {
            start: one.start,
            anchor: self.anchors.get(one.anchor)?.points,
            seat,
            half_points: half_points(game.result()?, seat),
            measured: verdict.flatten().map(|result| half_points(result, seat)),
            tabled: tabled.flatten().map(|result| half_points(result, seat)),
            is_forfeit: termination.is_forfeit(),
            is_censored,
            day: game.finished_at().map(Day::of),
            routes,
        })
    }

    /// The weakest anchor of the cohort above all that were met, with its rating.
    fn next_anchor(&self, scores: &[AnchorScore]) -> Option<(String, f64)> {
        let with_scores = || self.anchors.iter().zip(scores);
        let met = with_scores().filter(|(_, score)| score.all().games() != 0);
        let highest = met
            .map(|(anchor, _)| anchor.points)
            .max_by(f64::total_cmp)?;
        let above = self.anchors.iter().filter(|one| highest < one.points);
        let next = above.min_by(|a, b| a.points.total_cmp(&b.points))?;
        Some((next.name.clone(), next.points))
    }

    /// Whole and half mini-matches. Where a start is played once against each
    /// anchor there are none.
    fn matches(&self, record: &AnchoredRecord<'_>) -> [Option<u64>; 2] {
        if !self.rule.is_in_matches() {
            return [None, None];
        }
        let mut games: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        for one in &record.games {
            *games.entry((one.start, one.anchor)).or_default() += 1;
        }
        let all: Vec<_> = games.values().collect();
        let are_whole = |wanted| count_of(&all, |games| (2 <= **games) == wanted);
        [Some(are_whole(true)), Some(are_whole(false))]
    }

    fn grades(&self, record: &AnchoredRecord<'_>) -> Option<Grades> {
        let rule = self.protocol.grading?;
        let mut grades = Grades::default();
        for one in &record.games {
            let rules = self.protocol.rules;
            let measurements = &self.projection.measurements;
            grades.take(measurements, &rule, one.game, one.color, rules);
        }
        Some(grades)
    }
}

fn is_forfeit_of_anchor(one: &AnchoredGame<'_>) -> bool {
    let is_forfeit = one.game.termination().is_some_and(Termination::is_forfeit);
    let winner = one.game.result().and_then(GameResult::winner);
    is_forfeit && winner == Some(one.color)
}

fn is_provider_failure(game: &Game) -> bool {
    matches!(
        game.state,
        GameState::Aborted {
            cause: AbortCause::ProviderFailure,
            ..
        }
    )
}

fn count_of<T>(all: &[T], which: impl Fn(&T) -> bool) -> u64 {
    let count = all.iter().filter(|one| which(one)).count();
    u64::try_from(count).unwrap_or(u64::MAX)
}
