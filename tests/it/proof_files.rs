//! Proofs as files: what `prove` writes and `check-proof` says of it, and that
//! no single bit of a proof, a checkpoint or a signature can be changed.

use std::path::Path;

use scoresheet::digest::LeafHash;
use scoresheet::event::EventId;
use scoresheet::ledger::{
    ConsistencyProof, InclusionProof, Policy, Prover, SignedCheckpoint, SigningKey, add_signatures,
    issue_checkpoint,
};

use crate::keys;
use crate::ledger::{Bench, files};
use crate::program::{Outcome, scoresheet};

const ORIGIN: &str = "example.org/test";

/// A ledger of 12 events, signed at 9 by itself and a witness, and by somebody
/// whom nobody knows.
struct Desk {
    bench: Bench,
}

fn log() -> SigningKey {
    keys::log(ORIGIN)
}

fn witness() -> SigningKey {
    keys::witness("w.example")
}

fn policy_text() -> String {
    let (log, witness) = (log().verifier_key(), witness().verifier_key());
    format!("log {log}\nwitness W {witness}\nquorum W\n")
}

fn policy() -> Policy {
    Policy::parse(policy_text().as_bytes()).unwrap()
}

impl Desk {
    fn new() -> Self {
        let bench = Bench::new();
        bench.append(0, 11);
        let desk = Self { bench };
        desk.issue(4, &[]);
        desk.issue(9, &[&log(), &keys::log("stranger.example"), &witness()]);
        std::fs::write(desk.at("policy"), policy_text()).unwrap();
        desk
    }

    fn issue(&self, size: u64, keys: &[&SigningKey]) {
        let disk = self.bench.disk();
        let mut prover = Prover::open(&disk).unwrap();
        let checkpoint = prover.checkpoint(size).unwrap();
        issue_checkpoint(&disk, &checkpoint).unwrap();
        let text = checkpoint.to_string();
        let sign = |key: &&SigningKey| key.sign(&text, 1_700_000_000);
        let signatures: Vec<_> = keys.iter().map(sign).collect();
        add_signatures(&disk, &checkpoint, &signatures).unwrap();
    }

    /// A path beside the ledger.
    fn at(&self, name: &str) -> String {
        let path = self.bench.path().with_file_name(name);
        path.to_str().unwrap().to_owned()
    }

    fn line(&self, index: usize) -> String {
        let (_, events) = &files(&self.bench.path().join("events"))[0];
        let events = String::from_utf8(events.clone()).unwrap();
        events.lines().nth(index).unwrap().to_owned()
    }

    fn run(&self, args: &[&str]) -> Outcome {
        scoresheet(&self.bench.path(), args)
    }

    /// Makes a proof in a file, and returns its path.
    fn prove(&self, name: &str, args: &[&str]) -> String {
        let path = self.at(name);
        let made = self.run(&[&["prove"], args, &["--out", &path]].concat());
        assert_eq!(
            (made.code, made.stdout.as_str()),
            (0, ""),
            "{}",
            made.stderr
        );
        path
    }

    /// Runs `check-proof` where there is no ledger.
    fn check(args: &[&str]) -> Outcome {
        scoresheet(
            Path::new("/nonexistent"),
            &[&["check-proof"], args].concat(),
        )
    }
}

#[test]
fn a_proof_by_id_or_position_is_checked_without_the_ledger() {
    let desk = Desk::new();
    let line = desk.line(5);
    let id = EventId::of(line.as_bytes()).to_string();
    let by_position = desk.prove("a.tlog-proof", &["5"]);
    let by_id = desk.prove("b.tlog-proof", &[&id]);
    let bytes = std::fs::read(&by_position).unwrap();
    assert_eq!(bytes, std::fs::read(by_id).unwrap());
    let proof = InclusionProof::parse(&bytes).unwrap();
    assert_eq!(proof.to_string().as_bytes(), bytes);
    assert_eq!((proof.index, proof.checkpoint.checkpoint().size), (5, 9));
    assert_eq!(proof.extra.as_deref(), Some(line.as_bytes()));

    let checked = Desk::check(&[&by_position, "--policy", &desk.at("policy")]);
    let root = proof.checkpoint.checkpoint().root;
    assert_eq!(
        checked.stdout,
        format!(
            "event {id} stands at position 5 of {ORIGIN} with 9 events, root {root}\n{line}\n\
             signed by the log {ORIGIN}\nwitnessed by w.example at 2023-11-14T22:13:20.000Z\n\
             the quorum W of the policy is met\n"
        )
    );
    assert_eq!((checked.code, checked.stderr.as_str()), (0, ""));
    let unchecked = Desk::check(&[&by_position]);
    assert_eq!(unchecked.code, 0);
    let claim = "nobody's signature was checked: whether this is example.org/test rests on how you got the checkpoint; it claims to be signed by example.org/test, stranger.example, w.example; --policy FILE checks that\n";
    assert!(unchecked.stdout.ends_with(claim), "{}", unchecked.stdout);
    let json = Desk::check(&[
        &by_position,
        "--format",
        "json",
        "--policy",
        &desk.at("policy"),
    ]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["verdict"], "proven");
    assert_eq!(json["event"], id);
    assert_eq!(json["policy"]["quorum"], "W");
    assert_eq!(
        json["policy"]["witnesses"][0]["unix_seconds"],
        1_700_000_000
    );
}

#[test]
fn a_bare_proof_is_held_against_the_event_that_is_named() {
    let desk = Desk::new();
    let bare = desk.prove("bare", &["5", "--bare"]);
    let id = EventId::of(desk.line(5).as_bytes()).to_string();
    let other = EventId::of(desk.line(6).as_bytes()).to_string();
    std::fs::write(desk.at("line"), desk.line(5) + "\n").unwrap();
    std::fs::write(desk.at("other"), desk.line(6)).unwrap();
    let code = |event: &str| Desk::check(&[&bare, "--event", event]).code;
    assert_eq!([code(&id), code(&desk.at("line"))], [0, 0]);
    assert_eq!([code(&other), code(&desk.at("other"))], [1, 1]);
    assert_eq!(code(&desk.at("absent")), 2);
    let nothing = Desk::check(&[&bare]);
    assert!(
        nothing.code == 2 && nothing.stderr.contains("--event ID"),
        "{}",
        nothing.stderr
    );
    let old = Desk::check(&[&bare, "--event", &id, "--old", &bare]);
    assert_eq!(old.code, 2);
}

#[test]
fn a_proof_leads_to_the_checkpoint_that_covers_the_event_and_says_when_nobody_vouches() {
    let desk = Desk::new();
    let at = |args: &[&str]| {
        let made = desk.run(&[&["prove"], args].concat());
        let proof = InclusionProof::parse(made.stdout.as_bytes());
        let size = proof.map(|proof| proof.checkpoint.checkpoint().size).ok();
        (made.code, size, made.stderr.contains("unsigned"))
    };
    assert_eq!(at(&["3"]), (0, Some(9), false), "the newest stored one");
    assert_eq!(
        at(&["3", "--at", "4"]),
        (0, Some(4), true),
        "stored without signature"
    );
    assert_eq!(at(&["3", "--at", "7"]), (0, Some(7), true), "not stored");
    assert_eq!(
        at(&["10"]),
        (0, Some(12), true),
        "stored ones do not cover it"
    );
    desk.issue(11, &[]);
    assert_eq!(at(&["3"]), (0, Some(9), false), "the newest signed one");
    assert_eq!(at(&["10"]), (0, Some(11), true), "for want of a signed one");
    assert_eq!(at(&["5", "--at", "4"]), (2, None, false));
    assert_eq!(at(&["12"]), (2, None, false));
    assert_eq!(at(&["3", "--at", "13"]), (2, None, false));
    assert_eq!(at(&[&"0".repeat(64)]), (2, None, false));
    assert_eq!(at(&["nonsense"]), (2, None, false));
    // Without signature it is proven, and refused by whoever wants to know by whom.
    let unsigned = desk.prove("unsigned", &["11"]);
    assert!(
        Desk::check(&[&unsigned])
            .stdout
            .ends_with("it is unsigned\n")
    );
    let refused = Desk::check(&[&unsigned, "--policy", &desk.at("policy")]);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stdout.starts_with("blocker[policy-unmet] "),
        "{}",
        refused.stdout
    );
}

#[test]
fn growth_is_proven_from_a_checkpoint_that_was_kept() {
    let desk = Desk::new();
    let growth = desk.prove("growth", &["--from", "4"]);
    let bytes = std::fs::read(&growth).unwrap();
    let proof = ConsistencyProof::parse(&bytes).unwrap();
    assert_eq!(proof.to_string().as_bytes(), bytes);
    let kept = |size: u64| format!("{}/checkpoints/{size}", desk.bench.path().display());
    let checked = Desk::check(&[&growth, "--old", &kept(4), "--policy", &desk.at("policy")]);
    assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
    assert!(
        checked
            .stdout
            .contains("begins with the 4 events that you know")
    );
    // Another root at that size, another size, no old one.
    let forged = std::fs::read_to_string(kept(4)).unwrap();
    let root = forged.lines().nth(2).unwrap().to_owned();
    std::fs::write(
        desk.at("forged"),
        forged.replace(&root, &keys::base64(&[7; 32])),
    )
    .unwrap();
    let refused = Desk::check(&[&growth, "--old", &desk.at("forged")]);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stdout.starts_with("blocker[proof-refused] "),
        "{}",
        refused.stdout
    );
    assert_eq!(Desk::check(&[&growth, "--old", &kept(9)]).code, 2);
    assert_eq!(Desk::check(&[&growth]).code, 2);
    assert_eq!(
        Desk::check(&[&growth, "--event", "5", "--old", &kept(4)]).code,
        2
    );
    assert_eq!(desk.run(&["prove", "--from", "13"]).code, 2);
    assert_eq!(desk.run(&["prove", "--from", "9", "--at", "4"]).code, 2);
    assert_eq!(desk.run(&["prove", "5", "--from", "4"]).code, 2);
    for from in ["0", "1", "8", "9", "12"] {
        assert_eq!(desk.run(&["prove", "--from", from]).code, 0, "{from}");
    }
}

/// Changes every single bit of a file and hands it on with its byte.
fn each_flip(file: &[u8], mut check: impl FnMut(usize, &[u8])) {
    let mut bytes = file.to_vec();
    for at in 0..file.len() {
        for bit in 0..8 {
            bytes[at] ^= 1 << bit;
            check(at, &bytes);
            bytes[at] ^= 1 << bit;
        }
    }
}

#[test]
fn no_bit_of_a_proof_can_be_changed_but_in_the_line_that_nobody_vouches_for() {
    let desk = Desk::new();
    let file = std::fs::read(desk.prove("proof", &["5"])).unwrap();
    let leaf = LeafHash::of(desk.line(5).as_bytes());
    let policy = policy();
    let good = InclusionProof::parse(&file).unwrap();
    assert!(policy.judge(&good.checkpoint).is_ok());
    let is_believed = |proof: &InclusionProof| {
        let is_same = proof.checkpoint == good.checkpoint;
        proof.verify(&leaf).is_ok() && (is_same || policy.judge(&proof.checkpoint).is_ok())
    };
    let text = std::str::from_utf8(&file).unwrap();
    let extra = text.find("extra ").unwrap() + 6..text.find("\nindex").unwrap();
    // The signatures are those of a checkpoint, for which see below.
    let end = text.find('\u{2014}').unwrap();
    let mut n_harmless = 0;
    each_flip(&file[..end], |at, head| {
        let bytes = [head, &file[end..]].concat();
        let flipped = InclusionProof::parse(&bytes);
        let written = flipped.as_ref().map(ToString::to_string);
        assert!(written.is_ok_and(|text| text.as_bytes() == bytes) || flipped.is_err());
        let Some(changed) = flipped.ok().filter(is_believed) else {
            return;
        };
        // The line says something else, and is not what was checked.
        n_harmless += 1;
        assert!(extra.contains(&at), "byte {at} of\n{text}");
        assert_ne!(changed.extra, good.extra);
        let extra = LeafHash::of(&changed.extra.unwrap());
        assert!(
            good.verify(&extra).is_err(),
            "as the event itself it is refused"
        );
    });
    assert!((100..8 * extra.len()).contains(&n_harmless), "{n_harmless}");
}

#[test]
fn no_bit_of_a_checkpoint_or_a_signature_can_be_changed_but_of_one_that_nobody_knows() {
    let desk = Desk::new();
    let path = desk.bench.path().join("checkpoints/9");
    let file = std::fs::read(path).unwrap();
    let policy = policy();
    let good = SignedCheckpoint::parse(&file).unwrap();
    assert!(policy.judge(&good).is_ok());
    let text = std::str::from_utf8(&file).unwrap();
    let start = text.find("\u{2014} stranger.example").unwrap();
    let stranger = start..start + text[start..].find('\n').unwrap();
    let known = policy.pick(&good, good.note().signatures()).unwrap();
    assert_eq!(known.len(), 2);
    each_flip(&file, |at, flipped| {
        let Ok(changed) = SignedCheckpoint::parse(flipped) else {
            return;
        };
        assert_eq!(changed.to_string().as_bytes(), flipped, "one spelling");
        if stranger.contains(&at) {
            // Passed over, whatever it says.
            let others = changed.note().signatures().iter();
            let others = others.filter(|line| known.contains(line));
            assert_eq!(others.count(), 2);
            assert_eq!(changed.note().text(), good.note().text());
        } else {
            assert!(policy.judge(&changed).is_err(), "byte {at}");
        }
    });
}

#[test]
fn no_bit_of_a_proof_of_growth_can_be_changed() {
    let desk = Desk::new();
    let file = std::fs::read(desk.prove("growth", &["--from", "4"])).unwrap();
    let disk = desk.bench.disk();
    let old = Prover::open(&disk).unwrap().checkpoint(4).unwrap().root;
    let end = std::str::from_utf8(&file)
        .unwrap()
        .find('\u{2014}')
        .unwrap();
    let policy = policy();
    // The signatures below are the same as those of a checkpoint.
    each_flip(&file[..end], |at, head| {
        let flipped = [head, &file[end..]].concat();
        let is_believed = ConsistencyProof::parse(&flipped).is_ok_and(|proof| {
            proof.old == 4
                && proof.checkpoint.checkpoint().origin.as_str() == ORIGIN
                && proof.checkpoint.checkpoint().size == 9
                && proof.verify(&old).is_ok()
                && policy.judge(&proof.checkpoint).is_ok()
        });
        assert!(!is_believed, "byte {at}");
    });
    // Origin and size are bound by the signatures, as everywhere.
    let proof = ConsistencyProof::parse(&file).unwrap();
    assert!(proof.verify(&old).is_ok() && policy.judge(&proof.checkpoint).is_ok());
}

#[test]
fn files_that_are_no_proofs_are_refused_with_their_line_and_leak_nothing() {
    let desk = Desk::new();
    let file = std::fs::read_to_string(desk.prove("proof", &["5"])).unwrap();
    let edited = |from: &str, to: &str| file.replacen(from, to, 1);
    let secret = ["ghp", "_", &"a1B2c3D4e5F6".repeat(3)].concat();
    for (text, line) in [
        (edited("@v1", "@v2"), 1),
        (edited("extra ", "extra  "), 2),
        (edited("extra ", "Extra "), 2),
        (edited("index 5", "index 05"), 3),
        (edited("index 5", "index -5"), 3),
        (edited("index 5", &format!("index {secret}")), 3),
        (edited("index 5\n", "index 5\n\n"), 6),
        (edited("index 5\n", "index 5\nnonsense\n"), 4),
        (edited("index 5\n", "extra aa==\nindex 5\n"), 3),
        (file.split_inclusive('\n').take(5).collect(), 6),
        (file.trim_end().to_owned(), 15),
    ] {
        let path = desk.at("changed");
        std::fs::write(&path, &text).unwrap();
        let refused = Desk::check(&[&path, "--event", &"0".repeat(64)]);
        assert_eq!(refused.code, 1, "{text}{}", refused.stderr);
        let place = format!("{path}:{line}\n");
        let is_named = refused.stdout.starts_with("blocker[proof-refused] ");
        assert!(
            is_named && refused.stdout.contains(&place),
            "{line}: {}",
            refused.stdout
        );
        assert!(!refused.stdout.contains(&secret[4..]), "{}", refused.stdout);
    }
    std::fs::write(desk.at("changed"), "nonsense\n").unwrap();
    let neither = Desk::check(&[&desk.at("changed")]);
    assert_eq!(neither.code, 1, "{}", neither.stdout);
    // A policy that cannot be read is no finding in the evidence.
    std::fs::write(desk.at("policy"), "quorum W\n").unwrap();
    let unread = Desk::check(&[&desk.at("proof"), "--policy", &desk.at("policy")]);
    assert!(unread.code == 2 && unread.stderr.contains("line 1 of the policy"));
}

#[test]
fn a_ledger_whose_index_or_segments_do_not_add_up_proves_nothing() {
    let bench = Bench::new();
    bench.append(0, 5_000);
    let prove = |event: &str| scoresheet(&bench.path(), &["prove", event]);
    assert_eq!(prove("100").code, 0);
    for (file, at) in [
        ("segments.jsonl", 60),
        ("events/000000.jsonl", 500),
        ("events/000001.jsonl", 500),
    ] {
        let path = bench.path().join(file);
        let good = std::fs::read(&path).unwrap();
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let refused = prove("100");
        assert_eq!((refused.code, refused.stdout.as_str()), (1, ""), "{file}");
        std::fs::write(&path, good).unwrap();
    }
    // What a proof does not cut through is not read.
    std::fs::remove_file(bench.path().join("events/000000.jsonl")).unwrap();
    assert_eq!(prove("4999").code, 0);
    assert_eq!(prove("100").code, 1);
}
