//! A PGN file: cut into games, each of them one event that says what is wrong.

use std::io::Read;

use scoresheet::canonical::{Count, Time};
use scoresheet::digest::Digest;
use scoresheet::event::{Event, ImportStarted, Verified, What};
use scoresheet::finding::Code;
use scoresheet::import::{
    Block, Reading, Slot, SourceFindings, Splitter, Stamp, Tally, read_pgn_game,
};
use scoresheet::projection::Projection;

use super::message;

/// A reader that gives little at a time.
struct Slow<'a>(&'a [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.0.len().min(buffer.len()).min(7);
        let (now, later) = self.0.split_at(length);
        buffer[..length].copy_from_slice(now);
        self.0 = later;
        Ok(length)
    }
}

fn blocks(input: impl Read) -> Vec<Block> {
    let mut splitter = Splitter::of(input);
    let mut blocks = Vec::new();
    while let Some(block) = splitter.next_block().unwrap() {
        blocks.push(block);
    }
    blocks
}

pub(crate) fn check(bytes: &[u8]) {
    let blocks_of_file = blocks(bytes);
    assert_eq!(blocks_of_file, blocks(Slow(bytes)));
    let stamp = stamp();
    let mut ledger = Taken::begin(&stamp, "pgn");
    let n_lines = bytes.split(|byte| *byte == b'\n').count();
    let n_lines = u64::try_from(n_lines).unwrap();
    let mut number = 0;
    for block in &blocks_of_file {
        let mut end = 0;
        for game in &block.games {
            number += 1;
            assert_eq!(game.number, number);
            assert!((1..=n_lines).contains(&game.line));
            assert!(end <= game.range.start && game.range.end <= block.text.len());
            end = game.range.end;
            let slot = Slot {
                import: ledger.import,
                number,
                line: Some(game.line),
                path: None,
            };
            let read = Reading {
                game: read_pgn_game(block.bytes(game), &slot),
                calls: Vec::new(),
            };
            ledger.take(&stamp, &slot, read);
        }
    }
    ledger.finish(&stamp, n_lines);
}

/// Who imports, and when: always the same.
pub(crate) fn stamp() -> Stamp {
    Stamp {
        at: Time::EPOCH,
        by: "t".parse().unwrap(),
    }
}

/// A source on its way into a ledger of its own.
pub(crate) struct Taken {
    pub(crate) import: scoresheet::event::EventId,
    projection: Projection,
    tally: Tally,
    findings: SourceFindings,
}

impl Taken {
    pub(crate) fn begin(stamp: &Stamp, format: &str) -> Self {
        let started = ImportStarted {
            blob: None,
            bytes: Count::ZERO,
            details: Vec::new(),
            format: format.parse().unwrap(),
            name: "source".to_owned(),
            sha256: Digest::of(b""),
            version: Count::ONE,
        };
        let started = said(stamp, started.into());
        let mut projection = Projection::default();
        projection.apply(&started);
        Self {
            import: started.id(),
            projection,
            tally: Tally::default(),
            findings: SourceFindings::default(),
        }
    }

    /// Whatever a source says of a game, the events of it are events.
    pub(crate) fn take(&mut self, stamp: &Stamp, slot: &Slot, read: Reading) {
        for event in stamp.events(slot, read).unwrap() {
            let again = Verified::<Event>::parse(event.line().as_bytes()).unwrap();
            assert_eq!(again, event);
            self.projection.apply(&event);
            self.tally.take(&event.what);
            self.findings.take("source", &event.what);
        }
    }

    /// Nothing in the source was passed over: what contradicts is said.
    pub(crate) fn finish(mut self, stamp: &Stamp, n_lines: u64) {
        let finished = said(stamp, self.tally.finished(self.import).into());
        self.projection.apply(&finished);
        let is_wrong =
            |finding: &&scoresheet::finding::Finding| finding.code == Code::ImportDiffers;
        let wrong = self.projection.findings.iter().find(is_wrong);
        assert_eq!(wrong, None);
        for finding in &self.findings.shown {
            message::is_sayable(&finding.expected);
            message::is_sayable(&finding.found);
            let line = finding.place.line;
            assert!(
                line.is_none_or(|line| (1..=n_lines).contains(&line)),
                "{finding}"
            );
        }
        let is_flawed = self.tally.skipped + self.tally.contradicted + self.tally.faulty != 0;
        assert_eq!(self.findings.count != 0, is_flawed);
    }
}

fn said(stamp: &Stamp, what: What) -> Verified<Event> {
    Verified::write(Event {
        at: stamp.at,
        by: stamp.by.clone(),
        what,
    })
    .unwrap()
}
