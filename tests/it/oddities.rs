//! Files that are no files, or far longer than anybody would write: refused by
//! name, without a wait and without the memory.

use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use scoresheet::digest::Digest;

use crate::arena::Arena;
use crate::ledger::{expenses, text};

const TERABYTE: u64 = 1 << 40;

/// A ledger of three events with a checkpoint and a blob that no event names.
fn arena() -> Arena {
    let arena = Arena::new();
    append(&arena, 0).ends_with(0);
    arena.call(&["checkpoint"]).ends_with(0);
    arena
}

fn append(arena: &Arena, first: usize) -> crate::arena::Ran {
    let file = arena.write("lines.jsonl", &text(&expenses(first, 2)));
    arena.call(&["append", file.to_str().unwrap()])
}

fn lengthen(path: &Path) {
    let file = OpenOptions::new().write(true).open(path).unwrap();
    file.set_len(TERABYTE).unwrap();
}

#[test]
fn a_file_of_a_terabyte_is_refused_by_name_and_not_read() {
    for name in ["LEDGER.json", "head", "segments.jsonl", "checkpoints/3"] {
        let arena = arena();
        lengthen(&arena.bench.path().join(name));
        arena.call(&["verify"]).ends_with(1).says(name);
        let appended = append(&arena, 10);
        if name == "checkpoints/3" {
            // A writer reads no checkpoint, only how many events it names.
            appended.ends_with(0);
        } else {
            appended.ends_with(1).says(name);
        }
        let length = fs::metadata(arena.bench.path().join(name)).unwrap().len();
        assert_eq!(length, TERABYTE, "{name}");
    }
}

#[test]
fn a_tail_of_many_zeros_goes_to_quarantine_without_taking_room() {
    const LENGTH: u64 = 64 << 20;
    let arena = arena();
    let segment = arena.bench.path().join("events/000000.jsonl");
    let n_bytes = fs::metadata(&segment).unwrap().len();
    let mut file = OpenOptions::new().write(true).open(&segment).unwrap();
    file.set_len(n_bytes + LENGTH).unwrap();
    file.seek(SeekFrom::End(-1)).unwrap();
    file.write_all(b"x").unwrap();
    append(&arena, 10).ends_with(0);
    arena.call(&["verify"]).ends_with(0);
    let mut quarantined = fs::read_dir(arena.bench.path().join("quarantine")).unwrap();
    let entry = quarantined.next().unwrap().unwrap();
    let mut bytes = Vec::new();
    File::open(entry.path())
        .unwrap()
        .read_to_end(&mut bytes)
        .unwrap();
    assert_eq!(u64::try_from(bytes.len()).unwrap(), LENGTH);
    assert_eq!(
        entry.file_name().to_str().unwrap(),
        Digest::of(&bytes).to_string()
    );
    let room = std::os::unix::fs::MetadataExt::blocks(&entry.metadata().unwrap()) * 512;
    assert!(room < LENGTH / 4, "{room} bytes");
}

#[test]
fn a_pipe_a_link_or_a_folder_in_the_place_of_a_file_is_refused_by_name() {
    let names = [
        "LEDGER.json",
        "head",
        "segments.jsonl",
        "events/000000.jsonl",
    ];
    for name in names {
        for kind in ["pipe", "link", "folder"] {
            let arena = arena();
            let path = arena.bench.path().join(name);
            let elsewhere = arena.beside("elsewhere");
            fs::rename(&path, &elsewhere).unwrap();
            match kind {
                "pipe" => {
                    let made = Command::new("mkfifo").arg(&path).status().unwrap();
                    assert!(made.success());
                }
                "link" => symlink(&elsewhere, &path).unwrap(),
                _ => fs::create_dir(&path).unwrap(),
            }
            arena.call(&["verify"]).ends_with(1).says(name);
            append(&arena, 10).ends_with(1).says(name);
        }
    }
}

#[test]
fn a_checkpoint_of_more_events_than_there_are_refuses_the_writer() {
    let arena = arena();
    let before = arena.files();
    append(&arena, 10).ends_with(0);
    arena.call(&["checkpoint"]).ends_with(0);
    // The ledger of yesterday beside the checkpoint of today.
    for (path, bytes) in &before {
        fs::write(arena.bench.path().join(path), bytes).unwrap();
    }
    append(&arena, 20).ends_with(1).says("checkpoints/5");
    arena.call(&["verify"]).ends_with(1).says("checkpoints/5");
    fs::remove_file(arena.bench.path().join("checkpoints/5")).unwrap();
    assert_eq!(arena.files(), before);
}

#[test]
fn quarantined_bytes_that_have_changed_are_not_recorded() {
    let arena = arena();
    let segment = arena.bench.path().join("events/000000.jsonl");
    let mut file = OpenOptions::new().append(true).open(&segment).unwrap();
    file.write_all(b"{\"at\"").unwrap();
    append(&arena, 10).ends_with(0);
    let digest = Digest::of(b"{\"at\"");
    // The same bytes are torn off again, and what is there under their name has changed.
    let kept = arena.bench.path().join(format!("quarantine/{digest}"));
    fs::write(&kept, b"other").unwrap();
    let pending = format!("quarantine/{digest}.tail-6.pending");
    fs::write(arena.bench.path().join(&pending), b"{\"at\"").unwrap();
    let before = arena.files();
    append(&arena, 20).ends_with(1).says(&digest.to_string());
    assert_eq!(arena.files(), before);
    fs::write(&kept, b"{\"at\"").unwrap();
    fs::write(arena.bench.path().join(&pending), b"other").unwrap();
    append(&arena, 20).ends_with(1).says(&pending);
    fs::write(arena.bench.path().join(&pending), b"{\"at\"").unwrap();
    append(&arena, 20).ends_with(0);
    arena.call(&["verify"]).ends_with(0);
}
