use crate::board::{BoardError, Table, cohort};
use crate::chess::Ply;
use crate::event::EventId;
use crate::projection::{Cohort, Game, Projection, RejectedAnswer};

/// Returns the index of the turns of a cohort: one row an answer that was judged,
/// in the order of cells, games, plies and attempts. Games of any state are in it.
///
/// A projection that has forgotten moves has no rows of games that have ended.
///
/// # Errors
///
/// When there is no such cohort.
pub fn turn_figures(projection: &Projection, name: &str) -> Result<Table, BoardError> {
    let Cohort { schedule, .. } = cohort(projection, name)?;
    let mut table = Table::new(vec![
        "cell",
        "game",
        "ply",
        "color",
        "system",
        "attempt",
        "outcome",
        "move",
        "class",
        "event",
        "call",
        "excluded_by",
    ]);
    for (cell, games) in schedule.games.iter().enumerate() {
        for game in games.iter().filter_map(|id| projection.games.game(id)) {
            push_game(&mut table, projection, cell, game);
        }
    }
    Ok(table)
}

fn push_game(table: &mut Table, projection: &Projection, cell: usize, game: &Game) {
    let excluding = projection.corrections.excluding(&game.id);
    let excluded_by = excluding.map_or_else(String::new, |one| one.id.to_string());
    let opening = game.started.opening.as_ref();
    let opening = opening.map_or(0, |opening| opening.moves.len());
    let mut rejected = game.rejected.iter().peekable();
    let mut color = match &game.started.opening {
        Some(opening) if opening.moves.len() % 2 == 1 => game.first_to_move().other(),
        Some(_) | None => game.first_to_move(),
    };
    let mut push = |ply: Ply, color: crate::chess::Color, attempt: u64, answer: Answer<'_>| {
        let (outcome, uci, class, event, call) = match answer {
            Answer::Accepted(uci, event, call) => ("accepted", uci, "", event, call),
            Answer::Rejected(one) => {
                let class = one.class.as_str();
                ("rejected", String::new(), class, one.id, one.call)
            }
        };
        table.push(vec![
            cell.to_string(),
            game.id.to_string(),
            ply.to_string(),
            color.to_string(),
            projection.name_of(game.seat(color)),
            attempt.to_string(),
            outcome.to_owned(),
            uci,
            class.to_owned(),
            event.to_string(),
            call.map_or_else(String::new, |call| call.to_string()),
            excluded_by.clone(),
        ]);
    };
    for (played, ply) in game.moves.iter().zip(opening + 1..) {
        let ply = Ply(u32::try_from(ply).unwrap_or(u32::MAX));
        let mut attempt = 1;
        while let Some(one) = rejected.next_if(|one| one.ply <= ply) {
            push(one.ply, one.color, one.attempt, Answer::Rejected(one));
            attempt = one.attempt + 1;
        }
        let answer = Answer::Accepted(played.uci.to_string(), played.id, played.call);
        push(ply, color, attempt, answer);
        color = color.other();
    }
    for one in rejected {
        push(one.ply, one.color, one.attempt, Answer::Rejected(one));
    }
}

/// How an answer was judged.
enum Answer<'a> {
    /// A move, its event, and the call that it came from.
    Accepted(String, EventId, Option<EventId>),
    /// No move.
    Rejected(&'a RejectedAnswer),
}
