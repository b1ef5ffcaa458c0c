use std::path::{Path, PathBuf};

use crate::board::Table;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::game_id::GameId;
use crate::cli::reading::{ReadingArgs, ReportFormat};
use crate::cli::screen::Screen;
use crate::digest::Digest;
use crate::event::{Event, PrivateBody, Verified, What};
use crate::finding::visible;
use crate::ledger::{
    BodyFault, BodyState, Disk, Due, Packs, PrivateRoll, open_body, opening_key, see_body,
    write_secret,
};
use crate::secret::Scanner;

/// List the private bodies of a game, and read those that are here.
///
/// A body is present, erased, missing (not here, although it should be),
/// withheld (in another copy of the ledger), or changed. With --open the text
/// of every present one is printed, without anything that looks like a
/// credential.
///
/// Exit codes: 0 every body is present, erased or withheld; 1 one is missing or
/// changed; 2 no game, or more than one, has such an id.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id of the game, or its first digits: at least 4, and as many as tell
    /// it from the others.
    game: GameId,

    /// Also print what the bodies say.
    #[arg(long)]
    open: bool,

    /// Write the whole text of one redacted field, and the key that proves it is
    /// the one committed to, into a new file for whoever has to see them.
    #[arg(long, value_name = "SHA256", requires = "into")]
    disclose: Option<Digest>,

    /// The file for --disclose.
    #[arg(long, value_name = "FILE", requires = "disclose")]
    into: Option<PathBuf>,

    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,

    #[command(flatten)]
    reading: ReadingArgs,
}

/// A private body, with the event that names it.
struct Named {
    index: u64,
    kind: &'static str,
    body: PrivateBody,
    is_erased: bool,
}

/// What became of a body.
struct Seen {
    state: BodyState,
    text: Option<String>,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let mut named = Vec::new();
    let (projection, _) = args.reading.project_with(disk, |index, event| {
        take(&mut named, index, event);
    })?;
    let game = args.game.find(&projection)?.id;
    named.retain(|named| named.body.unit == game);
    if let (Some(sha256), Some(file)) = (&args.disclose, &args.into) {
        let named = named.iter().find(|named| named.body.sha256 == *sha256);
        let named = named.ok_or_else(|| {
            CliError::Input(format!("no event of game {game} names a body {sha256}"))
        })?;
        disclose(disk, &named.body, file)?;
        screen.line(&format!("wrote {}; it is not redacted", file.display()));
        return Ok(Exit::Clean);
    }
    let roll = PrivateRoll::open(disk)?;
    let packs = Packs::open(disk)?;
    let seen: Result<Vec<Seen>, _> = named
        .iter()
        .map(|named| see(disk, &packs, named, &roll))
        .collect();
    let seen = seen?;
    match args.format {
        ReportFormat::Text => text(&named, &seen, args.open, screen),
        ReportFormat::Json => json(&named, &seen, args.open, screen),
    }
    Ok(if seen.iter().any(|seen| seen.state.is_bad()) {
        Exit::Blocked
    } else {
        Exit::Clean
    })
}

fn take(named: &mut Vec<Named>, index: u64, event: &Verified<Event>) {
    let kind = event.what.kind().name;
    named.extend(event.what.bodies().iter().map(|body| Named {
        index,
        kind,
        body: body.clone(),
        is_erased: false,
    }));
    if let What::PrivateErased(erased) = &event.what {
        let of_unit = named.iter_mut().filter(|n| n.body.unit == erased.unit);
        of_unit.for_each(|named| named.is_erased = true);
    }
}

fn see(disk: &Disk, packs: &Packs, named: &Named, roll: &PrivateRoll) -> Result<Seen, CliError> {
    let due = if named.is_erased {
        Due::Erased
    } else {
        roll.due(named.index)
    };
    let seen = see_body(disk, packs, &named.body, due)?;
    let body = seen.body.and_then(Result::ok);
    Ok(Seen {
        state: seen.state,
        text: body.map(|body| Scanner::shared().redacted(&String::from_utf8_lossy(&body))),
    })
}

fn text(named: &[Named], seen: &[Seen], is_open: bool, screen: &mut Screen<'_>) {
    let columns = ["index", "kind", "role", "state", "bytes", "sealed as"];
    let mut table = Table::new(columns.to_vec());
    for (named, seen) in named.iter().zip(seen) {
        table.push(vec![
            named.index.to_string(),
            named.kind.to_owned(),
            named.body.role.to_string(),
            seen.state.as_str().to_owned(),
            named.body.bytes.to_string(),
            named.body.sha256.short(),
        ]);
    }
    screen.data(table.markdown().as_bytes());
    let texts = named.iter().zip(seen);
    for (named, seen) in texts.filter(|_| is_open) {
        if let Some(text) = &seen.text {
            screen.line(&format!("\n{} of event {}:", named.body.role, named.index));
            for line in text.lines() {
                screen.line(&visible(line));
            }
        }
    }
}

fn json(named: &[Named], seen: &[Seen], is_open: bool, screen: &mut Screen<'_>) {
    let bodies = named.iter().zip(seen).map(|(named, seen)| {
        let mut body = serde_json::json!({
            "bytes": named.body.bytes,
            "index": named.index,
            "kind": named.kind,
            "redaction": named.body.redaction,
            "role": named.body.role.as_str(),
            "sha256": named.body.sha256,
            "state": seen.state.as_str(),
        });
        if let Some(text) = seen.text.as_ref().filter(|_| is_open) {
            body["text"] = text.as_str().into();
        }
        body
    });
    let bodies: Vec<_> = bodies.collect();
    screen.line(&format!("{:#}", serde_json::json!({ "bodies": bodies })));
}

/// Writes what a redacted field said, with what proves it, for its owner alone.
fn disclose(disk: &Disk, body: &PrivateBody, path: &Path) -> Result<(), CliError> {
    let Some(redaction) = &body.redaction else {
        return Err(CliError::Input(format!(
            "{} is the {} of a call and no redacted text: no commitment speaks of it",
            body.sha256, body.role
        )));
    };
    let unread = |fault: BodyFault| CliError::Input(fault.to_string());
    let text = open_body(disk, body).map_err(unread)?;
    let key = opening_key(disk, body).map_err(unread)?;
    let file = serde_json::json!({
        "commitment": redaction.commitment,
        "field": redaction.field,
        "key": key.as_str(),
        "text": String::from_utf8_lossy(&text),
    });
    write_secret(path, format!("{file:#}\n").as_bytes())
        .map_err(CliError::io(format!("write {}", path.display())))
}
