//! A protocol and systems to be registered.

use scoresheet::canonical::Count;
use scoresheet::chess::Rules;
use scoresheet::digest::Digest;
use scoresheet::event::{
    Assistance, AssistanceKind, ColorRule, Context, Conversation, EngineIdentity, FailedRequest,
    FailedRequestPolicy, FileIdentity, Glicko2Rule, ModelIdentity, NamedValue, Pairing,
    ProtocolPublished, SearchLimit, StartRule, SystemRegistered,
};

pub(crate) fn count(n: u32) -> Count {
    n.into()
}

pub(crate) const NO_LIMIT: SearchLimit = SearchLimit {
    depth: None,
    movetime_ms: None,
    nodes: None,
};

pub(crate) fn protocol() -> ProtocolPublished {
    let decimal = |text: &str| text.parse().unwrap();
    ProtocolPublished {
        adjudication: None,
        anchored: None,
        grading: None,
        attempts: count(2),
        candidate_help: AssistanceKind::None,
        colors: ColorRule::OnceEach,
        context: Context::GameMoves,
        conversation: Conversation::None,
        failed_request: FailedRequest {
            policy: FailedRequestPolicy::ReplayCell,
            replays_max: Some(count(2)),
            retries_max: None,
        },
        glicko2: Some(Glicko2Rule {
            grows_each_game: None,
            deviation: decimal("350"),
            rating: decimal("1500"),
            tau: decimal("0.5"),
            volatility: decimal("0.06"),
        }),
        ladder: None,
        legal_moves_listed: false,
        name: "short-games".parse().unwrap(),
        oracle: None,
        pairing: Pairing::Pool,
        ply_cap: count(24),
        prompts: Vec::new(),
        rules: Rules::ChessJs14,
        start: StartRule::Standard,
    }
}

const NO_HELP: Assistance = Assistance {
    candidate_count: None,
    kind: AssistanceKind::None,
    ranks_visible: None,
    scores_visible: None,
};

pub(crate) fn engine(name: &str, limit: SearchLimit) -> SystemRegistered {
    SystemRegistered {
        assistance: NO_HELP,
        baseline: None,
        engine: Some(EngineIdentity {
            arguments: Vec::new(),
            author: None,
            files: vec![FileIdentity {
                bytes: count(1024),
                name: name.to_owned(),
                sha256: Digest::of(name.as_bytes()),
            }],
            limit,
            name: format!("{name} 1.0"),
            net: None,
            options: vec![NamedValue {
                name: "Threads".to_owned(),
                value: "1".to_owned(),
            }],
        }),
        model: None,
        name: name.parse().unwrap(),
    }
}

pub(crate) fn model(name: &str) -> SystemRegistered {
    SystemRegistered {
        assistance: NO_HELP,
        baseline: None,
        engine: None,
        model: Some(ModelIdentity {
            parameters: vec![NamedValue {
                name: "temperature".to_owned(),
                value: "0".to_owned(),
            }],
            program: None,
            prompt: None,
            reasoning_effort: None,
            requested_model: "made-up-1".to_owned(),
            route: "local/test".to_owned(),
        }),
        name: name.parse().unwrap(),
    }
}
