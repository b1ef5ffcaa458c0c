//! A folder in memory that keeps whatever is put there and never fails.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

use scoresheet::ledger::{Entry, FolderLock, Layout, Mode, Storage, StorageFile};

type Content = Arc<Mutex<Vec<u8>>>;

/// Files by path, folders as paths without content. Segments have four lines.
#[derive(Default)]
pub(crate) struct Folder(Mutex<BTreeMap<String, Option<Content>>>);

/// A file's path and its bytes.
pub(crate) type File = (String, Vec<u8>);

impl Folder {
    /// A folder that holds these files.
    pub(crate) fn of(files: &[File]) -> Self {
        let mut names = BTreeMap::new();
        for (path, bytes) in files {
            for (end, _) in path.match_indices('/') {
                names.insert(path[..end].to_owned(), None);
            }
            names.insert(path.clone(), Some(Content::new(bytes.clone().into())));
        }
        Self(names.into())
    }

    /// All files, in the order of their paths.
    pub(crate) fn files(&self) -> Vec<File> {
        let names = self.0.lock().unwrap();
        let file = |(path, content): (&String, &Option<Content>)| {
            let bytes = content.as_ref()?.lock().unwrap().clone();
            Some((path.clone(), bytes))
        };
        names.iter().filter_map(file).collect()
    }

    fn file(&self, path: &str) -> io::Result<Content> {
        match self.0.lock().unwrap().get(path) {
            Some(Some(content)) => Ok(Arc::clone(content)),
            Some(None) => Err(io::ErrorKind::InvalidInput.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

impl Storage for Folder {
    fn read(&self, path: &str, bytes_max: u64) -> io::Result<Vec<u8>> {
        let bytes = self.file(path)?.lock().unwrap().clone();
        if bytes_max < u64::try_from(bytes.len()).unwrap() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(bytes)
    }

    fn list(&self, folder: &str) -> io::Result<Vec<Entry>> {
        let names = self.0.lock().unwrap();
        if !folder.is_empty() && !matches!(names.get(folder), Some(None)) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let entry = |(path, content): (&String, &Option<Content>)| {
            let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
            let length = |content: &Content| content.lock().unwrap().len();
            (parent == folder).then(|| Entry {
                name: name.to_owned(),
                is_folder: content.is_none(),
                is_file: content.is_some(),
                bytes: u64::try_from(content.as_ref().map_or(0, length)).unwrap(),
            })
        };
        Ok(names.iter().filter_map(entry).collect())
    }

    fn open(&self, path: &str, mode: Mode) -> io::Result<Box<dyn StorageFile>> {
        if mode == Mode::New {
            let mut names = self.0.lock().unwrap();
            if names.contains_key(path) {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            names.insert(path.to_owned(), Some(Content::default()));
        }
        Ok(Box::new(Open(self.file(path)?)))
    }

    fn create_folder(&self, path: &str) -> io::Result<()> {
        self.0.lock().unwrap().entry(path.to_owned()).or_default();
        Ok(())
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        if self.0.lock().unwrap().contains_key(to) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.replace(from, to)
    }

    fn replace(&self, from: &str, to: &str) -> io::Result<()> {
        let content = self.file(from)?;
        let mut names = self.0.lock().unwrap();
        names.remove(from);
        names.insert(to.to_owned(), Some(content));
        Ok(())
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        let gone = self.0.lock().unwrap().remove(path);
        gone.map(drop).ok_or(io::ErrorKind::NotFound.into())
    }

    fn sync_folder(&self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn try_lock(&self) -> io::Result<Option<FolderLock>> {
        Ok(Some(Box::new(())))
    }

    fn describe(&self) -> String {
        "a folder in memory".to_owned()
    }

    fn layout(&self) -> Layout {
        Layout::of_level(2)
    }
}

struct Open(Content);

impl StorageFile for Open {
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let bytes = self.0.lock().unwrap();
        let start = usize::try_from(offset).unwrap().min(bytes.len());
        let length = into.len().min(bytes.len() - start);
        into[..length].copy_from_slice(&bytes[start..start + length]);
        Ok(length)
    }

    fn write_all_at(&mut self, offset: u64, new: &[u8]) -> io::Result<()> {
        let mut bytes = self.0.lock().unwrap();
        let start = usize::try_from(offset).unwrap();
        let length = bytes.len().max(start + new.len());
        bytes.resize(length, 0);
        bytes[start..start + new.len()].copy_from_slice(new);
        Ok(())
    }

    fn set_length(&mut self, length: u64) -> io::Result<()> {
        let length = usize::try_from(length).unwrap();
        self.0.lock().unwrap().resize(length, 0);
        Ok(())
    }

    fn length(&self) -> io::Result<u64> {
        Ok(u64::try_from(self.0.lock().unwrap().len()).unwrap())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn try_lock(&self) -> io::Result<bool> {
        Ok(true)
    }

    fn is_locked(&self) -> io::Result<bool> {
        Ok(false)
    }

    fn still_at(&self, _: &str) -> io::Result<bool> {
        Ok(true)
    }
}
