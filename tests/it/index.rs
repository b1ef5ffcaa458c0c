//! The `SQLite` index against boards, its page, and itself.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use scoresheet::canonical::{Count, Money, Total};
use scoresheet::chess::Ply;
use scoresheet::event::{CallSent, What};
use scoresheet::ledger::Prefix;
use scoresheet::projection::Projection;
use scoresheet::store::Draft;

use crate::evidence::{COHORT, Evidence, Script, script};
use crate::program::{printed, scoresheet};
use crate::rows::{dump, number, texts};

/// Tables of what the small evidence does not have.
const NOT_THERE: [&str; 24] = [
    "anchored_standings",
    "anchors",
    "billing_corrections",
    "cell_answers",
    "cohort_anchors",
    "correction_targets",
    "corrections",
    "dataset_puzzles",
    "datasets",
    "draws",
    "eras",
    "expenses",
    "findings",
    "human_games",
    "ladder_standings",
    "listed_positions",
    "people",
    "position_lists",
    "position_measurements",
    "prices",
    "puzzle_answers",
    "rated_games",
    "starts",
    "tablebase_probes",
];

/// Makes the index of a ledger, and opens it.
fn indexed(evidence: &Evidence) -> Connection {
    printed(&evidence.path(), &["index"]);
    Connection::open(evidence.path().join("index.sqlite")).unwrap()
}

#[test]
fn the_placement_board_of_the_index_is_the_one_of_the_board_cell_for_cell() {
    let evidence = Evidence::new();
    let csv = printed(
        &evidence.path(),
        &["board", "placement", COHORT, "--format", "csv"],
    );
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let columns: Vec<String> = reader
        .headers()
        .unwrap()
        .iter()
        .map(str::to_owned)
        .collect();
    let board: Vec<Vec<String>> = reader
        .records()
        .map(|row| row.unwrap().iter().map(str::to_owned).collect())
        .collect();
    assert_eq!(board.len(), 3);
    let query = format!(
        "SELECT {} FROM placement_board WHERE cohort = '{COHORT}' ORDER BY position",
        columns.join(", ")
    );
    assert_eq!(texts(&indexed(&evidence), &query), board);
}

#[test]
fn an_index_is_the_same_when_it_is_made_again_and_when_it_is_made_in_steps() {
    let evidence = Evidence::new();
    let first = dump(&indexed(&evidence));
    assert!(first.iter().all(|(table, rows)| {
        // Nothing in the evidence contradicts itself, and it has no
        // ladder and no puzzles.
        NOT_THERE.contains(&table.as_str()) || !rows.is_empty()
    }));
    fs::remove_file(evidence.path().join("index.sqlite")).unwrap();
    assert_eq!(dump(&indexed(&evidence)), first);

    let events = script().events;
    let growing = Evidence::opened();
    let target = growing.path().join("index.sqlite");
    let mut projection = Projection::forgetful();
    let draft = Draft::begin(&target).unwrap();
    let mut filling = draft.filling();
    let mut read = 0;
    for step in [&events[..0], &events[..40], &events[40..41], &events[41..]] {
        growing.append(step);
        let disk = growing.disk();
        let prefix = Prefix::open(&disk).unwrap();
        let each = |index, event: scoresheet::event::Verified<_>| {
            if read <= index {
                filling.take(&mut projection, &event).unwrap();
            }
        };
        prefix.read(prefix.size(), each).unwrap();
        read = prefix.size();
    }
    let (_, source) = growing.project();
    projection.forget();
    filling.finish(&projection, &source).unwrap();
    draft.finish().unwrap();
    assert_eq!(dump(&Connection::open(target).unwrap()), first);
}

/// Programs that do not read tables without row ids are among the readers.
#[test]
fn every_table_is_strict_and_has_row_ids_and_a_key() {
    let index = indexed(&Evidence::new());
    let without_rowid = "SELECT name FROM pragma_table_list WHERE type = 'table' AND wr = 1";
    assert_eq!(texts(&index, without_rowid), Vec::<Vec<String>>::new());
    let loose = "SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0
        AND name NOT LIKE 'sqlite_%'";
    assert_eq!(texts(&index, loose), Vec::<Vec<String>>::new());
    let keyless = "SELECT name FROM pragma_table_list AS list WHERE type = 'table'
        AND name NOT LIKE 'sqlite_%'
        AND NOT EXISTS (SELECT 1 FROM pragma_table_info(list.name) WHERE pk != 0)";
    assert_eq!(texts(&index, keyless), Vec::<Vec<String>>::new());
    assert_eq!(
        number(
            &index,
            "SELECT count(*) FROM pragma_foreign_key_list('calls')"
        ),
        2
    );
}

/// Tables and views with their columns and types, as `docs/index.md` has them.
fn documented() -> Vec<(String, Vec<[String; 2]>)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/index.md");
    let page = fs::read_to_string(page).unwrap();
    let mut tables: Vec<(String, Vec<[String; 2]>)> = Vec::new();
    for line in page.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            tables.push((name.trim_matches('`').to_owned(), Vec::new()));
        } else if let Some(row) = line.strip_prefix("| `") {
            let (column, rest) = row.split_once("` | ").unwrap();
            let (kind, meaning) = rest.split_once(" | ").unwrap();
            assert!(4 < meaning.len(), "{column} says what it means");
            let columns = &mut tables.last_mut().unwrap().1;
            columns.push([column.to_owned(), kind.to_owned()]);
        }
    }
    tables
}

#[test]
fn the_page_has_every_table_and_column_with_its_type() {
    let index = indexed(&Evidence::new());
    // Tables stand on the page in the order in which they are made, views last.
    let names = texts(
        &index,
        "SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY rowid",
    );
    let real: Vec<_> = names
        .iter()
        .map(|name| {
            let columns = texts(
                &index,
                &format!(
                    "SELECT name, type || iif(pk, ', key', '') FROM pragma_table_info('{}')",
                    name[0]
                ),
            );
            let columns = columns.into_iter().map(|column| {
                let [column, kind] = column.try_into().unwrap();
                let kind = if name[1] == "view" {
                    "view".to_owned()
                } else {
                    kind
                };
                [column, kind]
            });
            (name[0].clone(), columns.collect::<Vec<_>>())
        })
        .collect();
    assert_eq!(documented(), real);
}

#[test]
fn what_nobody_said_is_null_and_what_was_said_is_there() {
    let index = indexed(&Evidence::new());
    let of = |system: &str, what: &str| {
        texts(
            &index,
            &format!("SELECT {what} FROM systems WHERE name = '{system}'"),
        )
        .concat()
    };
    assert_eq!(
        of(
            "alpha",
            "cost_usd IS NULL, cost_reported, completion_tokens IS NULL"
        ),
        ["1", "0", "1"]
    );
    assert_eq!(
        of(
            "gamma",
            "nodes IS NULL, nodes_reported, limit_nodes IS NULL"
        ),
        ["1", "0", "1"]
    );
    assert_eq!(
        number(
            &index,
            "SELECT count(*) FROM calls WHERE nodes = 0 OR total_ms = 0 OR cost_usd = '0'"
        ),
        0
    );
    // A move of the model: tokens, no nodes; and of an engine: the other way round.
    let move_of = |system: &str| {
        texts(
            &index,
            &format!(
                "SELECT plies.san, calls.completion_tokens, calls.nodes, calls.score_cp FROM plies
                JOIN calls ON calls.ledger_index = plies.call
                JOIN systems ON systems.ledger_index = calls.system AND systems.name = '{system}'
                ORDER BY calls.ledger_index LIMIT 1"
            ),
        )
        .concat()
    };
    assert_eq!(move_of("gamma"), ["e5", "12", "", ""]);
    assert_eq!(move_of("beta"), ["f3", "", "900", "-5"]);
    let cell = texts(
        &index,
        "SELECT state, result, final_fen, abort_cause FROM games WHERE cell_index = 0",
    );
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert_eq!(cell.concat(), ["finished", "0-1", mated, ""]);
    let rejected = texts(
        &index,
        "SELECT ply, attempt, color, class, extracted FROM rejected_answers ORDER BY ply, attempt",
    );
    assert_eq!(rejected[0], ["2", "1", "black", "wrong_side", "e4e5"]);
    assert_eq!(
        rejected[2],
        ["5", "1", "white", "wrong_format", "Bc4, eyeing f7!"]
    );
}

#[test]
fn sums_over_calls_are_those_of_the_systems_late_costs_and_failures_too() {
    let index = indexed(&Evidence::new());
    let costs = texts(
        &index,
        "SELECT cost_usd FROM calls WHERE cost_usd IS NOT NULL",
    )
    .concat();
    let total: Total = costs
        .iter()
        .map(|cost| Total::from(cost.parse::<Money>().unwrap()))
        .sum();
    let known = "SELECT cost_usd, cost_reported, cost_base FROM systems WHERE name = 'gamma'";
    let known = texts(&index, known).concat();
    assert_eq!(known[..2], [total.to_string(), costs.len().to_string()]);
    assert!(
        costs.len().to_string() != known[2],
        "some calls have no known cost"
    );
    let late =
        "SELECT cost_usd FROM calls WHERE cost_event IS NOT NULL AND cost_event != end_event";
    assert_eq!(texts(&index, late), [["0.00031"]]);
    let failures = "SELECT system, class, calls FROM failures";
    let counted =
        "SELECT systems.id, failure, count(*) FROM calls
        JOIN systems ON systems.ledger_index = calls.system WHERE failure IS NOT NULL GROUP BY 1, 2";
    assert_eq!(texts(&index, failures), texts(&index, counted));
    assert_eq!(
        texts(&index, "SELECT class, calls FROM failures"),
        [["timeout", "1"]]
    );
    let differing = "SELECT count(*) FROM systems WHERE nodes_reported
        != (SELECT count(nodes) FROM calls WHERE system = systems.ledger_index)
        OR coalesce(nodes, 0) != (SELECT total(nodes) FROM calls WHERE system = systems.ledger_index)
        OR time_ms != (SELECT sum(total_ms) FROM calls WHERE system = systems.ledger_index)
        OR calls_sent != (SELECT count(*) FROM calls WHERE system = systems.ledger_index)";
    assert_eq!(number(&index, differing), 0);
}

#[test]
fn a_call_in_flight_is_a_row_without_an_end() {
    let evidence = Evidence::new();
    let (projection, _) = evidence.project();
    let system = projection.systems.systems()[0].id;
    let mut more = Script::after(&script());
    let sent = CallSent {
        attempt: Count::from(1_u32),
        bodies: Vec::new(),
        candidates: None,
        game: None,
        limit: None,
        ply: None,
        position: None,
        puzzle: None,
        requested_model: None,
        route: None,
        system,
    };
    let id = more.say(sent);
    evidence.append(&more.events);
    let query =
        format!("SELECT state, ended_at, end_event, total_ms, game FROM calls WHERE id = '{id}'");
    assert_eq!(
        texts(&indexed(&evidence), &query).concat(),
        ["in_flight", "", "", "", ""]
    );
}

fn index_files(evidence: &Evidence) -> Vec<String> {
    let entries = fs::read_dir(evidence.path()).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("index"))
        .collect();
    names.sort();
    names
}

#[test]
fn a_new_index_takes_the_place_of_the_old_one_and_leaves_nothing_else_behind() {
    let evidence = Evidence::new();
    let folder = evidence.path();
    fs::write(folder.join("index.sqlite"), b"no database").unwrap();
    fs::write(folder.join("index.sqlite-journal"), b"of another one").unwrap();
    printed(&folder, &["index"]);
    // Looked at first: SQLite removes what it does not take for a journal.
    assert_eq!(index_files(&evidence), ["index.sqlite"]);
    assert_eq!(number(&indexed(&evidence), "SELECT count(*) FROM games"), 7);
    assert!(printed(&folder, &["verify"]).contains(" 0 findings"));
    assert!(scoresheet(&folder, &["index", "--at", "9999"]).code == 2);
    let sizes = "SELECT value FROM meta WHERE name = 'size'";
    printed(&folder, &["index", "--at", "20"]);
    let index = Connection::open(folder.join("index.sqlite")).unwrap();
    assert_eq!(texts(&index, sizes), [["20"]]);
    let nowhere = scoresheet(&folder.join("elsewhere"), &["index"]);
    assert_eq!(nowhere.code, 2);
}

#[test]
fn events_that_dangle_get_no_index_and_the_old_one_stays() {
    let evidence = Evidence::new();
    let before = dump(&indexed(&evidence));
    let mut more = Script::after(&script());
    let (projection, _) = evidence.project();
    let game = projection.games.iter().next().unwrap().id;
    more.say(CallSent {
        attempt: Count::from(1_u32),
        bodies: Vec::new(),
        candidates: None,
        game: Some(game),
        limit: None,
        ply: Some(Ply(1)),
        position: None,
        puzzle: None,
        requested_model: None,
        route: None,
        // No system: a game.
        system: game,
    });
    evidence.append(&more.events);
    let refused = scoresheet(&evidence.path(), &["index"]);
    assert_eq!(refused.code, 1);
    assert!(
        refused
            .stderr
            .contains("a row of `calls` that names one of `systems`"),
        "{}",
        refused.stderr
    );
    assert_eq!(index_files(&evidence), ["index.sqlite"]);
    let index = Connection::open(evidence.path().join("index.sqlite")).unwrap();
    assert_eq!(dump(&index), before);
}

#[test]
fn what_contradicts_itself_is_a_finding_and_the_first_word_stands() {
    let evidence = Evidence::new();
    let told = script();
    let answered = told.events.iter().find_map(|event| match &event.what {
        What::CallAnswered(answered) => Some(answered.clone()),
        _ => None,
    });
    let mut second = answered.unwrap();
    second.time.total_ms = Count::from(77_u32);
    let call = second.call;
    let mut more = Script::after(&told);
    let id = more.say(second);
    evidence.append(&more.events);
    let index = indexed(&evidence);
    let findings = texts(
        &index,
        "SELECT position, code, severity, event FROM findings",
    );
    assert_eq!(findings, [["0", "call-state", "blocker", &id.to_string()]]);
    let time = format!("SELECT total_ms FROM calls WHERE id = '{call}'");
    assert_eq!(texts(&index, &time), [["10"]]);
}

/// Reads every table and view of the index that is its first argument, and
/// prints what `sqlite3` finds too: how many rows they have.
const DUCKDB: &str = r#"
import os, shutil, sys, tempfile
import duckdb, duckdb_extension_sqlite
connection = duckdb.connect()
folder = os.path.dirname(duckdb_extension_sqlite.__file__)
built = os.path.join(folder, "extensions", f"v{duckdb.__version__}", "sqlite.duckdb_extension")
with tempfile.TemporaryDirectory() as folder:
    # DuckDB looks in a file for what its name says.
    named = shutil.copy(built, os.path.join(folder, "sqlite_scanner.duckdb_extension"))
    connection.execute(f"LOAD '{named}'")
connection.execute(f"ATTACH '{sys.argv[1]}' AS ledger (TYPE sqlite, READ_ONLY)")
for name in sys.argv[2:]:
    rows = connection.execute(f'SELECT * FROM ledger."{name}"').fetchall()
    print(name, len(rows), connection.execute(f'SELECT count(*) FROM ledger."{name}"').fetchone()[0])
"#;

#[test]
fn duckdb_reads_every_table_and_view_with_all_rows() {
    let Some(python) = crate::tool::environment("SCORESHEET_TEST_DUCKDB") else {
        eprintln!("not tested: SCORESHEET_TEST_DUCKDB names no Python with duckdb");
        return;
    };
    let evidence = Evidence::new();
    let index = indexed(&evidence);
    let names = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY rowid";
    let names = texts(&index, names).concat();
    let output = std::process::Command::new(python)
        .args(["-c", DUCKDB])
        .arg(evidence.path().join("index.sqlite"))
        .args(&names)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let expected: Vec<_> = names
        .iter()
        .map(|name| {
            let rows = number(&index, &format!("SELECT count(*) FROM {name}"));
            format!("{name} {rows} {rows}")
        })
        .collect();
    let read = String::from_utf8(output.stdout).unwrap();
    assert_eq!(read.lines().collect::<Vec<_>>(), expected);
}
