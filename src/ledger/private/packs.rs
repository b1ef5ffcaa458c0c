use std::collections::{BTreeMap, BTreeSet};
use std::io;

use crate::digest::Digest;
use crate::event::EventId;
use crate::finding::{Code, Finding, Place};
use crate::ledger::keep::make_folder;
use crate::ledger::layout::PRIVATE;
use crate::ledger::private::erasing::Erasing;
use crate::ledger::private::pack::{ERASED, HEADER_BYTES, Header, MAGIC, STATE_AT, scan};
use crate::ledger::private::sealer::SealedBody;
use crate::ledger::storage::absence;
use crate::ledger::{LedgerError, Mode, Storage, StorageFile};

/// The folder of packs, in the private store.
pub(crate) const PACKS: &str = "packs";

/// A pack that has as many bytes gets no more bodies.
const PACK_BYTES: u64 = 1 << 26;

/// Where the packed bodies of this copy are. Takes about 50 bytes a body.
#[derive(Debug, Default)]
pub struct Packs {
    units: BTreeMap<EventId, Vec<Packed>>,
    /// How many bodies of a pack are not erased, by its number.
    n_left: BTreeMap<u32, u64>,
    /// What stands among the packs and cannot be read as one.
    faults: Vec<Finding>,
    /// The packs that cannot be read to their end: nobody knows what is in them.
    damaged: BTreeSet<u32>,
}

/// Where a sealed body is.
#[derive(Clone, Copy, Debug)]
struct Packed {
    sha256: Digest,
    pack: u32,
    /// Of its header.
    offset: u64,
    length: u64,
}

fn folder() -> String {
    format!("{PRIVATE}/{PACKS}")
}

fn pack_path(number: u32) -> String {
    format!("{PRIVATE}/{PACKS}/{number:06}")
}

impl Packs {
    /// Looks through all packs of a copy; there are none where it has no store.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn open(storage: &dyn Storage) -> Result<Self, LedgerError> {
        let mut packs = Self::default();
        let entries = match storage.list(&folder()) {
            Ok(entries) => entries,
            Err(error) if absence(&error).is_some() => return Ok(packs),
            Err(error) => return Err(LedgerError::io("list", folder())(error)),
        };
        for entry in entries {
            let number = entry.name.parse::<u32>().ok();
            match number.filter(|n| entry.is_file && format!("{n:06}") == entry.name) {
                Some(number) => packs.look_into(storage, number)?,
                None => packs.faults.push(Finding::new(
                    Code::PrivateStray,
                    Place::file(format!("{}/{}", folder(), entry.name)),
                    "packs, whose names are numbers",
                    "something else",
                )),
            }
        }
        Ok(packs)
    }

    fn look_into(&mut self, storage: &dyn Storage, number: u32) -> Result<(), LedgerError> {
        let path = pack_path(number);
        let failed = |error| LedgerError::io("read", &path)(error);
        let file = match storage.open(&path, Mode::Read) {
            // Whoever erases has just removed it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            other => other.map_err(failed)?,
        };
        let n_left = self.n_left.entry(number).or_default();
        let units = &mut self.units;
        let fault = scan(&*file, &mut |offset, header| {
            if !header.is_erased {
                *n_left += 1;
                units.entry(header.unit).or_default().push(Packed {
                    sha256: header.sha256,
                    pack: number,
                    offset,
                    length: header.length,
                });
            }
        });
        if let Some(offset) = fault.map_err(failed)? {
            self.damaged.insert(number);
            self.faults.push(Finding::new(
                Code::PrivateChanged,
                Place::file(&path),
                "sealed bodies, one after another",
                format!("something else from byte {offset} on"),
            ));
        }
        Ok(())
    }

    /// What is wrong with the packs themselves.
    pub(crate) fn faults(&self) -> &[Finding] {
        &self.faults
    }

    /// The units of which there is something.
    pub(crate) fn units(&self) -> impl Iterator<Item = &EventId> {
        self.units.keys()
    }

    /// The sealed bodies of a unit, by their digests.
    pub(crate) fn of_unit(&self, unit: &EventId) -> impl Iterator<Item = &Digest> {
        let packed = self.units.get(unit).into_iter().flatten();
        packed.map(|packed| &packed.sha256)
    }

    /// Returns the bytes of a sealed body; nothing where it is in no pack.
    pub(crate) fn read(
        &self,
        storage: &dyn Storage,
        unit: &EventId,
        sha256: &Digest,
    ) -> Option<io::Result<Vec<u8>>> {
        let mut packed = self.units.get(unit)?.iter();
        let packed = packed.find(|packed| packed.sha256 == *sha256)?;
        let file = storage.open(&pack_path(packed.pack), Mode::Read);
        Some(file.and_then(|file| packed.read(&*file)))
    }
}

impl Packed {
    const fn body(&self) -> u64 {
        self.offset + HEADER_BYTES as u64
    }

    fn read(&self, file: &dyn StorageFile) -> io::Result<Vec<u8>> {
        let length = usize::try_from(self.length).map_err(io::Error::other)?;
        let mut bytes = vec![0; length];
        let read = file.read_at(self.body(), &mut bytes)?;
        bytes.truncate(read);
        Ok(bytes)
    }

    /// Whether it is the body that was written here, what an erasure left of it, or
    /// the end that a machine which stopped left of a pack. Anything else may hold
    /// bodies of others.
    fn is_its_own(&self, file: &dyn StorageFile) -> io::Result<bool> {
        let bytes = self.read(file)?;
        Ok(Digest::of(&bytes) == self.sha256
            || bytes.iter().all(|byte| *byte == 0)
            || memchr::memmem::find(&bytes, MAGIC).is_none())
    }

    /// Overwrites the body with zeros.
    fn overwrite(&self, file: &mut dyn StorageFile) -> io::Result<()> {
        static ZEROS: [u8; 1 << 16] = [0; 1 << 16];
        let mut done = 0;
        while done < self.length {
            let next = (self.length - done).min(ZEROS.len() as u64);
            let zeros = usize::try_from(next).map_err(io::Error::other)?;
            file.write_all_at(self.body() + done, &ZEROS[..zeros])?;
            done += next;
        }
        Ok(())
    }
}

/// Packs to which bodies are added, and in which they are erased: by whoever
/// holds the lock of the ledger.
pub struct PackWriter<'a> {
    storage: &'a dyn Storage,
    packs: Option<Packs>,
    open: Option<OpenPack>,
}

/// The pack that gets the next bodies.
struct OpenPack {
    number: u32,
    file: Box<dyn StorageFile>,
    length: u64,
}

impl<'a> PackWriter<'a> {
    /// A writer of the packs in this ledger. Nothing is looked at yet.
    pub const fn new(storage: &'a dyn Storage) -> Self {
        Self {
            storage,
            packs: None,
            open: None,
        }
    }

    fn packs(&mut self) -> Result<&mut Packs, LedgerError> {
        let packs = match self.packs.take() {
            Some(packs) => packs,
            None => Packs::open(self.storage)?,
        };
        Ok(self.packs.insert(packs))
    }

    /// Whether there is something of a unit.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn has(&mut self, unit: &EventId) -> Result<bool, LedgerError> {
        Ok(self.packs()?.units.contains_key(unit))
    }

    /// Adds sealed bodies. When this returns they are durable; the events that
    /// name them are still to be appended.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn append(&mut self, bodies: &[SealedBody]) -> Result<(), LedgerError> {
        if bodies.is_empty() {
            return Ok(());
        }
        self.packs()?;
        let open = match self.open.take() {
            Some(open) if open.length < PACK_BYTES => open,
            _ => self.next_pack()?,
        };
        let open = self.open.insert(open);
        let mut bytes = Vec::new();
        let mut packed = Vec::with_capacity(bodies.len());
        for body in bodies {
            let offset = open.length + bytes.len() as u64;
            Header::write(&body.unit(), &body.sha256(), body.bytes(), &mut bytes);
            let length = body.bytes().len() as u64;
            let (sha256, pack) = (body.sha256(), open.number);
            packed.push(Packed {
                sha256,
                pack,
                offset,
                length,
            });
        }
        let written = open.file.write_all_at(open.length, &bytes);
        let written = written.and_then(|()| open.file.sync());
        written.map_err(LedgerError::io("add to", pack_path(open.number)))?;
        open.length += bytes.len() as u64;
        let number = open.number;
        let packs = self.packs()?;
        *packs.n_left.entry(number).or_default() += bodies.len() as u64;
        for (body, packed) in bodies.iter().zip(packed) {
            packs.units.entry(body.unit()).or_default().push(packed);
        }
        Ok(())
    }

    /// Makes a pack after all there are.
    fn next_pack(&mut self) -> Result<OpenPack, LedgerError> {
        let storage = self.storage;
        make_folder(storage, &folder())?;
        let packs = self.packs()?;
        let last = packs.n_left.last_key_value();
        let number = last.map_or(0, |(number, _)| number.saturating_add(1));
        // An erasure that was killed at its end leaves packs of nothing.
        let empty = packs.n_left.iter().filter(|(_, n)| **n == 0);
        for (number, _) in empty.filter(|(number, _)| !packs.damaged.contains(number)) {
            match storage.remove(&pack_path(*number)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(LedgerError::io("remove", pack_path(*number))(error));
                }
                _ => {}
            }
        }
        let path = pack_path(number);
        let file = storage.open(&path, Mode::New);
        let file = file.and_then(|file| storage.sync_folder(&folder()).map(|()| file));
        Ok(OpenPack {
            number,
            file: file.map_err(LedgerError::io("make", &path))?,
            length: 0,
        })
    }

    /// The bodies of a unit, as far as they are in packs.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn of_unit(&mut self, unit: &EventId) -> Result<PackedBodies, LedgerError> {
        let mut bodies = PackedBodies::default();
        for one in self.packs()?.units.get(unit).into_iter().flatten() {
            bodies.0.entry(one.pack).or_default().push(*one);
        }
        Ok(bodies)
    }

    /// Forgets bodies that were overwritten; a pack of which nothing is left is removed.
    ///
    /// # Errors
    ///
    /// What the system says: another erasure completes it.
    pub fn forget(&mut self, erased: &Erasing) -> Result<(), LedgerError> {
        let storage = self.storage;
        for (number, gone) in &erased.packed().0 {
            let packs = self.packs()?;
            if let Some(left) = packs.units.get_mut(erased.unit()) {
                left.retain(|one| one.pack != *number);
            }
            let n_left = packs.n_left.entry(*number).or_default();
            *n_left = n_left.saturating_sub(gone.len() as u64);
            if *n_left == 0 && !packs.damaged.contains(number) {
                if self
                    .open
                    .as_ref()
                    .is_some_and(|open| open.number == *number)
                {
                    self.open = None;
                }
                let path = pack_path(*number);
                let removed = match storage.remove(&path) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                    other => other,
                };
                let removed = removed.and_then(|()| storage.sync_folder(&folder()));
                removed.map_err(LedgerError::io("remove", &path))?;
            }
        }
        self.packs()?.units.remove(erased.unit());
        Ok(())
    }
}

/// Bodies of one unit in packs, by the number of the pack.
#[derive(Clone, Debug, Default)]
pub struct PackedBodies(BTreeMap<u32, Vec<Packed>>);

impl PackedBodies {
    /// Refuses an erasure that would destroy more than these bodies.
    pub(crate) fn refuse_changed(&self, storage: &dyn Storage) -> Result<(), LedgerError> {
        for (number, packed) in &self.0 {
            let path = pack_path(*number);
            let failed = |error| LedgerError::io("erase", &path)(error);
            let file = storage.open(&path, Mode::Read).map_err(failed)?;
            for one in packed {
                if !one.is_its_own(&*file).map_err(failed)? {
                    let why = "it has been changed where a body of this unit stands, and what others said may stand there; restore it from a backup first";
                    return Err(failed(io::Error::new(io::ErrorKind::InvalidData, why)));
                }
            }
        }
        Ok(())
    }

    /// Overwrites all of them, durably. Returns how many there were.
    pub(crate) fn overwrite(&self, storage: &dyn Storage) -> Result<u64, LedgerError> {
        for (number, packed) in &self.0 {
            let path = pack_path(*number);
            let overwrite = || {
                let mut file = storage.open(&path, Mode::Write)?;
                packed
                    .iter()
                    .try_for_each(|one| one.overwrite(&mut *file))?;
                // Only what is gone may be said to be.
                file.sync()?;
                let mut states = packed.iter().map(|one| one.offset + STATE_AT);
                states.try_for_each(|state| file.write_all_at(state, &[ERASED]))?;
                file.sync()
            };
            overwrite().map_err(LedgerError::io("overwrite", &path))?;
        }
        Ok(self.0.values().map(|packed| packed.len() as u64).sum())
    }
}
