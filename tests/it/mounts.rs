//! A disk that is mounted to be read only, one that is full, and one of a
//! network: each in a namespace of its own, which needs no rights.

use std::fs;
use std::process::Command;

use crate::arena::{Arena, Ran};
use crate::ledger::{expenses, text};
use crate::tool::environment;

/// Runs a script in which whoever runs it may mount. Nothing where the machine
/// lets nobody do so: `tests/run` says so then.
pub(crate) fn in_namespace(arena: &Arena, script: &str) -> Option<Ran> {
    let is_allowed = Command::new("unshare").args(["-rm", "true"]).output();
    let is_allowed = is_allowed.is_ok_and(|ended| ended.status.success());
    if !is_allowed && environment("SCORESHEET_WITHOUT_NAMESPACES").is_some() {
        return None;
    }
    assert!(
        is_allowed,
        "unshare -rm does not work here; tests/run says what to do"
    );
    let output = Command::new("unshare")
        .args(["-rm", "bash", "-euc", script])
        .env("scoresheet", env!("CARGO_BIN_EXE_scoresheet"))
        .env("ledger", arena.bench.path())
        .env("lines", arena.beside("lines.jsonl"))
        .env("folder", arena.beside("."))
        .output()
        .unwrap();
    Some(Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    })
}

fn write_lines(arena: &Arena, first: usize, count: usize) {
    arena.write("lines.jsonl", &text(&expenses(first, count)));
}

#[test]
fn a_disk_mounted_read_only_is_read_and_not_written() {
    let arena = Arena::new();
    write_lines(&arena, 0, 3);
    let file = arena.beside("lines.jsonl");
    arena.call(&["append", file.to_str().unwrap()]).ends_with(0);
    write_lines(&arena, 10, 3);
    let before = arena.files();
    let script = r#"
        mount --bind "$ledger" "$ledger"
        mount -o remount,ro,bind "$ledger"
        "$scoresheet" --ledger "$ledger" verify
        "$scoresheet" --ledger "$ledger" append "$lines"
    "#;
    let Some(ran) = in_namespace(&arena, script) else {
        return;
    };
    ran.ends_with(2)
        .says("4 events")
        .says("Read-only file system");
    assert_eq!(arena.files(), before);
    arena.call(&["append", file.to_str().unwrap()]).ends_with(0);
    arena.call(&["verify"]).ends_with(0);
}

#[test]
fn a_full_disk_takes_nothing_away_and_goes_on_once_there_is_room() {
    let arena = Arena::new();
    for number in 0..40 {
        let lines = text(&expenses(number * 100, 100));
        arena.write(&format!("{number}.jsonl"), &lines);
    }
    let script = r#"
        mkdir "$folder/disk"
        mount -t tmpfs -o size=320k none "$folder/disk"
        head -c 65536 /dev/zero > "$folder/disk/filling"
        l="$folder/disk/ledger"
        "$scoresheet" --ledger "$l" init --origin example.org/full "$l"
        n=0
        while "$scoresheet" --ledger "$l" append "$folder/$n.jsonl"; do n=$((n + 1)); done
        code=0
        "$scoresheet" --ledger "$l" append "$folder/$n.jsonl" || code=$?
        echo "refused with $code after $n"
        "$scoresheet" --ledger "$l" verify
        rm "$folder/disk/filling"
        "$scoresheet" --ledger "$l" append "$folder/$n.jsonl"
        "$scoresheet" --ledger "$l" verify
        cp -r "$l" "$folder/saved"
    "#;
    let Some(ran) = in_namespace(&arena, script) else {
        return;
    };
    ran.ends_with(0)
        .says("refused with 2")
        .says("No space left on device");
    let saved = fs::read_to_string(arena.beside("saved/events/000000.jsonl")).unwrap();
    let n_batches = saved.matches("expense.recorded").count();
    let (_, n_before) = ran.out.split_once("refused with 2 after ").unwrap();
    let n_before: usize = n_before.lines().next().unwrap().parse().unwrap();
    assert_eq!(n_batches, (n_before + 1) * 100);
    assert!(0 < n_before);
}

#[test]
fn a_ledger_on_a_network_is_read_and_only_written_to_when_that_is_asked_for() {
    let arena = Arena::new();
    write_lines(&arena, 0, 1);
    let before = arena.files();
    // A file system in user space is one that nobody knows the other end of.
    let mounted = |words: &str| {
        let script = format!(
            "mkdir -p \"$folder/through\"; bindfs \"$ledger\" \"$folder/through\"
             code=0; \"$scoresheet\" --ledger \"$folder/through\" {words} || code=$?
             umount \"$folder/through\"; exit $code"
        );
        in_namespace(&arena, &script)
    };
    if environment("SCORESHEET_WITHOUT_FUSE").is_some() {
        return;
    }
    let Some(refused) = mounted("append \"$lines\"") else {
        return;
    };
    refused
        .ends_with(2)
        .says("is on a network file system (fuse)");
    assert_eq!(arena.files(), before);
    mounted("verify").unwrap().ends_with(0);
    mounted("append \"$lines\" --network-disk")
        .unwrap()
        .ends_with(0);
    arena.call(&["verify"]).ends_with(0).says("2 events");
}
