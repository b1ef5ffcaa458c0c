//! Puzzles that are asked: each of every model once.

use crate::chess::{Position, Variant};
use crate::event::{CallSent, EventId, PuzzleAnswered, PuzzleRef, Tactic, What};
use crate::projection::Projection;
use crate::run::RunError;
use crate::run::asking::Asking;
use crate::run::asking_terms::{Terms, register};
use crate::run::player::{Answered, Prompt, Request, shared};
use crate::run::prompts::{Puzzle, PuzzlePrompt};
use crate::run::puzzle_file::PuzzleFile;
use crate::run::questions::{AskingOutcome, AskingTold, Questions};
use crate::run::record::Record;
use crate::run::registry::Entrant;
use crate::run::reply::answer_in;

/// A dataset of puzzles that models are asked.
pub struct PuzzleRun<'a>(Asking<'a, Puzzles>);

/// The puzzles of a dataset, as they are asked.
pub(crate) struct Puzzles {
    pub(crate) dataset: EventId,
    pub(crate) protocol: EventId,
    pub(crate) prompt: PuzzlePrompt,
}

/// One puzzle.
#[derive(Clone)]
pub(crate) struct AskedPuzzle {
    pub(crate) id: String,
    tactic: Tactic,
    position: Position,
    plies: u32,
}

impl<'a> PuzzleRun<'a> {
    /// Registers protocol and models, or takes them up as they are. `program` is the
    /// runner and its version.
    ///
    /// # Errors
    ///
    /// When there is no such dataset, or a name is taken by something else.
    pub fn open(
        mut record: Record<'a>,
        file: &'a PuzzleFile,
        prompt: PuzzlePrompt,
        entrants: &'a [Entrant],
        program: &'a str,
    ) -> Result<Self, RunError> {
        let puzzles = &record.projection().puzzles;
        let dataset = puzzles.dataset_named(file.puzzles.as_str());
        let dataset = dataset.map(|dataset| dataset.id);
        let dataset = dataset.ok_or_else(|| RunError::NoDataset {
            name: file.puzzles.to_string(),
        })?;
        let registered = register(&mut record, file.protocol(&prompt), entrants)?;
        Ok(Self(Asking {
            record,
            questions: Puzzles {
                dataset,
                protocol: registered.protocol,
                prompt,
            },
            registered,
            terms: Terms {
                deadlines: file.deadlines,
                budget: file.budget,
                parallel: file.parallel.get(),
                run_file: file.bytes(),
                program,
            },
        }))
    }

    /// Asks every model every puzzle that it was not asked yet under this protocol.
    ///
    /// # Errors
    ///
    /// When the ledger takes no more events or contradicts itself. Nothing is lost:
    /// another run goes on from what is in the ledger.
    pub fn ask(
        self,
        stop: &dyn Fn() -> bool,
        tell: &mut dyn FnMut(AskingTold),
    ) -> Result<AskingOutcome, RunError> {
        self.0.ask(stop, tell)
    }
}

impl Puzzles {
    /// What is sent for a puzzle.
    pub(crate) fn prompt(&self, puzzle: &AskedPuzzle) -> Prompt {
        let messages = self.prompt.request(&Puzzle {
            position: &puzzle.position,
            tactic: puzzle.tactic.in_words(),
            plies: puzzle.plies,
        });
        Prompt {
            messages: shared(messages),
            offers_tool: false,
            tag: None,
            legal: Vec::new(),
        }
    }
}

impl Questions for Puzzles {
    type Question = AskedPuzzle;

    fn dataset(&self) -> EventId {
        self.dataset
    }

    fn left(&self, projection: &Projection, players: &[EventId]) -> Vec<(usize, AskedPuzzle)> {
        let mut left = Vec::new();
        let Some(known) = projection.puzzles.dataset(&self.dataset) else {
            return left;
        };
        for (player, system) in players.iter().enumerate() {
            let run = projection
                .puzzles
                .run(&self.dataset, &self.protocol, system);
            for (cell, puzzle) in known.registered.puzzles() {
                let before = run.and_then(|run| run.counting(&puzzle.id, &projection.corrections));
                let position = puzzle.fen.position(Variant::Standard).ok();
                if let Some(position) = position.filter(|_| before.is_none()) {
                    let asked = AskedPuzzle {
                        id: puzzle.id.clone(),
                        tactic: cell.tactic,
                        position,
                        plies: u32::try_from(puzzle.line.len()).unwrap_or(u32::MAX),
                    };
                    left.push((player, asked));
                }
            }
        }
        left
    }

    fn name<'q>(&self, puzzle: &'q AskedPuzzle) -> &'q str {
        &puzzle.id
    }

    fn sent(&self, puzzle: &AskedPuzzle, system: EventId) -> CallSent {
        CallSent {
            puzzle: Some(PuzzleRef {
                dataset: self.dataset,
                id: puzzle.id.clone(),
            }),
            ..CallSent::outside_games(system)
        }
    }

    fn request(&self, puzzle: &AskedPuzzle) -> Request {
        let prompt = Some(self.prompt(puzzle));
        Request::outside_games(self.dataset, puzzle.position.clone(), prompt)
    }

    fn take(
        &self,
        puzzle: &AskedPuzzle,
        (system, call): (EventId, EventId),
        answered: Option<&Answered>,
    ) -> (What, Option<AskedPuzzle>) {
        let read = answered.map(|answered| answer_in(&puzzle.position, &answered.text));
        let (form, line) = read.map_or((None, Vec::new()), |(form, line)| (Some(form), line));
        let said = PuzzleAnswered {
            call,
            dataset: self.dataset,
            form,
            line,
            protocol: self.protocol,
            puzzle: puzzle.id.clone(),
            system,
        };
        (said.into(), None)
    }

    fn verdict(&self, projection: &Projection, system: &EventId, puzzle: &AskedPuzzle) -> String {
        let run = projection
            .puzzles
            .run(&self.dataset, &self.protocol, system);
        let attempt = run.and_then(|run| run.counting(&puzzle.id, &projection.corrections));
        let is_solved = attempt.is_some_and(|attempt| attempt.solving.is_exact);
        if is_solved { "solved" } else { "wrong" }.to_owned()
    }

    fn without_answer(&self) -> &'static str {
        "counts as wrong"
    }
}
