//! Reading on from what is known, beside reading all.

use std::sync::atomic::{AtomicBool, Ordering};

use proptest::prelude::*;
use scoresheet::canonical::{Count, Time};
use scoresheet::digest::{Digest, Root};
use scoresheet::event::{CheckpointRef, Event, Verified};
use scoresheet::finding::Code;
use scoresheet::ledger::{
    Layout, Prefix, ReadError, ResumeError, SEGMENT_LINES, Storage, Writer, create_in,
};

use crate::ledger::{Bench, by, expenses, noon};
use crate::simulator::disk::SimulatedDisk;
use crate::simulator::medium::Medium;
use crate::story::{event_at, expense};

fn disk_of(layout: Layout, events: &[Verified<Event>]) -> SimulatedDisk {
    let disk = SimulatedDisk::new(Medium::default(), layout);
    create_in(&disk, &"example.org/p".parse().unwrap(), noon(), &by()).unwrap();
    append(&disk, events);
    disk
}

fn append(storage: &dyn Storage, events: &[Verified<Event>]) {
    let (mut writer, _) = Writer::open(storage, noon(), &by()).unwrap();
    writer.append(events).unwrap();
}

fn known(size: u64, root: Root) -> CheckpointRef {
    CheckpointRef {
        root,
        size: Count::saturating(size),
    }
}

/// What reading all says: every line, and every root.
struct Whole {
    lines: Vec<String>,
    roots: Vec<Root>,
}

impl Whole {
    fn of(prefix: &Prefix<'_>) -> Self {
        let mut lines = Vec::new();
        let take = |_, event: Verified<Event>| lines.push(event.line().to_owned());
        prefix.read(prefix.size(), take).unwrap();
        let roots = (0..=prefix.size()).map(|size| prefix.read(size, |_, _| ()).unwrap());
        let roots = roots.collect();
        Self { lines, roots }
    }

    fn known(&self, size: u64) -> CheckpointRef {
        known(size, self.roots[usize::try_from(size).unwrap()])
    }

    /// Reading on from there to there gives this, or what it gives instead.
    fn check(&self, prefix: &Prefix<'_>, start: u64, size: u64) -> Result<(), String> {
        let (from, to) = (
            usize::try_from(start).unwrap(),
            usize::try_from(size).unwrap(),
        );
        let mut lines = Vec::new();
        let mut positions = Vec::new();
        let root = prefix.read_from(&self.known(start), size, |index, event| {
            positions.push(index);
            lines.push(event.line().to_owned());
        });
        let root = root.map_err(|error| format!("refused: {error}"))?;
        if root != self.roots[to] || lines != self.lines[from..to] {
            return Err("other events".to_owned());
        }
        assert!(positions.into_iter().eq(start..size));
        Ok(())
    }
}

#[test]
fn reading_on_from_any_size_to_any_other_gives_what_reading_all_gives() {
    for level in 0..5 {
        let layout = Layout::of_level(level);
        let n_lines = usize::try_from(layout.segment_lines()).unwrap();
        for count in [0, n_lines - 1, 3 * n_lines - 1, 3 * n_lines, 25] {
            let disk = disk_of(layout, &expenses(0, count));
            let prefix = Prefix::open(&disk).unwrap();
            let whole = Whole::of(&prefix);
            for size in 0..=prefix.size() {
                let found = prefix.root_at(size).unwrap();
                assert_eq!(known(size, found), whole.known(size));
                for start in 0..=size {
                    whole.check(&prefix, start, size).unwrap();
                }
            }
        }
    }
}

#[test]
fn what_the_ledger_does_not_have_or_never_had_is_refused() {
    let disk = disk_of(Layout::of_level(2), &expenses(0, 13));
    let prefix = Prefix::open(&disk).unwrap();
    let whole = Whole::of(&prefix);
    let size = prefix.size();
    let beyond = prefix.root_at(size + 1);
    assert!(matches!(beyond, Err(ReadError::Beyond { wanted, .. }) if wanted == size + 1));
    let never = |start, size| {
        let mut n_events = 0;
        let read = prefix.read_from(&start, size, |_, _| n_events += 1);
        assert_eq!(n_events, 0, "nothing is handed over");
        read.unwrap_err()
    };
    for (start, wanted) in [(3, size + 1), (size + 1, size + 1), (9, 3)] {
        let known = known(start, whole.roots[0]);
        let refused = never(known, wanted);
        assert!(matches!(
            refused,
            ResumeError::Read(ReadError::Beyond { .. })
        ));
    }
    for start in 0..=size {
        for wanted in start..=size {
            let other = Digest::of(b"another ledger");
            match never(known(start, other), wanted) {
                ResumeError::Another { size, known, found } => {
                    assert_eq!((size, known), (start, other));
                    assert_eq!(whole.known(start).root, found);
                }
                refused @ ResumeError::Read(_) => panic!("{refused}"),
            }
        }
    }
}

#[test]
fn whatever_byte_changes_no_other_event_and_no_other_root_is_given() {
    let layout = Layout::of_level(2);
    let sound = disk_of(layout, &expenses(0, 13)).medium();
    let disk = SimulatedDisk::new(sound.clone(), layout);
    let whole = Whole::of(&Prefix::open(&disk).unwrap());
    let size = u64::try_from(whole.lines.len()).unwrap();
    let (mut n_refused, mut n_right) = (0, 0);
    let pairs: Vec<_> = (0..=size)
        .flat_map(|end| (0..=end).map(move |start| (start, end)))
        .collect();
    let mut turn = 0;
    for file in 0..sound.files.len() {
        for at in 0..sound.files[file].now.len() {
            let mut medium = sound.clone();
            let mut bytes = medium.files[file].now.to_vec();
            bytes[at] ^= 1;
            medium.files[file].write(0, &bytes);
            let disk = SimulatedDisk::new(medium, layout);
            let Ok(prefix) = Prefix::open(&disk) else {
                continue;
            };
            turn += 1;
            for (start, end) in [pairs[turn % pairs.len()], pairs[turn * 7 % pairs.len()]] {
                match whole.check(&prefix, start, end) {
                    Ok(()) => n_right += 1,
                    Err(refused) => {
                        assert!(refused.starts_with("refused"), "{file} {at}: {refused}");
                        n_refused += 1;
                    }
                }
                if let Ok(root) = prefix.root_at(end) {
                    assert_eq!(known(end, root), whole.known(end), "{file} {at}");
                }
            }
        }
    }
    assert!(500 < n_refused && 500 < n_right, "{n_refused} {n_right}");
}

#[test]
fn sealed_segments_outside_the_stretch_are_not_looked_at_and_those_in_it_are() {
    let bench = Bench::new();
    let count = usize::try_from(4 * SEGMENT_LINES).unwrap();
    bench.append(0, count);
    let disk = bench.disk();
    let prefix = Prefix::open(&disk).unwrap();
    let sizes = [
        100,
        SEGMENT_LINES,
        2 * SEGMENT_LINES + 9,
        3 * SEGMENT_LINES,
        prefix.size(),
    ];
    let [early, first, second, third, end] = sizes.map(|size| {
        let root = prefix.read(size, |_, _| ()).unwrap();
        assert_eq!(prefix.root_at(size).unwrap(), root);
        known(size, root)
    });
    let segment = |number: u64| bench.path().join(format!("events/{number:06}.jsonl"));
    // Any byte of a line may be another one: the first and the third segment.
    for number in [0, 2] {
        let mut bytes = std::fs::read(segment(number)).unwrap();
        bytes[200_000] ^= 1;
        std::fs::write(segment(number), bytes).unwrap();
    }
    let read = |start: &CheckpointRef, end: &CheckpointRef| {
        let mut n_events = 0;
        let root = prefix.read_from(start, end.size.get(), |_, _| n_events += 1);
        match root {
            Ok(root) => {
                assert_eq!(root, end.root);
                assert_eq!(n_events, end.size.get() - start.size.get());
                Ok(())
            }
            Err(ResumeError::Read(ReadError::Damaged(findings))) => {
                let finding = &findings[0];
                Err((finding.code, finding.place.file.clone().unwrap()))
            }
            Err(error) => panic!("{error}"),
        }
    };
    let changed = |number: u64| Err((Code::SegmentChanged, format!("events/{number:06}.jsonl")));
    assert_eq!(read(&third, &end), Ok(()));
    assert_eq!(read(&end, &end), Ok(()));
    assert_eq!(read(&first, &first), Ok(()));
    assert_eq!(
        read(&early, &early),
        changed(0),
        "its root is not known otherwise"
    );
    assert_eq!(read(&early, &first), changed(0));
    assert_eq!(read(&second, &third), changed(2));
    assert_eq!(read(&first, &second), changed(2));
    assert_eq!(read(&first, &end), changed(2));
    assert!(
        prefix.read(end.size.get(), |_, _| ()).is_err(),
        "reading all looks at all"
    );
    std::fs::remove_file(segment(0)).unwrap();
    assert_eq!(read(&third, &end), Ok(()));
    let missing = Err((Code::SegmentMissing, "events/000000.jsonl".to_owned()));
    assert_eq!(read(&early, &end), missing);
    std::fs::remove_file(bench.path().join("segments.jsonl")).unwrap();
    let missing = Err((Code::SegmentIndex, "segments.jsonl".to_owned()));
    assert_eq!(read(&third, &end), missing);
}

#[test]
fn a_prefix_that_was_opened_stays_what_it_was_while_a_writer_goes_on() {
    for level in 0..4 {
        let layout = Layout::of_level(level);
        let disk = disk_of(layout, &expenses(0, 10));
        let prefix = Prefix::open(&disk).unwrap();
        let whole = Whole::of(&prefix);
        for round in 1..9 {
            append(&disk, &expenses(round * 10, round));
            for size in 0..=prefix.size() {
                assert_eq!(
                    known(size, prefix.root_at(size).unwrap()),
                    whole.known(size)
                );
                for start in 0..=size {
                    whole.check(&prefix, start, size).unwrap();
                }
            }
        }
    }
}

#[test]
fn a_reader_that_goes_on_and_on_beside_a_writer_has_every_event_once() {
    let bench = Bench::new();
    let is_done = AtomicBool::new(false);
    let (lines, n_reads) = std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let disk = bench.disk();
            let mut lines: Vec<String> = Vec::new();
            let mut n_reads = 0;
            let mut latest = known(0, Digest::of(b""));
            loop {
                // Asked first: then the read behind it sees all there is.
                let was_done = is_done.load(Ordering::Acquire);
                let prefix = Prefix::open(&disk).unwrap();
                let size = prefix.size();
                let take = |_, event: Verified<Event>| lines.push(event.line().to_owned());
                let root = prefix.read_from(&latest, size, take).unwrap();
                assert_eq!(root, prefix.root());
                n_reads += usize::from(latest.size.get() < size);
                latest = known(size, root);
                if was_done {
                    return (lines, n_reads);
                }
            }
        });
        let disk = bench.disk();
        let (mut writer, _) = Writer::open(&disk, noon(), &by()).unwrap();
        for batch in expenses(0, 12_000).chunks(111) {
            writer.append(batch).unwrap();
        }
        is_done.store(true, Ordering::Release);
        reader.join().unwrap()
    });
    let disk = bench.disk();
    let mut all = Vec::new();
    let prefix = Prefix::open(&disk).unwrap();
    let take = |_, event: Verified<Event>| all.push(event.line().to_owned());
    prefix.read(prefix.size(), take).unwrap();
    assert!(lines == all);
    assert!(1 < n_reads, "{n_reads}");
}

proptest! {
    // Each of them reads the whole ledger once for each of its sizes.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn batches_of_any_length_read_on_as_they_read_whole(
        level in 0..5_u32,
        batches in prop::collection::vec(1..20_usize, 0..8),
        picks in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 6),
    ) {
        let disk = disk_of(Layout::of_level(level), &[]);
        let mut first = 0;
        for count in batches {
            append(&disk, &expenses(first, count));
            first += count;
        }
        let prefix = Prefix::open(&disk).unwrap();
        let whole = Whole::of(&prefix);
        for (start, size) in picks {
            let size = size.index(whole.lines.len() + 1);
            let start = u64::try_from(start.index(size + 1)).unwrap();
            let size = u64::try_from(size).unwrap();
            prop_assert_eq!(prefix.root_at(size).unwrap(), whole.known(size).root);
            prop_assert_eq!(whole.check(&prefix, start, size), Ok(()));
        }
    }

    #[test]
    fn the_prefix_until_a_time_is_the_one_before_the_first_later_event(
        level in 0..4_u32,
        times in prop::collection::vec(0..20_i64, 0..30),
        until in -1..21_i64,
    ) {
        let time = |number: i64| Time::from_unix_ms(noon().unix_ms() + number).unwrap();
        let events: Vec<_> = (0..)
            .zip(&times)
            .map(|(number, at): (usize, _)| {
                event_at(&time(*at).to_string(), expense(&number.to_string()))
            })
            .collect();
        let disk = disk_of(Layout::of_level(level), &events);
        let prefix = Prefix::open(&disk).unwrap();
        let whole = Whole::of(&prefix);
        // The first event is of noon.
        let all = [0].iter().chain(&times);
        let expected = all.take_while(|at| **at <= until).count();
        let mut lines = Vec::new();
        let take = |_, event: Verified<Event>| lines.push(event.line().to_owned());
        let (size, root) = prefix.read_until(time(until), take).unwrap();
        prop_assert_eq!(size, u64::try_from(expected).unwrap());
        prop_assert_eq!(root, whole.roots[expected]);
        prop_assert_eq!(&lines, &whole.lines[..expected]);
    }
}
