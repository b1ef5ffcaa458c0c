//! What a run file asks for, as events and cells.

use std::collections::BTreeMap;

use crate::chess::Fen;
use crate::event::{
    AnchorSeat, EventId, Name, PreregistrationCommitted, ProtocolPublished, ScheduleCommitted,
};
use crate::projection::cells_of;
use crate::run::file::RunFile;

/// How often a request to a model is sent again where the run file says nothing.
const MODEL_RETRIES: u32 = 3;

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

    /// The cells that the file asks for, before anybody has an id: the names of
    /// White and Black, and the start where it is not the standard position.
    pub fn cells_by_name(&self) -> Vec<(&Name, &Name, Option<String>)> {
        // Ids stand for names here, and only here.
        let id = |name: &Name| EventId::of(name.as_str().as_bytes());
        let everybody = self.everybody();
        let names: BTreeMap<_, _> = everybody
            .iter()
            .map(|part| (id(part.name()), part.name()))
            .collect();
        let cells = cells_of(&ScheduleCommitted {
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
        });
        let named = cells.into_iter().filter_map(|cell| {
            let from = match &cell.opening {
                Some(opening) => Some(opening.name.to_string()),
                None => {
                    (cell.start.fen != Fen::standard_start()).then(|| cell.start.fen.to_string())
                }
            };
            let seats = cell.seats;
            Some((*names.get(&seats.white)?, *names.get(&seats.black)?, from))
        });
        named.collect()
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
