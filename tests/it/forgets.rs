//! A projection that forgets finds what one that remembers finds.

use std::path::Path;

use scoresheet::event::{Event, Verified, What};
use scoresheet::ledger::{Disk, Prefix};
use scoresheet::projection::Projection;

/// The first events of the ledger of this repository, to the end of some games.
fn events(games: usize) -> Vec<Verified<Event>> {
    let disk = Disk::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("ledger"));
    let prefix = Prefix::open(&disk).unwrap();
    let mut events = Vec::new();
    let mut ended = 0;
    prefix
        .read(prefix.size(), |_, event| {
            if ended < games {
                ended += usize::from(matches!(event.what, What::GameFinished(_)));
                events.push(event);
            }
        })
        .unwrap();
    events
}

/// The same fact, said by someone else: another event.
fn again(event: &Verified<Event>, number: usize) -> Verified<Event> {
    let mut event = Event::clone(event);
    event.by = format!("echo/{number}").parse().unwrap();
    Verified::write(event).unwrap()
}

fn find(mut projection: Projection, events: &[Verified<Event>]) -> Vec<String> {
    for event in events {
        projection.apply(event);
    }
    let findings = projection.findings.iter();
    findings.map(ToString::to_string).collect()
}

#[test]
fn whatever_is_said_again_after_a_game_is_found_with_and_without_memory() {
    let mut events = events(3);
    assert_eq!(find(Projection::forgetful(), &events), [""; 0]);
    let said_again: Vec<_> = events.iter().zip(0..).map(|(e, n)| again(e, n)).collect();
    // Moves and answers name the calls of the games that have ended.
    let facts_of_games = said_again.iter().filter(|event| {
        !matches!(
            event.what,
            What::GameStarted(_)
                | What::CallSent(_)
                | What::LedgerOpened(_)
                | What::SystemRegistered(_)
                | What::ProtocolPublished(_)
                | What::ScheduleCommitted(_)
                | What::PreregistrationCommitted(_)
        )
    });
    events.extend(facts_of_games.cloned());
    let found = find(Projection::default(), &events);
    assert!(100 < found.len());
    assert_eq!(find(Projection::forgetful(), &events), found);
}

#[test]
fn a_move_from_a_call_of_a_game_that_has_ended_is_found_with_and_without_memory() {
    let events = events(2);
    let is_move = |event: &&Verified<Event>| matches!(&event.what, What::MoveAccepted(_));
    let of_first = events.iter().find(is_move).unwrap();
    let What::MoveAccepted(first) = &of_first.what else {
        panic!("a move")
    };
    let mut changed = 0;
    let stolen = events.iter().map(|event| match &event.what {
        What::MoveAccepted(accepted) if accepted.game != first.game => {
            changed += 1;
            let mut event = Event::clone(event);
            let mut accepted = accepted.clone();
            accepted.call = first.call;
            event.what = accepted.into();
            Verified::write(event).unwrap()
        }
        _ => event.clone(),
    });
    let stolen: Vec<_> = stolen.collect();
    let found = find(Projection::default(), &stolen);
    assert_eq!(found.len(), changed);
    assert_eq!(find(Projection::forgetful(), &stolen), found);
}
