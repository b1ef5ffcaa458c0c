//! The map of the crate, held: which room may name which, and what a file may
//! look like. Where dependencies and capabilities are at home is in `homes.rs`.

use std::path::Path;

use scoresheet::tree::{RelativePath, Tree};

use crate::homes::{capabilities, homeless, is_in};
use crate::source::{Named, Source};

/// A room, and the rooms that it may name directly.
pub(crate) struct Room(pub(crate) &'static str, &'static [&'static str]);

/// The rooms in reading order. Some are not built yet.
#[rustfmt::skip]
pub(crate) const ROOMS: [Room; 21] = [
    Room("digest", &[]),
    Room("canonical", &["digest"]),
    Room("finding", &["digest"]),
    Room("chess", &[]),
    Room("measure", &[]),
    Room("secret", &["finding"]),
    Room("schema", &["finding"]),
    Room("tree", &["digest", "finding"]),
    Room("event", &["digest", "canonical", "finding", "chess"]),
    Room("ledger", &["digest", "canonical", "finding", "event", "secret"]),
    Room("projection", &["digest", "finding", "event", "chess", "measure"]),
    Room("board", &["event", "chess", "projection", "measure", "finding"]),
    Room("manifest", &["digest", "canonical", "finding", "event", "chess", "ledger", "projection", "measure"]),
    Room("release", &["manifest", "board", "projection", "ledger", "schema", "tree", "event", "secret", "chess", "measure"]),
    Room("submission", &["manifest", "board", "projection", "ledger", "schema", "tree", "event", "secret", "chess", "measure", "release"]),
    Room("audit", EVERYTHING),
    Room("run", &["event", "ledger", "projection", "chess", "secret"]),
    Room("import", &["event", "ledger", "chess", "secret"]),
    Room("store", &["event", "chess", "projection", "measure", "board"]),
    Room("site", &["board", "projection", "ledger", "release"]),
    Room("cli", EVERYTHING),
];

/// Every room above the line may name these.
const BOTTOM: [&str; 3] = ["digest", "canonical", "finding"];

/// Every room above.
pub(crate) const EVERYTHING: &[&str] = &["*"];

/// Names that say nothing about what is in a file.
const EMPTY_NAMES: [&str; 8] = [
    "util", "utils", "common", "helper", "helpers", "manager", "misc", "service",
];

const FILE_LINES_MAX: usize = 420;
const FUNCTION_LINES_MAX: usize = 80;

/// Whether the room may name the other one.
fn may_name(room: &str, other: &str) -> bool {
    let place = |name: &str| ROOMS.iter().position(|room| room.0 == name);
    let (Some(here), Some(there)) = (place(room), place(other)) else {
        return false;
    };
    let is_above = there < here;
    let is_bottom = BOTTOM.contains(&other) && !BOTTOM.contains(&room);
    here == there || is_above && (is_bottom || is_in(ROOMS[here].1, other))
}

/// What is wrong with the arrows of a file of that room.
fn arrows(room: &str, source: &Source) -> Vec<String> {
    let complaint = |named: &Named| {
        let path = named.text();
        let first = named.segments[0].as_str();
        let other = named.segments.get(1).map_or("*", String::as_str);
        let is_glob_in_tests = named.is_test && path == "super::*";
        let what = match first {
            "super" if !is_glob_in_tests => "is relative; write it from `crate`",
            "crate" | "scoresheet" if !may_name(room, other) => "is no arrow of the map",
            _ => return None,
        };
        Some(format!("line {}: `{path}` {what}", named.line))
    };
    source.paths().iter().filter_map(complaint).collect()
}

/// What is too long in a file.
fn lengths(source: &Source) -> Vec<String> {
    let n_lines = source.n_lines();
    let file =
        (FILE_LINES_MAX < n_lines).then(|| format!("{n_lines} lines; split it along a noun"));
    let functions = source.functions().into_iter();
    let long = functions.filter(|(_, _, n_lines)| FUNCTION_LINES_MAX < *n_lines);
    file.into_iter()
        .chain(long.map(|(line, name, n)| format!("line {line}: `{name}` has {n} lines")))
        .collect()
}

/// Which names of a path say nothing.
fn empty_names(path: &str) -> Vec<String> {
    let names = path
        .split('/')
        .map(|name| name.split('.').next().unwrap_or(name));
    let empty = names.filter(|name| EMPTY_NAMES.contains(name));
    empty
        .map(|name| format!("`{name}` says nothing about what is in it"))
        .collect()
}

/// The room of a file under `src`, or what is wrong with its place. The two
/// files above the rooms are bound like the room that they start.
fn room_of(path: &str) -> Result<&str, String> {
    let below = path.strip_prefix("src/").unwrap_or(path);
    match below.split_once('/') {
        Some((room, _)) if ROOMS.iter().any(|known| known.0 == room) => Ok(room),
        Some((room, _)) => Err(format!("`{room}` is not on the map")),
        None if matches!(below, "lib.rs" | "main.rs") => Ok("cli"),
        None => Err("stands in no room".to_owned()),
    }
}

/// The files that a `mod.rs` beside them has built only for tests.
fn test_files(files: &[(String, String)]) -> Vec<String> {
    let of_room = |(path, text): &(String, String)| {
        let folder = path.strip_suffix("mod.rs").unwrap_or_default().to_owned();
        let source = Source::of(if folder.is_empty() { "" } else { text });
        let modules = source.test_modules().into_iter();
        modules
            .map(|name| format!("{folder}{name}.rs"))
            .collect::<Vec<_>>()
    };
    files.iter().flat_map(of_room).collect()
}

/// The Rust files below a folder of this repository, with their text.
fn files(folder: &str) -> Vec<(String, String)> {
    let tree = Tree::open(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let walk = tree.walk(Some(&folder.parse().unwrap())).unwrap();
    assert!(walk.faults.is_empty(), "{:?}", walk.faults);
    let is_rust = |path: &&RelativePath| {
        Path::new(path.as_str())
            .extension()
            .is_some_and(|e| e == "rs")
    };
    let read = |path: &RelativePath| {
        let read = tree.read(path, 1 << 24).unwrap();
        (
            path.to_string(),
            String::from_utf8(read.into_bytes()).unwrap(),
        )
    };
    walk.files.iter().filter(is_rust).map(read).collect()
}

#[test]
fn the_map_is_kept() {
    let mut complaints = Vec::new();
    let files_of_src = files("src");
    let test_files = test_files(&files_of_src);
    for (path, text) in files_of_src {
        let mut source = Source::of(&text);
        let shape = [lengths(&source), empty_names(&path)].concat();
        if test_files.contains(&path) {
            source = source.into_tests();
        }
        let place = match room_of(&path) {
            Ok(room) => [
                arrows(room, &source),
                homeless(room, &source),
                capabilities(room, &source),
            ]
            .concat(),
            Err(complaint) => vec![complaint],
        };
        let found = place.into_iter().chain(shape);
        complaints.extend(found.map(|complaint| format!("{path}: {complaint}")));
    }
    for (path, _) in files("tests") {
        complaints.extend(
            empty_names(&path)
                .iter()
                .map(|complaint| format!("{path}: {complaint}")),
        );
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn the_map_points_up_and_the_crate_prints_it_in_order() {
    let names: Vec<_> = ROOMS.iter().map(|room| room.0).collect();
    for (place, Room(name, others)) in ROOMS.iter().enumerate() {
        for other in others.iter().filter(|other| **other != "*") {
            assert!(
                names[..place].contains(other),
                "{name} names {other}, which is not above it"
            );
        }
    }
    let lib = files("src")
        .into_iter()
        .find(|(path, _)| path == "src/lib.rs")
        .unwrap()
        .1;
    let printed = lib
        .lines()
        .filter_map(|line| line.strip_prefix("//! - [`")?.split('`').next());
    let printed: Vec<_> = printed.collect();
    let built = |name: &&str| {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("src")
            .join(name)
            .exists()
    };
    let expected: Vec<_> = names.iter().copied().filter(built).collect();
    assert_eq!(printed, expected);
}

#[test]
fn no_test_file_is_forgotten() {
    let main = Source::of(include_str!("main.rs"));
    let is_run = |path: &str| {
        let name = path.trim_start_matches("tests/it/").trim_end_matches(".rs");
        name == "main" || name.contains('/') || main.modules().contains(name)
    };
    for (path, _) in files("tests/it") {
        assert!(is_run(&path), "{path} is not named in main.rs");
    }
    assert!(!is_run("tests/it/forgotten.rs"));
}

#[test]
fn an_arrow_that_is_not_on_the_map_is_found_however_it_is_written() {
    let complaints = |room: &str, text: &str| arrows(room, &Source::of(text)).len();
    for text in [
        "use crate::ledger::Ledger;",
        "use crate::{digest::{Digest, Root}, finding::{self, Code}, ledger};",
        "fn f() -> crate::ledger::Head { todo() }",
        "macro_rules! m { () => { $crate::ledger::Head::default() } }",
        "pub use scoresheet::ledger;",
        "use crate as c;",
        "use crate::*;",
        "use super::code;",
        "fn f() { super::g() }",
        "use super::*;",
        "#[cfg(test)]\nmod tests { use super::*; use crate::ledger::Ledger; }",
    ] {
        assert_eq!(complaints("tree", text), 1, "{text}");
    }
    for text in [
        "use crate::{digest::Digest, finding::{self, Code}, canonical, tree::Tree};",
        "// use crate::ledger::Ledger;",
        "/// [`crate::ledger::Ledger`]\nfn f() { let s = \"crate::ledger::x // \"; }",
        "pub(super) fn f() { self::g() }",
        "#[cfg(test)]\nmod tests { use super::*; }",
    ] {
        assert_eq!(complaints("tree", text), 0, "{text}");
    }
    assert_eq!(complaints("cli", "use crate::{audit, site, digest};"), 0);
    assert_eq!(
        complaints("audit", "use crate::{submission, digest, run};"),
        1
    );
    assert_eq!(complaints("digest", "use crate::canonical;"), 1);
    assert_eq!(complaints("finding", "use crate::canonical;"), 1);
    assert_eq!(complaints("chess", "use crate::canonical;"), 0);
    assert_eq!(complaints("chess", "use crate::not_on_the_map;"), 1);
}

#[test]
fn a_file_outside_the_rooms_is_found() {
    assert_eq!(room_of("src/tree/read.rs"), Ok("tree"));
    assert_eq!(room_of("src/tree/deep/read.rs"), Ok("tree"));
    assert_eq!(room_of("src/main.rs"), Ok("cli"));
    assert!(room_of("src/attic/old.rs").is_err());
    assert!(room_of("src/stray.rs").is_err());
}

#[test]
fn only_a_file_declared_for_tests_is_one() {
    let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let files = [
        file("src/tree/mod.rs", "mod read;\n#[cfg(test)]\nmod vectors;"),
        file("src/tree/read.rs", "#[cfg(test)]\nmod walk;"),
    ];
    assert_eq!(test_files(&files), ["src/tree/vectors.rs"]);
}

#[test]
fn what_is_too_long_or_says_nothing_is_found() {
    let file = |n: usize| "// line\n".repeat(n);
    assert_eq!(lengths(&Source::of(&file(FILE_LINES_MAX))), [""; 0]);
    assert_eq!(lengths(&Source::of(&file(FILE_LINES_MAX + 1))).len(), 1);
    let tests = format!("{}#[cfg(test)]\nmod tests {{\n{}}}\n", file(400), file(400));
    assert_eq!(lengths(&Source::of(&tests)), [""; 0]);
    let function = |n: usize| format!("fn f() {{\n{}}}\n", file(n - 2));
    assert_eq!(lengths(&Source::of(&function(FUNCTION_LINES_MAX))), [""; 0]);
    let long = lengths(&Source::of(&function(FUNCTION_LINES_MAX + 1)));
    assert_eq!(long, ["line 1: `f` has 81 lines"]);
    for path in [
        "src/tree/utils.rs",
        "src/common/mod.rs",
        "tests/it/helpers/x.rs",
    ] {
        assert_eq!(empty_names(path).len(), 1, "{path}");
    }
    assert_eq!(empty_names("src/tree/utility_of_paths.rs"), [""; 0]);
}
