//! What questions are asked under, and of whom.

use crate::canonical::Count;
use crate::event::{EventId, ProtocolPublished};
use crate::run::RunError;
use crate::run::budget::BudgetPart;
use crate::run::file::Deadlines;
use crate::run::record::Record;
use crate::run::registry::Entrant;

/// What a run file says of how questions are asked.
pub(crate) struct Terms<'a> {
    pub(crate) deadlines: Deadlines,
    /// What may be taken.
    pub(crate) budget: BudgetPart,
    /// How many are asked at once.
    pub(crate) parallel: usize,
    /// The run file.
    pub(crate) run_file: &'a [u8],
    /// The runner and its version.
    pub(crate) program: &'a str,
}

/// What questions are asked under, and of whom.
pub(crate) struct Registered<'a> {
    pub(crate) protocol: EventId,
    /// How often one request is sent again.
    pub(crate) retries: u64,
    pub(crate) players: Vec<(EventId, &'a Entrant)>,
}

/// Registers protocol and players, or takes them up as they are.
///
/// # Errors
///
/// When a name is taken by something else.
pub(crate) fn register<'a>(
    record: &mut Record<'_>,
    rules: ProtocolPublished,
    entrants: &'a [Entrant],
) -> Result<Registered<'a>, RunError> {
    let retries = rules.failed_request.retries_max.map_or(0, Count::get);
    let taken = |name: String, what| RunError::NameTaken {
        name,
        what,
        differs: "another prompt, rule or parameter".to_owned(),
    };
    let known = record.projection().systems.protocol_named(&rules.name);
    let protocol = match known {
        Some(known) if known.published == rules => known.id,
        Some(_) => return Err(taken(rules.name.to_string(), "protocol")),
        None => record.say(rules)?,
    };
    let mut players = Vec::new();
    for entrant in entrants {
        let system = &entrant.system;
        let known = record.projection().systems.system_named(&system.name);
        let id = match known {
            Some(known) if known.registered == *system => known.id,
            Some(_) => return Err(taken(system.name.to_string(), "system")),
            None => record.say(system.clone())?,
        };
        players.push((id, entrant));
    }
    record.commit()?;
    Ok(Registered {
        protocol,
        retries,
        players,
    })
}
