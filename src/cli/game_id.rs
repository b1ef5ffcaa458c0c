use std::str::FromStr;

use crate::chess::GameResult;
use crate::cli::error::CliError;
use crate::projection::{Game, Projection};

/// The fewest digits that name a game or an event.
const DIGITS_MIN: usize = 4;

/// Reads an id, or its beginning, of what is called so.
pub(crate) fn parse_digits(text: &str, of: &str) -> Result<String, String> {
    let is_hex = text
        .bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if is_hex && (DIGITS_MIN..=64).contains(&text.len()) {
        Ok(text.to_owned())
    } else {
        Err(format!(
            "expected the id of {of}, or its first {DIGITS_MIN} to 63 digits: lowercase hex"
        ))
    }
}

/// The id of a game, or its beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GameId(String);

impl FromStr for GameId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        parse_digits(text, "a game").map(Self)
    }
}

impl GameId {
    /// The digits that were given.
    pub(crate) fn digits(&self) -> &str {
        &self.0
    }

    /// Returns the one game that is meant, or says which ones could be.
    pub(crate) fn find<'a>(&self, projection: &'a Projection) -> Result<&'a Game, CliError> {
        let candidates = projection.games.beginning_with(self.digits());
        let (what, games) = match candidates.as_slice() {
            [only] => return Ok(only),
            [] => ("no game begins with", projection.games.iter().collect()),
            [_, ..] => ("more than one game begins with", candidates),
        };
        Err(CliError::Input(format!(
            "{what} {}; {}",
            self.digits(),
            in_words(projection, &games)
        )))
    }
}

/// Lists games, the last one first.
fn in_words(projection: &Projection, games: &[&Game]) -> String {
    const SHOWN: usize = 10;
    if games.is_empty() {
        return format!("there is none before event {}", projection.size);
    }
    let mut lines = vec!["there is:".to_owned()];
    lines.extend(games.iter().rev().take(SHOWN).map(|game| {
        let [white, black] = game.seats().map(|(_, system)| projection.name_of(system));
        let end = game.result().map_or("no result", GameResult::as_str);
        format!("  {}  {white} - {black}, {end}", game.id)
    }));
    if SHOWN < games.len() {
        lines.push(format!("  and {} earlier ones", games.len() - SHOWN));
    }
    lines.join("\n")
}
