//! Sealed private bodies and their keys: what was sealed opens, nothing else does.
//!
//! The first line says which of the two files is replaced.

use std::io;
use std::sync::LazyLock;

use scoresheet::event::{BodyRole, EventId, PrivateBody};
use scoresheet::ledger::{KeySource, PrivateStore, open_body, opening_key, private_path};

use super::folder::{File, Folder};
use super::{addressed, ledger, message};

pub(crate) const TEXT: &[u8] = b"The center is open to whoever takes it.";

/// Bytes that anybody can foresee, and nobody uses.
struct Counted;

impl KeySource for Counted {
    fn fill(&self, bytes: &mut [u8]) -> io::Result<()> {
        for (n, byte) in (1..).zip(bytes) {
            *byte = n;
        }
        Ok(())
    }
}

static SEALED: LazyLock<(Vec<File>, PrivateBody)> = LazyLock::new(|| {
    let folder = Folder::of(ledger::files());
    let store = PrivateStore::new(&folder, &Counted);
    let unit = EventId::of(b"a game");
    let body = store.seal(&unit, BodyRole::Reasoning, TEXT).unwrap();
    (folder.files(), body)
});

/// The names of the two files, and their bytes.
pub(crate) fn files() -> Vec<(&'static str, &'static [u8])> {
    let (files, body) = &*SEALED;
    let folder = private_path(&body.unit);
    let named = [("key", "key".to_owned()), ("body", body.sha256.to_string())];
    let named = named.into_iter().map(|(name, file)| {
        let path = format!("{folder}/{file}");
        let file = files.iter().find(|file| file.0 == path).unwrap();
        (name, file.1.as_slice())
    });
    named.collect()
}

pub(crate) fn check(bytes: &[u8]) {
    let Some((name, content)) = addressed(bytes) else {
        return;
    };
    let there = files();
    let Some((_, original)) = there.iter().find(|file| file.0 == name) else {
        return;
    };
    let (files, body) = &*SEALED;
    let mut files = files.clone();
    let replaced = files.iter_mut().find(|file| file.1 == *original).unwrap();
    content.clone_into(&mut replaced.1);
    let folder = Folder::of(&files);
    match open_body(&folder, body) {
        Ok(opened) => assert_eq!((&**opened, content), (TEXT, *original)),
        Err(fault) => {
            assert_ne!(content, *original);
            message::is_sayable(&fault.to_string());
        }
    }
    let is_key_whole = name == "body" || content == *original;
    assert_eq!(opening_key(&folder, body).is_ok(), is_key_whole);
    // Under a damaged key nothing more is sealed.
    let store = PrivateStore::new(&folder, &Counted);
    let sealed = store.seal(&body.unit, BodyRole::Request, b"more");
    assert_eq!(sealed.is_ok(), is_key_whole);
}
