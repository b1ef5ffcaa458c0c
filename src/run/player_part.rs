//! Whoever a run file names: an engine, a model, a program or a baseline.

use crate::event::Name;
use crate::run::baseline::{RandomPart, ScriptedPart};
use crate::run::engine_part::EnginePart;
use crate::run::file::{Deadlines, RunFileError, wrong};
use crate::run::model_part::ModelPart;
use crate::run::program_part::ProgramPart;

/// Somebody in a run file.
#[derive(Clone, Copy, Debug)]
pub enum PlayerPart<'f> {
    /// An engine, on this machine.
    Engine(&'f EnginePart),
    /// A model, behind a server.
    Model(&'f ModelPart),
    /// A program that is started for each request.
    Program(&'f ProgramPart),
    /// A legal move by chance.
    Random(&'f RandomPart),
    /// Answers that are written down.
    Scripted(&'f ScriptedPart),
}

impl<'f> PlayerPart<'f> {
    /// Its name.
    pub const fn name(self) -> &'f Name {
        match self {
            Self::Engine(part) => &part.name,
            Self::Model(part) => &part.name,
            Self::Program(part) => &part.name,
            Self::Random(part) => &part.name,
            Self::Scripted(part) => &part.name,
        }
    }
}

/// Checks what types cannot say of players and their deadlines.
pub(crate) fn check_everybody(
    players: &[PlayerPart<'_>],
    least: usize,
    deadlines: &Deadlines,
) -> Result<(), RunFileError> {
    if players.len() < least {
        return Err(wrong("two or more players", players.len().to_string()));
    }
    if deadlines.start_ms == 0 || deadlines.answer_ms == 0 {
        return Err(wrong("deadlines above zero", "0"));
    }
    for (number, player) in players.iter().enumerate() {
        let earlier = &players[..number];
        if earlier.iter().any(|other| other.name() == player.name()) {
            let found = format!("{} twice", player.name());
            return Err(wrong("a name for each player", found));
        }
        if let PlayerPart::Engine(engine) = player {
            engine.check(deadlines)?;
        }
    }
    Ok(())
}
