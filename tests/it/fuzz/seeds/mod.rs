//! What the corpora begin with: small, named by what it shows, no real secret.

mod notes;
mod vectors;

use std::fs;

use scoresheet::event::{Event, Verified};
use scoresheet::ledger::{Begin, Checkpoint, Head, Layout, Memory};
use scoresheet::release::Specification;
use scoresheet::secret::Scanner;

use super::at_home;
use crate::events::goldens;
use crate::harness::folder::Folder;
use crate::harness::{VEIL, ledger, private, rot13};
use crate::keys;

/// The name of a harness, the name of a file, and its bytes.
pub(crate) type Seed = (&'static str, String, Vec<u8>);

/// All of them.
pub(crate) fn all() -> Vec<Seed> {
    let mut seeds = Vec::new();
    seeds.extend(named("event_line", lines()));
    seeds.extend(named("head", heads()));
    seeds.extend(named("ledger", ledgers()));
    seeds.extend(named("memory", memories()));
    seeds.extend(named("private", sealed()));
    seeds.extend(named("description", descriptions()));
    seeds.extend(named("run_file", run_files()));
    seeds.extend(named("chess", games()));
    seeds.extend(named("secret", credentials()));
    seeds.extend(named("secret_file", crate::secret_containers::seeds()));
    seeds.extend(named("submission", submissions()));
    seeds.extend(named("vectors", vectors::all()));
    seeds.extend(named(
        "kaggle",
        documents(crate::imports::kaggle::samples()),
    ));
    seeds.extend(named(
        "llm_chess",
        documents(crate::imports::llm_chess::samples()),
    ));
    seeds.extend(named("pgn", pgn_files()));
    seeds.extend(notes::all());
    seeds
}

pub(crate) type Named = Vec<(String, Vec<u8>)>;

pub(crate) fn named(harness: &'static str, files: Named) -> Vec<Seed> {
    let seed = |(name, bytes)| (harness, name, bytes);
    files.into_iter().map(seed).collect()
}

pub(crate) fn texts<const N: usize>(files: [(&str, &str); N]) -> Named {
    let own = |(name, text): (&str, &str)| (name.to_owned(), text.as_bytes().to_vec());
    files.map(own).to_vec()
}

/// The example, the same with every value turned into a question, and small texts.
fn submissions() -> Named {
    let example = fs::read_to_string(at_home("docs/submission/submission.json")).unwrap();
    let asked = example.replace(": \"", ": \"? ");
    let mut all = texts([
        ("example", &example),
        ("questions", &asked),
        (
            "twice",
            "{\"code\": 1.5, \"code\": 9007199254740993, \"é\": \"? \"}",
        ),
        ("marked", "\u{feff}{}"),
        ("list", "[{\"a\": []},\r\n\t[]]"),
    ]);
    all.push(("utf16".to_owned(), b"\xff\xfe{\x00".to_vec()));
    all
}

/// Every form of a game, each in a file of its own.
fn pgn_files() -> Named {
    let games = crate::imports::pgn::games().into_iter().enumerate();
    games
        .map(|(number, game)| (format!("form-{}", number + 1), game))
        .collect()
}

/// Documents, by their names.
fn documents(samples: impl IntoIterator<Item = (&'static str, serde_json::Value)>) -> Named {
    let samples = samples.into_iter();
    samples
        .map(|(name, document)| (name.to_owned(), document.to_string().into_bytes()))
        .collect()
}

/// Each golden line, and each faulty one of which the right spelling is offered.
fn lines() -> Named {
    let golden = |golden: crate::events::Golden| {
        let name = format!("{}-{}", golden.name, golden.number);
        (name, golden.line.into_bytes())
    };
    let mut lines: Named = goldens().into_iter().map(golden).collect();
    let folder = at_home("tests/events/invalid");
    for name in super::names(&folder) {
        let Some(stem) = name.strip_suffix(".jsonl") else {
            continue;
        };
        let mut line = fs::read(folder.join(&name)).unwrap();
        line.pop();
        let fault = Verified::<Event>::parse(&line).unwrap_err();
        if fault.canonical.is_some() {
            lines.push((format!("respelled-{stem}"), line));
        }
    }
    for name in [
        "lone-surrogate",
        "duplicate-key",
        "null-required",
        "opening-illegal",
    ] {
        let mut line = fs::read(folder.join(format!("{name}.jsonl"))).unwrap();
        line.pop();
        lines.push((format!("faulty-{name}"), line));
    }
    lines.push(("deep".to_owned(), "[".repeat(200).into_bytes()));
    lines
}

fn heads() -> Named {
    let head = |sequence: u64| {
        let size = sequence * 1_000;
        Head {
            sequence,
            size,
            root: scoresheet::digest::Digest::of(&sequence.to_be_bytes()),
            segment: Layout::STANDARD.segment_of(size),
            length: 77,
        }
    };
    let file = |first: Head, second: Head| {
        let mut file = vec![b' '; 4096];
        file[4095] = b'\n';
        let first = first.slot();
        file[..first.len()].copy_from_slice(&first);
        file.extend(second.slot());
        file
    };
    let sound = file(head(4), head(5));
    let mut torn = sound.clone();
    torn[4096 + 256..].fill(0);
    let mut odd = sound.clone();
    odd[2_000] = b'x';
    let named = |name: &str, bytes: Vec<u8>| (name.to_owned(), bytes);
    vec![
        named("sound", file(head(6), head(7))),
        named("newest-first", file(head(8), head(7))),
        named("first-commit", file(head(0), head(1))),
        named("swapped", file(head(5), head(4))),
        named("gap", file(head(4), head(9))),
        named("second-torn", torn),
        named("not-blank-between", odd),
        named("one-slot", head(2).slot()),
        named("cut", sound[..4_300].to_vec()),
        named("empty", Vec::new()),
    ]
}

fn ledgers() -> Named {
    let mut files = Vec::new();
    for (path, bytes) in ledger::files() {
        let input = |bytes: &[u8]| [path.as_bytes(), b"\n", bytes].concat();
        let name = path.replace('/', "-");
        files.push((name.clone(), input(bytes)));
        if path.contains(".jsonl") {
            let half = bytes.len() / 2;
            files.push((format!("{name}-cut"), input(&bytes[..half])));
            files.push((
                format!("{name}-longer"),
                input(&[bytes, &bytes[..half]].concat()),
            ));
        }
        if path == "head" {
            let mut broken = bytes.clone();
            broken[100] ^= 1;
            files.push(("head-first-broken".to_owned(), input(&broken)));
            let mut broken = bytes.clone();
            broken[4_196] ^= 1;
            files.push(("head-second-broken".to_owned(), input(&broken)));
        }
    }
    files
}

fn memories() -> Named {
    let folder = Folder::default();
    let mut memory = Memory::open(&folder, "memory", Begin::New).unwrap();
    let mut files = Vec::new();
    for (n, origin) in ["example.org/log", "example.org/other", "a"]
        .into_iter()
        .enumerate()
    {
        memory
            .remember(&Checkpoint {
                origin: origin.parse().unwrap(),
                size: 17 * u64::try_from(n).unwrap() + 1,
                root: scoresheet::digest::Digest::of(origin.as_bytes()),
            })
            .unwrap();
        let file = folder.files().into_iter().find(|file| file.0 == "memory");
        files.push((format!("of-{}-logs", n + 1), file.unwrap().1));
    }
    let (_, whole) = &files[1];
    let cut = whole[..whole.len() - 1].to_vec();
    files.push(("no-final-newline".to_owned(), cut));
    let text = String::from_utf8(files[1].1.clone()).unwrap();
    let larger = text.replacen("1 ", "2 ", 1).into_bytes();
    files.push(("another-size".to_owned(), larger));
    files
}

fn sealed() -> Named {
    let mut files = Vec::new();
    for (name, bytes) in private::files() {
        let input = |bytes: &[u8]| [name.as_bytes(), b"\n", bytes].concat();
        files.push((name.to_owned(), input(bytes)));
        files.push((format!("{name}-cut"), input(&bytes[..bytes.len() - 1])));
        files.push((format!("{name}-wiped"), input(&vec![0; bytes.len()])));
    }
    files
}

fn descriptions() -> Named {
    let read = |path: &str| fs::read(at_home(path)).unwrap();
    let root = scoresheet::digest::empty_root();
    let size = 7_u32.into();
    let checkpoint = scoresheet::event::CheckpointRef { root, size };
    let cohorts = vec!["small".parse().unwrap()];
    let usual = Specification::usual(
        "small-1".parse().unwrap(),
        checkpoint,
        cohorts,
        &scoresheet::projection::Projection::default(),
    );
    let published = crate::bundle::published().iter();
    let mut manifests = published.filter(|file| file.0.starts_with("manifests/"));
    let cohort = &manifests.next().unwrap().1;
    let described = |name: &str, first: &str, bytes: &[u8]| {
        (name.to_owned(), [first.as_bytes(), b"\n", bytes].concat())
    };
    let inventory = br#"{"artifacts":[],"checkpoint":{"root":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","size":0},"cohorts":[],"origin":"example.org/log","release":"r-1","specification":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","v":1}"#;
    vec![
        described("ledger", "LEDGER.json", &read("ledger/LEDGER.json")),
        described(
            "ledger-of-another-format",
            "LEDGER.json",
            b"{\"format\":\"x\",\"origin\":\"a\"}\n",
        ),
        described(
            "ledger-without-newline",
            "LEDGER.json",
            b"{\"format\":\"scoresheet-ledger-1\",\"origin\":\"a\"}",
        ),
        described("publication", "publication.json", &usual.file().unwrap()),
        described(
            "publication-of-this-project",
            "publication.json",
            &read("release/publication.json"),
        ),
        described("cohort", "cohort", cohort),
        described("inventory", "inventory", inventory),
        described(
            "inventory-with-space",
            "inventory",
            &[&inventory[..1], b" ", &inventory[1..]].concat(),
        ),
    ]
}

fn run_files() -> Named {
    let pilot = fs::read(at_home("docs/pilot-1.toml")).unwrap();
    let mut files = vec![("pilot".to_owned(), pilot)];
    let small = "cohort = \"t\"\nby = \"me\"\n[preregistration]\nevidence_status = \"pilot\"\nhypothesis = \"h\"\nprimary_endpoints = [\"p\"]\nstopping_rule = \"s\"\n[protocol]\nname = \"t-1\"\nply_cap = 40\nglicko2 = { rating = \"1500\", deviation = \"350\", volatility = \"0.06\", tau = \"0.5\" }\n[deadlines]\nanswer_ms = 5000\n[[engine]]\nname = \"a\"\ncommand = \"x\"\nargs = [\"--y\"]\noptions = { Hash = 16, Style = \"Risky\", Ponder = false }\nnodes = 1000\n[[engine]]\nname = \"b\"\ncommand = \"x\"\nmovetime_ms = 3\n";
    files.extend(texts([
        ("small", small),
        (
            "one-engine",
            &small.replace("[[engine]]\nname = \"b\"", "[other]\nname = \"b\""),
        ),
        ("two-limits", &format!("{small}depth = 3\n")),
        (
            "control-character",
            &small.replace("\"h\"", "\"\u{1b}[2J\""),
        ),
        ("unknown-key", &small.replace("by =", "bye =")),
        ("far-number", &small.replace("40", "99999999999999999999")),
        (
            "preset",
            &small.replace("ply_cap = 40", "preset = \"chessbench-v3\""),
        ),
        ("ladder", LADDER),
        ("era-and-cohort", &format!("cohort = \"t\"\n{LADDER}")),
    ]));
    files
}

/// A run file for a ladder.
const LADDER: &str = "era = \"e\"\n[[engine]]\nname = \"a\"\ncommand = \"x\"\nnodes = 9\n[[engine]]\nname = \"b\"\ncommand = \"x\"\ndepth = 3\n";

fn games() -> Named {
    texts([
        (
            "fools-mate",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nf2f3\ne7e5\ng2g4\nd8h4\ne2e4",
        ),
        (
            "castling",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\ne1g1\ne8c8\ne1h1",
        ),
        (
            "castling-960",
            "1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1\nf1h1\nf8b8",
        ),
        (
            "en-passant",
            "4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1\nd2d4\ne4d3",
        ),
        ("promotion", "8/P6k/8/8/8/8/p6K/8 w - - 0 1\na7a8n\na2a1q"),
        ("stalemate", "7k/5Q2/8/8/8/8/8/K7 b - - 99 120\nh8g8"),
        ("no-kings", "8/8/8/8/8/8/8/8 w - - 0 1\ne2e4"),
        ("five-fields", "4k3/8/8/8/8/8/8/4K3 w - - 0\n"),
        (
            "far-counters",
            "4k3/8/8/8/8/8/8/4K3 w - - 4294967295 4294967295\ne1e2\n",
        ),
        ("nine-files", "rnbqkbnrr/8/8/8/8/8/8/4K3 w - - 0 1\n"),
        (
            "null-move",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n0000\n@@@@\nE1E2\ne1e2 \n",
        ),
    ])
}

/// Credentials that never were any, in ROT13; but those that show through it.
fn credentials() -> Named {
    let veiled = |text: String| rot13(text.as_bytes());
    let mut samples: Vec<_> = crate::secret::sample_texts()
        .into_iter()
        .map(veiled)
        .collect();
    samples.retain(|text| Scanner::shared().scan(text).is_empty());
    let mut files = Vec::new();
    for (number, texts) in (1..).zip(samples.chunks(6)) {
        let veiled = [VEIL, &texts.join(&b'\n')].concat();
        files.push((format!("samples-{number}"), veiled));
    }
    let mut glued = samples.concat();
    glued.truncate(2_000);
    files.push(("glued".to_owned(), [VEIL, &glued].concat()));
    files.extend(texts([
        (
            "plain",
            "A game of chess has 64 squares: e2e4, sha256, d41d8cd98f00b204.\n",
        ),
        (
            "prefixes",
            "sk-sk-sk-sk-sk- ghp_ghp_ghp_ AKIAAKIA xai-xai- eyJeyJ.eyJ.\n",
        ),
    ]));
    files
}

/// A signing key as its file has it, that nobody uses.
pub(crate) fn signing_key(name: &str, kind: u8, seed: &[u8; 32]) -> String {
    let id = |key: &scoresheet::ledger::VerifierKey| {
        key.to_string().split('+').nth(1).unwrap().to_owned()
    };
    let kind_of = if kind == 1 {
        scoresheet::ledger::KeyKind::Note
    } else {
        scoresheet::ledger::KeyKind::Cosignature
    };
    let key = scoresheet::ledger::SigningKey::from_seed(name, kind_of, seed).unwrap();
    let typed = [&[kind], seed.as_slice()].concat();
    let first = [
        "PRIVATE",
        "KEY",
        name,
        &id(&key.verifier_key()),
        &keys::base64(&typed),
    ];
    first.join("+") + "\n"
}
