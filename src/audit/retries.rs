//! A registered cell is played again only where a provider failed: not after a
//! game that somebody stopped, nor until a result pleases.

use crate::audit::Subject;
use crate::chess::Color;
use crate::event::AbortCause;
use crate::finding::{Code, Finding, Place};
use crate::projection::{Game, GameState, Projection};
use crate::release::SPECIFICATION;

pub(crate) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(prefix) = subject.evidence.prefix.as_ref() else {
        return Vec::new();
    };
    let cohorts = subject.specification.cohorts.iter();
    let schedules = cohorts.filter_map(|cohort| prefix.schedules.cohort(cohort.as_str()));
    let mut findings = Vec::new();
    for schedule in schedules {
        for (cell, games) in schedule.games.iter().enumerate() {
            let earlier = games.split_last().map_or(&[][..], |(_, earlier)| earlier);
            let earlier = earlier.iter().filter_map(|id| prefix.games.game(id));
            let retried = earlier.filter_map(|game| Some((game, unfounded(prefix, game)?)));
            findings.extend(retried.map(|(game, found)| {
                let place = Place::file(SPECIFICATION).with_event(*game.id.digest());
                let cohort = &schedule.committed.cohort;
                let expected = format!(
                    "a provider failure, or a deviation that names the game, before cell {cell} of {cohort} is played again"
                );
                Finding::new(Code::CellRetried, place, expected, found)
            }));
        }
    }
    findings
}

/// Why a game is no ground for another one in its cell, where it is none.
fn unfounded(prefix: &Projection, game: &Game) -> Option<&'static str> {
    let GameState::Aborted { cause, .. } = game.state else {
        // Who plays on in a cell that has a result is told by another rule.
        return None;
    };
    let colors = [Color::White, Color::Black].into_iter();
    let has_failed = colors
        .map(|color| game.resources.get(color))
        .any(|resources| !resources.failed.is_empty());
    let found = match cause {
        AbortCause::Maintainer => "a game that the maintainer stopped",
        AbortCause::ProviderFailure if !has_failed => {
            "a game said to have failed, in which no call failed"
        }
        AbortCause::ProviderFailure | AbortCause::RunnerFailure => return None,
    };
    let mut deviations = prefix.record.deviations.iter();
    let is_told = deviations.any(|deviation| deviation.said.affected.contains(&game.id));
    (!is_told).then_some(found)
}
