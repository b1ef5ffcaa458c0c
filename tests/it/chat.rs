//! Models over HTTP: what is asked, what comes of good answers, and what comes of
//! every way to fail.

use std::path::PathBuf;
use std::time::Duration;

use scoresheet::chess::{GameResult, Termination};
use scoresheet::event::{CallFailure, StopReason, What};
use scoresheet::ledger::open_body;
use scoresheet::projection::CallState;
use serde_json::{Value, json};

use crate::arena::{Arena, engine};
use crate::provider::{Act, Provider, completion, failing, stream, whole};
use crate::runs::FOOLS_MATE;
use crate::script::Script;

const KEY: &str = "SCORESHEET_TEST_KEY";

/// Nobody's key. It is put together so that this file holds nothing like one.
fn key() -> String {
    ["sk", "-", &"aB3dE5gH7k".repeat(5)].concat()
}

/// A run file of a model against an engine that plays by the book.
fn run_file(arena: &Arena, provider: &Provider, rules: &str, of_model: &str) -> PathBuf {
    let book = Script::player("", FOOLS_MATE);
    let engine = engine(&book);
    // The script lives as long as the arena.
    std::mem::forget(book);
    let url = &provider.url;
    let text = format!(
        "cohort = \"chat\"\n\
         [preregistration]\n\
         evidence_status = \"pilot\"\n\
         hypothesis = \"the program does what it says\"\n\
         primary_endpoints = [\"placement rating\"]\n\
         stopping_rule = \"every cell once\"\n\
         [protocol]\n\
         name = \"chat-rules\"\n\
         preset = \"chessbench-v3\"\n\
         {rules}\n\
         [deadlines]\n\
         answer_ms = 2000\n\
         [[engine]]\n\
         name = \"book\"\n\
         {engine}\n\
         [[model]]\n\
         name = \"model\"\n\
         route = \"here\"\n\
         base_url = \"{url}\"\n\
         model = \"test/model\"\n\
         {of_model}\n"
    );
    arena.write("run.toml", &text)
}

/// The book move at this point of the game that a request tells of.
fn book(body: &Value) -> &'static str {
    let messages = body["messages"].as_array().unwrap();
    let last = messages.last().unwrap()["content"].as_str().unwrap();
    let moves: Vec<_> = FOOLS_MATE.split(' ').collect();
    let played = last.split("Moves so far (SAN): ").nth(1).unwrap();
    let played = played.lines().next().unwrap();
    let is_move = |word: &&str| *word != "none" && !word.ends_with('.');
    moves[played.split(' ').filter(is_move).count()]
}

/// The classes of failed calls, in the order of the ledger.
fn failures(arena: &Arena) -> Vec<(CallFailure, Option<u64>)> {
    let events = arena.events();
    let failed = events.iter().filter_map(|event| match &event.what {
        What::CallFailed(failed) => Some((
            failed.class,
            failed.http_status.map(scoresheet::canonical::Count::get),
        )),
        _ => None,
    });
    failed.collect()
}

fn results(arena: &Arena) -> Vec<(Option<GameResult>, Option<Termination>)> {
    let projection = arena.projection();
    let games = projection.games.iter();
    let mut results: Vec<_> = games
        .map(|game| (game.result(), game.termination()))
        .collect();
    results.sort_by_key(|(result, _)| format!("{result:?}"));
    results
}

const BOTH_MATES: [(Option<GameResult>, Option<Termination>); 2] = [
    (Some(GameResult::BlackWins), Some(Termination::Checkmate)),
    (Some(GameResult::BlackWins), Some(Termination::Checkmate)),
];

/// Two games of a model that submits its moves by the tool.
fn talked() -> (Arena, Provider) {
    let arena = Arena::new();
    let provider = Provider::start(|body, _| {
        let call = json!({
            "function": {"arguments": json!({"move": book(body)}).to_string(), "name": "submit_move"},
            "id": "call_1", "type": "function",
        });
        let message = json!({
            "content": null, "role": "assistant", "tool_calls": [call],
            "reasoning_details": [{"type": "reasoning.text", "text": "open the diagonal"}],
        });
        whole(&message, "tool_calls")
    });
    let file = run_file(
        &arena,
        &provider,
        "",
        "stream = false\nparameters = { temperature = 0.5 }",
    );
    arena
        .run(&file)
        .ends_with(0)
        .says("cohort chat is terminal");
    assert_eq!(results(&arena), BOTH_MATES);
    (arena, provider)
}

#[test]
fn a_model_plays_its_games_in_a_conversation_of_its_own() {
    let (_, provider) = talked();
    let seen = provider.seen();
    assert_eq!(seen.len(), 4);
    for (_, body) in &seen {
        assert_eq!(body["model"], "test/model");
        assert_eq!(body["temperature"], 0.5);
        assert_eq!(body["tools"][0]["function"]["name"], "submit_move");
        assert_eq!(body["stream"], false);
    }
    // The second request of a game has the first, its answer and what came of it.
    let second = seen
        .iter()
        .find(|(_, body)| body["messages"].as_array().unwrap().len() == 5);
    let messages = second.unwrap().1["messages"].clone();
    let roles: Vec<_> = (0..5)
        .map(|n| messages[n]["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "user"]);
    assert_eq!(
        messages[2]["reasoning_details"][0]["text"],
        "open the diagonal"
    );
    assert_eq!(messages[3]["tool_call_id"], "call_1");
}

#[test]
fn what_a_provider_says_of_an_answer_stands_in_the_ledger() {
    let (arena, _) = talked();
    let projection = arena.projection();
    let protocol = projection.systems.protocols().next().unwrap();
    assert!(!protocol.published.prompts.is_empty());
    let system = projection
        .systems
        .system_named(&"model".parse().unwrap())
        .unwrap();
    assert!(system.registered.model.as_ref().unwrap().prompt.is_some());
    let answered = arena
        .events()
        .into_iter()
        .find_map(|event| match &event.what {
            What::CallAnswered(answered) if answered.tokens.is_some() => Some(answered.clone()),
            _ => None,
        });
    let answered = answered.unwrap();
    assert_eq!(answered.cost_usd.unwrap().to_string(), "0.0000125");
    let tokens = answered.tokens.unwrap();
    let counts = [
        tokens.prompt,
        tokens.cached,
        tokens.completion,
        tokens.reasoning,
    ];
    assert_eq!(counts.map(|count| count.unwrap().get()), [340, 100, 12, 5]);
    assert_eq!(answered.returned_model.as_deref(), Some("test/model-2026"));
    assert_eq!(answered.request_id.as_deref(), Some("gen-1"));
}

#[test]
fn the_conversation_of_a_game_that_has_ended_is_nowhere() {
    let (arena, _) = talked();
    let erased = arena
        .events()
        .iter()
        .filter(|event| matches!(event.what, What::PrivateErased(_)))
        .count();
    assert_eq!(erased, 2);
    for (path, bytes) in arena.files() {
        let of_store = path.strip_prefix("private/");
        assert!(
            of_store.is_none_or(|name| [".gitignore", "since"].contains(&name)),
            "{path}"
        );
        assert!(
            memchr::memmem::find(&bytes, b"diagonal").is_none(),
            "{path}"
        );
    }
    arena.call(&["verify"]).ends_with(0);
}

#[test]
fn an_answer_in_pieces_is_the_answer_and_its_first_token_is_timed() {
    let arena = Arena::new();
    let provider = Provider::start(|body, _| stream(book(body)));
    let file = run_file(&arena, &provider, "", "");
    arena.run(&file).ends_with(0);
    assert_eq!(results(&arena), BOTH_MATES);
    assert_eq!(
        provider.seen()[0].1["stream_options"]["include_usage"],
        true
    );
    let timed = arena
        .events()
        .into_iter()
        .filter(|event| match &event.what {
            What::CallAnswered(answered) => answered.time.first_token_ms.is_some(),
            _ => false,
        });
    assert_eq!(timed.count(), 4);
}

#[test]
fn what_is_no_move_is_rejected_with_its_class_and_told_to_the_model() {
    let arena = Arena::new();
    let provider = Provider::start(|body, _| {
        let messages = body["messages"].as_array().unwrap();
        let last = messages.last().unwrap()["content"].as_str().unwrap();
        if last.contains("This is attempt 3 of 3") {
            whole(
                &json!({"content": "I would rather not.", "refusal": "no"}),
                "stop",
            )
        } else if last.contains("This is attempt 2 of 3") {
            whole(&json!({"content": "Let me think about e4"}), "length")
        } else {
            completion("I castle.")
        }
    });
    let file = run_file(&arena, &provider, "", "stream = false");
    arena.run(&file).ends_with(0);
    let projection = arena.projection();
    for game in projection.games.iter() {
        assert_eq!(game.termination(), Some(Termination::RejectedMoves));
        let classes: Vec<_> = game
            .rejected
            .iter()
            .map(|one| one.class.to_string())
            .collect();
        assert_eq!(classes, ["unparseable", "cut_off", "refused"]);
        for one in &game.rejected {
            assert!(one.extracted.len() < 20, "{}", one.extracted);
        }
    }
    arena.call(&["verify"]).ends_with(0);
}

/// The same file against an anchor, under this preset.
fn against_anchor(arena: &Arena, provider: &Provider, preset: &str, of_model: &str) -> PathBuf {
    let file = run_file(arena, provider, "", of_model);
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text
        .replacen(
            "preset = \"chessbench-v3\"",
            &format!("preset = \"{preset}\"\nanchored = {{ scale = \"local\" }}"),
            1,
        )
        .replacen(
            "[deadlines]",
            "[starts]\nstandard = 1\nchess960 = [0]\n[deadlines]",
            1,
        )
        .replacen("[[engine]]", "[[anchor]]\nrating = \"1000\"", 1);
    // The book knows no Chess960.
    let (before, rest) = text.split_once("name = \"book\"\n").unwrap();
    let (_, after) = rest.split_once("[[model]]").unwrap();
    let anchor = "name = \"book\"\ncommand = \"stockfish\"\nnodes = 200\n";
    arena.write("run.toml", &format!("{before}{anchor}[[model]]{after}"))
}

/// What the requests say to the model, each as one text.
fn asked(provider: &Provider) -> Vec<String> {
    let seen = provider.seen().into_iter();
    let texts = seen.map(|(_, body)| {
        let messages = body["messages"].as_array().unwrap().clone();
        assert_eq!(messages.len(), 2, "a fresh request");
        messages[1]["content"].as_str().unwrap().to_owned()
    });
    texts.collect()
}

#[test]
fn against_anchors_each_request_is_a_fresh_one_without_legal_moves() {
    let arena = Arena::new();
    let provider = Provider::start(|_, before| match before {
        0 => completion("e2e4"),
        _ => completion("I play <move>a1a1</move>"),
    });
    let rules = "adjudication = { win = { cp = 500, positions = 3 } }";
    let file = against_anchor(&arena, &provider, "anchored", "stream = false");
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text.replacen("[starts]", &format!("{rules}\n[starts]"), 1);
    let referee = "[analyst]\nname = \"referee\"\ncommand = \"stockfish\"\nnodes = 500\n[[anchor]]";
    let file = arena.write("run.toml", &text.replacen("[[anchor]]", referee, 1));
    arena
        .run(&file)
        .ends_with(0)
        .says("cohort chat is terminal");
    let asked = asked(&provider);
    assert!(asked[0].contains("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    assert!(
        !asked[0].contains("a2a3"),
        "no list of legal moves: {}",
        asked[0]
    );
    assert!(asked[1].contains("attempt 2 of 3"), "{}", asked[1]);
    assert!(asked[2].contains("attempt 3 of 3"), "{}", asked[2]);
    assert!(asked.iter().any(|text| text.contains("Chess960")));
    let projection = arena.projection();
    for game in projection.games.iter() {
        assert_eq!(game.termination(), Some(Termination::RejectedMoves));
    }
    let board = arena.call(&["board", "anchored"]);
    board.ends_with(0).says("model");
    // Its protocol keeps what was said.
    arena
        .call(&["verify"])
        .ends_with(0)
        .says("6 present, 0 erased");
}

#[test]
fn mini_matches_state_the_game_as_declared_and_a_mask_is_help_that_is_declared() {
    let arena = Arena::new();
    let provider = Provider::start(|body, _| {
        let grammar = body["grammar"].as_str().unwrap();
        let first = grammar.split('"').nth(3).unwrap();
        completion(&format!("<move>{first}</move>"))
    });
    let file = against_anchor(
        &arena,
        &provider,
        "mini-matches",
        "stream = false\nlegal_mask = true",
    );
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text.replacen(
        "[starts]",
        "ply_cap = 4\n[prompts]\nstate = \"board\"\nlegal_moves = true\n[starts]",
        1,
    );
    let file = arena.write("run.toml", &text);
    arena.run(&file).ends_with(0);
    let asked = asked(&provider);
    assert!(asked[0].contains("a2a3 a2a4"), "{}", asked[0]);
    let projection = arena.projection();
    let system = projection
        .systems
        .system_named(&"model".parse().unwrap())
        .unwrap();
    assert_eq!(system.registered.assistance.kind.as_str(), "legal_mask");
    assert_eq!(projection.games.count(), 4);
    let protocol = projection.systems.protocols().next().unwrap();
    assert!(protocol.published.legal_moves_listed);
}

#[test]
fn what_a_run_file_says_of_models_fits_together() {
    let arena = Arena::new();
    let provider = Provider::start(|_, _| completion("e2e4"));
    let file = run_file(&arena, &provider, "", "stream = false");
    let good = std::fs::read_to_string(&file).unwrap();
    for (from, to, says) in [
        (
            "preset = \"chessbench-v3\"",
            "ply_cap = 9",
            "a `preset` under [protocol]",
        ),
        (
            "base_url = \"http:",
            "base_url = \"ftp:",
            "begins with http:// or https://",
        ),
        (
            "stream = false",
            "parameters = { stream = true }",
            "`stream`",
        ),
        (
            "stream = false",
            "context_window = 10",
            "above `output_tokens`",
        ),
        ("stream = false", "requests_per_minute = 0", "above 0"),
        (
            "model = \"test/model\"",
            "model = \" \"",
            "some text in `model`",
        ),
        ("name = \"model\"", "name = \"book\"", "book twice"),
        (
            "[deadlines]",
            "[prompts]\nstate = \"fen\"\n[deadlines]",
            "`state`",
        ),
    ] {
        assert!(good.contains(from), "{from}");
        let file = arena.write("bad.toml", &good.replacen(from, to, 1));
        arena.run(&file).ends_with(2).says(says);
    }
    assert_eq!(provider.count(), 0);
    assert_eq!(arena.events().len(), 1);
}

#[test]
fn a_spent_budget_stops_in_good_order_and_a_larger_one_goes_on() {
    let arena = Arena::new();
    // 352 tokens and 0.0000125 dollars a call, and four calls in all.
    let provider = Provider::start(|body, _| completion(book(body)));
    let file = run_file(&arena, &provider, "", "stream = false\n[budget]\ncalls = 1");
    let words = ["run", file.to_str().unwrap()];
    arena
        .call(&words)
        .ends_with(0)
        .says("the budget is spent (1 of 1 calls), 2 cells open");
    assert_eq!(provider.seen().len(), 1);
    let stopped = arena
        .events()
        .into_iter()
        .rev()
        .find_map(|event| match &event.what {
            What::WorkerStopped(stopped) => Some(stopped.reason),
            _ => None,
        });
    assert_eq!(stopped, Some(StopReason::BudgetSpent));
    let more = |more: [&str; 4], says: &str, calls: usize| {
        let ran = arena.call(&[&words[..], &more].concat());
        ran.ends_with(0).says(says);
        assert_eq!(provider.seen().len(), calls);
    };
    let far = "1000000";
    more(
        ["--budget-calls", far, "--budget-tokens", "704"],
        "704 of 704 tokens",
        2,
    );
    let usd = "0.0000375 of 0.00003 US dollars";
    more(["--budget-calls", far, "--budget-usd", "0.00003"], usd, 3);
    more(["--budget-calls", far, "--budget-usd", "5"], "terminal", 4);
    assert_eq!(results(&arena), BOTH_MATES);
}

#[test]
fn what_may_pass_is_asked_again_and_each_failure_stands_in_the_ledger_by_kind() {
    let slow = Act::After(Duration::from_secs(3), Box::new(completion("late")));
    let later = ("retry-after", "0.01".to_owned());
    let cases: Vec<(Act, CallFailure, Option<u64>)> = vec![
        (
            Act::Say(429, vec![later], "{}".into()),
            CallFailure::RateLimited,
            Some(429),
        ),
        (
            failing(503, "overloaded"),
            CallFailure::ServerError,
            Some(503),
        ),
        (
            failing(500, "worker died"),
            CallFailure::ServerError,
            Some(500),
        ),
        (
            Act::Say(200, vec![], "<html>".into()),
            CallFailure::Protocol,
            None,
        ),
        (
            failing(200, "out of memory"),
            CallFailure::ErrorAnswer,
            Some(200),
        ),
        (
            Act::Say(200, vec![], "{\"choices\":[]}".into()),
            CallFailure::ErrorAnswer,
            None,
        ),
        (Act::Break, CallFailure::BrokenStream, None),
        (
            Act::Stream(
                vec![json!({"error": {"code": 502, "message": "gone"}})],
                false,
            ),
            CallFailure::ServerError,
            Some(200),
        ),
        (
            Act::Stream(
                vec![json!({"choices": [{"delta": {"content": "e2"}}]})],
                false,
            ),
            CallFailure::BrokenStream,
            None,
        ),
        (slow, CallFailure::Timeout, None),
    ];
    for (act, class, status) in cases {
        let arena = Arena::new();
        let first = act.clone();
        let provider = Provider::start(move |body, before| match before {
            0 => first.clone(),
            _ => completion(book(body)),
        });
        let file = run_file(&arena, &provider, "", "stream = false");
        arena.run(&file).ends_with(0);
        assert_eq!(failures(&arena), [(class, status)], "{act:?}");
        assert_eq!(results(&arena), BOTH_MATES, "{act:?}");
        assert_eq!(provider.seen().len(), 5);
    }
}

#[test]
fn what_does_not_pass_aborts_the_game_and_is_nobodys_result() {
    let cases = [
        (failing(402, "pay first"), CallFailure::UsageLimit, 1),
        (
            failing(403, "flagged by moderation"),
            CallFailure::Moderation,
            1,
        ),
        (
            whole(&json!({"content": ""}), "content_filter"),
            CallFailure::Moderation,
            1,
        ),
        // Sent again as often as the protocol says, and no oftener.
        (failing(500, "broken"), CallFailure::ServerError, 2),
        (Act::HangUp, CallFailure::Unreachable, 2),
    ];
    for (act, class, calls) in cases {
        let arena = Arena::new();
        let always = act.clone();
        let provider = Provider::start(move |_, _| always.clone());
        let file = run_file(&arena, &provider, "retries_max = 1", "stream = false");
        arena
            .run(&file)
            .ends_with(1)
            .says("three games in a row were aborted");
        let found = failures(&arena);
        assert_eq!(found.len(), 3 * calls, "{act:?}: {found:?}");
        assert!(
            found.iter().all(|(found, _)| *found == class),
            "{act:?}: {found:?}"
        );
        assert!(results(&arena).iter().all(|(result, _)| result.is_none()));
    }
}

#[test]
fn a_key_is_sent_and_stands_nowhere_else_whoever_repeats_it() {
    let arena = Arena::new();
    let provider = Provider::start(|body, before| {
        let key = key();
        match before {
            0 => failing(500, &format!("bad key {key}")),
            1 => completion(&format!("My key is {key}, e2e4")),
            2 => stream(&format!("{key} again")),
            _ => whole(&json!({"content": book(body), "reasoning": key}), "stop"),
        }
    });
    let file = run_file(
        &arena,
        &provider,
        "",
        &format!("stream = false\napi_key_env = \"{KEY}\""),
    );
    let words = ["run", file.to_str().unwrap()];
    arena
        .call(&words)
        .ends_with(2)
        .says(&format!("{KEY} is not set"));
    let output = arena.command(&words).env(KEY, key()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    for (head, _) in provider.seen() {
        assert!(head.contains(&format!("Bearer {}", key())));
    }
    let all = arena.files().into_iter().map(|(_, bytes)| bytes);
    for bytes in all.chain([output.stdout, output.stderr]) {
        assert!(memchr::memmem::find(&bytes, &key().as_bytes()[3..]).is_none());
    }
    arena.call(&["verify"]).ends_with(0);
}

#[test]
fn a_key_that_no_rule_knows_is_taken_out_however_it_is_written() {
    // No provider's form: only who holds it can know it.
    let key = ["lab/", "9f==", "quartz+77"].concat();
    let written = r"lab\/9f\u003d\u003dquartz+77";
    let arena = Arena::new();
    let (said, quoted) = (key.clone(), written.to_owned());
    let provider = Provider::start(move |_, before| match before {
        0 => Act::Say(
            500,
            Vec::new(),
            format!(r#"{{"error":{{"message":"bad key {quoted}"}}}}"#),
        ),
        1 => Act::Say(
            200,
            Vec::new(),
            format!(
                r#"{{"id":"{quoted}","choices":[{{"finish_reason":"stop","message":{{"content":"{quoted}"}}}}]}}"#
            ),
        ),
        // In two pieces, neither of which is it.
        _ => stream(&said),
    });
    let file = against_anchor(
        &arena,
        &provider,
        "mini-matches",
        &format!("api_key_env = \"{KEY}\""),
    );
    let text = std::fs::read_to_string(&file).unwrap();
    let prefixes = "prefixes = [{ name = \"one\", moves = \"e2e4 e7e5\" }]";
    let text = text.replacen("standard = 1\nchess960 = [0]", prefixes, 1);
    let file = arena.write(
        "run.toml",
        &text.replacen(
            "name = \"chat-rules\"",
            "name = \"chat-rules\"\nply_cap = 20",
            1,
        ),
    );
    let words = ["run", file.to_str().unwrap()];
    let output = arena.command(&words).env(KEY, &key).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let mut kept: Vec<Vec<u8>> = arena.files().into_iter().map(|(_, bytes)| bytes).collect();
    let disk = arena.bench.disk();
    let events = arena.events();
    let bodies = events.iter().flat_map(|event| event.what.bodies());
    kept.extend(bodies.map(|body| open_body(&disk, body).unwrap().to_vec()));
    let mut is_told = false;
    for bytes in kept.iter().chain([&output.stdout, &output.stderr]) {
        let text = String::from_utf8_lossy(bytes);
        for form in [&key[..], written, "quartz+77"] {
            assert!(!text.contains(form), "{text}");
        }
        is_told |= text.contains("[the key]");
    }
    assert!(is_told);
    arena.call(&["verify"]).ends_with(0);
}

#[test]
fn a_killed_game_goes_on_in_its_conversation_and_nothing_answered_is_asked_again() {
    let arena = Arena::new();
    // The second turn of the model is answered late.
    let provider = Provider::start(|body, before| match before {
        1 => Act::After(Duration::from_secs(20), Box::new(completion("late"))),
        _ => completion(book(body)),
    });
    let file = run_file(&arena, &provider, "", "stream = false");
    let mut child = arena
        .command(&["run", file.to_str().unwrap()])
        .spawn()
        .unwrap();
    while provider.seen().len() < 2 {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    arena.run(&file).ends_with(0);
    assert_eq!(results(&arena), BOTH_MATES);
    assert_eq!(failures(&arena), [(CallFailure::Lost, None)]);
    let seen = provider.seen();
    assert_eq!(seen.len(), 5);
    // What is asked again is what was asked: the same conversation.
    assert_eq!(seen[1].1["messages"], seen[2].1["messages"]);
    let projection = arena.projection();
    let is_lost = |state: &CallState| matches!(state, CallState::Failed(_));
    assert_eq!(
        projection
            .calls
            .iter()
            .filter(|(_, call)| is_lost(&call.state))
            .count(),
        1
    );
}

#[test]
fn models_climb_the_ladder_under_the_prompts_of_their_first_batch() {
    let arena = Arena::new();
    let provider = Provider::start(|body, _| completion(book(body)));
    let file = run_file(&arena, &provider, "", "stream = false");
    arena.run(&file).ends_with(0);
    let start = ["era", "start", "2026", "--placement", "chat"];
    arena.call(&start).ends_with(0);
    let text = std::fs::read_to_string(&file).unwrap();
    let players = text.split_once("[deadlines]").unwrap().1;
    let ladder = |more: &str| {
        let text = format!("era = \"2026\"\n{more}\n[deadlines]{players}");
        arena.write("ladder.toml", &text)
    };
    let other = ladder("[prompts]\nchecklist = false");
    arena
        .run(&other)
        .ends_with(2)
        .says("other prompts than the protocol chat-rules");
    let file = ladder("");
    let words = ["run", file.to_str().unwrap(), "--games", "2"];
    arena
        .call(&words)
        .ends_with(0)
        .says("draw 0: ")
        .says("draw 1: ");
    assert_eq!(provider.count(), 8);
    let spent = ladder("[budget]\ncalls = 8");
    arena
        .run(&spent)
        .ends_with(0)
        .says("the budget is spent (8 of 8 calls)");
    arena.call(&["verify"]).ends_with(0);
}

#[test]
fn what_a_call_cost_is_looked_up_once_by_the_id_of_its_request() {
    let arena = Arena::new();
    let provider = Provider::start(|body, before| match body["path"].as_str() {
        // The first one is not known yet.
        Some(_) if before == 4 => failing(404, "not yet"),
        Some(path) => {
            assert!(path.starts_with("GET /v1/generation?id=gen-2 "), "{path}");
            let cost = json!({"data": {"total_cost": 0.000_002_5}});
            Act::Say(200, Vec::new(), cost.to_string())
        }
        None => stream(book(body)),
    });
    let file = run_file(&arena, &provider, "", "");
    arena.run(&file).ends_with(0);
    let words = ["lookup", file.to_str().unwrap()];
    arena
        .call(&words)
        .ends_with(1)
        .says("looked up 3 costs; 1 call not known yet");
    arena.call(&words).ends_with(0).says("looked up 1 cost");
    arena.call(&words).ends_with(0).says("looked up 0 costs");
    assert_eq!(provider.count(), 4 + 4 + 1);
    let amounts = arena
        .events()
        .into_iter()
        .filter_map(|event| match &event.what {
            What::CostLookedUp(looked_up) => Some(looked_up.amount_usd.to_string()),
            _ => None,
        });
    assert_eq!(amounts.collect::<Vec<_>>(), ["0.0000025"; 4]);
    arena.call(&["verify"]).ends_with(0);
}
