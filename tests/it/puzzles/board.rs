use scoresheet::event::{
    CorrectionRecorded, DatasetRegistered, EventId, Origin, PuzzleAnswered, SystemRegistered,
};
use scoresheet::import::{Recipe, draw_puzzles};
use scoresheet::ledger::create;
use serde_json::{Value, json};

use crate::book::Book;
use crate::bundle::Bundle;
use crate::puzzles::{file, full, protocol};
use crate::story::{TIME, body, by};

/// A dataset, and systems that answer it.
struct Quiz {
    book: Book,
    dataset: EventId,
    registered: DatasetRegistered,
    protocol: EventId,
}

/// What comes of a request.
enum Reply<'a> {
    Failed,
    Wrong,
    Line(&'a str, &'a [&'a str]),
}

fn registered(per_cell: u32, lines: u32) -> DatasetRegistered {
    let recipe = Recipe::published(per_cell, "s".to_owned());
    let (drawn, source_sha256) = draw_puzzles(file(&full(lines)).as_bytes(), recipe).unwrap();
    DatasetRegistered {
        cells: drawn.cells,
        name: "d".parse().unwrap(),
        per_cell: per_cell.into(),
        seed: "s".to_owned(),
        source_sha256,
    }
}

impl Quiz {
    fn new(registered: DatasetRegistered) -> Self {
        let mut book = Book::new();
        let dataset = book.say(registered.clone());
        let protocol = book.say(protocol());
        Self {
            book,
            dataset,
            registered,
            protocol,
        }
    }

    fn system(&mut self, name: &str) -> EventId {
        self.book.say(body::<SystemRegistered>(json!({
            "assistance": {"kind": "none"}, "name": name,
            "model": {"parameters": [], "requested_model": "m", "route": "r"},
        })))
    }

    /// Asks for this puzzle, and says what came of it.
    fn ask(&mut self, system: EventId, puzzle: &str, reply: &Reply<'_>) -> EventId {
        let call = self.book.ask_by(None, system);
        let mut answered = json!({
            "dataset": self.dataset, "protocol": self.protocol, "puzzle": puzzle,
            "system": system,
        });
        match reply {
            Reply::Failed => self.book.fail(call),
            Reply::Wrong => {
                self.book.answer(call, None, Some([400, 9]));
                answered["form"] = "wrong".into();
            }
            Reply::Line(form, line) => {
                self.book.answer(call, Some("0.001"), Some([400, 3]));
                answered["form"] = (*form).into();
                answered["line"] = json!(line);
            }
        }
        answered["call"] = json!(self.book.events.last().unwrap().id());
        self.book.say(body::<PuzzleAnswered>(answered))
    }

    /// The ids of all puzzles with their solutions.
    fn puzzles(&self) -> Vec<(String, Vec<String>)> {
        let puzzles = self.registered.puzzles();
        puzzles
            .map(|(_, puzzle)| {
                let line = puzzle.line.iter().map(ToString::to_string);
                (puzzle.id.clone(), line.collect())
            })
            .collect()
    }

    /// Solves so many puzzles, and answers the others with another mate where there
    /// is one.
    fn solve(&mut self, system: EventId, first: usize) {
        for (number, (id, line)) in self.puzzles().into_iter().enumerate() {
            let mut line: Vec<&str> = line.iter().map(String::as_str).collect();
            if first <= number {
                line.pop();
                line.push("a1a8");
            }
            self.ask(system, &id, &Reply::Line("as_is", &line));
        }
    }

    fn bundle(&self) -> Bundle {
        let bundle = Bundle::empty();
        let origin: Origin = "t".parse().unwrap();
        create(&bundle.disk(), origin, TIME.parse().unwrap(), by()).unwrap();
        bundle.append(&self.book.events);
        bundle
    }

    fn json(&self) -> Value {
        let args = ["board", "puzzles", "--format", "json"];
        serde_json::from_str(&self.bundle().must(&args)).unwrap()
    }

    fn row(&self, system: &str) -> Value {
        let board = self.json();
        let mut rows = board["rows"].as_array().unwrap().iter();
        rows.find(|row| row["system"] == system).unwrap().clone()
    }

    fn findings(&self) -> Vec<String> {
        let findings = self.book.projection.findings.iter();
        findings.map(|finding| finding.code.to_string()).collect()
    }
}

/// Two puzzles a cell, answered in every way there is.
fn quiz() -> Quiz {
    let mut quiz = Quiz::new(registered(2, 3));
    let [good, poor] = ["good", "poor"].map(|name| quiz.system(name));
    quiz.solve(good, 29);
    let mut puzzles = quiz.puzzles().into_iter();
    for reply in [
        Reply::Line("extracted", &["e1e8"]),
        Reply::Line("converted", &["a1a8"]),
        Reply::Wrong,
        Reply::Failed,
        Reply::Line("as_is", &["e1e8", "g8h8"]),
    ] {
        let (id, _) = puzzles.next().unwrap();
        quiz.ask(poor, &id, &reply);
    }
    quiz
}

#[test]
fn a_board_shows_what_was_solved_with_interval_cells_formats_and_costs() {
    let quiz = quiz();
    assert_eq!(quiz.findings(), [""; 0]);
    let bundle = quiz.bundle();
    let text = bundle.must(&["board", "puzzles"]);
    insta::assert_snapshot!("puzzle_board", text);
    assert!(text.lines().all(|line| line.chars().count() <= 100));
    let csv = bundle.must(&["board", "puzzles", "--format", "csv"]);
    insta::assert_snapshot!("puzzle_board_csv", csv);
    let markdown = bundle.must(&["board", "puzzles", "--format", "markdown"]);
    assert!(markdown.starts_with("# Puzzle board of dataset d, protocol puzzles\n"));
}

#[test]
fn another_mate_counts_beside_and_a_failed_request_is_wrong_and_stays_a_failure() {
    let poor = quiz().row("poor");
    for (figure, value) in [
        ("solved", "1"),
        ("any_mate", "2"),
        ("answered", "5"),
        ("puzzles", "30"),
        ("provider_failures", "1"),
        ("extracted_solved", "1"),
        ("converted", "1"),
        ("converted_solved", "0"),
        ("wrong", "1"),
        ("as_is", "1"),
        ("as_is_solved", "0"),
        ("standing", "unfinished"),
        // Nobody says what the failed call and the unreadable reply cost.
        ("cost_usd_of", "3/5"),
        ("prompt_tokens_of", "4/4"),
    ] {
        assert_eq!(poor[figure], value, "{figure}");
    }
    assert_eq!(poor.get("rank"), None);
    assert_eq!(poor.get("reasoning_tokens"), None, "absent, and not zero");
}

#[test]
fn all_of_a_full_dataset_is_solved_of_150_and_ranked_and_equals_share_a_rank() {
    let mut quiz = Quiz::new(registered(10, 11));
    for (name, solved) in [("b", 50), ("a", 50), ("c", 150), ("d", 0)] {
        let system = quiz.system(name);
        quiz.solve(system, solved);
    }
    let board = quiz.json();
    let rows = board["rows"].as_array().unwrap().iter();
    let shown = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
    let rows: Vec<_> = rows
        .map(|row| ["rank", "system", "solved", "answered"].map(|name| shown(row, name)))
        .collect();
    assert_eq!(
        rows,
        [
            ["1", "c", "150", "150"],
            ["2", "a", "50", "150"],
            ["2", "b", "50", "150"],
            ["4", "d", "0", "150"],
        ]
    );
    // Wilson's interval of 50 in 150, and of all and none.
    let a = quiz.row("a");
    assert_eq!(a["interval_low_percent"], "26.2888");
    assert_eq!(a["interval_high_percent"], "41.2102");
    assert_eq!(quiz.row("c")["interval_high_percent"], "100.0000");
    assert_eq!(quiz.row("d")["interval_low_percent"], "0.0000");
}

#[test]
fn a_partial_sample_is_solved_of_n_and_never_ranked() {
    let mut quiz = Quiz::new(registered(3, 2));
    let system = quiz.system("whole");
    quiz.solve(system, 30);
    let text = quiz.bundle().must(&["board", "puzzles"]);
    assert!(
        text.contains("Partial sample: 30 puzzles of 45 wanted"),
        "{text}"
    );
    assert!(text.contains("| whole  | -   | 30 / 30 |"), "{text}");
    assert!(text.contains("This sample is partial"), "{text}");
    let row = quiz.row("whole");
    assert_eq!(row["standing"], "partial");
    assert_eq!(row.get("rank"), None);
}

#[test]
fn the_first_answer_counts_until_a_correction_takes_it_out() {
    let mut quiz = Quiz::new(registered(1, 1));
    let system = quiz.system("x");
    let (id, _) = quiz.puzzles().swap_remove(0);
    let first = quiz.ask(system, &id, &Reply::Wrong);
    let second = quiz.ask(system, &id, &Reply::Line("as_is", &["e1e8"]));
    assert_eq!(quiz.findings(), ["puzzle-twice"]);
    assert_eq!(quiz.row("x")["solved"], "0");
    let exclude = |target: EventId| -> CorrectionRecorded {
        body(json!({
            "change": "exclude", "evidence": "log", "reason": "sent twice", "targets": [target],
        }))
    };
    let correction = quiz.book.say(exclude(first));
    let row = quiz.row("x");
    assert_eq!([&row["solved"], &row["excluded"]], ["1", "1"]);
    quiz.book.say(body::<CorrectionRecorded>(json!({
        "change": "reverse", "evidence": "log", "reason": "it was not", "targets": [correction],
    })));
    assert_eq!(quiz.row("x")["solved"], "0");
    quiz.book.say(exclude(second));
    assert_eq!(quiz.findings(), [""; 0]);
    assert_eq!(quiz.row("x")["solved"], "0");
}

#[test]
fn an_answer_that_contradicts_its_call_solves_nothing() {
    let mut quiz = Quiz::new(registered(1, 1));
    let system = quiz.system("x");
    let puzzles = quiz.puzzles();
    quiz.ask(system, &puzzles[0].0, &Reply::Line("as_is", &["e1e8"]));
    let answer = quiz.book.events[quiz.book.events.len() - 2].id();
    // The same reply once more, for another puzzle with the same solution.
    quiz.book.say(body::<PuzzleAnswered>(json!({
        "call": answer, "dataset": quiz.dataset, "form": "as_is", "line": ["e1e8"],
        "protocol": quiz.protocol, "puzzle": puzzles[1].0, "system": system,
    })));
    assert_eq!(quiz.findings(), ["puzzle-contradicted"]);
    let row = quiz.row("x");
    assert_eq!([&row["solved"], &row["answered"]], ["1", "2"]);
}

#[test]
fn a_charge_that_is_looked_up_later_counts_and_what_nobody_bills_has_no_price() {
    let mut quiz = Quiz::new(registered(1, 1));
    let system = quiz.system("x");
    let (id, _) = quiz.puzzles().swap_remove(0);
    quiz.ask(system, &id, &Reply::Wrong);
    let row = quiz.row("x");
    assert_eq!(row.get("cost_usd"), None);
    assert_eq!(row["cost_usd_of"], "0/1");
    let sent = quiz.book.events[quiz.book.events.len() - 3].id();
    quiz.book.look_up(sent, "0.25");
    let row = quiz.row("x");
    assert_eq!([&row["cost_usd"], &row["cost_usd_of"]], ["0.25", "1/1"]);
    let engine = quiz.book.say(body::<SystemRegistered>(json!({
        "assistance": {"kind": "none"}, "name": "engine",
        "engine": {
            "files": [{"bytes": 0, "name": "e", "sha256": "0".repeat(64)}],
            "limit": {"nodes": 1}, "name": "e", "options": [],
        },
    })));
    quiz.ask(engine, &id, &Reply::Failed);
    let text = quiz.bundle().must(&["board", "puzzles"]);
    let mut row = text.lines().filter(|line| line.contains("| engine |"));
    assert!(
        row.next_back().unwrap().matches("n/a").count() == 5,
        "{text}"
    );
}

#[test]
fn the_index_has_every_answer_as_the_board_judges_it() {
    let bundle = quiz().bundle();
    bundle.must(&["index"]);
    let index = rusqlite::Connection::open(bundle.at("ledger/index.sqlite")).unwrap();
    let query = "SELECT systems.name, sum(is_solved), sum(is_any_mate), count(form), sum(counts)
        FROM puzzle_answers JOIN systems ON systems.id = system
        JOIN dataset_puzzles USING (dataset, puzzle)
        GROUP BY system ORDER BY systems.name";
    assert_eq!(
        crate::rows::texts(&index, query),
        [
            ["good", "29", "29", "30", "30"],
            ["poor", "1", "2", "4", "5"]
        ]
    );
    let query = "SELECT name, puzzles, is_partial FROM datasets";
    assert_eq!(crate::rows::texts(&index, query), [["d", "30", "0"]]);
    // The board is the same beside it.
    let text = bundle.must(&["board", "puzzles"]);
    assert_eq!(text, quiz().bundle().must(&["board", "puzzles"]));
}

#[test]
fn two_protocols_are_never_on_one_board() {
    let mut quiz = Quiz::new(registered(1, 1));
    let system = quiz.system("x");
    let (id, _) = quiz.puzzles().swap_remove(0);
    quiz.ask(system, &id, &Reply::Wrong);
    let mut other = protocol();
    other.name = "other".parse().unwrap();
    quiz.protocol = quiz.book.say(other);
    quiz.ask(system, &id, &Reply::Line("as_is", &["e1e8"]));
    assert_eq!(quiz.findings(), [""; 0]);
    let bundle = quiz.bundle();
    let refused = bundle.run(&["board", "puzzles"]);
    assert_eq!(refused.code, 2);
    for (name, solved) in [("puzzles", "| 0 / 1 "), ("other", "| 1 / 1 ")] {
        let text = bundle.must(&["board", "puzzles", "--protocol", name]);
        assert!(text.contains(solved), "{text}");
    }
    assert_eq!(bundle.run(&["board", "puzzles", "--dataset", "e"]).code, 2);
}
