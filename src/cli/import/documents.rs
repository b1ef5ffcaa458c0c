//! Sources that are documents: a file a game, alone or in a folder.

use std::path::Path;

use crate::canonical::Clock as _;
use crate::cli::error::CliError;
use crate::cli::import::named;
use crate::cli::import::reception::Reception;
use crate::cli::screen::{Screen, progress_bar_of};
use crate::event::EventId;
use crate::import::{
    Folder, KAGGLE_VERSION, LLM_CHESS_VERSION, LlmChessRun, Reading, Slot, Source, Stamp,
    read_document, read_kaggle_episode, read_llm_chess_game,
};

/// Imports one episode.
pub(crate) fn kaggle(
    path: &Path,
    reception: &mut Reception<'_>,
    screen: &mut Screen<'_>,
) -> Result<(), CliError> {
    let reading = || CliError::io(format!("read {}", path.display()));
    let bytes = read_document(path).map_err(reading())?;
    let source = Source::of_bytes(&bytes, path, &named("kaggle")?, KAGGLE_VERSION);
    let Some((import, done)) = reception.begin(source, screen)? else {
        return Ok(());
    };
    if done == 0 {
        let slot = Slot {
            import,
            number: 1,
            line: None,
            path: None,
        };
        take(&slot, read_kaggle_episode(&bytes, &slot), reception, screen)?;
    }
    reception.finish(Vec::new(), screen)
}

/// The documents of a run that are no games.
const RUN: &str = "_run.json";
const AGGREGATE: &str = "_aggregate_results.json";

/// Imports one run folder, and shows how many of its games have been read.
pub(crate) fn llm_chess(
    path: &Path,
    reception: &mut Reception<'_>,
    screen: &mut Screen<'_>,
) -> Result<(), CliError> {
    let reading = || CliError::io(format!("read {}", path.display()));
    let folder = Folder::open(path).map_err(reading())?;
    let has = |name: &str| folder.names().iter().any(|other| other == name);
    if !has(RUN) && !has(AGGREGATE) {
        return Err(CliError::Input(format!(
            "{} is no run folder: expected {RUN} or {AGGREGATE} in it, found neither",
            path.display()
        )));
    }
    let mut source = folder.source(&named("llm-chess")?, LLM_CHESS_VERSION);
    if has(RUN)
        && let Ok(source) = &mut source
    {
        let run = folder.read(RUN).map_err(reading())?;
        source.started.details = LlmChessRun::details(&run);
    }
    let source = source.map_err(reading())?;
    let sha256 = source.started.sha256;
    let Some(begun) = reception.begin(source, screen)? else {
        return Ok(());
    };
    let run = games(&folder, begun, reception, screen)?;
    let aggregate = if has(AGGREGATE) {
        Some(folder.read(AGGREGATE).map_err(reading())?)
    } else {
        None
    };
    let again = folder.source(&named("llm-chess")?, LLM_CHESS_VERSION);
    if again.map_err(reading())?.started.sha256 != sha256 {
        return Err(CliError::Input(format!(
            "{} was changed while it was read; what was imported of it is not marked as whole: put it back as it was and import it again",
            path.display()
        )));
    }
    reception.finish(run.faults(aggregate.as_deref()), screen)
}

/// Takes in the games of a run behind those that are there.
fn games(
    folder: &Folder,
    (import, done): (EventId, u64),
    reception: &mut Reception<'_>,
    screen: &mut Screen<'_>,
) -> Result<LlmChessRun, CliError> {
    let is_game = |name: &&String| !name.starts_with('_');
    let names: Vec<_> = folder.names().iter().filter(is_game).collect();
    let bar = progress_bar_of("importing", "games");
    bar.set_length(u64::try_from(names.len()).unwrap_or(u64::MAX));
    let mut run = LlmChessRun::default();
    for (number, name) in (1..).zip(names) {
        let bytes = folder.read(name);
        let bytes = bytes.map_err(CliError::io(format!("read {name}")))?;
        run.take(&bytes);
        bar.set_position(number);
        if number <= done {
            continue;
        }
        let slot = Slot {
            import,
            number,
            line: None,
            path: Some(name.clone()),
        };
        take(&slot, read_llm_chess_game(&bytes, &slot), reception, screen)?;
    }
    bar.finish_and_clear();
    Ok(run)
}

/// Takes in what was read of a game.
fn take(
    slot: &Slot,
    read: Reading,
    reception: &mut Reception<'_>,
    screen: &mut Screen<'_>,
) -> Result<(), CliError> {
    let stamp = Stamp {
        at: reception.clock().now(),
        by: reception.by(),
    };
    let events = stamp.events(slot, read);
    let events = events.map_err(|fault| CliError::Input(fault.to_string()))?;
    reception.take(&events, screen)
}
