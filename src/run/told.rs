use crate::chess::Color;
use crate::event::{EventId, StopReason};
use crate::projection::{Game, GameState, Projection};

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
        /// The cell, from 0.
        cell: usize,
        /// How many cells there are.
        cells: usize,
        /// Moves that were accepted before.
        plies: usize,
    },
    /// A game has ended.
    Ended {
        /// The cell, from 0.
        cell: usize,
        /// How many cells there are.
        cells: usize,
        /// White, Black, and how it ended, in words.
        summary: String,
    },
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
    /// It was told to stop; cells are open still.
    Interrupted {
        /// Which.
        open: Vec<usize>,
    },
}

impl RunOutcome {
    /// The word for it in the ledger.
    pub(crate) const fn reason(&self) -> StopReason {
        match self {
            Self::Finished => StopReason::Finished,
            Self::Exhausted { .. } => StopReason::CellsExhausted,
            Self::Paused { .. } | Self::Interrupted { .. } => StopReason::Interrupted,
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
        } => format!("{result} by {termination} after {} plies", game.moves.len()),
        GameState::Aborted { .. } => {
            let reason = game.abort_reason.as_deref().unwrap_or_default();
            format!("aborted, no result: {reason}")
        }
        GameState::Playing => "goes on".to_owned(),
    };
    format!("{} - {}: {end}", name(Color::White), name(Color::Black))
}
