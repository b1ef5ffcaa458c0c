use serde_json::{Value, json};

use crate::chess::Color;
use crate::cli::sheet::Sheet;
use crate::measure::{Rating, decimal};
use crate::projection::{ByColor, StandingAtStart};

impl Sheet<'_> {
    /// Where the players stood when the game was started, and what the game did
    /// to their ratings; nothing for a game of no era.
    pub(crate) fn standing_lines(&self) -> Vec<(&'static str, String)> {
        let Some(start) = &self.game.at_start else {
            return Vec::new();
        };
        let stood = |color| format!("{color} {}", stood(start.get(color)));
        let mut lines = vec![(
            "At start",
            [Color::White, Color::Black].map(stood).join(", "),
        )];
        if let Some(changes) = self.changes() {
            let change = |color| {
                let (before, after) = changes.get(color);
                format!("{color} {}", changed(*before, *after))
            };
            let both = [Color::White, Color::Black].map(change);
            lines.push(("Rated", both.join(", ")));
        } else if let Some((color, before, after)) = self.human() {
            lines.push(("Elo", format!("{color} {}", changed(before, after))));
        }
        lines
    }

    /// The same for programs.
    pub(crate) fn standing_json(&self) -> Option<Value> {
        let start = self.game.at_start.as_ref()?;
        let stood = |color: Color| {
            let standing = start.get(color);
            let mut part = json!({});
            if let Some(rank) = standing.rank {
                part["rank"] = json!(rank);
            }
            if let Some(Ok(rating)) = standing.rating.map(|rating| decimal(rating, 6)) {
                part["rating"] = json!(rating);
            }
            if let Some(changes) = self.changes() {
                let (before, after) = changes.get(color);
                part["before"] = rating(*before);
                part["after"] = rating(*after);
            }
            part
        };
        Some(json!({ "black": stood(Color::Black), "white": stood(Color::White) }))
    }

    /// The ratings just before and just after the game was finished.
    fn changes(&self) -> Option<ByColor<(f64, f64)>> {
        let era = self.projection.eras.era(&self.game.era?)?;
        let mut rated = era.ladder.rated().iter();
        let rated = rated.find(|rated| rated.game == self.game.id)?;
        let points = |rating: &Rating| rating.rating;
        Some(ByColor {
            white: (points(&rated.before.white), points(&rated.after.white)),
            black: (points(&rated.before.black), points(&rated.after.black)),
        })
    }

    /// A person's color, and their Elo before and after.
    fn human(&self) -> Option<(Color, f64, f64)> {
        self.game.seats().into_iter().find_map(|(color, seat)| {
            let person = self.projection.people.person(seat)?;
            let mut games = person.games.iter();
            let played = games.find(|played| played.game == self.game.id)?;
            Some((color, played.before, played.after))
        })
    }
}

fn rating(points: f64) -> Value {
    decimal(points, 6).map_or(Value::Null, Value::from)
}

fn stood(standing: &StandingAtStart) -> String {
    let points = standing.rating.map_or_else(String::new, |points| {
        decimal(points, 0).map_or_else(|_| String::new(), |points| format!(" at {points}"))
    });
    match standing.rank {
        Some(rank) => format!("#{rank}{points}"),
        None => format!("unranked{points}"),
    }
}

fn changed(before: f64, after: f64) -> String {
    let sign = if after < before { "" } else { "+" };
    match (
        decimal(before, 1),
        decimal(after, 1),
        decimal(after - before, 1),
    ) {
        (Ok(before), Ok(after), Ok(change)) => format!("{before} to {after} ({sign}{change})"),
        _ => "beyond numbers".to_owned(),
    }
}
