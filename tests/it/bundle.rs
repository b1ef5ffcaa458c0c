//! The smallest published project there can be, and copies of it to be damaged.
//!
//! Nothing in it is random: ids, times and digests are the same in every run,
//! so the files of [`published`] are made once and copied.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::Duration;

use scoresheet::canonical::Time;
use scoresheet::digest::Digest;
use scoresheet::event::{Event, Origin, Verified};
use scoresheet::ledger::{Disk, LedgerError, Prefix, Waivers, Writer, create, put_blob};
use scoresheet::release::{SPECIFICATION, Specification};
use serde_json::json;

use crate::story::{RUN_FILE, TIME, by, story};

const NOTES: &[u8] = b"Notes.\n";

/// The relative path of a file, and its bytes.
pub(crate) type File = (String, Vec<u8>);

/// A project in a folder of its own.
pub(crate) struct Bundle {
    folder: tempfile::TempDir,
}

/// What a command said on standard output, and how it ended.
pub(crate) struct Outcome {
    pub(crate) out: String,
    pub(crate) code: u8,
}

/// The files of the smallest published project.
pub(crate) fn published() -> &'static [File] {
    static FILES: LazyLock<Vec<File>> = LazyLock::new(|| Bundle::publish().files());
    &FILES
}

impl Bundle {
    /// An empty folder.
    pub(crate) fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
    }

    /// A copy of these files.
    pub(crate) fn of(files: &[File]) -> Self {
        let bundle = Self::empty();
        for (path, bytes) in files {
            bundle.write(path, bytes);
        }
        bundle
    }

    /// A copy of the smallest published project.
    pub(crate) fn new() -> Self {
        Self::of(published())
    }

    /// A ledger with both games, and nothing beside it.
    pub(crate) fn played() -> Self {
        let bundle = Self::empty();
        let origin: Origin = "t".parse().unwrap();
        create(&bundle.disk(), origin, TIME.parse().unwrap(), by()).unwrap();
        put_blob(&bundle.disk(), RUN_FILE, &Waivers::default()).unwrap();
        bundle.append(&story().events);
        bundle
    }

    /// The smallest published project, made step by step.
    pub(crate) fn publish() -> Self {
        let bundle = Self::publish_all_but();
        bundle.publish_release();
        bundle
    }

    /// The same, short of its last step.
    pub(crate) fn publish_all_but() -> Self {
        let bundle = Self::played();
        bundle.release();
        bundle
    }

    /// Freezes the cohort, and builds the release of it.
    pub(crate) fn release(&self) {
        self.freeze("t");
        self.must(&["release", "new", "r", "--cohort", "t"]);
        self.specify(|specification| {
            specification["artifacts"] = json!([
                generated("board-placement", "release/board.csv"),
                generated("games-csv", "release/games.csv"),
                {
                    "path": "release/notes.md", "required_in": "draft", "role": "notes",
                    "state": "pinned", "sha256": Digest::of(NOTES),
                },
            ]);
        });
        self.write("release/notes.md", NOTES);
        self.must(&["release", "build"]);
    }

    pub(crate) fn publish_release(&self) {
        self.must(&["release", "publish", "--time", TIME, "--by", "t"]);
    }

    pub(crate) fn freeze(&self, cohort: &str) {
        self.must(&["freeze", cohort, "--time", TIME, "--by", "t"]);
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.folder().join(path)
    }

    pub(crate) fn disk(&self) -> Disk {
        Disk::new(self.at("ledger"))
    }

    pub(crate) fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.at(path)).unwrap()
    }

    pub(crate) fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.at(path);
        let is_as_long = fs::symlink_metadata(&path)
            .is_ok_and(|there| there.is_file() && usize::try_from(there.len()) == Ok(bytes.len()));
        if is_as_long {
            // Much faster than cutting the file and filling it again.
            let mut file = OpenOptions::new().write(true).open(path).unwrap();
            file.write_all(bytes).unwrap();
            return;
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.at(path)).unwrap();
    }

    /// Changes the text of a file.
    pub(crate) fn edit(&self, path: &str, edit: impl FnOnce(&str) -> String) {
        let text = String::from_utf8(self.read(path)).unwrap();
        let edited = edit(&text);
        assert_ne!(edited, text, "{path}");
        self.write(path, edited.as_bytes());
    }

    /// Changes the publication specification, which stays what people write.
    pub(crate) fn specify(&self, edit: impl FnOnce(&mut serde_json::Value)) {
        let mut json = serde_json::from_slice(&self.read(SPECIFICATION)).unwrap();
        edit(&mut json);
        let text = match serde_json::from_value::<Specification>(json.clone()) {
            Ok(specification) => specification.file().unwrap(),
            Err(_) => serde_json::to_vec_pretty(&json).unwrap(),
        };
        self.write(SPECIFICATION, &text);
    }

    /// Binds the release to the ledger as it stands now.
    pub(crate) fn bind(&self) {
        let disk = self.disk();
        let prefix = Prefix::open(&disk).unwrap();
        let checkpoint = json!({"root": prefix.root(), "size": prefix.size()});
        self.specify(|specification| specification["checkpoint"] = checkpoint);
    }

    /// Runs git in the folder.
    pub(crate) fn git(&self, args: &[&str]) {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
        let done = Command::new("git")
            .args(identity)
            .args(args)
            .current_dir(self.folder())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "git {args:?}: {said}");
    }

    /// The audit of the newest release, as it is kept.
    pub(crate) fn kept_audit(&self) -> String {
        let audit = Digest::of(&self.read("release/audits/publication.json"));
        format!("release/audits/{audit}.json")
    }

    /// The path of the one file in this folder.
    pub(crate) fn only(&self, folder: &str) -> String {
        let files = self.files().into_iter().map(|(path, _)| path);
        let mut inside = files.filter(|path| path.starts_with(folder));
        let path = inside.next().unwrap();
        assert_eq!(inside.next(), None);
        path
    }

    /// Appends events as a runner does, who does not ask whether they fit.
    pub(crate) fn append(&self, events: &[Verified<Event>]) {
        let disk = self.disk();
        let time: Time = TIME.parse().unwrap();
        // A program that another test is starting holds a copy of every lock of
        // this process until it runs.
        let opened = (0..500).find_map(|_| match Writer::open(&disk, time, &by()) {
            Err(LedgerError::Busy { .. }) => {
                std::thread::sleep(Duration::from_millis(10));
                None
            }
            opened => Some(opened.unwrap().0),
        });
        opened.unwrap().append(events).unwrap();
    }

    /// Runs a command in this process.
    pub(crate) fn run(&self, args: &[&str]) -> Outcome {
        let folder = self.folder().to_str().unwrap();
        let mut out = Vec::new();
        let before = ["scoresheet", "--project", folder];
        let all = before.iter().chain(args);
        let code = scoresheet::cli::run_into(all, &mut out);
        let out = String::from_utf8(out).unwrap();
        Outcome { out, code }
    }

    /// Runs a command as a person does; returns standard output and error.
    pub(crate) fn program(&self, args: &[&str]) -> (String, String) {
        let done = Command::new(env!("CARGO_BIN_EXE_scoresheet"))
            .args(args)
            .current_dir(self.folder())
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(done.stdout), text(done.stderr))
    }

    /// Runs a command that must succeed.
    pub(crate) fn must(&self, args: &[&str]) -> String {
        let outcome = self.run(args);
        assert_eq!(outcome.code, 0, "{args:?}: {}", outcome.out);
        outcome.out
    }

    /// Every file, in the order of paths.
    pub(crate) fn files(&self) -> Vec<File> {
        let entries = walkdir::WalkDir::new(self.folder()).sort_by_file_name();
        let files = entries.into_iter().map(Result::unwrap);
        let files = files.filter(|entry| entry.file_type().is_file());
        let mut files: Vec<File> = files
            .map(|entry| {
                let path = entry.path().strip_prefix(self.folder()).unwrap();
                let path = path.to_str().unwrap().to_owned();
                let bytes = fs::read(entry.path()).unwrap();
                (path, bytes)
            })
            .collect();
        files.sort();
        files
    }
}

/// A declared artifact of the cohort, as CSV.
pub(crate) fn generated(generator: &str, path: &str) -> serde_json::Value {
    let known = scoresheet::release::GENERATORS.iter();
    let mut role = known
        .filter(|known| known.name == generator)
        .map(|known| known.role);
    let role = role.next().unwrap();
    json!({
        "generator": {
            "arguments": [
                {"name": "cohort", "value": "t"},
                {"name": "format", "value": "csv"},
            ],
            "name": generator,
            "version": 1,
        },
        "path": path, "required_in": "draft", "role": role, "state": "frozen",
    })
}

#[test]
fn the_smallest_project_is_small_and_the_same_in_every_run() {
    let files = published();
    let bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    let paths: Vec<_> = files.iter().map(|(path, _)| path.as_str()).collect();
    assert!(bytes < 40_000, "{bytes} bytes");
    assert_eq!(paths.len(), 17, "{paths:#?}");
    assert!(Bundle::publish().files() == files);
    assert_eq!(Bundle::new().run(&["reproduce"]).code, 0);
}
