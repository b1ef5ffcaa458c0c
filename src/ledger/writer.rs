use std::borrow::Borrow;
use std::collections::BTreeSet;
use std::io;

use crate::canonical::{Clock, Time};
use crate::digest::Root;
use crate::event::{By, Event, RecoveryRecorded, Verified};
use crate::ledger::batch::Batch;
use crate::ledger::layout::{HEAD, segment_path};
use crate::ledger::quarantine::Pending;
use crate::ledger::recovery::{Survey, survey};
use crate::ledger::{FolderLock, Head, LedgerError, Mode, Storage, StorageFile};

/// The one writer of a ledger. It appends whole batches or nothing.
pub struct Writer<'a> {
    storage: &'a dyn Storage,
    /// Held for as long as the writer lives, as is the lock of the head.
    _folder_lock: FolderLock,
    head_file: Box<dyn StorageFile>,
    /// The open segment.
    segment_file: Box<dyn StorageFile>,
    ground: Survey,
    is_poisoned: bool,
}

/// The word that a batch is durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The index of the batch's first event.
    pub first_index: u64,
    /// The number of events in the ledger.
    pub size: u64,
    /// The root over them.
    pub root: Root,
}

/// What opening had to clean up.
pub type Recoveries = Vec<RecoveryRecorded>;

/// Someone who appends a batch is soon done: two seconds are waited.
const LOCK_TRIES: usize = 400;

/// Takes the lock. A reader that asks whether a writer is at work holds it for a
/// moment, so a few tries are made before someone else is taken for a writer.
pub(crate) fn lock(file: &dyn StorageFile, tries: usize) -> io::Result<bool> {
    for _ in 0..tries {
        if file.try_lock()? {
            return Ok(true);
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    Ok(false)
}

/// Takes the lock of the head, and that of the folder.
fn take_locks(storage: &dyn Storage) -> Result<(Box<dyn StorageFile>, FolderLock), LedgerError> {
    // A ledger that is not there is told from one without a head.
    crate::ledger::prefix::read_description(storage)?;
    crate::ledger::prefix::read_slots(storage)?;
    let network = storage.refused_network();
    if let Some(kind) = network.map_err(LedgerError::io("look at", HEAD))? {
        return Err(LedgerError::Network {
            folder: storage.describe(),
            kind,
        });
    }
    let head_file = storage
        .open(HEAD, Mode::Write)
        .map_err(LedgerError::io("open", HEAD))?;
    if !lock(&*head_file, LOCK_TRIES).map_err(LedgerError::io("lock", HEAD))? {
        return Err(LedgerError::Busy {
            folder: storage.describe(),
        });
    }
    // Whoever has replaced the head has not replaced the folder.
    let folder_lock = storage
        .try_lock()
        .map_err(LedgerError::io("lock", "the folder"))?
        .ok_or_else(|| LedgerError::Busy {
            folder: storage.describe(),
        })?;
    Ok((head_file, folder_lock))
}

impl<'a> Writer<'a> {
    /// Takes the locks of a ledger and lets go of them: whether it could be written
    /// now. Writes nothing.
    ///
    /// # Errors
    ///
    /// When another writer is at work, or the folder cannot be written.
    pub fn try_locks(storage: &dyn Storage) -> Result<(), LedgerError> {
        take_locks(storage).map(drop)
    }

    /// Opens a ledger to append to it. Cleans up what an interrupted append
    /// left behind, and records that by events with the time of this clock and
    /// this author. The clock is read once the lock is held, so that whoever
    /// waited for it says no earlier time than the writer before.
    ///
    /// # Errors
    ///
    /// When another writer is at work, or when what was acknowledged is not
    /// there as it was acknowledged; nothing is changed then.
    pub fn open(
        storage: &'a dyn Storage,
        clock: impl Clock,
        by: &By,
    ) -> Result<(Self, Recoveries), LedgerError> {
        let (head_file, folder_lock) = take_locks(storage)?;
        let ground = survey(storage)?;
        let segment = segment_path(ground.head.segment);
        let segment_file = storage
            .open(&segment, Mode::Write)
            .map_err(LedgerError::io("open", segment))?;
        let mut writer = Self {
            storage,
            _folder_lock: folder_lock,
            head_file,
            segment_file,
            ground,
            is_poisoned: false,
        };
        let recoveries = writer.recover(clock.now(), by)?;
        Ok((writer, recoveries))
    }

    /// The number of events.
    pub const fn size(&self) -> u64 {
        self.ground.head.size
    }

    /// The root over them.
    pub const fn root(&self) -> Root {
        self.ground.head.root
    }

    /// Appends a batch. When this returns, the batch is durable, whole.
    ///
    /// # Errors
    ///
    /// When the batch holds a line that it or the open segment already has
    /// (nothing is written, the writer stays usable), or what the system says
    /// (the writer is of no more use; open the ledger again).
    pub fn append(&mut self, batch: &[Verified<Event>]) -> Result<Receipt, LedgerError> {
        self.append_after(batch, || Ok(()))
    }

    /// Appends a batch as [`append`](Self::append) does, and does something beside it
    /// that must be durable too before anything of the batch counts: it is waited for
    /// when the events are durable and before the head says so.
    ///
    /// # Errors
    ///
    /// As [`append`](Self::append), and what went wrong beside it: nothing of the batch
    /// counts then.
    pub fn append_after(
        &mut self,
        batch: &[Verified<Event>],
        beside: impl FnOnce() -> Result<(), LedgerError>,
    ) -> Result<Receipt, LedgerError> {
        if self.is_poisoned {
            return Err(LedgerError::Poisoned);
        }
        self.refuse_duplicates(batch)?;
        self.append_all(batch.iter().map(Ok), beside)
    }

    /// Appends a batch that is read while it is written, of any length. When
    /// this returns, the batch is durable, whole.
    ///
    /// The caller has made sure that no line stands there twice.
    ///
    /// # Errors
    ///
    /// What the batch or the system says. The writer is of no more use then;
    /// what was written is taken back, now or by the next opening.
    pub fn append_each<T: Borrow<Verified<Event>>>(
        &mut self,
        batch: impl IntoIterator<Item = io::Result<T>>,
    ) -> Result<Receipt, LedgerError> {
        if self.is_poisoned {
            return Err(LedgerError::Poisoned);
        }
        self.append_all(batch, || Ok(()))
    }

    fn append_all<T: Borrow<Verified<Event>>>(
        &mut self,
        batch: impl IntoIterator<Item = io::Result<T>>,
        beside: impl FnOnce() -> Result<(), LedgerError>,
    ) -> Result<Receipt, LedgerError> {
        // Usable again only when everything below went well.
        self.is_poisoned = true;
        self.refuse_intruders()?;
        let first_index = self.ground.head.size;
        self.commit(batch, beside)?;
        self.is_poisoned = false;
        Ok(Receipt {
            first_index,
            size: self.ground.head.size,
            root: self.ground.head.root,
        })
    }

    /// Appends several batches in one commit and says of each what became of
    /// it. A batch with a line that stands there already is left out; where
    /// the commit fails, it fails for all.
    pub(crate) fn append_group(
        &mut self,
        batches: &[&[Verified<Event>]],
    ) -> Vec<Result<Receipt, LedgerError>> {
        let mut ids = BTreeSet::new();
        let mut size = self.ground.head.size;
        let mut place = |batch: &&[Verified<Event>]| {
            self.refuse_duplicates(batch)?;
            let in_group = batch.iter().position(|event| ids.contains(&event.id()));
            if let Some(place) = in_group {
                return Err(LedgerError::Duplicate {
                    id: batch[place].id(),
                    line: place + 1,
                });
            }
            ids.extend(batch.iter().map(Verified::id));
            let first_index = size;
            size += count(batch);
            Ok(first_index)
        };
        let placed: Vec<_> = batches.iter().map(&mut place).collect();
        let taken = batches.iter().zip(&placed);
        let taken = taken.filter(|(_, placed)| placed.is_ok());
        let committed = self.append_each(taken.flat_map(|(batch, _)| batch.iter().map(Ok)));
        let outcome = |placed: Result<u64, LedgerError>| match (placed, &committed) {
            (Err(refused), _) => Err(refused),
            (Ok(_), Err(error)) => Err(error.again()),
            (Ok(first_index), Ok(receipt)) => Ok(Receipt {
                first_index,
                ..*receipt
            }),
        };
        placed.into_iter().map(outcome).collect()
    }

    /// Makes sure that what is written is still the ledger, and nobody else's.
    fn refuse_intruders(&self) -> Result<(), LedgerError> {
        self.check_files()?;
        let head = &self.ground.head;
        let mut slot = head.slot();
        // Where locks do not hold, another writer shows by its head.
        let read = self.head_file.read_at(head.slot_offset(), &mut slot);
        read.map_err(LedgerError::io("read", HEAD))?;
        if slot == head.slot() {
            Ok(())
        } else {
            Err(self.replaced())
        }
    }

    /// The open files must be the ones that everybody finds.
    fn check_files(&self) -> Result<(), LedgerError> {
        let segment = segment_path(self.ground.head.segment);
        for (file, path) in [(&self.head_file, HEAD), (&self.segment_file, &segment)] {
            let still_there = file.still_at(path);
            if !still_there.map_err(LedgerError::io("look at", path))? {
                return Err(self.replaced());
            }
        }
        Ok(())
    }

    fn replaced(&self) -> LedgerError {
        LedgerError::HeadReplaced {
            folder: self.storage.describe(),
        }
    }

    /// Refuses a batch with a line that it or the open segment has already.
    fn refuse_duplicates(&mut self, batch: &[Verified<Event>]) -> Result<(), LedgerError> {
        let ids = batch.iter().map(Verified::id);
        match self.ground.open_ids.duplicate(ids) {
            None => Ok(()),
            Some(place) => Err(LedgerError::Duplicate {
                id: batch[place].id(),
                line: place + 1,
            }),
        }
    }

    /// Writes data, then the segment index, then the head, each synced before the next;
    /// what goes on beside it ends before the head.
    fn commit<T: Borrow<Verified<Event>>>(
        &mut self,
        events: impl IntoIterator<Item = io::Result<T>>,
        beside: impl FnOnce() -> Result<(), LedgerError>,
    ) -> Result<(), LedgerError> {
        let head = self.ground.head;
        let mut batch = Batch::behind(&head, self.storage, false);
        let written = self.write(&mut batch, events);
        // Whatever became of the batch, nothing is left behind at work.
        let written = beside().and(written);
        if let Err(error) = written {
            // The head does not cover any of it yet, so it can go. Where that
            // fails too, the next opening finds it behind the head.
            drop(batch.take_back(&head, self.ground.index_bytes, &mut *self.segment_file));
            return Err(error);
        }
        self.acknowledge(batch)
    }

    fn write<T: Borrow<Verified<Event>>>(
        &mut self,
        batch: &mut Batch<'_>,
        events: impl IntoIterator<Item = io::Result<T>>,
    ) -> Result<(), LedgerError> {
        for event in events {
            let event = event.map_err(LedgerError::io("read", "the batch"))?;
            batch.take(&mut self.ground, event.borrow(), &mut *self.segment_file)?;
        }
        if self.ground.size() == self.ground.head.size {
            return Ok(());
        }
        batch.finish(&mut *self.segment_file)?;
        batch.write_index(self.ground.index_bytes).map(drop)
    }

    /// Makes a batch acknowledged that is on disk and durable, its index too.
    fn acknowledge(&mut self, batch: Batch<'_>) -> Result<(), LedgerError> {
        let before = self.ground.head;
        if self.ground.size() == before.size && self.ground.broken_slot.is_none() {
            return Ok(());
        }
        let (segment, length) = batch.end();
        let head = Head {
            sequence: before.sequence + 1,
            size: self.ground.size(),
            root: self.ground.root(),
            segment,
            length,
        };
        // From here on nothing is taken back: the new head may be durable
        // even where the system reports an error.
        self.head_file
            .write_all_at(head.slot_offset(), &head.slot())
            .and_then(|()| self.head_file.sync())
            .map_err(LedgerError::io("write", HEAD))?;
        self.ground.head = head;
        self.ground.index_bytes += batch.index_bytes();
        if let Some(file) = batch.into_file() {
            self.segment_file = file;
        }
        // What stands in a file that nobody finds is not acknowledged.
        self.check_files()
    }

    /// Writes the newest head once more, as it is. Where its writer was told
    /// that it could not be made durable, the system may show it all the same.
    fn confirm_head(&mut self) -> Result<(), LedgerError> {
        let head = self.ground.head;
        // First what a failed commit may have begun to write into the other
        // slot: both must never be on their way at the same time.
        self.head_file
            .sync()
            .and_then(|()| {
                self.head_file
                    .write_all_at(head.slot_offset(), &head.slot())
            })
            .and_then(|()| self.head_file.sync())
            .map_err(LedgerError::io("write", HEAD))
    }

    /// Settles what an interrupted append left, and records it.
    fn recover(&mut self, at: Time, by: &By) -> Result<Recoveries, LedgerError> {
        self.check_files()?;
        let whole = self.ground.settle(self.storage)?;
        if self.ground.broken_slot.is_some() {
            self.roll_forward(&whole)?;
        } else {
            self.confirm_head()?;
        }
        let pending = Pending::all(self.storage)?;
        let unrecorded = Pending::unrecorded(&pending, self.storage, &self.ground.head)?;
        let recoveries: Recoveries = unrecorded.into_iter().map(Pending::recovery).collect();
        let events = recoveries.iter().map(|recovery| {
            let event = Event {
                at,
                by: by.clone(),
                what: recovery.clone().into(),
            };
            let event = Verified::write(event).map_err(io::Error::other);
            event.map_err(LedgerError::io("record", "the recovery"))
        });
        let events: Vec<_> = events.collect::<Result<_, _>>()?;
        self.append(&events)?;
        for pending in &pending {
            pending.settled(self.storage)?;
        }
        Ok(recoveries)
    }

    /// Commits events that stand behind the head already. Their bytes are not
    /// touched: they may have been acknowledged.
    fn roll_forward(&mut self, whole: &[Verified<Event>]) -> Result<(), LedgerError> {
        let head = self.ground.head;
        let mut batch = Batch::behind(&head, self.storage, true);
        for event in whole {
            batch.take(&mut self.ground, event, &mut *self.segment_file)?;
        }
        batch.finish(&mut *self.segment_file)?;
        batch.write_index(self.ground.index_bytes)?;
        self.acknowledge(batch)?;
        self.ground.broken_slot = None;
        Ok(())
    }
}

fn count(batch: &[Verified<Event>]) -> u64 {
    u64::try_from(batch.len()).unwrap_or(u64::MAX)
}
