//! A witness signs what grew out of what he signed before, and nothing else;
//! whatever happens to him in between.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use scoresheet::digest::{Frontier, LeafHash, Root};
use scoresheet::ledger::{Begin, Disk, LedgerError, Memory, Policy, SigningKey, Status, Witness};

use crate::keys;
use crate::mortal::{Mortal, Part};

const LOG: &str = "example.org/log";
const NOW: u64 = 1_700_000_000;

/// The root over the first events of a log; `fork` tells two histories apart
/// from event 3 on.
fn root(size: u64, fork: u64) -> Root {
    let mut tree = Frontier::default();
    for index in 0..size {
        let branch = if index < 3 { 0 } else { fork };
        tree.push(&LeafHash::of(format!("{index} {branch}").as_bytes()));
    }
    tree.root()
}

fn text(origin: &str, size: u64, root: &Root) -> String {
    format!("{origin}\n{size}\n{}\n", keys::base64(root.as_bytes()))
}

/// The hashes between two sizes of a history, from its definition.
fn hashes(old: u64, new: u64, fork: u64) -> String {
    let leaf = |index: u64| {
        let branch = if index < 3 { 0 } else { fork };
        *LeafHash::of(format!("{index} {branch}").as_bytes()).digest()
    };
    let perfect = |level: u32, index: u64| -> Result<Root, std::convert::Infallible> {
        let mut tree = Frontier::default();
        for index in index << level..(index + 1) << level {
            tree.push(&LeafHash::new(leaf(index)));
        }
        Ok(tree.root())
    };
    let proof = scoresheet::digest::consistency_proof(old, new, perfect).unwrap();
    let lines = proof
        .iter()
        .map(|hash| keys::base64(hash.as_bytes()) + "\n");
    lines.collect()
}

/// A request to go from one size to another, signed by the log.
fn request(old: u64, new: u64, fork: u64) -> String {
    let text = text(LOG, new, &root(new, fork));
    let signed = keys::signed(&text, &[&keys::log(LOG)], 0);
    format!("old {old}\n{}\n{signed}", hashes(old, new, fork))
}

fn policy_text() -> String {
    format!("log {}\nquorum none\n", keys::log(LOG).verifier_key())
}

struct Booth {
    folder: tempfile::TempDir,
    policy: Policy,
    key: SigningKey,
}

impl Booth {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            policy: Policy::parse(policy_text().as_bytes()).unwrap(),
            key: keys::witness("w.example"),
        }
    }

    fn disk(&self) -> Disk {
        Disk::new(self.folder.path())
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn ask(&self, request: &str) -> (u16, String) {
        let disk = self.disk();
        let begin = if self.at("state").exists() {
            Begin::Known
        } else {
            Begin::New
        };
        let memory = Memory::open(&disk, "state", begin).unwrap();
        let mut witness = Witness::new(&self.policy, &self.key, memory).unwrap();
        let answer = witness.answer(request.as_bytes(), NOW).unwrap();
        (answer.status.code(), answer.body)
    }

    fn state(&self) -> Option<String> {
        std::fs::read_to_string(self.at("state")).ok()
    }

    /// The program, as it stands behind somebody's HTTP server.
    fn program(&self, args: &[&str]) -> Command {
        let key = self.at("key");
        if !key.exists() {
            std::fs::write(self.at("policy"), policy_text()).unwrap();
            self.key.store(&key).unwrap();
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_scoresheet"));
        command
            .args([
                "witness", "--policy", "policy", "--key", "key", "--state", "state",
            ])
            .args(args)
            .current_dir(self.folder.path())
            .stdin(Stdio::piped());
        command
    }
}

fn feed(child: &mut Child, body: &str) {
    child
        .stdin
        .take()
        .unwrap()
        .write_all(body.as_bytes())
        .unwrap();
}

/// Whether the body holds one cosignature over this text.
fn cosigns(body: &str, text: &str) -> bool {
    let key = keys::witness("w.example").verifier_key();
    let note = scoresheet::ledger::Note::parse(format!("{text}\n{body}").as_bytes()).unwrap();
    note.verify(&[&key]).is_ok_and(|signed| {
        signed.len() == 1 && note.signatures().len() == 1 && signed[0].unix_seconds == Some(NOW)
    })
}

/// Requests that no witness signs who has signed nothing yet, and the answers.
fn refusals() -> Vec<(String, u16)> {
    let signed = |origin: &str, by: &str| {
        let text = text(origin, 5, &root(5, 0));
        format!("old 0\n\n{}", keys::signed(&text, &[&keys::log(by)], 0))
    };
    let text = text(LOG, 5, &root(5, 0));
    let mut wrong = keys::log(LOG).sign(&text, 0);
    wrong.bytes[3] ^= 1;
    let good = request(0, 5, 0);
    let edited = |from: &str, to: &str| good.replacen(from, to, 1);
    let stray = keys::base64(&[7; 32]) + "\n";
    vec![
        (String::new(), 400),
        ("old\n\n".to_owned(), 400),
        ("old 05\n\n".to_owned(), 400),
        ("new 5\n\n".to_owned(), 400),
        (edited("old 0\n\n", "old 0\n"), 400),
        (edited("old 0\n", "old 0\nnonsense\n"), 400),
        (good.trim_end().to_owned(), 400),
        (
            edited("old 0\n", &format!("old 0\n{}", stray.repeat(64))),
            400,
        ),
        (edited("old 0", "old 6"), 400),
        (signed("example.org/unknown", "example.org/unknown"), 404),
        (signed("example.org/unknown", LOG), 404),
        (signed(LOG, "example.org/other"), 403),
        (format!("old 0\n\n{text}\n{wrong}\n"), 403),
        (format!("old 0\n\n{text}"), 403),
        (request(3, 5, 0), 409),
        (edited("old 0\n", &format!("old 0\n{stray}")), 422),
    ]
}

#[test]
fn a_witness_that_knows_nothing_answers_as_the_specification_says() {
    let booth = Booth::new();
    for (body, code) in refusals() {
        let (answer, said) = booth.ask(&body);
        assert_eq!(answer, code, "{body}: {said}");
        assert!(said.ends_with('\n') && !said.contains('\u{2014}'), "{said}");
        assert_eq!(booth.state(), None, "a refusal leaves no trace");
    }
    let (code, body) = booth.ask(&request(0, 5, 0));
    let text = text(LOG, 5, &root(5, 0));
    assert!(code == 200 && cosigns(&body, &text), "{body}");
    assert!(booth.state().is_some_and(|state| state.contains("\n5 ")));
}

#[test]
fn a_witness_that_knows_a_size_signs_only_what_begins_there() {
    let booth = Booth::new();
    assert_eq!(booth.ask(&request(0, 5, 0)).0, 200);
    let after_five = booth.state();
    let proof = hashes(5, 9, 0);
    let wrong_hash = request(5, 9, 0).replacen(&proof[..44], &keys::base64(&[7; 32]), 1);
    let fewer = request(5, 9, 0).replacen(&proof[..45], "", 1);
    let other_root = "the proof leads to another root of the old tree\n";
    for (body, code, said) in [
        (request(0, 9, 0), 409, "5\n"),
        (request(4, 9, 0), 409, "5\n"),
        (request(0, 3, 0), 409, "5\n"),
        (request(3, 3, 0), 409, "5\n"),
        (request(6, 9, 0), 409, "5\n"),
        (
            request(5, 5, 1),
            409,
            "another root was signed at this size\n",
        ),
        (request(5, 9, 1), 422, other_root),
        (wrong_hash, 422, other_root),
        (fewer, 422, "a hash of the proof is missing\n"),
        (
            request(5, 3, 0),
            400,
            "the old size is larger than the checkpoint\n",
        ),
    ] {
        assert_eq!(booth.ask(&body), (code, said.to_owned()), "{body}");
        assert_eq!(booth.state(), after_five);
    }
    // The same again is the same answer; growth is growth.
    assert_eq!(booth.ask(&request(5, 5, 0)).0, 200);
    assert_eq!(booth.state(), after_five);
    for (old, new) in [(5, 6), (6, 8), (8, 20)] {
        let (code, body) = booth.ask(&request(old, new, 0));
        let text = text(LOG, new, &root(new, 0));
        assert!(code == 200 && cosigns(&body, &text), "{body}");
    }
    assert_eq!(booth.ask(&request(5, 9, 0)), (409, "20\n".to_owned()));
}

#[test]
fn an_empty_log_is_signed_and_then_grows() {
    let booth = Booth::new();
    assert_eq!(booth.ask(&request(0, 0, 0)).0, 200);
    assert_eq!(booth.ask(&request(0, 4, 0)).0, 200);
    assert_eq!(booth.ask(&request(0, 0, 0)), (409, "4\n".to_owned()));
}

#[test]
fn the_program_speaks_the_bodies_and_says_the_status() {
    let booth = Booth::new();
    let ask = |args: &[&str], body: &str| {
        let mut command = booth.program(args);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        feed(&mut child, body);
        let done = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            done.status.code().unwrap(),
            text(done.stdout),
            text(done.stderr),
        )
    };
    let time = ["--time", "2023-11-14T22:13:20.999Z"];
    let (code, _, stderr) = ask(&time, &request(0, 5, 0));
    assert!(
        code == 2 && stderr.contains("--new"),
        "nothing known is not nothing signed: {stderr}"
    );
    let (code, stdout, stderr) = ask(&["--new", time[0], time[1]], &request(0, 5, 0));
    assert_eq!((code, stderr.as_str()), (0, "200 OK\n"));
    assert!(cosigns(&stdout, &text(LOG, 5, &root(5, 0))));
    let (code, _, stderr) = ask(&["--new"], &request(0, 5, 0));
    assert!(code == 2 && stderr.contains("exists already"), "{stderr}");
    let (code, stdout, stderr) = ask(&time, &request(0, 5, 0));
    assert_eq!(
        (code, stdout.as_str(), stderr.as_str()),
        (1, "5\n", "409 Conflict\n")
    );
    let (code, stdout, _) = ask(&["--format", "json"], &request(0, 5, 0));
    let answer: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let expected = serde_json::json!({
        "body": "5\n", "content_type": "text/x.tlog.size", "status": 409,
    });
    assert_eq!((code, answer), (1, expected));
    let refused = booth.program(&["--key", "policy"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn a_key_of_a_log_and_a_state_that_is_not_whole_are_refused() {
    let booth = Booth::new();
    booth.ask(&request(0, 5, 0));
    let disk = booth.disk();
    let log = keys::log(LOG);
    let memory = Memory::open(&disk, "state", Begin::Known).unwrap();
    assert!(Witness::new(&booth.policy, &log, memory).is_err());
    let good = std::fs::read(booth.at("state")).unwrap();
    for at in 0..good.len() {
        for bit in 0..8 {
            let mut bytes = good.clone();
            bytes[at] ^= 1 << bit;
            std::fs::write(booth.at("state"), bytes).unwrap();
            assert!(
                Memory::open(&disk, "state", Begin::Known).is_err(),
                "byte {at} bit {bit}"
            );
        }
        std::fs::write(booth.at("state"), &good[..at]).unwrap();
        assert!(
            Memory::open(&disk, "state", Begin::Known).is_err(),
            "cut to {at}"
        );
    }
    std::fs::write(booth.at("state"), &good).unwrap();
    assert!(Memory::open(&disk, "state", Begin::Known).is_ok());
}

#[test]
fn wherever_the_witness_dies_nothing_was_signed_that_is_not_remembered() {
    let mut deaths = 0;
    for changes in 0..20 {
        for last in [Part::Third, Part::Whole] {
            let booth = Booth::new();
            assert_eq!(booth.ask(&request(0, 5, 0)).0, 200);
            let before = booth.state();
            let mortal = Mortal::new(booth.disk(), changes, last);
            let answer = Memory::open(&mortal, "state", Begin::Known).and_then(|memory| {
                let mut witness = Witness::new(&booth.policy, &booth.key, memory).unwrap();
                witness.answer(request(5, 9, 0).as_bytes(), NOW)
            });
            let is_signed = answer
                .as_ref()
                .is_ok_and(|answer| answer.status == Status::Ok);
            let after = booth.state();
            let is_remembered = after.as_ref().is_some_and(|state| state.contains("\n9 "));
            assert!(is_remembered || after == before, "{after:?}");
            assert!(is_remembered || !is_signed, "signed, and not remembered");
            // Whoever comes back can go on from where it is, and on no other branch.
            let size = if is_remembered { 9 } else { 5 };
            assert_eq!(booth.ask(&request(size, 12, 1)).0, 422);
            assert_eq!(booth.ask(&request(size, 12, 0)).0, 200);
            deaths += usize::from(answer.is_err());
        }
    }
    assert!((4..40).contains(&deaths), "{deaths} deaths");
}

#[test]
fn a_witness_that_is_killed_while_it_answers_has_saved_its_state() {
    let booth = Booth::new();
    let (reader, mut writer) = std::io::pipe().unwrap();
    let child_end = writer.try_clone().unwrap();
    // Nobody reads, so that the pipe fills up and the answer gets stuck in it.
    let filled = AtomicUsize::new(0);
    let mut fill = |filled: &AtomicUsize| {
        while writer.write_all(&[0; 512]).is_ok() {
            filled.fetch_add(1, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| fill(&filled));
        let mut last = 0;
        loop {
            std::thread::sleep(Duration::from_millis(50));
            let now = filled.load(Ordering::Relaxed);
            if now == last && 0 < now {
                break;
            }
            last = now;
        }
        let mut command = booth.program(&["--new"]);
        let mut child = command
            .stdout(child_end)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        drop(command);
        feed(&mut child, &request(0, 5, 0));
        while booth.state().is_none() {
            assert!(
                child.try_wait().unwrap().is_none(),
                "it ended before it was killed"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        let status = child.wait().unwrap();
        assert_eq!(status.code(), None, "killed, not ended: {status}");
        drop(reader);
    });
    assert_eq!(booth.ask(&request(0, 6, 0)), (409, "5\n".to_owned()));
    assert_eq!(booth.ask(&request(5, 5, 1)).0, 409, "no other branch");
    assert_eq!(
        booth.ask(&request(5, 5, 0)).0,
        200,
        "the answer can be had again"
    );
}

#[test]
fn requests_at_once_are_answered_one_after_the_other() {
    let booth = Booth::new();
    assert_eq!(booth.ask(&request(0, 5, 0)).0, 200);
    // Two branches and several sizes, all from the same state: one is signed.
    let bodies = [(9, 0), (9, 1), (7, 0), (12, 1), (20, 0), (6, 1)];
    let children: Vec<_> = bodies
        .into_iter()
        .map(|(new, fork)| {
            let mut child = booth
                .program(&[])
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            feed(&mut child, &request(5, new, fork));
            child
        })
        .collect();
    let codes: Vec<_> = children
        .into_iter()
        .map(|child| child.wait_with_output().unwrap().status.code().unwrap())
        .collect();
    // From size 5 on the branches differ already in event 3: only branch 0 grows.
    let signed = codes.iter().filter(|code| **code == 0).count();
    assert_eq!(signed, 1, "{codes:?}");
    assert!(
        codes.iter().all(|code| *code == 0 || *code == 1),
        "{codes:?}"
    );
}

#[test]
fn one_state_holds_many_logs() {
    let booth = Booth::new();
    let other = keys::log("example.org/other");
    let policy = format!(
        "log {}\nlog {}\nquorum none\n",
        keys::log(LOG).verifier_key(),
        other.verifier_key()
    );
    let policy = Policy::parse(policy.as_bytes()).unwrap();
    let disk = booth.disk();
    Memory::open(&disk, "state", Begin::New)
        .unwrap()
        .store()
        .unwrap();
    let ask = |body: &str| -> Result<u16, LedgerError> {
        let memory = Memory::open(&disk, "state", Begin::Known)?;
        let mut witness = Witness::new(&policy, &booth.key, memory).unwrap();
        Ok(witness.answer(body.as_bytes(), NOW)?.status.code())
    };
    let of_other = |size: u64| {
        let text = text("example.org/other", size, &root(size, 1));
        format!("old 0\n\n{}", keys::signed(&text, &[&other], 0))
    };
    assert_eq!(ask(&request(0, 5, 0)).unwrap(), 200);
    assert_eq!(ask(&of_other(7)).unwrap(), 200);
    assert_eq!(ask(&of_other(7)).unwrap(), 409);
    assert_eq!(ask(&request(5, 9, 0)).unwrap(), 200);
    let locked = Memory::open(&disk, "state", Begin::Known).unwrap();
    let origin = "example.org/other".parse().unwrap();
    assert_eq!(locked.latest(&origin).unwrap().0, 7);
    assert!(Path::new(&booth.at("state.lock")).exists());
}
