//! What is frozen or pinned, and the digests that say so.

use scoresheet::digest::Digest;
use scoresheet::finding::Code;
use serde_json::{Value, json};

use crate::bundle::Bundle;
use crate::mutations::completeness::pin;
use crate::mutations::{Mutation, blocks, not_applicable};

const BOARD: &str = "release/board.csv";
const NOTES: &str = "release/notes.md";
const EVENTS: &str = "ledger/events/000000.jsonl";

/// Declares a digest of the notes in these letters.
fn declare(bundle: &Bundle, spell: impl FnOnce(&str) -> String) {
    bundle.specify(|spec| {
        let digest = spec["artifacts"][2]["sha256"].as_str().unwrap().to_owned();
        spec["artifacts"][2]["sha256"] = json!(spell(&digest));
    });
}

/// Sets a field of an artifact in the specification.
fn set(bundle: &Bundle, artifact: usize, field: &str, value: Value) {
    bundle.specify(|spec| spec["artifacts"][artifact][field] = value);
}

/// Declares one more pinned artifact, the methods, made from these files.
fn add_methods(bundle: &Bundle, inputs: &Value) {
    let bytes = b"Methods.\n";
    bundle.write("release/methods.md", bytes);
    bundle.specify(|spec| {
        let methods = json!({
            "inputs": inputs, "path": "release/methods.md", "required_in": "draft",
            "role": "methods", "sha256": Digest::of(bytes), "state": "pinned",
        });
        spec["artifacts"].as_array_mut().unwrap().push(methods);
    });
}

/// Declares the digests of two pinned artifacts the wrong way round.
fn swap(bundle: &Bundle) {
    add_methods(bundle, &json!([]));
    bundle.specify(|spec| {
        let [one, other] = [2, 3].map(|at| spec["artifacts"][at]["sha256"].clone());
        spec["artifacts"][2]["sha256"] = other;
        spec["artifacts"][3]["sha256"] = one;
    });
}

/// The digests of two artifacts, each in the statement about the other.
fn swap_in_statements(bundle: &Bundle) {
    let [board, games] =
        [BOARD, "release/games.csv"].map(|path| Digest::of(&bundle.read(path)).to_string());
    for name in ["board", "games"] {
        let path = format!("release/provenance/{name}.csv.json");
        bundle.edit(&path, |text| {
            let (from, to) = if name == "board" {
                (&board, &games)
            } else {
                (&games, &board)
            };
            text.replace(from, to)
        });
    }
}

/// Changes the length of an artifact in the audit that was published.
fn resize(bundle: &Bundle) {
    let length = bundle.read(NOTES).len();
    bundle.edit(&bundle.kept_audit(), |text| {
        text.replace(
            &format!("\"bytes\":{length},"),
            &format!("\"bytes\":{},", length + 1),
        )
    });
}

/// Lets the notes rest on the methods, and those on a live table.
fn rest_on_what_lives(bundle: &Bundle) {
    let games = json!({
        "kind": "file", "path": "release/games.csv", "sha256": Digest::of(&bundle.read("release/games.csv")),
    });
    add_methods(bundle, &json!([games]));
    let methods = json!({
        "kind": "file", "path": "release/methods.md", "sha256": Digest::of(b"Methods.\n"),
    });
    set(bundle, 2, "inputs", json!([methods]));
    set(bundle, 1, "state", json!("live"));
    bundle.must(&["release", "build"]);
}

#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table")]
pub(crate) fn mutations() -> Vec<Mutation> {
    use Code::{
        ArtifactChanged, ArtifactEdited, ArtifactEmpty, ArtifactLive, AuditGone, CohortUnfrozen,
        LineFault, ManifestChanged, ProvenanceDiffers, ReleaseAltered, SpecInvalid,
    };
    vec![
        blocks("M31", "one byte of a pinned file changed", ArtifactChanged, |b| b.edit(NOTES, |text| text.replacen('N', "M", 1))),
        blocks("M31", "one byte of a frozen file changed", ArtifactEdited, |b| b.edit(BOARD, |text| text.replacen('1', "2", 1))),
        blocks("M31", "one byte of the manifest of a cohort changed", ManifestChanged, |b| {
            b.edit(&b.only("manifests/"), |text| text.replacen("\"v\":1", "\"v\":2", 1));
        }),
        blocks("M32", "line ends of another system", ArtifactEdited, |b| b.edit(BOARD, |text| text.replace('\n', "\r\n"))),
        blocks("M32", "a byte-order mark before a pinned file", ArtifactChanged, |b| b.edit(NOTES, |text| format!("\u{feff}{text}"))),
        blocks("M32", "the last newline of a file removed", ArtifactEdited, |b| b.edit(BOARD, |text| text.trim_end().to_owned())),
        blocks("M32", "a second last newline", ArtifactChanged, |b| b.edit(NOTES, |text| format!("{text}\n"))),
        blocks("M32", "line ends of another system in the ledger", LineFault, |b| b.edit(EVENTS, |text| text.replace('\n', "\r\n"))),
        blocks("M33", "a pinned file and its digest changed, under the name of the release", ReleaseAltered, |b| pin(b, NOTES, "notes", b"Other notes.\n")),
        blocks("M33", "a pinned file that is static from now on, and changed", ReleaseAltered, |b| {
            b.write(NOTES, b"Other notes.\n");
            b.specify(|spec| {
                let notes = spec["artifacts"][2].as_object_mut().unwrap();
                notes.remove("sha256");
                notes.insert("state".to_owned(), json!("static"));
            });
        }),
        blocks("M33", "a frozen file made anew with other arguments, under the name of the release", ReleaseAltered, |b| {
            set(b, 0, "generator", json!({
                "arguments": [{"name": "cohort", "value": "t"}, {"name": "format", "value": "json"}],
                "name": "board-placement", "version": 1,
            }));
            b.must(&["release", "build"]);
        }),
        blocks("M33", "the release bound to later events, under its name", ReleaseAltered, |b| {
            b.bind();
            b.must(&["release", "build"]);
        }),
        blocks("M34", "the digests of two pinned files swapped", ArtifactChanged, swap),
        blocks("M34", "the digests of two generated files swapped in their statements", ProvenanceDiffers, swap_in_statements),
        blocks("M35", "a digest in capital letters", SpecInvalid, |b| declare(b, str::to_uppercase)),
        blocks("M35", "a digest cut to 16 digits", SpecInvalid, |b| declare(b, |digest| digest[..16].to_owned())),
        blocks("M35", "a digest with the name of its algorithm before it", SpecInvalid, |b| declare(b, |digest| format!("sha256:{digest}"))),
        blocks("M35", "a digest with a space behind it", SpecInvalid, |b| declare(b, |digest| format!("{digest} "))),
        blocks("M35", "a digest with zeros before it", SpecInvalid, |b| declare(b, |digest| format!("00{digest}"))),
        blocks("M35", "a digest of BLAKE3", ArtifactChanged, |b| {
            let other = blake3::hash(&b.read(NOTES)).to_hex().to_string();
            declare(b, |_| other);
        }),
        blocks("M36", "as many digits as MD5 has", SpecInvalid, |b| declare(b, |digest| digest[..32].to_owned())),
        blocks("M36", "as many digits as SHA-1 has", SpecInvalid, |b| declare(b, |digest| digest[..40].to_owned())),
        blocks("M37", "the digest of no bytes for a file that has some", ArtifactChanged, |b| declare(b, |_| Digest::of(b"").to_string())),
        blocks("M37", "the digest of no bytes for a file that has none", ArtifactEmpty, |b| pin(b, NOTES, "notes", b"")),
        blocks("M38", "another length beside the right digest in the published audit", AuditGone, resize),
        not_applicable("M39", "a file rewritten between hashing and scanning", "each file is read once, and hashed and scanned as it was read; one that changes meanwhile is file-unsteady, as the case of that code shows"),
        blocks("M40", "a frozen table of events that are still appended to", ArtifactLive, |b| {
            set(b, 0, "generator", json!({
                "arguments": [{"name": "format", "value": "csv"}], "name": "board-costs", "version": 1,
            }));
            set(b, 0, "role", json!("cost table"));
            b.must(&["release", "build"]);
        }),
        blocks("M41", "a live artifact in a publication", ArtifactLive, |b| {
            set(b, 0, "state", json!("live"));
            b.must(&["release", "build"]);
        }),
        blocks("M41", "an artifact without a state", SpecInvalid, |b| b.specify(|spec| {
            spec["artifacts"][0].as_object_mut().unwrap().remove("state");
        })),
        blocks("M41", "an artifact in a state that nobody knows", SpecInvalid, |b| set(b, 0, "state", json!("final"))),
        blocks("M41", "a frozen artifact of a cohort that was never frozen", CohortUnfrozen, |b| b.specify(|spec| {
            spec["cohorts"] = json!(["t", "u"]);
            spec["artifacts"][0]["generator"]["arguments"][0]["value"] = json!("u");
        })),
        blocks("M41", "a frozen artifact without the manifest of its cohort", ManifestChanged, |b| b.remove(&b.only("manifests/"))),
        blocks("M42", "a pinned artifact that rests on a live one, two steps below", ArtifactLive, rest_on_what_lives),
    ]
}
