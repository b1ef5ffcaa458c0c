use rusqlite::Connection;

use crate::chess::Color;
use crate::measure::{NotFinite, Rating, decimal};
use crate::projection::{Era, Projection};
use crate::store::draft::IndexError;
use crate::store::row::{Row, insert, integer, known_integer, known_text, text};

/// Adds every identity, with the systems that it is registered as.
pub(crate) fn insert_identities(
    connection: &Connection,
    projection: &Projection,
) -> Result<(), rusqlite::Error> {
    for identity in projection.identities.iter() {
        let row = vec![
            ("id", text(identity.id)),
            ("ledger_index", integer(identity.index)),
            ("name", text(projection.name_of(&identity.id))),
            ("status", text(identity.status.as_str())),
        ];
        insert(connection, "identities", row)?;
    }
    Ok(())
}

/// Adds an era with its ladder, its rated games and its draws.
pub(crate) fn insert_era(
    connection: &Connection,
    projection: &Projection,
    era: &Era,
) -> Result<(), IndexError> {
    let started = &era.started;
    let row = vec![
        ("id", text(era.id)),
        ("ledger_index", integer(era.index)),
        ("name", text(&started.name)),
        ("protocol", text(started.protocol)),
        ("placement", text(started.placement)),
        ("seed_sha256", text(started.seed_sha256)),
        (
            "seed",
            known_text(
                era.seed
                    .map(|seed| crate::digest::Digest::new(*seed.bytes())),
            ),
        ),
        ("reach", integer(era.rule.reach.get())),
        ("window_hours", integer(era.rule.window_hours.get())),
        ("is_placed", integer(i64::from(era.is_placed))),
    ];
    insert(connection, "eras", row)?;
    insert_ladder(connection, projection, era)?;
    insert_rated(connection, era)?;
    for draw in &era.draws {
        let made = &draw.made;
        let row = vec![
            ("id", text(draw.id)),
            ("era", text(era.id)),
            ("number", integer(made.number.get())),
            ("eligible", integer(made.eligible.len())),
            ("picked", text(made.picked)),
            ("white", text(made.white)),
            ("black", text(made.black)),
            ("game", known_text(draw.game)),
        ];
        insert(connection, "draws", row)?;
    }
    Ok(())
}

fn insert_ladder(
    connection: &Connection,
    projection: &Projection,
    era: &Era,
) -> Result<(), IndexError> {
    let standings = projection.standings(era);
    for (identity, member) in era.ladder.members() {
        let standing = standings.iter().find(|one| one.identity == *identity);
        let cost = projection.cost_per_game(era, *identity);
        let mut row = vec![
            ("era", text(era.id)),
            ("identity", text(identity)),
            ("position", known_integer(standing.map(|one| one.position))),
            ("rank", known_integer(standing.map(|one| one.rank))),
            (
                "status",
                text(projection.identities.status(identity).as_str()),
            ),
            ("is_placed", integer(i64::from(member.is_placed))),
            (
                "cost_usd_per_game",
                known_text(cost.and_then(|cost| cost.average())),
            ),
            (
                "cost_per_game_games",
                integer(cost.map_or(0, |cost| cost.games)),
            ),
        ];
        row.extend(figures(
            ["rating", "deviation", "volatility"],
            &member.rating,
        )?);
        insert(connection, "ladder_standings", row)?;
    }
    Ok(())
}

fn insert_rated(connection: &Connection, era: &Era) -> Result<(), IndexError> {
    for (position, rated) in era.ladder.rated().iter().enumerate() {
        for color in [Color::White, Color::Black] {
            let mut row = vec![
                ("era", text(era.id)),
                ("position", integer(position)),
                ("game", text(rated.game)),
                ("color", text(color)),
                ("identity", text(rated.players.get(color))),
            ];
            let before = ["rating_before", "deviation_before", "volatility_before"];
            row.extend(figures(before, rated.before.get(color))?);
            let after = ["rating_after", "deviation_after", "volatility_after"];
            row.extend(figures(after, rated.after.get(color))?);
            insert(connection, "rated_games", row)?;
        }
    }
    Ok(())
}

/// A rating as boards print it.
fn figures(names: [&'static str; 3], rating: &Rating) -> Result<Row, NotFinite> {
    let [name, deviation, volatility] = names;
    Ok(vec![
        (name, text(decimal(rating.rating, 6)?)),
        (deviation, text(decimal(rating.deviation, 6)?)),
        (volatility, text(decimal(rating.volatility, 9)?)),
    ])
}
