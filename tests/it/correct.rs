//! Recording a correction, as a maintainer does.

use std::io::Write as _;
use std::process::{Command, Stdio};

use scoresheet::chess::{GameResult, Termination};
use scoresheet::event::{GameFinished, Verified, What};
use scoresheet::ledger::Prefix;
use serde_json::Value;

use crate::bundle::Bundle;
use crate::story::{accepted, event, expense, story};

/// What a command said, and how it ended.
struct Said {
    out: String,
    err: String,
    code: i32,
}

fn said(output: std::process::Output) -> Said {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Said {
        out: text(output.stdout),
        err: text(output.stderr),
        code: output.status.code().unwrap(),
    }
}

fn command(bundle: &Bundle, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scoresheet"));
    command.args(args).current_dir(bundle.folder());
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Corrects, without a terminal.
fn correct(bundle: &Bundle, args: &[&str]) -> Said {
    let why = ["--reason", "the wrong machine", "--evidence", "ticket 12"];
    let args = [&["correct"], args, &why].concat();
    said(command(bundle, &args).output().unwrap())
}

/// Corrects, at a terminal where this is typed.
fn correct_typing(bundle: &Bundle, args: &[&str], typed: &str) -> Said {
    let words = ["correct", "--reason", "why", "--evidence", "what"];
    let all: Vec<_> = words
        .iter()
        .chain(args)
        .map(|word| format!("'{word}'"))
        .collect();
    let line = format!("'{}' {}", env!("CARGO_BIN_EXE_scoresheet"), all.join(" "));
    let mut terminal = Command::new("script")
        .args(["--quiet", "--return", "--command", &line, "/dev/null"])
        .current_dir(bundle.folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    terminal
        .stdin
        .take()
        .unwrap()
        .write_all(typed.as_bytes())
        .unwrap();
    said(terminal.wait_with_output().unwrap())
}

fn events(bundle: &Bundle) -> Vec<Verified<scoresheet::event::Event>> {
    let disk = bundle.disk();
    let prefix = Prefix::open(&disk).unwrap();
    let mut events = Vec::new();
    prefix
        .read(prefix.size(), |_, event| events.push(event))
        .unwrap();
    events
}

fn n_corrections(bundle: &Bundle) -> usize {
    let events = events(bundle);
    events
        .iter()
        .filter(|event| matches!(event.what, What::CorrectionRecorded(_)))
        .count()
}

fn game() -> String {
    story().games[0].to_string()
}

#[test]
fn what_would_move_is_shown_and_a_dry_run_writes_nothing() {
    let bundle = Bundle::new();
    let before = bundle.files();
    let dry = correct(&bundle, &[&game()[..12], "--exclude", "--dry-run"]);
    assert_eq!((dry.code, dry.err.as_str()), (0, ""));
    for line in [
        "exclude 1 event, as the ledger stands at size 19:",
        "cohort t, a: rating 1500.00 -> 1662.31, rank 1 -> 1",
        "cohort t, b: rating 1500.00 -> 1337.69, rank 1 -> 2",
        "cohort t: games that count 2 -> 1, excluded by correction 0 -> 1",
        "frozen cohort t is superseded and not changed",
        "release r was computed from",
        "\"change\":\"exclude\"",
    ] {
        assert!(dry.out.contains(line), "{line} is not in {}", dry.out);
    }
    assert!(bundle.files() == before);
}

#[test]
fn without_a_terminal_and_without_yes_nothing_is_written() {
    let bundle = Bundle::new();
    let before = bundle.files();
    let refused = correct(&bundle, &[&game(), "--exclude"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("give --yes"), "{}", refused.err);
    assert!(
        refused.out.contains("games that count 2 -> 1"),
        "{}",
        refused.out
    );
    assert!(bundle.files() == before);
}

#[test]
fn at_a_terminal_it_asks_and_only_a_yes_writes() {
    let bundle = Bundle::new();
    for typed in ["\n", "n\n", "Yes!\n"] {
        let refused = correct_typing(&bundle, &[&game(), "--exclude"], typed);
        assert!(refused.out.contains("Write it? [y/N]"), "{}", refused.out);
        assert!(refused.out.contains("nobody said yes"), "{}", refused.out);
        assert_eq!((refused.code, n_corrections(&bundle)), (2, 0));
    }
    let written = correct_typing(&bundle, &[&game(), "--exclude"], "y\n");
    assert!(
        written.out.contains("recorded correction"),
        "{}{}",
        written.out,
        written.err
    );
    assert_eq!((written.code, n_corrections(&bundle)), (0, 1));
}

#[test]
fn old_and_new_figures_both_stay_reachable_and_what_was_published_stays() {
    let bundle = Bundle::new();
    let size = events(&bundle).len().to_string();
    let old = bundle.must(&["board", "placement", "t"]);
    let published: Vec<_> = ["manifests/", "release/"]
        .map(|folder| {
            let files = bundle.files().into_iter();
            files
                .filter(|(path, _)| path.starts_with(folder))
                .collect::<Vec<_>>()
        })
        .concat();
    let written = correct(&bundle, &[&game(), "--exclude", "--yes"]);
    assert_eq!(written.code, 0, "{}", written.err);
    assert_eq!(
        bundle.must(&["board", "placement", "t", "--at", &size]),
        old
    );
    let new = bundle.must(&["board", "placement", "t"]);
    assert!(new.contains("Excluded by correction: 1."), "{new}");
    assert!(!old.contains("Excluded by correction"));
    bundle.must(&["verify"]);
    assert!(bundle.must(&["show"]).contains("finished, excluded"));
    let sheet = bundle.must(&["show", &game()]);
    assert!(
        sheet.contains("Corrected  excluded by correction"),
        "{sheet}"
    );
    let games = bundle.must(&["export", "pgn"]);
    assert_eq!(games.matches("[ExcludedBy ").count(), 1);
    assert_eq!(games.matches("[Event ").count(), 2, "no record goes");
    // What was published is what it was, and still passes.
    bundle.must(&["reproduce"]);
    bundle.must(&["audit"]);
    for (path, bytes) in &published {
        assert_eq!(&bundle.read(path), bytes, "{path}");
    }
    // A new manifest stands beside the old one, and names what is excluded.
    bundle.must(&["freeze", "t"]);
    let manifests = bundle
        .files()
        .into_iter()
        .filter(|(path, _)| path.starts_with("manifests/"));
    let excluded = manifests.map(|(_, bytes)| {
        let manifest: Value = serde_json::from_slice(&bytes).unwrap();
        (
            manifest["games"].as_array().unwrap().len(),
            manifest["excluded"].clone(),
        )
    });
    let mut excluded: Vec<_> = excluded.collect();
    excluded.sort_by_key(|(_, excluded)| excluded.is_array());
    assert_eq!(excluded.len(), 2);
    assert_eq!(excluded[0], (2, Value::Null));
    assert_eq!(excluded[1].0, 2);
    assert_eq!(excluded[1].1[0]["game"], game());
    assert_eq!(bundle.run(&["freeze", "t"]).code, 2, "once a correction");
    bundle.must(&["verify"]);
}

#[test]
fn an_excluded_loss_is_listed_and_taken_back() {
    let bundle = Bundle::played();
    let old = bundle.must(&["board", "placement", "t"]);
    correct(&bundle, &[&game(), "--exclude", "--yes"]);
    let list: Value =
        serde_json::from_str(&bundle.must(&["corrections", "--format", "json"])).unwrap();
    let correction = &list["corrections"][0];
    assert_eq!(correction["what"]["targets"][0], game());
    assert_eq!(correction["is_in_effect"], true);
    let id = correction["id"].as_str().unwrap();
    let reversed = correct(&bundle, &[&id[..10], "--reverse", "--yes"]);
    assert_eq!(reversed.code, 0, "{}", reversed.err);
    let lines = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .filter(|line| !line.starts_with("From the first"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(
        lines(&bundle.must(&["board", "placement", "t"])),
        lines(&old)
    );
    let text = bundle.must(&["corrections"]);
    assert!(text.contains("(reversed, counts no more)"), "{text}");
    assert!(text.contains("evidence  ticket 12"), "{text}");
}

#[test]
fn a_blocker_against_an_excluded_game_is_answered_and_stays_to_be_seen() {
    let bundle = Bundle::played();
    let stray = event(story().stray());
    let game = stray.id();
    let wrong = GameFinished {
        game,
        plies: 1_u32.into(),
        result: GameResult::WhiteWins,
        termination: Termination::Checkmate,
    };
    bundle.append(&[stray, event(accepted(game, 1, "e2e4")), event(wrong)]);
    assert_eq!(bundle.run(&["verify"]).code, 1);
    assert_eq!(bundle.run(&["freeze", "t"]).code, 1);
    let finished = events(&bundle).last().unwrap().id().to_string();
    let refused = correct(&bundle, &[&finished, "--set", "result=0-1", "--yes"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.err.contains("would contradict the evidence"),
        "{}",
        refused.err
    );
    assert_eq!(n_corrections(&bundle), 0);
    let written = correct(&bundle, &[&game.to_string(), "--exclude", "--yes"]);
    assert!(
        written
            .out
            .contains("findings answered by corrections: 0 -> 1"),
        "{}",
        written.out
    );
    let verified = bundle.must(&["verify"]);
    assert!(
        verified.contains("1 finding answered by corrections"),
        "{verified}"
    );
    let report: Value =
        serde_json::from_str(&bundle.must(&["verify", "--format", "json"])).unwrap();
    assert_eq!(
        report["answered"][0]["finding"]["code"],
        "result-contradicted"
    );
    let listed = bundle.must(&["corrections", "--findings"]);
    assert!(listed.contains("result-contradicted"), "{listed}");
    bundle.release();
    let audited = bundle.must(&["audit"]);
    assert!(
        audited.contains("1 finding answered by corrections"),
        "{audited}"
    );
}

#[test]
fn money_is_superseded_and_said_plainly() {
    let bundle = Bundle::played();
    let bill = event(expense("bill 7"));
    bundle.append(std::slice::from_ref(&bill));
    let id = bill.id().to_string();
    let args = [
        &id[..],
        "--set",
        "amount_usd=12.5",
        "--set",
        "category=hosting",
        "--yes",
    ];
    let written = correct(&bundle, &args);
    assert_eq!(written.code, 0, "{}", written.err);
    assert!(
        written.out.contains("expenses, hosting: 0 USD -> 12.5 USD"),
        "{}",
        written.out
    );
    let again = correct(&bundle, &args);
    assert_eq!(again.code, 2);
    assert!(
        again.err.contains("it would change nothing"),
        "{}",
        again.err
    );
}

#[test]
fn what_cannot_be_meant_is_refused_and_leaves_no_trace() {
    let bundle = Bundle::played();
    let before = bundle.files();
    let game = game();
    let schedule = story().schedule.to_string();
    for (args, says) in [
        (
            &[&game[..], "--reverse"][..],
            "which a correction cannot reverse",
        ),
        (
            &[&schedule, "--exclude"],
            "which a correction cannot exclude",
        ),
        (
            &["ffff0000", "--exclude"],
            "no event of the ledger begins with",
        ),
        (&["fff", "--exclude"], "first 4 to 63 digits"),
        (&[&game, &game[..9], "--exclude"], "named twice"),
        (
            &[&game, "--set", "amount_usd=1"],
            "is game.started, which has not `amount_usd` to set; none of its fields can be set",
        ),
        (
            &[&game, "--set", "outcome=1-0"],
            "no field `outcome` can be set; these can: result, termination, cost_usd",
        ),
        (&[&game, "--set", "result=2-0"], "1-0, 0-1 or 1/2-1/2"),
        (&[&game, "--set", "result"], "FIELD=VALUE"),
        (&[&game, "--exclude", "--annotate"], "cannot be used with"),
        (&[&game], "required"),
    ] {
        let refused = correct(&bundle, &[args, &["--yes"]].concat());
        assert_eq!(refused.code, 2, "{args:?}");
        assert!(refused.err.contains(says), "{args:?}: {}", refused.err);
    }
    let blank = [
        "correct",
        &game,
        "--exclude",
        "--yes",
        "--reason",
        " ",
        "--evidence",
        "e",
    ];
    assert_eq!(bundle.run(&blank).code, 2);
    assert!(bundle.files() == before);
}

#[test]
fn of_two_at_once_one_records_it_and_the_other_is_refused() {
    let bundle = Bundle::played();
    let game = game();
    let why = ["--reason", "why", "--evidence", "what"];
    let args = [&["correct", &game, "--exclude", "--yes"][..], &why].concat();
    let both = [0, 1].map(|_| command(&bundle, &args).spawn().unwrap());
    let mut codes = both.map(|one| one.wait_with_output().unwrap().status.code().unwrap());
    codes.sort_unstable();
    assert_eq!(codes, [0, 2]);
    assert_eq!(n_corrections(&bundle), 1);
    bundle.must(&["verify"]);
}

#[test]
fn a_result_is_set_by_the_id_of_its_game() {
    let bundle = Bundle::played();
    // It is what the moves give, so that nothing would change: the end of the
    // game was found all the same, by the digits of either.
    let events = events(&bundle);
    let ends = events
        .iter()
        .filter(|event| matches!(event.what, What::GameFinished(_)));
    let end = ends.map(|event| event.id().to_string()).next().unwrap();
    for id in [&game()[..], &game()[..12], &end[..12]] {
        let refused = correct(&bundle, &[id, "--set", "result=0-1", "--yes"]);
        assert_eq!(refused.code, 2);
        assert!(
            refused.err.contains("it would change nothing"),
            "{}",
            refused.err
        );
    }
    let sheet = bundle.must(&["show", &game()]);
    assert!(sheet.contains(&format!("event {end}")), "{sheet}");
}

#[test]
fn what_is_corrected_under_a_bill_is_said_with_the_bill() {
    let bundle = Bundle::played();
    let record = [
        "expense",
        "record",
        "--category",
        "hosting",
        "--amount",
        "20",
    ];
    bundle.must(&[&record[..], &["--note", "the bill"]].concat());
    let id = events(&bundle).last().unwrap().id().to_string();
    bundle.must(&[
        "billing",
        "correct",
        "--part",
        "operating",
        "--total",
        "1.00",
        "--note",
        "the bill",
    ]);
    let shown = correct(&bundle, &[&id, "--exclude", "--dry-run"]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert!(shown.out.contains("stands beside this"), "{}", shown.out);
    assert!(
        shown.out.contains("--set corrected_usd=USD"),
        "{}",
        shown.out
    );
}

#[test]
fn corrections_are_listed_in_four_formats() {
    let bundle = Bundle::played();
    correct(&bundle, &[&game(), "--exclude", "--yes"]);
    let csv = bundle.must(&["corrections", "--format", "csv"]);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 1);
    assert!(rows[0].iter().any(|cell| cell == game()));
    assert!(rows[0].iter().any(|cell| cell == "the wrong machine"));
    let markdown = bundle.must(&["corrections", "--format", "markdown"]);
    assert!(markdown.starts_with("| id "), "{markdown}");
    assert!(markdown.contains("| ticket 12 |"), "{markdown}");
    assert_eq!(
        bundle
            .run(&["corrections", "--findings", "--format", "csv"])
            .code,
        2
    );
}
