use crate::board::Table;
use crate::event::EventId;
use crate::projection::{Game, GameChoice, GameState, Projection, games_pgn};
use crate::release::GenerateError;
use crate::release::asked::Asked;

/// Returns the index of a cohort's games as CSV, in the order they were started.
pub(crate) fn csv(projection: &Projection, cohort: &str) -> Result<Vec<u8>, GenerateError> {
    let cohort = crate::board::cohort(projection, cohort)?;
    let of_cohort = |game: &Game| {
        game.cell()
            .filter(|cell| cell.schedule == cohort.schedule.id)
    };
    let mut games = projection
        .games
        .iter()
        .filter(|game| of_cohort(game).is_some());
    // Where nothing is excluded, nothing is said of it.
    let says_excluded = games.any(|game| game.is_excluded);
    let mut columns = vec![
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
    ];
    columns.extend(says_excluded.then_some("excluded_by"));
    let mut table = Table::new(columns);
    for game in projection.games.iter() {
        let Some(cell) = of_cohort(game) else {
            continue;
        };
        let (state, ended_at, ended_by) = match game.state {
            GameState::Playing => ("playing", String::new(), String::new()),
            GameState::Finished { id, at, .. } => ("finished", at.to_string(), id.to_string()),
            GameState::Aborted { id, at, .. } => ("aborted", at.to_string(), id.to_string()),
        };
        let termination = game.termination();
        let mut row = vec![
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
        ];
        let excluding = projection.corrections.excluding(&game.id);
        let excluded_by = excluding.map_or_else(String::new, |one| one.id.to_string());
        row.extend(says_excluded.then_some(excluded_by));
        table.push(row);
    }
    Ok(table.csv())
}

fn name(projection: &Projection, system: &EventId) -> String {
    let system = projection.systems.system(system);
    system.map_or_else(String::new, |system| system.registered.name.to_string())
}

/// Returns a cohort's games as PGN.
pub(crate) fn pgn(asked: &Asked<'_>) -> Result<Vec<u8>, GenerateError> {
    let choice = GameChoice {
        cohort: Some(asked.cohort()),
        ..GameChoice::default()
    };
    Ok(games_pgn(asked.projection, asked.source, &choice)?.into_bytes())
}
