use scoresheet::event::{DatasetRegistered, Event, Verified, What};

use crate::arena::Arena;
use crate::puzzles::{file, full};

fn datasets(arena: &Arena) -> Vec<DatasetRegistered> {
    let events: Vec<Verified<Event>> = arena.events();
    let datasets = events.iter().filter_map(|event| match &event.what {
        What::DatasetRegistered(dataset) => Some(dataset.clone()),
        _ => None,
    });
    datasets.collect()
}

#[test]
fn a_short_cell_is_an_error_that_names_it_and_a_partial_dataset_only_on_request() {
    let arena = Arena::new();
    let mut lines = full(10);
    lines.retain(|line| line.id != "pin1600n3");
    let path = arena.write("puzzles.csv", &file(&lines));
    let path = path.to_str().unwrap();
    let draw = ["dataset", "puzzles", path, "--name", "d", "--seed", "s"];
    arena
        .call(&draw)
        .ends_with(2)
        .says("pin in 1600-2000: 9 of 10")
        .says("nothing was registered");
    assert_eq!(datasets(&arena), []);
    arena
        .call(&[&draw[..], &["--allow-short"]].concat())
        .ends_with(0)
        .says("149 puzzles (partial) in 15 cells");
    assert!(datasets(&arena)[0].is_partial());
    let fewer = [&draw[..4], &["e", "--seed", "s", "--per-cell", "9"]].concat();
    arena
        .call(&fewer)
        .ends_with(0)
        .says("135 puzzles (full) in 15 cells");
}

#[test]
fn a_name_is_taken_once_and_a_dry_run_registers_nothing() {
    let arena = Arena::new();
    let path = arena.write("puzzles.csv", &file(&full(10)));
    let path = path.to_str().unwrap();
    let draw = ["dataset", "puzzles", path, "--name", "d", "--seed", "s"];
    let dry = arena.call(&[&draw[..], &["--dry-run"]].concat());
    dry.ends_with(0).says("\"kind\":\"dataset.registered\"");
    assert_eq!(datasets(&arena), []);
    arena.call(&draw).ends_with(0);
    let again = ["dataset", "puzzles", path, "--name", "d", "--seed", "t"];
    arena.call(&again).ends_with(2).says("dataset-twice");
    assert_eq!(datasets(&arena).len(), 1);
    let list = arena.call(&["dataset", "list"]);
    list.ends_with(0).says("150 puzzles (full) in 15 cells");
}

#[test]
fn a_faulty_or_missing_file_registers_nothing() {
    let arena = Arena::new();
    let text = format!("{}x,y\n", file(&full(10)));
    let path = arena.write("puzzles.csv", &text);
    let draw = |path: &str| arena.call(&["dataset", "puzzles", path, "--name", "d", "--seed", "s"]);
    draw(path.to_str().unwrap()).ends_with(2).says("line 152: ");
    draw("nowhere.csv").ends_with(2).says("cannot read");
    let no_zst = arena.write("puzzles.csv.zst", &text);
    draw(no_zst.to_str().unwrap()).ends_with(2);
    assert_eq!(datasets(&arena), []);
}

/// As many as a line of the ledger can hold, and not one more without a word.
#[test]
fn a_dataset_that_fits_no_line_is_refused() {
    let arena = Arena::new();
    let path = arena.write("puzzles.csv", &file(&full(60)));
    let path = path.to_str().unwrap();
    let draw = [
        "dataset",
        "puzzles",
        path,
        "--name",
        "d",
        "--seed",
        "s",
        "--per-cell",
        "60",
    ];
    arena.call(&draw).ends_with(2).says("too long for a line");
}
