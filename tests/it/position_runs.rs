//! Positions asked of models, programs and baselines: once each, whatever happens.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use scoresheet::chess::RejectionClass;
use scoresheet::event::{CallFailure, CellAnswered, What};
use serde_json::Value;

use crate::arena::Arena;
use crate::asking::{self, board_of};
use crate::program::printed;
use crate::provider::{Act, Provider, completion, failing};
use crate::rows::texts;

const LIST: &str = "\
6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - id \"mate\";
# a comment
8/8/8/4k3/8/8/4P3/4K3 b - - 3 40
r3k3/8/8/1N6/8/8/8/4K3 w - - id \"fork\"; bm Nc7+;
";

/// A ledger with three positions, and a run file for them.
fn asked(provider: &Provider, more: &str) -> (Arena, PathBuf) {
    let arena = Arena::new();
    let list = arena.write("list.epd", LIST);
    let words = [
        "dataset",
        "positions",
        list.to_str().unwrap(),
        "--name",
        "probe",
    ];
    arena
        .call(&words)
        .ends_with(0)
        .says("probe, 3 positions, sha256");
    let file = write(&arena, provider, more);
    (arena, file)
}

fn write(arena: &Arena, provider: &Provider, more: &str) -> PathBuf {
    asking::write(arena, provider, "position", "probe", more)
}

/// Which of the three positions a request is about.
fn position(body: &Value) -> usize {
    let boards = [
        "6k1/5ppp/8/8/8/8/5PPP/4R1K1",
        "8/8/8/4k3/8/8/4P3/4K3",
        "r3k3/8/8/1N6/8/8/8/4K3",
    ];
    board_of(body, &boards)
}

fn answers(arena: &Arena) -> Vec<CellAnswered> {
    let events = arena.events().into_iter();
    let answers = events.filter_map(|event| match &event.what {
        What::CellAnswered(answered) => Some(answered.clone()),
        _ => None,
    });
    answers.collect()
}

/// The only row of the board.
fn row(arena: &Arena, more: &[&str]) -> Value {
    let words = [&["board", "positions", "--format", "json"], more].concat();
    let board: Value = serde_json::from_str(&arena.call(&words).ends_with(0).out).unwrap();
    assert_eq!(board["rows"].as_array().unwrap().len(), 1);
    board["rows"][0].clone()
}

#[test]
fn each_position_is_asked_once_and_the_answer_is_a_move_or_a_class_with_its_text() {
    let provider = Provider::start(|body, _| {
        completion(["<move>e1e8</move>", "<move>e5e3</move>", "Nc7+ wins."][position(body)])
    });
    let (arena, file) = asked(&provider, "");
    arena
        .run(&file)
        .ends_with(0)
        .says("model mate: e1e8; 1 call, 352 tokens")
        .says("model 2: rejected (unreachable)")
        .says("model fork: rejected (wrong_format)")
        .says("list probe: everybody was asked every position; see scoresheet board positions");
    let size = arena.events().len();
    arena.run(&file).ends_with(0);
    assert_eq!((provider.count(), arena.events().len()), (3, size));
    let answers = answers(&arena);
    let of = |id: &str| answers.iter().find(|one| one.position == id).unwrap();
    assert_eq!(of("mate").uci.unwrap().as_str(), "e1e8");
    assert_eq!(of("2").class, Some(RejectionClass::Unreachable));
    assert_eq!(of("2").extracted.as_deref(), Some("e5e3"));
    assert!(answers.iter().all(|one| one.condition.as_str() == "base"));
    arena
        .call(&["board", "positions"])
        .ends_with(0)
        .says("Position board of list probe, protocol position-rules, condition base")
        .says("A legal move is not a good one");
    let row = row(&arena, &["--dataset", "probe"]);
    let figures = ["answered", "legal", "rejected_unreachable", "no_reply"];
    assert_eq!(figures.map(|name| row[name].clone()), ["3", "1", "1", "0"]);
    assert_eq!(row["prompt_tokens_of"], "3/3");
    // What was said is kept, under a key of the list.
    let kept = arena.call(&["verify"]);
    kept.ends_with(0).says("private bodies: 3 present");
    let compute = arena.call(&["board", "compute", "probe", "--format", "json"]);
    let compute: Value = serde_json::from_str(&compute.ends_with(0).out).unwrap();
    assert_eq!(compute["runs"].as_array().unwrap().len(), 1);
}

#[test]
fn a_failure_is_asked_again_then_is_no_answer_and_stays_a_failure() {
    let provider = Provider::start(|body, _| match position(body) {
        0 => failing(500, "broken"),
        1 => failing(402, "pay first"),
        _ => completion("<move>b5c7</move>"),
    });
    let (arena, file) = asked(&provider, "");
    arena
        .run(&file)
        .ends_with(0)
        .says("model mate: no answer (server_error), counts as none")
        .says("model 2: no answer (usage_limit), counts as none")
        .says("model fork: b5c7");
    assert_eq!(provider.count(), 2 + 1 + 1);
    let figures = row(&arena, &[]);
    assert_eq!(
        ["1", "1", "2"],
        ["answered", "legal", "no_reply"].map(|name| figures[name].as_str().unwrap())
    );
    arena.call(&["verify"]).ends_with(0);
    // What was nobody's fault is taken out with a reason, and asked again.
    let ids = arena
        .events()
        .into_iter()
        .filter(|event| match &event.what {
            What::CellAnswered(answered) => answered.uci.is_none(),
            _ => false,
        });
    let ids: Vec<_> = ids.map(|event| event.id().to_string()).collect();
    let ids: Vec<_> = ids.iter().map(String::as_str).collect();
    let words = [
        "correct",
        "--exclude",
        "--reason",
        "an outage",
        "--evidence",
        "x",
        "--yes",
    ];
    arena.call(&[&words[..], &ids].concat()).ends_with(0);
    let mended = Provider::start(|body, _| {
        completion(["<move>e1e8</move>", "<move>e5e4</move>"][position(body)])
    });
    let file = write(&arena, &mended, "");
    arena.run(&file).ends_with(0).says("2 of 2: model ");
    assert_eq!(mended.count(), 2);
    assert_eq!(row(&arena, &[])["legal"], "3");
    arena.call(&["verify"]).ends_with(0);
}

#[test]
fn an_outage_leaves_positions_for_another_run() {
    let provider = Provider::start(|_, _| failing(402, "pay first"));
    let (arena, file) = asked(&provider, "");
    let text = std::fs::read_to_string(&file).unwrap();
    let (head, model) = text.split_once("[[model]]").unwrap();
    let other = model
        .replace("\"model\"", "\"other\"")
        .replace("test/model", "test/other");
    let head = head.replacen("parallel = 2", "parallel = 1", 1);
    let file = arena.write(
        "two.toml",
        &format!("{head}[[model]]{model}[[model]]{other}"),
    );
    arena
        .run(&file)
        .ends_with(1)
        .says("three in a row got no answer, 3 positions left");
    assert_eq!(provider.count(), 3);
}

#[test]
fn a_killed_run_goes_on_in_the_middle_of_a_position_and_repeats_no_answered_call() {
    // The second answer to the last position is late, in the run that is killed.
    let provider = Provider::start(|body, before| {
        let text = body["messages"][1]["content"].as_str().unwrap();
        let is_second = text.contains("attempt 2");
        match (position(body), is_second) {
            (0, _) => completion("<move>e1e8</move>"),
            (1, _) => completion("<move>e5e4</move>"),
            (_, false) => completion("<move>b5b6</move>"),
            (_, true) if before < 4 => {
                Act::After(Duration::from_secs(20), Box::new(completion("")))
            }
            (_, true) => completion("<move>b5c7</move>"),
        }
    });
    let (arena, file) = asked(&provider, "");
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text.replacen("retries_max = 1", "retries_max = 1\nattempts = 2", 1);
    let file = arena.write("two-attempts.toml", &text);
    let mut child = arena
        .command(&["run", file.to_str().unwrap()])
        .spawn()
        .unwrap();
    while provider.count() < 4 {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(300));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(answers(&arena).len(), 3);
    let board = row(&arena, &[]);
    assert_eq!(
        (&board["done"], &board["rejected_earlier"]),
        (&"2".into(), &"1".into())
    );
    arena
        .run(&file)
        .ends_with(0)
        .says("1 of 1: model fork: b5c7");
    assert_eq!((answers(&arena).len(), provider.count()), (4, 5));
    let lost = arena
        .events()
        .into_iter()
        .filter(|event| match &event.what {
            What::CallFailed(failed) => failed.class == CallFailure::Lost,
            _ => false,
        });
    assert_eq!(lost.count(), 1);
    let board = row(&arena, &[]);
    assert_eq!(
        (&board["legal"], &board["rejected"]),
        (&"3".into(), &"0".into())
    );
    arena.call(&["verify"]).ends_with(0);
}

#[test]
fn killed_before_and_after_answers_a_run_comes_to_the_board_of_one_that_was_not() {
    // Every third request kills the program, and every third answer soon after it.
    let asked = |is_deadly: bool| {
        let arena = Arena::new();
        let list = arena.write("list.epd", LIST);
        let list = list.to_str().unwrap();
        let words = ["dataset", "positions", list, "--name", "probe"];
        arena.call(&words).ends_with(0);
        let folder = arena.beside("");
        let kill = if is_deadly { "kill -9 $PPID" } else { ":" };
        let script = format!(
            "cd {folder:?}\n\
             n=0; [ -e n ] && read -r n <n; n=$((n + 1)); echo $n >n\n\
             read -r line\n\
             [ $((n % 3)) = 1 ] && {kill}\n\
             case \"$line\" in *'\"position\":\"mate\"'*) m=e1e8;; *) m=a1a1;; esac\n\
             printf '{{\"text\": \"<move>%s</move>\"}}\\n' \"$m\"\n\
             [ $((n % 3)) = 0 ] && {{ exec >&-; sleep 0.2; {kill}; }}\n\
             exit 0\n"
        );
        let program = arena.write("program.sh", &script);
        let file = arena.write(
            "killed.toml",
            &format!(
                "positions = \"probe\"\n[protocol]\nname = \"position-rules\"\nattempts = 2\n\
                 [[program]]\nname = \"program\"\ncommand = \"sh\"\nargs = [{program:?}]\n\
                 route = \"cli\"\nmodel = \"m\"\n"
            ),
        );
        let mut kills = 0;
        loop {
            let ran = arena.run(&file);
            if ran.code.is_some() {
                ran.ends_with(0).says("everybody was asked every position");
                break;
            }
            kills += 1;
            assert!(kills < 20, "no progress");
        }
        arena.projection();
        (kills, arena)
    };
    let (kills, killed) = asked(true);
    let (none, undisturbed) = asked(false);
    assert_eq!(none, 0);
    assert!(3 <= kills, "{kills}");
    let of = |arena: &Arena| {
        let board = row(arena, &[]);
        let names = ["done", "legal", "rejected", "rejected_earlier", "no_reply"];
        names.map(|name| board[name].clone())
    };
    assert_eq!(of(&killed), of(&undisturbed));
    assert_eq!(of(&killed), ["3", "1", "2", "2", "0"]);
    // Whatever was answered was taken once, and nothing of it was asked again.
    let answered = |arena: &Arena| {
        let events = arena.events().into_iter();
        let answered = events.filter(|event| matches!(event.what, What::CallAnswered(_)));
        (answered.count(), answers(arena).len())
    };
    assert_eq!(answered(&killed), (5, 5));
    assert_eq!(answered(&undisturbed), (5, 5));
}

/// A list that one event cannot hold: two kings and a pawn, wherever they may stand.
fn long_list() -> String {
    let rank = |file: usize, man: char| {
        let around = [file, 7 - file].map(|empty| match empty {
            0 => String::new(),
            empty => empty.to_string(),
        });
        format!("{}{man}{}", around[0], around[1])
    };
    let mut list = String::new();
    for place in 0..2 * 8_usize.pow(3) {
        let [black, pawn, white] = [place % 8, place / 8 % 8, place / 64 % 8];
        let turn = if place < 512 { 'w' } else { 'b' };
        let men = [rank(black, 'k'), rank(pawn, 'P'), rank(white, 'K')];
        let [black, pawn, white] = men;
        writeln!(
            list,
            "{black}/8/8/8/{pawn}/8/8/{white} {turn} - - 0 1 id \"a-longer-name-{place}\";"
        )
        .unwrap();
    }
    list
}

#[test]
fn a_list_of_several_events_is_one_list_in_runs_boards_and_the_index() {
    let arena = Arena::new();
    let list = arena.write("long.epd", &long_list());
    let words = [
        "dataset",
        "positions",
        list.to_str().unwrap(),
        "--name",
        "long",
    ];
    let registered = arena.call(&words);
    registered
        .ends_with(0)
        .says("long, 1024 positions, sha256")
        .says("3 events");
    let sum = registered.out.split("sha256 ").nth(1).unwrap();
    let sum = sum.lines().next().unwrap().to_owned();
    // Nothing of it may follow, and its name is taken.
    let again = arena.call(&words);
    again.ends_with(2).says("event 1 registers long");
    let text = "positions = \"long\"\n[protocol]\nname = \"rules\"\n[budget]\ncalls = 1030\n\
                [[scripted]]\nname = \"written\"\ngames = { 1 = \"a8b8\", 1024 = \"a8b8\" }\n";
    let file = arena.write("long.toml", text);
    let dry = arena.call(&["run", file.to_str().unwrap(), "--dry-run"]);
    dry.ends_with(0).says("list long: 1024 positions");
    let events = arena.events();
    let parts = events.iter().filter_map(|event| match &event.what {
        What::PositionsRegistered(part) => Some((event.id(), part.continues)),
        _ => None,
    });
    let parts: Vec<_> = parts.collect();
    assert_eq!([parts[0].1, parts[1].1], [None, Some(parts[0].0)]);
    // The digest is that of the whole list, however it was put in parts.
    let projection = arena.projection();
    let whole = projection.positions.list_named("long").unwrap();
    assert_eq!(whole.registered.digest().to_string(), sum);
    let last = whole.position("a-longer-name-1023").unwrap();
    assert_eq!(last.fen.as_str(), "7k/8/8/8/7P/8/8/7K b - - 0 1");
    printed(&arena.bench.path(), &["index"]);
    let index = rusqlite::Connection::open(arena.bench.path().join("index.sqlite")).unwrap();
    let query = "SELECT name, positions, sha256, count(*), max(place) FROM position_lists
        JOIN listed_positions ON dataset = id";
    assert_eq!(
        texts(&index, query),
        [["long", "1024", &sum, "1024", "1023"]]
    );
}

#[test]
fn the_index_has_every_answer_to_a_position_as_the_board_judges_it() {
    let provider = Provider::start(|body, before| match (position(body), before) {
        (0, _) => completion("<move>e1e8</move>"),
        (1, _) => failing(402, "pay first"),
        (_, _) => completion("Nc7+ wins."),
    });
    let (arena, file) = asked(&provider, "");
    arena.run(&file).ends_with(0);
    let out = answers(&arena);
    let out = out.iter().find(|one| one.position == "mate").unwrap().call;
    let events = arena.events();
    let mate = events.iter().find(|event| match &event.what {
        What::CellAnswered(answered) => answered.call == out,
        _ => false,
    });
    let mate = mate.unwrap().id().to_string();
    let words = [
        "correct",
        "--exclude",
        &mate,
        "--reason",
        "r",
        "--evidence",
        "e",
        "--yes",
    ];
    arena.call(&words).ends_with(0);
    printed(&arena.bench.path(), &["index"]);
    let index = rusqlite::Connection::open(arena.bench.path().join("index.sqlite")).unwrap();
    let query = "SELECT place, position, uci, class, extracted, counts, is_contradicted,
            condition, systems.name, protocols.name, calls.state
        FROM cell_answers JOIN listed_positions USING (dataset, position)
        JOIN systems ON systems.id = cell_answers.system
        JOIN protocols ON protocols.id = protocol
        JOIN calls ON calls.id = call ORDER BY place";
    let null = "";
    let same = ["0", "base", "model", "position-rules"];
    let rows = texts(&index, query);
    assert_eq!(rows[0][..6], ["0", "mate", "e1e8", null, null, "0"]);
    assert_eq!(rows[1][..6], ["1", "2", null, null, null, "1"]);
    assert_eq!(
        rows[2][..6],
        ["2", "fork", null, "wrong_format", "Nc7 ...", "1"]
    );
    assert!(rows.iter().all(|row| row[6..10] == same));
    let states = [&rows[0][10], &rows[1][10], &rows[2][10]];
    assert_eq!(states, ["answered", "failed", "answered"]);
}

#[test]
fn another_condition_or_protocol_is_asked_anew_and_never_on_the_same_board() {
    let provider = Provider::start(|body, _| {
        completion(
            [
                "<move>e1e8</move>",
                "<move>e5e4</move>",
                "<move>b5c7</move>",
            ][position(body)],
        )
    });
    let (arena, file) = asked(&provider, "");
    arena.run(&file).ends_with(0);
    let file = write(&arena, &provider, "condition = \"again\"");
    arena.run(&file).ends_with(0);
    assert_eq!(provider.count(), 6);
    arena
        .call(&["board", "positions"])
        .ends_with(2)
        .says("expected one condition under which probe was answered")
        .says("again, base");
    assert_eq!(row(&arena, &["--condition", "again"])["legal"], "3");
    // Listed moves are another prompt, and so another protocol.
    let text = std::fs::read_to_string(&file).unwrap();
    let text = format!("{text}[prompts]\nlegal_moves = true\n");
    let file = arena.write("listed.toml", &text);
    arena
        .run(&file)
        .ends_with(2)
        .says("the name position-rules stands for another protocol");
    let text = text.replacen("position-rules", "listed", 1);
    let text = text.replacen("name = \"model\"", "name = \"listed-model\"", 1);
    let file = arena.write("listed.toml", &text);
    arena.run(&file).ends_with(0);
    let (_, last) = provider.seen().pop().unwrap();
    assert!(
        last["messages"][1]["content"]
            .as_str()
            .unwrap()
            .contains("b5c7")
    );
    arena
        .call(&["board", "positions", "--protocol", "none"])
        .ends_with(2)
        .says("found none");
    for (from, to, says) in [
        (
            "\"probe\"",
            "\"large\"",
            "no list of positions is named large",
        ),
        ("[[model]]", "[[engine]]", "unknown field"),
    ] {
        let file = arena.write("bad.toml", &text.replacen(from, to, 1));
        arena.run(&file).ends_with(2).says(says);
    }
}

#[test]
fn baselines_and_programs_are_asked_through_the_same_door() {
    let arena = Arena::new();
    let list = arena.write("list.epd", LIST);
    let words = [
        "dataset",
        "positions",
        list.to_str().unwrap(),
        "--name",
        "probe",
    ];
    arena.call(&words).ends_with(0);
    // A program answers with the position that it was told of.
    let reply = "case \"$line\" in *'\\\"position\\\":\\\"mate\\\"'*) m=e1e8;; *) m=a1a1;; esac";
    let reply = reply.replace("\\\"", "\"");
    let script = format!(
        "#!/bin/sh\nread -r line\n{reply}\nprintf '{{\"text\": \"<move>%s</move>\"}}\\n' \"$m\"\n"
    );
    let program = arena.write("program.sh", &script);
    let file = arena.write(
        "all.toml",
        &format!(
            "positions = \"probe\"\n\
             [protocol]\n\
             name = \"position-rules\"\n\
             [budget]\n\
             calls = 100\n\
             [[program]]\n\
             name = \"program\"\n\
             command = \"sh\"\n\
             args = [{program:?}]\n\
             route = \"cli\"\n\
             model = \"m\"\n\
             [[random]]\n\
             name = \"dice\"\n\
             seed = \"1\"\n\
             [[scripted]]\n\
             name = \"written\"\n\
             white = \"e1e2\"\n\
             games = {{ 2 = \"e5d4\" }}\n"
        ),
    );
    let dry = arena.call(&["run", file.to_str().unwrap(), "--dry-run"]);
    dry.ends_with(0)
        .says("list probe: 3 positions, each asked once of 3 systems, condition base")
        .says("program for position mate is first sent:")
        .says("program: about 3 calls");
    assert!(answers(&arena).is_empty());
    arena
        .run(&file)
        .ends_with(0)
        .says("program mate: e1e8")
        .says("written 2: e5d4")
        .says("written mate: e1e2");
    let dice = answers(&arena);
    let moves: BTreeSet<_> = dice.iter().filter_map(|one| one.uci).collect();
    assert!(3 <= moves.len());
    arena
        .call(&["board", "positions", "--format", "csv"])
        .ends_with(0)
        .says("dice,")
        .says("\nwritten,");
    arena.call(&["verify"]).ends_with(0);
}

#[test]
fn positions_are_replayed_from_a_cassette() {
    let provider = Provider::start(|body, _| match position(body) {
        0 => completion("<move>e1e8</move>"),
        1 => failing(402, "pay first"),
        _ => completion("no move"),
    });
    let (arena, file) = asked(&provider, "");
    let before = arena.events();
    let cassette = arena.beside("cassette.jsonl");
    let cassette = cassette.to_str().unwrap();
    let file = file.to_str().unwrap();
    arena
        .call(&["run", file, "--record", cassette])
        .ends_with(0);
    drop(provider);
    let copy = Arena::holding(&before, &arena);
    copy.call(&["run", file, "--replay", cassette])
        .ends_with(0)
        .says("replayed 3 of 3 exchanges")
        .says("no answer (usage_limit)");
    let said = |arena: &Arena| {
        let answers = answers(arena).into_iter();
        let mut said: Vec<_> = answers
            .map(|one| (one.position, one.uci, one.class))
            .collect();
        said.sort();
        said
    };
    assert_eq!(said(&copy), said(&arena));
}
