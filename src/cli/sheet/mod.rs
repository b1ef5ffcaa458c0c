//! A game as its scoresheet, for people and for programs.

mod json;
mod standing;
mod text;

use std::collections::BTreeMap;

use crate::event::{EngineReport, Event, EventId, Verified, What};
use crate::finding::Finding;
use crate::projection::{
    Correction, Game, ListedMove, MoveList, Projection, RejectedAnswer, Source,
};

/// A line of the ledger, with its position.
pub(crate) struct LedgerLine {
    pub(crate) index: u64,
    pub(crate) event: Verified<Event>,
}

/// A game as its scoresheet, for people and for programs.
pub(crate) struct Sheet<'a> {
    projection: &'a Projection,
    source: &'a Source,
    game: &'a Game,
    lines: &'a [LedgerLine],
    moves: MoveList,
    /// What engines said, by the id of the answer.
    reports: BTreeMap<EventId, EngineReport>,
    findings: Vec<Finding>,
    /// Findings that corrections answer.
    answered: Vec<Finding>,
}

/// One answer of a turn: the move, or what was rejected before it.
enum Entry<'a> {
    Moved(&'a ListedMove),
    Rejected(&'a RejectedAnswer),
}

impl<'a> Sheet<'a> {
    /// Returns the sheet of a game; the lines are those that belong to it.
    pub(crate) fn new(
        projection: &'a Projection,
        source: &'a Source,
        game: &'a Game,
        lines: &'a [LedgerLine],
    ) -> Self {
        let reports = lines.iter().filter_map(|line| match &line.event.what {
            What::CallAnswered(answered) => Some((line.event.id(), answered.engine?)),
            _ => None,
        });
        let digests: Vec<_> = lines.iter().map(|line| *line.event.id().digest()).collect();
        let is_of_game = |finding: &&Finding| {
            let event = finding.place.event.as_ref();
            event.is_some_and(|event| digests.contains(event))
        };
        let findings = projection.findings.iter().filter(is_of_game);
        let answered = projection.answered.iter().map(|one| &one.finding);
        Self {
            projection,
            source,
            game,
            lines,
            moves: projection.move_list(game),
            reports: reports.collect(),
            findings: findings.cloned().collect(),
            answered: answered.filter(is_of_game).cloned().collect(),
        }
    }

    /// What contradicts what in this game.
    pub(crate) fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The corrections that name an event of the game, in the order they were
    /// recorded, whether they count or not.
    fn corrections(&self) -> Vec<&Correction> {
        let is_meant = |target: &EventId| self.lines.iter().any(|line| line.event.id() == *target);
        let corrections = self.projection.corrections.iter();
        corrections
            .filter(|correction| correction.recorded.targets.iter().any(is_meant))
            .collect()
    }

    /// Moves and rejected answers, in the order of turns.
    fn entries(&self) -> Vec<Entry<'_>> {
        let mut entries = Vec::new();
        let mut rejected = self.game.rejected.iter().peekable();
        for listed in &self.moves.moves {
            while let Some(answer) = rejected.next_if(|answer| answer.ply <= listed.ply) {
                entries.push(Entry::Rejected(answer));
            }
            entries.push(Entry::Moved(listed));
        }
        entries.extend(rejected.map(Entry::Rejected));
        entries
    }

    fn report(&self, answer: Option<&EventId>) -> Option<&EngineReport> {
        self.reports.get(answer?)
    }

    /// Why a game was aborted, in the words of whoever aborted it.
    fn abort_reason(&self) -> Option<&str> {
        self.lines.iter().find_map(|line| match &line.event.what {
            What::GameAborted(aborted) => Some(aborted.reason.as_str()),
            _ => None,
        })
    }
}
