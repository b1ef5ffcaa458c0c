//! A disk in memory that can crash, fail, and say what it held at every moment.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use scoresheet::ledger::{Entry, FolderLock, Layout, Mode, Storage, StorageFile};

use crate::simulator::medium::{Medium, Node, split};
use crate::simulator::random::Random;

/// A folder on a disk in memory. Clones are the same folder.
#[derive(Clone)]
pub(crate) struct SimulatedDisk {
    state: Arc<Mutex<State>>,
    layout: Layout,
}

/// How a call fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    /// Which change of the disk fails, from 0.
    pub(crate) at: usize,
    /// Whether all later ones fail, too.
    pub(crate) is_for_good: bool,
    pub(crate) kind: io::ErrorKind,
}

/// What is left out of a disk that lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lie {
    /// To sync a file of events does nothing.
    Segments,
    /// To sync the head does nothing.
    Head,
    /// To sync a folder does nothing.
    Folders,
}

#[derive(Default)]
struct State {
    medium: Medium,
    locked_files: BTreeSet<usize>,
    is_folder_locked: bool,
    /// What the disk held after every change, where it is to be remembered.
    trail: Option<Vec<Medium>>,
    n_changes: usize,
    fault: Option<Fault>,
    lie: Option<Lie>,
    random: Option<Random>,
}

impl SimulatedDisk {
    pub(crate) fn new(medium: Medium, layout: Layout) -> Self {
        let state = State {
            medium,
            ..State::default()
        };
        Self {
            state: Arc::new(Mutex::new(state)),
            layout,
        }
    }

    pub(crate) fn lie(&self, lie: Option<Lie>) {
        self.lock().lie = lie;
    }

    /// Remembers from now on what the disk holds after every change.
    pub(crate) fn remember(&self) {
        self.lock().trail = Some(Vec::new());
    }

    /// Returns what was remembered.
    pub(crate) fn trail(&self) -> Vec<Medium> {
        self.lock().trail.take().unwrap_or_default()
    }

    /// Fails a call to come.
    pub(crate) fn fail(&self, fault: Option<Fault>, seed: u64) {
        let mut state = self.lock();
        let n_changes = state.n_changes;
        state.fault = fault.map(|fault| Fault {
            at: n_changes + fault.at,
            ..fault
        });
        state.random = Some(Random::new(seed));
    }

    pub(crate) fn medium(&self) -> Medium {
        self.lock().medium.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Makes a change of the disk, or fails.
    fn change<T>(&self, change: impl FnOnce(&mut State, bool) -> io::Result<T>) -> io::Result<T> {
        let mut state = self.lock();
        let number = state.n_changes;
        state.n_changes += 1;
        let fault = state
            .fault
            .filter(|fault| number == fault.at || fault.is_for_good && fault.at < number);
        let mut changed = change(&mut state, fault.is_some());
        if let Some(fault) = fault {
            changed = Err(fault.kind.into());
        }
        if state.trail.is_some() {
            let medium = state.medium.clone();
            state.trail.as_mut().unwrap().push(medium);
        }
        changed
    }

    fn file(&self, path: &str) -> io::Result<usize> {
        match self.lock().medium.look(path) {
            Some(Node::File(number)) => Ok(number),
            Some(Node::Folder) => Err(io::ErrorKind::InvalidInput.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

impl Storage for SimulatedDisk {
    fn read(&self, path: &str, bytes_max: u64) -> io::Result<Vec<u8>> {
        let number = self.file(path)?;
        let bytes = Vec::clone(&self.lock().medium.files[number].now);
        if u64::try_from(bytes.len()).unwrap() <= bytes_max {
            Ok(bytes)
        } else {
            Err(io::ErrorKind::FileTooLarge.into())
        }
    }

    fn list(&self, folder: &str) -> io::Result<Vec<Entry>> {
        let state = self.lock();
        if state.medium.look(folder) != Some(Node::Folder) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let entries = state.medium.list(folder).into_iter();
        let entries = entries.map(|(name, node)| Entry {
            name: name.to_owned(),
            is_folder: node == Node::Folder,
            is_file: node != Node::Folder,
            bytes: match node {
                Node::Folder => 0,
                Node::File(number) => u64::try_from(state.medium.files[number].now.len()).unwrap(),
            },
        });
        Ok(entries.collect())
    }

    fn open(&self, path: &str, mode: Mode) -> io::Result<Box<dyn StorageFile>> {
        let number = if mode == Mode::New {
            self.change(|state, fails| {
                if state.medium.look(path).is_some() {
                    return Err(io::ErrorKind::AlreadyExists.into());
                }
                if state.medium.look(split(path).0) != Some(Node::Folder) {
                    return Err(io::ErrorKind::NotFound.into());
                }
                let number = state.medium.files.len();
                if !fails {
                    state
                        .medium
                        .files
                        .push(crate::simulator::medium::File::default());
                    state.medium.set(path, Some(Node::File(number)));
                }
                Ok(number)
            })?
        } else {
            self.file(path)?
        };
        Ok(Box::new(SimulatedFile {
            disk: self.clone(),
            number,
            is_locked: std::sync::atomic::AtomicBool::new(false),
            is_events: path.starts_with("events/"),
            is_head: path == "head",
        }))
    }

    fn create_folder(&self, path: &str) -> io::Result<()> {
        if self.lock().medium.look(path) == Some(Node::Folder) {
            return Ok(());
        }
        self.change(|state, fails| {
            if !fails {
                state.medium.set(path, Some(Node::Folder));
            }
            Ok(())
        })
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        self.change(|state, fails| {
            let node = state.medium.look(from).ok_or(io::ErrorKind::NotFound)?;
            if state.medium.look(to).is_some() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            if !fails {
                state.medium.set(from, None);
                state.medium.set(to, Some(node));
            }
            Ok(())
        })
    }

    fn replace(&self, from: &str, to: &str) -> io::Result<()> {
        self.change(|state, fails| {
            let node = state.medium.look(from).ok_or(io::ErrorKind::NotFound)?;
            if !fails {
                state.medium.set(from, None);
                state.medium.set(to, Some(node));
            }
            Ok(())
        })
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        self.file(path)?;
        self.change(|state, fails| {
            if !fails {
                state.medium.set(path, None);
            }
            Ok(())
        })
    }

    fn sync_folder(&self, path: &str) -> io::Result<()> {
        self.change(|state, fails| {
            if !fails && state.lie != Some(Lie::Folders) {
                state.medium.sync_folder(path);
            }
            Ok(())
        })
    }

    fn try_lock(&self) -> io::Result<Option<FolderLock>> {
        let mut state = self.lock();
        let is_free = !std::mem::replace(&mut state.is_folder_locked, true);
        Ok(is_free.then(|| Box::new(LockedFolder(self.clone())) as FolderLock))
    }

    fn describe(&self) -> String {
        "a simulated disk".to_owned()
    }

    fn layout(&self) -> Layout {
        self.layout
    }
}

struct LockedFolder(SimulatedDisk);

impl Drop for LockedFolder {
    fn drop(&mut self) {
        self.0.lock().is_folder_locked = false;
    }
}

struct SimulatedFile {
    disk: SimulatedDisk,
    number: usize,
    is_locked: std::sync::atomic::AtomicBool,
    is_events: bool,
    is_head: bool,
}

impl Drop for SimulatedFile {
    fn drop(&mut self) {
        if *self.is_locked.get_mut() {
            self.disk.lock().locked_files.remove(&self.number);
        }
    }
}

impl StorageFile for SimulatedFile {
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let state = self.disk.lock();
        let content = &state.medium.files[self.number].now;
        let offset = usize::try_from(offset).unwrap().min(content.len());
        let n_bytes = into.len().min(content.len() - offset);
        into[..n_bytes].copy_from_slice(&content[offset..offset + n_bytes]);
        Ok(n_bytes)
    }

    fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.disk.change(|state, fails| {
            // A write that fails has written a part.
            let n_bytes = match &mut state.random {
                Some(random) if fails => random.below(bytes.len() + 1),
                _ => bytes.len(),
            };
            let offset = usize::try_from(offset).unwrap();
            state.medium.files[self.number].write(offset, &bytes[..n_bytes]);
            Ok(())
        })
    }

    fn set_length(&mut self, bytes: u64) -> io::Result<()> {
        self.disk.change(|state, fails| {
            if !fails {
                state.medium.files[self.number].set_length(usize::try_from(bytes).unwrap());
            }
            Ok(())
        })
    }

    fn length(&self) -> io::Result<u64> {
        let state = self.disk.lock();
        Ok(u64::try_from(state.medium.files[self.number].now.len()).unwrap())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.disk.change(|state, fails| {
            let file = &mut state.medium.files[self.number];
            let is_lie = match state.lie {
                Some(Lie::Segments) => self.is_events,
                Some(Lie::Head) => self.is_head,
                _ => false,
            };
            match &mut state.random {
                Some(random) if fails => file.fail_sync(random),
                _ if is_lie => {}
                _ => file.sync(),
            }
            Ok(())
        })
    }

    fn try_lock(&self) -> io::Result<bool> {
        let is_free = self.disk.lock().locked_files.insert(self.number);
        if is_free {
            self.is_locked
                .store(true, std::sync::atomic::Ordering::Relaxed);
        }
        Ok(is_free)
    }

    fn is_locked(&self) -> io::Result<bool> {
        Ok(self.disk.lock().locked_files.contains(&self.number))
    }

    fn still_at(&self, path: &str) -> io::Result<bool> {
        Ok(self.disk.lock().medium.look(path) == Some(Node::File(self.number)))
    }
}
