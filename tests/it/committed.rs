//! The evidence that this repository itself holds, where it holds any: copies
//! of it are damaged, and `reproduce` must name what was.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use scoresheet::digest::Digest;

use crate::bundle::{Bundle, File};
use crate::tool::tracked_files;

/// Where it is, or nothing while there is none.
fn evidence() -> Option<Vec<File>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("ledger/LEDGER.json").exists().then_some(())?;
    let of_evidence = |path: &String| {
        let folders = ["ledger/", "manifests/", "release/"];
        folders.iter().any(|folder| path.starts_with(folder))
    };
    let paths = tracked_files(root).into_iter().filter(of_evidence);
    let read = |path: String| {
        let bytes = fs::read(root.join(&path)).unwrap();
        (path, bytes)
    };
    Some(paths.map(read).collect())
}

/// A number below the bound that follows from these words alone.
fn drawn(path: &str, round: usize, what: &str, bound: usize) -> usize {
    let digest = Digest::of(format!("{path} {round} {what}").as_bytes());
    let (head, _) = digest.as_bytes().split_at(8);
    let number = u64::from_be_bytes(head.try_into().unwrap());
    usize::try_from(number % u64::try_from(bound).unwrap()).unwrap()
}

fn flipped(file: &File, round: usize) -> Vec<u8> {
    let (path, bytes) = file;
    let mut flipped = bytes.clone();
    flipped[drawn(path, round, "byte", bytes.len())] ^= 1 << drawn(path, round, "bit", 8);
    flipped
}

/// Files that are damaged together, because each is named whatever is wrong
/// with the others. Some keep others from being looked at, or are looked at only
/// when all others are right: each of them is a group of its own.
fn groups(files: &[File]) -> Vec<Vec<&File>> {
    const ALONE: [&str; 5] = [
        "ledger/LEDGER.json",
        "ledger/head",
        "ledger/segments.jsonl",
        "release/publication.json",
        "release/audits/draft.json",
    ];
    let is_segment = |path: &str| path.starts_with("ledger/events/");
    let open = files.iter().rfind(|(path, _)| is_segment(path));
    let (mut sealed, mut others, mut groups) = (Vec::new(), Vec::new(), Vec::new());
    for file in files.iter().filter(|(_, bytes)| !bytes.is_empty()) {
        if ALONE.contains(&file.0.as_str()) || Some(file) == open {
            groups.push(vec![file]);
        } else if is_segment(&file.0) {
            sealed.push(file);
        } else {
            others.push(file);
        }
    }
    // Most of the evidence first: time may be over before all have had their turn.
    let many = [sealed, others].into_iter();
    let many = many.filter(|group| !group.is_empty());
    many.chain(groups).collect()
}

/// Flips a byte of each of these files at once; each of them must be named.
fn must_all_be_named(bundle: &Bundle, files: &[&File], round: usize) {
    for file in files {
        bundle.write(&file.0, &flipped(file, round));
    }
    let outcome = bundle.run(&["reproduce", "--format", "json"]);
    assert_eq!(outcome.code, 1, "round {round}: {}", outcome.out);
    for (path, bytes) in files {
        let is_named = outcome.out.contains(path.as_str());
        assert!(is_named, "{path}, round {round}: {}", outcome.out);
        bundle.write(path, bytes);
    }
}

/// Rounds go on for this long: on a slow machine, or with much evidence, fewer.
const ENOUGH: Duration = Duration::from_secs(12);
const ROUNDS_MAX: usize = 200;

#[test]
fn a_flipped_byte_of_any_committed_file_is_refused_and_named() {
    let Some(files) = evidence() else {
        return;
    };
    let since = Instant::now();
    let bundle = Bundle::of(&files);
    let said = bundle.must(&["reproduce"]);
    assert!(said.contains(" regenerated, all equal"), "{said}");
    let rounds = (0..ROUNDS_MAX)
        .flat_map(|round| groups(&files).into_iter().map(move |group| (round, group)));
    for (round, group) in rounds {
        must_all_be_named(&bundle, &group, round);
        if ENOUGH < since.elapsed() {
            break;
        }
    }
    assert_eq!(bundle.run(&["reproduce"]).code, 0);
}
