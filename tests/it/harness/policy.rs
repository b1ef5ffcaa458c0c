//! A policy means what its lines say, however they are spaced; judged beside a
//! reader of its own that knows only words.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use scoresheet::digest::Digest;
use scoresheet::ledger::{Judgement, NoteSignature, Policy, PolicyRefusal, SignedCheckpoint};

use super::message;
use super::note::TEXT;
use crate::keys;

/// The log of the checkpoint, and its witnesses: verifier key and signature.
static SIGNERS: LazyLock<Vec<(String, NoteSignature)>> = LazyLock::new(|| {
    let log = keys::log("example.org/log");
    let witnesses = (1..=4).map(|n| keys::witness(&format!("w{n}.example")));
    let all = std::iter::once(log).chain(witnesses);
    all.map(|key| {
        (
            key.verifier_key().to_string(),
            key.sign(TEXT, 1_700_000_000),
        )
    })
    .collect()
});

pub(crate) fn check(file: &[u8]) {
    let policy = match Policy::parse(file) {
        Ok(policy) => policy,
        Err(fault) => return message::is_on_a_line_of(file, fault.line, &fault.to_string()),
    };
    let plain = respaced(file);
    assert_eq!(Policy::parse(&plain).as_ref(), Ok(&policy));
    // Nobody, everybody, and who comes of the bytes.
    let chance = Digest::of(file).as_bytes()[0];
    for signed in [0, 0xff, chance, chance & !1, chance | 1] {
        judged(&policy, &plain, signed);
    }
}

/// The file with one space between words, and without comments.
fn respaced(file: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    for line in file.split(|byte| *byte == b'\n') {
        let words = line.split(|byte| matches!(byte, b' ' | b'\t'));
        let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
        if words.first().is_some_and(|first| !first.starts_with(b"#")) {
            plain.extend(words.join(&b' '));
            plain.push(b'\n');
        }
    }
    plain
}

/// Judges the checkpoint with the signatures of those whose bits are set.
fn judged(policy: &Policy, plain: &[u8], signed: u8) {
    let is_there = |(n, _): &(usize, &(String, NoteSignature))| signed >> n & 1 == 1;
    let signers: Vec<_> = SIGNERS.iter().enumerate().filter(is_there).collect();
    let keys: BTreeSet<&str> = signers.iter().map(|(_, (key, _))| key.as_str()).collect();
    let signatures: Vec<_> = signers.iter().map(|(_, (_, line))| line.clone()).collect();
    let checkpoint = SignedCheckpoint::parse(TEXT.as_bytes()).unwrap();
    let checkpoint = checkpoint.with(&signatures);
    let judgement = policy.judge(&checkpoint);
    let said = match &judgement {
        Ok(_) => "believed",
        Err(PolicyRefusal::UnknownLog { .. }) => "unknown log",
        Err(PolicyRefusal::Wrong { .. }) => "wrong signature",
        Err(PolicyRefusal::Unsigned { .. }) => "unsigned",
        Err(PolicyRefusal::Quorum { .. }) => "no quorum",
    };
    assert_eq!(said, Words::of(plain).judge(&keys));
    match &judgement {
        Ok(judgement) => is_signed_by(judgement, &keys),
        Err(refusal) => message::is_sayable(&refusal.to_string()),
    }
    let picked = policy.pick(&checkpoint, &signatures).unwrap();
    assert!(picked.iter().all(|line| signatures.contains(line)));
}

fn is_signed_by(judgement: &Judgement<'_>, keys: &BTreeSet<&str>) {
    assert!(!judgement.logs.is_empty());
    for signed in judgement.logs.iter().chain(&judgement.witnesses) {
        assert!(keys.contains(signed.by.to_string().as_str()));
    }
}

/// A policy as its words.
struct Words<'a> {
    logs: Vec<&'a [u8]>,
    /// Key of a witness, or threshold and members of a group.
    members: BTreeMap<&'a [u8], Vec<&'a [u8]>>,
    quorum: &'a [u8],
}

impl<'a> Words<'a> {
    fn of(plain: &'a [u8]) -> Self {
        let mut words = Self {
            logs: Vec::new(),
            members: BTreeMap::new(),
            quorum: b"",
        };
        for line in plain.split(|byte| *byte == b'\n') {
            match line.split(|byte| *byte == b' ').collect::<Vec<_>>()[..] {
                [b"log", key, ..] => words.logs.push(key),
                [b"witness", name, key, ..] => drop(words.members.insert(name, vec![key])),
                [b"group", name, ref rest @ ..] => {
                    words.members.insert(name, rest.to_vec());
                }
                [b"quorum", name] => words.quorum = name,
                _ => {}
            }
        }
        words
    }

    fn judge(&self, signers: &BTreeSet<&str>) -> &'static str {
        let is_of_log = |key: &&&[u8]| key.starts_with(b"example.org/log+");
        let mut of_log = self.logs.iter().filter(is_of_log).peekable();
        if of_log.peek().is_none() {
            return "unknown log";
        }
        if !of_log.any(|key| has_signed(key, signers)) {
            return "unsigned";
        }
        if self.quorum == b"none" || self.has_witnessed(self.quorum, signers) {
            "believed"
        } else {
            "no quorum"
        }
    }

    fn has_witnessed(&self, name: &[u8], signers: &BTreeSet<&str>) -> bool {
        let [least, of @ ..] = &self.members[name][..] else {
            return false;
        };
        if of.is_empty() {
            return has_signed(least, signers);
        }
        let least = match *least {
            b"all" => of.len(),
            b"any" => 1,
            number => std::str::from_utf8(number).unwrap().parse().unwrap(),
        };
        let have = of.iter().filter(|of| self.has_witnessed(of, signers));
        least <= have.count()
    }
}

fn has_signed(key: &[u8], signers: &BTreeSet<&str>) -> bool {
    signers.iter().any(|signer| signer.as_bytes() == key)
}
