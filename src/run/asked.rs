//! What a run file asks for, as events and cells.

use std::collections::BTreeMap;

use crate::chess::{Color, Fen};
use crate::event::{
    AnchorSeat, EventId, Name, PreregistrationCommitted, ProtocolPublished, ScheduleCommitted,
};
use crate::projection::{Allocation, Cell, cells_of};
use crate::run::file::RunFile;

/// How often a request to a model is sent again where the run file says nothing.
pub(crate) const MODEL_RETRIES: u32 = 3;

/// A cell that a run file asks for, before anybody has an id.
#[derive(Clone, Debug)]
pub struct PlannedCell<'f> {
    /// Who has White.
    pub white: &'f Name,
    /// Who has Black.
    pub black: &'f Name,
    /// Where the game starts. The ids of its seats are nobody's.
    pub cell: Cell,
    /// Whether it is known who plays before anything was played. Where it is not, the
    /// opponent follows from results, and the anchor here stands for whoever it will be.
    pub is_settled: bool,
}

impl<'f> PlannedCell<'f> {
    /// Who has this color.
    pub const fn seat(&self, color: Color) -> &'f Name {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// Where the game starts, in words; nothing where that is the standard position.
    pub fn from(&self) -> Option<String> {
        let Cell { start, opening, .. } = &self.cell;
        match opening {
            Some(opening) => Some(opening.name.to_string()),
            None => (start.fen != Fen::standard_start()).then(|| start.fen.to_string()),
        }
    }
}

impl RunFile {
    /// The protocol that the file asks for.
    ///
    /// The analyst is the one that is registered, where there is one, and so is the
    /// engine of the oracle.
    pub fn protocol(
        &self,
        analyst: Option<EventId>,
        advisor: Option<EventId>,
    ) -> ProtocolPublished {
        let mut rules = self.protocol.published(analyst);
        let oracle = self.oracle.as_ref().zip(advisor);
        rules.oracle = oracle.map(|(part, advisor)| part.rule(advisor));
        let Some(prompting) = self.prompting() else {
            return rules;
        };
        let retries = &mut rules.failed_request.retries_max;
        *retries = retries.or_else(|| Some(MODEL_RETRIES.into()));
        prompting.applied(rules)
    }

    /// The cells that the file asks for, in the order of the schedule.
    pub fn cells(&self) -> Vec<PlannedCell<'_>> {
        // Ids stand for names here, and only here.
        let id = |name: &Name| EventId::of(name.as_str().as_bytes());
        let everybody = self.everybody();
        let names: BTreeMap<_, _> = everybody
            .iter()
            .map(|part| (id(part.name()), part.name()))
            .collect();
        let schedule = ScheduleCommitted {
            allocation: self.allocation(),
            anchors: self
                .anchor
                .iter()
                .map(|part| AnchorSeat {
                    anchor: id(&part.name),
                    system: id(&part.name),
                })
                .collect(),
            cohort: self.cohort.clone(),
            era: None,
            preregistration: None,
            protocol: EventId::of(self.protocol.name.as_str().as_bytes()),
            rule: self.protocol.schedule_rule(),
            run_file: None,
            starts: self.cell_starts().to_vec(),
            systems: everybody
                .iter()
                .take(self.n_players())
                .map(|part| id(part.name()))
                .collect(),
        };
        let allocation = Allocation::of(&schedule);
        let cells = cells_of(&schedule).into_iter().enumerate();
        let planned = cells.filter_map(|(number, cell)| {
            let allocation = allocation.as_ref();
            Some(PlannedCell {
                is_settled: allocation.is_none_or(|allocation| allocation.is_settled(number)),
                white: *names.get(&cell.seats.white)?,
                black: *names.get(&cell.seats.black)?,
                cell,
            })
        });
        planned.collect()
    }

    /// The promise that the file makes.
    pub fn preregistration(&self) -> PreregistrationCommitted {
        let promise = &self.preregistration;
        PreregistrationCommitted {
            cohort: self.cohort.clone(),
            evidence_status: promise.evidence_status,
            exclusions: promise.exclusions.clone(),
            hypothesis: promise.hypothesis.clone(),
            primary_endpoints: promise.primary_endpoints.clone(),
            stopping_rule: promise.stopping_rule.clone(),
        }
    }
}
