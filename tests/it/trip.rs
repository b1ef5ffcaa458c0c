//! The trip from events to a verdict, held to its promise: whatever is changed
//! of what git tracks of a published project, `reproduce` refuses with exit
//! code 1 and names the file.
//!
//! `SCORESHEET_TRIP_STEP` sets of how many bytes one is flipped: 1 tries them all,
//! in some minutes.

use std::fs;
use std::num::NonZero;
use std::os::unix::fs::symlink;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::bundle::{Bundle, File, Outcome, published};
use crate::tool::number;

/// One file with other bytes.
struct Damage {
    /// The index of the file.
    file: usize,
    what: String,
    bytes: Vec<u8>,
}

/// What is wrong with how a damaged project was refused, where something is.
fn complaint(outcome: &Outcome, paths: &[&str]) -> Option<String> {
    let Outcome { out, code } = outcome;
    if *code != 1 {
        return Some(format!("exit {code}: {out}"));
    }
    let is_named = paths.iter().any(|path| out.contains(path));
    (!is_named).then(|| format!("not named: {out}"))
}

/// Tries these damages one by one, on all cores; each must be refused.
fn must_be_refused(damages: &[Damage]) {
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    let worker = || {
        let bundle = Bundle::new();
        while let Some(damage) = damages.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (path, bytes) = &published()[damage.file];
            bundle.write(path, &damage.bytes);
            if let Some(complaint) = complaint(&bundle.run(&["reproduce"]), &[path]) {
                let complaint = format!("{path}, {}: {complaint}", damage.what);
                complaints.lock().unwrap().push(complaint);
            }
            bundle.write(path, bytes);
        }
        assert_eq!(
            bundle.run(&["reproduce"]).code,
            0,
            "a copy was not restored"
        );
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        for _ in 0..cores {
            scope.spawn(worker);
        }
    });
    let complaints = complaints.into_inner().unwrap();
    assert!(
        complaints.is_empty(),
        "{} of {}:\n{}",
        complaints.len(),
        damages.len(),
        complaints[..complaints.len().min(10)].join("\n")
    );
}

/// The bit that is flipped of a byte where one is enough: offset plus an eighth
/// of it, modulo 8, so that each bit has its turn also where the content
/// repeats every 8 bytes.
fn bit_at(offset: usize) -> usize {
    (offset + offset / 8) % 8
}

fn flip(file: usize, at: usize, bit: usize) -> Damage {
    let mut bytes = published()[file].1.clone();
    bytes[at] ^= 1 << bit;
    let what = format!("byte {at} bit {bit}");
    Damage { file, what, bytes }
}

/// Primes, so that no sample follows any structure.
const STEP: usize = 13;
const STEP_OF_WHOLE: usize = 61;
const STEP_OF_BITS: usize = 127;

#[test]
fn every_flipped_byte_is_refused() {
    let asked = number("SCORESHEET_TRIP_STEP");
    let asked = asked.map(|step| usize::try_from(step).unwrap());
    let mut damages = Vec::new();
    for (file, (path, bytes)) in published().iter().enumerate() {
        // Audits and statements are held whole against what is made again.
        let is_whole = ["release/audits/", "release/provenance/"];
        let is_whole = is_whole.iter().any(|folder| path.starts_with(folder));
        let step = asked.unwrap_or(if is_whole { STEP_OF_WHOLE } else { STEP });
        // Each file begins elsewhere, and ends with its last byte.
        let sample = (file % step..bytes.len()).step_by(step);
        for at in sample.chain(bytes.len().checked_sub(1)) {
            damages.push(flip(file, at, bit_at(at)));
        }
        let bits: std::collections::BTreeSet<_> = (0..bytes.len()).map(bit_at).collect();
        assert!(bits.len() == 8 || bytes.len() < 16, "{path}");
    }
    must_be_refused(&damages);
}

#[test]
fn every_bit_of_a_sample_of_bytes_is_refused() {
    let mut damages = Vec::new();
    for (file, (_, bytes)) in published().iter().enumerate() {
        for at in (0..bytes.len()).step_by(STEP_OF_BITS) {
            let others = (0..8).filter(|bit| *bit != bit_at(at));
            damages.extend(others.map(|bit| flip(file, at, bit)));
        }
    }
    must_be_refused(&damages);
}

#[test]
fn every_truncation_and_extension_is_refused() {
    let mut damages = Vec::new();
    for (file, (_, bytes)) in published().iter().enumerate() {
        let mut lengths: Vec<usize> = (0..bytes.len()).step_by(bytes.len() / 16 + 1).collect();
        lengths.extend(bytes.len().checked_sub(1));
        // Line ends are where a cut shows least.
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        lengths.extend(ends.map(|(at, _)| at + 1).filter(|end| *end < bytes.len()));
        damages.extend(lengths.into_iter().map(|length| Damage {
            file,
            what: format!("cut to {length}"),
            bytes: bytes[..length].to_vec(),
        }));
        let last_line = bytes.split_inclusive(|byte| *byte == b'\n').next_back();
        for more in [b"\n", b" ", b"x".as_slice(), last_line.unwrap_or(b"{}\n")] {
            damages.push(Damage {
                file,
                what: format!("followed by {more:?}"),
                bytes: [bytes, more].concat(),
            });
        }
    }
    must_be_refused(&damages);
}

#[test]
fn every_pair_of_swapped_lines_is_refused() {
    let mut damages = Vec::new();
    for (file, (_, bytes)) in published().iter().enumerate() {
        let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        for first in 1..lines.len() {
            let mut swapped = lines.clone();
            swapped.swap(first - 1, first);
            let swapped = swapped.concat();
            if swapped != *bytes {
                damages.push(Damage {
                    file,
                    what: format!("lines {first} and {} swapped", first + 1),
                    bytes: swapped,
                });
            }
        }
    }
    assert!(60 < damages.len(), "{}", damages.len());
    must_be_refused(&damages);
}

#[test]
fn every_removed_file_and_every_file_that_is_none_is_refused() {
    let elsewhere = tempfile::tempdir().unwrap();
    let kept = Bundle::new().kept_audit();
    for (path, bytes) in published() {
        let bundle = Bundle::new();
        let check = |what: &str| {
            let complaint = complaint(&bundle.run(&["reproduce"]), &[path]);
            assert_eq!(complaint, None, "{path} {what}");
        };
        bundle.remove(path);
        // The newest audit stands in two places, and is kept again from the first.
        if *path != kept {
            check("removed");
        }
        fs::create_dir(bundle.at(path)).unwrap();
        check("as an empty folder");
        fs::write(bundle.at(path).join("inner"), bytes).unwrap();
        check("as a folder");
        fs::remove_dir_all(bundle.at(path)).unwrap();
        let target = elsewhere.path().join("target");
        fs::write(&target, bytes).unwrap();
        symlink(&target, bundle.at(path)).unwrap();
        check("as a link to the same bytes");
    }
}

#[test]
fn every_pair_of_swapped_files_is_refused() {
    let files = published();
    let bundle = Bundle::new();
    let mut n_both = 0;
    for (place, (a, of_a)) in files.iter().enumerate() {
        // The newest audit stands under its digest too.
        for (b, of_b) in files[place + 1..].iter().filter(|(_, bytes)| bytes != of_a) {
            bundle.write(a, of_b);
            bundle.write(b, of_a);
            let outcome = bundle.run(&["reproduce"]);
            assert_eq!(complaint(&outcome, &[a, b]), None, "{a} and {b}");
            n_both += usize::from([a, b].iter().all(|path| outcome.out.contains(*path)));
            bundle.write(a, of_a);
            bundle.write(b, of_b);
        }
    }
    // Without its description or its head nothing more can be said of a ledger.
    let n_pairs = files.len() * (files.len() - 1) / 2;
    assert!(n_pairs / 2 < n_both, "{n_both} of {n_pairs} are named both");
}

/// The folders of the smallest project, and one that it does not have.
fn folders(files: &[File]) -> Vec<String> {
    let parents = files.iter().flat_map(|(path, _)| {
        let mut parents = Vec::new();
        let mut path = path.as_str();
        while let Some((parent, _)) = path.rsplit_once('/') {
            parents.push(parent.to_owned());
            path = parent;
        }
        parents
    });
    let mut folders: Vec<String> = parents.collect();
    folders.push("ledger/quarantine".to_owned());
    folders.sort();
    folders.dedup();
    folders
}

#[test]
fn every_added_file_is_refused_and_an_empty_folder_is_none() {
    let bundle = Bundle::new();
    let existing = bundle.at("release/notes.md");
    for folder in folders(published()) {
        let names = [
            "added",
            ".hidden",
            ".gitignore",
            "000001.jsonl",
            "0",
            "index.sqliter",
            "a.making",
            ".pending",
            "x.json",
            "sub/added",
        ];
        for name in names {
            let path = format!("{folder}/{name}");
            let shown = path.strip_suffix("/added").unwrap_or(&path);
            bundle.write(&path, b"x\n");
            let complaint = complaint(&bundle.run(&["reproduce"]), &[shown]);
            assert_eq!(complaint, None, "{path}");
            bundle.remove(&path);
        }
        fs::create_dir_all(bundle.at(&format!("{folder}/hollow/deep"))).unwrap();
        let link = bundle.at(&format!("{folder}/link"));
        symlink(&existing, &link).unwrap();
        let complaint = complaint(&bundle.run(&["reproduce"]), &[&format!("{folder}/link")]);
        assert_eq!(complaint, None, "{folder}/link");
        fs::remove_file(link).unwrap();
    }
    // What git does not track may come and go.
    bundle.write("ledger/index.sqlite", b"x");
    bundle.write("ledger/index.sqlite-journal", b"x");
    bundle.write("ledger/private/keys", b"x");
    assert_eq!(bundle.run(&["reproduce"]).code, 0);
}

#[test]
fn without_a_ledger_there_is_nothing_to_look_at() {
    let bundle = Bundle::new();
    fs::remove_dir_all(bundle.at("ledger")).unwrap();
    assert_eq!(bundle.run(&["reproduce"]).code, 2);
    let (_, errors) = bundle.program(&["reproduce"]);
    assert!(errors.contains("no ledger at"), "{errors}");
    let played = Bundle::played();
    assert_eq!(
        played.run(&["reproduce"]).code,
        1,
        "a specification is missing"
    );
}
