//! A small ledger in which one file is replaced: whatever stands there, nobody
//! takes it for the ledger that it was unless it is.
//!
//! The first line names the file.

use std::sync::LazyLock;

use scoresheet::digest::Root;
use scoresheet::event::{Event, ExpenseCategory, ExpenseRecorded, Verified};
use scoresheet::ledger::{
    Checkpoint, LedgerError, Prefix, Verification, Writer, create_in, issue_checkpoint, verify,
};

use super::folder::{File, Folder};
use super::{addressed, message};

const AT: &str = "2026-11-29T12:00:00.000Z";

/// The ledger, its size and its root.
static LEDGER: LazyLock<(Vec<File>, u64, Root)> = LazyLock::new(|| {
    let folder = Folder::default();
    let (at, by) = (AT.parse().unwrap(), "t".parse().unwrap());
    let origin = "example.org/log".parse().unwrap();
    create_in(&folder, &origin, at, &by).unwrap();
    let mut writer = Writer::open(&folder, at, &by).unwrap().0;
    let expense = |n: u32| {
        let what = ExpenseRecorded {
            amount_usd: "0.5".parse().unwrap(),
            category: ExpenseCategory::Storage,
            note: format!("disk {n}"),
        };
        let (by, what) = (by.clone(), what.into());
        Verified::write(Event { at, by, what }).unwrap()
    };
    // One after the other, so that both slots of the head are of interest.
    for n in 0..8 {
        writer.append(&[expense(n)]).unwrap();
    }
    drop(writer);
    let prefix = Prefix::open(&folder).unwrap();
    let (size, root) = (prefix.size(), prefix.root());
    issue_checkpoint(&folder, &Checkpoint { origin, size, root }).unwrap();
    let verification = verify(&folder, &|_, _| (), &mut |_, _| ()).unwrap();
    assert_eq!(verification.findings, []);
    (folder.files(), size, root)
});

/// The files of the ledger, as inputs of this harness.
pub(crate) fn files() -> &'static [File] {
    &LEDGER.0
}

pub(crate) fn check(bytes: &[u8]) {
    let Some((path, content)) = addressed(bytes) else {
        return;
    };
    let mut files = LEDGER.0.clone();
    let Some(file) = files.iter_mut().find(|file| file.0 == path) else {
        return;
    };
    let is_same = file.1 == content;
    content.clone_into(&mut file.1);
    let read = read(&Folder::of(&files));
    if is_same {
        assert_eq!(read.as_ref().unwrap().findings, []);
    }
    recovered(&Folder::of(&files), is_same);
}

/// What verification and a reader say of the folder.
fn read(folder: &Folder) -> Result<Verification, LedgerError> {
    let mut lines = Vec::new();
    let verified = verify(folder, &|_, _| (), &mut |_, event| {
        lines.push(event.line().to_owned());
    });
    match &verified {
        Ok(verification) if verification.findings.is_empty() => {
            is_the_ledger(verification);
            let prefix = Prefix::open(folder).unwrap();
            let mut read = Vec::new();
            let root = prefix.read(prefix.size(), |_, event| read.push(event.line().to_owned()));
            assert_eq!(root.unwrap(), verification.root);
            assert_eq!(read, lines);
        }
        Ok(verification) => {
            for finding in &verification.findings {
                message::is_sayable(&finding.found);
                message::is_sayable(&finding.expected);
            }
        }
        Err(error) => says(error),
    }
    verified
}

fn is_the_ledger(verification: &Verification) {
    let (_, size, root) = &*LEDGER;
    assert_eq!((verification.size, &verification.root), (*size, root));
}

/// A writer either refuses, or goes on from what was acknowledged.
fn recovered(folder: &Folder, is_same: bool) {
    let by = "t".parse().unwrap();
    match Writer::open(
        folder,
        AT.parse::<scoresheet::canonical::Time>().unwrap(),
        &by,
    ) {
        Ok((writer, _)) => {
            drop(writer);
            let verification = verify(folder, &|_, _| (), &mut |_, _| ()).unwrap();
            if verification.findings.is_empty() {
                let (_, size, root) = &*LEDGER;
                let at_size = verification.root_at(folder, *size).unwrap();
                assert_eq!(at_size.as_ref(), Some(root));
            }
        }
        Err(error) => {
            assert!(!is_same, "{error}");
            says(&error);
        }
    }
}

fn says(error: &LedgerError) {
    for line in error.to_string().lines() {
        message::is_sayable(line);
    }
}
