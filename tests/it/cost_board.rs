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
    let commands: [&[&str]; 5] = [
        &[
            "expense",
            "record",
            "--category",
            "hosting",
            "--amount",
            "1.50",
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
            "--prompt=-1",
            "--completion",
            "2",
            "--source",
            "s",
        ],
        &[
            "billing", "correct", "--part", "human", "--system", "nobody", "--total", "1",
            "--note", "n",
        ],
        &[
            "billing",
            "correct",
            "--part",
            "operating",
            "--system",
            "a",
            "--total",
            "1",
            "--note",
            "n",
        ],
        &[
            "billing",
            "correct",
            "--part",
            "human",
            "--from",
            "2026-11-02",
            "--until",
            "2026-11-01",
            "--total",
            "1",
            "--note",
            "n",
        ],
    ];
    for command in commands {
        assert_eq!(bundle.run(command).code, 2, "{command:?}");
    }
    assert!(bundle.read("ledger/head") == before);
}
