//! The life of a ledger by a script that a seed writes, and what it promised
//! at each moment.

use std::io::ErrorKind;
use std::sync::Arc;

use scoresheet::canonical::{Decimal, Time};
use scoresheet::event::{
    By, Event, EventId, ExpenseCategory, ExpenseRecorded, Verified, What, WorkerStarted,
};
use scoresheet::ledger::{
    Checkpoint, Layout, LedgerError, Prefix, Waivers, Writer, blob_path, create_in,
    issue_checkpoint, put_blob,
};

use crate::simulator::disk::{Fault, Lie, SimulatedDisk};
use crate::simulator::medium::Medium;
use crate::simulator::promise::{Inquest, Promise, lines};
use crate::simulator::random::Random;

/// A moment at which the ledger may crash.
pub(crate) struct Moment {
    pub(crate) medium: Medium,
    pub(crate) promise: Arc<Promise>,
}

pub(crate) struct Life {
    random: Random,
    disk: SimulatedDisk,
    layout: Layout,
    promise: Promise,
    moments: Vec<Moment>,
    n_events: usize,
    n_openings: i64,
}

pub(crate) fn time(unix_ms: i64) -> Time {
    Time::from_unix_ms(unix_ms).unwrap()
}

fn by() -> By {
    "simulator".parse().unwrap()
}

pub(crate) fn event(at: i64, note: &str) -> Verified<Event> {
    let what = ExpenseRecorded {
        amount_usd: Decimal::ZERO,
        category: ExpenseCategory::Other,
        note: note.to_owned(),
    };
    verified(at, what.into())
}

pub(crate) fn verified(at: i64, what: What) -> Verified<Event> {
    let event = Event {
        at: time(at),
        by: by(),
        what,
    };
    Verified::write(event).unwrap()
}

/// How a step ended: the writer is of use still, or not.
enum Step {
    Done,
    Failed,
}

impl Life {
    /// Lives through a few steps and returns every moment of them.
    pub(crate) fn moments(seed: u64, lie: Option<Lie>) -> Result<(Layout, Vec<Moment>), String> {
        let mut random = Random::new(seed);
        let layout = Layout::of_level(u32::try_from(random.below(3) + 1).unwrap());
        let disk = SimulatedDisk::new(Medium::default(), layout);
        create_in(&disk, &"example.org/s".parse().unwrap(), time(0), &by()).unwrap();
        disk.lie(lie);
        let promise = Promise {
            acknowledged: lines(&disk.medium().contents(), layout)?,
            ..Promise::default()
        };
        let mut life = Self {
            random,
            disk,
            layout,
            promise,
            moments: Vec::new(),
            n_events: 0,
            n_openings: 0,
        };
        life.live()?;
        Ok((layout, life.moments))
    }

    fn live(&mut self) -> Result<(), String> {
        let mut n_steps = 3 + self.random.below(5);
        while 0 < n_steps {
            let disk = self.disk.clone();
            let mut writer = self.open(&disk)?;
            loop {
                if n_steps == 0 {
                    return Ok(());
                }
                n_steps -= 1;
                if self.random.percent(20) {
                    self.plan_fault(14);
                }
                let step = self.step(&mut writer)?;
                self.disk.fail(None, 0);
                if matches!(step, Step::Failed) {
                    break;
                }
            }
        }
        Ok(())
    }

    fn plan_fault(&mut self, changes: usize) {
        let fault = Fault {
            at: self.random.below(changes),
            is_for_good: self.random.percent(40),
            kind: [ErrorKind::StorageFull, ErrorKind::Other][self.random.below(2)],
        };
        let seed = self.random.next();
        self.disk.fail(Some(fault), seed);
    }

    /// Opens, however often that fails before. What stands there then is promised.
    fn open<'a>(&mut self, disk: &'a SimulatedDisk) -> Result<Writer<'a>, String> {
        if self.random.percent(15) {
            self.plan_fault(10);
        }
        disk.remember();
        loop {
            self.n_openings += 1;
            let opened = Writer::open(disk, time(self.n_openings), &by());
            disk.fail(None, 0);
            match opened {
                Ok((writer, _)) => {
                    self.note_moments();
                    let lines = lines(&disk.medium().contents(), self.layout)?;
                    self.promise.acknowledged = lines;
                    self.promise.in_flight.clear();
                    self.note_moment();
                    return Ok(writer);
                }
                Err(LedgerError::Io { .. }) => {}
                Err(error) => return Err(format!("refused without a crash: {error}")),
            }
        }
    }

    fn step(&mut self, writer: &mut Writer<'_>) -> Result<Step, String> {
        self.disk.remember();
        match self.random.below(10) {
            0..6 => {
                let batch = self.batch();
                self.append(writer, &batch)
            }
            6 => self.issue_checkpoint(),
            7 => self.put_blob(writer),
            8 => self.append_again(writer),
            _ => Ok(Step::Failed),
        }
    }

    fn batch(&mut self) -> Vec<Verified<Event>> {
        let most = 2 * usize::try_from(self.layout.segment_lines()).unwrap() + 2;
        let n_events = 1 + match self.random.below(10) {
            0..7 => self.random.below(3),
            _ => self.random.below(most),
        };
        (0..n_events)
            .map(|_| {
                self.n_events += 1;
                // Some lines are longer than a sector.
                let filling = if self.random.percent(10) { 700 } else { 0 };
                let note = format!("bill {} {}", self.n_events, "x".repeat(filling));
                event(self.n_openings, note.trim_end())
            })
            .collect()
    }

    fn append(
        &mut self,
        writer: &mut Writer<'_>,
        batch: &[Verified<Event>],
    ) -> Result<Step, String> {
        self.promise.in_flight = batch.iter().map(|event| event.line().into()).collect();
        let appended = writer.append(batch);
        self.note_moments();
        match appended {
            Ok(_) => {
                let in_flight = std::mem::take(&mut self.promise.in_flight);
                self.promise.acknowledged.extend(in_flight);
                self.note_moment();
                Ok(Step::Done)
            }
            Err(LedgerError::Io { .. }) => {
                let again = writer.append(batch);
                match again {
                    Err(LedgerError::Poisoned) => Ok(Step::Failed),
                    _ => Err("an error did not end the writer".to_owned()),
                }
            }
            Err(error) => Err(format!("an append was refused: {error}")),
        }
    }

    /// A line that stands there already is refused, and nothing is written.
    fn append_again(&mut self, writer: &mut Writer<'_>) -> Result<Step, String> {
        self.n_events += 1;
        let event = event(self.n_openings, &format!("twice {}", self.n_events));
        if matches!(
            self.append(writer, std::slice::from_ref(&event))?,
            Step::Failed
        ) {
            return Ok(Step::Failed);
        }
        self.disk.remember();
        match writer.append(&[event.clone(), event]) {
            Err(LedgerError::Duplicate { .. }) if self.disk.trail().is_empty() => Ok(Step::Done),
            other => Err(format!("a line twice: {other:?}")),
        }
    }

    fn issue_checkpoint(&mut self) -> Result<Step, String> {
        let prefix = Prefix::open(&self.disk).map_err(|error| error.to_string())?;
        let checkpoint = Checkpoint {
            origin: prefix.description().origin.clone(),
            size: prefix.size(),
            root: prefix.root(),
        };
        let issued = issue_checkpoint(&self.disk, &checkpoint);
        self.note_moments();
        if issued.is_ok() {
            let bytes = checkpoint.to_string().into_bytes();
            self.promise.files.push((checkpoint.path(), bytes));
            self.note_moment();
        }
        Ok(Step::Done)
    }

    /// Puts a blob, again where that fails, and an event that names it.
    fn put_blob(&mut self, writer: &mut Writer<'_>) -> Result<Step, String> {
        let bytes = format!("blob {} ", self.n_events).repeat(self.random.below(200));
        let digest = loop {
            match put_blob(&self.disk, bytes.as_bytes(), &Waivers::default()) {
                Ok(digest) => break digest,
                Err(LedgerError::Io { .. }) => self.disk.fail(None, 0),
                Err(error) => return Err(error.to_string()),
            }
        };
        self.note_moments();
        let file = (blob_path(&digest), bytes.into_bytes());
        self.promise.files.push(file);
        self.note_moment();
        self.disk.remember();
        self.n_events += 1;
        let what = WorkerStarted {
            dataset: None,
            program: format!("worker {}", self.n_events),
            run_file: digest,
            schedule: Some(EventId::of(b"none")),
        };
        let event = verified(self.n_openings, what.into());
        self.append(writer, &[event])
    }

    /// Every change since the last step, with what was promised before it.
    fn note_moments(&mut self) {
        self.promise.number += 1;
        let promise = Arc::new(self.promise.clone());
        let trail = self.disk.trail();
        self.moments.extend(trail.into_iter().map(|medium| Moment {
            medium,
            promise: Arc::clone(&promise),
        }));
    }

    /// Now, with what is promised now.
    fn note_moment(&mut self) {
        self.promise.number += 1;
        self.moments.push(Moment {
            medium: self.disk.medium(),
            promise: Arc::new(self.promise.clone()),
        });
    }
}

/// Crashes one life so often, and says what it found.
pub(crate) fn crash_life(
    seed: u64,
    n_crash_points: usize,
    lie: Option<Lie>,
) -> Result<Inquest, String> {
    let (layout, moments) = Life::moments(seed, lie)?;
    let mut inquest = Inquest::new(layout);
    // Apart from the numbers that the script drew.
    let mut random = Random::new(!seed);
    // A moment at which little can be lost soon has no new crash points.
    let mut moments: Vec<_> = moments.iter().map(|moment| (moment, 0)).collect();
    while inquest.n_crash_points < n_crash_points && !moments.is_empty() {
        for (moment, n_vain) in &mut moments {
            let is_new = inquest.crash(moment, &mut random)?;
            *n_vain = if is_new { 0 } else { *n_vain + 1 };
        }
        moments.retain(|(_, n_vain)| *n_vain < 3);
    }
    Ok(inquest)
}
