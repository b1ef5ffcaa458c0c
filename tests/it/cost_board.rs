//! The cost breakdown as people see it, and the commands that write about money.

use scoresheet::event::Origin;
use scoresheet::ledger::create;

use crate::book::Book;
use crate::bundle::Bundle;
use crate::story::{TIME, by};

const NONE: [&str; 0] = [];

/// A ledger with these events.
fn bundle(book: &Book) -> Bundle {
    let bundle = Bundle::empty();
    let origin: Origin = "t".parse().unwrap();
    create(&bundle.disk(), origin, TIME.parse().unwrap(), by()).unwrap();
    bundle.append(&book.events);
    bundle
}

/// Some of everything, on three days, and an expense a month later.
fn book() -> Book {
    let mut book = Book::new();
    let game = book.game("placement");
    book.pay(game, 0, "0.0125");
    let call = book.ask(Some(game), 1);
    book.answer(call, None, None);
    book.mate(game);
    book.on("2026-11-02");
    book.price("2", "10");
    let game = book.game("ladder");
    let call = book.ask(Some(game), 0);
    book.answer(call, None, Some([1234, 99]));
    book.pay(game, 1, "0.00000000000000001");
    book.mate(game);
    let game = book.game("free");
    let call = book.ask(Some(game), 0);
    book.answer(call, None, None);
    let game = book.game("byok");
    book.pay(game, 0, "7");
    book.on("2026-11-04");
    let call = book.ask(None, 1);
    book.answer(call, Some("1"), None);
    book.bill("placement", "0.0125", "0.0225");
    book
}

fn board(book: &Book, args: &[&str]) -> String {
    let all = [&["board", "costs"], args].concat();
    bundle(book).must(&all)
}

#[test]
fn a_breakdown_shows_parts_total_subtotal_coverage_and_days() {
    let text = board(&book(), &NONE);
    insta::assert_snapshot!("costs_by_part", text);
    assert!(text.lines().all(|line| line.chars().count() <= 100));
}

#[test]
fn a_breakdown_by_thinking_setup_shows_long_ranges_in_labelled_intervals() {
    let mut book = book();
    book.on("2026-12-24");
    book.spend("hosting", "20");
    let text = board(&book, &["--by", "system"]);
    insta::assert_snapshot!("costs_by_system", text);
    assert!(text.lines().all(|line| line.chars().count() <= 100));
    let page = board(&book, &["--by", "system", "--format", "markdown"]);
    assert!(page.contains(" | 2026-11-01..2026-11-05 | "), "{page}");
}

#[test]
fn what_programs_read_has_every_figure_and_leaves_out_what_is_unknown() {
    let book = book();
    insta::assert_snapshot!("costs_csv", board(&book, &["--format", "csv"]));
    let json = board(
        &book,
        &[
            "--by",
            "system",
            "--format",
            "json",
            "--until",
            "2026-11-03",
        ],
    );
    insta::assert_snapshot!("costs_json", json);
}

#[test]
fn a_range_is_of_utc_days_with_both_ends_and_earlier_prefixes_stay_reachable() {
    let book = book();
    let second = board(&book, &["--from", "2026-11-02", "--until", "2026-11-02"]);
    assert!(second.contains("\n2026-11-02 (UTC), across"), "{second}");
    assert!(second.contains("| Placement games      | n/a "), "{second}");
    let outcome = bundle(&book).run(&[
        "board",
        "costs",
        "--from",
        "2026-11-02",
        "--until",
        "2026-11-01",
    ]);
    assert_eq!(outcome.code, 2);
    let before = board(&book, &["--at", "1"]);
    assert!(before.contains("no costs yet"), "{before}");
    assert!(before.contains("| Total                | n/a "), "{before}");
}

#[test]
fn commands_about_money_show_the_very_line_and_write_it() {
    let bundle = bundle(&book());
    let at = ["--time", "2026-11-04T00:00:00.000Z", "--by", "t"];
    let commands: [&[&str]; 3] = [
        &[
            "expense",
            "record",
            "--category",
            "domain-registration",
            "--amount",
            "12.5",
            "--note",
            "n",
        ],
        &[
            "price",
            "record",
            "--model",
            "m",
            "--route",
            "r",
            "--prompt",
            "1",
            "--completion",
            "2",
            "--source",
            "s",
        ],
        &[
            "billing",
            "correct",
            "--part",
            "continuous",
            "--system",
            "a",
            "--total",
            "0.5",
            "--note",
            "n",
        ],
    ];
    for command in commands {
        let command = [command, &at].concat();
        let dry = bundle.must(&[&command[..], &["--dry-run"]].concat());
        bundle.must(&command);
        let events = String::from_utf8(bundle.read("ledger/events/000000.jsonl")).unwrap();
        assert_eq!(events.lines().last(), dry.lines().last());
    }
    let text = bundle.must(&["board", "costs"]);
    // The bill says half a dollar where some thousandths were estimated.
    assert!(text.contains("| Continuous benchmark | 0.5 "), "{text}");
    let verified = bundle.run(&["verify"]).out;
    assert!(!verified.contains("billing-contradicted"), "{verified}");
}

#[test]
fn commands_about_money_refuse_what_they_cannot_mean() {
    let bundle = bundle(&book());
    let before = bundle.read("ledger/head");
    let commands = [
        "expense record --category hosting --amount 1,50 --note n",
        "price record --model m --route r --prompt=-1 --completion 2 --source s",
        "billing correct --part human --system nobody --total 1 --note n",
        "billing correct --part operating --system a --total 1 --note n",
        "billing correct --part human --from 2026-11-02 --until 2026-11-01 --total 1 --note n",
    ];
    let says = [
        "US dollars in plain digits",
        "a price of zero or more",
        "no system is registered under the name nobody",
        "--system: expected none beside the part `operating`",
        "--until: expected a day not before `from`",
    ];
    for (command, says) in commands.into_iter().zip(says) {
        let words: Vec<_> = command.split(' ').collect();
        let (code, said) = ran(&bundle, &words);
        assert_eq!(code, Some(2), "{command:?}");
        assert!(said.contains(says), "{said}");
        assert!(!said.contains("column"), "{said}");
    }
    assert!(bundle.read("ledger/head") == before);
}

/// How a command ended, and what it said of it.
fn ran(bundle: &Bundle, command: &[&str]) -> (Option<i32>, String) {
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_scoresheet"))
        .args(command)
        .current_dir(bundle.folder())
        .output()
        .unwrap();
    (ran.status.code(), String::from_utf8(ran.stderr).unwrap())
}

#[test]
fn amounts_are_written_in_their_one_spelling_however_they_are_typed() {
    let bundle = bundle(&book());
    let record = |amount: &str| {
        let command = [
            "expense",
            "record",
            "--category",
            "other",
            "--note",
            "n",
            "--amount",
        ];
        bundle.must(&[&command[..], &[amount]].concat())
    };
    assert!(record("5.00").contains("recorded an expense of 5 USD"));
    assert!(record("-0.50").contains("recorded an expense of -0.5 USD"));
    let events = String::from_utf8(bundle.read("ledger/events/000000.jsonl")).unwrap();
    assert!(events.contains("\"amount_usd\":\"5\""), "{events}");
    let prices = [
        "--prompt",
        "2.50",
        "--completion",
        "10.0",
        "--cached",
        ".25",
    ];
    let price = [
        "price", "record", "--model", "m", "--route", "r", "--source", "s",
    ];
    bundle.must(&[&price[..], &prices].concat());
    let events = String::from_utf8(bundle.read("ledger/events/000000.jsonl")).unwrap();
    let spelled = "\"cached_usd_per_million\":\"0.25\",\"completion_usd_per_million\":\"10\",\"prompt_usd_per_million\":\"2.5\"";
    assert!(events.contains(spelled), "{events}");
}

#[test]
fn words_that_are_blank_or_steer_a_terminal_or_are_too_many_are_refused_by_their_option() {
    let bundle = bundle(&book());
    let before = bundle.read("ledger/head");
    let long = "x".repeat(60_000);
    for (note, says) in [
        ("", "--note"),
        (" ", "--note"),
        ("a\u{1b}[2Jb", "without control characters"),
        ("a\nb", "without control characters"),
        (&long, "most of it is --note"),
    ] {
        let command = [
            "expense",
            "record",
            "--category",
            "other",
            "--amount",
            "1",
            "--note",
            note,
        ];
        let (code, said) = ran(&bundle, &command);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(says), "{said}");
        assert!(!said.contains("column"), "{said}");
    }
    let (code, said) = ran(&bundle, &["system", "pause", "a", "--reason", ""]);
    assert_eq!(code, Some(2));
    assert!(
        said.contains("--reason") && said.contains("some words"),
        "{said}"
    );
    assert!(bundle.read("ledger/head") == before);
}
