//! Every generator of a release: what it makes of small worlds, as golden files
//! that a person can read, and the laws that hold for all of them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use scoresheet::digest::{Digest, empty_root};
use scoresheet::event::NamedValue;
use scoresheet::manifest::GeneratorRef;
use scoresheet::projection::{Projection, Source};
use scoresheet::release::{GENERATORS, GenerateError, Generator, generate};
use serde_json::Value;

use crate::anchored_board::contest;
use crate::book::Book;
use crate::eras::{Saga, WhiteWins};
use crate::story::story;

/// A prefix, and the value of each argument that fits it.
struct World {
    projection: Projection,
    values: Vec<(&'static str, &'static str)>,
}

/// A pool, an anchored cohort, an era and costs.
fn worlds() -> [World; 4] {
    let mut of_story = Projection::default();
    for event in &story().events {
        of_story.apply(event);
    }
    let world = |projection, values: &[(&'static str, &'static str)]| World {
        projection,
        values: values.to_vec(),
    };
    [
        world(of_story, &[("cohort", "t")]),
        world(contest().projection, &[("cohort", "c")]),
        world(
            Saga::placed(3, |_| WhiteWins).projection,
            &[("cohort", "first"), ("era", "era")],
        ),
        world(spent().projection, &[]),
    ]
}

/// Costs of each basis, on days with and without unknown ones.
fn spent() -> Book {
    let mut book = Book::new();
    let game = book.game("placement");
    book.pay(game, 0, "0.0125");
    book.mate(game);
    book.on("2026-11-02");
    book.price("2", "10");
    let game = book.game("placement");
    let call = book.ask(Some(game), 0);
    book.answer(call, None, Some([1234, 99]));
    book.pay(game, 1, "0.03");
    book.mate(game);
    book.on("2026-11-03");
    let game = book.game("placement");
    let call = book.ask(Some(game), 1);
    book.answer(call, None, None);
    book.mate(game);
    book.on("2026-11-05");
    let game = book.game("placement");
    book.pay(game, 0, "0.01");
    book.mate(game);
    book.spend("hosting", "0.02");
    book
}

impl World {
    fn source(&self) -> Source {
        Source {
            origin: "t".parse().unwrap(),
            size: self.projection.size,
            root: empty_root(),
        }
    }

    fn reference(&self, generator: &Generator, format: &str) -> GeneratorRef {
        let named = |name: &str, value: &str| NamedValue {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        let of = |name| self.values.iter().find(|(known, _)| *known == name);
        let given = generator.arguments.iter();
        let given = given.filter_map(|one| Some(named(one.name, of(one.name)?.1)));
        GeneratorRef {
            arguments: given.chain([named("format", format)]).collect(),
            name: generator.name.parse().unwrap(),
            version: u32::try_from(generator.version).unwrap().into(),
        }
    }

    fn made(&self, generator: &Generator, format: &str) -> Result<String, GenerateError> {
        let reference = self.reference(generator, format);
        let bytes = generate(&reference, &self.projection, &self.source())?;
        let again = generate(&reference, &self.projection, &self.source())?;
        assert_eq!(bytes, again, "{}: the same bytes", generator.name);
        Ok(String::from_utf8(bytes).unwrap())
    }
}

/// The newest generator with this name.
fn named(name: &str) -> &'static Generator {
    let mut all = GENERATORS.iter().rev();
    all.find(|one| one.name == name).unwrap()
}

/// The rows of a CSV as JSON objects; what is empty is not there.
fn rows(csv: &str) -> Vec<Value> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let columns = reader.headers().unwrap().clone();
    let row = |row: csv::StringRecord| {
        let cells = columns
            .iter()
            .zip(row.iter().map(str::to_owned).collect::<Vec<_>>());
        let known = cells.filter(|(_, cell)| !cell.is_empty());
        Value::Object(
            known
                .map(|(column, cell)| (column.to_owned(), cell.into()))
                .collect(),
        )
    };
    reader.records().map(|one| row(one.unwrap())).collect()
}

/// Each JSON row has every cell of its CSV row and no other; what is a text of
/// several parts there may be a list here.
fn must_hold(of_json: &[Value], of_csv: &[Value]) {
    assert_eq!(of_json.len(), of_csv.len());
    for (json, csv) in of_json.iter().zip(of_csv) {
        let cells = csv.as_object().unwrap();
        for (column, cell) in cells {
            let is_said = json[column] == *cell || json[column].is_array();
            assert!(is_said, "{column}: {json}");
        }
        assert_eq!(json.as_object().unwrap().len(), cells.len(), "{json}");
    }
}

/// An element that is opened is closed, in order; attributes are quoted.
fn must_be_well_formed(svg: &str) {
    let mut open = Vec::new();
    for tag in svg
        .split('<')
        .skip(1)
        .map(|part| part.split_once('>').unwrap().0)
    {
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.split([' ', '/']).find(|part| !part.is_empty()).unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty());
    for part in svg.split('&').skip(1) {
        let is_known = ["amp;", "lt;", "gt;"]
            .iter()
            .any(|one| part.starts_with(one));
        assert!(is_known, "{part}");
    }
}

#[test]
fn every_generator_makes_the_same_bytes_again_and_its_formats_say_the_same() {
    let mut seen = BTreeSet::new();
    for world in worlds() {
        for generator in GENERATORS {
            let made = |format| world.made(generator, format);
            let formats: BTreeSet<_> = generator.formats().collect();
            let Ok(csv) = formats
                .get("csv")
                .map_or(made("pgn"), |format| made(format))
            else {
                continue;
            };
            seen.insert((generator.name, generator.version));
            if formats.contains("json") {
                let json: Value = serde_json::from_str(&made("json").unwrap()).unwrap();
                let count = if let Some(of_json) = json.get("rows") {
                    must_hold(of_json.as_array().unwrap(), &rows(&csv));
                    rows(&csv).len()
                } else {
                    let lists = ["corrections", "claims"];
                    let mut lists = lists.iter().filter_map(|list| json[list].as_array());
                    lists.next().unwrap().len()
                };
                assert_eq!(count, rows(&csv).len());
                assert_eq!(json["size"], world.projection.size);
            }
            if formats.contains("markdown") {
                let page = made("markdown").unwrap();
                assert!(page.starts_with("# ") && page.ends_with('\n'));
                assert!(page.contains(&empty_root().to_string()));
            }
            if formats.contains("svg") {
                let svg = made("svg").unwrap();
                must_be_well_formed(&svg);
                let digest = Digest::of(csv.as_bytes());
                assert!(svg.contains(&format!("the table with sha256 {digest}.")));
                assert!(svg.contains(&format!("events of t, root {}", empty_root())));
                for row in rows(&csv) {
                    let system = row.get("system").and_then(Value::as_str);
                    assert!(svg.contains(system.unwrap_or("reported")));
                }
            }
        }
    }
    // Datasets have goldens of their boards of their own.
    seen.extend([("board-positions", 1), ("board-puzzles", 1)]);
    let all = GENERATORS.iter().map(|one| (one.name, one.version));
    assert_eq!(seen, all.collect());
}

#[test]
fn arguments_are_taken_in_their_order_and_no_others() {
    let [story, ..] = worlds();
    let refused = |change: &dyn Fn(&mut GeneratorRef)| {
        let mut reference = story.reference(named("board-placement"), "csv");
        change(&mut reference);
        let error = generate(&reference, &story.projection, &story.source()).unwrap_err();
        error.to_string()
    };
    let reversed = refused(&|one| one.arguments.reverse());
    let expected =
        "the generator takes cohort, format, in this order, the format one of csv, json, markdown";
    assert_eq!(
        reversed,
        format!("{expected}, not format=\"csv\", cohort=\"t\"")
    );
    assert!(refused(&|one| one.arguments.clear()).ends_with("not none"));
    assert!(refused(&|one| one.arguments[1].value = "svg".to_owned()).starts_with(expected));
    assert!(refused(&|one| one.arguments.push(one.arguments[1].clone())).starts_with(expected));
    assert_eq!(
        refused(&|one| one.version = 9_u32.into()),
        "there is no generator board-placement@9"
    );
    let era = named("board-ladder");
    let mut reference = story.reference(era, "csv");
    reference.arguments.insert(
        0,
        NamedValue {
            name: "era".to_owned(),
            value: "x".to_owned(),
        },
    );
    let error = generate(&reference, &story.projection, &story.source()).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "no era named x before event {}; there is: none",
            story.projection.size
        )
    );
}

/// What these make of a world, one after the other.
fn golden(world: &World, wanted: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (name, format) in wanted {
        let made = world.made(named(name), format).unwrap();
        write!(text, "=== {name} {format}\n{made}").unwrap();
    }
    text
}

#[test]
fn tables_and_figures_of_small_worlds_can_be_read() {
    let [story, contest, saga, spent] = worlds();
    let of_story = [
        ("board-placement", "csv"),
        ("board-comparison", "csv"),
        ("board-reliability", "markdown"),
        ("index-turns", "csv"),
        ("figure-ratings", "svg"),
        ("figure-reliability", "svg"),
    ];
    insta::assert_snapshot!("of_a_pool", golden(&story, &of_story));
    let of_contest = [
        ("figure-ratings", "csv"),
        ("figure-ratings", "svg"),
        ("figure-reliability", "svg"),
    ];
    insta::assert_snapshot!("of_anchors", golden(&contest, &of_contest));
    insta::assert_snapshot!("of_an_era", golden(&saga, &[("index-ladder", "csv")]));
    let of_costs = [("figure-costs", "csv"), ("figure-costs", "svg")];
    insta::assert_snapshot!("of_costs", golden(&spent, &of_costs));
}

#[test]
fn the_page_lists_every_generator_with_its_arguments_and_formats() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/generators.md");
    let page = std::fs::read_to_string(page).unwrap();
    let rows: Vec<_> = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    let expected = GENERATORS.iter().map(|one| {
        let formats: Vec<_> = one.formats().collect();
        let (arguments, formats) = (one.arguments_in_words(), formats.join(", "));
        format!(
            "| `{}@{}` | {arguments} | {formats} | {} |",
            one.name, one.version, one.what
        )
    });
    assert_eq!(rows, expected.collect::<Vec<_>>());
}
