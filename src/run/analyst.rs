//! An engine that measures positions.

use std::time::Duration;

use crate::chess::{Position, Variant};
use crate::run::Entrant;
use crate::run::file::Deadlines;
use crate::run::uci::{Analysis, AnalysisFault, Engine, EngineFault};

/// An engine that analyzes one position after another, started when it is first
/// needed, and again after it failed.
pub struct Analyst<'a> {
    entrant: &'a Entrant,
    engine: Option<Engine>,
    deadlines: Deadlines,
}

/// Why a position was not measured.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeasureError {
    /// No answer came.
    #[error(transparent)]
    Engine(#[from] EngineFault),
    /// Whoever is to measure is no engine.
    #[error("only an engine measures positions")]
    NoEngine,
    /// An answer came that is none on this position.
    #[error(transparent)]
    Analysis(#[from] AnalysisFault),
}

impl<'a> Analyst<'a> {
    /// Returns an analyst that is not started yet.
    pub const fn new(entrant: &'a Entrant, deadlines: Deadlines) -> Self {
        Self {
            entrant,
            engine: None,
            deadlines,
        }
    }

    /// Analyzes a position, with nothing in memory of any before it: only then
    /// does the same position give the same answer.
    ///
    /// # Errors
    ///
    /// When the engine fails, or answers what cannot be: then it is ended, and
    /// another is started for the next position.
    pub fn measure(
        &mut self,
        position: &Position,
        variant: Variant,
    ) -> Result<Analysis, MeasureError> {
        let start = Duration::from_millis(self.deadlines.start_ms);
        let mut engine = if let Some(engine) = self.engine.take() {
            engine
        } else {
            let spec = self.entrant.engine().ok_or(MeasureError::NoEngine)?;
            Engine::start(spec, start)?
        };
        engine.new_game(start)?;
        let fen = position.fen();
        let deadline = Duration::from_millis(self.deadlines.answer_ms);
        let is_chess960 = variant == Variant::Chess960;
        let answer = engine.search(Some(fen.as_str()), is_chess960, &[], deadline)?;
        let analysis = Analysis::of(&answer, position)?;
        self.engine = Some(engine);
        Ok(analysis)
    }

    /// The same. An engine that failed is started once more, for whatever was not its
    /// fault.
    ///
    /// # Errors
    ///
    /// What was wrong the second time.
    pub fn measure_twice(
        &mut self,
        position: &Position,
        variant: Variant,
    ) -> Result<Analysis, MeasureError> {
        let first = self.measure(position, variant);
        first.or_else(|_| self.measure(position, variant))
    }
}
