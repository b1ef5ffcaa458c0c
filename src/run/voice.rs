//! How a seat is spoken to, and how its answers are read.

use crate::chess::{self, Color, Position, RejectionClass, UciMove};
use crate::event::EventId;
use crate::projection::Game;
use crate::run::RunError;
use crate::run::chat;
use crate::run::player::{Answered, Prompt, shared};
use crate::run::program;
use crate::run::prompting::Prompting;
use crate::run::prompts::{
    Candidates, Chessbench, Conversation, Message, MovesSoFar, Retry, Role, Window,
};
use crate::run::record::Record;
use crate::run::reply::{Judged, Reading, Reply};

/// Brings the voices of White and Black to where a game is. Returns whether that
/// could be done: what a model said is private, and may be gone.
pub(crate) fn catch_up(
    record: &Record<'_>,
    game: EventId,
    voices: &mut [Voice; 2],
) -> Result<bool, RunError> {
    let is_talking = voices.iter().any(|voice| matches!(voice, Voice::Talk(_)));
    let Some(state) = record.projection().games.game(&game).filter(|_| is_talking) else {
        return Ok(true);
    };
    if state.moves.is_empty() && state.rejected.is_empty() {
        return Ok(true);
    }
    let protocol = record.projection().protocol_of(state);
    let start = protocol.and_then(|protocol| state.after_opening(protocol.rules));
    let Some(start) = start else {
        return Ok(false);
    };
    let messages = record.responses(&game)?;
    let message = |answer: &EventId| messages.get(answer).cloned();
    let mut colors = [Color::White, Color::Black].into_iter();
    let is_there = voices.iter_mut().zip(&mut colors).all(|(voice, color)| {
        let caught_up = voice.catch_up(state, color, &start, &message);
        caught_up.is_some()
    });
    Ok(is_there)
}

/// How a seat is spoken to.
#[derive(Clone, Debug)]
pub(crate) enum Voice {
    /// It gets the moves so far, and answers with one.
    Moves,
    /// It gets a prompt of its own for every move.
    Fresh(Prompting),
    /// It is in a conversation.
    Talk(Box<Talk>),
}

/// The conversation of one seat.
#[derive(Clone, Debug)]
pub(crate) struct Talk {
    prompts: Chessbench,
    window: Window,
    conversation: Conversation,
    /// Its moves as they are told.
    so_far: MovesSoFar,
}

/// Why a conversation cannot be gone on with.
pub(crate) const UNREADABLE: &str =
    "the conversation of a model so far cannot be read back from the private store";

impl Voice {
    /// The voice for a model, before its first turn.
    pub(crate) fn of_model(prompting: Prompting, window: Window) -> Self {
        match prompting {
            Prompting::Chessbench(prompts) => Self::Talk(Box::new(Talk {
                prompts,
                window,
                conversation: prompts.conversation(),
                so_far: MovesSoFar::default(),
            })),
            fresh => Self::Fresh(fresh),
        }
    }

    /// Takes in what was said in the game so far, as it was kept; nothing where a
    /// message is missing.
    pub(crate) fn catch_up(
        &mut self,
        game: &Game,
        color: Color,
        start: &chess::Game,
        message: &dyn Fn(&EventId) -> Option<Vec<u8>>,
    ) -> Option<()> {
        let Self::Talk(talk) = self else {
            return Some(());
        };
        let mut board = start.clone();
        let plies = game.moves.iter().map(Some).chain([None]);
        for played in plies {
            let ply = board.ply().next();
            let is_own = board.side_to_move() == color;
            let rejected = game.rejected.iter();
            for answer in rejected.filter(|one| is_own && one.ply == ply) {
                let retry = retry(game, &board, answer.attempt);
                talk.begin(&board, retry.as_ref());
                let (said, tokens) = message_of(&message(answer.call.as_ref()?)?)?;
                talk.conversation.reply(said, tokens);
            }
            let Some(played) = played else { break };
            if is_own {
                let attempt = 1 + game
                    .rejected
                    .iter()
                    .filter(|one| one.ply == ply)
                    .map(|one| one.attempt)
                    .max()
                    .unwrap_or_default();
                let retry = retry(game, &board, attempt);
                talk.begin(&board, retry.as_ref());
                let (said, tokens) = message_of(&message(played.call.as_ref()?)?)?;
                talk.conversation.reply(said, tokens);
                talk.conversation
                    .conclude(&talk.prompts.accepted(played.uci));
            }
            board.play(played.uci).ok()?;
        }
        Some(())
    }

    /// What is to be sent for this attempt, with these candidates where some are to be
    /// shown. Nothing where the seat gets moves.
    pub(crate) fn prompt(
        &mut self,
        game: &Game,
        board: &chess::Game,
        attempt: u64,
        candidates: Option<&Candidates>,
    ) -> Option<Prompt> {
        let opening = board.moves().len().saturating_sub(game.moves.len());
        let retry = retry(game, board, attempt);
        self.say(board, opening, candidates, retry.as_ref())
    }

    /// What is sent for a move on this board, of which so many moves are the opening.
    pub(crate) fn say(
        &mut self,
        board: &chess::Game,
        opening: usize,
        candidates: Option<&Candidates>,
        retry: Option<&Retry<'_>>,
    ) -> Option<Prompt> {
        match self {
            Self::Moves => None,
            Self::Fresh(prompting) => {
                let messages = prompting.fresh(board, opening, candidates, retry)?;
                Some(Prompt {
                    messages: shared(messages),
                    offers_tool: prompting.offers_tool(),
                    tag: prompting.tag(),
                    legal: board.legal_moves(),
                })
            }
            Self::Talk(talk) => {
                talk.begin(board, retry);
                talk.conversation.prune(talk.window);
                Some(Prompt {
                    messages: talk.conversation.shared().cloned().collect(),
                    offers_tool: true,
                    tag: None,
                    legal: board.legal_moves(),
                })
            }
        }
    }

    /// Reads an answer.
    pub(crate) fn judge(&self, position: &Position, answered: &Answered) -> Judged {
        let reading = match self {
            Self::Moves => {
                return Judged {
                    extracted: answered.text.clone(),
                    verdict: position.judge(&answered.text),
                };
            }
            Self::Fresh(prompting) => prompting.reading(),
            Self::Talk(_) => Reading::CHESSBENCH,
        };
        let message = answered.message.as_ref();
        reading.judge(
            position,
            &Reply {
                text: &answered.text,
                tool_calls: message.map_or(&[], |message| &message.tool_calls),
                is_refusal: answered.is_refusal,
                is_cut_off: answered.is_cut_off,
            },
        )
    }

    /// Takes in that a move was answered, where nobody answered it: for a game that
    /// is only thought of.
    pub(crate) fn suppose(&mut self, uci: UciMove) {
        if let Self::Talk(talk) = self {
            let said = Message::new(Role::Assistant, uci.to_string());
            talk.conversation.reply(said, None);
        }
    }

    /// Takes an answer in, and what it came to.
    pub(crate) fn take(&mut self, answered: &Answered, verdict: Result<UciMove, RejectionClass>) {
        let (Self::Talk(talk), Some(message)) = (self, &answered.message) else {
            return;
        };
        talk.conversation
            .reply(message.clone(), answered.prompt_tokens);
        if let Ok(uci) = verdict {
            talk.conversation.conclude(&talk.prompts.accepted(uci));
        }
    }
}

impl Talk {
    /// Begins a turn, or asks once more in the same one.
    fn begin(&mut self, board: &chess::Game, retry: Option<&Retry<'_>>) {
        let so_far = &mut self.so_far;
        match retry {
            None => self.conversation.begin(self.prompts.turn(board, so_far)),
            Some(retry) => {
                self.conversation.conclude(&self.prompts.rejected(retry));
                self.conversation
                    .ask_again(self.prompts.again(board, so_far, retry));
            }
        }
    }
}

/// Returns the message of an answer that was kept, and what was counted in its
/// request: a server's, or a program's.
fn message_of(raw: &[u8]) -> Option<(Message, Option<u64>)> {
    chat::message_of(raw).or_else(|| program::message_of(raw))
}

/// The answer before this attempt, which was rejected.
fn retry<'g>(game: &'g Game, board: &chess::Game, attempt: u64) -> Option<Retry<'g>> {
    let ply = board.ply().next();
    let before = attempt.checked_sub(1)?;
    let mut rejected = game.rejected.iter();
    let last = rejected.find(|one| one.ply == ply && one.attempt == before)?;
    Some(Retry {
        class: last.class,
        extracted: &last.extracted,
        attempt,
    })
}
