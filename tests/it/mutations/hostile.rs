//! Files that were made to be read in two ways, or never to the end.

use scoresheet::finding::Code;

use crate::bundle::Bundle;
use crate::mutations::completeness::pin;
use crate::mutations::{Mutation, blocks};
use crate::secret_containers::{gzip, tar, zip};

const EVENTS: &str = "ledger/events/000000.jsonl";
const SPECIFICATION: &str = "release/publication.json";

/// Puts these bytes in the place of the notes.
fn hide(bundle: &Bundle, bytes: &[u8]) {
    pin(bundle, "release/notes.txt", "notes", bytes);
}

/// Changes bytes of a zip file of one member, from its central directory on.
fn damage(bundle: &Bundle, at: usize, with: &[u8]) {
    let mut file = zip(&[("a", b"some text, some text")]);
    let central = file.windows(4).position(|it| it == b"PK\x01\x02").unwrap();
    file[central + at..central + at + with.len()].copy_from_slice(with);
    hide(bundle, &file);
}

/// Changes the text of the specification.
fn respell(bundle: &Bundle, from: &str, to: &str) {
    bundle.edit(SPECIFICATION, |text| text.replacen(from, to, 1));
}

/// Changes the text of the first event.
fn relate(bundle: &Bundle, from: &str, to: &str) {
    bundle.edit(EVENTS, |text| text.replacen(from, to, 1));
}

fn cut(mut bytes: Vec<u8>, n: usize) -> Vec<u8> {
    bytes.truncate(bytes.len() - n);
    bytes
}

#[rustfmt::skip]
pub(crate) fn mutations() -> Vec<Mutation> {
    use Code::{ArtifactEdited, LineFault, ReleaseAltered, SegmentLength, SpecInvalid, Unscannable};
    vec![
        blocks("M73", "an archive that grows beyond all measure", Unscannable, |b| hide(b, &gzip(&vec![0; 4 << 20]))),
        blocks("M73", "archives in archives", Unscannable, |b| hide(b, &(0..12).fold(b"x".to_vec(), |it, _| gzip(&it)))),
        blocks("M73", "members that lie over one another", Unscannable, |b| damage(b, 42, &[1])),
        blocks("M74", "a zip file without its directory", Unscannable, |b| hide(b, &cut(zip(&[("a", b"some text")]), 1))),
        blocks("M74", "a zip file with bytes behind it", Unscannable, |b| hide(b, &[zip(&[("a", b"some text")]), b"behind".to_vec()].concat())),
        blocks("M74", "a member that is encrypted", Unscannable, |b| damage(b, 8, &[1])),
        blocks("M74", "a member with other check digits", Unscannable, |b| damage(b, 16, &[9])),
        blocks("M74", "a member of another name than the directory says", Unscannable, |b| damage(b, 46, b"b")),
        blocks("M74", "a member that leads out of the archive", Unscannable, |b| hide(b, &zip(&[("../x", b"some text")]))),
        blocks("M74", "two members of one name", Unscannable, |b| hide(b, &zip(&[("a", b"some text"), ("a", b"other text")]))),
        blocks("M74", "a tar file that is cut off", Unscannable, |b| hide(b, &cut(tar(&[("a", b"some text")]), 1536))),
        blocks("M74", "a gzip file that is cut off", Unscannable, |b| hide(b, &cut(gzip(b"some text"), 9))),
        blocks("M74", "a gzip file with bytes behind it", Unscannable, |b| hide(b, &[gzip(b"some text"), b"behind".to_vec()].concat())),
        blocks("M75", "a line of a megabyte, which holds nothing else", ReleaseAltered, |b| hide(b, &b"Notes, ".repeat(1 << 17))),
        blocks("M75", "lines of 800 spaces, which hold nothing else", ReleaseAltered, |b| hide(b, format!("{}.\n", " ".repeat(800)).repeat(100).as_bytes())),
        blocks("M75", "text that is made to be looked at for long", ReleaseAltered, |b| hide(b, "curl key=\" ://a: ".repeat(3000).as_bytes())),
        blocks("M76", "a key twice", SpecInvalid, |b| respell(b, "{", "{\"v\": 2,")),
        blocks("M76", "a number that is none", SpecInvalid, |b| respell(b, "\"v\": 2", "\"v\": NaN")),
        blocks("M76", "a number without end", SpecInvalid, |b| respell(b, "\"v\": 2", "\"v\": 1e400")),
        blocks("M76", "a number that not every reader can hold", SpecInvalid, |b| respell(b, "\"v\": 2", "\"v\": 9007199254740993")),
        blocks("M76", "nesting without end", SpecInvalid, |b| respell(b, "\"v\": 2", &format!("\"v\": {}", "[".repeat(1 << 16)))),
        blocks("M76", "half a character", SpecInvalid, |b| respell(b, "\"release\": \"r\"", "\"release\": \"\\ud800\"")),
        blocks("M76", "a byte-order mark", SpecInvalid, |b| respell(b, "{", "\u{feff}{")),
        blocks("M76", "data behind the data", SpecInvalid, |b| b.edit(SPECIFICATION, |text| text.to_owned() + "{}")),
        blocks("M76", "a comment", SpecInvalid, |b| respell(b, "{", "{ // the release\n")),
        blocks("M76", "a key twice in an event", LineFault, |b| relate(b, "\"v\":1", "\"v\":1,\"v\":1")),
        blocks("M76", "a space in an event", LineFault, |b| relate(b, "\"v\":1", "\"v\": 1")),
        blocks("M77", "single quotes", SpecInvalid, |b| respell(b, "\"release\": \"r\"", "\"release\": 'r'")),
        blocks("M77", "a comma behind the last field", SpecInvalid, |b| b.edit(SPECIFICATION, |text| text.trim_end().trim_end_matches('}').trim_end().to_owned() + ",\n}\n")),
        blocks("M77", "a key without quotes", SpecInvalid, |b| respell(b, "\"v\": 2", "v: 2")),
        blocks("M78", "a NUL in a table", ArtifactEdited, |b| b.edit("release/board.csv", |text| text.replacen(',', "\0,", 1))),
        blocks("M78", "a table with CR alone", ArtifactEdited, |b| b.edit("release/board.csv", |text| text.replace('\n', "\r"))),
        blocks("M78", "a NUL in a pinned file", Unscannable, |b| hide(b, b"a,b\n1\0,2\n")),
        blocks("M78", "a last event without its end", SegmentLength, |b| b.edit(EVENTS, |text| text.trim_end().to_owned())),
    ]
}
