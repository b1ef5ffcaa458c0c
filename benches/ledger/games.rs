use std::collections::BTreeMap;
use std::path::Path;

use scoresheet::event::{CellRef, Event, EventId, Stage, Verified, What};
use scoresheet::ledger::{Disk, Prefix};

/// The games of the ledger of this repository, played again and again: the
/// same facts, each time about new games.
pub(crate) struct Games {
    /// What stands before the first game.
    pub(crate) before: Vec<Verified<Event>>,
    /// What is played again, and the schedule of it where it has one.
    pub(crate) games: Vec<Verified<Event>>,
}

impl Games {
    pub(crate) fn read() -> Self {
        let disk = Disk::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("ledger"));
        let prefix = Prefix::open(&disk).unwrap();
        let (mut before, mut games) = (Vec::new(), Vec::new());
        prefix
            .read(prefix.size(), |_, event| match &event.what {
                What::ProtocolPublished(_) | What::SystemRegistered(_) => before.push(event),
                What::GameStarted(_)
                | What::GameFinished(_)
                | What::MoveAccepted(_)
                | What::CallSent(_)
                | What::CallAnswered(_) => games.push(event),
                _ => {}
            })
            .unwrap();
        Self { before, games }
    }

    /// Returns events without end.
    pub(crate) fn again_and_again(&self) -> impl Iterator<Item = Verified<Event>> {
        let numbered = || self.games.iter().zip(1..);
        (0..).flat_map(move |round: usize| {
            let mut ids = BTreeMap::new();
            numbered().map(move |(event, number)| {
                let mut again = again(event, round * self.games.len() + number, &ids);
                if let What::ScheduleCommitted(committed) = &mut again.what {
                    // One cohort of a name, under no promise.
                    committed.cohort = format!("pool-{round}").parse().unwrap();
                    committed.preregistration = None;
                }
                let again = Verified::write(again).unwrap();
                ids.insert(event.id(), again.id());
                again
            })
        })
    }
}

fn again(event: &Event, number: usize, ids: &BTreeMap<EventId, EventId>) -> Event {
    let mut again = event.clone();
    // Behind the events that were registered before the games.
    again.at = "2026-12-01T12:00:00.000Z".parse().unwrap();
    // Two games between the same players would be one line.
    again.by = format!("bench/{number}").parse().unwrap();
    match &mut again.what {
        What::GameStarted(started) => {
            // Cells and draws may name what is not played again.
            started.cell = started.cell.and_then(|cell| {
                let schedule = *ids.get(&cell.schedule)?;
                Some(CellRef { schedule, ..cell })
            });
            started.draw = None;
            started.stage = Stage::Placement;
        }
        What::GameFinished(finished) => finished.game = ids[&finished.game],
        What::MoveAccepted(accepted) => {
            accepted.game = ids[&accepted.game];
            accepted.call = accepted.call.map(|call| ids[&call]);
        }
        What::CallSent(sent) => sent.game = sent.game.map(|game| ids[&game]),
        What::MoveRejected(rejected) => {
            rejected.game = ids[&rejected.game];
            rejected.call = rejected.call.map(|call| ids[&call]);
        }
        What::CallAnswered(answered) => answered.call = ids[&answered.call],
        What::CallFailed(failed) => failed.call = ids[&failed.call],
        _ => {}
    }
    again
}
