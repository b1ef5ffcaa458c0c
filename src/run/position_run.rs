//! Positions that are asked: each of everybody once, for one legal move.

use crate::canonical::Count;
use crate::chess::{self, RejectionClass, Rules, Variant};
use crate::event::{CallSent, CellAnswered, EventId, Name, PositionRef, What};
use crate::projection::{CellAnswer, PositionRunKey, Projection, is_settled};
use crate::run::RunError;
use crate::run::asking::Asking;
use crate::run::asking_terms::{Terms, register};
use crate::run::player::{Answered, Place, Prompt, Request};
use crate::run::position_file::PositionFile;
use crate::run::prompts::Retry;
use crate::run::questions::{AskingOutcome, AskingTold, Questions};
use crate::run::record::Record;
use crate::run::registry::Entrant;
use crate::run::voice::Voice;

/// A list of positions that systems are asked.
pub struct PositionRun<'a>(Asking<'a, Positions>);

/// The positions of a list, as they are asked.
pub(crate) struct Positions {
    pub(crate) dataset: EventId,
    pub(crate) protocol: EventId,
    pub(crate) condition: Name,
    /// Answers a position.
    pub(crate) attempts: u64,
    /// How each player is spoken to.
    pub(crate) voices: Vec<Voice>,
}

/// One position, after so many answers that were rejected.
#[derive(Clone)]
pub(crate) struct AskedPosition {
    place: Place,
    board: chess::Game,
    voice: Voice,
    /// From 1.
    attempt: u64,
    /// Why the last answer was no move, and the text that was judged.
    rejected: Option<(RejectionClass, String)>,
}

impl<'a> PositionRun<'a> {
    /// Registers protocol and systems, or takes them up as they are. `program` is the
    /// runner and its version.
    ///
    /// # Errors
    ///
    /// When there is no such list, or a name is taken by something else.
    pub fn open(
        mut record: Record<'a>,
        file: &'a PositionFile,
        entrants: &'a [Entrant],
        program: &'a str,
    ) -> Result<Self, RunError> {
        let list = record
            .projection()
            .positions
            .list_named(file.positions.as_str());
        let dataset = list
            .map(|list| list.id)
            .ok_or_else(|| RunError::NoPositions {
                name: file.positions.to_string(),
            })?;
        let rules = file.protocol();
        let attempts = rules.attempts.get();
        let registered = register(&mut record, rules, entrants)?;
        let prompting = Some(file.prompting());
        let voices = entrants.iter().map(|entrant| entrant.voice(prompting));
        Ok(Self(Asking {
            record,
            questions: Positions {
                dataset,
                protocol: registered.protocol,
                condition: file.condition.clone(),
                attempts,
                voices: voices.collect(),
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

    /// Asks everybody every position that is not settled yet under this protocol and
    /// condition.
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

impl Positions {
    fn key(&self, system: &EventId) -> PositionRunKey {
        PositionRunKey {
            dataset: self.dataset,
            protocol: self.protocol,
            condition: self.condition.clone(),
            system: *system,
        }
    }
}

impl AskedPosition {
    /// What is sent for a position. Nothing for who is told of the board alone.
    fn prompt(&self) -> Option<Prompt> {
        let rejected = self.rejected.as_ref();
        let retry = rejected.map(|(class, extracted)| Retry {
            class: *class,
            extracted,
            attempt: self.attempt,
        });
        let mut voice = self.voice.clone();
        voice.say(&self.board, 0, None, retry.as_ref())
    }

    /// The same after an answer that was rejected.
    fn again(&self, rejected: (RejectionClass, String)) -> Self {
        Self {
            attempt: self.attempt.saturating_add(1),
            rejected: Some(rejected),
            ..self.clone()
        }
    }
}

impl Questions for Positions {
    type Question = AskedPosition;

    fn dataset(&self) -> EventId {
        self.dataset
    }

    fn left(&self, projection: &Projection, players: &[EventId]) -> Vec<(usize, AskedPosition)> {
        let mut left = Vec::new();
        let Some(list) = projection.positions.list(&self.dataset) else {
            return left;
        };
        for ((player, system), voice) in players.iter().enumerate().zip(&self.voices) {
            let run = projection.positions.run(&self.key(system));
            for (number, listed) in (1..).zip(&list.registered.positions) {
                let before: Vec<&CellAnswer> = run.map_or_else(Vec::new, |run| {
                    run.counting(&listed.id, &projection.corrections).collect()
                });
                if is_settled(before.iter().copied(), self.attempts) {
                    continue;
                }
                // The rules that end games end nothing here.
                let board = chess::Game::new(&listed.fen, Variant::Standard, Rules::ChessJs14);
                let Ok(board) = board else { continue };
                let mut asked = AskedPosition {
                    place: Place {
                        number,
                        id: listed.id.clone(),
                    },
                    board,
                    voice: voice.clone(),
                    attempt: 1,
                    rejected: None,
                };
                for CellAnswer { answered, .. } in before {
                    let rejected = answered.class.zip(answered.extracted.clone());
                    asked = rejected.map_or(asked.clone(), |rejected| asked.again(rejected));
                }
                left.push((player, asked));
            }
        }
        left
    }

    fn name<'q>(&self, asked: &'q AskedPosition) -> &'q str {
        &asked.place.id
    }

    fn sent(&self, asked: &AskedPosition, system: EventId) -> CallSent {
        CallSent {
            attempt: Count::saturating(asked.attempt),
            position: Some(PositionRef {
                dataset: self.dataset,
                id: asked.place.id.clone(),
            }),
            ..CallSent::outside_games(system)
        }
    }

    fn request(&self, asked: &AskedPosition) -> Request {
        Request {
            attempt: asked.attempt,
            place: Some(asked.place.clone()),
            ..Request::outside_games(self.dataset, asked.board.position().clone(), asked.prompt())
        }
    }

    fn take(
        &self,
        asked: &AskedPosition,
        (system, call): (EventId, EventId),
        answered: Option<&Answered>,
    ) -> (What, Option<AskedPosition>) {
        let judged = answered.map(|answered| asked.voice.judge(asked.board.position(), answered));
        let (uci, rejected) = match judged {
            None => (None, None),
            Some(judged) => match judged.verdict {
                Ok(uci) => (Some(uci), None),
                Err(class) => (None, Some((class, judged.extracted))),
            },
        };
        let said = CellAnswered {
            bodies: Vec::new(),
            call,
            class: rejected.as_ref().map(|(class, _)| *class),
            condition: self.condition.clone(),
            dataset: self.dataset,
            extracted: rejected.as_ref().map(|(_, extracted)| extracted.clone()),
            position: asked.place.id.clone(),
            protocol: self.protocol,
            system,
            uci,
        };
        let has_more = asked.attempt < self.attempts;
        let next = rejected.filter(|_| has_more);
        (said.into(), next.map(|rejected| asked.again(rejected)))
    }

    fn verdict(&self, projection: &Projection, system: &EventId, asked: &AskedPosition) -> String {
        let run = projection.positions.run(&self.key(system));
        let corrections = &projection.corrections;
        let last = run.and_then(|run| run.counting(&asked.place.id, corrections).last());
        let Some(CellAnswer { answered, .. }) = last else {
            return String::new();
        };
        match (answered.uci, answered.class) {
            (Some(uci), _) => uci.to_string(),
            (None, Some(class)) => format!("rejected ({class})"),
            (None, None) => "no answer".to_owned(),
        }
    }

    fn without_answer(&self) -> &'static str {
        "counts as none"
    }
}
