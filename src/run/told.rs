use std::fmt;

use crate::chess::Color;
use crate::event::{EventId, StopReason};
use crate::projection::{Game, GameState, Projection};
use crate::run::{Going, Toll};

/// What a game is played for, in the words of whoever watches a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// A cell of a round robin.
    Cell {
        /// Its position, from 0.
        cell: usize,
        /// How many cells there are.
        cells: usize,
    },
    /// A cell of a newcomer's placement.
    Newcomer {
        /// Its position, from 0.
        cell: usize,
        /// How many cells there are.
        cells: usize,
    },
    /// A draw of the ladder.
    Draw {
        /// Its number, from 0.
        number: u64,
    },
    /// A person's choice.
    Manual,
}

impl fmt::Display for Occasion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cell { cell, cells } => write!(f, "game {} of {cells}", cell + 1),
            Self::Newcomer { cell, cells } => write!(f, "newcomer game {} of {cells}", cell + 1),
            Self::Draw { number } => write!(f, "draw {number}"),
            Self::Manual => f.write_str("manual game"),
        }
    }
}

/// What a run tells while it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A killed run's call is in nobody's hands any more.
    Lost {
        /// The call.
        call: EventId,
    },
    /// A game begins, or goes on after a run that was killed or stopped.
    Started {
        /// What it is played for.
        occasion: Occasion,
        /// Moves that were accepted before.
        plies: usize,
    },
    /// A game has ended.
    Ended {
        /// What it was played for.
        occasion: Occasion,
        /// White, Black, and how it ended, in words.
        summary: String,
        /// What its calls of models took. Nothing where nobody in it is billed.
        took: Option<Toll>,
    },
    /// How far the run is: said now and then, and whenever a game has ended.
    Going(Going),
}

/// How a run ended. Cells are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunOutcome {
    /// Every cell has its game.
    Finished,
    /// Cells stay open because they failed too often.
    Exhausted {
        /// Which.
        open: Vec<usize>,
    },
    /// As many games as were asked for; cells are open still.
    Paused {
        /// Which.
        open: Vec<usize>,
    },
    /// What it was allowed to take is spent; cells are open still.
    Spent {
        /// What of it, in words.
        what: String,
        /// Which.
        open: Vec<usize>,
    },
    /// It was told to stop; cells are open still.
    Interrupted {
        /// Which.
        open: Vec<usize>,
    },
    /// Cells stay open because one of their systems does not play now.
    Deferred {
        /// Which.
        open: Vec<usize>,
    },
    /// Game after game was aborted, where the protocol sets no end to that.
    Failing {
        /// Which cells are open.
        open: Vec<usize>,
    },
}

impl RunOutcome {
    /// The word for it in the ledger.
    pub(crate) const fn reason(&self) -> StopReason {
        match self {
            Self::Finished => StopReason::Finished,
            Self::Exhausted { .. } => StopReason::CellsExhausted,
            Self::Paused { .. } => StopReason::GamesPlayed,
            Self::Spent { .. } => StopReason::BudgetSpent,
            Self::Interrupted { .. } => StopReason::Interrupted,
            Self::Deferred { .. } => StopReason::NothingReady,
            Self::Failing { .. } => StopReason::Failed,
        }
    }
}

/// How a run on a ladder ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LadderOutcome {
    /// As many games as were asked for.
    Played,
    /// It was told to stop.
    Interrupted,
    /// What the games of the era were allowed to take is spent.
    Spent {
        /// What of it, in words.
        what: String,
    },
    /// Nothing can be played now, for this reason.
    Idle(&'static str),
    /// Game after game was aborted.
    Failing,
    /// The ladder wants somebody at the board who is not in the run file.
    Absent {
        /// The names of who is missing.
        missing: Vec<String>,
    },
}

impl LadderOutcome {
    /// The word for it in the ledger.
    pub(crate) const fn reason(&self) -> StopReason {
        match self {
            Self::Played => StopReason::GamesPlayed,
            Self::Interrupted => StopReason::Interrupted,
            Self::Spent { .. } => StopReason::BudgetSpent,
            Self::Idle(_) => StopReason::NothingReady,
            Self::Failing | Self::Absent { .. } => StopReason::Failed,
        }
    }
}

/// Returns who played, and how it ended, in words.
pub(crate) fn summary(projection: &Projection, game: &Game) -> String {
    let name = |color| {
        let system = projection.systems.system(game.seat(color));
        system.map_or_else(String::new, |system| system.registered.name.to_string())
    };
    let end = match game.state {
        GameState::Finished {
            result,
            termination,
            ..
        } => format!(
            "{result} by {termination} after {}",
            counted_plies(game.moves.len())
        ),
        GameState::Aborted { .. } => {
            let reason = game.abort_reason.as_deref().unwrap_or_default();
            format!("aborted, no result: {reason}")
        }
        GameState::Playing => "goes on".to_owned(),
    };
    format!("{} - {}: {end}", name(Color::White), name(Color::Black))
}

/// Plies with the number before them, in words.
pub fn counted_plies(number: impl TryInto<u64>) -> String {
    match number.try_into().unwrap_or(u64::MAX) {
        1 => "1 ply".to_owned(),
        number => format!("{number} plies"),
    }
}
