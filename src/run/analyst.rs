//! An engine that measures positions.

use std::time::Duration;

use crate::canonical::Count;
use crate::chess::{Position, Variant};
use crate::event::CallFailure;
use crate::run::Entrant;
use crate::run::cassette::{Asked, Head, Tape, Whose};
use crate::run::file::Deadlines;
use crate::run::player::{Answered, Failed, Reply, Took};
use crate::run::registry::system_digest;
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
    /// Why none was measured when it was recorded.
    #[error("{0}")]
    Recorded(String),
    /// A cassette was to answer and does not hold it, for this reason.
    #[error("{0}")]
    Missed(String),
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

    /// Analyzes a position, in the game of a cell or outside games, through the tape of
    /// the analyst. An engine that failed is started once more, for whatever was not
    /// its fault.
    ///
    /// # Errors
    ///
    /// What was wrong the second time, or that a cassette does not hold it.
    pub fn measure(
        &mut self,
        cell: Option<Count>,
        position: &Position,
        variant: Variant,
    ) -> Result<Analysis, MeasureError> {
        let first = self.through_tape(cell, position, variant);
        first.or_else(|fault| match fault {
            MeasureError::Missed(_) | MeasureError::NoEngine => Err(fault),
            _ => self.through_tape(cell, position, variant),
        })
    }

    fn through_tape(
        &mut self,
        cell: Option<Count>,
        position: &Position,
        variant: Variant,
    ) -> Result<Analysis, MeasureError> {
        let entrant = self.entrant;
        if matches!(entrant.tape, Tape::None) {
            return self.search(position, variant);
        }
        let system = system_digest(&entrant.system);
        let name = entrant.system.name.as_str();
        let asked = || Asked::measurement(name, &system, position, variant);
        let live = || measured(&self.search(position, variant));
        let text_in = |body: &[u8], _: Option<&str>| {
            let text = String::from_utf8(body.to_vec()).ok()?;
            Some(Answered {
                text,
                ..Answered::default()
            })
        };
        let whose = Whose { call: None, cell };
        match entrant.tape.ask(whose, asked, live, &text_in) {
            Reply::Answered(answered) => {
                let read = serde_json::from_str(&answered.text);
                read.map_err(|error| {
                    MeasureError::Missed(format!("a measurement in the cassette is none: {error}"))
                })
            }
            Reply::Failed(failed) => Err(MeasureError::Recorded(failed.detail)),
            Reply::Missed(what) => Err(MeasureError::Missed(what)),
        }
    }

    /// Analyzes a position, with nothing in memory of any before it: only then
    /// does the same position give the same answer.
    /// Where the engine fails, or answers what cannot be, it is ended, and another is
    /// started for the next position.
    fn search(&mut self, position: &Position, variant: Variant) -> Result<Analysis, MeasureError> {
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
}

/// What came of a measurement, as a tape takes it.
fn measured(found: &Result<Analysis, MeasureError>) -> (Reply, Head) {
    let reply = match found {
        Ok(analysis) => Reply::Answered(Box::new(Answered {
            text: serde_json::to_string(analysis).unwrap_or_default(),
            time: Took {
                total: Duration::from_millis(analysis.elapsed_ms),
                ..Took::default()
            },
            ..Answered::default()
        })),
        Err(error) => Reply::Failed(Box::new(Failed {
            class: CallFailure::Protocol,
            detail: error.to_string(),
            ..Failed::default()
        })),
    };
    let body = match &reply {
        Reply::Answered(answered) => Some(answered.text.clone().into_bytes()),
        Reply::Failed(_) | Reply::Missed(_) => None,
    };
    let head = Head {
        body,
        ..Head::default()
    };
    (reply, head)
}
