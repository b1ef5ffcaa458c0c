//! The memory of a signing key: whole, or refused.

use scoresheet::digest::Digest;
use scoresheet::event::Origin;
use scoresheet::ledger::{Begin, Checkpoint, Memory};

use super::folder::Folder;
use super::message;

const NAME: &str = "memory";

pub(crate) fn check(file: &[u8]) {
    let folder = Folder::of(&[(NAME.to_owned(), file.to_vec())]);
    match Memory::open(&folder, NAME, Begin::Known) {
        Ok(memory) => goes_on(&folder, memory, file),
        Err(error) => message::is_sayable(&error.to_string()),
    }
    let folder = Folder::of(&[(NAME.to_owned(), file.to_vec())]);
    let begun = Memory::open(&folder, NAME, Begin::New);
    assert!(begun.is_err(), "a memory is begun over another one");
    assert_eq!(folder.files()[0].1, file);
}

/// What is remembered stays, whatever comes to it.
fn goes_on(folder: &Folder, mut memory: Memory<'_>, file: &[u8]) {
    let text = std::str::from_utf8(file).unwrap();
    let origins = text.lines().filter_map(|line| line.splitn(3, ' ').nth(2));
    let known: Vec<Origin> = origins.filter_map(|origin| origin.parse().ok()).collect();
    let known: Vec<_> = known
        .into_iter()
        .filter_map(|origin| Some((memory.latest(&origin)?, origin)))
        .collect();
    let new = Checkpoint {
        origin: "example.org/a-log-that-is-new".parse().unwrap(),
        size: 1,
        root: Digest::of(b"a root"),
    };
    if memory.latest(&new.origin).is_some() {
        return;
    }
    memory.remember(&new).unwrap();
    // A smaller tree than was signed for changes nothing.
    for ((size, root), origin) in &known {
        let (size, root) = (size.saturating_sub(1), *root);
        let origin = origin.clone();
        memory.remember(&Checkpoint { origin, size, root }).unwrap();
    }
    drop(memory);
    let memory = Memory::open(folder, NAME, Begin::Known).unwrap();
    assert_eq!(memory.latest(&new.origin), Some((1, new.root)));
    for (latest, origin) in known {
        assert_eq!(memory.latest(&origin), Some(latest));
    }
}
