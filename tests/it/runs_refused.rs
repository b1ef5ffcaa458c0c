//! What is not played: every refusal ends with 2, says why, and leaves the
//! ledger as it was, to the byte.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::arena::{Arena, engine, run_file};
use crate::mounts::in_namespace;
use crate::runs::FOOLS_MATE;
use crate::script::{Script, by_the_book};

const RULES: &str = "ply_cap = 40";

/// Two players and an arena; nothing was played yet.
struct Lobby {
    arena: Arena,
    players: [Script; 2],
}

impl Lobby {
    fn new() -> Self {
        Self {
            arena: Arena::new(),
            players: [(); 2].map(|()| Script::player("", FOOLS_MATE)),
        }
    }

    fn engines(&self) -> [String; 2] {
        self.players.each_ref().map(engine)
    }

    /// A good run file.
    fn text(&self) -> String {
        let [a, b] = self.engines();
        run_file(RULES, &[("a", &a), ("b", &b)])
    }

    /// A run file whose second engine has this line more.
    fn text_with(&self, line: &str) -> String {
        format!("{}{line}\n", self.text())
    }

    fn write(&self, text: &str) -> PathBuf {
        self.arena.write("run.toml", text)
    }

    /// Plays the good run file to its end.
    fn play(&self) -> PathBuf {
        let file = self.write(&self.text());
        self.arena.run(&file).ends_with(0);
        file
    }

    #[track_caller]
    fn refuses(&self, text: &str, why: &str) {
        let file = self.arena.write("other/run.toml", text);
        self.refuses_file(&file, why);
    }

    #[track_caller]
    fn refuses_file(&self, file: &Path, why: &str) {
        let before = self.arena.files();
        for words in [
            &["run", file.to_str().unwrap()][..],
            &["run", file.to_str().unwrap(), "--dry-run"],
        ] {
            let ran = self.arena.call(words);
            ran.ends_with(2).says(why);
            assert_eq!(ran.out, "", "nothing to report");
            assert!(self.arena.files() == before, "something was written");
        }
    }
}

#[test]
fn a_file_that_cannot_be_used_is_refused_with_the_reason() {
    let lobby = Lobby::new();
    lobby.refuses_file(
        Path::new("/no/such/run.toml"),
        "cannot read /no/such/run.toml",
    );
    let good = lobby.text();
    for (text, why) in [
        ("cohort = ".to_owned(), "TOML parse error at line 1"),
        (good.replace("ply_cap", "ply_capp"), "unknown field `ply_capp`"),
        (good.replace("\"cup\"", "\"The Cup\""), "expected a name of 1 to 64"),
        (good.replace("40", "0"), "expected at least one ply, found 0 as ply_cap"),
        (
            lobby.text_with("depth = 3"),
            "expected exactly one of nodes, depth and movetime_ms, above zero, found 2 of them for b",
        ),
        (
            good.replace("ply_cap = 40", "ply_cap = 40\nglicko2 = { rating = \"1500\", deviation = \"0\", volatility = \"0.06\", tau = \"0.5\" }"),
            "expected a number above zero, found zero or less as glicko2.deviation",
        ),
        (
            format!("# {}{}\n{good}", "-----BEGIN ", "PRIVATE KEY-----"),
            "line 1 of the run file holds what looks like a credential (private-key)",
        ),
    ] {
        lobby.refuses(&text, why);
    }
}

#[test]
fn an_engine_that_cannot_play_as_asked_is_refused_by_name() {
    let lobby = Lobby::new();
    let good = lobby.text();
    for (text, why) in [
        (
            good.replacen("\"sh\"", "\"no-such-engine\"", 1),
            "engine a: cannot find or read no-such-engine",
        ),
        (
            good.replacen("\"sh\"", "\"true\"", 1),
            "engine a: the engine ended during the handshake",
        ),
        (
            lobby.text_with("options = { Threads = 2 }"),
            "engine b: the option Threads must be 1",
        ),
        (
            lobby.text_with("options = { threads = 2 }"),
            "engine b: the option Threads must be 1",
        ),
        (
            lobby.text_with("options = { Hash = 65 }"),
            "engine b: option `Hash` takes an integer from 1 to 64, not `65`",
        ),
        (
            lobby.text_with("options = { Hash = 16, hash = 8 }"),
            "each option once, whatever its case, found hash in two spellings for b",
        ),
        (
            lobby.text_with("options = { Contempt = 0 }"),
            "engine b: the engine has no option `Contempt`",
        ),
    ] {
        lobby.refuses(&text, why);
    }
    let stockfish = "command = \"stockfish\"\nnodes = 20\n\
                     options = { UCI_LimitStrength = true, UCI_Elo = 1100 }";
    let [a, _] = lobby.engines();
    lobby.refuses(
        &run_file(RULES, &[("a", &a), ("weak", stockfish)]),
        "engine weak: option `UCI_Elo` takes an integer from 13",
    );
}

#[test]
fn without_a_ledger_nothing_is_started_or_made() {
    let lobby = Lobby::new();
    let file = lobby.write(&lobby.text());
    let absent = lobby.arena.beside("absent");
    let output = Command::new(env!("CARGO_BIN_EXE_scoresheet"))
        .arg("--ledger")
        .arg(&absent)
        .arg("run")
        .arg(file)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("no ledger at "), "{text}");
    assert!(!absent.exists());
}

#[test]
fn a_changed_file_is_refused_and_the_same_one_elsewhere_is_not() {
    let lobby = Lobby::new();
    let text = lobby.text();
    let file = lobby.write(&text);
    let file = file.to_str().unwrap();
    let ran = lobby.arena.call(&["run", file, "--games", "1"]);
    ran.ends_with(0).says("1 cell open");
    let why = "cohort cup was registered under another run file";
    lobby.refuses(&format!("{text}\n"), why);
    lobby.refuses(&text.replace("ply_cap = 40", "ply_cap  = 40"), why);
    lobby.refuses(&text.replace("nodes = 20", "nodes = 21"), why);
    let elsewhere = lobby.arena.write("else/where.toml", &text);
    lobby.arena.run(&elsewhere).ends_with(0).says("game 2 of 2");
    assert_eq!(lobby.arena.games().len(), 2);
}

#[test]
fn a_finished_cohort_takes_no_event_and_needs_no_engine() {
    let lobby = Lobby::new();
    let file = lobby.play();
    for player in &lobby.players {
        fs::remove_file(player.path()).unwrap();
    }
    let before = lobby.arena.files();
    lobby
        .arena
        .run(&file)
        .ends_with(0)
        .says("cohort cup is terminal");
    assert!(lobby.arena.files() == before);
}

#[test]
fn another_engine_under_the_registered_name_is_refused() {
    let lobby = Lobby::new();
    let file = lobby.write(&lobby.text());
    let file = file.to_str().unwrap();
    lobby
        .arena
        .call(&["run", file, "--games", "1"])
        .ends_with(0);
    lobby.players[1].rewrite(&by_the_book(":;", FOOLS_MATE));
    lobby.refuses_file(
        Path::new(file),
        "engine b is not the one that was registered: another program, net or other file",
    );
    lobby.players[1].rewrite(&by_the_book("", FOOLS_MATE));
    lobby.arena.run(Path::new(file)).ends_with(0);
}

#[test]
fn a_name_stands_for_one_thing() {
    let lobby = Lobby::new();
    lobby.play();
    let next = lobby.text().replace("\"cup\"", "\"cup-2\"");
    lobby.refuses(
        &next.replace("nodes = 20", "nodes = 21"),
        "the name a stands for another system in this ledger (another search limit)",
    );
    lobby.refuses(
        &next.replace("ply_cap = 40", "ply_cap = 41"),
        "the name rules stands for another protocol in this ledger",
    );
    // The same protocol and systems play another cohort.
    let file = lobby.write(&next);
    lobby.arena.run(&file).ends_with(0);
    let projection = lobby.arena.projection();
    assert_eq!(projection.systems.systems().len(), 2);
    assert_eq!(projection.games.count(), 4);
}

#[test]
fn no_game_at_all_is_no_number_of_games() {
    let lobby = Lobby::new();
    let file = lobby.write(&lobby.text());
    let before = lobby.arena.files();
    let ran = lobby
        .arena
        .call(&["run", file.to_str().unwrap(), "--games", "0"]);
    ran.ends_with(2).says("--games");
    assert!(lobby.arena.files() == before);
}

#[test]
fn a_ledger_mounted_read_only_is_refused_and_can_still_be_read() {
    let lobby = Lobby::new();
    let file = lobby.write(&lobby.text());
    let file = file.to_str().unwrap();
    let before = lobby.arena.files();
    let read_only = |words: &str| {
        let script = format!(
            "mount --bind \"$ledger\" \"$ledger\"; mount -o remount,ro,bind \"$ledger\"
             \"$scoresheet\" --ledger \"$ledger\" {words}"
        );
        in_namespace(&lobby.arena, &script)
    };
    let run = format!("run '{file}'");
    let Some(ran) = read_only(&run) else {
        return;
    };
    ran.ends_with(2)
        .says("cannot open head: Read-only file system");
    assert!(lobby.arena.files() == before);
    lobby.arena.run(Path::new(file)).ends_with(0);
    for words in [&run, "verify"] {
        read_only(words).unwrap().ends_with(0);
    }
}
