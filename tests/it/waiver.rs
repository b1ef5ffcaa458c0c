//! What looks like a credential is refused; what is none can be said to be none,
//! for one place in one document.

use scoresheet::digest::Digest;
use scoresheet::event::{Event, Verified, WaiverRecorded};
use scoresheet::ledger::{LedgerError, Waivers, put_blob};

use crate::bundle::{Bundle, Outcome};
use crate::story::{event, expense};

/// What looks like a key, made here so that the project itself holds none.
fn key() -> String {
    ["gsk", "_", &"aB3dE5gH7k".repeat(4)].concat()
}

/// What nobody may be shown of it.
fn core() -> String {
    key()[6..].to_owned()
}

fn line(note: &str) -> Verified<Event> {
    event(expense(note))
}

/// Offers these lines to `append`.
fn append(bundle: &Bundle, lines: &[&Verified<Event>]) -> (Outcome, String) {
    let lines: String = lines
        .iter()
        .map(|event| event.line().to_owned() + "\n")
        .collect();
    bundle.write("lines", lines.as_bytes());
    let path = bundle.at("lines");
    let words = ["append", path.to_str().unwrap()];
    let (out, err) = bundle.program(&words);
    let code = u8::from(!err.is_empty()) * 2;
    (Outcome { out, code }, err)
}

/// Says that the first line of what was offered last is no credential.
fn waive(bundle: &Bundle, extra: &[&str]) -> (String, String) {
    let path = bundle.at("lines");
    let words = ["waive", path.to_str().unwrap(), "--reason", "made up"];
    bundle.program(&[&words, extra].concat())
}

fn waiver(document: &[u8], rule: &str, start: usize, end: usize) -> WaiverRecorded {
    let count = |n: usize| u32::try_from(n).unwrap().into();
    WaiverRecorded {
        end: count(end),
        reason: "made up".to_owned(),
        rule: rule.parse().unwrap(),
        sha256: Digest::of(document),
        start: count(start),
    }
}

/// Where the key is in a line, and what the waiver of it is.
fn waiver_of(line: &Verified<Event>) -> WaiverRecorded {
    let start = line.line().find(&key()).unwrap();
    waiver(line.line().as_bytes(), "groq", start, start + key().len())
}

#[test]
fn a_waived_line_is_taken_and_no_other_with_the_same_words() {
    let bundle = Bundle::played();
    let (first, second) = (line(&key()), line(&format!("again {}", key())));
    let (refused, err) = append(&bundle, &[&first]);
    assert_eq!(refused.code, 2);
    assert!(
        err.contains("groq") && err.contains("scoresheet waive"),
        "{err}"
    );
    let (dry, _) = waive(&bundle, &["--line", "1", "--dry-run"]);
    assert!(dry.contains("\"kind\":\"waiver.recorded\""), "{dry}");
    assert_eq!(
        append(&bundle, &[&first]).0.code,
        2,
        "nothing was recorded yet"
    );
    let (said, err) = waive(&bundle, &["--line", "1"]);
    assert!(said.contains("groq is silent about bytes"), "{said}{err}");
    let (again, _) = waive(&bundle, &["--line", "1"]);
    assert!(again.contains("not waived yet"), "{again}");
    let (taken, err) = append(&bundle, &[&first]);
    assert_eq!(taken.code, 0, "{err}");
    assert_eq!(append(&bundle, &[&second]).0.code, 2, "another line");
    for text in [dry, said, again, err] {
        assert!(!text.contains(&core()), "{text}");
    }
    bundle.must(&["verify"]);
}

#[test]
fn a_waiver_in_the_same_input_holds_for_the_lines_behind_it() {
    let bundle = Bundle::played();
    let line = line(&key());
    let waiver = event(waiver_of(&line));
    assert_eq!(append(&bundle, &[&line, &waiver]).0.code, 2, "too late");
    let (taken, err) = append(&bundle, &[&waiver, &line]);
    assert_eq!(taken.code, 0, "{err}");
}

#[test]
fn a_waiver_of_anything_else_waives_nothing() {
    let bundle = Bundle::played();
    let line = line(&key());
    let right = waiver_of(&line);
    let next = |n: scoresheet::canonical::Count| u32::try_from(n.get() + 1).unwrap().into();
    for wrong in [
        WaiverRecorded {
            end: next(right.end),
            ..right.clone()
        },
        WaiverRecorded {
            start: next(right.start),
            ..right.clone()
        },
        WaiverRecorded {
            rule: "openai".parse().unwrap(),
            ..right.clone()
        },
        WaiverRecorded {
            sha256: Digest::of(b"another"),
            ..right.clone()
        },
        // The id of the event is no digest of the document.
        WaiverRecorded {
            sha256: *line.id().digest(),
            ..right.clone()
        },
    ] {
        let (refused, err) = append(&bundle, &[&event(wrong), &line]);
        assert_eq!(refused.code, 2, "{err}");
    }
    assert_eq!(append(&bundle, &[&event(right), &line]).0.code, 0);
}

#[test]
fn a_waiver_never_carries_what_it_is_about() {
    let bundle = Bundle::played();
    let secret = WaiverRecorded {
        reason: format!("{} is made up", key()),
        ..waiver(b"x", "groq", 0, 1)
    };
    let carrier = event(secret);
    // Not even where another waiver speaks for its own line.
    let accomplice = event(waiver_of(&carrier));
    let (refused, err) = append(&bundle, &[&accomplice, &carrier]);
    assert_eq!(refused.code, 2);
    assert!(err.contains("line 2") && !err.contains(&core()), "{err}");
    bundle.write("lines", line(&key()).line().as_bytes());
    let path = bundle.at("lines");
    let words = ["waive", path.to_str().unwrap(), "--reason", &key()];
    let (out, err) = bundle.program(&words);
    assert!(err.contains("looks like a credential"), "{err}");
    assert!(!(out + &err).contains(&core()));
    assert!(!bundle.must(&["verify"]).contains("waiver"));
}

#[test]
fn public_blobs_are_refused_like_lines_and_waived_like_lines() {
    let bundle = Bundle::played();
    let files = bundle.files();
    let blob = format!("an engine's manual says {} and no more", key());
    let disk = bundle.disk();
    let refused = put_blob(&disk, blob.as_bytes(), &Waivers::default()).unwrap_err();
    assert!(
        matches!(&refused, LedgerError::Secret { rule: "groq", .. }),
        "{refused}"
    );
    assert!(!format!("{refused} {refused:?}").contains(&core()));
    assert!(bundle.files() == files);
    let start = blob.find(&key()).unwrap();
    let waived = event(waiver(blob.as_bytes(), "groq", start, start + key().len()));
    let mut waivers = Waivers::default();
    waivers.take(&waived);
    put_blob(&disk, blob.as_bytes(), &waivers).unwrap();
    let other = blob.replace("manual", "MANUAL");
    put_blob(&disk, other.as_bytes(), &waivers).unwrap_err();
}

#[test]
fn an_audit_hears_what_the_ledger_waives_also_when_that_comes_later() {
    let bundle = Bundle::played();
    let line = line(&key());
    bundle.append(std::slice::from_ref(&line));
    bundle.release();
    let audit = || bundle.run(&["audit", "--format", "json"]);
    let refused = audit();
    assert!(
        refused.out.contains("secret-like") && refused.code == 1,
        "{}",
        refused.out
    );
    assert!(!refused.out.contains(&core()));
    bundle.append(&[event(waiver_of(&line))]);
    // The release does not know of it before it is bound to a later checkpoint.
    assert!(audit().out.contains("secret-like"));
    bundle.bind();
    let passed = audit();
    assert!(!passed.out.contains("secret-like"), "{}", passed.out);
}

#[test]
fn what_was_typed_is_not_quoted_back_where_it_looks_like_a_credential() {
    let bundle = Bundle::played();
    for words in [
        vec![key()],
        vec!["verify".to_owned(), format!("--{}", key())],
        vec!["show".to_owned(), key()],
        ["freeze", "t", "--by", &key()].map(str::to_owned).to_vec(),
        vec!["append".to_owned(), key()],
        vec!["--ledger".to_owned(), key(), "verify".to_owned()],
        vec![
            "board".to_owned(),
            "placement".to_owned(),
            "--cohort".to_owned(),
            key(),
        ],
    ] {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (out, err) = bundle.program(&words);
        assert!(!err.is_empty(), "{words:?}");
        assert!(!(out + &err).contains(&core()), "{words:?}: {err}");
    }
}
