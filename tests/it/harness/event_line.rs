//! A line is one event in its one spelling, or is refused with its place.

use scoresheet::canonical;
use scoresheet::digest::Digest;
use scoresheet::event::{Event, LineFault, MAX_LINE_BYTES, Verified};
use serde_json::Value;

use super::message;

pub(crate) fn check(line: &[u8]) {
    match Verified::<Event>::parse(line) {
        Ok(event) => accepted(line, &event),
        Err(fault) => refused(line, &fault),
    }
}

fn accepted(line: &[u8], event: &Verified<Event>) {
    assert!(line.len() <= MAX_LINE_BYTES);
    assert_eq!(event.line().as_bytes(), line);
    let leaf = Digest::of(&[&[0], line].concat());
    assert_eq!(event.id().to_string(), leaf.to_string());
    assert_eq!(event.id().leaf().digest(), &leaf);
    let again = Verified::write(Event::clone(event)).unwrap();
    assert_eq!(again, *event);
    assert_eq!(canonical::read::<Event>(line).as_ref(), Ok(&**event));
    // Another reader sees the same, writes the same, and finds it in the schema.
    let value: Value = serde_json::from_slice(line).unwrap();
    assert_eq!(value.to_string().as_bytes(), line);
    let kind = event.what.kind();
    let name = format!("{}.v{}", kind.name, kind.v);
    let violations = scoresheet::schema::check(&name, &value).unwrap();
    assert_eq!(violations.shown, [], "{}", event.line());
    for reference in event.what.references() {
        assert!(event.line().contains(&reference.id.to_string()));
    }
    for blob in event.what.blobs() {
        assert!(event.line().contains(&blob.to_string()));
    }
}

fn refused(line: &[u8], fault: &LineFault) {
    message::is_in(line, fault);
    let Some(offered) = &fault.canonical else {
        return;
    };
    // What is offered is taken, says the same, and is offered again.
    assert_ne!(offered.as_bytes(), line);
    let column = message::first_difference(line, offered.as_bytes());
    assert_eq!(fault.column, column);
    match Verified::<Event>::parse(offered.as_bytes()) {
        Ok(event) => {
            accepted(offered.as_bytes(), &event);
            assert_eq!(canonical::read::<Event>(line).as_ref(), Ok(&*event));
        }
        Err(fault) => panic!("{offered} is offered and refused: {fault}"),
    }
}
