use crate::board::Table;
use crate::event::{CallFailure, EventId};
use crate::projection::{Game, Projection, Resources};
use crate::release::GenerateError;

/// What a system's games of a cohort say of its reliability.
#[derive(Default)]
struct Record {
    resources: Resources,
    accepted: u64,
    rejected: u64,
    forfeits: usize,
    finished: usize,
    aborted: usize,
}

impl Record {
    /// Returns the record of a system in these games.
    fn of(system: &EventId, games: &[&Game]) -> Self {
        let mut record = Self::default();
        for game in games {
            let Some(color) = game.color_of(system) else {
                continue;
            };
            record.resources.join(game.resources.get(color));
            record.rejected += *game.rejections.get(color);
            record.accepted += game.moves_of(color);
            match (game.result(), game.termination()) {
                (Some(result), Some(end)) => {
                    let is_lost = result.winner() == Some(color.other());
                    record.forfeits += usize::from(end.is_forfeit() && is_lost);
                    record.finished += 1;
                }
                _ => record.aborted += 1,
            }
        }
        record
    }
}

/// Returns the reliability of each system of a cohort as CSV, over all its
/// games, aborted ones too: provider failures by class, interface failures
/// apart from them, and no chess.
pub(crate) fn csv(projection: &Projection, cohort: &str) -> Result<Vec<u8>, GenerateError> {
    let cohort = crate::board::cohort(projection, cohort)?;
    let ids = cohort.schedule.games.iter().flatten();
    let games: Vec<&Game> = ids.filter_map(|id| projection.games.game(id)).collect();
    let classes = CallFailure::ALL;
    let mut columns = vec![
        "system",
        "games_finished",
        "games_without_result",
        "calls_sent",
        "calls_answered",
        "calls_failed",
    ];
    columns.extend(classes.iter().map(|class| class.as_str()));
    columns.extend(["answers_accepted", "answers_rejected", "forfeits"]);
    let mut table = Table::new(columns);
    for system in &cohort.schedule.committed.systems {
        let record = Record::of(system, &games);
        let resources = &record.resources;
        let name = projection.systems.system(system);
        let mut row = vec![
            name.map_or_else(String::new, |system| system.registered.name.to_string()),
            record.finished.to_string(),
            record.aborted.to_string(),
            resources.sent.to_string(),
            resources.answered.to_string(),
            resources.failures().to_string(),
        ];
        let of_class = |class| resources.failed.get(class).copied().unwrap_or_default();
        row.extend(classes.iter().map(|class| of_class(class).to_string()));
        row.extend([
            record.accepted.to_string(),
            record.rejected.to_string(),
            record.forfeits.to_string(),
        ]);
        table.push(row);
    }
    Ok(table.csv())
}
