//! The laws of what comes from strangers, over the committed corpora and some
//! thousand mutations of them; `fuzz/` holds the same laws as fuzz targets.
//!
//! `SCORESHEET_FUZZ_CASES` sets how many mutations of each corpus are tried,
//! and `SCORESHEET_FUZZ_SEED` the seed of the first; the next one has the next
//! seed. A failure prints the command that tries it again.

pub(crate) mod mutation;
mod seeds;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::{HARNESSES, Harness, of};
use crate::simulator::random::Random;
use crate::tool::{environment, number};
use mutation::{grown, mutated};

const SEED: u64 = 2026;
const CASES: u64 = 3_000;
/// Of so many cases one is an input of full length.
const GROWN_EVERY: u64 = 100;

fn at_home(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The names of what stands in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

/// The committed inputs of a harness, by name.
fn corpus(name: &str) -> Vec<(String, Vec<u8>)> {
    let folder = at_home(&format!("fuzz/corpus/{name}"));
    let read = |name: String| {
        let bytes = fs::read(folder.join(&name)).unwrap();
        (name, bytes)
    };
    names(&folder).into_iter().map(read).collect()
}

/// Asserts the laws; where one is broken, says with what, and how to try it again.
fn holds(harness: &Harness, input: &[u8], how: &str) {
    if std::panic::catch_unwind(|| (harness.check)(input)).is_err() {
        let start = &input[..input.len().min(2_000)];
        panic!(
            "a law of {} is broken by {}\n{how}",
            harness.name,
            start.escape_ascii()
        );
    }
}

fn obeys(name: &str) {
    let harness = of(name);
    let corpus = corpus(name);
    for (file, input) in &corpus {
        let how = format!("which is fuzz/corpus/{name}/{file}");
        holds(harness, input, &how);
    }
    let inputs: Vec<_> = corpus.into_iter().map(|(_, input)| input).collect();
    let seed = number("SCORESHEET_FUZZ_SEED").unwrap_or(SEED);
    for seed in seed..seed + number("SCORESHEET_FUZZ_CASES").unwrap_or(CASES) {
        let mut random = Random::new(seed);
        let input = if seed % GROWN_EVERY == 0 {
            grown(&inputs, &mut random)
        } else {
            mutated(&inputs, &mut random)
        };
        let how = format!(
            "again: SCORESHEET_FUZZ_SEED={seed} SCORESHEET_FUZZ_CASES=1 cargo test --test it -- fuzz::{name}"
        );
        holds(harness, &input, &how);
    }
}

macro_rules! harnesses {
    ($($name:ident),* $(,)?) => {
        const TESTED: &[&str] = &[$(stringify!($name)),*];
        $(
            #[test]
            fn $name() {
                obeys(stringify!($name));
            }
        )*
    };
}

harnesses! {
    chess, description, event_line, head, kaggle, key, ledger, llm_chess, memory, note, pgn,
    policy, private, proof, run_file, secret, secret_file, submission, vectors, witness,
}

#[test]
fn every_harness_is_tested_has_a_corpus_and_is_a_fuzz_target() {
    let harnesses: Vec<_> = HARNESSES.iter().map(|harness| harness.name).collect();
    assert_eq!(harnesses, TESTED);
    assert_eq!(names(&at_home("fuzz/corpus")), harnesses);
    let files: Vec<_> = harnesses.iter().map(|name| format!("{name}.rs")).collect();
    assert_eq!(names(&at_home("fuzz/fuzz_targets")), files);
    let manifest = fs::read_to_string(at_home("fuzz/Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let bins = manifest["bin"].as_array().unwrap().iter();
    let bins: Vec<_> = bins.map(|bin| bin["name"].as_str().unwrap()).collect();
    assert_eq!(bins, harnesses);
    for name in harnesses {
        let path = format!("fuzz/fuzz_targets/{name}.rs");
        let target = fs::read_to_string(at_home(&path)).unwrap();
        assert!(
            target.contains(&format!("check(\"{name}\", data)")),
            "{path}"
        );
    }
}

/// What is generated is committed as it is; further files are what fuzzing found.
#[test]
fn the_committed_corpora_hold_what_is_generated_and_are_small() {
    let is_blessing = environment("SCORESHEET_BLESS").is_some_and(|value| value == "1");
    let mut generated = BTreeSet::new();
    for (harness, name, bytes) in seeds::all() {
        let path = at_home(&format!("fuzz/corpus/{harness}/{name}"));
        assert!(generated.insert(path.clone()), "{} twice", path.display());
        if is_blessing {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &bytes).unwrap();
        }
        let committed = fs::read(&path).unwrap_or_default();
        let shown = path.display();
        assert!(
            committed == bytes,
            "{shown} differs; is it meant? SCORESHEET_BLESS=1 writes it"
        );
    }
    let files = HARNESSES.iter().flat_map(|harness| corpus(harness.name));
    let lengths: Vec<_> = files.map(|(_, bytes)| bytes.len()).collect();
    assert!(lengths.len() <= 400, "{} files", lengths.len());
    let n_bytes: usize = lengths.iter().sum();
    assert!(n_bytes <= 500_000, "{n_bytes} bytes");
}
