//! A PGN file on its way into a ledger, on all cores and in bounded memory.

use std::io::{self, Read};
use std::num::NonZero;

use crate::event::{Event, EventId, SkipReason, Verified};
use crate::import::splitter::{Block, GAME_BYTES_MAX, RawGame, Splitter};
use crate::import::{Slot, Stamp, read_pgn_game};

/// Why a stream stopped.
#[derive(Debug, thiserror::Error)]
pub enum StreamError<E> {
    /// The source cannot be read, or not be unpacked.
    #[error(transparent)]
    Io(io::Error),
    /// Whoever takes the events said no.
    #[error("{0}")]
    Taken(E),
}

/// Reads a PGN file from its first byte, and hands over what becomes of the
/// games behind number `done`, some hundreds at a time and in their order.
/// While one part is taken the next one is read.
///
/// # Errors
///
/// What the system says, and what `take` does.
pub fn stream_pgn<E>(
    input: impl Read,
    (import, done): (EventId, u64),
    stamp: &impl Fn() -> Stamp,
    mut take: impl FnMut(Vec<Verified<Event>>) -> Result<(), E>,
) -> Result<(), StreamError<E>> {
    let mut splitter = Splitter::of(input);
    let mut ready = Vec::new();
    while let Some(block) = splitter.next_block().map_err(StreamError::Io)? {
        let before = std::mem::take(&mut ready);
        let stamp = stamp();
        let read = || read_block(&block, import, done, &stamp);
        ready = std::thread::scope(|scope| {
            let reading = std::thread::Builder::new().spawn_scoped(scope, read);
            take(before).map_err(StreamError::Taken)?;
            let read = match reading {
                Ok(thread) => thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                // Where the system starts no more threads, this one does the work.
                Err(_) => read(),
            };
            read.map_err(StreamError::Io)
        })?;
    }
    take(ready).map_err(StreamError::Taken)
}

/// So few bytes are not worth a thread.
const SHARE: usize = 1 << 16;

/// Reads the games of a block, a share of them on each core.
fn read_block(
    block: &Block,
    import: EventId,
    done: u64,
    stamp: &Stamp,
) -> io::Result<Vec<Verified<Event>>> {
    let is_new = |game: &&RawGame| done < game.number;
    let games: Vec<_> = block.games.iter().filter(is_new).collect();
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    let threads = threads.min(block.text.len() / SHARE + 1);
    let share = games.len().div_ceil(threads).max(1);
    let read = |games: &[&RawGame]| -> io::Result<Vec<_>> {
        let events = games.iter().map(|game| {
            let slot = Slot {
                import,
                number: game.number,
                line: Some(game.line),
                path: None,
            };
            let event = stamp.event(&slot, read_game(block, game, &slot));
            event.map_err(|fault| io::Error::other(fault.to_string()))
        });
        events.collect()
    };
    std::thread::scope(|scope| {
        let mut shares = games.chunks(share);
        let first = shares.next().unwrap_or_default();
        let others: Vec<_> = shares
            .map(|games| {
                let thread = std::thread::Builder::new().spawn_scoped(scope, || read(games));
                (thread, games)
            })
            .collect();
        let mut events = read(first)?;
        for (thread, games) in others {
            events.extend(match thread {
                Ok(thread) => thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?,
                Err(_) => read(games)?,
            });
        }
        Ok(events)
    })
}

fn read_game(block: &Block, game: &RawGame, slot: &Slot) -> crate::event::What {
    if game.is_too_long {
        let expected = format!("a game of at most {GAME_BYTES_MAX} bytes");
        return slot
            .skipped(SkipReason::TooLong, expected, "a longer one")
            .into();
    }
    read_pgn_game(block.bytes(game), slot)
}
