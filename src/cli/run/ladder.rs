use crate::canonical::Clock as _;
use crate::cli::clock::WallClock;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::run::deck::{Deck, refuse_erased};
use crate::cli::run::outlook::show;
use crate::cli::run::teller::Teller;
use crate::cli::run::{Args, Ground, introduce, meet};
use crate::cli::schedule::in_words;
use crate::cli::screen::Screen;
use crate::projection::Projection;
use crate::run::{
    Entrant, Entry, LadderFile, LadderOutcome, LadderRun, Limits, Outlook, Prompting, check_manual,
    enter, era_of,
};

/// Plays what the ladder chooses, or one game that a person chose.
pub(crate) fn run(
    args: &Args,
    file: &LadderFile,
    ground: Ground<'_>,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    let era = era_of(&ground.projection, file)?;
    let manual = match args.manual.as_deref() {
        Some([white, black]) => Some((white, black)),
        _ => None,
    };
    if let Some((white, black)) = manual {
        file.check_pair(white, black)?;
    }
    let rules = ground.projection.systems.protocol(&era.started.protocol);
    let prompting = rules.map(|rules| file.prompting(&rules.published));
    let prompting = prompting.transpose()?.flatten();
    let prompts = prompting.map(Prompting::identities).unwrap_or_default();
    let players = file.everybody();
    if let Some(rules) = rules {
        refuse_erased(args, &rules.published)?;
    }
    let deck = Deck::open(args, &ground)?;
    let entrants = meet(
        &players,
        &prompts,
        file.deadlines,
        &deck.tape,
        &ground.interrupt,
    )?;
    let entries = enter(&ground.projection, file, &entrants, args.admit)?;
    if let Some((white, black)) = manual {
        check_manual(&ground.projection, file, &entrants, [white, black])?;
    }
    if args.dry_run {
        dry_run(&ground.projection, file, &entrants, &entries, screen)?;
        if let Some(rules) = rules {
            let rules = &rules.published;
            let outlook = Outlook::of_ladder(&ground.projection, file, rules, prompting);
            show(&outlook, "two games, one with each color", screen);
        }
        return Ok(Exit::Clean);
    }
    let (record, interrupt) = ground.record(deck.clock(), &file.by)?;
    let record = record.sealing_with(deck.keys());
    let run = LadderRun::open(record, file, &entrants, &deck.program(), args.admit)?;
    let limits = Limits {
        games: args.games,
        stop: &|| interrupt.is_asked() || deck.tape.is_faulty(),
    };
    let mut teller = Teller::new(screen, "games");
    let tell = &mut |told| teller.tell(&told);
    let outcome = match manual {
        Some((white, black)) => run.play_manual(white, black, limits, tell),
        None => run.play(limits, tell),
    };
    teller.finish();
    deck.end(screen)?;
    let outcome = outcome?;
    Ok(end(&outcome, file, screen))
}

fn dry_run(
    projection: &Projection,
    file: &LadderFile,
    entrants: &[Entrant],
    entries: &[Entry],
    screen: &mut Screen<'_>,
) -> Result<(), CliError> {
    introduce(entrants, screen);
    for (entrant, entry) in entrants.iter().zip(entries) {
        let name = &entrant.system.name;
        match entry {
            Entry::Registered => {}
            Entry::Reregistered => screen.line(&format!(
                "{name} is registered when the run starts: other files of an identity on the ladder"
            )),
            Entry::Gone => screen.line(&format!("{name} has left the ladder and does not play")),
            Entry::Newcomer => screen.line(&format!("{name} is admitted when the run starts")),
        }
    }
    let era = era_of(projection, file)?;
    let next = projection.next_game(era, WallClock.now());
    let next = in_words(projection, era, &next);
    screen.line(&format!("era {}: next is {next}", file.era));
    Ok(())
}

fn end(outcome: &LadderOutcome, file: &LadderFile, screen: &mut Screen<'_>) -> Exit {
    let era = &file.era;
    let (text, exit) = match outcome {
        LadderOutcome::Played => ("run again to go on".to_owned(), Exit::Clean),
        LadderOutcome::Interrupted => ("told to stop; run again to go on".to_owned(), Exit::Failed),
        LadderOutcome::Spent { what } => (
            format!("the budget is spent ({what}); run again with more in [budget]"),
            Exit::Clean,
        ),
        LadderOutcome::Idle(why) => (format!("nothing to play now: {why}"), Exit::Clean),
        LadderOutcome::Failing => (
            "three games in a row were aborted; run again once the engines are mended".to_owned(),
            Exit::Blocked,
        ),
        LadderOutcome::Absent { missing } => (
            format!(
                "the ladder may want {}, who the run file does not have; add them, or pause them: scoresheet system pause NAME",
                missing.join(", ")
            ),
            Exit::Failed,
        ),
    };
    screen.line(&format!("era {era}: {text}"));
    exit
}
