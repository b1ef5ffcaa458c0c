//! Whether a run file may be played in a ledger, and the events that register it.

use crate::event::{AnchorBasis, AnchorRegistered, AnchorSeat, EventId, Name, ScheduleCommitted};
use crate::projection::{Anchor, Projection, Schedule, is_same_identity};
use crate::run::RunError;
use crate::run::difference::difference;
use crate::run::engine_part::EnginePart;
use crate::run::file::RunFile;
use crate::run::record::Record;
use crate::run::registry::Entrant;

/// Returns the schedule of the cohort that a run file names, where there is one.
///
/// # Errors
///
/// When it was registered under other bytes.
pub fn registered<'p>(
    projection: &'p Projection,
    file: &RunFile,
) -> Result<Option<&'p Schedule>, RunError> {
    let schedule = projection.schedules.cohort(file.cohort.as_str());
    match schedule {
        Some(schedule) if schedule.committed.run_file != Some(file.digest()) => {
            Err(RunError::Changed {
                cohort: file.cohort.to_string(),
                registered: schedule.committed.run_file,
            })
        }
        same_or_none => Ok(same_or_none),
    }
}

/// Checks that these engines may play what a run file asks for: they are the
/// ones that were registered with its cohort, which is returned, or can be
/// registered under their names.
///
/// # Errors
///
/// What is in the way.
pub fn admit<'p>(
    projection: &'p Projection,
    file: &RunFile,
    entrants: &[Entrant],
) -> Result<Option<&'p Schedule>, RunError> {
    check_names(file.everybody().iter().map(|part| part.name()), entrants)?;
    let schedule = registered(projection, file)?;
    match schedule {
        Some(schedule) => admit_again(projection, schedule, entrants)?,
        None => admit_first(projection, file, entrants)?,
    }
    Ok(schedule)
}

fn admit_again(
    projection: &Projection,
    schedule: &Schedule,
    entrants: &[Entrant],
) -> Result<(), RunError> {
    let ids = everybody(projection, &schedule.committed);
    let systems = ids.iter().filter_map(|id| projection.systems.system(id));
    let systems: Vec<_> = systems.map(|system| &system.registered).collect();
    check_names(systems.iter().map(|system| &system.name), entrants)?;
    for (registered, entrant) in systems.into_iter().zip(entrants) {
        if *registered != entrant.system {
            return Err(RunError::OtherEngine {
                name: entrant.system.name.to_string(),
                differs: difference(registered, &entrant.system),
            });
        }
    }
    Ok(())
}

fn admit_first(
    projection: &Projection,
    file: &RunFile,
    entrants: &[Entrant],
) -> Result<(), RunError> {
    let taken = |name: &Name, what, differs: String| RunError::NameTaken {
        name: name.to_string(),
        what,
        differs,
    };
    let known = |part: &EnginePart| Some(projection.systems.system_named(&part.name)?.id);
    let analyst = file.analyst.as_ref().and_then(known);
    let oracle = file.oracle.as_ref();
    let advisor = oracle.and_then(|oracle| known(&oracle.engine));
    let protocol = file.protocol(analyst, advisor);
    let known = projection.systems.protocol_named(&protocol.name);
    if known.is_some_and(|known| known.published != protocol) {
        let differs = "another rule or parameter".to_owned();
        return Err(taken(&protocol.name, "protocol", differs));
    }
    for (number, entrant) in entrants.iter().enumerate() {
        let system = &entrant.system;
        let mut earlier = entrants.iter().take(number);
        let same = earlier.find(|other| is_same_identity(&other.system, system));
        if let (Some(same), true) = (same, protocol.ladder.is_some()) {
            return Err(RunError::Twins {
                one: same.system.name.to_string(),
                other: system.name.to_string(),
            });
        }
        let known = projection.systems.system_named(&system.name);
        if let Some(known) = known.filter(|known| known.registered != *system) {
            let differs = format!("another {}", difference(&known.registered, system));
            return Err(taken(&system.name, "system", differs));
        }
    }
    for part in &file.anchor {
        let known = projection.systems.system_named(&part.name);
        let anchor = known.and_then(|system| projection.anchors.of_system(&system.id));
        if part.fitted {
            let basis = anchor.map(|anchor| anchor.registered.basis);
            if basis != Some(AnchorBasis::Fitted) {
                return Err(RunError::Unfitted {
                    name: part.name.to_string(),
                });
            }
            continue;
        }
        let is_other = |anchor: &&Anchor| {
            anchor.registered.basis != AnchorBasis::Nominal
                || Some(anchor.registered.rating) != part.rating
        };
        if let Some(anchor) = anchor.filter(is_other) {
            let rating = anchor.registered.rating;
            let basis = anchor.registered.basis.as_str();
            let differs = format!("the {basis} rating {rating}");
            return Err(taken(&part.name, "anchor", differs));
        }
    }
    check_rungs(projection, file)
}

/// Checks that the rungs of an anchor ladder rise, fitted ratings included.
fn check_rungs(projection: &Projection, file: &RunFile) -> Result<(), RunError> {
    if file.allocation().is_none() {
        return Ok(());
    }
    let fixed = |part: &EnginePart| {
        let system = projection.systems.system_named(&part.name)?;
        let anchor = projection.anchors.of_system(&system.id)?;
        Some(anchor.registered.rating)
    };
    let rungs = file.anchor.iter();
    let rungs: Vec<_> = rungs
        .map(|part| (&part.name, part.rating.or_else(|| fixed(part))))
        .collect();
    let mut steps = rungs.windows(2);
    match steps.find(|step| matches!(step, [(_, low), (_, high)] if high <= low)) {
        Some([(low, _), (high, _)]) => Err(RunError::Rungs {
            low: low.to_string(),
            high: high.to_string(),
        }),
        _ => Ok(()),
    }
}

/// Everybody that a schedule needs, as its run file lists them: those who play,
/// anchors, and those of the protocol: the analyst, and the engine of its oracle.
pub(crate) fn everybody(projection: &Projection, committed: &ScheduleCommitted) -> Vec<EventId> {
    let players = committed.systems.iter().copied();
    let anchors = committed.anchors.iter().map(|seat| seat.system);
    let protocol = projection.systems.protocol(&committed.protocol);
    let analyst = protocol.and_then(|protocol| protocol.published.analyst());
    let oracle = protocol.and_then(|protocol| protocol.published.oracle.as_ref());
    let advisor = oracle.map(|rule| rule.advisor);
    let players = players.chain(anchors);
    players.chain(analyst).chain(advisor).collect()
}

pub(crate) fn check_names<'n>(
    expected: impl Iterator<Item = &'n Name>,
    entrants: &[Entrant],
) -> Result<(), RunError> {
    let expected: Vec<_> = expected.map(Name::as_str).collect();
    let found = entrants.iter().map(|entrant| entrant.system.name.as_str());
    let found: Vec<_> = found.collect();
    if expected == found {
        return Ok(());
    }
    Err(RunError::Entrants {
        expected: expected.join(", "),
        found: found.join(", "),
    })
}

/// Registers protocol, systems, promise and schedule, all or nothing. They were
/// admitted, and the cohort is not registered yet. Returns the schedule.
pub(crate) fn register(
    record: &mut Record<'_>,
    file: &RunFile,
    entrants: &[Entrant],
) -> Result<(EventId, ScheduleCommitted), RunError> {
    let mut systems = Vec::new();
    for Entrant { system, .. } in entrants {
        let known = record.projection().systems.system_named(&system.name);
        systems.push(match known.map(|known| known.id) {
            Some(id) => id,
            None => record.say(system.clone())?,
        });
    }
    let mut rest = systems.split_off(file.n_players().min(systems.len()));
    let mut others = rest
        .split_off(file.anchor.len().min(rest.len()))
        .into_iter();
    let analyst = match &file.analyst {
        Some(_) => others.next(),
        None => None,
    };
    let protocol = file.protocol(analyst, others.next());
    let known = record.projection().systems.protocol_named(&protocol.name);
    let protocol = match known.map(|known| known.id) {
        Some(id) => id,
        None => record.say(protocol)?,
    };
    let mut anchors = Vec::new();
    for (system, part) in rest.into_iter().zip(&file.anchor) {
        let known = record.projection().anchors.of_system(&system);
        let anchor = match known.map(|anchor| anchor.id) {
            Some(anchor) => anchor,
            None => record.say(AnchorRegistered {
                basis: AnchorBasis::Nominal,
                fit: None,
                rating: part.rating.unwrap_or_default(),
                system,
            })?,
        };
        anchors.push(AnchorSeat { anchor, system });
    }
    let preregistration = record.say(file.preregistration())?;
    let schedule = ScheduleCommitted {
        allocation: file.allocation(),
        anchors,
        starts: file.cell_starts().to_vec(),
        era: None,
        cohort: file.cohort.clone(),
        preregistration: Some(preregistration),
        protocol,
        rule: file.protocol.schedule_rule(),
        run_file: Some(file.digest()),
        systems,
    };
    let id = record.say(schedule.clone())?;
    // Only now: whatever was wrong with the file has left no trace.
    record.keep(file.bytes())?;
    record.commit()?;
    Ok((id, schedule))
}
