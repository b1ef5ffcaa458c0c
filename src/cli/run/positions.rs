use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::run::deck::Deck;
use crate::cli::run::outlook::show;
use crate::cli::run::{Args, Ground, introduce, meet, questions};
use crate::cli::screen::{Screen, counted};
use crate::run::{Outlook, PositionFile, PositionRun};

/// Asks everybody of the file every position of its list, once.
pub(crate) fn run<'a>(
    args: &Args,
    file: &PositionFile,
    ground: Ground<'a>,
    deck: &'a Deck,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    let entrants = meet(
        &file.everybody(),
        &file.prompting().identities(),
        file.deadlines,
        &deck.tape,
        &ground.interrupt,
    )?;
    if args.dry_run {
        introduce(&entrants, screen);
        let outlook = Outlook::of_positions(&ground.projection, file)?;
        let list = &file.positions;
        let there = ground.projection.positions.list_named(list.as_str());
        let positions = there.map_or(0, |list| list.registered.positions.len());
        screen.line(&format!(
            "list {list}: {}, each asked once of {}, condition {}",
            counted(positions, "position"),
            counted(entrants.len(), "system"),
            file.condition
        ));
        show(&outlook, "the positions that are left", screen);
        return Ok(Exit::Clean);
    }
    let words = questions::Words {
        dataset: format!("list {}", file.positions),
        noun: "position",
        finished: "everybody was asked every position",
        failing: "three in a row got no answer",
        board: "positions",
    };
    let ground = (ground, deck);
    questions::ask(
        ground,
        &file.by,
        &words,
        screen,
        |record, program, (stop, tell)| {
            PositionRun::open(record, file, &entrants, program)?.ask(stop, tell)
        },
    )
}
