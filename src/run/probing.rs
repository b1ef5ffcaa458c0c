//! Asking endgame tables about games that were cut off.

use std::collections::BTreeSet;

use crate::canonical::Integer;
use crate::chess::{Fen, Position, TableFault, Tablebase, Termination, Variant};
use crate::event::TablebaseProbed;
use crate::projection::{Game, Projection, Tablebases};
use crate::run::RunError;
use crate::run::record::Record;
use crate::run::table_files::{TableFolderError, TableFolders};

/// What there is to be asked of tables.
#[derive(Clone, Debug, Default)]
pub struct ProbeWork {
    /// Games that count and ended by adjudication or the ply limit.
    pub games: usize,
    /// Those of them whose last position the tables do not hold.
    pub not_held: usize,
    /// Positions of these games that the tables hold, each once: the last one,
    /// and the first that they hold at all.
    pub positions: usize,
    /// Those that stand in the ledger already.
    pub known: usize,
    /// Those that do not, in the order of the games.
    pub open: Vec<Position>,
}

/// What came of asking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Probing {
    /// How many positions were probed.
    pub probed: usize,
    /// For how many the tables lack one that a capture leads to.
    pub lacking: usize,
    /// How many stay open because it was told to stop.
    pub left: usize,
}

/// Why tables could not be asked, or the ledger not take what they said.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// The ledger does not take it.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A table is damaged.
    #[error(transparent)]
    Table(#[from] TableFault),
    /// A table cannot be read.
    #[error(transparent)]
    Folder(#[from] TableFolderError),
}

impl ProbeWork {
    /// Returns what there is to be asked of these tables: positions of games that
    /// were cut off, and which of them stand in the ledger already, by whatever
    /// tables.
    pub fn of(projection: &Projection, tables: &Tablebase) -> Self {
        let mut work = Self::default();
        let mut seen = BTreeSet::new();
        for game in projection.games.iter().filter(|game| is_cut_off(game)) {
            work.games += 1;
            let held = held(game, tables);
            work.not_held += usize::from(!held.is_last);
            for position in held.first.into_iter().chain(held.last) {
                let fen = position.fen();
                if !seen.insert(Tablebases::placed(&fen).to_owned()) {
                    continue;
                }
                work.positions += 1;
                if projection.tablebases.of(&fen).is_some() {
                    work.known += 1;
                } else {
                    work.open.push(position);
                }
            }
        }
        work
    }
}

/// Positions of a game that tables hold.
#[derive(Default)]
struct Held {
    first: Option<Position>,
    last: Option<Position>,
    is_last: bool,
}

fn is_cut_off(game: &Game) -> bool {
    let ended = game.termination();
    game.counts() && ended.is_some_and(Termination::is_censored)
}

fn held(game: &Game, tables: &Tablebase) -> Held {
    let start = &game.started.start;
    // A game that cannot be replayed has findings, and is not asked about.
    let Ok(mut position) = start.fen.position(start.variant) else {
        return Held::default();
    };
    let opening = game.started.opening.iter();
    let opening = opening.flat_map(|opening| opening.moves.iter().copied());
    let played = game.moves.iter().map(|played| played.uci);
    let mut first = None;
    let look = |position: &Position, first: &mut Option<Position>| {
        if first.is_none() && tables.holds(position) {
            *first = Some(position.clone());
        }
    };
    look(&position, &mut first);
    for uci in opening.chain(played) {
        if position.play(uci).is_err() {
            return Held::default();
        }
        look(&position, &mut first);
    }
    let is_last = tables.holds(&position);
    Held {
        first,
        last: is_last.then_some(position),
        is_last,
    }
}

/// Asks the tables about positions, one after another. Every answer is in the
/// ledger before the next question: a run that is killed loses the one at hand
/// and nothing else.
///
/// # Errors
///
/// When a table is damaged or cannot be read, or the ledger takes no more events.
pub fn probe(
    record: &mut Record<'_>,
    (tables, folders): (&Tablebase, &TableFolders),
    open: &[Position],
    stop: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(usize),
) -> Result<Probing, ProbeError> {
    let mut probing = Probing {
        left: open.len(),
        ..Probing::default()
    };
    for position in open {
        if stop() {
            break;
        }
        match probed(tables, folders, position)? {
            // Somebody else may have written it since the ledger was read.
            Some(said) if record.projection().tablebases.of(&said.fen).is_none() => {
                record.say(said)?;
                record.commit().map_err(RunError::from)?;
                probing.probed += 1;
            }
            Some(_) => {}
            None => probing.lacking += 1,
        }
        probing.left -= 1;
        tell(open.len() - probing.left);
    }
    Ok(probing)
}

/// What the tables say of a position, as an event.
fn probed(
    tables: &Tablebase,
    folders: &TableFolders,
    position: &Position,
) -> Result<Option<TablebaseProbed>, ProbeError> {
    let Some(answer) = tables.probe(position)? else {
        return Ok(None);
    };
    let files = answer.files.iter().map(|name| folders.identity(name));
    Ok(Some(TablebaseProbed {
        dtz: answer.dtz.map(Integer::from),
        fen: standard(position),
        files: files.collect::<Result<_, _>>()?,
        wdl: Integer::from(i32::from(answer.wdl.number())),
    }))
}

/// Without castling rights the variants are one, and so are their texts.
fn standard(position: &Position) -> Fen {
    let fen = position.fen();
    debug_assert!(fen.position(Variant::Standard).is_ok(), "{fen}");
    fen
}
