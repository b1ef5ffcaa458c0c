//! Boards that go on from the snapshot in an index: the same bytes as from
//! nothing, whatever is wrong with it.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use rusqlite::Connection;
use scoresheet::board::{
    CostsBy, Format, LadderBoard, Table, costs, figures, people, placement, render, render_costs,
};
use scoresheet::digest::empty_root;
use scoresheet::event::{Event, Verified};
use scoresheet::ledger::{Disk, Prefix};
use scoresheet::projection::{Projection, Source};
use scoresheet::store::{Draft, Snapshot};

use crate::eras::laws::{live, step};
use crate::evidence::{COHORT, Evidence, script};
use crate::program::{printed, scoresheet};
use crate::rows::{dump, number, texts};

fn source(size: usize) -> Source {
    Source {
        origin: "example.org/resumed".parse().unwrap(),
        size: u64::try_from(size).unwrap(),
        root: empty_root(),
    }
}

/// Writes the index of these events with this projection.
fn write(target: &Path, mut projection: Projection, events: &[Verified<Event>]) -> Projection {
    let draft = Draft::begin(target).unwrap();
    let mut filling = draft.filling();
    for event in events {
        filling.take(&mut projection, event).unwrap();
    }
    projection.forget();
    filling.finish(&projection, &source(events.len())).unwrap();
    draft.finish().unwrap();
    projection
}

/// Every board there is, to the last byte.
fn boards(projection: &Projection, size: usize) -> Vec<String> {
    let mut boards = Vec::new();
    for cohort in projection.schedules.cohort_names() {
        boards.push(match placement(projection, cohort.as_str(), source(size)) {
            Ok(board) => String::from_utf8(render(&board, Format::Json).unwrap()).unwrap(),
            Err(error) => error.to_string(),
        });
    }
    for era in projection.eras.iter() {
        let board = LadderBoard::of(projection, era, source(size));
        boards.push(String::from_utf8(board.render(Format::Json).unwrap()).unwrap());
    }
    boards.push(people(projection).unwrap().markdown());
    for by in [CostsBy::Part, CostsBy::System] {
        let board = costs(projection, by, None, None, source(size));
        boards.push(String::from_utf8(render_costs(&board, Format::Json)).unwrap());
    }
    boards
}

fn folded(events: &[Verified<Event>]) -> Projection {
    let mut projection = Projection::default();
    for event in events {
        projection.apply(event);
    }
    projection
}

/// What the index says beside its snapshot.
fn tables(index: &Path) -> Vec<(String, Vec<Vec<String>>)> {
    let mut tables = dump(&Connection::open(index).unwrap());
    tables.retain(|(table, _)| table != "snapshot");
    tables
}

/// A table of a board, cell for cell, as a view of the index has it.
fn in_view(index: &Path, view: &str, of: &str, table: &Table) -> Vec<Vec<String>> {
    let columns: Vec<_> = table.columns().iter().map(AsRef::as_ref).collect();
    let query = format!(
        "SELECT {} FROM {view} WHERE {of} ORDER BY position",
        columns.join(", ")
    );
    texts(&Connection::open(index).unwrap(), &query)
}

fn check_views(index: &Path, projection: &Projection, size: usize) {
    for cohort in projection.schedules.cohort_names() {
        let Ok(board) = placement(projection, cohort.as_str(), source(size)) else {
            continue;
        };
        let table = figures(&board).unwrap();
        let view = in_view(
            index,
            "placement_board",
            &format!("cohort = '{cohort}'"),
            &table,
        );
        assert_eq!(table.rows(), view);
    }
    for era in projection.eras.iter() {
        let ladder = LadderBoard::of(projection, era, source(size))
            .figures()
            .unwrap();
        let place = |name: &str| ladder.columns().iter().position(|one| one == name).unwrap();
        let names = [
            "rank",
            "system",
            "system_id",
            "status",
            "rating",
            "deviation",
        ];
        let places = names.map(place);
        let of_era = format!("era = '{}'", era.started.name);
        let query = format!(
            "SELECT {} FROM ladder_board WHERE {of_era}",
            names.join(", ")
        );
        let view = texts(&Connection::open(index).unwrap(), &query);
        for row in ladder.rows() {
            assert!(view.contains(&places.map(|place| row[place].clone()).to_vec()));
        }
    }
}

/// Holds everything that is made of these events in two ways together.
fn check(events: &[Verified<Event>], cut: usize) {
    let folder = tempfile::tempdir().unwrap();
    let [forgetful, whole] = ["forgetful", "whole"].map(|name| folder.path().join(name));
    let projection = write(&forgetful, Projection::forgetful(), events);
    assert!(projection.knows_every_call());
    write(&whole, Projection::default(), events);
    assert_eq!(tables(&forgetful), tables(&whole));
    check_views(&forgetful, &projection, events.len());
    let expected = boards(&folded(events), events.len());
    assert_eq!(boards(&projection, events.len()), expected);

    let index = folder.path().join("index");
    let before = write(&index, Projection::forgetful(), &events[..cut]);
    let snapshot = Snapshot::read(&index).unwrap().unwrap();
    let mut resumed = snapshot.projection().unwrap();
    assert!(resumed == before, "what is read is what was written");
    for event in &events[cut..] {
        resumed.apply(event);
    }
    assert!(resumed.knows_every_call());
    assert_eq!(boards(&resumed, events.len()), expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn ladders_are_the_same_from_any_snapshot_and_with_any_memory(
        count in 2..6_usize,
        steps in prop::collection::vec(step(), 60..160),
        cut in any::<prop::sample::Index>(),
    ) {
        let saga = live(count, &steps);
        check(&saga.events, cut.index(saga.events.len()));
    }

    #[test]
    fn games_with_calls_failures_and_late_costs_are_too(cut in any::<prop::sample::Index>()) {
        let events = script().events;
        check(&events, cut.index(events.len()));
    }
}

#[test]
fn the_committed_evidence_is_the_same_from_a_snapshot_in_the_middle_of_a_game() {
    let disk = Disk::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("ledger"));
    let prefix = Prefix::open(&disk).unwrap();
    let mut events = Vec::new();
    prefix
        .read(prefix.size().min(6000), |_, event| events.push(event))
        .unwrap();
    check(&events, 5003);
}

const BOARDS: [&[&str]; 3] = [
    &["board", "placement", COHORT, "--format", "json"],
    &["board", "people", "--format", "json"],
    &["board", "costs", "--format", "json"],
];

/// The boards of a ledger, and whether somebody said that all events are read.
fn printed_boards(ledger: &Path) -> (Vec<String>, bool) {
    let outcomes: Vec<_> = BOARDS.iter().map(|args| scoresheet(ledger, args)).collect();
    assert!(outcomes.iter().all(|outcome| outcome.code == 0));
    let said: Vec<_> = outcomes
        .iter()
        .map(
            |outcome| match outcome.stderr.lines().collect::<Vec<_>>()[..] {
                [] => false,
                [hint] => {
                    assert!(hint.contains("reading all events"), "{hint}");
                    true
                }
                _ => panic!("{}", outcome.stderr),
            },
        )
        .collect();
    assert!(said.iter().all(|one| *one == said[0]));
    let boards = outcomes.into_iter().map(|outcome| outcome.stdout);
    (boards.collect(), said[0])
}

#[test]
fn a_snapshot_is_gone_on_from_and_a_lie_in_it_shows_that_it_was() {
    let evidence = Evidence::opened();
    let events = script().events;
    evidence.append(&events[..events.len() - 9]);
    let folder = evidence.path();
    printed(&folder, &["index"]);
    evidence.append(&events[events.len() - 9..]);
    let (resumed, said) = printed_boards(&folder);
    assert!(!said);
    // A snapshot that fits in every way, but for the name of a system.
    let index = Connection::open(folder.join("index.sqlite")).unwrap();
    let text = texts(&index, "SELECT projection FROM snapshot")
        .concat()
        .concat();
    let lie = text.replace("\"alpha\"", "\"omega\"");
    assert_ne!(text, lie);
    let sha256 = scoresheet::digest::Digest::of(lie.as_bytes()).to_string();
    index
        .execute(
            "UPDATE snapshot SET projection = ?, sha256 = ?",
            [&lie, &sha256],
        )
        .unwrap();
    drop(index);
    let (lied, said) = printed_boards(&folder);
    assert!(!said);
    assert!(lied[0].contains("omega"));
    fs::remove_file(folder.join("index.sqlite")).unwrap();
    assert_eq!(printed_boards(&folder), (resumed, false));
    // What rests on evidence never looks at it.
    assert!(printed(&folder, &["verify"]).contains(" 0 findings"));
}

#[test]
fn an_index_of_no_use_is_a_hint_and_the_boards_are_those_of_the_events() {
    let evidence = Evidence::new();
    let folder = evidence.path();
    let index = folder.join("index.sqlite");
    let (expected, said) = printed_boards(&folder);
    assert!(!said, "without an index nothing is said");
    printed(&folder, &["index"]);
    assert_eq!(printed_boards(&folder), (expected.clone(), false));
    let good = fs::read(&index).unwrap();
    let wrong: [(&str, &str); 7] = [
        (
            "another ledger",
            "UPDATE snapshot SET origin = 'example.org/other'",
        ),
        ("another root", "UPDATE snapshot SET root = sha256"),
        ("more events", "UPDATE snapshot SET size = 9999999"),
        ("fewer events", "UPDATE snapshot SET size = size - 1"),
        ("no size", "UPDATE snapshot SET size = -1"),
        ("another text", "UPDATE snapshot SET projection = '{}'"),
        ("no text", "UPDATE snapshot SET projection = ''"),
    ];
    for (what, change) in wrong {
        fs::write(&index, &good).unwrap();
        Connection::open(&index)
            .unwrap()
            .execute(change, [])
            .unwrap();
        assert_eq!(printed_boards(&folder), (expected.clone(), true), "{what}");
    }
    for (what, bytes) in [
        ("no database", b"no database, and long enough".as_slice()),
        ("torn", &good[..good.len() / 2]),
    ] {
        fs::write(&index, bytes).unwrap();
        assert_eq!(printed_boards(&folder), (expected.clone(), true), "{what}");
    }
    fs::remove_file(&index).unwrap();
    fs::create_dir(&index).unwrap();
    assert_eq!(
        printed_boards(&folder),
        (expected.clone(), true),
        "a folder"
    );
    fs::remove_dir(&index).unwrap();
    // What another version wrote, and an index without one, are of no use and no trouble.
    for change in ["UPDATE snapshot SET format = '9'", "DROP TABLE snapshot"] {
        fs::write(&index, &good).unwrap();
        Connection::open(&index)
            .unwrap()
            .execute(change, [])
            .unwrap();
        assert_eq!(
            printed_boards(&folder),
            (expected.clone(), false),
            "{change}"
        );
    }
}

#[test]
fn an_earlier_world_is_not_read_from_a_later_snapshot() {
    let evidence = Evidence::new();
    let folder = evidence.path();
    let args = ["board", "costs", "--format", "json", "--at", "60"];
    let before = printed(&folder, &args);
    printed(&folder, &["index"]);
    assert_eq!(printed(&folder, &args), before);
}

#[test]
fn events_that_contradict_one_another_leave_no_snapshot() {
    let evidence = Evidence::new();
    let game = script().events.iter().find_map(|event| match &event.what {
        scoresheet::event::What::GameFinished(finished) => Some(finished.clone()),
        _ => None,
    });
    let mut more = crate::evidence::Script::after(&script());
    more.say(game.unwrap());
    evidence.append(&more.events);
    printed(&evidence.path(), &["index"]);
    let index = Connection::open(evidence.path().join("index.sqlite")).unwrap();
    assert_eq!(number(&index, "SELECT count(*) FROM findings"), 1);
    assert_eq!(number(&index, "SELECT count(*) FROM snapshot"), 0);
}
