//! The UCI driver against programs that do what engines must not do.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use scoresheet::chess::Score;
use scoresheet::run::uci::{Answer, Engine, EngineFault, Step};

use crate::script::{Script, spec};

/// Long enough for a loaded machine; a test that waits for it fails.
const PATIENCE: Duration = Duration::from_secs(20);
/// Long enough for `sh` to answer, short enough to wait for in vain.
const BRIEF: Duration = Duration::from_secs(2);

fn start(script: &Script) -> Engine {
    Engine::start(&script.spec, PATIENCE).unwrap()
}

fn options(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn search(engine: &mut Engine, deadline: Duration) -> Result<Answer, EngineFault> {
    engine.search(None, false, &[], deadline)
}

/// How an engine with these arms fails its first search.
fn failed_search(arms: &str, deadline: Duration) -> EngineFault {
    let script = Script::new(arms);
    let mut engine = start(&script);
    let fault = search(&mut engine, deadline).unwrap_err();
    let again = search(&mut engine, PATIENCE).unwrap_err();
    assert_eq!(again, fault, "an engine that failed is not asked again");
    fault
}

/// Waits until the process is gone; a zombie is as good as gone.
fn assert_ends(pid: &str) {
    let stat = Path::new("/proc").join(pid.trim()).join("stat");
    let until = Instant::now() + PATIENCE;
    while let Ok(text) = fs::read_to_string(&stat) {
        if text.contains(") Z ") {
            return;
        }
        assert!(Instant::now() < until, "process {pid} lives: {text}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_good_engine_answers_and_quits() {
    let script = Script::new("quit) echo quit >end; exit;;");
    let mut engine = start(&script);
    assert_eq!(engine.identity().name.as_deref(), Some("Scripted"));
    assert_eq!(engine.identity().author, None);
    engine.new_game(PATIENCE).unwrap();
    let answer = search(&mut engine, PATIENCE).unwrap();
    assert_eq!(answer.bestmove.as_deref(), Some("e2e4"));
    assert_eq!(answer.score(), Some(Score::Centipawns(30)));
    assert_eq!((answer.nodes, answer.depth()), (Some(20), Some(1)));
    engine.quit();
    assert_eq!(script.wrote("end"), "quit\n");
}

#[test]
fn what_is_sent_is_what_uci_asks_for() {
    let mut script = Script::new(
        "position|setoption|ucinewgame) echo \"$word $rest\" >>sent;;\n\
         go) echo \"$word $rest\" >>sent; echo bestmove e1h1;;",
    );
    script.spec.options = options(&[("hash", "32")]);
    let mut engine = start(&script);
    engine.new_game(PATIENCE).unwrap();
    let moves = ["g1f3".to_owned(), "g8f6".to_owned()];
    engine.search(None, false, &moves, PATIENCE).unwrap();
    let fen = "4k3/8/8/8/8/8/8/4K2R w H - 0 1";
    let answer = engine.search(Some(fen), true, &[], PATIENCE).unwrap();
    assert_eq!(answer.bestmove.as_deref(), Some("e1h1"));
    engine.search(Some(fen), true, &[], PATIENCE).unwrap();
    drop(engine);
    assert_eq!(
        script.wrote("sent"),
        "setoption name Hash value 32\nucinewgame \n\
         position startpos moves g1f3 g8f6\ngo nodes 20\n\
         setoption name UCI_Chess960 value true\n\
         position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1\ngo nodes 20\n\
         position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1\ngo nodes 20\n"
    );
}

#[test]
fn an_engine_sees_no_environment_but_the_given_and_leads_its_own_group() {
    let script = Script::new(
        "uci) env | cut -d= -f1 | sort | tr '\\n' ' ' >names\n\
              cut -d' ' -f1,5 /proc/$$/stat >group; echo uciok;;",
    );
    drop(start(&script));
    assert_eq!(
        script.wrote("names").replace("OLDPWD ", ""),
        "LC_ALL PATH PWD TZ "
    );
    let group = script.wrote("group");
    let (process, group) = group.trim().split_once(' ').unwrap();
    assert_eq!(process, group);
}

#[test]
fn an_illegal_move_is_brought_home_for_the_caller_to_judge() {
    let script = Script::new("go) echo 'bestmove e2e5 ponder e7e5';;");
    let answer = search(&mut start(&script), PATIENCE).unwrap();
    assert_eq!(answer.bestmove.as_deref(), Some("e2e5"));
    let script = Script::new("go) printf 'bestmove \\033[2J\\n';;");
    let answer = search(&mut start(&script), PATIENCE).unwrap();
    assert_eq!(answer.bestmove.as_deref(), Some("\\u{1b}[2J"));
}

#[test]
fn no_move_is_an_answer() {
    let script = Script::new("go) echo 'bestmove (none)';;");
    let answer = search(&mut start(&script), PATIENCE).unwrap();
    assert_eq!((answer.bestmove, answer.nodes), (None, None));
}

#[test]
fn garbled_lines_are_passed_over() {
    let script = Script::new(
        "uci) printf '\\377\\000\\n\\noption name\\noption name X type spin min a\\n\
              option name Hash type spin min 1 max 64\\r\\nuciok\\r\\n';;\n\
         go) printf 'info depth\\ninfo score cp x nodes 9\\n\\n \\nbestmo\\n\
              info nodes 7 score cp 5\\ninfo nodes -8\\n bestmove e2e4\\n';;",
    );
    let mut engine = start(&script);
    assert_eq!(engine.identity().options.len(), 1);
    let answer = search(&mut engine, PATIENCE).unwrap();
    assert_eq!(answer.bestmove.as_deref(), Some("e2e4"));
    assert_eq!(answer.score(), Some(Score::Centipawns(5)));
    assert_eq!(answer.nodes, Some(7));
}

#[test]
fn a_line_of_a_megabyte_is_a_fault() {
    let arms = "go) head -c 1048576 /dev/zero | tr '\\0' x; echo; echo bestmove e2e4;;";
    let fault = failed_search(arms, PATIENCE);
    let during = Step::Search;
    assert_eq!(fault, EngineFault::LineTooLong { during });
    assert_eq!(fault.class(), "protocol");
}

#[test]
fn an_exit_during_a_search_is_known_at_once_and_by_its_status() {
    let since = Instant::now();
    let fault = failed_search("go) echo info nodes 1; exit 3;;", PATIENCE);
    assert_eq!(
        fault.to_string(),
        "the engine ended during the search: exit status: 3"
    );
    assert_eq!(fault.class(), "exited");
    assert!(since.elapsed() < PATIENCE);
    let fault = failed_search("go) kill -SEGV $$;;", PATIENCE);
    assert!(fault.to_string().contains("SIGSEGV"), "{fault}");
    // Half a line is no answer.
    let fault = failed_search("go) printf 'bestmove e7e8'; exit;;", PATIENCE);
    assert_eq!(fault.class(), "exited");
}

#[test]
fn an_answer_given_before_the_exit_counts() {
    let script = Script::new("go) echo bestmove e2e4; exit;;");
    let mut engine = start(&script);
    let answer = search(&mut engine, PATIENCE).unwrap();
    assert_eq!(answer.bestmove.as_deref(), Some("e2e4"));
    let fault = search(&mut engine, PATIENCE).unwrap_err();
    assert_eq!(fault.class(), "exited");
}

#[test]
fn silence_ends_at_the_deadline() {
    let since = Instant::now();
    let fault = failed_search("go) ;;", BRIEF);
    let EngineFault::Deadline { waited_ms, during } = fault else {
        panic!("{fault}");
    };
    assert_eq!((fault.class(), during), ("deadline", Step::Search));
    assert!((2_000..10_000).contains(&waited_ms), "{waited_ms}");
    assert!(since.elapsed() < PATIENCE);
}

#[test]
fn a_late_answer_is_too_late() {
    let fault = failed_search("go) sleep 4; echo bestmove e2e4;;", BRIEF);
    assert_eq!(fault.class(), "deadline");
}

#[test]
fn an_engine_that_never_says_uciok_is_not_waited_for() {
    let script = Script::new("uci) echo id name Mute;;");
    let fault = Engine::start(&script.spec, BRIEF).unwrap_err();
    let text = fault.to_string();
    assert!(
        text.starts_with("no answer to the handshake within 2"),
        "{text}"
    );
}

#[test]
fn an_engine_that_never_stops_talking_is_not_listened_to() {
    let fault = failed_search("go) yes info nodes 1;;", BRIEF);
    assert_eq!(fault.class(), "deadline");
}

#[test]
fn an_engine_that_ignores_isready_fails_the_wait_for_it() {
    // The first one, at the start, is answered.
    let arms = "isready) [ -e asked ] || echo readyok; echo >asked;;";
    let fault = failed_search(arms, BRIEF);
    let EngineFault::Deadline { during, .. } = fault else {
        panic!("{fault}");
    };
    assert_eq!(during, Step::Ready);
}

#[test]
fn an_engine_that_reads_nothing_does_not_block_us() {
    let script = Script::new("isready) echo readyok; [ -e asked ] && sleep 30; echo >asked;;");
    let mut engine = start(&script);
    let moves = vec!["e2e4".to_owned(); 1_000_000];
    let since = Instant::now();
    let fault = engine.search(None, false, &moves, BRIEF).unwrap_err();
    assert_eq!(fault.class(), "deadline");
    assert!(since.elapsed() < PATIENCE);
}

#[test]
fn the_late_move_of_the_search_before_is_dropped() {
    let script = Script::new(
        "go) if [ -e asked ]; then echo bestmove g1f3; else echo bestmove e2e4; fi\n\
             echo >asked; echo info nodes 99 score cp 900; echo bestmove d2d4;;\n\
         isready) echo bestmove a2a4; echo readyok;;",
    );
    let mut engine = start(&script);
    let first = search(&mut engine, PATIENCE).unwrap();
    assert_eq!(first.bestmove.as_deref(), Some("e2e4"));
    let second = search(&mut engine, PATIENCE).unwrap();
    assert_eq!(second.bestmove.as_deref(), Some("g1f3"));
    assert_eq!((second.nodes, second.score()), (None, None));
}

#[test]
fn a_closed_output_is_a_fault_although_the_process_lives() {
    let script = Script::new("go) echo $$ >pid; exec >/dev/null; sleep 30;;");
    let mut engine = start(&script);
    let fault = search(&mut engine, PATIENCE).unwrap_err();
    let during = Step::Search;
    assert_eq!(fault, EngineFault::PipeBroken { during });
    assert_ends(&script.wrote("pid"));
}

#[test]
fn a_child_that_holds_the_output_open_hides_no_exit_and_does_not_survive() {
    let script = Script::new("go) sleep 300 & echo $! >pid; exit 4;;");
    let mut engine = start(&script);
    let since = Instant::now();
    let fault = search(&mut engine, PATIENCE).unwrap_err();
    assert!(since.elapsed() < PATIENCE);
    assert!(fault.to_string().ends_with("exit status: 4"), "{fault}");
    assert_ends(&script.wrote("pid"));
}

#[test]
fn an_engine_that_does_not_quit_is_killed_with_its_children() {
    let script = Script::new(
        "go) sleep 300 & echo $! >child; echo $$ >pid; echo bestmove e2e4;;\n\
         quit) trap '' TERM INT HUP; while :; do sleep 1; done;;",
    );
    let mut engine = start(&script);
    search(&mut engine, PATIENCE).unwrap();
    let since = Instant::now();
    engine.quit();
    assert!(since.elapsed() < Duration::from_secs(5));
    assert_ends(&script.wrote("pid"));
    assert_ends(&script.wrote("child"));
}

#[test]
fn an_engine_that_is_silent_once_its_input_is_closed_is_not_waited_for() {
    let script = Script::new(
        "go) echo $$ >pid; echo bestmove e2e4;;\n\
         quit) while read -r word; do :; done; sleep 300;;",
    );
    let mut engine = start(&script);
    search(&mut engine, PATIENCE).unwrap();
    let since = Instant::now();
    engine.quit();
    assert!(since.elapsed() < Duration::from_secs(5));
    assert_ends(&script.wrote("pid"));
}

#[test]
fn options_are_refused_before_any_of_them_is_set() {
    let mut script = Script::new("setoption) echo \"$rest\" >>set;;");
    script.spec.options = options(&[("Hash", "32"), ("Threads", "1")]);
    let fault = Engine::start(&script.spec, PATIENCE).unwrap_err();
    let name = "Threads".to_owned();
    assert_eq!(fault, EngineFault::UnknownOption { name });
    script.spec.options = options(&[("UCI_Chess960", "false"), ("Hash", "65")]);
    let fault = Engine::start(&script.spec, PATIENCE).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "option `Hash` takes an integer from 1 to 64, not `65`"
    );
    assert_eq!(fault.class(), "not_started");
    assert!(!script.has("set"));
}

#[test]
fn a_position_that_the_engine_cannot_be_asked_leaves_it_alive() {
    let script = Script::new("uci) echo uciok;;");
    let mut engine = start(&script);
    let fault = engine.search(None, true, &[], PATIENCE).unwrap_err();
    assert!(
        matches!(fault, EngineFault::UnknownOption { .. }),
        "{fault}"
    );
    let fault = engine
        .search(Some("8/8\nquit"), false, &[], PATIENCE)
        .unwrap_err();
    assert!(matches!(fault, EngineFault::Unsendable { .. }), "{fault}");
    search(&mut engine, PATIENCE).unwrap();
}

#[test]
fn a_program_that_is_not_there_is_not_started() {
    for command in ["no-such-engine", "/no/such/engine", ""] {
        let fault = Engine::start(&spec(command), PATIENCE).unwrap_err();
        assert_eq!(fault.class(), "not_started", "{command}: {fault}");
    }
}
