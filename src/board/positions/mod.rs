//! The board of a list of positions: who answered how many with a legal move.

mod chosen;
mod render;
mod row;

use crate::board::positions::chosen::Chosen;
use crate::projection::{PositionList, Projection, Source};

pub use chosen::{PositionBoardError, PositionQuery};
pub use render::{position_figures, render_positions};
pub use row::PositionRow;

/// The board of one list under one protocol and condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionBoard {
    /// The list.
    pub list: PositionList,
    /// The protocol, by its name.
    pub protocol: String,
    /// The condition.
    pub condition: String,
    /// Answers a position, where the protocol is known.
    pub attempts: Option<u64>,
    /// One row a system with answers, by name.
    pub rows: Vec<PositionRow>,
    /// What it was computed from.
    pub source: Source,
}

impl PositionBoard {
    /// Returns the board of a list: of the only one, and of the only protocol and
    /// condition under which it was answered, where none is named.
    ///
    /// # Errors
    ///
    /// When there is no such list, protocol or condition, or several could be meant.
    pub fn of(
        projection: &Projection,
        query: PositionQuery<'_>,
        source: Source,
    ) -> Result<Self, PositionBoardError> {
        let Chosen {
            list,
            protocol,
            condition,
            runs,
        } = Chosen::of(projection, query)?;
        let attempts = runs.first().and_then(|run| {
            let protocol = projection.systems.protocol(&run.key.protocol)?;
            Some(protocol.published.attempts.get())
        });
        let rows = runs.into_iter();
        let rows = rows.map(|run| PositionRow::of(projection, list, run, attempts));
        let mut rows: Vec<_> = rows.collect();
        rows.sort_by(|one, other| {
            let name = one.system.name.cmp(&other.system.name);
            name.then(one.system.id.cmp(&other.system.id))
        });
        Ok(Self {
            list: list.clone(),
            protocol,
            condition,
            attempts,
            rows,
            source,
        })
    }
}
