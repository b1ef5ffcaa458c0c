//! Notes, checkpoints, proofs, policies and keys to begin with.

use std::convert::Infallible;

use scoresheet::digest::{Frontier, LeafHash, Root, consistency_proof, inclusion_proof};
use scoresheet::ledger::SignedCheckpoint;

use super::{Named, Seed, named, signing_key, texts};
use crate::harness::note::TEXT;
use crate::harness::{VEIL, rot13};
use crate::keys;
use crate::notes::{COSIGNED, NOTE, VKEY};

pub(crate) fn all() -> Vec<Seed> {
    let mut seeds = named("note", notes());
    seeds.extend(named("proof", proofs()));
    seeds.extend(named("witness", requests()));
    seeds.extend(named("policy", policies()));
    seeds.extend(named("key", all_keys()));
    seeds
}

fn signed(text: &str, who: &[&str]) -> SignedCheckpoint {
    let keys: Vec<_> = who
        .iter()
        .map(|name| match name.strip_suffix(".example") {
            Some(_) => keys::witness(name),
            None => keys::log(name),
        })
        .collect();
    let keys: Vec<_> = keys.iter().collect();
    keys::signed(text, &keys, 1_700_000_000)
}

fn notes() -> Named {
    let both = signed(TEXT, &["example.org/log", "w1.example"]).to_string();
    let line = NOTE.lines().last().unwrap();
    let answer = both.lines().skip(4).collect::<Vec<_>>().join("\n") + "\n";
    let extended = TEXT.to_owned() + "a line of its own\n";
    let wrong = both.replacen("\n17\n", "\n18\n", 1);
    let mut files = texts([
        ("worked-example", NOTE),
        ("cosigned-checkpoint", COSIGNED),
        ("checkpoint-by-both", &both),
        ("checkpoint-unsigned", TEXT),
        ("checkpoint-with-another-line", &extended),
        ("checkpoint-whose-size-was-changed", &wrong),
        ("signature-lines", &answer),
        (
            "blank-lines-in-the-text",
            &format!("a\n\n\n\nb\n\n{line}\n"),
        ),
        ("signature-in-the-text", &format!("a\n\n{line}\n\n{line}\n")),
        ("the-same-signature-twice", &format!("{NOTE}{line}\n")),
        ("no-empty-line", &format!("a\n{line}\n")),
        ("no-final-newline", &format!("a\n\n{line}")),
        ("no-signature", "a\n\n"),
        ("space-behind", &format!("a\n\n{line} \n")),
        ("control-character", &format!("a\tb\n\n{line}\n")),
        ("bits-left-over", &NOTE.replace("QM=", "QN=")),
        ("name-with-plus", &NOTE.replace("/foo ", "+foo ")),
        ("size-with-leading-zero", &TEXT.replace("17", "017")),
        ("size-beyond", &TEXT.replace("17", "18446744073709551616")),
        ("root-too-short", &TEXT.replace("CsUY", "")),
    ]);
    let not_utf8 = [b"te\xffxt\n\n", line.as_bytes(), b"\n"].concat();
    files.push(("not-utf8".to_owned(), not_utf8));
    files
}

fn leaf(index: u64) -> LeafHash {
    LeafHash::of(format!("event {index}").as_bytes())
}

fn perfect(level: u32, index: u64) -> Root {
    let mut tree = Frontier::default();
    for index in index << level..(index + 1) << level {
        tree.push(&leaf(index));
    }
    tree.root()
}

/// The same, as those ask for it who expect that it may fail.
const PERFECT: fn(u32, u64) -> Result<Root, Infallible> = |level, index| Ok(perfect(level, index));

fn root(size: u64) -> Root {
    scoresheet::digest::root_of(size, PERFECT).unwrap()
}

fn lines(hashes: &[Root]) -> String {
    let line = |hash: &Root| keys::base64(hash.as_bytes()) + "\n";
    hashes.iter().map(line).collect()
}

fn checkpoint(size: u64, who: &[&str]) -> String {
    let root = keys::base64(root(size).as_bytes());
    let text = format!("example.org/log\n{size}\n{root}\n");
    signed(&text, who).to_string()
}

fn inclusion(index: u64, size: u64) -> String {
    let hashes = lines(&inclusion_proof(index, size, PERFECT).unwrap());
    let extra = keys::base64(format!("event {index}").as_bytes());
    let checkpoint = checkpoint(size, &["example.org/log"]);
    format!("c2sp.org/tlog-proof@v1\nextra {extra}\nindex {index}\n{hashes}\n{checkpoint}")
}

fn consistency(old: u64, size: u64, who: &[&str]) -> String {
    let hashes = lines(&consistency_proof(old, size, PERFECT).unwrap());
    format!("old {old}\n{hashes}\n{}", checkpoint(size, who))
}

fn proofs() -> Named {
    let mut files = Vec::new();
    for (index, size) in [(0, 1), (2, 5), (6, 7), (7, 8), (9, 100)] {
        let proof = inclusion(index, size).into_bytes();
        files.push((format!("inclusion-{index}-of-{size}"), proof));
    }
    for (old, size) in [(0, 5), (1, 2), (4, 7), (6, 7), (8, 8), (63, 100)] {
        let proof = consistency(old, size, &["example.org/log"]).into_bytes();
        files.push((format!("consistency-{old}-to-{size}"), proof));
    }
    let proof = inclusion(2, 5);
    let hash = keys::base64(root(3).as_bytes());
    let flood = format!("{hash}\n").repeat(65);
    files.extend(texts([
        ("no-extra", &proof.replace("extra ZXZlbnQgMg==\n", "")),
        ("unsigned", &proof[..proof.find('\u{2014}').unwrap() - 1]),
        (
            "extra-empty",
            &proof.replace("extra ZXZlbnQgMg==\n", "extra \n"),
        ),
        ("another-title", &proof.replace("@v1", "@v2")),
        ("index-with-sign", &proof.replace("index 2", "index +2")),
        ("index-beyond", &proof.replace("index 2", "index 5")),
        (
            "hash-too-many",
            &proof.replace("\n\n", &format!("\n{hash}\n\n")),
        ),
        (
            "flood-of-hashes",
            &proof.replace("\n\n", &format!("\n{flood}\n")),
        ),
        (
            "old-larger",
            &consistency(8, 8, &[]).replace("old 8", "old 9"),
        ),
        ("nothing-but-a-title", "c2sp.org/tlog-proof@v1\n"),
    ]));
    files
}

fn requests() -> Named {
    let log = &["example.org/log"];
    texts([
        ("from-nothing", &consistency(0, 5, log)),
        ("empty-tree", &consistency(0, 0, log)),
        ("from-another-size", &consistency(3, 5, log)),
        (
            "a-hash-too-many",
            &consistency(3, 5, log).replace("old 3", "old 0"),
        ),
        ("smaller", &consistency(5, 5, log).replace("old 5", "old 6")),
        ("unsigned", &consistency(0, 5, &[])),
        (
            "signed-by-another",
            &consistency(0, 5, &["example.org/other"]),
        ),
        (
            "signed-for-another-size",
            &consistency(0, 5, log).replace("\n5\n", "\n6\n"),
        ),
        (
            "of-another-log",
            &consistency(0, 5, log).replace("org/log\n", "org/other\n"),
        ),
        (
            "signed-by-a-witness-too",
            &consistency(0, 7, &["example.org/log", "w1.example"]),
        ),
    ])
}

/// Puts keys in place of what stands after an `@`: L the log, 1 to 9 witnesses.
fn policy(text: &str) -> String {
    let log = keys::log("example.org/log").verifier_key();
    let mut text = text.replace("@L", &log.to_string());
    for n in 1..10 {
        let key = keys::witness(&format!("w{n}.example")).verifier_key();
        text = text.replace(&format!("@{n}"), &key.to_string());
    }
    text
}

fn policies() -> Named {
    let two_levels = "log @L https://example.org/log/\nwitness X1 @1\nwitness X2 @2\nwitness X3 @3\ngroup X 2 X1 X2 X3\nwitness Y1 @4 https://y.example/\ngroup Y any Y1\ngroup XY all X Y\nquorum XY\n";
    let files = [
        ("nobody", "quorum none\n"),
        ("log-alone", "log @L\nquorum none\n"),
        ("one-witness", "log @L\nwitness W @1\nquorum W\n"),
        (
            "all-of-two",
            "log @L\nwitness A @1\nwitness B @2\ngroup g all A B\nquorum g\n",
        ),
        ("two-levels", two_levels),
        ("quorum-first", "quorum none\nlog @L\nwitness W @1\n"),
        (
            "spaced",
            "\tlog \t @L\t\n\n  # a comment: caf\u{e9}\n witness\tW\t@1 \nquorum\tW  \n",
        ),
        (
            "words-as-names",
            "log @L\nwitness all @1\nwitness any @2\ngroup 2 all all any\nquorum 2\n",
        ),
        ("hash-as-name", "log @L\nwitness #A @1\nquorum #A\n"),
        (
            "key-as-log-and-witness",
            "log @L\nlog @1\nwitness W @1\nquorum W\n",
        ),
        ("no-quorum", "log @L\n"),
        ("two-quorums", "quorum none\nquorum none\n"),
        ("member-twice", "witness W @1\ngroup g any W W\nquorum g\n"),
        ("group-of-itself", "witness W @1\ngroup g any g\nquorum g\n"),
        (
            "threshold-with-zero",
            "witness W @1\ngroup g 01 W\nquorum g\n",
        ),
        (
            "threshold-too-high",
            "witness W @1\ngroup g 2 W\nquorum g\n",
        ),
        ("carriage-return", "quorum none\r\n"),
        ("no-final-newline", "quorum none"),
        ("log-key-as-witness", "witness W @L\nquorum W\n"),
    ];
    let mut files: Named = files
        .map(|(name, text)| (name.to_owned(), policy(text).into_bytes()))
        .to_vec();
    let name = policy("log @L\nwitness N @1\nquorum N\n").into_bytes();
    let opaque = name
        .split(|byte| *byte == b'N')
        .collect::<Vec<_>>()
        .join(&b"\xff\xfe"[..]);
    files.push(("name-not-utf8".to_owned(), opaque));
    files
}

fn all_keys() -> Named {
    let log = keys::log("example.org/log").verifier_key().to_string();
    let witness = keys::witness("w1.example").verifier_key().to_string();
    let small_order = keys::base64(&[&[1][..], &[0; 32]].concat());
    let mut files = texts([
        ("worked-example", VKEY),
        ("log", &log),
        ("witness", &witness),
        ("another-id", &log.replacen('+', "+0", 1)),
        ("capital-id", &VKEY.replace("530d903a", "530D903A")),
        ("of-small-order", &format!("a+00000000+{small_order}")),
        ("two-parts", "example.org/log+12345678"),
        ("name-with-space", &log.replace("/log", " log")),
    ]);
    for (name, kind) in [("signing-of-a-log", 1), ("signing-of-a-witness", 4)] {
        let line = signing_key("example.org/nobody", kind, &[7; 32]);
        files.push((name.to_owned(), [VEIL, &rot13(line.as_bytes())].concat()));
        let wrong = line.replacen("nobody", "somebody", 1);
        let wrong = [VEIL, &rot13(wrong.as_bytes())].concat();
        files.push((format!("{name}-with-another-name"), wrong));
    }
    files
}
