use rusqlite::{Connection, params};

use crate::event::{CallAnswered, CallFailed, EventId};
use crate::projection::{CallEnd, JoinedCall, LateCost};
use crate::store::row::number;

const IN_FLIGHT: &str = "INSERT INTO calls (
    id, ledger_index, system, game, ply, attempt, sent_at, requested_model, route,
    limit_depth, limit_movetime_ms, limit_nodes, state
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'in_flight')";

const ANSWERED: &str = "INSERT INTO calls (
    id, ledger_index, system, game, ply, attempt, sent_at, requested_model, route,
    limit_depth, limit_movetime_ms, limit_nodes, state,
    ended_at, end_event, total_ms, first_token_ms, queue_ms, returned_model, request_id,
    finish_reason, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens,
    depth, nodes, score_cp, score_mate, cost_usd, cost_event
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'answered',
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

const FAILED: &str = "INSERT INTO calls (
    id, ledger_index, system, game, ply, attempt, sent_at, requested_model, route,
    limit_depth, limit_movetime_ms, limit_nodes, state,
    ended_at, end_event, total_ms, first_token_ms, queue_ms,
    failure, failure_detail, http_status, retry_after_ms
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'failed', ?, ?, ?, ?, ?, ?, ?, ?, ?)";

/// Binds what was asked to the first twelve places of a statement, and the
/// rest behind it. A macro, because the values live in different places and
/// nothing is copied on the way.
macro_rules! execute {
    ($connection:expr, $statement:expr, $call:expr $(, $more:expr)* $(,)?) => {{
        let (call, sent) = ($call, &$call.sent);
        let limit = sent.limit;
        let [id, system] = [call.id, sent.system].map(|id| id.digest().hex());
        let game = sent.game.map(|game| game.digest().hex());
        $connection.prepare_cached($statement)?.execute(params![
            id.as_str(),
            number(Some(call.index)),
            system.as_str(),
            game.as_ref().map(|game| game.as_str()),
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

/// Adds a call.
pub(crate) fn insert_call(
    connection: &Connection,
    call: &JoinedCall,
) -> Result<(), rusqlite::Error> {
    let rows = match &call.end {
        None => execute!(connection, IN_FLIGHT, call),
        Some(CallEnd::Answered { id, at, answered }) => {
            insert_answered(connection, call, id, &at.to_string(), answered)
        }
        Some(CallEnd::Failed { id, at, failed }) => {
            insert_failed(connection, call, id, &at.to_string(), failed)
        }
    };
    rows.map(drop)
}

fn insert_answered(
    connection: &Connection,
    call: &JoinedCall,
    id: &EventId,
    at: &str,
    answered: &CallAnswered,
) -> Result<usize, rusqlite::Error> {
    let (engine, tokens, time) = (answered.engine, answered.tokens, answered.time);
    let score = engine.and_then(|engine| engine.score);
    let event = id.digest().hex();
    let cost = answered.cost_usd.map(|usd| usd.to_string());
    execute!(
        connection,
        ANSWERED,
        call,
        at,
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
}

fn insert_failed(
    connection: &Connection,
    call: &JoinedCall,
    id: &EventId,
    at: &str,
    failed: &CallFailed,
) -> Result<usize, rusqlite::Error> {
    let time = failed.time;
    execute!(
        connection,
        FAILED,
        call,
        at,
        id.digest().hex().as_str(),
        number(time.map(|time| time.total_ms)),
        number(time.and_then(|time| time.first_token_ms)),
        number(time.and_then(|time| time.queue_ms)),
        failed.class.as_str(),
        failed.detail,
        number(failed.http_status),
        number(failed.retry_after_ms),
    )
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
