use rusqlite::{Connection, params};

use crate::canonical::Time;
use crate::digest::Hex;
use crate::event::{CallAnswered, CallFailed, CallSent, EventId};
use crate::projection::{Call, CallState, LateCost, Projection};
use crate::store::dangling::Dangling;
use crate::store::row::{number, position};

const IN_FLIGHT: &str = "INSERT INTO calls (
    ledger_index, id, system, game, ply, attempt, sent_at, requested_model, route,
    limit_depth, limit_movetime_ms, limit_nodes, state
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'in_flight')";

const ANSWERED: &str = "INSERT INTO calls (
    ledger_index, id, system, game, ply, attempt, sent_at, requested_model, route,
    limit_depth, limit_movetime_ms, limit_nodes, state,
    ended_at, end_event, total_ms, first_token_ms, queue_ms, returned_model, request_id,
    finish_reason, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens,
    depth, nodes, score_cp, score_mate, cost_usd, cost_event
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'answered',
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

const FAILED: &str = "INSERT INTO calls (
    ledger_index, id, system, game, ply, attempt, sent_at, requested_model, route,
    limit_depth, limit_movetime_ms, limit_nodes, state,
    ended_at, end_event, total_ms, first_token_ms, queue_ms,
    failure, failure_detail, http_status, retry_after_ms
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'failed', ?, ?, ?, ?, ?, ?, ?, ?, ?)";

/// What the rows of a call name.
struct Named {
    id: Hex,
    system: Option<i64>,
    game: Option<i64>,
}

impl Named {
    fn of(projection: &Projection, id: &EventId, sent: &CallSent, dangling: &mut Dangling) -> Self {
        let system = projection.systems.system(&sent.system);
        let game = sent.game.map(|game| projection.games.game(&game));
        dangling.note(system.is_none(), "calls", "systems");
        dangling.note(game == Some(None), "calls", "games");
        Self {
            id: id.digest().hex(),
            system: system.map(|system| position(system.index)),
            game: game.flatten().map(|game| position(game.index)),
        }
    }
}

/// Binds what was asked to the first twelve places of a statement, and the
/// rest behind it. A macro, because the values live in different places and
/// nothing is copied on the way.
macro_rules! execute {
    ($connection:expr, $statement:expr, $named:expr, $call:expr $(, $more:expr)* $(,)?) => {{
        let (named, call, sent) = ($named, $call, &$call.sent);
        let limit = sent.limit;
        $connection.prepare_cached($statement)?.execute(params![
            position(call.index),
            named.id.as_str(),
            // A system that is not there is noted; the index will not be written.
            named.system.unwrap_or_default(),
            named.game,
            sent.ply.map(|ply| ply.0),
            number(Some(sent.attempt)),
            call.sent_at.to_string(),
            sent.requested_model,
            sent.route,
            number(limit.and_then(|limit| limit.depth)),
            number(limit.and_then(|limit| limit.movetime_ms)),
            number(limit.and_then(|limit| limit.nodes)),
            $($more),*
        ])
    }};
}

/// Adds the calls that nothing became of.
pub(crate) fn insert_in_flight(
    connection: &Connection,
    projection: &Projection,
    dangling: &mut Dangling,
) -> Result<(), rusqlite::Error> {
    for (id, call) in projection.calls.in_flight() {
        let named = Named::of(projection, id, &call.sent, dangling);
        execute!(connection, IN_FLIGHT, named, call)?;
    }
    Ok(())
}

/// The call that stands in flight, where the event is the first to end it. A
/// second end is a finding of the projection, and the first word stands.
fn ended<'a>(projection: &'a Projection, call: &EventId) -> Option<&'a Call> {
    let call = projection.calls.call(call)?;
    (call.state == CallState::InFlight).then_some(call)
}

/// Adds a call that an answer ends.
pub(crate) fn insert_answered(
    connection: &Connection,
    projection: &Projection,
    (id, at): (EventId, Time),
    answered: &CallAnswered,
    dangling: &mut Dangling,
) -> Result<(), rusqlite::Error> {
    let Some(call) = ended(projection, &answered.call) else {
        return Ok(());
    };
    let named = Named::of(projection, &answered.call, &call.sent, dangling);
    let (engine, tokens, time) = (answered.engine, answered.tokens, answered.time);
    let score = engine.and_then(|engine| engine.score);
    let event = id.digest().hex();
    let cost = answered.cost_usd.map(|usd| usd.to_string());
    execute!(
        connection,
        ANSWERED,
        named,
        call,
        at.to_string(),
        event.as_str(),
        number(Some(time.total_ms)),
        number(time.first_token_ms),
        number(time.queue_ms),
        answered.returned_model,
        answered.request_id,
        answered.finish_reason,
        number(tokens.and_then(|part| part.prompt)),
        number(tokens.and_then(|part| part.cached)),
        number(tokens.and_then(|part| part.completion)),
        number(tokens.and_then(|part| part.reasoning)),
        number(engine.and_then(|report| report.depth)),
        number(engine.and_then(|report| report.nodes)),
        score.and_then(|score| score.cp).map(i64::from),
        score.and_then(|score| score.mate).map(i64::from),
        cost,
        cost.as_ref().map(|_| event.as_str()),
    )
    .map(drop)
}

/// Adds a call that a failure ends.
pub(crate) fn insert_failed(
    connection: &Connection,
    projection: &Projection,
    (id, at): (EventId, Time),
    failed: &CallFailed,
    dangling: &mut Dangling,
) -> Result<(), rusqlite::Error> {
    let Some(call) = ended(projection, &failed.call) else {
        return Ok(());
    };
    let named = Named::of(projection, &failed.call, &call.sent, dangling);
    let time = failed.time;
    execute!(
        connection,
        FAILED,
        named,
        call,
        at.to_string(),
        id.digest().hex().as_str(),
        number(time.map(|time| time.total_ms)),
        number(time.and_then(|time| time.first_token_ms)),
        number(time.and_then(|time| time.queue_ms)),
        failed.class.as_str(),
        failed.detail,
        number(failed.http_status),
        number(failed.retry_after_ms),
    )
    .map(drop)
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
