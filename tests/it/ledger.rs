//! What a ledger on a real disk promises.

use std::fs;
use std::path::{Path, PathBuf};

use scoresheet::canonical::{Decimal, Time};
use scoresheet::event::{By, Event, ExpenseCategory, ExpenseRecorded, Origin, Verified};
use scoresheet::finding::{Code, Finding};
use scoresheet::ledger::{
    Checkpoint, Disk, LedgerError, Prefix, SEGMENT_LINES, Writer, create, verify,
};

/// A ledger in a folder of its own.
pub(crate) struct Bench {
    folder: tempfile::TempDir,
}

pub(crate) fn time(text: &str) -> Time {
    text.parse().unwrap()
}

pub(crate) fn noon() -> Time {
    time("2026-11-29T12:00:00.000Z")
}

pub(crate) fn by() -> By {
    "test/ledger".parse().unwrap()
}

/// Returns `count` different events.
pub(crate) fn expenses(first: usize, count: usize) -> Vec<Verified<Event>> {
    (first..first + count)
        .map(|number| {
            let what = ExpenseRecorded {
                amount_usd: Decimal::ZERO,
                category: ExpenseCategory::Other,
                note: format!("bill {number}"),
            };
            let event = Event {
                at: noon(),
                by: by(),
                what: what.into(),
            };
            Verified::write(event).unwrap()
        })
        .collect()
}

/// The lines of events, as `append` takes them.
pub(crate) fn text(events: &[Verified<Event>]) -> String {
    let lines: Vec<_> = events.iter().map(Verified::line).collect();
    lines.join("\n") + "\n"
}

/// The checkpoint of a ledger as it stands.
pub(crate) fn checkpoint(bench: &Bench) -> Checkpoint {
    let disk = bench.disk();
    let prefix = Prefix::open(&disk).unwrap();
    Checkpoint {
        origin: prefix.description().origin.clone(),
        size: prefix.size(),
        root: prefix.root(),
    }
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::opened(noon())
    }

    pub(crate) fn opened(at: Time) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let bench = Self { folder };
        let origin: Origin = "example.org/test".parse().unwrap();
        create(&bench.disk(), origin, at, by()).unwrap();
        bench
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("ledger")
    }

    pub(crate) fn disk(&self) -> Disk {
        Disk::new(self.path())
    }

    pub(crate) fn append(&self, first: usize, count: usize) {
        let disk = self.disk();
        let (mut writer, _) = Writer::open(&disk, noon(), &by()).unwrap();
        writer.append(&expenses(first, count)).unwrap();
    }

    pub(crate) fn findings(&self) -> Vec<Finding> {
        verify(&self.disk(), &|_, _| (), &mut |_, _| ())
            .unwrap()
            .findings
    }

    fn codes(&self) -> Vec<Code> {
        self.findings().iter().map(|finding| finding.code).collect()
    }

    pub(crate) fn size(&self) -> u64 {
        Prefix::open(&self.disk()).unwrap().size()
    }

    pub(crate) fn edit(&self, file: &str, edit: impl FnOnce(&mut Vec<u8>)) {
        let path = self.path().join(file);
        let mut bytes = fs::read(&path).unwrap();
        edit(&mut bytes);
        fs::write(path, bytes).unwrap();
    }
}

#[test]
fn what_was_appended_reads_back_in_order_and_verifies() {
    let bench = Bench::new();
    bench.append(0, 3);
    bench.append(3, 1);
    assert_eq!(bench.findings(), vec![]);
    let disk = bench.disk();
    let prefix = Prefix::open(&disk).unwrap();
    let mut notes = Vec::new();
    prefix
        .read(prefix.size(), |_, event| {
            notes.push(event.line().to_owned());
        })
        .unwrap();
    assert_eq!(notes.len(), 5);
    assert!(notes[0].contains("ledger.opened"));
    assert!(notes[4].contains("bill 3"));
}

#[test]
fn a_batch_may_cross_segments_and_every_prefix_has_its_own_root() {
    let bench = Bench::new();
    let count = usize::try_from(2 * SEGMENT_LINES).unwrap();
    bench.append(0, count + 7);
    assert_eq!(bench.findings(), vec![]);
    assert_eq!(bench.size(), 2 * SEGMENT_LINES + 8);
    bench.append(count + 7, count - 8);
    assert_eq!(bench.findings(), vec![], "the open segment is empty now");
    assert_eq!(bench.size(), 4 * SEGMENT_LINES);
    bench.append(3 * count, 1);
    assert_eq!(bench.findings(), vec![]);
    let disk = bench.disk();
    let prefix = Prefix::open(&disk).unwrap();
    let mut roots = std::collections::BTreeSet::new();
    for size in [0, 1, 4095, 4096, 4097, 9000, prefix.size()] {
        let mut seen = 0;
        roots.insert(prefix.read(size, |_, _| seen += 1).unwrap());
        assert_eq!(seen, size);
    }
    assert_eq!(roots.len(), 7);
}

#[test]
fn a_second_writer_is_refused_and_a_line_is_taken_only_once() {
    let bench = Bench::new();
    let disk = bench.disk();
    let (mut writer, _) = Writer::open(&disk, noon(), &by()).unwrap();
    let second = Writer::open(&disk, noon(), &by());
    assert!(matches!(second.err(), Some(LedgerError::Busy { .. })));
    writer.append(&expenses(0, 2)).unwrap();
    for batch in [expenses(1, 1), [expenses(5, 1), expenses(5, 1)].concat()] {
        let refused = writer.append(&batch);
        assert!(matches!(refused, Err(LedgerError::Duplicate { .. })));
    }
    writer.append(&expenses(2, 1)).unwrap();
    drop(writer);
    assert_eq!(bench.size(), 4);
    assert_eq!(bench.findings(), vec![]);
}

#[test]
fn a_replaced_head_ends_the_writer() {
    let bench = Bench::new();
    let disk = bench.disk();
    let (mut writer, _) = Writer::open(&disk, noon(), &by()).unwrap();
    let head = bench.path().join("head");
    let bytes = fs::read(&head).unwrap();
    fs::remove_file(&head).unwrap();
    fs::write(&head, bytes).unwrap();
    let refused = writer.append(&expenses(0, 1));
    assert!(matches!(refused, Err(LedgerError::HeadReplaced { .. })));
    assert!(matches!(
        writer.append(&expenses(0, 1)),
        Err(LedgerError::Poisoned)
    ));
}

#[test]
fn a_torn_tail_goes_to_quarantine_and_is_recorded() {
    let bench = Bench::new();
    bench.append(0, 2);
    bench.edit("events/000000.jsonl", |bytes| {
        bytes.extend(b"{\"at\":\"2026");
    });
    assert_eq!(bench.codes(), vec![Code::UnacknowledgedTail]);
    assert_eq!(bench.size(), 3, "readers take what was acknowledged");
    bench.append(2, 1);
    assert_eq!(bench.findings(), vec![]);
    assert_eq!(bench.size(), 5, "the recovery is an event");
    let quarantined: Vec<_> = fs::read_dir(bench.path().join("quarantine"))
        .unwrap()
        .map(|entry| fs::read(entry.unwrap().path()).unwrap())
        .collect();
    assert_eq!(quarantined, vec![b"{\"at\":\"2026".to_vec()]);
}

#[test]
fn a_torn_head_is_rolled_forward_over_the_whole_tail_and_recorded() {
    for slot in [0, 4096] {
        let bench = Bench::new();
        bench.append(0, 2);
        bench.append(2, 2);
        bench.edit("head", |bytes| bytes[slot + 40] ^= 1);
        assert_eq!(bench.codes()[0], Code::HeadSlot);
        bench.append(4, 1);
        assert_eq!(bench.findings(), vec![]);
        assert_eq!(bench.size(), 7);
    }
}

#[test]
fn damage_before_the_watermark_refuses_the_writer_and_changes_nothing() {
    type Damage = (&'static str, fn(&mut Vec<u8>));
    let damages: [Damage; 6] = [
        ("events/000000.jsonl", |bytes| bytes[30] ^= 1),
        ("events/000000.jsonl", |bytes| bytes.truncate(60)),
        ("head", |bytes| bytes[600] ^= 1),
        ("head", |bytes| bytes.truncate(4607)),
        ("head", |bytes| {
            bytes[40] ^= 1;
            bytes[4136] ^= 1;
        }),
        ("LEDGER.json", |bytes| bytes[5] ^= 1),
    ];
    for (file, damage) in damages {
        let bench = Bench::new();
        bench.append(0, 2);
        bench.edit(file, damage);
        let before = files(&bench.path());
        let disk = bench.disk();
        let refused = Writer::open(&disk, noon(), &by());
        assert!(
            matches!(refused.err(), Some(LedgerError::Damaged { .. })),
            "{file}"
        );
        assert_eq!(files(&bench.path()), before, "{file}");
    }
}

#[test]
fn every_flipped_byte_removed_file_and_truncation_is_found() {
    let bench = Bench::new();
    bench.append(0, 3);
    bench.append(3, 1);
    let good = files(&bench.path());
    for (file, bytes) in &good {
        for at in 0..bytes.len() {
            bench.edit(file, |bytes| bytes[at] ^= 1);
            assert!(is_noticed(&bench), "{file} byte {at}");
            fs::write(bench.path().join(file), bytes).unwrap();
        }
        for length in 0..bytes.len() {
            fs::write(bench.path().join(file), &bytes[..length]).unwrap();
            assert!(is_noticed(&bench), "{file} cut to {length}");
        }
        fs::remove_file(bench.path().join(file)).unwrap();
        assert!(is_noticed(&bench), "{file} removed");
        fs::write(bench.path().join(file), bytes).unwrap();
        let added = bench.path().join(format!("{file}.more"));
        fs::write(&added, b"x").unwrap();
        assert!(is_noticed(&bench), "{file}.more added");
        fs::remove_file(added).unwrap();
    }
    assert!(!is_noticed(&bench));
}

fn is_noticed(bench: &Bench) -> bool {
    match verify(&bench.disk(), &|_, _| (), &mut |_, _| ()) {
        Ok(verification) => scoresheet::finding::any_blocker(&verification.findings),
        Err(LedgerError::Damaged { findings }) => scoresheet::finding::any_blocker(&findings),
        Err(error) => panic!("could not look: {error}"),
    }
}

/// Every file below a folder, with its bytes.
pub(crate) fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = walkdir::WalkDir::new(folder)
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let name = entry.path().strip_prefix(folder).unwrap();
            (
                name.to_str().unwrap().to_owned(),
                fs::read(entry.path()).unwrap(),
            )
        })
        .collect();
    files.sort();
    files
}

#[test]
fn a_file_that_stands_where_the_next_segment_goes_is_left_alone() {
    let bench = Bench::new();
    let disk = bench.disk();
    let (mut writer, _) = Writer::open(&disk, noon(), &by()).unwrap();
    let foreign = bench.path().join("events/000001.jsonl");
    fs::write(&foreign, b"somebody's notes").unwrap();
    let count = usize::try_from(SEGMENT_LINES).unwrap();
    let refused = writer.append(&expenses(0, count + 1));
    assert!(matches!(refused, Err(LedgerError::Io { .. })));
    assert_eq!(fs::read(&foreign).unwrap(), b"somebody's notes");
    assert_eq!(bench.size(), 1);
}

#[test]
fn bytes_behind_the_head_are_on_their_way_while_a_writer_is_at_work() {
    let bench = Bench::new();
    let disk = bench.disk();
    let writer = Writer::open(&disk, noon(), &by()).unwrap();
    bench.edit("events/000000.jsonl", |bytes| bytes.extend(b"{\"at\""));
    assert_eq!(bench.codes(), vec![]);
    drop(writer);
    assert_eq!(bench.codes(), vec![Code::UnacknowledgedTail]);
}
