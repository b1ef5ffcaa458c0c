//! Whether a run file for a ladder may be played, and the events that register
//! who is new.

use crate::event::{EventId, Name, SystemRegistered};
use crate::projection::{Era, Projection, Status};
use crate::run::RunError;
use crate::run::difference::difference;
use crate::run::ladder_file::LadderFile;
use crate::run::record::Record;
use crate::run::registration::check_names;
use crate::run::registry::Entrant;

/// How an engine stands before a ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// It is registered, and its identity plays in the era.
    Registered,
    /// It is not registered, and its identity plays in the era.
    Reregistered,
    /// It left the ladder and does not play.
    Gone,
    /// Its identity does not play in the era yet.
    Newcomer,
}

/// Returns the era that a run file names.
///
/// # Errors
///
/// When no such era goes on.
pub fn era_of<'p>(projection: &'p Projection, file: &LadderFile) -> Result<&'p Era, RunError> {
    let era = projection.eras.named(file.era.as_str());
    era.filter(|era| !era.is_closed).ok_or_else(|| {
        let open = projection.eras.iter().filter(|era| !era.is_closed);
        let names: Vec<_> = open.map(|era| era.started.name.as_str()).collect();
        RunError::NoEra {
            era: file.era.to_string(),
            open: if names.is_empty() {
                "none goes on".to_owned()
            } else {
                names.join(", ")
            },
        }
    })
}

/// Checks that these engines may play on the ladder that a run file names, and
/// returns how each of them stands. With `admit` newcomers may be among them.
///
/// # Errors
///
/// What is in the way.
pub fn enter(
    projection: &Projection,
    file: &LadderFile,
    entrants: &[Entrant],
    admit: bool,
) -> Result<Vec<Entry>, RunError> {
    check_names(file.everybody().iter().map(|part| part.name()), entrants)?;
    let era = era_of(projection, file)?;
    let entries = entrants
        .iter()
        .map(|entrant| entry(projection, era, &entrant.system));
    let entries = entries.collect::<Result<Vec<_>, _>>()?;
    let newcomers = entrants.iter().zip(&entries);
    let newcomers: Vec<_> = newcomers
        .filter(|(_, entry)| **entry == Entry::Newcomer)
        .map(|(entrant, _)| entrant.system.name.to_string())
        .collect();
    match newcomers.first() {
        Some(name) if admit && !era.is_placed => Err(RunError::NotAdmitted {
            name: name.clone(),
            era: file.era.to_string(),
            why: "its first batch is not complete, and only a ranked pool can be played",
        }),
        Some(_) if !admit => Err(RunError::Newcomers {
            names: newcomers.join(", "),
            era: file.era.to_string(),
        }),
        _ => Ok(entries),
    }
}

/// Checks that these two may play a game that a person chooses, as far as that
/// follows from how they stand: before anybody is registered for it.
///
/// # Errors
///
/// Why one of them does not play.
pub fn check_manual(
    projection: &Projection,
    file: &LadderFile,
    entrants: &[Entrant],
    pair: [&Name; 2],
) -> Result<(), RunError> {
    let era = era_of(projection, file)?;
    let systems = entrants.iter().map(|entrant| &entrant.system);
    for system in systems.filter(|system| pair.contains(&&system.name)) {
        let identity = projection.identities.of_registration(system);
        let why = identity.and_then(|identity| why_not(projection, era, &identity));
        if let Some(why) = why {
            let name = system.name.to_string();
            return Err(RunError::NotReady { name, why });
        }
    }
    Ok(())
}

/// Why an identity plays no game that a person chooses, whoever sits where.
pub(crate) fn why_not(
    projection: &Projection,
    era: &Era,
    identity: &EventId,
) -> Option<&'static str> {
    match projection.identities.status(identity) {
        Status::Active if !era.is_placed => Some("the first batch is not complete"),
        Status::Active => None,
        Status::Paused => Some("it is paused"),
        Status::Retired => Some("it is retired"),
        Status::Withdrawn => Some("it is withdrawn"),
    }
}

fn entry(projection: &Projection, era: &Era, system: &SystemRegistered) -> Result<Entry, RunError> {
    let known = projection.systems.system_named(&system.name);
    if let Some(known) = known.filter(|known| known.registered != *system) {
        return Err(RunError::NameTaken {
            name: system.name.to_string(),
            what: "system",
            differs: format!("another {}", difference(&known.registered, system)),
        });
    }
    let identity = projection.identities.of_registration(system);
    let Some(identity) = identity.and_then(|id| projection.identities.identity(&id)) else {
        return Ok(Entry::Newcomer);
    };
    if known.is_none() {
        // Another name for the very same files is no other system.
        let systems = identity.systems.iter();
        let mut systems = systems.filter_map(|id| projection.systems.system(id));
        let same = systems.find(|other| {
            let renamed = SystemRegistered {
                name: system.name.clone(),
                ..other.registered.clone()
            };
            renamed == *system
        });
        if let Some(same) = same {
            return Err(RunError::Registered {
                name: system.name.to_string(),
                registered: same.registered.name.to_string(),
            });
        }
    }
    let is_on = era.ladder.member(&identity.id).is_some() || {
        let schedule = projection.schedules.schedule(&era.started.placement);
        let systems = schedule.map_or(&[][..], |schedule| &schedule.committed.systems);
        !era.is_placed && systems.iter().any(|id| identity.systems.contains(id))
    };
    Ok(match is_on {
        _ if identity.status.has_left() => Entry::Gone,
        true if known.is_some() => Entry::Registered,
        true => Entry::Reregistered,
        false => Entry::Newcomer,
    })
}

/// Registers who is new, and admits newcomers: all or nothing. Returns the
/// system that each entrant is.
pub(crate) fn register(
    record: &mut Record<'_>,
    file: &LadderFile,
    entrants: &[Entrant],
    entries: &[Entry],
) -> Result<Vec<EventId>, RunError> {
    let mut ids = Vec::new();
    for Entrant { system, .. } in entrants {
        let known = record.projection().systems.system_named(&system.name);
        ids.push(match known.map(|known| known.id) {
            Some(id) => id,
            None => record.say(system.clone())?,
        });
    }
    let newcomers = entrants.iter().zip(&ids).zip(entries);
    let newcomers = newcomers.filter(|(_, entry)| **entry == Entry::Newcomer);
    let mut is_named = false;
    for ((entrant, id), _) in newcomers {
        let name = &entrant.system.name;
        let refused = |why| RunError::NotAdmitted {
            name: name.to_string(),
            era: file.era.to_string(),
            why,
        };
        let cohort = format!("{}-{name}", file.era);
        let long = "the names of era and engine together make too long a name for its cohort; \
                    name one: scoresheet schedule admit --cohort NAME";
        let cohort = cohort.parse().map_err(|_| refused(long))?;
        // Whoever is here can sit down; of the others the newest registration.
        let registration = |systems: &[EventId]| {
            let here = systems.iter().rev().find(|system| ids.contains(system));
            here.or(systems.last()).copied()
        };
        let projection = record.projection();
        let era = era_of(projection, file)?;
        let admission = projection.admission(era, *id, cohort, registration);
        let mut admission = admission.map_err(refused)?;
        admission.run_file = Some(file.digest());
        record.say(admission)?;
        is_named = true;
    }
    if is_named {
        // Only now: whatever was wrong with the file has left no trace.
        record.keep(file.bytes())?;
    }
    record.commit()?;
    Ok(ids)
}
