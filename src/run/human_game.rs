//! A game of a person against an engine, a move at a time.

use crate::canonical::Count;
use crate::chess::{self, Color, Fen, GameResult, RejectionClass, Termination, UciMove, Variant};
use crate::event::{
    AbortCause, Billing, CallSent, EventId, GameAborted, GameFinished, GameStarted, MoveAccepted,
    MoveRejected, ProtocolPublished, Seats, Stage, Start,
};
use crate::projection::{Game, GameState, end_of};
use crate::run::RunError;
use crate::run::difference::difference;
use crate::run::file::Deadlines;
use crate::run::player::{Player, Reply, Request};
use crate::run::record::Record;
use crate::run::registry::Entrant;

/// A game that goes on at a board of which a person has one side.
pub struct HumanGame<'a> {
    record: Record<'a>,
    player: Box<dyn Player>,
    game: EventId,
    system: EventId,
    limit: Option<crate::event::SearchLimit>,
    is_resumed: bool,
    /// The projection keeps no board of a game that has ended.
    board: chess::Game,
}

/// What the system did when it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It played this move, in SAN.
    Played(String),
    /// It said what is no move, and has lost.
    Forfeited,
    /// No answer came, for this reason: the game is aborted.
    Failed(String),
}

impl<'a> HumanGame<'a> {
    /// Sits down: takes up the game that the two have open under this protocol, or
    /// begins one. Everybody is registered where they are not.
    ///
    /// # Errors
    ///
    /// When a name is taken by another system or protocol, or the ledger takes no
    /// more events.
    pub fn sit_down(
        mut record: Record<'a>,
        person: EventId,
        color: Color,
        entrant: &Entrant,
        protocol: ProtocolPublished,
        deadlines: Deadlines,
    ) -> Result<Self, RunError> {
        let (system, protocol) = known(&mut record, entrant, protocol)?;
        let open = record.projection().games.playing().find(|game| {
            let seats = game.started.seats;
            game.started.stage == Stage::Human
                && game.started.protocol == protocol
                && [(seats.white, seats.black), (seats.black, seats.white)]
                    .contains(&(person, system))
        });
        let open = open.map(|game| game.id);
        let game = match open {
            Some(game) => game,
            None => record.say(GameStarted {
                billing: Some(Billing::Free),
                cell: None,
                draw: None,
                opening: None,
                protocol,
                seats: match color {
                    Color::White => Seats {
                        black: system,
                        white: person,
                    },
                    Color::Black => Seats {
                        black: person,
                        white: system,
                    },
                },
                stage: Stage::Human,
                start: Start {
                    fen: Fen::standard_start(),
                    variant: Variant::Standard,
                },
            })?,
        };
        let state = record.projection().games.game(&game);
        let board = state.and_then(Game::board).cloned();
        let reason = "a move in it is not legal";
        let mut begun = Self {
            board: board.ok_or(RunError::Stuck { game, reason })?,
            record,
            player: entrant.player(deadlines),
            game,
            system,
            limit: entrant.system.engine.as_ref().map(|engine| engine.limit),
            is_resumed: open.is_some(),
        };
        begun.give_up_lost_calls()?;
        begun.record.commit()?;
        Ok(begun)
    }

    /// A run that was killed left its last question without an answer.
    fn give_up_lost_calls(&mut self) -> Result<(), RunError> {
        let calls = self.record.projection().calls.in_flight();
        let lost = calls.filter(|(_, call)| call.sent.game == Some(self.game));
        let lost: Vec<_> = lost.map(|(id, _)| *id).collect();
        for call in lost {
            self.record.say_lost(call)?;
        }
        Ok(())
    }

    /// The game's id.
    pub const fn id(&self) -> EventId {
        self.game
    }

    /// Whether it was begun before.
    pub const fn is_resumed(&self) -> bool {
        self.is_resumed
    }

    /// The color of the person.
    ///
    /// # Errors
    ///
    /// When the game is not in the ledger.
    pub fn color(&self) -> Result<Color, RunError> {
        let (state, _) = self.position()?;
        Ok(if state.started.seats.white == self.system {
            Color::Black
        } else {
            Color::White
        })
    }

    /// The board.
    pub const fn board(&self) -> &chess::Game {
        &self.board
    }

    /// How the game ended, once it did. Nothing also where it was aborted.
    ///
    /// # Errors
    ///
    /// When the game is not in the ledger.
    pub fn end(&self) -> Result<Option<(GameResult, Termination)>, RunError> {
        let (state, _) = self.position()?;
        Ok(state.result().zip(state.termination()))
    }

    /// Plays a legal move of the person.
    ///
    /// # Errors
    ///
    /// When the ledger takes no more events.
    pub fn play(&mut self, uci: UciMove) -> Result<(), RunError> {
        self.say_accepted(None, uci)?;
        self.go_on()
    }

    /// The person gives the game up: an answer that is no move, which loses it.
    ///
    /// # Errors
    ///
    /// When the ledger takes no more events.
    pub fn resign(&mut self) -> Result<(), RunError> {
        self.say_rejected(None, RejectionClass::Refused, "resigns")?;
        self.go_on()
    }

    /// The person leaves: the game has no result.
    ///
    /// # Errors
    ///
    /// When the ledger takes no more events.
    pub fn quit(&mut self) -> Result<(), RunError> {
        self.record.say(GameAborted {
            call: None,
            cause: AbortCause::Maintainer,
            game: self.game,
            reason: "the person left the game".to_owned(),
        })?;
        Ok(self.record.commit()?)
    }

    /// Asks the system for its move.
    ///
    /// # Errors
    ///
    /// When the ledger takes no more events.
    pub fn ask(&mut self) -> Result<Answer, RunError> {
        let (state, board) = self.position()?;
        let attempt = state.next_attempt();
        let request = Request::of(state, board, attempt, None);
        let sent = CallSent {
            attempt: Count::saturating(attempt),
            bodies: Vec::new(),
            candidates: None,
            game: Some(self.game),
            limit: self.limit,
            ply: Some(board.ply().next()),
            position: None,
            puzzle: None,
            requested_model: None,
            route: None,
            system: self.system,
        };
        let call = self.record.say(sent)?;
        self.record.commit()?;
        let answered = match self.player.ask(&request) {
            Reply::Answered(answered) => answered,
            Reply::Missed(what) => return Err(RunError::Missed { what }),
            Reply::Failed(failed) => {
                let said = self.record.say(failed.event(call, Vec::new()))?;
                self.record.say(GameAborted {
                    call: Some(said),
                    cause: AbortCause::ProviderFailure,
                    game: self.game,
                    reason: failed.detail.clone(),
                })?;
                self.record.commit()?;
                return Ok(Answer::Failed(failed.detail));
            }
        };
        let mut answered = *answered;
        if let Some(report) = &mut answered.engine {
            // Nobody sees an evaluation before a game with a person has ended.
            report.score = None;
        }
        let answer = self.record.say(answered.event(call, Vec::new()))?;
        let (_, board) = self.position()?;
        let played = match board.position().judge(&answered.text) {
            Ok(uci) => {
                let san = board.san_of(uci).unwrap_or_default();
                self.say_accepted(Some(answer), uci)?;
                Answer::Played(san)
            }
            Err(class) => {
                self.say_rejected(Some(answer), class, &answered.text)?;
                Answer::Forfeited
            }
        };
        self.go_on()?;
        Ok(played)
    }

    fn say_accepted(&mut self, call: Option<EventId>, uci: UciMove) -> Result<(), RunError> {
        let (state, board) = self.position()?;
        let accepted = MoveAccepted {
            attempt: Count::saturating(state.next_attempt()),
            call,
            game: self.game,
            ply: board.ply().next(),
            uci,
        };
        self.record.say(accepted)?;
        let (game, reason) = (self.game, "a move in it is not legal");
        let played = self.board.play(uci);
        played.map_err(|_| RunError::Stuck { game, reason })
    }

    fn say_rejected(
        &mut self,
        call: Option<EventId>,
        class: RejectionClass,
        extracted: &str,
    ) -> Result<(), RunError> {
        let (state, board) = self.position()?;
        let rejected = MoveRejected {
            attempt: Count::saturating(state.next_attempt()),
            bodies: Vec::new(),
            call,
            class,
            extracted: extracted.to_owned(),
            game: self.game,
            ply: board.ply().next(),
        };
        self.record.say(rejected)?;
        Ok(())
    }

    /// Says the end, where there is one, and makes all that was said durable.
    fn go_on(&mut self) -> Result<(), RunError> {
        let (state, board) = self.position()?;
        let protocol = self.record.projection().protocol_of(state);
        let end = protocol.and_then(|protocol| end_of(state, board, protocol));
        let plies = Count::saturating(state.moves.len());
        if let Some((result, termination)) = end.filter(|_| state.state == GameState::Playing) {
            self.record.say(GameFinished {
                game: self.game,
                plies,
                result,
                termination,
            })?;
        }
        Ok(self.record.commit()?)
    }

    fn position(&self) -> Result<(&Game, &chess::Game), RunError> {
        let game = self.game;
        let stuck = |reason| RunError::Stuck { game, reason };
        let state = self.record.projection().games.game(&game);
        let state = state.ok_or_else(|| stuck("it is not in the ledger"))?;
        Ok((state, &self.board))
    }
}

/// Returns the ids of the system and the protocol, which are registered where they
/// are not.
fn known(
    record: &mut Record<'_>,
    entrant: &Entrant,
    protocol: ProtocolPublished,
) -> Result<(EventId, EventId), RunError> {
    let taken = |name: String, what, differs| RunError::NameTaken {
        name,
        what,
        differs,
    };
    let systems = &record.projection().systems;
    let known = systems.system_named(&entrant.system.name);
    let known = known.map(|known| (known.id, known.registered.clone()));
    let system = match known {
        Some((id, registered)) if registered == entrant.system => id,
        Some((_, registered)) => {
            let differs = format!("another {}", difference(&registered, &entrant.system));
            return Err(taken(entrant.system.name.to_string(), "system", differs));
        }
        None => record.say(entrant.system.clone())?,
    };
    let known = record.projection().systems.protocol_named(&protocol.name);
    let protocol = match known.map(|known| (known.id, known.published == protocol)) {
        Some((id, true)) => id,
        Some((_, false)) => {
            let differs = "another rule or parameter".to_owned();
            return Err(taken(protocol.name.to_string(), "protocol", differs));
        }
        None => record.say(protocol)?,
    };
    Ok((system, protocol))
}
