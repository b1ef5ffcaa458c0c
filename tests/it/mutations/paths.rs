//! Names and places: what leads elsewhere, or is another file than it seems.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use rustix::fs::{CWD, mkfifoat};
use scoresheet::finding::Code;
use serde_json::json;

use crate::bundle::Bundle;
use crate::mutations::{Mutation, blocks, not_applicable};

const BOARD: &str = "release/board.csv";
const NOTES: &str = "release/notes.md";
/// A file that a later mutation can read through a link, and nobody can write.
const OUTSIDE: &str = "/proc/version";

/// Declares the notes at another path.
fn declare(bundle: &Bundle, path: &str) {
    bundle.specify(|spec| spec["artifacts"][2]["path"] = json!(path));
}

/// Puts a link in the place of a file.
fn link(bundle: &Bundle, target: &str, path: &str) {
    fs::remove_file(bundle.at(path)).unwrap();
    symlink(target, bundle.at(path)).unwrap();
}

/// Writes files with these names into the release.
fn add(bundle: &Bundle, names: &[&str]) {
    for name in names {
        bundle.write(&format!("release/{name}"), b"x\n");
    }
}

/// Puts a link in the place of the folder of statements.
fn link_folder(bundle: &Bundle) {
    fs::rename(bundle.at("release/provenance"), bundle.at("elsewhere")).unwrap();
    symlink("../elsewhere", bundle.at("release/provenance")).unwrap();
}

/// Puts what is no file in the place of the board.
fn replace(bundle: &Bundle, put: impl FnOnce(&std::path::Path)) {
    bundle.remove(BOARD);
    put(&bundle.at(BOARD));
}

/// Declares the notes a second time, for something else.
fn declare_twice(bundle: &Bundle) {
    bundle.specify(|spec| {
        let mut again = spec["artifacts"][2].clone();
        again["role"] = json!("methods");
        spec["artifacts"].as_array_mut().unwrap().push(again);
    });
}

#[rustfmt::skip]
pub(crate) fn mutations() -> Vec<Mutation> {
    use Code::{
        ArtifactChanged, ArtifactMissing, ArtifactShared, PathEscapes, PathPrivate,
        PathTwin, SpecInvalid,
    };
    vec![
        blocks("M01", "an artifact declared at a path with ../", PathEscapes, |b| declare(b, "release/../notes.md")),
        blocks("M02", "an artifact declared at an absolute path", PathEscapes, |b| declare(b, "/etc/hostname")),
        blocks("M03", "an artifact declared as release/a/../notes.md", PathEscapes, |b| declare(b, "release/a/../notes.md")),
        blocks("M03", "an artifact declared as ./release/notes.md", PathEscapes, |b| declare(b, "./release/notes.md")),
        blocks("M03", "an artifact declared as release//notes.md", PathEscapes, |b| declare(b, "release//notes.md")),
        blocks("M03", "an alias of a path that is declared already", SpecInvalid, |b| declare(b, "release//board.csv")),
        blocks("M04", "a link out of the tree in the place of an artifact", PathEscapes, |b| link(b, OUTSIDE, NOTES)),
        blocks("M05", "a link in the place of a folder, to the same files", PathEscapes, link_folder),
        blocks("M06", "a link to another file of the release", PathEscapes, |b| link(b, "board.csv", "release/games.csv")),
        blocks("M06", "a second name, as a link, for a file of the release", PathEscapes, |b| symlink("board.csv", b.at("release/again.csv")).unwrap()),
        blocks("M07", "a hard link of an artifact outside the release", ArtifactShared, |b| fs::hard_link(b.at(NOTES), b.at("notes.md")).unwrap()),
        blocks("M07", "a hard link of an artifact under a second name", ArtifactShared, |b| fs::hard_link(b.at(BOARD), b.at("release/again.csv")).unwrap()),
        blocks("M08", "a folder _logs in the release", PathPrivate, |b| add(b, &["_logs/x"])),
        blocks("M08", "a folder _LOGS in the release", PathPrivate, |b| add(b, &["_LOGS/x"])),
        blocks("M08", "a folder _logs below another one", PathPrivate, |b| add(b, &["data/_logs/x"])),
        blocks("M08", "a link with the name _logs", PathEscapes, |b| symlink("/proc", b.at("release/_logs")).unwrap()),
        blocks("M08", "an artifact declared below _logs", PathPrivate, |b| {
            fs::create_dir(b.at("release/_logs")).unwrap();
            fs::rename(b.at(NOTES), b.at("release/_logs/notes.md")).unwrap();
            declare(b, "release/_logs/notes.md");
        }),
        blocks("M09", "a file .env", PathPrivate, |b| add(b, &[".env"])),
        blocks("M09", "a file .env.production", PathPrivate, |b| add(b, &[".env.production"])),
        blocks("M09", "a file id_rsa", PathPrivate, |b| add(b, &["keys/id_rsa"])),
        blocks("M09", "a file .netrc", PathPrivate, |b| add(b, &[".netrc"])),
        blocks("M09", "a file .aws/credentials", PathPrivate, |b| add(b, &[".aws/credentials"])),
        blocks("M09", "a file .npmrc", PathPrivate, |b| add(b, &[".npmrc"])),
        blocks("M09", "a file .git/config", PathPrivate, |b| add(b, &[".git/config"])),
        blocks("M09", "a file .pypirc", PathPrivate, |b| add(b, &[".pypirc"])),
        blocks("M09", "a file of a password store", PathPrivate, |b| add(b, &["mine.kdbx"])),
        blocks("M09", "a file service-account-1.json", PathPrivate, |b| add(b, &["service-account-1.json"])),
        blocks("M10", "names that differ in case only", PathTwin, |b| add(b, &["Board.csv"])),
        blocks("M10", "declared paths that differ in case only", SpecInvalid, |b| declare(b, "release/BOARD.csv")),
        blocks("M11", "a name in both normal forms of Unicode", PathEscapes, |b| add(b, &["\u{e9}", "e\u{301}"])),
        blocks("M12", "a name with a Cyrillic letter that looks Latin", PathEscapes, |b| add(b, &["bo\u{430}rd.csv"])),
        blocks("M12", "a declared path with such a letter", PathEscapes, |b| declare(b, "release/bo\u{430}rd.csv")),
        blocks("M13", "a name with a mark for writing from right to left", PathEscapes, |b| add(b, &["a\u{202e}vsc.b"])),
        blocks("M13", "a name with a space of no width", PathEscapes, |b| add(b, &["board\u{200b}.csv"])),
        blocks("M14", "a name with a newline", PathEscapes, |b| add(b, &["a\nb"])),
        blocks("M14", "a name with a carriage return", PathEscapes, |b| add(b, &["a\rb"])),
        blocks("M14", "a name with a tabulator", PathEscapes, |b| add(b, &["a\tb"])),
        blocks("M14", "a name that speaks to the terminal", PathEscapes, |b| add(b, &["a\u{1b}[2Jb"])),
        blocks("M15", "a name that ends in a dot", PathEscapes, |b| add(b, &["notes."])),
        blocks("M15", "a name that ends in a space", PathEscapes, |b| add(b, &["notes "])),
        blocks("M15", "a name of a device on Windows", PathEscapes, |b| add(b, &["con.md"])),
        blocks("M15", "a name with a backslash", PathEscapes, |b| add(b, &["a\\b"])),
        blocks("M16", "a name that is not UTF-8", PathEscapes, |b| {
            File::create(b.at("release").join(OsStr::from_bytes(b"a\xff"))).unwrap();
        }),
        blocks("M17", "a pipe in the place of an artifact", ArtifactMissing, |b| {
            replace(b, |path| mkfifoat(CWD, path, rustix::fs::Mode::RWXU).unwrap());
        }),
        blocks("M17", "a socket in the place of an artifact", ArtifactMissing, |b| {
            replace(b, |path| drop(UnixListener::bind(path).unwrap()));
        }),
        blocks("M17", "a folder in the place of an artifact", ArtifactMissing, |b| {
            replace(b, |path| fs::create_dir(path).unwrap());
        }),
        blocks("M17", "a link to a device in the place of an artifact", PathEscapes, |b| link(b, "/dev/zero", BOARD)),
        blocks("M18", "a path declared twice, for something else", SpecInvalid, declare_twice),
        blocks("M18", "a path declared twice, in another state", SpecInvalid, |b| declare(b, BOARD)),
        blocks("M19", "a declared path of more bytes than systems take", PathEscapes, |b| declare(b, &format!("release/{}x", "a/".repeat(2_048)))),
        blocks("M19", "a declared name of more bytes than systems take", PathEscapes, |b| declare(b, &format!("release/{}", "a".repeat(256)))),
        not_applicable("M19", "more files than are looked at", "the case of folder-too-large makes so many, and twice would be slow"),
        blocks("M20", "a pattern in the place of a path", PathEscapes, |b| declare(b, "release/*.md")),
        not_applicable("M20", "a pattern that matches nothing, or more than was meant", "the specification knows no patterns, only paths"),
        not_applicable("M21", "a mount point below the root", "no copy can be given one without rights; mounts::* makes one where the machine allows it"),
        blocks("M22", "a file that is one hole", ArtifactChanged, |b| {
            File::create(b.at(NOTES)).unwrap().set_len(7).unwrap();
        }),
        not_applicable("M22", "a file of no bytes that yields some", "only the system has such files; a test of the tree reads one and finds file-unsteady"),
    ]
}
