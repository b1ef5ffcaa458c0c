use rusqlite::{Connection, params};

use crate::canonical::{Count, Time};
use crate::digest::Hex;
use crate::event::{CallAnswered, CallFailed, EventId};
use crate::projection::{Call, CallState, LateCost, Projection};
use crate::store::dangling::Dangling;
use crate::store::row::{Insert, Known, borrowed, in_words, number};

/// The table of calls, while it is filled.
pub(crate) struct CallRows<'a>(Insert<'a>);

impl<'a> CallRows<'a> {
    pub(crate) const fn new(connection: &'a Connection) -> Self {
        Self(Insert::new(connection, "calls"))
    }

    /// Adds the calls that nothing became of.
    pub(crate) fn insert_in_flight(
        &mut self,
        projection: &Projection,
        dangling: &mut Dangling,
    ) -> Result<(), rusqlite::Error> {
        for (id, call) in projection.calls.in_flight() {
            let sent = Sent::of(projection, id, call, dangling);
            let state = [("state", borrowed("in_flight"))];
            self.0.row(&[&sent.columns(), &state])?;
        }
        Ok(())
    }

    /// Adds a call that an answer ends.
    pub(crate) fn insert_answered(
        &mut self,
        projection: &Projection,
        event: (EventId, Time),
        answered: &CallAnswered,
        dangling: &mut Dangling,
    ) -> Result<(), rusqlite::Error> {
        let Some(call) = ended(projection, &answered.call) else {
            return Ok(());
        };
        let sent = Sent::of(projection, &answered.call, call, dangling);
        let (engine, tokens, time) = (answered.engine, answered.tokens, answered.time);
        let score = engine.and_then(|engine| engine.score);
        let end = End::of(event);
        let cost = answered.cost_usd.map(|usd| usd.to_string());
        let part = |part: Option<Count>| number(part.map(u64::from));
        let columns = [
            ("state", borrowed("answered")),
            ("ended_at", borrowed(end.at.as_str())),
            ("end_event", borrowed(end.event.as_str())),
            ("total_ms", part(Some(time.total_ms))),
            ("first_token_ms", part(time.first_token_ms)),
            ("queue_ms", part(time.queue_ms)),
            (
                "returned_model",
                borrowed(answered.returned_model.as_deref()),
            ),
            ("request_id", borrowed(answered.request_id.as_deref())),
            ("finish_reason", borrowed(answered.finish_reason.as_deref())),
            (
                "prompt_tokens",
                part(tokens.and_then(|tokens| tokens.prompt)),
            ),
            (
                "cached_tokens",
                part(tokens.and_then(|tokens| tokens.cached)),
            ),
            (
                "completion_tokens",
                part(tokens.and_then(|tokens| tokens.completion)),
            ),
            (
                "reasoning_tokens",
                part(tokens.and_then(|tokens| tokens.reasoning)),
            ),
            ("depth", part(engine.and_then(|engine| engine.depth))),
            ("nodes", part(engine.and_then(|engine| engine.nodes))),
            ("score_cp", number(score.and_then(|score| score.cp))),
            ("score_mate", number(score.and_then(|score| score.mate))),
            ("cost_usd", borrowed(cost.as_deref())),
            (
                "cost_event",
                borrowed(cost.as_ref().map(|_| end.event.as_str())),
            ),
        ];
        self.0.row(&[&sent.columns(), &columns])
    }

    /// Adds a call that a failure ends.
    pub(crate) fn insert_failed(
        &mut self,
        projection: &Projection,
        event: (EventId, Time),
        failed: &CallFailed,
        dangling: &mut Dangling,
    ) -> Result<(), rusqlite::Error> {
        let Some(call) = ended(projection, &failed.call) else {
            return Ok(());
        };
        let sent = Sent::of(projection, &failed.call, call, dangling);
        let (end, time) = (End::of(event), failed.time);
        let part = |part: Option<Count>| number(part.map(u64::from));
        let columns = [
            ("state", borrowed("failed")),
            ("ended_at", borrowed(end.at.as_str())),
            ("end_event", borrowed(end.event.as_str())),
            ("total_ms", part(time.map(|time| time.total_ms))),
            (
                "first_token_ms",
                part(time.and_then(|time| time.first_token_ms)),
            ),
            ("queue_ms", part(time.and_then(|time| time.queue_ms))),
            ("failure", borrowed(failed.class.as_str())),
            ("failure_detail", borrowed(failed.detail.as_str())),
            ("http_status", part(failed.http_status)),
            ("retry_after_ms", part(failed.retry_after_ms)),
        ];
        self.0.row(&[&sent.columns(), &columns])
    }
}

/// The call that stands in flight, where the event is the first to end it. A
/// second end is a finding of the projection, and the first word stands.
fn ended<'a>(projection: &'a Projection, call: &EventId) -> Option<&'a Call> {
    let call = projection.calls.call(call)?;
    (call.state == CallState::InFlight).then_some(call)
}

/// What a row says of what was asked.
struct Sent<'a> {
    call: &'a Call,
    id: Hex,
    at: String,
    system: Option<u64>,
    game: Option<u64>,
    /// The candidates that were shown, one blank apart, and their record.
    candidates: Option<(String, Hex)>,
}

impl<'a> Sent<'a> {
    fn of(projection: &Projection, id: &EventId, call: &'a Call, dangling: &mut Dangling) -> Self {
        let system = projection.systems.system(&call.sent.system);
        let game = call.sent.game.map(|game| projection.games.game(&game));
        dangling.note(system.is_none(), "calls", "systems");
        dangling.note(game == Some(None), "calls", "games");
        let candidates = call.sent.candidates.as_ref();
        let candidates =
            candidates.map(|shown| (in_words(&shown.moves), shown.measured.digest().hex()));
        Self {
            call,
            candidates,
            id: id.digest().hex(),
            at: call.sent_at.to_string(),
            // Of a system that is not there is no row, and this one will not be
            // seen: the index is not written.
            system: Some(system.map_or(0, |system| system.index)),
            game: game.flatten().map(|game| game.index),
        }
    }

    fn columns(&self) -> [Known<'_>; 14] {
        let sent = &self.call.sent;
        let limit = sent.limit;
        let part = |part: Option<Count>| number(part.map(u64::from));
        let candidates = self.candidates.as_ref();
        let (moves, measured) = candidates
            .map(|(moves, measured)| (moves.as_str(), measured.as_str()))
            .unzip();
        [
            ("candidates", borrowed(moves)),
            ("candidates_measured", borrowed(measured)),
            ("ledger_index", number(Some(self.call.index))),
            ("id", borrowed(self.id.as_str())),
            ("system", number(self.system)),
            ("game", number(self.game)),
            ("ply", number(sent.ply.map(|ply| ply.0))),
            ("attempt", part(Some(sent.attempt))),
            ("sent_at", borrowed(self.at.as_str())),
            ("requested_model", borrowed(sent.requested_model.as_deref())),
            ("route", borrowed(sent.route.as_deref())),
            ("limit_depth", part(limit.and_then(|limit| limit.depth))),
            (
                "limit_movetime_ms",
                part(limit.and_then(|limit| limit.movetime_ms)),
            ),
            ("limit_nodes", part(limit.and_then(|limit| limit.nodes))),
        ]
    }
}

/// The event that ended a call.
struct End {
    event: Hex,
    at: String,
}

impl End {
    fn of((id, at): (EventId, Time)) -> Self {
        Self {
            event: id.digest().hex(),
            at: at.to_string(),
        }
    }
}

/// Gives a call the cost that became known after its end.
pub(crate) fn set_late_cost(
    connection: &Connection,
    cost: &LateCost,
) -> Result<(), rusqlite::Error> {
    connection
        .prepare_cached("UPDATE calls SET cost_usd = ?, cost_event = ? WHERE id = ?")?
        .execute(params![
            cost.amount_usd.map(|usd| usd.to_string()),
            cost.id.map(|id| id.to_string()),
            cost.call.to_string()
        ])
        .map(drop)
}
