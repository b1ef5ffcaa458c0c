//! Some mutations at once, and bytes and names changed at random on top of them:
//! whatever passes is what was published.
//!
//! `SCORESHEET_FUZZ_CASES` and `SCORESHEET_FUZZ_SEED` are those of `fuzz`; of fifty
//! cases there one is tried here, because each is an audit.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use crate::bundle::{Bundle, published};
use crate::fuzz::mutation::mutated;
use crate::mutations::{Expects, Mutation, PUBLICATION, all};
use crate::simulator::random::Random;
use crate::tool::number;

const SEED: u64 = 2026;
const CASES: u64 = 2_000;
const CASES_A_COMPOSITION: u64 = 50;
const SPECIFICATION: &str = "release/publication.json";
/// The mutations that put a pipe or a device in the place of a file.
const NO_FILE: &str = "M17";
const AUDITS: &str = "release/audits/";
const EVENTS: &str = "ledger/events/000000.jsonl";

/// Everything but folders that stands where evidence and releases do: its kind,
/// and its bytes where it is a file.
type Standing = BTreeMap<String, (bool, Vec<u8>)>;

fn standing(bundle: &Bundle) -> Standing {
    let entries = walkdir::WalkDir::new(bundle.folder()).into_iter();
    let entries = entries.map(Result::unwrap).filter_map(|entry| {
        let path = entry.path().strip_prefix(bundle.folder()).unwrap();
        let path = path.to_string_lossy().into_owned();
        let kind = entry.file_type();
        let is_looked_at = ["release", "manifests", "ledger"]
            .iter()
            .any(|folder| path.starts_with(folder));
        if kind.is_dir() || !is_looked_at {
            return None;
        }
        let bytes = if kind.is_file() {
            fs::read(entry.path()).unwrap()
        } else {
            Vec::new()
        };
        Some((path, (kind.is_file(), bytes)))
    });
    entries.collect()
}

/// Changes one file or one name at random; says what it did.
fn disturb(bundle: &Bundle, random: &mut Random) -> String {
    let files = published();
    let (path, bytes) = &files[random.below(files.len())];
    let (other, of_other) = &files[random.below(files.len())];
    // Whoever opens a pipe waits for ever, and a link leads elsewhere.
    let is_free =
        |path: &str| fs::symlink_metadata(bundle.at(path)).map_or(true, |there| there.is_file());
    if !is_free(path) || !is_free(other) {
        return format!("{path} left alone");
    }
    match random.below(8) {
        0 => {
            drop(fs::remove_file(bundle.at(path)));
            format!("{path} removed")
        }
        1 => {
            drop(fs::rename(bundle.at(path), bundle.at(other)));
            format!("{path} renamed to {other}")
        }
        2 => {
            bundle.write(path, of_other);
            format!("the bytes of {other} in {path}")
        }
        3 => {
            let letter = char::from(b'a' + u8::try_from(random.below(26)).unwrap());
            bundle.write(&format!("{path}{letter}"), bytes);
            format!("{path} again as {path}{letter}")
        }
        _ => {
            let there = fs::read(bundle.at(path)).unwrap_or_else(|_| bytes.clone());
            let changed = mutated(&[there], random);
            drop(fs::remove_file(bundle.at(path)));
            bundle.write(path, &changed);
            format!("{path} with other bytes")
        }
    }
}

/// Composes mutations in a copy; says which.
fn compose(bundle: &Bundle, mutations: &[Mutation], random: &mut Random) -> Vec<String> {
    let n_mutations = 1 + random.below(3);
    let chosen = (0..n_mutations).map(|_| mutations[random.below(mutations.len())]);
    let mut chosen: Vec<_> = chosen.collect();
    // What is no file any more may hang whoever changes it afterwards.
    chosen.sort_by_key(|mutation| mutation.id == NO_FILE);
    let mut done = Vec::new();
    for mutation in chosen {
        // One may find that what it changes was changed already.
        let is_done = catch_unwind(AssertUnwindSafe(|| (mutation.mutate)(bundle))).is_ok();
        let how = if is_done { "" } else { ", as far as it went" };
        done.push(format!("{} {}{how}", mutation.id, mutation.what));
    }
    for _ in 0..random.below(3) {
        let disturbed = catch_unwind(AssertUnwindSafe(|| disturb(bundle, random)));
        done.push(disturbed.unwrap_or_else(|_| "a change that was not possible".to_owned()));
    }
    done
}

/// Whether the specification says what it said, in whatever spelling.
fn says_the_same(now: &Standing, then: &Standing) -> bool {
    let [now, then] = [now, then].map(|standing| {
        let (_, bytes) = standing.get(SPECIFICATION)?;
        serde_json::from_slice::<Value>(bytes).ok()
    });
    now.is_some() && now == then
}

/// Whether the release has the name that was published.
fn has_its_name(now: &Standing) -> bool {
    let specification = now.get(SPECIFICATION).map(|(_, bytes)| bytes);
    let specification = specification.and_then(|it| serde_json::from_slice::<Value>(it).ok());
    specification.is_some_and(|specification| specification["release"] == "r")
}

/// What is wrong with the verdicts about a copy.
fn complaint(bundle: &Bundle, then: &Standing) -> Option<String> {
    let reproduced = bundle.run(&["reproduce"]).code;
    let now = standing(bundle);
    if reproduced == 0 && now != *then {
        let differing = now
            .iter()
            .find(|(path, file)| then.get(*path) != Some(file));
        return Some(format!(
            "reproduced, but {:?} differs",
            differing.map(|it| it.0)
        ));
    }
    let audited = bundle.run(&["audit"]).code;
    let left = fs::read(bundle.at(PUBLICATION)).unwrap_or_default();
    let left: Value = serde_json::from_slice(&left).unwrap_or_default();
    if (audited == 0) != (left["verdict"] == "passed") {
        return Some(format!(
            "exit {audited} and a manifest that says {}",
            left["verdict"]
        ));
    }
    if audited != 0 || !has_its_name(&now) {
        return None;
    }
    // What is appended later is of no account; what the audit writes is its own.
    let of_release = |standing: &Standing| {
        let mut standing = standing.clone();
        standing.retain(|path, _| path.starts_with("release/") || path.starts_with("manifests/"));
        standing.retain(|path, _| !path.starts_with(AUDITS) && path != SPECIFICATION);
        standing
    };
    let extends = |path: &str| now[path].1.starts_with(&then[path].1);
    let is_the_same = of_release(&now) == of_release(then);
    (!is_the_same || !extends(EVENTS) || !says_the_same(&now, then))
        .then(|| "passed under the name of what was published, but it is something else".to_owned())
}

#[test]
fn whatever_is_composed_of_mutations_and_passes_is_what_was_published() {
    let then = standing(&Bundle::new());
    let mutations: Vec<_> = all()
        .into_iter()
        .filter(|mutation| !matches!(mutation.expects, Expects::NotApplicable(_)))
        .collect();
    let seed = number("SCORESHEET_FUZZ_SEED").unwrap_or(SEED);
    let cases = number("SCORESHEET_FUZZ_CASES")
        .unwrap_or(CASES)
        .div_ceil(CASES_A_COMPOSITION);
    let mut n_passed = 0;
    for seed in seed..seed + cases {
        let bundle = Bundle::new();
        let done = compose(&bundle, &mutations, &mut Random::new(seed));
        let judged = catch_unwind(AssertUnwindSafe(|| complaint(&bundle, &then)));
        let complaint = judged.unwrap_or_else(|_| Some("a panic".to_owned()));
        n_passed += usize::from(standing(&bundle) == then);
        assert!(
            complaint.is_none(),
            "{}: {done:#?}\nagain: SCORESHEET_FUZZ_SEED={seed} SCORESHEET_FUZZ_CASES=1 cargo test --test it -- compositions",
            complaint.unwrap_or_default()
        );
    }
    assert!(
        n_passed < usize::try_from(cases).unwrap() || cases == 1,
        "nothing was changed"
    );
}
