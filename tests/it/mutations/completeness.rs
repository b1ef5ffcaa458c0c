//! What is not there, is there without saying anything, or should not be there.

use scoresheet::digest::Digest;
use scoresheet::finding::Code;
use serde_json::json;

use crate::bundle::Bundle;
use crate::mutations::{Mutation, blocks, not_applicable, stops};

const BOARD: &str = "release/board.csv";
const NOTES: &str = "release/notes.md";

/// Pins other bytes in the place of the notes, at this path and for this role.
pub(crate) fn pin(bundle: &Bundle, path: &str, role: &str, bytes: &[u8]) {
    bundle.remove(NOTES);
    bundle.write(path, bytes);
    bundle.specify(|spec| {
        let notes = &mut spec["artifacts"][2];
        notes["path"] = json!(path);
        notes["role"] = json!(role);
        notes["sha256"] = json!(Digest::of(bytes));
    });
}

/// Makes a work tree of git of the project, in which everything is tracked.
fn track(bundle: &Bundle) {
    bundle.git(&["init", "--quiet"]);
    bundle.git(&["add", "--all"]);
}

/// Tells git not to look at the notes, which then change and are pinned anew.
fn hide(bundle: &Bundle, how: &str) {
    track(bundle);
    bundle.git(&["update-index", how, NOTES]);
    pin(bundle, NOTES, "notes", b"Other notes.\n");
}

/// Removes an artifact, its statement and its line in the specification.
fn shorten(bundle: &Bundle) {
    bundle.remove("release/games.csv");
    bundle.remove("release/provenance/games.csv.json");
    bundle.specify(|spec| {
        spec["artifacts"].as_array_mut().unwrap().remove(1);
    });
}

#[rustfmt::skip]
pub(crate) fn mutations() -> Vec<Mutation> {
    use Code::{
        ArtifactEdited, ArtifactEmpty, ArtifactMissing, ArtifactUndeclared, CohortUnfrozen, FilePointer,
        FileUnnoticed, FileUntracked, ProvenanceMissing, ReleaseAltered, ReleaseEmpty, SpecInvalid,
    };
    vec![
        blocks("M23", "a generated artifact removed", ArtifactMissing, |b| b.remove(BOARD)),
        blocks("M23", "a pinned artifact removed", ArtifactMissing, |b| b.remove(NOTES)),
        blocks("M23", "the statement of an artifact removed", ProvenanceMissing, |b| b.remove("release/provenance/board.csv.json")),
        blocks("M24", "an artifact of no bytes", ArtifactEmpty, |b| pin(b, NOTES, "notes", b"")),
        blocks("M24", "an artifact of white space", ArtifactEmpty, |b| pin(b, NOTES, "notes", b" \r\n\t\n")),
        blocks("M24", "an artifact of letters that nobody sees", ArtifactEmpty, |b| pin(b, NOTES, "notes", "\u{feff}\u{200b}\u{a0}\n".as_bytes())),
        blocks("M24", "an artifact {}", ArtifactEmpty, |b| pin(b, "release/data.json", "data", b"{}\n")),
        blocks("M24", "an artifact of empty lists", ArtifactEmpty, |b| pin(b, "release/data.json", "data", b"{\"rows\": [], \"v\": 1}\n")),
        blocks("M24", "lines of JSON that say nothing", ArtifactEmpty, |b| pin(b, "release/data.jsonl", "data", b"{}\n{}\n")),
        blocks("M24", "a table that is only its header", ArtifactEmpty, |b| pin(b, "release/data.csv", "data", b"system,score\n")),
        blocks("M24", "a table whose rows are commas", ArtifactEmpty, |b| pin(b, "release/data.csv", "table", b"system,score\n,\n,\n")),
        blocks("M24", "a generated table cut to its header", ArtifactEdited, |b| {
            b.edit(BOARD, |text| text.split_inclusive('\n').take(1).collect());
        }),
        blocks("M25", "a file in the release that nobody declared", ArtifactUndeclared, |b| b.write("release/extra.csv", b"a,b\n1,2\n")),
        blocks("M25", "a manifest of a cohort that the ledger does not know", ArtifactUndeclared, |b| b.write("manifests/extra.json", b"{}\n")),
        blocks("M25", "a statement about no artifact", ArtifactUndeclared, |b| b.write("release/provenance/extra.csv.json", b"{}\n")),
        blocks("M25", "an audit that was never published", ArtifactUndeclared, |b| b.write("release/audits/extra.json", b"{}\n")),
        blocks("M26", "an extra file that .gitignore hides", ArtifactUndeclared, |b| {
            b.write(".gitignore", b"release/extra.csv\n");
            track(b);
            b.write("release/extra.csv", b"a,b\n1,2\n");
        }),
        blocks("M26", "an extra file that .git/info/exclude hides", ArtifactUndeclared, |b| {
            track(b);
            b.write(".git/info/exclude", b"release/extra.csv\n");
            b.write("release/extra.csv", b"a,b\n1,2\n");
        }),
        blocks("M26", "an extra file with a leading dot", ArtifactUndeclared, |b| b.write("release/.extra.csv", b"a,b\n1,2\n")),
        blocks("M26", "a .gitignore in the release", ArtifactUndeclared, |b| b.write("release/.gitignore", b"*\n")),
        blocks("M27", "a specification without artifacts", ReleaseEmpty, |b| b.specify(|spec| spec["artifacts"] = json!([]))),
        blocks("M27", "a specification without cohorts", ReleaseEmpty, |b| b.specify(|spec| spec["cohorts"] = json!([]))),
        blocks("M27", "a specification that is {}", SpecInvalid, |b| b.write("release/publication.json", b"{}\n")),
        blocks("M27", "a specification of a cohort that does not exist", CohortUnfrozen, |b| b.specify(|spec| spec["cohorts"] = json!(["u"]))),
        blocks("M27", "a release folder without a file", SpecInvalid, |b| std::fs::remove_dir_all(b.at("release")).unwrap()),
        stops("M27", "a project without a ledger", |b| std::fs::remove_dir_all(b.at("ledger")).unwrap()),
        blocks("M28", "an artifact and its line in the specification removed", ReleaseAltered, shorten),
        blocks("M28", "an artifact that a draft may lack from now on", ReleaseAltered, |b| b.specify(|spec| {
            spec["artifacts"][0]["required_in"] = json!("publication");
        })),
        blocks("M29", "a tracked file changed that git assumes unchanged", FileUnnoticed, |b| hide(b, "--assume-unchanged")),
        blocks("M29", "a tracked file changed that git skips", FileUnnoticed, |b| hide(b, "--skip-worktree")),
        blocks("M29", "a pointer to a large file in its place", FilePointer, |b| {
            let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 7\n";
            pin(b, NOTES, "notes", pointer.as_bytes());
        }),
        blocks("M29", "a pointer of git-annex in the place of a file", FilePointer, |b| pin(b, NOTES, "notes", b"/annex/objects/SHA256E-s7--0\n")),
        blocks("M30", "an artifact that git does not track", FileUntracked, |b| {
            track(b);
            b.git(&["rm", "--quiet", "--cached", NOTES]);
        }),
        not_applicable("M30", "a changed work tree with the digest of a clean one", "nothing here states a digest of a work tree; each file has its own"),
    ]
}
