use std::path::Path;

use scoresheet::canonical::{Decimal, Time};
use scoresheet::event::{By, Event, ExpenseCategory, ExpenseRecorded, Verified};
use scoresheet::ledger::{Disk, Writer, create};

pub(crate) fn at() -> Time {
    "2026-11-29T12:00:00.000Z".parse().unwrap()
}

pub(crate) fn by() -> By {
    "bench".parse().unwrap()
}

/// An event whose note is a number and padding.
pub(crate) fn event(number: usize, padding: usize) -> Event {
    let what = ExpenseRecorded {
        amount_usd: Decimal::ZERO,
        category: ExpenseCategory::Other,
        note: format!(
            "{number:010}{}",
            "a bill ".repeat(padding / 7 + 1).get(..padding).unwrap()
        ),
    };
    Event {
        at: at(),
        by: by(),
        what: what.into(),
    }
}

/// How much padding makes a line of so many bytes.
pub(crate) fn padding(bytes: usize) -> usize {
    bytes - Verified::write(event(0, 0)).unwrap().line().len()
}

/// Returns different events on lines of so many bytes.
pub(crate) fn lines(count: usize, bytes: usize) -> Vec<Verified<Event>> {
    let padding = padding(bytes);
    (0..count)
        .map(|number| Verified::write(event(number, padding)).unwrap())
        .collect()
}

pub(crate) fn new_ledger(path: &Path) -> Disk {
    let disk = Disk::new(path);
    create(&disk, "bench".parse().unwrap(), at(), by()).unwrap();
    disk
}

pub(crate) fn fill(path: &Path, lines: &[Verified<Event>]) {
    let disk = new_ledger(path);
    let (mut writer, _) = Writer::open(&disk, at(), &by()).unwrap();
    writer.append(lines).unwrap();
}

/// The lines of a batch as they stand in a file.
pub(crate) fn text<'a>(batch: impl IntoIterator<Item = &'a Verified<Event>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for event in batch {
        bytes.extend_from_slice(event.line().as_bytes());
        bytes.push(b'\n');
    }
    bytes
}
