//! Policies to the byte: the grammar, line by line, and who satisfies one.

use scoresheet::ledger::{Policy, PolicyRefusal, SigningKey, VerifierKey};

use crate::keys;

const TEXT: &str = "example.org/log\n5\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";

fn log() -> SigningKey {
    keys::log("example.org/log")
}

fn witness(n: usize) -> SigningKey {
    keys::witness(&format!("w{n}.example"))
}

fn vkey(n: usize) -> VerifierKey {
    witness(n).verifier_key()
}

/// Puts keys in place of what stands after an `@`: L the log, 1 to 9 witnesses,
/// M and N the key of witness 1 under another name and as that of a log.
fn policy(text: &str) -> Vec<u8> {
    let mut text = text.replace("@L", &log().verifier_key().to_string());
    let public = vkey(1).public_key();
    for (mark, name, kind) in [("@M", "other.example", 4), ("@N", "w1.example", 1)] {
        let key = keys::verifier(name, kind, &public).unwrap();
        text = text.replace(mark, &key.to_string());
    }
    for n in 1..10 {
        text = text.replace(&format!("@{n}"), &vkey(n).to_string());
    }
    text.into_bytes()
}

fn parse(text: &str) -> Result<Policy, String> {
    Policy::parse(&policy(text)).map_err(|fault| fault.to_string())
}

#[test]
fn what_the_grammar_allows_is_read() {
    for text in [
        "quorum none\n",
        "log @L\nquorum none\n",
        "log @L https://example.org/log/\nwitness W @1 https://w.example/\nquorum W\n",
        "quorum none\nlog @L\nwitness W @1\n",
        "\n \t \n# a comment: caf\u{e9}\n  # another\nquorum none\n",
        "\tlog \t @L\t\n  witness\tW\t@1 \nquorum\tW  \n",
        "witness W @1\ngroup g any W\nquorum g\n",
        "witness W @1\ngroup g 1 W\nquorum g\n",
        "witness A @1\nwitness B @2\nwitness C @3\ngroup g 2 A B C\nquorum g\n",
        "witness A @1\nwitness B @2\ngroup g all A B\nwitness C @3\ngroup h any g C\nquorum h\n",
        "witness A @1\nwitness B @2\ngroup g all A B\nquorum A\n",
        "witness all @1\nwitness any @2\ngroup 2 all all any\nquorum 2\n",
        "witness #A @1\nquorum #A\n",
        "witness K @1\nwitness \u{212a} @2\nquorum K\n",
        "log @L\nwitness example.org/log @1\nquorum none\n",
    ] {
        assert!(parse(text).is_ok(), "{text:?}: {:?}", parse(text).err());
    }
    let opaque = b"witness \xff\xfe KEY\nquorum \xff\xfe\n";
    let key = vkey(1).to_string();
    let opaque = opaque.split(|byte| *byte == b'K').collect::<Vec<_>>();
    let opaque = [opaque[0], key.as_bytes(), &opaque[1][2..]].concat();
    assert!(Policy::parse(&opaque).is_ok());
}

/// Policies that are none: the line that is wrong, and what is said of it.
#[rustfmt::skip]
const REFUSALS: [(&str, usize, &str); 41] = [
    ("", 1, "newline"),
    ("quorum none", 1, "newline"),
    ("log @L\n", 1, "quorum"),
    ("quorum none\nquorum none\n", 2, "one quorum"),
    ("quorum\n", 1, "expected `log"),
    ("quorum none none\n", 1, "expected `log"),
    ("Quorum none\n", 1, "expected `log"),
    ("quorum none\r\n", 1, "control"),
    ("quorum none\n\u{b}\n", 2, "control"),
    ("quorum none\n\u{7f}\n", 2, "control"),
    ("quorum\u{a0}none\n", 1, "expected `log"),
    ("quorum none # why\n", 1, "expected `log"),
    ("quorum W\nwitness W @1\n", 1, "not defined"),
    ("log\nquorum none\n", 1, "expected `log"),
    ("log @L a b\nquorum none\n", 1, "expected `log"),
    ("log nonsense\nquorum none\n", 1, "verifier key"),
    ("log @L\nlog @L\nquorum none\n", 2, "already"),
    ("log @N\nlog @M\nquorum none\n", 2, "already"),
    ("witness W\nquorum W\n", 1, "expected `log"),
    ("witness W @L\nquorum W\n", 1, "0x04"),
    ("witness none @1\nquorum none\n", 1, "no name"),
    ("witness W @1\nwitness W @2\nquorum W\n", 2, "defined already"),
    ("witness V @1\nwitness W @1\nquorum W\n", 2, "already"),
    ("witness V @1\nwitness W @M\nquorum W\n", 2, "already"),
    ("witness W @1\ngroup W any W\nquorum W\n", 2, "defined already"),
    ("witness W @1\ngroup none any W\nquorum W\n", 2, "no name"),
    ("witness W @1\ngroup g any\nquorum g\n", 2, "1 to 0"),
    ("witness W @1\ngroup g all\nquorum g\n", 2, "1 to 0"),
    ("witness W @1\ngroup g\nquorum g\n", 2, "expected `log"),
    ("witness W @1\ngroup g 0 W\nquorum g\n", 2, "1 to 1"),
    ("witness W @1\ngroup g 2 W\nquorum g\n", 2, "1 to 1"),
    ("witness W @1\ngroup g 01 W\nquorum g\n", 2, "a number"),
    ("witness W @1\ngroup g +1 W\nquorum g\n", 2, "a number"),
    ("witness W @1\ngroup g ALL W\nquorum g\n", 2, "a number"),
    ("witness W @1\ngroup g any W W\nquorum g\n", 2, "only once"),
    ("witness W @1\ngroup g any none\nquorum g\n", 2, "not defined"),
    ("witness W @1\ngroup g any g\nquorum g\n", 2, "not defined"),
    ("group g any W\nwitness W @1\nquorum g\n", 1, "not defined"),
    ("witness W @1\ngroup g any W\ngroup h any W\nquorum g\n", 3, "only once"),
    ("witness W @1\ngroup g any W\nquorum h\n", 3, "not defined"),
    ("quorum none\nlog @L\nnonsense\n", 3, "expected `log"),
];

#[test]
fn what_the_grammar_does_not_allow_is_refused_with_its_line() {
    for (text, line, what) in REFUSALS {
        let fault = parse(text).unwrap_err();
        let place = format!("line {line} of the policy: ");
        let is_said = fault.starts_with(&place) && fault.contains(what);
        assert!(is_said, "{text:?}: {fault}");
    }
}

#[test]
fn forty_logs_witnesses_and_groups_are_no_problem_and_a_flood_is_refused() {
    let lines = |n: usize| {
        let line = |n: usize| {
            let log = keys::log(&format!("l{n}.example")).verifier_key();
            let witness = witness(n).verifier_key();
            format!("log {log}\nwitness w{n} {witness}\ngroup g{n} any w{n}\n")
        };
        (0..n).map(line).collect::<String>() + "quorum none\n"
    };
    assert!(Policy::parse(lines(40).as_bytes()).is_ok());
    let lines = (1..1100).map(|n| format!("group g{n} any g{}", n - 1));
    let flood = lines.collect::<Vec<_>>().join("\n");
    let flood = format!("witness g0 {}\n{flood}\nquorum none\n", vkey(1));
    assert!(
        Policy::parse(flood.as_bytes())
            .unwrap_err()
            .what
            .contains("at most")
    );
}

/// Judges a checkpoint that the log and these witnesses signed.
fn judge(text: &str, signers: &[&SigningKey]) -> Result<Vec<String>, PolicyRefusal> {
    let policy = parse(text).unwrap();
    let signed = keys::signed(TEXT, signers, 1_700_000_000);
    let judgement = policy.judge(&signed)?;
    let names = judgement.witnesses.iter().map(|signed| signed.by.name());
    Ok(names.map(str::to_owned).collect())
}

#[test]
fn a_quorum_is_met_as_its_groups_say() {
    let two_levels = "log @L\nwitness X1 @1\nwitness X2 @2\nwitness X3 @3\ngroup X 2 X1 X2 X3\n\
                      witness Y1 @4\nwitness Y2 @5\ngroup Y any Y1 Y2\ngroup XY all X Y\nquorum XY\n";
    let all = "log @L\nwitness A @1\nwitness B @2\ngroup g all A B\nquorum g\n";
    let one = "log @L\nwitness A @1\nwitness B @2\nquorum A\n";
    let none = "log @L\nwitness A @1\nquorum none\n";
    for (policy, signers, is_met) in [
        (none, &[][..], true),
        (none, &[1], true),
        (one, &[], false),
        (one, &[2], false),
        (one, &[1], true),
        (one, &[2, 1], true),
        (all, &[1], false),
        (all, &[1, 1], false),
        (all, &[2, 1], true),
        (two_levels, &[1, 2], false),
        (two_levels, &[1, 4], false),
        (two_levels, &[1, 1, 4], false),
        (two_levels, &[4, 5], false),
        (two_levels, &[1, 3, 5], true),
        (two_levels, &[5, 4, 3, 2, 1], true),
        (two_levels, &[9, 8, 7], false),
    ] {
        let witnesses: Vec<_> = signers.iter().map(|n| witness(*n)).collect();
        let log = log();
        let keys: Vec<_> = [&log].into_iter().chain(&witnesses).collect();
        let judged = judge(policy, &keys);
        assert_eq!(judged.is_ok(), is_met, "{policy}{signers:?}: {judged:?}");
        let is_of_quorum = matches!(judged, Err(PolicyRefusal::Quorum { .. }));
        assert_eq!(is_of_quorum, !is_met, "{judged:?}");
    }
}

#[test]
fn only_the_log_itself_speaks_for_the_log() {
    let (other, log, w) = (keys::log("example.org/other"), log(), witness(1));
    let with_other = format!(
        "log @L\nlog {}\nwitness W @1\nquorum W\n",
        other.verifier_key()
    );
    let without = format!("log {}\nwitness W @1\nquorum W\n", other.verifier_key());
    let unsigned = |judged| matches!(judged, Err(PolicyRefusal::Unsigned { .. }));
    assert!(judge(&with_other, &[&log, &w]).is_ok());
    assert!(judge(&with_other, &[&log, &w, &other]).is_ok());
    assert!(unsigned(judge(&with_other, &[&other, &w])));
    assert!(unsigned(judge(&with_other, &[&w])));
    assert!(unsigned(judge(&with_other, &[])));
    let unknown = judge(&without, &[&log, &other, &w]);
    assert!(matches!(unknown, Err(PolicyRefusal::UnknownLog { .. })));
    assert!(judge("quorum none\n", &[&log]).is_err());
    // A known key that fails spoils the rest, whoever it is.
    let mut checkpoint = keys::signed(TEXT, &[&log, &w], 5);
    let mut wrong = other.sign("another text\n", 0);
    wrong.name = other.name().to_owned();
    checkpoint = checkpoint.with(&[wrong.clone()]);
    let refused = parse(&with_other).unwrap();
    let refused = refused.judge(&checkpoint);
    assert!(matches!(refused, Err(PolicyRefusal::Wrong { .. })));
    let policy = parse("log @L\nwitness W @1\nquorum W\n").unwrap();
    assert!(
        policy.judge(&checkpoint).is_ok(),
        "unknown keys are passed over"
    );
    // Only what verifies, by keys that are named, is worth adding.
    let unsigned = keys::signed(TEXT, &[], 0);
    let (good, mut bad) = (w.sign(TEXT, 7), w.sign(TEXT, 8));
    assert_eq!(
        policy.pick(&unsigned, &[wrong, good.clone()]),
        Ok(vec![good.clone()])
    );
    bad.bytes[20] ^= 1;
    assert!(policy.pick(&unsigned, &[good, bad]).is_err());
}
