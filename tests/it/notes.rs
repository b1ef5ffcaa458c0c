//! Signed notes to the byte: the worked example of the specification, what is
//! no note, and whose signatures count.

use scoresheet::ledger::{KeyKind, Note, SignedCheckpoint, SigningKey, VerifierKey};

use crate::keys;

/// The worked example of C2SP signed-note.
pub(crate) const VKEY: &str =
    "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
pub(crate) const NOTE: &str = "This is an example message.\n\n\u{2014} example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";

/// The checkpoint on the pages of C2SP tlog-cosignature, with its signatures.
pub(crate) const COSIGNED: &str = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n\u{2014} example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n\u{2014} witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n";

fn vkey() -> VerifierKey {
    VKEY.parse().unwrap()
}

fn parse(text: &str) -> Result<Note, String> {
    Note::parse(text.as_bytes()).map_err(|fault| fault.to_string())
}

#[test]
fn the_worked_example_of_the_specification_verifies_and_reads_back() {
    let note = parse(NOTE).unwrap();
    assert_eq!(note.text(), "This is an example message.\n");
    assert_eq!(note.to_string(), NOTE);
    let key = vkey();
    assert_eq!(key.to_string(), VKEY);
    assert_eq!(key.key_id(), [0x53, 0x0d, 0x90, 0x3a]);
    assert_eq!(keys::names(&note, &[&key]).unwrap(), ["example.com/foo"]);
}

#[test]
fn every_single_bit_of_the_worked_example_matters() {
    let key = vkey();
    for at in 0..NOTE.len() {
        for bit in 0..8 {
            let mut bytes = NOTE.as_bytes().to_vec();
            bytes[at] ^= 1 << bit;
            let believed = Note::parse(&bytes).is_ok_and(|note| note.verify(&[&key]).is_ok());
            assert!(!believed, "byte {at} bit {bit}");
        }
    }
}

#[test]
fn the_checkpoint_of_the_specification_reads_back_with_both_kinds_of_signature() {
    let checkpoint = SignedCheckpoint::parse(COSIGNED.as_bytes()).unwrap();
    assert_eq!(checkpoint.to_string(), COSIGNED);
    assert_eq!(checkpoint.checkpoint().size, 20_852_163);
    let signers = ["example.com/behind-the-sofa", "witness.example.com/w1"];
    assert_eq!(checkpoint.signers(), signers);
    let lengths = checkpoint.note().signatures().iter();
    let lengths: Vec<_> = lengths.map(|signature| signature.bytes.len()).collect();
    assert_eq!(lengths, [64, 72]);
}

#[test]
fn a_text_may_hold_empty_lines_and_even_what_looks_like_signatures() {
    let key = keys::log("example.org/log");
    let line = NOTE.lines().last().unwrap();
    for text in [
        "a\n\nb\n",
        "\n",
        "a\n\n\n\n",
        "\n\na\n",
        &format!("a\n\n{line}\n"),
        "caf\u{e9} \u{265e}\n",
    ] {
        let note = format!("{text}\n{}\n", key.sign(text, 0));
        let note = parse(&note).unwrap();
        assert_eq!(note.text(), text);
        let verifier = key.verifier_key();
        assert_eq!(
            keys::names(&note, &[&verifier]).unwrap(),
            ["example.org/log"]
        );
    }
}

#[test]
fn what_is_no_note_is_refused_with_its_line() {
    let line = NOTE.lines().last().unwrap();
    let spaced = line.replacen("foo ", "foo\u{a0} ", 1);
    for (note, place) in [
        (String::new(), "line 1"),
        ("text\n".to_owned(), "line 1"),
        ("text\n\n".to_owned(), "line 3"),
        (format!("text\n{line}\n"), "line 1"),
        (format!("text\n\n{line}"), "line 3"),
        (format!("text\n\n{line}\n\n"), "line 5"),
        (format!("text\n\n{line}\nmore\n"), "line 4"),
        (format!("text\n\n {line}\n"), "line 3"),
        (format!("text\n\n{line} \n"), "line 3"),
        (
            format!("text\n\n{}\n", line.replace('\u{2014}', "-")),
            "line 3",
        ),
        (
            format!("text\n\n{}\n", line.replace("foo ", "foo  ")),
            "line 3",
        ),
        (
            format!("text\n\n{}\n", line.replace("/foo", "+foo")),
            "line 3",
        ),
        (format!("text\n\n{spaced}\n"), "line 3"),
        (
            format!("text\n\n{}\n", line.replace("example.com/foo", "")),
            "line 3",
        ),
        (format!("text\n\n{}\n", line.replace('=', "")), "line 3"),
        (
            format!("text\n\n{}\n", line.replace("QM=", "QN=")),
            "line 3",
        ),
        ("text\n\n\u{2014} name Uw2QOg==\n".to_owned(), "line 3"),
        (format!("te\txt\n\n{line}\n"), "line 1"),
        (format!("text\r\n\n{line}\n"), "line 1"),
        (format!("a\nte\0xt\n\n{line}\n"), "line 2"),
    ] {
        let fault = parse(&note).unwrap_err();
        assert!(fault.starts_with(place), "{note:?}: {fault}");
    }
    let not_utf8 = [b"te\xffxt\n\n", line.as_bytes(), b"\n"].concat();
    assert!(Note::parse(&not_utf8).is_err());
    let many = |n: usize| format!("text\n\n{}", format!("{line}\n").repeat(n));
    assert!(parse(&many(16)).is_ok() && parse(&many(128)).is_ok());
    assert!(parse(&many(129)).is_err());
    let large = format!("{}\n\n{line}\n", "x".repeat(1 << 20));
    assert!(parse(&large).is_err());
}

#[test]
fn unknown_keys_are_passed_over_and_a_known_key_that_fails_refuses_the_note() {
    let text = "a text\n";
    let (a, b) = (keys::log("example.org/a"), keys::log("example.org/b"));
    let (key_a, key_b) = (a.verifier_key(), b.verifier_key());
    let (by_a, by_b) = (a.sign(text, 0), b.sign(text, 0));
    let note = |lines: &[String]| {
        let lines = lines.join("\n") + "\n";
        parse(&format!("{text}\n{lines}")).unwrap()
    };
    let line = |signature: &scoresheet::ledger::NoteSignature| signature.to_string();
    let wrong = {
        let mut wrong = b.sign("another text\n", 0);
        wrong.name.clone_from(&by_b.name);
        wrong
    };
    // Another key under the name of A, and one with the id of A under another name.
    let mut same_name = by_b.clone();
    same_name.name.clone_from(&by_a.name);
    let mut same_id = by_b.clone();
    same_id.key_id = by_a.key_id;

    let both = note(&[line(&by_a), line(&by_b)]);
    assert_eq!(keys::names(&both, &[&key_a]).unwrap(), ["example.org/a"]);
    assert_eq!(keys::names(&both, &[&key_a, &key_b]).unwrap().len(), 2);
    for stranger in [&same_name, &same_id, &wrong] {
        let note = note(&[line(stranger), line(&by_a)]);
        assert_eq!(keys::names(&note, &[&key_a]).unwrap(), ["example.org/a"]);
    }
    let refused = keys::names(&note(&[line(&by_a), line(&wrong)]), &[&key_a, &key_b]);
    assert_eq!(
        refused.unwrap_err(),
        "the signature by example.org/b does not verify"
    );
    let refused = keys::names(&note(&[line(&by_a), line(&by_a)]), &[&key_b]);
    assert_eq!(refused.unwrap_err(), "none of the known keys has signed");
    assert!(both.verify(&[]).is_err());
}

#[test]
fn a_verifier_key_has_one_spelling_and_holds_a_sound_key() {
    let public = keys::log("example.org/log").verifier_key().public_key();
    assert!(keys::verifier("example.org/log", 1, &public).is_ok());
    assert!(keys::verifier("example.org/log", 4, &public).is_ok());
    for kind in [0, 2, 3, 5, 6, 255] {
        let refused = keys::verifier("example.org/log", kind, &public).unwrap_err();
        assert!(refused.contains("type"), "{refused}");
    }
    // The neutral element: under it anything would verify.
    let mut neutral = [0; 32];
    neutral[0] = 1;
    assert!(keys::verifier("example.org/log", 1, &neutral).is_err());
    // No point of the curve.
    assert!(keys::verifier("example.org/log", 1, &[2; 32]).is_err());
    for name in ["", "a b", "a\u{2003}b", "a\tb"] {
        assert!(keys::verifier(name, 1, &public).is_err(), "{name:?}");
    }
    for text in [
        VKEY.replace("530d903a", "530d903b"),
        VKEY.replace("530d903a", "530D903A"),
        VKEY.replace("530d903a", "+30d903a"),
        VKEY.replace("foo", "bar"),
        VKEY.replacen('+', " ", 1),
        VKEY[..VKEY.len() - 1].to_owned(),
        format!("{VKEY}="),
        format!(" {VKEY}"),
        format!("{VKEY}\n"),
        "example.com/foo".to_owned(),
        String::new(),
    ] {
        assert!(text.parse::<VerifierKey>().is_err(), "{text:?}");
    }
}

#[test]
fn the_order_of_the_curve_added_to_a_signature_makes_no_second_one() {
    // L of RFC 8032, little-endian: S + L signs what S signs, unless one is strict.
    const ORDER: [u8; 32] = [
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde,
        0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ];
    let key = keys::log("example.org/log");
    let text = "a text\n";
    let mut signature = key.sign(text, 0);
    let mut carry = 0;
    for (byte, add) in signature.bytes[32..].iter_mut().zip(ORDER) {
        let sum = u16::from(*byte) + u16::from(add) + carry;
        *byte = sum.to_le_bytes()[0];
        carry = sum >> 8;
    }
    let note = parse(&format!("{text}\n{signature}\n")).unwrap();
    assert!(note.verify(&[&key.verifier_key()]).is_err());
}

#[test]
fn a_cosignature_is_over_its_time_and_the_whole_text() {
    let witness = keys::witness("witness.example");
    let text = "example.org/log\n5\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";
    let key = witness.verifier_key();
    assert_eq!(key.kind(), KeyKind::Cosignature);
    let time = 1_679_315_147;
    let signed = keys::signed(text, &[&witness], time);
    let verified = signed.note().verify(&[&key]).unwrap();
    assert_eq!(verified[0].unix_seconds, Some(time));
    // What is signed, spelled out and signed by hand.
    let by_hand = keys::log("witness.example");
    let message = format!("cosignature/v1\ntime {time}\n{text}");
    let seed_of_both = [0x11; 32];
    let log = SigningKey::from_seed("x", KeyKind::Note, &seed_of_both).unwrap();
    let cosigner = SigningKey::from_seed("x", KeyKind::Cosignature, &seed_of_both).unwrap();
    assert_eq!(cosigner.sign(text, time).bytes[..8], time.to_be_bytes());
    assert_eq!(
        cosigner.sign(text, time).bytes[8..],
        log.sign(&message, 0).bytes
    );
    assert_ne!(by_hand.verifier_key().key_id(), key.key_id());
    // Another time, a time beyond 2^63-1, an extension line, a shorter signature.
    let spoil = |spoil: &dyn Fn(&mut scoresheet::ledger::NoteSignature)| {
        let mut signature = witness.sign(text, time);
        spoil(&mut signature);
        let checkpoint = SignedCheckpoint::parse(text.as_bytes()).unwrap();
        let checkpoint = checkpoint.with(&[signature]);
        checkpoint.note().verify(&[&key]).is_err()
    };
    assert!(!spoil(&|_| ()));
    assert!(spoil(&|signature| signature.bytes[7] ^= 1));
    assert!(spoil(&|signature| signature.bytes[0] |= 0x80));
    assert!(spoil(&|signature| signature.bytes.truncate(71)));
    assert!(spoil(&|signature| signature.bytes.truncate(7)));
    let beyond = witness.sign(text, 1 << 63);
    assert!(spoil(&|signature| *signature = beyond.clone()));
    let extended = format!("{text}an extension\n");
    let extended = SignedCheckpoint::parse(extended.as_bytes()).unwrap();
    let extended = extended.with(&[witness.sign(text, time)]);
    assert!(extended.note().verify(&[&key]).is_err());
}

#[test]
fn a_checkpoint_has_three_lines_or_more_and_one_spelling() {
    let root = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";
    let parse = |text: &str| SignedCheckpoint::parse(text.as_bytes());
    for text in [
        format!("o\n0\n{root}\n"),
        format!("o\n18446744073709551615\n{root}\n"),
        format!("o\n5\n{root}\nan extension\n"),
    ] {
        assert_eq!(parse(&text).unwrap().to_string(), text);
    }
    for text in [
        String::new(),
        "o\n5\n".to_owned(),
        format!("o\n5\n{root}"),
        format!("\n5\n{root}\n"),
        format!("a b\n5\n{root}\n"),
        format!("a+b\n5\n{root}\n"),
        format!("o\n05\n{root}\n"),
        format!("o\n+5\n{root}\n"),
        format!("o\n-5\n{root}\n"),
        format!("o\n5 \n{root}\n"),
        format!("o\n18446744073709551616\n{root}\n"),
        format!("o\n5\n{}\n", &root[..43]),
        format!("o\n5\n{}\n", root.replace("I=", "J=")),
        format!("o\n5\n{}\n", &root[4..]),
        format!("o\n5\n{root}\n\n"),
        format!("o\n5\n{root}\n\nmore\n"),
        format!("o\n5\n{root}\r\n"),
    ] {
        assert!(parse(&text).is_err(), "{text:?}");
    }
}
