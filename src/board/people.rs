use crate::board::{Table, Wdl};
use crate::measure::{NotFinite, decimal};
use crate::projection::{Game, Person, Projection};

/// Returns the table of people with every figure, the highest Elo first.
///
/// # Errors
///
/// When an Elo is no finite number.
pub fn people_figures(projection: &Projection) -> Result<Table, NotFinite> {
    let mut table = Table::new(vec![
        "position", "player", "elo", "games", "wins", "draws", "losses", "video", "issuer",
    ]);
    for ((person, wdl), place) in by_elo(projection).into_iter().zip(1_u64..) {
        table.push(vec![
            place.to_string(),
            person.id.to_string(),
            decimal(person.elo, 6)?,
            wdl.games().to_string(),
            wdl.wins.to_string(),
            wdl.draws.to_string(),
            wdl.losses.to_string(),
            person.video.as_str().to_owned(),
            person.registered.issuer.to_string(),
        ]);
    }
    Ok(table)
}

/// People with what came of their games, the highest Elo first.
fn by_elo(projection: &Projection) -> Vec<(&Person, Wdl)> {
    let mut people: Vec<_> = projection.people.iter().collect();
    people.sort_by(|a, b| b.elo.total_cmp(&a.elo).then(a.index.cmp(&b.index)));
    let with_games = people.into_iter().map(|person| {
        let mut wdl = Wdl::default();
        for played in &person.games {
            let game = projection.games.game(&played.game);
            if let Some(result) = game.and_then(Game::result) {
                wdl.take(result, played.color);
            }
        }
        (person, wdl)
    });
    with_games.collect()
}

/// Returns the short table of people, the highest Elo first.
///
/// # Errors
///
/// When an Elo is no finite number.
pub fn people(projection: &Projection) -> Result<Table, NotFinite> {
    let mut table = Table::new(vec![
        "#",
        "Player",
        "Elo",
        "n",
        "W-D-L",
        "Video",
        "Registered by",
    ]);
    for ((person, wdl), place) in by_elo(projection).into_iter().zip(1_u64..) {
        table.push(vec![
            place.to_string(),
            person.id.digest().short(),
            decimal(person.elo, 0)?,
            wdl.games().to_string(),
            wdl.to_string(),
            person.video.as_str().to_owned(),
            person.registered.issuer.to_string(),
        ]);
    }
    Ok(table)
}
