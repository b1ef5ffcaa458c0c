use std::fmt;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::run::uci::answer::Heard;
use crate::run::uci::deadline::{Deadline, milliseconds};
use crate::run::uci::fault::sendable;
use crate::run::uci::process::Process;
use crate::run::uci::{Answer, EngineFault, EngineSpec, Identity, Limit, OptionKind, Step};

/// The option that says how castling is written.
const CHESS960: &str = "UCI_Chess960";

/// A running engine.
///
/// Dropping it tells it to quit, and kills it and every process of its group
/// when it has not done so within a second.
pub struct Engine {
    process: Process,
    identity: Identity,
    limit: Limit,
    is_chess960: bool,
    /// The fault that ended it: every later request gets the same.
    fault: Option<EngineFault>,
}

impl Engine {
    /// Starts an engine, sets its options and waits until it is ready.
    ///
    /// # Errors
    ///
    /// Any [`EngineFault`]. Options are checked against what the engine
    /// declares before the first of them is set.
    pub fn start(spec: &EngineSpec, deadline: Duration) -> Result<Self, EngineFault> {
        let deadline = Deadline::start(deadline, Step::Handshake);
        let mut process = Process::start(spec)?;
        process.send("uci", &deadline)?;
        let mut identity = Identity::default();
        loop {
            let line = process.next_line(&deadline)?;
            if line.trim() == "uciok" {
                break;
            }
            identity.hear(line.trim_start());
        }
        for setting in identity.settings(&spec.options)? {
            process.send(&setting, &deadline)?;
        }
        let mut engine = Self {
            process,
            is_chess960: is_chess960(&identity, &spec.options),
            identity,
            limit: spec.limit,
            fault: None,
        };
        engine.alive(|engine| engine.ready(deadline))?;
        Ok(engine)
    }

    /// What the engine said about itself.
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Tells the engine that the next position belongs to another game, and
    /// waits until it is ready.
    ///
    /// # Errors
    ///
    /// Any [`EngineFault`]; the engine is killed.
    pub fn new_game(&mut self, deadline: Duration) -> Result<(), EngineFault> {
        let deadline = Deadline::start(deadline, Step::Ready);
        self.alive(|engine| {
            engine.process.send("ucinewgame", &deadline)?;
            engine.ready(deadline)
        })
    }

    /// Asks for a move in the position after `moves` (UCI notation) from
    /// `start_fen`, or from the standard position without one.
    ///
    /// Whatever the engine wrote before it said that it is ready belongs to no
    /// search of ours and is dropped, a late `bestmove` first of all. The
    /// deadline covers both waits, for ready and for the move.
    ///
    /// # Errors
    ///
    /// [`EngineFault::Unsendable`] when a text has control characters and
    /// [`EngineFault::UnknownOption`] when the engine cannot play Chess960:
    /// then nothing was asked. Any other [`EngineFault`]: the engine is killed.
    pub fn search(
        &mut self,
        start_fen: Option<&str>,
        is_chess960: bool,
        moves: &[String],
        deadline: Duration,
    ) -> Result<Answer, EngineFault> {
        let deadline = Deadline::start(deadline, Step::Search);
        let position = position(start_fen, moves)?;
        let castling = (is_chess960 != self.is_chess960).then(|| {
            let setting = (CHESS960.to_owned(), is_chess960.to_string());
            self.identity.settings(&[setting])
        });
        let castling = castling.transpose()?.unwrap_or_default();
        self.alive(|engine| {
            for setting in castling {
                engine.process.send(&setting, &deadline)?;
                engine.is_chess960 = is_chess960;
            }
            engine.ready(deadline)?;
            engine.process.send(&position, &deadline)?;
            let asked = Instant::now();
            engine.process.send(&engine.limit.go(), &deadline)?;
            let mut heard = Heard::default();
            loop {
                let line = engine.process.next_line(&deadline)?;
                if let Some(word) = heard.hear(&line) {
                    return Ok(heard.answer(word, milliseconds(asked.elapsed())));
                }
            }
        })
    }

    /// Tells the engine to quit, and kills it when it has not ended within a
    /// second. The same as dropping it.
    pub fn quit(self) {
        drop(self);
    }

    /// Waits until the engine says that it is ready, dropping what it says
    /// before.
    fn ready(&mut self, deadline: Deadline) -> Result<(), EngineFault> {
        let deadline = deadline.during(Step::Ready);
        self.process.send("isready", &deadline)?;
        while self.process.next_line(&deadline)?.trim() != "readyok" {}
        Ok(())
    }

    /// Does something with an engine that has not failed yet, and kills it
    /// when it fails now.
    fn alive<T>(
        &mut self,
        step: impl FnOnce(&mut Self) -> Result<T, EngineFault>,
    ) -> Result<T, EngineFault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let result = step(self);
        if let Err(fault) = &result {
            self.fault = Some(fault.clone());
            self.process.kill();
        }
        result
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("name", &self.identity.name)
            .field("limit", &self.limit)
            .field("fault", &self.fault)
            .finish_non_exhaustive()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if self.fault.is_none() {
            self.process.quit();
        }
    }
}

/// Returns whether the engine reads and writes castling the Chess960 way once
/// these options are set.
fn is_chess960(identity: &Identity, options: &[(String, String)]) -> bool {
    let set = options
        .iter()
        .rfind(|(name, _)| name.eq_ignore_ascii_case(CHESS960));
    match set {
        Some((_, value)) => value == "true",
        None => identity.option(CHESS960).is_some_and(|option| {
            option.kind
                == OptionKind::Check {
                    default: Some(true),
                }
        }),
    }
}

/// Returns the command that sets up a position.
fn position(start_fen: Option<&str>, moves: &[String]) -> Result<String, EngineFault> {
    let mut command = match start_fen {
        Some(fen) => format!("position fen {}", sendable(fen)?),
        None => "position startpos".to_owned(),
    };
    if !moves.is_empty() {
        command.push_str(" moves");
    }
    for uci in moves {
        // Writing to a string does not fail.
        let _ = write!(command, " {}", sendable(uci)?);
    }
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_one_line() {
        let moves = ["e2e4".to_owned(), "e7e5".to_owned()];
        assert_eq!(
            position(None, &moves),
            Ok("position startpos moves e2e4 e7e5".to_owned())
        );
        assert_eq!(
            position(Some("8/8/8/8/8/8/8/K1k5 w - - 0 1"), &[]),
            Ok("position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1".to_owned())
        );
        assert!(position(None, &["e2e4\nquit".to_owned()]).is_err());
        assert!(position(Some("8/8\r/8"), &[]).is_err());
    }
}
