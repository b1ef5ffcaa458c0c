use std::collections::BTreeMap;

use crate::chess::{PgnGame, PgnMove, Termination, WritePgnError};
use crate::event::{EventId, EvidenceStatus};
use crate::projection::{Cohort, Game, GameState, ListedMove, Projection, Source};

/// Which games are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameChoice<'a> {
    /// Only the games that count for this cohort: those its board is made of.
    pub cohort: Option<&'a str>,
    /// Only this game.
    pub game: Option<&'a EventId>,
    /// Also games that were aborted; their result is `*`.
    pub with_aborted: bool,
}

/// Games cannot be written as PGN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GamesPgnError {
    /// No schedule has this cohort.
    #[error("no cohort named {wanted} before event {size}; there is: {there}")]
    NoCohort {
        /// What was asked for.
        wanted: String,
        /// The prefix that was looked at.
        size: u64,
        /// The cohorts there are.
        there: String,
    },
    /// A game of the evidence is none.
    #[error("game {game}: {source}")]
    Game {
        /// The game.
        game: EventId,
        /// Why.
        source: WritePgnError,
    },
}

/// Returns games in PGN export format, in the order they were started.
///
/// A function of the prefix alone: the same events give the same bytes. Every
/// move carries the id of the event that accepted it, so that each word of the
/// text leads back to a line of the ledger. Games that go on are left out.
/// Texts that players wrote are left out too: a reader may take a comment for
/// a command, and the event has the text.
///
/// # Errors
///
/// When there is no such cohort, or a game holds a move that is not legal,
/// which is a finding of the projection.
pub fn games_pgn(
    projection: &Projection,
    source: &Source,
    choice: &GameChoice<'_>,
) -> Result<String, GamesPgnError> {
    let mut statuses = BTreeMap::new();
    let mut pgn = String::new();
    for game in chosen(projection, choice)? {
        let schedule = projection.schedule_of(game);
        // Without a promise that was made before, evidence is exploratory.
        let status = schedule.map_or(EvidenceStatus::Pilot, |schedule| {
            *statuses
                .entry(schedule.id)
                .or_insert_with(|| Cohort::of(schedule, &projection.games).evidence_status())
        });
        let mut written = pgn_game(projection, game);
        written.tags.extend([
            tag("Site", source.origin.as_str()),
            tag("EvidenceStatus", status.as_str()),
            tag("LedgerRoot", source.root.to_string()),
            tag("LedgerSize", source.size.to_string()),
        ]);
        // The export format has tags beyond the roster in ASCII order.
        written.tags.sort();
        let text = written.write().map_err(|source| GamesPgnError::Game {
            game: game.id,
            source,
        })?;
        pgn.push_str(&text);
    }
    Ok(pgn)
}

/// Returns the games that were chosen, in the order they were started.
fn chosen<'a>(
    projection: &'a Projection,
    choice: &GameChoice<'_>,
) -> Result<Vec<&'a Game>, GamesPgnError> {
    let mut games: Vec<_> = match choice.cohort {
        None => projection.games.iter().collect(),
        Some(name) => {
            let cohort = projection
                .cohort(name)
                .ok_or_else(|| GamesPgnError::NoCohort {
                    wanted: name.to_owned(),
                    size: projection.size,
                    there: projection.schedules.cohorts_in_words(),
                })?;
            cohort.finished().chain(cohort.aborted.clone()).collect()
        }
    };
    games.retain(|game| {
        let is_wanted = choice.game.is_none_or(|wanted| *wanted == game.id);
        is_wanted
            && match game.state {
                GameState::Playing => false,
                GameState::Finished { .. } => true,
                GameState::Aborted { .. } => choice.with_aborted,
            }
    });
    games.sort_by_key(|game| game.index);
    Ok(games)
}

/// Returns a game with the tags that follow from it and its projection.
fn pgn_game(projection: &Projection, game: &Game) -> PgnGame {
    let moves = projection.move_list(game).moves;
    let protocol = projection.protocol_of(game).map(|protocol| &protocol.name);
    let event = match projection.schedule_of(game) {
        Some(schedule) => schedule.committed.cohort.as_str(),
        None => protocol.map_or("?", |name| name.as_str()),
    };
    let round = round_of(projection, game);
    let (termination, own_termination) = terminations(game);
    let mut tags = vec![
        tag("Event", event),
        tag("Date", game.started_at.day().replace('-', ".")),
        tag("Round", round),
        tag("White", projection.name_of(&game.started.seats.white)),
        tag("Black", projection.name_of(&game.started.seats.black)),
        tag("GameId", game.id.to_string()),
        tag("PlyCount", moves.len().to_string()),
        tag("ScoresheetTermination", own_termination),
        tag("Termination", termination),
    ];
    let corrections = [
        projection.corrections.excluding(&game.id),
        game.corrected_by
            .and_then(|id| projection.corrections.correction(&id)),
    ];
    for (name, correction) in ["ExcludedBy", "ResultCorrectedBy"]
        .into_iter()
        .zip(corrections)
    {
        tags.extend(correction.map(|correction| tag(name, correction.id.to_string())));
    }
    let mut rejected = rejected_before(game, moves.len()).into_iter();
    PgnGame {
        tags,
        start: game.started.start.fen.clone(),
        variant: game.started.start.variant,
        comments: rejected.next().unwrap_or_default(),
        moves: moves
            .iter()
            .zip(rejected)
            .map(|(listed, rejected)| PgnMove {
                uci: listed.uci,
                comments: [vec![origin_of(game, listed)], rejected].concat(),
            })
            .collect(),
        result: game.result(),
    }
}

/// Returns the round of a game: the number of its cell, and in a cohort of
/// mini-matches that of its mini-match and its place in it, as `7.2`. Its cells
/// stand together, see `cells_of`.
fn round_of(projection: &Projection, game: &Game) -> String {
    // A hyphen says that there are no rounds (PGN standard, section 8.1.1.4).
    let Some(cell) = game.cell() else {
        return "-".to_owned();
    };
    let index = cell.index.get();
    let schedule = projection.schedule_of(game);
    match schedule.map(|schedule| schedule.committed.rule) {
        Some(rule) if rule.is_in_matches() => format!("{}.{}", index / 2 + 1, index % 2 + 1),
        _ => (index + 1).to_string(),
    }
}

/// Returns the comments on rejected answers that stand before each move, and
/// behind the last one.
fn rejected_before(game: &Game, n_moves: usize) -> Vec<Vec<String>> {
    let mut comments = vec![Vec::new(); n_moves + 1];
    for answer in &game.rejected {
        // An answer for a ply that was never reached is a finding, and stands last.
        let before = usize::try_from(answer.ply.0.saturating_sub(1)).unwrap_or(n_moves);
        // Two comments, because each of them fits on a line.
        comments[before.min(n_moves)].extend([
            format!("rejected {}", answer.id),
            format!(
                "ply {}, attempt {}: {}",
                answer.ply,
                answer.attempt,
                answer.class.as_str()
            ),
        ]);
    }
    comments
}

/// Says where a move comes from.
fn origin_of(game: &Game, listed: &ListedMove) -> String {
    match (&listed.played, &game.started.opening) {
        (Some(played), _) => format!("event {}", played.id),
        (None, Some(opening)) => format!("opening {}", opening.name),
        (None, None) => String::new(),
    }
}

/// Returns why a game ended, in a word of the PGN standard (section 9.8.1) and
/// in our own.
const fn terminations(game: &Game) -> (&'static str, &'static str) {
    match game.state {
        GameState::Playing => ("unterminated", "playing"),
        GameState::Aborted { cause, .. } => ("abandoned", cause.as_str()),
        GameState::Finished { termination, .. } => {
            let word = match termination {
                Termination::Checkmate
                | Termination::Stalemate
                | Termination::ThreefoldRepetition
                | Termination::FiftyMoves
                | Termination::InsufficientMaterial => "normal",
                Termination::PlyLimit | Termination::Adjudication => "adjudication",
                Termination::RejectedMoves => "rules infraction",
            };
            (word, termination.as_str())
        }
    }
}

fn tag(name: &str, value: impl Into<String>) -> (String, String) {
    (name.to_owned(), value.into())
}
