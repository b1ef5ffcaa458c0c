//! A PGN file of any size, cut into games.

use std::io::{self, Read};
use std::ops::Range;

use crate::chess::{FirstGame, first_pgn_game};

/// Some whole games of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The bytes of the games.
    pub text: Vec<u8>,
    /// The games, in the order of the file.
    pub games: Vec<RawGame>,
}

/// One game of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawGame {
    /// Its bytes in the block.
    pub range: Range<usize>,
    /// The line of the file that they begin on, from 1.
    pub line: u64,
    /// Its number in the file, from 1.
    pub number: u64,
    /// Whether it is longer than any game, so that only its start is here.
    pub is_too_long: bool,
}

impl Block {
    /// The bytes of a game.
    pub fn bytes(&self, game: &RawGame) -> &[u8] {
        self.text.get(game.range.clone()).unwrap_or_default()
    }
}

/// The longest game that is read, in bytes.
pub const GAME_BYTES_MAX: usize = 1 << 20;

/// How much of a file is looked at at once.
const BLOCK: usize = 4 << 20;

/// What begins a game beyond doubt.
const EVENT: &[u8] = b"\n[Event \"";

/// Cuts a file into games, in bounded memory. Where blocks end depends on the
/// bytes alone.
pub struct Splitter<R> {
    input: R,
    buffer: Vec<u8>,
    is_all: bool,
    /// The line that the buffer begins on.
    line: u64,
    /// The number of the last game.
    number: u64,
    /// Whether the rest of a game that is too long is passed over.
    is_skipping: bool,
}

impl<R: Read> Splitter<R> {
    /// Begins with the first byte of a file.
    pub const fn of(input: R) -> Self {
        Self {
            input,
            buffer: Vec::new(),
            is_all: false,
            line: 1,
            number: 0,
            is_skipping: false,
        }
    }

    /// Returns the next games, or nothing behind the last.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn next_block(&mut self) -> io::Result<Option<Block>> {
        loop {
            self.fill()?;
            if self.is_skipping && !self.skip() {
                if self.is_all {
                    return Ok(None);
                }
                continue;
            }
            let (games, end) = self.cut();
            let rest = self.buffer.split_off(end);
            let text = std::mem::replace(&mut self.buffer, rest);
            if !games.is_empty() {
                return Ok(Some(Block { text, games }));
            }
            if self.is_all && !self.is_skipping {
                return Ok(None);
            }
        }
    }

    /// Reads one more block behind what is left of the last one.
    fn fill(&mut self) -> io::Result<()> {
        let limit = u64::try_from(BLOCK).unwrap_or(u64::MAX);
        let before = self.buffer.len();
        self.input
            .by_ref()
            .take(limit)
            .read_to_end(&mut self.buffer)?;
        let read = self.buffer.len() - before;
        self.is_all = read < BLOCK;
        Ok(())
    }

    /// Passes over the rest of a game, and says whether another one begins.
    fn skip(&mut self) -> bool {
        let found = self.buffer.windows(EVENT.len()).position(|w| w == EVENT);
        let end = match found {
            Some(at) => at + 1,
            None if self.is_all => self.buffer.len(),
            None => self.buffer.len().saturating_sub(EVENT.len()),
        };
        self.line += n_lines(self.buffer.get(..end).unwrap_or_default());
        self.buffer.drain(..end);
        self.is_skipping = found.is_none();
        found.is_some()
    }

    /// The games in the buffer, and where the last one ends.
    fn cut(&mut self) -> (Vec<RawGame>, usize) {
        let mut games = Vec::new();
        let mut at = 0;
        loop {
            let rest = self.buffer.get(at..).unwrap_or_default();
            let (length, is_too_long) = match first_pgn_game(rest, self.is_all) {
                FirstGame::Whole(length) => (length, GAME_BYTES_MAX < length),
                FirstGame::More if GAME_BYTES_MAX < rest.len() => {
                    self.is_skipping = true;
                    (GAME_BYTES_MAX, true)
                }
                FirstGame::More => break,
                FirstGame::None => {
                    at = self.buffer.len();
                    break;
                }
            };
            // Blank lines before a game are no part of it.
            let blank = rest.iter().position(|c| !c.is_ascii_whitespace());
            let blank = blank.unwrap_or(0).min(length);
            self.line += n_lines(rest.get(..blank).unwrap_or_default());
            self.number += 1;
            games.push(RawGame {
                range: at + blank..at + length,
                line: self.line,
                number: self.number,
                is_too_long,
            });
            self.line += n_lines(rest.get(blank..length).unwrap_or_default());
            at += length;
            if self.is_skipping {
                break;
            }
        }
        (games, at)
    }
}

fn n_lines(bytes: &[u8]) -> u64 {
    let count = memchr::memchr_iter(b'\n', bytes).count();
    u64::try_from(count).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &[u8]) -> Vec<(u64, u64, bool, String)> {
        let mut splitter = Splitter::of(text);
        let mut games = Vec::new();
        while let Some(block) = splitter.next_block().unwrap() {
            for game in &block.games {
                let start = block.bytes(game);
                let start = String::from_utf8_lossy(&start[..start.len().min(12)]).into_owned();
                games.push((game.number, game.line, game.is_too_long, start));
            }
        }
        games
    }

    #[test]
    fn games_have_their_numbers_and_lines_also_over_blocks() {
        let game = "[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 {a\nb} 1-0\n\n";
        let text = game.repeat(150_000);
        assert!(BLOCK < text.len());
        let found = games(text.as_bytes());
        assert_eq!(found.len(), 150_000);
        for (game, number) in found.iter().zip(1..) {
            assert_eq!((game.0, game.1), (number, 6 * (number - 1) + 1));
            assert_eq!(game.3, "[Event \"x\"]\n");
        }
    }

    #[test]
    fn a_game_that_is_too_long_is_named_and_the_next_one_read() {
        let long = "{comment} ".repeat(GAME_BYTES_MAX);
        let text = format!("[Event \"a\"]\n\n1. e4 {long}\n\n[Event \"b\"]\n\n1. d4 *\n");
        let found = games(text.as_bytes());
        let expected = [(1, 1, true), (2, 5, false)];
        let found: Vec<_> = found.iter().map(|game| (game.0, game.1, game.2)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_comment_that_is_never_closed_swallows_no_further_game() {
        let text = "[Event \"a\"]\n\n1. e4 {open\n\n[Event \"b\"]\n\n1. d4 1-0\n";
        assert_eq!(games(text.as_bytes()).len(), 2);
        assert_eq!(games(b" \n\n"), []);
    }
}
