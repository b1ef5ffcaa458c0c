use rusqlite::Connection;

use crate::event::EventId;
use crate::projection::{Protocol, System};
use crate::store::resources;
use crate::store::row::{insert, integer, known_count, known_text, text, word};

/// Adds a protocol.
pub(crate) fn insert_protocol(
    connection: &Connection,
    protocol: &Protocol,
) -> Result<(), rusqlite::Error> {
    let rules = &protocol.published;
    let replays_max = rules.failed_request.replays_max;
    let glicko2 = rules.glicko2;
    let row = vec![
        ("id", text(protocol.id)),
        ("name", text(&rules.name)),
        ("attempts", integer(rules.attempts.get())),
        ("ply_cap", integer(rules.ply_cap.get())),
        ("rules", text(rules.rules)),
        ("pairing", word(&rules.pairing)),
        ("colors", word(&rules.colors)),
        ("start", word(&rules.start)),
        ("context", word(&rules.context)),
        ("conversation", word(&rules.conversation)),
        ("candidate_help", text(rules.candidate_help.as_str())),
        (
            "legal_moves_listed",
            integer(i64::from(rules.legal_moves_listed)),
        ),
        ("failed_request", word(&rules.failed_request.policy)),
        ("replays_max", known_count(replays_max)),
        (
            "glicko2_rating",
            known_text(glicko2.map(|rule| rule.rating)),
        ),
        (
            "glicko2_deviation",
            known_text(glicko2.map(|rule| rule.deviation)),
        ),
        (
            "glicko2_volatility",
            known_text(glicko2.map(|rule| rule.volatility)),
        ),
        ("glicko2_tau", known_text(glicko2.map(|rule| rule.tau))),
    ];
    insert(connection, "protocols", row)
}

/// Adds a system with its files, its settings and the failures of its calls.
pub(crate) fn insert_system(
    connection: &Connection,
    system: &System,
    identity: EventId,
) -> Result<(), rusqlite::Error> {
    let registered = &system.registered;
    let engine = registered.engine.as_ref();
    let model = registered.model.as_ref();
    let limit = engine.map(|engine| engine.limit);
    let depth = limit.and_then(|limit| limit.depth);
    let movetime_ms = limit.and_then(|limit| limit.movetime_ms);
    let nodes = limit.and_then(|limit| limit.nodes);
    let reasoning_effort = model.and_then(|model| model.reasoning_effort.as_deref());
    let mut row = vec![
        ("id", text(system.id)),
        ("ledger_index", integer(system.index)),
        ("name", text(&registered.name)),
        ("identity", text(identity)),
        ("assistance", text(registered.assistance.kind.as_str())),
        ("engine_name", known_text(engine.map(|engine| &engine.name))),
        (
            "engine_net",
            known_text(engine.and_then(|engine| engine.net.as_deref())),
        ),
        ("limit_depth", known_count(depth)),
        ("limit_movetime_ms", known_count(movetime_ms)),
        ("limit_nodes", known_count(nodes)),
        (
            "requested_model",
            known_text(model.map(|model| &model.requested_model)),
        ),
        ("route", known_text(model.map(|model| &model.route))),
        ("reasoning_effort", known_text(reasoning_effort)),
    ];
    row.extend(resources::columns(&system.resources));
    insert(connection, "systems", row)?;
    insert_parts(connection, system)
}

fn insert_parts(connection: &Connection, system: &System) -> Result<(), rusqlite::Error> {
    let registered = &system.registered;
    let engine = registered.engine.as_ref();
    let program = registered
        .model
        .as_ref()
        .and_then(|model| model.program.as_ref());
    let files = engine.iter().flat_map(|engine| &engine.files);
    let files = files.chain(program.iter().flat_map(|program| &program.files));
    for (position, file) in files.enumerate() {
        let row = vec![
            ("system", text(system.id)),
            ("position", integer(position)),
            ("name", text(&file.name)),
            ("bytes", integer(file.bytes.get())),
            ("sha256", text(file.sha256)),
        ];
        insert(connection, "system_files", row)?;
    }
    let options = engine.iter().flat_map(|engine| &engine.options);
    let parameters = registered.model.iter().flat_map(|model| &model.parameters);
    for (position, setting) in options.chain(parameters).enumerate() {
        let row = vec![
            ("system", text(system.id)),
            ("position", integer(position)),
            ("name", text(&setting.name)),
            ("value", text(&setting.value)),
        ];
        insert(connection, "system_settings", row)?;
    }
    for (class, calls) in &system.resources.failed {
        let row = vec![
            ("system", text(system.id)),
            ("class", text(class.as_str())),
            ("calls", integer(*calls)),
        ];
        insert(connection, "failures", row)?;
    }
    Ok(())
}
