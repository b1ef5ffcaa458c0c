//! Runs that are recorded, and replayed with nobody there to ask.

use std::path::{Path, PathBuf};
use std::time::Duration;

use scoresheet::event::{CallAnswered, CallFailed, CallFailure, Event, Verified, What};
use serde_json::{Value, json};

use crate::arena::{Arena, Ran};
use crate::provider::{Act, Provider, completion, failing, stream, whole};
use crate::puzzle_runs::{asked, puzzle};

const KEY: &str = "SCORESHEET_TEST_CASSETTE_KEY";

/// Nobody's key. It is put together so that this file holds nothing like one.
fn key() -> String {
    ["sk", "-", &"aB3dE5gH7k".repeat(5)].concat()
}

const FOOLS_MATE: [&str; 4] = ["f2f3", "e7e5", "g2g4", "d8h4"];

/// A run file of models against one that plays by chance, and says what it is at.
fn run_file(arena: &Arena, url: &str, of_model: &str) -> PathBuf {
    let text = format!(
        "cohort = \"taped\"\n\
         parallel = 4\n\
         [preregistration]\n\
         evidence_status = \"pilot\"\n\
         hypothesis = \"the program does what it says\"\n\
         primary_endpoints = [\"anchored rating\"]\n\
         stopping_rule = \"every cell once\"\n\
         [protocol]\n\
         name = \"taped-rules\"\n\
         preset = \"anchored\"\n\
         ply_cap = 8\n\
         retries_max = 5\n\
         anchored = {{ scale = \"local\" }}\n\
         [starts]\n\
         standard = 4\n\
         [deadlines]\n\
         answer_ms = 1000\n\
         [analyst]\n\
         name = \"referee\"\n\
         command = \"stockfish\"\n\
         nodes = 200\n\
         [[anchor]]\n\
         name = \"weak\"\n\
         rating = \"1400\"\n\
         command = \"stockfish\"\n\
         options = {{ UCI_LimitStrength = true, UCI_Elo = 1400 }}\n\
         nodes = 500\n\
         [[model]]\n\
         name = \"model\"\n\
         route = \"here\"\n\
         base_url = \"{url}\"\n\
         model = \"test/model\"\n\
         api_key_env = \"{KEY}\"\n\
         {of_model}\n"
    );
    arena.write("run.toml", &text)
}

/// The position that a request tells of, and a legal move in it.
fn legal_move(body: &Value, nth: usize) -> String {
    let text = body["messages"][1]["content"].as_str().unwrap();
    let mut fens = text.lines().filter_map(|line| {
        let (_, rest) = line.split_once(": ").unwrap_or(("", line));
        rest.parse::<scoresheet::chess::Fen>().ok()
    });
    let variant = scoresheet::chess::Variant::Standard;
    // The start comes before it.
    let position = fens.next_back().unwrap().position(variant).unwrap();
    let moves = position.legal_moves();
    format!("<move>{}</move>", moves[nth % moves.len()])
}

fn command(arena: &Arena, file: &Path, how: &str, with_key: bool) -> Ran {
    let cassette = arena.beside("cassette.jsonl");
    let mut command = arena.command(&["run", file.to_str().unwrap(), how]);
    command.arg(&cassette);
    if how == "--replay" {
        command.args(["--time", "2026-11-30T12:00:00.000Z"]);
    }
    if with_key {
        command.env(KEY, key());
    }
    let output = command.output().unwrap();
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn cassette(arena: &Arena) -> String {
    std::fs::read_to_string(arena.beside("cassette.jsonl")).unwrap()
}

/// A ledger of its own, with the run file and the cassette of another.
fn copied(arena: &Arena) -> (Arena, PathBuf) {
    let copy = Arena::new();
    let text = std::fs::read_to_string(arena.beside("run.toml")).unwrap();
    let file = copy.write("run.toml", &text);
    copy.write("cassette.jsonl", &cassette(arena));
    (copy, file)
}

/// What happened, in the order of cells: who played what, and what each call took.
fn story(arena: &Arena) -> Vec<String> {
    let events = arena.events();
    let projection = arena.projection();
    let cell = |event: &Verified<Event>| {
        let call = match &event.what {
            What::CallAnswered(CallAnswered { call, .. })
            | What::CallFailed(CallFailed { call, .. }) => *call,
            _ => return None,
        };
        let game = projection.calls.call(&call)?.sent.game?;
        projection.games.game(&game)?.cell()
    };
    let calls = events.iter().filter_map(|event| {
        let cell = cell(event)?.index.get();
        Some(match &event.what {
            What::CallAnswered(said) => format!(
                "{cell}: {:?} {:?} {:?} {:?} {:?} {:?}",
                said.tokens,
                said.cost_usd,
                said.time,
                said.engine,
                said.request_id,
                said.returned_model
            ),
            What::CallFailed(said) => format!(
                "{cell}: {} {} {:?} {:?} {:?}",
                said.class.as_str(),
                said.detail,
                said.http_status,
                said.retry_after_ms,
                said.time
            ),
            _ => String::new(),
        })
    });
    let mut story: Vec<_> = calls.collect();
    // Games at other tables went on between them.
    story.sort_by_key(|line| line.split(':').next().map(str::to_owned));
    story.extend(arena.games());
    story
}

/// The files of a ledger that are its evidence and its private bodies.
fn bytes(arena: &Arena) -> Vec<(String, Vec<u8>)> {
    let files = arena.files().into_iter();
    files
        .filter(|(name, _)| !name.ends_with("index.sqlite"))
        .collect()
}

/// Both are the same, or the first line that differs is said.
#[track_caller]
fn same(one: &[(String, Vec<u8>)], other: &[(String, Vec<u8>)]) {
    let names = |files: &[(String, Vec<u8>)]| -> Vec<_> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    for ((name, one), (_, other)) in one.iter().zip(other) {
        let lines = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        for (one, other) in lines(one).lines().zip(lines(other).lines()) {
            assert_eq!(one, other, "{name}");
        }
        assert!(one == other, "{name}");
    }
    assert_eq!(names(one), names(other));
}

/// A provider that answers well, badly, in pieces, and not at all.
fn troubled() -> Provider {
    Provider::start(|body, before| match before {
        1 => failing(500, "not now"),
        2 => Act::Say(429, vec![("retry-after", "0.1".to_owned())], String::new()),
        3 => Act::HangUp,
        4 => Act::After(Duration::from_millis(1500), Box::new(Act::HangUp)),
        5 => Act::Break,
        6 => completion("I resign."),
        7 => whole(
            &json!({"role": "assistant", "content": null, "refusal": "no"}),
            "stop",
        ),
        before if before % 2 == 0 => stream(&legal_move(body, before)),
        before => completion(&legal_move(body, before)),
    })
}

#[test]
fn a_recorded_run_is_replayed_byte_for_byte_with_nobody_there_and_no_key() {
    let arena = Arena::new();
    let provider = troubled();
    let file = run_file(&arena, &provider.url, "parameters = { temperature = 0.7 }");
    command(&arena, &file, "--record", true)
        .ends_with(0)
        .says("cohort taped is terminal");
    drop(provider);
    let recorded = story(&arena);
    for class in ["server_error", "rate_limited", "broken_stream", "timeout"] {
        let has = |line: &String| line.contains(class);
        assert!(recorded.iter().any(has), "{class}: {recorded:#?}");
    }
    let tape = cassette(&arena);
    assert!(!tape.contains(&key()) && !tape.contains("Bearer"));
    // Where it was recorded its games would stand twice.
    command(&arena, &file, "--replay", false)
        .ends_with(2)
        .says("--on-a-copy");
    let mut replays = Vec::new();
    for _ in 0..2 {
        let (copy, file) = copied(&arena);
        let ran = command(&copy, &file, "--replay", false);
        let all = tape.lines().count() - 1;
        ran.ends_with(0)
            .says("cohort taped is terminal")
            .says(&format!(
                "replayed {all} of {all} exchanges of the cassette"
            ));
        assert_eq!(story(&copy), recorded);
        let digest = scoresheet::digest::Digest::of(tape.as_bytes());
        let says_so = |event: &Verified<Event>| match &event.what {
            What::WorkerStarted(started) => started.program.ends_with(&digest.to_string()),
            _ => false,
        };
        assert!(copy.events().iter().any(says_so));
        replays.push(bytes(&copy));
    }
    same(&replays[0], &replays[1]);
}

#[test]
fn a_request_that_is_not_recorded_stops_the_run_and_says_how_it_differs() {
    let arena = Arena::new();
    let provider = Provider::start(|body, _| completion(&legal_move(body, 0)));
    let file = run_file(&arena, &provider.url, "parameters = { temperature = 0.7 }");
    command(&arena, &file, "--record", true).ends_with(0);
    let count = provider.count();
    let (copy, file) = copied(&arena);
    let text = std::fs::read_to_string(&file).unwrap();
    let file = copy.write("run.toml", &text.replace("0.7", "0.8"));
    // The server is there still, and is not asked.
    command(&copy, &file, "--replay", true)
        .ends_with(2)
        .says("does not hold what was asked (POST /v1/chat/completions with ")
        .says("for game 1")
        .says("is nearest, and its body has ")
        .says(r#""temperature":0.7}`"#)
        .says(r#""temperature":0.8}`"#)
        .says("nobody was asked instead");
    assert_eq!(provider.count(), count);
    let events = copy.events();
    let failed = |event: &Verified<Event>| {
        matches!(
            event.what,
            What::CallFailed(_) | What::GameAborted(_) | What::CallAnswered(_)
        )
    };
    assert!(!events.iter().any(failed));
    // The same is asked more often than it was recorded.
    let (copy, file) = copied(&arena);
    let tape = cassette(&arena);
    let first = tape
        .lines()
        .position(|line| line.contains("\"POST\""))
        .unwrap();
    let short: Vec<_> = tape
        .lines()
        .enumerate()
        .filter(|(n, _)| *n != first)
        .collect();
    let short: Vec<_> = short.iter().map(|(_, line)| *line).collect();
    copy.write("cassette.jsonl", &format!("{}\n", short.join("\n")));
    command(&copy, &file, "--replay", false)
        .ends_with(2)
        .says("does not hold what was asked");
}

#[test]
fn what_is_no_cassette_is_refused_before_anything_is_written() {
    let arena = Arena::new();
    let file = run_file(&arena, "http://127.0.0.1:9/v1", "");
    let header = "{\"format\":\"scoresheet-cassette@1\"}\n";
    for (text, says) in [
        ("", "line 1: the file does not begin with"),
        ("{}\n", "line 1: the file does not begin with"),
        (&format!("{header}{{\"void\""), "line 2: it is cut short"),
        (&format!("{header}{{}}\n"), "line 2: "),
    ] {
        arena.write("cassette.jsonl", text);
        command(&arena, &file, "--replay", false)
            .ends_with(2)
            .says(says);
    }
    let not_ours = "a letter to a friend\n";
    arena.write("cassette.jsonl", not_ours);
    command(&arena, &file, "--record", true)
        .ends_with(2)
        .says("line 1: the file does not begin with");
    assert_eq!(cassette(&arena), not_ours);
    assert_eq!(arena.events().len(), 1);
    let inside = arena.bench.path().join("cassette.jsonl");
    let words = [
        "run",
        file.to_str().unwrap(),
        "--record",
        inside.to_str().unwrap(),
    ];
    arena.call(&words).ends_with(2).says("inside the ledger");
}

#[test]
fn a_killed_recording_goes_on_and_is_replayed_as_it_went() {
    let arena = Arena::new();
    let provider = Provider::start(|body, before| match before {
        5 => Act::After(Duration::from_secs(20), Box::new(Act::HangUp)),
        before => completion(&legal_move(body, before)),
    });
    let file = run_file(&arena, &provider.url, "stream = false");
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text
        .replace("parallel = 4", "parallel = 1")
        .replace("answer_ms = 1000", "answer_ms = 60000");
    let file = arena.write("run.toml", &text);
    let tape = arena.beside("cassette.jsonl");
    let words = [
        "run",
        file.to_str().unwrap(),
        "--record",
        tape.to_str().unwrap(),
    ];
    let mut child = arena.command(&words).env(KEY, key()).spawn().unwrap();
    while provider.count() < 6 {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // As if it was killed a moment later: the answer came, its line was being
    // written, and the ledger knows nothing of it.
    let in_flight = arena.projection();
    let (call, _) = in_flight.calls.in_flight().next().unwrap();
    let lines = cassette(&arena);
    let like = lines
        .lines()
        .rfind(|line| line.contains("\"POST\""))
        .unwrap();
    let mut lost: Value = serde_json::from_str(like).unwrap();
    lost["call"] = json!(call.to_string());
    lost["request"]["body"] = json!(provider.seen()[5].1.to_string());
    let said = lost["response"]["body"].as_str().unwrap();
    let (before, _) = said.split_once("<move>").unwrap();
    let (_, after) = said.split_once("</move>").unwrap();
    lost["response"]["body"] = json!(format!("{before}<move>a1a1</move>{after}"));
    arena.write(
        "cassette.jsonl",
        &format!("{lines}{lost}\n{{\"call\":\"torn"),
    );
    command(&arena, &file, "--record", true).ends_with(0);
    let tape = cassette(&arena);
    assert!(
        tape.contains(&format!("{{\"void\":\"{call}\"}}\n")),
        "{tape}"
    );
    assert!(!tape.contains("torn"));
    let (copy, file) = copied(&arena);
    command(&copy, &file, "--replay", false).ends_with(0);
    assert_eq!(copy.games(), arena.games());
    let failures = |arena: &Arena| {
        let events = arena.events();
        let failed = events.iter().filter_map(|event| match &event.what {
            What::CallFailed(failed) => Some(failed.class),
            _ => None,
        });
        failed.collect::<Vec<_>>()
    };
    assert_eq!(failures(&arena), [CallFailure::Lost]);
    assert_eq!(failures(&copy), []);
}

#[test]
fn what_looks_like_a_credential_stands_in_no_cassette() {
    let arena = Arena::new();
    let other = ["gsk", "_", &"aB3dE5gH7k".repeat(4)].concat();
    let said = other.clone();
    let provider = Provider::start(move |body, before| match before {
        0 => completion(&format!("my key is {said}")),
        1 => failing(500, &format!("bad key {said}, not {}", key())),
        _ => completion(&legal_move(body, before)),
    });
    let file = run_file(&arena, &provider.url, "stream = false");
    let file = {
        let text = std::fs::read_to_string(&file).unwrap();
        arena.write("run.toml", &text.replace("parallel = 4", "parallel = 1"))
    };
    command(&arena, &file, "--record", true).ends_with(0);
    let tape = cassette(&arena);
    assert!(!tape.contains(&other) && !tape.contains(&key()), "{tape}");
    assert!(tape.contains("gsk_… (44 bytes)"));
    // What was left out was left out of the ledger, too.
    let (copy, file) = copied(&arena);
    command(&copy, &file, "--replay", false).ends_with(0);
    assert_eq!(story(&copy), story(&arena));
    // One that comes in pieces cannot be left out: the answer is not there.
    let arena = Arena::new();
    let said = other.clone();
    let provider = Provider::start(move |body, before| match before {
        0 => stream(&said),
        _ => completion(&legal_move(body, before)),
    });
    let file = run_file(&arena, &provider.url, "");
    command(&arena, &file, "--record", true).ends_with(0);
    let tape = cassette(&arena);
    let halves = other.split_at(other.len() / 2);
    assert!(
        !tape.contains(halves.0) && !tape.contains(halves.1),
        "{tape}"
    );
    assert!(tape.contains("\"withheld\":[\"groq\"]"));
    let (copy, file) = copied(&arena);
    command(&copy, &file, "--replay", false)
        .ends_with(2)
        .says("without what came back, which looked like it held a credential (groq)");
}

#[test]
fn a_protocol_that_erases_its_conversations_has_no_cassette() {
    let arena = Arena::new();
    let provider = Provider::start(|body, _| {
        let plies = body["messages"].as_array().unwrap().last().unwrap()["content"]
            .as_str()
            .unwrap()
            .matches("Your pieces")
            .count();
        completion(FOOLS_MATE[plies.min(1)])
    });
    let file = run_file(&arena, &provider.url, "stream = false");
    let text = std::fs::read_to_string(&file).unwrap();
    let (head, rest) = text.split_once("preset = ").unwrap();
    let (_, model) = rest.split_once("[[model]]").unwrap();
    let text = format!(
        "{head}preset = \"chessbench-v3\"\nattempts = 1\n[[model]]{model}\
         [[random]]\nname = \"chance\"\nseed = \"one\"\n"
    );
    let file = arena.write("run.toml", &text);
    for how in ["--record", "--replay"] {
        command(&arena, &file, how, true)
            .ends_with(2)
            .says("erases each conversation when its game ends")
            .says("a killed run goes on from there, and afterwards nothing can be replayed");
    }
    assert!(!arena.beside("cassette.jsonl").exists());
    assert_eq!((arena.events().len(), provider.count()), (1, 0));
    // Without one it runs, and what could be replayed has died with its games.
    let output = arena
        .command(&["run", file.to_str().unwrap()])
        .env(KEY, key())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let has_key = |(name, _): &(String, Vec<u8>)| name.ends_with("/key");
    assert!(!arena.files().iter().any(has_key));
    let verified = arena.call(&["verify"]);
    verified
        .says("private bodies: 0 present, ")
        .says(" 0 missing");
    assert!(0 < provider.count());
}

#[test]
fn programs_and_baselines_are_replayed_as_models_are() {
    let arena = Arena::new();
    let program = arena.write(
        "program.sh",
        "read -r request\n\
         moves=${request#*'\"moves\":['}; moves=${moves%%]*}\n\
         plies=$(echo \"$moves\" | tr ',' '\\n' | grep -c .)\n\
         test -e \"$0.first\" || { touch \"$0.first\"; exit 3; }\n\
         set -- f2f3 e7e5 g2g4 d8h4; shift $plies\n\
         echo \"{\\\"text\\\":\\\"$1\\\"}\"\n",
    );
    let text = format!(
        "cohort = \"programs\"\n\
         [preregistration]\n\
         evidence_status = \"pilot\"\n\
         hypothesis = \"the program does what it says\"\n\
         primary_endpoints = [\"placement rating\"]\n\
         stopping_rule = \"every cell once\"\n\
         [protocol]\n\
         name = \"program-rules\"\n\
         ply_cap = 20\n\
         [[program]]\n\
         name = \"agent\"\n\
         command = \"sh\"\n\
         args = ['{}']\n\
         route = \"cli\"\n\
         model = \"test/model\"\n\
         pass_env = [\"{KEY}\"]\n\
         [[scripted]]\n\
         name = \"book\"\n\
         white = \"f2f3 g2g4\"\n\
         black = \"e7e5 d8h4\"\n",
        program.display()
    );
    let file = arena.write("run.toml", &text);
    command(&arena, &file, "--record", true).ends_with(0);
    let recorded = story(&arena);
    let has = |line: &String| line.contains("exited");
    assert!(recorded.iter().any(has), "{recorded:#?}");
    let (copy, file) = copied(&arena);
    command(&copy, &file, "--replay", false).ends_with(0);
    assert_eq!(story(&copy), recorded);
}

#[test]
fn puzzles_are_replayed_too() {
    let provider = Provider::start(|body, _| match puzzle(body) {
        0 => completion("e1e8"),
        1 => failing(402, "pay first"),
        _ => completion("1. Nc7"),
    });
    let (arena, file) = asked(&provider, "");
    arena.write("run.toml", &std::fs::read_to_string(&file).unwrap());
    let dataset = arena.events();
    command(&arena, &file, "--record", true).ends_with(0);
    drop(provider);
    let rows = |arena: &Arena| {
        let board = arena.call(&["board", "puzzles"]).out;
        let (_, rows) = board.split_once("\nSolved\n").unwrap();
        assert!(rows.contains("1 / 3"), "{rows}");
        rows.to_owned()
    };
    let mut replays = Vec::new();
    for _ in 0..2 {
        let copy = Arena::holding(&dataset, &arena);
        copy.write("cassette.jsonl", &cassette(&arena));
        command(&copy, &file, "--replay", false)
            .ends_with(0)
            .says("replayed 3 of 3 exchanges")
            .says("no answer (usage_limit)");
        assert_eq!(rows(&copy), rows(&arena));
        replays.push(bytes(&copy));
    }
    same(&replays[0], &replays[1]);
}
