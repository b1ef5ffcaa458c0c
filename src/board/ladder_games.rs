use std::collections::BTreeMap;

use crate::board::Table;
use crate::chess::Color;
use crate::event::EventId;
use crate::measure::{NotFinite, decimal};
use crate::projection::{Era, Game, GameState, MadeDraw, Projection, RatedGame};

/// Returns the index of a ladder: one row a game of the era in the order of the
/// ledger, with the draw that it was started for, where both stood then, and their
/// ratings after it; then the draws that no game was started for.
///
/// Ranks and ratings that nobody had are empty. Ratings after a game of the first
/// batch are empty too: it is one rating period.
///
/// # Errors
///
/// When a rating is no finite number.
pub fn ladder_game_figures(projection: &Projection, era: &Era) -> Result<Table, NotFinite> {
    let mut table = Table::new(vec![
        "game",
        "stage",
        "state",
        "draw",
        "draw_number",
        "draw_eligible",
        "draw_picked",
        "white",
        "black",
        "white_rank",
        "black_rank",
        "white_rating",
        "black_rating",
        "result",
        "termination",
        "is_excluded",
        "white_rating_after",
        "black_rating_after",
    ]);
    let drawn = era.draws.iter();
    let drawn: BTreeMap<EventId, &MadeDraw> =
        drawn.filter_map(|draw| Some((draw.game?, draw))).collect();
    let rated: BTreeMap<EventId, &RatedGame> = era
        .ladder
        .rated()
        .iter()
        .map(|one| (one.game, one))
        .collect();
    let games = projection.games.iter();
    for game in games.filter(|game| game.era == Some(era.id)) {
        let id = game.id.to_string();
        let (stage, state) = (game.started.stage.as_str(), state(game));
        let mut row = vec![id, stage.to_owned(), state.to_owned()];
        row.extend(draw(projection, drawn.get(&game.id).copied()));
        row.extend([Color::White, Color::Black].map(|color| projection.name_of(game.seat(color))));
        row.extend(standings(game)?);
        let (result, end) = (game.result(), game.termination());
        row.extend([
            result.map_or_else(String::new, |result| result.to_string()),
            end.map_or_else(String::new, |end| end.to_string()),
            game.is_excluded.to_string(),
        ]);
        let after = rated.get(&game.id).map(|one| one.after);
        for color in [Color::White, Color::Black] {
            let rating = after.map(|after| decimal(after.get(color).rating, 6));
            row.push(rating.transpose()?.unwrap_or_default());
        }
        table.push(row);
    }
    for unplayed in era.draws.iter().filter(|draw| draw.game.is_none()) {
        let mut row = vec![String::new(), String::new(), "not_started".to_owned()];
        row.extend(draw(projection, Some(unplayed)));
        let made = &unplayed.made;
        row.extend([&made.white, &made.black].map(|system| projection.name_of(system)));
        row.resize(table.columns().len(), String::new());
        table.push(row);
    }
    Ok(table)
}

const fn state(game: &Game) -> &'static str {
    match game.state {
        GameState::Playing => "playing",
        GameState::Finished { .. } => "finished",
        GameState::Aborted { .. } => "aborted",
    }
}

/// A draw's id, number, how many could be chosen, and who was chosen first.
fn draw(projection: &Projection, draw: Option<&MadeDraw>) -> [String; 4] {
    draw.map_or_else(Default::default, |draw| {
        [
            draw.id.to_string(),
            draw.made.number.to_string(),
            draw.made.eligible.len().to_string(),
            projection.name_of(&draw.made.picked),
        ]
    })
}

/// The ranks and the ratings of White and Black when the game was started.
fn standings(game: &Game) -> Result<[String; 4], NotFinite> {
    let at_start = game.at_start.unwrap_or_default();
    let colors = [Color::White, Color::Black].map(|color| *at_start.get(color));
    let [white, black] = colors.map(|one| one.rank);
    let rank = |rank: Option<u64>| rank.map_or_else(String::new, |rank| rank.to_string());
    let rating = |rating: Option<f64>| {
        let text = rating.map(|rating| decimal(rating, 6)).transpose()?;
        Ok(text.unwrap_or_default())
    };
    let [one, other] = colors.map(|one| one.rating);
    Ok([rank(white), rank(black), rating(one)?, rating(other)?])
}
