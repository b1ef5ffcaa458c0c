//! Where each dependency and each capability is at home. Tests at the foot of
//! a file, and files that are only built for tests, are free to use both.

use crate::arrows::{EVERYTHING, ROOMS};
use crate::source::{Named, Source};

/// Who touches the disk. `cli` is among them for files that people name.
const DISK: &[&str] = &["ledger", "tree", "store", "run", "import", "site", "cli"];

/// A dependency, and the rooms that may name it.
struct Home(&'static str, &'static [&'static str]);

/// Every dependency of the library has a home; some are not in use yet.
#[rustfmt::skip]
const HOMES: &[Home] = &[
    // Formats and errors of our own types, wherever the types are.
    Home("schemars", &["*"]),
    Home("serde", &["*"]),
    Home("serde_json", &["*"]),
    Home("thiserror", &["*"]),
    // Hashes, signatures, encryption.
    Home("blake3", &["digest"]),
    Home("sha2", &["digest"]),
    Home("base64", &["ledger", "secret"]),
    Home("chacha20poly1305", &["ledger"]),
    Home("ed25519_dalek", &["ledger"]),
    Home("getrandom", &["ledger"]),
    Home("zeroize", &["ledger", "run"]),
    // Numbers and times.
    Home("libm", &["measure"]),
    Home("rust_decimal", &["canonical"]),
    Home("time", &["canonical"]),
    // Chess.
    Home("pgn_reader", &["chess"]),
    Home("shakmaty", &["chess"]),
    Home("shakmaty_syzygy", &["chess"]),
    // Text, and what text hides in.
    Home("aho_corasick", &["secret"]),
    Home("flate2", &["secret", "import"]),
    Home("memchr", &["chess", "ledger", "run", "secret", "import"]),
    Home("regex", &["secret", "chess"]),
    Home("strsim", &["canonical", "event"]),
    Home("regex_automata", &["secret"]),
    Home("ruzstd", &["secret", "import"]),
    Home("tar", &["secret"]),
    Home("zip", &["secret", "import"]),
    // Schemas and foreign formats.
    Home("csv", &["board", "import"]),
    Home("jsonc_parser", &["schema"]),
    Home("jsonschema", &["schema"]),
    Home("toml", &["run", "secret", "cli"]),
    // The system. Whoever writes files may write a temporary one first.
    Home("rustix", &["tree", "ledger", "run"]),
    Home("tempfile", &["ledger", "store", "run", "import", "site", "cli"]),
    Home("walkdir", &["tree"]),
    Home("rusqlite", &["store"]),
    Home("ureq", &["run"]),
    // People.
    Home("annotate_snippets", &["cli"]),
    Home("anstream", &["cli"]),
    Home("anstyle", &["cli"]),
    Home("clap", &["cli"]),
    Home("clap_complete", &["cli"]),
    Home("clap_mangen", &["cli"]),
    Home("comfy_table", &["cli"]),
    Home("indicatif", &["cli"]),
    Home("signal_hook", &["cli"]),
    Home("askama", &["site"]),
    Home("kuva", &["release", "site"]),
];

/// Something the system gives, and the rooms that may take it.
struct Capability(&'static str, &'static [&'static str]);

/// Paths, method calls and macros. Where two fit, the longer one counts.
#[rustfmt::skip]
const CAPABILITIES: &[Capability] = &[
    Capability("std::fs", DISK),
    Capability("std::os::unix::fs", DISK),
    Capability(".canonicalize(", DISK),
    Capability(".exists(", DISK),
    Capability(".is_dir(", DISK),
    Capability(".is_file(", DISK),
    Capability(".read_dir(", DISK),
    Capability(".read_link(", DISK),
    Capability(".symlink_metadata(", DISK),
    Capability(".try_exists(", DISK),
    Capability("std::process", &["run"]),
    // To ask git what is tracked.
    Capability("std::process::Command", &["run", "tree"]),
    Capability("std::process::Output", &["run", "tree"]),
    Capability("std::process::Stdio", &["run", "tree"]),
    Capability("std::process::ExitCode", &["cli"]),
    Capability("std::process::Termination", &["cli"]),
    Capability("std::os::unix::process", &["run"]),
    Capability("std::net", &["run"]),
    Capability("std::os::unix::net", &["run"]),
    Capability("std::thread::sleep", &["ledger", "run"]),
    Capability("std::time::Instant", &["run"]),
    Capability("std::time::SystemTime", &["cli"]),
    Capability("std::time::UNIX_EPOCH", &["cli"]),
    Capability("time::OffsetDateTime::now_utc", &["cli"]),
    Capability("time::UtcDateTime::now", &["cli"]),
    Capability("std::env", &["cli"]),
    // These read nothing.
    Capability("std::env::consts", EVERYTHING),
    Capability("std::env::join_paths", EVERYTHING),
    Capability("std::env::split_paths", EVERYTHING),
    Capability("std::io::IsTerminal", &["cli"]),
    Capability("std::io::stderr", &["cli"]),
    Capability("std::io::stdin", &["cli"]),
    Capability("std::io::stdout", &["cli"]),
    Capability("dbg!", &[]),
    Capability("eprint!", &["cli"]),
    Capability("eprintln!", &["cli"]),
    Capability("print!", &["cli"]),
    Capability("println!", &["cli"]),
];

/// Whether the room is in the list, or the list means all.
pub(crate) fn is_in(rooms: &[&str], room: &str) -> bool {
    rooms.contains(&room) || rooms == EVERYTHING
}

/// Which dependencies a file of that room names away from their home.
pub(crate) fn homeless(room: &str, source: &Source) -> Vec<String> {
    let modules = source.modules();
    let complaint = |named: &Named| {
        let first = named.segments[0].as_str();
        let Home(_, rooms) = HOMES.iter().find(|home| home.0 == first)?;
        let is_away = !is_in(rooms, room) && !modules.contains(first) && !named.is_test;
        is_away.then(|| {
            format!(
                "line {}: `{}` is at home in {rooms:?}",
                named.line,
                named.text()
            )
        })
    };
    source.paths().iter().filter_map(complaint).collect()
}

/// Which capabilities a file of that room takes that are not its own.
pub(crate) fn capabilities(room: &str, source: &Source) -> Vec<String> {
    // A glob takes whatever stands below it, a path the most exact that fits.
    let taken = |path: &str| -> Vec<&Capability> {
        let fits = |capability: &&Capability| {
            let rest = path.strip_prefix(capability.0);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        let fitting = CAPABILITIES.iter().filter(fits);
        let exact = fitting.max_by_key(|capability| capability.0.len());
        let parent = path.strip_suffix('*');
        let is_below =
            |capability: &&Capability| parent.is_some_and(|p| capability.0.starts_with(p));
        exact
            .into_iter()
            .chain(CAPABILITIES.iter().filter(is_below))
            .collect()
    };
    let complaint = |line: usize, path: &str| {
        let mut taken = taken(path).into_iter();
        let Capability(_, rooms) = taken.find(|capability| !is_in(capability.1, room))?;
        Some(format!("line {line}: `{path}` is for {rooms:?}"))
    };
    let paths = source.paths();
    let paths = paths.iter().filter(|named| !named.is_test);
    let mut complaints: Vec<_> = paths
        .filter_map(|named| complaint(named.line, &named.text()))
        .collect();
    complaints.extend(
        source
            .calls()
            .iter()
            .filter_map(|(line, call)| complaint(*line, call)),
    );
    complaints
}

#[test]
fn every_dependency_has_a_home_in_rooms_that_exist() {
    for Home(name, rooms) in HOMES {
        for room in rooms.iter().filter(|room| **room != "*") {
            assert!(ROOMS.iter().any(|known| known.0 == *room), "{name}: {room}");
        }
    }
    let manifest = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    let manifest: toml::Table = manifest.unwrap().parse().unwrap();
    for name in manifest["dependencies"].as_table().unwrap().keys() {
        let name = name.replace('-', "_");
        assert!(
            HOMES.iter().any(|home| home.0 == name),
            "{name} has no home"
        );
    }
}

#[test]
fn a_dependency_away_from_home_is_found() {
    let n = |room: &str, text: &str| homeless(room, &Source::of(text)).len();
    for text in [
        "use regex::bytes::Regex;",
        "use {regex::{Regex, RegexSet as Set}};",
        "pub use ::regex;",
        "fn f() { regex::escape(x); }",
        "#[derive(regex::Never)] struct S;",
    ] {
        assert!(0 < n("tree", text), "{text}");
        assert_eq!(n("secret", text), 0, "{text}");
    }
    for text in [
        "// use regex::Regex;",
        "fn f() { let regex = \"regex::Regex\"; }",
        "mod regex; fn f() { regex::g() }",
        "use std::time; fn f() -> time::Duration { regex() }",
        "use serde::Serialize;",
        "#[cfg(test)]\nmod tests { use regex::Regex; }",
    ] {
        assert_eq!(n("tree", text), 0, "{text}");
    }
}

#[test]
fn a_capability_taken_elsewhere_is_found() {
    let n = |room: &str, text: &str| capabilities(room, &Source::of(text)).len();
    for (room, text) in [
        ("tree", "use std::fs::File;"),
        ("ledger", "use std::{fs, io};"),
        ("site", "fn f() { path.exists() }"),
        ("run", "use std::process::Child;"),
        ("tree", "use std::process::{Command, Stdio};"),
        ("run", "use std::net::TcpStream;"),
        ("run", "use std::time; fn f() { time::Instant::now() }"),
        ("cli", "fn f() { std::time::SystemTime::now() }"),
        ("cli", "use std::env;"),
        ("cli", "use std::io; fn f() { io::stdout() }"),
        ("cli", "use std::process::ExitCode;"),
        ("cli", "fn f() { println!(\"{x}\") }"),
        ("cli", "fn f() { anstream::eprintln!() }"),
    ] {
        assert_eq!(n(room, text), 0, "{room}: {text}");
        assert!(0 < n("measure", text), "{text}");
        let test = format!("#[cfg(test)]\nmod tests {{ {text} }}");
        assert_eq!(n("measure", &test), 0, "{text}");
    }
    for (room, text) in [
        ("tree", "use std::process::Child;"),
        ("run", "use std::time::SystemTime;"),
        ("cli", "use std::time::Instant;"),
        ("cli", "fn f() { dbg!(x) }"),
        ("cli", "use std::process::*;"),
        ("measure", "use std::*;"),
    ] {
        assert!(0 < n(room, text), "{room}: {text}");
    }
    for text in [
        "use std::env::split_paths; use std::time::Duration; use std::io::{self, Read}; fn f() { io::empty() }",
        "// std::fs::read\nfn f() { g(\"println!\", a != b, exists(x)) }",
    ] {
        assert_eq!(n("measure", text), 0, "{text}");
    }
}
