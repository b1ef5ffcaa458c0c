//! A file system of a network is written to only when that is asked for.

use std::path::Path;
use std::process::Command;

use crate::arena::{Arena, Ran};

/// Runs commands on a ledger through a file system in user space, in a place of
/// its own, and returns what the last of them said; nothing where the system
/// gives no such place.
fn through_fuse(arena: &Arena, words: &[&str]) -> Option<Ran> {
    let has_fuse = Path::new("/dev/fuse").exists();
    let kinds = ["-m", "-rm"];
    let kind = kinds.into_iter().filter(|_| has_fuse).find(|kind| {
        let mount = "d=$(mktemp -d) && bindfs \"$d\" \"$d\"; code=$?; umount \"$d\"; exit $code";
        let tried = Command::new("unshare")
            .args([*kind, "sh", "-c", mount])
            .output();
        tried.is_ok_and(|tried| tried.status.success())
    })?;
    let mounted = "bindfs \"$1\" \"$2\" && shift 2 && \"$@\"; code=$?; umount \"$0\"; exit $code";
    let through = arena.beside("through");
    std::fs::create_dir_all(&through).unwrap();
    let output = Command::new("unshare")
        .args([kind, "sh", "-c", mounted])
        .args([&through, &arena.bench.path(), &through])
        .arg(env!("CARGO_BIN_EXE_scoresheet"))
        .arg("--ledger")
        .arg(&through)
        .args(words)
        .output()
        .unwrap();
    Some(Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    })
}

#[test]
fn a_ledger_on_a_network_is_read_and_only_written_to_when_that_is_asked_for() {
    let arena = Arena::new();
    let line = crate::ledger::expenses(0, 1)[0].line().to_owned();
    let file = arena.write("line.jsonl", &line);
    let append = ["append", file.to_str().unwrap()];
    let before = arena.files();
    let Some(refused) = through_fuse(&arena, &append) else {
        eprintln!("no file system in user space to be had: no network was tried");
        return;
    };
    refused
        .ends_with(2)
        .says("is on a network file system (fuse)");
    assert_eq!(arena.files(), before);
    through_fuse(&arena, &["verify"]).unwrap().ends_with(0);
    let asked = [&append[..], &["--network-disk"]].concat();
    through_fuse(&arena, &asked).unwrap().ends_with(0);
    arena.call(&["verify"]).ends_with(0).says("2 events");
}
