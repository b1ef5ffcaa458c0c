use std::path::Path;

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::read_input;
use crate::cli::run::deck::Deck;
use crate::cli::run::outlook::show;
use crate::cli::run::{Args, Ground, RUN_FILE_BYTES_MAX, introduce, meet, questions};
use crate::cli::screen::{Screen, counted};
use crate::run::prompts::identities;
use crate::run::{Outlook, PuzzleFile, PuzzleRun};

/// Asks every model of the file every puzzle of its dataset, once.
pub(crate) fn run<'a>(
    args: &Args,
    file: &PuzzleFile,
    ground: Ground<'a>,
    deck: &'a Deck,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    let input = |error: String| CliError::Input(error);
    let prompt = file.prompt(&read_text).map_err(input)?;
    let prompts = identities(&prompt.templates());
    let entrants = meet(
        &file.everybody(),
        &prompts,
        file.deadlines,
        &deck.tape,
        &ground.interrupt,
    )?;
    if args.dry_run {
        introduce(&entrants, screen);
        let outlook = Outlook::of_puzzles(&ground.projection, file, &prompt)?;
        let dataset = ground
            .projection
            .puzzles
            .dataset_named(file.puzzles.as_str());
        let puzzles = dataset.map_or(0, |dataset| dataset.registered.puzzles().count());
        screen.line(&format!(
            "dataset {}: {}, each asked once of {}",
            file.puzzles,
            counted(puzzles, "puzzle"),
            counted(entrants.len(), "model")
        ));
        show(&outlook, "the puzzles that are left", screen);
        return Ok(Exit::Clean);
    }
    let words = questions::Words {
        dataset: format!("dataset {}", file.puzzles),
        noun: "puzzle",
        finished: "every model was asked every puzzle",
        failing: "three in a row got no answer and count as wrong",
        board: "puzzles",
    };
    let ground = (ground, deck);
    questions::ask(
        ground,
        &file.by,
        &words,
        screen,
        |record, program, (stop, tell)| {
            PuzzleRun::open(record, file, prompt, &entrants, program)?.ask(stop, tell)
        },
    )
}

fn read_text(path: &str) -> Result<String, String> {
    let bytes = read_input(Path::new(path), RUN_FILE_BYTES_MAX);
    let bytes = bytes.map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| format!("{path}: {error}"))
}
