use crate::canonical::{Count, Time};
use crate::digest::Root;
use crate::event::{By, Event, RecoveryRecorded, Verified};
use crate::ledger::layout::{EVENTS, HEAD, SEGMENTS, segment_path};
use crate::ledger::quarantine::Pending;
use crate::ledger::recovery::{Survey, survey};
use crate::ledger::segment_index::Sealed;
use crate::ledger::{FolderLock, Head, LedgerError, Mode, Storage, StorageFile};

/// The one writer of a ledger. It appends whole batches or nothing.
pub struct Writer<'a> {
    storage: &'a dyn Storage,
    /// Held for as long as the writer lives, as is the lock of the head.
    _folder_lock: FolderLock,
    head_file: Box<dyn StorageFile>,
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

/// A part of a batch that goes into one segment.
struct Piece {
    segment: u64,
    offset: u64,
    bytes: Vec<u8>,
    /// The root of the segment, where the piece fills it.
    sealed: Option<Root>,
}

/// Takes the lock. A reader that asks whether a writer is at work holds it for a
/// moment, so a few tries are made before someone else is taken for a writer.
fn lock(head_file: &dyn StorageFile) -> std::io::Result<bool> {
    for _ in 0..20 {
        if head_file.try_lock()? {
            return Ok(true);
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    Ok(false)
}

impl Piece {
    /// The offset behind the piece.
    fn end(&self) -> u64 {
        self.offset + u64::try_from(self.bytes.len()).unwrap_or(u64::MAX)
    }
}

impl<'a> Writer<'a> {
    /// Opens a ledger to append to it. Cleans up what an interrupted append
    /// left behind, and records that by events with this time and author.
    ///
    /// # Errors
    ///
    /// When another writer is at work, or when what was acknowledged is not
    /// there as it was acknowledged; nothing is changed then.
    pub fn open(
        storage: &'a dyn Storage,
        at: Time,
        by: &By,
    ) -> Result<(Self, Recoveries), LedgerError> {
        // A ledger that is not there is told from one without a head.
        crate::ledger::prefix::read_description(storage)?;
        crate::ledger::prefix::read_slots(storage)?;
        let head_file = storage
            .open(HEAD, Mode::Write)
            .map_err(LedgerError::io("open", HEAD))?;
        if !lock(&*head_file).map_err(LedgerError::io("lock", HEAD))? {
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
        let ground = survey(storage)?;
        let mut writer = Self {
            storage,
            _folder_lock: folder_lock,
            head_file,
            ground,
            is_poisoned: false,
        };
        let recoveries = writer.recover(at, by)?;
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
        if self.is_poisoned {
            return Err(LedgerError::Poisoned);
        }
        self.refuse_duplicates(batch)?;
        self.check_head_file()?;
        let first_index = self.ground.head.size;
        if !batch.is_empty() {
            // Usable again only when everything below went well.
            self.is_poisoned = true;
            self.commit(batch)?;
            self.is_poisoned = false;
        }
        Ok(Receipt {
            first_index,
            size: self.ground.head.size,
            root: self.ground.head.root,
        })
    }

    /// The locked file must be the one that everybody finds.
    fn check_head_file(&mut self) -> Result<(), LedgerError> {
        let is_there = self.head_file.still_at(HEAD);
        self.is_poisoned |= !matches!(is_there, Ok(true));
        if is_there.map_err(LedgerError::io("look at", HEAD))? {
            return Ok(());
        }
        Err(LedgerError::HeadReplaced {
            folder: self.storage.describe(),
        })
    }

    fn refuse_duplicates(&self, batch: &[Verified<Event>]) -> Result<(), LedgerError> {
        let mut ids = std::collections::BTreeSet::new();
        for (number, event) in batch.iter().enumerate() {
            let id = event.id();
            if self.ground.open_ids.contains(&id) || !ids.insert(id) {
                return Err(LedgerError::Duplicate {
                    id,
                    line: number + 1,
                });
            }
        }
        Ok(())
    }

    /// Writes data, then the segment index, then the head, each synced before the next.
    fn commit(&mut self, batch: &[Verified<Event>]) -> Result<(), LedgerError> {
        let before = self.ground.head;
        let pieces = self.take(batch);
        let written = self
            .write_pieces(&pieces)
            .and_then(|()| self.write_index(&pieces));
        match written {
            Ok(index_bytes) => self.ground.index_bytes += index_bytes,
            Err(error) => {
                // The head does not cover any of it yet, so it can go. Where
                // that fails too, the next opening finds it behind the head.
                self.take_back(&before, &pieces);
                return Err(error);
            }
        }
        self.write_head(&pieces)
    }

    /// Makes these pieces acknowledged. They are on disk and durable.
    fn write_head(&mut self, pieces: &[Piece]) -> Result<(), LedgerError> {
        let before = self.ground.head;
        let (segment, length) = pieces
            .last()
            .map_or((before.segment, before.length), |piece| {
                (piece.segment, piece.end())
            });
        let head = Head {
            sequence: before.sequence + 1,
            size: self.ground.tree.size(),
            root: self.ground.tree.root(),
            segment,
            length,
        };
        // From here on nothing is taken back: the new head may be durable
        // even where the system reports an error.
        self.head_file
            .write_all_at(head.slot_offset(), &head.slot())
            .and_then(|()| self.head_file.sync())
            .map_err(LedgerError::io("write", HEAD))?;
        // What stands in a file that nobody finds is not acknowledged.
        self.check_head_file()?;
        self.ground.head = head;
        Ok(())
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

    /// Adds a batch to the tree and lays it out over segments.
    fn take(&mut self, batch: &[Verified<Event>]) -> Vec<Piece> {
        let head = self.ground.head;
        let layout = self.storage.layout();
        let mut pieces = vec![Piece {
            segment: head.segment,
            offset: head.length,
            bytes: Vec::new(),
            sealed: None,
        }];
        for event in batch {
            self.ground.take(event);
            let size = self.ground.tree.size();
            let Some(piece) = pieces.last_mut() else {
                break;
            };
            piece.bytes.extend_from_slice(event.line().as_bytes());
            piece.bytes.push(b'\n');
            if size.is_multiple_of(layout.segment_lines()) {
                piece.sealed = Some(self.ground.open_tree.root());
                self.ground.open_tree = crate::digest::Frontier::default();
                self.ground.open_ids.clear();
                pieces.push(Piece {
                    segment: layout.segment_of(size),
                    offset: 0,
                    bytes: Vec::new(),
                    sealed: None,
                });
            }
        }
        pieces
    }

    fn write_pieces(&self, pieces: &[Piece]) -> Result<(), LedgerError> {
        for (number, piece) in pieces.iter().enumerate() {
            let path = segment_path(piece.segment);
            let mode = if number == 0 { Mode::Write } else { Mode::New };
            self.storage
                .open(&path, mode)
                .and_then(|mut file| {
                    file.write_all_at(piece.offset, &piece.bytes)?;
                    file.sync()
                })
                .map_err(LedgerError::io("write", path))?;
        }
        if 1 < pieces.len() {
            self.storage
                .sync_folder(EVENTS)
                .map_err(LedgerError::io("sync", EVENTS))?;
        }
        Ok(())
    }

    /// Adds the sealed segments to the index and returns how many bytes that took.
    fn write_index(&self, pieces: &[Piece]) -> Result<u64, LedgerError> {
        let mut lines = String::new();
        for piece in pieces {
            let Some(root) = piece.sealed else { continue };
            let sealed = Sealed {
                bytes: Count::saturating(piece.end()),
                root,
                segment: Count::saturating(piece.segment),
            };
            let line = sealed.line().map_err(std::io::Error::other);
            lines += &line.map_err(LedgerError::io("write", SEGMENTS))?;
        }
        if !lines.is_empty() {
            self.storage
                .open(SEGMENTS, Mode::Write)
                .and_then(|mut file| {
                    file.write_all_at(self.ground.index_bytes, lines.as_bytes())?;
                    file.sync()
                })
                .map_err(LedgerError::io("write", SEGMENTS))?;
        }
        Ok(u64::try_from(lines.len()).unwrap_or(u64::MAX))
    }

    /// Takes back what a failed commit wrote, as far as the system lets it.
    fn take_back(&self, before: &Head, pieces: &[Piece]) {
        let shorten = |path: &str, bytes: u64| {
            self.storage
                .open(path, Mode::Write)
                .and_then(|mut file| file.set_length(bytes))
        };
        for piece in pieces.iter().skip(1) {
            drop(self.storage.remove(&segment_path(piece.segment)));
        }
        drop(shorten(&segment_path(before.segment), before.length));
        drop(shorten(SEGMENTS, self.ground.index_bytes));
    }

    /// Settles what an interrupted append left, and records it.
    fn recover(&mut self, at: Time, by: &By) -> Result<Recoveries, LedgerError> {
        self.check_head_file()?;
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
            let event = Verified::write(event).map_err(std::io::Error::other);
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
        let pieces = self.take(whole);
        for piece in &pieces {
            let path = segment_path(piece.segment);
            let opened = match self.storage.open(&path, Mode::Write) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    self.storage.open(&path, Mode::New)
                }
                other => other,
            };
            opened
                .and_then(|mut file| file.sync())
                .and_then(|()| self.storage.sync_folder(EVENTS))
                .map_err(LedgerError::io("sync", path))?;
        }
        self.ground.index_bytes += self.write_index(&pieces)?;
        self.write_head(&pieces)?;
        self.ground.broken_slot = None;
        Ok(())
    }
}
