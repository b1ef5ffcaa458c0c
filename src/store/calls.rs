use rusqlite::{Connection, params};

use crate::projection::{CallEnd, JoinedCall, LateCost};
use crate::store::row::{Row, insert, integer, known_count, known_integer, known_text, text};

/// Adds a call.
pub(crate) fn insert_call(
    connection: &Connection,
    call: &JoinedCall,
) -> Result<(), rusqlite::Error> {
    let sent = &call.sent;
    let limit = sent.limit;
    let mut row = vec![
        ("id", text(call.id)),
        ("ledger_index", integer(call.index)),
        ("system", text(sent.system)),
        ("game", known_text(sent.game)),
        ("ply", known_integer(sent.ply.map(|ply| ply.0))),
        ("attempt", integer(sent.attempt.get())),
        ("sent_at", text(call.sent_at)),
        (
            "requested_model",
            known_text(sent.requested_model.as_deref()),
        ),
        ("route", known_text(sent.route.as_deref())),
        (
            "limit_depth",
            known_count(limit.and_then(|limit| limit.depth)),
        ),
        (
            "limit_movetime_ms",
            known_count(limit.and_then(|limit| limit.movetime_ms)),
        ),
        (
            "limit_nodes",
            known_count(limit.and_then(|limit| limit.nodes)),
        ),
    ];
    row.extend(end(call));
    insert(connection, "calls", row)
}

/// Gives a call the cost that became known after its end.
pub(crate) fn set_late_cost(
    connection: &Connection,
    cost: &LateCost,
) -> Result<(), rusqlite::Error> {
    connection
        .prepare_cached("UPDATE calls SET cost_usd = ?, cost_event = ? WHERE id = ?")?
        .execute(params![
            text(cost.amount_usd),
            text(cost.id),
            text(cost.call)
        ])
        .map(drop)
}

/// The columns that say what became of a call.
fn end(call: &JoinedCall) -> Row {
    match &call.end {
        None => vec![("state", text("in_flight"))],
        Some(CallEnd::Answered { id, at, answered }) => {
            let (engine, tokens) = (answered.engine, answered.tokens);
            let score = engine.and_then(|engine| engine.score);
            let time = answered.time;
            let cost_event = answered.cost_usd.map(|_| id);
            vec![
                ("state", text("answered")),
                ("ended_at", text(at)),
                ("end_event", text(id)),
                ("total_ms", integer(time.total_ms.get())),
                ("first_token_ms", known_count(time.first_token_ms)),
                ("queue_ms", known_count(time.queue_ms)),
                (
                    "returned_model",
                    known_text(answered.returned_model.as_deref()),
                ),
                ("request_id", known_text(answered.request_id.as_deref())),
                (
                    "finish_reason",
                    known_text(answered.finish_reason.as_deref()),
                ),
                (
                    "prompt_tokens",
                    known_count(tokens.and_then(|part| part.prompt)),
                ),
                (
                    "cached_tokens",
                    known_count(tokens.and_then(|part| part.cached)),
                ),
                (
                    "completion_tokens",
                    known_count(tokens.and_then(|part| part.completion)),
                ),
                (
                    "reasoning_tokens",
                    known_count(tokens.and_then(|part| part.reasoning)),
                ),
                ("depth", known_count(engine.and_then(|report| report.depth))),
                ("nodes", known_count(engine.and_then(|report| report.nodes))),
                ("score_cp", known_integer(score.and_then(|score| score.cp))),
                (
                    "score_mate",
                    known_integer(score.and_then(|score| score.mate)),
                ),
                ("cost_usd", known_text(answered.cost_usd)),
                ("cost_event", known_text(cost_event)),
            ]
        }
        Some(CallEnd::Failed { id, at, failed }) => {
            let time = failed.time;
            vec![
                ("state", text("failed")),
                ("ended_at", text(at)),
                ("end_event", text(id)),
                ("total_ms", known_count(time.map(|time| time.total_ms))),
                (
                    "first_token_ms",
                    known_count(time.and_then(|time| time.first_token_ms)),
                ),
                ("queue_ms", known_count(time.and_then(|time| time.queue_ms))),
                ("failure", text(failed.class.as_str())),
                ("failure_detail", text(&failed.detail)),
                ("http_status", known_count(failed.http_status)),
                ("retry_after_ms", known_count(failed.retry_after_ms)),
            ]
        }
    }
}
