//! The world as the ledger stood then: a size, a checkpoint, a day.

use std::process::Command;

use scoresheet::digest::Digest;
use scoresheet::ledger::{Checkpoint, Prefix};

use crate::bundle::Bundle;
use crate::story::{event_at, expense, story};

/// The smallest ledger on its day, and what came on later days.
const DAY: &str = "2026-11-29";

/// What a command said, and how it ended.
struct Said {
    out: String,
    error: String,
    code: i32,
}

/// Runs a command in the folder of the project, where relative paths lead.
fn say(bundle: &Bundle, args: &[&str]) -> Said {
    let done = Command::new(env!("CARGO_BIN_EXE_scoresheet"))
        .args(args)
        .current_dir(bundle.folder())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Said {
        out: text(done.stdout),
        error: text(done.stderr),
        code: done.status.code().unwrap(),
    }
}

fn append_at(bundle: &Bundle, times: &[&str]) {
    let first = size(bundle);
    let numbers = first..;
    let events: Vec<_> = numbers
        .zip(times)
        .map(|(number, time)| event_at(time, expense(&format!("bill {number}"))))
        .collect();
    bundle.append(&events);
}

fn size(bundle: &Bundle) -> u64 {
    Prefix::open(&bundle.disk()).unwrap().size()
}

/// A ledger of two days, and its size on the first.
fn two_days() -> (Bundle, u64) {
    let bundle = Bundle::played();
    append_at(&bundle, &["2026-11-29T23:59:59.999Z"]);
    let size = size(&bundle);
    append_at(
        &bundle,
        &["2026-11-30T00:00:00.000Z", "2026-11-30T08:00:00.000Z"],
    );
    (bundle, size)
}

/// The size of the prefix that is meant.
fn size_at(bundle: &Bundle, at: &str) -> u64 {
    let said = say(bundle, &["checkpoint", "--dry-run", "--at", at]);
    assert_eq!(said.code, 0, "{}", said.error);
    said.out.lines().nth(1).unwrap().parse().unwrap()
}

/// How `--at` is refused: the exit code and the message.
fn refusal(bundle: &Bundle, at: &str) -> (i32, String) {
    let said = say(bundle, &["checkpoint", "--dry-run", "--at", at]);
    assert_eq!(said.out, "", "{at}");
    (said.code, said.error)
}

/// The checkpoint at this size, of the ledger as it is.
fn checkpoint(bundle: &Bundle, size: u64) -> Checkpoint {
    let disk = bundle.disk();
    let prefix = Prefix::open(&disk).unwrap();
    Checkpoint {
        origin: prefix.description().origin.clone(),
        size,
        root: prefix.read(size, |_, _| ()).unwrap(),
    }
}

#[test]
fn every_reading_command_takes_a_size_a_checkpoint_and_a_day() {
    let (bundle, size) = two_days();
    bundle.must(&["checkpoint", "--at", &size.to_string()]);
    let then = checkpoint(&bundle, size);
    bundle.write("kept", then.to_string().as_bytes());
    let stored = format!("ledger/checkpoints/{size}");
    let forms = [
        &size.to_string(),
        DAY,
        "kept",
        &stored,
        &then.root.to_string(),
    ];
    let game = story().games[0].to_string();
    let commands: [&[&str]; 9] = [
        &["board", "placement"],
        &["show"],
        &["show", &game, "--format", "json"],
        &["bodies", &game],
        &["export", "pgn"],
        &["index"],
        &["checkpoint"],
        &["prove", "1"],
        &["prove", "--from", "1"],
    ];
    for command in commands {
        let said = forms.map(|form| {
            let said = say(&bundle, &[command, &["--at", form]].concat());
            assert_eq!(said.code, 0, "{command:?} {form}: {}", said.error);
            said.out
        });
        assert!(said.iter().all(|other| *other == said[0]), "{said:#?}");
        let is_of_then = said[0].contains(&then.root.to_string())
            || said[0].contains(&then.to_string())
            || matches!(command[0], "show" | "bodies");
        assert!(is_of_then, "{command:?}: {}", said[0]);
    }
    for form in forms {
        let folder = format!("tiles-{}", Digest::of(form.as_bytes()));
        let said = say(&bundle, &["ledger", "export", &folder, "--at", form]);
        assert_eq!(said.code, 0, "{}", said.error);
        let wanted = format!("exported t, {size} events, root {}", then.root);
        assert!(said.out.starts_with(&wanted), "{}", said.out);
    }
}

#[test]
fn the_prefix_of_a_day_ends_before_the_first_event_of_a_later_one() {
    let (bundle, size) = two_days();
    assert_eq!(
        size_at(&bundle, DAY),
        size,
        "the last millisecond is of the day"
    );
    assert_eq!(size_at(&bundle, "2026-11-30"), size + 2);
    // A clock that ran backwards takes nothing out again, and adds nothing.
    append_at(
        &bundle,
        &["2026-12-03T00:00:00.000Z", "2026-11-29T01:00:00.000Z"],
    );
    assert_eq!(size_at(&bundle, DAY), size);
    assert_eq!(size_at(&bundle, "2026-11-30"), size + 2);
    assert_eq!(
        size_at(&bundle, "2026-12-02"),
        size + 2,
        "a day without events"
    );
    assert_eq!(size_at(&bundle, "2026-12-03"), size + 4);
    assert_eq!(size_at(&bundle, "9999-12-31"), size + 4, "all there is");
}

#[test]
fn what_is_beyond_the_ledger_or_before_it_is_refused() {
    let (bundle, size) = two_days();
    let beyond = (size + 3).to_string();
    let (code, error) = refusal(&bundle, &beyond);
    assert_eq!(code, 2);
    let wanted = format!(
        "error: --at {beyond}: the ledger has {} events, not {beyond}\n",
        size + 2
    );
    assert_eq!(error, wanted);
    let (code, error) = refusal(&bundle, "2026-11-28");
    assert_eq!(code, 2);
    assert_eq!(
        error,
        "error: --at 2026-11-28: on that day the ledger had no event; its first is of 2026-11-29T12:00:00.000Z\n"
    );
    for day in ["2026-11-31", "0000-00-00"] {
        let (code, error) = refusal(&bundle, day);
        assert_eq!(code, 2);
        assert!(error.contains("there is no such day"), "{error}");
    }
    assert_eq!(size_at(&bundle, "0"), 0);
}

#[test]
fn a_checkpoint_must_be_one_of_this_ledger() {
    let (bundle, size) = two_days();
    let then = checkpoint(&bundle, size);
    let refused = |checkpoint: Checkpoint| {
        bundle.write("kept", checkpoint.to_string().as_bytes());
        let (code, error) = refusal(&bundle, "kept");
        assert!(
            error.starts_with("error: --at kept: the checkpoint "),
            "{error}"
        );
        (code, error)
    };
    let (code, error) = refused(Checkpoint {
        origin: "example.org/other".parse().unwrap(),
        ..then.clone()
    });
    assert!(
        code == 2 && error.contains("one of example.org/other, but this ledger is t"),
        "{error}"
    );
    let (code, error) = refused(Checkpoint {
        size: size + 9,
        ..then.clone()
    });
    assert!(
        code == 2 && error.contains("it is an older copy, or lost some"),
        "{error}"
    );
    for size in [size, size - 1, 0] {
        let (code, error) = refused(Checkpoint {
            root: Digest::of(b"another"),
            size,
            ..then.clone()
        });
        assert!(
            code == 1 && error.contains("did not grow out of that one"),
            "{error}"
        );
    }
    bundle.write("kept", b"no checkpoint\n");
    let (code, error) = refusal(&bundle, "kept");
    assert!(
        code == 2 && error.contains("--at kept: the file is no checkpoint: line 1"),
        "{error}"
    );
    for missing in ["no-such-file", "ledger", "2026-11", "1e3"] {
        let (code, error) = refusal(&bundle, missing);
        assert!(
            code == 2 && error.contains("expected the number of events, a day"),
            "{error}"
        );
    }
}

#[test]
fn a_root_must_be_that_of_a_stored_checkpoint() {
    let (bundle, size) = two_days();
    let root = checkpoint(&bundle, size).root.to_string();
    let (code, error) = refusal(&bundle, &root);
    assert!(
        code == 2 && error.contains("the ledger has no stored checkpoint"),
        "{error}"
    );
    bundle.must(&["checkpoint", "--at", "2"]);
    let (code, error) = refusal(&bundle, &root);
    assert!(
        code == 2 && error.contains("has this root; there are those of size 2"),
        "{error}"
    );
    bundle.must(&["checkpoint", "--at", DAY]);
    assert_eq!(size_at(&bundle, &root), size);
    // A stored one is believed no more than any other.
    let false_one = Checkpoint {
        root: Digest::of(b"another"),
        ..checkpoint(&bundle, 3)
    };
    bundle.write("ledger/checkpoints/3", false_one.to_string().as_bytes());
    let (code, error) = refusal(&bundle, &false_one.root.to_string());
    assert!(
        code == 1 && error.contains("did not grow out of that one"),
        "{error}"
    );
}

#[test]
fn a_text_with_two_meanings_is_refused_and_one_meaning_twice_is_not() {
    let (bundle, size) = two_days();
    let text = size.to_string();
    let then = checkpoint(&bundle, size);
    let earlier = checkpoint(&bundle, size - 2);
    bundle.must(&["checkpoint", "--at", &text]);
    for name in [&text, &then.root.to_string()] {
        bundle.write(name, then.to_string().as_bytes());
        assert_eq!(size_at(&bundle, name), size, "both mean the same");
        bundle.write(name, b"a note to myself");
        assert_eq!(size_at(&bundle, name), size, "the file means nothing");
    }
    for name in [&text, DAY, &then.root.to_string()] {
        bundle.write(name, earlier.to_string().as_bytes());
        let (code, error) = refusal(&bundle, name);
        assert!(
            code == 2 && error.contains("this has two meanings"),
            "{error}"
        );
        assert!(
            error.contains(&format!("./{name} means the file")),
            "{error}"
        );
        assert_eq!(size_at(&bundle, &format!("./{name}")), size - 2);
        bundle.remove(name);
    }
}
