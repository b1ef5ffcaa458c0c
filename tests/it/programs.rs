//! Programs that are started once a request: what they are sent, what comes of good
//! replies, and what comes of every way to fail.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use scoresheet::chess::{GameResult, Termination};
use scoresheet::event::{CallAnswered, CallFailure, SystemRegistered, What};
use serde_json::Value;

use crate::arena::{Arena, engine};
use crate::runs::FOOLS_MATE;
use crate::script::Script;

const KEY: &str = "SCORESHEET_TEST_PROGRAM_KEY";

/// Nobody's key. It is put together so that this file holds nothing like one.
fn key() -> String {
    ["sk", "-", &"aB3dE5gH7k".repeat(5)].concat()
}

/// A program in `sh`: the request is in `$request`, the number of moves so far in
/// `$plies`, and the book move in `$book` before `then` is done.
fn program(arena: &Arena, then: &str) -> PathBuf {
    let folder = arena.beside("");
    let text = format!(
        "read -r request\n\
         printf '%s\\n' \"$request\" >>'{folder}/requests'\n\
         moves=${{request#*'\"moves\":['}}; moves=${{moves%%]*}}\n\
         plies=$(echo \"$moves\" | tr ',' '\\n' | grep -c .)\n\
         set -- {FOOLS_MATE}; shift $plies; book=$1\n\
         answer() {{ echo \"{{\\\"text\\\":\\\"$book\\\"$1}}\"; }}\n\
         first() {{ test ! -e '{folder}/was-here' && touch '{folder}/was-here'; }}\n\
         {then}\n",
        folder = folder.display()
    );
    arena.write("program.sh", &text)
}

/// A run file of a program against an engine that plays by the book.
fn run_file(arena: &Arena, rules: &str, then: &str, of_program: &str) -> PathBuf {
    let program = program(arena, then);
    let book = Script::player("", FOOLS_MATE);
    let engine = engine(&book);
    // The script lives as long as the arena.
    std::mem::forget(book);
    let text = format!(
        "cohort = \"programs\"\n\
         [preregistration]\n\
         evidence_status = \"pilot\"\n\
         hypothesis = \"the program does what it says\"\n\
         primary_endpoints = [\"placement rating\"]\n\
         stopping_rule = \"every cell once\"\n\
         [protocol]\n\
         name = \"program-rules\"\n\
         {rules}\n\
         [deadlines]\n\
         answer_ms = 3000\n\
         [[engine]]\n\
         name = \"book\"\n\
         {engine}\n\
         [[program]]\n\
         name = \"agent\"\n\
         command = \"sh\"\n\
         args = ['{}', '--no-tools']\n\
         route = \"cli\"\n\
         model = \"test/model\"\n\
         {of_program}\n",
        program.display()
    );
    arena.write("run.toml", &text)
}

const V3: &str = "preset = \"chessbench-v3\"";
const PLAIN: &str = "ply_cap = 20";

fn requests(arena: &Arena) -> Vec<Value> {
    let text = std::fs::read_to_string(arena.beside("requests")).unwrap_or_default();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn failures(arena: &Arena) -> Vec<(CallFailure, String)> {
    let events = arena.events();
    let failed = events.iter().filter_map(|event| match &event.what {
        What::CallFailed(failed) => Some((failed.class, failed.detail.clone())),
        _ => None,
    });
    failed.collect()
}

fn answers(arena: &Arena) -> Vec<CallAnswered> {
    let events = arena.events();
    let answered = events.iter().filter_map(|event| match &event.what {
        What::CallAnswered(answered) if answered.engine.is_none() => Some(answered.clone()),
        _ => None,
    });
    answered.collect()
}

fn system(arena: &Arena, name: &str) -> SystemRegistered {
    let projection = arena.projection();
    let system = projection.systems.system_named(&name.parse().unwrap());
    system.unwrap().registered.clone()
}

#[track_caller]
fn both_mates(arena: &Arena) {
    let projection = arena.projection();
    let ends: Vec<_> = projection
        .games
        .iter()
        .filter(|game| game.result().is_some())
        .map(|game| (game.result().unwrap(), game.termination().unwrap()))
        .collect();
    assert_eq!(ends, [(GameResult::BlackWins, Termination::Checkmate); 2]);
}

#[test]
fn a_program_gets_what_a_model_gets_and_the_game_beside_it() {
    let arena = Arena::new();
    let file = run_file(&arena, V3, "answer", "parameters = { temperature = 0.5 }");
    arena
        .call(&["run", file.to_str().unwrap(), "--dry-run"])
        .ends_with(0)
        .says("agent: test/model over cli by ");
    arena.run(&file).ends_with(0);
    both_mates(&arena);
    let requests = requests(&arena);
    assert_eq!(requests.len(), 4);
    for request in &requests {
        assert_eq!(request["format"], "scoresheet-program@1");
        assert_eq!(request["tools"][0]["function"]["name"], "submit_move");
        assert_eq!(request["parameters"]["temperature"], 0.5);
        assert_eq!(request["attempt"], 1);
        assert_eq!(request["variant"], "standard");
        let moves = request["moves"].as_array().unwrap();
        let color = if moves.len() % 2 == 0 {
            "white"
        } else {
            "black"
        };
        assert_eq!(request["color"], color);
        assert!(request["fen"].as_str().unwrap().contains('/'));
    }
    // The second request of a game has the first answer in it.
    let second = requests.iter().filter(|request| {
        let messages = request["messages"].as_array().unwrap();
        let mut answers = messages.iter().filter(|one| one["role"] == "assistant");
        answers.any(|one| one["content"].as_str().is_some_and(|text| text.len() == 4))
    });
    assert_eq!(second.count(), 2);
    let registered = system(&arena, "agent");
    let model = registered.model.unwrap();
    let program = model.program.unwrap();
    assert_eq!(program.arguments, ["program.sh", "--no-tools"]);
    assert_eq!(program.files[1].name, "program.sh");
    assert!(model.prompt.is_some());
    arena.call(&["verify"]).ends_with(0);
}

#[test]
fn without_prompts_a_program_gets_the_game_and_answers_a_move() {
    let arena = Arena::new();
    arena
        .run(&run_file(&arena, PLAIN, "answer", ""))
        .ends_with(0);
    both_mates(&arena);
    assert!(
        requests(&arena)
            .iter()
            .all(|one| one.get("messages").is_none())
    );
    // Another program under the same name is another system.
    program(&arena, "answer # changed");
    arena.run(&arena.beside("run.toml")).ends_with(0);
    let text = std::fs::read_to_string(arena.beside("run.toml")).unwrap();
    let other = arena.write("other.toml", &text.replace("\"programs\"", "\"more\""));
    arena.run(&other).ends_with(2).says("program");
}

#[test]
fn what_a_reply_says_of_itself_stands_in_the_ledger_and_parts_are_not_added() {
    let arena = Arena::new();
    let usage = r#"\"usage\":{\"prompt\":1400,\"completion\":80,\"reasoning\":8}"#;
    let rest = format!(
        r#",{usage},\"overhead\":{{\"prompt\":640,\"cached\":600}},\"cost_usd\":0.003,\"model\":\"test/model-2026\",\"request_id\":\"r-1\",\"finish_reason\":\"stop\",\"calls\":[{{\"role\":\"proposer\",\"model\":\"small\",\"cost_usd\":\"0.001\",{usage}}},{{\"role\":\"selector\",\"cost_usd\":0.002}}]"#
    );
    let file = run_file(&arena, V3, &format!("answer \"{rest}\""), "");
    arena.run(&file).ends_with(0);
    both_mates(&arena);
    let answered = answers(&arena);
    assert_eq!(answered.len(), 4);
    for one in &answered {
        assert_eq!(one.cost_usd.unwrap().to_string(), "0.003");
        assert_eq!(one.returned_model.as_deref(), Some("test/model-2026"));
        assert_eq!(one.request_id.as_deref(), Some("r-1"));
        assert_eq!(one.overhead.unwrap().prompt.unwrap().get(), 640);
        assert_eq!(one.tokens.unwrap().cached, None);
        let roles: Vec<_> = one.calls.iter().map(|call| call.role.as_str()).collect();
        assert_eq!(roles, ["proposer", "selector"]);
        assert_eq!(one.calls[1].cost_usd.unwrap().to_string(), "0.002");
    }
    // Four calls of 0.003 dollars each, and nothing of their parts beside them.
    let projection = arena.projection();
    let system = projection.systems.system_named(&"agent".parse().unwrap());
    let resources = &system.unwrap().resources;
    assert_eq!(resources.cost_usd.sum.to_string(), "0.012");
    assert_eq!(resources.prompt_tokens.sum, 5600);
}

#[test]
fn each_way_to_fail_is_told_by_kind_and_the_game_goes_on() {
    let megabytes = "head -c 9000000 /dev/zero | tr '\\0' x";
    let error = |text: &str| format!("echo '{{\"error\":{text}}}'");
    let cases = [
        (
            "echo 'no such model' >&2; exit 3".to_owned(),
            CallFailure::Exited,
            "exit status: 3: no such model",
        ),
        ("kill -9 $$".to_owned(), CallFailure::Exited, "signal: 9"),
        (
            "sleep 60 & sleep 60".to_owned(),
            CallFailure::Timeout,
            "no reply within 3000 ms",
        ),
        (
            "echo e2e4".to_owned(),
            CallFailure::Protocol,
            "a reply in JSON was expected",
        ),
        (":".to_owned(), CallFailure::Protocol, "found nothing"),
        (
            megabytes.to_owned(),
            CallFailure::Protocol,
            "more than 8388608 bytes",
        ),
        (
            error("\"out of memory\""),
            CallFailure::ErrorAnswer,
            "says it failed: out of memory",
        ),
        (
            error("{\"class\":\"rate_limited\",\"message\":\"slow down\",\"retry_after_ms\":10}"),
            CallFailure::RateLimited,
            "slow down",
        ),
    ];
    for (act, class, said) in cases {
        let arena = Arena::new();
        let then = format!("if first; then {act}; exit; fi; answer");
        let rules = format!("{V3}\nretries_max = 1");
        let ran = arena.run(&run_file(&arena, &rules, &then, ""));
        ran.ends_with(0);
        let failures = failures(&arena);
        assert_eq!(failures.len(), 1, "{act}: {failures:?}");
        assert_eq!(failures[0].0, class, "{act}: {failures:?}");
        assert!(failures[0].1.contains(said), "{act}: {failures:?}");
        both_mates(&arena);
    }
}

#[test]
fn what_does_not_pass_aborts_the_game_and_is_nobodys_result() {
    let error = |class: &str| format!("echo '{{\"error\":{{\"class\":\"{class}\"}}}}'");
    for (act, class) in [
        (error("usage_limit"), CallFailure::UsageLimit),
        (error("moderation"), CallFailure::Moderation),
        (
            "answer ',\"finish_reason\":\"content_filter\"'".to_owned(),
            CallFailure::Moderation,
        ),
        ("rm \"$0\"; exit 9".to_owned(), CallFailure::Exited),
    ] {
        let arena = Arena::new();
        let ran = arena.run(&run_file(&arena, V3, &act, ""));
        ran.ends_with(1).says("three games in a row were aborted");
        let failures = failures(&arena);
        assert_eq!(failures.len(), 3, "{failures:?}");
        assert!(
            failures.iter().all(|(found, _)| *found == class),
            "{failures:?}"
        );
    }
}

#[test]
fn a_program_that_is_not_there_or_lacks_a_variable_is_told_before_anything_is_written() {
    let arena = Arena::new();
    let file = run_file(&arena, PLAIN, "answer", &format!("pass_env = [\"{KEY}\"]"));
    let size = arena.events().len();
    arena
        .run(&file)
        .ends_with(2)
        .says(&format!("{KEY} is not set"));
    let text = std::fs::read_to_string(&file).unwrap();
    for (from, to, said) in [
        (
            "command = \"sh\"\nargs",
            "command = \"no-such-program\"\nargs",
            "no-such-program",
        ),
        (KEY, "A=b", "names of environment variables"),
        ("route = \"cli\"", "route = \" \"", "`route`"),
    ] {
        let at = text.rfind(from).unwrap();
        let changed = format!("{}{to}{}", &text[..at], &text[at + from.len()..]);
        let changed = changed.replace(&format!("pass_env = [\"{KEY}\"]"), "");
        arena
            .run(&arena.write("bad.toml", &changed))
            .ends_with(2)
            .says(said);
    }
    assert_eq!(arena.events().len(), size);
}

#[test]
fn a_value_that_is_passed_stands_nowhere_whoever_repeats_it() {
    let arena = Arena::new();
    let then = format!(
        "test ${{#{KEY}}} = 53 || exit 7\n\
         test -z \"$HOME\" || exit 8\n\
         if first; then echo \"bad key ${KEY}\" >&2; echo \"${KEY}\"; exit 3; fi\n\
         if test $plies = 1; then book=\"my key is ${KEY}, $book\"; fi\n\
         echo \"${KEY}\" >&2\n\
         answer \",\\\"model\\\":\\\"${KEY}\\\",\\\"calls\\\":[{{\\\"role\\\":\\\"${KEY}\\\"}}]\""
    );
    let rules = format!("{V3}\nretries_max = 1");
    let file = run_file(&arena, &rules, &then, &format!("pass_env = [\"{KEY}\"]"));
    let output = arena
        .command(&["run", file.to_str().unwrap()])
        .env(KEY, key())
        .env("HOME", "/nowhere")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let failures = failures(&arena);
    assert_eq!(failures[0].0, CallFailure::Exited, "{failures:?}");
    assert!(
        failures[0]
            .1
            .ends_with(&format!("bad key [the value of {KEY}]")),
        "{failures:?}"
    );
    let models = answers(&arena);
    assert_eq!(
        models[0].returned_model.as_deref(),
        Some("[the value of SCORESHEET_TEST_PROGRAM_KEY]")
    );
    let all = arena.files().into_iter().map(|(_, bytes)| bytes);
    for bytes in all.chain([output.stdout, output.stderr]) {
        assert!(memchr::memmem::find(&bytes, &key().as_bytes()[3..]).is_none());
    }
    arena.call(&["verify"]).ends_with(0);
}

#[test]
fn what_a_late_program_started_is_killed_with_it() {
    let arena = Arena::new();
    let folder = arena.beside("");
    let then = format!(
        "if first; then (sleep 4; touch '{}/survived') & sleep 60; fi; answer",
        folder.display()
    );
    let rules = format!("{PLAIN}\nretries_max = 1");
    let began = Instant::now();
    arena.run(&run_file(&arena, &rules, &then, "")).ends_with(0);
    assert!(began.elapsed() < Duration::from_secs(30));
    std::thread::sleep(Duration::from_secs(5).saturating_sub(began.elapsed()));
    assert!(!folder.join("survived").exists());
    assert_eq!(failures(&arena)[0].0, CallFailure::Timeout);
}

#[test]
fn a_killed_game_goes_on_and_nothing_answered_is_asked_again() {
    let arena = Arena::new();
    // The second request is answered late, for once.
    let then = "if test $(wc -l <\"${0%/*}/requests\") = 2; then sleep 20; fi; answer";
    let file = run_file(&arena, V3, then, "");
    let mut child = arena
        .command(&["run", file.to_str().unwrap()])
        .spawn()
        .unwrap();
    while requests(&arena).len() < 2 {
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    arena.run(&file).ends_with(0);
    both_mates(&arena);
    let failed: Vec<_> = failures(&arena)
        .into_iter()
        .map(|(class, _)| class)
        .collect();
    assert_eq!(failed, [CallFailure::Lost]);
    let requests = requests(&arena);
    assert_eq!(requests.len(), 5);
    // What is asked again is what was asked: the same conversation.
    assert_eq!(requests[1], requests[2]);
    arena.call(&["verify"]).ends_with(0);
}
