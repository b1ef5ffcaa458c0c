use std::collections::BTreeMap;
use std::path::Path;

use scoresheet::event::{Event, EventId, Stage, Verified, What};
use scoresheet::ledger::{Disk, Prefix};

/// The games of the ledger of this repository, played again and again: the
/// same facts, each time about new games.
pub(crate) struct Games {
    /// What stands before the first game.
    pub(crate) before: Vec<Verified<Event>>,
    games: Vec<Verified<Event>>,
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
                let again = again(event, round * self.games.len() + number, &ids);
                ids.insert(event.id(), again.id());
                again
            })
        })
    }
}

fn again(event: &Event, number: usize, ids: &BTreeMap<EventId, EventId>) -> Verified<Event> {
    let mut again = event.clone();
    // Behind the events that were registered before the games.
    again.at = "2026-12-01T12:00:00.000Z".parse().unwrap();
    // Two games between the same players would be one line.
    again.by = format!("bench/{number}").parse().unwrap();
    match &mut again.what {
        What::GameStarted(started) => {
            // Cells and draws name what is not played again.
            started.cell = None;
            started.draw = None;
            started.stage = Stage::Placement;
        }
        What::GameFinished(finished) => finished.game = ids[&finished.game],
        What::MoveAccepted(accepted) => {
            accepted.game = ids[&accepted.game];
            accepted.call = accepted.call.map(|call| ids[&call]);
        }
        What::CallSent(sent) => sent.game = sent.game.map(|game| ids[&game]),
        What::CallAnswered(answered) => answered.call = ids[&answered.call],
        _ => {}
    }
    Verified::write(again).unwrap()
}
