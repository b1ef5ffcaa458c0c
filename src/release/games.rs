use crate::board::Table;
use crate::event::EventId;
use crate::projection::{GameState, Projection};
use crate::release::GenerateError;

/// Returns the index of a cohort's games as CSV, in the order they were started.
pub(crate) fn csv(projection: &Projection, cohort: &str) -> Result<Vec<u8>, GenerateError> {
    let cohort = crate::board::cohort(projection, cohort)?;
    let mut table = Table::new(vec![
        "cell",
        "game",
        "white",
        "black",
        "state",
        "result",
        "termination",
        "censored",
        "plies",
        "rejected",
        "started_at",
        "ended_at",
        "ended_by",
    ]);
    for game in projection.games.iter() {
        let of_cohort = game
            .cell()
            .filter(|cell| cell.schedule == cohort.schedule.id);
        let Some(cell) = of_cohort else { continue };
        let (state, ended_at, ended_by) = match game.state {
            GameState::Playing => ("playing", String::new(), String::new()),
            GameState::Finished { id, at, .. } => ("finished", at.to_string(), id.to_string()),
            GameState::Aborted { id, at, .. } => ("aborted", at.to_string(), id.to_string()),
        };
        let termination = game.termination();
        table.push(vec![
            cell.index.to_string(),
            game.id.to_string(),
            name(projection, &game.started.seats.white),
            name(projection, &game.started.seats.black),
            state.to_owned(),
            game.result()
                .map_or_else(String::new, |result| result.to_string()),
            termination.map_or_else(String::new, |end| end.to_string()),
            termination.map_or_else(String::new, |end| end.is_censored().to_string()),
            game.accepted.to_string(),
            game.rejected_answers().to_string(),
            game.started_at.to_string(),
            ended_at,
            ended_by,
        ]);
    }
    Ok(table.csv())
}

fn name(projection: &Projection, system: &EventId) -> String {
    let system = projection.systems.system(system);
    system.map_or_else(String::new, |system| system.registered.name.to_string())
}
