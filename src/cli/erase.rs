use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::game_id::GameId;
use crate::cli::screen::{Screen, counted};
use crate::cli::writing::{WritingArgs, parse_words};
use crate::event::{Event, EventId, Verified};
use crate::finding::Place;
use crate::ledger::{Disk, Erased, Prefix, PrivateRoll, erase};
use crate::projection::{GameState, Projection};

/// Erase the private bodies of a game, and the key that opens them.
///
/// First the event `private.erased` is appended, which says how many bodies,
/// which ones and why; then the key and the sealed bodies are destroyed. If the
/// command is killed in between, `verify` says so, and the same command again
/// completes it. Moves, results, costs, failures and every other public fact
/// stay: they cannot be erased.
///
/// Exit codes: 0 nothing of the game is left to be erased; 2 the game goes on,
/// its bodies are in another copy, or something could not be done.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id of the game, or its first digits: at least 4, and as many as tell
    /// it from the others.
    game: GameId,

    /// Why, in words; it is public.
    #[arg(long, value_name = "TEXT", value_parser = parse_words)]
    reason: String,

    #[command(flatten)]
    writing: WritingArgs,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    if args.writing.dry_run {
        let (_, event) = decide(args, disk)?;
        match event {
            Some(event) => screen.event(&event),
            None => screen.line("no event names a private body of it that is left"),
        }
        return Ok(Exit::Clean);
    }
    // The lock is taken first: no run goes on with the game meanwhile.
    let mut writer = args.writing.writer(disk)?;
    let (game, event) = decide(args, disk)?;
    let erased = erase(disk, &mut writer, &game, event.as_ref())?;
    let game = game.digest().short();
    let files = counted(erased.files, "file");
    screen.line(&match erased {
        Erased {
            receipt: Some(receipt),
            ..
        } => format!(
            "erased the private bodies of game {game}: event {}, {files} destroyed",
            receipt.first_index
        ),
        Erased { files: 0, .. } => format!("game {game} has no private bodies: nothing to erase"),
        Erased { .. } => {
            format!(
                "game {game}: {files} destroyed, which no event names or which were erased before"
            )
        }
    });
    Ok(Exit::Clean)
}

/// Returns the game, and the event that is to be appended where a body is left.
fn decide(args: &Args, disk: &Disk) -> Result<(EventId, Option<Verified<Event>>), CliError> {
    let prefix = Prefix::open(disk)?;
    let mut projection = Projection::default();
    let mut roll = PrivateRoll::open(disk)?;
    prefix.read(prefix.size(), |_, event| {
        projection.apply(&event);
        // A contradiction is for `verify` to name.
        drop(roll.take(&event, &Place::event(*event.id().digest())));
    })?;
    let game = args.game.find(&projection)?;
    if game.state == GameState::Playing {
        return Err(CliError::Input(format!(
            "game {} goes on; play it to its end, or append a game.aborted for it, and erase then",
            game.id
        )));
    }
    let erasure = roll.erasure(&game.id, &args.reason);
    let elsewhere = roll.elsewhere(disk, &game.id)?;
    if 0 < elsewhere {
        return Err(CliError::Input(format!(
            "{} of game {} are not in this copy of the ledger; erase where they are. If that copy is gone for good, make the folder private/ in the ledger, remove the file private/since where there is one, and erase again",
            counted_bodies(elsewhere),
            game.id
        )));
    }
    let event = erasure.map(|erasure| args.writing.event(erasure));
    Ok((game.id, event.transpose()?))
}

/// A number of private bodies, in words.
fn counted_bodies(number: u64) -> String {
    if number == 1 {
        "1 private body".to_owned()
    } else {
        format!("{number} private bodies")
    }
}
