use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::run::deck::Deck;
use crate::cli::run::outlook::show;
use crate::cli::run::teller::Teller;
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
        let list = &file.positions;
        let there = ground.projection.positions.list_named(list.as_str());
        let positions = there.map_or(0, |list| list.registered.positions.len());
        screen.line(&format!(
            "list {list}: {}, each asked once of {}, condition {}",
            counted(positions, "position"),
            counted(entrants.len(), "system"),
            file.condition
        ));
        let outlook = Outlook::of_positions(&ground.projection, file)?;
        show(&outlook, "the positions that are left", screen);
        return Ok(Exit::Clean);
    }
    let (record, interrupt) = ground.record(deck.clock(), &file.by)?;
    let record = record.sealing_with(deck.keys());
    let program = deck.program();
    let run = PositionRun::open(record, file, &entrants, &program)?;
    let mut teller = Teller::new(screen, "positions");
    let stop = || interrupt.is_asked() || deck.tape.is_faulty();
    let outcome = run.ask(&stop, &mut |told| teller.tell_answer(&told));
    teller.finish();
    deck.end(screen)?;
    let words = questions::Words {
        dataset: format!("list {}", file.positions),
        noun: "position",
        finished: "everybody was asked every position",
        failing: "three in a row got no answer",
        board: "positions",
    };
    Ok(questions::end(&outcome?, &words, screen))
}
