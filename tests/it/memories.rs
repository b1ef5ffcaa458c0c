//! What a key has signed is one thing, by whatever name the key is called.

use std::fs;

use scoresheet::ledger::{Begin, Checkpoint, Disk, LedgerError, Memory};

use crate::ledger::{Bench, expenses, text};
use crate::program::{Outcome, scoresheet};

/// Two histories of one log, and its key, which has signed the first.
struct Fork {
    bench: Bench,
    folder: tempfile::TempDir,
}

impl Fork {
    fn new() -> Self {
        let fork = Self {
            bench: Bench::new(),
            folder: tempfile::tempdir().unwrap(),
        };
        let key = fork.at("log.key");
        let made = fork.run(&["key", "new", "example.org/test", "--out", &key]);
        assert_eq!(made.code, 0, "{}", made.stderr);
        let other = fork.at("other");
        let copied = std::process::Command::new("cp")
            .args(["-r", fork.bench.path().to_str().unwrap(), &other])
            .status();
        assert!(copied.unwrap().success());
        fork.bench.append(0, 1);
        fs::write(fork.at("line"), text(&expenses(7, 1))).unwrap();
        let appended = fork.run_on_other(&["append", &fork.at("line")]);
        assert_eq!(appended.code, 0, "{}", appended.stderr);
        let signed = fork.run(&["checkpoint", "--key", &key]);
        assert_eq!(signed.code, 0, "{}", signed.stderr);
        fork
    }

    fn at(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn run(&self, words: &[&str]) -> Outcome {
        scoresheet(&self.bench.path(), words)
    }

    fn run_on_other(&self, words: &[&str]) -> Outcome {
        scoresheet(self.at("other").as_ref(), words)
    }

    #[track_caller]
    fn refuses_the_other(&self, key: &str) {
        let refused = self.run_on_other(&["checkpoint", "--key", key]);
        assert_ne!(refused.code, 0, "signed two histories");
        assert!(!refused.stdout.contains('\u{2014}'), "{}", refused.stdout);
    }
}

#[test]
fn a_key_that_has_signed_one_history_signs_no_other_by_any_name() {
    let fork = Fork::new();
    let key = fork.at("log.key");
    fork.refuses_the_other(&key);
    let link = fork.at("link.key");
    std::os::unix::fs::symlink(&key, &link).unwrap();
    fork.refuses_the_other(&link);
    fs::remove_file(fork.at("log.key.signed")).unwrap();
    fork.refuses_the_other(&key);
    let hard = fork.at("hard.key");
    fs::hard_link(&key, &hard).unwrap();
    fork.refuses_the_other(&hard);
}

#[test]
fn a_memory_with_two_names_or_without_its_lock_is_of_no_use() {
    let folder = tempfile::tempdir().unwrap();
    let disk = Disk::new(folder.path());
    let checkpoint = |size| Checkpoint {
        origin: "example.org/test".parse().unwrap(),
        size,
        root: scoresheet::digest::empty_root(),
    };
    let mut memory = Memory::open(&disk, "state", Begin::New).unwrap();
    memory.remember(&checkpoint(1)).unwrap();
    // Somebody tidies up, and somebody else comes.
    fs::remove_file(folder.path().join("state.lock")).unwrap();
    let refused = memory.remember(&checkpoint(2)).unwrap_err();
    assert!(refused.to_string().contains("its lock was removed"));
    drop(memory);
    let memory = Memory::open(&disk, "state", Begin::Known).unwrap();
    assert_eq!(memory.latest(&checkpoint(1).origin).unwrap().0, 1);
    drop(memory);
    fs::hard_link(folder.path().join("state"), folder.path().join("second")).unwrap();
    for name in ["state", "second"] {
        let refused = Memory::open(&disk, name, Begin::Known).map(drop);
        assert!(
            matches!(&refused, Err(LedgerError::Io { source, .. }) if source.to_string().contains("hard link")),
            "{refused:?}"
        );
    }
}
