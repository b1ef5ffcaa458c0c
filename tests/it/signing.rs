//! Keys, signed checkpoints, and that a log never signs two histories.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use scoresheet::ledger::{
    Begin, Checkpoint, Memory, SignedCheckpoint, SigningKey, VerifierKey, add_signatures,
};

use crate::bundle::Bundle;
use crate::keys;
use crate::ledger::Bench;
use crate::program::{Outcome, scoresheet};

const ORIGIN: &str = "example.org/test";

struct Office {
    bench: Bench,
}

impl Office {
    fn new() -> Self {
        let bench = Bench::new();
        bench.append(0, 4);
        let office = Self { bench };
        let made = office.run(&["key", "new", ORIGIN, "--out", &office.at("log.key")]);
        assert_eq!(made.code, 0, "{}", made.stderr);
        office
    }

    fn at(&self, name: &str) -> String {
        let path = self.bench.path().with_file_name(name);
        path.to_str().unwrap().to_owned()
    }

    fn run(&self, args: &[&str]) -> Outcome {
        scoresheet(&self.bench.path(), args)
    }

    fn sign(&self) -> Outcome {
        self.run(&["checkpoint", "--key", &self.at("log.key")])
    }

    fn vkey(&self) -> String {
        let shown = self.run(&["key", "show", &self.at("log.key")]).stdout;
        shown.trim_end().to_owned()
    }

    fn stored(&self, size: u64) -> String {
        fs::read_to_string(self.bench.path().join(format!("checkpoints/{size}"))).unwrap()
    }
}

#[test]
fn a_key_is_its_owners_alone_and_never_overwritten_or_shown() {
    let office = Office::new();
    let path = office.at("log.key");
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let file = fs::read_to_string(&path).unwrap();
    let vkey: VerifierKey = office.vkey().parse().unwrap();
    assert_eq!(vkey.name(), ORIGIN);
    let key = SigningKey::parse(&file).unwrap();
    assert_eq!(key.verifier_key(), vkey);
    let again = office.run(&["key", "new", ORIGIN, "--out", &path]);
    assert_eq!(again.code, 2);
    assert_eq!(fs::read_to_string(&path).unwrap(), file);
    // The seed is the last part of the line; no output has any of it.
    let seed = &file.trim_end()[file.len() - 20..];
    let debugged = format!("{key:?}");
    for outcome in [
        again.stdout + &again.stderr,
        office.vkey(),
        office.sign().stdout,
        debugged,
    ] {
        assert!(!outcome.contains(seed), "{outcome}");
    }
    // Two keys are never the same, and a name without room for one is refused.
    let second = office.run(&["key", "new", ORIGIN, "--out", &office.at("second.key")]);
    assert_ne!(second.stdout.trim_end(), office.vkey());
    for name in ["", "a b", "a+b"] {
        let refused = office.run(&["key", "new", name, "--out", &office.at("no.key")]);
        assert_eq!(refused.code, 2, "{name:?}");
        assert!(!fs::exists(office.at("no.key")).unwrap());
    }
    // Whoever else may read it may sign.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let exposed = office.sign();
    assert!(
        exposed.code == 2 && exposed.stderr.contains("chmod 600"),
        "{}",
        exposed.stderr
    );
}

#[test]
fn the_file_of_a_key_is_spelled_as_other_programs_spell_it() {
    let public = keys::log("example.org/log").verifier_key();
    let seed = scoresheet::digest::Digest::of(b"example.org/log Note");
    let typed = [&[1], seed.as_bytes().as_slice()].concat();
    let text = public.to_string();
    let id = text.split('+').nth(1).unwrap();
    let line = [
        "PRIVATE",
        "KEY",
        "example.org/log",
        id,
        &keys::base64(&typed),
    ]
    .join("+");
    assert_eq!(SigningKey::parse(&line).unwrap().verifier_key(), public);
    assert_eq!(
        SigningKey::parse(&format!("{line}\n"))
            .unwrap()
            .verifier_key(),
        public
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    keys::log("example.org/log").store(&path).unwrap();
    assert_eq!(fs::read_to_string(path).unwrap(), format!("{line}\n"));
    for broken in [
        line.replace("PRIVATE", "private"),
        line.replace("example.org/log", "example.org/lag"),
        line.replace(id, "00000000"),
        line[..line.len() - 4].to_owned(),
        format!("{line}\n\n"),
        String::new(),
    ] {
        let error = SigningKey::parse(&broken).unwrap_err().to_string();
        assert!(!error.contains(&keys::base64(&typed)[..8]), "{error}");
    }
}

#[test]
fn a_checkpoint_is_signed_and_its_text_stays() {
    let office = Office::new();
    let unsigned = office.run(&["checkpoint"]);
    assert_eq!(unsigned.code, 0);
    assert!(
        unsigned.stderr.starts_with("the checkpoint is unsigned"),
        "{}",
        unsigned.stderr
    );
    let verified = office.run(&["verify"]).stdout;
    assert!(verified.contains(", unsigned, 0 findings"), "{verified}");
    let signed = office.sign();
    assert_eq!((signed.code, signed.stderr.as_str()), (0, ""));
    assert!(
        signed.stdout.starts_with(&unsigned.stdout),
        "the text stays"
    );
    assert_eq!(signed.stdout, office.stored(5));
    let again = office.sign();
    assert_eq!(
        again.stdout, signed.stdout,
        "no signature stands there twice"
    );
    assert_eq!(office.run(&["checkpoint"]).stdout, signed.stdout);
    let verified = office.run(&["verify"]).stdout;
    let claim = ", signed at size 5 by example.org/test (unchecked), 0 findings";
    assert!(verified.contains(claim), "{verified}");
    // Whose name is another, or who is a witness, never signs for it.
    for (name, is_witness) in [("example.org/other", false), (ORIGIN, true)] {
        let path = office.at(&format!("other-{is_witness}.key"));
        let witness: &[&str] = if is_witness { &["--witness"] } else { &[] };
        office.run(&[&["key", "new", name, "--out", &path], witness].concat());
        let refused = office.run(&["checkpoint", "--key", &path]);
        assert_eq!(refused.code, 2);
        assert!(
            refused.stderr.contains("nothing was written"),
            "{}",
            refused.stderr
        );
    }
    assert_eq!(office.stored(5), signed.stdout);
    let dry = office.run(&["checkpoint", "--at", "3", "--dry-run"]);
    assert!(dry.code == 0 && !office.bench.path().join("checkpoints/3").exists());
}

#[test]
fn a_log_that_lost_what_it_signed_signs_no_more() {
    let office = Office::new();
    let ledger = office.bench.path();
    let earlier = crate::ledger::files(&ledger);
    office.bench.append(4, 3);
    assert_eq!(office.sign().code, 0);
    // The ledger of yesterday is put in its place, and goes on in another way.
    let restore = || {
        fs::remove_dir_all(&ledger).unwrap();
        for (path, bytes) in &earlier {
            let path = ledger.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    };
    restore();
    let refused = office.sign();
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    assert!(
        refused.stderr.contains("a ledger of size 5"),
        "{}",
        refused.stderr
    );
    office.bench.append(50, 9);
    assert_eq!(office.run(&["verify"]).code, 0, "nothing in it says so");
    let refused = office.sign();
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    assert!(!office.stored(14).contains('\u{2014}'));
    // What was lost comes back, and so does the signature.
    restore();
    office.bench.append(4, 3);
    assert_eq!(office.sign().code, 0);
    let memory = fs::read_to_string(office.at("log.key.signed")).unwrap();
    assert!(memory.contains("\n8 "), "{memory}");
}

#[test]
fn a_key_without_its_memory_signs_only_where_it_is_said_to_be_new() {
    let office = Office::new();
    let state = office.at("log.key.signed");
    let begun = fs::read_to_string(&state).unwrap();
    assert_eq!(begun.lines().count(), 2, "nothing was signed yet: {begun}");
    assert_eq!(office.sign().code, 0);
    let before = crate::ledger::files(&office.bench.path());
    office.bench.append(4, 1);
    let grown = crate::ledger::files(&office.bench.path());
    assert_ne!(before, grown);
    fs::remove_file(&state).unwrap();
    let refused = office.sign();
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    let why = format!("{state}: there is no such file");
    assert!(refused.stderr.contains(&why), "{}", refused.stderr);
    assert_eq!(crate::ledger::files(&office.bench.path()), grown);
    // A key that another program made, and that has signed nothing.
    let key = office.at("log.key");
    let new = || office.run(&["checkpoint", "--key", &key, "--new"]);
    assert_eq!(new().code, 0);
    let again = new();
    assert_eq!(again.code, 2);
    let why = format!("{state}: it exists already");
    assert!(again.stderr.contains(&why), "{}", again.stderr);
    assert_eq!(office.sign().code, 0);
}

#[test]
fn of_one_size_only_one_root_is_remembered() {
    let office = Office::new();
    let folder = scoresheet::ledger::Disk::new(office.bench.path().parent().unwrap());
    let mut memory = Memory::open(&folder, "state", Begin::New).unwrap();
    let one = Checkpoint {
        origin: ORIGIN.parse().unwrap(),
        size: 7,
        root: scoresheet::digest::Digest::of(b"one"),
    };
    let other = Checkpoint {
        root: scoresheet::digest::Digest::of(b"other"),
        ..one.clone()
    };
    memory.remember(&one).unwrap();
    memory.remember(&one).unwrap();
    let refused = memory.remember(&other).unwrap_err().to_string();
    assert!(
        refused.contains("another root was signed at size 7"),
        "{refused}"
    );
    assert_eq!(memory.latest(&one.origin), Some((7, one.root)));
    drop(memory);
    let memory = Memory::open(&folder, "state", Begin::Known).unwrap();
    assert_eq!(memory.latest(&one.origin), Some((7, one.root)));
}

#[test]
fn a_checkpoint_that_contradicts_the_ledger_keeps_it_from_signing() {
    let office = Office::new();
    assert_eq!(office.run(&["checkpoint"]).code, 0);
    office.bench.append(4, 3);
    let path = office.bench.path().join("checkpoints/5");
    let good = office.stored(5);
    let root = good.lines().nth(2).unwrap();
    for text in [
        good.replace(root, &keys::base64(&[7; 32])),
        good.replace(ORIGIN, "example.org/other"),
        good.replace("\n5\n", "\n6\n"),
        good.replace("\n5\n", "\n99\n"),
        format!("{good}an extension\n"),
        format!("{good}\nnonsense\n"),
    ] {
        fs::write(&path, &text).unwrap();
        let refused = office.sign();
        assert_eq!(refused.code, 1, "{text}");
        assert_eq!(office.run(&["verify"]).code, 1, "{text}");
    }
    fs::write(&path, good).unwrap();
    assert_eq!(office.sign().code, 0);
}

/// Adds these lines under a policy that names the log and `w.example`.
fn add(office: &Office, lines: &str) -> Outcome {
    fs::write(office.at("lines"), lines).unwrap();
    let (lines, policy) = (office.at("lines"), office.at("policy"));
    office.run(&["checkpoint", "add-signatures", &lines, "--policy", &policy])
}

fn verify_as_demanded(office: &Office) -> Outcome {
    office.run(&["verify", "--policy", &office.at("policy")])
}

/// An office whose checkpoint of size 5 is signed, and the policy.
fn witnessed(witness: &SigningKey) -> (Office, String) {
    let office = Office::new();
    let signed = office.sign().stdout;
    let (log, witness) = (office.vkey(), witness.verifier_key());
    let policy = format!("log {log}\nwitness W {witness}\nquorum W\n");
    fs::write(office.at("policy"), policy).unwrap();
    (office, signed)
}

#[test]
fn signatures_are_added_where_they_verify_and_nothing_is_taken_away() {
    let (w, stranger) = (
        keys::witness("w.example"),
        keys::witness("stranger.example"),
    );
    let (office, signed) = witnessed(&w);
    let text = &signed[..=signed.find("\n\n").unwrap()];
    // Not of this text, spoiled, no lines, of another size.
    let mut spoiled = w.sign(text, 7);
    spoiled.bytes[30] ^= 1;
    for lines in [
        format!("{}\n", w.sign("another text\n", 7)),
        format!("{}\n{spoiled}\n", w.sign(text, 7)),
        "nonsense\n".to_owned(),
        String::new(),
        format!("{}\n{}\n", text.replace("\n5\n", "\n6\n"), w.sign(text, 7)),
    ] {
        let refused = add(&office, &lines);
        assert_eq!(refused.code, 2, "{lines}");
        assert!(
            refused.stderr.contains("nothing was added"),
            "{}",
            refused.stderr
        );
        assert_eq!(office.stored(5), signed);
    }
    // By a stranger: passed over. By the witness: added below, once.
    let unknown = add(&office, &format!("{}\n", stranger.sign(text, 7)));
    assert_eq!(unknown.code, 2);
    assert!(
        unknown
            .stderr
            .contains("no signature is by a key that the policy names"),
        "{}",
        unknown.stderr
    );
    let line = format!("{}\n", w.sign(text, 7));
    assert_eq!(
        add(&office, &line).stdout,
        "added 1 signature to checkpoint 5\n"
    );
    assert_eq!(
        add(&office, &line).stdout,
        "checkpoint 5 has these signatures already\n"
    );
    assert_eq!(office.stored(5), format!("{signed}{line}"));
    let whole = office.stored(5);
    assert_eq!(
        add(&office, &whole).stdout,
        "checkpoint 5 has these signatures already\n"
    );
}

#[test]
fn verification_demands_a_checkpoint_that_is_signed_as_the_policy_says() {
    let w = keys::witness("w.example");
    let (office, signed) = witnessed(&w);
    let text = &signed[..=signed.find("\n\n").unwrap()];
    let before = verify_as_demanded(&office);
    assert_eq!(before.code, 1);
    assert!(
        before
            .stdout
            .contains("blocker[policy-unmet] checkpoints/5"),
        "{}",
        before.stdout
    );
    assert!(before.stdout.contains("\nrefused: "), "{}", before.stdout);
    add(&office, &format!("{}\n", w.sign(text, 7)));
    let after = verify_as_demanded(&office);
    assert_eq!(after.code, 0, "{}", after.stdout);
    assert!(
        after
            .stdout
            .contains("signed at size 5 as the policy demands, 0 findings")
    );
    office.bench.append(4, 2);
    let later = verify_as_demanded(&office).stdout;
    assert!(
        later.contains("as the policy demands (2 events later)"),
        "{later}"
    );
    // The witness has not seen the next one yet; what he signed still holds.
    office.sign();
    let later = verify_as_demanded(&office);
    assert_eq!(later.code, 0);
    assert!(
        later
            .stdout
            .contains("signed at size 5 as the policy demands (2 events later)"),
        "{}",
        later.stdout
    );
    // No signature may be false anywhere.
    let path = office.bench.path().join("checkpoints/5");
    let mut spoiled = w.sign(text, 7);
    spoiled.bytes[30] ^= 1;
    fs::write(&path, format!("{signed}{spoiled}\n")).unwrap();
    let false_one = verify_as_demanded(&office).stdout;
    assert!(
        false_one.contains("blocker[signature-refused] checkpoints/5"),
        "{false_one}"
    );
    assert!(false_one.contains("\ndamaged: "), "{false_one}");
    assert_eq!(
        office.run(&["verify"]).code,
        0,
        "without a policy nobody is asked"
    );
}

#[test]
fn without_a_checkpoint_no_policy_is_met() {
    let office = Office::new();
    fs::write(
        office.at("policy"),
        format!("log {}\nquorum none\n", office.vkey()),
    )
    .unwrap();
    let verify = || {
        office.run(&[
            "verify",
            "--policy",
            &office.at("policy"),
            "--format",
            "json",
        ])
    };
    let refused = verify();
    let json: serde_json::Value = serde_json::from_str(&refused.stdout).unwrap();
    assert_eq!((refused.code, &json["verdict"]), (1, &"refused".into()));
    assert_eq!(json["findings"][0]["code"], "policy-unmet");
    office.sign();
    let met = verify();
    let json: serde_json::Value = serde_json::from_str(&met.stdout).unwrap();
    assert_eq!((met.code, &json["verdict"]), (0, &"sound".into()));
    assert_eq!(json["signatures"]["size"], 5);
}

#[test]
fn freezing_and_publishing_sign_what_they_issue() {
    let bundle = Bundle::played();
    let path = |name: &str| bundle.at(name).to_str().unwrap().to_owned();
    let drawer = tempfile::tempdir().unwrap();
    let key = drawer.path().join("t.key");
    let key = key.to_str().unwrap();
    let vkey = bundle.must(&["key", "new", "t", "--out", key]);
    let other = drawer.path().join("u.key");
    let other = other.to_str().unwrap();
    bundle.must(&["key", "new", "u", "--out", other]);
    let before = bundle.files();
    assert_eq!(bundle.run(&["freeze", "t", "--key", other]).code, 2);
    assert!(
        bundle.files() == before,
        "refused before anything is written"
    );
    let signature = "\u{2014} t ";
    bundle.must(&["freeze", "t", "--key", key]);
    let frozen = bundle.read("ledger/checkpoints/17");
    assert!(String::from_utf8(frozen).unwrap().contains(signature));
    bundle.must(&["release", "new", "r", "--cohort", "t"]);
    bundle.must(&["release", "build"]);
    let before = bundle.files();
    assert_eq!(bundle.run(&["release", "publish", "--key", other]).code, 2);
    assert!(
        bundle.files() == before,
        "refused before anything is written"
    );
    bundle.must(&["release", "publish", "--key", key]);
    let published = bundle.read("ledger/checkpoints/18");
    assert!(String::from_utf8(published).unwrap().contains(signature));
    let policy = drawer.path().join("policy");
    fs::write(&policy, format!("log {vkey}quorum none\n")).unwrap();
    bundle.must(&["verify", "--policy", policy.to_str().unwrap()]);
    bundle.must(&["reproduce"]);
    bundle.must(&["audit"]);
    // A witness who comes later changes nothing that is published.
    let text = bundle.must(&["checkpoint", "--at", "18", "--dry-run"]);
    let text = &text[..=text.find("\n\n").unwrap()];
    let line = [keys::witness("w.example").sign(text, 7)];
    let read = SignedCheckpoint::parse(text.as_bytes()).unwrap();
    let added = add_signatures(&bundle.disk(), read.checkpoint(), &line);
    assert_eq!(added.unwrap(), 1);
    bundle.must(&["reproduce"]);
    bundle.must(&["audit"]);
    assert!(!fs::exists(path("t.key")).unwrap());
}

#[test]
fn signatures_of_two_who_sign_at_once_are_both_there() {
    let office = Office::new();
    let checkpoint = office.run(&["checkpoint"]).stdout;
    let keys: Vec<_> = (0..6)
        .map(|n| keys::witness(&format!("w{n}.example")))
        .collect();
    let disk = office.bench.disk();
    let read = SignedCheckpoint::parse(checkpoint.as_bytes()).unwrap();
    let named = read.checkpoint();
    std::thread::scope(|scope| {
        for key in &keys {
            let (disk, named, checkpoint) = (&disk, named, &checkpoint);
            scope.spawn(move || {
                let line = [key.sign(checkpoint, 7)];
                while add_signatures(disk, named, &line).is_err() {}
            });
        }
    });
    let n_lines = office.stored(5).matches('\u{2014}').count();
    assert_eq!(n_lines, 6);
}

#[test]
fn a_signer_that_is_named_like_a_credential_is_not_shown() {
    let office = Office::new();
    office.sign();
    let token = ["gh", "p_", &"a1B2c3D4e5F6".repeat(3)].concat();
    let path = office.bench.path().join("checkpoints/5");
    let mut signed = fs::read_to_string(&path).unwrap();
    signed.extend(["\u{2014} ", &token, " AAAAAAAA\n"]);
    fs::write(&path, &signed).unwrap();
    for words in [
        &["verify"][..],
        &["verify", "--format", "json"],
        &["prove", "1", "--out", &office.at("p")],
        &["check-proof", &office.at("p")],
        &["check-proof", &office.at("p"), "--format", "json"],
    ] {
        let said = office.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}{}", said.stdout, said.stderr);
        assert!(!said.stdout.contains(&token), "{words:?}: {}", said.stdout);
        assert!(!said.stderr.contains(&token), "{words:?}: {}", said.stderr);
    }
    assert!(fs::read_to_string(office.at("p")).unwrap().contains(&token));
}
