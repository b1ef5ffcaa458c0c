use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;
use scoresheet::digest::Digest;
use scoresheet::event::{PuzzleCell, Tactic};
use scoresheet::import::{Band, DrawError, Drawn, Recipe, Unpacked, draw_puzzles};

use crate::puzzles::{HEADING, Line, file, full};

fn drawn(text: &str, per_cell: u32, seed: &str) -> Drawn {
    let recipe = Recipe::published(per_cell, seed.to_owned());
    draw_puzzles(text.as_bytes(), recipe).unwrap().0
}

fn faults(text: &str) -> String {
    let recipe = Recipe::published(1, "s".to_owned());
    let error = draw_puzzles(text.as_bytes(), recipe).unwrap_err();
    error.to_string()
}

fn ids(cell: &PuzzleCell) -> Vec<&str> {
    cell.puzzles
        .iter()
        .map(|puzzle| puzzle.id.as_str())
        .collect()
}

/// The draw as its documentation says it, of the whole file at once.
fn by_the_book(lines: &[Line], per_cell: usize, seed: &str) -> Vec<(Tactic, Band, Vec<String>)> {
    let mut taken = BTreeSet::new();
    let mut cells = Vec::new();
    for tactic in Tactic::ALL {
        for band in Band::PUBLISHED {
            let is_of = |line: &&Line| {
                let mut themes = line.themes.split(' ');
                themes.any(|theme| theme == tactic.as_str())
                    && band.from <= line.rating
                    && line.rating < band.below
                    && line.sort != 3
            };
            let mut candidates: Vec<_> = lines.iter().filter(is_of).collect();
            candidates.sort_by_key(|line| {
                let label = format!("{seed}|{tactic}|{}-{}|{}", band.from, band.below, line.id);
                Digest::of(label.as_bytes()).to_string()
            });
            let mut ids = Vec::new();
            for line in candidates {
                if ids.len() < per_cell && taken.insert(line.id.clone()) {
                    ids.push(line.id.clone());
                }
            }
            cells.push((tactic, band, ids));
        }
    }
    cells
}

fn line() -> impl Strategy<Value = Line> {
    let theme = prop::sample::select(vec![
        "mateIn1",
        "mateIn2",
        "fork",
        "pin",
        "hangingPiece",
        "mate",
        "pinned",
        "endgame",
    ]);
    let themes = prop::collection::vec(theme, 1..4).prop_map(|themes| themes.join(" "));
    (700_u32..2100, themes, 0..4_usize).prop_map(|(rating, themes, sort)| Line {
        id: String::new(),
        rating,
        themes,
        sort,
    })
}

fn lines() -> impl Strategy<Value = Vec<Line>> {
    prop::collection::vec(line(), 0..120).prop_map(|mut lines| {
        for (line, number) in lines.iter_mut().zip(0..) {
            line.id = format!("p{number}");
        }
        lines
    })
}

proptest! {
    #[test]
    fn the_draw_is_the_one_of_its_documentation_in_whatever_order_the_lines_stand(
        (lines, shuffled) in lines().prop_flat_map(|lines| {
            (Just(lines.clone()), Just(lines).prop_shuffle())
        }),
        per_cell in 1..4_u32,
        seed in "[a-z|]{1,5}",
    ) {
        let found = drawn(&file(&lines), per_cell, &seed);
        prop_assert_eq!(&drawn(&file(&shuffled), per_cell, &seed), &found);
        let wanted = by_the_book(&lines, usize::try_from(per_cell).unwrap(), &seed);
        let cells: Vec<_> = found.cells.iter().map(|cell| {
            let ids: Vec<_> = ids(cell).into_iter().map(str::to_owned).collect();
            (cell.tactic, cell.from, cell.below, ids)
        }).collect();
        let wanted: Vec<_> = wanted.into_iter()
            .map(|(tactic, band, ids)| (tactic, band.from, band.below, ids))
            .collect();
        prop_assert_eq!(cells, wanted);
        let all: Vec<_> = found.cells.iter().flat_map(ids).collect();
        let distinct: BTreeSet<_> = all.iter().collect();
        prop_assert_eq!(distinct.len(), all.len());
        let short = found.cells.iter().filter(|cell| {
            u32::try_from(cell.puzzles.len()).unwrap() < per_cell
        });
        prop_assert_eq!(short.count(), found.short.len());
    }

    /// Neither what else a line says, nor other lines that are of no cell.
    #[test]
    fn the_draw_depends_on_seed_tactic_band_and_id_alone(lines in lines(), shift in 0..3_u32) {
        let found = drawn(&file(&lines), 2, "s");
        let mut others = lines.clone();
        for line in &mut others {
            let band = Band::PUBLISHED.into_iter().find(|band| band.has(line.rating));
            if let Some(band) = band {
                line.rating = band.from + shift;
            }
            line.themes = format!("zugzwang {}", line.themes);
            line.sort = if line.sort == 3 { 3 } else { (line.sort + 1) % 3 };
        }
        others.push(Line { id: "q".into(), rating: 1000, themes: "fork".into(), sort: 3 });
        others.push(Line { id: "r".into(), rating: 2000, themes: "fork".into(), sort: 2 });
        let again = drawn(&file(&others), 2, "s");
        let of = |drawn: &Drawn| -> Vec<_> {
            drawn.cells.iter().map(|cell| ids(cell).join(" ")).collect()
        };
        prop_assert_eq!(of(&found), of(&again));
    }
}

proptest! {
    #[test]
    fn whatever_stands_in_a_file_is_drawn_or_refused_without_a_panic(
        heading in prop::bool::ANY,
        text in "(x1|[\"',\n\r |]|7k/5ppp/8/8/8/8/5PPP/4R1K1 b - - 0 1|h8g8|e1e8|fork|900|(?s).){0,60}",
        place in 0..1_000_usize,
        byte in 0..=255_u8,
    ) {
        let recipe = || Recipe::published(1, "s".to_owned());
        let text = if heading { format!("{HEADING}\n{text}") } else { text };
        // Either way; what it says is looked at elsewhere.
        drop(draw_puzzles(text.as_bytes(), recipe()));
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        let mut packed = ruzstd::encoding::compress_to_vec(text.as_bytes(), level);
        let place = place % packed.len();
        packed[place] = byte;
        drop(draw_puzzles(Unpacked::of(&packed[..]), recipe()));
    }
}

#[test]
fn a_full_draw_has_ten_of_each_tactic_in_each_band_and_another_seed_draws_others() {
    let text = file(&full(12));
    let [one, other] = ["one", "other"].map(|seed| drawn(&text, 10, seed));
    assert_eq!(one.short, [""; 0]);
    assert_eq!(one.cells.len(), 15);
    for cell in &one.cells {
        assert_eq!((cell.puzzles.len(), cell.candidates.get()), (10, 12));
    }
    assert_ne!(one.cells, other.cells);
    // The opponent's first move is played, and is no part of the line.
    let mate = &one.cells[0].puzzles[0];
    assert_eq!(mate.fen.as_str(), "6k1/5ppp/8/8/8/8/5PPP/R3R1K1 w - - 1 2");
    assert_eq!(mate.line.len(), 1);
}

#[test]
fn columns_are_found_by_their_names_and_others_are_passed_over() {
    let text = "\u{feff}Themes,Odd,Moves,FEN,PuzzleId,Rating\n\
                mateIn1,\"a,b\",h8g8 e1e8,7k/5ppp/8/8/8/8/5PPP/4R1K1 b - - 0 1,x1,800\r\n";
    let found = drawn(text, 1, "s");
    assert_eq!(ids(&found.cells[0]), ["x1"]);
    assert_eq!(found.short.len(), 14);
    assert_eq!(found.short[0], "mateIn1 in 1200-1600: 0 of 1");
    let missing = faults("PuzzleId,FEN,Moves,Themes\n");
    assert!(missing.contains("names no column Rating"), "{missing}");
    assert!(faults("").contains("names no column PuzzleId"));
}

#[test]
fn a_faulty_line_is_named_by_its_number_and_nothing_is_drawn() {
    let fen = "7k/5ppp/8/8/8/8/5PPP/4R1K1 b - - 0 1";
    let lines = [
        format!("x1,{fen},h8g8 e1e8,1000,,,,mateIn1,,"),
        format!("x2,{fen},h8g8 e1e8,high,,,,mateIn1,,"),
        format!("x3,{fen},h8g8,1000,,,,mateIn1,,"),
        format!("x4,{fen},h8g8 e1e9,1000,,,,mateIn1,,"),
        format!("x5,{fen},h8g8 e1f8,1000,,,,mateIn1,,"),
        "x6,nowhere,h8g8 e1e8,1000,,,,mateIn1,,".to_owned(),
        format!("x 7,{fen},h8g8 e1e8,1000,,,,mateIn1,,"),
        "x8".to_owned(),
        // No move is played on a board that nobody asks for.
        format!("x9,{fen},h8g8 e1f8,1000,,,,skewer,,"),
    ];
    let found = faults(&format!("{HEADING}\n{}\n", lines.join("\n")));
    let found: Vec<_> = found.lines().skip(1).collect();
    let begins = [
        "line 3: expected a whole Rating, found `high`",
        "line 4: expected Moves to be the opponent's move and a solution of an odd number",
        "line 5: Moves: ",
        "line 6: Moves: `e1f8` is no legal move in `6k1/",
        "line 7: FEN: ",
        "line 8: PuzzleId: expected an id of 1 to 32 printable ASCII characters",
        "line 9: expected a column Rating, found a shorter line",
    ];
    assert_eq!(found.len(), begins.len(), "{found:#?}");
    for (found, begin) in found.iter().zip(begins) {
        assert!(found.starts_with(begin), "{found}");
    }
    let many = format!("{HEADING}\n{}", "x8\n".repeat(50));
    assert!(faults(&many).ends_with("and 30 more"), "{}", faults(&many));
}

#[test]
fn a_puzzle_that_stands_in_the_file_twice_is_taken_once_or_refused() {
    let mut lines = full(1);
    lines.push(lines[0].clone());
    let found = drawn(&file(&lines), 1, "s");
    assert_eq!(found.short, [""; 0]);
    lines[0].rating += 1;
    let recipe = Recipe::published(1, "s".to_owned());
    let error = draw_puzzles(file(&lines).as_bytes(), recipe).unwrap_err();
    assert!(matches!(error, DrawError::Twice(id) if id == lines[0].id));
}

#[test]
fn a_packed_file_is_the_file_in_it() {
    let text = file(&full(3));
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let packed = ruzstd::encoding::compress_to_vec(text.as_bytes(), level);
    let recipe = || Recipe::published(2, "s".to_owned());
    let plain = draw_puzzles(text.as_bytes(), recipe()).unwrap();
    assert_eq!(plain.1, Digest::of(text.as_bytes()));
    let unpacked = draw_puzzles(Unpacked::of(&packed[..]), recipe()).unwrap();
    assert_eq!(unpacked, plain);
    let cut = draw_puzzles(Unpacked::of(&packed[..packed.len() / 2]), recipe());
    assert!(matches!(cut, Err(DrawError::Io(_))), "{cut:?}");
}

/// Real puzzles, where the folder is that holds some.
#[test]
fn real_puzzles_are_legal_and_short_cells_are_named() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../shared/data/puzzles/lichess-sample.csv"
    );
    let Ok(text) = std::fs::read_to_string(Path::new(path)) else {
        return;
    };
    let found = drawn(&text, 10, "seed 3");
    let puzzles: usize = found.cells.iter().map(|cell| cell.puzzles.len()).sum();
    assert_eq!(puzzles, 104);
    assert_eq!(found.cells[0].candidates.get(), 239);
    assert_eq!(ids(&found.cells[0])[..3], ["069jq", "039qo", "02chE"]);
    assert_eq!(found.short[0], "mateIn1 in 1600-2000: 0 of 10");
    for cell in &found.cells {
        for puzzle in &cell.puzzles {
            let position = puzzle.position().unwrap();
            let end = position.after(&puzzle.line).unwrap();
            let is_mate = matches!(cell.tactic, Tactic::MateIn1 | Tactic::MateIn2);
            assert!(end.is_mate() || !is_mate, "{}", puzzle.id);
        }
    }
}
